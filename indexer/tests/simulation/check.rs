// SPDX-License-Identifier: Apache-2.0
//! Comparisons of the index with the chain.

use content_fabric_indexer::{
	index::{BlockRow, EventRow, Index, State, View},
	rows::Map,
};

use crate::{
	chain::{Block, Chain},
	fabric::Dump,
};

/// A difference, in words.
pub type Result<T = ()> = std::result::Result<T, String>;

/// Number of blocks before the last one whose events are compared after each step.
const RECENT: u64 = 24;

/// Compares the index with the chain: its blocks, their events, and its rows if they are of one
/// block. Returns the state of the index.
pub fn index(index: &Index, chain: &Chain, all: bool) -> Result<Option<State>> {
	if index.state().map_err(words)?.is_none() {
		return Ok(None);
	}
	let view = index.view().map_err(words)?;
	let state = view.state().clone();
	let block = chain.block(&state.last.hash).filter(|block| block.header.block == state.last);
	let block = block.ok_or_else(|| format!("block {:?} is not final", state.last))?;
	let from = if all { 0 } else { state.last.number.saturating_sub(RECENT) };
	blocks(&view, chain, block, from)?;
	if state.resync.is_none() {
		if state.spec_version != block.events.spec_version {
			return Err(format!("the runtime has version {}", state.spec_version));
		}
		rows(&view, block)?;
	}
	Ok(Some(state))
}

/// Returns whether rows have the values of the chain. After a change of the storage's version, only
/// a resync brings them.
pub fn is_current(state: &State, block: &Block) -> bool {
	block.fabric.migrating == 0 && state.storage_version == block.fabric.storage_version
}

/// Compares the rows with those after a block.
pub fn rows(view: &View<'_>, block: &Block) -> Result {
	let mut found = Dump::new();
	let mut twice = 0;
	for (key, value) in view.rows().map_err(words)? {
		twice += usize::from(found.insert(key, value).is_some());
	}
	if twice > 0 {
		return Err(format!("{twice} rows are there twice"));
	}
	// Migrations change these rows.
	let is_stale = !is_current(view.state(), block);
	let may_differ = |key: &[u8]| is_stale && key.starts_with(&Map::Versions.prefix());
	let differs = |(key, value): &(&Vec<u8>, &Vec<u8>), other: &Dump| {
		other.get(*key).is_none_or(|other| other != *value && !may_differ(key))
	};
	let expected = block.dump();
	let wrong = found.iter().find(|pair| differs(pair, expected));
	let missing = expected.iter().find(|pair| differs(pair, &found));
	match wrong.or(missing) {
		None => Ok(()),
		Some((key, _)) => {
			let value = |of: &Dump| of.get(key).map(hex::encode);
			Err(format!(
				"after block {}, row 0x{} is {:?} in the index, and {:?} on the chain",
				block.number(),
				hex::encode(key),
				value(&found),
				value(expected)
			))
		},
	}
}

/// Compares the blocks from a number to the last one, and their events.
fn blocks(view: &View<'_>, chain: &Chain, last: &Block, from: u64) -> Result {
	let state = view.state();
	let mut block = last;
	loop {
		let number = block.number();
		let is_in = |gap: &(u64, u64)| (gap.0..=gap.1).contains(&number);
		let is_known = number >= state.history_since && !state.gaps.iter().any(is_in);
		one_block(view, block, is_known)?;
		if number <= from {
			return Ok(());
		}
		block = chain.block(&block.header.parent).ok_or("a block has no parent")?;
	}
}

/// Compares a block. One that is not known may be in the index, without events.
fn one_block(view: &View<'_>, block: &Block, is_known: bool) -> Result {
	let number = block.number();
	let expected = EventRow::all(&block.events.events);
	let row = BlockRow {
		hash: block.hash(),
		parent: block.header.parent,
		time: block.events.time,
		spec_version: block.events.spec_version,
		events: expected.len() as u32,
	};
	let found = view.block(number).map_err(words)?;
	let events = view.events_after(number, None, usize::MAX).map_err(words)?;
	let numbered = view.number_of(&block.hash()).map_err(words)?;
	let is_equal = match is_known {
		true => found == Some(row) && events == expected && numbered == Some(number),
		false => {
			found.is_none_or(|found| found == BlockRow { events: 0, ..row }) && events.is_empty()
		},
	};
	match is_equal {
		true => Ok(()),
		false => Err(format!("block {number} differs: {found:?}, {numbered:?}, {events:?}")),
	}
}

/// Returns an error in words.
pub fn words(error: impl std::fmt::Display) -> String {
	error.to_string()
}
