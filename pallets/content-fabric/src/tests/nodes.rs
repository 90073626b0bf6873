// SPDX-License-Identifier: Apache-2.0
//! Nodes and their operators, and the permission to finalize what a node took in.

use frame_support::{assert_noop, assert_ok, dispatch::DispatchResult};

use super::replay::purge;
use crate::{
	identifiers::{NodeId, VersionId},
	mock::*,
	Call, Error, Event, LocatorOf, NodeInfo, NodeInfoOf, Nodes, VersionCommit, Versions,
};

const NEWER: VersionId = VersionId([8; 32]);
/// The operator of a node other than [`NODE`].
const OTHER_OPERATOR: AccountId = 10;

fn create_node_of(operator: AccountId, node: NodeId, locator: LocatorOf<Test>) -> Call<Test> {
	Call::create_node { provider: PROVIDER, node, operator, locator }
}

/// Creates a confirmed node.
fn create_confirmed(node: NodeId, operator: AccountId) {
	make(PROVIDER_ROOT, create_node_of(operator, node, locator("x")));
	make(operator, confirm(node));
}

fn confirm(node: NodeId) -> Call<Test> {
	Call::confirm_node { provider: PROVIDER, node }
}

fn remove_node(node: NodeId) -> DispatchResult {
	ContentFabric::remove_node(signed(PROVIDER_ROOT), PROVIDER, node)
}

fn set_locator(node: NodeId, text: &str) -> DispatchResult {
	ContentFabric::set_node_locator(signed(PROVIDER_ROOT), PROVIDER, node, locator(text))
}

fn set_operator(node: NodeId, operator: AccountId) -> DispatchResult {
	ContentFabric::set_node_operator(signed(PROVIDER_ROOT), PROVIDER, node, operator)
}

/// Returns a call that commits a version of [`OBJECT`] to a node.
fn commit_to(node: NodeId, version: VersionId) -> Call<Test> {
	let muid = node_muid(PROVIDER, node);
	commit_call(TENANT_ROOT, VersionCommit { node, muid, ..commit_of(&[draft(OBJECT, version)]) })
}

fn node(id: NodeId) -> Option<NodeInfoOf<Test>> {
	Nodes::<Test>::get(PROVIDER, id)
}

#[test]
fn a_node_is_created_confirmed_changed_and_removed() {
	Chain::small_fabric().block(|| {
		let (before, provider, node_id) = (funds(PROVIDER_ROOT), PROVIDER, OTHER_NODE);
		make(PROVIDER_ROOT, create_node_of(OPERATOR, node_id, locator("/ip4/127.0.0.1")));
		let medallion = super::medallions::nth(3);
		let mut expected: NodeInfoOf<Test> = NodeInfo {
			operator: OPERATOR,
			pending: true,
			locator: locator("/ip4/127.0.0.1"),
			medallion,
			last_muid: None,
			// The base, 84 bytes of key, and 57 of value, which include a muid.
			deposit: 100 + 84 + 57,
		};
		assert_eq!(node(node_id), Some(expected.clone()));
		assert_eq!(funds(PROVIDER_ROOT).1, before.1 + expected.deposit);

		make(PROVIDER_ROOT, confirm(node_id));
		expected.pending = false;
		assert_eq!(node(node_id), Some(expected.clone()));
		assert_refused(PROVIDER_ROOT, confirm(node_id), Error::<Test>::NodeAlreadyConfirmed);

		assert_ok!(set_locator(node_id, "/dns/b"));
		(expected.locator, expected.deposit) = (locator("/dns/b"), expected.deposit - 8);
		assert_eq!(node(node_id), Some(expected.clone()));
		assert_eq!(funds(PROVIDER_ROOT).1, before.1 + expected.deposit);

		assert_ok!(set_operator(node_id, OTHER_OPERATOR));
		expected.operator = OTHER_OPERATOR;
		assert_eq!(node(node_id), Some(expected));

		assert_ok!(remove_node(node_id));
		assert_eq!(node(node_id), None);
		assert_eq!(funds(PROVIDER_ROOT), before);
		let node = node_id;
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
		let (node, missing) = (OTHER_NODE, || Error::<Test>::NodeNotFound);
		assert_noop!(create_node(PROVIDER, NODE), Error::<Test>::NodeAlreadyExists);
		assert_refused(PROVIDER_ROOT, confirm(node), missing());
		assert_noop!(set_locator(node, "x"), missing());
		assert_noop!(set_operator(node, OPERATOR), missing());
		assert_noop!(remove_node(node), missing());
	});
}

