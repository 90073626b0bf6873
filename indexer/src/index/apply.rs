// SPDX-License-Identifier: Apache-2.0
//! Adds blocks to the index, and takes blocks of lost forks out.

use codec::{Decode, Encode};
use content_fabric_okvs::Transaction;
use content_fabric_primitives::MemberId;
use scale_info::TypeInfo;

use super::{
	blocks::{self, BlockRow},
	error::{Error, Found, Result},
	history,
	keys::{self, Incarnation, FLAT},
	read, totals, verify,
	writer::{Change, Writer},
};
use crate::{
	rows::{Row, RowKey},
	source::{as_member, Block, BlockRef, Hash},
};

/// The undo log of a block that is not final.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub(super) struct Log {
	/// The hash of the block before it.
	parent: Hash,
	/// The version of the runtime that made that block.
	spec_version: u32,
	/// The version of the pallet's storage before the block.
	storage_version: u16,
	/// The number of the next incarnation before the block.
	next_incarnation: Incarnation,
	/// The changes, in their order.
	changes: Vec<Change>,
}

/// Adds a block after the last one. `undo` is true for a block that is not final.
pub(crate) fn apply(writer: &mut Writer<'_>, block: &Block, undo: bool) -> Result<()> {
	let (at, parent) = (block.header.block, block.header.parent);
	let best = writer.state.best;
	if at.number != best.number + 1 || parent != best.hash {
		return Err(Error::NotNext { number: at.number, best: best.number });
	}
	let mut log = Log {
		parent,
		spec_version: writer.state.spec_version,
		storage_version: writer.state.storage_version,
		next_incarnation: writer.state.next_incarnation,
		changes: Vec::new(),
	};
	writer.changes = undo.then(Vec::new);
	for member in &block.touched.ended {
		writer.end(*member, at.number)?;
	}
	for (key, row) in &block.rows {
		let put = block.touched.put.contains(key).then_some(at.number);
		write_row(writer, key, row.clone(), at.number, put)?;
	}
	totals::write(writer, block)?;
	if let Some(changes) = writer.changes.take() {
		log.changes = changes;
		writer.tx.set(&keys::undo(at.number), &log.encode())?;
	}
	let members = block.rows.iter().filter_map(|(key, _)| key.as_member());
	verify::counts(&writer.tx, at.number, members)?;
	history::insert(&mut writer.tx, at.number, &block.events.events)?;
	let row = BlockRow {
		hash: at.hash,
		parent,
		time: block.events.time,
		spec_version: block.events.spec_version,
		events: u32::try_from(block.events.events.len()).unwrap_or(u32::MAX),
	};
	blocks::insert(&mut writer.tx, at.number, &row)?;
	writer.state.best = at;
	writer.state.spec_version = block.events.spec_version;
	Ok(())
}

/// Writes a row as the chain has it, in the present incarnation of its member.
pub(crate) fn write_row(
	writer: &mut Writer<'_>,
	key: &RowKey,
	row: Option<Row>,
	block: u64,
	put: Option<u64>,
) -> Result<()> {
	if let Some(member) = key.as_member() {
		return write_member(writer, member, key, row, block);
	}
	let m = match key.parent() {
		None => FLAT,
		Some(member) => match present(writer, member)? {
			Some(m) => m,
			// The rows of members that are gone or being purged are no longer theirs.
			None => return Ok(()),
		},
	};
	let stored = row.map(|row| writer.stored(m, key, row, put)).transpose()?;
	writer.put(m, key, stored)
}

/// Returns the incarnation of a member that may have rows: one that exists and is not being purged.
fn present(writer: &Writer<'_>, member: MemberId) -> Found<Incarnation> {
	match writer.member(member)? {
		Some(row) if row.purge.is_none() => writer.incarnation(member),
		_ => Ok(None),
	}
}

fn write_member(
	writer: &mut Writer<'_>,
	member: MemberId,
	key: &RowKey,
	row: Option<Row>,
	block: u64,
) -> Result<()> {
	let space = row.as_ref().and_then(as_member).map(|member| member.space);
	let stored = row.map(|row| writer.stored(FLAT, key, row, None)).transpose()?;
	writer.put(FLAT, key, stored)?;
	match space {
		None => writer.end(member, block)?,
		Some(space) if writer.incarnation(member)?.is_none() => {
			writer.begin(member, space)?;
		},
		Some(_) => {},
	}
	Ok(())
}

/// Takes the last block out, which must not be final. Returns it.
pub(crate) fn revert(writer: &mut Writer<'_>) -> Result<BlockRef> {
	let at = writer.state.best;
	let key = keys::undo(at.number);
	let what = format!("the undo log of block {}", at.number);
	let log: Option<Log> = read::value(&writer.tx, &key, &what)?;
	let log = log.ok_or_else(|| Error::corrupted(what))?;
	writer.changes = None;
	for change in log.changes.into_iter().rev() {
		writer.undo(change)?;
	}
	writer.pending.write(&mut writer.tx)?;
	history::remove(&mut writer.tx, at.number)?;
	writer.tx.clear(&key)?;
	blocks::orphaned(&mut writer.tx, at, log.parent)?;
	writer.state.best = BlockRef { number: at.number - 1, hash: log.parent };
	writer.state.spec_version = log.spec_version;
	writer.state.storage_version = log.storage_version;
	writer.state.next_incarnation = log.next_incarnation;
	Ok(at)
}
