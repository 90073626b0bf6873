// SPDX-License-Identifier: Apache-2.0
//! Power cuts: writes that were not synchronized are lost, in part, and in no order.

use std::{
	io,
	sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use redb::StorageBackend;

/// Bytes that a disk writes whole or not at all.
const SECTOR: usize = 512;

/// A disk in memory whose power is cut after some operations: all that follow fail.
///
/// Clones are the same disk.
#[derive(Clone, Debug)]
pub struct FailingDisk(Arc<Mutex<State>>);

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
	/// Number of operations so far.
	operations: u64,
}

#[derive(Debug)]
enum Change {
	Write(usize, Vec<u8>),
	Len(usize),
}

impl State {
	/// Counts an operation. Fails if the power is cut before it ends.
	fn count(&mut self) -> io::Result<()> {
		self.left = self.left.ok_or_else(cut)?.checked_sub(1);
		self.operations += 1;
		self.left.map(drop).ok_or_else(cut)
	}
}

impl FailingDisk {
	/// Makes a disk with this content, whose power is cut in the operation after so many. Operations
	/// are writes, changes of the length and synchronizations.
	pub fn new(content: Vec<u8>, operations: u64) -> Self {
		let (durable, current) = (content.clone(), content);
		let (pending, left) = (Vec::new(), Some(operations));
		Self(Arc::new(Mutex::new(State { durable, current, pending, left, operations: 0 })))
	}

	fn state(&self) -> MutexGuard<'_, State> {
		self.0.lock().unwrap_or_else(PoisonError::into_inner)
	}

	/// Returns whether the power is cut.
	pub fn is_cut(&self) -> bool {
		self.state().left.is_none()
	}

	/// Cuts the power.
	pub fn cut(&self) {
		self.state().left = None;
	}

	/// Cuts the power in the operation after so many.
	pub fn cut_after(&self, operations: u64) {
		self.state().left = Some(operations);
	}

	/// Returns the number of operations so far.
	pub fn operations(&self) -> u64 {
		self.state().operations
	}

	/// Returns the content as it is read.
	pub fn content(&self) -> Vec<u8> {
		self.state().current.clone()
	}

	/// Returns the content of the last synchronization.
	pub fn synchronized(&self) -> Vec<u8> {
		self.state().durable.clone()
	}

	/// Returns the content after a power cut: that of the last synchronization, with a part of the
	/// changes since. `survives` decides on each change of the length and on each written sector.
	pub fn survivor(&self, mut survives: impl FnMut() -> bool) -> Vec<u8> {
		let state = self.state();
		let mut content = state.durable.clone();
		for change in &state.pending {
			match change {
				Change::Len(len) if survives() => content.resize(*len, 0),
				Change::Len(_) => {},
				Change::Write(offset, data) => {
					write_part(&mut content, *offset, data, &mut survives);
				},
			}
		}
		content
	}

	fn change(&self, change: Change) -> io::Result<()> {
		let mut state = self.state();
		state.left.ok_or_else(cut)?;
		apply(&mut state.current, &change)?;
		// The last change may be cut short, too.
		state.pending.push(change);
		state.count()
	}
}

fn apply(content: &mut Vec<u8>, change: &Change) -> io::Result<()> {
	match change {
		Change::Write(offset, data) => {
			let place = content.get_mut(*offset..offset + data.len());
			place.ok_or_else(beyond)?.copy_from_slice(data);
		},
		Change::Len(len) => content.resize(*len, 0),
	}
	Ok(())
}

/// Writes those sectors of a write that survive.
fn write_part(content: &mut [u8], offset: usize, data: &[u8], survives: &mut dyn FnMut() -> bool) {
	let mut start = 0;
	while start < data.len() {
		let len = SECTOR - (offset + start) % SECTOR;
		let end = data.len().min(start + len);
		if let Some(place) = content.get_mut(offset + start..offset + end).filter(|_| survives()) {
			place.copy_from_slice(&data[start..end]);
		}
		start = end;
	}
}

fn cut() -> io::Error {
	io::Error::other("the power was cut")
}

fn beyond() -> io::Error {
	io::Error::new(io::ErrorKind::UnexpectedEof, "the disk ends before")
}

/// Converts an offset or a length, which memory limits.
fn place(number: u64) -> io::Result<usize> {
	usize::try_from(number).map_err(|_| beyond())
}

impl StorageBackend for FailingDisk {
	fn len(&self) -> io::Result<u64> {
		Ok(self.state().current.len() as u64)
	}

	fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
		let state = self.state();
		state.left.ok_or_else(cut)?;
		let offset = place(offset)?;
		let data = state.current.get(offset..offset + out.len());
		out.copy_from_slice(data.ok_or_else(beyond)?);
		Ok(())
	}

	fn set_len(&self, len: u64) -> io::Result<()> {
		self.change(Change::Len(place(len)?))
	}

	fn sync_data(&self) -> io::Result<()> {
		let mut state = self.state();
		state.count()?;
		let State { durable, pending, .. } = &mut *state;
		for change in pending.drain(..) {
			apply(durable, &change)?;
		}
		Ok(())
	}

	fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
		self.change(Change::Write(place(offset)?, data.to_vec()))
	}
}
