// SPDX-License-Identifier: Apache-2.0
//! SCALE: muids, TIDs and entity ids are their packed bytes.

#![cfg(feature = "codec")]

use codec::{Decode, Encode, MaxEncodedLen};
use content_fabric_identifiers::{
	ClockId, HashKind, Medallion, Muid, RecordKeySyntax, RecordKeyType, TenantId, Tid, VersionId,
};
use proptest::prelude::*;
use scale_info::TypeInfo;

proptest! {
	#[test]
	fn muids_and_ids_are_their_bytes_in_their_order(a: u128, b: u128, id: [u8; 10]) {
		prop_assert_eq!(TenantId(id).encode(), id);
		prop_assert_eq!(TenantId::decode(&mut &id[..]), Ok(TenantId(id)));
		let (a, b) = (Muid::from_u128(a), Muid::from_u128(b));
		prop_assert_eq!(a.encode(), a.to_bytes());
		prop_assert_eq!(Muid::decode(&mut &a.encode()[..]), Ok(a));
		prop_assert_eq!(a.cmp(&b), a.encode().cmp(&b.encode()));
	}

	#[test]
	fn encoded_tids_are_big_endian_and_in_the_order_of_the_tids(a: u64, b: u64) {
		let [a, b] = [a, b].map(|value| Tid::from_u64(value >> 1).expect("the top bit is 0"));
		prop_assert_eq!(a.encode(), a.to_u64().to_be_bytes());
		prop_assert_eq!(Tid::decode(&mut &a.encode()[..]), Ok(a));
		prop_assert_eq!(a.cmp(&b), a.encode().cmp(&b.encode()));
		prop_assert_eq!(a.cmp(&b), a.to_string().cmp(&b.to_string()));
	}
}

#[test]
fn lengths_are_fixed_and_types_have_names() {
	assert_eq!((Muid::max_encoded_len(), Tid::max_encoded_len()), (16, 8));
	assert_eq!((TenantId::max_encoded_len(), VersionId::max_encoded_len()), (10, 32));
	assert!(Muid::decode(&mut &[0; 15][..]).is_err());
	assert!(Tid::decode(&mut &[0; 7][..]).is_err());
	assert!(TenantId::decode(&mut &[0; 9][..]).is_err());
	let names = [Muid::type_info(), Tid::type_info(), Medallion::type_info()]
		.map(|info| info.path.segments.last().map(ToString::to_string));
	assert_eq!(names, ["Muid", "Tid", "Medallion"].map(|name| Some(name.to_owned())));
}

#[test]
fn what_is_out_of_range_is_not_decoded() {
	let largest = Medallion::MAX;
	assert_eq!(Medallion::decode(&mut &largest.encode()[..]), Ok(largest));
	assert!(Medallion::decode(&mut &(largest.get() + 1).encode()[..]).is_err());
	let largest = [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
	assert_eq!(Tid::decode(&mut &largest[..]).map(Tid::to_bytes), Ok(largest));
	for first in [0x80, 0xff] {
		let error = Tid::decode(&mut &[first, 0, 0, 0, 0, 0, 0, 0][..]).expect_err("the top bit");
		assert!(error.to_string().contains("the top bit of a TID is set"), "{error}");
	}
	let largest = ClockId::MAX;
	assert_eq!(ClockId::decode(&mut &largest.encode()[..]), Ok(largest));
	assert!(ClockId::decode(&mut &(largest.get() + 1).encode()[..]).is_err());
}

#[test]
fn variants_keep_their_indices() {
	assert_eq!(RecordKeySyntax::Unreserved.encode(), [0]);
	assert_eq!(RecordKeySyntax::PathSegment.encode(), [1]);
	assert_eq!(HashKind::ALL.encode(), [0, 1]);
	assert!(HashKind::decode(&mut &[2][..]).is_err());
	let types = [
		RecordKeyType::Tid,
		RecordKeyType::Nsid,
		RecordKeyType::Literal(*b"self"),
		RecordKeyType::Any,
	];
	assert_eq!(types.encode(), b"\x00\x01\x02self\x03");
}
