// SPDX-License-Identifier: Apache-2.0
//! A validator that runs twice.

use std::time::Instant;

use super::{Faults, ACCESS, ALL, RECOVERY};
use crate::{
	network::Testbed,
	validators::{account, find_event, Session},
	wait,
};

/// The number of the validator that runs twice.
const ALICE: usize = 0;
/// Number of the blocks that each side of a cut makes.
const BLOCKS: u64 = 4;
/// The key of its account.
const KEY: &str = "//Alice";

impl Faults {
	/// Runs a validator on both sides of a cut. When that is healed, its double votes are reported,
	/// and it is disabled.
	pub async fn twin(&mut self) {
		let twin = self.node("twin", &["--validator", "--alice"]);
		let before = self.testbed.record.height();
		// With Dave, the side of the twin would have three votes, and finality would not wait.
		self.testbed.switch.partition(&[&[ALICE, 1], &[2, twin], &[3]]);
		// In the round that the cut interrupts, the validator has voted by now, for a block that
		// both sides have. Only on top of later blocks does the twin vote for another one.
		self.makes_blocks(&[2]).await;
		self.testbed.boot(&[twin]);
		catches_up(&self.testbed, twin, 2).await;
		self.makes_blocks(&[ALICE, twin]).await;
		self.stands_still().await;
		self.testbed.switch.heal();

		let (start, raw) = (Instant::now(), self.testbed.nodes[ACCESS].connect().await);
		let is_disabled = async || Session::read(&raw).await.disabled_accounts() == [account(KEY)];
		wait::until(RECOVERY, "nobody reports the double votes", is_disabled).await;
		println!("the twin is disabled {:.1?} after the cut is healed", start.elapsed());
		let reported = raw.best_block().await.0;
		let time = self.testbed.reaches(&ALL, reported, RECOVERY).await;
		println!("block {reported} is finalized {time:.1?} later");
		self.testbed.kill(&[twin]);
		self.testbed.wipe(twin);

		// The block that was the best then may be of a fork that lost. Another one has the report.
		let url = &self.testbed.nodes[ACCESS].url;
		wait::until(RECOVERY, "no final block says that it is disabled", async || {
			let blocks = self.testbed.record.blocks().split_off(&(before + 1));
			let found = find_event(url, blocks, "Session", "ValidatorDisabled").await;
			found.inspect(|block| println!("block {block} says so")).is_some()
		})
		.await;
	}

	/// Has the council put the validator back that ran twice: it takes it out, and names it again.
	pub async fn reinstate_twin(&mut self) {
		let raw = self.testbed.nodes[ACCESS].connect().await;
		self.name_validators(&[], &[KEY]).await;
		self.name_validators(&[KEY], &[]).await;
		assert_eq!(Session::read(&raw).await.disabled, [], "the council has put it back");
		self.testbed.finalizes(&ALL, 1, RECOVERY).await;
	}

	/// Waits until nodes have so many new blocks that they have voted on different ones.
	async fn makes_blocks(&self, numbers: &[usize]) {
		for number in numbers {
			let node = self.testbed.nodes[*number].connect().await;
			let target = node.best_block().await.0 + BLOCKS;
			let stands = format!("{number} makes no blocks");
			let goes_on = async || node.best_block().await.0 >= target;
			wait::until(4 * RECOVERY, &stands, goes_on).await;
		}
	}
}

/// Waits until a node has the best block of another one.
async fn catches_up(testbed: &Testbed, number: usize, other: usize) {
	let behind = testbed.nodes[number].connect().await;
	let ahead = testbed.nodes[other].connect().await;
	let lags = format!("{} gets no blocks", testbed.nodes[number].name);
	let is_even = async || behind.best_block().await.0 + 1 >= ahead.best_block().await.0;
	wait::until(RECOVERY, &lags, is_even).await;
}
