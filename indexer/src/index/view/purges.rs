// SPDX-License-Identifier: Apache-2.0
//! Purges under way.

use content_fabric_client::chain::rows;
use content_fabric_okvs::{disk::DiskError, Read};
use content_fabric_primitives::MemberId;

use super::page::{value, Page, ReadError, Slice};
use super::View;
use crate::{
	index::keys::FLAT,
	rows::{Map, RowKey},
};

/// A purge under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurgeItem {
	/// The member.
	pub member: MemberId,
	/// The row of the purge.
	pub row: rows::Purge,
	/// The row of the member.
	pub member_row: Option<rows::Member>,
}

impl<R: Read<Error = DiskError>> View<R> {
	/// Returns the purges under way, by member.
	pub fn purges(&self, slice: &Slice) -> Result<Page<PurgeItem>, ReadError> {
		let rows = self.rows_of(Map::Purges, None, FLAT, &[], slice)?;
		self.collect(slice, rows, |(key, stored)| {
			let RowKey::Purge(member) = key else { return Ok(None) };
			let member_row = self.member_row(member)?;
			Ok(Some(PurgeItem { member, row: value!(stored, Purge)?, member_row }))
		})
	}
}
