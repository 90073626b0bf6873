//! Deletion of a whole provider or tenancy by one call: at once, or in steps.

use frame_support::{
	assert_noop, assert_ok,
	dispatch::{DispatchResultWithPostInfo, GetDispatchInfo, Pays},
	traits::Hooks,
	weights::Weight,
};
use sp_runtime::traits::Dispatchable;

use crate::{
	identifiers::{
		ContentObjectId, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, TenantId, VersionId,
	},
	mock::*,
	Call, ContentRef, DeletionQueue, DeletionQueueBounds, DeletionStage, Deletions, Error, Event,
	Providers, QueueBounds, Spaces, Subject, Tenants, VersionCommitMessage, WeightInfo,
};

const MAPS_OF_A_TENANT: [&str; 6] =
	["TenantKeys", "Kmses", "ContentObjects", "Versions", "Collections", "Records"];

type Weights = ();

/// Gives a new tenant a key, a KMS, `objects` objects with `versions` versions each, and two
/// collections with a record for each object.
fn fill_tenant(tenant: TenantId, objects: u8, versions: u8) {
	let root = || signed(TENANT_ROOT);
	assert_ok!(ContentFabric::create_tenant(root(), SPACE, tenant));
	let level = Some(crate::TenantLevel::Content);
	assert_ok!(ContentFabric::set_tenant_key(root(), tenant, EDITOR, level));
	assert_ok!(ContentFabric::add_kms(root(), tenant, KMS, locator("x")));
	// The name of one is what that of the other begins with, and the keys are the longest.
	for collection in ["c", "cc"] {
		let (key_type, syntax) = (RecordKeyType::Any, RecordKeySyntax::Unreserved);
		let name = name(collection);
		assert_ok!(ContentFabric::create_collection(root(), tenant, name, key_type, syntax));
	}
	for number in 0..objects {
		let object = ContentObjectId([number; 10]);
		assert_ok!(ContentFabric::create_content_object(root(), tenant, object));
		for version in 0..versions {
			let version = VersionId([version; 32]);
			assert_ok!(commit(VersionCommitMessage { tenant, object, ..message(version) }));
		}
		for collection in ["c", "cc"] {
			let key = key(&format!("{number:0>512}"));
			let target = ContentRef { object, version: None };
			let collection = name(collection);
			assert_ok!(ContentFabric::put_record(root(), tenant, collection, Some(key), target));
		}
	}
}

/// Keys under the tenant in each of its maps.
fn tenant_keys(tenant: TenantId) -> [usize; 6] {
	MAPS_OF_A_TENANT.map(|map| keys_under(&raw_key(map, &[&tenant.0])))
}

fn rows(tenant: TenantId) -> u32 {
	ContentFabric::rows(Subject::Tenant(tenant)).expect("the tenant exists")
}

fn delete_tenant(tenant: TenantId, max_rows: u32) -> DispatchResultWithPostInfo {
	ContentFabric::governance_delete_tenant(signed(GOVERNOR), tenant, 0, max_rows)
}

fn delete_provider(provider: ProviderId, max_rows: u32) -> DispatchResultWithPostInfo {
	ContentFabric::governance_delete_provider(signed(GOVERNOR), provider, 0, max_rows)
}

fn reap(tenant: TenantId, limit: u32) -> DispatchResultWithPostInfo {
	let call = Call::reap { subject: Subject::Tenant(tenant), limit };
	RuntimeCall::from(call).dispatch(signed(STRANGER))
}

/// What is left of the deletion of a tenant.
fn rows_left(tenant: TenantId) -> Option<u32> {
	ContentFabric::deletion_progress(Subject::Tenant(tenant)).map(|progress| progress.rows_left)
}

/// The weight in which `on_idle` removes so many rows of the first deletion in the queue.
fn idle_weight(rows: u32) -> Weight {
	Weights::on_idle_base() + place_weight() + Weights::reap(rows)
}

/// The weight of a look at one place of the queue.
fn place_weight() -> Weight {
	Weights::on_idle_base()
}

