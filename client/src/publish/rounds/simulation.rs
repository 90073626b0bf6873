// SPDX-License-Identifier: Apache-2.0
//! A model of a chain that drops, refuses and retracts transactions, loses its connections and its
//! last blocks, reports blocks that do not exist, and has another publisher. Whatever it does, all
//! good items end up on it, and the bad ones are reported, alone.

use std::{
	cell::{Cell, RefCell},
	collections::{BTreeMap, BTreeSet, HashSet},
	ops::Range,
	time::Duration,
};

use proptest::prelude::*;
use rand::{rngs::StdRng, Rng, SeedableRng};
use tokio::{
	sync::watch,
	time::{sleep, Instant},
};

use super::{
	engine::{publish, FRUITLESS},
	Batch, Block, End, Hash, Head, Node, Outcome, Refusal, Report, Settings, SignedBytes, Task,
	Work, LANES,
};
use crate::{chain::Error, publish::tally::Tally};

/// Setbacks that a chain has in store: fewer than end the work if there is no progress in between.
const SETBACKS: u32 = FRUITLESS - 1;
/// Losses of the connection that it has in store.
const LOSSES: u32 = 8;
/// Blocks that are not final yet, which a fork or a restart can take back.
const DEPTH: usize = 3;
/// Time within which every publish ends.
const LONGEST: Duration = Duration::from_secs(3_600);
/// Time for which a node may be away.
const PATIENCE: Duration = Duration::from_secs(60);
/// Transactions in a crowded pool.
const CROWD: usize = 20;
/// The time after which the node is gone: some transactions are in flight by then.
const GONE_AFTER: Duration = Duration::from_millis(500);
/// A model whose publish takes longer than that.
const SEED: u64 = 3;

/// An item that a publisher wants on the chain.
#[derive(Clone, Debug)]
struct Item {
	/// The lane, the kind and the stage.
	kind: usize,
	/// It needs one of these items. Empty if it needs nothing.
	needs: Range<u32>,
	is_bad: bool,
	/// The number of the first block that takes it.
	from: u64,
}

impl Item {
	/// Returns whether the item can be put, given which others are there.
	fn is_possible(&self, mut is_there: impl FnMut(&u32) -> bool) -> bool {
		self.needs.is_empty() || self.needs.clone().any(|needed| is_there(&needed))
	}
}

/// A transaction: the items that it puts on the chain.
#[derive(Clone)]
struct Transaction {
	account: usize,
	nonce: u64,
	items: Vec<u32>,
}

/// The state after a block.
#[derive(Clone, Debug, Default)]
struct State {
	nonces: [u64; LANES],
	applied: BTreeSet<u32>,
}

struct Made {
	block: Block,
	state: State,
	/// The transactions, by their numbers.
	transactions: Vec<usize>,
}

/// Chances of faults, in percent.
#[derive(Clone, Copy, Debug, Default)]
struct Rates {
	drop: u32,
	fork: u32,
	refuse: u32,
	lose: u32,
	restart: u32,
	rival: u32,
	lie: u32,
}

/// A time in which the node is gone.
#[derive(Clone, Copy)]
struct Absence {
	until: Duration,
	/// True if it closes the connection, and false if it just does not answer.
	closes: bool,
}

struct Model {
	random: StdRng,
	rates: Rates,
	/// Setbacks and losses to come.
	setbacks: u32,
	losses: u32,
	items: Vec<Item>,
	/// All blocks and transactions that ever were. Their hashes have their places here.
	blocks: Vec<Made>,
	transactions: Vec<Transaction>,
	/// The best chain.
	chain: Vec<usize>,
	finalized: usize,
	/// True if no block becomes final any more.
	is_stalled: bool,
	pool: BTreeMap<(usize, u64), usize>,
	next_block: Instant,
	absence: Option<Absence>,
	/// The time from which the other publisher always keeps transactions in the pool.
	crowded_from: Option<Instant>,
}

/// Returns the hash of the block, or of the transaction, with this number.
fn hash(number: usize) -> Hash {
	let mut hash = [0; 32];
	hash[..8].copy_from_slice(&number.to_le_bytes());
	hash
}

fn number(hash: &[u8]) -> usize {
	usize::from_le_bytes(hash[..8].try_into().expect("a hash is longer; qed"))
}

