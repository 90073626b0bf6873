// SPDX-License-Identifier: Apache-2.0
//! A round: what is sent, what is in flight, and what came of it.

use std::{
	collections::{HashMap, HashSet, VecDeque},
	sync::Arc,
};

use super::{
	board::Board, branch::Branch, cause::Cause, Anomaly, Batch, Hash, Head, Outcome, Settings,
	Signed, Task, TaskId, LANES,
};
use crate::chain;

/// Blocks on top of a transaction after which it is not sent again. A node that is killed loses its
/// pool and its last blocks.
const KEPT: u64 = 16;

/// A transaction of the round.
#[derive(Debug)]
struct Sent {
	batch: Batch,
	nonce: u64,
	/// The encoded transaction, until its block has [`KEPT`] others on it.
	bytes: Arc<[u8]>,
	place: Place,
}

/// The place of a transaction.
#[derive(Debug)]
enum Place {
	Flight,
	Block(Head, Outcome),
}

/// A change of the best chain whose consequences have not been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
	Retracted(Hash),
	Added(Head),
}

/// A transaction that has succeeded.
#[derive(Debug)]
pub(super) struct Success<'a> {
	pub batch: &'a Batch,
	/// The record key that it minted.
	pub minted: Option<&'a str>,
}

/// The state of a round.
pub(super) struct Round<'a> {
	settings: &'a Settings,
	board: Board,
	/// The best chain since the block that the plan comes from.
	pub branch: Branch,
	/// The changes of the best chain that have not been read, the oldest first. They outlive a lost
	/// connection.
	unread: VecDeque<Unread>,
	/// Parts of batches that failed or had no room, by lane.
	redo: [VecDeque<Batch>; LANES],
	sent: HashMap<Hash, Sent>,
	/// The nonce of the next transaction, by account.
	nonces: [u64; LANES],
	/// True until nothing more is sent.
	is_sending: bool,
	anomaly: Option<Anomaly>,
	/// True if a block was retracted, so that the order of blocks may not be that of the plan.
	is_forked: bool,
	/// Number of transactions that the node took.
	pub transactions: u64,
	/// The last block with a transaction of ours.
	pub last: Option<Head>,
}

impl<'a> Round<'a> {
	/// Begins a round with a plan from the state of the block `at`.
	pub(super) fn new(
		tasks: Vec<Task>,
		at: Head,
		settings: &'a Settings,
		nonces: [u64; LANES],
	) -> Self {
		let mut branch = Branch::default();
		branch.join(vec![at]);
		Self {
			settings,
			board: Board::new(tasks),
			branch,
			unread: VecDeque::new(),
			redo: Default::default(),
			sent: HashMap::new(),
			nonces,
			is_sending: true,
			anomaly: None,
			is_forked: false,
			transactions: 0,
			last: None,
		}
	}

	/// Returns the next batch to be signed, with its nonce, if there is one and the window of its
	/// account has room. It must be passed to [`Self::sent`] or [`Self::split`].
	pub(super) fn next(&mut self) -> Option<(Batch, u64)> {
		if !self.is_sending {
			return None;
		}
		let is_idle = self.in_flight().next().is_none();
		(0..LANES).find_map(|lane| {
			let account = self.settings.accounts[lane];
			let in_flight = self.in_flight().filter(|sent| self.account(sent) == account).count();
			if in_flight >= self.settings.window {
				return None;
			}
			let batch = self.redo[lane].pop_front();
			let batch = batch.or_else(|| self.board.take(lane, &self.settings.limits, is_idle))?;
			Some((batch, self.nonces[account]))
		})
	}

	/// Records a transaction that is about to be submitted.
	pub(super) fn sent(&mut self, batch: Batch, nonce: u64, signed: Signed) -> Arc<[u8]> {
		let bytes: Arc<[u8]> = signed.bytes.into();
		self.nonces[self.settings.accounts[batch.lane]] = nonce + 1;
		self.transactions += 1;
		let sent = Sent { batch, nonce, bytes: bytes.clone(), place: Place::Flight };
		self.sent.insert(signed.hash, sent);
		bytes
	}

