// SPDX-License-Identifier: Apache-2.0
//! Runs rounds until the chain lacks nothing. Nothing but [`Settings::seed`] is random here, and
//! the branches of each `select!` have an order, so that a simulation repeats itself.

use std::time::Duration;

use content_fabric_client::chain::{self, blake2_256};
use futures::{
	future::{try_join_all, LocalBoxFuture},
	stream::FuturesUnordered,
	FutureExt, StreamExt,
};
use rand::{rngs::StdRng, Rng, SeedableRng};
use tokio::{
	sync::watch,
	time::{sleep, sleep_until, timeout, Instant},
};

use super::{
	round::{Round, Verdict},
	Hash, Head, Node, Refusal, Settings, Task, Work, LANES,
};
use crate::Error;

/// Rounds in a row without progress after which an error ends the work.
pub(super) const FRUITLESS: u32 = 8;
/// Maximum number of connections lost in a row without progress. Below it the work continues past
/// `patience`, since the node came back each time.
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
	node: &N,
	work: &mut W,
	settings: &Settings,
	stop: &watch::Receiver<bool>,
) -> End {
	let round = None;
	let stop = stop.clone();
	let random = StdRng::seed_from_u64(settings.seed);
	let mut driver =
		Driver { node, work, settings, stop, random, round, transactions: 0, last: None };
	let deserted = deserted(node, settings, driver.stop.clone());
	let result = tokio::select! {
		biased;
		result = driver.run() => result,
		() = deserted => Err(Error::Interrupted),
	};
	driver.end_round();
	End { transactions: driver.transactions, last: driver.last, result }
}

struct Driver<'a, N, W> {
	node: &'a N,
	work: &'a mut W,
	settings: &'a Settings,
	stop: watch::Receiver<bool>,
	random: StdRng,
	/// The round that is under way.
	round: Option<Round>,
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
	/// True if it is a loss of the connection, which has not been made anew.
	is_lost: bool,
}

impl From<Error> for Setback {
	fn from(error: Error) -> Self {
		let (is_fatal, is_lost) = (!is_passing(&error), is_loss(&error));
		Self { error, progressed: false, is_fatal, is_lost }
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
					if setback.is_lost {
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
			biased;
			connected = &mut reconnecting => return Ok(connected?),
			() = stopped(stop) => return Err(Error::Interrupted),
			() = sleep(QUIET) => work.disconnected(error, *patience),
		}
		tokio::select! {
			biased;
			connected = reconnecting => connected?,
			() = stopped(stop) => return Err(Error::Interrupted),
		}
		work.reconnected();
		Ok(())
	}

	/// Plans, and runs a round. Returns true if the chain lacks nothing more. `least` is the
	/// smallest number of tasks that a plan had.
	async fn step(&mut self, least: &mut usize) -> Result<bool, Setback> {
		let (tasks, at, nonces) = self.prepare().await?;
		if *self.stop.borrow() {
			return Err(Error::Interrupted.into());
		}
		if tasks.is_empty() {
			return Ok(self.is_final(at).await?);
		}
		let fewer = tasks.len() < *least;
		*least = (*least).min(tasks.len());
		let round = self.round.insert(Round::new(&tasks, at, self.settings, nonces));
		let (node, settings) = (self.node, self.settings);
		let sent = send(node, self.work, settings, &mut self.stop, round).await;
		let settled = match &sent {
			Err(setback) => self.settle(&setback.error).await,
			Ok(()) => Ok(()),
		};
		let (progressed, is_complete) = self.end_round();
		let result = match sent {
			// The first error is the one to report: settling was for the counts.
			Err(setback) if setback.is_fatal => Err(setback),
			// Settling has connected again.
			sent => settled
				.map_err(|error| Setback { is_fatal: true, ..error.into() })
				.and(sent.map_err(|setback| Setback { is_lost: false, ..setback })),
		};
		let progressed = |setback: Setback| Setback { progressed: progressed || fewer, ..setback };
		result.map_err(progressed)?;
		match self.last {
			Some(last) if is_complete => Ok(self.is_final(last).await?),
			_ => Ok(false),
		}
	}

