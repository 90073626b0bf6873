// SPDX-License-Identifier: Apache-2.0
//! The program itself, as a process that serves an index and whose node is not there.

use std::{
	fs,
	io::{BufRead, BufReader},
	net::SocketAddr,
	process::{Child, Command, Stdio},
	sync::mpsc,
	thread,
};

use content_fabric_indexer::index::Index;
use content_fabric_okvs::Durability;
use tempfile::TempDir;

use crate::{
	http::{get, PATIENCE},
	world::{begin, World},
};

/// A process that serves.
pub struct Program {
	process: Child,
	pub address: SocketAddr,
	/// Lines of the log before it served, without lines of the thread that follows the chain: it
	/// can find out first that there is none.
	pub log: Vec<String>,
	_folder: TempDir,
}

impl Program {
	/// Serves a chain with some of everything, with these limits of open files.
	pub fn start(soft: u64, hard: u64) -> Self {
		let folder = tempfile::tempdir().expect("there is room");
		let index = Index::open(folder.path()).expect("there is room");
		begin(&index, "Development");
		index.apply(&World::default().fill(), Durability::Commit).expect("the blocks follow");
		index.close().expect("the index is writable");
		let program = env!("CARGO_BIN_EXE_fabric-indexer");
		let mut process = Command::new("sh")
			.arg("-c")
			.arg(format!("ulimit -Sn {soft} && ulimit -Hn {hard} && exec \"$@\""))
			.args(["sh", program, "serve", "--url", "ws://127.0.0.1:1", "--listen", "127.0.0.1:0"])
			.arg("--data")
			.arg(folder.path())
			.env_remove("RUST_LOG")
			.env("NO_COLOR", "1")
			.stderr(Stdio::piped())
			.spawn()
			.expect("there is a shell");
		let stderr = process.stderr.take().expect("it is piped");
		let (sender, lines) = mpsc::channel();
		// Reads all of it, as the program waits for its log to be read.
		thread::spawn(move || {
			for line in BufReader::new(stderr).lines().map_while(Result::ok) {
				let _ = sender.send(line);
			}
		});
		let mut log = Vec::new();
		let address = loop {
			let line = lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{log:?}"));
			let address = line.split_once("serving http://").map(|(_, address)| address.to_owned());
			if !line.contains("content_fabric_indexer::follow") {
				log.push(line);
			}
			if let Some(address) = address {
				break address.parse().expect("it is an address");
			}
		};
		Self { process, address, log, _folder: folder }
	}

	fn file(&self, name: &str) -> String {
		let path = format!("/proc/{}/{name}", self.process.id());
		fs::read_to_string(path).expect("the process runs")
	}

	/// Returns the bytes of memory that the process has.
	pub fn memory(&self) -> u64 {
		let status = self.file("status");
		let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
		let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
		kib.and_then(|kib| kib.parse::<u64>().ok()).expect("it has memory") << 10
	}

	/// Returns the number of open files of the process.
	pub fn files(&self) -> usize {
		let path = format!("/proc/{}/fd", self.process.id());
		fs::read_dir(path).expect("the process runs").count()
	}

	/// Returns the soft and the hard limit of open files of the process.
	fn limits(&self) -> (String, String) {
		let limits = self.file("limits");
		let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
		let mut words = line.unwrap_or_default().split_whitespace().map(str::to_owned);
		(words.next().unwrap_or_default(), words.next().unwrap_or_default())
	}
}

impl Drop for Program {
	fn drop(&mut self) {
		let _ = self.process.kill();
		let _ = self.process.wait();
	}
}

#[tokio::test]
async fn the_limit_of_open_files_is_raised_for_the_connections() {
	let text = |soft: u64, hard: u64| (soft.to_string(), hard.to_string());
	// A limit that suffices stays.
	let program = Program::start(4_500, 5_000);
	assert_eq!(program.limits(), text(4_500, 5_000));
	assert_eq!(program.log.len(), 1, "{:?}", program.log);

	let program = Program::start(256, 5_000);
	assert_eq!(program.limits(), text(5_000, 5_000));
	assert!(!program.log.iter().any(|line| line.contains("WARN")), "{:?}", program.log);

	let program = Program::start(256, 1_000);
	assert_eq!(program.limits(), text(1_000, 1_000));
	let warning = program.log.iter().find(|line| line.contains("WARN"));
	let warning = warning.expect("there is a warning");
	assert!(warning.contains("is 1000, and 4160 may be open at once"), "{warning}");
	assert_eq!(get(program.address, "/health").await.status, 200);
}
