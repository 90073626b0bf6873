// SPDX-License-Identifier: Apache-2.0
//! Runs rounds until the chain lacks nothing. Nothing but [`Settings::seed`] is random here, and
//! the branches of each `select!` have an order, so that a simulation repeats itself.

use std::{collections::HashSet, time::Duration};

use futures::{
	future::{try_join, try_join_all},
	stream::FuturesUnordered,
	FutureExt, Stream, StreamExt,
};
use rand::{rngs::StdRng, Rng, SeedableRng};
use tokio::{
	sync::watch,
	time::{sleep, timeout, Instant},
};

use super::{
	round::Round,
	suspects::{rehearse, sift, Suspect},
	End, Hash, Head, Node, Refusal, Report, Settings, SignedBytes, Task, Work, LANES,
};
use crate::chain::Error;

/// Rounds in a row without progress after which an error ends the work.
pub(super) const FRUITLESS: u32 = 8;
/// Rounds in a row without progress after which an error ends the work that another attempt is
/// unlikely to mend.
const HOPELESS: u32 = 2;
/// Maximum number of connections lost in a row without progress. Below it the work continues past
/// `patience`, since the node came back each time.
pub const LOSSES: u32 = 20;
/// Interval at which the node is asked without being prompted.
const POLL: Duration = Duration::from_millis(250);
/// Interval at which the final block is asked for.
const FINALITY_POLL: Duration = Duration::from_millis(50);
/// Time after which a lost connection, or a block that is not final, is reported.
const QUIET: Duration = Duration::from_secs(1);
/// Time in which a node must answer after the user has stopped the work.
pub const FAREWELL: Duration = Duration::from_secs(5);
/// Polls in a row that must find a pool without transactions of ours.
const EMPTY_POLLS: u32 = 3;
/// Time for which others may keep the pool busy before a round begins all the same.
const CROWDED: Duration = Duration::from_secs(10);
/// Longest time that is waited for a new block after a round that sent nothing into the last one.
const NEXT_BLOCK: Duration = Duration::from_secs(2);

/// Publishes until the work is done, or fails, or `stop` becomes true.
pub async fn publish<N: Node, W: Work<N>>(
	node: &N,
	work: &mut W,
	settings: &Settings,
	stop: &watch::Receiver<bool>,
) -> Report<W::Error> {
	let mut engine = Engine {
		node,
		work,
		settings,
		stop: stop.clone(),
		random: StdRng::seed_from_u64(settings.seed),
		nonces: [0; LANES],
		left: HashSet::new(),
		last_valid: 0,
		suspects: Vec::new(),
		most_suspects: 0,
		least_tasks: usize::MAX,
		has_progressed: false,
		is_careful: false,
		is_unsettled: false,
		after: None,
		transactions: 0,
		last: None,
	};
	let deserted = deserted(node, stop.clone());
	let end = tokio::select! {
		biased;
		end = engine.run() => end,
		() = deserted => End::Interrupted,
	};
	Report { transactions: engine.transactions, last: engine.last, end }
}

/// The state that outlives a round.
struct Engine<'a, N: Node, W: Work<N>> {
	node: &'a N,
	work: &'a mut W,
	settings: &'a Settings,
	stop: watch::Receiver<bool>,
	random: StdRng,
	/// The nonces after those that this run has used, by account.
	nonces: [u64; LANES],
	/// The accounts and nonces of transactions that earlier rounds may have left in the pool.
	left: HashSet<(usize, u64)>,
	/// The number of the last block in which a transaction of this run is valid.
	last_valid: u64,
	/// The items that were set aside.
	suspects: Vec<Suspect<W::Item>>,
	/// The largest number of these so far.
	most_suspects: usize,
	/// The smallest number of tasks that a plan had.
	least_tasks: usize,
	/// True if there was progress since the last setback.
	has_progressed: bool,
	/// True if a transaction has failed in the last round, so that this one makes dry runs first.
	is_careful: bool,
	/// True if transactions of the last round may still get into blocks.
	is_unsettled: bool,
	/// The block after which the next round waits for another one.
	after: Option<Head>,
	transactions: u64,
	last: Option<Head>,
}

/// The step after a round.
enum Next {
	/// The chain lacks nothing.
	End,
	/// Another round, or the end because the user stops the work.
	Round,
}

