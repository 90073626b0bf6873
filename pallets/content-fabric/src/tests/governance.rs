//! The flag `governance_delete` and the deletion of single children.

use frame_support::{assert_noop, assert_ok, dispatch::Pays};

use crate::{
	identifiers::{KmsId, NodeId, ProviderId, TenantId, VersionId},
	mock::*,
	Call, Collections, ContentObjects, Error, Event, Kmses, Nodes, Records, Subject, Versions,
};
use frame_support::dispatch::DispatchResultWithPostInfo;
use sp_runtime::traits::Dispatchable;

/// One call a kind of child, in an order in which they can be made one after the other.
fn child_calls() -> Vec<Call<Test>> {
	let (provider, tenant, object) = (PROVIDER, TENANT, OBJECT);
	let version = |version| Call::governance_delete_version { tenant, object, version };
	vec![
		Call::governance_delete_node { provider, node: NODE },
		Call::governance_delete_node { provider, node: PENDING_NODE },
		version(HEAD),
		version(DRAFT),
		version(FINALIZED),
		Call::governance_delete_record { tenant, collection: name(COLLECTION), key: key(RECORD) },
		Call::governance_delete_collection { tenant, name: name(COLLECTION) },
		Call::governance_delete_collection { tenant, name: name(EMPTY_COLLECTION) },
		Call::governance_delete_content_object { tenant, object },
		Call::governance_delete_content_object { tenant, object: EMPTY_OBJECT },
		Call::governance_delete_kms { tenant, kms: KMS },
	]
}

fn dispatch(call: Call<Test>) -> DispatchResultWithPostInfo {
	RuntimeCall::from(call).dispatch(signed(STRANGER))
}

fn freeze_all() {
	for subject in [Subject::Provider(PROVIDER), Subject::Tenant(TENANT)] {
		assert_ok!(ContentFabric::set_governance_delete(signed(GOVERNOR), subject, true));
	}
}

#[test]
fn without_the_flag_nobody_deletes_a_child() {
	Chain::small_fabric().block(|| {
		for call in child_calls() {
			assert_noop!(
				dispatch(call).map_err(|error| error.error),
				Error::<Test>::GovernanceDeleteNotSet
			);
		}
		// A flag that was lifted is as good as none.
		freeze_all();
		let subject = Subject::Tenant(TENANT);
		assert_ok!(ContentFabric::set_governance_delete(signed(GOVERNOR), subject, false));
		assert_noop!(
			dispatch(Call::governance_delete_kms { tenant: TENANT, kms: KMS })
				.map_err(|error| error.error),
			Error::<Test>::GovernanceDeleteNotSet
		);
		assert_eq!(events().last(), Some(&Event::GovernanceDeleteSet { subject, enabled: false }));
	});
}

#[test]
fn under_the_flag_anyone_deletes_every_child_without_a_fee() {
	Chain::small_fabric().block(|| {
		freeze_all();
		for call in child_calls() {
			assert_eq!(dispatch(call.clone()).map(|post| post.pays_fee), Ok(Pays::No), "{call:?}");
			ContentFabric::do_try_state().expect("invariants hold after every call");
		}
		assert_eq!(ContentFabric::rows(Subject::Provider(PROVIDER)), Some(0));
		assert_eq!(ContentFabric::rows(Subject::Tenant(TENANT)), Some(0));
		assert_eq!(Nodes::<Test>::iter().count(), 0);
		assert_eq!(Kmses::<Test>::iter().count(), 0);
		assert_eq!(ContentObjects::<Test>::iter().count(), 0);
		assert_eq!(Versions::<Test>::iter().count(), 0);
		assert_eq!(Collections::<Test>::iter().count(), 0);
		assert_eq!(Records::<Test>::iter().count(), 0);
		// All deposits were given back, and only the bonds are left on hold.
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT - TENANT_BOND, TENANT_BOND));
		assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT - PROVIDER_BOND, PROVIDER_BOND));
	});
}

#[test]
fn deleting_the_head_leaves_none() {
	Chain::small_fabric().block(|| {
		freeze_all();
		let (tenant, object, version) = (TENANT, OBJECT, HEAD);
		assert_ok!(dispatch(Call::governance_delete_version { tenant, object, version }));
		assert_eq!(
			events()[2..],
			[
				Event::HeadVersionSet { tenant, object, version: None },
				Event::VersionDeleted { tenant, object, version },
			]
		);
		assert_eq!(ContentObjects::<Test>::get(tenant, object).map(|o| o.head_version), Some(None));
	});
}

#[test]
fn a_failed_deletion_changes_nothing_and_pays() {
	Chain::small_fabric().block(|| {
		freeze_all();
		let (provider, tenant, object) = (PROVIDER, TENANT, OBJECT);
		for (call, error) in [
			(
				Call::governance_delete_node { provider, node: NodeId([7; 10]) },
				Error::<Test>::NodeNotFound,
			),
			(
				Call::governance_delete_node { provider: ProviderId([7; 10]), node: NODE },
				Error::ProviderNotFound,
			),
			(Call::governance_delete_kms { tenant, kms: KmsId([7; 10]) }, Error::KmsNotFound),
			(
				Call::governance_delete_kms { tenant: TenantId([7; 10]), kms: KMS },
				Error::TenantNotFound,
			),
			(
				Call::governance_delete_version { tenant, object, version: VersionId([7; 32]) },
				Error::VersionNotFound,
			),
			(
				Call::governance_delete_content_object { tenant, object },
				Error::ContentObjectNotEmpty,
			),
			(
				Call::governance_delete_collection { tenant, name: name(COLLECTION) },
				Error::CollectionNotEmpty,
			),
			(
				Call::governance_delete_collection { tenant, name: name("none") },
				Error::CollectionNotFound,
			),
			(
				Call::governance_delete_record {
					tenant,
					collection: name(EMPTY_COLLECTION),
					key: key(RECORD),
				},
				Error::RecordNotFound,
			),
		] {
			let failed = dispatch(call.clone()).expect_err("the call names what is not there");
			assert_eq!(failed.post_info.pays_fee, Pays::Yes);
			assert_noop!(dispatch(call).map_err(|error| error.error), error);
		}
	});
}

#[test]
fn the_flag_needs_a_subject() {
	Chain::small_fabric().block(|| {
		let set =
			|subject| ContentFabric::set_governance_delete(RuntimeOrigin::root(), subject, true);
		assert_noop!(set(Subject::Provider(ProviderId([7; 10]))), Error::<Test>::ProviderNotFound);
		assert_noop!(set(Subject::Tenant(TenantId([7; 10]))), Error::<Test>::TenantNotFound);
	});
}
