// SPDX-License-Identifier: Apache-2.0
//! Calls within calls: what the filter accepts, and that the integrity test refuses a runtime whose
//! filter overlooks one of them.

use codec::{Decode, Encode};
use frame_support::{
	derive_impl,
	pallet_prelude::InvalidTransaction,
	parameter_types,
	traits::{AsEnsureOriginWithArg, Contains, Hooks},
};
use frame_system::EnsureRoot;
use wrappers::{Choice, Tree};

use super::integrity::panic_message;
use crate::{mock, NestedCalls, NestingLimit, MAX_NESTING};

/// Calls that contain others in every way in which arguments can.
// The arguments of calls have these types.
#[allow(clippy::boxed_local)]
#[frame_support::pallet(dev_mode)]
pub mod wrappers {
	use codec::{Decode, DecodeWithMemTracking, Encode};
	use frame_support::pallet_prelude::*;
	use frame_system::pallet_prelude::*;
	use scale_info::TypeInfo;

	#[pallet::pallet]
	pub struct Pallet<T>(_);

	#[pallet::config]
	pub trait Config: frame_system::Config {
		type Inner: Parameter;
	}

	/// One of several things, some of which are calls.
	#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, TypeInfo)]
	pub enum Choice<Call> {
		None,
		First(u32, Call),
		Second { call: Call, until: Option<u64> },
	}

	/// A type that contains itself.
	#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, TypeInfo)]
	pub enum Tree<Call> {
		Leaf,
		Node(Vec<Tree<Call>>, Box<Call>),
	}

	#[pallet::call]
	impl<T: Config> Pallet<T> {
		pub fn one(_: OriginFor<T>, _by: T::AccountId, _call: Box<T::Inner>) -> DispatchResult {
			Ok(())
		}

		pub fn many(_: OriginFor<T>, _calls: Vec<T::Inner>) -> DispatchResult {
			Ok(())
		}

		pub fn two(_: OriginFor<T>, _yes: Box<T::Inner>, _no: Box<T::Inner>) -> DispatchResult {
			Ok(())
		}

		pub fn array(_: OriginFor<T>, _calls: Box<[T::Inner; 2]>) -> DispatchResult {
			Ok(())
		}

		pub fn maybe(
			_: OriginFor<T>,
			#[pallet::compact] _at: u32,
			_call: Option<Box<T::Inner>>,
			_why: Vec<u8>,
		) -> DispatchResult {
			Ok(())
		}

		pub fn choice(
			_: OriginFor<T>,
			_choices: Vec<(bool, Box<Choice<T::Inner>>)>,
		) -> DispatchResult {
			Ok(())
		}

		pub fn few(_: OriginFor<T>, _calls: BoundedVec<T::Inner, ConstU32<2>>) -> DispatchResult {
			Ok(())
		}

		pub fn tree(_: OriginFor<T>, _tree: Tree<T::Inner>) -> DispatchResult {
			Ok(())
		}

		pub fn none(_: OriginFor<T>, _text: Vec<u8>, _amount: Option<u128>) -> DispatchResult {
			Ok(())
		}
	}
}

/// A runtime some of whose calls contain others.
#[frame_support::runtime]
mod runtime {
	#[runtime::runtime]
	#[runtime::derive(
		RuntimeCall,
		RuntimeEvent,
		RuntimeError,
		RuntimeOrigin,
		RuntimeFreezeReason,
		RuntimeHoldReason,
		RuntimeSlashReason,
		RuntimeLockId,
		RuntimeTask,
		RuntimeViewFunction
	)]
	pub struct Nesting;

	#[runtime::pallet_index(0)]
	pub type System = frame_system;
	#[runtime::pallet_index(1)]
	pub type Balances = pallet_balances;
	#[runtime::pallet_index(2)]
	pub type ContentFabric = pallet_content_fabric;
	#[runtime::pallet_index(3)]
	pub type Wrappers = wrappers;
}

