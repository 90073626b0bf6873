// SPDX-License-Identifier: Apache-2.0
//! The nodes that may have the bytes of a version.

use std::collections::{HashMap, HashSet};

use content_fabric_identifiers::{NodeId, VersionId};
use tokio::sync::OnceCell;

use super::{server, ContentNode, NodeError};
use crate::{
	chain::{rows, Error, Snapshot, VersionRows},
	text::Text,
};

/// A node that may have the bytes, or the reason why it cannot be asked.
pub(super) struct Source {
	/// The node in words.
	pub name: String,
	pub node: Result<ContentNode, NodeError>,
}

/// The nodes of the chain, and the versions that they have.
pub(super) struct Sources<'a> {
	at: &'a Snapshot,
	/// The nodes and their locators, by the medallion that the muids of their commits have.
	nodes: HashMap<u64, (NodeId, Text)>,
	wanted: HashSet<VersionId>,
	/// The rows of these versions under all tenants, which are read when they are needed.
	all: OnceCell<VersionRows>,
	/// A client for each server, so that connections are used again.
	clients: std::sync::Mutex<HashMap<Text, ContentNode>>,
}

impl<'a> Sources<'a> {
	pub(super) async fn read(at: &'a Snapshot, wanted: HashSet<VersionId>) -> Result<Self, Error> {
		let nodes = at.rows(rows::nodes(), ()).await?;
		let nodes = nodes.into_iter();
		let nodes =
			nodes.map(|((_, id), node)| (node.medallion.into(), (id, node.locator))).collect();
		let (all, clients) = (OnceCell::new(), std::sync::Mutex::default());
		Ok(Self { at, nodes, wanted, all, clients })
	}

	/// Returns the nodes of these rows, those that have finalized the version first.
	pub(super) fn of(&self, rows: &[rows::Version], tried: &mut HashSet<u64>) -> Vec<Source> {
		let mut rows: Vec<_> = rows.iter().collect();
		rows.sort_by_key(|row| row.finalized.is_none());
		let fresh = rows.into_iter().filter(|row| tried.insert(row.muid.medallion()));
		fresh.map(|row| self.source(row)).collect()
	}

	/// Returns the nodes that have the version for any tenant.
	pub(super) async fn others(
		&self,
		version: VersionId,
		tried: &mut HashSet<u64>,
	) -> Result<Vec<Source>, Error> {
		let all = self.all.get_or_try_init(|| self.at.rows_of_versions(&self.wanted)).await?;
		let rows = all.get(&version).into_iter().flatten().map(|(_, _, row)| row.clone());
		Ok(self.of(&rows.collect::<Vec<_>>(), tried))
	}

	fn source(&self, row: &rows::Version) -> Source {
		let Some((id, locator)) = self.nodes.get(&row.muid.medallion()) else {
			return Source {
				name: format!("the node {}", row.node),
				node: Err(NodeError::Removed),
			};
		};
		let name = format!("the node {id} at {locator}");
		let mut clients = self.clients.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
		let node = match clients.get(locator) {
			Some(client) => Ok(client.clone()),
			None => server(&locator.raw())
				.map(|url| clients.entry(locator.clone()).or_insert(ContentNode::new(url)).clone()),
		};
		Source { name, node }
	}
}
