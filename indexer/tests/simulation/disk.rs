//! A disk in memory, on which the process dies: writes that were not synchronized are lost, in
//! part, and in no order.

use std::{
	io,
	sync::{Arc, Mutex, MutexGuard},
};

use content_fabric_indexer::index::{Error, Index};
use content_fabric_okvs::disk::{redb, DiskConfig, DiskDatabase};
use rand::{rngs::StdRng, Rng};

/// Bytes that a disk writes whole or not at all.
const SECTOR: usize = 512;
/// Bytes of memory for the cache of the file. Little, so that it is written between commits, too.
const CACHE: usize = 64 << 10;

/// A disk.
#[derive(Clone, Debug)]
pub struct Disk(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
	/// Content that survives.
	durable: Vec<u8>,
	/// Content as it is read.
	current: Vec<u8>,
	/// Changes from the one to the other.
	pending: Vec<Change>,
	/// Operations before the process dies. `None` afterwards.
	left: Option<u64>,
	/// Number of operations so far.
	operations: u64,
}

#[derive(Debug)]
enum Change {
	Write(usize, Vec<u8>),
	Len(usize),
}

impl Disk {
	/// Makes a disk on which the process dies in the operation after this many.
	pub fn new(content: Vec<u8>, operations: u64) -> Self {
		let (durable, current) = (content.clone(), content);
		let left = Some(operations);
		Self(Arc::new(Mutex::new(State {
			durable,
			current,
			pending: Vec::new(),
			left,
			operations: 0,
		})))
	}

	/// Opens the index on the disk.
	pub fn open(&self) -> Result<Index, Error> {
		Index::new(self.database()?)
	}

	/// Opens the store on the disk.
	pub fn database(&self) -> Result<DiskDatabase, Error> {
		let config = DiskConfig::new("disk").quick_repair(true);
		let file = redb::Builder::new().set_cache_size(CACHE).create_with_backend(self.clone());
		// The reason does not matter: the process has died, or the test fails.
		let file =
			file.map_err(|error| Error::Folder { path: "disk".into(), reason: error.to_string() })?;
		Ok(DiskDatabase::from_redb(file, config)?)
	}

	fn state(&self) -> MutexGuard<'_, State> {
		self.0.lock().expect("no thread panics while it holds the lock")
	}

	/// Returns whether the process has died.
	pub fn is_dead(&self) -> bool {
		self.state().left.is_none()
	}

	/// Returns the number of writes and synchronizations so far.
	pub fn operations(&self) -> u64 {
		self.state().operations
	}

	/// Returns the content of the last synchronization.
	pub fn synchronized(&self) -> Vec<u8> {
		self.state().durable.clone()
	}

	/// Lets the process die.
	pub fn kill(&self) {
		self.state().left = None;
	}

	/// Returns the content as it is read.
	pub fn content(&self) -> Vec<u8> {
		self.state().current.clone()
	}

	/// Returns the content after the death of the process: that of the last synchronization, with
	/// any part of the changes since.
	pub fn survivor(&self, rng: &mut StdRng) -> Vec<u8> {
		let state = self.state();
		let mut content = state.durable.clone();
		let share = [0.0, 0.1, 0.5, 0.9, 1.0][rng.random_range(0..5)];
		for change in &state.pending {
			match change {
				Change::Len(len) if rng.random_bool(share) => content.resize(*len, 0),
				Change::Len(_) => {},
				Change::Write(offset, data) => {
					write_part(&mut content, *offset, data, || rng.random_bool(share))
				},
			}
		}
		content
	}

	fn change(&self, change: Change) -> io::Result<()> {
		let mut state = self.state();
		let left = state.left.ok_or_else(dead)?;
		match &change {
			Change::Write(offset, data) => {
				state.current[*offset..offset + data.len()].copy_from_slice(data);
			},
			Change::Len(len) => state.current.resize(*len, 0),
		}
		state.pending.push(change);
		state.operations += 1;
		state.left = left.checked_sub(1);
		state.left.map(drop).ok_or_else(dead)
	}
}

/// Writes some of the sectors of a write.
fn write_part(content: &mut [u8], offset: usize, data: &[u8], mut part: impl FnMut() -> bool) {
	let mut start = 0;
	while start < data.len() {
		let len = SECTOR - (offset + start) % SECTOR;
		let end = data.len().min(start + len);
		if let Some(place) = content.get_mut(offset + start..offset + end).filter(|_| part()) {
			place.copy_from_slice(&data[start..end]);
		}
		start = end;
	}
}

fn dead() -> io::Error {
	io::Error::other("the process has died")
}

impl redb::StorageBackend for Disk {
	fn len(&self) -> io::Result<u64> {
		Ok(self.state().current.len() as u64)
	}

	fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
		let state = self.state();
		state.left.ok_or_else(dead)?;
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
		let left = state.left.ok_or_else(dead)?;
		state.left = left.checked_sub(1);
		if state.left.is_none() {
			return Err(dead());
		}
		state.operations += 1;
		let State { durable, pending, .. } = &mut *state;
		for change in pending.drain(..) {
			match change {
				Change::Write(offset, data) => {
					durable[offset..offset + data.len()].copy_from_slice(&data);
				},
				Change::Len(len) => durable.resize(len, 0),
			}
		}
		Ok(())
	}

	fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
		self.change(Change::Write(offset as usize, data.to_vec()))
	}
}
