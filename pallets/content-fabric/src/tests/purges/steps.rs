// SPDX-License-Identifier: Apache-2.0
//! Deletion by governance, and the removal of rows in steps.

use frame_support::{assert_noop, assert_ok, storage::with_storage_layer, traits::Hooks};
use sp_runtime::DispatchError;

use super::*;
use crate::{
	tests::invariants::mutate_tenant, DeletionQueue, DeletionQueueBounds, Error, Event, Providers,
	Purges, QueueBounds, Spaces, Tenants,
};

#[test]
fn one_call_deletes_a_tenancy_and_nothing_beside_it() {
	for (deleted, kept) in neighbours() {
		let mut chain = chain_with_provider();
		chain.block(|| {
			fill_tenant(deleted, 3, 4);
			fill_tenant(kept, 2, 5);
		});
		let incarnation = chain.block(|| {
			assert_eq!((tenant_keys(deleted), rows(deleted)), ([1, 6, 2, 12, 3, 1], Some(25)));
			let (member, created) = (deleted.into(), created(deleted.into()));
			assert_ok!(governance_delete(member));
			assert_eq!(
				events(),
				[
					Event::GovernanceDeleted { member, created, reason: reason("") },
					Event::PurgeStarted { member, created, rows: 25 },
				]
			);
			// All funds on hold are released at once, and no row is removed yet.
			let info = Tenants::<Test>::get(deleted).expect("rows under it are left");
			assert_eq!((info.bond, info.own_deposit, info.deposit), (0, 0, 0));
			assert_eq!(tenant_keys(deleted), [1, 6, 2, 12, 3, 1]);
			created
		});
		let mut left = 25;
		for limit in [1, 2, 3, 5, 7] {
			chain.block(|| {
				reap(deleted, limit).expect("the tenant is being purged");
				left -= limit;
				assert_eq!(rows(deleted), Some(left));
				assert_eq!(tenant_keys(deleted).iter().sum::<usize>(), left as usize);
				let (member, removed) = (deleted.into(), limit);
				assert_eq!(events(), [Event::PurgeProgressed { member, removed, rows_left: left }]);
			});
		}
		chain.block(|| {
			reap(deleted, 100).expect("the tenant is being purged");
			let member = deleted.into();
			assert_eq!(
				events(),
				[
					Event::PurgeProgressed { member, removed: 7, rows_left: 0 },
					Event::Purged { member, space: SPACE, created: incarnation },
				]
			);
			assert_eq!(tenant_keys(deleted), [0; 6]);
			assert_eq!(Tenants::<Test>::get(deleted), None);
			assert_eq!((tenant_keys(kept), rows(kept)), ([1, 4, 2, 10, 2, 1], Some(20)));
			assert_eq!(Spaces::<Test>::get(SPACE).map(|space| space.tenant_count), Some(1));
			assert_eq!(Purges::<Test>::iter().count(), 0);
			assert_eq!(DeletionQueue::<Test>::iter().count(), 0);
		});
		// Also gone from the backend, and the id is free.
		chain.block(|| {
			assert_eq!(tenant_keys(deleted), [0; 6]);
			fill_tenant(deleted, 1, 1);
			assert_eq!(rows(deleted), Some(8));
		});
	}
}

#[test]
fn one_call_deletes_a_provider_and_nothing_beside_it() {
	let mut neighbour = PROVIDER;
	neighbour.0[9] ^= 1;
	let keys = |provider: crate::identifiers::ProviderId| {
		["ProviderKeys", "Nodes"].map(|map| keys_under(&raw_key(map, &[&provider.0])))
	};
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		make(PROVIDER_ROOT, create(neighbour.into(), MAX_HELD));
		assert_ok!(create_node(neighbour, NODE));
	});
	chain.block(|| {
		assert_eq!((keys(PROVIDER), keys(neighbour)), ([1, 2], [0, 1]));
		assert_ok!(governance_delete(THE_PROVIDER));
	});
	chain.idle();
	chain.block(|| {
		assert_eq!((keys(PROVIDER), keys(neighbour)), ([0, 0], [0, 1]));
		assert_eq!(Providers::<Test>::get(PROVIDER), None);
		make(STRANGER, create(THE_PROVIDER, MAX_HELD));
		assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(0));
	});
}

#[test]
fn rows_are_removed_from_the_block_after_the_call_on() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(governance_delete(THE_TENANT));
		assert_noop!(outcome(reap(TENANT, 100)), Error::<Test>::PurgeNotStarted);
		let consumed = ContentFabric::on_idle(System::block_number(), Weight::MAX);
		assert!(Weights::on_idle_base().all_lte(consumed));
		assert_eq!(rows(TENANT), Some(TENANT_ROWS));
	});
	chain.block(|| reap_free(TENANT, TENANT_ROWS));
	chain.block(|| assert_eq!(rows(TENANT), None));
}

