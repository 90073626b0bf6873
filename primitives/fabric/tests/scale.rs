// SPDX-License-Identifier: Apache-2.0
//! The SCALE encoding of every type, which is part of the interface.

use bounded_collections::{BoundedVec, ConstU32};
use codec::{Decode, Encode, MaxEncodedLen};
use content_fabric_primitives::{
	identifiers::{
		ContentObjectId, HashKind, KmsId, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
	},
	wrap_payload, AdmissionPolicy, ContentRef, DraftVersion, MemberId, ProviderLevel, Resolution,
	Role, SpaceRules, TenantLevel, VersionCommit,
};

type Commit = VersionCommit<ConstU32<300>, ConstU32<7>>;
type Rules = SpaceRules<u64, BoundedVec<u8, ConstU32<8>>>;

fn draft() -> DraftVersion {
	DraftVersion {
		object: ContentObjectId([5; 10]),
		version: VersionId([6; 32]),
		hash: HashKind::Sha256,
		size: 0x0102_0304_0506_0708,
		set_head_on_finalize: true,
	}
}

fn commit(versions: usize) -> Commit {
	VersionCommit {
		muid: Muid::from_bytes([0xab; 16]).with_offset(0),
		originator: ProviderId([1; 10]),
		node: NodeId([2; 10]),
		copies: BoundedVec::truncate_from(vec![(ProviderId([7; 10]), NodeId([8; 10])); 7]),
		tenant: TenantId([3; 10]),
		kms: Some(KmsId([4; 10])),
		create_objects: false,
		versions: BoundedVec::try_from(vec![draft(); versions]).expect("at most 300"),
	}
}

fn draft_bytes() -> Vec<u8> {
	[&[5; 10][..], &[6; 32], &[1], &[8, 7, 6, 5, 4, 3, 2, 1], &[1]].concat()
}

fn commit_bytes(len: &[u8], versions: usize) -> Vec<u8> {
	let muid = [[0xab; 12].as_slice(), &[0; 4]].concat();
	let to = [[1; 10], [2; 10]].concat();
	let copies = [&[7 << 2][..], &[[7; 10], [8; 10]].concat().repeat(7)].concat();
	[&muid[..], &to, &copies, &[3; 10], &[1], &[4; 10], &[0], len, &draft_bytes().repeat(versions)]
		.concat()
}

#[track_caller]
fn assert_bytes<T: Encode + Decode + PartialEq + std::fmt::Debug>(value: T, bytes: &[u8]) {
	assert_eq!(hex::encode(value.encode()), hex::encode(bytes));
	assert_eq!(T::decode(&mut &bytes[..]), Ok(value));
}

#[test]
fn variants_keep_their_indices() {
	assert_bytes(MemberId::Provider(ProviderId([7; 10])), &[&[0][..], &[7; 10]].concat());
	assert_bytes(MemberId::Tenant(TenantId([7; 10])), &[&[1][..], &[7; 10]].concat());
	assert_bytes([Role::Provider, Role::Tenant], &[0, 1]);
	assert_bytes([ProviderLevel::Admin, ProviderLevel::Root], &[1, 2]);
	assert!(ProviderLevel::decode(&mut &[0][..]).is_err());
	let levels = [
		TenantLevel::Read,
		TenantLevel::Content,
		TenantLevel::Kms,
		TenantLevel::Admin,
		TenantLevel::Root,
	];
	assert_bytes(levels, &[0, 1, 2, 3, 4]);
	assert_bytes([AdmissionPolicy::Open, AdmissionPolicy::Approval], &[0, 1]);
	let whole = ContentRef { object: ContentObjectId([7; 10]), version: None };
	let whole_bytes = [&[7; 10][..], &[0]].concat();
	assert_bytes(whole, &whole_bytes);
	assert_bytes(Resolution::Content(whole), &[&[0], &whole_bytes[..]].concat());
	let version = ContentRef { version: Some(VersionId([8; 32])), ..whole };
	let version_bytes = [&[7; 10][..], &[1], &[8; 32]].concat();
	assert_bytes(Resolution::Dangling(version), &[&[1], &version_bytes[..]].concat());
}

#[test]
fn rules_are_their_fields_in_order() {
	let rules = Rules {
		provider_bond: 1,
		tenant_bond: 2,
		admission: AdmissionPolicy::Approval,
		partitions: 3,
		sla: BoundedVec::truncate_from(b"sla".to_vec()),
	};
	let numbers = [1u64.to_le_bytes(), 2u64.to_le_bytes()].concat();
	assert_bytes(rules, &[&numbers[..], &[1], &3u32.to_le_bytes(), &[3 << 2], b"sla"].concat());
	assert_eq!(Rules::max_encoded_len(), 16 + 1 + 4 + 1 + 8);
}

#[test]
fn a_commit_is_its_fields_in_order() {
	assert_bytes(draft(), &draft_bytes());
	assert_bytes(commit(1), &commit_bytes(&[1 << 2], 1));
	assert_bytes(commit(63), &commit_bytes(&[63 << 2], 63));
	// Compact numbers of two bytes are little-endian and end in the bits 01.
	assert_bytes(commit(300), &commit_bytes(&((300 << 2 | 1) as u16).to_le_bytes(), 300));
	assert_eq!(Commit::max_encoded_len(), commit(300).encoded_size());
	// Without a KMS, one byte stands for it.
	let plain = Commit { kms: None, ..commit(1) };
	let mut plain_bytes = commit_bytes(&[1 << 2], 1);
	plain_bytes.splice(187..198, [0]);
	assert_bytes(plain, &plain_bytes);
	let too_long = commit_bytes(&((301 << 2 | 1) as u16).to_le_bytes(), 301);
	assert!(Commit::decode(&mut &too_long[..]).is_err());
}

#[test]
fn the_payload_is_context_genesis_hash_and_commit() {
	let payload = commit(2).payload([9; 32]);
	let expected =
		[&b"content-fabric/version-commit/v3"[..], &[9; 32], &commit_bytes(&[2 << 2], 2)].concat();
	assert_eq!(payload, expected);
	assert_eq!(wrap_payload(&payload), [&b"<Bytes>"[..], &expected, b"</Bytes>"].concat());
}

#[test]
fn versions_have_the_offsets_after_that_of_the_commit() {
	let commit = commit(3);
	let offsets: Vec<_> = commit
		.drafts()
		.map(|(muid, _)| (muid.timestamp(), muid.medallion(), muid.offset()))
		.collect();
	let (timestamp, medallion) = (commit.muid.timestamp(), commit.muid.medallion());
	assert_eq!(offsets, [1, 2, 3].map(|offset| (timestamp, medallion, offset)));
}

#[test]
#[cfg(feature = "text")]
fn a_member_id_reads_and_writes_the_text_of_its_own_id() {
	for member in [MemberId::Provider(ProviderId([1; 10])), MemberId::Tenant(TenantId([1; 10]))] {
		assert_eq!(member.to_string().parse(), Ok(member));
		assert_eq!(member.as_bytes(), &[1; 10]);
	}
	let space = SpaceId([1; 10]).to_string();
	for (text, error) in [
		("", "the id starts with neither `iprv` nor `iten`"),
		("serde", "the id starts with neither `iprv` nor `iten`"),
		(&space, "it is the id of a space, expected a provider or a tenant (iprv…, iten…)"),
		("iten", "the text after the prefix does not represent 10 bytes"),
		("iprv0", "the character at byte 4 is not base58"),
	] {
		assert_eq!(text.parse::<MemberId>().map_err(|error| error.to_string()), Err(error.into()));
	}
}
