// SPDX-License-Identifier: Apache-2.0
//! The node and the client as processes.

use std::{
	fs,
	io::{self, BufRead, BufReader, Read, Write},
	net::TcpListener,
	ops::{Deref, DerefMut, Range},
	path::{Path, PathBuf},
	process::{Child, Command, Output, Stdio},
	sync::{mpsc, Mutex, PoisonError},
	thread,
	time::{Duration, SystemTime},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::network::is_isolated;

/// The program of most nodes here, which makes a block for each transaction.
const MOCK: &str = "content-fabric-node-mock";
/// Longest time that a node may take to serve JSON-RPC.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// The same of a validator, whose program may have to compile the runtime first.
const VALIDATOR_TIMEOUT: Duration = Duration::from_secs(600);
/// Milliseconds after which a node finalizes a block, unless a test gives another number.
const FINALIZE_AFTER: &str = "200";
/// Ports that the system does not hand out to outgoing connections. A client that tries to connect
/// to one of them while no node listens cannot be handed that very port, and connect to itself.
const FIXED_PORTS: Range<u16> = 20_000..32_000;
/// The exit codes of the client, by the class of the error.
const EXIT_CODES: [(&str, i32); 11] = [
	("other", 1),
	("usage", 2),
	("not-found", 3),
	("refused", 4),
	("connection", 5),
	("partial", 6),
	("unserved", 7),
	("mismatch", 8),
	("not-final", 9),
	("unhealthy", 10),
	("interrupted", 130),
];

/// Returns the folder in which cargo puts the programs of this workspace.
pub fn program_folder() -> PathBuf {
	let test = std::env::current_exe().expect("a test knows its own path");
	test.ancestors().nth(2).expect("a test lies in `deps` of the build folder").to_owned()
}

/// Returns the path of a program of this workspace.
pub fn program(name: &str) -> PathBuf {
	let path = program_folder().join(name);
	assert!(
		path.is_file(),
		"{} is missing: run scripts/test, or cargo build --workspace --bins",
		path.display()
	);
	path
}

/// A process that is killed as `kill -9` does when it is dropped.
pub struct Process(pub Child);

impl Deref for Process {
	type Target = Child;

	fn deref(&self) -> &Child {
		&self.0
	}
}

impl DerefMut for Process {
	fn deref_mut(&mut self) -> &mut Child {
		&mut self.0
	}
}

impl Process {
	/// Waits until it ends. Returns its output, which must be piped.
	pub fn output(mut self) -> Output {
		let mut errors = self.0.stderr.take().expect("standard error is piped");
		let reader = thread::spawn(move || {
			let mut text = Vec::new();
			errors.read_to_end(&mut text).map(|_| text)
		});
		let mut stdout = Vec::new();
		let mut out = self.0.stdout.take().expect("standard output is piped");
		out.read_to_end(&mut stdout).expect("the output can be read");
		let stderr = reader.join().expect("the reader ends").expect("the errors can be read");
		Output { status: self.0.wait().expect("the program ends"), stdout, stderr }
	}
}

impl Drop for Process {
	fn drop(&mut self) {
		// It may have ended by itself.
		let _ = self.0.kill();
		let _ = self.0.wait();
	}
}

/// Starts a program that logs `mark` and its address when it serves, and waits for that. Returns
/// the address with the process, or the log if the program ends before.
pub fn serving(
	mut command: Command,
	mark: &'static str,
	patience: Duration,
) -> Result<(Process, String), String> {
	command.env("NO_COLOR", "1").stdout(Stdio::null()).stderr(Stdio::piped());
	let mut process = Process(command.spawn().expect("the program starts"));
	let log = BufReader::new(process.stderr.take().expect("standard error is piped"));
	let (sender, receiver) = mpsc::channel();
	// The log is read to its end, or the program would block on a full pipe.
	thread::spawn(move || {
		let mut seen = Vec::new();
		for line in log.lines().map_while(Result::ok) {
			if let Some((_, address)) = line.split_once(mark) {
				let _ = sender.send(Ok(address.trim().to_owned()));
			}
			if seen.len() < 100 {
				seen.push(line);
			}
		}
		let _ = sender.send(Err(seen.join("\n")));
	});
	match receiver.recv_timeout(patience) {
		Ok(Ok(address)) => Ok((process, address)),
		Ok(Err(log)) => {
			process.wait().expect("a process that has closed its log ends");
			Err(log)
		},
		Err(_) => panic!("{command:?} did not serve within {patience:?}"),
	}
}

/// Returns a command that runs the node program `name`. All nodes of the tests share the compiled
/// runtime of the first one.
pub(crate) fn command_of_node(name: &str) -> Command {
	let mut command = Command::new(program(name));
	command.env("CONTENT_FABRIC_WASM_CACHE", program_folder().join("wasm-cache"));
	command
}

/// Returns the command that runs the node.
pub fn node_command() -> Command {
	command_of_node(MOCK)
}

/// Returns the path of the raw specification of a chain, which the node program `name` has built.
///
/// A node that starts from a preset compiles the runtime two more times, to build the genesis state.
/// This file saves all nodes but one that time, until the program is built again.
pub(crate) fn raw_specification(name: &str, chain: &str) -> PathBuf {
	static BUILDING: Mutex<()> = Mutex::new(());
	let _building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
	let modified = |path: &Path| -> io::Result<SystemTime> { fs::metadata(path)?.modified() };
	let built = modified(&program(name)).expect("the node's program has a time");
	let path = program_folder().join(format!("{name}-{chain}.json"));
	// The file has the time of its program, which an earlier one may replace.
	if !modified(&path).is_ok_and(|time| time == built) {
		let mut node = command_of_node(name);
		node.args(["build-spec", "--raw", "--disable-default-bootnode", "--chain", chain]);
		let raw = output_of(&mut node);
		// Another run may read the file meanwhile.
		let mut file = tempfile::NamedTempFile::new_in(program_folder()).expect("a file is made");
		file.write_all(&raw).expect("there is room for the file");
		file.as_file().set_modified(built).expect("its time can be set");
		file.persist(&path).expect("the file is renamed");
	}
	path
}

/// Runs a command to its end, which must be well. Returns what it prints.
#[track_caller]
pub fn output_of(command: &mut Command) -> Vec<u8> {
	let output = command.output().expect("the program starts");
	assert!(output.status.success(), "{command:?}: {}", stderr(&output));
	output.stdout
}

/// Returns a port on which a node can be started again and again. No other test gets it, not even
/// while no node listens there: it is marked on another address, until the process ends.
pub fn fixed_port() -> u16 {
	static MARKS: Mutex<Vec<TcpListener>> = Mutex::new(Vec::new());
	let is_free = |port: &u16| {
		let mark = TcpListener::bind(("127.0.0.2", *port));
		let is_free = mark.is_ok() && TcpListener::bind(("127.0.0.1", *port)).is_ok();
		MARKS.lock().expect("nobody panics with it").extend(mark);
		is_free
	};
	// Tests that run at the same time start to look at different places.
	let start = rand::random_range(FIXED_PORTS);
	let mut ports = (start..FIXED_PORTS.end).chain(FIXED_PORTS.start..start);
	ports.find(is_free).expect("some port is free")
}

/// A running node, killed when dropped.
pub struct Node {
	process: Process,
	/// The address of its JSON-RPC server.
	pub url: String,
}

impl Node {
	/// Starts a development chain in a new folder, which is removed when it is dropped. The data
	/// are in its subfolder `chain`.
	pub fn start_anew(arguments: &[&str]) -> (TempDir, Self) {
		let dir = tempfile::tempdir().expect("there is room for a folder");
		let node = Self::start(&dir.path().join("chain"), arguments);
		(dir, node)
	}

	/// Starts a development chain with its data in `base_path`, and waits until the node serves
	/// JSON-RPC on a free port.
	pub fn start(base_path: &Path, arguments: &[&str]) -> Self {
		Self::start_on(0, base_path, arguments)
	}

	/// Starts a development chain as [`start`](Self::start) does, on a [`fixed_port`].
	pub fn start_on(port: u16, base_path: &Path, arguments: &[&str]) -> Self {
		let mut command = node_command();
		command.arg("--dev").arg("--chain").arg(raw_specification(MOCK, "dev"));
		Self::serve(command, port, base_path, arguments)
	}

	/// Starts a chain without a sudo key, with its data in `base_path`. Its council is Alice to
	/// Eve.
	pub fn start_without_sudo(base_path: &Path) -> Self {
		let mut command = node_command();
		command.arg("--chain").arg(raw_specification(MOCK, "local"));
		Self::serve(command, 0, base_path, &[])
	}

	/// Starts the only validator of a development chain, which makes a block every six seconds,
	/// with its data in `base_path`. Also returns the URL of its metrics.
	pub fn start_validator(base_path: &Path) -> (Self, String) {
		let metrics = fixed_port().to_string();
		let mut command = command_of_node("content-fabric-node");
		command.arg("--dev").arg("--chain").arg(raw_specification(MOCK, "dev"));
		command.args(["--prometheus-port", &metrics, "--rpc-port", "0", "--port", "0"]);
		command.args(["--no-telemetry", "--no-mdns"]).arg("--base-path").arg(base_path);
		(Self::started(command, VALIDATOR_TIMEOUT), format!("http://127.0.0.1:{metrics}/metrics"))
	}

	fn serve(mut command: Command, port: u16, base_path: &Path, arguments: &[&str]) -> Self {
		if !arguments.contains(&"--finalize-after") {
			command.args(["--finalize-after", FINALIZE_AFTER]);
		}
		command
			.args(["--no-prometheus", "--no-telemetry", "--rpc-port", &port.to_string()])
			.arg("--base-path")
			.arg(base_path)
			.args(arguments);
		let node = Self::started(command, START_TIMEOUT);
		assert!(port == 0 || node.url.ends_with(&format!(":{port}")), "{}, not {port}", node.url);
		node
	}

	fn started(command: Command, patience: Duration) -> Self {
		let started = serving(command, "Running JSON-RPC server: addr=", patience);
		let (process, addresses) = started.unwrap_or_else(|log| panic!("the node stopped:\n{log}"));
		let address = addresses.split([',', ' ']).next().unwrap_or_default();
		Self { process, url: format!("ws://{address}") }
	}

	/// Stops the node as Ctrl-C does: it writes all its blocks first.
	pub fn stop(mut self) {
		signal(&self.process, "-INT");
		self.process.wait().expect("an interrupted process ends");
	}

	/// Pauses the node, which keeps its connections and does not answer.
	pub fn pause(&self) {
		signal(&self.process, "-STOP");
	}

	/// Lets a paused node go on.
	pub fn resume(&self) {
		signal(&self.process, "-CONT");
	}
}

/// Sends a signal to a process. `-INT` interrupts it as Ctrl-C does.
pub fn signal(process: &Child, signal: &str) {
	let id = process.id().to_string();
	let status = Command::new("kill").args([signal, &id]).status().expect("kill starts");
	assert!(status.success(), "the process runs");
}

/// Writes a file for the client to read. Returns its path.
pub fn write(dir: &Path, name: &str, text: &str) -> String {
	let path = dir.join(name);
	std::fs::write(&path, text).expect("there is room for a file");
	path.to_str().expect("the path is text").to_owned()
}

/// Returns the folder of the client's configuration, where it also keeps the chains that it knows.
fn configuration() -> PathBuf {
	if is_isolated() {
		// The addresses of a testbed had another chain in the run before. Each run has its own
		// `/run`.
		return "/run/content-fabric".into();
	}
	// Nothing is ever written there: tests with chains that seem live give a folder of their own.
	program_folder().join("no-configuration")
}

/// Returns the command that runs the client on the node at `url`. It reads no profiles of the user
/// and no environment variables that the test does not set.
pub fn fabric_command(url: &str, arguments: &[&str]) -> Command {
	let mut command = Command::new(program("fabric"));
	detach(&mut command);
	command.args(["--url", url]).args(arguments);
	// The network of a testbed is not the loopback device, but it does not leave the machine.
	if is_isolated() {
		command.arg("--insecure");
	}
	command
}

/// Keeps the profiles and the environment variables of the user from a command that runs the
/// client.
pub(crate) fn detach(command: &mut Command) {
	for (name, _) in std::env::vars_os() {
		let text = name.to_string_lossy();
		if text.starts_with("FABRIC_") || text.starts_with("XDG_") {
			command.env_remove(&name);
		}
	}
	command.env("FABRIC_CONFIG", configuration().join("config.toml"));
	command.env("FABRIC_STATE", configuration());
}

/// Runs the client to its end.
pub fn fabric_output(url: &str, arguments: &[&str]) -> Output {
	fabric_command(url, arguments).output().expect("the client starts")
}

/// Runs the client with `--json`. It must succeed. Returns what it prints.
#[track_caller]
pub fn fabric_json(url: &str, arguments: &[&str]) -> Value {
	fabric_report(url, arguments, 0)
}

/// Runs the client with `--json`. It must end with this exit code. Returns the report that it
/// prints, which a publish of a part does, too.
#[track_caller]
pub fn fabric_report(url: &str, arguments: &[&str], code: i32) -> Value {
	report(&fabric_output(url, &[&["--json"], arguments].concat()), code)
}

/// Returns the report that the client has printed with `--json`. It must have ended with this exit
/// code.
#[track_caller]
pub fn report(output: &Output, code: i32) -> Value {
	assert_eq!(output.status.code(), Some(code), "{}", stderr(output));
	serde_json::from_slice(&output.stdout).expect("the client prints JSON")
}

/// Returns what a program has printed on standard error.
pub fn stderr(output: &Output) -> String {
	String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs the client, which must succeed. Returns the text that it prints.
#[track_caller]
pub fn fabric_text(url: &str, arguments: &[&str]) -> String {
	String::from_utf8(output_of(&mut fabric_command(url, arguments))).expect("results are text")
}

/// Runs the client with `--json`, which must submit a call. Returns the fields of the first event
/// of that name.
#[track_caller]
pub fn fabric_event(url: &str, arguments: &[&str], event: &str) -> Value {
	event_of(&fabric_json(url, arguments), event)
}

/// Returns the fields of the first event of that name in the report on a call.
#[track_caller]
pub fn event_of(submitted: &Value, event: &str) -> Value {
	assert!(submitted["extrinsic"].is_string(), "nothing was submitted: {submitted}");
	let events = submitted["events"].as_array().expect("a list");
	let found = events.iter().find(|found| found["name"] == event);
	found.unwrap_or_else(|| panic!("no {event}: {submitted}"))["fields"].clone()
}

/// Returns what a publish has not published for one cause: `input`, `record-key` or `chain`.
pub fn failed<'a>(published: &'a Value, cause: &str) -> Vec<&'a Value> {
	let failed = published["failed"].as_array().expect("a list");
	failed.iter().filter(|failed| failed["cause"] == cause).collect()
}

