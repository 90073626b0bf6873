// SPDX-License-Identifier: Apache-2.0
//! The deletion queue and `on_idle`.

use std::panic::{catch_unwind, AssertUnwindSafe};

use frame_support::{
	assert_ok, assert_storage_noop,
	traits::{Hooks, StorageVersion},
};

use super::*;
use crate::{
	identifiers::SpaceId,
	mock::recorder::{OnNotice, Recording},
	tests::invariants::mutate_space,
	DeletionQueue, DeletionQueueBounds, QueueBounds, Tenants,
};

/// Three tenants of 16 rows each.
const TENANTS: [TenantId; 3] = [TenantId([1; 10]), TenantId([2; 10]), TenantId([3; 10])];

/// A chain with the three tenants. Their deletion began in the block before.
fn chain() -> Chain {
	let mut chain = chain_with_provider();
	chain.block(|| TENANTS.map(|tenant| fill_tenant(tenant, 2, 3)));
	chain.block(|| {
		for tenant in TENANTS {
			assert_ok!(governance_delete(tenant.into()));
		}
	});
	chain
}

fn left() -> [Option<u32>; 3] {
	TENANTS.map(rows)
}

#[test]
fn idle_blocks_purge_in_the_order_of_the_queue_as_far_as_the_weight_allows() {
	let mut chain = chain();
	let all = Some(16);
	chain.idle_block(Weight::zero());
	chain.idle_block(idle_weight(0));
	chain.block(|| assert_eq!(left(), [all; 3]));
	chain.idle_block(idle_weight(1));
	chain.block(|| assert_eq!(left(), [Some(15), all, all]));
	chain.idle_block(idle_weight(10));
	chain.block(|| assert_eq!(left(), [Some(5), all, all]));
	// The last five rows of the first, then as many of the second as fit.
	let rest = Weights::on_idle_base() + Weights::reap(4);
	chain.idle_block(idle_weight(5) + rest);
	chain.block(|| assert_eq!(left(), [None, Some(12), all]));
	chain.idle();
	chain.block(|| {
		assert_eq!(left(), [None; 3]);
		assert_eq!(DeletionQueueBounds::<Test>::get(), QueueBounds { first: 3, next: 3 });
		assert_eq!(DeletionQueue::<Test>::iter().count(), 0);
	});
}

#[test]
fn idle_blocks_spend_at_most_the_configured_weight() {
	let mut chain = chain();
	MaxIdleWeight::set(idle_weight(7));
	chain.block(|| {
		let consumed = ContentFabric::on_idle(System::block_number(), Weight::MAX);
		assert_eq!((consumed, left()), (idle_weight(7), [Some(9), Some(16), Some(16)]));
	});
}

#[test]
fn a_proof_size_limits_a_step_as_time_does() {
	let mut chain = chain();
	let idle = idle_weight(6);
	chain.idle_block(Weight::from_parts(u64::MAX, idle.proof_size()));
	chain.block(|| assert_eq!(left(), [Some(10), Some(16), Some(16)]));
}

#[test]
fn a_weight_for_more_rows_than_are_counted_removes_all() {
	let mut chain = chain();
	// Room for 2^32 rows, one more than a `u32` counts.
	let row = Weights::reap(1) - Weights::reap(0);
	chain.idle_block(idle_weight(0) + row.saturating_mul(1 << 32));
	chain.block(|| assert_eq!(left(), [None; 3]));
}

#[test]
fn a_step_of_an_idle_block_that_fails_changes_nothing() {
	let mut chain = chain();
	chain.begin_block(1);
	chain.run(|| {
		// The last step of a purge takes the member from this count.
		mutate_space(|space| space.tenant_count = 0);
		let keys = TENANTS.map(tenant_keys);
		// With debug assertions, what cannot happen is reported by a panic.
		let idle = catch_unwind(AssertUnwindSafe(|| {
			ContentFabric::on_idle(System::block_number(), Weight::MAX)
		}));
		assert_eq!(idle.is_err(), cfg!(debug_assertions));
		assert_eq!(left(), [Some(16); 3]);
		assert_eq!(TENANTS.map(tenant_keys), keys);
		for tenant in TENANTS {
			assert!(ContentFabric::purge_progress(tenant.into()).is_some());
		}
	});
}

