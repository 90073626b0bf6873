// SPDX-License-Identifier: Apache-2.0
//! Validators that come and go.

use std::time::Instant;

use super::{Faults, ACCESS, RECOVERY};
use crate::{
	client::Client,
	council::Council,
	validators::{add, register_new_keys, remove, Session},
	wait,
};

/// Number of changes of sessions until new validators are active.
const SESSIONS: u32 = 2;
/// The number of the validator whose data is lost, and the key of its account.
const DAVE: (usize, &str) = (3, "//Dave");

impl Faults {
	/// Has the council add a fifth validator and remove the first, and then the other way around.
	/// Finality does not stall.
	pub async fn replace_validator(&mut self) {
		let eve = self.node("eve", &["--validator"]);
		if !self.testbed.nodes[eve].is_started() {
			self.testbed.boot(&[eve]);
		}
		let client = Client::connect(&self.testbed.nodes[ACCESS].url).await;
		let node = self.testbed.nodes[eve].connect().await;
		register_new_keys(&client, &node, "//Eve").await;

		let start = Instant::now();
		self.name_validators(&["//Eve"], &["//Alice"]).await;
		// The vote of the new one counts.
		self.testbed.switch.partition(&[&[1, 2, eve]]);
		self.testbed.finalizes(&[1, 2, eve], 2, RECOVERY).await;
		self.testbed.switch.heal();
		self.name_validators(&["//Alice"], &["//Eve"]).await;
		self.recovers("the first validator is back").await;
		let pause = self.testbed.record.longest_pause(start);
		println!("the longest pause of finality was {pause:.1?}");
		assert!(pause < RECOVERY, "finality stalls");
		self.testbed.kill(&[eve]);
	}

	/// Wipes the database and the keys of a validator while the others finalize. It comes back with
	/// new keys.
	pub async fn wipe_validator(&mut self) {
		let (dave, key) = DAVE;
		self.testbed.kill(&[dave]);
		self.testbed.wipe(dave);
		// Without the flag that gives it the keys it had.
		self.testbed.equip(dave, &["--validator"]);
		self.testbed.boot(&[dave]);
		self.recovers("the start of a validator without data").await;

		let client = Client::connect(&self.testbed.nodes[ACCESS].url).await;
		let (node, raw) =
			(self.testbed.nodes[dave].connect().await, self.testbed.nodes[ACCESS].connect().await);
		let before = Session::read(&raw).await;
		register_new_keys(&client, &node, key).await;
		let is_changed = async || Session::read(&raw).await.set_id != before.set_id;
		wait::until(4 * RECOVERY, "the new keys are not used", is_changed).await;
		// Its vote counts again.
		self.new_set_votes().await;
		self.testbed.switch.partition(&[&[0, 1, dave]]);
		self.testbed.finalizes(&[0, 1, dave], 2, RECOVERY).await;
		self.testbed.switch.heal();
		self.recovers("new keys of a validator").await;
	}

	/// Waits until a set of validators finalizes blocks that makes them already. The set before it
	/// finalizes the block in which they change.
	async fn new_set_votes(&self) {
		let raw = self.testbed.nodes[ACCESS].connect().await;
		let target = raw.best_block().await.0 + 1;
		self.testbed.reaches(&self.testbed.running(), target, RECOVERY).await;
	}

	/// Has the council name other validators, and waits until they are active, which must be at the
	/// second change of sessions, and finalize blocks.
	pub(super) async fn name_validators(&self, more: &[&str], fewer: &[&str]) {
		let url = &self.testbed.nodes[ACCESS].url;
		let client = Client::connect(url).await.finalized();
		let raw = self.testbed.nodes[ACCESS].connect().await;
		let more_calls = more.iter().map(|key| client.encode(add(key)));
		let fewer_calls = fewer.iter().map(|key| client.encode(remove(key)));
		let calls: Vec<_> = more_calls.chain(fewer_calls).collect();
		let block = Council::new(&client, self.council).enact(client.batch(calls)).await;
		let enacted = Session::read_at(&raw, Some(block)).await;
		let mut now = enacted.clone();
		wait::until(4 * RECOVERY, "the validators do not change", async || {
			now = Session::read(&raw).await;
			more.iter().all(|key| now.has(key)) && !fewer.iter().any(|key| now.has(key))
		})
		.await;
		assert_eq!(now.index, enacted.index + SESSIONS, "the session of new validators");
		self.new_set_votes().await;
	}
}
