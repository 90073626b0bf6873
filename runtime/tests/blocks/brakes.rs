// SPDX-License-Identifier: Apache-2.0
//! The brakes of the council: calls that it pauses, and all but a few.

use std::collections::BTreeSet;

use content_fabric_runtime::{
	configs::brakes::{CallFilter, SafeModeDuration, ShortSafeModeDuration},
	Balances, ContentFabric, Runtime, RuntimeCall, RuntimeOrigin, SafeMode, System, TxPause,
};
use frame_support::{
	assert_noop, assert_ok,
	traits::{fungible::InspectHold, Contains, GetCallMetadata},
};
use pallet_content_fabric::{Call, MemberId};
use pallet_tx_pause::RuntimeCallNameOf;
use sp_core::H256;
use sp_keyring::Sr25519Keyring::{Alice, Bob, Charlie, Dave};
use sp_runtime::traits::{BadOrigin, Dispatchable};

use crate::{
	chain::*,
	council::{council, create_space, decide},
	fabric::*,
	motions::propose as propose_call,
};

type Filtered = frame_system::Error<Runtime>;

fn pause(pallet: &str, call: &str) -> RuntimeCall {
	let full_name = (text(pallet), text(call));
	RuntimeCall::TxPause(pallet_tx_pause::Call::pause { full_name })
}

fn create_tenant() -> RuntimeCall {
	let (space, id, max_held) = (SPACE, TENANT, ENDOWMENT);
	RuntimeCall::ContentFabric(Call::create_tenant { space, id, max_held })
}

fn transfer() -> RuntimeCall {
	let (dest, value) = (account(Dave).into(), UNIT);
	RuntimeCall::Balances(pallet_balances::Call::transfer_keep_alive { dest, value })
}

#[test]
fn the_council_pauses_a_call_and_lets_it_go_on() {
	let mut chain = Chain::new();
	chain.block(|| {
		assert!(decide(2, &[Alice, Bob], &create_space()));
		assert!(decide(2, &[Alice, Bob], &pause("ContentFabric", "create_tenant")));
		assert_noop!(create_tenant().dispatch(signed(Dave)), Filtered::CallFiltered);
		assert_ok!(transfer().dispatch(signed(Bob)));
		let full_name = (text("ContentFabric"), text("create_tenant"));
		assert_ok!(TxPause::unpause(council(2, 3), full_name));
		assert_ok!(create_tenant().dispatch(signed(Dave)));
		assert!(ContentFabric::rows(MemberId::Tenant(TENANT)).is_some());
	});
}

/// Returns a call of each pallet that must not be stopped: those without which there are no blocks
/// and no finality, and those by which the council and the sudo key act.
fn unstoppable() -> Vec<RuntimeCall> {
	let (call_hash, signatories) = ([0; 32], vec![account(Bob)]);
	vec![
		frame_system::Call::authorize_upgrade { code_hash: H256::zero() }.into(),
		pallet_timestamp::Call::set { now: 1 }.into(),
		pallet_grandpa::Call::note_stalled { delay: 1, best_finalized_block_number: 1 }.into(),
		pallet_collator_selection::Call::set_invulnerables { new: Vec::new() }.into(),
		pallet_session::Call::purge_keys {}.into(),
		RuntimeCall::Council(pallet_collective::Call::disapprove_proposal {
			proposal_hash: H256::zero(),
		}),
		pallet_whitelist::Call::whitelist_call { call_hash: H256::zero() }.into(),
		pallet_sudo::Call::remove_key {}.into(),
		pallet_migrations::Call::force_onboard_mbms {}.into(),
		pallet_safe_mode::Call::force_exit {}.into(),
		pallet_tx_pause::Call::unpause { ident: (text("Balances"), text("burn")) }.into(),
		pallet_multisig::Call::cancel_as_multi {
			threshold: 2,
			other_signatories: signatories,
			timepoint: pallet_multisig::Timepoint { height: 1, index: 1 },
			call_hash,
		}
		.into(),
		pallet_proxy::Call::remove_proxies {}.into(),
		pallet_utility::Call::batch { calls: Vec::new() }.into(),
	]
}

/// Returns a call of each pallet that can be stopped.
fn stoppable() -> Vec<RuntimeCall> {
	vec![transfer(), create_tenant()]
}

fn pallets(calls: &[RuntimeCall]) -> BTreeSet<&'static str> {
	calls.iter().map(|call| call.get_call_metadata().pallet_name).collect()
}

/// A pallet that joins the runtime must be in one of the lists.
#[test]
fn every_pallet_with_calls_is_known_to_be_stoppable_or_not() {
	let known = &pallets(&unstoppable()) | &pallets(&stoppable());
	let all = RuntimeCall::get_module_names().iter().copied();
	let with_calls = all.filter(|pallet| !RuntimeCall::get_call_names(pallet).is_empty());
	assert_eq!(known, with_calls.collect());
	assert!(pallets(&unstoppable()).is_disjoint(&pallets(&stoppable())));
}

#[test]
fn no_call_of_an_unstoppable_pallet_can_be_paused() {
	let mut chain = Chain::new();
	chain.block(|| {
		for pallet in pallets(&unstoppable()) {
			for call in RuntimeCall::get_call_names(pallet) {
				let refused = pause(pallet, call).dispatch(council(2, 3));
				let refused = refused.map_err(|failed| failed.error);
				let error = pallet_tx_pause::Error::<Runtime>::Unpausable.into();
				assert_eq!(refused, Err(error), "{pallet}::{call}");
				// As if it had been paused before the pallet became unstoppable.
				let full_name: RuntimeCallNameOf<Runtime> = (text(pallet), text(call));
				pallet_tx_pause::PausedCalls::<Runtime>::insert(full_name, ());
			}
		}
		for call in unstoppable() {
			assert!(CallFilter::contains(&call), "{call:?}");
		}
		for call in stoppable() {
			let names = call.get_call_metadata();
			assert_ok!(
				pause(names.pallet_name, names.function_name).dispatch(council(2, 3)),
				Default::default()
			);
			assert!(!CallFilter::contains(&call), "{call:?}");
		}
		assert_noop!(pause("Balances", "burn").dispatch(signed(Alice)), BadOrigin);
	});
}