#[test]
fn a_step_may_remove_rows_of_several_maps_and_stop_anywhere() {
	let total = 16;
	// Every way to cut the rows of a tenant into two steps of the same block, and of two blocks.
	for same_block in [true, false] {
		for cut in 1..total {
			let mut chain = chain_with_provider();
			chain.block(|| fill_tenant(TENANT, 2, 3));
			chain.block(|| {
				assert_ok!(governance_delete(THE_TENANT));
				assert_eq!(rows(TENANT), Some(total));
			});
			chain.begin_block(1);
			chain.run(|| assert!(reap(TENANT, cut).is_ok()));
			if !same_block {
				chain.end_block();
				chain.begin_block(1);
			}
			chain.run(|| {
				let keys: usize = tenant_keys(TENANT).iter().sum();
				assert_eq!((rows(TENANT), keys as u32), (Some(total - cut), total - cut));
				assert!(reap(TENANT, total).is_ok());
			});
			chain.end_block();
			chain.block(|| assert_eq!((rows(TENANT), tenant_keys(TENANT)), (None, [0; 6])));
		}
	}
}

#[test]
fn access_keys_are_removed_first_and_children_before_their_parents() {
	let mut chain = chain_with_provider();
	chain.block(|| fill_tenant(TENANT, 2, 3));
	chain.block(|| assert_eq!(governance_delete(THE_TENANT), Ok(())));
	let mut seen = Vec::new();
	for _ in 0..16 {
		chain.block(|| {
			let before = tenant_keys(TENANT);
			reap(TENANT, 1).expect("the tenant is being purged");
			let after = tenant_keys(TENANT);
			let map = (0..6).find(|map| after[*map] < before[*map]).expect("a row was removed");
			seen.push(MAPS_OF_A_TENANT[map]);
		});
	}
	let mut order = seen.clone();
	order.dedup();
	assert_eq!(order, MAPS_OF_A_TENANT);
}

#[test]
fn rows_removed_by_a_step_stay_when_its_batch_fails_and_go_when_it_is_repeated() {
	let mut chain = chain_with_purge();
	chain.block(|| {
		for limit in [3, 10, 24] {
			let _ = with_storage_layer(|| {
				reap(TENANT, limit).expect("the tenant is being purged");
				assert_eq!(rows(TENANT), Some(25 - limit));
				Err::<(), _>(DispatchError::Other("the batch fails"))
			});
			assert_eq!((rows(TENANT), tenant_keys(TENANT)), (Some(25), [1, 6, 2, 12, 3, 1]));
		}
		reap_free(TENANT, 24);
		assert_eq!(tenant_keys(TENANT), [0, 0, 0, 0, 0, 1]);
	});
	chain.block(|| {
		assert_eq!(tenant_keys(TENANT), [0, 0, 0, 0, 0, 1]);
		reap_free(TENANT, 1);
	});
	chain.block(|| assert_eq!((rows(TENANT), tenant_keys(TENANT)), (None, [0; 6])));
}

#[test]
fn a_miscounted_member_is_removed_all_the_same() {
	let purge_with = |change: fn(&mut crate::TenantInfoOf<Test>)| {
		let mut ext = empty();
		ext.execute_with(|| {
			System::set_block_number(1);
			assert_ok!(create_space(SPACE, GOVERNOR, rules()));
			make(TENANT_ROOT, create(THE_TENANT, MAX_HELD));
			assert_ok!(add_kms(TENANT, KMS));
			mutate_tenant(change);
			assert_ok!(governance_delete(THE_TENANT));
		});
		ext.commit_all().expect("no storage layer is open");
		ext.execute_with(|| {
			System::set_block_number(2);
			let _ = reap(TENANT, 100);
			Tenants::<Test>::contains_key(TENANT)
		})
	};
	// The count of another map says that there is a row, where there is none. With debug
	// assertions, that panics.
	let exists = std::panic::catch_unwind(|| purge_with(|info| info.rows.records = 1)).ok();
	assert_eq!(exists, (!cfg!(debug_assertions)).then_some(false));
	assert!(!purge_with(|_| {}));
}

#[test]
fn governance_takes_over_a_purge_by_the_root_where_it_is() {
	let mut chain = chain_with_tenant();
	chain.block(|| assert_eq!(purge_member(THE_TENANT), Ok(())));
	chain.block(|| {
		reap_free(TENANT, 10);
		let (member, created) = (THE_TENANT, created(THE_TENANT));
		System::reset_events();
		assert_ok!(governance_delete(member));
		assert_eq!(
			events(),
			[
				Event::GovernanceDeleted { member, created, reason: reason("") },
				Event::PurgeStarted { member, created, rows: 15 },
			]
		);
		assert_eq!(funds(TENANT_ROOT).1, 0);
		// Only steps have removed rows in this block, so the purge continues.
		reap_free(TENANT, 15);
		assert_eq!(rows(TENANT), None);
	});
	chain.block(|| {
		let bounds = DeletionQueueBounds::<Test>::get();
		assert_eq!(bounds, QueueBounds { first: 0, next: 1 });
		assert_eq!(tenant_keys(TENANT), [0; 6]);
	});
}
