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
	wrap_payload, AdmissionPolicy, Call, Collections, ContentObjects, ContentRef, DraftVersion,
	Kmses, MemberId, Nodes, ProviderLevel, ProviderRowCounts, Purges, Role, SpaceRules,
	SpaceRulesOf, Spaces, TenantKeys, TenantLevel, TenantRowCounts, Tenants, VersionCommit,
	VersionCommitOf, Versions,
};

use crate::{
	accounts::{sign, Accounts, Origin, POOR},
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
	let (providers, tenants): (Vec<_>, Vec<_>) =
		rows::members().partition(|(member, _)| matches!(member, MemberId::Provider(_)));
	if providers.len() < 3 && draws.percent(20) {
		return Some("create_provider");
	}
	if tenants.len() < 4 && draws.percent(20) {
		return Some("create_tenant");
	}
	let open = |members: &[(MemberId, Info)]| {
		members.iter().filter(|(_, info)| !info.governance_delete && !info.suspended).count()
	};
	if (open(&providers) < 2 || open(&tenants) < 3) && draws.percent(8) {
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
	let providers = || rows::members().filter(|(id, _)| matches!(id, MemberId::Provider(_)));
	let is_full = match kind {
		"create_provider" => providers().count() > 3,
		"create_tenant" => Tenants::<Runtime>::iter_keys().count() > 4,
		"reap" => Purges::<Runtime>::iter_keys().next().is_none(),
		_ => is_flagged(kind) && !rows::members().any(|(_, info)| info.governance_delete),
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

/// Returns whether a call is one under the flag `governance_delete`.
fn is_flagged(kind: &str) -> bool {
	kind.starts_with("governance_delete_")
}

/// Returns a call, and who makes it.
pub fn call(draws: &mut Draws, accounts: &Accounts) -> (Origin, RuntimeCall) {
	let kind = urgent(draws).unwrap_or_else(|| {
		let kind = kind(draws);
		instead(draws, kind)
	});
	let (call, by) = call_of(draws, accounts, kind);
	(origin(draws, accounts, by), call.into())
}

fn origin(draws: &mut Draws, accounts: &Accounts, by: By) -> Origin {
	if draws.once_in(40) {
		return draws.pick(&[Origin::Root, Origin::Council]);
	}
	let anyone = accounts.pick(draws);
	if draws.once_in(16) {
		return Origin::Account(anyone);
	}
	let root = |member| rows::info(member).map(|info| info.root);
	match by {
		By::Anyone => Origin::Account(anyone),
		By::Account(account) => Origin::Account(account),
		By::Root(member) => {
			// The root, or an account with a lower level, which many calls permit.
			let key = draws.percent(20).then(|| key_account(draws, member)).flatten();
			Origin::Account(key.or_else(|| root(member)).unwrap_or(anyone))
		},
		By::Operator(provider, node) => {
			let operator = Nodes::<Runtime>::get(provider, node).map(|info| info.operator);
			let root = root(provider.into());
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

fn amount(draws: &mut Draws) -> Balance {
	match draws.below(16) {
		0 => 0,
		1 => 1,
		2 => Balance::MAX,
		3 => Balance::from(draws.number()),
		_ => UNIT * draws.pick(&[1, 10, 100, 1_000]),
	}
}

fn max_held(draws: &mut Draws) -> Balance {
	match draws.below(16) {
		0 => 0,
		1 => 150 * UNIT,
		2 => 10 * UNIT,
		_ => 100_000 * UNIT,
	}
}

fn rules(draws: &mut Draws) -> SpaceRulesOf<Runtime> {
	let bonds = [0, 0, 100 * UNIT, 100 * UNIT, 1_000 * UNIT];
	let policies = [AdmissionPolicy::Open, AdmissionPolicy::Open, AdmissionPolicy::Approval];
	SpaceRules {
		provider_bond: draws.pick(&bonds),
		tenant_bond: draws.pick(&bonds),
		admission: draws.pick(&policies),
		partitions: draws.number() as u32,
		sla: rows::reason(draws),
	}
}

/// Returns how many items a list has: few, most of the time.
fn list_len(draws: &mut Draws, max: usize) -> usize {
	match draws.below(40) {
		0 => 0,
		1 => 1 + draws.below(max),
		2..4 => 1 + draws.below(30),
		4..12 => 2,
		12..16 => 3,
		_ => 1,
	}
}

fn bounded<Item, List: TryFrom<Vec<Item>>>(items: impl IntoIterator<Item = Item>) -> List {
	items.into_iter().collect::<Vec<_>>().try_into().ok().expect("lists are within their bounds")
}

/// Returns a signed account that may create a member: one that has an admission, if any has.
fn creator(draws: &mut Draws, space: SpaceId, role: Role) -> By {
	match draws.percent(70).then(|| rows::admission(draws, space)).flatten() {
		Some((account, admitted)) if admitted == role => By::Account(account),
		_ => By::Anyone,
	}
}

/// Returns a member in the state that a call is for, if there is one and most of the time.
fn member_for(draws: &mut Draws, kind: &str) -> MemberId {
	let fits: fn(&Info) -> bool = match kind {
		"accept_root" => |info| info.nomination.is_some(),
		"set_suspended" => |info| info.suspended,
		"set_governance_delete" => |info| info.governance_delete,
		"reap" => |info| info.purge.is_some(),
		_ => |_| false,
	};
	let found = match kind {
		// The one that has been empty for longest.
		"delete_member" => {
			let empty = rows::members().filter_map(|(id, info)| Some((info.empty_since?, id)));
			empty.min().map(|(_, member)| member)
		},
		_ => draws.one_of(rows::members().filter(|(_, info)| fits(info)).map(|(member, _)| member)),
	};
	found.filter(|_| draws.percent(80)).unwrap_or_else(|| rows::member(draws))
}

/// Returns a call of a kind. Its arguments name rows that exist, most of the time.
fn call_of(draws: &mut Draws, accounts: &Accounts, kind: &str) -> (Call<Runtime>, By) {
	let state = if is_flagged(kind) { State::Frozen } else { State::Open };
	let (space, member) = (rows::space(draws), member_for(draws, kind));
	let provider = provider_with(draws, state, rows_of_provider(kind));
	let tenant = tenant_with(draws, state, rows_of_tenant(kind));
	let (account, role) = (accounts.pick(draws), draws.pick(&[Role::Provider, Role::Tenant]));
	let (amount, max_held) = (amount(draws), max_held(draws));
	let (reason, locator) = (rows::reason(draws), rows::locator(draws));
	// The incarnation of a member, or another one.
	let info = rows::info(member);
	let created = info.as_ref().filter(|_| !draws.once_in(16)).map(|info| info.created);
	let created = created.unwrap_or_default();
	let is_new = kind.starts_with("create_") || kind == "add_kms";
	let (node, kms) = match is_new {
		true => (new_node(draws), new_kms(draws)),
		false => (rows::node(draws, provider), rows::kms(draws, tenant)),
	};
	let (object, version) = match kind {
		"create_content_object" => (new_object(draws), new_version(draws)),
		"delete_content_object" | "governance_delete_content_object" => {
			(empty_object(draws, tenant), new_version(draws))
		},
		"set_head_version" => finalized_version(draws, tenant),
		_ => rows::version(draws, tenant),
	};
	let (collection, key) = match kind {
		"create_collection" => (new_collection(draws), RecordKey::default()),
		"delete_collection" | "governance_delete_collection" => {
			(empty_collection(draws, tenant), RecordKey::default())
		},
		"delete_records" | "governance_delete_record" => rows::record(draws, tenant),
		_ => (rows::collection(draws, tenant), RecordKey::default()),
	};
	let (of_space, governance) =
		(By::Governance(Some(space)), By::Governance(info.as_ref().map(|info| info.space)));
	let (root, of_provider, of_tenant) =
		(By::Root(member), By::Root(provider.into()), By::Root(tenant.into()));
	match kind {
		"create_space" => {
			let Accounts { any_of_two, two_of_three, pure, .. } = accounts;
			let governor = draws.pick(&[any_of_two, two_of_three, pure, &account]).clone();
			let space = new_space(draws);
			(Call::create_space { space, governor, rules: rules(draws) }, By::Creator)
		},
		"set_space_rules" => (Call::set_space_rules { space, rules: rules(draws) }, of_space),
		"set_space_governor" => (Call::set_space_governor { space, governor: account }, of_space),
		"admit" => (Call::admit { space, account, role }, of_space),
		"revoke_admissions" => {
			let len = list_len(draws, 8);
			let admission = |_| rows::admission(draws, space).unwrap_or((account.clone(), role));
			let mut admissions: Vec<_> = (0..len).map(admission).collect();
			if !draws.once_in(12) {
				admissions.sort();
				admissions.dedup();
			}
			(Call::revoke_admissions { space, admissions: bounded(admissions) }, of_space)
		},
		"delete_space" => {
			let empty = Spaces::<Runtime>::iter().filter(|(_, info)| {
				info.provider_count + info.tenant_count + info.admission_count == 0
			});
			let empty = draws.one_of(empty.map(|(space, _)| space));
			let by = if empty.is_some() || draws.percent(30) { By::Creator } else { of_space };
			(Call::delete_space { space: empty.unwrap_or(space) }, by)
		},
		"create_provider" => {
			let id = new_provider(draws);
			let call = Call::create_provider { space, id, max_held };
			(call, creator(draws, space, Role::Provider))
		},
		"create_tenant" => {
			let call = Call::create_tenant { space, id: new_tenant(draws), max_held };
			(call, creator(draws, space, Role::Tenant))
		},
		"top_up_bond" => (Call::top_up_bond { member, amount }, root),
		"set_max_held" => (Call::set_max_held { member, amount: max_held }, root),
		"nominate_root" => {
			let nominee = draws.percent(85).then_some(account);
			let by = if draws.percent(60) { root } else { governance };
			(Call::nominate_root { member, created, nominee }, by)
		},
		"accept_root" => {
			let nominee = info.and_then(|info| info.nomination).map_or(account, |it| it.nominee);
			(Call::accept_root { member, max_held }, By::Account(nominee))
		},
		"purge_member" => (Call::purge_member { member }, root),
		"delete_member" => (Call::delete_member { member }, root),
		"set_provider_key" => {
			let admin = Some(ProviderLevel::Admin);
			let level = draws.pick(&[None, admin, admin, Some(ProviderLevel::Root)]);
			let known = level.is_none().then(|| key_account(draws, provider.into())).flatten();
			let account = known.unwrap_or(account);
			(Call::set_provider_key { id: provider, account, level }, of_provider)
		},
		"set_tenant_key" => {
			let [content, kms, admin] =
				[TenantLevel::Content, TenantLevel::Kms, TenantLevel::Admin].map(Some);
			let level = draws.pick(&[None, content, kms, admin, admin]);
			let known = level.is_none().then(|| key_account(draws, tenant.into())).flatten();
			let account = known.unwrap_or(account);
			(Call::set_tenant_key { id: tenant, account, level }, of_tenant)
		},
		"create_node" => {
			(Call::create_node { provider, node, operator: account, locator }, of_provider)
		},
		"confirm_node" => {
			let pending = Nodes::<Runtime>::iter().filter(|(.., info)| info.pending);
			let pending = draws.one_of(pending.map(|(provider, node, _)| (provider, node)));
			let pending = pending.filter(|_| draws.percent(85));
			let (provider, node) = pending.unwrap_or((provider, node));
			(Call::confirm_node { provider, node }, By::Operator(provider, node))
		},
		"set_node_locator" => (Call::set_node_locator { provider, node, locator }, of_provider),
		"set_node_operator" => {
			(Call::set_node_operator { provider, node, operator: account }, of_provider)
		},
		"remove_node" => (Call::remove_node { provider, node }, of_provider),
		"add_kms" => (Call::add_kms { tenant, kms, locator }, of_tenant),
		"set_kms_locator" => (Call::set_kms_locator { tenant, kms, locator }, of_tenant),
		"remove_kms" => (Call::remove_kms { tenant, kms }, of_tenant),
		"create_content_object" => (Call::create_content_object { tenant, object }, of_tenant),
		"commit_versions" => commit(draws, accounts),
		"finalize_versions" => finalization(draws),
		"set_head_version" => {
			let version = draws.percent(75).then_some(version);
			(Call::set_head_version { tenant, object, version }, of_tenant)
		},
		"delete_version" => (Call::delete_version { tenant, object, version }, of_tenant),
		"delete_content_object" => (Call::delete_content_object { tenant, object }, of_tenant),
		"create_collection" => {
			let syntax = draws.pick(&[RecordKeySyntax::Unreserved, RecordKeySyntax::PathSegment]);
			let key_type = match draws.below(6) {
				0 => RecordKeyType::Tid,
				1 => RecordKeyType::Nsid,
				2 => RecordKeyType::Literal(bytes(draws.pick(&["self", "self", "a:b"]))),
				_ => RecordKeyType::Any,
			};
			(Call::create_collection { tenant, name: collection, key_type, syntax }, of_tenant)
		},
		"delete_collection" => (Call::delete_collection { tenant, name: collection }, of_tenant),
		"put_records" => (records(draws, tenant, collection), of_tenant),
		"delete_records" => {
			let len = list_len(draws, 4);
			let mut keys = vec![key; len.min(1)];
			while keys.len() < len {
				keys.push(new_key(draws, None).unwrap_or_default());
			}
			(Call::delete_records { tenant, collection, keys: bounded(keys) }, of_tenant)
		},
		"slash" => (Call::slash { member, created, amount, reason }, governance),
		"set_suspended" => {
			let often = if info.is_some_and(|info| info.suspended) { 15 } else { 40 };
			let enabled = draws.percent(often);
			(Call::set_suspended { member, created, enabled, reason }, governance)
		},
		"set_governance_delete" => {
			let often = if info.is_some_and(|info| info.governance_delete) { 20 } else { 90 };
			let enabled = draws.percent(often);
			(Call::set_governance_delete { member, created, enabled, reason }, governance)
		},
		"governance_delete_node" => (Call::governance_delete_node { provider, node }, By::Anyone),
		"governance_delete_provider_key" => {
			let account = key_account(draws, provider.into()).unwrap_or(account);
			(Call::governance_delete_provider_key { id: provider, account }, By::Anyone)
		},
		"governance_delete_tenant_key" => {
			let account = key_account(draws, tenant.into()).unwrap_or(account);
			(Call::governance_delete_tenant_key { id: tenant, account }, By::Anyone)
		},
		"governance_delete_kms" => (Call::governance_delete_kms { tenant, kms }, By::Anyone),
		"governance_delete_content_object" => {
			(Call::governance_delete_content_object { tenant, object }, By::Anyone)
		},
		"governance_delete_version" => {
			(Call::governance_delete_version { tenant, object, version }, By::Anyone)
		},
		"governance_delete_collection" => {
			(Call::governance_delete_collection { tenant, name: collection }, By::Anyone)
		},
		"governance_delete_record" => {
			(Call::governance_delete_record { tenant, collection, key }, By::Anyone)
		},
		"governance_delete" => {
			(Call::governance_delete { member, created, slash: amount, reason }, governance)
		},
		"reap" => {
			let (few, many) = ([0, 1, 1, 2, 5, 10, 30], [100, 100, 300, 1_000, 10_000, u32::MAX]);
			let limit = draws.pick(&[&few[..], &many].concat());
			(Call::reap { member, limit }, By::Anyone)
		},
		other => unreachable!("{other} is drawn but not made"),
	}
}

fn records(draws: &mut Draws, tenant: TenantId, collection: CollectionName) -> Call<Runtime> {
	let info = Collections::<Runtime>::get(tenant, &collection);
	let key_type = info.map(|info| info.key_type);
	let len = list_len(draws, 500);
	let records = (0..len).map(|place| {
		let key = match len {
			// Long lists have keys of their own.
			20.. => Some(bytes(format!("key-{place}"))),
			_ => new_key(draws, key_type.as_ref()),
		};
		let target = match draws.percent(30) {
			true => {
				let (object, version) = rows::version(draws, tenant);
				ContentRef { object, version: Some(version) }
			},
			false => ContentRef { object: rows::object(draws, tenant), version: None },
		};
		(key, target)
	});
	Call::put_records { tenant, collection, records: bounded(records) }
}

/// Returns a version of a tenant that has been finalized, if there is one and most of the time.
fn finalized_version(draws: &mut Draws, tenant: TenantId) -> (ContentObjectId, VersionId) {
	let rows = Versions::<Runtime>::iter_prefix((tenant,)).take(48);
	let rows = rows.filter(|(_, info)| info.finalized.is_some()).map(|(key, _)| key);
	let found = draws.one_of(rows).filter(|_| !draws.once_in(8));
	found.unwrap_or_else(|| rows::version(draws, tenant))
}

fn finalization(draws: &mut Draws) -> (Call<Runtime>, By) {
	// A tenant with a version that is not final, if there is one.
	let rows = Tenants::<Runtime>::iter_keys().flat_map(|tenant| {
		let rows = Versions::<Runtime>::iter_prefix((tenant,)).take(24);
		rows.filter(|(_, info)| info.finalized.is_none())
			.map(move |(version, info)| (tenant, version, info.originator, info.node))
	});
	let found = draws.one_of(rows).filter(|_| !draws.once_in(16));
	let (tenant, first, originator, node) = found.unwrap_or_else(|| {
		let (originator, tenant) = (rows::provider(draws), rows::tenant(draws));
		(tenant, rows::version(draws, tenant), originator, rows::node(draws, originator))
	});
	let more = Versions::<Runtime>::iter_prefix((tenant,)).take(500).filter(|(key, info)| {
		let is_of_node = (info.originator, info.node) == (originator, node);
		is_of_node && info.finalized.is_none() && *key != first
	});
	let versions = [first].into_iter().chain(more.map(|(key, _)| key));
	let versions = bounded(versions.take(list_len(draws, 500)));
	let call = Call::finalize_versions { originator, node, tenant, versions };
	(call, By::Operator(originator, node))
}

/// Returns a provider, one of its confirmed nodes, and a tenant of the same space with a KMS,
/// if all of them exist.
fn partners(draws: &mut Draws) -> (ProviderId, NodeId, TenantId) {
	let confirmed = Nodes::<Runtime>::iter().filter(|(.., info)| !info.pending);
	let found = draws.one_of(confirmed.map(|(provider, node, _)| (provider, node)));
	let Some((provider, node)) = found.filter(|_| !draws.once_in(20)) else {
		let provider = rows::provider(draws);
		return (provider, rows::node(draws, provider), rows::tenant(draws));
	};
	let space = rows::info(provider.into()).map(|info| info.space);
	let tenants = Tenants::<Runtime>::iter().filter(|(_, info)| Some(info.space) == space);
	let found = draws.one_of(tenants.map(|(id, _)| id)).filter(|_| !draws.once_in(30));
	(provider, node, found.unwrap_or_else(|| rows::tenant(draws)))
}

fn commit(draws: &mut Draws, accounts: &Accounts) -> (Call<Runtime>, By) {
	let (originator, node, tenant) = partners(draws);
	let len = list_len(draws, 500);
	let first = draws.number() as u32 % 1_000;
	let versions = (0..len).map(|place| {
		let (object, version) = match len {
			// Long lists have ids of their own.
			20.. => {
				let number = (first + place as u32).to_be_bytes();
				let (mut object, mut version) = ([9; 10], [9; 32]);
				object[6..].copy_from_slice(&number);
				version[28..].copy_from_slice(&number);
				(ContentObjectId(object), VersionId(version))
			},
			_ => (rows::object(draws, tenant), new_version(draws)),
		};
		let size = draws.pick(&[0, 1, 1_000, u64::MAX]);
		DraftVersion { object, version, size, set_head_on_finalize: draws.percent(60) }
	});
	let commit = VersionCommit {
		versions: bounded(versions),
		muid: muid(draws, originator, node),
		originator,
		node,
		tenant,
		kms: rows::kms(draws, tenant),
		create_objects: draws.percent(75),
	};
	let tenant_signer = signer(draws, accounts, tenant);
	let signature = signature(draws, &tenant_signer, &commit);
	let call = Call::commit_versions { tenant_signer, commit, signature };
	(call, By::Operator(originator, node))
}

/// Returns an account of a tenant that can sign, most of the time.
fn signer(draws: &mut Draws, accounts: &Accounts, tenant: TenantId) -> AccountId {
	let root = rows::info(tenant.into()).map(|info| info.root);
	let all = root.into_iter().chain(TenantKeys::<Runtime>::iter_key_prefix(tenant));
	let signer = draws.one_of(all.filter(|account| Accounts::key(account).is_some()));
	signer.filter(|_| !draws.once_in(20)).unwrap_or_else(|| accounts.pick(draws))
}

fn signature(
	draws: &mut Draws,
	signer: &AccountId,
	commit: &VersionCommitOf<Runtime>,
) -> Signature {
	let mut payload = ContentFabric::commit_payload(commit);
	let mut key = Accounts::key(signer);
	match draws.below(60) {
		0 => payload[60] ^= 1,
		1 => key = Some(POOR),
		2..10 => payload = wrap_payload(&payload),
		_ => {},
	}
	Signature::Sr25519(sign(key.unwrap_or(POOR), &payload))
}

/// Returns a muid that is valid most of the time, or wrong in one of several ways.
fn muid(draws: &mut Draws, provider: ProviderId, node: NodeId) -> Muid {
	const HOUR: u64 = 3_600_000_000;
	const DRIFT: u64 = 30_000_000;
	let info = Nodes::<Runtime>::get(provider, node);
	let medallion = info.as_ref().map_or(Medallion::FIRST_ASSIGNABLE, |info| info.medallion);
	let last = info.and_then(|info| info.last_muid);
	let now = pallet_timestamp::Now::<Runtime>::get() * 1_000;
	let next = now.max(last.map_or(0, Muid::timestamp)) + 1;
	let (timestamp, medallion, offset) = match draws.below(60) {
		0 => (next, Medallion::MAX, 0),
		1 => (now.saturating_sub(HOUR), medallion, 0),
		2 => (now.saturating_sub(HOUR + 1), medallion, 0),
		3 => (now + DRIFT, medallion, 0),
		4 => (now + DRIFT + 1, medallion, 0),
		5 => (last.map_or(now, Muid::timestamp), medallion, 0),
		6 => (next, medallion, 1),
		7..12 => (now.saturating_sub(draws.number() % 60_000_000), medallion, 0),
		_ => (next, medallion, 0),
	};
	Muid::new(timestamp, medallion, offset).unwrap_or_default()
}

/// Returns the condition on the row counts of a provider under which a call can succeed.
fn rows_of_provider(kind: &str) -> fn(&ProviderRowCounts) -> bool {
	match kind {
		"set_node_locator" | "set_node_operator" | "remove_node" | "governance_delete_node" => {
			|rows| rows.nodes > 0
		},
		"governance_delete_provider_key" => |rows| rows.keys > 0,
		_ => |_| true,
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
	let rows = ContentObjects::<Runtime>::iter_prefix(tenant).take(48);
	let found = draws.one_of(rows.filter(|(_, info)| info.version_count == 0).map(|(id, _)| id));
	found.unwrap_or_else(|| rows::object(draws, tenant))
}

/// Returns a collection of a tenant without records, if there is one.
fn empty_collection(draws: &mut Draws, tenant: TenantId) -> CollectionName {
	let rows = Collections::<Runtime>::iter_prefix(tenant);
	let found = draws.one_of(rows.filter(|(_, info)| info.record_count == 0).map(|(name, _)| name));
	found.unwrap_or_else(|| rows::collection(draws, tenant))
}