fn on_idle(weight: Weight) -> Weight {
	ContentFabric::on_idle(System::block_number(), weight)
}

/// A space with a provider that has a confirmed node.
fn chain_with_provider() -> Chain {
	let mut chain = Chain::empty();
	chain.block(|| {
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, GOVERNOR, rules()));
		let root = || signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::create_provider(root(), SPACE, PROVIDER));
		let (operator, locator) = (PROVIDER_ROOT, locator("x"));
		assert_ok!(ContentFabric::create_node(root(), PROVIDER, NODE, operator, locator));
		assert_ok!(ContentFabric::confirm_node(root(), PROVIDER, NODE));
	});
	chain
}

/// Pairs of a tenant to be deleted and one to be kept: ids that differ in the last byte, and the
/// extremes.
fn neighbours() -> [(TenantId, TenantId); 4] {
	let mut neighbour = TENANT;
	neighbour.0[9] ^= 1;
	[
		(TenantId([0; 10]), TenantId([0xff; 10])),
		(TenantId([0xff; 10]), TenantId([0; 10])),
		(TENANT, neighbour),
		(neighbour, TENANT),
	]
}

#[test]
fn one_call_deletes_a_tenancy_and_nothing_beside_it() {
	for (deleted, kept) in neighbours() {
		let mut chain = chain_with_provider();
		chain.block(|| {
			fill_tenant(deleted, 3, 4);
			fill_tenant(kept, 2, 5);
		});
		chain.block(|| {
			assert_eq!((tenant_keys(deleted), rows(deleted)), ([1, 1, 3, 12, 2, 6], 25));
			assert_ok!(delete_tenant(deleted, 25));
			assert_eq!(events(), [Event::TenantDeleted { tenant: deleted, rows: 25 }]);
			assert_eq!(tenant_keys(deleted), [0; 6]);
			assert_eq!(Tenants::<Test>::get(deleted), None);
			assert_eq!((tenant_keys(kept), rows(kept)), ([1, 1, 2, 10, 2, 4], 20));
			assert_eq!(Spaces::<Test>::get(SPACE).map(|space| space.tenant_count), Some(1));
		});
		// Gone from the backend too, and the id is free.
		chain.block(|| {
			assert_eq!(tenant_keys(deleted), [0; 6]);
			fill_tenant(deleted, 1, 1);
			assert_eq!(rows(deleted), 8);
		});
	}
}

#[test]
fn one_call_deletes_a_provider_and_nothing_beside_it() {
	let mut neighbour = PROVIDER;
	neighbour.0[9] ^= 1;
	let nodes = |provider: ProviderId| keys_under(&raw_key("Nodes", &[&provider.0]));
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let root = || signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::create_provider(root(), SPACE, neighbour));
		let (operator, locator) = (PROVIDER_ROOT, locator("x"));
		assert_ok!(ContentFabric::create_node(root(), neighbour, NODE, operator, locator));
	});
	chain.block(|| {
		assert_eq!((nodes(PROVIDER), nodes(neighbour)), (2, 1));
		assert_ok!(delete_provider(PROVIDER, 2));
		assert_eq!(events(), [Event::ProviderDeleted { provider: PROVIDER, rows: 2 }]);
		assert_eq!((nodes(PROVIDER), nodes(neighbour)), (0, 1));
		assert_eq!(Providers::<Test>::get(PROVIDER), None);
	});
	chain.block(|| {
		assert_ok!(ContentFabric::create_provider(signed(STRANGER), SPACE, PROVIDER));
		assert_eq!(ContentFabric::rows(Subject::Provider(PROVIDER)), Some(0));
	});
}

