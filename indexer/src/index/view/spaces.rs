// SPDX-License-Identifier: Apache-2.0
//! Spaces, their admissions, and their totals by hour.

use content_fabric_client::chain::rows;
use content_fabric_identifiers::SpaceId;
use content_fabric_okvs::{tuple::pack, tuple_store::Free, RangeOptions, Read};
use content_fabric_primitives::Role;
use subxt::utils::AccountId32;

use super::{Found, Order, Page, Slice, View};
use crate::{
	index::{
		error::Result,
		keys::{self, FLAT},
		orders::STORES,
		read::decode,
		totals::{Total, HOUR, WHAT},
	},
	rows::{Map, RowKey},
};

impl View<'_> {
	/// Returns the row of a space.
	pub fn space(&self, id: SpaceId) -> Found<rows::Space> {
		self.value(FLAT, &RowKey::Space(id))
	}

	/// Returns spaces with their rows.
	pub fn spaces(&self, order: Order, slice: &Slice) -> Result<Page<(SpaceId, rows::Space)>> {
		match order {
			Order::Id => self.rows_of(Map::Spaces, (FLAT, None), &[], slice, |key, stored| {
				let (id,) = key.try_into()?;
				Ok((id, stored.row.value.try_into()?))
			}),
			Order::Age => {
				let rows = self.found(&STORES.spaces, &(Free, Free), slice, false)?;
				self.collect(slice, rows, |row| {
					let id = row.item(1)?;
					Ok(self.space(id)?.map(|row| (id, row)))
				})
			},
		}
	}

	/// Returns the unused admissions to a space: the accounts, and the roles that they may take.
	/// `None` if the space does not exist.
	pub fn admissions(&self, space: SpaceId, slice: &Slice) -> Found<Page<(AccountId32, Role)>> {
		if self.space(space)?.is_none() {
			return Ok(None);
		}
		let prefix = pack(&(space,));
		let page = self.rows_of(Map::Admissions, (FLAT, None), &prefix, slice, |key, _| {
			let (_, (account, role)): (SpaceId, _) = key.try_into()?;
			Ok((account, role))
		});
		page.map(Some)
	}

	/// Returns the totals of a space, or of all, in the last hours before the block at `now`, the
	/// oldest first. Hours in which nothing changed are left out. `None` if the space does not
	/// exist.
	///
	/// Each total has the start of its hour, in milliseconds since the Unix epoch.
	pub fn totals(&self, space: Option<SpaceId>, now: u64, hours: u64) -> Found<Vec<(u64, Total)>> {
		if let Some(space) = space {
			if self.space(space)?.is_none() {
				return Ok(None);
			}
		}
		let last = now / HOUR;
		let first = (last + 1).saturating_sub(hours);
		let (start, end) = (keys::total(space, first), keys::total(space, last + 1));
		let mut found = Vec::new();
		for pair in self.read.range_between(&start, Some(&end), RangeOptions::default())? {
			self.check_time()?;
			let (key, value) = pair?;
			let (hour,) = keys::totals(space).unpack::<(u64,)>(&key)?;
			found.push((hour * HOUR, decode(&value, WHAT)?));
		}
		Ok(Some(found))
	}
}