	/// Counts what the round did. Returns whether it did something, and whether it did all.
	fn end_round(&mut self) -> (bool, bool) {
		let Some(round) = self.round.take() else { return (false, false) };
		let (done, all) = round.progress();
		for batch in round.successes() {
			self.work.done(batch);
		}
		for batch in round.unsettled() {
			self.work.unsettled(batch);
		}
		let mut failures = 0;
		for (task, reason) in round.failures() {
			self.work.failed(task, reason);
			failures += 1;
		}
		self.transactions += round.transactions();
		self.last = round.last().or(self.last);
		(done + failures > 0, done == all && !self.work.wants_more())
	}

	/// Waits for a random time, so that two publishers do not go on at the same moment.
	async fn back_off(&mut self, factor: u32) {
		let longest = self.settings.backoff.saturating_mul(factor);
		tokio::select! {
			biased;
			() = sleep(longest.mul_f64(self.random.random())) => {},
			() = stopped(&mut self.stop) => {},
		}
	}

	/// Waits for transactions in the pool, and plans.
	async fn prepare(&mut self) -> Result<(Vec<Task>, Head, [u64; LANES]), Error> {
		loop {
			let Self { node, settings, stop, .. } = self;
			tokio::select! {
				biased;
				quiet = wait_for_pool(*node, settings, 1, None) => quiet?,
				() = stopped(stop) => return Err(Error::Interrupted),
			}
			let (tasks, at) = self.work.plan(self.node).await?;
			// Another publisher may have gone on while the plan was made.
			let nonces = nonces(self.node, self.settings).await?;
			if tasks.is_empty() || is_empty(&nonces) {
				return Ok((tasks, at, nonces.map(|(_, pool)| pool)));
			}
		}
	}

	/// Waits until a block is finalized, if that is wanted. Returns false if it was retracted.
	async fn is_final(&mut self, block: Head) -> Result<bool, Error> {
		if !self.settings.finalized {
			return Ok(true);
		}
		tokio::select! {
			biased;
			is_final = self.node.finalized(block) => Ok(is_final?),
			() = stopped(&mut self.stop) => Err(Error::Interrupted),
		}
	}

	/// Waits until what was sent is in blocks or gone, and finds out which, through losses of the
	/// connection.
	async fn settle(&mut self, error: &Error) -> Result<(), Error> {
		let mut endurance = Endurance::new();
		if is_loss(error) {
			self.reconnect(error).await?;
		}
		while let Some(round) = &mut self.round {
			match find(self.node, self.settings, round).await {
				Err(error) if is_loss(&error) && !endurance.is_lost_for_good(self.settings) => {
					self.reconnect(&error).await?;
				},
				found => return found,
			}
		}
		Ok(())
	}
}

/// A transaction on its way into a block.
type Flight<'a> = LocalBoxFuture<'a, (Hash, Result<Hash, Refusal>)>;

/// Sends the stages of a round, one after the other, until something unexpected happens.
async fn send<N: Node, W: Work<N>>(
	node: &N,
	work: &mut W,
	settings: &Settings,
	stop: &mut watch::Receiver<bool>,
	round: &mut Round,
) -> Result<(), Setback> {
	let mut flights = FuturesUnordered::<Flight<'_>>::new();
	let mut progress = Instant::now();
	loop {
		let is_stopped = *stop.borrow();
		let has_room = !is_stopped && flights.len() < settings.window;
		let batch = if has_room { round.next() } else { None };
		let landed = match batch {
			Some(batch) => {
				let account = settings.accounts[batch.task.lane];
				let Some(bytes) = work.sign(node, &batch, round.nonce(account)).await? else {
					round.split(batch);
					continue;
				};
				let hash = blake2_256(&bytes);
				round.sent(batch, hash, account);
				flights.push(async move { (hash, node.submit(&bytes).await) }.boxed_local());
				// The request must be under way before the next batch is signed.
				flights.next().now_or_never().flatten()
			},
			None if flights.is_empty() => {
				ensure_canonical(node, round.recent()).await?;
				if is_stopped || !round.begin_next_stage() {
					return Ok(());
				}
				None
			},
			None => tokio::select! {
				biased;
				landed = flights.next() => landed,
				() = stopped(stop), if !is_stopped => None,
				() = sleep_until(progress + settings.stall) => {
					return Err(stale(Error::PoolBusy { waited: settings.stall }));
				},
			},
		};
		if let Some((hash, landed)) = landed {
			land(node, round, hash, landed).await?;
			progress = Instant::now();
			let (done, all) = round.progress();
			work.progress(done, all);
		}
	}
}