#[test]
fn more_rows_than_the_call_may_remove_are_removed_in_steps() {
	for (deleted, kept) in neighbours() {
		let mut chain = chain_with_provider();
		chain.block(|| {
			fill_tenant(deleted, 3, 4);
			fill_tenant(kept, 2, 5);
		});
		chain.block(|| {
			let started = delete_tenant(deleted, 24).expect("the tenant exists");
			assert_eq!(started.actual_weight, Some(Weights::start_deletion()));
			assert_eq!(events(), [Event::TenantDeletionStarted { tenant: deleted, rows: 25 }]);
			// All that was held is free at once.
			assert_eq!(
				Tenants::<Test>::get(deleted).map(|info| (info.bond, info.deposit)),
				Some((0, 0))
			);
			assert_eq!(rows_left(deleted), Some(25));
			assert_eq!(tenant_keys(deleted), [1, 1, 3, 12, 2, 6]);
		});
		let mut left = 25;
		for step in [1, 2, 3, 5, 7] {
			chain.block(|| {
				let reaped = reap(deleted, step).expect("the tenant is being deleted");
				assert_eq!(reaped.actual_weight, Some(Weights::reap(step)));
				assert_eq!(reaped.pays_fee, Pays::No);
				left -= step;
				assert_eq!(rows_left(deleted), Some(left));
				assert_eq!(tenant_keys(deleted).iter().sum::<usize>(), left as usize);
				let (root, space) = (signed(STRANGER), SPACE);
				assert_noop!(
					ContentFabric::create_tenant(root, space, deleted),
					Error::<Test>::BeingDeleted
				);
			});
		}
		chain.block(|| {
			assert_eq!(Spaces::<Test>::get(SPACE).map(|space| space.tenant_count), Some(2));
			let reaped = reap(deleted, u32::MAX).expect("the tenant is being deleted");
			assert_eq!(reaped.actual_weight, Some(Weights::reap(left)));
			assert_eq!(events(), [Event::TenantDeleted { tenant: deleted, rows: 25 }]);
			assert_eq!(rows_left(deleted), None);
			assert_eq!(tenant_keys(deleted), [0; 6]);
			assert_eq!(Spaces::<Test>::get(SPACE).map(|space| space.tenant_count), Some(1));
			fill_tenant(deleted, 1, 1);
		});
		chain.block(|| {
			assert_eq!((tenant_keys(deleted), rows(deleted)), ([1, 1, 1, 1, 2, 2], 8));
			assert_eq!((tenant_keys(kept), rows(kept)), ([1, 1, 2, 10, 2, 4], 20));
		});
	}
}

#[test]
fn steps_go_through_the_maps_from_children_to_parents() {
	let mut chain = chain_with_provider();
	chain.block(|| fill_tenant(TENANT, 2, 2));
	chain.block(|| {
		assert_ok!(delete_tenant(TENANT, 0));
	});
	let mut stages = Vec::new();
	chain.block(|| {
		while let Some(progress) = ContentFabric::deletion_progress(Subject::Tenant(TENANT)) {
			assert_eq!(progress.rows, 14);
			stages.push(progress.stage);
			assert_ok!(reap(TENANT, 1));
		}
	});
	// Each is the map that the step before has removed a row from; the last step has none after it.
	assert_eq!(stages.len(), 14);
	assert!(stages.is_sorted());
	stages.dedup();
	use DeletionStage::*;
	assert_eq!(stages, [Records, Collections, Versions, ContentObjects, Kmses]);
}

#[test]
fn a_provider_goes_in_steps_too() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		assert_ok!(delete_provider(PROVIDER, 3));
		assert_eq!(events(), [Event::ProviderDeletionStarted { provider: PROVIDER, rows: 4 }]);
		let subject = Subject::Provider(PROVIDER);
		for left in [3, 2, 1] {
			assert_ok!(ContentFabric::reap(signed(STRANGER), subject, 1));
			let progress = ContentFabric::deletion_progress(subject).expect("rows are left");
			assert_eq!(progress.rows_left, left);
		}
		assert_ok!(ContentFabric::reap(signed(STRANGER), subject, 1));
		assert_eq!(events().last(), Some(&Event::ProviderDeleted { provider: PROVIDER, rows: 4 }));
		for map in ["Nodes", "ProviderKeys"] {
			assert_eq!(keys_under(&raw_key(map, &[])), 0);
		}
		assert_ok!(ContentFabric::create_provider(signed(STRANGER), SPACE, PROVIDER));
	});
}

