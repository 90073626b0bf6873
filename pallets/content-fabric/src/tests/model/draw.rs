// SPDX-License-Identifier: Apache-2.0
//! Random calls, with arguments drawn from few values, so that calls interfere with each other.

use rand::{rngs::StdRng, seq::IndexedRandom, Rng};

use super::{
	fabric::{Member, Model},
	Origin, POOR,
};
use crate::{
	identifiers::{
		ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax,
		RecordKeyType, SpaceId, TenantId, VersionId,
	},
	mock::*,
	wrap_payload, AdmissionPolicy, Call, CollectionNameOf, ContentRef, DraftVersion, MemberId,
	Nodes, ProviderLevel, RecordKeyOf, Role, SpaceRules, SpaceRulesOf, TenantLevel, VersionCommit,
};

/// A call, with the facts that the model cannot derive from it.
#[derive(Clone)]
pub struct Drawn {
	pub origin: Origin,
	pub call: Call<Test>,
	/// True if a version commit is signed by the account that is named as its signer.
	pub is_signed: bool,
}

impl Drawn {
	pub fn by(origin: Origin, call: Call<Test>) -> Self {
		Self { origin, call, is_signed: true }
	}
}

fn pick<T: Copy>(rng: &mut StdRng, choices: &[T]) -> T {
	*choices.choose(rng).expect("there is a choice")
}

/// Returns a row that exists, most of the time, if any does.
fn known<K>(rng: &mut StdRng, rows: impl Iterator<Item = K>) -> Option<K> {
	let mut rows: Vec<_> = rows.collect();
	let is_drawn = !rows.is_empty() && rng.random_bool(0.9);
	is_drawn.then(|| rows.swap_remove(rng.random_range(0..rows.len())))
}

fn provider_id(id: u8) -> ProviderId {
	ProviderId([id; 10])
}

fn tenant_id(id: u8) -> TenantId {
	TenantId([id; 10])
}

fn object_id(id: u8) -> ContentObjectId {
	ContentObjectId([id; 10])
}

fn random_rules(rng: &mut StdRng) -> SpaceRulesOf<Test> {
	SpaceRules {
		provider_bond: pick(rng, &[0, 0, 500, 3_000]),
		tenant_bond: pick(rng, &[0, 0, 500, 3_000]),
		admission: pick(
			rng,
			&[AdmissionPolicy::Open, AdmissionPolicy::Open, AdmissionPolicy::Approval],
		),
		partitions: rng.random(),
		sla: Default::default(),
	}
}

fn random_key_type(rng: &mut StdRng) -> RecordKeyType<RecordKeyOf<Test>> {
	match rng.random_range(0..5) {
		0 => RecordKeyType::Tid,
		1 => RecordKeyType::Nsid,
		2 => RecordKeyType::Literal(key(pick(rng, &["self", "a:b"]))),
		_ => RecordKeyType::Any,
	}
}

/// Returns a muid that is valid most of the time, or wrong in one of several ways.
fn random_muid(rng: &mut StdRng, provider: ProviderId, node: NodeId) -> Muid {
	let right = node_muid(provider, node);
	let now = System::block_number() * 6_000_000;
	let medallion = Nodes::<Test>::get(provider, node)
		.map_or(Medallion::FIRST_ASSIGNABLE, |info| info.medallion);
	let at = |timestamp| Muid::new(timestamp, medallion, 0).expect("is in range");
	match rng.random_range(0..24) {
		0 => Muid::new(now, Medallion::MAX, 0).expect("is in range"),
		1 => at(now.saturating_sub(600_000_000)),
		2 => at(now.saturating_sub(600_000_001)),
		3 => at(now + 30_000_000),
		4 => at(now + 30_000_001),
		5 => Nodes::<Test>::get(provider, node).and_then(|info| info.last_muid).unwrap_or(right),
		6 => at(now),
		7 => right.with_offset(1),
		// Drafted a while ago.
		8..11 => at(now.saturating_sub(rng.random_range(0..60_000_000))),
		_ => right,
	}
}

fn random_object(rng: &mut StdRng) -> ContentObjectId {
	object_id(rng.random_range(0..3))
}

fn random_version(rng: &mut StdRng) -> VersionId {
	VersionId([rng.random_range(0..3); 32])
}