	/// Puts a batch back as two halves, because no block has room for it.
	pub(super) fn split(&mut self, batch: Batch) {
		let Batch { lane, kind, mut tasks } = batch;
		let rest = tasks.split_off(tasks.len().div_ceil(2));
		for tasks in [rest, tasks].into_iter().filter(|tasks| !tasks.is_empty()) {
			self.redo[lane].push_front(Batch { lane, kind, tasks });
		}
	}

	/// Forgets a transaction that the node did not take.
	pub(super) fn refused(&mut self, hash: Hash) {
		if self.sent.remove(&hash).is_some() {
			self.transactions -= 1;
		}
	}

	/// Stops the lane of a transaction that the node did not take, and fails what is left of it.
	pub(super) fn stop_lane_of(&mut self, hash: Hash, reason: &str) {
		let Some(Sent { batch, .. }) = self.sent.remove(&hash) else { return };
		self.transactions -= 1;
		self.stop_lane(&batch, reason);
	}

	fn stop_lane(&mut self, batch: &Batch, reason: &str) {
		let queued = std::mem::take(&mut self.redo[batch.lane]);
		let queued = queued.into_iter().flat_map(|batch| batch.tasks);
		let queued = batch.tasks.iter().copied().chain(queued).collect();
		self.board.fail_lane(batch.lane, queued, reason);
	}

	/// Makes blocks, the newest first, the end of the best chain. Returns the changes, which must be
	/// read in their order.
	pub(super) fn join(&mut self, joining: Vec<Head>) -> Vec<Unread> {
		let change = self.branch.join(joining);
		let retracted = change.retracted.into_iter().map(Unread::Retracted);
		let added = change.added.into_iter().map(Unread::Added);
		let changes: Vec<_> = retracted.chain(added).collect();
		self.unread.extend(&changes);
		self.forget_deep();
		changes
	}

	/// Forgets the bytes of transactions that are deep in the chain.
	fn forget_deep(&mut self) {
		let Some(tip) = self.branch.tip() else { return };
		for sent in self.sent.values_mut() {
			if matches!(&sent.place, Place::Block(at, _) if at.number + KEPT < tip.number) {
				sent.bytes = Arc::default();
			}
		}
	}

	/// Returns the changes that have not been read.
	pub(super) fn unread(&self) -> Vec<Unread> {
		self.unread.iter().copied().collect()
	}

	/// Forgets the oldest change, which has been read.
	pub(super) fn read(&mut self) {
		self.unread.pop_front();
	}

	/// Records the outcome of a transaction in a block.
	pub(super) fn included(&mut self, block: Head, hash: Hash, outcome: Outcome) {
		let Some(sent) = self.sent.get_mut(&hash) else { return };
		if matches!(sent.place, Place::Block(..)) {
			return;
		}
		let batch = sent.batch.clone();
		sent.place = Place::Block(block, outcome.clone());
		self.last = Some(block);
		match outcome {
			Ok(_) => batch.tasks.iter().for_each(|task| self.board.done(*task)),
			Err(reason) => self.dispatch_failed(batch, reason),
		}
	}

	fn dispatch_failed(&mut self, batch: Batch, reason: String) {
		match Cause::of(&reason) {
			Cause::Lane => self.stop_lane(&batch, &reason),
			Cause::Item if !self.is_forked => match batch.tasks[..] {
				[task] => self.board.failed(task, &reason),
				_ => self.split(batch),
			},
			Cause::Item | Cause::Stale => self.settle(stale(reason)),
		}
	}

	/// Takes the transactions of a block that is no longer in the best chain back into flight.
	pub(super) fn retracted(&mut self, block: Hash) {
		self.is_forked = true;
		let mut failed = None;
		for sent in self.sent.values_mut() {
			let Place::Block(found, outcome) = &sent.place else { continue };
			if found.hash != block {
				continue;
			}
			match outcome {
				Ok(_) => sent.batch.tasks.iter().for_each(|task| self.board.undo(*task)),
				// Its parts have been sent, and it may succeed now.
				Err(reason) => failed = Some(reason.clone()),
			}
			sent.place = Place::Flight;
		}
		if let Some(reason) = failed {
			self.settle(stale(reason));
		}
	}

	/// Sends nothing more, and lets what is in flight settle.
	pub(super) fn settle(&mut self, anomaly: Anomaly) {
		self.is_sending = false;
		self.anomaly.get_or_insert(anomaly);
	}

