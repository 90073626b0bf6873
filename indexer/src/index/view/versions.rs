// SPDX-License-Identifier: Apache-2.0
//! Versions of content objects, and the records that lead to them.

use std::iter;

use content_fabric_client::{chain::rows, ids::VersionArgument};
use content_fabric_identifiers::{ContentObjectId, Muid, NodeId, ProviderId, TenantId, VersionId};
use content_fabric_okvs::{tuple_store::Free, RangeOptions};

use super::page::{Owners, Page, Slice};
use super::{Found, Name, RecordItem, View};
use crate::{
	index::{error::Result, keys::Incarnation, orders::STORES, read::Owner},
	rows::RowKey,
};

/// Largest number of names of a version in a list.
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
	/// Its copies.
	pub copies: Vec<CopyItem>,
}

/// A copy of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyItem {
	/// The copy.
	pub copy: rows::Copy,
	/// True if its node exists: the one that was asked, not another one with its id.
	pub is_present: bool,
}

/// A version in a list over all tenants.
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

impl View<'_> {
	/// Returns the versions of a content object, by the time of their commits. `None` if the object
	/// does not exist.
	pub fn versions(
		&self,
		tenant: TenantId,
		object: ContentObjectId,
		newest_first: bool,
		slice: &Slice,
	) -> Found<Page<VersionItem>> {
		let Some(m) = self.present(tenant)? else { return Ok(None) };
		let Some(found) = self.object_of(m, tenant, object)? else { return Ok(None) };
		let head = found.row.head_version;
		let rows = self.found(&STORES.versions, &(Free, m, object, Free), slice, newest_first)?;
		let page = self.collect(slice, rows, |row| {
			let id = row.item(0)?;
			let row = self.value(m, &RowKey::Version(tenant, object, id))?;
			row.map(|row| self.version_item(tenant, object, id, row, head == Some(id))).transpose()
		});
		page.map(Some)
	}

	/// Returns a version of a content object. Fails if a CID says another kind of hash.
	pub fn version(
		&self,
		tenant: TenantId,
		object: ContentObjectId,
		named: VersionArgument,
	) -> Found<VersionItem> {
		let id = named.version;
		let Some(m) = self.present(tenant)? else { return Ok(None) };
		let row: Option<rows::Version> = self.value(m, &RowKey::Version(tenant, object, id))?;
		let Some(row) = row else { return Ok(None) };
		named.ensure(row.hash)?;
		let is_head = self.is_head(m, tenant, object, id)?;
		Ok(Some(self.version_item(tenant, object, id, row, is_head)?))
	}

	fn version_item(
		&self,
		tenant: TenantId,
		object: ContentObjectId,
		id: VersionId,
		row: rows::Version,
		is_head: bool,
	) -> Result<VersionItem> {
		let copies = row.copies.iter().map(|copy| {
			let node = self.node(copy.provider, copy.node)?;
			let is_present = copy.is_of(node.map(|node| node.row.medallion));
			Ok(CopyItem { copy: *copy, is_present })
		});
		let copies = copies.collect::<Result<_>>()?;
		Ok(VersionItem { tenant, object, id, row, is_head, copies })
	}

	fn is_head(
		&self,
		m: Incarnation,
		tenant: TenantId,
		object: ContentObjectId,
		version: VersionId,
	) -> Result<bool> {
		let found = self.object_of(m, tenant, object)?;
		Ok(found.is_some_and(|object| object.row.head_version == Some(version)))
	}

	/// Returns the records that name a content object or one of its versions. `None` if the object
	/// does not exist.
	pub fn names_of(
		&self,
		tenant: TenantId,
		object: ContentObjectId,
		slice: &Slice,
	) -> Found<Page<RecordItem>> {
		let Some(m) = self.present(tenant)? else { return Ok(None) };
		if self.object_of(m, tenant, object)?.is_none() {
			return Ok(None);
		}
		let rows = self.found(&STORES.targets, &(m, object, Free, Free, Free), slice, false)?;
		let page = self.collect(slice, rows, |row| self.record_of(m, tenant, Name::of(&row, 3)?));
		page.map(Some)
	}

	/// Returns the content objects with a version, of all tenants. Fails if there are some, and a
	/// CID says another kind of hash than all of them have.
	pub fn holders(&self, named: VersionArgument, slice: &Slice) -> Result<Page<VersionRefItem>> {
		let version = named.version;
		let mut owners = Owners::new(self);
		let mut other = None;
		let rows = self.found(&STORES.versions, &(version, Free, Free, Free), slice, false)?;
		let page = self.collect(slice, rows, |row| {
			let (m, object) = (row.item(1)?, row.item(2)?);
			let found = self.reference(&mut owners, m, object, version, row.item(3)?)?;
			let (Some(item), Some(_)) = (&found, named.hash) else { return Ok(found) };
			let key = RowKey::Version(item.tenant, object, version);
			let row: Option<rows::Version> = self.value(m, &key)?;
			let Some(Err(error)) = row.map(|row| named.ensure(row.hash)) else { return Ok(found) };
			other.get_or_insert(error);
			Ok(None)
		})?;
		match other {
			Some(error)
				if page.items.is_empty() && page.next.is_none() && slice.after.is_none() =>
			{
				Err(error.into())
			},
			_ => Ok(page),
		}
	}

	/// Returns the versions that a node holds or was asked to, the newest first. `None` if the node
	/// does not exist.
	pub fn copies(
		&self,
		provider: ProviderId,
		node: NodeId,
		slice: &Slice,
	) -> Found<Page<VersionRefItem>> {
		let Some(node) = self.node(provider, node)? else { return Ok(None) };
		let mut owners = Owners::new(self);
		let pattern = (u64::from(node.row.medallion), Free, Free, Free, Free);
		let rows = self.found(&STORES.copies, &pattern, slice, true)?;
		let page = self.collect(slice, rows, |row| {
			self.reference(&mut owners, row.item(2)?, row.item(3)?, row.item(4)?, row.item(1)?)
		});
		page.map(Some)
	}

	fn reference(
		&self,
		owners: &mut Owners<'_>,
		m: Incarnation,
		object: ContentObjectId,
		version: VersionId,
		committed: u128,
	) -> Found<VersionRefItem> {
		let Some(tenant) = owners.get(m)?.and_then(Owner::tenant) else { return Ok(None) };
		let names = self.leading_to(m, tenant, object, version)?;
		let committed = Muid::from_u128(committed);
		Ok(Some(VersionRefItem { tenant, object, version, committed, names }))
	}

	/// Returns records that lead to a version: those that name it, and those that name its object
	/// if it is the head.
	pub(super) fn leading_to(
		&self,
		m: Incarnation,
		tenant: TenantId,
		object: ContentObjectId,
		version: VersionId,
	) -> Result<Vec<Name>> {
		let is_head = self.is_head(m, tenant, object, version)?;
		let mut names = Vec::new();
		for target in iter::once(Some(version)).chain(is_head.then_some(None)) {
			let options = RangeOptions::default().limit(MAX_NAMES - names.len());
			let pattern = (m, object, target, Free, Free);
			for row in STORES.targets.query(&self.read, &pattern, options)? {
				names.push(Name::of(&row?, 3)?);
			}
		}
		Ok(names)
	}
}
