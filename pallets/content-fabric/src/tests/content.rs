//! Content objects and versions.

use frame_support::{assert_noop, assert_ok};

use crate::{
	identifiers::{ContentObjectId, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId},
	mock::*,
	ContentObjects, Error, Event, Subject, VersionCommitMessage, VersionInfo, Versions,
};

const NEW: VersionId = VersionId([7; 32]);

fn finalize(version: VersionId) -> sp_runtime::DispatchResult {
	ContentFabric::finalize_version(signed(PROVIDER_ROOT), TENANT, OBJECT, version)
}

fn head() -> Option<VersionId> {
	ContentObjects::<Test>::get(TENANT, OBJECT).and_then(|object| object.head_version)
}

#[test]
fn a_version_is_committed_finalized_and_made_the_head() {
	let mut chain = Chain::small_fabric();
	let committed = chain.block(|| {
		let message = VersionCommitMessage { size: u64::MAX, ..message(NEW) };
		let node_muid = message.muid;
		assert_ok!(commit(message));
		assert_eq!(
			events(),
			[Event::VersionCommitted {
				tenant: TENANT,
				object: OBJECT,
				version: NEW,
				originator: PROVIDER,
				node: NODE,
				muid: node_muid,
			}]
		);
		assert_eq!(ContentFabric::rows(Subject::Tenant(TENANT)), Some(TENANT_ROWS + 1));
		muid(1)
	});
	chain.block(|| {
		assert_ok!(finalize(NEW));
		assert_eq!(
			Versions::<Test>::get((TENANT, OBJECT, NEW)),
			Some(VersionInfo {
				originator: PROVIDER,
				node: NODE,
				size: codec::Compact(u64::MAX),
				committed,
				finalized: Some(System::block_number() * 6_000),
				set_head_on_finalize: false,
				kms: KMS,
				// The base, 132 bytes of key and 73 of value.
				deposit: 100 + 132 + 73,
			})
		);
		assert_eq!(head(), Some(HEAD));
		assert_noop!(finalize(NEW), Error::<Test>::VersionAlreadyFinalized);
		assert_ok!(ContentFabric::set_head_version(signed(TENANT_ROOT), TENANT, OBJECT, Some(NEW)));
		assert_eq!(head(), Some(NEW));
		assert_eq!(
			events(),
			[
				Event::VersionFinalized { tenant: TENANT, object: OBJECT, version: NEW },
				Event::HeadVersionSet { tenant: TENANT, object: OBJECT, version: Some(NEW) },
			]
		);
		assert_eq!(
			ContentFabric::head_version(TENANT, OBJECT)
				.map(|(version, info)| (version, info.size.0)),
			Some((NEW, u64::MAX))
		);
	});
}

#[test]
fn finalizing_sets_the_head_if_the_commit_asked_so() {
	Chain::small_fabric().block(|| {
		assert_ok!(commit(VersionCommitMessage { set_head_on_finalize: true, ..message(NEW) }));
		assert_eq!(head(), Some(HEAD));
		assert_ok!(finalize(NEW));
		assert_eq!(head(), Some(NEW));
		assert_eq!(
			events().last(),
			Some(&Event::HeadVersionSet { tenant: TENANT, object: OBJECT, version: Some(NEW) })
		);
	});
}

#[test]
fn a_commit_names_only_what_exists() {
	Chain::small_fabric().block(|| {
		let message = message(NEW);
		for (message, error) in [
			(
				VersionCommitMessage { tenant: TenantId([7; 10]), ..message.clone() },
				Error::<Test>::TenantNotFound,
			),
			(
				VersionCommitMessage { originator: ProviderId([7; 10]), ..message.clone() },
				Error::ProviderNotFound,
			),
			(
				VersionCommitMessage { node: NodeId([7; 10]), ..message.clone() },
				Error::NodeNotFound,
			),
			(VersionCommitMessage { node: PENDING_NODE, ..message.clone() }, Error::NodePending),
			(VersionCommitMessage { kms: KmsId([7; 10]), ..message.clone() }, Error::KmsNotFound),
			(
				VersionCommitMessage { object: ContentObjectId([7; 10]), ..message.clone() },
				Error::ContentObjectNotFound,
			),
			(
				VersionCommitMessage { version: DRAFT, ..message.clone() },
				Error::VersionAlreadyExists,
			),
		] {
			assert_noop!(commit(message), error);
		}
		assert_ok!(commit(message));
	});
}

