// SPDX-License-Identifier: Apache-2.0
//! Many transactions at once: a window of them with consecutive nonces, each watched until it is in
//! a block.
//!
//! The work is a plan of [`Task`]s in stages. Tasks of one kind go into a transaction together, and
//! a stage begins when the one before it has succeeded. [`drive()`] repeats rounds until the chain
//! lacks nothing. After anything unexpected, a [`Round`](round::Round) sends nothing more, waits
//! until the pool has no transactions of the accounts, and finds out which are in blocks. The next
//! round plans from the state of the chain.
//!
//! The connection is behind the trait [`Node`]. So the tests run the same code on a model of a
//! chain that drops, retracts and refuses.

mod cause;
mod drive;
mod node;
mod round;
#[cfg(test)]
mod simulation;
mod tally;

use std::{collections::HashSet, time::Duration};

use content_fabric_client::chain;
pub(crate) use drive::{drive, End};
pub(crate) use node::ChainNode;
pub(crate) use tally::Tally;

use crate::Error;

/// The hash of a block or a transaction.
pub type Hash = [u8; 32];

/// Number of lanes.
pub(crate) const LANES: usize = 2;

/// The place of a task in its plan.
pub(crate) type TaskId = u32;

/// A piece of work that a transaction can do with others of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Task {
	/// The lane that the task is on, below [`LANES`].
	pub lane: usize,
	/// The kind of task. Only tasks of one kind share a transaction.
	pub kind: usize,
	/// The stage. All tasks of lower stages, which come earlier in the plan, must succeed before.
	pub stage: usize,
}

/// Tasks for one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Batch {
	/// The common properties of the tasks.
	pub task: Task,
	/// The tasks, ascending.
	pub tasks: Vec<TaskId>,
}

/// A block, as far as it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Head {
	/// The hash of the block.
	pub hash: Hash,
	/// Its number.
	pub number: u64,
}

/// The result of a transaction that is in a block, with the reason of a failure.
pub(crate) type Outcome = Result<(), String>;

/// The reason why a transaction does not get into a block.
#[derive(Debug)]
pub(crate) enum Refusal {
	/// The account cannot pay the fee.
	Fee(chain::Error),
	/// The node does not take it: its nonce is taken, the pool is full, or it is not valid for now.
	NotTaken(chain::Error),
	/// The pool no longer has it.
	Dropped(chain::Error),
	/// The connection is lost.
	Lost(chain::Error),
}

/// A node, as rounds need it.
pub(crate) trait Node {
	/// Hands a transaction to the pool, and waits until it is in a block. Returns the block's hash.
	async fn submit(&self, bytes: &[u8]) -> Result<Hash, Refusal>;
	/// Returns the block with a hash, and the outcomes of our transactions in it.
	/// `None` if the node has no such block.
	async fn outcomes(
		&self,
		block: Hash,
		ours: &HashSet<Hash>,
	) -> Result<Option<(Head, Vec<(Hash, Outcome)>)>, chain::Error>;
	/// Returns the number of the best block.
	async fn best_number(&self) -> Result<u64, chain::Error>;
	/// Returns the hash of the block with a number in the best chain.
	async fn block_hash(&self, number: u64) -> Result<Option<Hash>, chain::Error>;
	/// Returns the number of an account's transactions in blocks, and with those in the pool.
	async fn nonces(&self, account: usize) -> Result<(u64, u64), chain::Error>;
	/// Waits until a block is finalized. Returns false if another block with its number is
	/// finalized.
	async fn finalized(&self, block: Head) -> Result<bool, chain::Error>;
	/// Connects again, and tries until the node answers or `patience` is over. The runtime must be
	/// the same.
	async fn reconnect(&self, patience: Duration) -> Result<(), chain::Error>;
}

/// Work for rounds.
pub(crate) trait Work<N: Node> {
	/// Plans what the chain lacks. It may submit what everything else needs. Returns the tasks, and
	/// the block whose state they come from.
	async fn plan(&mut self, node: &N) -> Result<(Vec<Task>, Head), Error>;
	/// Signs a transaction that does the tasks of a batch, and encodes it. `None` if a block has no
	/// room for it. A single task always fits.
	async fn sign(&mut self, node: &N, batch: &Batch, nonce: u64)
		-> Result<Option<Vec<u8>>, Error>;
	/// Counts the tasks of a transaction that has succeeded. Called at the end of a round.
	fn done(&mut self, batch: &Batch);
	/// Records the tasks of a transaction that was sent, and may get into a block yet. Called at
	/// the end of a round.
	fn unsettled(&mut self, batch: &Batch);
	/// Records a task that failed for good. The plans to come must leave it out.
	fn failed(&mut self, task: TaskId, reason: &str);
	/// Returns whether another plan is needed after a round that did all of this one.
	fn wants_more(&self) -> bool;
	/// Shows how many tasks of the round are done.
	fn progress(&mut self, done: usize, all: usize);
	/// Reports that the connection is lost, and that the node has `patience` to come back.
	fn disconnected(&mut self, error: &Error, patience: Duration);
	/// Reports that the node is back.
	fn reconnected(&mut self);
}

/// The settings of rounds.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(Default))]
pub(crate) struct Settings {
	/// The account of each lane.
	pub accounts: [usize; LANES],
	/// The largest number of tasks in a transaction, by kind.
	pub limits: Vec<usize>,
	/// The largest number of transactions in flight.
	pub window: usize,
	/// Time without progress after which nothing more is sent, until what is in flight has settled.
	pub stall: Duration,
	/// Time for which transactions may wait in the pool, and for which a node may be away.
	pub patience: Duration,
	/// The longest time that is waited at random after a conflict, times the number of conflicts.
	pub backoff: Duration,
	/// The seed of the times that are waited at random.
	pub seed: u64,
	/// True to wait until the last block is finalized.
	pub finalized: bool,
}
