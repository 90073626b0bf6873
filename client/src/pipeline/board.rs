// SPDX-License-Identifier: Apache-2.0
//! The tasks of a round: which can be sent, which wait, and what became of the others.

use std::collections::{BTreeMap, VecDeque};

use super::{Batch, Needs, Task, TaskId, LANES};

/// The state of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
	Waiting,
	/// In a queue, or in a transaction.
	Open,
	Done,
	Failed(String),
	/// It waited for a task that failed.
	Dropped,
}

/// The tasks of a round.
#[derive(Debug)]
pub(super) struct Board {
	tasks: Vec<Task>,
	states: Vec<State>,
	/// The tasks of each lane that wait for nothing and are in no transaction.
	ready: [VecDeque<TaskId>; LANES],
	/// The tasks that wait, by the ones that they wait for.
	waiting: BTreeMap<TaskId, Vec<TaskId>>,
	/// Number of tasks that are neither done, failed nor dropped.
	open: [usize; LANES],
	/// Number of tasks that wait for others, except those that wait for all.
	waiting_count: [usize; LANES],
	done: usize,
	failed: usize,
	/// The tasks that wait for all others.
	last: Vec<TaskId>,
}

impl Board {
	pub(super) fn new(tasks: Vec<Task>) -> Self {
		let mut board = Self {
			states: vec![State::Waiting; tasks.len()],
			tasks,
			ready: Default::default(),
			waiting: BTreeMap::new(),
			open: [0; LANES],
			waiting_count: [0; LANES],
			done: 0,
			failed: 0,
			last: Vec::new(),
		};
		for id in board.ids() {
			let Task { lane, needs, .. } = &board.tasks[id as usize];
			let lane = *lane;
			board.open[lane] += 1;
			match needs.clone() {
				Needs::Nothing => board.release(id),
				Needs::One(needed) => board.wait(id, needed..needed + 1),
				Needs::AnyOf(needed) => board.wait(id, needed),
				Needs::All => board.last.push(id),
			}
		}
		board.release_last();
		board
	}

	fn ids(&self) -> std::ops::Range<TaskId> {
		0..TaskId::try_from(self.tasks.len()).unwrap_or(TaskId::MAX)
	}

	fn wait(&mut self, id: TaskId, needed: std::ops::Range<TaskId>) {
		self.waiting_count[self.tasks[id as usize].lane] += 1;
		for needed in needed {
			self.waiting.entry(needed).or_default().push(id);
		}
	}

	fn release(&mut self, id: TaskId) {
		self.states[id as usize] = State::Open;
		self.ready[self.tasks[id as usize].lane].push_back(id);
	}

	/// Returns the number of tasks.
	pub(super) fn len(&self) -> usize {
		self.tasks.len()
	}

	/// Returns the number of tasks that are done.
	pub(super) fn done_count(&self) -> usize {
		self.done
	}

	/// Returns whether no task of a lane can become anything else.
	pub(super) fn is_over(&self) -> bool {
		self.open.iter().sum::<usize>() == self.last.len()
	}

	/// Returns whether all tasks are done.
	pub(super) fn is_done(&self) -> bool {
		self.done == self.tasks.len()
	}

	/// Takes at most `limits[kind]` tasks of one kind from a lane. While others of the lane may
	/// join them soon, only a full batch is taken.
	pub(super) fn take(&mut self, lane: usize, limits: &[usize], is_idle: bool) -> Option<Batch> {
		let first = *self.ready[lane].front()?;
		let kind = self.tasks[first as usize].kind;
		let limit = limits.get(kind).copied().unwrap_or(1).max(1);
		let same = self.ready[lane].iter().take(limit);
		let count = same.take_while(|id| self.tasks[**id as usize].kind == kind).count();
		let is_cut = count < self.ready[lane].len();
		if count < limit && !is_cut && !is_idle && self.waiting_count[lane] > 0 {
			return None;
		}
		let mut tasks: Vec<_> = self.ready[lane].drain(..count).collect();
		tasks.sort_unstable();
		Some(Batch { lane, kind, tasks })
	}