/// An error that ends a round.
struct Setback<E> {
	error: E,
	kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
	/// Another round makes no sense.
	Fatal,
	/// Another round is unlikely to end otherwise.
	Hopeless,
	/// The connection is lost.
	Lost,
	/// The chain or the pool is not what it was when the round began.
	Stale,
	/// The pool refused a transaction because it may have an earlier one of this run with its nonce,
	/// which it kept while a lower nonce was missing.
	Repeated,
	/// A transaction failed in its block.
	Failed,
	/// The same, without dry runs before it. The next round makes some.
	FailedUntested,
}

type Attempt<T, E> = Result<T, Setback<E>>;

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

	/// Counts a setback. Returns whether it is one too many. A failure without dry runs before it
	/// does not count, since the next round finds out which items are bad. A repeated nonce does not
	/// count either: what made the lower nonce missing was counted.
	fn is_over_with(&mut self, kind: Kind, patience: Duration) -> bool {
		let is_late = self.since.elapsed() > patience;
		if matches!(kind, Kind::FailedUntested | Kind::Repeated) {
			return is_late;
		}
		if kind == Kind::Lost {
			self.losses += 1;
			return self.losses > LOSSES && is_late;
		}
		self.fruitless += 1;
		let most = if kind == Kind::Hopeless { HOPELESS } else { FRUITLESS };
		kind == Kind::Fatal || self.fruitless >= most || is_late
	}
}

