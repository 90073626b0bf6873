// SPDX-License-Identifier: Apache-2.0
//! Networks that are cut in parts.

use rand::seq::SliceRandom;

use super::{Faults, ACCESS, ALL, RECOVERY};
use crate::{
	client::{signer, Client, Remark},
	indexer::{assert_exact, Indexer},
	wait,
};

/// Keys that submit a transaction on each side of a cut. Nothing else uses them.
pub(super) const SUBMITTERS: [&str; 2] = ["//Ferdie", "//One"];

impl Faults {
	/// Cuts the network in halves, neither of which finalizes anything. Then one validator alone is
	/// cut off: the others finalize, and it catches up when the cut is healed. Transactions that
	/// were included on either side are on the common chain in the end.
	pub async fn partition(&mut self) {
		let mut order = ALL;
		order.shuffle(&mut self.random);
		let (half, other) = order.split_at(ALL.len() / 2);
		self.testbed.switch.partition(&[half, other]);
		self.stands_still().await;

		let (alone, three) = order.split_first().expect("there are validators");
		self.testbed.switch.partition(&[three, &[*alone]]);
		let url = self.testbed.nodes[*alone].url.clone();
		let data = self.dir.join("index");
		let index = Indexer::start(&url, &data, &[]);
		let time = self.testbed.finalizes(three, 2, RECOVERY).await;
		println!("three of four finalize {time:.1?} after they are together");
		for (submitter, node) in SUBMITTERS.into_iter().zip([*alone, three[0]]) {
			let client = Client::connect(&self.testbed.nodes[node].url).await;
			client.submit(&signer(submitter), Remark { remark: Vec::new() }).await;
		}

		// The node of the index has a fork that will be lost.
		let raw = self.testbed.nodes[*alone].connect().await;
		let (number, lost) = raw.best_block().await;
		index.wait_until(|status| status["node"]["best"].as_u64() >= Some(number));
		let lost = format!("/v1/blocks/{lost:?}");
		assert_eq!(index.ask(&lost).0, 404, "the index has block {number}, which is not final");

		self.testbed.switch.heal();
		self.recovers("the cut is healed").await;
		index.wait_for_final(number);
		let (code, answer) = index.ask(&lost);
		assert_eq!(code, 404, "the index has the lost block {number}: {answer}");
		assert_exact(index, &url, &data, &raw).await;
		self.submitted += 1;
		for submitter in SUBMITTERS {
			self.has_submitted(submitter).await;
		}
	}

	/// Waits until all transactions of a key are on the chain.
	async fn has_submitted(&self, submitter: &str) {
		let client = Client::connect(&self.testbed.nodes[ACCESS].url).await;
		let account = *signer(submitter).account();
		let missing = format!("{submitter} does not have {} transactions", self.submitted);
		wait::until(RECOVERY, &missing, async || {
			let nonce = client.best().await.nonce(&account).await;
			nonce.expect("accounts have nonces") == self.submitted
		})
		.await;
	}
}
