// SPDX-License-Identifier: Apache-2.0
//! Blocks in their order.

use content_fabric_okvs::{RangeOptions, Read};

use super::{Found, View};
use crate::index::{
	error::Result,
	keys::{self, Part},
	read::decode,
	BlockRow, EventRow,
};

/// Largest number of events of a part of a block.
pub const MAX_EVENTS: usize = 256;

/// A block with events of it that follow each other.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockPart {
	/// The number of the block.
	pub number: u64,
	/// The block.
	pub row: BlockRow,
	/// The events, in their order.
	pub events: Vec<EventRow>,
	/// The place of the last one. 0 if there is none.
	pub last: u32,
	/// True if events of the block follow.
	pub more: bool,
}

impl View<'_> {
	/// Returns the events of a block that come after a place, at most [`MAX_EVENTS`].
	pub fn block_part(&self, number: u64, row: BlockRow, after: Option<u32>) -> Result<BlockPart> {
		let events = match row.events {
			0 => Vec::new(),
			_ => self.events_after(number, after, MAX_EVENTS)?,
		};
		let last = events.last().map_or(0, |event| event.index);
		let more = events.len() >= MAX_EVENTS && self.last_event(number)? > last;
		Ok(BlockPart { number, row, events, last, more })
	}

	/// Returns the first block of a range of numbers, both included, that is kept.
	pub fn first_block(&self, from: u64, to: u64) -> Found<(u64, BlockRow)> {
		let Some(end) = to.checked_add(1) else { return Ok(None) };
		let (start, end) = (keys::block(from), keys::block(end));
		let options = RangeOptions::default().limit(1);
		let Some(pair) = self.read.range_between(&start, Some(&end), options)?.next() else {
			return Ok(None);
		};
		let (key, value) = pair?;
		let (number,) = keys::part(Part::Block).unpack(&key)?;
		Ok(Some((number, decode(&value, "a block")?)))
	}

	/// Returns the place of the last event of a block, or 0 if it has none.
	pub fn last_event(&self, number: u64) -> Result<u32> {
		let events = keys::events(number);
		let options = RangeOptions::REVERSE.limit(1);
		match self.read.range_with(events.prefix(), options)?.next().transpose()? {
			Some((key, _)) => Ok(events.unpack::<(u32,)>(&key)?.0),
			None => Ok(0),
		}
	}
}
