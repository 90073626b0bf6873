//! Who is admitted to a space, and by which rules.

use frame_support::{assert_noop, assert_ok, dispatch::GetDispatchInfo};
use sp_runtime::{traits::Dispatchable, DispatchError::BadOrigin, DispatchResult, TokenError};

use crate::{
	identifiers::{ProviderId, SpaceId, TenantId},
	mock::*,
	AdmissionPolicy, Admissions, Call, Error, Event, Providers, Role, SpaceRules, SpaceRulesOf,
	Spaces, Tenants, WeightInfo,
};

const OTHER_SPACE: SpaceId = SpaceId([7; 10]);
const OTHER_GOVERNOR: AccountId = 10;
const OTHER_PROVIDER: ProviderId = ProviderId([7; 10]);
const OTHER_TENANT: TenantId = TenantId([7; 10]);
/// `MaxAdmissions` of this runtime.
const MAX_ADMISSIONS: u32 = 16;

/// Rules under which governance admits every member.
fn approval() -> SpaceRulesOf<Test> {
	SpaceRules { admission: AdmissionPolicy::Approval, ..rules() }
}

/// A chain with an empty space that asks for approval.
fn guarded() -> Chain {
	let mut chain = Chain::empty();
	chain.block(|| {
		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(root, SPACE, GOVERNOR, approval()));
	});
	chain
}

fn admit(account: AccountId, role: Role) -> DispatchResult {
	ContentFabric::admit(signed(GOVERNOR), SPACE, account, role)
}

fn revoke(account: AccountId, role: Role) -> DispatchResult {
	ContentFabric::revoke_admission(signed(GOVERNOR), SPACE, account, role)
}

/// Makes a call that takes all back if it fails, as transactions do.
fn dispatch(who: AccountId, call: Call<Test>) -> DispatchResult {
	RuntimeCall::from(call).dispatch(signed(who)).map(|_| ()).map_err(|error| error.error)
}

fn create_provider(who: AccountId, provider: ProviderId) -> DispatchResult {
	dispatch(who, Call::create_provider { space: SPACE, provider })
}

fn create_tenant(who: AccountId, tenant: TenantId) -> DispatchResult {
	dispatch(who, Call::create_tenant { space: SPACE, tenant })
}

fn is_admitted(account: AccountId, role: Role) -> bool {
	Admissions::<Test>::contains_key(SPACE, (account, role))
}

/// The number of admissions that have not been used, as the space tells it.
fn count() -> u32 {
	Spaces::<Test>::get(SPACE).expect("the space exists").admission_count
}

#[test]
fn a_stranger_is_not_admitted() {
	guarded().block(|| {
		// Not even the governor admits itself by creating.
		for who in [STRANGER, GOVERNOR, TENANT_ROOT] {
			assert_noop!(create_provider(who, PROVIDER), Error::<Test>::NotAdmitted);
			assert_noop!(create_tenant(who, TENANT), Error::<Test>::NotAdmitted);
		}
	});
}

#[test]
fn an_admission_is_for_one_member() {
	let mut chain = guarded();
	chain.block(|| {
		assert_ok!(admit(PROVIDER_ROOT, Role::Provider));
		assert_ok!(admit(TENANT_ROOT, Role::Tenant));
		assert_eq!(
			events(),
			[
				Event::Admitted { space: SPACE, account: PROVIDER_ROOT, role: Role::Provider },
				Event::Admitted { space: SPACE, account: TENANT_ROOT, role: Role::Tenant },
			]
		);
		assert_eq!(count(), 2);
	});
	chain.block(|| {
		assert_ok!(create_provider(PROVIDER_ROOT, PROVIDER));
		assert_ok!(create_tenant(TENANT_ROOT, TENANT));
		assert_eq!(count(), 0);
		assert!(!is_admitted(PROVIDER_ROOT, Role::Provider));
		assert!(!is_admitted(TENANT_ROOT, Role::Tenant));
		assert_noop!(create_provider(PROVIDER_ROOT, OTHER_PROVIDER), Error::<Test>::NotAdmitted);
		assert_noop!(create_tenant(TENANT_ROOT, OTHER_TENANT), Error::<Test>::NotAdmitted);
		// Used is not taken back.
		assert_noop!(revoke(TENANT_ROOT, Role::Tenant), Error::<Test>::AdmissionNotFound);
	});
	// The member that went does not leave its admission behind; governance may give another.
	chain.block(|| {
		assert_ok!(ContentFabric::delete_tenant(signed(TENANT_ROOT), TENANT));
		assert_noop!(create_tenant(TENANT_ROOT, TENANT), Error::<Test>::NotAdmitted);
		assert_ok!(admit(TENANT_ROOT, Role::Tenant));
		assert_ok!(create_tenant(TENANT_ROOT, TENANT));
	});
}