	/// Sends nothing more.
	pub(super) fn stop(&mut self) {
		self.is_sending = false;
	}

	/// Returns whether more may be sent.
	pub(super) fn is_sending(&self) -> bool {
		self.is_sending
	}

	/// Returns whether all tasks are done, or have failed, and none is left for another plan.
	pub(super) fn is_complete(&self) -> bool {
		self.anomaly.is_none() && self.board.is_done()
	}

	/// Returns whether the round lets transactions settle after an anomaly.
	pub(super) fn is_settling(&self) -> bool {
		self.anomaly.is_some()
	}

	/// Returns whether nothing is in flight, and nothing more is to be sent.
	pub(super) fn is_over(&self) -> bool {
		let has_redo = self.redo.iter().any(|batches| !batches.is_empty());
		self.in_flight().next().is_none()
			&& (!self.is_sending || (self.board.is_over() && !has_redo))
	}

	fn in_flight(&self) -> impl Iterator<Item = &Sent> {
		self.sent.values().filter(|sent| matches!(sent.place, Place::Flight))
	}

	fn account(&self, sent: &Sent) -> usize {
		self.settings.accounts[sent.batch.lane]
	}

	/// Returns the hashes of the round's transactions.
	pub(super) fn hashes(&self) -> HashSet<Hash> {
		self.sent.keys().copied().collect()
	}

	/// Returns the transactions in flight in the order of their nonces.
	pub(super) fn resendable(&self) -> Vec<(Hash, Arc<[u8]>)> {
		let in_flight = |sent: &Sent| matches!(sent.place, Place::Flight) && !sent.bytes.is_empty();
		let mut sent: Vec<_> = self.sent.iter().filter(|(_, sent)| in_flight(sent)).collect();
		sent.sort_by_key(|(_, sent)| sent.nonce);
		sent.into_iter().map(|(hash, sent)| (*hash, sent.bytes.clone())).collect()
	}

	/// Returns the number of tasks that are done, and of all.
	pub(super) fn progress(&self) -> (usize, usize) {
		(self.board.done_count(), self.board.len())
	}

	/// Returns the transactions that have succeeded.
	pub(super) fn successes(&self) -> impl Iterator<Item = Success<'_>> {
		self.sent.values().filter_map(|sent| match &sent.place {
			Place::Block(_, Ok(minted)) => {
				Some(Success { batch: &sent.batch, minted: minted.as_deref() })
			},
			_ => None,
		})
	}

	/// Returns the tasks that failed for good, each with the reason.
	pub(super) fn failures(&self) -> impl Iterator<Item = (TaskId, &str)> {
		self.board.failures()
	}

	/// Ends the round. Returns the reason, if it ended early.
	pub(super) fn into_anomaly(self) -> Option<Anomaly> {
		self.anomaly
	}
}

fn stale(reason: String) -> Anomaly {
	Anomaly::Stale(chain::Error::Dispatch { call: "a transaction".into(), reason }.into())
}

#[cfg(test)]
mod tests {
	use std::time::Duration;

	use super::*;
	use crate::pipeline::Needs;

	fn settings(window: usize) -> Settings {
		Settings {
			accounts: [0, 1],
			limits: vec![4, 4],
			window,
			stall: Duration::from_secs(1),
			patience: Duration::from_secs(1),
			backoff: Duration::ZERO,
			finalized: false,
		}
	}

	fn tasks(count: usize) -> Vec<Task> {
		vec![Task { lane: 0, kind: 0, needs: Needs::Nothing }; count]
	}

	fn block(number: u8) -> Head {
		Head { hash: [number; 32], parent: [number - 1; 32], number: number.into() }
	}

	/// Sends all that there is. Returns the hashes and the numbers of tasks.
	fn send(round: &mut Round<'_>) -> Vec<(Hash, usize)> {
		let mut sent = Vec::new();
		while let Some((batch, nonce)) = round.next() {
			let mut hash = [0; 32];
			hash[..8].copy_from_slice(&nonce.to_le_bytes());
			sent.push((hash, batch.tasks.len()));
			round.sent(batch, nonce, Signed { hash, bytes: vec![1] });
		}
		sent
	}

	fn item() -> Outcome {
		Err("ContentFabric.VersionNotFound: there is none".into())
	}

