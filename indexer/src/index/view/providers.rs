// SPDX-License-Identifier: Apache-2.0
//! Nodes of providers.

use content_fabric_client::chain::rows;
use content_fabric_identifiers::{NodeId, ProviderId};
use content_fabric_okvs::{disk::DiskError, Read};

use super::page::{value, Page, ReadError, Slice};
use super::View;
use crate::{
	index::error::Error,
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
		let Some(stored) = self.stored(m, &RowKey::Node(provider, id))? else { return Ok(None) };
		Ok(Some(NodeItem { provider, id, row: value!(stored, Node)? }))
	}
}
