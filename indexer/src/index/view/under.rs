// SPDX-License-Identifier: Apache-2.0
//! Rows under members: nodes, KMSes, content objects and collections.

use content_fabric_client::{chain::rows, text::Text};
use content_fabric_identifiers::{ContentObjectId, KmsId, NodeId, ProviderId, TenantId};
use content_fabric_okvs::tuple_store::Free;

use super::{
	members::any,
	page::{Order, Owners, Page, Slice},
	Found, View,
};
use crate::{
	index::{error::Result, keys::Incarnation, orders::STORES, read::Owner},
	rows::{Map, RowKey},
};

/// A row under a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item<Member, Id, Row> {
	/// The member.
	pub member: Member,
	/// The id of the row in the member.
	pub id: Id,
	/// The row.
	pub row: Row,
}

/// A node of a provider.
pub type NodeItem = Item<ProviderId, NodeId, rows::Node>;
/// A KMS of a tenant.
pub type KmsItem = Item<TenantId, KmsId, rows::Kms>;
/// A content object of a tenant.
pub type ObjectItem = Item<TenantId, ContentObjectId, rows::ContentObject>;
/// A collection of a tenant, by its name.
pub type CollectionItem = Item<TenantId, Text, rows::Collection>;

impl View<'_> {
	/// Returns the nodes of all providers, ascending by id.
	pub fn all_nodes(&self, slice: &Slice) -> Result<Page<NodeItem>> {
		let mut owners = Owners::new(self);
		let rows = self.found(&STORES.nodes, &(Free, Free), slice, false)?;
		self.collect(slice, rows, |row| {
			let m = row.item(1)?;
			match owners.get(m)?.and_then(Owner::provider) {
				Some(provider) => self.node_of(m, provider, row.item(0)?),
				None => Ok(None),
			}
		})
	}

	/// Returns the nodes of a provider. `None` if the provider does not exist.
	pub fn nodes(&self, provider: ProviderId, slice: &Slice) -> Found<Page<NodeItem>> {
		self.under(provider, Map::Nodes, slice)
	}

	/// Returns a node of a provider.
	pub fn node(&self, provider: ProviderId, id: NodeId) -> Found<NodeItem> {
		let Some(m) = self.present(provider)? else { return Ok(None) };
		self.node_of(m, provider, id)
	}

	fn node_of(&self, m: Incarnation, member: ProviderId, id: NodeId) -> Found<NodeItem> {
		Ok(self.value(m, &RowKey::Node(member, id))?.map(|row| Item { member, id, row }))
	}

	/// Returns the KMSes of a tenant. `None` if the tenant does not exist.
	pub fn kmses(&self, tenant: TenantId, slice: &Slice) -> Found<Page<KmsItem>> {
		self.under(tenant, Map::Kmses, slice)
	}

	/// Returns a KMS of a tenant.
	pub fn kms(&self, member: TenantId, id: KmsId) -> Found<KmsItem> {
		let Some(m) = self.present(member)? else { return Ok(None) };
		Ok(self.value(m, &RowKey::Kms(member, id))?.map(|row| Item { member, id, row }))
	}

	/// Returns the content objects of a tenant. `None` if the tenant does not exist.
	pub fn objects(
		&self,
		tenant: TenantId,
		order: Order,
		slice: &Slice,
	) -> Found<Page<ObjectItem>> {
		if order == Order::Id {
			return self.under(tenant, Map::ContentObjects, slice);
		}
		let Some(m) = self.present(tenant)? else { return Ok(None) };
		// The order that goes on with the creation.
		let rows = self.found(&STORES.objects, &(Free, m, any()), slice, false)?;
		self.collect(slice, rows, |row| self.object_of(m, tenant, row.item(0)?)).map(Some)
	}

	/// Returns a content object of a tenant.
	pub fn object(&self, tenant: TenantId, id: ContentObjectId) -> Found<ObjectItem> {
		let Some(m) = self.present(tenant)? else { return Ok(None) };
		self.object_of(m, tenant, id)
	}

	pub(crate) fn object_of(
		&self,
		m: Incarnation,
		member: TenantId,
		id: ContentObjectId,
	) -> Found<ObjectItem> {
		Ok(self.value(m, &RowKey::ContentObject(member, id))?.map(|row| Item { member, id, row }))
	}

	/// Returns the content objects with an id, one for each tenant that has it.
	pub fn objects_with_id(&self, id: ContentObjectId, slice: &Slice) -> Result<Page<ObjectItem>> {
		let mut owners = Owners::new(self);
		let rows = self.found(&STORES.objects, &(id, Free, Free), slice, false)?;
		self.collect(slice, rows, |row| {
			let m = row.item(1)?;
			match owners.get(m)?.and_then(Owner::tenant) {
				Some(tenant) => self.object_of(m, tenant, id),
				None => Ok(None),
			}
		})
	}

	/// Returns the collections of a tenant. `None` if the tenant does not exist.
	pub fn collections(&self, tenant: TenantId, slice: &Slice) -> Found<Page<CollectionItem>> {
		self.under(tenant, Map::Collections, slice)
	}

	/// Returns a collection of a tenant.
	pub fn collection(&self, member: TenantId, name: &str) -> Found<CollectionItem> {
		let Some(m) = self.present(member)? else { return Ok(None) };
		let id = Text(name.into());
		let row = self.value(m, &RowKey::Collection(member, id.clone()))?;
		Ok(row.map(|row| Item { member, id, row }))
	}
}
