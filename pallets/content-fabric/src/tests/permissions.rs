// SPDX-License-Identifier: Apache-2.0
//! Permissions: every call, tried by every origin, in every state of the members.

use frame_support::{assert_ok, pallet_prelude::StorageVersion, traits::GetCallName};
use sp_runtime::{
	DispatchError::{self, BadOrigin},
	DispatchResult,
};

use super::{admissions::admit, bonds::set_bonds};
use crate::{
	identifiers::{RecordKeySyntax, RecordKeyType, SpaceId},
	mock::*,
	Call, Error, MemberId, Pallet, ProviderLevel, Role, TenantLevel,
};

/// An account that is admitted as a tenant.
const ADMITTED: AccountId = 21;
/// The nominees of the roots.
const NOMINEE: AccountId = 22;

const ACCOUNTS: [AccountId; 13] = [
	GOVERNOR,
	OTHER_GOVERNOR,
	PROVIDER_ROOT,
	PROVIDER_ADMIN,
	OPERATOR,
	TENANT_ROOT,
	TENANT_ADMIN,
	KMS_ACCOUNT,
	EDITOR,
	READER,
	KMS_OPERATOR,
	NOMINEE,
	STRANGER,
];

/// Accounts with a level in the provider, highest first, and the operator of its nodes.
const OF_PROVIDER: [AccountId; 3] = [PROVIDER_ROOT, PROVIDER_ADMIN, OPERATOR];
/// Accounts whose level in the tenant permits some call, highest first.
const OF_TENANT: [AccountId; 4] = [TENANT_ROOT, TENANT_ADMIN, KMS_ACCOUNT, EDITOR];
/// Accounts that may change the KMS.
const OF_KMS: [AccountId; 3] = [TENANT_ROOT, TENANT_ADMIN, KMS_OPERATOR];
/// The accounts of both, which may remove copies.
const OF_BOTH: [AccountId; 7] =
	[PROVIDER_ROOT, PROVIDER_ADMIN, OPERATOR, TENANT_ROOT, TENANT_ADMIN, KMS_ACCOUNT, EDITOR];

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
#[derive(Clone, Copy, Debug, PartialEq)]
enum Before {
	Nothing,
	/// The provider and the tenant are frozen.
	Frozen,
	/// The provider and the tenant have been empty for long.
	Empty,
	/// The space is empty.
	EmptySpace,
	/// The deletion of the tenant began in the block before.
	BeingDeleted,
}

impl Before {
	const ALL: [Self; 5] =
		[Self::Nothing, Self::Frozen, Self::Empty, Self::EmptySpace, Self::BeingDeleted];
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
	let (governor, account, operator) = (STRANGER, 20, STRANGER);
	let (amount, max_held, role) = (1, MAX_HELD, Role::Tenant);
	let (provider_root, provider_admins) =
		(Accounts(&OF_PROVIDER[..1]), Accounts(&OF_PROVIDER[..2]));
	let (tenant_root, tenant_admins) = (Accounts(&OF_TENANT[..1]), Accounts(&OF_TENANT[..2]));
	let (of_provider, of_tenant) = (Accounts(&OF_PROVIDER), Accounts(&OF_TENANT));
	let (why, locator) = (|| reason("why"), || locator("x"));
	let (names, empty) = (|| name(COLLECTION), || name(EMPTY_COLLECTION));
	let (key_type, syntax) = (RecordKeyType::Any, RecordKeySyntax::Unreserved);
	let records = bounded([(Some(key("new")), whole_object())]);

	let row = |call, allowed, before, on| Row { call, allowed, before, on };
	let of_space = |call, allowed| row(call, allowed, Nothing, On::Space);
	let of_member = |call, allowed| row(call, allowed, Nothing, On::Member);
	let governed = |call| row(call, Governance, Nothing, On::Governed);
	let of_rows = |call, allowed| row(call, allowed, Nothing, On::Rows);
	let of_frozen = |call| row(call, Governance, Frozen, On::FrozenRows);
	let of = (created(THE_PROVIDER), created(THE_TENANT));
	let level_in_tenant = |level| Call::set_tenant_key { id: tenant, account, level: Some(level) };

