// SPDX-License-Identifier: Apache-2.0
//! Dry runs: the outcome of a call for an account, without a signature and without effect.

use codec::Encode;
use content_fabric_runtime::{
	configs::dry_run::DryRuns, Balance, OriginCaller, Runtime, RuntimeCall, RuntimeEvent,
	RuntimeOrigin, SessionKeys, Sudo,
};
use content_fabric_runtime_wasm::WASM_BINARY;
use frame_support::{
	assert_ok,
	dispatch::{DispatchResult, GetDispatchInfo, Pays},
	weights::Weight,
};
use pallet_content_fabric::{identifiers::TenantId, Call, Error, Event, MemberId, MAX_NESTING};
use pallet_content_fabric_runtime_api::{dry_run, DryRun};
use pallet_transaction_payment::{FeeDetails, RuntimeDispatchInfo};
use sp_core::H256;
use sp_io::hashing::blake2_256;
use sp_keyring::{
	Ed25519Keyring,
	Sr25519Keyring::{self, Alice, Bob, Charlie, Dave},
};
use sp_runtime::{traits::Dispatchable, DispatchError, StateVersion};

use crate::{
	chain::*,
	council::{next_motion, vote},
	fabric::*,
	metadata_hash::signed_by_alice,
	motions::{as_root, close, propose},
	wasm,
	wrappers::{remark, wrap, KINDS},
};

const MEMBER: MemberId = MemberId::Tenant(TENANT);
const FILTERED: DispatchResult = Err(DispatchError::Module(sp_runtime::ModuleError {
	index: 0,
	error: [5, 0, 0, 0],
	message: Some("CallFiltered"),
}));

/// The kinds of [`wrap`] that are refused around accepted calls: those that also make a remark, and
/// those that state the weight.
const REFUSED_KINDS: [usize; 6] = [1, 2, 4, 5, 16, 20];

/// Runs a call dry, which must change nothing.
fn run(
	chain: &mut Chain,
	who: Sr25519Keyring,
	call: impl Into<RuntimeCall>,
) -> DryRun<RuntimeEvent> {
	chain.run(|| {
		let before = sp_io::storage::root(StateVersion::V1);
		let outcome = dry_run::<Runtime, DryRuns>(account(who), call.into());
		assert_eq!(sp_io::storage::root(StateVersion::V1), before);
		outcome
	})
}

fn result(chain: &mut Chain, who: Sr25519Keyring, call: impl Into<RuntimeCall>) -> DispatchResult {
	run(chain, who, call).result
}

fn create_object() -> RuntimeCall {
	Call::create_content_object { tenant: TENANT, object: object(1) }.into()
}

fn batch(calls: &[RuntimeCall]) -> RuntimeCall {
	pallet_utility::Call::batch { calls: calls.to_vec() }.into()
}

fn sudo(call: RuntimeCall) -> RuntimeCall {
	pallet_sudo::Call::sudo { call: Box::new(call) }.into()
}

fn system(call: frame_system::Call<Runtime>) -> RuntimeCall {
	call.into()
}

/// A chain whose sudo key is Alice's. Reading the version of a code would panic: the test gives it
/// no means to.
fn with_sudo() -> Chain {
	let mut chain = space_and_tenant();
	chain.run(|| {
		assert_ok!(Sudo::set_key(RuntimeOrigin::root(), account(Alice).into()));
	});
	chain
}

/// Calls that anybody could run as root, if dry runs accepted them.
fn foreign() -> Vec<RuntimeCall> {
	let code = WASM_BINARY.expect("tests need the WASM runtime").to_vec();
	let items = vec![(b"key".to_vec(), b"value".to_vec())];
	vec![
		system(frame_system::Call::set_code { code: code.clone() }),
		system(frame_system::Call::set_code_without_checks { code }),
		system(frame_system::Call::set_storage { items }),
		system(frame_system::Call::kill_prefix { prefix: Vec::new(), subkeys: u32::MAX }),
		remark(),
		pallet_utility::Call::batch { calls: Vec::new() }.into(),
		pallet_utility::Call::batch_all { calls: Vec::new() }.into(),
		pallet_utility::Call::force_batch { calls: Vec::new() }.into(),
		pallet_sudo::Call::remove_key {}.into(),
		pallet_proxy::Call::remove_proxies {}.into(),
		pallet_safe_mode::Call::force_enter {}.into(),
	]
}