#[test]
fn the_settlement_is_that_of_the_first_call_alone() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let issued = Balances::total_issuance();
		let slash = 1_000;
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, slash, 0));
		assert_eq!(
			events(),
			[
				Event::TenantSlashed { tenant: TENANT, amount: slash },
				Event::TenantDeletionStarted { tenant: TENANT, rows: TENANT_ROWS },
			]
		);
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT - slash, 0));
		assert_eq!(Balances::total_issuance(), issued - slash);
	});
	chain.block(|| {
		assert_noop!(
			ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 1, 100)
				.map_err(|error| error.error),
			Error::<Test>::BeingDeleted
		);
		assert_ok!(reap(TENANT, 100));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT - 1_000, 0));
	});
	// No more than the bond, whatever is asked for.
	chain.block(|| {
		assert_ok!(ContentFabric::governance_delete_provider(
			signed(GOVERNOR),
			PROVIDER,
			Balance::MAX,
			100
		));
		assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT - PROVIDER_BOND, 0));
	});
}

#[test]
fn only_reaping_that_removes_rows_is_free() {
	Chain::small_fabric().block(|| {
		assert_noop!(reap(TENANT, 1).map_err(|error| error.error), Error::<Test>::NotBeingDeleted);
		assert_noop!(
			reap(TenantId([7; 10]), 1).map_err(|error| error.error),
			Error::<Test>::TenantNotFound
		);
		assert_noop!(
			ContentFabric::reap(signed(STRANGER), Subject::Provider(ProviderId([7; 10])), 1)
				.map_err(|error| error.error),
			Error::<Test>::ProviderNotFound
		);
		let failed = reap(TENANT, 1).expect_err("the tenant is not being deleted");
		assert_eq!(failed.post_info.pays_fee, Pays::Yes);
		assert_ok!(delete_tenant(TENANT, 0));
		let nothing = reap(TENANT, 0).expect("the tenant is being deleted");
		assert_eq!(nothing.pays_fee, Pays::Yes);
		assert_eq!(nothing.actual_weight, Some(Weights::reap(0)));
		assert_eq!(rows_left(TENANT), Some(TENANT_ROWS));
	});
}

#[test]
fn rows_of_the_same_block_and_of_earlier_ones_all_go() {
	for max_rows in [100, 0] {
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			// Some rows of the backend are removed by hand first, and new ones are written.
			let root = || signed(TENANT_ROOT);
			assert_ok!(ContentFabric::delete_version(root(), TENANT, OBJECT, DRAFT));
			let (object, node) = (ContentObjectId([7; 10]), NodeId([7; 10]));
			assert_ok!(ContentFabric::create_content_object(root(), TENANT, object));
			let (operator, locator) = (PROVIDER_ROOT, locator("x"));
			let provider = || signed(PROVIDER_ROOT);
			assert_ok!(ContentFabric::create_node(provider(), PROVIDER, node, operator, locator));
			assert_ok!(ContentFabric::remove_node(provider(), PROVIDER, NODE));
			assert_ok!(delete_tenant(TENANT, max_rows));
			assert_ok!(delete_provider(PROVIDER, max_rows));
			if max_rows == 0 {
				// Steps in the very block of the call, small and large.
				for limit in [1, 2, 100] {
					assert_ok!(reap(TENANT, limit));
				}
				on_idle(Weight::MAX);
			}
			assert!(!Tenants::<Test>::contains_key(TENANT));
			assert!(!Providers::<Test>::contains_key(PROVIDER));
		});
		chain.block(|| {
			assert_eq!(tenant_keys(TENANT), [0; 6]);
			assert_eq!(keys_under(&raw_key("Nodes", &[])), 0);
		});
	}
}

