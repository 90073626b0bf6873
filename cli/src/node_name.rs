// SPDX-License-Identifier: Apache-2.0
//! Nodes that are named on the command line or in a profile.

use std::str::FromStr;

use content_fabric_client::{
	chain::{self, rows, Snapshot},
	ids::{self, IdError},
};
use content_fabric_identifiers::{NodeId, ProviderId};
use serde::{de, Deserialize, Deserializer};

use crate::Error;

/// A node: `inod…`, or `iprv…/inod…` where several providers have one with this id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeName {
	pub provider: Option<ProviderId>,
	pub node: NodeId,
}

impl FromStr for NodeName {
	type Err = IdError;

	fn from_str(text: &str) -> Result<Self, IdError> {
		match text.split_once('/') {
			Some((provider, node)) => {
				Ok(Self { provider: Some(ids::parse(provider)?), node: ids::parse(node)? })
			},
			None => Ok(Self { provider: None, node: ids::parse(text)? }),
		}
	}
}

impl<'de> Deserialize<'de> for NodeName {
	fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
		let wrong = || de::Error::custom("expected the id of a node, inod… or iprv…/inod…");
		let text = String::deserialize(deserializer).map_err(|_| wrong())?;
		text.parse().map_err(|_| wrong())
	}
}

impl NodeName {
	/// Returns the nodes with their providers. All of them exist.
	pub async fn find(names: &[Self], at: &Snapshot) -> Result<Vec<(ProviderId, NodeId)>, Error> {
		if names.is_empty() {
			return Ok(Vec::new());
		}
		let nodes: Vec<_> =
			at.rows(rows::nodes(), ()).await?.into_iter().map(|(id, _)| id).collect();
		names.iter().map(|name| name.of(&nodes)).collect()
	}

	/// Returns the node with its provider, among all nodes. One that is named with its provider may
	/// have been removed.
	fn of(&self, nodes: &[(ProviderId, NodeId)]) -> Result<(ProviderId, NodeId), Error> {
		let Self { provider, node } = *self;
		if let Some(provider) = provider {
			return Ok((provider, node));
		}
		let mut found = nodes.iter().filter(|(_, id)| *id == node);
		let first = found.next().ok_or_else(|| chain::Error::unknown("node", node))?;
		match found.next() {
			None => Ok(*first),
			Some(_) => Err(Error::Usage(format!(
				"{node}: several providers have a node with this id: name it by iprv…/{node}"
			))),
		}
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_node_is_named_alone_if_that_says_which_one() {
		let (one, other) = (ProviderId([1; 10]), ProviderId([2; 10]));
		let (node, twin) = (NodeId([3; 10]), NodeId([4; 10]));
		let nodes = [(one, node), (one, twin), (other, twin)];
		let find = |text: String| text.parse::<NodeName>().expect("it is a name; qed").of(&nodes);
		assert_eq!(find(node.to_string()).ok(), Some((one, node)));
		assert_eq!(find(format!("{other}/{twin}")).ok(), Some((other, twin)));
		let error = find(twin.to_string()).expect_err("there are two").to_string();
		assert!(error.ends_with(&format!("name it by iprv…/{twin}")), "{error}");
		assert!(find(NodeId([9; 10]).to_string()).is_err());
		for text in
			["", "/", "inod", &format!("{node}/{one}"), &format!("{one}/"), &one.to_string()]
		{
			assert!(text.parse::<NodeName>().is_err(), "{text}");
		}
	}
}
