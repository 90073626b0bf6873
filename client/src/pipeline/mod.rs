// SPDX-License-Identifier: Apache-2.0
//! Many transactions at once: several in flight for each account, followed from block to block.
//!
//! The work is a plan of [`Task`]s on [lanes](Task::lane). Tasks of one kind go into a transaction
//! together. A [`Round`](round::Round) sends them with consecutive nonces and learns their outcomes
//! from blocks; [`drive()`] repeats rounds until the chain lacks nothing. After anything unexpected, a
//! round lets what is in flight settle, and the next one plans from the state of the chain.
//!
//! The state and the decisions of a round are apart from the connection, which is behind the trait
//! [`Node`]. So the tests run the same code on a model of a chain that drops, retracts and refuses.

mod board;
mod branch;
mod cause;
mod drive;
mod node;
mod round;
#[cfg(test)]
mod simulation;

use std::{collections::HashSet, ops::Range, time::Duration};

pub(crate) use drive::drive;
pub(crate) use node::ChainNode;

use crate::{chain, Error};

/// The hash of a block or a transaction.
pub type Hash = [u8; 32];

/// Number of lanes.
pub(crate) const LANES: usize = 2;

/// The place of a task in its plan.
pub(crate) type TaskId = u32;

/// A piece of work that a transaction can do with others of its kind.
#[derive(Clone, Debug)]
pub(crate) struct Task {
	/// The lane that the task is on, below [`LANES`].
	pub lane: usize,
	/// The kind of task. Only tasks of one kind share a transaction.
	pub kind: usize,
	/// The tasks that it must wait for.
	pub needs: Needs,
}

/// The tasks that another one waits for. They must come earlier in the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
	/// None.
	Nothing,
	/// One task.
	One(TaskId),
	/// At least one of several tasks.
	AnyOf(Range<TaskId>),
	/// The success of all others. If one fails, the task is left for the next plan.
	All,
}

/// Tasks for one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Batch {
	/// The lane of the tasks.
	pub lane: usize,
	/// The kind of the tasks.
	pub kind: usize,
	/// The tasks, ascending.
	pub tasks: Vec<TaskId>,
}

/// A signed transaction, ready to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Signed {
	/// The hash of the transaction.
	pub hash: Hash,
	/// The encoded transaction.
	pub bytes: Vec<u8>,
}

/// The header of a block, as far as it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
	/// The hash of the block.
	pub hash: Hash,
	/// The hash of its parent.
	pub parent: Hash,
	/// Its number.
	pub number: u64,
}

/// The result of a transaction that is in a block: the record key that it minted last, or the
/// reason of its failure.
pub(crate) type Outcome = Result<Option<String>, String>;

/// The reason why a node does not take a transaction.
#[derive(Debug)]
pub(crate) enum Refusal {
	/// It has the transaction already.
	Known,
	/// Another transaction has the nonce, or it is in a block.
	NonceTaken(chain::Error),
	/// The account cannot pay the fee.
	Fee(chain::Error),
	/// Its pool is full, or the transaction is not valid for now.
	Other(chain::Error),
	/// The connection is lost.
	Lost(chain::Error),
}

/// A node, as rounds need it.
pub(crate) trait Node {
	/// The best blocks, as they come.
	type Heads;

	/// Subscribes to the best blocks. The first is the present one.
	async fn heads(&self) -> Result<Self::Heads, chain::Error>;
	/// Waits for the next best block.
	async fn next_head(&self, heads: &mut Self::Heads) -> Result<Head, chain::Error>;
	/// Returns the header of a block.
	async fn header(&self, block: Hash) -> Result<Head, chain::Error>;
	/// Returns the outcomes of those of our transactions that are in a block.
	async fn outcomes(
		&self,
		block: Hash,
		ours: &HashSet<Hash>,
	) -> Result<Vec<(Hash, Outcome)>, chain::Error>;
	/// Hands a transaction to the pool.
	async fn submit(&self, bytes: &[u8]) -> Result<(), Refusal>;
	/// Returns the number of an account's transactions in blocks, and with those in the pool.
	async fn nonces(&self, account: usize) -> Result<(u64, u64), chain::Error>;
	/// Waits until a block is finalized. Returns false if another block of its number is.
	async fn finalized(&self, number: u64, block: Hash) -> Result<bool, chain::Error>;
	/// Connects again, and tries until the node answers or `patience` is over. The runtime must be
	/// the same.
	async fn reconnect(&mut self, patience: Duration) -> Result<(), chain::Error>;
}

/// Work for rounds.
pub(crate) trait Work<N: Node> {
	/// Plans what the chain lacks. It may submit what everything else needs. Returns the tasks, and
	/// the block whose state they come from; nothing needs its parent.
	async fn plan(&mut self, node: &N) -> Result<(Vec<Task>, Head), Error>;
	/// Signs a transaction that does the tasks of a batch. `None` if a block has no room for it;
	/// a single task has.
	async fn sign(&mut self, node: &N, batch: &Batch, nonce: u64) -> Result<Option<Signed>, Error>;
	/// Counts the tasks of a transaction that has succeeded. Called at the end of a round.
	fn done(&mut self, batch: &Batch, minted: Option<&str>);
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
pub(crate) struct Settings {
	/// The account of each lane.
	pub accounts: [usize; LANES],
	/// The largest number of tasks in a transaction, by kind.
	pub limits: Vec<usize>,
	/// The largest number of transactions of an account in flight.
	pub window: usize,
	/// Time without progress after which nothing more is sent, until what is in flight has settled.
	pub stall: Duration,
	/// Time for which transactions may wait in the pool, and for which a node may be away.
	pub patience: Duration,
	/// The longest time that is waited at random after a conflict, times the number of conflicts.
	pub backoff: Duration,
	/// True to wait until the last block is finalized.
	pub finalized: bool,
}

/// The end of a round other than that of its tasks.
#[derive(Debug)]
pub(crate) enum Anomaly {
	/// The connection is lost.
	Lost(Error),
	/// The state of the chain is not what the plan took it for, such as after a conflict with
	/// another publisher.
	Stale(Error),
}
