// SPDX-License-Identifier: Apache-2.0
//! The bytes of every row. Chains store them, so they do not change without a migration.

use codec::{Compact, Decode, Encode};
use content_fabric_primitives::{
	identifiers::{
		ContentObjectId, HashKind, KmsId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax,
		RecordKeyType, SpaceId, VersionId,
	},
	AdmissionPolicy, BondInfo, CollectionInfo, ContentObjectInfo, ContentRef, Copy, KeyInfo,
	KmsInfo, KmsKey, MemberInfo, NodeInfo, Nomination, ProviderLevel, ProviderRowCounts, Purge,
	PurgeProgress, PurgeScope, RecordInfo, RowCounts, SpaceInfo, SpaceRules, TenantLevel,
	TenantRowCounts, VersionInfo,
};

type Account = [u8; 32];
type Text = Vec<u8>;

/// Returns a muid whose packed bytes are all the same.
fn muid(byte: u8) -> Muid {
	Muid::from_bytes([byte; 16])
}

/// Checks that a row is these bytes, in hex, and is read from them.
#[track_caller]
fn assert_bytes<Row: Encode + Decode + PartialEq + std::fmt::Debug>(row: Row, bytes: &[&str]) {
	let bytes = bytes.concat();
	assert_eq!(hex::encode(row.encode()), bytes);
	let decoded = Row::decode(&mut &hex::decode(&bytes).expect("it is hex")[..]);
	assert_eq!(decoded, Ok(row));
}

/// Returns a byte in hex, several times.
fn times(byte: &str, count: usize) -> String {
	byte.repeat(count)
}

#[test]
fn a_space_is_its_fields_in_order() {
	let rules = SpaceRules {
		provider_bond: 1u128,
		tenant_bond: 2,
		admission: AdmissionPolicy::Approval,
		partitions: 3,
		sla: b"sla".to_vec(),
	};
	let space = SpaceInfo::<Account, u128, Text> {
		governor: [4; 32],
		rules,
		provider_count: 5,
		tenant_count: 6,
		admission_count: 7,
		created: muid(8),
	};
	assert_bytes(
		space,
		&[
			&times("04", 32),
			"01000000000000000000000000000000",
			"02000000000000000000000000000000",
			"01",
			"03000000",
			"0c736c61",
			"05000000",
			"06000000",
			"07000000",
			&times("08", 16),
		],
	);
}

#[test]
fn a_member_is_its_fields_in_order() {
	let member = MemberInfo::<Account, u128, u32, _> {
		space: SpaceId([1; 10]),
		root: [2; 32],
		root_since: muid(3),
		nomination: Some(Nomination { nominee: [4; 32], governance_matures: Some(5) }),
		max_held: 6,
		bond: 7,
		own_deposit: 8,
		deposit: 9,
		rows: ProviderRowCounts { keys: 10, nodes: 11 },
		empty_since: Some(12),
		governance_delete: true,
		suspended: false,
		purge: Some(PurgeScope::Member),
		created: muid(13),
	};
	let start = [
		&times("01", 10),
		&times("02", 32),
		&times("03", 16),
		"01",
		&times("04", 32),
		"0105000000",
		"06000000000000000000000000000000",
		"07000000000000000000000000000000",
		"08000000000000000000000000000000",
		"09000000000000000000000000000000",
	]
	.concat();
	let end = ["010c000000", "01", "00", "0101", &times("0d", 16)].concat();
	assert_bytes(member.clone(), &[&start, "0a000000", "0b000000", &end]);

	let MemberInfo { space, root, root_since, max_held, .. } = member;
	let tenant = MemberInfo::<Account, u128, u32, _> {
		space,
		root,
		root_since,
		nomination: None,
		max_held,
		bond: 7,
		own_deposit: 8,
		deposit: 9,
		rows: TenantRowCounts {
			keys: 1,
			kmses: 2,
			content_objects: 3,
			versions: 4,
			collections: 5,
			records: 6,
		},
		empty_since: None,
		governance_delete: false,
		suspended: true,
		purge: None,
		created: muid(13),
	};
	assert_eq!(tenant.rows.rows(), 21);
	assert_bytes(
		tenant,
		&[
			&start[..2 * 58],
			"00",
			&start[2 * (58 + 1 + 32 + 5)..],
			"01000000",
			"02000000",
			"03000000",
			"04000000",
			"05000000",
			"06000000",
			"00",
			"00",
			"01",
			"00",
			&times("0d", 16),
		],
	);
	assert_bytes([PurgeScope::Rows, PurgeScope::Member], &["00", "01"]);
}

#[test]
fn rows_under_a_provider_are_their_fields_in_order() {
	let key = KeyInfo { level: ProviderLevel::Admin, granted: muid(1), deposit: 2u128 };
	assert_bytes(key, &["01", &times("01", 16), "02000000000000000000000000000000"]);
	let node = NodeInfo::<Account, u128, Text> {
		operator: [1; 32],
		pending: true,
		locator: b"https://a".to_vec(),
		medallion: Medallion::new(0x0102_0304_0506).expect("44 bits"),
		last_muid: Some(muid(2)),
		deposit: 3,
	};
	assert_bytes(
		node,
		&[
			&times("01", 32),
			"01",
			"2468747470733a2f2f61",
			"0605040302010000",
			"01",
			&times("02", 16),
			"03000000000000000000000000000000",
		],
	);
}

