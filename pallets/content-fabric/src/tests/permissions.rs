// SPDX-License-Identifier: Apache-2.0
//! Permissions: every call, tried by every origin, in every state of the members.

use frame_support::{
	assert_noop, assert_ok, dispatch::DispatchResultWithPostInfo, pallet_prelude::StorageVersion,
	traits::GetCallName,
};
use sp_runtime::{
	traits::Dispatchable,
	DispatchError::{self, BadOrigin},
};

use crate::{
	identifiers::{
		ContentObjectId, KmsId, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
		TenantId,
	},
	mock::*,
	Call, Error, Pallet, ProviderLevel, Role, TenantLevel,
};

/// A space with a governor of its own, who has no authority elsewhere.
const OTHER_SPACE: SpaceId = SpaceId([7; 10]);
const OTHER_GOVERNOR: AccountId = 10;
/// An account that is admitted as a tenant.
const ADMITTED: AccountId = 21;
/// The nominees of the roots.
const NOMINEE: AccountId = 22;

const ACCOUNTS: [AccountId; 11] = [
	GOVERNOR,
	OTHER_GOVERNOR,
	PROVIDER_ROOT,
	PROVIDER_ADMIN,
	OPERATOR,
	TENANT_ROOT,
	TENANT_ADMIN,
	KMS_ACCOUNT,
	EDITOR,
	NOMINEE,
	STRANGER,
];

/// Accounts with a level in the provider, highest first, and the operator of its nodes.
const OF_PROVIDER: [AccountId; 3] = [PROVIDER_ROOT, PROVIDER_ADMIN, OPERATOR];
/// Accounts with a level in the tenant, highest first.
const OF_TENANT: [AccountId; 4] = [TENANT_ROOT, TENANT_ADMIN, KMS_ACCOUNT, EDITOR];

/// The accounts that may make a call.
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
	/// These accounts. All others have no permission.
	Accounts(&'static [AccountId]),
	/// The nominee of the member's root.
	Nominee,
}

impl Allowed {
	fn allows(self, who: AccountId) -> bool {
		match self {
			Self::Creator => false,
			Self::Governance => who == GOVERNOR,
			Self::GovernanceOr(account) => [GOVERNOR, account].contains(&who),
			Self::Anyone => true,
			Self::Accounts(accounts) => accounts.contains(&who),
			Self::Nominee => who == NOMINEE,
		}
	}

	/// Returns the error of all other accounts.
	fn error(self) -> DispatchError {
		match self {
			Self::Accounts(_) => Error::<Test>::NoPermission.into(),
			Self::Nominee => Error::<Test>::NotNominated.into(),
			_ => BadOrigin,
		}
	}

	fn allows_root(self) -> bool {
		matches!(self, Self::Creator | Self::Governance | Self::GovernanceOr(_))
	}
}

/// The state that a call needs before it can succeed.
#[derive(Clone, Copy, PartialEq)]
enum Before {
	Nothing,
	/// The provider and the tenant are frozen.
	Frozen,
	/// The provider and the tenant have been empty for long.
	Empty,
	/// The space is empty.
	EmptySpace,
	/// The tenant is being deleted since the block before.
	BeingDeleted,
}

/// The relation of a call to the provider and the tenant.
#[derive(Clone, Copy, PartialEq)]
enum On {
	/// Not at all.
	Space,
	/// It creates one.
	New,
	/// The member itself, for its root or its nominee.
	Member,
	/// The member itself, for governance.
	Governed,
	/// Rows under it.
	Rows,
	/// Rows under it while it is frozen.
	FrozenRows,
	/// A purge.
	Purge,
}

struct Row {
	call: Call<Test>,
	allowed: Allowed,
	before: Before,
	on: On,
}

