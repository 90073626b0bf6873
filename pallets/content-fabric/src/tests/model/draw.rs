//! Random calls, with arguments from so few that they meet.

use rand::{rngs::StdRng, Rng};

use super::{fabric::Model, Origin, POOR};
use crate::{
	identifiers::{
		ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax,
		RecordKeyType, SpaceId, TenantId, VersionId,
	},
	mock::*,
	wrap_payload, AdmissionPolicy, Call, ContentRef, DraftVersion, MemberId, Nodes, ProviderLevel,
	RecordKeyOf, Records, Role, SpaceRules, SpaceRulesOf, TenantLevel, Tenants, VersionCommit,
};

/// A call with what the model cannot see from it.
#[derive(Clone)]
pub struct Drawn {
	pub origin: Origin,
	pub call: Call<Test>,
	/// Whether a version commit is signed by the account that is said to have signed it.
	pub is_signed: bool,
}

impl Drawn {
	pub fn by(origin: Origin, call: Call<Test>) -> Self {
		Self { origin, call, is_signed: true }
	}
}

fn pick<T: Copy>(rng: &mut StdRng, choices: &[T]) -> T {
	choices[rng.random_range(0..choices.len())]
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

/// Returns a muid that is right as a rule, or wrong in one of several ways.
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
	ContentObjectId([rng.random_range(0..3); 10])
}

fn random_version(rng: &mut StdRng) -> VersionId {
	VersionId([rng.random_range(0..3); 32])
}

/// Returns a list of at most three items, in which any may be there twice.
fn list<T>(rng: &mut StdRng, mut item: impl FnMut(&mut StdRng) -> T) -> Vec<T> {
	let len = [0, 1, 1, 1, 1, 1, 2, 2, 3][rng.random_range(0..9)];
	(0..len).map(|_| item(rng)).collect()
}

fn random_commit(rng: &mut StdRng, tenant: TenantId) -> Drawn {
	let originator = ProviderId([rng.random_range(0..2); 10]);
	let node = NodeId([rng.random_range(0..2); 10]);
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
		kms: KmsId([rng.random_range(0..2); 10]),
		create_objects: rng.random(),
		versions: versions.try_into().expect("it is short"),
	};
	let tenant_signer = if rng.random_bool(0.8) { GOVERNOR } else { EDITOR };
	let payload = ContentFabric::commit_payload(&commit);
	let mut altered = payload.clone();
	altered[60] ^= 1;
	let (is_signed, signature) = match rng.random_range(0..20) {
		0 => (false, sign_bytes(STRANGER, &payload)),
		1 => (false, sign_bytes(tenant_signer, &altered)),
		2..5 => (true, sign_bytes(tenant_signer, &wrap_payload(&payload))),
		_ => (true, sign_bytes(tenant_signer, &payload)),
	};
	let origin = Some(if rng.random_bool(0.8) { GOVERNOR } else { EDITOR });
	Drawn { origin, call: Call::commit_versions { tenant_signer, commit, signature }, is_signed }
}

fn random_key(rng: &mut StdRng) -> RecordKeyOf<Test> {
	key(pick(rng, &["self", "a:b", "x", "3jzfcijpj2z2a", "com.example.x"]))
}

/// The kinds of call, each as often as it is to be drawn. Those that undo much are rare.
const KINDS: &[(&str, u32)] = &[
	("create_space", 2),
	("set_space_rules", 2),
	("set_space_governor", 1),
	("admit", 8),
	("revoke_admissions", 3),
	("delete_space", 2),
	("create_provider", 16),
	("create_tenant", 16),
	("top_up_bond", 8),
	("set_max_held", 4),
	("nominate_root", 6),
	("accept_root", 8),
	("purge_member", 2),
	("delete_member", 6),
	("set_provider_key", 5),
	("set_tenant_key", 7),
	("create_node", 14),
	("confirm_node", 16),
	("set_node_locator", 3),
	("set_node_operator", 4),
	("remove_node", 1),
	("add_kms", 12),
	("set_kms_locator", 3),
	("remove_kms", 1),
	("create_content_object", 14),
	("commit_versions", 60),
	("finalize_versions", 34),
	("set_head_version", 8),
	("delete_version", 6),
	("delete_content_object", 3),
	("create_collection", 14),
	("delete_collection", 2),
	("put_records", 30),
	("delete_records", 6),
	("slash", 2),
	("set_suspended", 4),
	("set_governance_delete", 5),
	("governance_delete_node", 3),
	("governance_delete_provider_key", 3),
	("governance_delete_tenant_key", 3),
	("governance_delete_kms", 3),
	("governance_delete_content_object", 5),
	("governance_delete_version", 4),
	("governance_delete_collection", 5),
	("governance_delete_record", 6),
	("governance_delete", 2),
	("reap", 10),
];