/// A provider may give its node the id of another provider's, and need not have one at all.
#[test]
fn a_provider_finalizes_nothing_of_another_provider_whose_node_has_the_same_id() {
	Chain::small_fabric().block(|| {
		let call = |provider| {
			let (tenant, versions) = (TENANT, bounded([(OBJECT, DRAFT)]));
			Call::<Test>::finalize_versions { provider, node: NODE, tenant, versions }
		};
		let mismatch = || Error::<Test>::CopyNotFound;
		make(STRANGER, create(OTHER_PROVIDER.into(), MAX_HELD));
		assert_refused(STRANGER, call(OTHER_PROVIDER), Error::<Test>::NodeNotFound);
		let (provider, node, operator) = (OTHER_PROVIDER, NODE, OTHER_OPERATOR);
		make(STRANGER, Call::create_node { provider, node, operator, locator: locator("x") });
		make(STRANGER, Call::confirm_node { provider, node });
		for who in [STRANGER, OTHER_OPERATOR] {
			assert_refused(who, call(OTHER_PROVIDER), mismatch());
			assert_refused(who, call(PROVIDER), Error::<Test>::NoPermission);
		}
		make(PROVIDER_ROOT, call(PROVIDER));
	});
}

#[test]
fn a_locator_is_one_word_of_visible_ascii_characters() {
	Chain::small_fabric().block(|| {
		for bad in ["", " ", "a b", "tab\t", "line\n", "é", "\u{7f}"] {
			assert_noop!(set_locator(NODE, bad), Error::<Test>::InvalidLocator);
			let create = create_node_of(OPERATOR, OTHER_NODE, locator(bad));
			assert_refused(PROVIDER_ROOT, create, Error::<Test>::InvalidLocator);
			// The same holds for KMSes.
			for call in [add_kms_call(TENANT, OTHER_KMS, bad), set_kms_call(bad)] {
				assert_refused(TENANT_ROOT, call, Error::<Test>::InvalidLocator);
			}
		}
		for good in ["!", "https://node.example:8080/a?b#c", &"~".repeat(64)] {
			assert_ok!(set_locator(NODE, good));
		}
	});
}

#[test]
fn a_pending_node_takes_nothing_in() {
	Chain::small_fabric().block(|| {
		for who in [OPERATOR, PROVIDER_ROOT] {
			assert_refused(who, commit_to(PENDING_NODE, NEW), Error::<Test>::NodePending);
		}
		make(OPERATOR, confirm(PENDING_NODE));
		make(OPERATOR, commit_to(PENDING_NODE, NEW));
	});
}

#[test]
fn an_operator_acts_for_its_node_alone() {
	let (refused, mismatch) = (|| Error::<Test>::NoPermission, || Error::<Test>::CopyNotFound);
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		assert_ok!(set_operator(PENDING_NODE, OTHER_OPERATOR));
		assert_refused(OPERATOR, confirm(PENDING_NODE), refused());
		make(OTHER_OPERATOR, confirm(PENDING_NODE));
		// No level is needed for that.
		assert_eq!(ContentFabric::provider_level(PROVIDER, OPERATOR), None);
	});
	chain.block(|| {
		assert_refused(OPERATOR, commit_to(PENDING_NODE, NEW), refused());
		assert_refused(OTHER_OPERATOR, commit_to(NODE, NEW), refused());
		make(OPERATOR, commit_to(NODE, NEW));
		make(OTHER_OPERATOR, commit_to(PENDING_NODE, NEWER));
	});
	chain.block(|| {
		// Neither by the name of the other node, nor by its own.
		assert_refused(OPERATOR, finalize_call(PENDING_NODE, &[NEWER]), refused());
		assert_refused(OPERATOR, finalize_call(NODE, &[NEWER]), mismatch());
		assert_refused(OPERATOR, finalize_call(NODE, &[NEW, NEWER]), mismatch());
		make(OPERATOR, finalize_call(NODE, &[NEW]));
		make(OTHER_OPERATOR, finalize_call(PENDING_NODE, &[NEWER]));
	});
	// The former operator may do nothing, and the new one everything, including what was begun
	// before.
	chain.block(|| {
		assert_ok!(set_operator(NODE, OTHER_OPERATOR));
		let version = VersionId([9; 32]);
		assert_refused(OPERATOR, commit_to(NODE, version), refused());
		assert_refused(OPERATOR, finalize_call(NODE, &[DRAFT]), refused());
		make(OTHER_OPERATOR, commit_to(NODE, version));
		make(OTHER_OPERATOR, finalize_call(NODE, &[DRAFT, version]));
	});
}