/// Decides whether one of the events that are left happens now.
fn happens(random: &mut StdRng, left: &mut u32, percent: u32) -> bool {
	let happens = *left > 0 && random.random_range(0..100) < percent;
	*left -= u32::from(happens);
	happens
}

impl Model {
	fn new(seed: u64, items: Vec<Item>) -> Self {
		let mut random = StdRng::seed_from_u64(seed);
		let [drop, fork, refuse, lose, restart, rival, lie] = [10, 25, 10, 10, 8, 15, 50]
			.map(|most| if random.random_bool(0.5) { random.random_range(0..=most) } else { 0 });
		let mut model = Self {
			random,
			rates: Rates { drop, fork, refuse, lose, restart, rival, lie },
			setbacks: SETBACKS,
			losses: LOSSES,
			items,
			blocks: Vec::new(),
			transactions: Vec::new(),
			chain: Vec::new(),
			finalized: 0,
			is_stalled: false,
			pool: BTreeMap::new(),
			next_block: Instant::now(),
			absence: None,
			crowded_from: None,
		};
		model.push(Vec::new());
		model
	}

	/// Decides whether something goes wrong now.
	fn fault(&mut self, percent: u32) -> bool {
		happens(&mut self.random, &mut self.setbacks, percent)
	}

	fn head(&self, height: usize) -> Head {
		self.blocks[self.chain[height]].block.head
	}

	fn state(&self) -> State {
		self.chain.last().map(|block| self.blocks[*block].state.clone()).unwrap_or_default()
	}

	fn final_items(&self) -> &BTreeSet<u32> {
		&self.blocks[self.chain[self.finalized]].state.applied
	}

	/// Adds a block with transactions.
	fn push(&mut self, transactions: Vec<usize>) {
		let (mut state, height) = (self.state(), self.chain.len());
		let mut outcomes = Vec::new();
		for id in &transactions {
			let Transaction { account, items, .. } = &self.transactions[*id];
			state.nonces[*account] += 1;
			outcomes.push((hash(*id), self.dispatch(&mut state, height, items)));
		}
		let head = Head { hash: hash(self.blocks.len() + 1), number: height as u64 };
		let parent = self.chain.last().map(|block| self.blocks[*block].block.head.hash);
		let parent = parent.unwrap_or_default();
		let block = Block { head, parent, outcomes, upgrades: false };
		self.chain.push(self.blocks.len());
		self.blocks.push(Made { block, state, transactions });
		if !self.is_stalled {
			self.finalized = self.finalized.max((self.chain.len() - 1).saturating_sub(DEPTH));
		}
	}

	/// Applies all items of a transaction, or none.
	fn dispatch(&self, state: &mut State, height: usize, items: &[u32]) -> Outcome {
		let mut applied = state.applied.clone();
		for id in items {
			let item = &self.items[*id as usize];
			let is_possible = item.is_possible(|needed| applied.contains(needed));
			if !is_possible || item.is_bad || !applied.insert(*id) || (height as u64) < item.from {
				return Err(format!("{id} is bad, not possible, there already, or too early"));
			}
		}
		state.applied = applied;
		Ok(())
	}

	/// Makes the blocks that are due.
	fn advance(&mut self) {
		while self.next_block <= Instant::now() {
			self.next_block += Duration::from_millis(self.random.random_range(5..400));
			if self.fault(self.rates.rival) {
				self.rival();
			}
			if self.crowded_from.is_some_and(|from| from <= self.next_block) {
				while self.pool.len() < CROWD {
					self.rival();
				}
			}
			if self.fault(self.rates.drop) {
				let place = self.random.random_range(0..self.pool.len().max(1));
				let key = self.pool.keys().nth(place).copied();
				key.map(|key| self.pool.remove(&key));
			}
			if self.fault(self.rates.fork) {
				let depth = self.random.random_range(1..=DEPTH);
				for _ in 0..self.retract(depth) {
					self.make_block();
				}
			}
			self.make_block();
		}
	}

	/// Takes back the last blocks, unless they are final. Their transactions are in the pool again.
	/// Returns their number.
	fn retract(&mut self, depth: usize) -> usize {
		let depth = depth.min(self.chain.len() - 1 - self.finalized);
		for block in self.chain.drain(self.chain.len() - depth..) {
			for id in &self.blocks[block].transactions {
				let Transaction { account, nonce, .. } = self.transactions[*id];
				self.pool.insert((account, nonce), *id);
			}
		}
		depth
	}

