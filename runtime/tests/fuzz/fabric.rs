// SPDX-License-Identifier: Apache-2.0
//! Calls of the content fabric: each of them, mostly with arguments that are valid, and mostly by
//! an account that may make it.

use content_fabric_runtime::{
	units::UNIT, AccountId, Balance, ContentFabric, Runtime, RuntimeCall, Signature,
};
use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType,
		SpaceId, TenantId, VersionId,
	},
	wrap_payload, AdmissionPolicy, Call, Collections, ContentRef, DraftVersion, Kmses, MemberId,
	Nodes, ProviderLevel, Providers, Purges, Role, SpaceRules, SpaceRulesOf, Spaces, TenantKeys,
	TenantLevel, TenantRowCounts, Tenants, VersionCommit, VersionCommitOf, Versions,
};

use crate::{
	accounts::{Accounts, Origin},
	input::Draws,
	rows::{self, *},
};

/// The calls and their weights in the draw. Those that undo much are rare.
const KINDS: &[(&str, usize)] = &[
	("create_space", 4),
	("set_space_rules", 10),
	("set_space_governor", 3),
	("admit", 28),
	("revoke_admissions", 12),
	("delete_space", 6),
	("create_provider", 24),
	("create_tenant", 30),
	("top_up_bond", 24),
	("set_max_held", 16),
	("nominate_root", 20),
	("accept_root", 24),
	("purge_member", 8),
	("delete_member", 20),
	("set_provider_key", 20),
	("set_tenant_key", 28),
	("create_node", 36),
	("confirm_node", 36),
	("set_node_locator", 12),
	("set_node_operator", 10),
	("remove_node", 8),
	("add_kms", 34),
	("set_kms_locator", 12),
	("remove_kms", 8),
	("create_content_object", 36),
	("commit_versions", 140),
	("finalize_versions", 110),
	("set_head_version", 40),
	("delete_version", 30),
	("delete_content_object", 20),
	("create_collection", 36),
	("delete_collection", 14),
	("put_records", 100),
	("delete_records", 40),
	("slash", 8),
	("set_suspended", 8),
	("set_governance_delete", 10),
	("governance_delete_node", 8),
	("governance_delete_provider_key", 8),
	("governance_delete_tenant_key", 8),
	("governance_delete_kms", 8),
	("governance_delete_content_object", 10),
	("governance_delete_version", 12),
	("governance_delete_collection", 10),
	("governance_delete_record", 14),
	("governance_delete", 6),
	("reap", 16),
];

/// Those who may make a call.
enum By {
	Anyone,
	Account(AccountId),
	Root(MemberId),
	Operator(ProviderId, NodeId),
	Governance(Option<SpaceId>),
	Creator,
}

fn kind(draws: &mut Draws) -> &'static str {
	let total = KINDS.iter().map(|(_, often)| often).sum();
	let mut place = draws.below(total);
	for (kind, often) in KINDS {
		match place.checked_sub(*often) {
			Some(rest) => place = rest,
			None => return kind,
		}
	}
	unreachable!("the place is below the total")
}

/// Returns a call that reopens or creates what many other calls need, if something is missing, or
/// one that uses what seldom exists.
fn urgent(draws: &mut Draws) -> Option<&'static str> {
	if Purges::<Runtime>::iter_keys().next().is_some() && draws.percent(20) {
		return Some("reap");
	}
	let is_free = Spaces::<Runtime>::iter_keys().take(3).count() < 3;
	if is_free && draws.percent(15) {
		return Some("create_space");
	}
	let (mut providers, mut open_providers, mut tenants, mut open_tenants) = (0, 0, 0, 0);
	for info in Providers::<Runtime>::iter_values() {
		providers += 1;
		open_providers += u32::from(!info.governance_delete && !info.suspended);
	}
	for info in Tenants::<Runtime>::iter_values() {
		tenants += 1;
		open_tenants += u32::from(!info.governance_delete && !info.suspended);
	}
	if providers < 3 && draws.percent(20) {
		return Some("create_provider");
	}
	if tenants < 4 && draws.percent(20) {
		return Some("create_tenant");
	}
	if (open_providers < 2 || open_tenants < 3) && draws.percent(8) {
		return Some(draws.pick(&["set_governance_delete", "set_suspended"]));
	}
	let count = Nodes::<Runtime>::iter_keys().take(3).count();
	if count < 3 && draws.percent(20) {
		return Some(draws.pick(&["create_node", "confirm_node"]));
	}
	if Kmses::<Runtime>::iter_keys().take(3).count() < 3 && draws.percent(20) {
		return Some("add_kms");
	}
	None
}

