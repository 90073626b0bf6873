// SPDX-License-Identifier: Apache-2.0
//! Runs rounds until the chain lacks nothing.

use std::{future::Future, mem, sync::Arc, time::Duration};

use futures::{
	future::{ready, LocalBoxFuture},
	stream::{FuturesOrdered, FuturesUnordered},
	FutureExt, StreamExt,
};
use tokio::{
	sync::watch,
	time::{sleep, sleep_until, timeout, Instant},
};

use super::{
	branch::Branch,
	round::{Round, Unread},
	Anomaly, Hash, Head, Node, Outcome, Refusal, Settings, Task, Work, LANES,
};
use crate::{chain, Error};

/// Rounds in a row without progress after which an error ends the work.
pub(super) const FRUITLESS: u32 = 8;
/// Maximum number of lost connections in a row without progress. Until then the work goes on, even
/// after the time for it: the node came back each time. A node that closes more connections may never
/// let it get on.
const LOSSES: u32 = 20;
/// Interval at which a pool is asked about transactions.
const POLL: Duration = Duration::from_millis(250);
/// Time after which a lost connection is reported.
const QUIET: Duration = Duration::from_secs(1);
/// Time in which a node must answer after the user has stopped the work.
const FAREWELL: Duration = Duration::from_secs(5);
/// Polls in a row that must find a pool without transactions of ours.
const EMPTY_POLLS: u32 = 3;

/// The end of the work.
#[derive(Debug)]
pub(crate) struct End {
	/// Number of transactions that were sent.
	pub transactions: u64,
	/// The last block with one of them.
	pub last: Option<Head>,
	/// The error that ended the work, [`Error::Interrupted`] among them.
	pub result: Result<(), Error>,
}

/// Runs rounds until the work is done, or fails, or `stop` becomes true.
pub(crate) async fn drive<N: Node, W: Work<N>>(
	node: &mut N,
	work: &mut W,
	settings: &Settings,
	stop: &mut watch::Receiver<bool>,
) -> End {
	let mut driver = Driver { node, work, settings, stop, transactions: 0, last: None };
	let result = driver.run().await;
	End { transactions: driver.transactions, last: driver.last, result }
}

struct Driver<'a, N, W> {
	node: &'a mut N,
	work: &'a mut W,
	settings: &'a Settings,
	stop: &'a mut watch::Receiver<bool>,
	transactions: u64,
	last: Option<Head>,
}

/// An error after which another round may succeed, or may not.
struct Setback {
	error: Error,
	/// True if there was some progress before it.
	progressed: bool,
	/// True if another round makes no sense.
	is_fatal: bool,
}

impl From<Error> for Setback {
	fn from(error: Error) -> Self {
		Self { is_fatal: !is_passing(&error), error, progressed: false }
	}
}

/// The setbacks since the last progress.
struct Endurance {
	/// Rounds in a row without progress, besides those that a lost connection ended.
	fruitless: u32,
	/// Losses of the connection.
	losses: u32,
	/// The time of the last progress.
	since: Instant,
}

impl Endurance {
	fn new() -> Self {
		Self { fruitless: 0, losses: 0, since: Instant::now() }
	}

	/// Counts a setback. Returns whether it is one too many.
	fn is_over_with(&mut self, setback: &Setback, settings: &Settings) -> bool {
		if setback.progressed {
			*self = Self::new();
		}
		if setback.error.is_connection() {
			return setback.is_fatal || self.is_lost_for_good(settings);
		}
		if !setback.progressed {
			self.fruitless += 1;
		}
		let is_late = self.since.elapsed() > settings.patience;
		setback.is_fatal || self.fruitless >= FRUITLESS || is_late
	}

	/// Counts a loss of the connection. Returns whether it is one too many.
	fn is_lost_for_good(&mut self, settings: &Settings) -> bool {
		self.losses += 1;
		self.losses > LOSSES && self.since.elapsed() > settings.patience
	}
}

