// SPDX-License-Identifier: Apache-2.0
//! Copies: the nodes that a tenant asks to hold a version, and those that do.

use frame_support::{assert_noop, assert_ok, dispatch::Pays};
use sp_runtime::{traits::Dispatchable, DispatchError};

use super::{
	bonds::{
		rows::{price, version_bytes},
		set_bonds,
	},
	replay::{medallion_of, purge},
};
use crate::{
	identifiers::{NodeId, ProviderId, VersionId},
	mock::*,
	Call, ContentObjects, Copy, CopyOf, Error, Event, MemberId, Nodes, VersionCommit,
	VersionCommitOf, VersionInfoOf, Versions,
};

/// The node that the versions of the small fabric are committed to.
const OWN: (ProviderId, NodeId) = (PROVIDER, NODE);
/// A node of another provider in the space. Its root is [`MIRROR_ROOT`].
const MIRROR: (ProviderId, NodeId) = (OTHER_PROVIDER, OTHER_NODE);
const MIRROR_ROOT: AccountId = 21;
const MIRROR_OPERATOR: AccountId = 22;
const LATER: VersionId = VersionId([8; 32]);

/// The small fabric with another provider and its node.
fn chain() -> Chain {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		make(MIRROR_ROOT, create(OTHER_PROVIDER.into(), MAX_HELD));
		create_mirror(OTHER_NODE);
	});
	chain
}

/// Creates a confirmed node of the other provider.
fn create_mirror(node: NodeId) {
	let (provider, operator, locator) = (OTHER_PROVIDER, MIRROR_OPERATOR, locator("x"));
	make(MIRROR_ROOT, Call::create_node { provider, node, operator, locator });
	make(MIRROR_OPERATOR, Call::confirm_node { provider, node });
}

fn remove_node((provider, node): (ProviderId, NodeId)) {
	let root = if provider == PROVIDER { PROVIDER_ROOT } else { MIRROR_ROOT };
	make(root, Call::remove_node { provider, node });
}

/// Returns a commit of one version of [`OBJECT`] that is to become the head, which asks these nodes.
fn asking(version: VersionId, nodes: &[(ProviderId, NodeId)]) -> VersionCommitOf<Test> {
	VersionCommit { copies: bounded(nodes), ..commit_of(&[head_draft(OBJECT, version)]) }
}

/// Returns a call by which a node declares that it holds versions of [`OBJECT`].
fn hold((provider, node): (ProviderId, NodeId), versions: &[VersionId]) -> Call<Test> {
	let versions: Vec<_> = versions.iter().map(|version| (OBJECT, *version)).collect();
	Call::finalize_versions { provider, node, tenant: TENANT, versions: bounded(versions) }
}

fn row(version: VersionId) -> VersionInfoOf<Test> {
	Versions::<Test>::get((TENANT, OBJECT, version)).expect("the version exists")
}

/// Returns the copies of a version: the nodes, and whether they hold it.
fn copies(version: VersionId) -> Vec<((ProviderId, NodeId), bool)> {
	let copies = row(version).copies;
	copies.iter().map(|copy| ((copy.provider, copy.node), copy.held.is_some())).collect()
}

fn copy(version: VersionId, place: (ProviderId, NodeId)) -> CopyOf<Test> {
	let copies = row(version).copies;
	let copy = copies.into_iter().find(|copy| (copy.provider, copy.node) == place);
	copy.expect("the version has a copy of the node")
}

fn counts(version: VersionId, place: (ProviderId, NodeId)) -> bool {
	ContentFabric::copy_counts(&copy(version, place))
}

fn held_for(member: MemberId) -> Balance {
	ContentFabric::bond(member).expect("the member exists").deposit
}

