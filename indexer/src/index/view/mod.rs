// SPDX-License-Identifier: Apache-2.0
//! Reads the index at one moment: the queries.

mod accounts;
mod blocks;
mod history;
mod members;
mod names;
mod page;
mod providers;
mod purges;
mod records;
mod search;
mod spaces;
mod tenants;
mod totals;
mod versions;

use std::time::{Duration, Instant};

use content_fabric_okvs::{disk::DiskError, Read};
use content_fabric_primitives::MemberId;

pub use accounts::{AccountItem, RoleItem, RoleKind, MAX_ROLES};
pub use blocks::{BlockPart, MAX_EVENTS};
pub use history::{EventFilter, EventItem};
pub use members::{KeyItem, Level, MemberItem, MemberOrder};
pub use names::{NameFilter, MAX_WORDS};
pub use page::{Page, ReadError, Slice, MAX_SKIPPED};
pub use providers::NodeItem;
pub use purges::PurgeItem;
pub use records::{RecordItem, RecordOrder};
pub use search::{Hit, MAX_HITS};
pub use spaces::{AdmissionItem, SpaceItem, SpaceOrder};
pub use tenants::{CollectionItem, KmsItem, ObjectItem, ObjectOrder};
pub use versions::{Name, VersionItem, VersionRefItem, MAX_NAMES};

use super::{
	blocks as stored_blocks,
	counts::{read_sums, Sums},
	error::Error,
	history as stored_events,
	keys::Incarnation,
	meta::{self, State},
	writer::read_owner,
	BlockRow, EventRow, Orphan,
};
use crate::source::Hash;

/// The index at one moment.
pub struct View<R> {
	pub(crate) read: R,
	state: State,
	/// The times when a page ends early, and when a query fails.
	limits: Option<(Instant, Instant)>,
}

impl<R: Read<Error = DiskError>> View<R> {
	pub(crate) fn new(read: R) -> Result<Self, Error> {
		let state = meta::read(&read)?.ok_or(Error::Empty)?;
		Ok(Self { read, state, limits: None })
	}

	/// Limits the time of queries. Pages end after half of it, with what they have. Queries that take
	/// longer fail with [`ReadError::TooSlow`].
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
	pub(crate) fn check_time(&self) -> Result<(), ReadError> {
		match self.limits {
			Some((_, deadline)) if Instant::now() >= deadline => Err(ReadError::TooSlow),
			_ => Ok(()),
		}
	}

	/// Returns what the index knows of the chain, and how far it has come.
	pub fn state(&self) -> &State {
		&self.state
	}

	/// Returns the numbers of all rows.
	pub fn sums(&self) -> Result<Sums, Error> {
		read_sums(&self.read, None)
	}

	/// Returns the block with a number, unless it was pruned or is in a gap.
	pub fn block(&self, number: u64) -> Result<Option<BlockRow>, Error> {
		stored_blocks::read(&self.read, number)
	}

	/// Returns the number of the block with a hash, on the indexed chain.
	pub fn number_of(&self, hash: &Hash) -> Result<Option<u64>, Error> {
		stored_blocks::number_of(&self.read, hash)
	}

	/// Returns a block of a lost fork.
	pub fn orphan(&self, hash: &Hash) -> Result<Option<Orphan>, Error> {
		stored_blocks::orphan(&self.read, hash)
	}

	/// Returns the events of a block that come after a place, in their order, at most `limit`.
	pub fn events_after(
		&self,
		number: u64,
		after: Option<u32>,
		limit: usize,
	) -> Result<Vec<EventRow>, Error> {
		stored_events::read_after(&self.read, number, after, limit)
	}

	/// Returns one event of a block.
	pub fn event(&self, number: u64, index: u32) -> Result<Option<EventRow>, Error> {
		stored_events::read_one(&self.read, number, index)
	}

	/// Returns the member of an incarnation.
	pub(crate) fn owner(&self, m: Incarnation) -> Result<Option<MemberId>, Error> {
		Ok(read_owner(&self.read, m)?.map(|owner| owner.member))
	}
}
