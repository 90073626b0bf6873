// SPDX-License-Identifier: Apache-2.0
//! Blocks.

use std::ops::Range;

use codec::{Decode, Encode};
use content_fabric_okvs::{disk::DiskTransaction, RangeOptions, Read, Transaction};
use scale_info::TypeInfo;

use super::{
	error::{Found, Result},
	keys,
	read::{decode, value, Store},
};
use crate::source::Hash;

/// Number of blocks without events that are kept: as many as 7 days have, one every 6 seconds.
pub const RETENTION: u64 = 7 * 24 * 600;

/// A block of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct BlockRow {
	/// Its hash.
	pub hash: Hash,
	/// The hash of the block before it.
	pub parent: Hash,
	/// Its time, in milliseconds since the Unix epoch.
	pub time: u64,
	/// The version of the runtime that made it.
	pub spec_version: u32,
	/// Number of the pallet's events in it.
	pub events: u32,
}

/// Returns the block with a number.
pub(crate) fn read(read: &impl Store, number: u64) -> Found<BlockRow> {
	value(read, &keys::block(number), "a block")
}

/// Adds a block.
pub(crate) fn insert(tx: &mut DiskTransaction<'_>, number: u64, block: &BlockRow) -> Result<()> {
	tx.set(&keys::block(number), &block.encode())?;
	Ok(tx.set(&keys::block_hash(&block.hash), &number.encode())?)
}

/// The number of the first block that [`prune`] has not looked at.
const PRUNED: &str = "pruned";

/// Returns the blocks that are old enough to be removed and have not been looked at. `None` if
/// there are none.
pub(crate) fn unpruned(read: &impl Store, last: u64) -> Found<Range<u64>> {
	let Some(end) = last.checked_sub(RETENTION) else { return Ok(None) };
	let start: Option<u64> = value(read, &keys::meta(PRUNED), "the pruned blocks")?;
	let range = start.unwrap_or_default()..end;
	Ok(Some(range).filter(|range| !range.is_empty()))
}

/// Removes old blocks without events, at most `limit`. Returns whether more are left.
pub(crate) fn prune(tx: &mut DiskTransaction<'_>, last: u64, limit: usize) -> Result<bool> {
	let Some(Range { start, end }) = unpruned(tx, last)? else { return Ok(false) };
	let options = RangeOptions::default().limit(limit);
	let mut old = Vec::new();
	for pair in tx.range_between(&keys::block(start), Some(&keys::block(end)), options)? {
		let (key, value) = pair?;
		let row: BlockRow = decode(&value, "a block")?;
		let (number,): (u64,) = keys::part(keys::Part::Block).unpack(&key)?;
		old.push((number, row));
	}
	let next = old.last().map_or(end, |(number, _)| number + 1);
	let more = old.len() == limit;
	for (number, row) in old {
		if row.events == 0 {
			tx.clear(&keys::block(number))?;
			tx.clear(&keys::block_hash(&row.hash))?;
		}
	}
	tx.set(&keys::meta(PRUNED), &next.encode())?;
	Ok(more)
}