#[test]
fn a_commit_asks_other_nodes_and_each_holds_the_version_for_itself() {
	let mut chain = chain();
	let (tenant, object, version) = (TENANT, OBJECT, NEW);
	let muid = chain.block(|| {
		let commit = asking(NEW, &[MIRROR]);
		let muid = commit.muid;
		make(OPERATOR, commit_call(EDITOR, commit));
		assert_eq!(copies(NEW), [(OWN, false), (MIRROR, false)]);
		let medallion = Nodes::<Test>::get(OTHER_PROVIDER, OTHER_NODE).map(|it| it.medallion);
		let (provider, node) = MIRROR;
		let expected =
			Copy { provider, node, medallion: medallion.expect("it exists"), held: None };
		assert_eq!(copy(NEW, MIRROR), expected);
		assert_eq!(row(NEW).committed_to(), Some(&copy(NEW, OWN)));
		let (originator, node) = OWN;
		assert_eq!(
			events(),
			[
				Event::CopiesAsked { tenant, muid, copies: bounded([MIRROR]) },
				Event::VersionCommitted {
					tenant,
					object,
					version,
					originator,
					node,
					muid: muid.with_offset(1)
				},
			]
		);
		muid
	});
	let first = chain.block(|| {
		// Another node than the one that committed it may be the first.
		make(MIRROR_OPERATOR, hold(MIRROR, &[NEW]));
		let (provider, node) = MIRROR;
		assert_eq!(
			events(),
			[
				Event::CopyHeld { tenant, object, version, provider, node },
				Event::VersionFinalized { tenant, object, version, head_moved: true },
			]
		);
		let now = System::block_number() * 6_000;
		assert_eq!((copy(NEW, MIRROR).held, row(NEW).finalized), (Some(now), Some(now)));
		assert_eq!(head(), Some(NEW));
		now
	});
	chain.block(|| {
		make(OPERATOR, hold(OWN, &[NEW]));
		let (provider, node) = OWN;
		assert_eq!(events(), [Event::CopyHeld { tenant, object, version, provider, node }]);
		assert_eq!(copy(NEW, OWN).held, Some(System::block_number() * 6_000));
		assert_eq!((row(NEW).finalized, row(NEW).muid), (Some(first), muid.with_offset(1)));
	});
}

#[test]
fn nodes_that_do_not_exist_or_belong_elsewhere_or_twice_are_not_asked() {
	let mut chain = chain();
	chain.block(|| {
		assert_ok!(create_space(OTHER_SPACE, OTHER_GOVERNOR, rules()));
		let elsewhere = ProviderId([9; 10]);
		make(STRANGER, create_in(OTHER_SPACE, elsewhere.into(), MAX_HELD));
		let (provider, node, operator) = (elsewhere, NODE, OPERATOR);
		make(STRANGER, Call::create_node { provider, node, operator, locator: locator("x") });
		make(STRANGER, Call::confirm_node { provider, node });
		for (place, error) in [
			((ProviderId([8; 10]), NODE), Error::<Test>::ProviderNotFound),
			((elsewhere, NODE), Error::SpaceMismatch),
			((OTHER_PROVIDER, NODE), Error::NodeNotFound),
			((PROVIDER, PENDING_NODE), Error::NodePending),
		] {
			let error = DispatchError::from(error);
			for nodes in [&[place][..], &[MIRROR, place]] {
				assert_noop!(submit(asking(NEW, nodes)), error);
			}
			assert_refused(EDITOR, add_copies(place, &[DRAFT]), error);
		}
		for nodes in [&[OWN][..], &[MIRROR, MIRROR], &[MIRROR, OWN]] {
			assert_noop!(submit(asking(NEW, nodes)), Error::<Test>::CopyAlreadyExists);
		}
		assert_refused(EDITOR, add_copies(OWN, &[DRAFT]), Error::<Test>::CopyAlreadyExists);
		make(EDITOR, add_copies(MIRROR, &[DRAFT]));
		assert_refused(EDITOR, add_copies(MIRROR, &[DRAFT]), Error::<Test>::CopyAlreadyExists);
	});
	// Nodes of a provider that is being purged are not asked any more.
	for (delete, error) in [
		(governance_delete as fn(_) -> _, Error::<Test>::BeingDeleted),
		(|member| ContentFabric::purge_member(signed(MIRROR_ROOT), member), Error::BeingPurged),
	] {
		let mut chain = self::chain();
		chain.block(|| {
			assert_ok!(delete(OTHER_PROVIDER.into()));
			let call = add_copies(MIRROR, &[DRAFT]);
			assert_eq!(dispatch(EDITOR, call), Err(error.into()));
			assert!(submit(asking(NEW, &[MIRROR])).is_err());
		});
	}
}