/// Returns every call, with the accounts that may make it in the fabric with keys. Must be called
/// within a block.
fn table() -> Vec<Row> {
	use Allowed::*;
	use Before::*;

	let (space, provider, tenant, object) = (SPACE, PROVIDER, TENANT, OBJECT);
	let (the_provider, the_tenant) = (THE_PROVIDER, THE_TENANT);
	let (governor, account, operator) = (STRANGER, 20, STRANGER);
	let (amount, max_held) = (1, MAX_HELD);
	let provider_admins = Accounts(&OF_PROVIDER[..2]);
	let tenant_admins = Accounts(&OF_TENANT[..2]);
	let provider_root = Accounts(&OF_PROVIDER[..1]);
	let tenant_root = Accounts(&OF_TENANT[..1]);
	let commit = commit_of(&[draft(OBJECT, NEW)]);
	let role = Role::Tenant;
	let (of_provider, of_tenant) = (created(the_provider), created(the_tenant));
	let why = || reason("why");
	let list = |call, allowed, before, on| Row { call, allowed, before, on };
	let of_space = |call, allowed| list(call, allowed, Nothing, On::Space);
	let of_member = |call, allowed| list(call, allowed, Nothing, On::Member);
	let governed = |call| list(call, Governance, Nothing, On::Governed);
	let of_rows = |call, allowed| list(call, allowed, Nothing, On::Rows);
	let of_frozen = |call| list(call, Anyone, Frozen, On::FrozenRows);
	vec![
		of_space(Call::create_space { space: SpaceId([8; 10]), governor, rules: rules() }, Creator),
		of_space(Call::set_space_rules { space, rules: rules() }, Governance),
		of_space(Call::set_space_governor { space, governor }, Governance),
		of_space(Call::admit { space, account, role }, Governance),
		of_space(
			Call::revoke_admissions {
				space,
				admissions: vec![(ADMITTED, role)].try_into().expect("one is few"),
			},
			Governance,
		),
		list(Call::delete_space { space }, Governance, EmptySpace, On::Space),
		list(
			Call::create_provider { space, id: ProviderId([7; 10]), max_held },
			Anyone,
			Nothing,
			On::New,
		),
		list(
			Call::create_tenant { space, id: TenantId([7; 10]), max_held },
			Anyone,
			Nothing,
			On::New,
		),
		of_member(Call::top_up_bond { member: the_provider, amount }, provider_root),
		of_member(Call::top_up_bond { member: the_tenant, amount }, tenant_root),
		of_member(Call::set_max_held { member: the_provider, amount: max_held }, provider_root),
		of_member(Call::set_max_held { member: the_tenant, amount: max_held }, tenant_root),
		of_member(
			Call::nominate_root {
				member: the_provider,
				created: of_provider,
				nominee: Some(STRANGER),
			},
			GovernanceOr(PROVIDER_ROOT),
		),
		of_member(
			Call::nominate_root { member: the_tenant, created: of_tenant, nominee: Some(STRANGER) },
			GovernanceOr(TENANT_ROOT),
		),
		of_member(Call::accept_root { member: the_provider, max_held }, Nominee),
		of_member(Call::accept_root { member: the_tenant, max_held }, Nominee),
		of_member(Call::purge_member { member: the_provider }, provider_root),
		of_member(Call::purge_member { member: the_tenant }, tenant_root),
		list(Call::delete_member { member: the_provider }, provider_root, Empty, On::Member),
		list(Call::delete_member { member: the_tenant }, tenant_root, Empty, On::Member),
		of_rows(
			Call::set_provider_key { id: provider, account, level: Some(ProviderLevel::Admin) },
			provider_root,
		),
		of_rows(
			Call::set_tenant_key { id: tenant, account, level: Some(TenantLevel::Admin) },
			tenant_root,
		),
		of_rows(
			Call::set_tenant_key { id: tenant, account, level: Some(TenantLevel::Kms) },
			tenant_admins,
		),
		of_rows(
			Call::set_tenant_key { id: tenant, account, level: Some(TenantLevel::Content) },
			tenant_admins,
		),
		of_rows(Call::set_tenant_key { id: tenant, account: EDITOR, level: None }, tenant_admins),
		of_rows(
			Call::create_node { provider, node: NodeId([7; 10]), operator, locator: locator("x") },
			provider_admins,
		),
		of_rows(Call::confirm_node { provider, node: PENDING_NODE }, Accounts(&OF_PROVIDER)),
		of_rows(
			Call::set_node_locator { provider, node: NODE, locator: locator("x") },
			provider_admins,
		),
		of_rows(Call::set_node_operator { provider, node: NODE, operator }, provider_admins),
		of_rows(Call::remove_node { provider, node: NODE }, provider_admins),
		of_rows(
			Call::add_kms { tenant, kms: KmsId([7; 10]), locator: locator("x") },
			tenant_admins,
		),
		of_rows(Call::set_kms_locator { tenant, kms: KMS, locator: locator("x") }, tenant_admins),
		of_rows(Call::remove_kms { tenant, kms: KMS }, tenant_admins),
		of_rows(
			Call::create_content_object { tenant, object: ContentObjectId([7; 10]) },
			Accounts(&OF_TENANT),
		),
		of_rows(
			Call::commit_versions {
				tenant_signer: EDITOR,
				signature: sign(EDITOR, &commit),
				commit,
			},
			Accounts(&OF_PROVIDER),
		),
		of_rows(
			Call::finalize_versions {
				originator: provider,
				node: NODE,
				tenant,
				versions: vec![(object, DRAFT)].try_into().expect("one is few"),
			},
			Accounts(&OF_PROVIDER),
		),
		of_rows(Call::set_head_version { tenant, object, version: None }, Accounts(&OF_TENANT)),
		of_rows(Call::delete_version { tenant, object, version: DRAFT }, Accounts(&OF_TENANT)),
		of_rows(Call::delete_content_object { tenant, object: EMPTY_OBJECT }, Accounts(&OF_TENANT)),
		of_rows(
			Call::create_collection {
				tenant,
				name: name("new"),
				key_type: RecordKeyType::Any,
				syntax: RecordKeySyntax::Unreserved,
			},
			tenant_admins,
		),
		of_rows(Call::delete_collection { tenant, name: name(EMPTY_COLLECTION) }, tenant_admins),
		of_rows(
			Call::put_records {
				tenant,
				collection: name(COLLECTION),
				records: vec![(Some(key("new")), whole_object())].try_into().expect("one is few"),
			},
			Accounts(&OF_TENANT),
		),
		of_rows(
			Call::delete_records {
				tenant,
				collection: name(COLLECTION),
				keys: vec![key(RECORD)].try_into().expect("one is few"),
			},
			Accounts(&OF_TENANT),
		),
		governed(Call::slash { member: the_provider, created: of_provider, amount, reason: why() }),
		governed(Call::slash { member: the_tenant, created: of_tenant, amount, reason: why() }),
		governed(Call::set_suspended {
			member: the_provider,
			created: of_provider,
			enabled: true,
			reason: why(),
		}),
		governed(Call::set_suspended {
			member: the_tenant,
			created: of_tenant,
			enabled: true,
			reason: why(),
		}),
		governed(Call::set_governance_delete {
			member: the_provider,
			created: of_provider,
			enabled: true,
			reason: why(),
		}),
		governed(Call::set_governance_delete {
			member: the_tenant,
			created: of_tenant,
			enabled: true,
			reason: why(),
		}),
		of_frozen(Call::governance_delete_node { provider, node: NODE }),
		of_frozen(Call::governance_delete_provider_key { id: provider, account: PROVIDER_ADMIN }),
		of_frozen(Call::governance_delete_tenant_key { id: tenant, account: EDITOR }),
		of_frozen(Call::governance_delete_kms { tenant, kms: KMS }),
		of_frozen(Call::governance_delete_content_object { tenant, object: EMPTY_OBJECT }),
		of_frozen(Call::governance_delete_version { tenant, object, version: DRAFT }),
		of_frozen(Call::governance_delete_collection { tenant, name: name(EMPTY_COLLECTION) }),
		of_frozen(Call::governance_delete_record {
			tenant,
			collection: name(COLLECTION),
			key: key(RECORD),
		}),
		governed(Call::governance_delete {
			member: the_provider,
			created: of_provider,
			slash: 0,
			reason: why(),
		}),
		governed(Call::governance_delete {
			member: the_tenant,
			created: of_tenant,
			slash: 0,
			reason: why(),
		}),
		list(Call::reap { member: the_tenant, limit: 1 }, Anyone, BeingDeleted, On::Purge),
	]
}

