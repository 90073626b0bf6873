// SPDX-License-Identifier: Apache-2.0
//! A round: what is to be sent, what is in flight, and what came of it.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use super::{cause::Cause, Batch, Hash, Head, Outcome, Settings, Task, TaskId, LANES};

/// Number of blocks that forks and killed nodes take back at most.
pub(super) const DEPTH: u64 = 32;

/// A transaction of the round.
#[derive(Debug)]
struct Sent {
	batch: Batch,
	/// The number of the newest block that was known when it was sent.
	since: u64,
	/// The block that it is in. `None` while it is in flight.
	place: Option<(Head, Outcome)>,
}

/// The consequences of a transaction that is in a block.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
	/// It has succeeded, or its lane has failed.
	GoOn,
	/// An item is wrong, unless a fork has changed what the transaction depends on.
	Isolate,
	/// The state of the chain has changed.
	Stale,
}

/// The state of a round.
pub(super) struct Round {
	/// The block whose state the plan comes from.
	at: Head,
	tasks: usize,
	queue: VecDeque<Batch>,
	sent: BTreeMap<Hash, Sent>,
	/// The nonce of the next transaction, by account.
	nonces: [u64; LANES],
	/// The stage that is under way.
	stage: usize,
	/// The number of the newest block that is known.
	newest: u64,
	/// The tasks that failed for good, each with the reason.
	failures: Vec<(TaskId, String, Option<Head>)>,
}

impl Round {
	/// Begins a round with a plan from the state of the block `at`.
	pub(super) fn new(tasks: &[Task], at: Head, settings: &Settings, nonces: [u64; LANES]) -> Self {
		let mut queue = VecDeque::<Batch>::new();
		for (id, task) in (0..).zip(tasks) {
			let limit = settings.limits.get(task.kind).copied().unwrap_or(1);
			match queue.back_mut() {
				Some(last) if last.task == *task && last.tasks.len() < limit => last.tasks.push(id),
				_ => queue.push_back(Batch { task: *task, tasks: vec![id] }),
			}
		}
		let (stage, newest) = (0, at.number);
		let (sent, failures) = (BTreeMap::new(), Vec::new());
		Self { at, tasks: tasks.len(), queue, sent, nonces, stage, newest, failures }
	}

	/// Returns the next batch of the stage to be signed. It must be passed to [`Self::sent`] or
	/// [`Self::split`].
	pub(super) fn next(&mut self) -> Option<Batch> {
		self.queue.pop_front_if(|batch| batch.task.stage <= self.stage)
	}

	/// Begins the next stage when all transactions of this one are in blocks. Returns false if
	/// there is none, or a failure is in its way.
	pub(super) fn begin_next_stage(&mut self) -> bool {
		let next = self.queue.front().filter(|_| self.failures.is_empty());
		next.map(|batch| self.stage = batch.task.stage).is_some()
	}

	/// Returns the nonce of the next transaction of an account.
	pub(super) fn nonce(&self, account: usize) -> u64 {
		self.nonces[account]
	}

	/// Records a transaction that is about to be submitted.
	pub(super) fn sent(&mut self, batch: Batch, hash: Hash, account: usize) {
		self.nonces[account] += 1;
		self.sent.insert(hash, Sent { batch, since: self.newest, place: None });
	}

	/// Puts a batch back as two halves.
	pub(super) fn split(&mut self, batch: Batch) {
		let Batch { task, mut tasks } = batch;
		let rest = tasks.split_off(tasks.len().div_ceil(2));
		for tasks in [rest, tasks].into_iter().filter(|tasks| !tasks.is_empty()) {
			self.queue.push_front(Batch { task, tasks });
		}
	}

	/// Forgets a transaction that the node did not take. Returns its batch.
	pub(super) fn not_taken(&mut self, hash: Hash) -> Option<Batch> {
		self.sent.remove(&hash).map(|sent| sent.batch)
	}

	/// Fails a batch, and what is left of its lane in this stage: because of what is in a block, or
	/// of the node.
	pub(super) fn fail_lane(&mut self, batch: &Batch, reason: &str, block: Option<Head>) {
		let Task { lane, stage, .. } = batch.task;
		let is_doomed = |other: &Batch| other.task.lane == lane && other.task.stage == stage;
		let (doomed, queue) = std::mem::take(&mut self.queue).into_iter().partition(is_doomed);
		self.queue = queue;
		self.fail(batch, reason, block);
		doomed.iter().for_each(|batch: &Batch| self.fail(batch, reason, block));
	}

