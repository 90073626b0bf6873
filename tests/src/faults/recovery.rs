// SPDX-License-Identifier: Apache-2.0
//! The loss of two of four validators for good, and the way back to finality that the guide for
//! operators describes.

use std::{collections::BTreeSet, time::Duration};

use tokio::task::block_in_place;

use super::{Faults, ACCESS, RECOVERY};
use crate::{
	council::{self, FOUR_OF_FIVE, THREE_OF_FIVE},
	process::{fabric_failure, fabric_json},
	raw::Raw,
	validators::{account, Session},
	wait,
};

/// The validators that are lost.
const LOST: [usize; 2] = [2, 3];
/// The validators that are left.
const LEFT: [usize; 2] = [0, 1];
/// Those that replace the ones that are lost: their nodes, and the keys of their accounts.
const NEW: [(&str, &str); 2] = [("eve", "//Eve"), ("ferdie", "//Ferdie")];
/// The keys of all accounts of the new set.
const SET: [&str; 4] = ["//Alice", "//Bob", "//Eve", "//Ferdie"];
/// Blocks from the session of the new set to its first vote.
const DELAY: &str = "4";
/// Longest time of a session, half of whose blocks are missing.
const SESSION: Duration = Duration::from_secs(180);

impl Faults {
	/// Loses two of four validators for good. The council names two others, and has the new set
	/// vote although the old one has not finalized the change.
	pub async fn lose_two(&mut self) {
		self.testbed.kill(&LOST);
		for number in LOST {
			self.testbed.wipe(number);
		}
		self.stands_still().await;
		let url = self.testbed.nodes[ACCESS].url.clone();
		let raw = self.testbed.nodes[ACCESS].connect().await;

		let new = NEW.map(|(name, _)| self.node(name, &["--validator"]));
		self.testbed.boot(&new);
		for (number, (_, key)) in new.into_iter().zip(NEW) {
			let node = &self.testbed.nodes[number].url;
			block_in_place(|| register(node, &url, key));
		}
		// All but one vote before the session in which the motion must pass: anybody can close a
		// motion that has its votes.
		let (finalized, _) = raw.finalized_block().await;
		let last = finalized.to_string();
		let note =
			["validator", "note-stalled", "--delay", DELAY, "--last-finalized", &last, "--yes"];
		let (last_member, others) = FOUR_OF_FIVE.split_last().expect("somebody votes");
		let closing = council::step(&note, "close", last_member);
		let early = block_in_place(|| {
			council::support(&url, others, &note);
			fabric_failure(&url, &closing)
		});
		assert!(early.error.contains("or they are the present ones"), "{early:?}");

		let set: Vec<_> = SET.iter().map(|key| account(key).to_string()).collect();
		let mut name = vec!["validator", "set", "--yes"];
		name.extend(set.iter().map(String::as_str));
		block_in_place(|| council::carry(&url, THREE_OF_FIVE, &name));
		let named = Session::read(&raw).await;

		self.session(&raw, named.index + 1).await;
		block_in_place(|| {
			fabric_json(&url, &council::step(&note, "vote", last_member));
			fabric_json(&url, &closing);
		});
		let queued = Session::read(&raw).await;
		assert_eq!(queued.index, named.index + 1, "the motion took longer than the session");
		assert_eq!(self.testbed.record.height(), finalized, "finality goes on by itself");

		self.session(&raw, queued.index + 1).await;
		let active = Session::read(&raw).await.validators;
		assert_eq!(BTreeSet::from_iter(active), BTreeSet::from(SET.map(account)));
		let set = [&LEFT[..], &new[..]].concat();
		let time = self.testbed.finalizes(&set, 5, 2 * RECOVERY).await;
		println!("the new set finalizes blocks {time:.1?} after its session begins");

		assert_eq!(Session::read(&raw).await.set_id, raw.set_of_the_node().await);

		// A new node follows block by block.
		let full = self.node("full", &[]);
		self.testbed.boot(&[full]);
		let time = self.testbed.finalizes(&[full], 2, 2 * RECOVERY).await;
		println!("a new node has followed {time:.1?} after its start");
	}

	/// Waits until a session begins.
	async fn session(&self, raw: &Raw, index: u32) {
		let stays = format!("session {index} does not begin");
		wait::until(SESSION, &stays, async || Session::read(raw).await.index >= index).await;
	}
}

/// Has a node make session keys for the account of a development key, and registers them through
/// another node.
fn register(node: &str, url: &str, key: &str) {
	let made = fabric_json(node, &["validator", "make-keys", &account(key).to_string()]);
	let text = |part: &str| made[part].as_str().expect("it is hex").to_owned();
	let (keys, proof) = (text("keys"), text("proof"));
	fabric_json(url, &["validator", "set-keys", &keys, &proof, "--signer", key]);
}
