// SPDX-License-Identifier: Apache-2.0
//! The proofs of calls in a large state, compared with their weights: never more, and not much
//! less.

use codec::Encode;
use content_fabric_runtime::{ContentFabric, Runtime, RuntimeCall, RuntimeOrigin};
use frame_support::{assert_ok, dispatch::GetDispatchInfo, traits::GetCallMetadata};
use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, KmsId, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
		TenantId, VersionId,
	},
	Call, ContentRef, DraftVersion, MemberId, ProviderLevel, Role, TenantLevel,
};
use sp_keyring::Sr25519Keyring::{self, Alice, Bob, Charlie, Dave, Eve, Ferdie};
use sp_runtime::{traits::Dispatchable, StateVersion};

use crate::{chain::*, fabric::*};

/// A version of many objects that is not finalized.
const COMMITTED: VersionId = VersionId([9; 32]);
/// A collection whose keys are TIDs.
const MINTED: &str = "minted";
/// Weights may claim this many times what a proof takes here. They hold in maps of a million rows.
const MOST_CLAIMED: f64 = 3.0;

/// Returns a commit of new versions, each of another of the tenant's objects.
fn commit_of_size(versions: u32) -> Call<Runtime> {
	let drafts = (0..versions).map(|number| DraftVersion {
		size: u64::MAX,
		set_head_on_finalize: true,
		..draft(object(number * 31), VersionId([7; 32]))
	});
	let commit = commit_of(TENANT, 0, drafts.collect());
	let signature = sign(Ferdie, &commit);
	Call::commit_versions { tenant_signer: account(Ferdie), commit, signature }
}

/// Finalizes versions that become the heads of their objects.
fn finalize(versions: u32) -> Call<Runtime> {
	let versions: Vec<_> = (0..versions).map(|number| (object(number * 31), COMMITTED)).collect();
	let versions = versions.try_into().expect("is not too long");
	Call::finalize_versions { originator: PROVIDER, node: NODE, tenant: TENANT, versions }
}

fn put(keys: impl Iterator<Item = String>) -> Call<Runtime> {
	let target =
		|number: usize| ContentRef { object: object(number as u32), version: Some(version(1)) };
	let records: Vec<_> =
		keys.enumerate().map(|(place, key)| (Some(text(&key)), target(place * 31))).collect();
	let records = records.try_into().expect("is not too long");
	Call::put_records { tenant: TENANT, collection: text(COLLECTION), records }
}

/// Puts a record for which the chain mints the key.
fn put_minted() -> Call<Runtime> {
	let target = ContentRef { object: object(0), version: Some(version(1)) };
	let records = vec![(None, target)].try_into().expect("is not too long");
	Call::put_records { tenant: TENANT, collection: text(MINTED), records }
}

fn delete_records(records: u32) -> Call<Runtime> {
	let keys: Vec<_> =
		(0..records).map(|number| text(&format!("package-{}", number * 31))).collect();
	let keys = keys.try_into().expect("is not too long");
	Call::delete_records { tenant: TENANT, collection: text(COLLECTION), keys }
}

/// Returns the calls that come in batches, with lists of every size.
fn batches() -> Vec<(Sr25519Keyring, Call<Runtime>)> {
	let sizes = [1, 3, 10, 30, 100, 500];
	let new = |number| format!("new-{number}");
	let longest = |number| format!("{number:x<512}");
	let calls = sizes.into_iter().flat_map(|size| {
		[
			(Dave, commit_of_size(size)),
			(Dave, finalize(size)),
			(Ferdie, put((0..size).map(new))),
			(Ferdie, put((0..size).map(longest))),
			(Ferdie, delete_records(size)),
		]
	});
	calls.collect()
}

/// Returns calls that do one thing.
fn single_calls() -> Vec<(Sr25519Keyring, Call<Runtime>)> {
	let member: MemberId = TENANT.into();
	let created_at = created(member);
	let level = Some(TenantLevel::Admin);
	vec![
		(Ferdie, put_minted()),
		(Ferdie, Call::delete_version { tenant: TENANT, object: object(7), version: version(0) }),
		(Ferdie, Call::create_content_object { tenant: TENANT, object: ContentObjectId([7; 10]) }),
		(
			Ferdie,
			Call::create_collection {
				tenant: TENANT,
				name: text(&"n".repeat(317)),
				key_type: RecordKeyType::Literal(text(&"k".repeat(512))),
				syntax: RecordKeySyntax::PathSegment,
			},
		),
		(
			Ferdie,
			Call::add_kms { tenant: TENANT, kms: KmsId([7; 10]), locator: text(&"x".repeat(256)) },
		),
		(
			Ferdie,
			Call::set_kms_locator { tenant: TENANT, kms: KMS, locator: text(&"x".repeat(256)) },
		),
		(Ferdie, Call::remove_kms { tenant: TENANT, kms: KMS }),
		(Charlie, Call::set_tenant_key { id: TENANT, account: account(Eve), level }),
		(
			Bob,
			Call::set_provider_key {
				id: PROVIDER,
				account: account(Eve),
				level: Some(ProviderLevel::Admin),
			},
		),
		(
			Dave,
			Call::create_node {
				provider: PROVIDER,
				node: NodeId([7; 10]),
				operator: account(Eve),
				locator: text(&"x".repeat(256)),
			},
		),
		(Dave, Call::remove_node { provider: PROVIDER, node: NODE }),
		(Charlie, Call::top_up_bond { member, amount: UNIT }),
		(Charlie, Call::set_max_held { member, amount: ENDOWMENT }),
		(Dave, Call::create_tenant { space: SPACE, id: TenantId([7; 10]), max_held: ENDOWMENT }),
		(
			Dave,
			Call::create_provider { space: SPACE, id: ProviderId([7; 10]), max_held: ENDOWMENT },
		),
		(Alice, Call::admit { space: SPACE, account: account(Eve), role: Role::Tenant }),
		(Alice, Call::slash { member, created: created_at, amount: UNIT, reason: text("spam") }),
		(
			Alice,
			Call::set_governance_delete {
				member,
				created: created_at,
				enabled: true,
				reason: text("spam"),
			},
		),
		(
			Alice,
			Call::governance_delete {
				member,
				created: created_at,
				slash: UNIT,
				reason: text("spam"),
			},
		),
		(Ferdie, Call::reap { member: small_tenant(7).into(), limit: 3 }),
		(Charlie, Call::nominate_root { member, created: created_at, nominee: Some(account(Eve)) }),
	]
}

