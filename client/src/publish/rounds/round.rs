// SPDX-License-Identifier: Apache-2.0
//! A round: what is to be sent, and what is in flight.

use std::collections::{BTreeMap, HashSet, VecDeque};

use super::{Batch, Hash, Head, Task, LANES};

/// A transaction in flight.
struct Sent<Item> {
	batch: Batch<Item>,
	account: usize,
	nonce: u64,
}

/// The state of a round.
pub(super) struct Round<Item> {
	/// The batches of the stages to come, in their order.
	stages: VecDeque<Batch<Item>>,
	/// The batches of the present stage that were not sent yet.
	queue: VecDeque<Batch<Item>>,
	in_flight: BTreeMap<Hash, Sent<Item>>,
	/// The nonce of the next transaction, by account.
	pub nonces: [u64; LANES],
	/// The nonce of the first transaction, by account.
	first: [u64; LANES],
	/// The accounts and nonces of transactions that earlier rounds may have left in the pool.
	left: HashSet<(usize, u64)>,
	/// The newest block that was read.
	pub seen: Head,
	/// The reason of the first transaction that failed. Nothing more is sent after it.
	pub failure: Option<String>,
	/// True if items were set aside, so that the stages to come need another plan.
	pub is_sifted: bool,
}

impl<Item> Batch<Item> {
	/// Divides the batch into two halves. The second one is empty if it has one item.
	pub(super) fn halves(mut self) -> [Self; 2] {
		let items = self.items.split_off(self.items.len().div_ceil(2));
		let rest = Self { items, ..self };
		[self, rest]
	}
}

impl<Item> Round<Item> {
	/// Begins a round with a plan from the state of the block `at`. Earlier rounds may have `left`
	/// transactions with these accounts and nonces in the pool.
	pub(super) fn new(
		tasks: Vec<Task<Item>>,
		at: Head,
		nonces: [u64; LANES],
		left: HashSet<(usize, u64)>,
		limit: impl Fn(usize) -> usize,
	) -> Self {
		let mut stages = VecDeque::<Batch<Item>>::new();
		for Task { lane, kind, stage, item } in tasks {
			match stages.back_mut() {
				Some(last)
					if (last.lane, last.kind, last.stage) == (lane, kind, stage)
						&& last.items.len() < limit(kind) =>
				{
					last.items.push(item)
				},
				_ => stages.push_back(Batch { lane, kind, stage, items: vec![item] }),
			}
		}
		Self {
			stages,
			queue: VecDeque::new(),
			in_flight: BTreeMap::new(),
			nonces,
			first: nonces,
			left,
			seen: at,
			failure: None,
			is_sifted: false,
		}
	}

	/// Takes the batches of the next stage. Empty if there is none.
	pub(super) fn next_stage(&mut self) -> Vec<Batch<Item>> {
		let stage = self.stages.front().map(|batch| batch.stage);
		let rest = self.stages.iter().position(|batch| Some(batch.stage) != stage);
		self.stages.drain(..rest.unwrap_or(self.stages.len())).collect()
	}

	/// Queues batches of the present stage.
	pub(super) fn queue(&mut self, batches: impl IntoIterator<Item = Batch<Item>>) {
		self.queue.extend(batches);
	}

	/// Returns whether all of the plan was sent.
	pub(super) fn is_all_sent(&self) -> bool {
		self.stages.is_empty() && self.queue.is_empty()
	}

	/// Returns the next batch to be signed, of an account with room in its window. It must be passed
	/// to [`Self::sent`] or [`Self::split`].
	pub(super) fn next(&mut self, accounts: [usize; LANES], window: usize) -> Option<Batch<Item>> {
		let mut counts = [0; LANES];
		self.in_flight.values().for_each(|sent| counts[sent.account] += 1);
		let has_room = |batch: &Batch<Item>| counts[accounts[batch.lane]] < window;
		let place = self.queue.iter().position(has_room)?;
		self.queue.remove(place)
	}

	/// Queues the halves of a batch that was next.
	pub(super) fn split(&mut self, batch: Batch<Item>) {
		let [first, second] = batch.halves();
		self.queue.push_front(second);
		self.queue.push_front(first);
	}

	/// Records a transaction that is about to be submitted, with the next nonce of its account.
	pub(super) fn sent(&mut self, batch: Batch<Item>, hash: Hash, account: usize) {
		let nonce = self.nonces[account];
		self.nonces[account] += 1;
		self.in_flight.insert(hash, Sent { batch, account, nonce });
	}

	/// Returns whether an earlier round may have left another transaction with the nonce of one in
	/// flight. Believes it once for each.
	pub(super) fn repeats_nonce(&mut self, hash: &Hash) -> bool {
		let sent = self.in_flight.get(hash);
		sent.is_some_and(|sent| self.left.remove(&(sent.account, sent.nonce)))
	}

	/// Returns the accounts and nonces of transactions that may be in the pool at the end.
	pub(super) fn into_left(self) -> HashSet<(usize, u64)> {
		let in_flight = self.in_flight.into_values().map(|sent| (sent.account, sent.nonce));
		let first = self.first;
		let left = self.left.into_iter().filter(|(account, nonce)| *nonce >= first[*account]);
		left.chain(in_flight).collect()
	}

	/// Takes a transaction out of flight. Returns its batch, if it was in flight.
	pub(super) fn land(&mut self, hash: &Hash) -> Option<Batch<Item>> {
		self.in_flight.remove(hash).map(|sent| sent.batch)
	}

	/// Returns the transactions in flight.
	pub(super) fn in_flight(&self) -> HashSet<Hash> {
		self.in_flight.keys().copied().collect()
	}

	/// Returns the accounts with transactions in flight, and the lowest nonce of these.
	pub(super) fn lowest_nonces(&self) -> BTreeMap<usize, u64> {
		let mut lowest = BTreeMap::new();
		for Sent { account, nonce, .. } in self.in_flight.values() {
			let known = lowest.entry(*account).or_insert(*nonce);
			*known = (*known).min(*nonce);
		}
		lowest
	}
}
