// SPDX-License-Identifier: Apache-2.0
//! Totals of spaces by hour.

use std::collections::BTreeMap;

use codec::{Decode, DecodeAll, Encode};
use content_fabric_identifiers::SpaceId;
use content_fabric_okvs::{disk::DiskError, Transaction};

use super::{counts, error::Error, keys, writer::Writer};
use crate::source::{Block, FabricEvent};

/// Length of an hour in milliseconds.
pub const HOUR: u64 = 3_600_000;

/// The totals of a space, or of all, after the last block of an hour that changed them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Total {
	/// Number of rows.
	pub rows: u64,
	/// Number of members.
	pub members: u64,
	/// Number of commits in the hour.
	pub commits: u64,
}

impl Total {
	pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Error> {
		Self::decode_all(&mut &bytes[..]).map_err(|_| Error::corrupted("the totals of an hour"))
	}
}

/// Writes the totals of the spaces that a block changes.
pub(crate) fn write<Tx: Transaction<Error = DiskError>>(
	writer: &mut Writer<'_, Tx>,
	block: &Block,
) -> Result<(), Error> {
	let commits = commits(writer, block)?;
	let mut spaces: BTreeMap<Option<SpaceId>, u64> =
		writer.pending.spaces().map(|space| (space, 0)).collect();
	for (space, number) in commits {
		*spaces.entry(Some(space)).or_default() += number;
		*spaces.entry(None).or_default() += number;
	}
	writer.pending.write(writer.tx)?;
	let hour = block.events.time / HOUR;
	for (space, commits) in spaces {
		let sums = counts::read_sums(writer.tx, space)?;
		let key = keys::total(space, hour);
		let old = writer.tx.get(&key)?.map(|bytes| Total::decode(&bytes)).transpose()?;
		let commits = old.unwrap_or_default().commits + commits;
		let total = Total { rows: sums.rows(), members: sums.members(), commits };
		if old != Some(total) {
			writer.set(key, Some(total.encode()))?;
		}
	}
	Ok(())
}

/// Returns the number of commits of a block in each space.
fn commits<Tx: Transaction<Error = DiskError>>(
	writer: &Writer<'_, Tx>,
	block: &Block,
) -> Result<BTreeMap<SpaceId, u64>, Error> {
	let mut commits = BTreeMap::new();
	for event in &block.events.events {
		let FabricEvent::VersionCommitted { tenant, .. } = &event.event else { continue };
		// A tenant that was deleted in the same block has no space any more.
		let row = writer.member((*tenant).into())?;
		if let Some(member) = row.as_ref().and_then(crate::source::as_member) {
			*commits.entry(member.space).or_default() += 1;
		}
	}
	Ok(commits)
}
