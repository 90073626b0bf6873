// SPDX-License-Identifier: Apache-2.0
//! Random calls on the pallet and on a plain model of the fabric, which must agree on every
//! outcome, row and balance. It also checks properties that do not follow from the model:
//!
//! - a call that fails changes nothing, in this pallet or another, and no call weighs more than it
//!   did before its dispatch;
//! - the events of a call or a hook name every row that it has changed;
//! - the head of an object never moves to an earlier commit without a decision of the tenant;
//! - a signed commit works once;
//! - a call decodes from its encoding, and from no proper prefix of it;
//! - a deletion always ends, and at the end nothing is on hold and only slashed funds are lost.

mod fabric;
mod named_rows;
mod rows;

use std::{collections::BTreeMap, thread};

use codec::{Decode, DecodeAll, Encode};
use fabric::Model;
use frame_support::{
	dispatch::GetDispatchInfo,
	storage::transactional::TRANSACTION_LEVEL_KEY,
	traits::{GetCallName, Hooks},
	weights::Weight,
};
use named_rows::{unnamed_changes, Changes};
use rand::{rngs::StdRng, Rng, SeedableRng};
use scale_info::{TypeDef, TypeInfo};
use sp_runtime::{traits::Dispatchable, DispatchError};

use crate::{
	fuzzing::{self, Draws, World},
	mock::*,
	Call, ContentObjects, Error, Versions, WeightInfo,
};

/// The origin of a call: root, or an account.
pub type Origin = Option<AccountId>;
pub type Drawn = fuzzing::Drawn<Test>;
pub type Outcome = Result<(), DispatchError>;

/// Number of times, by the name of a call that succeeded or of an error.
type Counts = BTreeMap<&'static str, u32>;

/// Totals of the calls of one or more runs.
#[derive(Debug, Default)]
struct Tally {
	runs: u64,
	calls: u64,
	succeeded: Counts,
	failed: Counts,
}

impl Tally {
	fn count(&mut self, call: &'static str, outcome: Outcome) {
		self.calls += 1;
		let (counts, name) = match outcome {
			Ok(()) => (&mut self.succeeded, call),
			Err(error) => (&mut self.failed, error.into()),
		};
		*counts.entry(name).or_default() += 1;
	}

	fn add(&mut self, other: Self) {
		self.runs += other.runs;
		self.calls += other.calls;
		for (sum, counts) in
			[(&mut self.succeeded, other.succeeded), (&mut self.failed, other.failed)]
		{
			for (name, count) in counts {
				*sum.entry(name).or_default() += count;
			}
		}
	}
}

/// An account that soon has nothing free.
const POOR: AccountId = OPERATOR;
/// Number of prefixes of a call that are decoded: as many short as long ones.
const PREFIXES: usize = 600;
/// The errors to which random calls do not come: nothing migrates, the limits of admissions and
/// medallions and the end of the clock are far, a record key that the chain mints is free, and no
/// account of the cast consists of zeros.
const UNREACHED: [&str; 6] = [
	"MigrationPending",
	"TooManyAdmissions",
	"MedallionsExhausted",
	"RecordAlreadyExists",
	"ClockExhausted",
	"ZeroAccount",
];
/// Blocks of one run, before everything is deleted.
const BLOCKS: u32 = 60;

/// The accounts that make calls.
struct Cast;

impl World<Test> for Cast {
	fn accounts(&self) -> &[AccountId] {
		&[GOVERNOR, STRANGER, EDITOR, POOR]
	}

	fn sign(&self, signer: &AccountId, bytes: &[u8]) -> Signature {
		sign_bytes(*signer, bytes)
	}

	fn unit(&self) -> Balance {
		5
	}
}

/// Checks that a call decodes from its encoding, and from no proper prefix of it.
fn check_encoding(call: &Call<Test>) {
	let bytes = call.encode();
	assert_eq!(Call::decode_all(&mut &bytes[..]).as_ref(), Ok(call));
	let few = PREFIXES / 2;
	let mut ends = (0..bytes.len()).filter(|end| *end < few || bytes.len() - end <= few);
	let refuses = |end: usize| Call::<Test>::decode(&mut &bytes[..end]).is_err();
	assert!(ends.all(refuses), "{call:?}");
}

/// Makes a call, which must not weigh more than it says.
fn dispatch(call: &Call<Test>, origin: Origin) -> Outcome {
	let call = RuntimeCall::from(call.clone());
	let weight = call.get_dispatch_info().call_weight;
	let result = call.dispatch(origin.map_or_else(RuntimeOrigin::root, signed));
	let post_info = result.unwrap_or_else(|error| error.post_info);
	let actual = post_info.actual_weight.unwrap_or(weight);
	assert!(weight.all_gte(actual), "{actual:?}");
	result.map(drop).map_err(|error| error.error)
}

/// The head of an object, and when the head was committed.
type Heads = BTreeMap<(crate::identifiers::TenantId, crate::identifiers::ContentObjectId), u128>;

