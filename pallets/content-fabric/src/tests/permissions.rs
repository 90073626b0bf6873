//! Every call of a root account, tried by everyone else.

use frame_support::{assert_noop, assert_ok};
use sp_runtime::{
	traits::Dispatchable,
	DispatchError::{self, BadOrigin},
};

use crate::{
	identifiers::{ContentObjectId, KmsId, NodeId, SpaceId, VersionId},
	mock::*,
	Call, Error, Subject,
};

/// Calls that the provider's root may make in the small fabric, each of which would succeed.
fn provider_calls() -> Vec<Call<Test>> {
	let (provider, node) = (PROVIDER, NodeId([7; 10]));
	vec![
		Call::create_node { provider, node, locator: locator("x") },
		Call::confirm_node { provider, node: PENDING_NODE },
		Call::set_node_locator { provider, node: NODE, locator: locator("x") },
		Call::remove_node { provider, node: NODE },
		Call::finalize_version { tenant: TENANT, object: OBJECT, version: DRAFT },
	]
}

/// Calls that the tenant's root may make in the small fabric, each of which would succeed.
fn tenant_calls() -> Vec<Call<Test>> {
	let (tenant, object, kms) = (TENANT, OBJECT, KmsId([7; 10]));
	vec![
		Call::add_kms { tenant, kms, locator: locator("x") },
		Call::set_kms_locator { tenant, kms: KMS, locator: locator("x") },
		Call::remove_kms { tenant, kms: KMS },
		Call::create_content_object { tenant, object: ContentObjectId([7; 10]) },
		Call::commit_version { message: message(VersionId([7; 32])) },
		Call::set_head_version { tenant, object, version: None },
		Call::delete_version { tenant, object, version: DRAFT },
	]
}

/// Calls that governance may make in the small fabric, each of which would succeed.
fn governance_calls() -> Vec<Call<Test>> {
	vec![
		Call::set_space_governor { space: SPACE, governor: STRANGER },
		Call::set_governance_delete { subject: Subject::Provider(PROVIDER), enabled: true },
		Call::set_governance_delete { subject: Subject::Tenant(TENANT), enabled: true },
		Call::governance_delete_provider { provider: PROVIDER, max_rows: PROVIDER_ROWS },
		Call::governance_delete_tenant { tenant: TENANT, max_rows: TENANT_ROWS },
	]
}

fn provider_frozen() -> DispatchError {
	Error::<Test>::ProviderFrozen.into()
}

fn tenant_frozen() -> DispatchError {
	Error::<Test>::TenantFrozen.into()
}

fn dispatch(
	call: Call<Test>,
	origin: RuntimeOrigin,
) -> frame_support::dispatch::DispatchResultWithPostInfo {
	RuntimeCall::from(call).dispatch(origin)
}

#[test]
fn calls_of_a_root_are_its_own() {
	for (root, calls) in [(PROVIDER_ROOT, provider_calls()), (TENANT_ROOT, tenant_calls())] {
		for call in calls {
			let mut chain = Chain::small_fabric();
			chain.block(|| {
				for who in [PROVIDER_ROOT, TENANT_ROOT, GOVERNOR, STRANGER] {
					if who != root {
						assert_noop!(
							dispatch(call.clone(), signed(who)).map_err(|error| error.error),
							Error::<Test>::NoPermission
						);
					}
				}
				for origin in [RuntimeOrigin::root(), RuntimeOrigin::none()] {
					assert_noop!(
						dispatch(call.clone(), origin).map_err(|error| error.error),
						BadOrigin
					);
				}
				assert_ok!(dispatch(call, signed(root)));
			});
		}
	}
}

#[test]
fn a_frozen_member_answers_to_no_root() {
	for (root, subject, calls, error) in [
		(PROVIDER_ROOT, Subject::Provider(PROVIDER), provider_calls(), provider_frozen()),
		(TENANT_ROOT, Subject::Tenant(TENANT), tenant_calls(), tenant_frozen()),
	] {
		for call in calls {
			let mut chain = Chain::small_fabric();
			chain.block(|| {
				let freeze = |enabled| {
					assert_ok!(ContentFabric::set_governance_delete(
						signed(GOVERNOR),
						subject,
						enabled
					));
				};
				freeze(true);
				assert_noop!(
					dispatch(call.clone(), signed(root)).map_err(|error| error.error),
					error
				);
				freeze(false);
				assert_ok!(dispatch(call, signed(root)));
			});
		}
	}
}

#[test]
fn freezing_one_side_stops_commits_and_finalization() {
	for (subject, error) in [
		(Subject::Provider(PROVIDER), provider_frozen()),
		(Subject::Tenant(TENANT), tenant_frozen()),
	] {
		Chain::small_fabric().block(|| {
			assert_ok!(ContentFabric::set_governance_delete(signed(GOVERNOR), subject, true));
			assert_noop!(
				ContentFabric::commit_version(signed(TENANT_ROOT), message(VersionId([7; 32]))),
				error
			);
			assert_noop!(
				ContentFabric::finalize_version(signed(PROVIDER_ROOT), TENANT, OBJECT, DRAFT),
				error
			);
		});
	}
}

#[test]
fn governance_is_root_or_the_governor_of_that_very_space() {
	let other = SpaceId([7; 10]);
	for call in governance_calls() {
		Chain::small_fabric().block(|| {
			assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), other, STRANGER));
			assert!(governs(signed(STRANGER), other));
			for origin in [
				signed(STRANGER),
				signed(PROVIDER_ROOT),
				signed(TENANT_ROOT),
				RuntimeOrigin::none(),
			] {
				assert_noop!(
					dispatch(call.clone(), origin).map_err(|error| error.error),
					BadOrigin
				);
			}
			assert_ok!(dispatch(call.clone(), signed(GOVERNOR)));
		});
		Chain::small_fabric().block(|| {
			assert_ok!(dispatch(call, RuntimeOrigin::root()));
		});
	}
}
