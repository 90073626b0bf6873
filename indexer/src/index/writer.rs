// SPDX-License-Identifier: Apache-2.0
//! Writes rows, with the orders and the numbers that follow from them.

use codec::Encode;
use content_fabric_client::chain::rows::Member;
use content_fabric_identifiers::SpaceId;
use content_fabric_okvs::{disk::DiskTransaction, Transaction};
use content_fabric_primitives::MemberId;

use super::{
	counts::{read_count, Pending},
	error::{Found, Result},
	keys::{self, Incarnation},
	meta::State,
	orders::{self, Stored},
	read::{self, Owner},
};
use crate::{
	rows::{Map, Row, RowKey, RowValue},
	source::{as_member, BlockRef},
};

/// A transaction, the state of the index at its end, and what it changes.
pub(crate) struct Writer<'d> {
	/// The transaction.
	pub tx: DiskTransaction<'d>,
	/// The state, which the caller writes.
	pub state: State,
	/// Numbers of rows that are not written yet.
	pub pending: Pending,
}

impl Writer<'_> {
	/// Writes a row, or removes it.
	pub fn put(&mut self, m: Incarnation, key: &RowKey, new: Option<Stored>) -> Result<()> {
		let place = keys::row(m, key);
		let old = read::stored(&self.tx, &place)?;
		if old == new {
			return Ok(());
		}
		orders::change(&mut self.tx, m, key, old.as_ref(), new.as_ref())?;
		match &new {
			Some(new) => self.tx.set(&place, &new.encode())?,
			None => self.tx.clear(&place)?,
		}
		let by = i64::from(new.is_some()) - i64::from(old.is_some());
		if by != 0 {
			self.pending.count(m, key.map(), by);
		}
		let before = old.as_ref().map(|old| self.space_of(m, key, old)).transpose()?;
		let after = new.as_ref().map(|new| self.space_of(m, key, new)).transpose()?;
		// A member may have been created again in another space.
		if before != after {
			for (space, by) in [(before, -1), (after, 1)] {
				if let Some(space) = space {
					self.pending.sum(space, key.map(), by);
				}
			}
		}
		Ok(())
	}

	/// Returns the space that a row counts in.
	fn space_of(&self, m: Incarnation, key: &RowKey, stored: &Stored) -> Found<SpaceId> {
		Ok(match key {
			RowKey::Space(space) | RowKey::Admission(space, ..) => Some(*space),
			RowKey::Provider(_) | RowKey::Tenant(_) => {
				as_member(&stored.row).map(|member| member.space)
			},
			RowKey::Purge(_) => None,
			_ => Some(self.owner(m)?.space),
		})
	}

	/// Returns a row with what the index adds, at the key of its map.
	pub fn get(&self, m: Incarnation, key: &RowKey) -> Found<Stored> {
		read::stored(&self.tx, &keys::row(m, key))
	}

	/// Returns the row of a member.
	pub fn member(&self, member: MemberId) -> Found<Member> {
		read::member(&self.tx, member)
	}

	/// Returns the present incarnation of a member.
	pub fn incarnation(&self, member: MemberId) -> Found<Incarnation> {
		read::incarnation(&self.tx, member)
	}

	/// Returns the member of an incarnation, and its space.
	pub fn owner(&self, m: Incarnation) -> Result<Owner> {
		read::owner(&self.tx, m)
	}

	/// Begins an incarnation of a member of a space.
	pub fn begin(&mut self, member: MemberId, space: SpaceId) -> Result<Incarnation> {
		let m = self.state.next_incarnation;
		self.state.next_incarnation += 1;
		self.tx.set(&keys::incarnation(member), &m.encode())?;
		self.tx.set(&keys::member(m), &Owner { member, space }.encode())?;
		Ok(m)
	}

	/// Ends the present incarnation of a member: its rows no longer count.
	pub fn end(&mut self, member: MemberId) -> Result<()> {
		let Some(m) = self.incarnation(member)? else { return Ok(()) };
		self.tx.clear(&keys::incarnation(member))?;
		self.tx.set(&keys::ended(m), &[])?;
		self.pending.write_counts(&mut self.tx)?;
		let owner = self.owner(m)?;
		for map in Map::under(owner.member.role()) {
			let count = i64::try_from(read_count(&self.tx, m, *map)?).unwrap_or(i64::MAX);
			self.pending.sum(Some(owner.space), *map, -count);
		}
		Ok(())
	}

	/// Makes a block the last one.
	pub fn advance(&mut self, block: BlockRef, spec_version: u32) {
		self.state.last = block;
		self.state.spec_version = spec_version;
		if block.number > 0 {
			self.state.early.get_or_insert(block);
		}
	}

	/// Returns a row with the data that the index adds to it. For a record that the current block
	/// put, and a version that it asked a node to hold, `put` is the number of that block.
	pub fn stored(
		&self,
		m: Incarnation,
		key: &RowKey,
		row: Row,
		put: Option<u64>,
	) -> Result<Stored> {
		let since = |value: &RowValue| match value {
			RowValue::Record(record) => Some(record.updated),
			RowValue::Version(version) => Some(version.committed),
			_ => None,
		};
		let put = match (since(&row.value), put) {
			(None, _) => None,
			(_, Some(put)) => Some(put),
			// The same row has been there since its last put.
			(time, None) => self
				.get(m, key)?
				.filter(|old| since(&old.row.value) == time)
				.and_then(|old| old.put),
		};
		Ok(Stored { row, put })
	}
}