/// A suspended mirror must not fail a commit.
#[test]
fn a_node_is_asked_whatever_the_state_of_its_provider_and_holds_once_it_is_open_and_bonded() {
	for (close, error) in CLOSINGS {
		chain().block(|| {
			assert_ok!(close(OTHER_PROVIDER.into(), true));
			assert_ok!(submit(asking(NEW, &[MIRROR])));
			make(EDITOR, add_copies(MIRROR, &[DRAFT]));
			let closed = error(OTHER_PROVIDER.into());
			assert_refused(MIRROR_OPERATOR, hold(MIRROR, &[NEW, DRAFT]), closed);
			assert_ok!(close(OTHER_PROVIDER.into(), false));
			make(MIRROR_OPERATOR, hold(MIRROR, &[NEW, DRAFT]));
		});
	}
	chain().block(|| {
		set_bonds(PROVIDER_BOND + 1, TENANT_BOND);
		make(PROVIDER_ROOT, Call::top_up_bond { member: THE_PROVIDER, amount: 1 });
		assert_ok!(submit(asking(NEW, &[MIRROR])));
		let under_bonded = Error::<Test>::ProviderUnderBonded;
		assert_refused(MIRROR_OPERATOR, hold(MIRROR, &[NEW]), under_bonded);
		make(MIRROR_ROOT, Call::top_up_bond { member: OTHER_PROVIDER.into(), amount: 1 });
		make(MIRROR_OPERATOR, hold(MIRROR, &[NEW]));
	});
}

#[test]
fn a_node_holds_what_it_was_asked_for_and_once() {
	chain().block(|| {
		for who in [MIRROR_OPERATOR, MIRROR_ROOT] {
			assert_refused(who, hold(MIRROR, &[DRAFT]), Error::<Test>::CopyNotFound);
		}
		make(EDITOR, add_copies(MIRROR, &[DRAFT, HEAD]));
		for who in [OPERATOR, PROVIDER_ROOT, TENANT_ROOT, STRANGER] {
			assert_refused(who, hold(MIRROR, &[DRAFT]), Error::<Test>::NoPermission);
		}
		for list in [&[DRAFT, DRAFT][..], &[HEAD, DRAFT, HEAD]] {
			assert_refused(MIRROR_OPERATOR, hold(MIRROR, list), Error::<Test>::CopyAlreadyHeld);
		}
		let missing = hold(MIRROR, &[DRAFT, FINALIZED]);
		assert_refused(MIRROR_OPERATOR, missing, Error::<Test>::CopyNotFound);
		make(MIRROR_ROOT, hold(MIRROR, &[DRAFT, HEAD]));
		for version in [DRAFT, HEAD] {
			let again = hold(MIRROR, &[version]);
			assert_refused(MIRROR_OPERATOR, again, Error::<Test>::CopyAlreadyHeld);
		}
	});
}

#[test]
fn only_the_first_node_that_holds_a_version_moves_the_head() {
	let mut chain = chain();
	chain.block(|| assert_eq!(submit(asking(NEW, &[MIRROR])), Ok(())));
	chain.block(|| make(OPERATOR, hold(OWN, &[NEW])));
	chain.block(|| {
		assert_eq!(head(), Some(NEW));
		// The tenant decides, and takes its decision back.
		assert_ok!(set_head(OBJECT, Some(HEAD)));
	});
	chain.block(|| {
		let before = ContentObjects::<Test>::get(TENANT, OBJECT);
		make(MIRROR_OPERATOR, hold(MIRROR, &[NEW]));
		assert_eq!(ContentObjects::<Test>::get(TENANT, OBJECT), before);
		assert_eq!(head(), Some(HEAD));
	});
	// Not even one that would be later than the head, after all copies were removed.
	chain.block(|| {
		for version in [NEW, LATER] {
			if version == LATER {
				assert_ok!(submit(asking(LATER, &[])));
				make(OPERATOR, hold(OWN, &[LATER]));
				assert_eq!(head(), Some(LATER));
				assert_ok!(set_head(OBJECT, None));
			}
			make(EDITOR, remove_copies(OWN, &[version]));
			make(EDITOR, add_copies(OWN, &[version]));
			let before = (head(), row(version).finalized);
			make(OPERATOR, hold(OWN, &[version]));
			assert_eq!((head(), row(version).finalized), before);
		}
		assert_eq!(head(), None);
	});
}

