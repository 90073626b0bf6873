// SPDX-License-Identifier: Apache-2.0
//! Signatures under version commits: what has to be signed, and by whom.

use codec::Encode;
use frame_support::{assert_noop, assert_ok, dispatch::DispatchResult};
use frame_system::BlockHash;
use sp_core::H256;

use super::replay::{create_confirmed, medallion_of};
use crate::{
	identifiers::{ContentObjectId, KmsId, Muid, NodeId, ProviderId, TenantId, VersionId},
	mock::*,
	Call, DraftVersion, Error, HashKind, VersionCommit, VersionCommitOf, Versions, COMMIT_CONTEXT,
};

const NEWER: VersionId = VersionId([8; 32]);

/// Submits a commit as [`PROVIDER_ROOT`], naming `signer` as the account that signed it.
pub(super) fn submit_signed(
	signer: AccountId,
	commit: &VersionCommitOf<Test>,
	signature: Signature,
) -> DispatchResult {
	ContentFabric::commit_versions(signed(PROVIDER_ROOT), signer, commit.clone(), signature)
}

/// Returns the outcome of a commit that [`TENANT_ROOT`] has signed. Changes nothing.
pub(super) fn tried(commit: &VersionCommitOf<Test>) -> DispatchResult {
	undone(|| submit(commit.clone()))
}

#[track_caller]
pub(super) fn assert_invalid(
	signer: AccountId,
	commit: &VersionCommitOf<Test>,
	signature: Signature,
) {
	assert_noop!(submit_signed(signer, commit, signature), Error::<Test>::InvalidSignature);
}

fn new_commit() -> VersionCommitOf<Test> {
	commit_of(&[draft(OBJECT, NEW)])
}

/// The bytes of a payload in hex, written out by hand, independently of the encoder.
pub(super) const PAYLOAD_HEX: [&str; 20] = [
	// `content-fabric/version-commit/v3`.
	"636f6e74656e742d6661627269632f76657273696f6e2d636f6d6d69742f7633",
	// The hash of the genesis block.
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	// The muid, big-endian: timestamp, medallion, offset.
	"6651728988000",
	"10000000001",
	"00000000",
	// Originator, node.
	"01010101010101010101",
	"02020202020202020202",
	// One other node is asked, with its provider: a compact number.
	"04",
	"07070707070707070707",
	"08080808080808080808",
	// Tenant, and that there is a KMS.
	"03030303030303030303",
	"01",
	"04040404040404040404",
	// Objects may be created.
	"01",
	// One version follows: a compact number.
	"04",
	// Object, version, the kind of its hash, size in little-endian bytes, and that it is to become
	// the head.
	"05050505050505050505",
	"0606060606060606060606060606060606060606060606060606060606060606",
	"00",
	"e803000000000000",
	"01",
];

#[test]
fn the_payload_of_a_commit_of_one_version_has_these_bytes() {
	Chain::empty().block(|| {
		BlockHash::<Test>::insert(0u64, H256([0xaa; 32]));
		let commit: VersionCommitOf<Test> = VersionCommit {
			muid: "6651728988000-10000000001-00000000".parse().expect("is a muid"),
			originator: ProviderId([1; 10]),
			node: NodeId([2; 10]),
			copies: bounded([(ProviderId([7; 10]), NodeId([8; 10]))]),
			tenant: TenantId([3; 10]),
			kms: Some(KmsId([4; 10])),
			create_objects: true,
			versions: bounded([head_draft(ContentObjectId([5; 10]), VersionId([6; 32]))]),
		};
		let payload = ContentFabric::commit_payload(&commit);
		let hex: String = payload.iter().map(|byte| format!("{byte:02x}")).collect();
		assert_eq!(hex, PAYLOAD_HEX.concat());
	});
}

#[test]
fn a_payload_is_signed_raw_or_between_bytes_tags() {
	Chain::small_fabric().block(|| {
		for (version, [open, close]) in
			[(NEW, [b"".as_slice(), b""]), (NEWER, [b"<Bytes>".as_slice(), b"</Bytes>"])]
		{
			let commit = commit_of(&[draft(OBJECT, version)]);
			let payload = ContentFabric::commit_payload(&commit);
			let bytes = [open, &payload, close].concat();
			assert_ok!(submit_signed(TENANT_ROOT, &commit, sign_bytes(TENANT_ROOT, &bytes)));
			assert!(Versions::<Test>::contains_key((TENANT, OBJECT, version)));
		}
	});
}

