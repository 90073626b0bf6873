// SPDX-License-Identifier: Apache-2.0
//! Blocks, also of lost forks.

use std::ops::{Range, RangeBounds};

use codec::{Decode, Encode};
use content_fabric_okvs::{disk::DiskTransaction, RangeOptions, Read, Transaction};
use scale_info::TypeInfo;

use super::{
	error::{Found, Result},
	keys,
	read::{decode, value, Store},
};
use crate::source::{BlockRef, Hash};

/// Number of final blocks without events that are kept: as many as 7 days have, one every 6
/// seconds. Blocks of lost forks are kept as long.
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

/// A block of a lost fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct Orphan {
	/// Its number.
	pub number: u64,
	/// The hash of the block before it.
	pub parent: Hash,
}

/// Returns the block with a number.
pub(crate) fn read(read: &impl Store, number: u64) -> Found<BlockRow> {
	value(read, &keys::block(number), "a block")
}

/// Adds a block.
pub(crate) fn insert(tx: &mut DiskTransaction<'_>, number: u64, block: &BlockRow) -> Result<()> {
	tx.clear(&keys::orphan(&block.hash))?;
	tx.set(&keys::block(number), &block.encode())?;
	Ok(tx.set(&keys::block_hash(&block.hash), &number.encode())?)
}

/// Moves a block to the lost forks.
pub(crate) fn orphaned(tx: &mut DiskTransaction<'_>, at: BlockRef, parent: Hash) -> Result<()> {
	tx.clear(&keys::block(at.number))?;
	tx.clear(&keys::block_hash(&at.hash))?;
	Ok(tx.set(&keys::orphan(&at.hash), &Orphan { number: at.number, parent }.encode())?)
}

/// The number of the first block that [`prune`] has not looked at.
const PRUNED: &str = "pruned";

/// Returns the blocks that are old enough to be removed and have not been looked at. `None` if
/// there are none.
pub(crate) fn unpruned(read: &impl Store, finalized: u64) -> Found<Range<u64>> {
	let Some(end) = finalized.checked_sub(RETENTION) else { return Ok(None) };
	let start: Option<u64> = value(read, &keys::meta(PRUNED), "the pruned blocks")?;
	let range = start.unwrap_or_default()..end;
	Ok(Some(range).filter(|range| !range.is_empty()))
}

/// Removes old blocks without events, at most `limit`, and the blocks of old forks. Returns whether
/// more are left.
pub(crate) fn prune(tx: &mut DiskTransaction<'_>, finalized: u64, limit: usize) -> Result<bool> {
	let Some(Range { start, end }) = unpruned(tx, finalized)? else { return Ok(false) };
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
	if !more {
		remove_orphans(tx, ..end)?;
	}
	Ok(more)
}

/// Removes the blocks of lost forks with these numbers.
pub(crate) fn remove_orphans(
	tx: &mut DiskTransaction<'_>,
	numbers: impl RangeBounds<u64>,
) -> Result<()> {
	let mut old = Vec::new();
	for pair in tx.range(keys::part(keys::Part::Orphan).prefix())? {
		let (key, value) = pair?;
		let orphan: Orphan = decode(&value, "a block of a fork")?;
		if numbers.contains(&orphan.number) {
			old.push(key.to_vec());
		}
	}
	for key in old {
		tx.clear(&key)?;
	}
	Ok(())
}