#[test]
fn safe_mode_stops_no_call_of_an_unstoppable_pallet() {
	let mut chain = Chain::new();
	chain.block(|| {
		assert_ok!(SafeMode::force_enter(council(2, 3)));
		for call in unstoppable() {
			assert!(CallFilter::contains(&call), "{call:?}");
		}
		for call in stoppable() {
			assert!(!CallFilter::contains(&call), "{call:?}");
		}
	});
}

fn enter_alone() -> RuntimeCall {
	let enter = Box::new(RuntimeCall::SafeMode(pallet_safe_mode::Call::force_enter {}));
	RuntimeCall::Council(pallet_collective::Call::execute { proposal: enter, length_bound: 100 })
}

/// So it does while all places for motions are taken.
#[test]
fn one_member_of_the_council_enters_safe_mode_for_two_hours_without_a_motion() {
	let mut chain = Chain::new();
	chain.block(|| {
		assert!(enter_alone().dispatch(signed(Dave)).is_err());
		assert!(!SafeMode::is_entered());
		assert_ok!(enter_alone().dispatch(signed(Charlie)));
		assert!(SafeMode::is_entered());
		let until = pallet_safe_mode::EnteredUntil::<Runtime>::get();
		assert_eq!(until, Some(System::block_number() + ShortSafeModeDuration::get()));
		// It neither ends nor extends it.
		for call in [pallet_safe_mode::Call::force_exit {}, pallet_safe_mode::Call::force_extend {}]
		{
			let origin = pallet_collective::RawOrigin::<_, _>::Member(account(Charlie));
			let refused = RuntimeCall::SafeMode(call).dispatch(RuntimeOrigin::from(origin));
			assert_eq!(refused.map_err(|failed| failed.error), Err(BadOrigin.into()));
		}
		assert_ok!(SafeMode::force_extend(council(2, 3)));
		let until = until.map(|until| until + SafeModeDuration::get());
		assert_eq!(pallet_safe_mode::EnteredUntil::<Runtime>::get(), until);
		assert_ok!(SafeMode::force_exit(council(2, 3)));
	});
}

/// Ten open motions cost little. A hundred cost more than any account of this chain has. The others
/// pay what they paid before.
#[test]
fn each_open_motion_of_a_member_makes_its_next_one_dearer_and_no_other() {
	let mut chain = Chain::new();
	chain.block(|| {
		let propose = |number: u32| {
			let call = frame_system::Call::remark { remark: number.to_le_bytes().to_vec() };
			let proposed = propose_call(2, &call.into()).dispatch(signed(Alice));
			proposed.map(|_| Balances::total_balance_on_hold(&account(Alice)))
		};
		let held: Vec<_> = (0..100).map_while(|number| propose(number).ok()).collect();
		assert!((50..100).contains(&held.len()), "{}", held.len());
		assert!(held[9] < 4 * UNIT, "{}", held[9]);
		let costs: Vec<_> = held.windows(2).map(|pair| pair[1] - pair[0]).collect();
		assert!(costs.is_sorted_by(|cost, next| cost < next), "{costs:?}");
		let of_bob = frame_system::Call::remark { remark: b"another".to_vec() };
		assert_ok!(propose_call(2, &of_bob.into()).dispatch(signed(Bob)));
		assert_eq!(Balances::total_balance_on_hold(&account(Bob)), held[0]);
	});
}

/// Any member can choose whether the chain is in safe mode when a motion is carried out.
#[test]
fn the_motions_that_the_documents_advise_work_in_safe_mode_and_outside() {
	let mut chain = space_and_tenant();
	let slash = |amount| -> RuntimeCall {
		let (member, reason) = (MemberId::Tenant(TENANT), text(""));
		Call::slash { member, created: created(member), amount, reason }.into()
	};
	let safe_mode = |call| RuntimeCall::SafeMode(call);
	let bond = || ContentFabric::bond(TENANT.into()).map(|info| info.bond);
	for is_entered in [false, true] {
		chain.block(|| {
			if is_entered {
				assert_ok!(SafeMode::force_enter(council(2, 3)));
			}
			let before = bond().expect("the tenant exists");
			let exit = safe_mode(pallet_safe_mode::Call::force_exit {});
			let calls = vec![exit, slash(UNIT)];
			let motion = pallet_utility::Call::force_batch { calls }.into();
			assert!(decide(2, &[Alice, Bob], &motion));
			assert_eq!(bond(), Some(before - UNIT));
		});
		chain.block(|| {
			if is_entered {
				assert_ok!(enter_alone().dispatch(signed(Charlie)));
			}
			let main = Box::new(safe_mode(pallet_safe_mode::Call::force_enter {}));
			let fallback = Box::new(safe_mode(pallet_safe_mode::Call::force_extend {}));
			let motion = pallet_utility::Call::if_else { main, fallback }.into();
			assert!(decide(2, &[Alice, Bob], &motion));
			let until = pallet_safe_mode::EnteredUntil::<Runtime>::get().unwrap_or_default();
			assert!(until >= System::block_number() + SafeModeDuration::get());
			assert_ok!(SafeMode::force_exit(council(2, 3)));
		});
	}
}