	fn make_block(&mut self) {
		let mut nonces = self.state().nonces;
		let mut transactions = Vec::new();
		for _ in 0..self.random.random_range(0..5) {
			let account = self.random.random_range(0..LANES);
			if let Some(transaction) = self.pool.remove(&(account, nonces[account])) {
				nonces[account] += 1;
				transactions.push(transaction);
			}
		}
		self.pool.retain(|(account, nonce), _| *nonce >= nonces[*account]);
		self.push(transactions);
	}

	fn next_nonce(&self, account: usize) -> u64 {
		let chain = self.state().nonces[account];
		(chain..).find(|nonce| !self.pool.contains_key(&(account, *nonce))).unwrap_or(chain)
	}

	/// Another publisher takes the next nonce of an account, and does an item.
	fn rival(&mut self) {
		let (state, account) = (self.state(), self.random.random_range(0..LANES));
		let is_open = |(id, item): &(u32, &Item)| {
			!item.is_bad && item.kind == 0 && !state.applied.contains(id)
		};
		let open = (0..).zip(&self.items).filter(is_open).map(|(id, _)| id);
		let items = open.take(self.random.random_range(0..3)).collect();
		let nonce = self.next_nonce(account);
		let id = self.sign(Transaction { account, nonce, items });
		self.pool.insert((account, nonce), id);
	}

	/// Returns the number of a new transaction.
	fn sign(&mut self, transaction: Transaction) -> usize {
		self.transactions.push(transaction);
		self.transactions.len() - 1
	}

	fn submit(&mut self, id: usize) -> Result<(), Refusal> {
		let Transaction { account, nonce, .. } = self.transactions[id];
		let is_taken = nonce < self.state().nonces[account];
		if self.fault(self.rates.refuse) || is_taken || self.pool.contains_key(&(account, nonce)) {
			return Err(Refusal::NotTaken(Error::Invalid("refused".into())));
		}
		self.pool.insert((account, nonce), id);
		Ok(())
	}
}

struct Simulated<'a> {
	model: &'a RefCell<Model>,
	is_connected: Cell<bool>,
	start: Instant,
}

impl Simulated<'_> {
	/// Returns the absence of the node, if it is gone now.
	fn absence(&self) -> Option<Absence> {
		let absence = self.model.borrow().absence?;
		(GONE_AFTER..absence.until).contains(&self.start.elapsed()).then_some(absence)
	}

	/// Waits as long as an answer takes, unless the connection is lost. A killed node loses its pool
	/// and some of its last blocks.
	async fn answer(&self) -> Result<(), Error> {
		match self.absence() {
			Some(Absence { closes: true, .. }) => self.is_connected.set(false),
			Some(_) => std::future::pending().await,
			None => {},
		}
		let latency = self.model.borrow_mut().random.random_range(0..30);
		sleep(Duration::from_millis(latency)).await;
		let model = &mut *self.model.borrow_mut();
		model.advance();
		let Rates { restart, lose, .. } = model.rates;
		if happens(&mut model.random, &mut model.losses, restart) {
			let depth = model.random.random_range(0..DEPTH);
			model.retract(depth);
			model.pool.clear();
			self.is_connected.set(false);
		}
		if happens(&mut model.random, &mut model.losses, lose) {
			self.is_connected.set(false);
		}
		self.is_connected.get().then_some(()).ok_or(Error::Disconnected)
	}
}

