// SPDX-License-Identifier: Apache-2.0
//! Adds blocks to the index.

use content_fabric_primitives::MemberId;

use super::{
	blocks::{self, BlockRow},
	error::{Error, Found, Result},
	history,
	keys::{Incarnation, FLAT},
	totals, verify,
	writer::Writer,
};
use crate::{
	rows::{Row, RowKey},
	source::{as_member, Block},
};

/// Adds a block after the last one.
pub(crate) fn apply(writer: &mut Writer<'_>, block: &Block) -> Result<()> {
	let (at, parent) = (block.header.block, block.header.parent);
	let last = writer.state.last;
	if at.number != last.number + 1 || parent != last.hash {
		return Err(Error::NotNext { number: at.number, last: last.number });
	}
	for member in &block.touched.ended {
		writer.end(*member)?;
	}
	for (key, row) in &block.rows {
		let put = block.touched.put.contains(key).then_some(at.number);
		write_row(writer, key, row.clone(), put)?;
	}
	totals::write(writer, block)?;
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
	writer.advance(at, block.events.spec_version);
	Ok(())
}

/// Writes a row as the chain has it, in the present incarnation of its member.
pub(crate) fn write_row(
	writer: &mut Writer<'_>,
	key: &RowKey,
	row: Option<Row>,
	put: Option<u64>,
) -> Result<()> {
	if let Some(member) = key.as_member() {
		return write_member(writer, member, key, row);
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
) -> Result<()> {
	let space = row.as_ref().and_then(as_member).map(|member| member.space);
	let stored = row.map(|row| writer.stored(FLAT, key, row, None)).transpose()?;
	writer.put(FLAT, key, stored)?;
	match space {
		None => writer.end(member)?,
		Some(space) if writer.incarnation(member)?.is_none() => {
			writer.begin(member, space)?;
		},
		Some(_) => {},
	}
	Ok(())
}