impl<N: Node, W: Work<N>> Driver<'_, N, W> {
	async fn run(&mut self) -> Result<(), Error> {
		let (mut least, mut endurance) = (usize::MAX, Endurance::new());
		while !*self.stop.borrow() {
			match self.step(&mut least).await {
				Ok(true) => return Ok(()),
				Ok(false) => endurance = Endurance::new(),
				Err(setback) => {
					if endurance.is_over_with(&setback, self.settings) {
						return Err(setback.error);
					}
					if is_loss(&setback.error) {
						self.reconnect(&setback.error).await?;
					}
					self.back_off(endurance.fruitless + 1).await;
				},
			}
		}
		Err(Error::Interrupted)
	}

	/// Connects again after an error, unless the user stops the work. Reports a loss that lasts.
	async fn reconnect(&mut self, error: &Error) -> Result<(), Error> {
		let Self { node, work, settings: Settings { patience, .. }, stop, .. } = self;
		let reconnecting = node.reconnect(*patience);
		tokio::pin!(reconnecting);
		tokio::select! {
			connected = &mut reconnecting => return Ok(connected?),
			() = stopped(stop) => return Err(Error::Interrupted),
			() = sleep(QUIET) => work.disconnected(error, *patience),
		}
		tokio::select! {
			connected = reconnecting => connected?,
			() = stopped(stop) => return Err(Error::Interrupted),
		}
		work.reconnected();
		Ok(())
	}

	/// Plans, and runs a round. Returns true if the chain lacks nothing more. `least` is the
	/// smallest number of tasks that a plan had.
	async fn step(&mut self, least: &mut usize) -> Result<bool, Setback> {
		let (tasks, at) = self.prepare().await?;
		if *self.stop.borrow() {
			return Err(Error::Interrupted.into());
		}
		let fewer = tasks.len() < *least;
		*least = (*least).min(tasks.len());
		let mut last = Some(at);
		if !tasks.is_empty() {
			let is_complete = self.round(tasks, at).await.map_err(|setback| Setback {
				progressed: setback.progressed || fewer,
				..setback
			})?;
			if !is_complete {
				return Ok(false);
			}
			last = self.last;
		}
		Ok(self.is_final(last).await?)
	}

	/// Waits for a random time, so that two publishers do not go on at the same moment.
	async fn back_off(&mut self, factor: u32) {
		let longest = self.settings.backoff.saturating_mul(factor);
		tokio::select! {
			() = sleep(longest.mul_f64(rand::random())) => {},
			() = stopped(self.stop) => {},
		}
	}

	/// Waits for transactions in the pool, and plans.
	async fn prepare(&mut self) -> Result<(Vec<Task>, Head), Error> {
		loop {
			self.wait_for_pool().await?;
			let Self { node, work, settings, stop, .. } = self;
			let planning = work.plan(node);
			let (tasks, at) = unless_deserted(&**node, settings, stop, planning).await?;
			// Another publisher may have gone on while the plan was made.
			if tasks.is_empty() || is_empty(&self.nonces().await?) {
				return Ok((tasks, at));
			}
		}
	}

	async fn nonces(&self) -> Result<Nonces, Error> {
		let nonces = nonces(&*self.node, self.settings);
		unless_deserted(&*self.node, self.settings, self.stop, nonces).await
	}

	/// Waits until the node's pool holds no transactions of the accounts: those of an earlier run,
	/// or of another one that goes on at the same time.
	async fn wait_for_pool(&mut self) -> Result<(), Error> {
		let mut since = Instant::now();
		let mut before = None;
		loop {
			let nonces = self.nonces().await?;
			if is_empty(&nonces) {
				return Ok(());
			}
			if before.replace(nonces) != Some(nonces) {
				since = Instant::now();
			}
			if since.elapsed() > self.settings.patience {
				return Err(busy(self.settings));
			}
			tokio::select! {
				() = sleep(POLL) => {},
				() = stopped(self.stop) => return Err(Error::Interrupted),
			}
		}
	}

	/// Waits until a block is finalized, if that is wanted. Returns false if it was retracted.
	async fn is_final(&mut self, block: Option<Head>) -> Result<bool, Error> {
		match block {
			Some(last) if self.settings.finalized => tokio::select! {
				is_final = self.node.finalized(last.number, last.hash) => Ok(is_final?),
				() = stopped(self.stop) => Err(Error::Interrupted),
			},
			_ => Ok(true),
		}
	}

	/// Runs a round, through losses of the connection, and counts what it did. Returns true if all
	/// of its tasks are done.
	async fn round(&mut self, tasks: Vec<Task>, at: Head) -> Result<bool, Setback> {
		let nonces = self.nonces().await?.map(|(_, pool)| pool);
		let mut round = Round::new(tasks, at, self.settings, nonces);
		let fatal = self.run_round(&mut round).await.err();
		let mut progressed = false;
		for success in round.successes() {
			self.work.done(success.batch, success.minted);
			progressed = true;
		}
		let mut is_complete = round.is_complete() && !self.work.wants_more();
		for (task, reason) in round.failures() {
			self.work.failed(task, reason);
			(progressed, is_complete) = (true, false);
		}
		self.transactions += round.transactions;
		self.last = round.last.or(self.last);
		if let Some(error) = fatal {
			return Err(Setback { error, progressed, is_fatal: true });
		}
		match round.into_anomaly() {
			Some(Anomaly::Lost(error) | Anomaly::Stale(error)) => {
				Err(Setback { error, progressed, is_fatal: false })
			},
			None => Ok(is_complete),
		}
	}

	/// Runs a round to its end, and connects again where the connection is lost.
	async fn run_round(&mut self, round: &mut Round<'_>) -> Result<(), Error> {
		let (mut endurance, mut before) = (Endurance::new(), round.progress());
		loop {
			let Self { node, work, settings, stop, .. } = self;
			let watched = stop.clone();
			let following = follow(&**node, *work, settings, stop, round);
			match unless_deserted(&**node, settings, &watched, following).await {
				Err(error) if is_loss(&error) => {
					let progress = round.progress();
					if mem::replace(&mut before, progress) != progress {
						endurance = Endurance::new();
					}
					if endurance.is_lost_for_good(self.settings) {
						return Err(error);
					}
					let reconnected = self.reconnect(&error).await;
					round.settle(Anomaly::Lost(error));
					reconnected?;
				},
				followed => return followed,
			}
		}
	}
}

