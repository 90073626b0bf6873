// SPDX-License-Identifier: Apache-2.0
//! Nodes and their operators, and the permission to finalize what a node took in.

use frame_support::{assert_noop, assert_ok, dispatch::DispatchResult};

use super::replay::{medallion_of, purge};
use crate::{
	identifiers::{NodeId, ProviderId, VersionId},
	mock::*,
	Error, Event, LocatorOf, NodeInfo, NodeInfoOf, Nodes, VersionCommit, VersionCommitOf, Versions,
};

const NEW_NODE: NodeId = NodeId([7; 10]);
const OTHER_PROVIDER: ProviderId = ProviderId([7; 10]);
const NEWER: VersionId = VersionId([8; 32]);
/// The operator of a node other than [`NODE`].
const OTHER_OPERATOR: AccountId = 10;

fn create_node(node: NodeId, operator: AccountId) -> DispatchResult {
	let root = signed(PROVIDER_ROOT);
	ContentFabric::create_node(root, PROVIDER, node, operator, locator("x"))
}

fn remove_node(node: NodeId) -> DispatchResult {
	ContentFabric::remove_node(signed(PROVIDER_ROOT), PROVIDER, node)
}

fn set_locator(node: NodeId, locator: LocatorOf<Test>) -> DispatchResult {
	ContentFabric::set_node_locator(signed(PROVIDER_ROOT), PROVIDER, node, locator)
}

fn set_operator(node: NodeId, operator: AccountId) -> DispatchResult {
	ContentFabric::set_node_operator(signed(PROVIDER_ROOT), PROVIDER, node, operator)
}

fn confirm_as(who: AccountId, node: NodeId) -> DispatchResult {
	outcome(ContentFabric::confirm_node(signed(who), PROVIDER, node))
}

/// Returns a commit of one version of [`OBJECT`] to a node.
fn commit_to(node: NodeId, version: VersionId) -> VersionCommitOf<Test> {
	let muid = node_muid(PROVIDER, node);
	VersionCommit { node, muid, ..commit_of(&[draft(OBJECT, version)]) }
}

fn commit_as(who: AccountId, node: NodeId, version: VersionId) -> DispatchResult {
	let commit = commit_to(node, version);
	let signature = sign(TENANT_ROOT, &commit);
	ContentFabric::commit_versions(signed(who), TENANT_ROOT, commit, signature)
}

/// Finalizes versions of [`OBJECT`] that a node has taken in.
fn finalize_at(who: AccountId, node: NodeId, versions: &[VersionId]) -> DispatchResult {
	let versions: Vec<_> = versions.iter().map(|version| (OBJECT, *version)).collect();
	let versions = versions.try_into().expect("test lists are short");
	outcome(ContentFabric::finalize_versions(signed(who), PROVIDER, node, TENANT, versions))
}

fn node(id: NodeId) -> Option<NodeInfoOf<Test>> {
	Nodes::<Test>::get(PROVIDER, id)
}

