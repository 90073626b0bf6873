// SPDX-License-Identifier: Apache-2.0
//! The nodes that are asked to hold versions, or no longer are.

use std::collections::HashSet;

use content_fabric_identifiers::{ContentObjectId, Medallion, NodeId, ProviderId, VersionId};

use super::{publisher::Publisher, state::VersionKey, Error};
use crate::chain::{self, rows, Snapshot};

/// A node with its provider.
pub(super) type NodePlace = (ProviderId, NodeId);

/// A change of the copies of a tenant's versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiesChange {
	/// True if the copies are removed, and false if the nodes are asked to hold the versions.
	pub removes: bool,
	/// The nodes.
	pub nodes: Vec<(ProviderId, NodeId)>,
	/// The versions. `None` for all of the tenant.
	pub versions: Option<HashSet<(ContentObjectId, VersionId)>>,
}

/// The copies that versions should have, or should not have.
#[derive(Clone, Copy)]
pub(super) struct Copies<'a> {
	pub nodes: &'a [NodePlace],
	/// The change, if the run does nothing else.
	pub change: Option<&'a CopiesChange>,
}

impl Copies<'_> {
	/// Returns whether the copies are removed.
	pub fn removes(self) -> bool {
		self.change.is_some_and(|change| change.removes)
	}

	/// Returns whether the copies of a version are to be changed, whatever the input has.
	pub fn has(self, version: &VersionKey) -> bool {
		self.change.is_some_and(|change| {
			change.versions.as_ref().is_none_or(|versions| versions.contains(version))
		})
	}
}

/// Nodes with their medallions. A node that is not on the chain has none.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
	pub nodes: Vec<(NodePlace, Option<Medallion>)>,
	pub removes: bool,
}

/// A change of one copy that a version lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lack {
	pub node: NodePlace,
	/// False if the version has a copy of an earlier node with this id.
	pub is_new: bool,
}

impl Asked {
	pub async fn read(at: &Snapshot, copies: Copies<'_>) -> Result<Self, chain::Error> {
		let mut nodes = Vec::new();
		for node in copies.nodes {
			let row = at.get(rows::nodes(), *node).await?;
			nodes.push((*node, row.map(|row| row.medallion)));
		}
		Ok(Self { nodes, removes: copies.removes() })
	}

	/// Returns the changes that a version lacks.
	pub fn lacking(&self, row: &rows::Version) -> Vec<Lack> {
		let lacking = self.nodes.iter().filter_map(|(node, medallion)| {
			let copy = row.copies.iter().find(|copy| (copy.provider, copy.node) == *node);
			let lacks = match self.removes {
				true => copy.is_some(),
				false => copy.is_none_or(|copy| !copy.is_of(*medallion)),
			};
			lacks.then_some(Lack { node: *node, is_new: copy.is_none() })
		});
		lacking.collect()
	}
}

impl Publisher {
	/// Checks that a tenant of the space can ask these nodes to hold the content that `own` takes in.
	pub(super) async fn ensure_can_ask(
		&self,
		at: &Snapshot,
		nodes: &[NodePlace],
		own: Option<NodePlace>,
	) -> Result<(), Error> {
		let most: u32 = at.constant("ContentFabric", "MaxCopies")?;
		let all = nodes.len() + usize::from(own.is_some());
		if u32::try_from(all).is_ok_and(|all| all > most) {
			return Err(Error::Refused(format!(
				"a version has at most {most} copies, and {all} nodes are to hold it"
			)));
		}
		for (index, place) in nodes.iter().enumerate() {
			let (provider, node) = *place;
			if own == Some(*place) {
				return Err(Error::Refused(format!(
					"the node {node} of {provider} takes in the content, so it is not asked for a copy"
				)));
			}
			if nodes[..index].contains(place) {
				return Err(Error::Refused(format!(
					"the node {node} of {provider} is named twice: a node has one copy"
				)));
			}
			if at.node(provider, node).await?.pending {
				return Err(Error::Refused(format!(
					"the node {node} of {provider} has yet to be confirmed"
				)));
			}
			let member = at.member(provider.into()).await?;
			if member.purge.is_some() {
				return Err(chain::Error::BeingPurged(provider.into()).into());
			}
			let (found, space) = (member.space, self.options.space);
			if found != space {
				return Err(Error::Refused(format!(
					"the node {node} of {provider} is in the space {found}, expected {space}: only nodes \
					 of the tenant's space hold its versions"
				)));
			}
		}
		Ok(())
	}
}