#[test]
fn spare_weight_of_blocks_drives_deletions_in_their_order() {
	let mut chain = chain_with_provider();
	let tenants = [1, 2, 3].map(|id| TenantId([id; 10]));
	chain.block(|| {
		for tenant in tenants {
			fill_tenant(tenant, 2, 1);
		}
	});
	chain.block(|| {
		for tenant in tenants {
			assert_ok!(delete_tenant(tenant, 0));
		}
		assert_eq!(DeletionQueueBounds::<Test>::get(), QueueBounds { first: 0, next: 3 });
	});
	let left = |chain: &mut Chain| chain.block(|| tenants.map(rows_left));
	assert_eq!(left(&mut chain), [Some(12); 3]);
	// Too little for a row, then for some.
	chain.block(|| {
		let weight = idle_weight(1) - Weight::from_parts(1, 0);
		assert!(weight.all_gte(on_idle(weight)));
	});
	assert_eq!(left(&mut chain), [Some(12); 3]);
	chain.block(|| assert_eq!(on_idle(idle_weight(5)), idle_weight(5)));
	assert_eq!(left(&mut chain), [Some(7), Some(12), Some(12)]);
	// One ends, and the next one begins in the same block.
	chain.block(|| {
		let weight = idle_weight(7) + place_weight() + Weights::reap(2);
		assert_eq!(on_idle(weight), weight);
	});
	assert_eq!(left(&mut chain), [None, Some(10), Some(12)]);
	// The last one ends ahead of its turn, by hand; its place stays empty.
	chain.block(|| {
		assert_ok!(reap(tenants[2], 100));
		assert_eq!(DeletionQueue::<Test>::iter().count(), 1);
	});
	assert_eq!(left(&mut chain), [None, Some(10), None]);
	chain.block(|| {
		// As much as the configuration allows, however much there is.
		MaxIdleWeight::set(idle_weight(3));
		assert_eq!(on_idle(Weight::MAX), idle_weight(3));
		MaxIdleWeight::set(Weight::MAX);
	});
	chain.block(|| {
		on_idle(Weight::MAX);
		assert_eq!(events(), [Event::TenantDeleted { tenant: tenants[1], rows: 12 }]);
		assert_eq!(DeletionQueueBounds::<Test>::get(), QueueBounds { first: 3, next: 3 });
		assert_eq!(DeletionQueue::<Test>::iter().count(), 0);
	});
	// What a block pays that has nothing to do.
	chain.block(|| assert_eq!(on_idle(Weight::MAX), Weights::on_idle_base()));
	chain.block(|| assert_eq!(on_idle(Weight::zero()), Weight::zero()));
}

#[test]
fn places_tell_how_many_are_before() {
	let mut chain = chain_with_provider();
	let tenants = [1, 2].map(|id| TenantId([id; 10]));
	chain.block(|| tenants.map(|tenant| fill_tenant(tenant, 1, 1)));
	chain.block(|| {
		for tenant in tenants {
			assert_ok!(delete_tenant(tenant, 0));
		}
		let before = |tenant| {
			let progress = ContentFabric::deletion_progress(Subject::Tenant(tenant));
			progress.map(|progress| progress.places_before)
		};
		assert_eq!(tenants.map(before), [Some(0), Some(1)]);
		on_idle(idle_weight(8));
		assert_eq!(tenants.map(before), [None, Some(0)]);
	});
}

#[test]
fn a_step_goes_on_from_the_key_before() {
	let mut chain = chain_with_provider();
	chain.block(|| fill_tenant(TENANT, 5, 0));
	chain.block(|| {
		assert_ok!(delete_tenant(TENANT, 0));
		assert_ok!(reap(TENANT, 3));
		let deletion = Deletions::<Test>::get(Subject::Tenant(TENANT)).expect("has just begun");
		let prefix = raw_key("Records", &[&TENANT.0]);
		assert!(deletion.cursor.starts_with(&prefix));
		// The longest there are: of a name of two bytes and a key of 512.
		assert!(deletion.cursor.len() >= prefix.len() + 16 + 2 + 16 + 2 + 512);
		// No key is left before it.
		let next = sp_io::storage::next_key(&prefix).expect("rows are left");
		assert!(next > deletion.cursor.into_inner());
	});
	// From any place in any block the end is the same.
	chain.block(|| {
		assert_ok!(reap(TENANT, 100));
		assert_eq!(tenant_keys(TENANT), [0; 6]);
	});
}