#[test]
fn no_other_bytes_may_be_signed() {
	Chain::small_fabric().block(|| {
		let commit = new_commit();
		let payload = ContentFabric::commit_payload(&commit);
		let (payload, scale) = (payload.as_slice(), commit.encode());
		let (genesis, hash) = (System::block_hash(0u64), sp_io::hashing::blake2_256(payload));
		let (open, close) = (b"<Bytes>".as_slice(), b"</Bytes>".as_slice());
		for bytes in [
			// With one tag only, with tags in the wrong order, twice, misspelt, or with spaces.
			[open, payload].concat(),
			[payload, close].concat(),
			[close, payload, open].concat(),
			[open, open, payload, close, close].concat(),
			[b"<bytes>".as_slice(), payload, b"</bytes>"].concat(),
			[open, b" ", payload, b" ", close].concat(),
			// Without the context, or the chain, or both.
			[genesis.as_bytes(), &scale].concat(),
			[COMMIT_CONTEXT, &scale].concat(),
			scale.clone(),
			// With the context of another version.
			[b"content-fabric/version-commit/v2".as_slice(), genesis.as_bytes(), &scale].concat(),
			[b"content-fabric/version-commit/v4".as_slice(), genesis.as_bytes(), &scale].concat(),
			// With more bytes, or fewer, or a hash.
			[payload, b"\0"].concat(),
			payload[..payload.len() - 1].to_vec(),
			hash.to_vec(),
			Vec::new(),
		] {
			assert_invalid(TENANT_ROOT, &commit, sign_bytes(TENANT_ROOT, &bytes));
		}
		let signature = sign_bytes(TENANT_ROOT, payload);
		assert_ok!(submit_signed(TENANT_ROOT, &commit, signature));
	});
}

#[test]
fn every_field_is_signed() {
	let mut chain = Chain::small_fabric();
	// Twins of all that a commit names, so that only the signature can be wrong.
	chain.block(|| {
		make(PROVIDER_ROOT, create(OTHER_PROVIDER.into(), MAX_HELD));
		create_confirmed(OTHER_PROVIDER, NODE);
		assert_ok!(confirm_node(PROVIDER, PENDING_NODE));
		make(TENANT_ROOT, create(OTHER_TENANT.into(), MAX_HELD));
		for object in [OBJECT, EMPTY_OBJECT] {
			// The commit under test has versions of both.
			make(TENANT_ROOT, Call::create_content_object { tenant: OTHER_TENANT, object });
		}
		assert_ok!(add_kms(OTHER_TENANT, KMS));
		assert_ok!(add_kms(TENANT, OTHER_KMS));
	});
	chain.block(|| {
		let drafts = [draft(OBJECT, NEW), draft(EMPTY_OBJECT, NEW)];
		let commit = commit_of(&drafts);
		let signature = || sign(TENANT_ROOT, &commit);
		let altered = |change: fn(&mut VersionCommitOf<Test>)| {
			let mut altered = commit.clone();
			change(&mut altered);
			altered
		};
		let [first, second] = drafts;
		let with_versions = |versions: &[DraftVersion]| VersionCommit {
			versions: commit_of(versions).versions,
			..commit.clone()
		};
		let with_first = |first| with_versions(&[first, second]);
		let later = Muid::new(commit.muid.timestamp() + 1, medallion_of(NODE), 0);
		for altered in [
			VersionCommit { muid: later.expect("is in range"), ..commit.clone() },
			// The muid says which node it is of, so it is altered, too.
			altered(|commit| {
				commit.originator = OTHER_PROVIDER;
				commit.muid = node_muid(OTHER_PROVIDER, NODE);
			}),
			altered(|commit| {
				commit.node = PENDING_NODE;
				commit.muid = node_muid(PROVIDER, PENDING_NODE);
			}),
			altered(|commit| commit.tenant = OTHER_TENANT),
			altered(|commit| commit.kms = Some(OTHER_KMS)),
			altered(|commit| commit.kms = None),
			altered(|commit| commit.create_objects = true),
			with_first(DraftVersion { object: EMPTY_OBJECT, version: NEWER, ..first }),
			with_first(DraftVersion { version: NEWER, ..first }),
			with_first(DraftVersion { hash: HashKind::Sha256, ..first }),
			with_first(DraftVersion { size: first.size + 1, ..first }),
			with_first(DraftVersion { set_head_on_finalize: true, ..first }),
			// The list as a whole: its order, and where it ends.
			with_versions(&[second, first]),
			with_versions(&[first, second, draft(OBJECT, NEWER)]),
			with_versions(&[first]),
		] {
			assert_ne!(altered, commit);
			assert_invalid(TENANT_ROOT, &altered, signature());
			// With a signature of its own it is accepted.
			assert_eq!(tried(&altered), Ok(()), "{altered:?}");
		}
		// A commit to another node needs a muid of that node, too.
		for altered in [
			altered(|commit| commit.originator = OTHER_PROVIDER),
			altered(|commit| commit.node = PENDING_NODE),
		] {
			assert_invalid(TENANT_ROOT, &altered, signature());
			assert_noop!(tried(&altered), Error::<Test>::MedallionMismatch);
		}
		assert_ok!(submit_signed(TENANT_ROOT, &commit, signature()));
	});
}

