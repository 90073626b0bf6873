// SPDX-License-Identifier: Apache-2.0
//! The place from which a chain is read.

use std::fmt;

use super::Specification;
use crate::profile::NodeUrl;

/// The place from which a chain is read.
#[derive(Clone, Debug)]
pub enum Source {
	/// A node, by the URL of its JSON-RPC server.
	Node(NodeUrl),
	/// A light client in this program, by the specification that it starts from.
	Light(Specification),
}

impl Source {
	/// Returns whether this is a light client.
	pub fn is_light(&self) -> bool {
		matches!(self, Self::Light(_))
	}

	/// Returns whether this machine's user vouches for the kind of chain that is reported: it comes
	/// from a node on this machine, or from a file.
	pub(super) fn is_local(&self) -> bool {
		match self {
			Self::Node(url) => url.is_local(),
			Self::Light(_) => true,
		}
	}
}

impl fmt::Display for Source {
	/// Writes the URL without its secrets, or the path of the specification.
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Node(url) => url.fmt(f),
			Self::Light(specification) => specification.path().display().fmt(f),
		}
	}
}
