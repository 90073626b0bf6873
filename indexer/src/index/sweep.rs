// SPDX-License-Identifier: Apache-2.0
//! Removes the rows of ended incarnations, and old blocks.

use content_fabric_okvs::{disk::DiskTransaction, RangeOptions, Read, Transaction};

use super::{
	blocks,
	error::{Error, Result},
	keys::{self, Incarnation},
	orders::{self, Stored},
	read::{decode, owner, Store},
	writer::Writer,
};
use crate::rows::Map;

/// Largest number of rows of an ended incarnation that one transaction removes.
pub const SWEEP_LIMIT: usize = 10_000;
/// Largest number of blocks that one transaction removes.
const PRUNE_LIMIT: usize = 1_000;

/// Returns whether [`sweep`] has anything to remove.
pub(crate) fn needs_sweep(read: &impl Store, last: u64) -> Result<bool> {
	Ok(!ended(read)?.is_empty() || blocks::unpruned(read, last)?.is_some())
}

/// Returns the incarnations that ended and have not been removed.
fn ended(read: &impl Store) -> Result<Vec<Incarnation>> {
	let part = keys::part(keys::Part::Ended);
	let pairs = read.range(part.prefix())?;
	pairs.map(|pair| Ok(part.unpack::<(Incarnation,)>(&pair?.0)?.0)).collect()
}

/// Removes rows of ended incarnations, and old blocks. Returns whether more are left.
pub(crate) fn sweep(writer: &mut Writer<'_>) -> Result<bool> {
	let mut room = SWEEP_LIMIT;
	for m in ended(&writer.tx)? {
		room = sweep_one(&mut writer.tx, m, room)?;
		if room == 0 {
			return Ok(true);
		}
	}
	blocks::prune(&mut writer.tx, writer.state.last.number, PRUNE_LIMIT)
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