impl Node for Simulated<'_> {
	type Call = Vec<u32>;
	type State = State;

	async fn best(&self) -> Result<Head, Error> {
		self.answer().await?;
		let model = self.model.borrow();
		Ok(model.head(model.chain.len() - 1))
	}

	async fn finalized(&self) -> Result<Head, Error> {
		self.answer().await?;
		let model = self.model.borrow();
		Ok(model.head(model.finalized))
	}

	async fn begin(&self, block: Head) -> Result<State, Error> {
		self.state(block).await
	}

	async fn state(&self, block: Head) -> Result<State, Error> {
		self.answer().await?;
		Ok(self.model.borrow().blocks[number(&block.hash) - 1].state.clone())
	}

	async fn block(&self, block: Hash, ours: &HashSet<Hash>) -> Result<Option<Block>, Error> {
		self.answer().await?;
		let mut block = self.model.borrow().blocks[number(&block) - 1].block.clone();
		block.outcomes.retain(|(hash, _)| ours.contains(hash));
		Ok(Some(block))
	}

	async fn nonce(&self, account: usize, block: Head) -> Result<u64, Error> {
		Ok(self.state(block).await?.nonces[account])
	}

	async fn next_nonce(&self, account: usize) -> Result<u64, Error> {
		self.answer().await?;
		Ok(self.model.borrow().next_nonce(account))
	}

	async fn rehearse(&self, block: Head, _: usize, call: &Vec<u32>) -> Result<Outcome, Error> {
		let mut state = self.state(block).await?;
		Ok(self.model.borrow().dispatch(&mut state, block.number as usize, call))
	}

	fn sign(&self, account: usize, call: &Vec<u32>, nonce: u64) -> Result<SignedBytes, Error> {
		let transaction = Transaction { account, nonce, items: call.clone() };
		let hash = hash(self.model.borrow_mut().sign(transaction));
		Ok(SignedBytes { bytes: hash.to_vec(), hash, last_block: u64::MAX })
	}

	async fn submit(&self, bytes: Vec<u8>) -> Result<(), Refusal> {
		// Requests arrive in their order, even if the answer does not.
		let is_heard = self.is_connected.get() && self.absence().is_none();
		let taken = if is_heard { self.model.borrow_mut().submit(number(&bytes)) } else { Ok(()) };
		self.answer().await.map_err(Refusal::Lost)?;
		taken
	}

	async fn changed(&self) -> Result<(), Error> {
		// It may report blocks that are not there, or none at all.
		let pause = {
			let model = &mut *self.model.borrow_mut();
			let lies = model.random.random_range(0..100) < model.rates.lie;
			let longest = if lies { [2, 100_000][model.random.random_range(0..2)] } else { 400 };
			model.random.random_range(1..longest)
		};
		sleep(Duration::from_millis(pause)).await;
		Ok(())
	}

	async fn reconnect(&self, patience: Duration) -> Result<(), Error> {
		let until = Instant::now() + patience;
		sleep(Duration::from_millis(100)).await;
		while self.absence().is_some() {
			if Instant::now() > until {
				return Err(Error::Connect { url: "it".into(), reason: "gone".into() });
			}
			sleep(Duration::from_millis(250)).await;
		}
		self.is_connected.set(true);
		Ok(())
	}
}

/// The work of putting all items on the chain.
struct Publisher<'a> {
	model: &'a RefCell<Model>,
	limits: [usize; 3],
	aside: BTreeSet<u32>,
	failed: BTreeSet<u32>,
	tally: Tally<u32, ()>,
	/// The reports about the connection and finality.
	notes: Vec<String>,
}

impl<'a> Work<Simulated<'a>> for Publisher<'a> {
	type Item = u32;
	type Error = Error;

	fn cause(error: &Error) -> Option<&Error> {
		Some(error)
	}

	async fn prepare(&mut self, node: &Simulated<'a>) -> Result<(), Error> {
		node.answer().await
	}

	async fn plan(&mut self, node: &Simulated<'a>, state: &State) -> Result<Vec<Task<u32>>, Error> {
		node.answer().await?;
		let (mut planned, mut plan) = (state.applied.clone(), Vec::new());
		for (id, item) in (0..).zip(&self.model.borrow().items) {
			let is_open = !state.applied.contains(&id) && !self.aside.contains(&id);
			if is_open && item.is_possible(|needed| planned.contains(needed)) {
				planned.insert(id);
				let (lane, kind) = (item.kind.min(1), item.kind);
				plan.push(Task { lane, kind, stage: kind, item: id });
			}
		}
		let lacking = plan.iter().map(|task| (task.item, ()));
		self.tally.plan(lacking, |item, ()| state.applied.contains(item));
		Ok(plan)
	}

	fn limit(&self, kind: usize) -> usize {
		self.limits[kind]
	}

	async fn call(
		&mut self,
		_: &Simulated<'a>,
		batch: &Batch<u32>,
	) -> Result<Option<Vec<u32>>, Error> {
		let is_of_kind = |id: &u32| self.model.borrow().items[*id as usize].kind == batch.kind;
		assert!(batch.items.iter().all(is_of_kind) && batch.items.len() <= self.limits[batch.kind]);
		let has_room = batch.items.len() == 1 || self.model.borrow_mut().random.random_bool(0.9);
		Ok(has_room.then(|| batch.items.clone()))
	}

	fn in_flight(&mut self, items: &[u32], is_in_flight: bool) {
		items.iter().for_each(|item| self.tally.in_flight(*item, is_in_flight));
	}

	fn done(&mut self, items: &[u32]) {
		items.iter().for_each(|item| self.tally.done(item));
		let (done, all) = self.tally.progress();
		assert!(done <= all);
	}

	fn set_aside(&mut self, item: &u32) {
		self.tally.forget(item);
		self.aside.insert(*item);
	}

	fn restore(&mut self, item: &u32) {
		self.aside.remove(item);
	}

	fn failed(&mut self, item: &u32, _: &str) {
		let model = self.model.borrow();
		let applied = model.final_items().clone();
		let state = &mut State { applied, ..State::default() };
		let outcome = model.dispatch(state, model.finalized, &[*item]);
		assert!(outcome.is_err(), "{item} is not bad at a final block");
		self.failed.insert(*item);
	}

	fn wants_more(&self) -> bool {
		false
	}

	fn unfinal(&mut self, _: u64) {
		self.notes.push("not final".into());
	}

	fn disconnected(&mut self, error: &Error, _: Duration) {
		self.notes.push(error.to_string());
	}

	fn reconnected(&mut self) {
		self.notes.push("connected again".into());
	}
}