/// Rows of an older version are not those that a step would count.
#[test]
fn idle_blocks_purge_nothing_until_the_storage_is_migrated() {
	let mut chain = chain();
	chain.block(|| {
		StorageVersion::new(0).put::<ContentFabric>();
		assert_storage_noop!({
			let consumed = ContentFabric::on_idle(System::block_number(), Weight::MAX);
			assert_eq!(consumed, Weights::on_idle_base());
		});
		StorageVersion::new(1).put::<ContentFabric>();
	});
	chain.idle();
	chain.block(|| assert_eq!(left(), [None; 3]));
}

#[test]
fn a_step_of_an_idle_block_that_fails_holds_up_no_other_purge() {
	let mut chain = chain();
	chain.begin_block(1);
	chain.run(|| {
		let set_space = |space| {
			Tenants::<Test>::mutate(TENANTS[0], |tenant| {
				tenant.as_mut().expect("it exists").space = space;
			});
		};
		set_space(SpaceId([9; 10]));
		let idle = || ContentFabric::on_idle(System::block_number(), Weight::MAX);
		// With debug assertions, what cannot happen is reported by a panic.
		let is_reported = catch_unwind(AssertUnwindSafe(idle)).is_err();
		assert_eq!(is_reported, cfg!(debug_assertions));
		if !is_reported {
			assert_eq!(left(), [Some(16), None, None]);
			// It has lost its turn, and can still be reaped.
			assert_eq!(DeletionQueue::<Test>::iter().count(), 0);
			assert_eq!(idle(), Weights::on_idle_base());
		}
		set_space(SPACE);
		reap_free(TENANTS[0], 16);
		assert_eq!(left()[0], None);
	});
}

#[test]
fn a_purge_that_is_reaped_ahead_of_its_turn_leaves_an_empty_place() {
	let mut chain = chain();
	chain.block(|| reap_free(TENANTS[1], 16));
	chain.block(|| {
		assert_eq!(left(), [Some(16), None, Some(16)]);
		let places = TENANTS.map(|tenant| {
			ContentFabric::purge_progress(tenant.into()).map(|progress| progress.places_before)
		});
		assert_eq!(places, [Some(0), None, Some(2)]);
	});
	chain.idle();
	chain.block(|| {
		assert_eq!(left(), [None; 3]);
		assert_eq!(DeletionQueueBounds::<Test>::get(), QueueBounds { first: 3, next: 3 });
	});
}

#[test]
fn a_queue_without_purges_costs_next_to_nothing() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let consumed = ContentFabric::on_idle(System::block_number(), Weight::MAX);
		assert_eq!(consumed, Weights::on_idle_base());
	});
}

#[test]
fn a_purge_that_an_observer_starts_when_another_one_ends_gets_its_turn() {
	let mut chain = chain_with_provider();
	chain.block(|| TENANTS.map(|tenant| fill_tenant(tenant, 2, 3)));
	chain.block(|| assert_eq!(governance_delete(TENANTS[0].into()), Ok(())));
	OnNotice::set(|| {
		// The next tenant follows the one that is gone.
		let next = TENANTS.into_iter().find(|tenant| Tenants::<Test>::contains_key(tenant));
		if let Some(next) = next {
			assert_ok!(governance_delete(next.into()));
		}
	});
	Recording::set(true);
	for gone in 1..=TENANTS.len() {
		chain.idle();
		chain.block(|| {
			assert_eq!(left().into_iter().filter(Option::is_none).count(), gone);
			ContentFabric::do_try_state().expect("the queue has every purge");
		});
	}
	Recording::set(false);
	chain.block(|| {
		assert_eq!(DeletionQueueBounds::<Test>::get(), QueueBounds { first: 3, next: 3 });
		assert_eq!(DeletionQueue::<Test>::iter().count(), 0);
	});
}