#[derive_impl(frame_system::config_preludes::TestDefaultConfig)]
impl frame_system::Config for Nesting {
	type Block = frame_system::mocking::MockBlock<Nesting>;
	type AccountData = pallet_balances::AccountData<mock::Balance>;
	type BaseCallFilter = NestingLimit;
}

impl wrappers::Config for Nesting {
	type Inner = RuntimeCall;
}

#[derive_impl(pallet_balances::config_preludes::TestDefaultConfig)]
impl pallet_balances::Config for Nesting {
	type AccountStore = System;
}

#[derive_impl(pallet_content_fabric::config_preludes::TestDefaultConfig)]
impl pallet_content_fabric::Config for Nesting {
	type Currency = Balances;
	type CreateSpaceOrigin = EnsureRoot<mock::AccountId>;
	type GovernanceOrigin = AsEnsureOriginWithArg<EnsureRoot<mock::AccountId>>;
	type Time = mock::BlockTime;
	type OffchainSignature = mock::Signature;
	#[cfg(feature = "runtime-benchmarks")]
	type BenchmarkHelper = mock::Signers;
}

parameter_types! {
	/// The arguments in which the filter looks for calls.
	static Seen: Vec<&'static str> = ARGUMENTS.to_vec();
}

type Call = wrappers::Call<Nesting>;

/// The arguments that can contain calls.
const ARGUMENTS: [&str; 12] = [
	"one", "first", "middle", "last", "yes", "no", "array", "maybe", "choice 1", "choice 2", "few",
	"tree",
];

impl NestedCalls for RuntimeCall {
	fn nested_calls(&self) -> impl Iterator<Item = &Self> {
		let Self::Wrappers(call) = self else { return Vec::new().into_iter() };
		let nested: Vec<(&str, &Self)> = match call {
			Call::one { call, .. } => vec![("one", &**call)],
			Call::many { calls } => {
				let last = calls.len().saturating_sub(1);
				let places = (0..).map(|index| match index {
					0 => "first",
					index if index == last => "last",
					_ => "middle",
				});
				places.zip(calls).collect()
			},
			Call::two { yes, no } => vec![("yes", &**yes), ("no", &**no)],
			Call::array { calls } => calls.iter().map(|call| ("array", call)).collect(),
			Call::maybe { call, .. } => call.iter().map(|call| ("maybe", &**call)).collect(),
			Call::choice { choices } => {
				let chosen = choices.iter().filter_map(|(_, choice)| match &**choice {
					Choice::None => None,
					Choice::First(_, call) => Some(("choice 1", call)),
					Choice::Second { call, .. } => Some(("choice 2", call)),
				});
				chosen.collect()
			},
			Call::few { calls } => calls.iter().map(|call| ("few", call)).collect(),
			Call::tree { tree: Tree::Node(_, call) } => vec![("tree", &**call)],
			_ => Vec::new(),
		};
		let seen = Seen::get();
		let nested = nested.into_iter().filter(|(name, _)| seen.contains(name));
		nested.map(|(_, call)| call).collect::<Vec<_>>().into_iter()
	}

	fn has_stated_weight(&self) -> bool {
		false
	}
}

fn plain() -> RuntimeCall {
	RuntimeCall::Wrappers(Call::none { text: vec![1], amount: Some(1) })
}