/// The chain and the model, side by side.
struct Pair {
	seed: u64,
	rng: StdRng,
	chain: Chain,
	model: Model,
	/// The changes of the present block so far.
	changes: Changes,
	/// When the last head of each object was committed.
	heads: Heads,
	/// Commits that have succeeded.
	committed: Vec<Drawn>,
	tally: Tally,
}

impl Pair {
	fn new(seed: u64) -> Self {
		// Nothing is left of an earlier run. In every second run of a thread, accounts keep more
		// than one unit. In two of four, a version has at most two copies, so that calls come to
		// that limit.
		DepositBase::reset();
		DepositPerByte::reset();
		UnbondingPeriod::reset();
		let run = seed / THREADS;
		ExistentialDeposit::set(match run % 2 {
			0 => 1,
			_ => 100,
		});
		MaxCopies::set(match run % 4 {
			0 | 3 => 8,
			_ => 2,
		});
		let mut chain = Chain::empty();
		// Late enough for commits that are too old.
		chain.pass(200);
		let model = chain.block(|| {
			let root = RuntimeOrigin::root();
			Balances::force_set_balance(root, POOR, 12_000).expect("the account exists");
			Model::new()
		});
		Self {
			seed,
			rng: StdRng::seed_from_u64(seed),
			chain,
			model,
			changes: Changes::new(),
			heads: Heads::new(),
			committed: Vec::new(),
			tally: Tally { runs: 1, ..Tally::default() },
		}
	}

	/// Makes a call on both, which must agree. Returns whether it succeeded.
	fn step(&mut self, drawn: &Drawn) -> bool {
		let (origin, call) = (drawn.origin.account().copied(), &drawn.call);
		let mut next = self.model.clone();
		let expected = next.apply(drawn);
		let seed = self.seed;
		self.chain.run(System::reset_events);
		let before = self.all_changes();
		let outcome = self.chain.run(|| dispatch(call, origin));
		assert_eq!(outcome, expected, "seed {seed}: {origin:?} {call:?}");
		let name = call.get_call_name();
		self.tally.count(name, outcome);
		if outcome.is_err() {
			assert_eq!(self.all_changes(), before, "seed {seed}: {call:?} changed something");
			return false;
		}
		let changes = self.chain.changes(&raw_key_of_pallet());
		self.model = next;
		self.check_changes(changes, name);
		self.check_heads(call);
		self.chain.run(|| self.model.learn(call));
		true
	}

	/// Returns what the present block has changed so far, in all pallets.
	fn all_changes(&self) -> Changes {
		let mut changes = self.chain.changes(&[]);
		// Open storage layers are counted here.
		changes.remove(TRANSACTION_LEVEL_KEY);
		changes
	}

	/// The events name every changed row.
	fn check_changes(&mut self, changes: Changes, what: &str) {
		let events = self.chain.run(events);
		let unnamed = unnamed_changes(&self.chain, &self.changes, &changes, &events);
		assert!(unnamed.is_empty(), "seed {}: {what} changed {unnamed:?}: {events:?}", self.seed);
		self.changes = changes;
	}

	/// No head moves to an earlier commit without a new decision of the tenant.
	fn check_heads(&mut self, call: &Call<Test>) {
		let heads: Heads = self.chain.run(|| {
			let heads = ContentObjects::<Test>::iter().filter_map(|(tenant, object, info)| {
				let head = Versions::<Test>::get((tenant, object, info.head_version?))?;
				Some(((tenant, object), head.committed.to_u128()))
			});
			heads.collect()
		});
		if !matches!(call, Call::set_head_version { .. }) {
			for (object, committed) in &heads {
				let before = self.heads.get(object).copied().unwrap_or_default();
				assert!(*committed >= before, "seed {}: {object:?} turned back", self.seed);
			}
		}
		// The heads of an object are remembered only as long as the object exists.
		let existing: Vec<_> =
			self.chain.run(|| ContentObjects::<Test>::iter_keys().collect::<Vec<_>>());
		self.heads.retain(|object, _| existing.contains(object));
		self.heads.extend(heads);
	}

	fn begin_block(&mut self) {
		// As runtime upgrades may do.
		if self.rng.random_bool(0.1) {
			DepositBase::set(self.rng.random_range(0..200));
			DepositPerByte::set(self.rng.random_range(0..3));
			UnbondingPeriod::set(self.rng.random_range(0..20));
		}
		let pass = if self.rng.random_bool(0.2) { self.rng.random_range(1..150) } else { 0 };
		self.chain.begin_block(1 + pass);
		self.changes.clear();
		self.chain.run(|| self.model.begin_block());
	}

	fn end_block(&mut self) {
		self.chain.run(|| self.model.assert_rows());
		self.chain.end_block();
	}

