//! Who may do what: every call, tried by every origin.

use frame_support::{
	assert_noop, assert_ok, dispatch::DispatchResultWithPostInfo, traits::GetCallName,
};
use sp_runtime::{
	traits::Dispatchable,
	DispatchError::{self, BadOrigin},
};

use crate::{
	identifiers::{
		ContentObjectId, KmsId, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
		TenantId, VersionId,
	},
	mock::*,
	Call, ContentRef, Error, ProviderLevel, Role, Subject, TenantLevel,
};

/// A space with a governor of its own, who is nobody elsewhere.
const OTHER_SPACE: SpaceId = SpaceId([7; 10]);
const OTHER_GOVERNOR: AccountId = 10;

const ACCOUNTS: [AccountId; 10] = [
	GOVERNOR,
	OTHER_GOVERNOR,
	PROVIDER_ROOT,
	PROVIDER_ADMIN,
	OPERATOR,
	TENANT_ROOT,
	TENANT_ADMIN,
	KMS_ACCOUNT,
	EDITOR,
	STRANGER,
];

/// Accounts that have a level in the provider, from the highest.
const OF_PROVIDER: [AccountId; 3] = [PROVIDER_ROOT, PROVIDER_ADMIN, OPERATOR];
/// Accounts that have a level in the tenant, from the highest.
const OF_TENANT: [AccountId; 4] = [TENANT_ROOT, TENANT_ADMIN, KMS_ACCOUNT, EDITOR];

/// Who may make a call.
#[derive(Clone, Copy)]
enum Allowed {
	/// Root only.
	Creator,
	/// Root, and the governor of the space.
	Governance,
	/// Root, the governor of the space, and this account.
	GovernanceOr(AccountId),
	/// Any account.
	Anyone,
	/// These accounts. To others the error is that their level is too low.
	Levels(&'static [AccountId]),
}

impl Allowed {
	fn allows(self, who: AccountId) -> bool {
		match self {
			Self::Creator => false,
			Self::Governance => who == GOVERNOR,
			Self::GovernanceOr(account) => [GOVERNOR, account].contains(&who),
			Self::Anyone => true,
			Self::Levels(accounts) => accounts.contains(&who),
		}
	}

	/// What the other accounts are told.
	fn error(self) -> DispatchError {
		match self {
			Self::Levels(_) => Error::<Test>::NoPermission.into(),
			_ => BadOrigin,
		}
	}

