// SPDX-License-Identifier: Apache-2.0
//! A chain of this runtime.

use std::{
	fmt::Display,
	time::{Duration, Instant},
};

use codec::Encode;
use content_fabric_runtime::{AccountId, Executive, RuntimeOrigin, System, Timestamp};
use frame_support::{assert_ok, traits::Hooks, weights::Weight};
use sp_io::TestExternalities;
use sp_keyring::Sr25519Keyring::{self, Alice, Bob, Charlie, Dave, Eve, Ferdie};
use sp_runtime::{BuildStorage, ExtrinsicInclusionMode};

use crate::{start::genesis, state::bytes, transactions};

pub const UNIT: u128 = 1_000_000_000_000;
pub const ENDOWMENT: u128 = 1_000_000 * UNIT;

/// The resources that a block took.
pub struct Took {
	pub weight: Weight,
	pub time: Duration,
	/// Bytes of the proof of all that was read, and of what changing it needs.
	pub proof: usize,
}

/// Checks that `what` took no longer than its weight allows, plus an `interruption` by other work
/// of the machine. Weights are measured on optimized code, so a build with assertions checks
/// nothing. `scripts/assure optimized` runs this in an optimized build.
pub fn assert_in_time(what: impl Display, time: Duration, weight: Weight, interruption: Duration) {
	let allowed = Duration::from_nanos(weight.ref_time() / 1_000) + interruption;
	assert!(time <= allowed || cfg!(debug_assertions), "{what} took {time:?} for {weight:?}");
}

pub struct Chain {
	pub state: TestExternalities,
	pub number: u32,
}

impl Chain {
	/// A chain with 10,000 accounts besides those with a name, and a council of three.
	pub fn new() -> Self {
		Self::with_validators(&[])
	}

	/// The same with validators.
	pub fn with_validators(validators: &[Sr25519Keyring]) -> Self {
		let named = [Alice, Bob, Charlie, Dave, Eve, Ferdie].map(account);
		let others =
			(0..10_000u32).map(|number| sp_io::hashing::blake2_256(&number.encode()).into());
		let balances = named.into_iter().chain(others).map(|account| (account, ENDOWMENT));
		let genesis = genesis(balances.collect(), validators, &[Alice, Bob, Charlie]);
		let state = genesis.build_storage().expect("the genesis is valid").into();
		Self { state, number: 0 }
	}

	/// Makes a block: its hooks, the time, what `body` does, and what is left of its weight. The
	/// body is left out while a migration takes inherents only.
	pub fn block<R>(&mut self, body: impl FnOnce() -> R) -> R {
		self.number += 1;
		let number = self.number;
		let result = self.state.execute_with(|| {
			assert_eq!(begin(number), ExtrinsicInclusionMode::AllExtrinsics);
			let result = body();
			Executive::finalize_block();
			result
		});
		self.commit();
		result
	}

	/// Makes a block, and returns what it took. Its time is that without a proof.
	pub fn measured_block<R>(&mut self, body: impl Fn() -> R) -> (R, Took) {
		self.number += 1;
		let number = self.number;
		let run = || {
			let start = Instant::now();
			begin(number);
			let result = body();
			Executive::finalize_block();
			(result, System::block_weight().total(), start.elapsed())
		};
		let (_, proof) = self.state.execute_and_prove(|| {
			undone(|| {
				run();
				// The proof also has the nodes that the changes need.
				sp_io::storage::root(sp_runtime::StateVersion::V1);
			})
		});
		let (result, weight, time) = self.state.execute_with(run);
		self.commit();
		(result, Took { weight, time, proof: proof.encoded_size() })
	}

	pub fn blocks(&mut self, count: u32) {
		(0..count).for_each(|_| self.block(|| ()));
	}

	/// Passes this many blocks without making them.
	pub fn pass(&mut self, blocks: u32) {
		self.number += blocks;
		let number = self.number;
		self.run(|| System::set_block_number(number));
	}

	/// Passes this many blocks without making them, and makes the next one.
	pub fn skip(&mut self, blocks: u32) {
		self.pass(blocks);
		self.block(|| ());
	}

	/// Begins the next block, and ends it without what it does by itself.
	pub fn bare_block<R>(&mut self, body: impl FnOnce() -> R) -> R {
		self.number += 1;
		let number = self.number;
		let result = self.run(|| {
			assert_eq!(begin(number), ExtrinsicInclusionMode::AllExtrinsics);
			let result = body();
			Timestamp::on_finalize(number);
			result
		});
		self.commit();
		result
	}

	pub fn run<R>(&mut self, body: impl FnOnce() -> R) -> R {
		self.state.execute_with(body)
	}

	pub fn commit(&mut self) {
		self.state.commit_all().expect("no storage layer is open");
	}
}

/// Begins a block: its hooks, and the time.
pub fn begin(number: u32) -> ExtrinsicInclusionMode {
	let (header, inherent) = transactions::begin(number, Default::default(), number.into());
	let mode = Executive::initialize_block(&header);
	assert_ok!(Executive::apply_extrinsic(inherent).expect("the time is valid"));
	mode
}

/// Does something and undoes all that it changed.
pub fn undone<R>(body: impl FnOnce() -> R) -> R {
	use frame_support::storage::{with_transaction, TransactionOutcome};
	use sp_runtime::DispatchError;
	with_transaction(|| TransactionOutcome::Rollback(Ok::<_, DispatchError>(body())))
		.expect("there is room for a storage layer")
}

pub fn account(key: Sr25519Keyring) -> AccountId {
	key.to_account_id()
}

pub fn signed(key: Sr25519Keyring) -> RuntimeOrigin {
	RuntimeOrigin::signed(account(key))
}

pub fn text<Text: TryFrom<Vec<u8>>>(text: &str) -> Text {
	bytes(text.as_bytes().to_vec())
}