	#[test]
	fn an_account_has_at_most_its_window_in_flight_with_consecutive_nonces() {
		let settings = settings(2);
		let mut round = Round::new(tasks(10), block(1), &settings, [7, 0]);
		let sent = send(&mut round);
		assert_eq!(sent.iter().map(|(hash, _)| hash[0]).collect::<Vec<_>>(), [7, 8]);
		round.included(block(1), sent[1].0, Ok(None));
		assert_eq!(send(&mut round).len(), 1);
		assert!(!round.is_over());
	}

	#[test]
	fn a_batch_that_fails_is_halved_until_the_bad_task_stands_alone() {
		let settings = settings(9);
		let mut round = Round::new(tasks(4), block(1), &settings, [0, 0]);
		let bad = 2;
		let mut transactions = 0;
		while let Some((batch, nonce)) = round.next() {
			let hash = [nonce as u8; 32];
			let outcome = if batch.tasks.contains(&bad) { item() } else { Ok(None) };
			round.sent(batch, nonce, Signed { hash, bytes: vec![1] });
			round.included(block(1), hash, outcome);
			transactions += 1;
		}
		assert!(round.is_over() && !round.is_settling());
		assert_eq!(transactions, 5);
		assert_eq!(round.failures().map(|(task, _)| task).collect::<Vec<_>>(), [bad]);
		assert_eq!(round.progress(), (3, 4));
	}

	#[test]
	fn a_refusal_of_the_member_stops_the_lane_at_once() {
		let settings = settings(2);
		let mut round = Round::new(tasks(10), block(1), &settings, [0, 0]);
		let sent = send(&mut round);
		let reason = "ContentFabric.HeldLimitExceeded: more";
		round.included(block(1), sent[0].0, Err(reason.into()));
		assert!(send(&mut round).is_empty());
		round.included(block(1), sent[1].0, Ok(None));
		assert!(round.is_over());
		assert_eq!(round.failures().count(), 6);
		assert!(round.failures().all(|(_, found)| found == reason));
	}

	#[test]
	fn transactions_of_a_retracted_block_are_in_flight_again() {
		let settings = settings(2);
		let mut round = Round::new(tasks(4), block(1), &settings, [0, 0]);
		let sent = send(&mut round);
		round.included(block(1), sent[0].0, Ok(None));
		assert!(round.is_over());
		round.retracted([1; 32]);
		assert!(!round.is_over() && !round.is_settling());
		assert_eq!((round.progress(), round.successes().count()), ((0, 4), 0));
		round.included(block(2), sent[0].0, Ok(None));
		assert!(round.is_over());
		assert_eq!((round.progress(), round.successes().count()), ((4, 4), 1));
	}

	#[test]
	fn a_failure_in_a_fork_or_a_failed_one_that_is_retracted_leads_to_another_plan() {
		let settings = settings(4);
		let mut round = Round::new(tasks(8), block(1), &settings, [0, 0]);
		let sent = send(&mut round);
		round.included(block(1), sent[0].0, Ok(None));
		round.retracted([1; 32]);
		round.included(block(2), sent[1].0, item());
		assert!(round.is_settling() && send(&mut round).is_empty());

		let mut round = Round::new(tasks(8), block(1), &settings, [0, 0]);
		let sent = send(&mut round);
		round.included(block(1), sent[0].0, item());
		assert!(!round.is_settling());
		round.retracted([1; 32]);
		assert!(round.is_settling());
	}

	#[test]
	fn what_another_publisher_has_done_leads_to_another_plan() {
		let settings = settings(4);
		let mut round = Round::new(tasks(4), block(1), &settings, [0, 0]);
		let sent = send(&mut round);
		let reason = "ContentFabric.VersionAlreadyExists: it has".to_owned();
		round.included(block(1), sent[0].0, Err(reason));
		assert!(round.is_settling() && round.is_over());
		assert_eq!(round.failures().count(), 0);
	}

	#[test]
	fn a_batch_without_room_is_halved_and_one_task_stays_whole() {
		let settings = settings(4);
		let mut round = Round::new(tasks(3), block(1), &settings, [0, 0]);
		let (batch, _) = round.next().expect("there are tasks");
		round.split(batch);
		assert_eq!(send(&mut round).iter().map(|(_, tasks)| *tasks).collect::<Vec<_>>(), [2, 1]);
	}
}
