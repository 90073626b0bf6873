// SPDX-License-Identifier: Apache-2.0
//! The progress of the index, for readers in other threads.

use crate::source::Runtime;

/// The progress of the index, and the state of its node.
#[derive(Clone, Default)]
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
