// SPDX-License-Identifier: Apache-2.0
//! A transaction pool that notes which transactions a proposer takes, and when.

use std::{collections::HashMap, pin::Pin, sync::Arc, time::Instant};

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

type Transaction = Arc<<Pool as TransactionPool>::InPoolTransaction>;
type Ready = Box<dyn ReadyTransactions<Item = Transaction> + Send>;

/// The pool of a node, as its proposer sees it.
pub struct WatchedPool {
	pool: Arc<Pool>,
	/// The latest attempt at a block.
	attempt: Mutex<Attempt>,
	/// Transactions that are not included again. The pool refuses them for half an hour, or until it
	/// finds that they are valid, which they are.
	removed: Arc<Mutex<LruMap<Hash, (), ByLength>>>,
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

	/// Removes a transaction for good.
	pub async fn remove(&self, hash: Hash) {
		self.removed.lock().insert(hash, ());
		let reported = TxInvalidityReportMap::from_iter([(hash, None)]);
		self.pool.report_invalid(None, reported).await;
	}

	fn watch(&self, ready: Ready) -> Ready {
		let (attempt, removed) = (self.attempt.lock().clone(), self.removed.clone());
		Box::new(Watched { ready, attempt, removed })
	}
}

/// The transactions that are ready, but for those that were removed.
struct Watched {
	ready: Ready,
	attempt: Attempt,
	removed: Arc<Mutex<LruMap<Hash, (), ByLength>>>,
}

impl Iterator for Watched {
	type Item = Transaction;

	fn next(&mut self) -> Option<Transaction> {
		let mut next = None;
		if !self.attempt.is_over() {
			next = self.ready.next();
			while let Some(removed) =
				next.take_if(|it| self.removed.lock().get(it.hash()).is_some())
			{
				self.ready.report_invalid(&removed);
				next = self.ready.next();
			}
		}
		self.attempt.next(next.as_ref().map(|next| *next.hash()), Instant::now());
		next
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
		self.watch(self.pool.ready_at(at).await)
	}

	fn ready(&self) -> Ready {
		self.watch(self.pool.ready())
	}

	async fn ready_at_with_timeout(&self, at: Hash, timeout: std::time::Duration) -> Ready {
		self.watch(self.pool.ready_at_with_timeout(at, timeout).await)
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