#[test]
fn admins_and_the_root_act_for_every_node() {
	for who in [PROVIDER_ADMIN, PROVIDER_ROOT] {
		Chain::fabric_with_keys().block(|| {
			make(who, confirm(PENDING_NODE));
			for (node, other, version) in [(NODE, PENDING_NODE, NEW), (PENDING_NODE, NODE, NEWER)] {
				make(who, commit_to(node, version));
				// The version is of one node all the same.
				let by_other = finalize_call(other, &[version]);
				assert_refused(who, by_other, Error::<Test>::CopyNotFound);
				make(who, finalize_call(node, &[version]));
			}
		});
	}
}

#[test]
fn a_removed_node_leaves_no_authority_behind() {
	Chain::fabric_with_keys().block(|| {
		assert_ok!(remove_node(NODE));
		// Neither its operator nor an Admin holds anything in its name.
		let finalize = |node| finalize_call(node, &[DRAFT]);
		for who in [OPERATOR, PROVIDER_ADMIN, PROVIDER_ROOT] {
			assert_refused(who, finalize(NODE), Error::<Test>::NodeNotFound);
			assert_refused(who, finalize(PENDING_NODE), Error::<Test>::CopyNotFound);
			let remove = remove_copies((PROVIDER, NODE), &[HEAD]);
			assert_refused(who, remove, Error::<Test>::NodeNotFound);
		}
		assert_refused(OPERATOR, confirm(NODE), Error::<Test>::NodeNotFound);
		assert_refused(OPERATOR, commit_to(NODE, NEW), Error::<Test>::NodeNotFound);
	});
}

#[test]
fn a_node_holds_versions_under_its_present_medallion_only() {
	Chain::fabric_with_keys().block(|| {
		assert_ok!(remove_node(NODE));
		create_confirmed(NODE, OPERATOR);
		make(OPERATOR, commit_to(NODE, NEW));
		// The same id and the same operator, but another node.
		for who in [OPERATOR, PROVIDER_ADMIN, PROVIDER_ROOT] {
			for list in [&[DRAFT][..], &[NEW, DRAFT], &[DRAFT, NEW]] {
				assert_refused(who, finalize_call(NODE, list), Error::<Test>::CopyNotFound);
				let remove = remove_copies((PROVIDER, NODE), list);
				assert_refused(who, remove, Error::<Test>::CopyNotFound);
			}
		}
		make(OPERATOR, finalize_call(NODE, &[NEW]));
		// It may be asked, in place of the former one.
		make(EDITOR, add_copies((PROVIDER, NODE), &[DRAFT]));
		make(OPERATOR, finalize_call(NODE, &[DRAFT]));
	});
}

/// An id is free again once its provider has been removed. A new provider with the id must not
/// finalize what the former one took in.
#[test]
fn a_provider_finalizes_only_what_was_committed_since_it_was_created() {
	let mismatch = || Error::<Test>::CopyNotFound;
	let mut chain = Chain::fabric_with_keys();
	purge(&mut chain, THE_PROVIDER);
	chain.block(|| {
		let former = || finalize_call(NODE, &[DRAFT]);
		for who in [PROVIDER_ROOT, PROVIDER_ADMIN, OPERATOR, STRANGER] {
			assert_refused(who, former(), Error::<Test>::ProviderNotFound);
		}
		// The same account may take it, or another.
		make(PROVIDER_ROOT, create(THE_PROVIDER, MAX_HELD));
		for who in [PROVIDER_ADMIN, PROVIDER_ROOT] {
			assert_refused(who, former(), Error::<Test>::NodeNotFound);
		}
		// A node of the same id does not help its operator or the root.
		create_confirmed(NODE, OPERATOR);
		make(OPERATOR, commit_to(NODE, NEW));
		for who in [OPERATOR, PROVIDER_ROOT] {
			for list in [&[DRAFT][..], &[NEW, DRAFT]] {
				assert_refused(who, finalize_call(NODE, list), mismatch());
			}
		}
		make(PROVIDER_ROOT, finalize_call(NODE, &[NEW]));
		let info = Versions::<Test>::get((TENANT, OBJECT, DRAFT)).expect("the version stays");
		assert_eq!(info.finalized, None);
	});
}