#[test]
fn a_call_that_succeeds_reports_its_events_and_its_weight() {
	let mut chain = space_and_tenant();
	let call = Call::create_content_object { tenant: TENANT, object: object(1) };
	let weight = RuntimeCall::ContentFabric(call.clone()).get_dispatch_info().call_weight;
	let outcome = run(&mut chain, Charlie, call);
	let event = Event::ContentObjectCreated { tenant: TENANT, object: object(1) };
	assert_eq!((outcome.result, outcome.pays_fee), (Ok(()), Pays::Yes));
	assert_eq!(outcome.weight, weight);
	assert!(outcome.events.contains(&RuntimeEvent::ContentFabric(event)));
}

#[test]
fn a_call_that_fails_reports_its_error_and_no_events() {
	let mut chain = space_and_tenant();
	let call = || Call::create_content_object { tenant: TENANT, object: object(1) };
	let outcome = run(&mut chain, Dave, call());
	assert_eq!(outcome.result, Err(Error::<Runtime>::NoPermission.into()));
	assert!(outcome.events.is_empty());
	let call = Call::create_content_object { tenant: TenantId([9; 10]), object: object(1) };
	assert_eq!(result(&mut chain, Charlie, call), Err(Error::<Runtime>::TenantNotFound.into()));
}

#[test]
fn a_purge_can_be_reaped_from_the_next_block() {
	let mut chain = space_and_tenant();
	let reap = |limit| Call::reap { member: MEMBER, limit };
	let not_purged = Err(Error::<Runtime>::NotBeingPurged.into());
	assert_eq!(result(&mut chain, Dave, reap(10)), not_purged);
	chain.bare_block(|| delete(MEMBER));
	let outcome = run(&mut chain, Dave, reap(10));
	assert_eq!((outcome.result, outcome.pays_fee), (Ok(()), Pays::No));
	// The rows that the dry run purged are still there.
	chain.run(|| assert_eq!(rows(TENANT), Some(2)));
}

#[test]
fn a_call_that_no_block_has_room_for_is_not_run() {
	let mut chain = space_and_tenant();
	chain.bare_block(|| delete(MEMBER));
	let outcome = run(&mut chain, Dave, Call::reap { member: MEMBER, limit: u32::MAX });
	assert_eq!(outcome.result, Err(DispatchError::Exhausted));
	assert!(outcome.events.is_empty());
}

#[test]
fn calls_of_other_pallets_are_not_run_whatever_is_around_them() {
	let mut chain = with_sudo();
	for call in foreign() {
		assert_eq!(result(&mut chain, Alice, call.clone()), FILTERED, "{call:?}");
		for outer in 0..KINDS {
			let wrapped = wrap(outer, Alice, call.clone());
			assert_eq!(result(&mut chain, Alice, wrapped.clone()), FILTERED, "{outer}");
			for inner in 0..KINDS {
				let wrapped = wrap(outer, Alice, wrap(inner, Alice, call.clone()));
				assert_eq!(result(&mut chain, Alice, wrapped), FILTERED, "{inner} in {outer}");
			}
		}
		// Whatever its place beside accepted ones.
		let if_else = |main, fallback| -> RuntimeCall {
			pallet_utility::Call::if_else { main: Box::new(main), fallback: Box::new(fallback) }
				.into()
		};
		for beside in [
			batch(&[create_object(), sudo(call.clone())]),
			batch(&[sudo(call.clone()), create_object()]),
			if_else(create_object(), call.clone()),
			if_else(call.clone(), create_object()),
		] {
			assert_eq!(result(&mut chain, Alice, beside), FILTERED, "{call:?}");
		}
	}
	// It is not the call around them that is refused.
	let accepted = (0..KINDS)
		.filter(|kind| result(&mut chain, Alice, wrap(*kind, Alice, create_object())) != FILTERED);
	assert_eq!(accepted.count(), KINDS - REFUSED_KINDS.len());
	for kind in REFUSED_KINDS {
		assert_eq!(result(&mut chain, Alice, wrap(kind, Alice, create_object())), FILTERED);
	}
}