/// Returns every call, with arguments for the fabric with keys. Must be called within a block.
pub fn every_call() -> Vec<Call<Test>> {
	table().into_iter().map(|row| row.call).collect()
}

/// A fabric with keys, another space, an admission, and a nominee of each root.
fn chain() -> Chain {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(root, OTHER_SPACE, OTHER_GOVERNOR, rules()));
		for (member, root) in [(THE_PROVIDER, PROVIDER_ROOT), (THE_TENANT, TENANT_ROOT)] {
			let (root, created) = (signed(root), created(member));
			assert_ok!(ContentFabric::nominate_root(root, member, created, Some(NOMINEE)));
		}
	});
	chain
}

fn table_len() -> usize {
	chain().block(|| table().len())
}

fn dispatch(call: Call<Test>, origin: RuntimeOrigin) -> DispatchResultWithPostInfo {
	RuntimeCall::from(call).dispatch(origin)
}

#[track_caller]
fn assert_refused(call: &Call<Test>, origin: RuntimeOrigin, expected: impl Into<DispatchError>) {
	let name = call.get_call_name();
	let result = dispatch(call.clone(), origin.clone()).map_err(|error| error.error);
	let expected = expected.into();
	assert_eq!(result.err(), Some(expected), "{name} by {origin:?}");
	assert_noop!(dispatch(call.clone(), origin).map_err(|error| error.error), expected);
}

