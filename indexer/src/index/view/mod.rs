// SPDX-License-Identifier: Apache-2.0
//! Reads the index at one moment: the queries.

mod accounts;
mod blocks;
mod copies;
mod history;
mod members;
mod names;
mod page;
mod records;
mod search;
mod spaces;
mod under;
mod versions;

use std::time::{Duration, Instant};

use content_fabric_okvs::disk::DiskSnapshot;

pub use accounts::{RoleItem, MAX_ROLES};
pub use blocks::{BlockPart, MAX_EVENTS};
pub use copies::{Chance, CopyFilter, CopyRefItem, Failing, FailingCopies, Risk, MISSING_AFTER};
pub use history::{EventFilter, EventItem};
pub use members::{MemberItem, MemberOrder, PurgeItem};
pub use names::{NameFilter, MAX_WORDS};
pub use page::{Order, Page, Slice, MAX_SKIPPED};
pub use records::{Name, RecordItem, RecordOrder};
pub use search::{Hit, MAX_HITS};
pub use under::{CollectionItem, Item, KmsItem, NodeItem, ObjectItem};
pub use versions::{CopyItem, VersionItem, VersionRefItem, MAX_NAMES};

pub use super::error::Found;
use super::{
	blocks as stored_blocks,
	counts::{read_sums, Sums},
	error::{Error, Result},
	history as stored_events, keys,
	meta::{self, State},
	read::value,
	BlockRow, EventRow,
};
use crate::source::Hash;

/// The index at one moment.
pub struct View<'i> {
	pub(crate) read: DiskSnapshot<'i>,
	state: State,
	/// The times when a page ends early, and when a query fails.
	limits: Option<(Instant, Instant)>,
}

impl<'i> View<'i> {
	pub(crate) fn new(read: DiskSnapshot<'i>) -> Result<Self> {
		let state = meta::read(&read)?.ok_or(Error::Empty)?;
		Ok(Self { read, state, limits: None })
	}

	/// Limits the time of queries. Pages end after half of it, with what they have. Queries that
	/// take longer fail with [`Error::TooSlow`].
	pub fn within(mut self, time: Duration) -> Self {
		let now = Instant::now();
		self.limits = now.checked_add(time / 2).zip(now.checked_add(time));
		self
	}

	/// Returns whether a page that has something should end.
	pub(crate) fn is_late(&self) -> bool {
		self.limits.is_some_and(|(late, _)| Instant::now() >= late)
	}

	/// Checks that time is left.
	pub(crate) fn check_time(&self) -> Result<()> {
		match self.limits {
			Some((_, deadline)) if Instant::now() >= deadline => Err(Error::TooSlow),
			_ => Ok(()),
		}
	}

	/// Returns what the index knows of the chain, and how far it has come.
	pub fn state(&self) -> &State {
		&self.state
	}

	/// Returns the numbers of all rows.
	pub fn sums(&self) -> Result<Sums> {
		read_sums(&self.read, None)
	}

	/// Returns the block with a number, unless it was pruned or is in a gap.
	pub fn block(&self, number: u64) -> Found<BlockRow> {
		stored_blocks::read(&self.read, number)
	}

	/// Returns the number of the block with a hash.
	pub fn number_of(&self, hash: &Hash) -> Found<u64> {
		value(&self.read, &keys::block_hash(hash), "the number of a block")
	}

	/// Returns the events of a block that come after a place, in their order, at most `limit`.
	pub fn events_after(
		&self,
		number: u64,
		after: Option<u32>,
		limit: usize,
	) -> Result<Vec<EventRow>> {
		stored_events::read_after(&self.read, number, after, limit)
	}

	/// Returns one event of a block.
	pub fn event(&self, number: u64, index: u32) -> Found<EventRow> {
		let event = value(&self.read, &keys::event(number, index), "an event")?;
		Ok(event.map(|event| EventRow { index, ..event }))
	}
}
