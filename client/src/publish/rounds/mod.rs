// SPDX-License-Identifier: Apache-2.0
//! Sends many items with many transactions: hopefully at first, and then surely.
//!
//! The work is a plan of [`Task`]s: what the chain lacks. [`publish()`] sends the plan in a window
//! of transactions with consecutive nonces, and reads from the blocks which of them succeeded.
//! Whatever goes wrong ends the round, and the next one plans anew. At the end, a plan from a final
//! block decides whether all is done.
//!
//! The connection is behind the trait [`Node`], so that the tests run the same code on a model of a
//! chain that drops, retracts and refuses.

mod engine;
mod node;
mod round;
#[cfg(test)]
mod simulation;
mod suspects;

use std::{collections::HashSet, time::Duration};

#[cfg(feature = "http")]
pub use engine::{may_pass, stopped, LOSSES};
pub use engine::{publish, FAREWELL};
pub use node::ChainNode;

use crate::chain::Error;

/// The hash of a block or a transaction.
pub type Hash = [u8; 32];

/// The largest number of accounts that sign.
pub const LANES: usize = 2;

/// A piece of work that a transaction can do with others of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task<Item> {
	/// The lane of the task, below [`LANES`]: the role that signs it.
	pub lane: usize,
	/// The kind of task. Only tasks of one kind share a transaction.
	pub kind: usize,
	/// The stage. All tasks of lower stages, which come earlier in the plan, must succeed before.
	pub stage: usize,
	/// The item to be put on the chain.
	pub item: Item,
}

/// Items for one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch<Item> {
	/// The lane of all items.
	pub lane: usize,
	/// The kind of all items.
	pub kind: usize,
	/// The stage of all items.
	pub stage: usize,
	/// The items, in the order of the plan.
	pub items: Vec<Item>,
}

/// The place of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
	/// The hash of the block.
	pub hash: Hash,
	/// Its number.
	pub number: u64,
}

/// The result of a transaction in a block, or of a dry run, with the reason of a failure.
pub type Outcome = Result<(), String>;

/// A block, as far as it is needed.
#[derive(Clone, Debug)]
pub struct Block {
	/// The place of the block.
	pub head: Head,
	/// The hash of its parent.
	pub parent: Hash,
	/// The outcomes of our transactions in it.
	pub outcomes: Vec<(Hash, Outcome)>,
	/// True if the next block has another runtime.
	pub upgrades: bool,
}

/// A signed transaction.
#[derive(Clone, Debug)]
pub struct SignedBytes {
	/// The encoded transaction.
	pub bytes: Vec<u8>,
	/// Its hash.
	pub hash: Hash,
	/// The number of the last block in which it is valid.
	pub last_block: u64,
}

/// The reason why a node does not take a transaction.
#[derive(Debug)]
pub enum Refusal {
	/// Its nonce is used, the pool is full, or it is not valid for now.
	NotTaken(Error),
	/// The account cannot pay the fee, or the signature is wrong. Another attempt is likely to fail,
	/// too.
	Hopeless(Error),
	/// The connection is lost.
	Lost(Error),
}

/// A node, as rounds need it.
// All of it runs in one task.
#[allow(async_fn_in_trait)]
pub trait Node {
	/// A call that an account can sign.
	type Call;
	/// The state after a block.
	type State;

	/// Returns the best block. With a light client, it is the last final one.
	async fn best(&self) -> Result<Head, Error>;
	/// Returns the last final block.
	async fn finalized(&self) -> Result<Head, Error>;
	/// Returns the state after a block, from which a round begins: transactions are signed for its
	/// runtime.
	async fn begin(&self, block: Head) -> Result<Self::State, Error>;
	/// Returns the state after a block.
	async fn state(&self, block: Head) -> Result<Self::State, Error>;
	/// Returns a block. `None` if the node does not have it.
	async fn block(&self, block: Hash, ours: &HashSet<Hash>) -> Result<Option<Block>, Error>;
	/// Returns the number of an account's transactions in blocks, up to this one.
	async fn nonce(&self, account: usize, block: Head) -> Result<u64, Error>;
	/// Returns the number of an account's transactions in best blocks and in the pool.
	async fn next_nonce(&self, account: usize) -> Result<u64, Error>;
	/// Makes a dry run of a call after a block.
	async fn rehearse(
		&self,
		block: Head,
		account: usize,
		call: &Self::Call,
	) -> Result<Outcome, Error>;
	/// Signs a call.
	fn sign(&self, account: usize, call: &Self::Call, nonce: u64) -> Result<SignedBytes, Error>;
	/// Hands a transaction to the pool.
	async fn submit(&self, bytes: Vec<u8>) -> Result<(), Refusal>;
	/// Waits until the node reports a block. It may do so too often, or never.
	async fn changed(&self) -> Result<(), Error>;
	/// Connects again, and tries until the node answers or `patience` is over.
	async fn reconnect(&self, patience: Duration) -> Result<(), Error>;
}

