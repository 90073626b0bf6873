// SPDX-License-Identifier: Apache-2.0
//! Counts, amounts and times at the ends of their ranges: calls fail with an error there, nothing
//! wraps, and what exists can still be removed.

use frame_support::{assert_noop, assert_ok, dispatch::GetDispatchInfo};
use sp_runtime::{ArithmeticError, TokenError};

use super::{
	bonds::{
		recorded,
		rows::{delete_record_call, kinds, kinds_of, own_deposit, put_call, Kind},
	},
	invariants::{mutate_collection, mutate_object, mutate_provider, mutate_space, mutate_tenant},
};
use crate::{
	identifiers::{Muid, VersionId},
	mock::{self, *},
	Call, Collections, ContentObjects, DeletionQueueBounds, Error, MemberId, ProviderRowCounts,
	QueueBounds, SpaceInfoOf, Spaces, TenantRowCounts, Tenants, VersionCommit,
};

/// Runs something in the small fabric, and undoes it: the storage may be unsound.
fn undone(body: impl FnOnce()) {
	Chain::small_fabric().block(|| mock::undone(body));
}

/// Has a member count this many rows, all of them in its first map or all in its last.
fn count_rows(member: MemberId, rows: u32, in_first: bool) {
	let (keys, last) = if in_first { (rows, 0) } else { (0, rows) };
	match member {
		MemberId::Provider(_) => {
			mutate_provider(|info| info.rows = ProviderRowCounts { keys, nodes: last })
		},
		MemberId::Tenant(_) => mutate_tenant(|info| {
			info.rows = TenantRowCounts { keys, records: last, ..Default::default() }
		}),
	}
}

fn set_deposit(member: MemberId, deposit: Balance) {
	match member {
		MemberId::Provider(_) => mutate_provider(|info| info.deposit = deposit),
		MemberId::Tenant(_) => mutate_tenant(|info| info.deposit = deposit),
	}
}

#[test]
fn the_rows_of_a_member_are_counted_up_to_the_largest_number_and_no_more_are_added() {
	for Kind { member, adder, add, .. } in kinds() {
		for in_first in [true, false] {
			undone(|| {
				count_rows(member, u32::MAX - 1, in_first);
				make(adder, add());
				assert_eq!(ContentFabric::rows(member), Some(u32::MAX));
			});
			undone(|| {
				count_rows(member, u32::MAX, in_first);
				assert_refused(adder, add(), ArithmeticError::Overflow);
			});
		}
	}
}

#[test]
fn the_versions_of_an_object_and_the_records_of_a_collection_are_counted_up_to_the_largest() {
	undone(|| {
		mutate_object(|info| info.version_count = u32::MAX - 1);
		assert_ok!(commit(NEW));
		let count = || ContentObjects::<Test>::get(TENANT, OBJECT).map(|info| info.version_count);
		assert_eq!(count(), Some(u32::MAX));
		assert_noop!(commit(VersionId([8; 32])), ArithmeticError::Overflow);
	});
	undone(|| {
		mutate_collection(|info| info.record_count = u32::MAX - 1);
		assert_ok!(put(&[("new", whole_object())]));
		let info = Collections::<Test>::get(TENANT, name(COLLECTION));
		assert_eq!(info.map(|info| info.record_count), Some(u32::MAX));
		assert_noop!(put(&[("newer", whole_object())]), ArithmeticError::Overflow);
		// A record that exists is not counted again.
		assert_ok!(put(&[("new", whole_object())]));
	});
}

#[test]
fn the_members_of_a_space_are_counted_up_to_the_largest_number() {
	type Count = fn(&mut SpaceInfoOf<Test>) -> &mut u32;
	let counts: [Count; 2] = [|space| &mut space.provider_count, |space| &mut space.tenant_count];
	for (member, count) in NEW_MEMBERS.into_iter().zip(counts) {
		undone(|| {
			mutate_space(|space| *count(space) = u32::MAX);
			assert_refused(STRANGER, create(member, MAX_HELD), ArithmeticError::Overflow);
			mutate_space(|space| *count(space) = u32::MAX - 1);
			make(STRANGER, create(member, MAX_HELD));
			let number = Spaces::<Test>::get(SPACE).map(|mut space| *count(&mut space));
			assert_eq!(number, Some(u32::MAX));
		});
	}
}