/// A failure of the client.
#[derive(Debug)]
pub struct Failure {
	/// The error, without the word `error`.
	pub error: String,
	/// The name of its class.
	pub class: String,
	/// Standard error before the last line.
	pub before: String,
}

/// Runs the client with `--json`, which must fail as [`failure`] says.
#[track_caller]
pub fn fabric_failure(url: &str, arguments: &[&str]) -> Failure {
	failure(&fabric_output(url, &[&["--json"], arguments].concat()))
}

/// Runs the client, which must fail with an error of this class, for this reason.
#[track_caller]
pub fn fabric_fails(url: &str, arguments: &[&str], class: &str, reason: &str) {
	let failure = fabric_failure(url, arguments);
	assert_eq!(failure.class, class, "{arguments:?}: {failure:?}");
	assert!(failure.error.contains(reason), "{arguments:?}: {failure:?}");
}

/// Returns the failure of the client with `--json`. It must have printed a line of JSON and no
/// result, and ended with the exit code of the error's class.
#[track_caller]
pub fn failure(output: &Output) -> Failure {
	let stderr = stderr(output);
	assert!(!output.status.success(), "it did not fail: {stderr}");
	let line = stderr.lines().last().unwrap_or_default();
	let before = stderr.trim_end().strip_suffix(line).unwrap_or_default().to_owned();
	let failure: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{stderr}"));
	let text = |field: &str| failure[field].as_str().expect("errors have texts").to_owned();
	let failure = Failure { error: text("error"), class: text("class"), before };
	let code = EXIT_CODES.iter().find(|(class, _)| *class == failure.class);
	let (_, code) = code.unwrap_or_else(|| panic!("the class is unknown: {failure:?}"));
	assert_eq!(output.status.code(), Some(*code), "{failure:?}");
	assert!(output.stdout.is_empty(), "a failed command prints no result");
	failure
}