#[test]
fn a_version_has_as_many_copies_as_the_runtime_allows() {
	MaxCopies::set(3);
	chain().block(|| {
		let others: Vec<_> = (0..3).map(|number| (OTHER_PROVIDER, NodeId([number; 10]))).collect();
		others.iter().for_each(|(_, node)| create_mirror(*node));
		assert_ok!(submit(asking(NEW, &others[..2])));
		assert_eq!(copies(NEW).len(), 3);
		let more = || add_copies(others[2], &[NEW]);
		assert_refused(EDITOR, more(), Error::<Test>::TooManyCopies);
		make(EDITOR, remove_copies(others[0], &[NEW]));
		make(EDITOR, more());
		let expected = [OWN, others[1], others[2]].map(|place| (place, false));
		assert_eq!(copies(NEW), expected);
	});
}

#[test]
fn copies_are_added_and_removed_all_of_the_list_or_none() {
	chain().block(|| {
		for call in [add_copies(MIRROR, &[]), remove_copies(OWN, &[])] {
			assert_refused(EDITOR, call, Error::<Test>::EmptyBatch);
		}
		let missing = || Error::<Test>::VersionNotFound;
		assert_refused(EDITOR, add_copies(MIRROR, &[DRAFT, NEW]), missing());
		assert_refused(EDITOR, remove_copies(OWN, &[DRAFT, NEW]), missing());
		let twice = add_copies(MIRROR, &[DRAFT, DRAFT]);
		assert_refused(EDITOR, twice, Error::<Test>::CopyAlreadyExists);
		let twice = remove_copies(OWN, &[DRAFT, DRAFT]);
		assert_refused(EDITOR, twice, Error::<Test>::CopyNotFound);
		let (tenant, object, (provider, node)) = (TENANT, OBJECT, MIRROR);
		make(EDITOR, add_copies(MIRROR, &[DRAFT, HEAD]));
		make(EDITOR, remove_copies(MIRROR, &[HEAD, DRAFT]));
		assert_eq!(
			events(),
			[
				Event::CopyAdded { tenant, object, version: DRAFT, provider, node },
				Event::CopyAdded { tenant, object, version: HEAD, provider, node },
				Event::CopyRemoved { tenant, object, version: HEAD, provider, node },
				Event::CopyRemoved { tenant, object, version: DRAFT, provider, node },
			]
		);
		let not_there = remove_copies(MIRROR, &[HEAD]);
		assert_refused(EDITOR, not_there, Error::<Test>::CopyNotFound);
	});
}

#[test]
fn the_tenant_removes_any_copy_and_a_node_its_own() {
	let mut chain = chain();
	chain.block(|| {
		make(EDITOR, add_copies(MIRROR, &[DRAFT, HEAD, FINALIZED]));
		make(MIRROR_OPERATOR, hold(MIRROR, &[HEAD]));
		for who in [OPERATOR, PROVIDER_ROOT, STRANGER] {
			let call = remove_copies(MIRROR, &[DRAFT]);
			assert_refused(who, call, Error::<Test>::NoPermission);
		}
		make(MIRROR_OPERATOR, remove_copies(MIRROR, &[DRAFT]));
		make(MIRROR_ROOT, remove_copies(MIRROR, &[FINALIZED]));
		let not_there = remove_copies(MIRROR, &[DRAFT]);
		assert_refused(MIRROR_OPERATOR, not_there, Error::<Test>::CopyNotFound);
	});
	// A node with the same id has no authority over the copy of its predecessor.
	chain.block(|| {
		remove_node(MIRROR);
		let removal = || remove_copies(MIRROR, &[HEAD]);
		for who in [MIRROR_OPERATOR, MIRROR_ROOT] {
			assert_refused(who, removal(), Error::<Test>::NodeNotFound);
		}
		create_mirror(OTHER_NODE);
		for who in [MIRROR_OPERATOR, MIRROR_ROOT] {
			assert_refused(who, removal(), Error::<Test>::CopyNotFound);
		}
	});
	// The tenant removes it even after the provider has gone.
	purge(&mut chain, OTHER_PROVIDER.into());
	chain.block(|| {
		let removal = || remove_copies(MIRROR, &[HEAD]);
		assert_refused(MIRROR_ROOT, removal(), Error::<Test>::ProviderNotFound);
		make(EDITOR, removal());
		assert_eq!(copies(HEAD), [(OWN, true)]);
	});
}

