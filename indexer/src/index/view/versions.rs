// SPDX-License-Identifier: Apache-2.0
//! Versions of content objects, and the records that lead to them.

use content_fabric_client::{chain::rows, text::Text};
use content_fabric_identifiers::{ContentObjectId, Muid, NodeId, ProviderId, TenantId, VersionId};
use content_fabric_okvs::{disk::DiskError, tuple_store::Free, RangeOptions, Read};
use content_fabric_primitives::MemberId;

use super::page::{unreadable, value, Owners, Page, ReadError, Slice};
use super::{RecordItem, View};
use crate::{
	index::{error::Error, keys::Incarnation, orders::FOUND},
	rows::RowKey,
};

/// The most names of a version in a list.
pub const MAX_NAMES: usize = 10;

/// A version of a content object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionItem {
	/// The tenant.
	pub tenant: TenantId,
	/// The object.
	pub object: ContentObjectId,
	/// The id of the version.
	pub id: VersionId,
	/// Its row.
	pub row: rows::Version,
	/// True if it is the head of the object.
	pub is_head: bool,
}

/// A version among those of all tenants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionRefItem {
	/// The tenant.
	pub tenant: TenantId,
	/// The object.
	pub object: ContentObjectId,
	/// The version.
	pub version: VersionId,
	/// The muid of its commit.
	pub committed: Muid,
	/// Records that lead to it, at most [`MAX_NAMES`].
	pub names: Vec<Name>,
}

/// The collection and the key of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
	/// The name of the collection.
	pub collection: Text,
	/// The record key.
	pub key: Text,
}

impl<R: Read<Error = DiskError>> View<R> {
	/// Returns the versions of a content object, by the time of their commits. `None` if the object
	/// does not exist.
	pub fn versions(
		&self,
		tenant: TenantId,
		object: ContentObjectId,
		newest_first: bool,
		slice: &Slice,
	) -> Result<Option<Page<VersionItem>>, ReadError> {
		let Some((m, _)) = self.present(tenant)? else { return Ok(None) };
		let Some(found) = self.object_of(m, tenant, object)? else { return Ok(None) };
		let head = found.row.head_version;
		let rows = self.found(&FOUND.versions, &(Free, m, object, Free), slice, newest_first)?;
		let page = self.collect(slice, rows, |row| {
			let id = row.item(0).map_err(unreadable)?;
			let row = self.version_row(m, tenant, object, id)?;
			Ok(row.map(|row| VersionItem { tenant, object, id, row, is_head: head == Some(id) }))
		})?;
		Ok(Some(page))
	}

	/// Returns a version of a content object.
	pub fn version(
		&self,
		tenant: TenantId,
		object: ContentObjectId,
		id: VersionId,
	) -> Result<Option<VersionItem>, Error> {
		let Some((m, _)) = self.present(tenant)? else { return Ok(None) };
		self.version_of(m, tenant, object, id)
	}

	pub(crate) fn version_of(
		&self,
		m: Incarnation,
		tenant: TenantId,
		object: ContentObjectId,
		id: VersionId,
	) -> Result<Option<VersionItem>, Error> {
		let Some(row) = self.version_row(m, tenant, object, id)? else { return Ok(None) };
		let found = self.object_of(m, tenant, object)?;
		let is_head = found.is_some_and(|object| object.row.head_version == Some(id));
		Ok(Some(VersionItem { tenant, object, id, row, is_head }))
	}

	fn version_row(
		&self,
		m: Incarnation,
		tenant: TenantId,
		object: ContentObjectId,
		id: VersionId,
	) -> Result<Option<rows::Version>, Error> {
		let Some(stored) = self.stored(m, &RowKey::Version(tenant, object, id))? else {
			return Ok(None);
		};
		value!(stored, Version).map(Some)
	}