	/// Marks a task as done, and releases those that wait for it.
	pub(super) fn done(&mut self, id: TaskId) {
		if self.states[id as usize] != State::Open {
			return;
		}
		self.close(id, State::Done);
		self.done += 1;
		for waiting in self.waiting.get(&id).cloned().unwrap_or_default() {
			if self.states[waiting as usize] == State::Waiting {
				self.waiting_count[self.tasks[waiting as usize].lane] -= 1;
				self.release(waiting);
			}
		}
		self.release_last();
	}

	/// Takes back that a task is done. Those that waited for it stay released.
	pub(super) fn undo(&mut self, id: TaskId) {
		if self.states[id as usize] == State::Done {
			self.states[id as usize] = State::Open;
			self.open[self.tasks[id as usize].lane] += 1;
			self.done -= 1;
		}
	}

	/// Marks a task as failed for good, and drops those that wait for it alone.
	pub(super) fn failed(&mut self, id: TaskId, reason: &str) {
		if !matches!(self.states[id as usize], State::Open | State::Waiting) {
			return;
		}
		if self.states[id as usize] == State::Waiting {
			self.count_out(id);
		}
		self.close(id, State::Failed(reason.to_owned()));
		self.failed += 1;
		for waiting in self.waiting.get(&id).cloned().unwrap_or_default() {
			if self.states[waiting as usize] == State::Waiting && self.is_hopeless(waiting) {
				self.count_out(waiting);
				self.close(waiting, State::Dropped);
			}
		}
	}

	/// Fails all tasks of a lane that are in no transaction. `queued` are those that are in a queue
	/// of the caller.
	pub(super) fn fail_lane(&mut self, lane: usize, queued: Vec<TaskId>, reason: &str) {
		let ready = std::mem::take(&mut self.ready[lane]);
		let waiting = self.ids().filter(|id| {
			let task = &self.tasks[*id as usize];
			task.lane == lane
				&& task.needs != Needs::All
				&& self.states[*id as usize] == State::Waiting
		});
		let all: Vec<_> =
			ready.into_iter().chain(queued).chain(waiting.collect::<Vec<_>>()).collect();
		for id in all {
			self.failed(id, reason);
		}
	}

	/// Counts a task that leaves the state of waiting.
	fn count_out(&mut self, id: TaskId) {
		let Task { lane, needs, .. } = &self.tasks[id as usize];
		if *needs != Needs::All {
			self.waiting_count[*lane] -= 1;
		}
	}

	fn close(&mut self, id: TaskId, state: State) {
		self.states[id as usize] = state;
		self.open[self.tasks[id as usize].lane] -= 1;
	}

	/// Returns whether all that a task waits for has failed.
	fn is_hopeless(&self, id: TaskId) -> bool {
		let failed = |needed: TaskId| {
			matches!(self.states[needed as usize], State::Failed(_) | State::Dropped)
		};
		match self.tasks[id as usize].needs.clone() {
			Needs::One(needed) => failed(needed),
			Needs::AnyOf(mut needed) => needed.all(failed),
			Needs::Nothing | Needs::All => false,
		}
	}

	/// Releases the tasks that wait for all others when those are done.
	fn release_last(&mut self) {
		if self.failed == 0 && self.done + self.last.len() == self.tasks.len() {
			for id in std::mem::take(&mut self.last) {
				self.release(id);
			}
		}
	}