	fn fail(&mut self, batch: &Batch, reason: &str, block: Option<Head>) {
		let failures = batch.tasks.iter().map(|task| (*task, reason.to_owned(), block));
		self.failures.extend(failures);
	}

	/// Records the outcome of a transaction in a block, without consequences.
	pub(super) fn found(&mut self, block: Head, hash: Hash, outcome: Outcome) {
		self.newest = self.newest.max(block.number);
		if let Some(sent) = self.sent.get_mut(&hash) {
			sent.place = Some((block, outcome));
		}
	}

	/// Records the outcome of a transaction in a block.
	pub(super) fn included(&mut self, block: Head, hash: Hash, outcome: Outcome) -> Verdict {
		self.found(block, hash, outcome.clone());
		let (Err(reason), Some(sent)) = (outcome, self.sent.get(&hash)) else {
			return Verdict::GoOn;
		};
		match Cause::of(&reason) {
			Cause::Stale => Verdict::Stale,
			Cause::Item => Verdict::Isolate,
			Cause::Lane => {
				let batch = sent.batch.clone();
				self.fail_lane(&batch, &reason, Some(block));
				Verdict::GoOn
			},
		}
	}

	/// Queues the tasks of a failed transaction again, as two halves. Fails a task that was alone.
	pub(super) fn isolate(&mut self, hash: Hash, reason: &str) {
		let Some(sent) = self.sent.get(&hash) else { return };
		let (batch, block) = (sent.batch.clone(), sent.place.as_ref().map(|(block, _)| *block));
		match batch.tasks.len() {
			1 => self.fail(&batch, reason, block),
			_ => self.split(batch),
		}
	}

	fn flying(&self) -> impl Iterator<Item = (&Hash, &Sent)> {
		self.sent.iter().filter(|(_, sent)| sent.place.is_none())
	}

	/// Returns the transactions in flight.
	pub(super) fn in_flight(&self) -> HashSet<Hash> {
		self.flying().map(|(hash, _)| *hash).collect()
	}

	/// Returns the batches in flight.
	pub(super) fn unsettled(&self) -> impl Iterator<Item = &Batch> {
		self.flying().map(|(_, sent)| &sent.batch)
	}

	/// Returns the number of a block before those that the transactions in flight may be in.
	pub(super) fn since(&self) -> Option<u64> {
		self.flying().map(|(_, sent)| sent.since.saturating_sub(DEPTH)).min()
	}