	fn allows_root(self) -> bool {
		!matches!(self, Self::Anyone | Self::Levels(_))
	}
}

/// What has to be before a call can succeed.
#[derive(Clone, Copy, PartialEq)]
enum Before {
	Nothing,
	/// The provider and the tenant have been given up.
	GivenUp,
	/// There is nothing under the provider and the tenant.
	Empty,
	/// The tenant is being deleted.
	Going,
}

/// Every call with who may make it in the fabric with keys. To be asked for in a block.
fn table() -> Vec<(Call<Test>, Allowed, Before)> {
	use Allowed::*;
	use Before::*;

	let (space, provider, tenant, object) = (SPACE, PROVIDER, TENANT, OBJECT);
	let (governor, root, account, operator) = (STRANGER, STRANGER, 20, STRANGER);
	let admins_of_provider = Levels(&OF_PROVIDER[..2]);
	let admins_of_tenant = Levels(&OF_TENANT[..2]);
	let version = DRAFT;
	let message = message(VersionId([7; 32]));
	let (role, collection) = (Role::Tenant, || name(COLLECTION));
	let target = ContentRef { object, version: None };
	vec![
		(
			Call::create_space { space: SpaceId([8; 10]), governor, rules: rules() },
			Creator,
			Nothing,
		),
		(Call::set_space_rules { space, rules: rules() }, Governance, Nothing),
		(Call::set_space_governor { space, governor }, Governance, Nothing),
		(Call::admit { space, account, role }, Governance, Nothing),
		(Call::revoke_admission { space, account: ADMITTED, role }, Governance, Nothing),
		(Call::delete_space { space }, Governance, Empty),
		(Call::create_provider { space, provider: ProviderId([7; 10]) }, Anyone, Nothing),
		(Call::top_up_provider_bond { provider, amount: 1 }, Levels(&OF_PROVIDER[..1]), Nothing),
		(Call::set_provider_root { provider, root }, GovernanceOr(PROVIDER_ROOT), Nothing),
		(
			Call::set_provider_key { provider, account, level: Some(ProviderLevel::Admin) },
			Levels(&OF_PROVIDER[..1]),
			Nothing,
		),
		(
			Call::set_provider_key { provider, account, level: Some(ProviderLevel::Node) },
			admins_of_provider,
			Nothing,
		),
		(
			Call::create_node { provider, node: NodeId([7; 10]), operator, locator: locator("x") },
			admins_of_provider,
			Nothing,
		),
		(Call::confirm_node { provider, node: PENDING_NODE }, Levels(&OF_PROVIDER), Nothing),
		(
			Call::set_node_locator { provider, node: NODE, locator: locator("x") },
			admins_of_provider,
			Nothing,
		),
		(Call::remove_node { provider, node: NODE }, admins_of_provider, Nothing),
		(Call::delete_provider { provider }, Levels(&OF_PROVIDER[..1]), Empty),
		(Call::create_tenant { space, tenant: TenantId([7; 10]) }, Anyone, Nothing),
		(Call::top_up_tenant_bond { tenant, amount: 1 }, Levels(&OF_TENANT[..1]), Nothing),
		(Call::set_tenant_root { tenant, root }, GovernanceOr(TENANT_ROOT), Nothing),
		(
			Call::set_tenant_key { tenant, account, level: Some(TenantLevel::Admin) },
			Levels(&OF_TENANT[..1]),
			Nothing,
		),
		(
			Call::set_tenant_key { tenant, account, level: Some(TenantLevel::Kms) },
			admins_of_tenant,
			Nothing,
		),
		(
			Call::set_tenant_key { tenant, account, level: Some(TenantLevel::Content) },
			Levels(&OF_TENANT[..3]),
			Nothing,
		),
		(
			Call::add_kms { tenant, kms: KmsId([7; 10]), locator: locator("x") },
			admins_of_tenant,
			Nothing,
		),
		(
			Call::set_kms_locator { tenant, kms: KMS, locator: locator("x") },
			admins_of_tenant,
			Nothing,
		),
		(Call::remove_kms { tenant, kms: KMS }, admins_of_tenant, Nothing),
		(Call::delete_tenant { tenant }, Levels(&OF_TENANT[..1]), Empty),
		(
			Call::create_content_object { tenant, object: ContentObjectId([7; 10]) },
			Levels(&OF_TENANT),
			Nothing,
		),
		(
			Call::commit_version {
				tenant_signer: EDITOR,
				signature: sign(EDITOR, &message),
				message,
			},
			Levels(&OF_PROVIDER),
			Nothing,
		),
		(Call::finalize_version { tenant, object, version }, Levels(&OF_PROVIDER), Nothing),
		(Call::set_head_version { tenant, object, version: None }, Levels(&OF_TENANT), Nothing),
		(Call::delete_version { tenant, object, version }, Levels(&OF_TENANT), Nothing),
		(Call::delete_content_object { tenant, object: EMPTY_OBJECT }, Levels(&OF_TENANT), Nothing),
		(
			Call::create_collection {
				tenant,
				name: name("new"),
				key_type: RecordKeyType::Any,
				syntax: RecordKeySyntax::Unreserved,
			},
			admins_of_tenant,
			Nothing,
		),
		(
			Call::delete_collection { tenant, name: name(EMPTY_COLLECTION) },
			admins_of_tenant,
			Nothing,
		),
		(
			Call::put_record { tenant, collection: collection(), key: Some(key("new")), target },
			Levels(&OF_TENANT),
			Nothing,
		),
		(
			Call::delete_record { tenant, collection: collection(), key: key(RECORD) },
			Levels(&OF_TENANT),
			Nothing,
		),
		(
			Call::set_governance_delete { subject: Subject::Provider(provider), enabled: true },
			Governance,
			Nothing,
		),
		(
			Call::set_governance_delete { subject: Subject::Tenant(tenant), enabled: true },
			Governance,
			Nothing,
		),
		(Call::governance_delete_node { provider, node: NODE }, Anyone, GivenUp),
		(Call::governance_delete_kms { tenant, kms: KMS }, Anyone, GivenUp),
		(Call::governance_delete_content_object { tenant, object: EMPTY_OBJECT }, Anyone, GivenUp),
		(Call::governance_delete_version { tenant, object, version }, Anyone, GivenUp),
		(
			Call::governance_delete_collection { tenant, name: name(EMPTY_COLLECTION) },
			Anyone,
			GivenUp,
		),
		(
			Call::governance_delete_record { tenant, collection: collection(), key: key(RECORD) },
			Anyone,
			GivenUp,
		),
		(
			Call::governance_delete_provider { provider, slash: 0, max_rows: 100 },
			Governance,
			Nothing,
		),
		(Call::governance_delete_tenant { tenant, slash: 0, max_rows: 100 }, Governance, Nothing),
		(Call::reap { subject: Subject::Tenant(tenant), limit: 1 }, Anyone, Going),
		(Call::slash_provider { provider, amount: 1 }, Governance, Nothing),
		(Call::slash_tenant { tenant, amount: 1 }, Governance, Nothing),
	]
}

/// An account that is admitted as a tenant.
const ADMITTED: AccountId = 21;

fn table_len() -> usize {
	Chain::fabric_with_keys().block(|| table().len())
}

fn dispatch(call: Call<Test>, origin: RuntimeOrigin) -> DispatchResultWithPostInfo {
	RuntimeCall::from(call).dispatch(origin)
}

/// What a call fails with, changing nothing.
fn assert_refused(call: &Call<Test>, origin: RuntimeOrigin, expected: DispatchError) {
	assert_noop!(dispatch(call.clone(), origin).map_err(|error| error.error), expected);
}

fn freeze(subject: Subject, enabled: bool) {
	assert_ok!(ContentFabric::set_governance_delete(signed(GOVERNOR), subject, enabled));
}

/// Brings about what has to be before a call.
fn prepare(before: Before, call: &Call<Test>) {
	assert_ok!(ContentFabric::create_space(
		RuntimeOrigin::root(),
		OTHER_SPACE,
		OTHER_GOVERNOR,
		rules()
	));
	assert_ok!(ContentFabric::admit(signed(GOVERNOR), SPACE, ADMITTED, Role::Tenant));
	match before {
		Before::Nothing => {},
		Before::GivenUp => {
			freeze(Subject::Provider(PROVIDER), true);
			freeze(Subject::Tenant(TENANT), true);
		},
		Before::Empty => {
			let governor = || signed(GOVERNOR);
			assert_ok!(ContentFabric::governance_delete_provider(governor(), PROVIDER, 0, 100));
			assert_ok!(ContentFabric::governance_delete_tenant(governor(), TENANT, 0, 100));
			if !matches!(call, Call::delete_space { .. }) {
				let (provider, tenant) = (signed(PROVIDER_ROOT), signed(TENANT_ROOT));
				assert_ok!(ContentFabric::create_provider(provider, SPACE, PROVIDER));
				assert_ok!(ContentFabric::create_tenant(tenant, SPACE, TENANT));
			}
		},
		Before::Going => {
			let governor = signed(GOVERNOR);
			assert_ok!(ContentFabric::governance_delete_tenant(governor, TENANT, 0, 0));
		},
	}
}

#[test]
fn every_call_is_for_those_in_the_table_and_nobody_else() {
	for row in 0..table_len() {
		for who in ACCOUNTS {
			Chain::fabric_with_keys().block(|| {
				let (call, allowed, before) = table().swap_remove(row);
				prepare(before, &call);
				if allowed.allows(who) {
					assert_ok!(dispatch(call.clone(), signed(who)));
				} else {
					assert_refused(&call, signed(who), allowed.error());
				}
			});
		}
		Chain::fabric_with_keys().block(|| {
			let (call, allowed, before) = table().swap_remove(row);
			prepare(before, &call);
			assert_refused(&call, RuntimeOrigin::none(), BadOrigin);
			if allowed.allows_root() {
				assert_ok!(dispatch(call.clone(), RuntimeOrigin::root()));
			} else {
				assert_refused(&call, RuntimeOrigin::root(), BadOrigin);
			}
		});
	}
}

#[test]
fn the_table_has_every_call() {
	Chain::fabric_with_keys().block(|| {
		let mut names: Vec<_> = table().iter().map(|(call, ..)| call.get_call_name()).collect();
		names.dedup();
		assert_eq!(names, Call::<Test>::get_call_names());
	});
}

/// Calls that have nothing to do with the provider and the tenant of the fabric.
const OF_SPACES: [&str; 6] = [
	"create_space",
	"set_space_rules",
	"set_space_governor",
	"admit",
	"revoke_admission",
	"delete_space",
];

#[test]
fn every_call_on_a_member_that_is_being_deleted_is_refused() {
	for row in 0..table_len() {
		Chain::fabric_with_keys().block(|| {
			let (call, allowed, before) = table().swap_remove(row);
			if OF_SPACES.contains(&call.get_call_name()) || before == Before::Going {
				return;
			}
			// New members with the ids of those that go.
			let call = match call {
				Call::create_provider { space, .. } => {
					Call::create_provider { space, provider: PROVIDER }
				},
				Call::create_tenant { space, .. } => Call::create_tenant { space, tenant: TENANT },
				call => call,
			};
			prepare(Before::Nothing, &call);
			let governor = || signed(GOVERNOR);
			assert_ok!(ContentFabric::governance_delete_provider(governor(), PROVIDER, 0, 0));
			assert_ok!(ContentFabric::governance_delete_tenant(governor(), TENANT, 0, 0));
			let error = Error::<Test>::BeingDeleted.into();
			for who in ACCOUNTS.into_iter().filter(|who| allowed.allows(*who)) {
				assert_refused(&call, signed(who), error);
			}
			if allowed.allows_root() {
				assert_refused(&call, RuntimeOrigin::root(), error);
			}
		});
	}
}

#[test]
fn a_frozen_member_answers_to_nobody_but_governance() {
	for (subject, error) in [
		(Subject::Provider(PROVIDER), DispatchError::from(Error::<Test>::ProviderFrozen)),
		(Subject::Tenant(TENANT), Error::<Test>::TenantFrozen.into()),
	] {
		let concerns = |accounts: &[AccountId]| match subject {
			Subject::Provider(_) => accounts.contains(&PROVIDER_ROOT),
			Subject::Tenant(_) => accounts.contains(&TENANT_ROOT),
		};
		for row in 0..table_len() {
			Chain::fabric_with_keys().block(|| {
				let (call, Allowed::Levels(accounts), Before::Nothing) = table().swap_remove(row)
				else {
					return;
				};
				if !concerns(accounts) {
					return;
				}
				prepare(Before::Nothing, &call);
				freeze(subject, true);
				for who in ACCOUNTS {
					assert_refused(&call, signed(who), error);
				}
				freeze(subject, false);
				assert_ok!(dispatch(call, signed(accounts[0])));
			});
		}
		// The root cannot hand over, but governance can.
		let (root, call) = match subject {
			Subject::Provider(provider) => {
				(PROVIDER_ROOT, Call::set_provider_root { provider, root: STRANGER })
			},
			Subject::Tenant(tenant) => {
				(TENANT_ROOT, Call::set_tenant_root { tenant, root: STRANGER })
			},
		};
		Chain::fabric_with_keys().block(|| {
			freeze(subject, true);
			assert_refused(&call, signed(root), error);
			assert_ok!(dispatch(call, signed(GOVERNOR)));
		});
	}
}

#[test]
fn freezing_one_side_stops_commits_and_finalization() {
	for (subject, error) in [
		(Subject::Provider(PROVIDER), DispatchError::from(Error::<Test>::ProviderFrozen)),
		(Subject::Tenant(TENANT), Error::<Test>::TenantFrozen.into()),
	] {
		Chain::small_fabric().block(|| {
			freeze(subject, true);
			assert_noop!(commit(message(VersionId([7; 32]))), error);
			assert_noop!(
				ContentFabric::finalize_version(signed(PROVIDER_ROOT), TENANT, OBJECT, DRAFT),
				error
			);
		});
	}
}

#[test]
fn the_governor_governs_one_space() {
	Chain::small_fabric().block(|| {
		assert_ok!(ContentFabric::create_space(
			RuntimeOrigin::root(),
			OTHER_SPACE,
			STRANGER,
			rules()
		));
		assert!(governs(signed(STRANGER), OTHER_SPACE) && !governs(signed(STRANGER), SPACE));
		assert!(governs(signed(GOVERNOR), SPACE) && !governs(signed(GOVERNOR), OTHER_SPACE));
	});
}