/// Returns a list of at most three items, which may repeat.
fn list<T>(rng: &mut StdRng, mut item: impl FnMut(&mut StdRng) -> T) -> Vec<T> {
	let len = pick(rng, &[0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3]);
	(0..len).map(|_| item(rng)).collect()
}

fn random_commit(rng: &mut StdRng, model: &Model) -> Drawn {
	let (id, node) = (rng.random_range(0..2), NodeId([rng.random_range(0..2); 10]));
	let kms = KmsId(node.0);
	let (originator, node) =
		known(rng, model.nodes.keys().copied()).unwrap_or((provider_id(id), node));
	let (tenant, kms) = known(rng, model.kmses.keys().copied()).unwrap_or((tenant_id(id), kms));
	let versions = list(rng, |rng| DraftVersion {
		object: random_object(rng),
		version: random_version(rng),
		size: rng.random(),
		set_head_on_finalize: rng.random(),
	});
	let commit = VersionCommit {
		muid: random_muid(rng, originator, node),
		originator,
		node,
		tenant,
		kms,
		create_objects: rng.random_bool(0.6),
		versions: bounded(versions),
	};
	let tenant_signer = root_or_other(rng, model, MemberId::Tenant(commit.tenant));
	let payload = ContentFabric::commit_payload(&commit);
	let mut altered = payload.clone();
	altered[60] ^= 1;
	let (is_signed, signature) = match rng.random_range(0..20) {
		0 => (false, sign_bytes(KMS_ACCOUNT, &payload)),
		1 => (false, sign_bytes(tenant_signer, &altered)),
		2..5 => (true, sign_bytes(tenant_signer, &wrap_payload(&payload))),
		_ => (true, sign_bytes(tenant_signer, &payload)),
	};
	let origin = Some(match known_operator(model, originator, node) {
		Some(operator) if rng.random_bool(0.4) => operator,
		_ => root_or_other(rng, model, originator.into()),
	});
	Drawn { origin, call: Call::commit_versions { tenant_signer, commit, signature }, is_signed }
}

/// Returns the root of a member, most of the time.
fn root_or_other(rng: &mut StdRng, model: &Model, member: MemberId) -> AccountId {
	match model.members.get(&member) {
		Some(info) if rng.random_bool(0.85) => info.root,
		_ => pick(rng, &[GOVERNOR, STRANGER, EDITOR, POOR]),
	}
}

fn known_operator(model: &Model, provider: ProviderId, node: NodeId) -> Option<AccountId> {
	model.nodes.get(&(provider, node)).map(|node| node.operator)
}

fn random_key(rng: &mut StdRng) -> RecordKeyOf<Test> {
	key(pick(rng, &["self", "a:b", "x", "3jzfcijpj2z2a", "com.example.x"]))
}

/// The kinds of call, each as often as it is to be drawn. Those that undo much are rare.
const KINDS: &[(&str, u32)] = &[
	("create_space", 1),
	("set_space_rules", 9),
	("set_space_governor", 3),
	("admit", 24),
	("revoke_admissions", 9),
	("delete_space", 1),
	("create_provider", 30),
	("create_tenant", 30),
	("top_up_bond", 30),
	("set_max_held", 15),
	("nominate_root", 18),
	("accept_root", 24),
	("purge_member", 2),
	("delete_member", 18),
	("set_provider_key", 18),
	("set_tenant_key", 30),
	("create_node", 42),
	("confirm_node", 48),
	("set_node_locator", 12),
	("set_node_operator", 12),
	("remove_node", 6),
	("add_kms", 42),
	("set_kms_locator", 12),
	("remove_kms", 6),
	("create_content_object", 48),
	("commit_versions", 270),
	("finalize_versions", 180),
	("set_head_version", 42),
	("delete_version", 24),
	("delete_content_object", 12),
	("create_collection", 42),
	("delete_collection", 9),
	("put_records", 150),
	("delete_records", 36),
	("slash", 3),
	("set_suspended", 5),
	("set_governance_delete", 6),
	("governance_delete_node", 6),
	("governance_delete_provider_key", 6),
	("governance_delete_tenant_key", 6),
	("governance_delete_kms", 6),
	("governance_delete_content_object", 9),
	("governance_delete_version", 9),
	("governance_delete_collection", 9),
	("governance_delete_record", 15),
	("governance_delete", 2),
	("reap", 24),
];

fn random_kind(rng: &mut StdRng) -> &'static str {
	let drawn = KINDS.choose_weighted(rng, |(_, weight)| *weight);
	drawn.expect("some calls are drawn").0
}