	let mut rows = vec![
		of_space(Call::create_space { space: SpaceId([8; 10]), governor, rules: rules() }, Creator),
		of_space(Call::set_space_rules { space, rules: rules() }, Governance),
		of_space(Call::set_space_governor { space, governor }, Governance),
		of_space(Call::admit { space, account, role }, Governance),
		of_space(
			Call::revoke_admissions { space, admissions: bounded([(ADMITTED, role)]) },
			Governance,
		),
		row(Call::delete_space { space }, Governance, EmptySpace, On::Space),
		of_rows(
			Call::set_provider_key { id: provider, account, level: Some(ProviderLevel::Admin) },
			provider_root,
		),
		of_rows(level_in_tenant(TenantLevel::Admin), tenant_root),
		of_rows(level_in_tenant(TenantLevel::Kms), tenant_admins),
		of_rows(level_in_tenant(TenantLevel::Content), tenant_admins),
		of_rows(level_in_tenant(TenantLevel::Read), tenant_admins),
		of_rows(Call::set_tenant_key { id: tenant, account: EDITOR, level: None }, tenant_admins),
		of_rows(
			Call::create_node { provider, node: OTHER_NODE, operator, locator: locator() },
			provider_admins,
		),
		of_rows(Call::confirm_node { provider, node: PENDING_NODE }, of_provider),
		of_rows(
			Call::set_node_locator { provider, node: NODE, locator: locator() },
			provider_admins,
		),
		of_rows(Call::set_node_operator { provider, node: NODE, operator }, provider_admins),
		of_rows(Call::remove_node { provider, node: NODE }, provider_admins),
		of_rows(add_kms_call(tenant, OTHER_KMS, "x"), tenant_admins),
		of_rows(set_kms_call("x"), Accounts(&OF_KMS)),
		of_rows(Call::remove_kms { tenant, kms: KMS }, tenant_admins),
		of_rows(Call::create_content_object { tenant, object: OTHER_OBJECT }, of_tenant),
		of_rows(commit_call(EDITOR, commit_of(&[draft(OBJECT, NEW)])), of_provider),
		of_rows(finalize_call(NODE, &[DRAFT]), of_provider),
		of_rows(add_copies((PROVIDER, NODE), &[FINALIZED]), of_tenant),
		of_rows(remove_copies((PROVIDER, NODE), &[DRAFT]), Accounts(&OF_BOTH)),
		of_rows(Call::set_head_version { tenant, object, version: None }, of_tenant),
		of_rows(Call::delete_version { tenant, object, version: DRAFT }, of_tenant),
		of_rows(Call::delete_content_object { tenant, object: EMPTY_OBJECT }, of_tenant),
		of_rows(
			Call::create_collection { tenant, name: name("new"), key_type, syntax },
			tenant_admins,
		),
		of_rows(Call::delete_collection { tenant, name: empty() }, tenant_admins),
		of_rows(Call::put_records { tenant, collection: names(), records }, of_tenant),
		of_rows(
			Call::delete_records { tenant, collection: names(), keys: bounded([key(RECORD)]) },
			of_tenant,
		),
		of_frozen(Call::governance_delete_node {
			provider,
			created: of.0,
			node: NODE,
			reason: why(),
		}),
		of_frozen(Call::governance_delete_provider_key {
			id: provider,
			created: of.0,
			account: PROVIDER_ADMIN,
			reason: why(),
		}),
		of_frozen(Call::governance_delete_tenant_key {
			id: tenant,
			created: of.1,
			account: EDITOR,
			reason: why(),
		}),
		of_frozen(Call::governance_delete_kms { tenant, created: of.1, kms: KMS, reason: why() }),
		of_frozen(Call::governance_delete_content_object {
			tenant,
			created: of.1,
			object: EMPTY_OBJECT,
			reason: why(),
		}),
		of_frozen(Call::governance_delete_version {
			tenant,
			created: of.1,
			object,
			version: DRAFT,
			reason: why(),
		}),
		of_frozen(Call::governance_delete_collection {
			tenant,
			created: of.1,
			name: empty(),
			reason: why(),
		}),
		of_frozen(Call::governance_delete_record {
			tenant,
			created: of.1,
			collection: names(),
			key: key(RECORD),
			reason: why(),
		}),
		row(Call::reap { member: THE_TENANT, limit: 1 }, Anyone, BeingDeleted, On::Purge),
	];
	for (member, root, by_root) in
		[(THE_PROVIDER, PROVIDER_ROOT, provider_root), (THE_TENANT, TENANT_ROOT, tenant_root)]
	{
		let (created, nominee, enabled) = (created(member), Some(STRANGER), true);
		rows.extend([
			of_member(Call::top_up_bond { member, amount }, by_root),
			of_member(Call::set_max_held { member, amount: max_held }, by_root),
			of_member(Call::nominate_root { member, created, nominee }, GovernanceOr(root)),
			of_member(Call::accept_root { member, max_held }, Nominee),
			of_member(Call::purge_member { member }, by_root),
			row(Call::delete_member { member }, by_root, Empty, On::Member),
			governed(Call::slash { member, created, amount, reason: why() }),
			governed(Call::set_suspended { member, created, enabled, reason: why() }),
			governed(Call::set_governance_delete { member, created, enabled, reason: why() }),
			governed(Call::governance_delete { member, created, slash: 0, reason: why() }),
		]);
	}
	rows.extend(NEW_MEMBERS.map(|member| row(create(member, max_held), Anyone, Nothing, On::New)));
	rows
}

