// SPDX-License-Identifier: Apache-2.0
//! A root that leaves with one call.

use frame_support::{assert_noop, assert_ok};

use super::*;
use crate::{DeletionQueue, Error, Event, Purges, Tenants, Versions};

fn purge() -> sp_runtime::DispatchResult {
	purge_member(THE_TENANT)
}

#[test]
fn a_root_empties_its_member_with_one_call_and_keeps_its_bond() {
	let mut chain = chain_with_tenant();
	let own_deposit = chain.block(|| {
		let (created, held) = (created(THE_TENANT), funds(TENANT_ROOT).1);
		assert_ok!(purge());
		assert_eq!(events(), [Event::PurgeStarted { member: THE_TENANT, created, rows: 25 }]);
		let info = Tenants::<Test>::get(TENANT).expect("it stays");
		assert_eq!(info.bond, TENANT_BOND);
		assert_eq!(funds(TENANT_ROOT).1, held);
		assert_noop!(purge(), Error::<Test>::BeingPurged);
		info.own_deposit
	});
	chain.block(|| {
		reap_free(TENANT, 25);
		let member = THE_TENANT;
		assert_eq!(
			events(),
			[
				Event::PurgeProgressed { member, removed: 25, rows_left: 0 },
				Event::MemberEmptied { member },
			]
		);
		let info = Tenants::<Test>::get(TENANT).expect("it stays");
		assert_eq!((info.empty_since, info.purge), (Some(System::block_number()), None));
		assert_eq!(funds(TENANT_ROOT).1, TENANT_BOND + own_deposit);
		assert_eq!((Purges::<Test>::iter().count(), DeletionQueue::<Test>::iter().count()), (0, 0));
		assert_eq!(tenant_keys(TENANT), [0; 6]);
	});
}

#[test]
fn a_member_that_was_emptied_can_be_filled_again() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| assert_eq!(purge(), Ok(())));
	chain.idle();
	chain.block(|| {
		assert_ok!(create_object(OBJECT));
		assert_eq!(Tenants::<Test>::get(TENANT).expect("it stays").empty_since, None);
		assert_eq!(Versions::<Test>::iter_prefix((TENANT, OBJECT)).count(), 0);
		// The access keys of before are gone with the other rows.
		assert_eq!(ContentFabric::tenant_level(TENANT, EDITOR), None);
		assert_ok!(purge());
	});
	chain.idle();
	chain.block(|| assert_eq!(purge(), Err(Error::<Test>::NothingToPurge.into())));
}

#[test]
fn rows_that_are_not_removed_yet_keep_their_deposits_on_hold() {
	let mut chain = chain_with_tenant();
	let held = chain.block(|| {
		let held = funds(TENANT_ROOT);
		assert_ok!(purge());
		held
	});
	// So the same funds cannot fill the state again while the rows are still in it.
	chain.block(|| {
		reap_free(TENANT, 24);
		assert_eq!(funds(TENANT_ROOT), held);
	});
	chain.block(|| {
		reap_free(TENANT, 1);
		let own_deposit = Tenants::<Test>::get(TENANT).expect("it stays").own_deposit;
		assert_eq!(funds(TENANT_ROOT).1, TENANT_BOND + own_deposit);
		assert_eq!(Tenants::<Test>::get(TENANT).map(|info| info.deposit), Some(0));
	});
}