	/// Returns the records that name a content object or one of its versions. `None` if the object
	/// does not exist.
	pub fn names_of(
		&self,
		tenant: TenantId,
		object: ContentObjectId,
		slice: &Slice,
	) -> Result<Option<Page<RecordItem>>, ReadError> {
		let Some((m, _)) = self.present(tenant)? else { return Ok(None) };
		if self.object_of(m, tenant, object)?.is_none() {
			return Ok(None);
		}
		let rows = self.found(&FOUND.targets, &(m, object, Free, Free, Free), slice, false)?;
		let page = self.collect(slice, rows, |row| {
			let Name { collection, key } = name(&row, 3)?;
			Ok(self.record_of(m, tenant, collection, key)?)
		})?;
		Ok(Some(page))
	}

	/// Returns the content objects with a version, of all tenants.
	pub fn holders(
		&self,
		version: VersionId,
		slice: &Slice,
	) -> Result<Page<VersionRefItem>, ReadError> {
		let mut owners = Owners::new(self);
		let rows = self.found(&FOUND.versions, &(version, Free, Free, Free), slice, false)?;
		self.collect(slice, rows, |row| {
			let m = row.item(1).map_err(unreadable)?;
			let object = row.item(2).map_err(unreadable)?;
			let committed = row.item(3).map_err(unreadable)?;
			self.reference(&mut owners, m, object, version, committed)
		})
	}

	/// Returns the versions that a node took in, the newest first. `None` if the node does not
	/// exist.
	pub fn intake(
		&self,
		provider: ProviderId,
		node: NodeId,
		slice: &Slice,
	) -> Result<Option<Page<VersionRefItem>>, ReadError> {
		if self.node(provider, node)?.is_none() {
			return Ok(None);
		}
		let mut owners = Owners::new(self);
		let pattern = (provider, node, Free, Free, Free, Free);
		let rows = self.found(&FOUND.intake, &pattern, slice, true)?;
		let page = self.collect(slice, rows, |row| {
			let committed = row.item(2).map_err(unreadable)?;
			let m = row.item(3).map_err(unreadable)?;
			let object = row.item(4).map_err(unreadable)?;
			let version = row.item(5).map_err(unreadable)?;
			self.reference(&mut owners, m, object, version, committed)
		})?;
		Ok(Some(page))
	}

	fn reference(
		&self,
		owners: &mut Owners<'_, R>,
		m: Incarnation,
		object: ContentObjectId,
		version: VersionId,
		committed: u128,
	) -> Result<Option<VersionRefItem>, ReadError> {
		let owner = owners.get(m)?.map(|owner| owner.member);
		let Some(MemberId::Tenant(tenant)) = owner else { return Ok(None) };
		let names = self.leading_to(m, tenant, object, version)?;
		let committed = Muid::from_u128(committed);
		Ok(Some(VersionRefItem { tenant, object, version, committed, names }))
	}

	/// Returns records that lead to a version: those that name it, and those that name its object
	/// if it is the head.
	fn leading_to(
		&self,
		m: Incarnation,
		tenant: TenantId,
		object: ContentObjectId,
		version: VersionId,
	) -> Result<Vec<Name>, ReadError> {
		let found = self.object_of(m, tenant, object)?;
		let is_head = found.is_some_and(|object| object.row.head_version == Some(version));
		let mut names = Vec::new();
		for target in [Some(version), None] {
			if target.is_none() && !is_head {
				continue;
			}
			let options = RangeOptions::default().limit(MAX_NAMES - names.len());
			let pattern = (m, object, target, Free, Free);
			for row in FOUND.targets.query(&self.read, &pattern, options)? {
				names.push(name(&row?, 3)?);
			}
		}
		Ok(names)
	}
}

/// Reads a collection and a record key from two positions of a tuple.
pub(super) fn name<B: AsRef<[u8]>, const N: usize>(
	row: &content_fabric_okvs::tuple_store::Row<B, N>,
	position: usize,
) -> Result<Name, Error> {
	let text = |position| {
		let item: std::borrow::Cow<'_, [u8]> = row.item(position).map_err(unreadable)?;
		Ok::<_, Error>(Text(item.into_owned()))
	};
	Ok(Name { collection: text(position)?, key: text(position + 1)? })
}