/// Returns every call, with arguments for the fabric with keys. Must be called within a block.
pub fn every_call() -> Vec<Call<Test>> {
	table().into_iter().map(|row| row.call).collect()
}

/// A fabric with keys, another space, and a nominee of each root.
fn chain() -> Chain {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		assert_ok!(create_space(OTHER_SPACE, OTHER_GOVERNOR, rules()));
		for member in THE_MEMBERS {
			assert_ok!(nominate(root_of(member), member, Some(NOMINEE)));
		}
		// So that the node can be asked again.
		make(TENANT_ROOT, remove_copies((PROVIDER, NODE), &[FINALIZED]));
	});
	chain
}

/// Brings about what a call needs.
fn prepare(chain: &mut Chain, before: Before) {
	let of_both = |change: fn(MemberId) -> DispatchResult| {
		move || assert_eq!(THE_MEMBERS.map(change), [Ok(()); 2])
	};
	match before {
		Before::Nothing => {},
		Before::Frozen => chain.block(of_both(|member| freeze(member, true))),
		Before::Empty => {
			chain.block(of_both(purge_member));
			chain.idle();
			chain.pass(UnbondingPeriod::get());
		},
		Before::EmptySpace => {
			chain.block(of_both(governance_delete));
			return chain.idle();
		},
		Before::BeingDeleted => {
			chain.block(|| assert_eq!(governance_delete(THE_TENANT), Ok(())));
		},
	}
	chain.block(|| assert_eq!(admit(ADMITTED, Role::Tenant), Ok(())));
}

/// Runs a check on every call that needs `before`, in a state of the members.
fn for_each_call(before: Before, state: impl FnOnce(), check: impl Fn(Row)) {
	let mut chain = chain();
	prepare(&mut chain, before);
	chain.block(state);
	chain.block(|| table().into_iter().filter(|row| row.before == before).for_each(check));
}

fn nothing() {}