#[test]
fn admissions_are_counted_up_to_the_largest_number() {
	undone(|| {
		MaxAdmissions::set(u32::MAX);
		mutate_space(|space| space.admission_count = u32::MAX - 1);
		let admit = |who| super::admissions::admit(who, crate::Role::Tenant);
		assert_ok!(admit(20));
		assert_noop!(admit(21), Error::<Test>::TooManyAdmissions);
	});
}

#[test]
fn a_row_that_was_not_counted_is_not_removed() {
	for Kind { member, adder, add, remove, .. } in kinds() {
		undone(|| {
			make(adder, add());
			count_rows(member, 0, true);
			assert_refused(root_of(member), remove(), ArithmeticError::Underflow);
		});
		// Nor is one whose deposit was not.
		undone(|| {
			make(adder, add());
			set_deposit(member, 1);
			assert_refused(root_of(member), remove(), ArithmeticError::Underflow);
		});
	}
	undone(|| {
		mutate_object(|info| info.version_count = 0);
		let call = Call::delete_version { tenant: TENANT, object: OBJECT, version: DRAFT };
		assert_refused(TENANT_ROOT, call, ArithmeticError::Underflow);
	});
	undone(|| {
		mutate_collection(|info| info.record_count = 0);
		let call = delete_record_call(RECORD);
		assert_refused(TENANT_ROOT, call, ArithmeticError::Underflow);
	});
}

#[test]
fn the_sum_of_deposits_does_not_wrap() {
	for member in THE_MEMBERS {
		undone(|| {
			let (root, (bond, _)) = (root_of(member), recorded(member));
			make(root, Call::set_max_held { member, amount: Balance::MAX });
			set_deposit(member, Balance::MAX);
			for Kind { adder, add, .. } in kinds_of(member) {
				assert_refused(adder, add(), ArithmeticError::Overflow);
			}
			// Nor where a row has grown.
			let long = "x".repeat(64);
			let grow = match member {
				MemberId::Provider(provider) => {
					Call::set_node_locator { provider, node: NODE, locator: locator(&long) }
				},
				MemberId::Tenant(_) => set_kms_call(&long),
			};
			assert_refused(root, grow, ArithmeticError::Overflow);
			if member == THE_TENANT {
				assert_refused(root, put_call(RECORD, Some(HEAD)), ArithmeticError::Overflow);
			}
			// Bond and deposits together are more than there can be.
			set_deposit(member, Balance::MAX - bond - own_deposit(member));
			for Kind { adder, add, .. } in kinds_of(member) {
				assert_refused(adder, add(), Error::<Test>::HeldLimitExceeded);
			}
		});
	}
}

/// Checks that a call fails, and changes nothing, because it would hold too much.
fn assert_too_much(who: AccountId, call: Call<Test>) {
	let refused = mock::undone(|| dispatch(who, call.clone())).expect_err("it is too much");
	let errors = [
		ArithmeticError::Overflow.into(),
		Error::<Test>::HeldLimitExceeded.into(),
		TokenError::FundsUnavailable.into(),
	];
	assert!(errors.contains(&refused), "{call:?}: {refused:?}");
	assert_refused(who, call, refused);
}

#[test]
fn a_deposit_rate_without_end_adds_no_row_and_no_member() {
	for (base, per_byte) in [
		(Balance::MAX, 0),
		(0, Balance::MAX),
		(1, Balance::MAX),
		// The product is more than there can be.
		(0, Balance::MAX / 100),
		(Balance::MAX / 2, Balance::MAX / 400),
		(0, 1 << 60),
	] {
		undone(|| {
			DepositBase::set(base);
			DepositPerByte::set(per_byte);
			for Kind { adder, add, .. } in kinds() {
				assert_too_much(adder, add());
			}
			for member in NEW_MEMBERS {
				assert_too_much(STRANGER, create(member, Balance::MAX));
			}
		});
		DepositBase::reset();
		DepositPerByte::reset();
	}
}

/// The last block whose time, in milliseconds, is a number of 64 bits.
const LAST_BLOCK: u64 = u64::MAX / 6_000;

