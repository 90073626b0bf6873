//! The proofs of calls in a large state, beside what their weights say.

use codec::Encode;
use content_fabric_runtime::{
	AccountId, ContentFabric, Runtime, RuntimeCall, RuntimeOrigin, Signature,
};
use frame_support::{
	assert_ok,
	dispatch::GetDispatchInfo,
	storage::{with_transaction, TransactionOutcome},
	traits::GetCallMetadata,
};
use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, KmsId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, TenantId,
		VersionId,
	},
	Call, ContentRef, Nodes, ProviderLevel, Role, Subject, TenantLevel, VersionCommitMessage,
};
use sp_core::Pair;
use sp_keyring::Sr25519Keyring::{self, Alice, Bob, Charlie, Dave};
use sp_runtime::{traits::Dispatchable, DispatchError, StateVersion};

use crate::chain::*;

/// A tenant with a single row.
const SMALL: TenantId = TenantId([0x7f; 10]);

fn text<Text: TryFrom<Vec<u8>>>(len: usize) -> Text {
	vec![b'x'; len].try_into().ok().expect("is not too long")
}

/// A version commit, signed as wallets sign.
fn commit() -> Call<Runtime> {
	let medallion = Nodes::<Runtime>::get(PROVIDER, NODE).expect("the node exists").medallion;
	let message = VersionCommitMessage {
		originator: PROVIDER,
		node: NODE,
		tenant: TENANT,
		object: object(7),
		version: VersionId([7; 32]),
		size: u64::MAX,
		muid: Muid::new(pallet_timestamp::Now::<Runtime>::get() * 1_000, medallion, i32::MAX)
			.expect("is in range"),
		set_head_on_finalize: true,
		kms: KMS,
	};
	let payload = ContentFabric::commit_payload(&message);
	let wrapped = [b"<Bytes>".as_slice(), &payload, b"</Bytes>"].concat();
	let signature = Signature::Sr25519(Charlie.pair().sign(&wrapped));
	Call::commit_version { tenant_signer: Charlie.to_account_id(), message, signature }
}

/// Calls that succeed in the large state, with who makes them.
fn calls() -> Vec<(Sr25519Keyring, Call<Runtime>)> {
	let names = || b"names".to_vec().try_into().expect("is short");
	let key = |text: &str| text.as_bytes().to_vec().try_into().expect("is short");
	let target = ContentRef { object: object(7), version: Some(version(1)) };
	let eve: AccountId = Sr25519Keyring::Eve.to_account_id();
	let put = |key| Call::put_record { tenant: TENANT, collection: names(), key, target };
	vec![
		(Bob, commit()),
		(Bob, Call::finalize_version { tenant: TENANT, object: object(7), version: version(0) }),
		(Charlie, Call::delete_version { tenant: TENANT, object: object(7), version: version(0) }),
		(Charlie, Call::create_content_object { tenant: TENANT, object: ContentObjectId([7; 10]) }),
		(Charlie, put(Some(text(512)))),
		(Charlie, put(Some(key("package-7")))),
		(
			Charlie,
			Call::delete_record { tenant: TENANT, collection: names(), key: key("package-7") },
		),
		(
			Charlie,
			Call::create_collection {
				tenant: TENANT,
				name: text(128),
				key_type: RecordKeyType::Literal(text(512)),
				syntax: RecordKeySyntax::PathSegment,
			},
		),
		(Charlie, Call::add_kms { tenant: TENANT, kms: KmsId([7; 10]), locator: text(256) }),
		(Charlie, Call::set_kms_locator { tenant: TENANT, kms: KMS, locator: text(256) }),
		(Charlie, Call::remove_kms { tenant: TENANT, kms: KMS }),
		(
			Charlie,
			Call::set_tenant_key {
				tenant: TENANT,
				account: eve.clone(),
				level: Some(TenantLevel::Admin),
			},
		),
		(
			Bob,
			Call::set_provider_key {
				provider: PROVIDER,
				account: eve.clone(),
				level: Some(ProviderLevel::Admin),
			},
		),
		(
			Bob,
			Call::create_node {
				provider: PROVIDER,
				node: NodeId([7; 10]),
				operator: eve.clone(),
				locator: text(256),
			},
		),
		(Bob, Call::remove_node { provider: PROVIDER, node: NODE }),
		(Charlie, Call::top_up_tenant_bond { tenant: TENANT, amount: UNIT }),
		(Dave, Call::create_tenant { space: SPACE, tenant: TenantId([7; 10]) }),
		(Dave, Call::create_provider { space: SPACE, provider: ProviderId([7; 10]) }),
		(Alice, Call::admit { space: SPACE, account: eve, role: Role::Tenant }),
		(Alice, Call::slash_tenant { tenant: TENANT, amount: UNIT }),
		(Alice, Call::set_governance_delete { subject: Subject::Tenant(TENANT), enabled: true }),
		(Alice, Call::governance_delete_tenant { tenant: TENANT, slash: UNIT, max_rows: 0 }),
		(Alice, Call::governance_delete_tenant { tenant: NEIGHBOUR, slash: UNIT, max_rows: 52 }),
		(Alice, Call::governance_delete_tenant { tenant: SMALL, slash: UNIT, max_rows: 1 }),
	]
}

#[test]
fn proofs_of_calls_fit_their_weights() {
	let mut chain = fabric();
	chain.block(|| {
		assert_ok!(ContentFabric::create_tenant(signed(Dave), SPACE, SMALL));
		assert_ok!(ContentFabric::add_kms(signed(Dave), SMALL, KMS, text(256)));
	});
	// The events of the last block are in the state. After an empty one there are few.
	chain.block(|| ());
	for (who, call) in chain.state.execute_with(calls) {
		let call = RuntimeCall::ContentFabric(call);
		let weight = call.get_dispatch_info().call_weight.proof_size();
		let (_, proof) = chain.state.execute_and_prove(|| {
			with_transaction(|| {
				let origin = RuntimeOrigin::signed(who.to_account_id());
				assert_ok!(call.clone().dispatch(origin));
				// What the changes need is in the proof too.
				sp_io::storage::root(StateVersion::V1);
				TransactionOutcome::Rollback(Ok::<(), DispatchError>(()))
			})
		});
		let proof = proof.encoded_size() as u64;
		let name = call.get_call_metadata().function_name;
		println!("{name}: {proof} of {weight} bytes");
		assert!(proof <= weight, "{name}: {proof} of {weight} bytes");
	}
}