#[test]
fn provider_and_tenant_share_a_space() {
	Chain::small_fabric().block(|| {
		let (space, originator) = (SpaceId([7; 10]), ProviderId([7; 10]));
		let root = || signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), space, GOVERNOR, rules()));
		assert_ok!(ContentFabric::create_provider(root(), space, originator));
		assert_ok!(ContentFabric::create_node(
			root(),
			originator,
			NODE,
			PROVIDER_ROOT,
			locator("x")
		));
		assert_ok!(ContentFabric::confirm_node(root(), originator, NODE));
		assert_noop!(
			commit(VersionCommitMessage {
				originator,
				muid: node_muid(originator, NODE),
				..message(NEW)
			}),
			Error::<Test>::SpaceMismatch
		);
	});
}

#[test]
fn only_the_originators_root_finalizes() {
	Chain::small_fabric().block(|| {
		for who in [TENANT_ROOT, GOVERNOR, STRANGER] {
			assert_noop!(
				ContentFabric::finalize_version(signed(who), TENANT, OBJECT, DRAFT),
				Error::<Test>::NoPermission
			);
		}
		assert_noop!(finalize(NEW), Error::<Test>::VersionNotFound);
		// A removed node does not keep its provider from finalizing; a deleted provider is gone.
		assert_ok!(ContentFabric::remove_node(signed(PROVIDER_ROOT), PROVIDER, NODE));
		assert_ok!(finalize(DRAFT));
		assert_ok!(ContentFabric::governance_delete_provider(signed(GOVERNOR), PROVIDER, 0, 1));
		assert_noop!(finalize(FINALIZED), Error::<Test>::ProviderNotFound);
	});
}

/// An id is free again once its provider is deleted, and in any space.
#[test]
fn nobody_finalizes_in_the_name_of_a_provider_that_was_deleted() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let set_head_on_finalize = true;
		assert_ok!(commit(VersionCommitMessage { set_head_on_finalize, ..message(NEW) }));
	});
	chain.block(|| {
		assert_ok!(ContentFabric::governance_delete_provider(signed(GOVERNOR), PROVIDER, 0, 9));
		let space = SpaceId([7; 10]);
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), space, STRANGER, rules()));
		assert_ok!(ContentFabric::create_provider(signed(STRANGER), space, PROVIDER));
		for version in [NEW, DRAFT] {
			assert_noop!(
				ContentFabric::finalize_version(signed(STRANGER), TENANT, OBJECT, version),
				Error::<Test>::ProviderNotFound
			);
		}
	});
}

#[test]
fn the_head_is_a_finalized_version_or_none() {
	Chain::small_fabric().block(|| {
		let set = |object, version| {
			ContentFabric::set_head_version(signed(TENANT_ROOT), TENANT, object, version)
		};
		assert_noop!(set(OBJECT, Some(DRAFT)), Error::<Test>::VersionNotFinalized);
		assert_noop!(set(OBJECT, Some(NEW)), Error::<Test>::VersionNotFound);
		assert_noop!(set(ContentObjectId([7; 10]), None), Error::<Test>::ContentObjectNotFound);
		assert_ok!(set(OBJECT, Some(FINALIZED)));
		assert_ok!(set(OBJECT, None));
		assert_eq!(head(), None);
		assert_eq!(ContentFabric::head_version(TENANT, OBJECT), None);
	});
}

#[test]
fn what_is_in_use_is_not_deleted() {
	Chain::small_fabric().block(|| {
		let root = || signed(TENANT_ROOT);
		assert_noop!(
			ContentFabric::delete_version(root(), TENANT, OBJECT, HEAD),
			Error::<Test>::VersionIsHead
		);
		assert_noop!(
			ContentFabric::delete_version(root(), TENANT, OBJECT, NEW),
			Error::<Test>::VersionNotFound
		);
		assert_noop!(
			ContentFabric::delete_content_object(root(), TENANT, OBJECT),
			Error::<Test>::ContentObjectNotEmpty
		);
		assert_noop!(
			ContentFabric::delete_content_object(root(), TENANT, ContentObjectId([7; 10])),
			Error::<Test>::ContentObjectNotFound
		);
		assert_noop!(
			ContentFabric::create_content_object(root(), TENANT, OBJECT),
			Error::<Test>::ContentObjectAlreadyExists
		);
		assert_ok!(ContentFabric::delete_version(root(), TENANT, OBJECT, DRAFT));
		assert_eq!(
			events(),
			[Event::VersionDeleted { tenant: TENANT, object: OBJECT, version: DRAFT }]
		);
		// A deleted version may come again.
		assert_ok!(commit(message(DRAFT)));
	});
}