/// Creates the tenant of the small fabric anew, with a row.
fn renew_tenant() {
	assert_ok!(ContentFabric::create_tenant(signed(TENANT_ROOT), SPACE, TENANT));
	assert_ok!(ContentFabric::add_kms(signed(TENANT_ROOT), TENANT, KMS, locator("x")));
}

#[test]
fn an_id_comes_and_goes_within_a_block_as_often_as_it_has_no_rows() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(delete_tenant(TENANT, 100));
		for max_rows in [0, 100, 0] {
			assert_ok!(ContentFabric::create_tenant(signed(TENANT_ROOT), SPACE, TENANT));
			assert_ok!(delete_tenant(TENANT, max_rows));
			assert!(!Tenants::<Test>::contains_key(TENANT));
		}
	});
	chain.block(|| assert_eq!(tenant_keys(TENANT), [0; 6]));
}

#[test]
fn a_subtree_that_went_in_a_block_is_not_walked_again_in_it() {
	// At once, and in steps.
	for max_rows in [100, 0] {
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			assert_ok!(delete_tenant(TENANT, max_rows));
			if max_rows == 0 {
				assert_ok!(reap(TENANT, 100));
			}
			renew_tenant();
			// Others are not held up by it.
			assert_ok!(delete_provider(PROVIDER, 100));
			assert_ok!(delete_tenant(TENANT, 100));
			assert_eq!(rows_left(TENANT), Some(1));
			// It has to wait, for those who ask and for the queue.
			let waited = reap(TENANT, 100).expect("it is being deleted");
			assert_eq!(waited.pays_fee, Pays::Yes);
			assert_eq!(waited.actual_weight, Some(Weights::reap(0)));
			on_idle(Weight::MAX);
			assert_eq!(rows_left(TENANT), Some(1));
			assert_noop!(
				ContentFabric::create_tenant(signed(TENANT_ROOT), SPACE, TENANT),
				Error::<Test>::BeingDeleted
			);
		});
		chain.block(|| {
			on_idle(Weight::MAX);
			assert_eq!(tenant_keys(TENANT), [0; 6]);
			// It has gone in this block, by the queue.
			renew_tenant();
			assert_ok!(delete_tenant(TENANT, 100));
			assert_eq!(rows_left(TENANT), Some(1));
		});
		chain.block(|| {
			assert_ok!(reap(TENANT, 1));
			assert!(!Tenants::<Test>::contains_key(TENANT));
		});
		// In the next block all is as ever.
		chain.block(|| {
			renew_tenant();
			assert_ok!(delete_tenant(TENANT, 100));
			assert!(!Tenants::<Test>::contains_key(TENANT));
		});
	}
}

#[test]
fn what_can_no_longer_be_remembered_counts_as_gone() {
	let mut chain = chain_with_provider();
	let tenants: Vec<_> = (100..166).map(|id| TenantId([id; 10])).collect();
	chain.block(|| {
		for tenant in &tenants {
			fill_tenant(*tenant, 1, 0);
		}
		fill_tenant(TENANT, 1, 0);
		assert_ok!(delete_tenant(TENANT, 0));
	});
	chain.block(|| {
		for tenant in &tenants {
			assert_ok!(delete_tenant(*tenant, 100));
		}
		assert_eq!(tenants.iter().filter(|tenant| rows_left(**tenant).is_some()).count(), 2);
		assert_eq!(reap(tenants[65], 1).expect("is being deleted").pays_fee, Pays::Yes);
		// Those that were started before are not held up.
		assert_ok!(reap(TENANT, 100));
		assert!(!Tenants::<Test>::contains_key(TENANT));
	});
	chain.block(|| {
		on_idle(Weight::MAX);
		assert_eq!(Tenants::<Test>::iter().count(), 0);
	});
}

