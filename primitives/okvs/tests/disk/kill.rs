// SPDX-License-Identifier: Apache-2.0
//! A process that is killed while it writes.

use std::{
	io::{BufRead, BufReader},
	path::Path,
	process::{Command, Stdio},
	time::Duration,
};

use content_fabric_okvs::{
	disk::{Condition, DiskConfig},
	Durability,
};
use rand::{rngs::StdRng, Rng, SeedableRng};

use crate::{commit, folder, opened, pairs, transactions};

/// Path of the writer's file, and its way to commit.
const PATH: &str = "OKVS_WRITER_PATH";
const COMMITS: &str = "OKVS_WRITER_COMMITS";
/// Commits between two flushes.
const FLUSH: u64 = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commits {
	/// As by default.
	Durable,
	QuickRepair,
	/// Durable only when the writer flushes.
	Flushed,
}

/// The process that is killed: commits transactions, and prints the number of each afterwards.
#[test]
#[ignore = "runs until it is killed, as a process of other tests"]
fn writer() {
	let path = std::env::var(PATH).expect("the other test gives the path");
	let commits = std::env::var(COMMITS).expect("the other test gives the way to commit");
	let config = match commits.as_str() {
		"Flushed" => DiskConfig::new(path).durability(Durability::Close),
		commits => DiskConfig::new(path).quick_repair(commits == "QuickRepair"),
	};
	let database = opened(config);
	let done = transactions(&pairs(&database));
	for transactions in done + 1.. {
		commit(&database, transactions);
		if transactions.is_multiple_of(FLUSH) {
			database.flush().expect("the file can be written");
		}
		println!("committed {transactions}");
	}
}

/// Runs the writer, and kills it after a random time. Returns the last transaction that it printed.
pub fn run_and_kill(path: &Path, commits: Commits, rng: &mut StdRng) -> Option<u64> {
	let mut command = Command::new(std::env::current_exe().expect("this is a program"));
	command.args(["--exact", "kill::writer", "--ignored", "--nocapture"]);
	command.env(PATH, path).env(COMMITS, format!("{commits:?}"));
	let spawned = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
	let mut writer = spawned.expect("this program can be run");
	let output = BufReader::new(writer.stdout.take().expect("the output is piped"));
	let reader = std::thread::spawn(move || {
		let numbers = output.lines().map_while(Result::ok).filter_map(|line| {
			line.split_once("committed ").and_then(|(_, number)| number.parse().ok())
		});
		numbers.last()
	});
	std::thread::sleep(Duration::from_micros(rng.random_range(0..100_000)));
	writer.kill().expect("the writer is still running");
	writer.wait().expect("the writer was killed");
	reader.join().expect("the output can be read")
}

/// Kills the writer again and again, and reads its file each time. Returns the number of commits,
/// and of times that the file had to be recovered.
fn kill_often(kills: usize, commits: Commits, seed: u64) -> (u64, usize) {
	let (_directory, path) = folder();
	let mut rng = StdRng::seed_from_u64(seed);
	let (mut done, mut recovered) = (0, 0);
	for kill in 0..kills {
		let acknowledged = run_and_kill(&path, commits, &mut rng).unwrap_or(done);
		if !path.exists() {
			assert_eq!(acknowledged, 0, "kill {kill}: the file is gone");
			continue;
		}
		let database = opened(DiskConfig::new(&path));
		assert_ne!(database.condition(), Condition::Repaired, "kill {kill}");
		recovered += usize::from(database.condition() == Condition::Recovered);
		let found = transactions(&pairs(&database));
		let least = match commits {
			Commits::Durable | Commits::QuickRepair => acknowledged,
			Commits::Flushed => (acknowledged / FLUSH * FLUSH).max(done),
		};
		let expected = least..=acknowledged + 1;
		assert!(expected.contains(&found), "kill {kill}: {found} is not in {expected:?}");
		done = found;
	}
	(done, recovered)
}

/// Commits that are not durable yet may be lost, but not in part, and none before the last flush.
fn leaves_whole_commits(kills: usize) {
	for commits in [Commits::Durable, Commits::Flushed] {
		let (number, recovered) = kill_often(kills, commits, 3);
		println!("{commits:?}: {number} commits, recovered {recovered} times of {kills}");
		assert!(number > kills as u64 && recovered > kills / 5);
	}
}

#[test]
fn a_killed_process_leaves_whole_commits() {
	leaves_whole_commits(20);
}

#[test]
#[ignore = "takes a minute: scripts/assure long runs it"]
fn a_process_killed_500_times_leaves_whole_commits() {
	leaves_whole_commits(500);
}