#[test]
fn a_node_is_created_confirmed_changed_and_removed() {
	Chain::small_fabric().block(|| {
		let (root, before) = (|| signed(PROVIDER_ROOT), funds(PROVIDER_ROOT));
		assert_ok!(ContentFabric::create_node(
			root(),
			PROVIDER,
			NEW_NODE,
			OPERATOR,
			locator("/ip4/127.0.0.1")
		));
		let medallion = super::medallions::nth(2);
		let created: NodeInfoOf<Test> = NodeInfo {
			operator: OPERATOR,
			pending: true,
			locator: locator("/ip4/127.0.0.1"),
			medallion,
			last_muid: None,
			// The base, 84 bytes of key, and 57 of value, which include a muid.
			deposit: 100 + 84 + 57,
		};
		assert_eq!(node(NEW_NODE), Some(created.clone()));
		assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(PROVIDER_ROWS + 1));
		assert_eq!(funds(PROVIDER_ROOT), (before.0 - created.deposit, before.1 + created.deposit));

		assert_ok!(confirm_as(PROVIDER_ROOT, NEW_NODE));
		let confirmed = NodeInfo { pending: false, ..created };
		assert_eq!(node(NEW_NODE), Some(confirmed.clone()));
		assert_noop!(confirm_as(PROVIDER_ROOT, NEW_NODE), Error::<Test>::NodeAlreadyConfirmed);

		assert_ok!(set_locator(NEW_NODE, locator("/dns/b")));
		let moved =
			NodeInfo { locator: locator("/dns/b"), deposit: confirmed.deposit - 8, ..confirmed };
		assert_eq!(node(NEW_NODE), Some(moved.clone()));
		assert_eq!(funds(PROVIDER_ROOT).1, before.1 + moved.deposit);

		assert_ok!(set_operator(NEW_NODE, OTHER_OPERATOR));
		assert_eq!(node(NEW_NODE), Some(NodeInfo { operator: OTHER_OPERATOR, ..moved }));

		assert_ok!(remove_node(NEW_NODE));
		assert_eq!(node(NEW_NODE), None);
		assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(PROVIDER_ROWS));
		assert_eq!(funds(PROVIDER_ROOT), before);
		let (provider, node) = (PROVIDER, NEW_NODE);
		assert_eq!(
			events(),
			[
				Event::NodeCreated { provider, node, operator: OPERATOR, medallion },
				Event::NodeConfirmed { provider, node },
				Event::NodeLocatorSet { provider, node },
				Event::NodeOperatorSet { provider, node, operator: OTHER_OPERATOR },
				Event::NodeRemoved { provider, node },
			]
		);
	});
}

#[test]
fn missing_and_taken_nodes_are_reported() {
	Chain::small_fabric().block(|| {
		assert_noop!(create_node(NODE, OPERATOR), Error::<Test>::NodeAlreadyExists);
		assert_noop!(confirm_as(PROVIDER_ROOT, NEW_NODE), Error::<Test>::NodeNotFound);
		assert_noop!(set_locator(NEW_NODE, locator("x")), Error::<Test>::NodeNotFound);
		assert_noop!(set_operator(NEW_NODE, OPERATOR), Error::<Test>::NodeNotFound);
		assert_noop!(remove_node(NEW_NODE), Error::<Test>::NodeNotFound);
		let root = || signed(PROVIDER_ROOT);
		let (provider, x) = (OTHER_PROVIDER, || locator("x"));
		for result in [
			ContentFabric::create_node(root(), provider, NEW_NODE, OPERATOR, x()),
			outcome(ContentFabric::confirm_node(root(), provider, NODE)),
			ContentFabric::set_node_locator(root(), provider, NODE, x()),
			ContentFabric::set_node_operator(root(), provider, NODE, OPERATOR),
			ContentFabric::remove_node(root(), provider, NODE),
		] {
			assert_eq!(result, Err(Error::<Test>::ProviderNotFound.into()));
		}
	});
}

#[test]
fn two_providers_may_have_nodes_of_one_id() {
	Chain::small_fabric().block(|| {
		let root = || signed(STRANGER);
		assert_ok!(ContentFabric::create_provider(root(), SPACE, OTHER_PROVIDER, MAX_HELD));
		let locator = locator("x");
		assert_ok!(ContentFabric::create_node(root(), OTHER_PROVIDER, NODE, OPERATOR, locator));
		assert_ok!(ContentFabric::remove_node(root(), OTHER_PROVIDER, NODE));
		assert!(node(NODE).is_some());
	});
}

/// A provider may give its node the id of another provider's.
#[test]
fn a_provider_finalizes_nothing_of_another_provider_whose_node_has_the_same_id() {
	let mut chain = Chain::small_fabric();
	let root = || signed(STRANGER);
	chain.block(|| {
		assert_ok!(ContentFabric::create_provider(root(), SPACE, OTHER_PROVIDER, MAX_HELD));
		let locator = locator("x");
		assert_ok!(ContentFabric::create_node(
			root(),
			OTHER_PROVIDER,
			NODE,
			OTHER_OPERATOR,
			locator
		));
		assert_ok!(ContentFabric::confirm_node(root(), OTHER_PROVIDER, NODE));
	});
	chain.block(|| {
		assert_ok!(commit(NEW));
		let finalize_for = |who, originator| {
			let versions = vec![(OBJECT, NEW)].try_into().expect("one is few");
			ContentFabric::finalize_versions(signed(who), originator, NODE, TENANT, versions)
		};
		for who in [STRANGER, OTHER_OPERATOR] {
			let mismatch = Error::<Test>::OriginatorMismatch;
			assert_noop!(finalize_for(who, OTHER_PROVIDER), mismatch);
			assert_noop!(finalize_for(who, PROVIDER), Error::<Test>::NoPermission);
		}
		assert_ok!(finalize_for(PROVIDER_ROOT, PROVIDER));
	});
}