/// Sends what is left of a round, and follows the blocks, until nothing is in flight.
async fn follow<N: Node, W: Work<N>>(
	node: &N,
	work: &mut W,
	settings: &Settings,
	stop: &mut watch::Receiver<bool>,
	round: &mut Round<'_>,
) -> Result<(), Error> {
	let mut heads = node.heads().await?;
	let mut flow = Flow::new(node, settings);
	let first = node.next_head(&mut heads).await?;
	// What was asked for when the connection was lost.
	for change in round.unread() {
		flow.ask_about(round, change);
	}
	flow.join(round, first).await?;
	// What was in flight when the connection was lost, or may have been dropped.
	flow.resend(round);
	loop {
		while let Some((batch, nonce)) = round.next() {
			match work.sign(node, &batch, nonce).await? {
				Some(signed) => {
					let hash = signed.hash;
					let bytes = round.sent(batch, nonce, signed);
					flow.submit(hash, bytes, false);
					// The request must be under way before the next batch is signed.
					if let Some(Some(answer)) = flow.submissions.next().now_or_never() {
						flow.submitted(round, answer)?;
					}
				},
				None => round.split(batch),
			}
		}
		if flow.is_over(round) {
			return Ok(());
		}
		tokio::select! {
			head = node.next_head(&mut heads) => flow.join(round, head?).await?,
			Some(event) = flow.events.next(), if !flow.events.is_empty() => {
				flow.apply(round, event?);
				let (done, all) = round.progress();
				work.progress(done, all);
			},
			Some(answer) = flow.submissions.next(), if !flow.submissions.is_empty() => {
				flow.submitted(round, answer)?;
			},
			() = stopped(stop), if round.is_sending() => round.stop(),
			() = sleep_until(flow.next_poll) => flow.poll(round).await?,
		}
	}
}

/// The numbers of transactions of each account, in blocks and with the pool.
type Nonces = [(u64, u64); LANES];

async fn nonces<N: Node>(node: &N, settings: &Settings) -> Result<Nonces, Error> {
	let mut nonces = [(0, 0); LANES];
	let [first, second] = settings.accounts;
	nonces[first] = node.nonces(first).await?;
	if second != first {
		nonces[second] = node.nonces(second).await?;
	}
	Ok(nonces)
}

fn is_empty(nonces: &Nonces) -> bool {
	nonces.iter().all(|(chain, pool)| chain == pool)
}

/// Does something with a node, unless the user stops the work and the node is gone.
async fn unless_deserted<N: Node, T>(
	node: &N,
	settings: &Settings,
	stop: &watch::Receiver<bool>,
	work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
	tokio::select! {
		done = work => done,
		() = deserted(node, settings, stop.clone()) => Err(Error::Interrupted),
	}
}

