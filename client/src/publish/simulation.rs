// SPDX-License-Identifier: Apache-2.0
//! A model of a chain that drops, refuses and retracts transactions, loses its connections and its
//! last blocks, reports blocks that do not exist, and has another publisher. Whatever it does, all
//! good items end up on it, and the bad ones are reported, alone.

use std::{
	cell::{Cell, RefCell},
	collections::{BTreeMap, BTreeSet, HashMap, HashSet},
	ops::Range,
	rc::Rc,
	time::Duration,
};

use proptest::prelude::*;
use rand::{rngs::StdRng, Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use tokio::{
	sync::watch,
	time::{sleep, Instant},
};

use super::{
	engine::{publish, FRUITLESS},
	Batch, Block, End, Hash, Head, Node, Outcome, Refusal, Report, Settings, SignedBytes, Tally,
	Task, Work, LANES,
};
use crate::chain::{blake2_256, Error};

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

/// An item that a publisher wants on the chain.
#[derive(Clone, Debug)]
struct Item {
	lane: usize,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Transaction {
	account: usize,
	nonce: u64,
	items: Vec<u32>,
	/// A number that no other transaction has.
	id: usize,
}

/// The state after a block.
#[derive(Clone, Debug, Default)]
struct State {
	number: u64,
	nonces: [u64; LANES],
	applied: BTreeSet<u32>,
}

#[derive(Clone)]
struct Made {
	block: Block,
	state: State,
	transactions: Vec<Transaction>,
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
	from: Duration,
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
	/// The best chain.
	chain: Vec<Made>,
	/// All blocks that ever were, by hash.
	blocks: HashMap<Hash, Made>,
	finalized: usize,
	/// True if no block becomes final any more.
	is_stalled: bool,
	pool: BTreeMap<(usize, u64), Transaction>,
	next_block: Instant,
	absence: Option<Absence>,
	/// The time from which the other publisher always keeps transactions in the pool.
	crowded_from: Option<Instant>,
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
		let mut rate =
			|most: u32| if random.random_bool(0.5) { random.random_range(0..=most) } else { 0 };
		let (drop, fork, refuse, lose) = (rate(10), rate(25), rate(10), rate(10));
		let rates =
			Rates { drop, fork, refuse, lose, restart: rate(8), rival: rate(15), lie: rate(50) };
		let mut model = Self {
			random,
			rates,
			setbacks: SETBACKS,
			losses: LOSSES,
			items,
			chain: Vec::new(),
			blocks: HashMap::new(),
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

	fn state(&self) -> State {
		self.chain.last().map(|made| made.state.clone()).unwrap_or_default()
	}

	/// Adds a block with transactions.
	fn push(&mut self, transactions: Vec<Transaction>) {
		let mut state = self.state();
		state.number = u64::try_from(self.chain.len()).expect("it is short; qed");
		let mut outcomes = Vec::new();
		for transaction in &transactions {
			state.nonces[transaction.account] += 1;
			let outcome = self.dispatch(&mut state, &transaction.items);
			outcomes.push((hash(transaction), outcome));
		}
		let made = u64::try_from(self.blocks.len()).expect("there are few; qed") + 1;
		let hash = blake2_256(&made.to_le_bytes());
		let parent = self.chain.last().map(|made| made.block.head.hash).unwrap_or_default();
		let head = Head { hash, number: state.number };
		let block = Block { head, parent, outcomes, upgrades: false };
		let made = Made { block, state, transactions };
		self.blocks.insert(hash, made.clone());
		self.chain.push(made);
		if !self.is_stalled {
			self.finalized = self.finalized.max((self.chain.len() - 1).saturating_sub(DEPTH));
		}
	}

	/// Applies all items of a transaction, or none.
	fn dispatch(&self, state: &mut State, items: &[u32]) -> Outcome {
		let mut applied = state.applied.clone();
		for id in items {
			let item = &self.items[*id as usize];
			if !item.is_possible(|needed| applied.contains(needed)) || item.is_bad {
				return Err(format!("{id} is not possible"));
			}
			if !applied.insert(*id) || state.number < item.from {
				return Err(format!("{id} is there, or comes too early"));
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
				if let Some(key) = self.pool.keys().nth(place).copied() {
					self.pool.remove(&key);
				}
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
		for made in self.chain.drain(self.chain.len() - depth..) {
			let transactions = made.transactions.into_iter();
			self.pool.extend(transactions.map(|one| ((one.account, one.nonce), one)));
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
		let is_free = |nonce: &u64| !self.pool.contains_key(&(account, *nonce));
		(chain..).find(is_free).unwrap_or(chain)
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
		self.pool.insert((account, nonce), Transaction { account, nonce, items, id: 0 });
	}

	fn submit(&mut self, transaction: Transaction) -> Result<(), Refusal> {
		let key = (transaction.account, transaction.nonce);
		let is_taken = transaction.nonce < self.state().nonces[transaction.account];
		if self.fault(self.rates.refuse) || is_taken || self.pool.contains_key(&key) {
			return Err(Refusal::NotTaken(Error::Invalid("refused".into())));
		}
		self.pool.insert(key, transaction);
		Ok(())
	}
}

fn bytes(transaction: &Transaction) -> Vec<u8> {
	serde_json::to_vec(transaction).expect("it is plain data; qed")
}

fn hash(transaction: &Transaction) -> Hash {
	blake2_256(&bytes(transaction))
}

struct Simulated {
	model: Rc<RefCell<Model>>,
	is_connected: Cell<bool>,
	start: Instant,
	signed: Cell<usize>,
}

impl Simulated {
	/// Returns the absence of the node, if it is gone now.
	fn absence(&self) -> Option<Absence> {
		let absence = self.model.borrow().absence?;
		(absence.from..absence.until).contains(&self.start.elapsed()).then_some(absence)
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
		match self.is_connected.get() {
			true => Ok(()),
			false => Err(Error::Disconnected),
		}
	}
}

impl Node for Simulated {
	type Call = Vec<u32>;
	type State = State;

	async fn best(&self) -> Result<Head, Error> {
		self.answer().await?;
		Ok(self.model.borrow().chain.last().expect("there is a first block; qed").block.head)
	}

	async fn finalized(&self) -> Result<Head, Error> {
		self.answer().await?;
		let model = self.model.borrow();
		Ok(model.chain[model.finalized].block.head)
	}

	async fn begin(&self, block: Head) -> Result<State, Error> {
		self.state(block).await
	}

	async fn state(&self, block: Head) -> Result<State, Error> {
		self.answer().await?;
		Ok(self.model.borrow().blocks[&block.hash].state.clone())
	}

	async fn block(&self, block: Hash, ours: &HashSet<Hash>) -> Result<Option<Block>, Error> {
		self.answer().await?;
		let mut block = self.model.borrow().blocks[&block].block.clone();
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
		Ok(self.model.borrow().dispatch(&mut state, call))
	}

	fn sign(&self, account: usize, call: &Vec<u32>, nonce: u64) -> Result<SignedBytes, Error> {
		self.signed.set(self.signed.get() + 1);
		let transaction =
			Transaction { account, nonce, items: call.clone(), id: self.signed.get() };
		let (bytes, hash) = (bytes(&transaction), hash(&transaction));
		Ok(SignedBytes { bytes, hash, last_block: u64::MAX })
	}

	async fn submit(&self, bytes: Vec<u8>) -> Result<(), Refusal> {
		// Requests arrive in their order, even if the answer does not.
		let is_heard = self.is_connected.get() && self.absence().is_none();
		let transaction = serde_json::from_slice(&bytes).expect("it was signed; qed");
		let taken = if is_heard { self.model.borrow_mut().submit(transaction) } else { Ok(()) };
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
struct Publisher {
	model: Rc<RefCell<Model>>,
	limits: [usize; 3],
	aside: BTreeSet<u32>,
	failed: BTreeSet<u32>,
	tally: Tally<u32, ()>,
	/// The reports about the connection.
	notes: Vec<String>,
}

impl Publisher {
	fn done(&self) -> BTreeSet<u32> {
		self.tally.all_done().map(|(item, ())| *item).collect()
	}
}

impl Work<Simulated> for Publisher {
	type Item = u32;
	type Error = Error;

	fn cause(error: &Error) -> Option<&Error> {
		Some(error)
	}

	async fn prepare(&mut self, node: &Simulated) -> Result<(), Error> {
		node.answer().await
	}

	async fn plan(&mut self, node: &Simulated, state: &State) -> Result<Vec<Task<u32>>, Error> {
		node.answer().await?;
		let mut planned = BTreeSet::new();
		let mut plan = Vec::new();
		for (id, item) in (0..).zip(&self.model.borrow().items) {
			let is_there =
				|needed: &u32| state.applied.contains(needed) || planned.contains(needed);
			let is_open = !state.applied.contains(&id) && !self.aside.contains(&id);
			if is_open && item.is_possible(is_there) {
				planned.insert(id);
				plan.push(Task { lane: item.lane, kind: item.kind, stage: item.kind, item: id });
			}
		}
		let lacking = plan.iter().map(|task| (task.item, ()));
		self.tally.plan(lacking, |item, ()| state.applied.contains(item));
		Ok(plan)
	}

	fn limit(&self, kind: usize) -> usize {
		self.limits[kind]
	}

	async fn call(&mut self, _: &Simulated, batch: &Batch<u32>) -> Result<Option<Vec<u32>>, Error> {
		let has_room = batch.items.len() == 1 || self.model.borrow_mut().random.random_bool(0.9);
		Ok(has_room.then(|| batch.items.clone()))
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
		let state = &mut model.chain[model.finalized].state.clone();
		assert!(model.dispatch(state, &[*item]).is_err(), "{item} is not bad at a final block");
		self.failed.insert(*item);
	}

	fn wants_more(&self) -> bool {
		false
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
		let mut item = |lane, needs| {
			let is_bad = random.random_range(0..100) < bad;
			Item { lane, kind: lane, needs, is_bad, from: 0 }
		};
		for version in first..first + versions {
			commits.push(item(0, 0..0));
			records.push(item(1, version..version + 1));
		}
		records.push(Item { is_bad: false, ..item(1, first..first + versions) });
	}
	let run = Item { lane: 1, kind: 2, needs: 0..0, is_bad: false, from: 0 };
	commits.into_iter().chain(records).chain([run]).collect()
}

/// Returns the items that must be on the chain, and those that must be reported.
fn expected(items: &[Item]) -> (BTreeSet<u32>, BTreeSet<u32>) {
	let (mut good, mut bad) = (BTreeSet::new(), BTreeSet::new());
	for (id, item) in (0u32..).zip(items) {
		if item.is_possible(|needed| good.contains(needed)) {
			if item.is_bad { &mut bad } else { &mut good }.insert(id);
		}
	}
	(good, bad)
}

/// The end of a publish.
struct Ended {
	report: Report<Error>,
	work: Publisher,
	/// The items that a final block has at the end.
	finals: BTreeSet<u32>,
	/// The chain a minute later, without further faults.
	model: Rc<RefCell<Model>>,
	took: Duration,
}

/// Publishes on a chain of this seed, which is altered.
fn run(
	alter: impl FnOnce(&mut Model, &mut Settings),
	seed: u64,
	stop_after: Option<Duration>,
) -> Ended {
	let runtime = tokio::runtime::Builder::new_current_thread()
		.enable_time()
		.start_paused(true)
		.build()
		.expect("a runtime needs no resources; qed");
	runtime.block_on(async {
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
		let model = Rc::new(RefCell::new(Model::new(seed, items)));
		alter(&mut model.borrow_mut(), &mut settings);
		let (start, is_connected) = (Instant::now(), Cell::new(true));
		let node = Simulated { model: model.clone(), is_connected, start, signed: Cell::new(0) };
		let mut work = Publisher {
			model: model.clone(),
			limits: [random.random_range(1..9), random.random_range(1..9), 1],
			aside: BTreeSet::new(),
			failed: BTreeSet::new(),
			tally: Tally::default(),
			notes: Vec::new(),
		};
		let (sender, stop) = watch::channel(false);
		let stopping = async {
			match stop_after {
				Some(after) => sleep(after).await,
				None => std::future::pending().await,
			}
			sender.send_replace(true);
			std::future::pending::<()>().await
		};
		let report = tokio::select! {
			biased;
			report = publish(&node, &mut work, &settings, &stop) => report,
			() = stopping => unreachable!("it waits for ever; qed"),
			() = sleep(LONGEST) => panic!("it has not ended within {LONGEST:?}"),
		};
		let took = start.elapsed();
		let finals = {
			let model = model.borrow();
			model.chain[model.finalized].state.applied.clone()
		};
		// Transactions in the pool still get into blocks.
		(model.borrow_mut().setbacks, model.borrow_mut().losses) = (0, 0);
		sleep(Duration::from_secs(60)).await;
		model.borrow_mut().advance();
		Ended { report, work, finals, model, took }
	})
}

proptest! {
	#![proptest_config(ProptestConfig::with_cases(256))]

	#[test]
	fn all_good_items_are_final_on_the_chain_and_the_bad_ones_are_reported(seed in any::<u64>()) {
		let Ended { report, work, finals, model, .. } = run(|_, _| {}, seed, None);
		let model = model.borrow();
		prop_assert!(matches!(report.end, End::Done), "{:?}", report.end);
		let (good, bad) = expected(&model.items);
		prop_assert_eq!(&finals, &good);
		prop_assert_eq!(&model.state().applied, &good);
		prop_assert_eq!(&work.failed, &bad);
		prop_assert!(work.done().is_subset(&good), "only what is there is counted");
		if model.rates.rival == 0 {
			prop_assert_eq!(work.done(), good, "all that is there is counted");
		}
	}

	#[test]
	fn a_publish_that_is_stopped_ends_and_reports_only_what_is_there(
		seed in any::<u64>(),
		millis in 0u64..3_000,
	) {
		let stop = Some(Duration::from_millis(millis));
		let Ended { report, work, model, .. } = run(|_, _| {}, seed, stop);
		let model = model.borrow();
		prop_assert!(matches!(report.end, End::Done | End::Interrupted), "{:?}", report.end);
		let (good, bad) = expected(&model.items);
		prop_assert!(model.state().applied.is_subset(&good));
		prop_assert!(work.failed.is_subset(&bad));
		prop_assert!(work.done().is_subset(&good), "only what is good is counted");
	}
}

/// The time after which the node is gone: some transactions are in flight by then.
const GONE_AFTER: Duration = Duration::from_millis(500);
/// A model whose publish takes longer than that.
const SEED: u64 = 3;

fn gone(until: Duration, closes: bool) -> impl FnOnce(&mut Model, &mut Settings) {
	move |model, _| model.absence = Some(Absence { from: GONE_AFTER, until, closes })
}

#[test]
fn a_seed_repeats_a_simulation() {
	for seed in 0..16 {
		let [first, second] = [(); 2].map(|()| {
			let Ended { report, model, took, .. } = run(|_, _| {}, seed, None);
			let blocks = model.borrow().blocks.len();
			(report.transactions, blocks, took)
		});
		assert_eq!(first, second, "{seed}");
	}
}

#[test]
fn a_publish_that_is_stopped_ends_soon_although_the_node_is_gone() {
	for closes in [true, false] {
		let stop = Some(Duration::from_secs(2));
		let Ended { report, work, model, took, .. } = run(gone(Duration::MAX, closes), SEED, stop);
		assert!(matches!(report.end, End::Interrupted), "{:?}", report.end);
		assert!(took < Duration::from_secs(10), "{took:?}");
		assert!(work.done().is_subset(&expected(&model.borrow().items).0));
	}
}

#[test]
fn another_that_keeps_the_pool_busy_delays_neither_a_publish_nor_its_stop_for_ever() {
	for seed in 0..64 {
		let from = |model: &Model| model.next_block + GONE_AFTER;
		let crowded = |model: &mut Model, _: &mut Settings| model.crowded_from = Some(from(model));
		let stop = Some(Duration::from_secs(5));
		let Ended { report, work, model, took, .. } = run(crowded, seed, stop);
		assert!(matches!(report.end, End::Done | End::Interrupted), "{seed}: {:?}", report.end);
		assert!(took < Duration::from_secs(20), "{seed}: {took:?}");
		assert!(work.done().is_subset(&expected(&model.borrow().items).0));
	}
}

#[test]
fn a_node_that_is_gone_for_long_is_reported_and_ends_the_publish_when_patience_is_over() {
	let lost = Error::Disconnected.to_string();
	let Ended { report, work, .. } = run(gone(Duration::from_secs(9), true), SEED, None);
	assert!(matches!(report.end, End::Done), "{:?}", report.end);
	assert_eq!(work.notes, [&lost, "connected again"]);

	let Ended { report, work, took, .. } = run(gone(Duration::MAX, true), SEED, None);
	assert!(matches!(report.end, End::Failed(Error::Connect { .. })), "{:?}", report.end);
	assert_eq!(work.notes, [lost]);
	assert!(took < PATIENCE + Duration::from_secs(5), "{took:?}");

	// A connection that comes back at once is not worth a line.
	let short = gone(GONE_AFTER + Duration::from_millis(300), true);
	let Ended { report, work, .. } = run(short, SEED, None);
	assert!(matches!(report.end, End::Done) && work.notes.is_empty(), "{:?}", work.notes);
}

#[test]
fn blocks_that_do_not_become_final_are_reported_unless_nobody_waits_for_them() {
	for finalized in [true, false] {
		let stall = |model: &mut Model, settings: &mut Settings| {
			(model.rates, model.is_stalled) = (Rates::default(), true);
			model.items.iter_mut().for_each(|item| item.is_bad = false);
			settings.finalized = finalized;
		};
		let Ended { report, work, model, took, .. } = run(stall, SEED, None);
		assert_eq!(work.done(), expected(&model.borrow().items).0, "it is in best blocks");
		match finalized {
			true => assert!(matches!(report.end, End::Failed(Error::NotFinal { .. }))),
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
		let Ended { report, work, model, .. } = run(late, seed, None);
		assert!(matches!(report.end, End::Done), "{seed}: {:?}", report.end);
		let model = model.borrow();
		assert_eq!(&model.state().applied, &expected(&model.items).0, "{seed}");
		assert_eq!(work.failed, BTreeSet::new(), "{seed}");
	}
}

#[test]
fn items_that_all_fail_cost_no_more_fees_than_a_window() {
	let none = |model: &mut Model, settings: &mut Settings| {
		(model.rates, settings.window) = (Rates::default(), 3);
		model.items = vec![Item { lane: 0, kind: 0, needs: 0..0, is_bad: true, from: 0 }; 500];
	};
	let Ended { report, work, .. } = run(none, SEED, None);
	assert!(matches!(report.end, End::Done), "{:?}", report.end);
	assert_eq!((work.failed.len(), report.transactions), (500, 3));
}