#[test]
fn a_locator_is_one_word_of_visible_ascii_characters() {
	Chain::small_fabric().block(|| {
		for bad in ["", " ", "a b", "tab\t", "line\n", "é", "\u{7f}"] {
			assert_noop!(set_locator(NODE, locator(bad)), Error::<Test>::InvalidLocator);
			let root = signed(PROVIDER_ROOT);
			assert_noop!(
				ContentFabric::create_node(root, PROVIDER, NEW_NODE, OPERATOR, locator(bad)),
				Error::<Test>::InvalidLocator
			);
		}
		for good in ["!", "https://node.example:8080/a?b#c", &"~".repeat(64)] {
			assert_ok!(set_locator(NODE, locator(good)));
		}
		let too_long = LocatorOf::<Test>::try_from(vec![b'~'; 65]);
		assert!(too_long.is_err());
	});
}

/// The row of a new node is paid for with a muid, which it has once the node has committed.
#[test]
fn a_commit_does_not_change_the_deposit_of_its_node() {
	Chain::small_fabric().block(|| {
		assert_ok!(create_node(NEW_NODE, OPERATOR));
		assert_ok!(confirm_as(OPERATOR, NEW_NODE));
		let deposit = || node(NEW_NODE).map(|info| info.deposit);
		let (before, held) = (deposit(), funds(PROVIDER_ROOT));
		assert_ok!(commit_as(OPERATOR, NEW_NODE, NEW));
		assert_eq!((deposit(), funds(PROVIDER_ROOT)), (before, held));
		// Re-pricing counts the muid once.
		assert_ok!(set_locator(NEW_NODE, locator("y")));
		assert_eq!((deposit(), funds(PROVIDER_ROOT)), (before, held));
	});
}

#[test]
fn a_node_that_is_created_again_has_another_medallion() {
	Chain::small_fabric().block(|| {
		let mut medallions = vec![medallion_of(NODE), medallion_of(PENDING_NODE)];
		for _ in 0..3 {
			assert_ok!(remove_node(NODE));
			assert_ok!(create_node(NODE, OPERATOR));
			let medallion = medallion_of(NODE);
			assert!(medallion.is_assignable());
			assert!(!medallions.contains(&medallion));
			medallions.push(medallion);
			// It starts over: pending, and without a last muid.
			let info = node(NODE).expect("was just created");
			assert_eq!((info.pending, info.last_muid), (true, None));
		}
	});
}

#[test]
fn a_pending_node_takes_nothing_in() {
	Chain::small_fabric().block(|| {
		for who in [OPERATOR, PROVIDER_ROOT] {
			assert_noop!(commit_as(who, PENDING_NODE, NEW), Error::<Test>::NodePending);
		}
		assert_ok!(confirm_as(OPERATOR, PENDING_NODE));
		assert_ok!(commit_as(OPERATOR, PENDING_NODE, NEW));
	});
}