/// Returns packages with commits, records for each and for the package, and the record of the run.
fn items(random: &mut StdRng) -> Vec<Item> {
	let bad = if random.random_bool(0.5) { random.random_range(0..20) } else { 0 };
	let (mut commits, mut records) = (Vec::new(), Vec::new());
	for _ in 0..random.random_range(0..20) {
		let first = u32::try_from(commits.len()).expect("there are few; qed");
		let versions = random.random_range(1..4);
		let mut item = |kind, needs| {
			let is_bad = random.random_range(0..100) < bad;
			Item { kind, needs, is_bad, from: 0 }
		};
		for version in first..first + versions {
			commits.push(item(0, 0..0));
			records.push(item(1, version..version + 1));
		}
		records.push(Item { is_bad: false, ..item(1, first..first + versions) });
	}
	let run = Item { kind: 2, needs: 0..0, is_bad: false, from: 0 };
	commits.into_iter().chain(records).chain([run]).collect()
}

/// The end of a publish.
struct Ended {
	report: Report<Error>,
	/// The items that must be on the chain, and those that must be reported.
	good: BTreeSet<u32>,
	bad: BTreeSet<u32>,
	/// Those that are counted as done, and as failed, and the number of those that were sent without
	/// an answer.
	done: BTreeSet<u32>,
	failed: BTreeSet<u32>,
	unconfirmed: usize,
	notes: Vec<String>,
	/// The items that a final block has at the end, and those on the chain a minute later, without
	/// further faults.
	finals: BTreeSet<u32>,
	applied: BTreeSet<u32>,
	has_rival: bool,
	/// Number of blocks that ever were.
	blocks: usize,
	took: Duration,
}