#[test]
fn an_account_is_admitted_as_each_on_its_own() {
	guarded().block(|| {
		assert_ok!(admit(STRANGER, Role::Provider));
		assert_noop!(create_tenant(STRANGER, TENANT), Error::<Test>::NotAdmitted);
		assert_noop!(revoke(STRANGER, Role::Tenant), Error::<Test>::AdmissionNotFound);
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_eq!(count(), 2);
		assert_ok!(create_tenant(STRANGER, TENANT));
		assert!(is_admitted(STRANGER, Role::Provider));
		assert_ok!(create_provider(STRANGER, PROVIDER));
		assert_eq!(count(), 0);
	});
}

#[test]
fn an_account_is_admitted_once_at_a_time() {
	guarded().block(|| {
		for role in [Role::Provider, Role::Tenant] {
			assert_ok!(admit(STRANGER, role));
			assert_noop!(admit(STRANGER, role), Error::<Test>::AlreadyAdmitted);
		}
		assert_ok!(create_tenant(STRANGER, TENANT));
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_ok!(create_tenant(STRANGER, OTHER_TENANT));
	});
}

#[test]
fn an_admission_is_taken_back() {
	guarded().block(|| {
		assert_noop!(revoke(STRANGER, Role::Tenant), Error::<Test>::AdmissionNotFound);
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_ok!(revoke(STRANGER, Role::Tenant));
		assert_eq!(
			events().last(),
			Some(&Event::AdmissionRevoked { space: SPACE, account: STRANGER, role: Role::Tenant })
		);
		assert_eq!((count(), is_admitted(STRANGER, Role::Tenant)), (0, false));
		assert_noop!(create_tenant(STRANGER, TENANT), Error::<Test>::NotAdmitted);
		assert_noop!(revoke(STRANGER, Role::Tenant), Error::<Test>::AdmissionNotFound);
	});
}

#[test]
fn a_creation_that_fails_uses_no_admission_up() {
	let pauper = 50;
	guarded().block(|| {
		assert_ok!(admit(pauper, Role::Tenant));
		assert_noop!(create_tenant(pauper, TENANT), TokenError::FundsUnavailable);
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_ok!(admit(TENANT_ROOT, Role::Tenant));
		assert_ok!(create_tenant(TENANT_ROOT, TENANT));
		assert_noop!(create_tenant(STRANGER, TENANT), Error::<Test>::TenantAlreadyExists);
		assert!(is_admitted(pauper, Role::Tenant) && is_admitted(STRANGER, Role::Tenant));
		assert_eq!(count(), 2);
	});
}