#[test]
fn an_operator_acts_for_its_node_alone() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		assert_ok!(set_operator(PENDING_NODE, OTHER_OPERATOR));
		assert_noop!(confirm_as(OPERATOR, PENDING_NODE), Error::<Test>::NoPermission);
		assert_ok!(confirm_as(OTHER_OPERATOR, PENDING_NODE));
		// No level is needed for that.
		assert_eq!(ContentFabric::provider_level(PROVIDER, OPERATOR), None);
	});
	chain.block(|| {
		assert_noop!(commit_as(OPERATOR, PENDING_NODE, NEW), Error::<Test>::NoPermission);
		assert_noop!(commit_as(OTHER_OPERATOR, NODE, NEW), Error::<Test>::NoPermission);
		assert_ok!(commit_as(OPERATOR, NODE, NEW));
		assert_ok!(commit_as(OTHER_OPERATOR, PENDING_NODE, NEWER));
	});
	chain.block(|| {
		// Not by the name of the other node, nor by that of its own.
		let versions = &[NEWER];
		assert_noop!(finalize_at(OPERATOR, PENDING_NODE, versions), Error::<Test>::NoPermission);
		assert_noop!(finalize_at(OPERATOR, NODE, versions), Error::<Test>::OriginatorMismatch);
		assert_noop!(finalize_at(OPERATOR, NODE, &[NEW, NEWER]), Error::<Test>::OriginatorMismatch);
		assert_ok!(finalize_at(OPERATOR, NODE, &[NEW]));
		assert_ok!(finalize_at(OTHER_OPERATOR, PENDING_NODE, versions));
	});
	// It manages no node, not even its own, and no access keys.
	chain.block(|| {
		let operator = || signed(OPERATOR);
		for result in [
			ContentFabric::create_node(operator(), PROVIDER, NEW_NODE, OPERATOR, locator("x")),
			ContentFabric::set_node_locator(operator(), PROVIDER, NODE, locator("x")),
			ContentFabric::set_node_operator(operator(), PROVIDER, NODE, STRANGER),
			ContentFabric::remove_node(operator(), PROVIDER, NODE),
			ContentFabric::set_provider_key(operator(), PROVIDER, PROVIDER_ADMIN, None),
		] {
			assert_eq!(result, Err(Error::<Test>::NoPermission.into()));
		}
	});
	// The former operator may do nothing, and the new one everything, including what was begun
	// before.
	chain.block(|| {
		assert_ok!(set_operator(NODE, OTHER_OPERATOR));
		let version = VersionId([9; 32]);
		assert_noop!(commit_as(OPERATOR, NODE, version), Error::<Test>::NoPermission);
		assert_noop!(finalize_at(OPERATOR, NODE, &[DRAFT]), Error::<Test>::NoPermission);
		assert_ok!(commit_as(OTHER_OPERATOR, NODE, version));
		assert_ok!(finalize_at(OTHER_OPERATOR, NODE, &[DRAFT, version]));
	});
}

#[test]
fn admins_and_the_root_act_for_every_node() {
	for who in [PROVIDER_ADMIN, PROVIDER_ROOT] {
		Chain::fabric_with_keys().block(|| {
			assert_ok!(confirm_as(who, PENDING_NODE));
			for (node, version) in [(NODE, NEW), (PENDING_NODE, NEWER)] {
				assert_ok!(commit_as(who, node, version));
				// The version is of one node all the same.
				let other = if node == NODE { PENDING_NODE } else { NODE };
				assert_noop!(
					finalize_at(who, other, &[version]),
					Error::<Test>::OriginatorMismatch
				);
				assert_ok!(finalize_at(who, node, &[version]));
			}
		});
	}
}

#[test]
fn nobody_else_acts_for_a_node() {
	Chain::fabric_with_keys().block(|| {
		assert_ok!(ContentFabric::create_provider(
			signed(STRANGER),
			SPACE,
			OTHER_PROVIDER,
			MAX_HELD
		));
		for who in [TENANT_ROOT, TENANT_ADMIN, KMS_ACCOUNT, EDITOR, GOVERNOR, STRANGER] {
			assert_noop!(confirm_as(who, PENDING_NODE), Error::<Test>::NoPermission);
			assert_noop!(commit_as(who, NODE, NEW), Error::<Test>::NoPermission);
			assert_noop!(finalize_at(who, NODE, &[DRAFT]), Error::<Test>::NoPermission);
		}
		// The root of another provider does not finalize in its own name, either.
		let versions = vec![(OBJECT, DRAFT)].try_into().expect("one is within the bound");
		assert_noop!(
			ContentFabric::finalize_versions(
				signed(STRANGER),
				OTHER_PROVIDER,
				NODE,
				TENANT,
				versions
			),
			Error::<Test>::OriginatorMismatch
		);
	});
}