/// Arguments of a call: rows that exist, most of the time, and parts of one another.
struct Arguments {
	space: SpaceId,
	member: MemberId,
	provider: ProviderId,
	node: NodeId,
	tenant: TenantId,
	kms: KmsId,
	object: ContentObjectId,
	version: VersionId,
	collection: CollectionNameOf<Test>,
	key: RecordKeyOf<Test>,
	account: AccountId,
}

impl Arguments {
	fn draw(rng: &mut StdRng, model: &Model, kind: &str) -> Self {
		let (provider, tenant) = (rng.random_range(0..2), rng.random_range(0..2));
		let member: MemberId = match rng.random() {
			true => provider_id(provider).into(),
			false => tenant_id(tenant).into(),
		};
		let member = known(rng, model.members.keys().copied()).unwrap_or(member);
		let mut drawn = Self {
			// Of the space and what follows, the first one is the most often drawn.
			space: SpaceId([pick(rng, &[0, 0, 0, 0, 1, 2]); 10]),
			member,
			provider: provider_id(provider),
			node: NodeId([rng.random_range(0..2); 10]),
			tenant: tenant_id(tenant),
			kms: KmsId([rng.random_range(0..2); 10]),
			object: random_object(rng),
			version: random_version(rng),
			// Of these, the first is what the second begins with.
			collection: name(pick(rng, &["a", "a.b", "c"])),
			key: random_key(rng),
			account: pick(rng, &[GOVERNOR, STRANGER, EDITOR, POOR]),
		};
		drawn.take_known(rng, model, kind);
		drawn
	}

	/// Chooses an existing row of the kind that a call is about.
	fn take_known(&mut self, rng: &mut StdRng, model: &Model, kind: &str) {
		if kind.starts_with("create_") || kind == "add_kms" {
			return;
		}
		// The calls under the flag are for rows of members that have it.
		let flagged = kind.starts_with("governance_delete_");
		let is_frozen =
			|member| model.members.get(&member).is_some_and(|info: &Member| info.frozen);
		let of_provider = |id: ProviderId| !flagged || is_frozen(id.into());
		let of_tenant = |id: TenantId| !flagged || is_frozen(id.into());
		if kind.contains("node") {
			let nodes = model.nodes.keys().filter(|row| of_provider(row.0));
			if let Some(row) = known(rng, nodes) {
				(self.provider, self.node) = *row;
			}
		} else if kind.contains("_key") {
			let keys = model.keys.keys().filter(|row| !flagged || is_frozen(row.0));
			let keys = keys.filter(|row| match row.0 {
				MemberId::Provider(_) => kind.contains("provider"),
				MemberId::Tenant(_) => kind.contains("tenant"),
			});
			if let Some((member, account)) = known(rng, keys).filter(|_| flagged) {
				self.account = *account;
				match *member {
					MemberId::Provider(id) => self.provider = id,
					MemberId::Tenant(id) => self.tenant = id,
				}
			}
		} else if kind.contains("kms") {
			let kmses = model.kmses.keys().filter(|row| of_tenant(row.0));
			if let Some(row) = known(rng, kmses) {
				(self.tenant, self.kms) = *row;
			}
		} else if kind.contains("version") {
			let versions = model.versions.keys().filter(|row| of_tenant(row.0));
			if let Some(row) = known(rng, versions) {
				(self.tenant, self.object, self.version) = *row;
			}
		} else if kind.contains("object") {
			let objects = model.objects.keys().filter(|row| of_tenant(row.0));
			if let Some(row) = known(rng, objects) {
				(self.tenant, self.object) = *row;
			}
		} else if kind.contains("collection") || kind == "put_records" {
			let collections = model.collections.keys().filter(|row| of_tenant(row.0));
			if let Some(row) = known(rng, collections) {
				(self.tenant, self.collection) = row.clone();
			}
		} else if kind.contains("record") {
			let records = model.records.keys().filter(|row| of_tenant(row.0));
			if let Some(row) = known(rng, records) {
				(self.tenant, self.collection, self.key) = row.clone();
			}
		}
	}
}

/// The account that makes a call, most of the time.
enum By {
	Anyone,
	Account(AccountId),
	Root(MemberId),
	Governance(SpaceId),
}

