// SPDX-License-Identifier: Apache-2.0
//! Proposers that return no block with a transaction that took too long.

use std::{
	future::Future,
	pin::Pin,
	sync::Arc,
	time::{Duration, Instant},
};

use futures::{FutureExt, TryFutureExt};
use log::warn;
use prometheus_endpoint::{Counter, U64};
use sc_service::SpawnTaskHandle;
use sp_consensus::{Environment, Error, Proposal, ProposeArgs, Proposer};

use super::{
	attempt::Attempt,
	pool::{WatchedPool, EXCLUDED},
};
use crate::types::{Block, Header};

type Boxed<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

/// Removes transactions that took too long.
#[derive(Clone)]
pub struct Judge {
	/// The pool from which they are removed.
	pub pool: Arc<WatchedPool>,
	/// The longest that a transaction may take.
	pub longest: Duration,
	/// Runs the removal.
	pub spawner: SpawnTaskHandle,
	/// Counts removals.
	pub counter: Counter<U64>,
}

impl Judge {
	/// Ends an attempt at a block, and removes its slowest transaction if that took too long.
	/// Returns whether it did.
	fn end(&self, attempt: &Attempt) -> bool {
		let slowest = attempt.give_up(Instant::now());
		let Some((hash, took)) = slowest.filter(|(_, took)| *took > self.longest) else {
			return false;
		};
		let (took, longest, minutes) =
			(took.as_millis(), self.longest.as_millis(), EXCLUDED.as_secs() / 60);
		warn!(
			"Transaction {hash:?} takes more than {longest} ms: {took} ms so far. This node discards \
			 the block, removes the transaction, and does not include it for {minutes} minutes."
		);
		self.counter.inc();
		let pool = self.pool.clone();
		let remove = async move { pool.remove(hash).await };
		self.spawner.spawn("remove-overrun", Some("block-authoring"), remove);
		true
	}
}

/// Makes proposers, as another factory does, and watches them.
pub struct WatchedFactory<Factory> {
	factory: Factory,
	judge: Judge,
}

impl<Factory> WatchedFactory<Factory> {
	/// `factory` takes its transactions from the pool of the judge.
	pub fn new(factory: Factory, judge: Judge) -> Self {
		Self { factory, judge }
	}
}

impl<Factory: Environment<Block>> Environment<Block> for WatchedFactory<Factory> {
	type Proposer = WatchedProposer<Factory::Proposer>;
	type CreateProposer = Boxed<Self::Proposer, Self::Error>;
	type Error = Factory::Error;

	fn init(&mut self, parent: &Header) -> Self::CreateProposer {
		let judge = self.judge.clone();
		let proposer = self.factory.init(parent);
		proposer.map_ok(|proposer| WatchedProposer { proposer, judge }).boxed()
	}
}

/// A proposer of one block.
pub struct WatchedProposer<Inner> {
	proposer: Inner,
	judge: Judge,
}

impl<Inner: Proposer<Block>> Proposer<Block> for WatchedProposer<Inner> {
	type Error = Inner::Error;
	type Proposal = Boxed<Proposal<Block>, Self::Error>;

	fn propose(self, arguments: ProposeArgs<Block>) -> Self::Proposal {
		let Self { proposer, judge } = self;
		let wait = Wait { attempt: judge.pool.begin(), judge, is_over: false };
		let proposing = proposer.propose(arguments);
		async move {
			let proposal = proposing.await;
			// After some slots without a block, consensus has waited long enough even for this one.
			match wait.end() {
				true => Err(Error::Other("a transaction took too long".into()).into()),
				false => proposal,
			}
		}
		.boxed()
	}
}

/// Consensus waiting for a block. It is dropped when the block is late.
struct Wait {
	attempt: Attempt,
	judge: Judge,
	is_over: bool,
}

impl Wait {
	/// Ends before it is dropped. Returns whether a transaction took too long.
	fn end(mut self) -> bool {
		self.is_over = true;
		self.judge.end(&self.attempt)
	}
}

impl Drop for Wait {
	fn drop(&mut self) {
		if !self.is_over {
			self.judge.end(&self.attempt);
		}
	}
}
