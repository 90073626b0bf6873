// SPDX-License-Identifier: Apache-2.0
//! Network namespaces: one for a whole run, so that nothing in it clashes with the machine, and in
//! that one for every node.
//!
//! A run also has a process namespace, which takes every node with it when the run ends, however it
//! ends, and a `/run` of its own for the names of its namespaces. Nothing of it is left behind.

use std::{
	future::Future,
	io::{BufRead, BufReader, Read},
	net::Ipv4Addr,
	os::unix::fs::MetadataExt,
	path::PathBuf,
	process::{Command, Stdio},
	sync::{Mutex, PoisonError},
};

use tun_rs::{DeviceBuilder, Layer, SyncDevice};

/// Set in the environment of a run that has its namespace.
const INSIDE: &str = "CONTENT_FABRIC_TEST_NAMESPACE";
/// Set by `scripts/test` where the machine does not allow namespaces.
const LEFT_OUT: &str = "CONTENT_FABRIC_TEST_WITHOUT_NAMESPACES";
/// Prepares the namespaces of a run, and then runs the arguments. The owner of the namespace of a
/// user who is not root may mount on `/run` too.
const PREPARE: &str = "mount -t tmpfs tmpfs /run && ip link set lo up && exec \"$@\" 2>&1";
/// The exit code of a run whose starter has ended.
const ABANDONED: i32 = 130;

/// Returns whether this process is in namespaces of its own.
pub fn is_isolated() -> bool {
	std::env::var_os(INSIDE).is_some()
}

/// Runs a test in namespaces of its own, in another process of this program. Only one runs at a
/// time, as each has many nodes.
///
/// Fails where the machine does not allow namespaces, unless the test is left out there on purpose.
pub fn isolated<Test: FnOnce() -> Run, Run: Future<Output = ()>>(test: Test) {
	if is_isolated() {
		run(test());
		return;
	}
	if std::env::var_os(LEFT_OUT).is_some() {
		println!("skipped: {LEFT_OUT} is set");
		return;
	}
	static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
	let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
	// Such as `network::kill::a_test::{{closure}}`.
	let path = std::any::type_name::<Test>();
	let name = path.split_once("::").and_then(|(_, name)| name.strip_suffix("::{{closure}}"));
	let name = name.unwrap_or_else(|| panic!("{path} is not a closure in a test"));
	let (code, ran) = run_inside(&["--exact", name, "--nocapture", "--include-ignored"]);
	assert_eq!(code, Some(0), "{name} failed: see its output above");
	assert!(ran, "no test has the name {name}");
}

/// Runs a program in namespaces of its own: `main` calls this with all that it does. Returns the
/// program's exit code.
pub fn isolated_program(main: impl Future<Output = ()>) -> i32 {
	if is_isolated() {
		run(main);
		return 0;
	}
	let arguments: Vec<_> = std::env::args().skip(1).collect();
	let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
	run_inside(&arguments).0.unwrap_or(ABANDONED)
}

fn run(test: impl Future<Output = ()>) {
	// The starter holds the other end. The first process of a namespace takes no signals from
	// those in it, and `unshare` passes none on.
	std::thread::spawn(|| {
		let _ = std::io::stdin().read_to_end(&mut Vec::new());
		std::process::exit(ABANDONED);
	});
	let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
	runtime.block_on(test);
}

/// Runs this program in namespaces of its own. Prints what it prints. Returns its exit code, and
/// whether it says that one test has passed.
fn run_inside(arguments: &[&str]) -> (Option<i32>, bool) {
	let probe = unshared().args(["test", "-w", "/dev/net/tun"]).output();
	let probe = probe.expect("unshare, of the package util-linux, starts");
	assert!(
		probe.status.success(),
		"this machine does not allow network namespaces with TAP devices: run as root, or allow \
		 user namespaces and make /dev/net/tun writable. {}{}",
		String::from_utf8_lossy(&probe.stdout).trim(),
		String::from_utf8_lossy(&probe.stderr).trim()
	);
	let program = std::env::current_exe().expect("a program knows its own path");
	let mut process = unshared()
		.arg(program)
		.args(arguments)
		.env(INSIDE, "1")
		.stdin(Stdio::piped())
		.stdout(Stdio::piped())
		.spawn()
		.expect("unshare, of the package util-linux, starts");
	let stdin = process.stdin.take();
	let output = BufReader::new(process.stdout.take().expect("standard output is piped"));
	let mut passed = false;
	for line in output.lines() {
		let line = line.expect("tests print text");
		passed |= line.starts_with("test result: ok. 1 passed");
		println!("{line}");
	}
	let status = process.wait().expect("the process can be waited for");
	drop(stdin);
	(status.code(), passed)
}

/// Returns the command that runs its further arguments in namespaces of their own.
fn unshared() -> Command {
	let mut command = Command::new("unshare");
	let this = std::fs::metadata("/proc/self").expect("/proc is mounted");
	if this.uid() != 0 {
		command.args(["--user", "--map-root-user"]);
	}
	command
		.args(["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"])
		.args(["sh", "-c", PREPARE, "sh"]);
	command
}

/// The network namespace of a node. A TAP device is all that connects it.
pub struct Namespace {
	name: String,
}

impl Namespace {
	/// Makes a namespace whose TAP device has this address. Returns it with the other end of the
	/// device.
	pub fn new(name: &str, address: Ipv4Addr) -> (Self, SyncDevice) {
		// The namespace of the run has the device first. The other end stays there.
		let device = DeviceBuilder::new().name(name).layer(Layer::L2).enable(false).build_sync();
		let device = device.unwrap_or_else(|error| panic!("no TAP device {name}: {error}"));
		ip(&["netns", "add", name]);
		ip(&["link", "set", name, "netns", name]);
		ip(&["-n", name, "address", "add", &format!("{address}/24"), "dev", name]);
		ip(&["-n", name, "link", "set", "lo", "up"]);
		ip(&["-n", name, "link", "set", name, "up"]);
		(Self { name: name.into() }, device)
	}

	/// Returns the command that runs its further arguments in this namespace.
	pub fn command(&self) -> Command {
		let mut command = Command::new("nsenter");
		let mut argument = std::ffi::OsString::from("--net=");
		argument.push(PathBuf::from("/run/netns").join(&self.name));
		command.arg(argument);
		command
	}
}

fn ip(arguments: &[&str]) {
	let output = Command::new("ip").args(arguments).output();
	let output = output.expect("ip, of the package iproute2, starts");
	let stderr = String::from_utf8_lossy(&output.stderr);
	assert!(output.status.success(), "ip {arguments:?}: {stderr}");
}