	/// Returns the blocks with transactions of ours.
	fn blocks(&self) -> impl Iterator<Item = Head> + '_ {
		self.sent.values().filter_map(|sent| sent.place.as_ref()).map(|(block, _)| *block)
	}

	/// Returns the block whose state the plan comes from.
	pub(super) fn at(&self) -> Head {
		self.at
	}

	/// Returns the blocks with transactions of ours that a fork may retract.
	pub(super) fn recent(&self) -> BTreeSet<Head> {
		self.blocks().filter(|block| block.number + DEPTH >= self.newest).collect()
	}

	/// Takes the transactions of a block that is no longer in the best chain back into flight.
	/// Transactions that failed in it may succeed.
	pub(super) fn retracted(&mut self, block: Head) {
		self.failures.retain(|(_, _, failed_in)| *failed_in != Some(block));
		for sent in self.sent.values_mut() {
			sent.place.take_if(|(found, _)| *found == block);
		}
	}

	/// Returns the number of tasks that are done, and of all.
	pub(super) fn progress(&self) -> (usize, usize) {
		(self.successes().map(|batch| batch.tasks.len()).sum(), self.tasks)
	}

	/// Returns the batches that have succeeded.
	pub(super) fn successes(&self) -> impl Iterator<Item = &Batch> {
		let succeeded = |sent: &&Sent| matches!(sent.place, Some((_, Ok(()))));
		self.sent.values().filter(succeeded).map(|sent| &sent.batch)
	}

	/// Returns the tasks that failed for good, each with the reason.
	pub(super) fn failures(&self) -> impl Iterator<Item = (TaskId, &str)> {
		self.failures.iter().map(|(task, reason, _)| (*task, reason.as_str()))
	}

	/// Returns the number of transactions that the node took.
	pub(super) fn transactions(&self) -> u64 {
		u64::try_from(self.sent.len()).unwrap_or(u64::MAX)
	}

	/// Returns the last block with a transaction of ours.
	pub(super) fn last(&self) -> Option<Head> {
		self.blocks().max_by_key(|block| block.number)
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	const AT: Head = Head { hash: [1; 32], number: 1 };
	const REASON: &str = "ContentFabric.VersionNotFound: there is none";

	fn round(tasks: &[Task]) -> Round {
		let settings = Settings { limits: vec![2, 5], ..Settings::default() };
		Round::new(tasks, AT, &settings, [7, 0])
	}

	fn task(kind: usize, stage: usize) -> Task {
		Task { lane: stage % LANES, kind, stage }
	}

	/// Sends all that there is of the stage. Returns the hashes and the numbers of tasks.
	fn send(round: &mut Round) -> Vec<(Hash, usize)> {
		let mut sent = Vec::new();
		while let Some(batch) = round.next() {
			let hash = [u8::try_from(round.sent.len()).expect("there are few"); 32];
			sent.push((hash, batch.tasks.len()));
			round.sent(batch, hash, 0);
		}
		sent
	}

	#[test]
	fn batches_have_one_kind_and_at_most_the_limit_and_stages_wait_for_each_other() {
		let kinds = [(0, 0), (0, 0), (0, 0), (1, 0), (1, 1), (1, 1), (1, 2)];
		let mut round = round(&kinds.map(|(kind, stage)| task(kind, stage)));
		let mut sizes = Vec::new();
		loop {
			sizes.push(send(&mut round).into_iter().map(|(_, size)| size).collect::<Vec<_>>());
			if !round.begin_next_stage() {
				break;
			}
		}
		assert_eq!(sizes, [vec![2, 1, 1], vec![2], vec![1]]);
		assert_eq!((round.nonce(0), round.transactions()), (12, 5));
	}

	#[test]
	fn a_batch_that_fails_is_halved_until_the_bad_task_stands_alone() {
		let mut round = round(&[[task(1, 0); 4].as_slice(), &[task(1, 1)]].concat());
		let bad = 2;
		for hash in (1..).map(|number| [number; 32]) {
			let Some(batch) = round.next() else { break };
			let is_bad = batch.tasks.contains(&bad);
			round.sent(batch, hash, 0);
			let outcome = if is_bad { Err(REASON.to_owned()) } else { Ok(()) };
			if round.included(AT, hash, outcome) == Verdict::Isolate {
				round.isolate(hash, REASON);
			}
		}
		assert_eq!(round.transactions(), 5);
		assert_eq!(round.failures().collect::<Vec<_>>(), [(bad, REASON)]);
		assert_eq!(round.progress(), (3, 5));
		assert!(!round.begin_next_stage(), "the next plan has what can still be done");
	}

	#[test]
	fn a_refusal_of_the_member_stops_its_lane_and_what_another_has_done_the_round() {
		let mut round = round(&[[task(0, 0); 4].as_slice(), &[task(1, 1)]].concat());
		let first = round.next().expect("there are tasks");
		round.sent(first, [9; 32], 0);
		let reason = "ContentFabric.HeldLimitExceeded: more".to_owned();
		assert_eq!(round.included(AT, [9; 32], Err(reason.clone())), Verdict::GoOn);
		assert!(round.next().is_none());
		assert_eq!(round.failures().collect::<Vec<_>>(), [0, 1, 2, 3].map(|task| (task, &*reason)));
		// In the other branch of a fork it has succeeded.
		round.retracted(AT);
		assert_eq!(round.failures().count(), 0);
		round.found(AT, [9; 32], Ok(()));
		assert_eq!(round.progress(), (2, 5));

		let mut round = self::round(&[task(0, 0)]);
		let sent = send(&mut round);
		let reason = "ContentFabric.VersionAlreadyExists: it has".to_owned();
		assert_eq!(round.included(AT, sent[0].0, Err(reason)), Verdict::Stale);
		assert_eq!(round.failures().count(), 0);
	}

	#[test]
	fn transactions_of_a_retracted_block_are_in_flight_again() {
		let mut round = round(&[task(0, 0); 4]);
		let sent = send(&mut round);
		let block = Head { hash: [2; 32], number: 100 };
		round.included(block, sent[0].0, Ok(()));
		assert_eq!((round.progress(), round.last()), ((2, 4), Some(block)));
		assert_eq!((round.recent(), round.since()), (BTreeSet::from([block]), Some(0)));
		round.retracted(block);
		assert_eq!((round.progress(), round.in_flight().len()), ((0, 4), 2));
	}
}