impl<N: Node, W: Work<N>> Engine<'_, N, W> {
	async fn run(&mut self) -> End<W::Error> {
		let mut endurance = Endurance::new();
		while !*self.stop.borrow() {
			let round = self.round().await;
			if std::mem::take(&mut self.has_progressed) {
				endurance = Endurance::new();
			}
			let Setback { error, kind } = match round {
				Ok(Next::End) => return End::Done,
				Ok(Next::Round) => continue,
				Err(setback) => setback,
			};
			if *self.stop.borrow() {
				break;
			}
			if endurance.is_over_with(kind, self.settings.patience) {
				return End::Failed(error);
			}
			let reconnected = match kind {
				Kind::Lost => self.reconnect(&error).await,
				_ => Ok(()),
			};
			if let Err(error) = reconnected {
				return End::Failed(error.into());
			}
			self.pause(endurance.fruitless + 1).await;
		}
		// Without an answer, the report has what is known.
		drop(self.look_last().await);
		End::Interrupted
	}

	/// Plans, and sends the plan.
	async fn round(&mut self) -> Attempt<Next, W::Error> {
		let Some((at, tasks, nonces)) = self.begin().await? else { return Ok(Next::Round) };
		if tasks.is_empty() {
			return self.conclude(at).await;
		}
		let left = std::mem::take(&mut self.left);
		let mut round = Round::new(tasks, at, nonces, left, |kind| self.work.limit(kind));
		let sent = self.send(&mut round).await;
		self.is_unsettled = !round.in_flight().is_empty();
		let (seen, is_all_sent, is_sifted) = (round.seen, round.is_all_sent(), round.is_sifted);
		self.left = round.into_left();
		match sent {
			Err(setback) => {
				self.is_careful |= matches!(setback.kind, Kind::Failed | Kind::FailedUntested);
				let is_stale = matches!(setback.kind, Kind::Stale | Kind::Repeated);
				self.after = is_stale.then_some(seen);
				Err(setback)
			},
			Ok(()) => {
				(self.is_careful, self.after) = (false, None);
				match is_all_sent && !is_sifted && !self.work.wants_more() {
					true => self.conclude(seen).await,
					false => Ok(Next::Round),
				}
			},
		}
	}

	/// Plans from the best block when the pool has no transactions of the accounts. Returns the
	/// block, the plan and the next nonces. `None` if the user stops the work.
	#[allow(clippy::type_complexity)]
	async fn begin(
		&mut self,
	) -> Attempt<Option<(Head, Vec<Task<W::Item>>, [u64; LANES])>, W::Error> {
		let (start, mut stop) = (Instant::now(), self.stop.clone());
		loop {
			let is_crowded = tokio::select! {
				biased;
				waited = self.wait_for_pool(start, false) => waited?,
				() = stopped(&mut stop) => return Ok(None),
			};
			self.work.prepare(self.node).await.map_err(Self::setback)?;
			let (at, tasks) = self.plan().await?;
			// Another publisher may have gone on while the plan was made.
			let (_, chain, next) = self.pool().await?;
			if tasks.is_empty() || is_crowded || chain == next {
				self.has_progressed |= tasks.len() < self.least_tasks;
				self.least_tasks = self.least_tasks.min(tasks.len());
				return Ok(Some((at, tasks, next)));
			}
		}
	}

	/// Plans from the best block.
	async fn plan(&mut self) -> Attempt<(Head, Vec<Task<W::Item>>), W::Error> {
		let at = self.node.best().await.map_err(Self::node_error)?;
		let state = self.node.begin(at).await.map_err(Self::node_error)?;
		Ok((at, self.work.plan(self.node, &state).await.map_err(Self::setback)?))
	}

	/// Waits until the last block is final, and plans from its state. Finds out there which of the
	/// suspects are bad.
	async fn conclude(&mut self, at: Head) -> Attempt<Next, W::Error> {
		if !self.settings.finalized && self.suspects.is_empty() {
			return Ok(Next::End);
		}
		let mut stop = self.stop.clone();
		let block = tokio::select! {
			biased;
			block = self.until_final(at) => block?,
			() = stopped(&mut stop) => return Ok(Next::Round),
		};
		self.judge(block).await?;
		let state = self.node.state(block).await.map_err(Self::node_error)?;
		let lacking = self.work.plan(self.node, &state).await.map_err(Self::setback)?;
		match lacking.is_empty() {
			true => Ok(Next::End),
			false => Err(Self::stale(failed("a final block does not have what was there before"))),
		}
	}

	/// Waits until a block, or another one with its number, is final. Returns the last final block.
	async fn until_final(&mut self, at: Head) -> Attempt<Head, W::Error> {
		let (start, mut is_reported) = (Instant::now(), false);
		loop {
			let block = self.node.finalized().await.map_err(Self::node_error)?;
			if block.number >= at.number {
				return Ok(block);
			}
			if start.elapsed() > self.settings.patience {
				let seconds = self.settings.patience.as_secs();
				let error = Error::NotFinal { block: at.number, seconds };
				return Err(Setback { error: error.into(), kind: Kind::Fatal });
			}
			if start.elapsed() >= QUIET && !std::mem::replace(&mut is_reported, true) {
				self.work.unfinal(at.number);
			}
			sleep(FINALITY_POLL).await;
		}
	}

	/// Makes a dry run of each suspect after a final block. Those that fail are bad.
	async fn judge(&mut self, block: Head) -> Attempt<(), W::Error> {
		let batches = self.suspects.iter().map(|suspect| suspect.batch.clone()).collect();
		let judged = rehearse(self.node, self.work, self.settings.accounts, block, batches).await;
		for (batch, outcome) in judged.map_err(Self::setback)? {
			for item in &batch.items {
				match &outcome {
					Some(Err(reason)) => self.work.failed(item, reason),
					_ => self.work.restore(item),
				}
			}
		}
		self.suspects.clear();
		Ok(())
	}

	/// Connects again after an error, unless the user stops the work. Reports a loss that lasts.
	async fn reconnect(&mut self, error: &W::Error) -> Result<(), Error> {
		let patience = self.settings.patience;
		let mut stop = self.stop.clone();
		let reconnecting = self.node.reconnect(patience);
		tokio::pin!(reconnecting);
		tokio::select! {
			biased;
			connected = &mut reconnecting => return connected,
			() = stopped(&mut stop) => return Ok(()),
			() = sleep(QUIET) => self.work.disconnected(error, patience),
		}
		tokio::select! {
			biased;
			connected = reconnecting => connected?,
			() = stopped(&mut stop) => return Ok(()),
		}
		self.work.reconnected();
		Ok(())
	}

	/// Waits for a random time, so that two publishers do not go on at the same moment.
	async fn pause(&mut self, factor: u32) {
		let longest = self.settings.backoff.saturating_mul(factor);
		tokio::select! {
			biased;
			() = sleep(longest.mul_f64(self.random.random())) => {},
			() = stopped(&mut self.stop) => {},
		}
	}

	/// Waits for what is in flight, and plans once more, so that the counts are right.
	async fn look_last(&mut self) -> Attempt<(), W::Error> {
		if self.is_unsettled {
			self.wait_for_pool(Instant::now(), true).await?;
		}
		self.plan().await?;
		Ok(())
	}

	/// Waits until the node's pool has no transactions of the accounts that could get into a block,
	/// whether of this run, an earlier one or a concurrent one. Those behind a missing nonce do not
	/// show. Then nothing that was sent before can get into a block any more.
	///
	/// Others may keep the pool busy without end. So it also ends, after a while or if this `is_last`
	/// wait, when blocks have used all nonces of this run, or its transactions are no longer valid.
	/// Returns whether that was the reason.
	async fn wait_for_pool(&mut self, start: Instant, is_last: bool) -> Attempt<bool, W::Error> {
		let polls = if self.is_unsettled { EMPTY_POLLS } else { 1 };
		let (mut since, mut before, mut is_moving, mut quiet) = (Instant::now(), None, false, 0);
		loop {
			let (best, chain, next) = self.pool().await?;
			quiet = if chain == next { quiet + 1 } else { 0 };
			let has_moved = self.after != Some(best) || start.elapsed() >= NEXT_BLOCK;
			if quiet >= polls && (has_moved || is_last) {
				self.is_unsettled = false;
				return Ok(false);
			}
			let is_used = best.number > self.last_valid
				|| chain.iter().zip(self.nonces).all(|(chain, next)| *chain >= next);
			if is_used && (is_last || is_moving && start.elapsed() >= CROWDED) {
				self.is_unsettled = false;
				return Ok(true);
			}
			if before.replace((chain, next)).is_some_and(|before| before != (chain, next)) {
				(since, is_moving) = (Instant::now(), true);
			}
			if since.elapsed() > self.settings.patience {
				return Err(Self::stale(self.pool_busy()));
			}
			sleep(POLL).await;
		}
	}

	/// Returns the best block, and the numbers of transactions of each account up to it, and with
	/// the pool.
	async fn pool(&self) -> Attempt<(Head, [u64; LANES], [u64; LANES]), W::Error> {
		let best = self.node.best().await.map_err(Self::node_error)?;
		let (mut chain, mut next) = ([0; LANES], [0; LANES]);
		let nonces = self.settings.accounts.map(|account| async move {
			let nonces = try_join(self.node.nonce(account, best), self.node.next_nonce(account));
			nonces.await.map(|nonces| (account, nonces))
		});
		for (account, nonces) in try_join_all(nonces).await.map_err(Self::node_error)? {
			(chain[account], next[account]) = nonces;
		}
		Ok((best, chain, next))
	}

	/// Sends the stages of a round, one after the other, until something unexpected happens.
	async fn send(&mut self, round: &mut Round<W::Item>) -> Attempt<(), W::Error> {
		let (node, settings, mut stop) = (self.node, self.settings, self.stop.clone());
		let mut submissions = FuturesUnordered::new();
		let (mut news, mut missing) = (Instant::now(), 0);
		loop {
			let is_open = round.failure.is_none() && !*stop.borrow();
			let next = match is_open {
				true => round.next(settings.accounts, settings.window),
				false => None,
			};
			if let Some(batch) = next {
				let Some(call) = self.work.call(node, &batch).await.map_err(Self::setback)? else {
					round.split(batch);
					continue;
				};
				let account = settings.accounts[batch.lane];
				let signed = node.sign(account, &call, round.nonces[account]);
				let SignedBytes { bytes, hash, last_block } = signed.map_err(Self::node_error)?;
				self.work.in_flight(&batch.items, true);
				round.sent(batch, hash, account);
				self.nonces[account] = round.nonces[account];
				self.last_valid = self.last_valid.max(last_block);
				self.transactions += 1;
				news = Instant::now();
				submissions.push(async move { (hash, node.submit(bytes).await) });
				// The request must be under way before the next batch is signed.
				if let Some(Some((hash, taken))) = submissions.next().now_or_never() {
					self.answered(round, hash, taken, &mut submissions).await?;
				}
				continue;
			}
			if round.in_flight().is_empty() {
				if let Some(reason) = &round.failure {
					let kind = if self.is_careful { Kind::Failed } else { Kind::FailedUntested };
					let error = failed(reason);
					return Err(Setback { error: error.into(), kind });
				}
				if is_open && self.begin_stage(round).await? {
					continue;
				}
				return Ok(());
			}
			tokio::select! {
				biased;
				Some((hash, taken)) = submissions.next(), if !submissions.is_empty() => {
					self.answered(round, hash, taken, &mut submissions).await?;
					continue;
				},
				() = stopped(&mut stop), if is_open => continue,
				changed = node.changed() => changed.map_err(Self::node_error)?,
				() = sleep(POLL) => {},
			}
			if self.read(round).await? {
				(news, missing) = (Instant::now(), 0);
			} else if submissions.is_empty() && news.elapsed() >= settings.lost_after {
				missing = if self.is_any_lost(round).await? { missing + 1 } else { 0 };
				if missing >= EMPTY_POLLS {
					return Err(Self::stale(failed("the node's pool no longer has it")));
				}
				if news.elapsed() > settings.patience {
					return Err(Self::stale(self.pool_busy()));
				}
			}
		}
	}

	/// Begins the next stage when all transactions of this one have succeeded. After a failure in
	/// the round before, dry runs set items aside that would fail again. Returns whether there is
	/// another stage for this round.
	async fn begin_stage(&mut self, round: &mut Round<W::Item>) -> Attempt<bool, W::Error> {
		if round.is_sifted {
			return Ok(false);
		}
		let mut batches = round.next_stage();
		if self.is_careful {
			let accounts = self.settings.accounts;
			let sifted = sift(self.node, self.work, accounts, round.seen, batches).await;
			let suspects;
			(batches, suspects) = sifted.map_err(Self::setback)?;
			round.is_sifted = !suspects.is_empty();
			for suspect in &suspects {
				suspect.batch.items.iter().for_each(|item| self.work.set_aside(item));
			}
			self.suspects.extend(suspects);
			self.has_progressed |= self.suspects.len() > self.most_suspects;
			self.most_suspects = self.most_suspects.max(self.suspects.len());
		}
		let is_there = !batches.is_empty();
		round.queue(batches);
		Ok(is_there)
	}

	/// Handles the answer of the node to a transaction. If it has not taken it, hears the other
	/// answers too, so that it is known what is in the pool.
	async fn answered(
		&mut self,
		round: &mut Round<W::Item>,
		hash: Hash,
		taken: Result<(), Refusal>,
		others: &mut (impl Stream<Item = (Hash, Result<(), Refusal>)> + Unpin),
	) -> Attempt<(), W::Error> {
		let Err(setback) = self.submitted(round, hash, taken) else { return Ok(()) };
		let hear = async {
			while let Some((hash, taken)) = others.next().await {
				// The first one decides.
				drop(self.submitted(round, hash, taken));
			}
		};
		// A transaction without an answer may be in the pool.
		drop(timeout(POLL, hear).await);
		Err(setback)
	}

	/// Handles the answer of the node to a transaction, alone.
	fn submitted(
		&mut self,
		round: &mut Round<W::Item>,
		hash: Hash,
		taken: Result<(), Refusal>,
	) -> Attempt<(), W::Error> {
		let (error, kind) = match taken {
			Ok(()) => return Ok(()),
			// It may be in the pool all the same.
			Err(Refusal::Lost(error)) => (error, Kind::Lost),
			Err(Refusal::NotTaken(error)) if round.repeats_nonce(&hash) => (error, Kind::Repeated),
			Err(Refusal::NotTaken(error)) => (error, Kind::Stale),
			Err(Refusal::Hopeless(error)) => (error, Kind::Hopeless),
		};
		if let Some(batch) = (kind != Kind::Lost).then(|| round.land(&hash)).flatten() {
			self.work.in_flight(&batch.items, false);
			self.transactions -= 1;
		}
		Err(Setback { error: error.into(), kind })
	}

	/// Reads the blocks since the last look. Returns whether there are transactions of ours in them.
	async fn read(&mut self, round: &mut Round<W::Item>) -> Attempt<bool, W::Error> {
		let best = self.node.best().await.map_err(Self::node_error)?;
		let (mut blocks, mut hash, ours) = (Vec::new(), best.hash, round.in_flight());
		while hash != round.seen.hash {
			let block = self.node.block(hash, &ours).await.map_err(Self::node_error)?;
			let block = block.filter(|block| block.head.number > round.seen.number);
			let Some(block) = block else {
				return Err(Self::stale(failed("its block was retracted")));
			};
			hash = block.parent;
			blocks.push(block);
		}
		round.seen = best;
		let (mut has_news, mut upgrades) = (false, false);
		for block in blocks.into_iter().rev() {
			upgrades |= block.upgrades;
			for (hash, outcome) in block.outcomes {
				let Some(batch) = round.land(&hash) else { continue };
				(has_news, self.last) = (true, Some(block.head));
				match outcome {
					Ok(()) => {
						self.work.done(&batch.items);
						self.has_progressed = true;
					},
					Err(reason) => {
						self.work.in_flight(&batch.items, false);
						round.failure.get_or_insert(reason);
					},
				}
			}
		}
		if upgrades {
			return Err(Self::stale(failed("the chain's runtime was upgraded")));
		}
		for (account, lowest) in round.lowest_nonces() {
			let used = self.node.nonce(account, best).await.map_err(Self::node_error)?;
			if used > lowest {
				return Err(Self::stale(failed("another transaction has used its nonce")));
			}
		}
		Ok(has_news)
	}

	/// Returns whether the pool no longer has a transaction that is in flight.
	async fn is_any_lost(&self, round: &Round<W::Item>) -> Attempt<bool, W::Error> {
		for account in round.lowest_nonces().into_keys() {
			let next = self.node.next_nonce(account).await.map_err(Self::node_error)?;
			if next < round.nonces[account] {
				return Ok(true);
			}
		}
		Ok(false)
	}

	fn pool_busy(&self) -> Error {
		Error::PoolBusy { seconds: self.settings.patience.as_secs() }
	}

	/// Returns the setback that an error of the work is.
	fn setback(error: W::Error) -> Setback<W::Error> {
		let kind = W::cause(&error).map_or(Kind::Fatal, kind);
		Setback { error, kind }
	}

	/// Returns the setback that an error of the node is.
	fn node_error(error: Error) -> Setback<W::Error> {
		let kind = kind(&error);
		Setback { error: error.into(), kind }
	}

	fn stale(error: Error) -> Setback<W::Error> {
		Setback { error: error.into(), kind: Kind::Stale }
	}
}

