// SPDX-License-Identifier: Apache-2.0
//! The progress of the index, for readers in other threads.

use std::fmt;

use subxt::metadata::ArcMetadata;

/// The progress of the index, and the state of its node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
	/// The number of the node's best block.
	pub node_best: u64,
	/// The number of the node's last final block.
	pub node_finalized: u64,
	/// True if the node answered the last question.
	pub connected: bool,
	/// When it did, in milliseconds since the Unix epoch.
	pub heard_at: u64,
	/// A number that grows with each change of the index.
	pub generation: u64,
	/// The last error, until the node answers again.
	pub error: Option<String>,
	/// The length of the file, in bytes.
	pub index_bytes: u64,
	/// The runtime that made the last block, once the node has been asked.
	pub runtime: Option<Runtime>,
}

/// A runtime, by which calls are encoded.
#[derive(Clone)]
pub struct Runtime {
	/// Its version.
	pub spec_version: u32,
	/// Its metadata.
	pub metadata: ArcMetadata,
}

impl PartialEq for Runtime {
	fn eq(&self, other: &Self) -> bool {
		self.spec_version == other.spec_version
	}
}

impl Eq for Runtime {}

impl fmt::Debug for Runtime {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.debug_struct("Runtime").field("spec_version", &self.spec_version).finish_non_exhaustive()
	}
}