#[test]
fn a_copy_of_an_earlier_node_is_replaced_and_has_to_be_held_anew() {
	let mut chain = chain();
	chain.block(|| {
		make(EDITOR, add_copies(MIRROR, &[HEAD]));
		make(MIRROR_OPERATOR, hold(MIRROR, &[HEAD]));
		remove_node(MIRROR);
		create_mirror(OTHER_NODE);
	});
	chain.block(|| {
		let former = copy(HEAD, MIRROR);
		assert!(former.held.is_some());
		// The successor does not hold it, whatever its predecessor declared.
		let call = || hold(MIRROR, &[HEAD]);
		assert_refused(MIRROR_OPERATOR, call(), Error::<Test>::CopyNotFound);
		let deposit = row(HEAD).deposit;
		make(EDITOR, add_copies(MIRROR, &[HEAD]));
		assert_eq!((row(HEAD).deposit, copies(HEAD).len()), (deposit, 2));
		let present = copy(HEAD, MIRROR);
		assert_ne!(present.medallion, former.medallion);
		assert_eq!(present.held, None);
		make(MIRROR_OPERATOR, call());
	});
}

#[test]
fn a_copy_counts_while_its_node_exists_and_its_provider_is_not_purged() {
	let mut chain = chain();
	chain.block(|| {
		assert!(counts(HEAD, OWN));
		assert!(!counts(DRAFT, OWN), "it is asked for, and not held");
		make(EDITOR, add_copies(MIRROR, &[HEAD]));
		assert!(!counts(HEAD, MIRROR));
		make(MIRROR_OPERATOR, hold(MIRROR, &[HEAD]));
		assert!(counts(HEAD, MIRROR));
		// A node that is not allowed to act has its bytes all the same.
		assert_ok!(suspend(OTHER_PROVIDER.into(), true));
		assert!(counts(HEAD, MIRROR));
	});
	chain.block(|| {
		undone(|| {
			assert_ok!(suspend(OTHER_PROVIDER.into(), false));
			remove_node(MIRROR);
			assert!(!counts(HEAD, MIRROR));
			create_mirror(OTHER_NODE);
			assert!(!counts(HEAD, MIRROR), "another node has the id");
		});
		undone(|| {
			assert_ok!(suspend(OTHER_PROVIDER.into(), false));
			let member = OTHER_PROVIDER.into();
			assert_ok!(ContentFabric::purge_member(signed(MIRROR_ROOT), member));
			assert!(!counts(HEAD, MIRROR));
		});
		assert_ok!(governance_delete(OTHER_PROVIDER.into()));
		assert!(Nodes::<Test>::contains_key(OTHER_PROVIDER, OTHER_NODE));
		assert!(!counts(HEAD, MIRROR));
	});
}

/// It is lost, not deleted.
#[test]
fn a_version_stays_final_without_any_copy() {
	chain().block(|| {
		let finalized = row(HEAD).finalized;
		make(OPERATOR, remove_copies(OWN, &[HEAD]));
		assert_eq!((copies(HEAD), row(HEAD).finalized), (vec![], finalized));
		assert_eq!((head(), row(HEAD).committed_to()), (Some(HEAD), None));
		// The muid still says which node committed it, and the tenant may ask again.
		assert_eq!(row(HEAD).muid.medallion(), medallion_of(NODE).get());
		make(EDITOR, add_copies(MIRROR, &[HEAD]));
		make(MIRROR_OPERATOR, hold(MIRROR, &[HEAD]));
		assert!(counts(HEAD, MIRROR));
		assert_ok!(set_head(OBJECT, None));
		make(EDITOR, remove_copies(MIRROR, &[HEAD]));
		assert_ok!(delete_version(OBJECT, HEAD));
	});
}

