// SPDX-License-Identifier: Apache-2.0
//! The store on disk beside `redb`, which it is built on, and LMDB.
//!
//! All have the budget for their cache that `redb` has by default. LMDB has no cache of its own: it
//! maps the file into memory.

mod heed;
mod ours;
mod redb;

use std::{
	hint::black_box,
	path::Path,
	time::{Duration, Instant},
};

use content_fabric_okvs::disk::DiskDatabase;

use self::{heed::Heed, redb::Redb};
use crate::{
	pairs::{family, key, pairs, Numbers, CHILDREN},
	runner::{measure, timed, Contestant, Plan},
	store::{fill, Reader, Step, Store},
	table::Table,
};

/// Number of bytes of memory that a store may use to cache its file.
const CACHE: usize = 1 << 30;

/// When a commit is sure to survive a crash of the machine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Commits {
	/// When it returns.
	Synced,
	/// When the store is [settled](Store::settle).
	Unsynced,
}

/// A store in a file.
trait OnDisk: Store {
	/// Opens the store in a folder of its own, or makes it there.
	fn open(directory: &Path, commits: Commits) -> Self;

	/// Copies all pairs as they are now to a store in another folder, so that they survive a crash
	/// of the machine.
	fn backup(&self, directory: &Path);

	/// Closes the store.
	fn close(self)
	where
		Self: Sized,
	{
	}
}

/// The folder of a store.
fn folder<S: Store>(parent: &Path) -> std::path::PathBuf {
	let folder = parent.join(S::NAME);
	std::fs::create_dir_all(&folder).expect("a folder can be made");
	folder
}

/// Opens a store, fills it, and reads all pairs, so that the caches of all stores have had the same
/// reads.
fn filled<S: OnDisk>(directory: &Path, count: u32) -> S {
	let store = S::open(&folder::<S>(directory), Commits::Unsynced);
	fill(&store, count);
	let reader = store.reader();
	for parent in 0..count / CHILDREN {
		black_box(reader.scan(&family(parent), false));
	}
	drop(reader);
	store
}

/// Copies a store.
fn backing_up<S: OnDisk>(store: &S) -> Contestant<'_> {
	let turn = |steps: u32| {
		let mut time = Duration::ZERO;
		for _ in 0..steps {
			let copy = temporary();
			time += timed(|| store.backup(copy.path()));
		}
		time
	};
	Contestant { name: S::NAME, turn: Box::new(turn) }
}

/// Opens a store that was closed, and reads one pair.
fn opening<S: OnDisk>(directory: &Path, count: u32) -> Contestant<'_> {
	let folder = folder::<S>(directory);
	let mut numbers = Numbers::new(count);
	let turn = move |steps: u32| {
		let mut time = Duration::ZERO;
		for _ in 0..steps {
			let began = Instant::now();
			let store = S::open(&folder, Commits::Synced);
			assert_ne!(store.reader().get(&key(numbers.next())), 0, "{}", S::NAME);
			time += began.elapsed();
			store.close();
		}
		time
	};
	Contestant { name: S::NAME, turn: Box::new(turn) }
}

/// Sets one pair in a transaction that survives a crash of the machine.
fn committing<'s, S: OnDisk + 's>(directory: &Path, count: u32) -> Contestant<'s> {
	let store = S::open(&folder::<S>(directory), Commits::Synced);
	let mut numbers = Numbers::new(count);
	let turn = move |steps: u32| {
		timed(|| {
			for _ in 0..steps {
				let number = numbers.next();
				store.set(pairs(number..number + 1));
			}
		})
	};
	Contestant { name: S::NAME, turn: Box::new(turn) }
}

/// Makes the names of new files survive a crash of the machine.
fn sync_names(directory: &Path) {
	let directory = std::fs::File::open(directory).expect("the folder can be opened");
	directory.sync_all().expect("the folder can be written");
}

/// Makes a folder on the disk of the build output, as that of the system's temporary files may be
/// in memory.
fn temporary() -> tempfile::TempDir {
	tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder can be made")
}

/// Measures all rows at one size.
pub fn run(table: &mut Table, count: u32, plan: Plan) {
	let directory = temporary();
	let directory = directory.path();
	let ours: DiskDatabase = filled(directory, count);
	let redb: Redb = filled(directory, count);
	let heed: Heed = filled(directory, count);
	const GOAL: f64 = 0.97;
	for step in Step::ALL {
		let contestants = vec![
			step.contestant(&ours, count),
			step.contestant(&redb, count),
			step.contestant(&heed, count),
		];
		table.add(step.name(), GOAL, count, measure(contestants, plan));
	}
	let contestants = vec![backing_up(&ours), backing_up(&redb), backing_up(&heed)];
	table.add("backup", GOAL, count, measure(contestants, plan));
	ours.close();
	redb.close();
	heed.close();

	let contestants = vec![
		opening::<DiskDatabase>(directory, count),
		opening::<Redb>(directory, count),
		opening::<Heed>(directory, count),
	];
	table.add("open", GOAL, count, measure(contestants, plan));
	let contestants = vec![
		committing::<DiskDatabase>(directory, count),
		committing::<Redb>(directory, count),
		committing::<Heed>(directory, count),
	];
	table.add("durable commit", GOAL, count, measure(contestants, plan));
}