/// Reads what has become of a transaction, and of those in the same block.
async fn land<N: Node>(
	node: &N,
	round: &mut Round,
	hash: Hash,
	landed: Result<Hash, Refusal>,
) -> Result<(), Setback> {
	let block = match landed {
		Ok(block) => block,
		Err(Refusal::Lost(error)) => return Err(Error::from(error).into()),
		Err(Refusal::Dropped(error)) => return Err(stale(error.into())),
		Err(Refusal::NotTaken(error)) => {
			round.not_taken(hash);
			return Err(stale(error.into()));
		},
		Err(Refusal::Fee(error)) => {
			if let Some(batch) = round.not_taken(hash) {
				round.fail_lane(&batch, &error.to_string(), None);
			}
			return Err(stale(error.into()));
		},
	};
	let ours = round.in_flight();
	if !ours.contains(&hash) {
		return Ok(());
	}
	let found = node.outcomes(block, &ours).await.map_err(Error::from)?;
	let has_it = |(_, outcomes): &(_, Vec<_>)| outcomes.iter().any(|(found, _)| *found == hash);
	let Some((block, outcomes)) = found.filter(has_it) else { return Err(retracted()) };
	for (hash, outcome) in outcomes {
		let reason = outcome.as_ref().err().cloned();
		let verdict = round.included(block, hash, outcome);
		let Some(reason) = reason else { continue };
		if matches!(verdict, Verdict::Stale) {
			return Err(failed(reason));
		}
		// A failure counts only if its block is still in the best chain, and if that chain has the
		// block of the plan.
		ensure_canonical(node, round.recent().into_iter().chain([round.at()])).await?;
		if matches!(verdict, Verdict::Isolate) {
			round.isolate(hash, &reason);
		}
	}
	Ok(())
}

/// Checks that none of these blocks was retracted.
async fn ensure_canonical<N: Node>(
	node: &N,
	blocks: impl IntoIterator<Item = Head>,
) -> Result<(), Setback> {
	match lost(node, blocks).await?[..] {
		[] => Ok(()),
		_ => Err(retracted()),
	}
}

/// Returns the blocks that are no longer in the best chain.
async fn lost<N: Node>(
	node: &N,
	blocks: impl IntoIterator<Item = Head>,
) -> Result<Vec<Head>, Error> {
	let checks = blocks.into_iter().map(|block| async move {
		let is_lost = node.block_hash(block.number).await? != Some(block.hash);
		Ok::<_, chain::Error>(is_lost.then_some(block))
	});
	Ok(try_join_all(checks).await?.into_iter().flatten().collect())
}