#[test]
fn only_so_many_admissions_wait_to_be_used() {
	guarded().block(|| {
		for account in 1..=AccountId::from(MAX_ADMISSIONS / 2) {
			for role in [Role::Provider, Role::Tenant] {
				assert_ok!(admit(account, role));
			}
		}
		assert_eq!(count(), MAX_ADMISSIONS);
		assert_noop!(admit(30, Role::Tenant), Error::<Test>::TooManyAdmissions);
		// What is wrong with an account comes first.
		assert_noop!(admit(1, Role::Tenant), Error::<Test>::AlreadyAdmitted);
		// Each that is taken back, or used, makes room for one.
		assert_ok!(revoke(1, Role::Tenant));
		assert_ok!(admit(30, Role::Tenant));
		assert_noop!(admit(31, Role::Tenant), Error::<Test>::TooManyAdmissions);
		assert_ok!(create_provider(2, PROVIDER));
		assert_ok!(admit(31, Role::Tenant));
		assert_noop!(admit(32, Role::Tenant), Error::<Test>::TooManyAdmissions);
		// Other spaces have a number of their own.
		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(root, OTHER_SPACE, OTHER_GOVERNOR, approval()));
		assert_ok!(ContentFabric::admit(signed(OTHER_GOVERNOR), OTHER_SPACE, 32, Role::Tenant));
		assert_eq!(count(), MAX_ADMISSIONS);
	});
}

#[test]
fn an_admission_is_to_one_space() {
	guarded().block(|| {
		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(root, OTHER_SPACE, OTHER_GOVERNOR, approval()));
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_noop!(
			dispatch(STRANGER, Call::create_tenant { space: OTHER_SPACE, tenant: TENANT }),
			Error::<Test>::NotAdmitted
		);
		assert_ok!(create_tenant(STRANGER, TENANT));
	});
}

#[test]
fn an_open_space_needs_no_admission_and_uses_none_up() {
	Chain::small_fabric().block(|| {
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_ok!(create_tenant(STRANGER, OTHER_TENANT));
		assert_ok!(create_provider(STRANGER, OTHER_PROVIDER));
		assert_eq!((count(), is_admitted(STRANGER, Role::Tenant)), (1, true));
		// It waits for the day when the space asks for it.
		assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, approval()));
		let (first, second) = (TenantId([8; 10]), TenantId([9; 10]));
		assert_ok!(create_tenant(STRANGER, first));
		assert_noop!(create_tenant(STRANGER, second), Error::<Test>::NotAdmitted);
	});
}

#[test]
fn new_rules_hold_for_those_who_come_after() {
	Chain::small_fabric().block(|| {
		let sla: Vec<u8> = b"https://example.net/sla".to_vec();
		let rules: SpaceRulesOf<Test> = SpaceRules {
			provider_bond: 1,
			tenant_bond: 2,
			admission: AdmissionPolicy::Approval,
			partitions: 9,
			sla: sla.try_into().expect("is short"),
		};
		assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, rules.clone()));
		assert_eq!(events(), [Event::SpaceRulesSet { space: SPACE, rules: rules.clone() }]);
		let info = Spaces::<Test>::get(SPACE).expect("the space exists");
		assert_eq!(info.rules, rules);
		assert_eq!((info.governor, info.provider_count, info.tenant_count), (GOVERNOR, 1, 1));
		assert_noop!(create_tenant(STRANGER, OTHER_TENANT), Error::<Test>::NotAdmitted);
		// Those who are members stay so, with the bond that they have.
		assert_eq!(Providers::<Test>::get(PROVIDER).map(|info| info.bond), Some(PROVIDER_BOND));
		assert_eq!(Tenants::<Test>::get(TENANT).map(|info| info.bond), Some(TENANT_BOND));
		assert_ok!(ContentFabric::add_kms(
			signed(TENANT_ROOT),
			TENANT,
			crate::identifiers::KmsId([7; 10]),
			locator("x")
		));
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_ok!(create_tenant(STRANGER, OTHER_TENANT));
		assert_eq!(Tenants::<Test>::get(OTHER_TENANT).map(|info| info.bond), Some(2));
		// And open again.
		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::set_space_rules(root, SPACE, self::rules()));
		assert_ok!(create_provider(STRANGER, OTHER_PROVIDER));
		assert_eq!(
			Providers::<Test>::get(OTHER_PROVIDER).map(|info| info.bond),
			Some(PROVIDER_BOND)
		);
	});
}

