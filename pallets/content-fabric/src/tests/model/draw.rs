//! Random calls, with arguments from so few that they meet.

use rand::{rngs::StdRng, Rng};

use super::{Origin, POOR};
use crate::{
	identifiers::{
		ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax,
		RecordKeyType, SpaceId, TenantId, VersionId,
	},
	mock::*,
	AdmissionPolicy, Call, ContentRef, Nodes, ProviderLevel, Records, Role, SpaceRules,
	SpaceRulesOf, Subject, TenantLevel, Tenants, VersionCommitMessage,
};

/// A call with what the model cannot see from it.
pub struct Drawn {
	pub origin: Origin,
	pub call: Call<Test>,
	/// Whether a version commit is signed by the account that is said to have signed it.
	pub is_signed: bool,
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

fn random_key_type(rng: &mut StdRng) -> RecordKeyType<crate::RecordKeyOf<Test>> {
	match rng.random_range(0..5) {
		0 => RecordKeyType::Tid,
		1 => RecordKeyType::Nsid,
		2 => RecordKeyType::Literal(key(pick(rng, &["self", "a:b"]))),
		_ => RecordKeyType::Any,
	}
}

/// A muid that is right as a rule, or wrong in one of several ways.
fn random_muid(rng: &mut StdRng, provider: ProviderId, node: NodeId) -> Muid {
	let right = node_muid(provider, node);
	let (now, offset) = (System::block_number() * 6_000_000, rng.random_range(0..3));
	let medallion = Nodes::<Test>::get(provider, node)
		.map_or(Medallion::FIRST_ASSIGNABLE, |info| info.medallion);
	let at = |timestamp| Muid::new(timestamp, medallion, offset).expect("is in range");
	match rng.random_range(0..20) {
		0 => Muid::new(now, Medallion::MAX, 0).expect("is in range"),
		1 => at(now.saturating_sub(600_000_000)),
		2 => at(now.saturating_sub(600_000_001)),
		3 => at(now + 30_000_000),
		4 => at(now + 30_000_001),
		5 => Nodes::<Test>::get(provider, node).and_then(|info| info.last_muid).unwrap_or(right),
		6 => at(now),
		_ => right,
	}
}

fn random_commit(rng: &mut StdRng, tenant: TenantId, object: ContentObjectId) -> Drawn {
	let originator = ProviderId([rng.random_range(0..2); 10]);
	let node = NodeId([rng.random_range(0..2); 10]);
	let message = VersionCommitMessage {
		originator,
		node,
		tenant,
		object,
		version: VersionId([rng.random_range(0..3); 32]),
		size: rng.random(),
		muid: random_muid(rng, originator, node),
		set_head_on_finalize: rng.random(),
		kms: KmsId([rng.random_range(0..2); 10]),
	};
	let tenant_signer = if rng.random_bool(0.8) { GOVERNOR } else { EDITOR };
	let payload = ContentFabric::commit_payload(&message);
	let wrapped = [&b"<Bytes>"[..], &payload, b"</Bytes>"].concat();
	let mut altered = payload.clone();
	altered[60] ^= 1;
	let (is_signed, signature) = match rng.random_range(0..20) {
		0 => (false, sign_bytes(STRANGER, &payload)),
		1 => (false, sign_bytes(tenant_signer, &altered)),
		2..5 => (true, sign_bytes(tenant_signer, &wrapped)),
		_ => (true, sign_bytes(tenant_signer, &payload)),
	};
	let origin = Some(if rng.random_bool(0.8) { GOVERNOR } else { EDITOR });
	let call = Call::commit_version { tenant_signer, message, signature };
	Drawn { origin, call, is_signed }
}

/// The number of a kind of call. Those that undo much are rarer, so that there is something to undo.
fn random_kind(rng: &mut StdRng) -> u32 {
	loop {
		let kind = rng.random_range(0..206);
		let undoes_much =
			matches!(kind, 27 | 35 | 82..86 | 95..98 | 102..104 | 117..119 | 124..127);
		if !undoes_much || rng.random_bool(0.3) {
			return kind;
		}
	}
}

/// A call of any kind, by any of a few accounts, or now and then by root.
pub fn random_call(rng: &mut StdRng) -> Drawn {
	let space = SpaceId([pick(rng, &[0, 0, 0, 0, 1, 2]); 10]);
	let provider = ProviderId([rng.random_range(0..2); 10]);
	let tenant = TenantId([rng.random_range(0..2); 10]);
	let node = NodeId([rng.random_range(0..2); 10]);
	let kms = KmsId([rng.random_range(0..2); 10]);
	let object = ContentObjectId([rng.random_range(0..3); 10]);
	let version = VersionId([rng.random_range(0..3); 32]);
	let subject = if rng.random() { Subject::Provider(provider) } else { Subject::Tenant(tenant) };
	let account = pick(rng, &[GOVERNOR, STRANGER, EDITOR, POOR]);
	let new_root = pick(rng, &[GOVERNOR, GOVERNOR, GOVERNOR, account]);
	let role = pick(rng, &[Role::Provider, Role::Tenant]);
	// Of these, the first is what the second begins with.
	let collection = name(pick(rng, &["a", "a.b", "c"]));
	let record_key = key(pick(rng, &["self", "a:b", "x", "3jzfcijpj2z2a", "com.example.x"]));
	let locator = locator(pick(rng, &["x", "https://long.example", "/dns/y"]));
	let target = ContentRef { object, version: rng.random::<bool>().then_some(version) };
	let amount = pick(rng, &[0, 1, 400, 1_000, 5_000]);
	let max_rows = rng.random_range(0..16);
	// The calls under the flag are for those who have it, if anybody has.
	let frozen = Tenants::<Test>::iter().find(|(_, info)| info.governance_delete);
	let frozen = frozen.map_or(tenant, |(id, _)| id);
	let call = match random_kind(rng) {
		0..6 | 160..166 => Call::create_provider { space, provider },
		6..12 | 166..172 => Call::create_tenant { space, tenant },
		12 => Call::delete_space { space: SpaceId([rng.random_range(0..2); 10]) },
		13..19 => Call::create_node { provider, node, operator: account, locator },
		19..27 => Call::confirm_node { provider, node },
		27 => Call::remove_node { provider, node },
		28 => Call::delete_provider { provider },
		29..35 => Call::add_kms { tenant, kms, locator },
		35 => Call::remove_kms { tenant, kms },
		36 => Call::delete_tenant { tenant },
		37..44 => Call::create_content_object { tenant, object },
		44..64 | 172..180 => return random_commit(rng, tenant, object),
		64..74 => Call::finalize_version { tenant, object, version },
		74..78 => Call::set_head_version {
			tenant,
			object,
			version: rng.random::<bool>().then_some(version),
		},
		78..81 => Call::delete_version { tenant, object, version },
		81 => Call::delete_content_object { tenant, object },
		82..86 => Call::set_governance_delete { subject, enabled: rng.random_bool(0.4) },
		86 | 180..183 => Call::governance_delete_node { provider, node },
		87 | 183..186 => Call::governance_delete_kms { tenant: frozen, kms },
		88 | 186..190 => Call::governance_delete_content_object { tenant: frozen, object },
		89..92 => Call::governance_delete_version { tenant: frozen, object, version },
		92 | 190..195 => Call::governance_delete_collection { tenant: frozen, name: collection },
		93..95 | 156..160 => {
			let record = Records::<Test>::iter_keys().find(|(id, ..)| *id == frozen);
			let (tenant, collection, key) = record.unwrap_or((frozen, collection, record_key));
			Call::governance_delete_record { tenant, collection, key }
		},
		95 => Call::governance_delete_provider { provider, slash: amount, max_rows },
		96..98 => Call::governance_delete_tenant { tenant, slash: amount, max_rows },
		98..102 | 195..200 => Call::reap { subject, limit: rng.random_range(0..5) },
		102 => Call::set_provider_root { provider, root: new_root },
		103 => Call::set_tenant_root { tenant, root: new_root },
		104..107 => {
			let levels = [None, Some(ProviderLevel::Node), Some(ProviderLevel::Admin)];
			Call::set_provider_key { provider, account, level: pick(rng, &levels) }
		},
		107..111 => {
			let levels = [
				None,
				Some(TenantLevel::Content),
				Some(TenantLevel::Kms),
				Some(TenantLevel::Admin),
			];
			Call::set_tenant_key { tenant, account, level: pick(rng, &levels) }
		},
		111..114 => Call::top_up_provider_bond { provider, amount },
		114..117 => Call::top_up_tenant_bond { tenant, amount },
		117 => Call::slash_provider { provider, amount },
		118 => Call::slash_tenant { tenant, amount },
		119..122 => Call::admit { space, account, role },
		122..124 => Call::revoke_admission { space, account, role },
		124..126 => Call::set_space_rules { space, rules: random_rules(rng) },
		126 => Call::set_space_governor { space, governor: pick(rng, &[GOVERNOR, STRANGER]) },
		127 => Call::create_space { space, governor: GOVERNOR, rules: random_rules(rng) },
		128..132 => Call::set_node_locator { provider, node, locator },
		132..136 => Call::set_kms_locator { tenant, kms, locator },
		136..142 => {
			let syntax = pick(rng, &[RecordKeySyntax::Unreserved, RecordKeySyntax::PathSegment]);
			let key_type = random_key_type(rng);
			Call::create_collection { tenant, name: collection, key_type, syntax }
		},
		142 => Call::delete_collection { tenant, name: collection },
		143..156 => {
			let key = rng.random_bool(0.8).then_some(record_key);
			Call::put_record { tenant, collection, key, target }
		},
		_ => Call::delete_record { tenant, collection, key: record_key },
	};
	let origin = match call {
		// Nearly all members have the same root, who so may do nearly everything.
		Call::create_provider { .. } | Call::create_tenant { .. } if rng.random_bool(0.9) => {
			Some(GOVERNOR)
		},
		Call::delete_space { .. } => pick(rng, &[None, Some(GOVERNOR)]),
		_ => match rng.random_range(0..40) {
			0 => None,
			1..32 => Some(GOVERNOR),
			_ => Some(pick(rng, &[STRANGER, EDITOR, POOR])),
		},
	};
	Drawn { origin, call, is_signed: true }
}
