// SPDX-License-Identifier: Apache-2.0
//! The brakes of the council: calls that it pauses, and all but a few.

use content_fabric_runtime::{ContentFabric, RuntimeCall, SafeMode, TxPause};
use frame_support::{assert_noop, assert_ok};
use pallet_content_fabric::{Call, MemberId};
use sp_keyring::Sr25519Keyring::{Alice, Bob, Dave};
use sp_runtime::traits::{BadOrigin, Dispatchable};

use crate::{
	chain::*,
	council::{council, create_space, decide},
	fabric::*,
};

type Filtered = frame_system::Error<content_fabric_runtime::Runtime>;

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

#[test]
fn calls_that_lift_a_pause_cannot_be_paused() {
	let mut chain = Chain::new();
	chain.block(|| {
		for (pallet, call) in [
			("Council", "propose"),
			("Timestamp", "set"),
			("TxPause", "unpause"),
			("SafeMode", "force_exit"),
			("Whitelist", "whitelist_call"),
			("Utility", "batch_all"),
			("System", "authorize_upgrade"),
			("Grandpa", "report_equivocation_unsigned"),
		] {
			let refused = pause(pallet, call).dispatch(council(2, 3));
			let error = pallet_tx_pause::Error::<content_fabric_runtime::Runtime>::Unpausable;
			assert_eq!(refused.map_err(|failed| failed.error), Err(error.into()), "{pallet}");
		}
		assert_noop!(pause("Balances", "burn").dispatch(signed(Alice)), BadOrigin);
	});
}

#[test]
fn in_safe_mode_blocks_are_made_and_the_council_decides() {
	let mut chain = Chain::new();
	chain.block(|| {
		assert_noop!(SafeMode::force_enter(signed(Alice)), BadOrigin);
		assert!(SafeMode::enter(signed(Alice)).is_err());
		assert_ok!(SafeMode::force_enter(council(2, 3)));
	});
	// The inherents of a block are calls, too.
	chain.blocks(3);
	chain.block(|| {
		assert_noop!(transfer().dispatch(signed(Bob)), Filtered::CallFiltered);
		assert_noop!(create_tenant().dispatch(signed(Bob)), Filtered::CallFiltered);
		let exit = RuntimeCall::SafeMode(pallet_safe_mode::Call::force_exit {});
		assert!(decide(2, &[Alice, Bob], &exit));
		assert_ok!(transfer().dispatch(signed(Bob)));
	});
}