#[test]
fn rows_under_a_tenant_are_their_fields_in_order() {
	let deposit = "09000000000000000000000000000000";
	let key = KeyInfo { level: TenantLevel::Content, granted: muid(1), deposit: 9u128 };
	assert_bytes(key, &["01", &times("01", 16), deposit]);
	let kms = KmsInfo::<Account, u128, Text> {
		operator: [1; 32],
		locator: b"k".to_vec(),
		key: KmsKey([2; 32]),
		deposit: 9,
	};
	assert_bytes(kms, &[&times("01", 32), "046b", &times("02", 32), deposit]);
	let object = ContentObjectInfo::<u128> {
		head_version: Some(VersionId([1; 32])),
		head_since: muid(2),
		head_set: muid(3),
		version_count: 4,
		deposit: 9,
		created: muid(5),
	};
	assert_bytes(
		object,
		&[
			"01",
			&times("01", 32),
			&times("02", 16),
			&times("03", 16),
			"04000000",
			deposit,
			&times("05", 16),
		],
	);
	let copy = |byte, held| Copy {
		provider: ProviderId([byte; 10]),
		node: NodeId([byte + 1; 10]),
		medallion: Medallion::new(u64::from(byte)).expect("44 bits"),
		held,
	};
	let version = VersionInfo::<u64, u128, _> {
		copies: vec![copy(1, Some(6u64)), copy(7, None)],
		kms: Some(KmsId([3; 10])),
		muid: muid(4),
		hash: HashKind::Sha256,
		size: Compact(64),
		committed: muid(5),
		finalized: Some(6),
		set_head_on_finalize: true,
		deposit: 9,
	};
	assert_bytes(
		version,
		&[
			"08",
			&times("01", 10),
			&times("02", 10),
			"0100000000000000",
			"010600000000000000",
			&times("07", 10),
			&times("08", 10),
			"0700000000000000",
			"00",
			"01",
			&times("03", 10),
			&times("04", 16),
			"01",
			"0101",
			&times("05", 16),
			"010600000000000000",
			"01",
			deposit,
		],
	);
	let collection = CollectionInfo::<u128, Text> {
		key_type: RecordKeyType::Literal(b"self".to_vec()),
		syntax: RecordKeySyntax::PathSegment,
		record_count: 1,
		deposit: 9,
		created: muid(2),
	};
	assert_bytes(collection, &["021073656c66", "01", "01000000", deposit, &times("02", 16)]);
	let record = RecordInfo::<u128> {
		target: ContentRef { object: ContentObjectId([1; 10]), version: None },
		created: muid(2),
		updated: muid(3),
		deposit: 9,
	};
	assert_bytes(record, &[&times("01", 10), "00", &times("02", 16), &times("03", 16), deposit]);
}

#[test]
fn a_copy_counts_while_it_is_held_by_the_node_that_was_asked() {
	let [own, other] = [1, 2].map(|number| Medallion::new(number).expect("44 bits"));
	let copy = |medallion, held| Copy {
		provider: ProviderId([1; 10]),
		node: NodeId([2; 10]),
		medallion,
		held,
	};
	for (held, present, counts) in [
		(Some(3), Some(own), true),
		(Some(3), Some(other), false),
		(Some(3), None, false),
		(None, Some(own), false),
	] {
		assert_eq!(copy(own, held).counts(present), counts, "{held:?} {present:?}");
		assert_eq!(copy(own, held).is_of(present), present == Some(own));
	}
	let version = VersionInfo {
		copies: vec![copy(other, Some(4)), copy(own, None)],
		kms: Some(KmsId([3; 10])),
		muid: Muid::new(5, own, 1).expect("is in range"),
		hash: HashKind::Sha256,
		size: Compact(64),
		committed: muid(5),
		finalized: Some(4),
		set_head_on_finalize: false,
		deposit: 9u128,
	};
	assert_eq!(version.committed_to(), Some(&copy(own, None)));
	let copies = vec![copy(other, Some(4))];
	assert_eq!(VersionInfo { copies, ..version }.committed_to(), None);
}

#[test]
fn a_purge_and_answers_about_members_are_their_fields_in_order() {
	let purge =
		Purge::<u32, Text> { started: 1, place: 2, rows: 3, cursor: vec![4], cursor_block: 5 };
	assert_bytes(purge, &["01000000", "0200000000000000", "03000000", "0404", "05000000"]);
	let progress = PurgeProgress { rows: 1, rows_left: 2, places_before: 3 };
	assert_bytes(progress, &["01000000", "02000000", "0300000000000000"]);
	let bond =
		BondInfo::<Account, u64> { root: [1; 32], bond: 2, required: 3, deposit: 4, max_held: 5 };
	let amounts = ["02", "03", "04", "05"].map(|amount| format!("{amount}00000000000000"));
	assert_bytes(bond, &[&times("01", 32), &amounts.concat()]);
}
