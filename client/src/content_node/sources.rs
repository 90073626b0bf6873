// SPDX-License-Identifier: Apache-2.0
//! The nodes that may have the bytes of a version.

use std::collections::{HashMap, HashSet};

use content_fabric_identifiers::{HashKind, Medallion, NodeId, VersionId};
use tokio::sync::OnceCell;

use super::{server, Access, ContentNode, NodeError};
use crate::{
	chain::{rows, Error, Snapshot, VersionRows},
	text::Text,
};

/// A node that may have the bytes, or the reason why it cannot be asked.
pub(super) struct Source {
	/// The node in words.
	pub name: String,
	pub node: Result<ContentNode, NodeError>,
	pub claim: Claim,
}

/// The kind of hash and the size of a version by one row. Anyone can commit a version with a wrong
/// claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
	/// The kind of hash that the version is.
	pub hash: HashKind,
	/// Number of its bytes. `None` if the row does not know it, which a BLAKE3 version's always does.
	pub size: Option<u64>,
}

impl Claim {
	/// Returns the claim of a row.
	pub fn of(version: VersionId, row: &rows::Version) -> Self {
		Self { hash: row.hash, size: row.known_size(version) }
	}
}

/// The nodes of the chain, and the versions that they have.
pub(super) struct Sources<'a> {
	at: &'a Snapshot,
	/// The nodes and their locators, by medallion. The nodes of a provider that is being purged are
	/// not among them.
	nodes: HashMap<Medallion, (NodeId, Text)>,
	wanted: HashSet<VersionId>,
	/// The rows of these versions under all tenants, which are read when they are needed.
	all: OnceCell<VersionRows>,
	/// A client for each server, so that connections are used again.
	clients: std::sync::Mutex<HashMap<Text, ContentNode>>,
	/// Limits of the clients.
	pub access: Option<Access>,
}

impl<'a> Sources<'a> {
	pub(super) async fn read(at: &'a Snapshot, wanted: HashSet<VersionId>) -> Result<Self, Error> {
		let (nodes, purges) =
			tokio::try_join!(at.rows(rows::nodes(), ()), at.rows(rows::purges(), ()))?;
		let purged: HashSet<_> = purges.into_iter().map(|((member,), _)| member).collect();
		let nodes =
			nodes.into_iter().filter(|((provider, _), _)| !purged.contains(&(*provider).into()));
		let nodes = nodes.map(|((_, id), node)| (node.medallion, (id, node.locator))).collect();
		let (all, clients) = (OnceCell::new(), std::sync::Mutex::default());
		Ok(Self { at, nodes, wanted, all, clients, access: None })
	}

	/// Returns the nodes that hold the version by these rows, those that exist first. Then, those
	/// that were asked to hold it, of rows that are not final: bytes may be there already. A node is
	/// asked once for each claim.
	pub(super) fn of(
		&self,
		version: VersionId,
		rows: &[rows::Version],
		tried: &mut HashSet<(Medallion, Claim)>,
	) -> Vec<Source> {
		let copies = rows.iter().flat_map(|row| {
			let is_asked = |copy: &&rows::Copy| copy.held.is_some() || row.finalized.is_none();
			let claim = Claim::of(version, row);
			row.copies.iter().filter(is_asked).map(move |copy| (copy, claim))
		});
		let mut copies: Vec<_> = copies.collect();
		copies.sort_by_key(|(copy, _)| {
			(copy.held.is_none(), !self.nodes.contains_key(&copy.medallion))
		});
		let fresh =
			copies.into_iter().filter(|(copy, claim)| tried.insert((copy.medallion, *claim)));
		fresh.map(|(copy, claim)| self.source(copy, claim)).collect()
	}

	/// Returns the nodes that have the version for any tenant.
	pub(super) async fn others(
		&self,
		version: VersionId,
		tried: &mut HashSet<(Medallion, Claim)>,
	) -> Result<Vec<Source>, Error> {
		Ok(self.of(version, &self.rows(version).await?, tried))
	}

	/// Returns the rows of a version under all tenants.
	pub(super) async fn rows(&self, version: VersionId) -> Result<Vec<rows::Version>, Error> {
		let all = self.all.get_or_try_init(|| self.at.rows_of_versions(&self.wanted)).await?;
		Ok(all.get(&version).into_iter().flatten().map(|(_, _, row)| row.clone()).collect())
	}

	fn source(&self, copy: &rows::Copy, claim: Claim) -> Source {
		let Some((id, locator)) = self.nodes.get(&copy.medallion) else {
			return Source {
				name: format!("the node {}", copy.node),
				node: Err(NodeError::Removed),
				claim,
			};
		};
		let name = format!("the node {id} at {locator}");
		let mut clients = self.clients.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
		let node = match clients.get(locator) {
			Some(client) => Ok(client.clone()),
			None => server(&locator.raw()).map(|url| {
				let client = match &self.access {
					Some(access) => ContentNode::with_access(url, access),
					None => ContentNode::new(url),
				};
				clients.entry(locator.clone()).or_insert(client).clone()
			}),
		};
		Source { name, node, claim }
	}
}
