// SPDX-License-Identifier: Apache-2.0
//! Consequences of finality: undo logs end, and the rows of ended incarnations are removed.

use codec::DecodeAll;
use content_fabric_okvs::{disk::DiskError, Read, Transaction};

use super::{
	blocks,
	error::Error,
	keys::{self, Incarnation},
	orders,
	writer::{decode_stored, read_owner, Writer},
};
use crate::{rows::Map, source::BlockRef};

/// The most rows of an ended incarnation that are removed in one transaction.
pub const SWEEP_LIMIT: usize = 10_000;
/// The most blocks that are removed in one transaction.
const PRUNE_LIMIT: usize = 1_000;

/// Marks a block of the index as final, and those before it.
pub(crate) fn finalize<Tx: Transaction<Error = DiskError>>(
	writer: &mut Writer<'_, Tx>,
	block: BlockRef,
) -> Result<(), Error> {
	let start = writer.state.finalized.number.saturating_add(1);
	writer.tx.remove_range(&keys::undo(start), Some(&keys::undo(block.number + 1)))?;
	writer.state.finalized = block;
	Ok(())
}

/// Returns whether [`sweep`] has anything to remove.
pub(crate) fn needs_sweep<R: Read<Error = DiskError>>(
	read: &R,
	finalized: u64,
) -> Result<bool, Error> {
	Ok(!ended(read, finalized)?.is_empty() || blocks::unpruned(read, finalized)?.is_some())
}

/// Returns the incarnations that ended in final blocks and have not been removed.
fn ended<R: Read<Error = DiskError>>(read: &R, finalized: u64) -> Result<Vec<Incarnation>, Error> {
	let mut ended = Vec::new();
	for pair in read.range(keys::part(keys::Part::Ended).prefix())? {
		let (key, block) = pair?;
		let wrong = || Error::corrupted("an ended incarnation");
		let block = u64::decode_all(&mut &block[..]).map_err(|_| wrong())?;
		let (m,) = keys::part(keys::Part::Ended).unpack::<(u64,)>(&key).map_err(|_| wrong())?;
		if block <= finalized {
			ended.push(m);
		}
	}
	Ok(ended)
}

/// Removes rows of incarnations that ended in final blocks, and old blocks. Returns whether more are
/// left.
pub(crate) fn sweep<Tx: Transaction<Error = DiskError>>(
	writer: &mut Writer<'_, Tx>,
) -> Result<bool, Error> {
	let finalized = writer.state.finalized.number;
	let mut room = SWEEP_LIMIT;
	for m in ended(writer.tx, finalized)? {
		room = sweep_one(writer.tx, m, room)?;
		if room == 0 {
			return Ok(true);
		}
	}
	blocks::prune(writer.tx, finalized, PRUNE_LIMIT)
}

/// Removes rows of an incarnation, at most `room`. Returns the room that is left.
fn sweep_one<Tx: Transaction<Error = DiskError>>(
	tx: &mut Tx,
	m: Incarnation,
	room: usize,
) -> Result<usize, Error> {
	let mut room = room;
	let owner = read_owner(tx, m)?
		.ok_or_else(|| Error::corrupted(format!("the member of incarnation {m}")))?;
	for map in Map::under(owner.member.role()) {
		let rows = keys::rows(*map, m);
		let mut found = Vec::new();
		let options = content_fabric_okvs::RangeOptions::default().limit(room);
		for pair in tx.range_with(rows.prefix(), options)? {
			let (key, value) = pair?;
			found.push((key.to_vec(), decode_stored(&value)?));
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