	/// Returns the tasks that failed, each with the reason.
	pub(super) fn failures(&self) -> impl Iterator<Item = (TaskId, &str)> {
		self.ids().zip(&self.states).filter_map(|(id, state)| match state {
			State::Failed(reason) => Some((id, reason.as_str())),
			_ => None,
		})
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn task(lane: usize, needs: Needs) -> Task {
		Task { lane, kind: lane, needs }
	}

	/// Two commits of one package, records for both and for the package, and the last task.
	fn board() -> Board {
		Board::new(vec![
			task(0, Needs::Nothing),
			task(0, Needs::Nothing),
			task(1, Needs::AnyOf(0..2)),
			task(1, Needs::One(0)),
			task(1, Needs::One(1)),
			Task { lane: 1, kind: 2, needs: Needs::All },
		])
	}

	fn take(board: &mut Board, lane: usize, is_idle: bool) -> Vec<TaskId> {
		board.take(lane, &[10, 10, 1], is_idle).map(|batch| batch.tasks).unwrap_or_default()
	}

	#[test]
	fn tasks_wait_for_what_they_need_and_the_last_for_all() {
		let mut board = board();
		assert!(take(&mut board, 1, true).is_empty());
		assert_eq!(take(&mut board, 0, false), [0, 1]);
		board.done(0);
		assert!(take(&mut board, 1, false).is_empty(), "more are to come");
		assert_eq!(take(&mut board, 1, true), [2, 3]);
		board.done(1);
		assert_eq!(take(&mut board, 1, false), [4]);
		for id in [2, 3, 4] {
			assert!(take(&mut board, 1, true).is_empty());
			board.done(id);
		}
		assert_eq!(take(&mut board, 1, false), [5]);
		assert!(!board.is_over());
		board.done(5);
		assert!(board.is_over());
		assert_eq!(board.failures().count(), 0);
	}

	#[test]
	fn what_waits_for_a_failed_task_alone_is_dropped_and_the_last_is_left() {
		let mut board = board();
		take(&mut board, 0, true);
		board.failed(1, "poisoned");
		board.done(0);
		assert_eq!(take(&mut board, 1, false), [2, 3]);
		board.done(2);
		board.done(3);
		assert!(take(&mut board, 1, true).is_empty());
		assert!(board.is_over());
		assert_eq!(board.failures().collect::<Vec<_>>(), [(1, "poisoned")]);

		let mut board = self::board();
		take(&mut board, 0, true);
		board.failed(0, "a");
		board.failed(1, "b");
		assert!(board.is_over(), "nothing can be put");
	}

	#[test]
	fn a_lane_that_fails_takes_what_waits_on_it_and_no_other() {
		let mut board = board();
		board.fail_lane(1, Vec::new(), "no permission");
		let failed: Vec<_> = board.failures().map(|(id, _)| id).collect();
		assert_eq!(failed, [2, 3, 4]);
		assert_eq!(take(&mut board, 0, false), [0, 1]);
		board.done(0);
		board.done(1);
		assert!(board.is_over());
	}

	#[test]
	fn a_lane_that_fails_takes_the_last_task_once_it_is_released() {
		let mut board = Board::new(vec![Task { lane: 1, kind: 0, needs: Needs::All }]);
		let sent = take(&mut board, 1, true);
		board.fail_lane(1, sent, "no permission");
		assert_eq!(board.failures().collect::<Vec<_>>(), [(0, "no permission")]);
		assert!(board.is_over());
	}

	#[test]
	fn a_task_that_is_undone_can_be_done_again_and_releases_nothing_twice() {
		let mut board = board();
		take(&mut board, 0, true);
		board.done(0);
		assert_eq!(take(&mut board, 1, true), [2, 3]);
		board.undo(0);
		assert_eq!(board.done_count(), 0);
		board.done(0);
		assert_eq!(board.done_count(), 1);
		assert!(take(&mut board, 1, true).is_empty());
	}

	#[test]
	fn batches_have_one_kind_and_at_most_the_limit() {
		let tasks = [0, 0, 0, 1, 0].map(|kind| Task { lane: 0, kind, needs: Needs::Nothing });
		let mut board = Board::new(tasks.to_vec());
		let mut sizes = Vec::new();
		while let Some(batch) = board.take(0, &[2, 5], false) {
			sizes.push((batch.kind, batch.tasks.len()));
		}
		assert_eq!(sizes, [(0, 2), (0, 1), (1, 1), (0, 1)]);
	}
}
