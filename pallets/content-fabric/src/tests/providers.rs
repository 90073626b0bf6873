//! Providers and nodes.

use frame_support::{assert_noop, assert_ok};

use crate::{
	clock::nth_medallion,
	identifiers::{NodeId, ProviderId, SpaceId},
	mock::*,
	Error, Event, MemberInfo, NodeInfo, Nodes, Providers, Spaces,
};

const OTHER: ProviderId = ProviderId([7; 10]);

#[test]
fn the_creator_of_a_provider_becomes_its_root() {
	Chain::small_fabric().block(|| {
		assert_ok!(ContentFabric::create_provider(signed(STRANGER), SPACE, OTHER));
		assert_eq!(
			Providers::<Test>::get(OTHER),
			Some(MemberInfo {
				space: SPACE,
				root: STRANGER,
				depositor: STRANGER,
				bond: PROVIDER_BOND,
				deposit: 0,
				rows: 0,
				governance_delete: false,
				being_deleted: false,
				created: muid(1),
			})
		);
		assert_eq!(Spaces::<Test>::get(SPACE).map(|space| space.provider_count), Some(2));
		assert_eq!(
			events(),
			[Event::ProviderCreated { provider: OTHER, space: SPACE, root: STRANGER }]
		);
	});
}

#[test]
fn a_provider_needs_a_space_and_a_free_id() {
	Chain::small_fabric().block(|| {
		assert_noop!(
			ContentFabric::create_provider(signed(STRANGER), SpaceId([0; 10]), OTHER),
			Error::<Test>::SpaceNotFound
		);
		assert_noop!(
			ContentFabric::create_provider(signed(STRANGER), SPACE, PROVIDER),
			Error::<Test>::ProviderAlreadyExists
		);
	});
}

#[test]
fn a_node_is_created_confirmed_moved_and_removed() {
	Chain::small_fabric().block(|| {
		let (root, node) = (|| signed(PROVIDER_ROOT), NodeId([7; 10]));
		assert_ok!(ContentFabric::create_node(
			root(),
			PROVIDER,
			node,
			PROVIDER_ROOT,
			locator("/ip4/127.0.0.1")
		));
		let medallion = nth_medallion(2).expect("is in range");
		assert_eq!(
			Nodes::<Test>::get(PROVIDER, node),
			Some(NodeInfo {
				pending: true,
				locator: locator("/ip4/127.0.0.1"),
				medallion,
				last_muid: None,
				// The base, 84 bytes of key and 49 of value, which grow by a muid.
				deposit: 100 + 84 + 49,
			})
		);
		assert_eq!(ContentFabric::rows(crate::Subject::Provider(PROVIDER)), Some(3));
		assert_ok!(ContentFabric::confirm_node(root(), PROVIDER, node));
		assert_noop!(
			ContentFabric::confirm_node(root(), PROVIDER, node),
			Error::<Test>::NodeAlreadyConfirmed
		);
		assert_ok!(ContentFabric::set_node_locator(root(), PROVIDER, node, locator("/dns/b")));
		let medallion = nth_medallion(2).expect("is in range");
		assert_eq!(
			Nodes::<Test>::get(PROVIDER, node),
			Some(NodeInfo {
				pending: false,
				locator: locator("/dns/b"),
				medallion,
				last_muid: None,
				deposit: 100 + 84 + 41,
			})
		);
		assert_ok!(ContentFabric::remove_node(root(), PROVIDER, node));
		assert_eq!(Nodes::<Test>::get(PROVIDER, node), None);
		assert_eq!(ContentFabric::rows(crate::Subject::Provider(PROVIDER)), Some(PROVIDER_ROWS));
		assert_eq!(
			events(),
			[
				Event::NodeCreated { provider: PROVIDER, node, medallion },
				Event::NodeConfirmed { provider: PROVIDER, node },
				Event::NodeLocatorSet { provider: PROVIDER, node },
				Event::NodeRemoved { provider: PROVIDER, node },
			]
		);
	});
}

#[test]
fn unknown_and_taken_nodes_are_named() {
	Chain::small_fabric().block(|| {
		let (root, unknown) = (|| signed(PROVIDER_ROOT), NodeId([7; 10]));
		assert_noop!(
			ContentFabric::create_node(root(), PROVIDER, NODE, PROVIDER_ROOT, locator("x")),
			Error::<Test>::NodeAlreadyExists
		);
		assert_noop!(
			ContentFabric::confirm_node(root(), PROVIDER, unknown),
			Error::<Test>::NodeNotFound
		);
		assert_noop!(
			ContentFabric::set_node_locator(root(), PROVIDER, unknown, locator("x")),
			Error::<Test>::NodeNotFound
		);
		assert_noop!(
			ContentFabric::remove_node(root(), PROVIDER, unknown),
			Error::<Test>::NodeNotFound
		);
		assert_noop!(
			ContentFabric::confirm_node(root(), OTHER, NODE),
			Error::<Test>::ProviderNotFound
		);
	});
}

#[test]
fn a_locator_is_one_visible_word() {
	Chain::small_fabric().block(|| {
		let (root, node) = (|| signed(PROVIDER_ROOT), NodeId([7; 10]));
		for bad in ["", "a b", "tab\t", "line\n", "é", "\u{7f}"] {
			for result in [
				ContentFabric::create_node(root(), PROVIDER, node, PROVIDER_ROOT, locator(bad)),
				ContentFabric::set_node_locator(root(), PROVIDER, NODE, locator(bad)),
				ContentFabric::add_kms(
					signed(TENANT_ROOT),
					TENANT,
					crate::identifiers::KmsId([7; 10]),
					locator(bad),
				),
				ContentFabric::set_kms_locator(signed(TENANT_ROOT), TENANT, KMS, locator(bad)),
			] {
				assert_eq!(result, Err(Error::<Test>::InvalidLocator.into()), "{bad:?}");
			}
		}
		let longest = "~".repeat(64);
		assert_ok!(ContentFabric::create_node(
			root(),
			PROVIDER,
			node,
			PROVIDER_ROOT,
			locator(&longest)
		));
	});
}

#[test]
fn the_root_deletes_an_empty_provider() {
	Chain::small_fabric().block(|| {
		let root = || signed(PROVIDER_ROOT);
		assert_noop!(
			ContentFabric::delete_provider(root(), PROVIDER),
			Error::<Test>::ProviderNotEmpty
		);
		for node in [NODE, PENDING_NODE] {
			assert_ok!(ContentFabric::remove_node(root(), PROVIDER, node));
		}
		assert_ok!(ContentFabric::delete_provider(root(), PROVIDER));
		assert_eq!(events().last(), Some(&Event::ProviderDeleted { provider: PROVIDER, rows: 0 }));
		assert_eq!(Spaces::<Test>::get(SPACE).map(|space| space.provider_count), Some(0));
		assert_ok!(ContentFabric::create_provider(signed(STRANGER), SPACE, PROVIDER));
	});
}
