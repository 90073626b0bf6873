// SPDX-License-Identifier: Apache-2.0
//! Spaces and their admissions.

use content_fabric_client::chain::rows;
use content_fabric_identifiers::SpaceId;
use content_fabric_okvs::{disk::DiskError, tuple_store::Free, Read};
use content_fabric_primitives::Role;
use subxt::utils::AccountId32;

use super::page::{unreadable, value, Page, ReadError, Slice};
use super::View;
use crate::{
	index::{
		error::Error,
		keys::{self, FLAT},
		orders::FOUND,
	},
	rows::{Map, RowKey},
};

/// A space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceItem {
	/// Its id.
	pub id: SpaceId,
	/// Its row.
	pub row: rows::Space,
}

/// An order of spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceOrder {
	/// Ascending by id.
	Id,
	/// The oldest first.
	Age,
}

/// An unused admission to a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdmissionItem {
	/// The admitted account.
	pub account: AccountId32,
	/// The role that it may take.
	pub role: Role,
}

impl<R: Read<Error = DiskError>> View<R> {
	/// Returns a space.
	pub fn space(&self, id: SpaceId) -> Result<Option<SpaceItem>, Error> {
		let Some(stored) = self.stored(FLAT, &RowKey::Space(id))? else { return Ok(None) };
		Ok(Some(SpaceItem { id, row: value!(stored, Space)? }))
	}

	/// Returns spaces.
	pub fn spaces(&self, order: SpaceOrder, slice: &Slice) -> Result<Page<SpaceItem>, ReadError> {
		match order {
			SpaceOrder::Id => {
				let rows = self.rows_of(Map::Spaces, None, FLAT, &[], slice)?;
				self.collect(slice, rows, |(key, stored)| {
					let RowKey::Space(id) = key else { return Ok(None) };
					Ok(Some(SpaceItem { id, row: value!(stored, Space)? }))
				})
			},
			SpaceOrder::Age => {
				let rows = self.found(&FOUND.spaces, &(Free, Free), slice, false)?;
				self.collect(slice, rows, |row| Ok(self.space(row.item(1).map_err(unreadable)?)?))
			},
		}
	}

	/// Returns the unused admissions to a space. `None` if the space does not exist.
	pub fn admissions(
		&self,
		space: SpaceId,
		slice: &Slice,
	) -> Result<Option<Page<AdmissionItem>>, ReadError> {
		if self.space(space)?.is_none() {
			return Ok(None);
		}
		let start = keys::rows(Map::Admissions, FLAT).subspace(&(space,));
		let prefix = &start.prefix()[keys::rows(Map::Admissions, FLAT).prefix().len()..];
		let rows = self.rows_of(Map::Admissions, None, FLAT, prefix, slice)?;
		let page = self.collect(slice, rows, |(key, _)| match key {
			RowKey::Admission(_, account, role) => Ok(Some(AdmissionItem { account, role })),
			_ => Ok(None),
		})?;
		Ok(Some(page))
	}
}