#[test]
fn a_space_takes_its_admissions_with_it() {
	for unused in [0, 1, 5, MAX_ADMISSIONS] {
		let mut chain = guarded();
		// Some in one block, some in another, so that they are in the backend and in the overlay.
		let accounts = |from: u32, to: u32| (from..to).map(AccountId::from);
		chain.block(|| {
			for account in accounts(0, unused / 2) {
				assert_ok!(admit(account, Role::Tenant));
			}
		});
		chain.block(|| {
			for account in accounts(unused / 2, unused) {
				assert_ok!(admit(account, Role::Provider));
			}
			assert_eq!(count(), unused);
			let declared = Call::<Test>::delete_space { space: SPACE }.get_dispatch_info();
			assert_eq!(declared.call_weight, <() as WeightInfo>::delete_space(MAX_ADMISSIONS));
			let deleted = ContentFabric::delete_space(signed(GOVERNOR), SPACE)
				.expect("the space has no members");
			assert_eq!(deleted.actual_weight, Some(<() as WeightInfo>::delete_space(unused)));
			assert_eq!(events().last(), Some(&Event::SpaceDeleted { space: SPACE }));
		});
		// A space of the same id starts without any.
		chain.block(|| {
			assert_eq!(keys_under(&raw_key("Admissions", &[])), 0);
			let root = RuntimeOrigin::root();
			assert_ok!(ContentFabric::create_space(root, SPACE, GOVERNOR, approval()));
			assert_eq!(count(), 0);
			assert_noop!(create_tenant(1, TENANT), Error::<Test>::NotAdmitted);
		});
	}
}

#[test]
fn admissions_of_other_spaces_stay() {
	let mut chain = guarded();
	chain.block(|| {
		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(root, OTHER_SPACE, OTHER_GOVERNOR, approval()));
		assert_ok!(admit(STRANGER, Role::Tenant));
		let governor = signed(OTHER_GOVERNOR);
		assert_ok!(ContentFabric::admit(governor, OTHER_SPACE, STRANGER, Role::Tenant));
	});
	chain.block(|| {
		assert_ok!(ContentFabric::delete_space(signed(GOVERNOR), SPACE));
		assert_ok!(dispatch(STRANGER, Call::create_tenant { space: OTHER_SPACE, tenant: TENANT }));
	});
}

/// Every call of governance on a space.
fn calls_on(space: SpaceId) -> Vec<Call<Test>> {
	let (account, role) = (STRANGER, Role::Tenant);
	vec![
		Call::set_space_rules { space, rules: rules() },
		Call::set_space_governor { space, governor: STRANGER },
		Call::admit { space, account, role },
		Call::revoke_admission { space, account, role },
		Call::delete_space { space },
	]
}

#[test]
fn an_unknown_space_is_named() {
	guarded().block(|| {
		for call in calls_on(OTHER_SPACE) {
			for origin in [RuntimeOrigin::root(), signed(GOVERNOR), signed(STRANGER)] {
				assert_noop!(
					RuntimeCall::from(call.clone()).dispatch(origin).map_err(|error| error.error),
					Error::<Test>::SpaceNotFound
				);
			}
		}
		for call in [
			Call::create_provider { space: OTHER_SPACE, provider: PROVIDER },
			Call::create_tenant { space: OTHER_SPACE, tenant: TENANT },
		] {
			assert_noop!(dispatch(STRANGER, call), Error::<Test>::SpaceNotFound);
		}
	});
}

#[test]
fn the_governor_of_another_space_is_nobody_here() {
	guarded().block(|| {
		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(root, OTHER_SPACE, OTHER_GOVERNOR, approval()));
		assert_ok!(ContentFabric::admit(
			signed(OTHER_GOVERNOR),
			OTHER_SPACE,
			STRANGER,
			Role::Tenant
		));
		for (governor, space) in [(OTHER_GOVERNOR, SPACE), (GOVERNOR, OTHER_SPACE)] {
			for call in calls_on(space) {
				assert_noop!(dispatch(governor, call), BadOrigin);
			}
		}
	});
}
