// SPDX-License-Identifier: Apache-2.0
//! The record of all blocks that the nodes of a network finalize during a run.

use std::{
	collections::BTreeMap,
	sync::{Arc, Mutex, MutexGuard, PoisonError},
	time::{Duration, Instant},
};

use subxt::utils::H256;

use super::PAUSE;
use crate::raw::{Raw, Refused};

/// Longest time that a node may take to answer a question about its blocks.
const ANSWER: Duration = Duration::from_secs(20);

/// The finalized blocks of all nodes, which are read as they come.
#[derive(Clone, Default)]
pub struct Record(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
	/// The hash of each finalized block, and the name of the node that finalized it first.
	blocks: BTreeMap<u64, (String, H256)>,
	/// The number of the last block that each node finalized, by its name.
	heads: BTreeMap<String, u64>,
	/// Times at which a block was finalized by the first node.
	progress: Vec<Instant>,
	/// The blocks that two nodes finalized differently.
	disagreements: Vec<String>,
	/// The errors of the nodes that do not answer now, by their names.
	errors: BTreeMap<String, String>,
}

impl Record {
	/// Reads the finalized blocks of a node from now on. It may end and start again.
	pub(super) fn watch(&self, name: &str, url: &str) {
		let (record, name, url) = (self.clone(), name.to_owned(), url.to_owned());
		tokio::spawn(async move {
			let mut next = 1;
			loop {
				// A node that is down refuses connections; one that is killed cuts them.
				let follow = async {
					let raw = Raw::try_connect(&url).await?;
					loop {
						record.read(&raw, &name, &mut next).await?;
						tokio::time::sleep(PAUSE).await;
					}
				};
				let Err::<(), Refused>(error) = follow.await else { continue };
				record.state().errors.insert(name.clone(), error.to_string());
				tokio::time::sleep(PAUSE).await;
			}
		});
	}

	/// Records the blocks from `next` on that a node has finalized.
	async fn read(&self, raw: &Raw, name: &str, next: &mut u64) -> Result<(), Refused> {
		let head = tokio::time::timeout(ANSWER, raw.try_finalized_block()).await??;
		while *next < head.0 {
			// After a synchronization by proofs, the first blocks come last.
			let hash = tokio::time::timeout(ANSWER, raw.try_block_hash(*next)).await??;
			if let Some(hash) = hash {
				self.add(name, *next, hash);
			}
			*next += 1;
		}
		// After a crash, a node may have lost the last blocks.
		self.add(name, head.0, head.1);
		*next = head.0 + 1;
		let mut state = self.state();
		state.heads.insert(name.into(), head.0);
		state.errors.remove(name);
		Ok(())
	}

	fn add(&self, name: &str, number: u64, hash: H256) {
		let state = &mut *self.state();
		let (first, expected) = state.blocks.entry(number).or_insert_with(|| {
			state.progress.push(Instant::now());
			(name.into(), hash)
		});
		if *expected != hash {
			let disagreement =
				format!("block {number} is {expected:?} for {first}, and {hash:?} for {name}");
			if !state.disagreements.contains(&disagreement) {
				state.disagreements.push(disagreement);
			}
		}
	}

	fn state(&self) -> MutexGuard<'_, State> {
		self.0.lock().unwrap_or_else(PoisonError::into_inner)
	}

	/// Returns the number of the last block that any node finalized.
	pub fn height(&self) -> u64 {
		self.state().blocks.last_key_value().map_or(0, |(number, _)| *number)
	}

	/// Returns the number of the last block that a node finalized.
	pub fn head(&self, name: &str) -> u64 {
		self.state().heads.get(name).copied().unwrap_or_default()
	}

	/// Returns the number of the last block that each node finalized.
	pub fn heads(&self) -> BTreeMap<String, u64> {
		self.state().heads.clone()
	}

	/// Returns the errors of the nodes that do not answer now.
	pub fn errors(&self) -> BTreeMap<String, String> {
		self.state().errors.clone()
	}

	/// Returns all finalized blocks that were seen.
	pub fn blocks(&self) -> BTreeMap<u64, H256> {
		self.state().blocks.iter().map(|(number, (_, hash))| (*number, *hash)).collect()
	}

	/// Returns the longest time since then in which no node finalized a block.
	pub fn longest_pause(&self, since: Instant) -> Duration {
		let state = self.state();
		let times = state.progress.iter().copied().filter(|time| *time > since);
		let (mut longest, mut last) = (Duration::ZERO, since);
		for time in times.chain([Instant::now()]) {
			longest = longest.max(time.duration_since(last));
			last = time;
		}
		longest
	}

	/// Returns the blocks that two nodes finalized differently.
	pub fn disagreements(&self) -> Vec<String> {
		self.state().disagreements.clone()
	}
}
