// SPDX-License-Identifier: Apache-2.0
//! Events by what they are about, and all of them.

use std::collections::BTreeSet;

use content_fabric_identifiers::SpaceId;
use content_fabric_okvs::tuple::Subspace;
use content_fabric_primitives::MemberId;

use super::{Page, Slice, View};
use crate::{
	index::{
		error::Result,
		keys::{self, Part},
		BlockRow, EventRow,
	},
	source::Topic,
};

/// An event with its block.
#[derive(Clone, Debug, PartialEq)]
pub struct EventItem {
	/// The number of the block.
	pub number: u64,
	/// The block.
	pub block: BlockRow,
	/// The event.
	pub event: EventRow,
}

/// A choice of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
	/// The space that they are about, or one of whose members they are about.
	pub space: Option<SpaceId>,
	/// The member that they are about.
	pub member: Option<MemberId>,
	/// Their names. All if there is none.
	pub kinds: BTreeSet<String>,
}

impl EventFilter {
	/// Returns true if all events are chosen.
	pub fn is_empty(&self) -> bool {
		*self == Self::default()
	}
}

impl View<'_> {
	/// Returns whether an event is chosen.
	pub fn is_chosen(&self, filter: &EventFilter, event: &EventRow) -> Result<bool> {
		let is_about = |member| event.topics.contains(&Topic::Member(member));
		let is_chosen = (filter.kinds.is_empty() || filter.kinds.contains(&event.name))
			&& filter.member.is_none_or(is_about);
		match filter.space {
			Some(space) if is_chosen => self.is_in(space, event),
			_ => Ok(is_chosen),
		}
	}

	/// Returns whether an event is about a space or one of its present members.
	fn is_in(&self, space: SpaceId, event: &EventRow) -> Result<bool> {
		if event.topics.contains(&Topic::Space(space)) {
			return Ok(true);
		}
		for topic in &event.topics {
			let Topic::Member(member) = topic else { continue };
			if self.member_row(*member)?.is_some_and(|row| row.space == space) {
				return Ok(true);
			}
		}
		Ok(false)
	}

	/// Returns the events of a topic that are chosen.
	pub fn history(
		&self,
		topic: &Topic,
		filter: &EventFilter,
		newest_first: bool,
		slice: &Slice,
	) -> Result<Page<EventItem>> {
		let keys = keys::topic(topic);
		self.events(&keys, &keys, filter, newest_first, slice)
	}

	/// Returns all events, the newest first.
	pub fn all_events(&self, slice: &Slice) -> Result<Page<EventItem>> {
		let keys = keys::part(Part::Event);
		self.events(&keys, &keys, &EventFilter::default(), true, slice)
	}

	/// Returns the events of a block, in their order.
	pub fn block_events(&self, number: u64, slice: &Slice) -> Result<Page<EventItem>> {
		let (all, keys) = (keys::part(Part::Event), keys::events(number));
		self.events(&all, &keys, &EventFilter::default(), false, slice)
	}

	/// Returns the events of keys, which have block and place after `base`.
	fn events(
		&self,
		base: &Subspace,
		keys: &Subspace,
		filter: &EventFilter,
		newest_first: bool,
		slice: &Slice,
	) -> Result<Page<EventItem>> {
		let pairs = self.pairs(base.prefix(), keys.prefix(), slice, newest_first)?;
		let mut last: Option<(u64, BlockRow)> = None;
		self.collect(slice, pairs, |(key, _)| {
			let (number, index) = base.unpack(&key)?;
			let Some(event) = self.event(number, index)? else { return Ok(None) };
			if !self.is_chosen(filter, &event)? {
				return Ok(None);
			}
			let block = match last {
				Some((last, block)) if last == number => Some(block),
				_ => self.block(number)?,
			};
			last = block.map(|block| (number, block));
			Ok(block.map(|block| EventItem { number, block, event }))
		})
	}
}