/// Returns a call with one in the argument of this name.
fn wrap(argument: &str, call: RuntimeCall) -> RuntimeCall {
	RuntimeCall::Wrappers(match argument {
		"one" => Call::one { by: 1, call: call.into() },
		"first" => Call::many { calls: vec![call, plain(), plain()] },
		"middle" => Call::many { calls: vec![plain(), call, plain()] },
		"last" => Call::many { calls: vec![plain(), plain(), call] },
		"yes" => Call::two { yes: call.into(), no: plain().into() },
		"no" => Call::two { yes: plain().into(), no: call.into() },
		"array" => Call::array { calls: Box::new([plain(), call]) },
		"maybe" => Call::maybe { at: 1, call: Some(call.into()), why: vec![1] },
		"choice 1" => Call::choice {
			choices: vec![(true, Box::new(Choice::None)), (true, Box::new(Choice::First(1, call)))],
		},
		"choice 2" => Call::choice {
			choices: vec![(true, Box::new(Choice::Second { call, until: Some(1) }))],
		},
		"few" => Call::few { calls: vec![call].try_into().expect("there is room for two") },
		"tree" => Call::tree { tree: Tree::Node(vec![Tree::Leaf], call.into()) },
		other => panic!("there is no argument {other}"),
	})
}

/// Returns a call with `levels` of others around it, in these arguments by turns.
fn nested(levels: u32, arguments: &[&str]) -> RuntimeCall {
	(0..levels).zip(arguments.iter().cycle()).fold(plain(), |call, (_, name)| wrap(name, call))
}

fn is_accepted(call: &RuntimeCall) -> bool {
	<NestingLimit as Contains<RuntimeCall>>::contains(call)
}

#[test]
fn calls_nest_up_to_the_limit_in_every_argument() {
	assert!(is_accepted(&plain()));
	for outer in ARGUMENTS {
		for inner in ARGUMENTS {
			for levels in 1..10 {
				let is_within = levels <= MAX_NESTING;
				let call = nested(levels, &[outer, inner]);
				assert_eq!(is_accepted(&call), is_within, "{outer} and {inner}, {levels} levels");
			}
		}
	}
}

#[test]
fn calls_beside_each_other_are_not_nested() {
	let beside = vec![nested(MAX_NESTING - 1, &ARGUMENTS); 1_000];
	assert!(is_accepted(&RuntimeCall::Wrappers(Call::many { calls: beside })));
	let empty = RuntimeCall::Wrappers(Call::many { calls: vec![] });
	assert!(is_accepted(&wrap("one", wrap("first", wrap("maybe", wrap("no", empty.clone()))))));
}

#[test]
fn the_deepest_calls_that_decode_are_refused() {
	// More levels than a node's stack would have room for if the filter followed them.
	for argument in ["one", "last", "maybe"] {
		let call = nested(200, &[argument]).encode();
		let call = RuntimeCall::decode(&mut &call[..]).expect("the call is well-formed");
		assert!(!is_accepted(&call));
	}
}

#[test]
fn a_filter_that_sees_all_calls_is_accepted() {
	ContentFabric::integrity_test();
}

#[test]
fn the_integrity_test_names_the_argument_that_is_overlooked() {
	for (index, overlooked) in ARGUMENTS.iter().enumerate() {
		let mut seen = ARGUMENTS.to_vec();
		seen.remove(index);
		Seen::set(seen);
		let refusal = panic_message(ContentFabric::integrity_test);
		let argument = match *overlooked {
			"one" => "one(call)",
			"first" | "middle" | "last" => "many(calls)",
			"yes" => "two(yes)",
			"no" => "two(no)",
			"array" => "array(calls)",
			"maybe" => "maybe(call)",
			"few" => "few(calls)",
			"tree" => "tree(tree)",
			_ => "choice(choices)",
		};
		let expected = format!("{{\"Wrappers.{argument}\"}}");
		assert!(refusal.contains(&expected), "{overlooked}: {refusal}");
	}
	Seen::set(Vec::new());
	let refusal = panic_message(ContentFabric::integrity_test);
	assert!(refusal.contains("Wrappers.many(calls)\", \"Wrappers.maybe(call)"), "{refusal}");
}

#[test]
fn a_transaction_beyond_the_limit_is_invalid() {
	let check = |levels| NestingLimit::check(&nested(levels, &ARGUMENTS));
	assert_eq!(check(MAX_NESTING), Ok(()));
	assert_eq!(check(MAX_NESTING + 1), Err(InvalidTransaction::Call.into()));
}
