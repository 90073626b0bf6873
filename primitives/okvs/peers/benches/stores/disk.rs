// SPDX-License-Identifier: Apache-2.0
//! The store on disk beside `redb`, which it is built on, and LMDB.
//!
//! All have the budget for their cache that `redb` has by default. LMDB has no cache of its own: it
//! maps the file into memory.

mod heed;
mod redb;

use std::{hint::black_box, path::Path, time::Instant};

use content_fabric_okvs::{
	disk::{DiskConfig, DiskDatabase},
	Database, Durability,
};

use self::{heed::Heed, redb::Redb};
use crate::{
	ours::Ours,
	pairs::{family, key, numbers, pairs, CHILDREN},
	store::{both, fill, rows, Reader, Store},
	table::{timed, Contestant, Table},
};

/// Number of bytes of memory that a store may use to cache its file: enough for all of it.
const CACHE: usize = 4 << 30;

trait OnDisk: Store {
	/// Opens the store in a folder of its own, or makes it there. Commits are durable when they
	/// return, or when the store is [settled](Store::settle).
	fn open(directory: &Path, durability: Durability) -> Self;

	/// Copies all pairs as they are now to a store in another folder, so that they survive a crash
	/// of the machine.
	fn backup(&self, directory: &Path);

	fn close(self);
}

impl OnDisk for Ours<DiskDatabase> {
	fn open(directory: &Path, durability: Durability) -> Self {
		let config = DiskConfig::new(directory.join("pairs")).cache_bytes(CACHE);
		let database = DiskDatabase::open(config.durability(durability));
		let settle = |database: &DiskDatabase| database.flush().expect("the file can be written");
		Self { database: database.expect("the file can be opened"), settle }
	}

	fn backup(&self, directory: &Path) {
		let snapshot = self.database.begin_read().expect("the file can be read");
		snapshot.backup(directory.join("pairs")).expect("the copy can be written");
	}

	fn close(self) {
		self.database.close().expect("the file can be closed");
	}
}

fn folder<S: Store>(parent: &Path) -> std::path::PathBuf {
	let folder = parent.join(S::NAME);
	std::fs::create_dir_all(&folder).expect("a folder can be made");
	folder
}

/// Opens a store, fills it, opens it again, and reads all pairs, so that the caches of all stores
/// have had the same reads, and nothing else.
fn filled<S: OnDisk>(directory: &Path, count: u32) -> S {
	let open = || S::open(&folder::<S>(directory), Durability::Close);
	let store = open();
	fill(&store, count);
	store.close();
	let store = open();
	let reader = store.reader();
	for parent in 0..count / CHILDREN {
		black_box(reader.scan(&family(parent), false));
	}
	drop(reader);
	store
}

fn backing_up<S: OnDisk>(store: &S) -> Contestant<'_> {
	let copy = || {
		let copy = temporary();
		timed(|| store.backup(copy.path()))
	};
	Contestant { name: S::NAME, turn: Box::new(move |steps| (0..steps).map(|_| copy()).sum()) }
}

/// Opens a store that was closed, and reads one pair.
fn opening<S: OnDisk>(directory: &Path, count: u32) -> Contestant<'_> {
	let folder = folder::<S>(directory);
	let mut number = numbers(count);
	let mut open = move || {
		let began = Instant::now();
		let store = S::open(&folder, Durability::Commit);
		assert_ne!(store.reader().get(&key(number())), 0, "{}", S::NAME);
		let time = began.elapsed();
		store.close();
		time
	};
	Contestant { name: S::NAME, turn: Box::new(move |steps| (0..steps).map(|_| open()).sum()) }
}

/// Sets one pair in a transaction that survives a crash of the machine.
fn committing<'s, S: OnDisk + 's>(directory: &Path, count: u32) -> Contestant<'s> {
	let store = S::open(&folder::<S>(directory), Durability::Commit);
	let mut number = numbers(count);
	let mut commit = move || {
		let number = number();
		store.set(pairs(number..number + 1));
	};
	let turn = move |steps| timed(|| (0..steps).for_each(|_| commit()));
	Contestant { name: S::NAME, turn: Box::new(turn) }
}

/// Makes the names of new files survive a crash of the machine.
fn sync_names(directory: &Path) {
	let directory = std::fs::File::open(directory).expect("the folder can be opened");
	directory.sync_all().expect("the folder can be written");
}

/// Makes a folder on the disk of the build output, as the system's temporary files may be in
/// memory.
fn temporary() -> tempfile::TempDir {
	tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder can be made")
}

pub fn run(table: &mut Table, count: u32, run: u32) {
	const GOAL: f64 = 0.97;
	let directory = temporary();
	let directory = directory.path();
	let (ours, redb): (Ours<DiskDatabase>, Redb) =
		both(run, || filled(directory, count), || filled(directory, count));
	let heed: Heed = filled(directory, count);
	let peers = rows(&redb, count).into_iter().zip(rows(&heed, count));
	for ((name, ours), ((_, redb), (_, heed))) in rows(&ours, count).into_iter().zip(peers) {
		table.measure(name, GOAL, count, vec![ours, redb, heed]);
	}
	let backups = vec![backing_up(&ours), backing_up(&redb), backing_up(&heed)];
	table.measure("backup", GOAL, count, backups);
	ours.close();
	redb.close();
	heed.close();

	macro_rules! all {
		($of:ident) => {
			vec![
				$of::<Ours<DiskDatabase>>(directory, count),
				$of::<Redb>(directory, count),
				$of::<Heed>(directory, count),
			]
		};
	}
	table.measure("open", GOAL, count, all!(opening));
	table.measure("durable commit", GOAL, count, all!(committing));
}