/// Publishes on a chain of this seed, which is altered.
fn run(alter: impl FnOnce(&mut Model, &mut Settings), seed: u64, stop: Option<Duration>) -> Ended {
	let mut runtime = tokio::runtime::Builder::new_current_thread();
	let runtime = runtime.enable_time().start_paused(true).build();
	runtime.expect("a runtime needs no resources; qed").block_on(async {
		let mut random = StdRng::seed_from_u64(seed ^ 1);
		let items = items(&mut random);
		let mut settings = Settings {
			accounts: if random.random_bool(0.2) { [0, 0] } else { [0, 1] },
			window: random.random_range(1..6),
			lost_after: Duration::from_secs(2),
			patience: PATIENCE,
			backoff: Duration::from_millis(300),
			// Not the stream of the chain's faults.
			seed: seed ^ 2,
			finalized: true,
		};
		let mut model = Model::new(seed, items);
		alter(&mut model, &mut settings);
		let (mut good, mut bad) = (BTreeSet::new(), BTreeSet::new());
		for (id, item) in (0u32..).zip(&model.items) {
			if item.is_possible(|needed| good.contains(needed)) {
				if item.is_bad { &mut bad } else { &mut good }.insert(id);
			}
		}
		let (has_rival, model) = (model.rates.rival > 0, &RefCell::new(model));
		let start = Instant::now();
		let node = Simulated { model, is_connected: Cell::new(true), start };
		let mut work = Publisher {
			model,
			limits: [random.random_range(1..9), random.random_range(1..9), 1],
			aside: BTreeSet::new(),
			failed: BTreeSet::new(),
			tally: Tally::default(),
			notes: Vec::new(),
		};
		let (sender, stopped) = watch::channel(false);
		let stopping = async {
			sleep(stop.unwrap_or(LONGEST)).await;
			sender.send_replace(true);
			sleep(LONGEST).await;
		};
		let report = tokio::select! {
			biased;
			report = publish(&node, &mut work, &settings, &stopped) => report,
			() = stopping => panic!("it has not ended within {LONGEST:?}"),
		};
		let (took, finals) = (start.elapsed(), model.borrow().final_items().clone());
		// Transactions in the pool still get into blocks.
		(model.borrow_mut().setbacks, model.borrow_mut().losses) = (0, 0);
		sleep(Duration::from_secs(60)).await;
		model.borrow_mut().advance();
		let Publisher { failed, tally, notes, .. } = work;
		let done: BTreeSet<_> = tally.all_done().map(|(item, ())| *item).collect();
		let (applied, blocks) = (model.borrow().state().applied, model.borrow().blocks.len());
		assert!(done.is_subset(&good) && failed.is_subset(&bad) && applied.is_subset(&good));
		let unconfirmed = tally.lacking().1;
		Ended {
			report,
			good,
			bad,
			done,
			failed,
			unconfirmed,
			notes,
			finals,
			applied,
			has_rival,
			blocks,
			took,
		}
	})
}

fn is_done(ended: &Ended) -> bool {
	matches!(ended.report.end, End::Done)
}

proptest! {
	#![proptest_config(ProptestConfig::with_cases(256))]

	#[test]
	fn all_good_items_are_final_on_the_chain_and_the_bad_ones_are_reported(seed in any::<u64>()) {
		let ended = run(|_, _| {}, seed, None);
		prop_assert!(is_done(&ended), "{:?}", ended.report.end);
		let Ended { good, bad, done, failed, finals, applied, .. } = ended;
		prop_assert_eq!((&finals, &applied, &failed), (&good, &good, &bad));
		if !ended.has_rival {
			prop_assert_eq!(done, good, "all that is there is counted");
		}
	}

	#[test]
	fn a_publish_that_is_stopped_ends_and_reports_only_what_is_there(
		seed in any::<u64>(),
		millis in 0u64..3_000,
	) {
		let Ended { report, .. } = run(|_, _| {}, seed, Some(Duration::from_millis(millis)));
		prop_assert!(matches!(report.end, End::Done | End::Interrupted), "{:?}", report.end);
	}
}

#[test]
fn as_many_refusals_as_are_borne_do_not_end_a_publish() {
	for seed in [
		// A bad item fails after them.
		6_260_765_215_017_374_241,
		// The pool keeps transactions behind a missing nonce, which keep the next round's out.
		4_112_752_775_059_543_055,
	] {
		let ended = run(|_, _| {}, seed, None);
		assert!(is_done(&ended), "{seed}: {:?}", ended.report.end);
		assert_eq!((ended.finals, ended.failed), (ended.good, ended.bad), "{seed}");
	}
}

#[test]
fn a_pool_that_takes_nothing_ends_a_publish_long_before_patience_is_over() {
	for seed in 0..32 {
		let full = |model: &mut Model, settings: &mut Settings| {
			model.rates = Rates { refuse: 100, ..Rates::default() };
			model.setbacks = u32::MAX;
			settings.patience = PATIENCE * 10;
		};
		let Ended { report, took, .. } = run(full, seed, None);
		assert!(matches!(report.end, End::Failed(Error::Invalid(_))), "{seed}: {:?}", report.end);
		assert!(took < PATIENCE, "{seed}: {took:?}");
	}
}

fn gone(until: Duration, closes: bool) -> impl FnOnce(&mut Model, &mut Settings) {
	move |model, _| model.absence = Some(Absence { until, closes })
}

#[test]
fn a_seed_repeats_a_simulation() {
	for seed in 0..16 {
		let [first, second] = [(); 2].map(|()| {
			let Ended { report, blocks, took, .. } = run(|_, _| {}, seed, None);
			(report.transactions, blocks, took)
		});
		assert_eq!(first, second, "{seed}");
	}
}

