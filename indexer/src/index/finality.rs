// SPDX-License-Identifier: Apache-2.0
//! Consequences of finality: undo logs end, and the rows of ended incarnations are removed.

use content_fabric_okvs::{disk::DiskTransaction, RangeOptions, Read, Transaction};

use super::{
	blocks,
	error::{Error, Result},
	keys::{self, Incarnation},
	orders::{self, Stored},
	read::{decode, owner, Store},
	writer::Writer,
};
use crate::{rows::Map, source::BlockRef};

/// Largest number of rows of an ended incarnation that one transaction removes.
pub const SWEEP_LIMIT: usize = 10_000;
/// Largest number of blocks that one transaction removes.
const PRUNE_LIMIT: usize = 1_000;

/// Marks a block of the index as final, and those before it.
pub(crate) fn finalize(writer: &mut Writer<'_>, block: BlockRef) -> Result<()> {
	let start = writer.state.finalized.number.saturating_add(1);
	writer.tx.remove_range(&keys::undo(start), Some(&keys::undo(block.number + 1)))?;
	writer.state.finalized = block;
	if writer.state.early.is_none() && block.number > 0 {
		let first = blocks::read(&writer.tx, 1)?.map(|row| BlockRef { number: 1, hash: row.hash });
		writer.state.early = Some(first.unwrap_or(block));
	}
	Ok(())
}

/// Returns whether [`sweep`] has anything to remove.
pub(crate) fn needs_sweep(read: &impl Store, finalized: u64) -> Result<bool> {
	Ok(!ended(read, finalized)?.is_empty() || blocks::unpruned(read, finalized)?.is_some())
}

/// Returns the incarnations that ended in final blocks and have not been removed.
fn ended(read: &impl Store, finalized: u64) -> Result<Vec<Incarnation>> {
	let mut ended = Vec::new();
	for pair in read.range(keys::part(keys::Part::Ended).prefix())? {
		let (key, block) = pair?;
		let (m,) = keys::part(keys::Part::Ended).unpack(&key)?;
		if decode::<u64>(&block, "an ended incarnation")? <= finalized {
			ended.push(m);
		}
	}
	Ok(ended)
}

/// Removes rows of incarnations that ended in final blocks, and old blocks. Returns whether more
/// are left.
pub(crate) fn sweep(writer: &mut Writer<'_>) -> Result<bool> {
	let finalized = writer.state.finalized.number;
	let mut room = SWEEP_LIMIT;
	for m in ended(&writer.tx, finalized)? {
		room = sweep_one(&mut writer.tx, m, room)?;
		if room == 0 {
			return Ok(true);
		}
	}
	blocks::prune(&mut writer.tx, finalized, PRUNE_LIMIT)
}

/// Removes rows of an incarnation, at most `room`. Returns the room that is left.
fn sweep_one(tx: &mut DiskTransaction<'_>, m: Incarnation, mut room: usize) -> Result<usize> {
	let owner = owner(tx, m)?;
	for map in Map::under(owner.member.role()) {
		let rows = keys::rows(*map, m);
		let mut found = Vec::new();
		for pair in tx.range_with(rows.prefix(), RangeOptions::default().limit(room))? {
			let (key, value) = pair?;
			found.push((key.to_vec(), decode::<Stored>(&value, "a row")?));
		}
		for (place, stored) in &found {
			let key = keys::read_row(*map, m, Some(owner.member), place)
				.ok_or_else(|| Error::corrupted("the key of a row"))?;
			orders::change(tx, m, &key, Some(stored), None)?;
			tx.clear(place)?;
		}
		room -= found.len();
		if room == 0 {
			return Ok(0);
		}
		tx.clear(&keys::count(m, *map))?;
	}
	tx.clear(&keys::member(m))?;
	tx.clear(&keys::ended(m))?;
	Ok(room)
}
