// SPDX-License-Identifier: Apache-2.0
//! A model of a chain that drops, refuses and retracts transactions, loses its connections and its
//! last blocks, and has another publisher. Whatever it does, all good items end up on it, and the
//! bad ones are reported, alone.

use std::{
	cell::{Cell, RefCell},
	collections::{BTreeMap, BTreeSet, HashMap, HashSet},
	ops::Range,
	rc::Rc,
	time::Duration,
};

use content_fabric_client::chain::{self, blake2_256};
use proptest::prelude::*;
use rand::{rngs::StdRng, Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use tokio::{
	sync::watch,
	time::{sleep, Instant},
};

use super::{
	drive::{drive, End, FRUITLESS},
	Batch, Hash, Head, Node, Outcome, Refusal, Settings, Tally, Task, TaskId, Work, LANES,
};
use crate::Error;

/// Setbacks that a chain has in store: fewer than end the work if there is no progress in between.
const SETBACKS: u32 = FRUITLESS - 1;
/// Losses of the connection that it has in store.
const LOSSES: u32 = 8;

/// Blocks that a fork or a restart takes back at most.
const DEPTH: usize = 3;

/// Time within which every publish ends.
const LONGEST: Duration = Duration::from_secs(3_600);
/// Transactions in a crowded pool.
const CROWD: usize = 20;

/// An item that a publisher wants on the chain.
#[derive(Clone, Debug)]
struct Item {
	task: Task,
	/// It needs one of these items. Empty if it needs nothing.
	needs: Range<u32>,
	is_bad: bool,
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

impl Transaction {
	fn bytes(&self) -> Vec<u8> {
		serde_json::to_vec(self).expect("it is plain data; qed")
	}
}

/// The state after a block.
#[derive(Clone, Debug, Default)]
struct State {
	nonces: [u64; LANES],
	applied: BTreeSet<u32>,
}

#[derive(Clone, Debug)]
struct Block {
	head: Head,
	state: State,
	transactions: Vec<(Transaction, Outcome)>,
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
}

struct Model {
	random: StdRng,
	rates: Rates,
	/// Setbacks and losses to come.
	setbacks: u32,
	losses: u32,
	items: Vec<Item>,
	/// The best chain.
	chain: Vec<Block>,
	/// All blocks that ever were, by hash.
	blocks: HashMap<Hash, Block>,
	pool: BTreeMap<(usize, u64), Transaction>,
	next_block: Instant,
	minted: u64,
	absence: Option<Absence>,
	/// The time from which the other publisher always keeps transactions in the pool.
	crowded_from: Option<Instant>,
	/// The time that the node takes for a block. `None` if blocks come fast.
	slow: Option<Duration>,
	/// The transactions that are neither in the pool nor in a block: the node is making their
	/// block.
	taken: Vec<Transaction>,
}

/// A time in which the node is gone.
#[derive(Clone, Copy, Debug)]
struct Absence {
	from: Duration,
	until: Duration,
	/// True if it closes the connection, and false if it just does not answer.
	closes: bool,
}

impl Model {
	fn new(seed: u64, items: Vec<Item>) -> Self {
		let mut random = StdRng::seed_from_u64(seed);
		let mut rate =
			|most: u32| if random.random_bool(0.5) { random.random_range(0..=most) } else { 0 };
		let rates = Rates {
			drop: rate(10),
			fork: rate(25),
			refuse: rate(10),
			lose: rate(10),
			restart: rate(8),
			rival: rate(15),
		};
		let mut model = Self {
			random,
			rates,
			setbacks: SETBACKS,
			losses: LOSSES,
			items,
			chain: Vec::new(),
			blocks: HashMap::new(),
			pool: BTreeMap::new(),
			next_block: Instant::now(),
			minted: 0,
			absence: None,
			crowded_from: None,
			slow: None,
			taken: Vec::new(),
		};
		model.push(Vec::new());
		model
	}

	/// Decides whether something goes wrong now.
	fn fault(&mut self, percent: u32) -> bool {
		happens(&mut self.random, &mut self.setbacks, percent)
	}

	/// Decides whether the connection is lost now.
	fn loss(&mut self, percent: u32) -> bool {
		happens(&mut self.random, &mut self.losses, percent)
	}

	fn state(&self) -> State {
		self.chain.last().map(|block| block.state.clone()).unwrap_or_default()
	}

	fn best(&self) -> Head {
		self.chain.last().expect("there is a first block; qed").head
	}

	/// Adds a block with transactions.
	fn push(&mut self, transactions: Vec<Transaction>) {
		let mut state = self.state();
		let mut done = Vec::new();
		for transaction in transactions {
			state.nonces[transaction.account] += 1;
			let outcome = self.dispatch(&mut state, &transaction);
			done.push((transaction, outcome));
		}
		self.minted += 1;
		let mut hash = [0; 32];
		hash[..8].copy_from_slice(&self.minted.to_le_bytes());
		let number = u64::try_from(self.chain.len()).expect("it is short; qed");
		let block = Block { head: Head { hash, number }, state, transactions: done };
		self.blocks.insert(hash, block.clone());
		self.chain.push(block);
	}

	/// Applies all items of a transaction, or none.
	fn dispatch(&self, state: &mut State, transaction: &Transaction) -> Outcome {
		let mut applied = state.applied.clone();
		for id in &transaction.items {
			let item = &self.items[*id as usize];
			let error = |name: &str| Err(format!("ContentFabric.{name}: of {id}"));
			if !item.is_possible(|needed| applied.contains(needed)) {
				return error("VersionNotFound");
			}
			if item.is_bad {
				return error("OriginatorMismatch");
			}
			if !applied.insert(*id) {
				return error("VersionAlreadyExists");
			}
		}
		state.applied = applied;
		Ok(())
	}

	/// Makes the blocks that are due.
	fn advance(&mut self) {
		while self.next_block <= Instant::now() {
			let pause = Duration::from_millis(self.random.random_range(5..400));
			self.next_block += self.slow.unwrap_or(pause);
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
			if self.chain.len() > 4 && self.fault(self.rates.fork) {
				let depth = self.random.random_range(1..=DEPTH);
				self.retract(depth);
				for _ in 0..depth {
					self.make_block();
				}
			}
			match self.slow {
				Some(_) => self.make_block_slowly(),
				None => self.make_block(),
			}
		}
	}

	/// Takes back the last blocks. Their transactions are in the pool again.
	fn retract(&mut self, depth: usize) {
		for _ in 0..depth {
			if self.chain.len() == 1 {
				return;
			}
			let block = self.chain.pop().expect("it has more than one block; qed");
			for (transaction, _) in block.transactions {
				self.pool.insert((transaction.account, transaction.nonce), transaction);
			}
		}
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

	/// Ends the block that the node is making, and begins one with all that the pool has.
	fn make_block_slowly(&mut self) {
		let taken = std::mem::take(&mut self.taken);
		self.push(taken);
		let mut nonces = self.state().nonces;
		for transaction in std::mem::take(&mut self.pool).into_values() {
			if transaction.nonce == nonces[transaction.account] {
				nonces[transaction.account] += 1;
				self.taken.push(transaction);
			}
		}
	}

	/// Another publisher takes the next nonce of an account, and does an item.
	fn rival(&mut self) {
		let state = self.state();
		let account = self.random.random_range(0..LANES);
		let mut nonce = state.nonces[account];
		while self.pool.contains_key(&(account, nonce)) {
			nonce += 1;
		}
		let is_open = |(id, item): &(u32, &Item)| {
			!item.is_bad && item.task.stage == 0 && !state.applied.contains(id)
		};
		let open: Vec<_> = (0u32..).zip(&self.items).filter(is_open).map(|(id, _)| id).collect();
		let count = self.random.random_range(0..3);
		let items = open.into_iter().take(count).collect();
		self.pool.insert((account, nonce), Transaction { account, nonce, items, id: 0 });
	}

	/// The node is killed: it loses its pool and some of its last blocks.
	fn restart(&mut self) {
		self.pool.clear();
		let lost = self.random.random_range(0..3);
		self.retract(lost);
		self.pool.clear();
	}

	fn submit(&mut self, transaction: Transaction) -> Result<(), Refusal> {
		let key = (transaction.account, transaction.nonce);
		let is_taken = transaction.nonce < self.state().nonces[transaction.account];
		if self.fault(self.rates.refuse) || is_taken || self.pool.contains_key(&key) {
			return Err(Refusal::NotTaken(refused()));
		}
		self.pool.insert(key, transaction);
		Ok(())
	}

	/// Returns the block of the best chain with a transaction. Fails if neither that nor the pool
	/// has it.
	fn find(&self, transaction: &Transaction) -> Result<Option<Hash>, Refusal> {
		let has_it = |block: &&Block| block.transactions.iter().any(|(one, _)| one == transaction);
		match self.chain.iter().rev().find(has_it) {
			None if !self.pool.values().chain(&self.taken).any(|one| one == transaction) => {
				Err(Refusal::Dropped(refused()))
			},
			found => Ok(found.map(|block| block.head.hash)),
		}
	}
}

/// Decides whether one of the events that are left happens now.
fn happens(random: &mut StdRng, left: &mut u32, percent: u32) -> bool {
	let happens = *left > 0 && random.random_range(0..100) < percent;
	*left -= u32::from(happens);
	happens
}

fn refused() -> chain::Error {
	chain::Error::Dispatch { call: "it".into(), reason: "refused".into() }
}

struct Simulated {
	model: Rc<RefCell<Model>>,
	is_connected: Cell<bool>,
	start: Instant,
}

impl Simulated {
	/// Returns the absence of the node, if it is gone now.
	fn absence(&self) -> Option<Absence> {
		let absence = self.model.borrow().absence?;
		(absence.from..absence.until).contains(&self.start.elapsed()).then_some(absence)
	}

	/// Waits as long as an answer takes, unless the connection is lost.
	async fn answer(&self) -> Result<(), chain::Error> {
		match self.absence() {
			Some(Absence { closes: true, .. }) => self.is_connected.set(false),
			Some(_) => std::future::pending().await,
			None => {},
		}
		let latency = self.model.borrow_mut().random.random_range(0..60);
		sleep(Duration::from_millis(latency)).await;
		let mut model = self.model.borrow_mut();
		model.advance();
		let Rates { restart, lose, .. } = model.rates;
		if model.loss(restart) {
			model.restart();
			self.is_connected.set(false);
		}
		if model.loss(lose) {
			self.is_connected.set(false);
		}
		match self.is_connected.get() {
			true => Ok(()),
			false => Err(chain::Error::Disconnected),
		}
	}
}

impl Node for Simulated {
	async fn submit(&self, bytes: &[u8]) -> Result<Hash, Refusal> {
		// Requests arrive in their order, even if the answer does not.
		let is_heard = self.is_connected.get() && self.absence().is_none();
		let transaction: Transaction = serde_json::from_slice(bytes).expect("it was signed; qed");
		let submit = || self.model.borrow_mut().submit(transaction.clone());
		let submitted = if is_heard { submit() } else { Ok(()) };
		self.answer().await.map_err(Refusal::Lost)?;
		submitted?;
		loop {
			self.answer().await.map_err(Refusal::Lost)?;
			if let Some(block) = self.model.borrow().find(&transaction)? {
				return Ok(block);
			}
		}
	}

	async fn outcomes(
		&self,
		block: Hash,
		ours: &HashSet<Hash>,
	) -> Result<Option<(Head, Vec<(Hash, Outcome)>)>, chain::Error> {
		self.answer().await?;
		let block = self.model.borrow().blocks[&block].clone();
		let outcomes = block.transactions.into_iter();
		let outcomes = outcomes.map(|(found, outcome)| (blake2_256(&found.bytes()), outcome));
		Ok(Some((block.head, outcomes.filter(|(hash, _)| ours.contains(hash)).collect())))
	}

	async fn best_number(&self) -> Result<u64, chain::Error> {
		self.answer().await?;
		Ok(self.model.borrow().best().number)
	}

	async fn block_hash(&self, number: u64) -> Result<Option<Hash>, chain::Error> {
		self.answer().await?;
		let place = usize::try_from(number).expect("the chain is short; qed");
		Ok(self.model.borrow().chain.get(place).map(|block| block.head.hash))
	}

	async fn nonces(&self, account: usize) -> Result<(u64, u64), chain::Error> {
		self.answer().await?;
		let model = self.model.borrow();
		let chain = model.state().nonces[account];
		let pool = (chain..).find(|nonce| !model.pool.contains_key(&(account, *nonce)));
		Ok((chain, pool.unwrap_or(chain)))
	}

	async fn finalized(&self, block: Head) -> Result<bool, chain::Error> {
		while self.best_number().await? <= block.number + DEPTH as u64 {}
		Ok(self.block_hash(block.number).await? == Some(block.hash))
	}

	async fn reconnect(&self, patience: Duration) -> Result<(), chain::Error> {
		let until = Instant::now() + patience;
		sleep(Duration::from_millis(100)).await;
		while self.absence().is_some() {
			if Instant::now() > until {
				return Err(chain::Error::Connect { url: "it".into(), reason: "gone".into() });
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
	accounts: [usize; LANES],
	/// The items of the present plan.
	plan: Vec<u32>,
	failed: BTreeMap<u32, String>,
	signed: usize,
	tally: Tally<u32, ()>,
	/// The reports about the connection.
	notes: Vec<String>,
}

impl Publisher {
	/// Returns the tasks of the items that the chain lacks.
	fn lacking(&mut self) -> Vec<Task> {
		let model = self.model.borrow();
		let applied = model.state().applied;
		let mut plan = Vec::<u32>::new();
		for (id, item) in (0u32..).zip(&model.items) {
			let is_there = |needed: &u32| applied.contains(needed) || plan.contains(needed);
			let is_open = !applied.contains(&id) && !self.failed.contains_key(&id);
			if is_open && item.is_possible(is_there) {
				plan.push(id);
			}
		}
		let tasks = plan.iter().map(|id| model.items[*id as usize].task).collect();
		drop(model);
		self.tally.plan(plan.iter().copied());
		self.plan = plan;
		tasks
	}

	fn item(&self, task: TaskId) -> u32 {
		self.plan[task as usize]
	}

	fn done(&self) -> BTreeSet<u32> {
		self.tally.all_done().map(|(item, ())| *item).collect()
	}
}

impl Work<Simulated> for Publisher {
	async fn plan(&mut self, node: &Simulated) -> Result<(Vec<Task>, Head), Error> {
		node.answer().await?;
		let plan = (self.lacking(), self.model.borrow().best());
		// Reading takes time.
		node.answer().await?;
		Ok(plan)
	}

	async fn sign(
		&mut self,
		_: &Simulated,
		batch: &Batch,
		nonce: u64,
	) -> Result<Option<Vec<u8>>, Error> {
		let has_room = batch.tasks.len() == 1 || {
			let mut model = self.model.borrow_mut();
			model.random.random_bool(0.9)
		};
		let items = batch.tasks.iter().map(|task| self.item(*task)).collect();
		self.signed += 1;
		let (account, id) = (self.accounts[batch.task.lane], self.signed);
		let transaction = Transaction { account, nonce, items, id };
		Ok(has_room.then(|| transaction.bytes()))
	}

	fn done(&mut self, batch: &Batch) {
		batch.tasks.iter().for_each(|task| self.tally.done(self.plan[*task as usize], ()));
	}

	fn unsettled(&mut self, batch: &Batch) {
		batch.tasks.iter().for_each(|task| self.tally.sent(self.plan[*task as usize], ()));
	}

	fn failed(&mut self, task: TaskId, reason: &str) {
		self.tally.failed(&self.item(task));
		self.failed.insert(self.item(task), reason.to_owned());
	}

	fn wants_more(&self) -> bool {
		false
	}

	fn progress(&mut self, done: usize, all: usize) {
		assert!(done <= all);
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
	let mut commits = Vec::new();
	let mut records = Vec::new();
	let commit = Task { lane: 0, kind: 0, stage: 0 };
	let record = Task { lane: 1, kind: 1, stage: 1 };
	for _ in 0..random.random_range(0..20) {
		let first = u32::try_from(commits.len()).expect("there are few; qed");
		let versions = random.random_range(1..4);
		for version in first..first + versions {
			let mut is_bad = || random.random_range(0..100) < bad;
			commits.push(Item { task: commit, needs: 0..0, is_bad: is_bad() });
			records.push(Item { task: record, needs: version..version + 1, is_bad: is_bad() });
		}
		records.push(Item { task: record, needs: first..first + versions, is_bad: false });
	}
	let run = Task { lane: 1, kind: 2, stage: 2 };
	let run = Item { task: run, needs: 0..0, is_bad: false };
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

/// Publishes on a chain of this seed, which is altered. Returns the end, the publisher, the model,
/// and how long it took.
fn publish(
	alter: impl FnOnce(&mut Model),
	seed: u64,
	stop_after: Option<Duration>,
) -> (End, Publisher, Rc<RefCell<Model>>, Duration) {
	let runtime = tokio::runtime::Builder::new_current_thread()
		.enable_time()
		.start_paused(true)
		.build()
		.expect("a runtime needs no resources; qed");
	runtime.block_on(async {
		let mut random = StdRng::seed_from_u64(seed ^ 1);
		let items = items(&mut random);
		let accounts = if random.random_bool(0.2) { [0, 0] } else { [0, 1] };
		let model = Rc::new(RefCell::new(Model::new(seed, items)));
		alter(&mut model.borrow_mut());
		let start = Instant::now();
		let node = Simulated { model: model.clone(), is_connected: Cell::new(true), start };
		let mut work = Publisher {
			model: model.clone(),
			accounts,
			plan: Vec::new(),
			failed: BTreeMap::new(),
			signed: 0,
			tally: Tally::default(),
			notes: Vec::new(),
		};
		let settings = Settings {
			accounts,
			limits: vec![random.random_range(1..9), random.random_range(1..9), 1],
			window: random.random_range(1..6),
			stall: Duration::from_secs(8),
			patience: Duration::from_secs(60),
			backoff: Duration::from_millis(300),
			// Another stream than for the chain's faults.
			seed: seed ^ 2,
			finalized: true,
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
		let end = tokio::select! {
			biased;
			end = drive(&node, &mut work, &settings, &stop) => end,
			() = stopping => unreachable!("it waits for ever; qed"),
			() = sleep(LONGEST) => panic!("it has not ended within {LONGEST:?}"),
		};
		let took = start.elapsed();
		// Transactions in the pool still get into blocks.
		(model.borrow_mut().setbacks, model.borrow_mut().losses) = (0, 0);
		sleep(Duration::from_secs(60)).await;
		model.borrow_mut().advance();
		(end, work, model, took)
	})
}

proptest! {
	#![proptest_config(ProptestConfig::with_cases(256))]

	#[test]
	fn all_good_items_get_on_the_chain_and_the_bad_ones_are_reported(seed in any::<u64>()) {
		let (end, work, model, _) = publish(|_| {}, seed, None);
		let model = model.borrow();
		prop_assert!(end.result.is_ok(), "{:?}", end.result);
		let (good, bad) = expected(&model.items);
		prop_assert_eq!(&model.state().applied, &good);
		let failed: BTreeSet<_> = work.failed.keys().copied().collect();
		prop_assert_eq!(failed, bad);
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
		let (end, work, model, _) = publish(|_| {}, seed, stop);
		let model = model.borrow();
		let is_expected = matches!(end.result, Ok(()) | Err(Error::Interrupted));
		prop_assert!(is_expected, "{:?}", end.result);
		let (good, bad) = expected(&model.items);
		let applied = model.state().applied;
		prop_assert!(applied.is_subset(&good));
		prop_assert!(work.failed.keys().all(|item| bad.contains(item)));
		prop_assert!(work.done().is_subset(&good), "only what is good is counted");
	}
}

/// The time after which the node is gone: some transactions are in flight by then.
const GONE_AFTER: Duration = Duration::from_millis(500);
/// A model whose publish takes longer than that.
const SEED: u64 = 3;

fn gone(until: Duration, closes: bool) -> impl FnOnce(&mut Model) {
	move |model| model.absence = Some(Absence { from: GONE_AFTER, until, closes })
}

#[test]
fn a_seed_repeats_a_simulation() {
	for seed in 0..16 {
		let [first, second] = [(); 2].map(|()| {
			let (end, work, model, took) = publish(|_| {}, seed, None);
			let blocks = model.borrow().minted;
			(end.transactions, work.signed, blocks, took)
		});
		assert_eq!(first, second, "{seed}");
	}
}

#[test]
fn a_publish_that_is_stopped_ends_soon_although_the_node_is_gone() {
	for closes in [true, false] {
		let stop = Duration::from_secs(2);
		let (end, work, model, took) = publish(gone(Duration::MAX, closes), SEED, Some(stop));
		assert!(matches!(end.result, Err(Error::Interrupted)), "{:?}", end.result);
		assert!(took < Duration::from_secs(10), "{took:?}");
		assert!(work.done().is_subset(&expected(&model.borrow().items).0));
	}
}

#[test]
fn a_publish_that_is_stopped_ends_soon_although_another_keeps_the_pool_busy() {
	for seed in 0..64 {
		let from = |model: &Model| model.next_block + GONE_AFTER;
		let crowded = |model: &mut Model| model.crowded_from = Some(from(model));
		let (end, work, model, took) = publish(crowded, seed, Some(Duration::from_secs(5)));
		let is_expected = matches!(end.result, Ok(()) | Err(Error::Interrupted));
		assert!(is_expected, "{seed}: {:?}", end.result);
		assert!(took < Duration::from_secs(20), "{seed}: {took:?}");
		assert!(work.done().is_subset(&expected(&model.borrow().items).0));
	}
}

#[test]
fn a_node_that_is_gone_for_long_is_reported_and_ends_the_publish_when_patience_is_over() {
	let lost = chain::Error::Disconnected.to_string();
	let (end, work, ..) = publish(gone(Duration::from_secs(9), true), SEED, None);
	assert!(end.result.is_ok(), "{:?}", end.result);
	assert_eq!(work.notes, [&lost, "connected again"]);

	let (end, work, _, took) = publish(gone(Duration::MAX, true), SEED, None);
	assert!(
		matches!(end.result, Err(Error::Chain(chain::Error::Connect { .. }))),
		"{:?}",
		end.result
	);
	assert_eq!(work.notes, [lost]);
	assert!(took < Duration::from_secs(65), "{took:?}");

	// A connection that comes back at once is not worth a line.
	let short = gone(GONE_AFTER + Duration::from_millis(300), true);
	let (end, work, ..) = publish(short, SEED, None);
	assert!(end.result.is_ok() && work.notes.is_empty(), "{:?}", work.notes);
}

#[test]
fn late_transactions_of_a_slow_node_are_counted() {
	let slow = |model: &mut Model| {
		model.rates = Rates::default();
		model.slow = Some(Duration::from_secs(12));
		// Nobody would see that they fail.
		model.items.iter_mut().for_each(|item| item.is_bad = false);
	};
	for seed in 0..32 {
		let (end, work, model, _) = publish(slow, seed, None);
		assert!(end.result.is_ok(), "{seed}: {:?}", end.result);
		assert_eq!(
			(work.done(), work.failed.len()),
			(expected(&model.borrow().items).0, 0),
			"{seed}"
		);
	}
}