	/// Makes one random call, or repeats an earlier one.
	fn random_step(&mut self) {
		if !self.committed.is_empty() && self.rng.random_bool(0.01) {
			let place = self.rng.random_range(0..self.committed.len());
			let drawn = self.committed[place].clone();
			assert!(!self.step(&drawn), "seed {}: {:?} worked twice", self.seed, drawn.call);
			return;
		}
		let mut draws = Draws::new(&self.rng.random::<[u8; 24]>());
		let drawn = self.chain.run(|| fuzzing::call(&mut draws, &Cast));
		// Most of a purge is left to the ends of blocks, which must come to several purges, too.
		if matches!(drawn.call, Call::reap { .. }) && self.rng.random_bool(0.9) {
			return;
		}
		check_encoding(&drawn.call);
		if self.step(&drawn) && matches!(drawn.call, Call::commit_versions { .. }) {
			self.committed.push(drawn);
		}
	}

	fn idle(&mut self) {
		let idle = match self.rng.random_range(0..4) {
			0 => Weight::zero(),
			1 => Weight::MAX,
			_ => {
				<() as WeightInfo>::on_idle_base() * 2
					+ <() as WeightInfo>::reap(self.rng.random_range(0..12))
			},
		};
		self.idle_with(idle);
	}

	fn idle_with(&mut self, idle: Weight) {
		self.model.on_idle(idle);
		let consumed = self.chain.run(|| {
			System::reset_events();
			ContentFabric::on_idle(System::block_number(), idle)
		});
		assert!(idle.all_gte(consumed));
		let changes = self.chain.changes(&raw_key_of_pallet());
		self.check_changes(changes, "on_idle");
	}

	/// Deletes all members. The deletions end, nothing is on hold then, and only slashed funds are
	/// lost.
	fn delete_everything(&mut self) {
		self.begin_block();
		for member in self.model.members.keys().copied().collect::<Vec<_>>() {
			if self.model.is_being_deleted(member) {
				continue;
			}
			let created = self.model.members[&member].created;
			let (slash, reason) = (0, reason(""));
			let call = Call::governance_delete { member, created, slash, reason };
			let origin = fuzzing::Origin::Root;
			assert!(self.step(&Drawn { origin, call, is_signed: true }));
		}
		self.end_block();
		self.begin_block();
		self.idle_with(Weight::MAX);
		self.end_block();
		assert!(self.model.members.is_empty());
		let all = self.chain.run(|| ACCOUNTS.map(funds).collect::<Vec<_>>());
		assert!(all.iter().all(|(_, held)| *held == 0));
		let free = all.iter().map(|(free, _)| free).sum::<Balance>();
		assert_eq!(free, self.model.issued - self.model.slashed);
	}
}

/// Returns the prefix of all keys of the pallet.
fn raw_key_of_pallet() -> Vec<u8> {
	raw_key("", &[])[..16].to_vec()
}

/// Number of threads that make random calls at the same time.
const THREADS: u64 = 2;

/// Makes random calls in runs of their own, whose seeds are `first` and each `THREADS`th after it,
/// until there are `calls` of them.
fn run_from(first: u64, calls: u64) -> Tally {
	let mut tally = Tally::default();
	while tally.calls < calls {
		let mut pair = Pair::new(first + tally.runs * THREADS);
		for _ in 0..BLOCKS {
			pair.begin_block();
			for _ in 0..pair.rng.random_range(1..80) {
				pair.random_step();
			}
			pair.idle();
			pair.end_block();
		}
		pair.delete_everything();
		tally.add(pair.tally);
	}
	tally
}

/// Makes this many random calls. Every kind of call must have succeeded now and then, and failed
/// with every error that random calls can come to.
fn run(calls: u64) {
	let threads = (0..THREADS).map(|first| thread::spawn(move || run_from(first, calls / THREADS)));
	let mut tally = Tally::default();
	// All are started before the first is waited for.
	for thread in threads.collect::<Vec<_>>() {
		tally.add(thread.join().expect("the pallet and the model agree"));
	}
	let TypeDef::Variant(errors) = Error::<Test>::type_info().type_def else {
		panic!("errors are an enumeration");
	};
	let errors = errors.variants.into_iter().map(|variant| variant.name);
	let never_failed: Vec<_> = errors.filter(|name| !tally.failed.contains_key(name)).collect();
	let never_succeeded: Vec<_> = Call::<Test>::get_call_names()
		.iter()
		.filter(|name| !tally.succeeded.contains_key(*name))
		.collect();
	assert_eq!(never_failed, UNREACHED, "{tally:?}");
	assert!(never_succeeded.is_empty(), "{never_succeeded:?} of {tally:?}");
	println!("{tally:?}");
}

#[test]
fn pallet_and_model_agree_and_events_name_every_changed_row() {
	run(50_000);
}

#[test]
#[ignore = "takes minutes: scripts/assure long runs it"]
fn pallet_and_model_agree_on_a_million_calls() {
	run(1_000_000);
}