/// Waits until the user has stopped the work, and the node does not answer.
async fn deserted<N: Node>(node: &N, settings: &Settings, mut stop: watch::Receiver<bool>) {
	stopped(&mut stop).await;
	while let Ok(Ok(_)) = timeout(FAREWELL, node.nonces(settings.accounts[0])).await {
		sleep(POLL).await;
	}
}

/// Waits until the user stops the work.
async fn stopped(stop: &mut watch::Receiver<bool>) {
	if stop.wait_for(|stop| *stop).await.is_err() {
		// Nobody can stop it any more.
		std::future::pending().await
	}
}

fn busy(settings: &Settings) -> Error {
	let account = "the publisher".into();
	Error::PoolBusy { account, seconds: settings.patience.as_secs() }
}

/// Returns whether the connection has to be made anew.
fn is_loss(error: &Error) -> bool {
	error.is_connection() || matches!(error, Error::Chain(chain::Error::Rpc(_)))
}

/// Returns whether another plan may succeed after an error of planning.
fn is_passing(error: &Error) -> bool {
	match error {
		Error::Chain(chain::Error::NotIncluded { .. }) => true,
		// Another publisher may have created it at the same time.
		Error::Chain(chain::Error::Dispatch { reason, .. }) => reason.contains("Already"),
		Error::Chain(error) if error.is_nonce_taken() => true,
		error => is_loss(error),
	}
}

/// An answer to a submission.
struct Answer {
	hash: Hash,
	/// True if the transaction was submitted before.
	is_again: bool,
	result: Result<(), Refusal>,
}

/// Something that has become of a block, in the order of blocks.
enum Event {
	Retracted(Hash),
	Outcomes(Head, Vec<(Hash, Outcome)>),
}

/// The requests that are under way.
struct Flow<'a, N> {
	node: &'a N,
	settings: &'a Settings,
	events: FuturesOrdered<LocalBoxFuture<'a, Result<Event, Error>>>,
	submissions: FuturesUnordered<LocalBoxFuture<'a, Answer>>,
	next_poll: Instant,
	/// The last time that something went on.
	progress: Instant,
	nonces: Option<Nonces>,
	/// Polls in a row that found the pool empty.
	empty_polls: u32,
}

impl<'a, N: Node> Flow<'a, N> {
	fn new(node: &'a N, settings: &'a Settings) -> Self {
		Self {
			node,
			settings,
			events: FuturesOrdered::new(),
			submissions: FuturesUnordered::new(),
			next_poll: Instant::now() + POLL,
			progress: Instant::now(),
			nonces: None,
			empty_polls: 0,
		}
	}

	fn submit(&mut self, hash: Hash, bytes: Arc<[u8]>, is_again: bool) {
		let node = self.node;
		let submission =
			async move { Answer { hash, is_again, result: node.submit(&bytes).await } };
		self.submissions.push(submission.boxed_local());
	}

	/// Submits again what is in flight: a node takes what it does not have.
	fn resend(&mut self, round: &Round<'_>) {
		for (hash, bytes) in round.resendable() {
			self.submit(hash, bytes, true);
		}
	}

	fn submitted(&mut self, round: &mut Round<'_>, answer: Answer) -> Result<(), Error> {
		let Answer { hash, is_again, result } = answer;
		match result {
			Ok(()) | Err(Refusal::Known) => self.progress = Instant::now(),
			Err(Refusal::Lost(error)) => return Err(error.into()),
			// It may be in a block that has not been read.
			Err(_) if is_again => {},
			Err(Refusal::Fee(error)) => {
				round.stop_lane_of(hash, &error.to_string());
				round.settle(Anomaly::Stale(error.into()));
			},
			Err(Refusal::NonceTaken(error) | Refusal::Other(error)) => {
				round.refused(hash);
				round.settle(Anomaly::Stale(error.into()));
			},
		}
		Ok(())
	}

	/// Makes a block the best, and asks for the outcomes in those that are new.
	async fn join(&mut self, round: &mut Round<'_>, head: Head) -> Result<(), Error> {
		if round.branch.tip().is_some_and(|tip| tip.hash == head.hash) {
			return Ok(());
		}
		let joining = trace(self.node, &round.branch, head).await?;
		for change in round.join(joining) {
			self.ask_about(round, change);
		}
		Ok(())
	}

