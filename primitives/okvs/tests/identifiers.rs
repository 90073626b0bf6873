// SPDX-License-Identifier: Apache-2.0
//! Identifiers of a content fabric as items of tuples.

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, Muid, RecordKey, RecordKeySyntax, TenantId, Tid, VersionId,
};
use content_fabric_okvs::tuple::{pack, unpack, FromItem, Item, UnpackError, UnpackErrorKind};
use rand::{rngs::StdRng, Rng, SeedableRng};

/// Packs ids: they come back, in their order.
fn check<T: Item + for<'a> FromItem<'a> + Ord + Copy + std::fmt::Debug>(ids: Vec<T>) {
	let packed: Vec<_> = ids.iter().map(|id| pack(&(*id, "next"))).collect();
	for (id, bytes) in ids.iter().zip(&packed) {
		assert_eq!(unpack::<(T, &str)>(bytes), Ok((*id, "next")));
		// In a nested tuple, too.
		assert_eq!(unpack::<((T,),)>(&pack(&((*id,),))), Ok(((*id,),)));
	}
	for (a, packed_a) in ids.iter().zip(&packed) {
		for (b, packed_b) in ids.iter().zip(&packed) {
			assert_eq!(packed_a.cmp(packed_b), a.cmp(b), "{a:?}, {b:?}");
		}
	}
}

/// Bytes of few values, so that many have zeros and share beginnings.
fn bytes<const N: usize>(rng: &mut StdRng) -> [u8; N] {
	let values = [0x00, 0x01, 0xfe, 0xff];
	std::array::from_fn(|_| values[rng.random_range(0..values.len())])
}

#[test]
fn identifiers_come_back_in_their_order() {
	let rng = &mut StdRng::seed_from_u64(1);
	check((0..100).map(|_| Muid::from_bytes(bytes(rng))).collect());
	let tid = |value: u64| Tid::from_u64(value).expect("the top bit is 0");
	check((0..100).map(|_| tid(u64::from_be_bytes(bytes(rng)) >> 1)).collect());
	check([0, 1, 255, u64::MAX >> 1].map(tid).to_vec());
	check((0..100).map(|_| TenantId(bytes(rng))).collect());
	check((0..100).map(|_| VersionId(bytes(rng))).collect());
	let path = |rng: &mut StdRng| ContentObjectPath {
		tenant: TenantId(bytes(rng)),
		object: ContentObjectId(bytes(rng)),
	};
	check((0..100).map(|_| path(rng)).collect());
}

#[test]
fn record_keys_come_back_in_their_order() {
	let mut last = Vec::new();
	for text in ["-", "1:a", "Z", "a", "a.b", "a~", "self"] {
		let key = RecordKey::parse(text, RecordKeySyntax::PathSegment).expect("is a record key");
		let packed = pack(&(key, 1));
		assert_eq!(packed, pack(&(text, 1)));
		assert_eq!(unpack::<(RecordKey, u8)>(&packed), Ok((key, 1)));
		assert!(packed > last);
		last = packed;
	}
}

#[test]
fn what_is_no_identifier_is_refused_at_a_byte() {
	let invalid = UnpackErrorKind::Invalid { expected: "record key" };
	for (text, at) in [("", 2), (".", 2), ("a b", 3), ("ab/", 4), ("a\0", 1)] {
		let packed = pack(&(true, text));
		let found = unpack::<(bool, RecordKey)>(&packed);
		assert_eq!(found, Err(UnpackError { at, kind: invalid }), "{text:?}");
	}
	let long = pack(&("a".repeat(513),));
	let found = unpack::<(RecordKey,)>(&long);
	assert_eq!(found, Err(UnpackError { at: 513, kind: invalid }));

	let kind = |packed: &[u8]| unpack::<(TenantId,)>(packed).expect_err("is refused").kind;
	let length = |found| UnpackErrorKind::Length { expected: 10, found };
	assert_eq!(kind(&pack(&([1; 9],))), length(9));
	assert_eq!(kind(&pack(&([1; 32],))), length(32));
	let found = unpack::<(Tid,)>(&pack(&(-1,))).expect_err("is negative");
	assert_eq!(found.kind, UnpackErrorKind::IntegerRange);
	assert!(unpack::<(Tid,)>(&pack(&(u128::from(u64::MAX) + 1,))).is_err());
	let found = unpack::<(bool, Tid)>(&pack(&(true, 1u64 << 63))).expect_err("has the top bit");
	assert_eq!(found, UnpackError { at: 1, kind: UnpackErrorKind::IntegerRange });
	assert!(unpack::<(Muid,)>(&pack(&([1; 16],))).is_err());
	assert!(unpack::<(Tid,)>(&pack(&([1; 8],))).is_err());
	assert!(unpack::<(RecordKey,)>(&pack(&(b"self".as_slice(),))).is_err());
}