fn random_kind(rng: &mut StdRng) -> &'static str {
	let total = KINDS.iter().map(|(_, weight)| weight).sum();
	let mut place = rng.random_range(0..total);
	for (kind, weight) in KINDS {
		match place.checked_sub(*weight) {
			Some(rest) => place = rest,
			None => return kind,
		}
	}
	unreachable!("the place is below the total")
}

/// Returns a call of any kind, by any of a few accounts, or now and then by root.
pub fn random_call(rng: &mut StdRng, model: &Model) -> Drawn {
	let kind = random_kind(rng);
	let space = SpaceId([pick(rng, &[0, 0, 0, 0, 1, 2]); 10]);
	let provider = ProviderId([rng.random_range(0..2); 10]);
	let tenant = TenantId([rng.random_range(0..2); 10]);
	let node = NodeId([rng.random_range(0..2); 10]);
	let kms = KmsId([rng.random_range(0..2); 10]);
	let (object, version) = (random_object(rng), random_version(rng));
	let member: MemberId = if rng.random() { provider.into() } else { tenant.into() };
	let account = pick(rng, &[GOVERNOR, STRANGER, EDITOR, POOR]);
	let role = pick(rng, &[Role::Provider, Role::Tenant]);
	// Of these, the first is what the second begins with.
	let collection = name(pick(rng, &["a", "a.b", "c"]));
	let locator = locator(pick(rng, &["x", "https://long.example", "/dns/y"]));
	let amount = pick(rng, &[0, 1, 400, 1_000, 5_000]);
	let max_held = pick(rng, &[100_000, 100_000, 100_000, 5_000, 2_000, 0]);
	// The incarnation that lives, or one that is gone.
	let created = match rng.random_range(0..10) {
		0 => Muid::default(),
		_ => model.members.get(&member).map_or(Muid::default(), |info| info.created),
	};
	let why = reason(pick(rng, &["", "spam", "https://example.com/motions/7"]));
	// The calls under the flag are for those who have it, if anybody has.
	let frozen = Tenants::<Test>::iter().find(|(_, info)| info.governance_delete);
	let frozen = frozen.map_or(tenant, |(id, _)| id);
	let call = match kind {
		"create_space" => {
			Call::create_space { space, governor: GOVERNOR, rules: random_rules(rng) }
		},
		"set_space_rules" => Call::set_space_rules { space, rules: random_rules(rng) },
		"set_space_governor" => {
			Call::set_space_governor { space, governor: pick(rng, &[GOVERNOR, STRANGER]) }
		},
		"admit" => Call::admit { space, account, role },
		"revoke_admissions" => {
			let admissions = list(rng, |rng| {
				let account = pick(rng, &[GOVERNOR, STRANGER, EDITOR, POOR]);
				(account, pick(rng, &[Role::Provider, Role::Tenant]))
			});
			let admissions = admissions.try_into().expect("it is short");
			Call::revoke_admissions { space, admissions }
		},
		"delete_space" => Call::delete_space { space: SpaceId([rng.random_range(0..2); 10]) },
		"create_provider" => Call::create_provider { space, id: provider, max_held },
		"create_tenant" => Call::create_tenant { space, id: tenant, max_held },
		"top_up_bond" => Call::top_up_bond { member, amount },
		"set_max_held" => Call::set_max_held { member, amount: max_held },
		"nominate_root" => {
			let nominee = rng.random_bool(0.8).then_some(account);
			Call::nominate_root { member, created, nominee }
		},
		"accept_root" => Call::accept_root { member, max_held },
		"purge_member" => Call::purge_member { member },
		"delete_member" => Call::delete_member { member },
		"set_provider_key" => {
			let level = pick(rng, &[None, Some(ProviderLevel::Admin), Some(ProviderLevel::Admin)]);
			Call::set_provider_key { id: provider, account, level }
		},
		"set_tenant_key" => {
			let levels = [
				None,
				Some(TenantLevel::Content),
				Some(TenantLevel::Kms),
				Some(TenantLevel::Admin),
			];
			Call::set_tenant_key { id: tenant, account, level: pick(rng, &levels) }
		},
		"create_node" => Call::create_node { provider, node, operator: account, locator },
		"confirm_node" => Call::confirm_node { provider, node },
		"set_node_locator" => Call::set_node_locator { provider, node, locator },
		"set_node_operator" => Call::set_node_operator { provider, node, operator: account },
		"remove_node" => Call::remove_node { provider, node },
		"add_kms" => Call::add_kms { tenant, kms, locator },
		"set_kms_locator" => Call::set_kms_locator { tenant, kms, locator },
		"remove_kms" => Call::remove_kms { tenant, kms },
		"create_content_object" => Call::create_content_object { tenant, object },
		"commit_versions" => return random_commit(rng, tenant),
		"finalize_versions" => {
			let versions = list(rng, |rng| (random_object(rng), random_version(rng)));
			let versions = versions.try_into().expect("it is short");
			Call::finalize_versions { originator: provider, node, tenant, versions }
		},
		"set_head_version" => {
			let version = rng.random::<bool>().then_some(version);
			Call::set_head_version { tenant, object, version }
		},
		"delete_version" => Call::delete_version { tenant, object, version },
		"delete_content_object" => Call::delete_content_object { tenant, object },
		"create_collection" => {
			let syntax = pick(rng, &[RecordKeySyntax::Unreserved, RecordKeySyntax::PathSegment]);
			let key_type = random_key_type(rng);
			Call::create_collection { tenant, name: collection, key_type, syntax }
		},
		"delete_collection" => Call::delete_collection { tenant, name: collection },
		"put_records" => {
			let records = list(rng, |rng| {
				let key = rng.random_bool(0.8).then(|| random_key(rng));
				let object = random_object(rng);
				let version = rng.random_bool(0.3).then(|| random_version(rng));
				(key, ContentRef { object, version })
			});
			let records = records.try_into().expect("it is short");
			Call::put_records { tenant, collection, records }
		},
		"delete_records" => {
			let keys = list(rng, random_key).try_into().expect("it is short");
			Call::delete_records { tenant, collection, keys }
		},
		"slash" => Call::slash { member, created, amount, reason: why },
		"set_suspended" => {
			let enabled = rng.random_bool(0.4);
			Call::set_suspended { member, created, enabled, reason: why }
		},
		"set_governance_delete" => {
			let enabled = rng.random_bool(0.4);
			Call::set_governance_delete { member, created, enabled, reason: why }
		},
		"governance_delete_node" => Call::governance_delete_node { provider, node },
		"governance_delete_provider_key" => {
			Call::governance_delete_provider_key { id: provider, account }
		},
		"governance_delete_tenant_key" => {
			Call::governance_delete_tenant_key { id: frozen, account }
		},
		"governance_delete_kms" => Call::governance_delete_kms { tenant: frozen, kms },
		"governance_delete_content_object" => {
			Call::governance_delete_content_object { tenant: frozen, object }
		},
		"governance_delete_version" => {
			Call::governance_delete_version { tenant: frozen, object, version }
		},
		"governance_delete_collection" => {
			Call::governance_delete_collection { tenant: frozen, name: collection }
		},
		"governance_delete_record" => {
			let record = Records::<Test>::iter_keys().find(|(id, ..)| *id == frozen);
			let (tenant, collection, key) = record.unwrap_or((frozen, collection, random_key(rng)));
			Call::governance_delete_record { tenant, collection, key }
		},
		"governance_delete" => {
			Call::governance_delete { member, created, slash: amount, reason: why }
		},
		"reap" => Call::reap { member, limit: rng.random_range(0..5) },
		other => unreachable!("{other} is drawn but not made"),
	};
	let origin = match &call {
		// Nearly all members have the same root, which so may do nearly everything.
		Call::create_provider { .. } | Call::create_tenant { .. } if rng.random_bool(0.9) => {
			Some(GOVERNOR)
		},
		Call::accept_root { member, .. } if rng.random_bool(0.7) => {
			let nomination = model.members.get(member).and_then(|info| info.nomination);
			Some(nomination.map_or(account, |(nominee, _)| nominee))
		},
		Call::create_space { .. } => None,
		Call::delete_space { .. } => pick(rng, &[None, Some(GOVERNOR)]),
		_ => match rng.random_range(0..40) {
			0 => None,
			1..32 => Some(GOVERNOR),
			_ => Some(pick(rng, &[STRANGER, EDITOR, POOR])),
		},
	};
	Drawn::by(origin, call)
}