	/// Asks for the outcomes in a block that has become part of the best chain.
	fn ask_about(&mut self, round: &Round<'_>, change: Unread) {
		let event = match change {
			Unread::Retracted(block) => ready(Ok(Event::Retracted(block))).boxed_local(),
			Unread::Added(block) => {
				let (node, ours) = (self.node, round.hashes());
				let outcomes = async move {
					let outcomes = match ours.is_empty() {
						true => Vec::new(),
						false => node.outcomes(block.hash, &ours).await?,
					};
					Ok(Event::Outcomes(block, outcomes))
				};
				outcomes.boxed_local()
			},
		};
		self.events.push_back(event);
	}

	fn apply(&mut self, round: &mut Round<'_>, event: Event) {
		round.read();
		match event {
			Event::Retracted(block) => round.retracted(block),
			Event::Outcomes(block, outcomes) => {
				if !outcomes.is_empty() {
					self.progress = Instant::now();
				}
				for (hash, outcome) in outcomes {
					round.included(block, hash, outcome);
				}
			},
		}
	}

	/// Returns whether the round has ended, or all of its transactions have settled.
	fn is_over(&self, round: &Round<'_>) -> bool {
		let is_settled = round.is_settling() && self.empty_polls >= EMPTY_POLLS;
		self.events.is_empty() && self.submissions.is_empty() && (round.is_over() || is_settled)
	}

	/// Looks after transactions that get into no block.
	async fn poll(&mut self, round: &mut Round<'_>) -> Result<(), Error> {
		self.next_poll = Instant::now() + POLL;
		if !round.is_settling() {
			if round.is_over() || self.progress.elapsed() <= self.settings.stall {
				return Ok(());
			}
			round.settle(Anomaly::Stale(busy(self.settings)));
			self.resend(round);
		}
		let nonces = nonces(self.node, self.settings).await?;
		if self.nonces.replace(nonces) != Some(nonces) {
			self.progress = Instant::now();
		}
		self.empty_polls = if is_empty(&nonces) { self.empty_polls + 1 } else { 0 };
		if !is_empty(&nonces) && self.progress.elapsed() > self.settings.patience {
			return Err(busy(self.settings));
		}
		Ok(())
	}
}

/// Returns a block and those before it that join the best chain, the newest first.
async fn trace<N: Node>(node: &N, branch: &Branch, head: Head) -> Result<Vec<Head>, Error> {
	let mut joining = vec![head];
	while let Some(parent) = branch.missing(&joining) {
		joining.push(node.header(parent).await?);
	}
	Ok(joining)
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::chain::{self, Wait};

	fn settings() -> Settings {
		Settings {
			accounts: [0, 1],
			limits: vec![1],
			window: 1,
			stall: Duration::from_secs(8),
			patience: Duration::from_secs(60),
			backoff: Duration::ZERO,
			finalized: false,
		}
	}

	fn setback(error: chain::Error, progressed: bool) -> Setback {
		Setback { error: error.into(), progressed, is_fatal: false }
	}

	#[tokio::test(start_paused = true)]
	async fn a_connection_may_be_lost_often_if_it_comes_back() {
		let (settings, mut endurance) = (settings(), Endurance::new());
		for _ in 0..LOSSES {
			assert!(!endurance.is_over_with(&setback(chain::Error::Disconnected, false), &settings));
			sleep(Duration::from_secs(10)).await;
		}
		assert!(!endurance.is_over_with(&setback(chain::Error::Disconnected, true), &settings));
		for _ in 1..LOSSES {
			assert!(!endurance.is_over_with(&setback(chain::Error::Disconnected, false), &settings));
			sleep(Duration::from_secs(10)).await;
		}
		assert!(endurance.is_over_with(&setback(chain::Error::Disconnected, false), &settings));
	}

	#[tokio::test(start_paused = true)]
	async fn work_that_does_not_get_on_ends_with_patience_or_after_some_rounds() {
		let error =
			|| chain::Error::NotIncluded { hash: String::new(), seconds: 1, wait: Wait::Best };
		let (settings, mut endurance) = (settings(), Endurance::new());
		for _ in 1..FRUITLESS {
			assert!(!endurance.is_over_with(&setback(error(), false), &settings));
		}
		assert!(endurance.is_over_with(&setback(error(), false), &settings));
		assert!(!endurance.is_over_with(&setback(error(), true), &settings));
		sleep(settings.patience * 2).await;
		assert!(endurance.is_over_with(&setback(error(), false), &settings));
	}
}
