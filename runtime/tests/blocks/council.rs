// SPDX-License-Identifier: Apache-2.0
//! The powers of the council and their limits, by motions as its members make them.

use content_fabric_runtime::{
	configs::{MotionDuration, UnbondingPeriod},
	Council, Runtime, RuntimeCall, RuntimeEvent, RuntimeOrigin, System, VERSION,
};
use content_fabric_runtime_wasm::WASM_BINARY;
use frame_support::assert_ok;
use pallet_content_fabric::Call;
use sp_core::{traits::ReadRuntimeVersionExt, H256};
use sp_io::hashing::blake2_256;
use sp_keyring::Sr25519Keyring::{self, Alice, Bob, Charlie, Dave};
use sp_runtime::traits::{BlakeTwo256, Dispatchable, Hash};

use crate::{
	chain::*,
	fabric::*,
	motions::{self, as_root},
};

/// Returns the origin of a motion for which this many of the members voted.
pub fn council(ayes: u32, members: u32) -> RuntimeOrigin {
	pallet_collective::RawOrigin::<_, _>::Members(ayes, members).into()
}

/// Returns the hash and the index of the motion that is proposed next.
pub fn next_motion(call: &RuntimeCall) -> (H256, u32) {
	(BlakeTwo256::hash_of(call), pallet_collective::ProposalCount::<Runtime, _>::get())
}

fn propose(threshold: u32, call: &RuntimeCall) -> (H256, u32) {
	let motion = next_motion(call);
	assert_ok!(motions::propose(threshold, call).dispatch(signed(Alice)));
	motion
}

pub fn vote((hash, index): (H256, u32), voters: &[Sr25519Keyring]) {
	for voter in voters {
		assert_ok!(Council::vote(signed(*voter), hash, index, true));
	}
}

/// Closes a motion. Returns whether it was approved, and its call succeeded.
pub fn close((hash, index): (H256, u32), call: &RuntimeCall) -> bool {
	assert_ok!(motions::close(hash, index, call).dispatch(signed(Dave)));
	System::events().iter().rev().any(|record| {
		matches!(
			&record.event,
			RuntimeEvent::Council(pallet_collective::Event::Executed { result: Ok(()), .. })
		)
	})
}

/// Has the council decide with these votes. Returns whether the motion was carried out.
pub fn decide(threshold: u32, voters: &[Sr25519Keyring], call: &RuntimeCall) -> bool {
	System::reset_events();
	let motion = propose(threshold, call);
	vote(motion, voters);
	close(motion, call)
}

pub fn create_space() -> RuntimeCall {
	Call::create_space { space: SPACE, governor: account(Dave), rules: rules() }.into()
}

#[test]
fn the_unbonding_period_is_longer_than_a_motion() {
	assert!(UnbondingPeriod::get() > MotionDuration::get());
}

#[test]
fn more_than_half_of_the_council_governs_and_half_does_not() {
	// A council of four, so that two are half of it.
	let mut chain = Chain::new();
	chain.block(|| {
		let members = [Alice, Bob, Charlie, Dave].map(account).to_vec();
		assert_ok!(Council::set_members(RuntimeOrigin::root(), members, None, 3));
		assert!(!decide(2, &[Alice, Bob], &create_space()));
		assert!(decide(3, &[Alice, Bob, Charlie], &create_space()));
	});
}

#[test]
fn an_absent_member_never_counts_as_a_yes() {
	// Nor does the prime member's vote stand for the absent, as on other chains.
	let mut chain = Chain::new();
	let (call, motion) = chain.block(|| {
		let members = [Alice, Bob, Charlie].map(account).to_vec();
		let prime = Some(account(Alice));
		assert_ok!(Council::set_members(RuntimeOrigin::root(), members, prime, 3));
		let call = create_space();
		let motion = propose(2, &call);
		vote(motion, &[Alice]);
		(call, motion)
	});
	chain.skip(MotionDuration::get() + 1);
	chain.block(|| {
		System::reset_events();
		assert!(!close(motion, &call));
	});
}

#[test]
fn two_thirds_of_the_council_reach_root_and_fewer_do_not() {
	let remark = || {
		let call =
			frame_system::Call::set_storage { items: vec![(b"key".to_vec(), b"value".to_vec())] };
		as_root(RuntimeCall::System(call))
	};
	let is_set = || sp_io::storage::get(b"key").is_some();
	let mut chain = Chain::new();
	chain.block(|| {
		let five = [Alice, Bob, Charlie, Dave, Sr25519Keyring::Eve].map(account).to_vec();
		assert_ok!(Council::set_members(RuntimeOrigin::root(), five, None, 3));
		// Three of five govern, but that is less than two thirds.
		decide(3, &[Alice, Bob, Charlie], &remark());
		assert!(!is_set());
		decide(4, &[Alice, Bob, Charlie, Dave], &remark());
		assert!(is_set());
	});
}

#[test]
fn the_council_upgrades_a_chain_without_sudo() {
	// This runtime's own code, which says that it is of a later version.
	let code = WASM_BINARY.expect("tests need the WASM runtime: build without SKIP_WASM_BUILD");
	let mut later = VERSION.clone();
	later.spec_version += 1;
	let code = sp_maybe_compressed_blob::decompress(code, 50 << 20).expect("it is not broken");
	let code = sp_version::embed::embed_runtime_version(&code, later).expect("it is WASM");

	let mut chain = Chain::new();
	let executor = sc_executor::WasmExecutor::<sp_io::SubstrateHostFunctions>::builder().build();
	chain.state.register_extension(ReadRuntimeVersionExt::new(executor));
	chain.block(|| {
		assert!(pallet_sudo::Key::<Runtime>::get().is_none());
		let code_hash = H256(blake2_256(&code));
		let authorize = frame_system::Call::authorize_upgrade { code_hash };
		let motion = as_root(RuntimeCall::System(authorize));
		assert!(decide(2, &[Alice, Bob], &motion));
		// Anybody may hand in the code that was authorized, and no other.
		let apply = |code| {
			let call = RuntimeCall::System(frame_system::Call::apply_authorized_upgrade { code });
			call.dispatch(signed(Dave)).map(drop).map_err(|error| error.error)
		};
		assert!(apply(vec![0; 8]).is_err());
		assert_ok!(apply(code.clone()));
		assert_eq!(sp_io::storage::get(b":code").map(Vec::from), Some(code));
	});
}
