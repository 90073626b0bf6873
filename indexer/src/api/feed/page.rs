// SPDX-License-Identifier: Apache-2.0
//! Pages of messages that follow a position, each read at one moment.

use serde::Serialize;
use tracing::error;

use crate::{
	api::{
		error::{Error, Kind, Result},
		views::{Block, EventId, FinalizedMessage, RetractMessage},
	},
	index::{
		self,
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
	/// The number of the last final block that it has been told of.
	pub finalized: u64,
	/// The number of the best block of the index.
	pub best: u64,
	/// The number of the last final block of the index.
	pub last_final: u64,
	/// True if something may follow at once.
	pub more: bool,
}

/// The place of the block of an id.
enum Place {
	/// On the chain.
	Here,
	/// On a lost fork, which left the chain after this block.
	Fork(BlockRef),
	/// Nowhere.
	Unknown,
}

/// Returns the position of a new reader: after an id, or at the last block.
pub(super) fn begin(view: &View<'_>, id: Option<EventId>, only_final: bool) -> Result<Position> {
	let state = view.state();
	let (best, finalized) = (state.best.number, state.finalized.number);
	let oldest = finalized.saturating_sub(RETENTION);
	let id = match id {
		None => at(view, if only_final { state.finalized } else { state.best })?,
		Some(id) if id.number >= oldest && !matches!(find(view, &id)?, Place::Unknown) => id,
		Some(_) => {
			let message = "the id is unknown or too old: start over, or resume after the oldest id";
			let mut error = Error::new(Kind::Gone, message);
			if let Some((number, row)) = view.first_block(oldest, best)? {
				let id = at(view, BlockRef { number, hash: row.hash })?;
				error.reason.oldest = Some(id.to_string());
			}
			return Err(error);
		},
	};
	Ok(Position { id, finalized, best, last_final: finalized, more: true })
}

/// Returns the id of a block that has been sent whole.
fn at(view: &View<'_>, BlockRef { number, hash }: BlockRef) -> Result<EventId> {
	Ok(EventId { number, hash, index: view.last_event(number)? })
}

fn find(view: &View<'_>, id: &EventId) -> Result<Place, index::Error> {
	if view.block(id.number)?.is_some_and(|row| row.hash == id.hash) {
		return Ok(Place::Here);
	}
	let mut hash = id.hash;
	let mut number = id.number;
	while let Some(orphan) = view.orphan(&hash)? {
		view.check_time()?;
		if orphan.number != number {
			return Ok(Place::Unknown);
		}
		hash = orphan.parent;
		number = number.saturating_sub(1);
	}
	// Nothing on the chain is a fork of itself.
	let is_fork = hash != id.hash && view.number_of(&hash)? == Some(number);
	Ok(if is_fork { Place::Fork(BlockRef { number, hash }) } else { Place::Unknown })
}

/// Reads the messages that follow a position, and the position after them. `None` if its fork is no
/// longer known.
pub(super) fn read(
	view: &View<'_>,
	position: Position,
	filter: &EventFilter,
	only_final: bool,
) -> Result<Option<(String, Position)>> {
	let state = view.state();
	let (best, finalized) = (state.best.number, state.finalized.number);
	let mut messages = Messages::default();
	let mut id = position.id;
	match find(view, &id)? {
		Place::Here => {},
		Place::Fork(to) => {
			id = at(view, to)?;
			// A reader of final blocks has been sent none of the fork.
			if !only_final {
				messages.put(Some(&id), "retract", &RetractMessage { to: to.into() })?;
			}
		},
		// Old blocks without events are removed, even after a reader has been sent them.
		Place::Unknown if id.number <= finalized && view.block(id.number)?.is_none() => {},
		Place::Unknown => return Ok(None),
	}
	let last = if only_final { finalized } else { best };
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
	let known = match more {
		true => position.finalized,
		false if finalized > position.finalized => {
			messages.put(None, "finalized", &FinalizedMessage::from(state.finalized))?;
			finalized
		},
		false => position.finalized.max(finalized),
	};
	let position = Position { id, finalized: known, best, last_final: finalized, more };
	Ok(Some((messages.text, position)))
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
		self.put(Some(id), "block", &Block { spec_version: None, ..part.into() })
	}

	/// Adds a message.
	pub fn put(&mut self, id: Option<&EventId>, name: &str, data: &impl Serialize) -> Result<()> {
		// JSON has no line breaks.
		let data = serde_json::to_string(data).map_err(|failure| {
			error!("a message of the feed cannot be written: {failure}");
			Error::new(Kind::Internal, "a message cannot be written")
		})?;
		self.text.extend(id.map(|id| format!("id: {id}\n")));
		self.text.push_str(&format!("event: {name}\ndata: {data}\n\n"));
		self.count += 1;
		Ok(())
	}
}