/// For the copies that a row has, each as if it were held.
#[test]
fn the_deposit_is_for_the_copies_of_a_row() {
	let mut chain = chain();
	chain.block(|| {
		let before = held_for(THE_TENANT);
		assert_ok!(submit(asking(NEW, &[MIRROR])));
		assert_eq!(held_for(THE_TENANT) - before, price(version_bytes(2)));
		assert_eq!(version_bytes(2) - version_bytes(1), 10 + 10 + 8 + 9);
	});
	chain.block(|| {
		let before = (held_for(THE_TENANT), funds(TENANT_ROOT));
		make(OPERATOR, hold(OWN, &[NEW]));
		make(MIRROR_OPERATOR, hold(MIRROR, &[NEW]));
		assert_eq!((held_for(THE_TENANT), funds(TENANT_ROOT)), before);
		for copies in [1, 0] {
			make(EDITOR, remove_copies(if copies == 1 { MIRROR } else { OWN }, &[NEW]));
			assert_eq!(row(NEW).deposit, price(version_bytes(copies)));
		}
		make(EDITOR, add_copies(MIRROR, &[NEW]));
		assert_eq!(row(NEW).deposit, price(version_bytes(1)));
		assert_ok!(set_head(OBJECT, None));
		assert_ok!(delete_version(OBJECT, NEW));
		assert_eq!(held_for(THE_TENANT), before.0 - price(version_bytes(2)));
	});
}

#[test]
fn only_the_tenants_side_raises_the_deposit_of_a_row() {
	let mut chain = chain();
	chain.block(|| {
		make(EDITOR, add_copies(MIRROR, &[DRAFT, HEAD]));
		DepositPerByte::set(10);
	});
	chain.block(|| {
		// The rates have risen, and the root has agreed to no more than is on hold.
		let held = ContentFabric::bond(THE_TENANT).expect("the tenant exists");
		make(
			TENANT_ROOT,
			Call::set_max_held { member: THE_TENANT, amount: held.bond + held.deposit },
		);
		let (before, holds) = (row(DRAFT).deposit, held_for(THE_TENANT));
		let by_tenant = remove_copies(MIRROR, &[DRAFT]);
		assert_refused(EDITOR, by_tenant, Error::<Test>::HeldLimitExceeded);
		let more = add_copies((OTHER_PROVIDER, NodeId([3; 10])), &[DRAFT]);
		create_mirror(NodeId([3; 10]));
		assert_refused(EDITOR, more, Error::<Test>::HeldLimitExceeded);
		// That does not keep a node from removing its copy.
		make(MIRROR_OPERATOR, remove_copies(MIRROR, &[DRAFT]));
		assert_eq!((row(DRAFT).deposit, held_for(THE_TENANT)), (before, holds));
		make(TENANT_ROOT, Call::set_max_held { member: THE_TENANT, amount: MAX_HELD });
		make(EDITOR, remove_copies(MIRROR, &[HEAD]));
		assert_eq!(row(HEAD).deposit, price(version_bytes(1)));
		assert!(row(HEAD).deposit > before);
		// Rates that have fallen release what is too much, whoever removes the copy.
		DepositPerByte::set(0);
		make(OPERATOR, remove_copies(OWN, &[DRAFT]));
		assert_eq!(row(DRAFT).deposit, price(version_bytes(0)));
	});
}

/// A commit pays a fee, and allows one free finalization of each of its versions.
#[test]
fn no_other_node_than_the_first_holds_a_version_free_of_charge() {
	let pays = |who, call: Call<Test>| {
		RuntimeCall::from(call).dispatch(signed(who)).map(|post| post.pays_fee)
	};
	chain().block(|| {
		assert_ok!(submit(asking(NEW, &[MIRROR])));
		assert_ok!(submit(asking(LATER, &[MIRROR])));
		assert_eq!(pays(MIRROR_OPERATOR, hold(MIRROR, &[NEW])), Ok(Pays::No));
		assert_eq!(pays(OPERATOR, hold(OWN, &[NEW])), Ok(Pays::Yes));
		// Nor is a list free in which one version was final before.
		make(EDITOR, add_copies(MIRROR, &[HEAD]));
		assert_eq!(pays(MIRROR_OPERATOR, hold(MIRROR, &[LATER, HEAD])), Ok(Pays::Yes));
		// Nor a version that lost its copies.
		make(EDITOR, remove_copies(OWN, &[NEW]));
		make(EDITOR, remove_copies(MIRROR, &[NEW]));
		make(EDITOR, add_copies(OWN, &[NEW]));
		assert_eq!(pays(OPERATOR, hold(OWN, &[NEW])), Ok(Pays::Yes));
		assert_eq!(pays(OPERATOR, remove_copies(OWN, &[NEW])), Ok(Pays::Yes));
	});
}
