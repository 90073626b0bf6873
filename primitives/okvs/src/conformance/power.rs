// SPDX-License-Identifier: Apache-2.0
//! Power cuts: writes that were not synchronized are lost, in part, and in no order.

use std::{
	io::{self, ErrorKind},
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

impl Change {
	/// Makes the change of the length, or writes those sectors that survive.
	fn apply(&self, content: &mut Vec<u8>, survives: &mut dyn FnMut() -> bool) {
		match self {
			Self::Len(len) if survives() => content.resize(*len, 0),
			Self::Len(_) => {},
			Self::Write(offset, data) => {
				let (mut offset, mut data) = (*offset, data.as_slice());
				while !data.is_empty() {
					let (sector, rest) = data.split_at(data.len().min(SECTOR - offset % SECTOR));
					let place = content.get_mut(offset..offset + sector.len());
					if let Some(place) = place.filter(|_| survives()) {
						place.copy_from_slice(sector);
					}
					(offset, data) = (offset + sector.len(), rest);
				}
			},
		}
	}
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
	/// Makes a disk with this content, whose power is cut in the operation after so many.
	/// Operations are writes, changes of the length and synchronizations.
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

	/// Returns the content after a power cut: as of the last synchronization, with a part of the
	/// changes since. `survives` decides on each change of the length and on each written sector.
	pub fn survivor(&self, mut survives: impl FnMut() -> bool) -> Vec<u8> {
		let state = self.state();
		let mut content = state.durable.clone();
		for change in &state.pending {
			change.apply(&mut content, &mut survives);
		}
		content
	}

	fn change(&self, change: Change) -> io::Result<()> {
		let mut state = self.state();
		state.left.ok_or_else(cut)?;
		change.apply(&mut state.current, &mut || true);
		// The last change may be cut short, too.
		state.pending.push(change);
		state.count()
	}
}

fn cut() -> io::Error {
	io::Error::other("the power was cut")
}

impl StorageBackend for FailingDisk {
	fn len(&self) -> io::Result<u64> {
		Ok(self.state().current.len() as u64)
	}

	fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
		let state = self.state();
		state.left.ok_or_else(cut)?;
		let data = state.current.get(offset as usize..).and_then(|data| data.get(..out.len()));
		out.copy_from_slice(data.ok_or(ErrorKind::UnexpectedEof)?);
		Ok(())
	}

	fn set_len(&self, len: u64) -> io::Result<()> {
		self.change(Change::Len(len as usize))
	}

	fn sync_data(&self) -> io::Result<()> {
		let mut state = self.state();
		state.count()?;
		let State { durable, pending, .. } = &mut *state;
		pending.drain(..).for_each(|change| change.apply(durable, &mut || true));
		Ok(())
	}

	fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
		if offset + data.len() as u64 > self.len()? {
			return Err(ErrorKind::UnexpectedEof.into());
		}
		self.change(Change::Write(offset as usize, data.to_vec()))
	}
}