#[test]
fn a_removed_node_leaves_no_authority_behind() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		assert_ok!(remove_node(NODE));
		// Its versions are finalized by an Admin, with its id.
		assert_noop!(finalize_at(OPERATOR, NODE, &[DRAFT]), Error::<Test>::NoPermission);
		let other = PENDING_NODE;
		assert_noop!(finalize_at(OPERATOR, other, &[DRAFT]), Error::<Test>::OriginatorMismatch);
		assert_noop!(
			finalize_at(PROVIDER_ADMIN, other, &[DRAFT]),
			Error::<Test>::OriginatorMismatch
		);
		assert_noop!(confirm_as(OPERATOR, NODE), Error::<Test>::NodeNotFound);
		assert_noop!(commit_as(OPERATOR, NODE, NEW), Error::<Test>::NodeNotFound);
		assert_ok!(finalize_at(PROVIDER_ADMIN, NODE, &[DRAFT]));
	});
}

#[test]
fn an_operator_finalizes_under_the_present_medallion_of_its_node_only() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		assert_ok!(remove_node(NODE));
		assert_ok!(create_node(NODE, OPERATOR));
		assert_ok!(confirm_as(OPERATOR, NODE));
		assert_ok!(commit_as(OPERATOR, NODE, NEW));
	});
	chain.block(|| {
		// The same id and the same operator, but another node.
		for list in [&[DRAFT][..], &[NEW, DRAFT], &[DRAFT, NEW]] {
			assert_noop!(finalize_at(OPERATOR, NODE, list), Error::<Test>::OriginatorMismatch);
		}
		assert_ok!(finalize_at(OPERATOR, NODE, &[NEW]));
		assert_ok!(finalize_at(PROVIDER_ADMIN, NODE, &[DRAFT]));
	});
}

#[test]
fn an_admin_who_is_also_the_operator_finalizes_under_every_medallion() {
	Chain::fabric_with_keys().block(|| {
		assert_ok!(remove_node(NODE));
		assert_ok!(create_node(NODE, PROVIDER_ADMIN));
		assert_ok!(confirm_as(PROVIDER_ADMIN, NODE));
		assert_ok!(commit_as(PROVIDER_ADMIN, NODE, NEW));
		assert_ok!(finalize_at(PROVIDER_ADMIN, NODE, &[DRAFT, NEW]));
	});
}

/// An id is free again once its provider has been removed. A new provider with the id must not
/// finalize what the former one took in.
#[test]
fn a_provider_finalizes_only_what_was_committed_since_it_was_created() {
	let mut chain = Chain::fabric_with_keys();
	purge(&mut chain, THE_PROVIDER);
	chain.block(|| {
		for who in [PROVIDER_ROOT, PROVIDER_ADMIN, OPERATOR, STRANGER] {
			assert_noop!(finalize_at(who, NODE, &[DRAFT]), Error::<Test>::ProviderNotFound);
		}
		// The same account may take it, or another.
		let root = signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::create_provider(root, SPACE, PROVIDER, MAX_HELD));
		assert_noop!(finalize_at(PROVIDER_ADMIN, NODE, &[DRAFT]), Error::<Test>::NoPermission);
		assert_noop!(finalize_at(PROVIDER_ROOT, NODE, &[DRAFT]), Error::<Test>::OriginatorMismatch);
		// A node of the same id does not help its operator or the root.
		assert_ok!(create_node(NODE, OPERATOR));
		assert_ok!(confirm_as(OPERATOR, NODE));
		assert_ok!(commit_as(OPERATOR, NODE, NEW));
		for who in [OPERATOR, PROVIDER_ROOT] {
			for list in [&[DRAFT][..], &[NEW, DRAFT]] {
				assert_noop!(finalize_at(who, NODE, list), Error::<Test>::OriginatorMismatch);
			}
		}
		assert_ok!(finalize_at(PROVIDER_ROOT, NODE, &[NEW]));
		let info = Versions::<Test>::get((TENANT, OBJECT, DRAFT)).expect("the version stays");
		assert_eq!(info.finalized, None);
	});
}

#[test]
fn nothing_is_finalized_for_a_provider_that_is_being_deleted() {
	Chain::small_fabric().block(|| {
		assert_ok!(governance_delete(THE_PROVIDER));
		for who in [PROVIDER_ROOT, OPERATOR] {
			assert_noop!(finalize_at(who, NODE, &[DRAFT]), Error::<Test>::BeingDeleted);
		}
	});
}