#[test]
fn a_weight_that_the_caller_states_is_not_believed() {
	let mut chain = with_sudo();
	let weight = Weight::zero();
	let stated: [RuntimeCall; 2] = [
		pallet_utility::Call::with_weight { call: Box::new(create_object()), weight }.into(),
		pallet_sudo::Call::sudo_unchecked_weight { call: Box::new(create_object()), weight }.into(),
	];
	for stated in stated {
		for call in [stated.clone(), sudo(stated.clone()), batch(&[create_object(), stated])] {
			assert_eq!(result(&mut chain, Alice, call.clone()), FILTERED, "{call:?}");
		}
	}
}

/// As root, a dry run could authorize any code. Applying it executes the code, to read its version.
#[test]
fn an_upgrade_that_only_a_dry_run_has_authorized_is_not_applied() {
	let mut chain = with_sudo();
	let code = WASM_BINARY.expect("tests need the WASM runtime").to_vec();
	let code_hash = H256(blake2_256(&code));
	let authorize = system(frame_system::Call::authorize_upgrade { code_hash });
	let apply = system(frame_system::Call::apply_authorized_upgrade { code });
	let nothing = Err(frame_system::Error::<Runtime>::NothingAuthorized.into());
	assert_eq!(result(&mut chain, Alice, apply.clone()), nothing);
	assert_eq!(result(&mut chain, Alice, sudo(authorize.clone())), Ok(()));
	for calls in [
		batch(&[sudo(authorize.clone()), apply.clone()]),
		sudo(batch(&[authorize.clone(), apply.clone()])),
		batch(&[sudo(authorize.clone()), batch(core::slice::from_ref(&apply))]),
		pallet_utility::Call::if_else {
			main: Box::new(sudo(authorize)),
			fallback: Box::new(apply),
		}
		.into(),
	] {
		assert_eq!(result(&mut chain, Alice, calls), FILTERED);
	}
}

/// As root, a dry run could vote for all members, and carry out a motion of any one of them.
#[test]
fn a_motion_that_only_a_dry_run_has_approved_is_not_closed() {
	let mut chain = with_sudo();
	let close = close(H256::zero(), 0, &create_object());
	let missing =
		Err(pallet_collective::Error::<Runtime, pallet_collective::Instance1>::ProposalMissing);
	assert_eq!(result(&mut chain, Alice, close.clone()), missing.map_err(Into::into));
	let vote = pallet_collective::Call::vote { proposal: H256::zero(), index: 0, approve: true };
	let as_bob = pallet_utility::Call::dispatch_as {
		as_origin: Box::new(OriginCaller::system(frame_system::RawOrigin::Signed(account(Bob)))),
		call: Box::new(RuntimeCall::Council(vote)),
	};
	let calls = sudo(batch(&[as_bob.into(), close]));
	assert_eq!(result(&mut chain, Alice, calls), FILTERED);
}

/// `fabric` closes a motion and releases its deposit in one batch.
#[test]
fn a_motion_that_the_chain_has_approved_is_closed() {
	let mut chain = with_sudo();
	let call = frame_system::Call::authorize_upgrade { code_hash: H256::zero() };
	let call = as_root(system(call));
	let proposal_hash = chain.block(|| {
		let motion = next_motion(&call);
		assert_ok!(propose(2, &call).dispatch(signed(Alice)));
		vote(motion, &[Alice, Bob]);
		motion.0
	});
	let release = pallet_collective::Call::release_proposal_cost { proposal_hash };
	let calls = [close(proposal_hash, 0, &call), RuntimeCall::Council(release)];
	let batch = pallet_utility::Call::batch_all { calls: calls.to_vec() };
	let outcome = run(&mut chain, Dave, batch);
	assert_eq!(outcome.result, Ok(()));
	let is_executed = |event: &RuntimeEvent| {
		matches!(
			event,
			RuntimeEvent::Council(pallet_collective::Event::Executed { result: Ok(()), .. })
		)
	};
	assert!(outcome.events.iter().any(is_executed));
}