#[test]
fn a_call_that_fails_weighs_no_rows() {
	Chain::small_fabric().block(|| {
		let unknown = TenantId([7; 10]);
		let start = Weights::start_deletion();
		let reap_none = Weights::reap(0);
		let governor = || signed(GOVERNOR);
		let none = || RuntimeOrigin::none();
		for (failed, weight) in [
			(ContentFabric::governance_delete_tenant(governor(), unknown, 0, 20_000), start),
			(ContentFabric::governance_delete_tenant(signed(STRANGER), TENANT, 0, 20_000), start),
			(ContentFabric::governance_delete_provider(none(), PROVIDER, 0, 20_000), start),
			(reap(unknown, 20_000), reap_none),
			(reap(TENANT, 20_000), reap_none),
		] {
			let failed = failed.expect_err("there is nothing to be deleted").post_info;
			assert_eq!(failed.actual_weight, Some(weight));
			assert_eq!(failed.pays_fee, Pays::Yes);
		}
	});
}

#[test]
fn a_frozen_member_can_be_deleted_whole() {
	Chain::small_fabric().block(|| {
		let subject = Subject::Tenant(TENANT);
		assert_ok!(ContentFabric::set_governance_delete(signed(GOVERNOR), subject, true));
		assert_ok!(delete_tenant(TENANT, TENANT_ROWS));
		assert_ok!(ContentFabric::create_tenant(signed(STRANGER), SPACE, TENANT));
		// The flag went with the tenant that had it.
		assert_ok!(ContentFabric::add_kms(signed(STRANGER), TENANT, KMS, locator("x")));
	});
}

#[test]
fn unknown_subjects_are_named() {
	Chain::small_fabric().block(|| {
		assert_noop!(
			delete_tenant(TenantId([7; 10]), 9).map_err(|error| error.error),
			Error::<Test>::TenantNotFound
		);
		assert_noop!(
			delete_provider(ProviderId([7; 10]), 9).map_err(|error| error.error),
			Error::<Test>::ProviderNotFound
		);
	});
}

#[test]
fn a_space_is_not_empty_until_the_last_row_is_gone() {
	Chain::small_fabric().block(|| {
		let delete_space =
			|| ContentFabric::delete_space(signed(GOVERNOR), SPACE).map_err(|error| error.error);
		assert_ok!(delete_provider(PROVIDER, 100));
		assert_ok!(delete_tenant(TENANT, 0));
		assert_noop!(delete_space(), Error::<Test>::SpaceNotEmpty);
		assert_ok!(reap(TENANT, TENANT_ROWS - 1));
		assert_noop!(delete_space(), Error::<Test>::SpaceNotEmpty);
		assert_ok!(reap(TENANT, 1));
		assert_ok!(delete_space());
	});
}

#[test]
fn weight_is_linear_in_rows_and_refunded_to_the_rows_there_were() {
	let declared = |max_rows| {
		let call = Call::<Test>::governance_delete_tenant { tenant: TENANT, slash: 0, max_rows };
		call.get_dispatch_info().call_weight
	};
	let row = declared(101) - declared(100);
	assert!(row.all_gt(Weight::zero()));
	for rows in [200, 1_000, 1_000_000] {
		assert_eq!(declared(rows), declared(100) + row * u64::from(rows - 100));
	}
	// Where nothing may be removed at once, a deletion can be started.
	assert!(declared(0).all_gte(Weights::start_deletion()));
	Chain::small_fabric().block(|| {
		let deleted = delete_tenant(TENANT, 1_000).expect("there are fewer rows");
		let weight = Weights::governance_delete_tenant(TENANT_ROWS);
		assert_eq!(deleted.actual_weight, Some(weight));
		let deleted = delete_provider(PROVIDER, 1_000).expect("there are fewer rows");
		let weight = Weights::governance_delete_provider(PROVIDER_ROWS);
		assert_eq!(deleted.actual_weight, Some(weight));
	});
}