#[test]
fn at_the_end_of_time_nothing_with_a_stamp_is_created_and_everything_can_be_removed() {
	for Kind { member, adder, add, remove, .. } in kinds() {
		undone(|| {
			make(adder, add());
			let again = add();
			System::set_block_number(LAST_BLOCK);
			make(root_of(member), remove());
			match again {
				// Their rows have no stamp.
				Call::create_node { .. } | Call::add_kms { .. } => make(adder, again),
				// By then, the commit of the version is too old.
				Call::commit_versions { .. } => {
					assert_refused(adder, again, Error::<Test>::MuidTooOld)
				},
				_ => assert_refused(adder, again, Error::<Test>::ClockExhausted),
			}
		});
	}
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		System::set_block_number(LAST_BLOCK - 1);
		for member in NEW_MEMBERS {
			let create = create(member, MAX_HELD);
			assert_refused(STRANGER, create, Error::<Test>::ClockExhausted);
		}
		let create = || create_space(OTHER_SPACE, GOVERNOR, rules());
		assert_noop!(create(), Error::<Test>::ClockExhausted);
		assert_noop!(set_head(OBJECT, None), Error::<Test>::ClockExhausted);
		assert_ok!(finalize(DRAFT));
		for member in THE_MEMBERS {
			assert_ok!(governance_delete(member));
			assert_eq!(funds(root_of(member)), (ENDOWMENT, 0));
		}
	});
	chain.idle();
	chain.block(|| assert_eq!(THE_MEMBERS.map(ContentFabric::rows), [None; 2]));
}

#[test]
fn a_period_without_end_is_never_over() {
	for member in THE_MEMBERS {
		let mut chain = Chain::small_fabric();
		UnbondingPeriod::set(u64::MAX);
		chain.block(|| {
			assert_ok!(nominate(GOVERNOR, member, Some(STRANGER)));
			assert_noop!(accept(STRANGER, member), Error::<Test>::NominationNotMature);
		});
		chain.block(|| {
			System::set_block_number(u64::MAX - 1);
			assert_noop!(accept(STRANGER, member), Error::<Test>::NominationNotMature);
			assert_ok!(nominate(root_of(member), member, None));
			System::set_block_number(100);
		});
	}
}

#[test]
fn windows_without_end_accept_the_muid_of_any_time() {
	// The first is just after the signer became the root of the tenant.
	let granted = Chain::small_fabric().block(|| {
		let tenant = Tenants::<Test>::get(TENANT).expect("the tenant exists");
		tenant.root_since.timestamp()
	});
	for (timestamp, usual) in
		[(granted + 1, Error::<Test>::MuidTooOld), (Muid::MAX_TIMESTAMP, Error::MuidTooNew)]
	{
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			// A node without commits.
			let node = PENDING_NODE;
			assert_ok!(confirm_node(PROVIDER, node));
			let muid = Muid::new(timestamp, super::replay::medallion_of(node), 0);
			let muid = muid.expect("is in range");
			let submit =
				|| submit(VersionCommit { node, muid, ..commit_of(&[draft(OBJECT, NEW)]) });
			System::set_block_number(10_000);
			assert_noop!(submit(), usual);
			MaxCommitAge::set(u64::MAX);
			MaxClockDrift::set(u64::MAX);
			assert_ok!(submit());
			MaxCommitAge::reset();
			MaxClockDrift::reset();
		});
	}
}

#[test]
fn the_largest_limit_reaps_all_rows_and_weighs_more_than_any_other() {
	let mut chain = Chain::small_fabric();
	chain.block(|| assert_eq!(governance_delete(THE_TENANT), Ok(())));
	chain.block(|| {
		let weight = |limit| {
			Call::<Test>::reap { member: THE_TENANT, limit }.get_dispatch_info().call_weight
		};
		let (one_less, largest) = (weight(u32::MAX - 1), weight(u32::MAX));
		assert!(largest.ref_time() > one_less.ref_time());
		assert!(largest.proof_size() > one_less.proof_size());
		assert_ok!(reap(THE_TENANT, u32::MAX));
		assert_eq!(ContentFabric::rows(THE_TENANT), None);
	});
}

#[test]
fn purges_are_queued_in_the_last_places_as_in_the_first() {
	let mut chain = Chain::small_fabric();
	let first = u64::MAX - 2;
	chain.block(|| {
		DeletionQueueBounds::<Test>::put(QueueBounds { first, next: first });
		for member in THE_MEMBERS {
			assert_ok!(governance_delete(member));
		}
		let places =
			|member| ContentFabric::purge_progress(member).map(|progress| progress.places_before);
		assert_eq!(THE_MEMBERS.map(places), [Some(0), Some(1)]);
	});
	chain.idle();
	chain.block(|| {
		assert_eq!(THE_MEMBERS.map(ContentFabric::rows), [None; 2]);
		let bounds = QueueBounds { first: u64::MAX, next: u64::MAX };
		assert_eq!(DeletionQueueBounds::<Test>::get(), bounds);
	});
}
