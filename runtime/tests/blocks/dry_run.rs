// SPDX-License-Identifier: Apache-2.0
//! Dry runs: the outcome of a call for an account, without a signature and without effect.

use content_fabric_runtime::{Runtime, RuntimeCall, RuntimeEvent};
use frame_support::dispatch::{DispatchResult, GetDispatchInfo, Pays};
use pallet_content_fabric::{identifiers::TenantId, Call, Error, Event, MemberId};
use pallet_content_fabric_runtime_api::{dry_run, DryRun};
use sp_keyring::Sr25519Keyring::{self, Charlie, Dave};
use sp_runtime::{DispatchError, StateVersion};

use crate::{chain::*, fabric::*};

const MEMBER: MemberId = MemberId::Tenant(TENANT);

/// Runs a call dry, which must change nothing.
fn run(chain: &mut Chain, who: Sr25519Keyring, call: Call<Runtime>) -> DryRun<RuntimeEvent> {
	chain.run(|| {
		let before = sp_io::storage::root(StateVersion::V1);
		let outcome = dry_run::<Runtime>(account(who), RuntimeCall::ContentFabric(call));
		assert_eq!(sp_io::storage::root(StateVersion::V1), before);
		outcome
	})
}

fn result(chain: &mut Chain, who: Sr25519Keyring, call: Call<Runtime>) -> DispatchResult {
	run(chain, who, call).result
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