#[test]
fn calls_beyond_the_limit_of_nesting_are_not_run() {
	let mut chain = with_sudo();
	let nest = |levels| (0..levels).fold(create_object(), |call, _| batch(&[call]));
	assert_eq!(result(&mut chain, Charlie, nest(MAX_NESTING)), Ok(()));
	for levels in [MAX_NESTING + 1, 250] {
		assert_eq!(result(&mut chain, Charlie, nest(levels)), FILTERED, "{levels} levels");
	}
}

/// The calls that `fabric` submits are accepted, alone and within other calls.
#[test]
fn calls_of_the_client_are_run() {
	let mut chain = with_sudo();
	let keys =
		SessionKeys { aura: Alice.public().into(), grandpa: Ed25519Keyring::Alice.public().into() };
	let (proposal, index, approve) = (H256::zero(), 0, true);
	let calls = [
		create_object(),
		pallet_balances::Call::transfer_keep_alive { dest: account(Bob).into(), value: UNIT }
			.into(),
		pallet_session::Call::set_keys { keys, proof: Vec::new() }.into(),
		pallet_session::Call::purge_keys {}.into(),
		pallet_collator_selection::Call::set_invulnerables { new: vec![account(Alice)] }.into(),
		pallet_collator_selection::Call::add_invulnerable { who: account(Alice) }.into(),
		pallet_collator_selection::Call::remove_invulnerable { who: account(Alice) }.into(),
		RuntimeCall::Council(pallet_collective::Call::vote { proposal, index, approve }),
		RuntimeCall::Council(pallet_collective::Call::release_proposal_cost {
			proposal_hash: proposal,
		}),
		pallet_whitelist::Call::whitelist_call { call_hash: proposal }.into(),
		system(frame_system::Call::authorize_upgrade { code_hash: proposal }),
		system(frame_system::Call::apply_authorized_upgrade { code: vec![0] }),
		pallet_grandpa::Call::note_stalled { delay: 1, best_finalized_block_number: 0 }.into(),
		close(proposal, index, &remark()),
	];
	let delegate = |call| wrap(8, Alice, call);
	for call in calls {
		for call in [
			call.clone(),
			sudo(call.clone()),
			delegate(call.clone()),
			batch(core::slice::from_ref(&call)),
			propose(2, &call),
		] {
			assert_ne!(result(&mut chain, Alice, call.clone()), FILTERED, "{call:?}");
		}
	}
	let motion = as_root(system(frame_system::Call::authorize_upgrade { code_hash: proposal }));
	assert_ne!(result(&mut chain, Alice, propose(2, &motion)), FILTERED);
}

/// Wallets ask for the fees of arbitrary calls. Nothing is run, so the depth alone is checked.
#[test]
fn the_fee_of_a_call_beyond_the_limit_of_nesting_is_the_largest() {
	let mut chain = with_sudo();
	let multisig = |call: RuntimeCall| -> RuntimeCall {
		let (other_signatories, call) = (Vec::new(), call.into());
		pallet_multisig::Call::as_multi_threshold_1 { other_signatories, call }.into()
	};
	for (levels, is_beyond) in [(MAX_NESTING, false), (MAX_NESTING + 1, true), (250, true)] {
		let call = (0..levels).fold(remark(), |call, _| multisig(call));
		let extensions = frame_metadata_hash_extension::CheckMetadataHash::new(false);
		let transaction = chain.run(|| signed_by_alice(call.clone(), extensions));
		let len = 1_000u32;
		for (api, arguments) in [
			("TransactionPaymentCallApi_query_call_", (&call, len).encode()),
			("TransactionPaymentApi_query_", (&transaction, len).encode()),
		] {
			let info: RuntimeDispatchInfo<Balance> =
				wasm::call(&mut chain.state, &format!("{api}info"), &arguments);
			let details: FeeDetails<Balance> =
				wasm::call(&mut chain.state, &format!("{api}fee_details"), &arguments);
			assert_eq!(info.partial_fee == Balance::MAX, is_beyond, "{api}, {levels} levels");
			assert_eq!(info.weight == Weight::MAX, is_beyond, "{api}, {levels} levels");
			assert_eq!(details.final_fee() == Balance::MAX, is_beyond, "{api}, {levels} levels");
		}
	}
}