/// Brings about what a call needs.
fn prepare(chain: &mut Chain, before: Before) {
	match before {
		Before::Nothing => {},
		Before::Frozen => chain.block(|| {
			assert_ok!(freeze(THE_PROVIDER, true));
			assert_ok!(freeze(THE_TENANT, true));
		}),
		Before::Empty => {
			chain.block(|| {
				let (provider, tenant) = (signed(PROVIDER_ROOT), signed(TENANT_ROOT));
				assert_ok!(ContentFabric::purge_member(provider, THE_PROVIDER));
				assert_ok!(ContentFabric::purge_member(tenant, THE_TENANT));
			});
			chain.idle();
			chain.pass(UnbondingPeriod::get());
		},
		Before::EmptySpace => {
			chain.block(|| {
				assert_ok!(governance_delete(THE_PROVIDER));
				assert_ok!(governance_delete(THE_TENANT));
			});
			chain.idle();
		},
		Before::BeingDeleted => chain.block(|| {
			assert_ok!(governance_delete(THE_TENANT));
		}),
	}
	if before != Before::EmptySpace {
		chain.block(|| {
			assert_ok!(ContentFabric::admit(signed(GOVERNOR), SPACE, ADMITTED, Role::Tenant));
		});
	}
}

/// Returns the kind of the member that a call is for.
fn is_of_provider(call: &Call<Test>) -> bool {
	use crate::MemberId::Provider;
	matches!(
		call,
		Call::create_provider { .. }
			| Call::set_provider_key { .. }
			| Call::create_node { .. }
			| Call::confirm_node { .. }
			| Call::set_node_locator { .. }
			| Call::set_node_operator { .. }
			| Call::remove_node { .. }
			| Call::commit_versions { .. }
			| Call::finalize_versions { .. }
			| Call::governance_delete_node { .. }
			| Call::governance_delete_provider_key { .. }
			| Call::top_up_bond { member: Provider(_), .. }
			| Call::set_max_held { member: Provider(_), .. }
			| Call::nominate_root { member: Provider(_), .. }
			| Call::accept_root { member: Provider(_), .. }
			| Call::purge_member { member: Provider(_) }
			| Call::delete_member { member: Provider(_) }
			| Call::slash { member: Provider(_), .. }
			| Call::set_suspended { member: Provider(_), .. }
			| Call::set_governance_delete { member: Provider(_), .. }
			| Call::governance_delete { member: Provider(_), .. }
	)
}