/// Returns another call in place of one that cannot succeed now, most of the time.
fn instead(draws: &mut Draws, kind: &'static str) -> &'static str {
	let is_frozen = || {
		Providers::<Runtime>::iter_values().any(|info| info.governance_delete)
			|| Tenants::<Runtime>::iter_values().any(|info| info.governance_delete)
	};
	let is_full = match kind {
		"create_provider" => Providers::<Runtime>::iter_keys().count() > 3,
		"create_tenant" => Tenants::<Runtime>::iter_keys().count() > 4,
		"reap" => Purges::<Runtime>::iter_keys().next().is_none(),
		_ => kind.starts_with("governance_delete_") && !is_frozen(),
	};
	if !is_full || draws.percent(15) {
		return kind;
	}
	match kind {
		"reap" | "create_tenant" => "put_records",
		"create_provider" => "commit_versions",
		_ => draws.pick(&["set_governance_delete", "create_content_object", "create_collection"]),
	}
}

/// Returns a call, and who makes it.
pub fn call(draws: &mut Draws, accounts: &Accounts) -> (Origin, RuntimeCall) {
	let kind = urgent(draws).unwrap_or_else(|| {
		let kind = kind(draws);
		instead(draws, kind)
	});
	let (call, by) = Caller { draws, accounts }.call(kind);
	let origin = origin(draws, accounts, by);
	(origin, RuntimeCall::ContentFabric(call))
}

fn origin(draws: &mut Draws, accounts: &Accounts, by: By) -> Origin {
	if draws.once_in(40) {
		return draws.pick(&[Origin::Root, Origin::Council]);
	}
	let anyone = accounts.pick(draws);
	if draws.once_in(16) {
		return Origin::Account(anyone);
	}
	match by {
		By::Anyone => Origin::Account(anyone),
		By::Account(account) => Origin::Account(account),
		By::Root(member) => {
			// The root, or an account with a lower level, which many calls permit.
			let key = draws.percent(20).then(|| key_account(draws, member)).flatten();
			Origin::Account(key.or_else(|| rows::root(member)).unwrap_or(anyone))
		},
		By::Operator(provider, node) => {
			let operator = Nodes::<Runtime>::get(provider, node).map(|info| info.operator);
			let root = rows::root(provider.into());
			let [first, second] =
				if draws.percent(50) { [operator, root] } else { [root, operator] };
			Origin::Account(first.or(second).unwrap_or(anyone))
		},
		By::Governance(space) => {
			let governor =
				space.and_then(Spaces::<Runtime>::get).map_or(anyone, |info| info.governor);
			match draws.below(8) {
				0 => Origin::Root,
				1 | 2 => Origin::Council,
				_ => Origin::Account(governor),
			}
		},
		By::Creator => draws.pick(&[Origin::Root, Origin::Council]),
	}
}

struct Caller<'a, 'b> {
	draws: &'a mut Draws<'b>,
	accounts: &'a Accounts,
}

impl Caller<'_, '_> {
	fn amount(&mut self) -> Balance {
		match self.draws.below(16) {
			0 => 0,
			1 => 1,
			2 => Balance::MAX,
			3 => Balance::from(self.draws.number()),
			_ => UNIT * self.draws.pick(&[1, 10, 100, 1_000]),
		}
	}

	fn max_held(&mut self) -> Balance {
		match self.draws.below(16) {
			0 => 0,
			1 => 150 * UNIT,
			2 => 10 * UNIT,
			_ => 100_000 * UNIT,
		}
	}

	fn rules(&mut self) -> SpaceRulesOf<Runtime> {
		let bonds = [0, 0, 100 * UNIT, 100 * UNIT, 1_000 * UNIT];
		let policies = [AdmissionPolicy::Open, AdmissionPolicy::Open, AdmissionPolicy::Approval];
		SpaceRules {
			provider_bond: self.draws.pick(&bonds),
			tenant_bond: self.draws.pick(&bonds),
			admission: self.draws.pick(&policies),
			partitions: self.draws.number() as u32,
			sla: rows::reason(self.draws),
		}
	}

	/// Returns the incarnation of a member, or another one.
	fn created(&mut self, member: MemberId) -> Muid {
		let wrong = self.draws.once_in(16);
		rows::created(member).filter(|_| !wrong).unwrap_or_default()
	}

	/// Returns how many items a list has: few, most of the time.
	fn list_len(&mut self, max: usize) -> usize {
		match self.draws.below(40) {
			0 => 0,
			1 => 1 + self.draws.below(max),
			2..4 => 1 + self.draws.below(30),
			4..12 => 2,
			12..16 => 3,
			_ => 1,
		}
	}

	/// Returns a signed account that may create a member: one that has an admission, if any has.
	fn creator(&mut self, space: SpaceId, role: Role) -> By {
		match self.draws.percent(70).then(|| rows::admission(self.draws, space)).flatten() {
			Some((account, admitted)) if admitted == role => By::Account(account),
			_ => By::Anyone,
		}
	}

	fn call(&mut self, kind: &str) -> (Call<Runtime>, By) {
		if let Some(drawn) = self.governance_call(kind) {
			return drawn;
		}
		if let Some(drawn) = self.frozen_call(kind) {
			return drawn;
		}
		if let Some(drawn) = self.content_call(kind) {
			return drawn;
		}
		self.member_call(kind)
	}

	fn governance_call(&mut self, kind: &str) -> Option<(Call<Runtime>, By)> {
		let space = rows::space(self.draws);
		let of_space = By::Governance(Some(space));
		let account = self.accounts.pick(self.draws);
		let role = self.draws.pick(&[Role::Provider, Role::Tenant]);
		let member = rows::member(self.draws);
		let governance = By::Governance(rows::space_of(member));
		let drawn = match kind {
			"create_space" => {
				let governors = [
					&self.accounts.any_of_two,
					&self.accounts.two_of_three,
					&self.accounts.pure,
					&account,
				];
				let governor = self.draws.pick(&governors).clone();
				let space = new_space(self.draws);
				(Call::create_space { space, governor, rules: self.rules() }, By::Creator)
			},
			"set_space_rules" => (Call::set_space_rules { space, rules: self.rules() }, of_space),
			"set_space_governor" => {
				(Call::set_space_governor { space, governor: account }, of_space)
			},
			"admit" => (Call::admit { space, account, role }, of_space),
			"revoke_admissions" => {
				let len = self.list_len(8);
				let mut admissions: Vec<_> = (0..len)
					.map(|_| rows::admission(self.draws, space).unwrap_or((account.clone(), role)))
					.collect();
				if !self.draws.once_in(12) {
					admissions.sort();
					admissions.dedup();
				}
				let admissions = admissions.try_into().expect("it is short");
				(Call::revoke_admissions { space, admissions }, of_space)
			},
			"delete_space" => {
				let empty = Spaces::<Runtime>::iter().filter(|(_, info)| {
					info.provider_count + info.tenant_count + info.admission_count == 0
				});
				let empty = self.draws.one_of(empty.map(|(space, _)| space));
				let by = if self.draws.percent(30) { By::Creator } else { of_space };
				match empty {
					Some(space) => (Call::delete_space { space }, By::Creator),
					None => (Call::delete_space { space }, by),
				}
			},
			"nominate_root" => {
				let created = self.created(member);
				let nominee = self.draws.percent(85).then_some(account);
				let by = if self.draws.percent(60) { By::Root(member) } else { governance };
				(Call::nominate_root { member, created, nominee }, by)
			},
			"slash" => {
				let (created, amount) = (self.created(member), self.amount());
				let reason = rows::reason(self.draws);
				(Call::slash { member, created, amount, reason }, governance)
			},
			"set_suspended" => {
				let suspended = self.closed_member(|_, suspended| suspended);
				let member = suspended.unwrap_or(member);
				let governance = By::Governance(rows::space_of(member));
				let enabled = self.draws.percent(if suspended.is_some() { 15 } else { 40 });
				let (created, reason) = (self.created(member), rows::reason(self.draws));
				(Call::set_suspended { member, created, enabled, reason }, governance)
			},
			"set_governance_delete" => {
				let frozen = self.closed_member(|frozen, _| frozen);
				let member = frozen.unwrap_or(member);
				let governance = By::Governance(rows::space_of(member));
				let enabled = self.draws.percent(if frozen.is_some() { 20 } else { 90 });
				let (created, reason) = (self.created(member), rows::reason(self.draws));
				(Call::set_governance_delete { member, created, enabled, reason }, governance)
			},
			"governance_delete" => {
				let (created, slash) = (self.created(member), self.amount());
				let reason = rows::reason(self.draws);
				(Call::governance_delete { member, created, slash, reason }, governance)
			},
			_ => return None,
		};
		Some(drawn)
	}

	/// Returns a member that is frozen or suspended.
	fn closed_member(&mut self, is_closed: fn(bool, bool) -> bool) -> Option<MemberId> {
		let providers = Providers::<Runtime>::iter()
			.filter(|(_, info)| is_closed(info.governance_delete, info.suspended))
			.map(|(id, _)| MemberId::from(id));
		let tenants = Tenants::<Runtime>::iter()
			.filter(|(_, info)| is_closed(info.governance_delete, info.suspended))
			.map(|(id, _)| MemberId::from(id));
		let found = self.draws.one_of(providers.chain(tenants));
		found.filter(|_| self.draws.percent(70))
	}

	/// The calls under the flag `governance_delete`.
	fn frozen_call(&mut self, kind: &str) -> Option<(Call<Runtime>, By)> {
		if !kind.starts_with("governance_delete_") {
			return None;
		}
		let draws = &mut *self.draws;
		let provider = provider_with(
			draws,
			State::Frozen,
			match kind {
				"governance_delete_node" => |rows| rows.nodes > 0,
				_ => |rows| rows.keys > 0,
			},
		);
		let tenant = tenant_with(draws, State::Frozen, rows_of_tenant(kind));
		let call = match kind {
			"governance_delete_node" => {
				Call::governance_delete_node { provider, node: rows::node(draws, provider) }
			},
			"governance_delete_provider_key" => {
				let account = key_account(draws, provider.into());
				let account = account.unwrap_or_else(|| self.accounts.pick(draws));
				Call::governance_delete_provider_key { id: provider, account }
			},
			"governance_delete_tenant_key" => {
				let account = key_account(draws, tenant.into());
				let account = account.unwrap_or_else(|| self.accounts.pick(draws));
				Call::governance_delete_tenant_key { id: tenant, account }
			},
			"governance_delete_kms" => {
				Call::governance_delete_kms { tenant, kms: rows::kms(draws, tenant) }
			},
			"governance_delete_content_object" => {
				let object = empty_object(draws, tenant);
				Call::governance_delete_content_object { tenant, object }
			},
			"governance_delete_version" => {
				let (object, version) = rows::version(draws, tenant);
				Call::governance_delete_version { tenant, object, version }
			},
			"governance_delete_collection" => {
				let name = empty_collection(draws, tenant);
				Call::governance_delete_collection { tenant, name }
			},
			"governance_delete_record" => {
				let (collection, key) = rows::record(draws, tenant);
				Call::governance_delete_record { tenant, collection, key }
			},
			_ => return None,
		};
		Some((call, By::Anyone))
	}

	fn member_call(&mut self, kind: &str) -> (Call<Runtime>, By) {
		let member = rows::member(self.draws);
		let root = By::Root(member);
		let provider = provider_with(
			self.draws,
			State::Open,
			match kind {
				"set_node_locator" | "set_node_operator" | "remove_node" => |rows| rows.nodes > 0,
				_ => |_| true,
			},
		);
		let tenant = tenant_with(self.draws, State::Open, rows_of_tenant(kind));
		let (of_provider, of_tenant) = (By::Root(provider.into()), By::Root(tenant.into()));
		let account = self.accounts.pick(self.draws);
		match kind {
			"create_provider" => {
				let (space, id) = (rows::space(self.draws), new_provider(self.draws));
				let by = self.creator(space, Role::Provider);
				(Call::create_provider { space, id, max_held: self.max_held() }, by)
			},
			"create_tenant" => {
				let (space, id) = (rows::space(self.draws), new_tenant(self.draws));
				let by = self.creator(space, Role::Tenant);
				(Call::create_tenant { space, id, max_held: self.max_held() }, by)
			},
			"top_up_bond" => (Call::top_up_bond { member, amount: self.amount() }, root),
			"set_max_held" => (Call::set_max_held { member, amount: self.max_held() }, root),
			"accept_root" => {
				let nominated = [member, provider.into(), tenant.into()];
				let nominated = nominated.into_iter().find(|it| rows::nominee(*it).is_some());
				let member = nominated.unwrap_or(member);
				let nominee = rows::nominee(member).unwrap_or(account);
				let max_held = self.max_held();
				(Call::accept_root { member, max_held }, By::Account(nominee))
			},
			"purge_member" => (Call::purge_member { member }, root),
			"delete_member" => {
				let empty = self.empty_member().unwrap_or(member);
				(Call::delete_member { member: empty }, By::Root(empty))
			},
			"set_provider_key" => {
				let admin = Some(ProviderLevel::Admin);
				let level = self.draws.pick(&[None, admin, admin, Some(ProviderLevel::Root)]);
				let account = self.account_of_key(account, provider.into(), level.is_none());
				(Call::set_provider_key { id: provider, account, level }, of_provider)
			},
			"set_tenant_key" => {
				let levels = [
					None,
					Some(TenantLevel::Content),
					Some(TenantLevel::Kms),
					Some(TenantLevel::Admin),
					Some(TenantLevel::Admin),
				];
				let level = self.draws.pick(&levels);
				let account = self.account_of_key(account, tenant.into(), level.is_none());
				(Call::set_tenant_key { id: tenant, account, level }, of_tenant)
			},
			"create_node" => {
				let (node, locator) = (new_node(self.draws), rows::locator(self.draws));
				(Call::create_node { provider, node, operator: account, locator }, of_provider)
			},
			"confirm_node" => {
				let pending = Nodes::<Runtime>::iter().filter(|(.., info)| info.pending);
				let pending =
					self.draws.one_of(pending.map(|(provider, node, _)| (provider, node)));
				let random = (provider, rows::node(self.draws, provider));
				let (provider, node) = pending.filter(|_| self.draws.percent(85)).unwrap_or(random);
				(Call::confirm_node { provider, node }, By::Operator(provider, node))
			},
			"set_node_locator" => {
				let (node, locator) = (rows::node(self.draws, provider), rows::locator(self.draws));
				(Call::set_node_locator { provider, node, locator }, of_provider)
			},
			"set_node_operator" => {
				let node = rows::node(self.draws, provider);
				(Call::set_node_operator { provider, node, operator: account }, of_provider)
			},
			"remove_node" => {
				let node = rows::node(self.draws, provider);
				(Call::remove_node { provider, node }, of_provider)
			},
			"add_kms" => {
				let (kms, locator) = (new_kms(self.draws), rows::locator(self.draws));
				(Call::add_kms { tenant, kms, locator }, of_tenant)
			},
			"set_kms_locator" => {
				let (kms, locator) = (rows::kms(self.draws, tenant), rows::locator(self.draws));
				(Call::set_kms_locator { tenant, kms, locator }, of_tenant)
			},
			"remove_kms" => {
				(Call::remove_kms { tenant, kms: rows::kms(self.draws, tenant) }, of_tenant)
			},
			"reap" => {
				let member = purged_member(self.draws);
				let limit = self.draws.pick(&[
					0,
					1,
					1,
					2,
					5,
					10,
					30,
					100,
					100,
					300,
					1_000,
					10_000,
					u32::MAX,
				]);
				(Call::reap { member, limit }, By::Anyone)
			},
			other => unreachable!("{other} is drawn but not made"),
		}
	}

	/// Returns an account that has an access key, if one is to be revoked.
	fn account_of_key(&mut self, other: AccountId, member: MemberId, revoke: bool) -> AccountId {
		let known = revoke.then(|| key_account(self.draws, member)).flatten();
		known.unwrap_or(other)
	}

	/// Returns a member without rows, the one that has been empty for longest first.
	fn empty_member(&mut self) -> Option<MemberId> {
		let providers = Providers::<Runtime>::iter()
			.filter_map(|(id, info)| Some((info.empty_since?, MemberId::from(id))));
		let tenants = Tenants::<Runtime>::iter()
			.filter_map(|(id, info)| Some((info.empty_since?, MemberId::from(id))));
		let mut empty: Vec<_> = providers.chain(tenants).collect();
		empty.sort();
		let first = empty.first().map(|(_, member)| *member);
		first.filter(|_| self.draws.percent(80))
	}

	fn content_call(&mut self, kind: &str) -> Option<(Call<Runtime>, By)> {
		let tenant = tenant_with(self.draws, State::Open, rows_of_tenant(kind));
		let of_tenant = By::Root(tenant.into());
		let drawn = match kind {
			"create_content_object" => {
				let object = new_object(self.draws);
				(Call::create_content_object { tenant, object }, of_tenant)
			},
			"commit_versions" => self.commit(),
			"finalize_versions" => self.finalization(),
			"set_head_version" => {
				let row = self.finalized_version(tenant);
				let (object, version) = row.unwrap_or_else(|| rows::version(self.draws, tenant));
				let version = self.draws.percent(75).then_some(version);
				(Call::set_head_version { tenant, object, version }, of_tenant)
			},
			"delete_version" => {
				let (object, version) = rows::version(self.draws, tenant);
				(Call::delete_version { tenant, object, version }, of_tenant)
			},
			"delete_content_object" => {
				let object = empty_object(self.draws, tenant);
				(Call::delete_content_object { tenant, object }, of_tenant)
			},
			"create_collection" => {
				let name = new_collection(self.draws);
				let syntax =
					self.draws.pick(&[RecordKeySyntax::Unreserved, RecordKeySyntax::PathSegment]);
				let key_type = match self.draws.below(6) {
					0 => RecordKeyType::Tid,
					1 => RecordKeyType::Nsid,
					2 => {
						let key = self.draws.pick(&["self", "self", "a:b"]);
						RecordKeyType::Literal(bytes(key))
					},
					_ => RecordKeyType::Any,
				};
				(Call::create_collection { tenant, name, key_type, syntax }, of_tenant)
			},
			"delete_collection" => {
				let name = empty_collection(self.draws, tenant);
				(Call::delete_collection { tenant, name }, of_tenant)
			},
			"put_records" => self.records(tenant),
			"delete_records" => {
				let (collection, key) = rows::record(self.draws, tenant);
				let len = self.list_len(4);
				let mut keys = vec![key; len.min(1)];
				while keys.len() < len {
					keys.push(new_key(self.draws, None).unwrap_or_default());
				}
				let keys = keys.try_into().expect("it is short");
				(Call::delete_records { tenant, collection, keys }, of_tenant)
			},
			_ => return None,
		};
		Some(drawn)
	}

	fn records(&mut self, tenant: TenantId) -> (Call<Runtime>, By) {
		let collection = rows::collection(self.draws, tenant);
		let info = Collections::<Runtime>::get(tenant, &collection);
		let key_type = info.map(|info| info.key_type);
		let len = self.list_len(500);
		let records: Vec<_> = (0..len)
			.map(|place| {
				let key = match len {
					// Long lists have keys of their own.
					20.. => Some(bytes(format!("key-{place}"))),
					_ => new_key(self.draws, key_type.as_ref()),
				};
				let target = match self.draws.percent(30) {
					true => {
						let (object, version) = rows::version(self.draws, tenant);
						ContentRef { object, version: Some(version) }
					},
					false => ContentRef { object: rows::object(self.draws, tenant), version: None },
				};
				(key, target)
			})
			.collect();
		let records = records.try_into().expect("it is within the bound");
		(Call::put_records { tenant, collection, records }, By::Root(tenant.into()))
	}

	/// Returns a version of a tenant that has been finalized.
	fn finalized_version(&mut self, tenant: TenantId) -> Option<(ContentObjectId, VersionId)> {
		if self.draws.once_in(8) {
			return None;
		}
		let rows = Versions::<Runtime>::iter_prefix((tenant,)).take(48);
		self.draws.one_of(rows.filter(|(_, info)| info.finalized.is_some()).map(|(key, _)| key))
	}

	fn finalization(&mut self) -> (Call<Runtime>, By) {
		// A tenant with a version that is not final, if there is one.
		let rows = Tenants::<Runtime>::iter_keys().flat_map(|tenant| {
			let rows = Versions::<Runtime>::iter_prefix((tenant,)).take(24);
			rows.filter(|(_, info)| info.finalized.is_none())
				.map(move |((object, version), info)| (tenant, object, version, info))
		});
		let found = self.draws.one_of(rows).filter(|_| !self.draws.once_in(16));
		let Some((tenant, object, version, info)) = found else {
			let (originator, tenant) = (rows::provider(self.draws), rows::tenant(self.draws));
			let node = rows::node(self.draws, originator);
			let versions = vec![rows::version(self.draws, tenant)];
			let versions = versions.try_into().expect("it is short");
			let call = Call::finalize_versions { originator, node, tenant, versions };
			return (call, By::Operator(originator, node));
		};
		let (originator, node) = (info.originator, info.node);
		let mut versions = vec![(object, version)];
		let more = Versions::<Runtime>::iter_prefix((tenant,)).take(500).filter(|(key, info)| {
			(info.originator, info.node) == (originator, node)
				&& info.finalized.is_none()
				&& *key != (object, version)
		});
		let len = self.list_len(500);
		versions.extend(more.map(|(key, _)| key).take(len.saturating_sub(1)));
		if len == 0 {
			versions.clear();
		}
		let versions = versions.try_into().expect("it is within the bound");
		let call = Call::finalize_versions { originator, node, tenant, versions };
		(call, By::Operator(originator, node))
	}

	/// Returns a provider, one of its confirmed nodes, and a tenant of the same space with a KMS,
	/// if all of them exist.
	fn partners(&mut self) -> (ProviderId, NodeId, TenantId) {
		let confirmed = Nodes::<Runtime>::iter().filter(|(.., info)| !info.pending);
		let found = self.draws.one_of(confirmed.map(|(provider, node, _)| (provider, node)));
		let Some((provider, node)) = found.filter(|_| !self.draws.once_in(20)) else {
			let provider = rows::provider(self.draws);
			let node = rows::node(self.draws, provider);
			return (provider, node, rows::tenant(self.draws));
		};
		let space = rows::space_of(provider.into());
		let tenants = Tenants::<Runtime>::iter().filter(|(_, info)| Some(info.space) == space);
		let found = self.draws.one_of(tenants.map(|(id, _)| id));
		let found = found.filter(|_| !self.draws.once_in(30));
		(provider, node, found.unwrap_or_else(|| rows::tenant(self.draws)))
	}

	fn commit(&mut self) -> (Call<Runtime>, By) {
		let (originator, node, tenant) = self.partners();
		let len = self.list_len(500);
		let first = self.draws.number() as u32 % 1_000;
		let draft = |place| {
			let (object, version) = match len {
				// Long lists have ids of their own.
				20.. => {
					let number = (first + place as u32).to_be_bytes();
					let (mut object, mut version) = ([9; 10], [9; 32]);
					object[6..].copy_from_slice(&number);
					version[28..].copy_from_slice(&number);
					(ContentObjectId(object), VersionId(version))
				},
				_ => (rows::object(self.draws, tenant), new_version(self.draws)),
			};
			let size = self.draws.pick(&[0, 1, 1_000, u64::MAX]);
			DraftVersion { object, version, size, set_head_on_finalize: self.draws.percent(60) }
		};
		let versions: Vec<_> = (0..len).map(draft).collect();
		let commit = VersionCommit {
			muid: self.muid(originator, node),
			originator,
			node,
			tenant,
			kms: rows::kms(self.draws, tenant),
			create_objects: self.draws.percent(75),
			versions: versions.try_into().expect("it is within the bound"),
		};
		let tenant_signer = self.signer(tenant);
		let signature = self.signature(&tenant_signer, &commit);
		let by = By::Operator(originator, node);
		(Call::commit_versions { tenant_signer, commit, signature }, by)
	}

	/// Returns an account of a tenant that can sign, most of the time.
	fn signer(&mut self, tenant: TenantId) -> AccountId {
		let root = rows::root(tenant.into());
		let others = TenantKeys::<Runtime>::iter_key_prefix(tenant);
		let candidates: Vec<_> =
			root.into_iter().chain(others).filter(|it| Accounts::key(it).is_some()).collect();
		if candidates.is_empty() || self.draws.once_in(20) {
			return self.accounts.pick(self.draws);
		}
		self.draws.pick(&candidates)
	}

	fn signature(&mut self, signer: &AccountId, commit: &VersionCommitOf<Runtime>) -> Signature {
		let mut payload = ContentFabric::commit_payload(commit);
		let (mut key, wrong) = (Accounts::key(signer), self.draws.below(60));
		match wrong {
			0 => payload[60] ^= 1,
			1 => key = Some(crate::accounts::POOR),
			2..10 => payload = wrap_payload(&payload),
			_ => {},
		}
		let key = key.unwrap_or(crate::accounts::POOR);
		Signature::Sr25519(crate::accounts::sign(key, &payload))
	}

	/// Returns a muid that is valid most of the time, or wrong in one of several ways.
	fn muid(&mut self, provider: ProviderId, node: NodeId) -> Muid {
		const HOUR: u64 = 3_600_000_000;
		const DRIFT: u64 = 30_000_000;
		let info = Nodes::<Runtime>::get(provider, node);
		let medallion = info.as_ref().map_or(Medallion::FIRST_ASSIGNABLE, |info| info.medallion);
		let last = info.and_then(|info| info.last_muid);
		let now = pallet_timestamp::Now::<Runtime>::get() * 1_000;
		let next = now.max(last.map_or(0, Muid::timestamp)) + 1;
		let (timestamp, medallion, offset) = match self.draws.below(60) {
			0 => (next, Medallion::MAX, 0),
			1 => (now.saturating_sub(HOUR), medallion, 0),
			2 => (now.saturating_sub(HOUR + 1), medallion, 0),
			3 => (now + DRIFT, medallion, 0),
			4 => (now + DRIFT + 1, medallion, 0),
			5 => (last.map_or(now, Muid::timestamp), medallion, 0),
			6 => (next, medallion, 1),
			7..12 => (now.saturating_sub(self.draws.number() % 60_000_000), medallion, 0),
			_ => (next, medallion, 0),
		};
		Muid::new(timestamp, medallion, offset).unwrap_or_default()
	}
}

/// Returns the condition on the row counts of a tenant under which a call can succeed.
fn rows_of_tenant(kind: &str) -> fn(&TenantRowCounts) -> bool {
	match kind {
		"governance_delete_tenant_key" => |rows| rows.keys > 0,
		"set_kms_locator" | "remove_kms" | "governance_delete_kms" => |rows| rows.kmses > 0,
		"set_head_version" | "delete_version" | "governance_delete_version" => {
			|rows| rows.versions > 0
		},
		"delete_content_object" | "governance_delete_content_object" => {
			|rows| rows.content_objects > 0
		},
		"delete_collection" | "governance_delete_collection" => |rows| rows.collections > 0,
		"put_records" => |rows| rows.collections > 0 && rows.content_objects > 0,
		"delete_records" | "governance_delete_record" => |rows| rows.records > 0,
		_ => |_| true,
	}
}

/// Returns an object of a tenant without versions, if there is one.
fn empty_object(draws: &mut Draws, tenant: TenantId) -> ContentObjectId {
	let rows = pallet_content_fabric::ContentObjects::<Runtime>::iter_prefix(tenant).take(48);
	let found = draws.one_of(rows.filter(|(_, info)| info.version_count == 0).map(|(id, _)| id));
	found.unwrap_or_else(|| rows::object(draws, tenant))
}

/// Returns a collection of a tenant without records, if there is one.
fn empty_collection(draws: &mut Draws, tenant: TenantId) -> CollectionName {
	let rows = Collections::<Runtime>::iter_prefix(tenant);
	let found = draws.one_of(rows.filter(|(_, info)| info.record_count == 0).map(|(name, _)| name));
	found.unwrap_or_else(|| rows::collection(draws, tenant))
}