/// Runs the client on a terminal, where somebody types, perhaps with the input from a file. Returns
/// its exit code, and what it shows.
pub fn fabric_on_terminal(
	url: &str,
	arguments: &[&str],
	input: Option<&str>,
	typed: &str,
) -> (Option<i32>, String) {
	let client = fabric_command(url, arguments);
	let words = std::iter::once(client.get_program()).chain(client.get_args());
	let words: Vec<_> = words.map(|word| format!("'{}'", word.to_string_lossy())).collect();
	let mut line = words.join(" ");
	if let Some(input) = input {
		line += &format!(" < '{input}'");
	}
	let mut terminal = Command::new("script");
	detach(&mut terminal);
	let mut terminal = terminal
		.args(["-q", "-e", "-c", &line, "/dev/null"])
		.stdin(Stdio::piped())
		.stdout(Stdio::piped())
		.spawn()
		.expect("script, of the package bsdutils, starts");
	// The end of the input would be a Ctrl-D, which is not an answer, so it stays open.
	let mut stdin = terminal.stdin.take().expect("it is piped");
	stdin.write_all(typed.as_bytes()).expect("the terminal takes it");
	let Output { status, stdout, .. } = terminal.wait_with_output().expect("the client ends");
	(status.code(), String::from_utf8_lossy(&stdout).into_owned())
}

/// Runs the client, which must fail. Returns its error, which must be one line.
#[track_caller]
pub fn fabric_error(url: &str, arguments: &[&str]) -> String {
	let output = fabric_output(url, arguments);
	let stderr = stderr(&output);
	assert!(!output.status.success(), "fabric {arguments:?} did not fail");
	assert_eq!(stderr.lines().count(), 1, "fabric {arguments:?}: {stderr}");
	assert!(stderr.starts_with("error: "), "fabric {arguments:?}: {stderr}");
	assert!(output.stdout.is_empty(), "a failed command prints no result");
	stderr
}