impl Row {
	/// Returns those who may make the call. The account of root's origin is the governor.
	fn allowed_origins(&self) -> impl Iterator<Item = (RuntimeOrigin, AccountId)> + '_ {
		let accounts = ACCOUNTS.into_iter().filter(move |who| self.allowed.allows(*who));
		let root = self.allowed.allows_root().then_some((RuntimeOrigin::root(), GOVERNOR));
		accounts.map(|who| (signed(who), who)).chain(root)
	}

	/// Checks that the call fails for all who may make it.
	fn assert_refused(&self, error: impl Into<DispatchError>) {
		let error = error.into();
		self.allowed_origins().for_each(|(origin, _)| assert_refused_by(origin, &self.call, error));
	}

	/// Checks that the call works for all who may make it.
	fn assert_accepted(&self) {
		for (origin, _) in self.allowed_origins() {
			let result = undone(|| dispatch_by(origin.clone(), self.call.clone()));
			assert_eq!(result, Ok(()), "{:?} by {origin:?}", self.call);
		}
	}

	/// Checks that the call works for all who may make it, except for accounts of the provider.
	fn assert_refused_to_provider(&self, error: impl Into<DispatchError>) {
		let error = error.into();
		for (origin, who) in self.allowed_origins() {
			let result = undone(|| dispatch_by(origin, self.call.clone()));
			let expected = if OF_PROVIDER.contains(&who) { Err(error) } else { Ok(()) };
			assert_eq!(result, expected, "{:?} by {who}", self.call);
		}
	}

	/// Returns whether the call is on a member, or on rows under it. Some are on both members.
	fn is_on(&self, member: MemberId) -> bool {
		let is_on_both =
			matches!(self.call, Call::commit_versions { .. } | Call::finalize_versions { .. });
		is_on_both || self.member() == member
	}

	/// Returns the member that the call is on, or the first of them.
	fn member(&self) -> MemberId {
		match &self.call {
			Call::top_up_bond { member, .. }
			| Call::set_max_held { member, .. }
			| Call::nominate_root { member, .. }
			| Call::accept_root { member, .. }
			| Call::purge_member { member }
			| Call::delete_member { member }
			| Call::slash { member, .. }
			| Call::set_suspended { member, .. }
			| Call::set_governance_delete { member, .. }
			| Call::governance_delete { member, .. }
			| Call::reap { member, .. } => *member,
			Call::set_provider_key { .. }
			| Call::create_node { .. }
			| Call::confirm_node { .. }
			| Call::set_node_locator { .. }
			| Call::set_node_operator { .. }
			| Call::remove_node { .. }
			| Call::commit_versions { .. }
			| Call::finalize_versions { .. }
			| Call::governance_delete_node { .. }
			| Call::governance_delete_provider_key { .. } => THE_PROVIDER,
			_ => THE_TENANT,
		}
	}
}

#[test]
fn every_call_is_for_those_in_the_table_and_nobody_else() {
	for before in Before::ALL {
		for_each_call(before, nothing, |row| {
			row.assert_accepted();
			let others = ACCOUNTS.into_iter().filter(|who| !row.allowed.allows(*who));
			others.for_each(|who| assert_refused(who, row.call.clone(), row.allowed.error()));
			assert_refused_by(RuntimeOrigin::none(), &row.call, BadOrigin);
			if !row.allowed.allows_root() {
				assert_refused_by(RuntimeOrigin::root(), &row.call, BadOrigin);
			}
		});
	}
}

#[test]
fn the_table_has_every_call() {
	chain().block(|| {
		let mut names: Vec<_> = table().iter().map(|row| row.call.get_call_name()).collect();
		let mut expected = Call::<Test>::get_call_names().to_vec();
		names.sort_unstable();
		names.dedup();
		expected.sort_unstable();
		assert_eq!(names, expected);
	});
}

/// The first thing that is missing decides the error, whoever asks.
#[test]
fn every_call_on_a_space_or_a_member_that_does_not_exist_is_refused() {
	Chain::empty().block(|| {
		for row in table() {
			match row.on {
				On::Space | On::New if matches!(row.call, Call::create_space { .. }) => {},
				On::Space | On::New => row.assert_refused(Error::<Test>::SpaceNotFound),
				_ => row.assert_refused(errors(row.member()).not_found),
			}
		}
	});
}

#[test]
fn every_call_on_a_member_that_governance_has_deleted_is_refused() {
	for member in THE_MEMBERS {
		for before in [Before::Nothing, Before::Frozen] {
			let delete = || assert_eq!(governance_delete(member), Ok(()));
			for_each_call(before, delete, |row| {
				let is_on_member = row.on != On::Space && row.on != On::New && row.is_on(member);
				if is_on_member {
					row.assert_refused(Error::<Test>::BeingDeleted);
				}
			});
		}
	}
}