#[test]
fn every_call_is_for_those_in_the_table_and_nobody_else() {
	for row in 0..table_len() {
		for who in ACCOUNTS.map(Some).into_iter().chain([None]) {
			let mut chain = chain();
			let before = chain.block(|| table()[row].before);
			prepare(&mut chain, before);
			chain.block(|| {
				let Row { call, allowed, .. } = table().swap_remove(row);
				match who {
					Some(who) if allowed.allows(who) => {
						let result = dispatch(call.clone(), signed(who));
						assert!(result.is_ok(), "{} by {who}: {result:?}", call.get_call_name());
					},
					Some(who) => assert_refused(&call, signed(who), allowed.error()),
					None => {
						assert_refused(&call, RuntimeOrigin::none(), BadOrigin);
						if allowed.allows_root() {
							assert_ok!(dispatch(call, RuntimeOrigin::root()));
						} else {
							assert_refused(&call, RuntimeOrigin::root(), BadOrigin);
						}
					},
				}
			});
		}
	}
}

#[test]
fn the_table_has_every_call() {
	chain().block(|| {
		let mut names: Vec<_> = table().iter().map(|row| row.call.get_call_name()).collect();
		names.dedup();
		let mut expected = Call::<Test>::get_call_names().to_vec();
		names.sort_unstable();
		expected.sort_unstable();
		assert_eq!(names, expected);
	});
}

/// Runs a check on every call of some kinds, by those who may make it, in a state of both members.
fn for_each_call(
	state: impl Fn(&mut Chain),
	kinds: &[On],
	check: impl Fn(&Row, RuntimeOrigin, AccountId),
) {
	for row in 0..table_len() {
		let mut chain = chain();
		let (on, before) = chain.block(|| {
			let row = &table()[row];
			(row.on, row.before)
		});
		if !kinds.contains(&on) || before == Before::Empty {
			continue;
		}
		if before == Before::Frozen {
			prepare(&mut chain, before);
		}
		state(&mut chain);
		chain.block(|| {
			let row = table().swap_remove(row);
			for who in ACCOUNTS.into_iter().filter(|who| row.allowed.allows(*who)) {
				check(&row, signed(who), who);
			}
			if row.allowed.allows_root() {
				check(&row, RuntimeOrigin::root(), GOVERNOR);
			}
		});
	}
}

#[test]
fn every_call_on_a_member_that_governance_has_deleted_is_refused() {
	let state = |chain: &mut Chain| {
		chain.block(|| {
			assert_ok!(governance_delete(THE_PROVIDER));
			assert_ok!(governance_delete(THE_TENANT));
		})
	};
	let kinds = [On::New, On::Member, On::Governed, On::Rows, On::FrozenRows];
	for_each_call(state, &kinds, |row, origin, _| {
		// New members with the ids of those that are being deleted.
		let call = match row.call.clone() {
			Call::create_provider { space, max_held, .. } => {
				Call::create_provider { space, id: PROVIDER, max_held }
			},
			Call::create_tenant { space, max_held, .. } => {
				Call::create_tenant { space, id: TENANT, max_held }
			},
			call => call,
		};
		assert_refused(&call, origin, Error::<Test>::BeingDeleted);
	});
}

#[test]
fn rows_of_a_member_that_its_root_purges_are_closed_and_the_member_itself_is_not() {
	let state = |chain: &mut Chain| {
		chain.block(|| {
			let (provider, tenant) = (signed(PROVIDER_ROOT), signed(TENANT_ROOT));
			assert_ok!(ContentFabric::purge_member(provider, THE_PROVIDER));
			assert_ok!(ContentFabric::purge_member(tenant, THE_TENANT));
		})
	};
	for_each_call(state, &[On::Rows], |row, origin, _| {
		assert_refused(&row.call, origin, Error::<Test>::BeingPurged);
	});
	for_each_call(state, &[On::Governed], |row, origin, _| {
		// Governance may delete a member once.
		let result = dispatch(row.call.clone(), origin).map_err(|error| error.error);
		assert!(matches!(result, Ok(_) | Err(DispatchError::Module(_))));
		let being_deleted = Err(Error::<Test>::BeingDeleted.into());
		assert!(result.is_ok() || result.map(drop) == being_deleted);
	});
	for_each_call(state, &[On::Member], |row, origin, _| match row.call {
		Call::purge_member { .. } | Call::accept_root { .. } => {
			assert_refused(&row.call, origin, Error::<Test>::BeingPurged);
		},
		_ => {
			assert_ok!(dispatch(row.call.clone(), origin));
		},
	});
}

