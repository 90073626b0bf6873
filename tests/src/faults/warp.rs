// SPDX-License-Identifier: Apache-2.0
//! New nodes that synchronize by proofs.

use super::{Faults, ACCESS, RECOVERY};
use crate::{validators::Session, wait};

/// The fewest changes of the validators that the proofs are about.
const CHANGES: u64 = 2;
/// Line in the log of a node that has synchronized by proofs.
const WARPED: &str = "Warp sync is complete";

impl Faults {
	/// Starts a new node that synchronizes by proofs over changes of the validators. Makes these
	/// changes if there were none.
	pub async fn warp_sync(&mut self) {
		let raw = self.testbed.nodes[ACCESS].connect().await;
		if Session::read(&raw).await.set_id < CHANGES {
			self.replace_validator().await;
		}
		let before = Session::read(&raw).await;
		assert!(before.set_id >= CHANGES, "{before:?}");

		let new = self.node("new", &["--sync", "warp"]);
		self.testbed.boot(&[new]);
		let time = self.testbed.finalizes(&[new], 1, 2 * RECOVERY).await;
		println!("a new node follows finality {time:.1?} after its start");
		let log = &self.testbed.nodes[new].log;
		let log = std::fs::read_to_string(log).expect("the log can be read");
		assert!(log.contains(WARPED), "it has not synchronized by proofs");
		let node = self.testbed.nodes[new].connect().await;
		let (block, _) = node.finalized_block().await;
		let hash = raw.block_hash(block).await;
		let here = Session::read_at(&node, hash).await;
		assert_eq!(here, Session::read_at(&raw, hash).await, "the states differ");

		// The blocks before come afterwards.
		let has_first = async || node.block_hash(1).await.is_some();
		wait::until(2 * RECOVERY, "the first blocks do not come", has_first).await;
		self.testbed.agree().await;
		self.testbed.kill(&[new]);
		self.testbed.wipe(new);
	}
}
