// SPDX-License-Identifier: Apache-2.0
//! Nodes of providers.

use content_fabric_client::chain::rows;
use content_fabric_identifiers::{NodeId, ProviderId};
use content_fabric_okvs::{disk::DiskError, tuple_store::Free, Read};
use content_fabric_primitives::MemberId;

use super::page::{unreadable, value, Owners, Page, ReadError, Slice};
use super::View;
use crate::{
	index::{error::Error, keys::Incarnation, orders::FOUND},
	rows::{Map, RowKey},
};

/// A node of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeItem {
	/// The provider.
	pub provider: ProviderId,
	/// The id of the node.
	pub id: NodeId,
	/// Its row.
	pub row: rows::Node,
}

impl<R: Read<Error = DiskError>> View<R> {
	/// Returns the nodes of all providers, ascending by id.
	pub fn all_nodes(&self, slice: &Slice) -> Result<Page<NodeItem>, ReadError> {
		let mut owners = Owners::new(self);
		let rows = self.found(&FOUND.nodes, &(Free, Free), slice, false)?;
		self.collect(slice, rows, |row| {
			let id = row.item(0).map_err(unreadable)?;
			let m = row.item(1).map_err(unreadable)?;
			match owners.get(m)?.map(|owner| owner.member) {
				Some(MemberId::Provider(provider)) => Ok(self.node_of(m, provider, id)?),
				_ => Ok(None),
			}
		})
	}

	/// Returns the nodes of a provider. `None` if the provider does not exist.
	pub fn nodes(
		&self,
		provider: ProviderId,
		slice: &Slice,
	) -> Result<Option<Page<NodeItem>>, ReadError> {
		let Some((m, owner)) = self.present(provider)? else { return Ok(None) };
		let rows = self.rows_of(Map::Nodes, Some(owner), m, &[], slice)?;
		let page = self.collect(slice, rows, |(key, stored)| {
			let RowKey::Node(provider, id) = key else { return Ok(None) };
			Ok(Some(NodeItem { provider, id, row: value!(stored, Node)? }))
		})?;
		Ok(Some(page))
	}

	/// Returns a node of a provider.
	pub fn node(&self, provider: ProviderId, id: NodeId) -> Result<Option<NodeItem>, Error> {
		let Some((m, _)) = self.present(provider)? else { return Ok(None) };
		self.node_of(m, provider, id)
	}

	fn node_of(
		&self,
		m: Incarnation,
		provider: ProviderId,
		id: NodeId,
	) -> Result<Option<NodeItem>, Error> {
		let Some(stored) = self.stored(m, &RowKey::Node(provider, id))? else { return Ok(None) };
		Ok(Some(NodeItem { provider, id, row: value!(stored, Node)? }))
	}
}
