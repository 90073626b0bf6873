// SPDX-License-Identifier: Apache-2.0
//! Totals of spaces by hour.

use std::collections::BTreeMap;

use codec::{Decode, Encode};
use content_fabric_identifiers::SpaceId;
use content_fabric_okvs::Transaction;
use scale_info::TypeInfo;

use super::{counts, error::Result, keys, read::value, writer::Writer};
use crate::source::{Block, FabricEvent};

/// Length of an hour in milliseconds.
pub const HOUR: u64 = 3_600_000;

/// The totals of a space, or of all, after the last block of an hour that changed them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct Total {
	/// Number of rows.
	pub rows: u64,
	/// Number of members.
	pub members: u64,
	/// Number of commits in the hour.
	pub commits: u64,
}

/// The name of [`Total`]s in errors.
pub(crate) const WHAT: &str = "the totals of an hour";

/// Writes the totals of the spaces that a block changes.
pub(crate) fn write(writer: &mut Writer<'_>, block: &Block) -> Result<()> {
	let commits = commits(writer, block)?;
	let mut spaces: BTreeMap<Option<SpaceId>, u64> =
		writer.pending.spaces().map(|space| (space, 0)).collect();
	for (space, number) in commits {
		*spaces.entry(Some(space)).or_default() += number;
		*spaces.entry(None).or_default() += number;
	}
	writer.pending.write(&mut writer.tx)?;
	let hour = block.events.time / HOUR;
	for (space, commits) in spaces {
		let sums = counts::read_sums(&writer.tx, space)?;
		let key = keys::total(space, hour);
		let old: Option<Total> = value(&writer.tx, &key, WHAT)?;
		let commits = old.unwrap_or_default().commits + commits;
		let total = Total { rows: sums.rows(), members: sums.members(), commits };
		if old != Some(total) {
			writer.tx.set(&key, &total.encode())?;
		}
	}
	Ok(())
}

/// Returns the number of commits of a block in each space.
fn commits(writer: &Writer<'_>, block: &Block) -> Result<BTreeMap<SpaceId, u64>> {
	let mut commits = BTreeMap::new();
	for event in &block.events.events {
		let FabricEvent::VersionCommitted { tenant, .. } = &event.event else { continue };
		// A tenant that was deleted in the same block has no space any more.
		if let Some(member) = writer.member((*tenant).into())? {
			*commits.entry(member.space).or_default() += 1;
		}
	}
	Ok(commits)
}