/// Returns a kind of call that reopens a member, so that most calls do not fail for want of an open
/// one.
fn random_restoration(rng: &mut StdRng, model: &Model) -> Option<&'static str> {
	let member: MemberId =
		if rng.random() { provider_id(0).into() } else { tenant_id(rng.random_range(0..2)).into() };
	match (model.members.get(&member), member) {
		(None, MemberId::Provider(_)) => rng.random_bool(0.3).then_some("create_provider"),
		(None, MemberId::Tenant(_)) => rng.random_bool(0.3).then_some("create_tenant"),
		(Some(info), _) if info.frozen => rng.random_bool(0.06).then_some("set_governance_delete"),
		(Some(info), _) if info.suspended => rng.random_bool(0.06).then_some("set_suspended"),
		_ => None,
	}
}

/// Returns a call of any kind, mostly by somebody who may make it.
pub fn random_call(rng: &mut StdRng, model: &Model) -> Drawn {
	let kind = match random_restoration(rng, model) {
		Some(kind) => kind,
		None => random_kind(rng),
	};
	if kind == "commit_versions" {
		return random_commit(rng, model);
	}
	let drawn = Arguments::draw(rng, model, kind);
	let (call, by) = random_call_of(rng, model, kind, drawn);
	let anyone = pick(rng, &[GOVERNOR, STRANGER, EDITOR, POOR]);
	let origin = match by {
		_ if rng.random_bool(0.02) => None,
		By::Account(account) if rng.random_bool(0.9) => Some(account),
		By::Root(member) => Some(root_or_other(rng, model, member)),
		By::Governance(space) if rng.random_bool(0.7) => {
			model.spaces.get(&space).map(|space| space.governor)
		},
		By::Governance(_) => pick(rng, &[None, Some(anyone)]),
		By::Anyone | By::Account(_) => Some(anyone),
	};
	Drawn::by(origin, call)
}