/// Work for rounds.
#[allow(async_fn_in_trait)]
pub trait Work<N: Node> {
	/// Something to be put on the chain.
	type Item: Clone;
	/// An error of planning, or of drafting a call.
	type Error: From<Error>;

	/// Returns the error of the connection or the chain that an error is.
	fn cause(error: &Self::Error) -> Option<&Error>;
	/// Creates what everything else needs.
	async fn prepare(&mut self, node: &N) -> Result<(), Self::Error>;
	/// Plans what a state lacks, without what is [set aside](Self::set_aside).
	async fn plan(
		&mut self,
		node: &N,
		state: &N::State,
	) -> Result<Vec<Task<Self::Item>>, Self::Error>;
	/// Returns the largest number of items in a transaction.
	fn limit(&self, kind: usize) -> usize;
	/// Returns the call that does the items of a batch. `None` if a block has no room for it. A
	/// single item always fits.
	async fn call(
		&mut self,
		node: &N,
		batch: &Batch<Self::Item>,
	) -> Result<Option<N::Call>, Self::Error>;
	/// Records that the transaction of items is about to be sent, or has failed.
	fn in_flight(&mut self, items: &[Self::Item], is_in_flight: bool);
	/// Counts items that are in a block. A fork may take them out again, which the next plan shows.
	fn done(&mut self, items: &[Self::Item]);
	/// Leaves an item out of the plans to come, until it is clear whether it is bad.
	fn set_aside(&mut self, item: &Self::Item);
	/// Puts an item that was set aside back into the plans to come.
	fn restore(&mut self, item: &Self::Item);
	/// Records that an item that was set aside is bad.
	fn failed(&mut self, item: &Self::Item, reason: &str);
	/// Returns whether another plan is needed after a round that did all of this one.
	fn wants_more(&self) -> bool;
	/// Reports that all is done, and that its last block is not final yet.
	fn unfinal(&mut self, block: u64);
	/// Reports that the connection is lost, and that the node has `patience` to come back.
	fn disconnected(&mut self, error: &Self::Error, patience: Duration);
	/// Reports that the node is back.
	fn reconnected(&mut self);
}

/// The settings of a publish.
#[derive(Clone, Debug)]
pub struct Settings {
	/// The account of each lane.
	pub accounts: [usize; LANES],
	/// The largest number of transactions of an account in flight.
	pub window: usize,
	/// Time without news after which the pool is asked whether it still has what is in flight.
	pub lost_after: Duration,
	/// Time for which transactions may wait in the pool, for which a node may be away, and for which
	/// the last block may not be final.
	pub patience: Duration,
	/// The longest time that is waited at random after a conflict, times the number of conflicts.
	pub backoff: Duration,
	/// The seed of the times that are waited at random.
	pub seed: u64,
	/// True to wait until the last block is final, and to plan from its state.
	pub finalized: bool,
}

/// The end of a publish.
#[derive(Debug)]
pub enum End<E> {
	/// The chain lacks nothing, besides bad items.
	Done,
	/// The user has stopped it.
	Interrupted,
	/// An error has ended it.
	Failed(E),
}

/// The result of a publish.
#[derive(Debug)]
pub struct Report<E> {
	/// Number of transactions that were sent.
	pub transactions: u64,
	/// The last block with one of them.
	pub last: Option<Head>,
	/// The end.
	pub end: End<E>,
}