#[test]
fn rows_of_a_member_that_its_root_purges_are_closed_and_the_member_itself_is_not() {
	for member in THE_MEMBERS {
		let purge = || assert_eq!(purge_member(member), Ok(()));
		for_each_call(Before::Nothing, purge, |row| match (&row.call, row.on) {
			(Call::purge_member { .. } | Call::accept_root { .. }, _) | (_, On::Rows)
				if row.is_on(member) =>
			{
				row.assert_refused(Error::<Test>::BeingPurged)
			},
			(Call::add_copies { .. }, _) => row.assert_refused(Error::<Test>::BeingPurged),
			(Call::remove_copies { .. }, _) => {
				row.assert_refused_to_provider(Error::<Test>::BeingPurged)
			},
			_ => row.assert_accepted(),
		});
	}
}

#[test]
fn a_frozen_or_suspended_member_obeys_nobody_but_governance() {
	for (close, error) in CLOSINGS {
		for member in THE_MEMBERS {
			let closed = || assert_eq!(close(member, true), Ok(()));
			for before in [Before::Nothing, Before::Empty] {
				for_each_call(before, closed, |row| match (&row.call, row.on) {
					(Call::nominate_root { .. }, _) if row.is_on(member) => {
						for (origin, who) in row.allowed_origins() {
							let result = undone(|| dispatch_by(origin, row.call.clone()));
							let by_root = Err(error(member).into());
							assert_eq!(result, if who == GOVERNOR { Ok(()) } else { by_root });
						}
					},
					(_, On::Member | On::Rows) if row.is_on(member) => {
						row.assert_refused(error(member))
					},
					(Call::remove_copies { .. }, _) => {
						row.assert_refused_to_provider(error(member))
					},
					_ => row.assert_accepted(),
				});
			}
		}
	}
}

/// The flag opens the rows of a member to governance, whether it is suspended or not, unless a purge
/// closes them.
#[test]
fn rows_are_open_to_deletion_under_the_flag_alone() {
	type State = (fn(MemberId) -> DispatchResult, fn(MemberId) -> Error<Test>);
	let without_flag: fn(MemberId) -> _ = |_| Error::GovernanceDeleteNotSet;
	let states: [State; 3] = [
		(|member| freeze(member, false), without_flag),
		(|member| freeze(member, false).and(suspend(member, true)), without_flag),
		(
			|member| freeze(member, false).and(purge_member(member)).and(freeze(member, true)),
			|_| Error::BeingPurged,
		),
	];
	for (close, error) in states {
		for member in THE_MEMBERS {
			let closed = || assert_eq!(close(member), Ok(()));
			for_each_call(Before::Frozen, closed, |row| match row.is_on(member) {
				true => row.assert_refused(error(member)),
				// The other member is as it was.
				false => row.assert_accepted(),
			});
		}
	}
	let suspended = || assert_eq!(THE_MEMBERS.map(|member| suspend(member, true)), [Ok(()); 2]);
	for_each_call(Before::Frozen, suspended, |row| row.assert_accepted());
}

#[test]
fn under_bonded_members_do_everything_that_adds_no_row_and_holds_no_data() {
	for before in Before::ALL {
		let raise = || set_bonds(PROVIDER_BOND + 1, TENANT_BOND + 1);
		for_each_call(before, raise, |row| match &row.call {
			// It revokes a level.
			Call::set_tenant_key { account: EDITOR, .. } => row.assert_accepted(),
			Call::set_provider_key { .. }
			| Call::set_tenant_key { .. }
			| Call::create_node { .. }
			| Call::add_kms { .. }
			| Call::create_content_object { .. }
			| Call::commit_versions { .. }
			| Call::finalize_versions { .. }
			| Call::create_collection { .. }
			| Call::put_records { .. } => {
				row.assert_refused(errors(row.member()).under_bonded);
			},
			_ => row.assert_accepted(),
		});
	}
}

#[test]
fn every_call_is_refused_until_the_storage_is_migrated() {
	for before in Before::ALL {
		for_each_call(before, nothing, |row| {
			StorageVersion::new(0).put::<Pallet<Test>>();
			row.assert_refused(Error::<Test>::MigrationPending);
			StorageVersion::new(1).put::<Pallet<Test>>();
		});
	}
}