#[test]
fn a_publish_that_is_stopped_ends_soon_although_the_node_is_gone() {
	for closes in [true, false] {
		let mut unconfirmed = 0;
		for seed in SEED..SEED + 8 {
			let ended = run(gone(Duration::MAX, closes), seed, Some(Duration::from_secs(2)));
			assert!(matches!(ended.report.end, End::Done | End::Interrupted), "{:?}", ended.report);
			assert!(ended.took < Duration::from_secs(10), "{:?}", ended.took);
			unconfirmed += ended.unconfirmed;
		}
		assert!(unconfirmed > 0, "transactions in flight are not said to be unsent");
	}
}

#[test]
fn another_that_keeps_the_pool_busy_delays_neither_a_publish_nor_its_stop_for_ever() {
	for seed in 0..64 {
		let crowded = |model: &mut Model, _: &mut Settings| {
			model.crowded_from = Some(model.next_block + GONE_AFTER);
		};
		let Ended { report, took, .. } = run(crowded, seed, Some(Duration::from_secs(5)));
		assert!(matches!(report.end, End::Done | End::Interrupted), "{seed}: {:?}", report.end);
		assert!(took < Duration::from_secs(20), "{seed}: {took:?}");
	}
}

#[test]
fn a_node_that_is_gone_for_long_is_reported_and_ends_the_publish_when_patience_is_over() {
	let lost = Error::Disconnected.to_string();
	let ended = run(gone(Duration::from_secs(9), true), SEED, None);
	assert!(is_done(&ended), "{:?}", ended.report.end);
	assert_eq!(ended.notes, [&lost, "connected again"]);

	let Ended { report, notes, took, .. } = run(gone(Duration::MAX, true), SEED, None);
	assert!(matches!(report.end, End::Failed(Error::Connect { .. })), "{:?}", report.end);
	assert_eq!(notes, [lost]);
	assert!(took < PATIENCE + Duration::from_secs(5), "{took:?}");

	// A connection that comes back at once is not worth a line.
	let ended = run(gone(GONE_AFTER + Duration::from_millis(300), true), SEED, None);
	assert!(is_done(&ended) && ended.notes.is_empty(), "{:?}", ended.notes);
}

#[test]
fn blocks_that_do_not_become_final_are_reported_unless_nobody_waits_for_them() {
	for finalized in [true, false] {
		let stall = |model: &mut Model, settings: &mut Settings| {
			(model.rates, model.is_stalled) = (Rates::default(), true);
			model.items.iter_mut().for_each(|item| item.is_bad = false);
			settings.finalized = finalized;
		};
		let Ended { report, good, done, notes, took, .. } = run(stall, SEED, None);
		assert_eq!(done, good, "it is in best blocks");
		match finalized {
			true => {
				assert!(matches!(report.end, End::Failed(Error::NotFinal { .. })));
				assert_eq!(notes, ["not final"]);
			},
			false => assert!(matches!(report.end, End::Done) && took < PATIENCE),
		}
	}
}

#[test]
fn an_item_that_fails_for_a_while_is_not_bad() {
	for seed in 0..32 {
		let late = |model: &mut Model, settings: &mut Settings| {
			(model.rates, settings.finalized) = (Rates::default(), seed % 2 == 0);
			for (id, item) in (0..).zip(&mut model.items) {
				(item.is_bad, item.from) = (false, if id % 7 == 0 { 4 } else { 0 });
			}
		};
		let ended = run(late, seed, None);
		assert!(is_done(&ended), "{seed}: {:?}", ended.report.end);
		assert_eq!((ended.applied, ended.failed), (ended.good, BTreeSet::new()), "{seed}");
	}
}

#[test]
fn items_that_all_fail_cost_no_more_fees_than_a_window() {
	let none = |model: &mut Model, settings: &mut Settings| {
		(model.rates, settings.window) = (Rates::default(), 3);
		model.items = vec![Item { kind: 0, needs: 0..0, is_bad: true, from: 0 }; 500];
	};
	let ended = run(none, SEED, None);
	assert!(is_done(&ended), "{:?}", ended.report.end);
	assert_eq!((ended.failed.len(), ended.report.transactions), (500, 3));
}
