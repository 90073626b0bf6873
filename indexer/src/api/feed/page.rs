// SPDX-License-Identifier: Apache-2.0
//! Pages of messages that follow a position, each read at one moment.

use serde::Serialize;
use tracing::error;

use crate::{
	api::{
		error::{Error, Kind, Result},
		views::{Block, EventId},
	},
	index::{
		view::{self, BlockPart, EventFilter, View},
		RETENTION,
	},
	source::BlockRef,
};

/// Largest number of messages of a page.
const MAX_MESSAGES: usize = 16;
/// Largest number of parts of blocks that a page looks at.
const MAX_PARTS: usize = 256;
/// Number of bytes that end a page.
const MAX_BYTES: usize = 256 << 10;

/// The position of a reader.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
	/// The last event that it has, or the block without events.
	pub id: EventId,
	/// The number of the last block of the index.
	pub last: u64,
	/// True if something may follow at once.
	pub more: bool,
}

/// Returns the position of a new reader: after an id, or at the last block.
pub(super) fn begin(view: &View<'_>, id: Option<EventId>) -> Result<Position> {
	let last = view.state().last;
	let oldest = last.number.saturating_sub(RETENTION);
	let is_known = |id: &EventId| -> Result<bool> {
		let is_kept = id.number >= oldest;
		Ok(is_kept && view.block(id.number)?.is_some_and(|row| row.hash == id.hash))
	};
	let id = match id {
		None => at(view, last)?,
		Some(id) if is_known(&id)? => id,
		Some(_) => {
			let message = "the id is unknown or too old: start over, or resume after the oldest id";
			let mut error = Error::new(Kind::Gone, message);
			if let Some((number, row)) = view.first_block(oldest, last.number)? {
				let id = at(view, BlockRef { number, hash: row.hash })?;
				error.reason.oldest = Some(id.to_string());
			}
			return Err(error);
		},
	};
	Ok(Position { id, last: last.number, more: true })
}

/// Returns the id of a block that has been sent whole.
fn at(view: &View<'_>, BlockRef { number, hash }: BlockRef) -> Result<EventId> {
	Ok(EventId { number, hash, index: view.last_event(number)? })
}

/// Reads the messages that follow a position, and the position after them.
pub(super) fn read(
	view: &View<'_>,
	position: Position,
	filter: &EventFilter,
) -> Result<(String, Position)> {
	let last = view.state().last.number;
	let mut messages = Messages::default();
	let mut id = position.id;
	let mut more = false;
	for looked_at in 0.. {
		let is_full = messages.count >= MAX_MESSAGES || messages.text.len() > MAX_BYTES;
		let is_late = looked_at > 0 && view.is_late();
		let Some(part) = next_part(view, &id, last)? else { break };
		if is_full || is_late || looked_at >= MAX_PARTS {
			more = true;
			break;
		}
		id = EventId { number: part.number, hash: part.row.hash, index: part.last };
		messages.part(view, &id, part, filter)?;
	}
	Ok((messages.text, Position { id, last, more }))
}

/// Reads the events of a block that follow a position in it, or the next block up to `last`.
fn next_part(view: &View<'_>, id: &EventId, last: u64) -> view::Found<BlockPart> {
	if id.number <= last && view.last_event(id.number)? > id.index {
		if let Some(row) = view.block(id.number)? {
			return view.block_part(id.number, row, Some(id.index)).map(Some);
		}
	}
	let next = view.first_block(id.number.saturating_add(1), last)?;
	next.map(|(number, row)| view.block_part(number, row, None)).transpose()
}

/// Messages that are being written.
#[derive(Default)]
pub(super) struct Messages {
	pub text: String,
	count: usize,
}

impl Messages {
	/// Adds the chosen events of a part of a block, if there are any.
	fn part(
		&mut self,
		view: &View<'_>,
		id: &EventId,
		mut part: BlockPart,
		filter: &EventFilter,
	) -> Result<()> {
		let mut chosen = Vec::new();
		for event in part.events {
			if view.is_chosen(filter, &event)? {
				chosen.push(event);
			}
		}
		if chosen.is_empty() && !filter.is_empty() {
			return Ok(());
		}
		part.events = chosen;
		self.put(id, "block", &Block { spec_version: None, ..part.into() })
	}

	/// Adds a message.
	pub fn put(&mut self, id: &EventId, name: &str, data: &impl Serialize) -> Result<()> {
		// JSON has no line breaks.
		let data = serde_json::to_string(data).map_err(|failure| {
			error!("a message of the feed cannot be written: {failure}");
			Error::new(Kind::Internal, "a message cannot be written")
		})?;
		self.text.push_str(&format!("id: {id}\nevent: {name}\ndata: {data}\n\n"));
		self.count += 1;
		Ok(())
	}
}
