// SPDX-License-Identifier: Apache-2.0
//! Proposers of blocks that notice when nobody waits for their block any more.

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
use sp_consensus::{Environment, Proposal, ProposeArgs, Proposer};

use super::{attempt::Attempt, pool::WatchedPool};
use crate::types::{Block, Header};

/// The part of its time after which a proposer starts no other transaction. A transaction that takes
/// less than the rest makes no block late.
const MARGIN: u32 = 10;

type Boxed<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

/// What proposers need to remove a transaction.
#[derive(Clone)]
struct Removal {
	pool: Arc<WatchedPool>,
	spawner: SpawnTaskHandle,
	counter: Counter<U64>,
}

/// Makes proposers, as another factory does, and watches them.
pub struct WatchedFactory<Factory> {
	factory: Factory,
	removal: Removal,
}

impl<Factory> WatchedFactory<Factory> {
	/// `factory` takes its transactions from `pool`.
	pub fn new(
		factory: Factory,
		pool: Arc<WatchedPool>,
		spawner: SpawnTaskHandle,
		counter: Counter<U64>,
	) -> Self {
		Self { factory, removal: Removal { pool, spawner, counter } }
	}
}

impl<Factory: Environment<Block>> Environment<Block> for WatchedFactory<Factory> {
	type Proposer = WatchedProposer<Factory::Proposer>;
	type CreateProposer = Boxed<Self::Proposer, Self::Error>;
	type Error = Factory::Error;

	fn init(&mut self, parent: &Header) -> Self::CreateProposer {
		let removal = self.removal.clone();
		let proposer = self.factory.init(parent);
		proposer.map_ok(|proposer| WatchedProposer { proposer, removal }).boxed()
	}
}

/// A proposer of one block.
pub struct WatchedProposer<Inner> {
	proposer: Inner,
	removal: Removal,
}

impl<Inner: Proposer<Block>> Proposer<Block> for WatchedProposer<Inner> {
	type Error = Inner::Error;
	type Proposal = Boxed<Proposal<Block>, Self::Error>;

	fn propose(self, arguments: ProposeArgs<Block>) -> Self::Proposal {
		let Self { proposer, removal } = self;
		let (attempt, limit) = (removal.pool.begin(), arguments.max_duration);
		let wait = Wait { attempt, limit, is_over: false, removal };
		let proposing = proposer.propose(arguments);
		async move {
			let proposal = proposing.await;
			wait.end();
			proposal
		}
		.boxed()
	}
}

/// Somebody who waits for a block. Consensus drops it when the block is too late.
struct Wait {
	attempt: Attempt,
	limit: Duration,
	is_over: bool,
	removal: Removal,
}

impl Wait {
	/// Ends, as the block is there or cannot be made.
	fn end(mut self) {
		self.is_over = true;
	}
}

impl Drop for Wait {
	fn drop(&mut self) {
		if self.is_over {
			return;
		}
		let slowest = self.attempt.give_up(Instant::now());
		let Some((hash, took)) = slowest.filter(|(_, took)| *took > self.limit / MARGIN) else {
			return;
		};
		let (took, limit) = (took.as_millis(), self.limit.as_millis());
		warn!(
			"The block was not ready within {limit} ms. Its transaction {hash:?} has taken {took} ms. \
			 This node removes the transaction, and does not include it."
		);
		self.removal.counter.inc();
		let pool = self.removal.pool.clone();
		let remove = async move { pool.remove(hash).await };
		self.removal.spawner.spawn("remove-overrun", Some("block-authoring"), remove);
	}
}