#[test]
fn a_frozen_or_suspended_member_obeys_nobody_but_governance() {
	type State = fn(crate::MemberId, bool) -> frame_support::dispatch::DispatchResult;
	let states: [(State, [Error<Test>; 2]); 2] = [
		(freeze, [Error::ProviderFrozen, Error::TenantFrozen]),
		(suspend, [Error::ProviderSuspended, Error::TenantSuspended]),
	];
	for (set, errors) in states {
		let [of_provider, of_tenant] = errors.map(DispatchError::from);
		let state = |chain: &mut Chain| {
			chain.block(|| {
				assert_ok!(set(THE_PROVIDER, true));
				assert_ok!(set(THE_TENANT, true));
			})
		};
		let error = |call: &Call<Test>| match is_of_provider(call) {
			true => of_provider,
			false => of_tenant,
		};
		for_each_call(state, &[On::Rows], |row, origin, _| {
			assert_refused(&row.call, origin, error(&row.call));
		});
		for_each_call(state, &[On::Member], |row, origin, who| {
			let is_governance = matches!(row.call, Call::nominate_root { .. }) && who == GOVERNOR;
			if is_governance {
				assert_ok!(dispatch(row.call.clone(), origin));
			} else {
				assert_refused(&row.call, origin, error(&row.call));
			}
		});
		for_each_call(state, &[On::Governed], |row, origin, _| {
			// Governance may delete a member once.
			let result = dispatch(row.call.clone(), origin).map(drop).map_err(|it| it.error);
			assert!(result.is_ok() || result == Err(Error::<Test>::BeingDeleted.into()));
		});
	}
}

#[test]
fn suspension_opens_no_rows() {
	let state = |chain: &mut Chain| {
		chain.block(|| {
			for member in [THE_PROVIDER, THE_TENANT] {
				assert_ok!(freeze(member, false));
				assert_ok!(suspend(member, true));
			}
		})
	};
	for_each_call(state, &[On::FrozenRows], |row, origin, _| {
		assert_refused(&row.call, origin, Error::<Test>::GovernanceDeleteNotSet);
	});
}

#[test]
fn freezing_or_suspending_one_side_stops_commits_and_finalizations() {
	type State = fn(crate::MemberId, bool) -> frame_support::dispatch::DispatchResult;
	let states: [(State, crate::MemberId, Error<Test>); 4] = [
		(freeze, THE_PROVIDER, Error::ProviderFrozen),
		(freeze, THE_TENANT, Error::TenantFrozen),
		(suspend, THE_PROVIDER, Error::ProviderSuspended),
		(suspend, THE_TENANT, Error::TenantSuspended),
	];
	for (set, member, error) in states {
		let error = DispatchError::from(error);
		Chain::small_fabric().block(|| {
			assert_ok!(set(member, true));
			assert_noop!(commit(NEW), error);
			assert_noop!(finalize(DRAFT), error);
			assert_ok!(set(member, false));
			assert_ok!(commit(NEW));
			assert_ok!(finalize(DRAFT));
		});
	}
}

#[test]
fn every_call_is_refused_until_the_storage_is_migrated() {
	let kinds = [On::Space, On::New, On::Member, On::Governed, On::Rows, On::FrozenRows, On::Purge];
	let state = |_: &mut Chain| {};
	for_each_call(state, &kinds, |row, origin, _| {
		StorageVersion::new(0).put::<Pallet<Test>>();
		assert_refused(&row.call, origin, Error::<Test>::MigrationPending);
		StorageVersion::new(1).put::<Pallet<Test>>();
	});
}

#[test]
fn the_governor_governs_one_space() {
	chain().block(|| {
		assert!(governs(signed(OTHER_GOVERNOR), OTHER_SPACE));
		assert!(!governs(signed(OTHER_GOVERNOR), SPACE));
		assert!(governs(signed(GOVERNOR), SPACE) && !governs(signed(GOVERNOR), OTHER_SPACE));
	});
}