/// A large state with many members, in which Admins act, because their levels have to be looked up,
/// unlike those of roots.
fn chain() -> Chain {
	let mut chain = large_fabric();
	chain.block(|| {
		let level = Some(ProviderLevel::Admin);
		assert_ok!(ContentFabric::set_provider_key(signed(Bob), PROVIDER, account(Dave), level));
		let level = Some(TenantLevel::Admin);
		assert_ok!(ContentFabric::set_tenant_key(signed(Charlie), TENANT, account(Ferdie), level));
		let (minted, tids, syntax) =
			(text(MINTED), RecordKeyType::Tid, RecordKeySyntax::PathSegment);
		assert_ok!(ContentFabric::create_collection(signed(Ferdie), TENANT, minted, tids, syntax));
		let drafts = (0..500).map(|number| DraftVersion {
			set_head_on_finalize: true,
			..draft(object(number * 31), COMMITTED)
		});
		commit(Bob, TENANT, 0, drafts.collect());
	});
	for members in (0..1_000u32).collect::<Vec<_>>().chunks(250) {
		chain.block(|| members.iter().for_each(|number| create_members(*number)));
	}
	chain.bare_block(|| delete(small_tenant(7)));
	// The events of the last block are in the state. After an empty one there are few. And this one
	// does not use what it has to spare for the purge.
	chain.bare_block(|| ());
	chain
}

/// Returns the id of a tenant with a row in each of the small maps.
fn small_tenant(number: u32) -> TenantId {
	TenantId(small_id(number))
}

fn small_id(number: u32) -> [u8; 10] {
	let mut id = [0x80; 10];
	id[6..].copy_from_slice(&number.to_be_bytes());
	id
}

/// Creates another tenant with a row in each of its small maps, now and then a provider, and more
/// seldom a space to which somebody is admitted.
fn create_members(number: u32) {
	let id = small_id(number);
	let key = || sp_io::hashing::blake2_256(&number.to_le_bytes()).into();
	let root = || signed(Eve);
	let tenant = small_tenant(number);
	assert_ok!(ContentFabric::create_tenant(root(), SPACE, tenant, ENDOWMENT));
	assert_ok!(ContentFabric::add_kms(root(), tenant, KMS, text("https://kms")));
	let level = Some(TenantLevel::Content);
	assert_ok!(ContentFabric::set_tenant_key(root(), tenant, key(), level));
	let (any, syntax) = (RecordKeyType::Any, RecordKeySyntax::PathSegment);
	assert_ok!(ContentFabric::create_collection(root(), tenant, text(COLLECTION), any, syntax));
	if number.is_multiple_of(4) {
		let provider = ProviderId(id);
		assert_ok!(ContentFabric::create_provider(root(), SPACE, provider, ENDOWMENT));
		let locator = text("/dns/node");
		assert_ok!(ContentFabric::create_node(root(), provider, NODE, key(), locator));
		let level = Some(ProviderLevel::Admin);
		assert_ok!(ContentFabric::set_provider_key(root(), provider, key(), level));
	}
	if number.is_multiple_of(20) {
		let space = SpaceId(id);
		let rules = rules();
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), space, account(Eve), rules));
		assert_ok!(ContentFabric::admit(root(), space, key(), Role::Tenant));
	}
}

/// Returns the size of the proof of a call, and what its weight claims.
fn proof_and_claim(chain: &mut Chain, who: Sr25519Keyring, call: &RuntimeCall) -> (u64, u64) {
	let (_, proof) = chain.state.execute_and_prove(|| {
		undone(|| {
			assert_ok!(call.clone().dispatch(signed(who)));
			// What the changes need is in the proof, too.
			sp_io::storage::root(StateVersion::V1);
		})
	});
	(proof.encoded_size() as u64, call.get_dispatch_info().call_weight.proof_size())
}

#[test]
fn proofs_of_calls_fit_their_weights() {
	let mut chain = chain();
	let mut exceeding = Vec::new();
	for (who, call) in chain.run(|| [batches(), single_calls()].concat()) {
		let call = RuntimeCall::ContentFabric(call);
		let (proof, claim) = proof_and_claim(&mut chain, who, &call);
		let name = call.get_call_metadata().function_name;
		let (len, ratio) = (call.encoded_size(), claim as f64 / proof as f64);
		println!("{name} of {len} bytes: {proof} bytes of proof, {claim} claimed: {ratio:.2}");
		if proof > claim || ratio > MOST_CLAIMED {
			exceeding.push((name, len, ratio));
		}
	}
	assert!(exceeding.is_empty(), "{exceeding:?}");
}