#[test]
fn a_signature_is_for_one_chain() {
	Chain::small_fabric().block(|| {
		let commit = new_commit();
		let of_another_chain = sign(TENANT_ROOT, &commit);
		BlockHash::<Test>::insert(0u64, H256::repeat_byte(7));
		assert_invalid(TENANT_ROOT, &commit, of_another_chain);
		assert_ok!(submit(commit));
	});
}

#[test]
fn the_signature_is_that_of_the_account_that_is_named() {
	Chain::fabric_with_keys().block(|| {
		let commit = new_commit();
		for (named, signer) in [
			(TENANT_ROOT, STRANGER),
			(TENANT_ROOT, EDITOR),
			(EDITOR, TENANT_ROOT),
			(TENANT_ADMIN, EDITOR),
			(TENANT_ROOT, PROVIDER_ROOT),
			(KMS_ACCOUNT, 0),
		] {
			assert_invalid(named, &commit, sign(signer, &commit));
		}
		assert_ok!(submit_signed(EDITOR, &commit, sign(EDITOR, &commit)));
	});
}

#[test]
fn an_account_that_may_manage_content_may_sign() {
	Chain::fabric_with_keys().block(|| {
		for signer in [TENANT_ROOT, TENANT_ADMIN, KMS_ACCOUNT, EDITOR] {
			let version = VersionId([signer as u8 + 100; 32]);
			make(PROVIDER_ROOT, commit_call(signer, commit_of(&[draft(OBJECT, version)])));
		}
	});
}

#[track_caller]
fn assert_not_permitted(signer: AccountId) {
	let call = commit_call(signer, new_commit());
	assert_refused(PROVIDER_ROOT, call, Error::<Test>::SignerNotPermitted);
}

#[test]
fn an_account_that_may_not_manage_content_may_not_sign() {
	Chain::fabric_with_keys().block(|| {
		for signer in
			[READER, KMS_OPERATOR, STRANGER, GOVERNOR, PROVIDER_ROOT, PROVIDER_ADMIN, OPERATOR]
		{
			assert_not_permitted(signer);
		}
		// A level in another tenant does not count.
		make(STRANGER, create(OTHER_TENANT.into(), MAX_HELD));
		assert_not_permitted(STRANGER);
	});
}

#[test]
fn a_signature_counts_only_while_its_account_has_a_level() {
	Chain::fabric_with_keys().block(|| {
		let call = commit_call(EDITOR, new_commit());
		assert_ok!(set_tenant_key(EDITOR, None));
		assert_refused(PROVIDER_ROOT, call, Error::<Test>::SignerNotPermitted);
		// A former root has no level, either.
		hand_over(THE_TENANT, TENANT_ROOT, STRANGER);
		assert_not_permitted(TENANT_ROOT);
	});
}
