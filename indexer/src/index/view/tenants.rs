// SPDX-License-Identifier: Apache-2.0
//! KMSes, content objects and collections of tenants.

use std::ops::Bound;

use content_fabric_client::{chain::rows, text::Text};
use content_fabric_identifiers::{ContentObjectId, KmsId, TenantId};
use content_fabric_okvs::{
	disk::DiskError,
	tuple_store::{Constraint, Free},
	Read,
};
use content_fabric_primitives::MemberId;

use super::page::{unreadable, value, Owners, Page, ReadError, Slice};
use super::View;
use crate::{
	index::{error::Error, keys::Incarnation, orders::FOUND},
	rows::{Map, RowKey},
};

/// A KMS of a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KmsItem {
	/// The tenant.
	pub tenant: TenantId,
	/// The id of the KMS.
	pub id: KmsId,
	/// Its row.
	pub row: rows::Kms,
}

/// A content object of a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectItem {
	/// The tenant.
	pub tenant: TenantId,
	/// The id of the object.
	pub id: ContentObjectId,
	/// Its row.
	pub row: rows::ContentObject,
}

/// An order of content objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectOrder {
	/// Ascending by id.
	Id,
	/// The oldest first.
	Age,
}

/// A collection of a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionItem {
	/// The tenant.
	pub tenant: TenantId,
	/// The name.
	pub name: Text,
	/// Its row.
	pub row: rows::Collection,
}

impl<R: Read<Error = DiskError>> View<R> {
	/// Returns the KMSes of a tenant. `None` if the tenant does not exist.
	pub fn kmses(
		&self,
		tenant: TenantId,
		slice: &Slice,
	) -> Result<Option<Page<KmsItem>>, ReadError> {
		let Some((m, owner)) = self.present(tenant)? else { return Ok(None) };
		let rows = self.rows_of(Map::Kmses, Some(owner), m, &[], slice)?;
		let page = self.collect(slice, rows, |(key, stored)| {
			let RowKey::Kms(tenant, id) = key else { return Ok(None) };
			Ok(Some(KmsItem { tenant, id, row: value!(stored, Kms)? }))
		})?;
		Ok(Some(page))
	}

	/// Returns the content objects of a tenant. `None` if the tenant does not exist.
	pub fn objects(
		&self,
		tenant: TenantId,
		order: ObjectOrder,
		slice: &Slice,
	) -> Result<Option<Page<ObjectItem>>, ReadError> {
		let Some((m, owner)) = self.present(tenant)? else { return Ok(None) };
		let page = match order {
			ObjectOrder::Id => {
				let rows = self.rows_of(Map::ContentObjects, Some(owner), m, &[], slice)?;
				self.collect(slice, rows, |(key, stored)| {
					let RowKey::ContentObject(tenant, id) = key else { return Ok(None) };
					Ok(Some(ObjectItem { tenant, id, row: value!(stored, ContentObject)? }))
				})?
			},
			ObjectOrder::Age => {
				// The order that goes on with the creation.
				let any = Constraint::within(&(Bound::<u128>::Unbounded, Bound::Unbounded));
				let rows = self.found(&FOUND.objects, &(Free, m, any), slice, false)?;
				self.collect(slice, rows, |row| {
					Ok(self.object_of(m, tenant, row.item(0).map_err(unreadable)?)?)
				})?
			},
		};
		Ok(Some(page))
	}

	/// Returns a content object of a tenant.
	pub fn object(
		&self,
		tenant: TenantId,
		id: ContentObjectId,
	) -> Result<Option<ObjectItem>, Error> {
		let Some((m, _)) = self.present(tenant)? else { return Ok(None) };
		self.object_of(m, tenant, id)
	}

	pub(crate) fn object_of(
		&self,
		m: Incarnation,
		tenant: TenantId,
		id: ContentObjectId,
	) -> Result<Option<ObjectItem>, Error> {
		let Some(stored) = self.stored(m, &RowKey::ContentObject(tenant, id))? else {
			return Ok(None);
		};
		Ok(Some(ObjectItem { tenant, id, row: value!(stored, ContentObject)? }))
	}

	/// Returns the content objects with an id, one for each tenant that has it.
	pub fn objects_with_id(
		&self,
		id: ContentObjectId,
		slice: &Slice,
	) -> Result<Page<ObjectItem>, ReadError> {
		let mut owners = Owners::new(self);
		let rows = self.found(&FOUND.objects, &(id, Free, Free), slice, false)?;
		self.collect(slice, rows, |row| {
			let m = row.item(1).map_err(unreadable)?;
			match owners.get(m)?.map(|owner| owner.member) {
				Some(MemberId::Tenant(tenant)) => Ok(self.object_of(m, tenant, id)?),
				_ => Ok(None),
			}
		})
	}

	/// Returns the collections of a tenant. `None` if the tenant does not exist.
	pub fn collections(
		&self,
		tenant: TenantId,
		slice: &Slice,
	) -> Result<Option<Page<CollectionItem>>, ReadError> {
		let Some((m, owner)) = self.present(tenant)? else { return Ok(None) };
		let rows = self.rows_of(Map::Collections, Some(owner), m, &[], slice)?;
		let page = self.collect(slice, rows, |(key, stored)| {
			let RowKey::Collection(tenant, name) = key else { return Ok(None) };
			Ok(Some(CollectionItem { tenant, name, row: value!(stored, Collection)? }))
		})?;
		Ok(Some(page))
	}

	/// Returns a collection of a tenant.
	pub fn collection(
		&self,
		tenant: TenantId,
		name: &str,
	) -> Result<Option<CollectionItem>, Error> {
		let Some((m, _)) = self.present(tenant)? else { return Ok(None) };
		let name = Text(name.as_bytes().to_vec());
		let Some(stored) = self.stored(m, &RowKey::Collection(tenant, name.clone()))? else {
			return Ok(None);
		};
		Ok(Some(CollectionItem { tenant, name, row: value!(stored, Collection)? }))
	}
}
