// SPDX-License-Identifier: Apache-2.0
//! A transaction that takes much longer than its weight.

use std::{path::Path, time::Instant};

use subxt::{
	dynamic::Value,
	rpcs::{rpc_params, RpcClient},
};

use super::{partition::SUBMITTERS, Faults, ACCESS, ALL, FAST, RECOVERY};
use crate::{
	client::{signer, Client, Remark},
	council::THREE_OF_FIVE,
	network::{Specification, Testbed},
	upgrade::{
		blobs,
		calls_by_name::{call, Sender},
	},
	wait,
};

/// Rounds of a loop that takes longer than any validator waits for a block.
const ROUNDS: u64 = 20_000_000_000;

impl Faults {
	/// Starts a network whose runtime has a call that takes too long, and makes it. Each validator
	/// discards one block with it, and then removes it from its pool. Other transactions go on.
	pub async fn overrun(dir: &Path) -> Self {
		let chain = Specification::local().with_pace(FAST).with(b":code", &blobs::drill());
		let testbed = Testbed::boot_chain(dir, &chain);
		let faults = Self::on(testbed, dir, rand::random(), THREE_OF_FIVE);
		faults.recovers("their start").await;

		let [spinner, other] = SUBMITTERS;
		let url = faults.testbed.nodes[ACCESS].url.clone();
		let sender = Sender::connect(&url, signer(spinner)).await;
		let spin = Value::from_bytes([&b"spin"[..], &ROUNDS.to_le_bytes()].concat());
		let spin = call("System", "remark", [("remark", spin)]);
		let start = Instant::now();
		sender.submit(&sender.sign(0, &spin).await).await;
		for number in ALL {
			let node = &faults.testbed.nodes[number];
			let stays = format!("{} removes no transaction", node.name);
			wait::until(RECOVERY, &stays, async || {
				let log = std::fs::read(&node.log).expect("the log can be read");
				String::from_utf8_lossy(&log).contains("removes the transaction")
			})
			.await;
		}
		println!("all have removed the transaction after {:.1?}", start.elapsed());
		let client = Client::connect(&url).await;
		client.submit(&signer(other), Remark { remark: Vec::new() }).await;
		faults.recovers("another transaction").await;
		let pause = faults.testbed.record.longest_pause(start);
		println!("the longest time without a new final block was {pause:.1?}");
		assert_eq!(sender.nonce().await, 0, "the transaction is in a block");
		for node in &faults.testbed.nodes {
			let rpc = RpcClient::from_insecure_url(&node.url).await.expect("the node answers");
			let pending = rpc.request::<Vec<String>>("author_pendingExtrinsics", rpc_params![]);
			assert!(pending.await.expect("the node answers").is_empty(), "{}", node.name);
		}
		faults
	}
}