/// Returns whether the same request may succeed after an error, and then, whether the connection is
/// lost.
#[cfg(feature = "http")]
pub fn may_pass(error: &Error) -> Option<bool> {
	match kind(error) {
		Kind::Lost => Some(true),
		Kind::Stale => Some(false),
		_ => None,
	}
}

/// Returns whether another round may succeed after an error.
fn kind(error: &Error) -> Kind {
	match error {
		error if error.is_connection() || matches!(error.cause(), Error::Rpc(_)) => Kind::Lost,
		// Another publisher may have created it at the same time.
		Error::Dispatch { reason, .. } if reason.contains("Already") => Kind::Stale,
		Error::NotIncluded { .. } => Kind::Stale,
		_ => Kind::Fatal,
	}
}

fn failed(reason: &str) -> Error {
	Error::Dispatch { call: "a transaction".into(), reason: reason.to_owned() }
}

/// Waits until the user has stopped the work, and the node does not answer.
async fn deserted<N: Node>(node: &N, mut stop: watch::Receiver<bool>) {
	stopped(&mut stop).await;
	while let Ok(Ok(_)) = timeout(FAREWELL, node.best()).await {
		sleep(POLL).await;
	}
}

/// Waits until the user stops the work.
pub async fn stopped(stop: &mut watch::Receiver<bool>) {
	if stop.wait_for(|stop| *stop).await.is_err() {
		// Nobody can stop it any more.
		std::future::pending().await
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	const PATIENCE: Duration = Duration::from_secs(60);

	#[tokio::test(start_paused = true)]
	async fn a_connection_may_be_lost_often_if_it_comes_back() {
		let mut endurance = Endurance::new();
		for _ in 0..LOSSES {
			assert!(!endurance.is_over_with(Kind::Lost, PATIENCE));
			sleep(Duration::from_secs(10)).await;
		}
		assert!(endurance.is_over_with(Kind::Lost, PATIENCE));
	}

	#[tokio::test(start_paused = true)]
	async fn a_failure_that_makes_the_next_round_careful_ends_the_work_only_when_patience_is_over()
	{
		let mut endurance = Endurance::new();
		for _ in 0..FRUITLESS {
			assert!(!endurance.is_over_with(Kind::FailedUntested, PATIENCE));
		}
		assert_eq!(endurance.fruitless, 0);
		sleep(PATIENCE * 2).await;
		assert!(endurance.is_over_with(Kind::FailedUntested, PATIENCE));
	}

	#[tokio::test(start_paused = true)]
	async fn work_that_does_not_get_on_ends_with_patience_or_after_some_rounds() {
		for (kind, most) in
			[(Kind::Stale, FRUITLESS), (Kind::Failed, FRUITLESS), (Kind::Hopeless, HOPELESS)]
		{
			let mut endurance = Endurance::new();
			for _ in 1..most {
				assert!(!endurance.is_over_with(kind, PATIENCE), "{kind:?}");
			}
			assert!(endurance.is_over_with(kind, PATIENCE), "{kind:?}");
			let mut endurance = Endurance::new();
			sleep(PATIENCE * 2).await;
			assert!(endurance.is_over_with(kind, PATIENCE), "{kind:?}");
		}
		assert!(Endurance::new().is_over_with(Kind::Fatal, PATIENCE));
	}
}
