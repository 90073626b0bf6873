//! Power cuts: writes that were not synchronized are lost, in part, and in no order.

use std::{
	io,
	sync::{Arc, Mutex, MutexGuard},
};

use content_fabric_okvs::{
	disk::{redb, DiskConfig, DiskDatabase},
	CommitOptions, Database, Durability, Transaction,
};
use rand::{rngs::StdRng, Rng, SeedableRng};

use crate::{pairs, transactions, write};

/// Bytes that a disk writes whole or not at all.
const SECTOR: usize = 512;

/// A disk whose power is cut after some operations.
#[derive(Clone, Debug)]
struct Disk(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
	/// Content that survives.
	durable: Vec<u8>,
	/// Content as it is read.
	current: Vec<u8>,
	/// Changes from the one to the other.
	pending: Vec<Change>,
	/// Operations before the power is cut. `None` afterwards.
	left: Option<u64>,
}

#[derive(Debug)]
enum Change {
	Write(usize, Vec<u8>),
	Len(usize),
}

impl Disk {
	fn new(content: Vec<u8>, operations: u64) -> Self {
		let (durable, current) = (content.clone(), content);
		let left = Some(operations);
		Self(Arc::new(Mutex::new(State { durable, current, pending: Vec::new(), left })))
	}

	fn state(&self) -> MutexGuard<'_, State> {
		self.0.lock().expect("no thread panics")
	}

	/// Makes a change, the last of which may be cut short.
	fn change(&self, change: Change) -> io::Result<()> {
		let mut state = self.state();
		let left = state.left.ok_or_else(cut)?;
		match &change {
			Change::Write(offset, data) => {
				state.current[*offset..offset + data.len()].copy_from_slice(data);
			},
			Change::Len(len) => state.current.resize(*len, 0),
		}
		state.pending.push(change);
		state.left = left.checked_sub(1);
		state.left.map(drop).ok_or_else(cut)
	}

	/// Returns the content after the cut: any part of the changes since the last synchronization.
	fn survivor(&self, rng: &mut StdRng) -> Vec<u8> {
		let state = self.state();
		let mut content = state.durable.clone();
		let share = [0.0, 0.1, 0.5, 0.9, 1.0][rng.random_range(0..5)];
		for change in &state.pending {
			match change {
				Change::Len(len) if rng.random_bool(share) => content.resize(*len, 0),
				Change::Len(_) => {},
				Change::Write(offset, data) => {
					let mut start = 0;
					while start < data.len() {
						// Up to the end of the sector.
						let len = SECTOR - (offset + start) % SECTOR;
						let end = data.len().min(start + len);
						let place = offset + start..offset + end;
						if let Some(place) =
							content.get_mut(place).filter(|_| rng.random_bool(share))
						{
							place.copy_from_slice(&data[start..end]);
						}
						start = end;
					}
				},
			}
		}
		content
	}
}

fn cut() -> io::Error {
	io::Error::other("the power was cut")
}

impl redb::StorageBackend for Disk {
	fn len(&self) -> io::Result<u64> {
		Ok(self.state().current.len() as u64)
	}

	fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
		let state = self.state();
		let offset = offset as usize;
		let data = state.current.get(offset..offset + out.len());
		out.copy_from_slice(data.ok_or(io::ErrorKind::UnexpectedEof)?);
		Ok(())
	}

	fn set_len(&self, len: u64) -> io::Result<()> {
		self.change(Change::Len(len as usize))
	}

	fn sync_data(&self) -> io::Result<()> {
		let mut state = self.state();
		let left = state.left.ok_or_else(cut)?;
		state.left = left.checked_sub(1);
		if state.left.is_none() {
			return Err(cut());
		}
		state.durable = state.current.clone();
		state.pending.clear();
		Ok(())
	}

	fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
		self.change(Change::Write(offset as usize, data.to_vec()))
	}
}

/// A way to commit.
type Mode = fn(DiskConfig) -> DiskConfig;

const MODES: [(&str, Mode); 3] = [
	("one phase", |config| config),
	("two phases", |config| config.two_phase(true)),
	("quick repair", |config| config.quick_repair(true)),
];

/// Opens the store on a disk, unless the power is cut meanwhile.
fn open(disk: &Disk, mode: Mode) -> Option<DiskDatabase> {
	let opened = redb::Builder::new().create_with_backend(disk.clone());
	let opened = opened.map_err(|error| error.to_string()).and_then(|file| {
		let adopted = DiskDatabase::from_redb(file, mode(DiskConfig::new("disk")));
		adopted.map_err(|error| error.to_string())
	});
	match opened {
		Ok(database) => Some(database),
		Err(_) if disk.state().left.is_none() => None,
		Err(error) => panic!("the store cannot be opened: {error}"),
	}
}

/// Writes to a store whose power is cut again and again. Returns the number of commits.
fn cut_often(seed: u64, mode: Mode) -> u64 {
	let mut rng = StdRng::seed_from_u64(seed);
	let disk = Disk::new(Vec::new(), u64::MAX);
	drop(open(&disk, mode).expect("the power is not cut"));
	let mut content = disk.survivor(&mut rng);
	// The last commit that was acknowledged as durable, and the last that was begun.
	let (mut durable, mut begun) = (0, 0);
	for _ in 0..6 {
		let disk = Disk::new(content, rng.random_range(0..150));
		if let Some(database) = open(&disk, mode) {
			let found = transactions(&pairs(&database).expect("the pairs can be read"));
			assert!((durable..=begun).contains(&found), "{found} is not in {durable}..={begun}");
			// What was found has survived the cut, and survives any other one.
			(durable, begun) = (found, found);
			loop {
				let durability =
					if rng.random_bool(0.7) { Durability::Commit } else { Durability::Close };
				begun += 1;
				let mut transaction = database.begin().expect("nothing else is open");
				write(&mut transaction, begun);
				let options = CommitOptions::default().durability(durability);
				match transaction.commit_with(options) {
					Ok(()) if durability == Durability::Commit => durable = begun,
					Ok(()) => {},
					Err(_) => break,
				}
			}
		}
		assert!(disk.state().left.is_none(), "a commit failed before the cut");
		content = disk.survivor(&mut rng);
	}
	let database = open(&Disk::new(content, u64::MAX), mode).expect("the power is not cut");
	let found = transactions(&pairs(&database).expect("the pairs can be read"));
	assert!((durable..=begun).contains(&found), "{found} is not in {durable}..={begun}");
	found
}

fn cut_with_seeds(seeds: u64) {
	for (name, mode) in MODES {
		let commits: u64 = (0..seeds)
			.map(|seed| {
				let cut = std::panic::catch_unwind(|| cut_often(seed, mode));
				cut.unwrap_or_else(|_| panic!("{name}, seed {seed}: failed"))
			})
			.sum();
		println!("{name}: {commits} commits survived in {seeds} runs of 6 cuts");
		assert!(commits > 5 * seeds, "{name}: {commits} commits");
	}
}

#[test]
fn power_cuts_lose_no_durable_commit() {
	cut_with_seeds(50);
}

#[test]
#[ignore = "takes minutes"]
fn power_cuts_with_500_seeds_lose_no_durable_commit() {
	cut_with_seeds(500);
}
