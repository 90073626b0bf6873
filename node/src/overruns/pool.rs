// SPDX-License-Identifier: Apache-2.0
//! A transaction pool that notes which transactions a proposer takes, and when.

use std::{
	collections::HashMap,
	pin::Pin,
	sync::Arc,
	time::{Duration, Instant},
};

use async_trait::async_trait;
use parking_lot::Mutex;
use sc_transaction_pool_api::{
	ImportNotificationStream, InPoolTransaction, PoolStatus, ReadyTransactions, TransactionFor,
	TransactionPool, TransactionSource, TransactionStatusStreamFor, TxHash, TxInvalidityReportMap,
};
use schnellru::{ByLength, LruMap};

use super::attempt::Attempt;
use crate::types::{Block, Hash, Pool};

/// The number of removed transactions that are remembered.
const REMEMBERED: u32 = 4_096;
/// Time for which a removed transaction is not included again. Most have expired by then.
pub const EXCLUDED: Duration = Duration::from_secs(30 * 60);

type Transaction = Arc<<Pool as TransactionPool>::InPoolTransaction>;
type Ready = Box<dyn ReadyTransactions<Item = Transaction> + Send>;
/// Removed transactions, and when they were removed.
type Removed = Arc<Mutex<LruMap<Hash, Instant, ByLength>>>;

/// The pool of a node, as its proposer sees it.
pub struct WatchedPool {
	pool: Arc<Pool>,
	/// The latest attempt at a block.
	attempt: Mutex<Attempt>,
	/// The pool's own ban of a removed transaction ends as soon as the pool finds that the
	/// transaction is valid.
	removed: Removed,
}

impl WatchedPool {
	pub fn new(pool: Arc<Pool>) -> Self {
		let removed = LruMap::new(ByLength::new(REMEMBERED));
		Self { pool, attempt: Mutex::default(), removed: Arc::new(Mutex::new(removed)) }
	}

	/// Begins an attempt at a block.
	pub fn begin(&self) -> Attempt {
		let attempt = Attempt::default();
		*self.attempt.lock() = attempt.clone();
		attempt
	}

	/// Removes a transaction, and excludes it for [`EXCLUDED`].
	pub async fn remove(&self, hash: Hash) {
		self.removed.lock().insert(hash, Instant::now());
		let reported = TxInvalidityReportMap::from_iter([(hash, None)]);
		self.pool.report_invalid(None, reported).await;
	}

	fn watched(&self, attempt: Attempt, ready: Ready) -> Ready {
		Box::new(Watched { ready, attempt, removed: self.removed.clone() })
	}

	fn attempt(&self) -> Attempt {
		self.attempt.lock().clone()
	}
}

/// The transactions that are ready, except for those that were removed.
struct Watched {
	ready: Ready,
	attempt: Attempt,
	removed: Removed,
}

impl Watched {
	fn is_removed(&self, transaction: &Transaction) -> bool {
		let mut removed = self.removed.lock();
		removed.get(transaction.hash()).is_some_and(|when| when.elapsed() < EXCLUDED)
	}

	fn next_allowed(&mut self) -> Option<Transaction> {
		loop {
			let next = self.ready.next().filter(|_| !self.attempt.is_over())?;
			if !self.is_removed(&next) {
				return Some(next);
			}
			self.ready.report_invalid(&next);
		}
	}
}

impl Iterator for Watched {
	type Item = Transaction;

	fn next(&mut self) -> Option<Transaction> {
		let next = self.next_allowed();
		self.attempt.next(next.as_ref().map(|next| *next.hash()), Instant::now());
		next
	}
}

impl Drop for Watched {
	/// A proposer that has no time or no room left has taken a transaction that it does not
	/// execute.
	fn drop(&mut self) {
		self.attempt.next(None, Instant::now());
	}
}

impl ReadyTransactions for Watched {
	fn report_invalid(&mut self, transaction: &Transaction) {
		self.ready.report_invalid(transaction);
	}
}

#[async_trait]
impl TransactionPool for WatchedPool {
	type Block = Block;
	type Hash = TxHash<Pool>;
	type InPoolTransaction = <Pool as TransactionPool>::InPoolTransaction;
	type Error = <Pool as TransactionPool>::Error;

	async fn submit_at(
		&self,
		at: Hash,
		source: TransactionSource,
		transactions: Vec<TransactionFor<Self>>,
	) -> Result<Vec<Result<TxHash<Self>, Self::Error>>, Self::Error> {
		self.pool.submit_at(at, source, transactions).await
	}

	async fn submit_one(
		&self,
		at: Hash,
		source: TransactionSource,
		transaction: TransactionFor<Self>,
	) -> Result<TxHash<Self>, Self::Error> {
		self.pool.submit_one(at, source, transaction).await
	}

	async fn submit_and_watch(
		&self,
		at: Hash,
		source: TransactionSource,
		transaction: TransactionFor<Self>,
	) -> Result<Pin<Box<TransactionStatusStreamFor<Self>>>, Self::Error> {
		self.pool.submit_and_watch(at, source, transaction).await
	}

	async fn ready_at(&self, at: Hash) -> Ready {
		let attempt = self.attempt();
		self.watched(attempt, self.pool.ready_at(at).await)
	}

	fn ready(&self) -> Ready {
		self.watched(self.attempt(), self.pool.ready())
	}

	async fn ready_at_with_timeout(&self, at: Hash, timeout: Duration) -> Ready {
		let attempt = self.attempt();
		self.watched(attempt, self.pool.ready_at_with_timeout(at, timeout).await)
	}

	async fn report_invalid(
		&self,
		at: Option<Hash>,
		errors: TxInvalidityReportMap<TxHash<Self>>,
	) -> Vec<Transaction> {
		self.pool.report_invalid(at, errors).await
	}

	fn futures(&self) -> Vec<Self::InPoolTransaction> {
		self.pool.futures()
	}

	fn status(&self) -> PoolStatus {
		self.pool.status()
	}

	fn import_notification_stream(&self) -> ImportNotificationStream<TxHash<Self>> {
		self.pool.import_notification_stream()
	}

	fn on_broadcasted(&self, propagations: HashMap<TxHash<Self>, Vec<String>>) {
		self.pool.on_broadcasted(propagations);
	}

	fn hash_of(&self, transaction: &TransactionFor<Self>) -> TxHash<Self> {
		self.pool.hash_of(transaction)
	}

	fn ready_transaction(&self, hash: &TxHash<Self>) -> Option<Transaction> {
		self.pool.ready_transaction(hash)
	}
}
