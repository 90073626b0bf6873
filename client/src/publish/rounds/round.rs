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
	/// Begins a round with a plan from the state of the block `at`.
	pub(super) fn new(
		tasks: Vec<Task<Item>>,
		at: Head,
		nonces: [u64; LANES],
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

#[cfg(test)]
mod tests {
	use super::*;

	const AT: Head = Head { hash: [1; 32], number: 1 };

	fn round(kinds: &[(usize, usize)]) -> Round<u8> {
		let task = |(item, (kind, stage)): (u8, &(usize, usize))| Task {
			lane: stage % LANES,
			kind: *kind,
			stage: *stage,
			item,
		};
		let tasks = (0..).zip(kinds).map(task).collect();
		Round::new(tasks, AT, [7, 0], |kind| [2, 5][kind])
	}

	/// Sends all that there is of the stage. Returns the numbers of items.
	fn send(round: &mut Round<u8>, number: &mut u8) -> Vec<usize> {
		let mut sizes = Vec::new();
		while let Some(batch) = round.next([0, 1], 2) {
			sizes.push(batch.items.len());
			let account = batch.lane;
			round.sent(batch, [*number; 32], account);
			*number += 1;
		}
		sizes
	}

	#[test]
	fn batches_have_one_kind_and_at_most_the_limit_and_stages_wait_for_each_other() {
		let kinds = [(0, 0), (0, 0), (0, 0), (1, 0), (1, 1), (1, 1), (1, 2)];
		let (mut round, mut number, mut sizes) = (round(&kinds), 0, Vec::new());
		loop {
			let stage = round.next_stage();
			if stage.is_empty() {
				break;
			}
			assert!(round.next([0, 1], 2).is_none(), "the stage before is sent");
			round.queue(stage);
			while let sent @ [_, ..] = &send(&mut round, &mut number)[..] {
				sizes.push(sent.to_vec());
				round.in_flight().iter().for_each(|hash| drop(round.land(hash)));
			}
		}
		// The window has two transactions.
		assert_eq!(sizes, [vec![2, 1], vec![1], vec![2], vec![1]]);
		assert_eq!(round.nonces, [11, 1]);
		assert!(round.is_all_sent());
	}

	#[test]
	fn the_lowest_nonces_are_those_of_transactions_in_flight() {
		let (mut round, mut number) = (round(&[(0, 0); 4]), 0);
		let stage = round.next_stage();
		round.queue(stage);
		send(&mut round, &mut number);
		assert_eq!(round.lowest_nonces(), BTreeMap::from([(0, 7)]));
		assert_eq!(round.land(&[0; 32]).map(|batch| batch.items), Some(vec![0, 1]));
		assert!(round.land(&[0; 32]).is_none());
		assert_eq!(round.lowest_nonces(), BTreeMap::from([(0, 8)]));
	}

	#[test]
	fn a_batch_is_halved_until_an_item_stands_alone() {
		let mut round = round(&[(1, 0); 5]);
		let stage = round.next_stage();
		round.queue(stage);
		let mut sizes = Vec::new();
		while let Some(batch) = round.next([0, 1], 1) {
			match batch.items.len() {
				1 => sizes.push(batch.items[0]),
				_ => round.split(batch),
			}
		}
		assert_eq!(sizes, [0, 1, 2, 3, 4]);
	}
}