/// Waits until the pool has none of our transactions, and finds those that are in blocks. Does so
/// again if the best chain has changed meanwhile.
async fn find<N: Node>(node: &N, settings: &Settings, round: &mut Round) -> Result<(), Error> {
	let next = std::array::from_fn(|account| round.nonce(account));
	loop {
		wait_for_pool(node, settings, EMPTY_POLLS, Some(next)).await?;
		for block in lost(node, round.recent()).await? {
			round.retracted(block);
		}
		let Some(since) = round.since() else { return Ok(()) };
		let number = node.best_number().await?;
		let Some(hash) = node.block_hash(number).await? else { continue };
		for number in since..=number {
			let Some(hash) = node.block_hash(number).await? else { continue };
			let Some((block, outcomes)) = node.outcomes(hash, &round.in_flight()).await? else {
				continue;
			};
			for (hash, outcome) in outcomes {
				round.found(block, hash, outcome);
			}
		}
		let blocks = round.recent().into_iter().chain([Head { hash, number }]);
		if lost(node, blocks).await?.is_empty() {
			return Ok(());
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

/// Waits until `polls` polls in a row find no transactions of the accounts in the node's pool that
/// could get into a block, of whichever run. Transactions behind a missing nonce do not count.
/// `next` has the nonces after this run's. If given, the wait also ends when blocks have used all
/// earlier nonces: the pool's transactions then belong to a concurrent run.
async fn wait_for_pool<N: Node>(
	node: &N,
	settings: &Settings,
	polls: u32,
	next: Option<[u64; LANES]>,
) -> Result<(), Error> {
	let is_past = |nonces: &Nonces| {
		next.is_some_and(|next| nonces.iter().zip(next).all(|((chain, _), next)| *chain >= next))
	};
	let (mut since, mut before, mut quiet) = (Instant::now(), None, 0);
	loop {
		let nonces = nonces(node, settings).await?;
		quiet = if is_empty(&nonces) || is_past(&nonces) { quiet + 1 } else { 0 };
		if quiet >= polls {
			return Ok(());
		}
		if before.replace(nonces) != Some(nonces) {
			since = Instant::now();
		}
		if since.elapsed() > settings.patience {
			return Err(Error::PoolBusy { waited: settings.patience });
		}
		sleep(POLL).await;
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

/// Returns whether the connection has to be made anew.
fn is_loss(error: &Error) -> bool {
	error.is_connection()
		|| matches!(error, Error::Chain(error) if matches!(error.cause(), chain::Error::Rpc(_)))
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

fn stale(error: Error) -> Setback {
	Setback { is_fatal: false, ..error.into() }
}

fn failed(reason: String) -> Setback {
	stale(chain::Error::Dispatch { call: "a transaction".into(), reason }.into())
}

fn retracted() -> Setback {
	failed("its block was retracted".into())
}

#[cfg(test)]
mod tests {
	use content_fabric_client::chain::{self, Wait};

	use super::*;

	fn settings() -> Settings {
		Settings { patience: Duration::from_secs(60), ..Settings::default() }
	}

	fn setback(error: chain::Error, progressed: bool) -> Setback {
		Setback { progressed, ..stale(error.into()) }
	}

	#[tokio::test(start_paused = true)]
	async fn a_connection_may_be_lost_often_if_it_comes_back() {
		let (settings, mut endurance) = (settings(), Endurance::new());
		let mut is_over = |progressed| {
			endurance.is_over_with(&setback(chain::Error::Disconnected, progressed), &settings)
		};
		for _ in 0..LOSSES {
			assert!(!is_over(false));
			sleep(Duration::from_secs(10)).await;
		}
		assert!(!is_over(true));
		for _ in 1..LOSSES {
			assert!(!is_over(false));
			sleep(Duration::from_secs(10)).await;
		}
		assert!(is_over(false));
	}

	#[tokio::test(start_paused = true)]
	async fn work_that_does_not_get_on_ends_with_patience_or_after_some_rounds() {
		let (settings, mut endurance) = (settings(), Endurance::new());
		let mut is_over = |progressed| {
			let (hash, wait) = (String::new(), Wait::Best);
			let error = chain::Error::NotIncluded { hash, seconds: 1, wait };
			endurance.is_over_with(&setback(error, progressed), &settings)
		};
		for _ in 1..FRUITLESS {
			assert!(!is_over(false));
		}
		assert!(is_over(false));
		assert!(!is_over(true));
		sleep(settings.patience * 2).await;
		assert!(is_over(false));
	}
}