fn random_call_of(
	rng: &mut StdRng,
	model: &Model,
	kind: &str,
	drawn: Arguments,
) -> (Call<Test>, By) {
	let Arguments { space, member, provider, node, tenant, kms, object, .. } = drawn;
	let Arguments { version, collection, key, account, .. } = drawn;
	let info = model.members.get(&member);
	let role = pick(rng, &[Role::Provider, Role::Tenant]);
	let locator = locator(pick(rng, &["x", "https://long.example", "/dns/y"]));
	let amount = pick(rng, &[0, 1, 400, 1_000, 5_000]);
	let max_held = pick(rng, &[100_000, 100_000, 100_000, 5_000, 2_000, 0]);
	// The present incarnation, or a former one.
	let created = info.filter(|_| rng.random_bool(0.9)).map_or(Muid::default(), |it| it.created);
	let why = reason(pick(rng, &["", "spam", "https://example.com/motions/7"]));
	let of_space = By::Governance(space);
	let governance = By::Governance(info.map_or(SpaceId([0; 10]), |info| info.space));
	let (root, of_provider, of_tenant) =
		(By::Root(member), By::Root(provider.into()), By::Root(tenant.into()));
	match kind {
		"create_space" => {
			let call = Call::create_space { space, governor: GOVERNOR, rules: random_rules(rng) };
			(call, By::Governance(SpaceId([u8::MAX; 10])))
		},
		"set_space_rules" => (Call::set_space_rules { space, rules: random_rules(rng) }, of_space),
		"set_space_governor" => {
			let governor = pick(rng, &[GOVERNOR, STRANGER]);
			(Call::set_space_governor { space, governor }, of_space)
		},
		"admit" => (Call::admit { space, account, role }, of_space),
		"revoke_admissions" => {
			let unused: Vec<_> = model.admissions.iter().filter(|it| it.0 == space).collect();
			let admissions = list(rng, |rng| {
				let one = (!unused.is_empty()).then(|| *pick(rng, &unused));
				one.map_or((account, role), |(_, account, role)| (account, role))
			});
			(Call::revoke_admissions { space, admissions: bounded(admissions) }, of_space)
		},
		"delete_space" => (Call::delete_space { space }, of_space),
		"create_provider" => (create_in(space, provider.into(), max_held), By::Account(GOVERNOR)),
		"create_tenant" => (create_in(space, tenant.into(), max_held), By::Account(GOVERNOR)),
		"top_up_bond" => (Call::top_up_bond { member, amount }, root),
		"set_max_held" => (Call::set_max_held { member, amount: max_held }, root),
		"nominate_root" => {
			let nominee = rng.random_bool(0.8).then_some(account);
			let by = if rng.random() { root } else { governance };
			(Call::nominate_root { member, created, nominee }, by)
		},
		"accept_root" => {
			let nominee = info.and_then(|info| info.nomination).map_or(account, |it| it.0);
			(Call::accept_root { member, max_held }, By::Account(nominee))
		},
		"purge_member" => (Call::purge_member { member }, root),
		"delete_member" => (Call::delete_member { member }, root),
		"set_provider_key" => {
			let level = pick(rng, &[None, Some(ProviderLevel::Admin), Some(ProviderLevel::Admin)]);
			(Call::set_provider_key { id: provider, account, level }, of_provider)
		},
		"set_tenant_key" => {
			let levels = [
				None,
				Some(TenantLevel::Content),
				Some(TenantLevel::Kms),
				Some(TenantLevel::Admin),
			];
			(Call::set_tenant_key { id: tenant, account, level: pick(rng, &levels) }, of_tenant)
		},
		"create_node" => {
			(Call::create_node { provider, node, operator: account, locator }, of_provider)
		},
		"confirm_node" => {
			let operator = known_operator(model, provider, node).filter(|_| rng.random());
			(Call::confirm_node { provider, node }, operator.map_or(of_provider, By::Account))
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
		"finalize_versions" => {
			let row = model.versions.get(&(tenant, object, version));
			let row = row.filter(|_| rng.random_bool(0.9));
			let (provider, node) = row.map_or((provider, node), |row| (row.originator, row.node));
			let mut versions = list(rng, |rng| (random_object(rng), random_version(rng)));
			if let Some(first) = versions.first_mut() {
				*first = (object, version);
			}
			if rng.random_bool(0.7) {
				versions.truncate(1);
			}
			let operator = known_operator(model, provider, node).filter(|_| rng.random());
			let (originator, versions) = (provider, bounded(versions));
			let call = Call::finalize_versions { originator, node, tenant, versions };
			(call, operator.map_or(By::Root(provider.into()), By::Account))
		},
		"set_head_version" => {
			let version = rng.random_bool(0.7).then_some(version);
			(Call::set_head_version { tenant, object, version }, of_tenant)
		},
		"delete_version" => (Call::delete_version { tenant, object, version }, of_tenant),
		"delete_content_object" => (Call::delete_content_object { tenant, object }, of_tenant),
		"create_collection" => {
			let syntax = pick(rng, &[RecordKeySyntax::Unreserved, RecordKeySyntax::PathSegment]);
			let key_type = random_key_type(rng);
			(Call::create_collection { tenant, name: collection, key_type, syntax }, of_tenant)
		},
		"delete_collection" => (Call::delete_collection { tenant, name: collection }, of_tenant),
		"put_records" => {
			let records = list(rng, |rng| {
				let key = rng.random_bool(0.8).then(|| random_key(rng));
				let object = random_object(rng);
				let version = rng.random_bool(0.3).then(|| random_version(rng));
				(key, ContentRef { object, version })
			});
			(Call::put_records { tenant, collection, records: bounded(records) }, of_tenant)
		},
		"delete_records" => {
			let mut keys = list(rng, random_key);
			if let Some(first) = keys.first_mut() {
				*first = key;
			}
			(Call::delete_records { tenant, collection, keys: bounded(keys) }, of_tenant)
		},
		"slash" => (Call::slash { member, created, amount, reason: why }, governance),
		"set_suspended" => {
			let enabled =
				rng.random_bool(if info.is_some_and(|it| it.suspended) { 0.1 } else { 0.3 });
			(Call::set_suspended { member, created, enabled, reason: why }, governance)
		},
		"set_governance_delete" => {
			let enabled = rng.random_bool(if info.is_some_and(|it| it.frozen) { 0.2 } else { 0.3 });
			(Call::set_governance_delete { member, created, enabled, reason: why }, governance)
		},
		"governance_delete_node" => (Call::governance_delete_node { provider, node }, By::Anyone),
		"governance_delete_provider_key" => {
			(Call::governance_delete_provider_key { id: provider, account }, By::Anyone)
		},
		"governance_delete_tenant_key" => {
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
			(Call::governance_delete { member, created, slash: amount, reason: why }, governance)
		},
		"reap" => (Call::reap { member, limit: rng.random_range(0..5) }, By::Anyone),
		other => unreachable!("{other} is drawn but not made"),
	}
}
