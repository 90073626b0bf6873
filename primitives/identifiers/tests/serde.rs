//! serde: texts in JSON, bytes in postcard.

#![cfg(feature = "serde")]

use content_fabric_identifiers::{ContentObjectPath, Muid, SpaceId, Tid, VersionId};
use proptest::prelude::*;
use serde::{de::DeserializeOwned, Serialize};

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + core::fmt::Debug + ToString>(
	value: T,
	bytes: &[u8],
) {
	let json = serde_json::to_string(&value).expect("identifiers are serializable");
	assert_eq!(json, format!("\"{}\"", value.to_string()));
	assert_eq!(serde_json::from_str::<T>(&json).expect("just written"), value);
	let packed = postcard::to_allocvec(&value).expect("identifiers are serializable");
	assert_eq!(packed, bytes);
	assert_eq!(postcard::from_bytes::<T>(&packed).expect("just written"), value);
}

proptest! {
	#[test]
	fn all_kinds_round_trip(a: u128, b: u64, id: [u8; 10], version: [u8; 32], path: [u8; 20]) {
		round_trip(Muid::from_u128(a), &a.to_be_bytes());
		round_trip(Tid::from_u64(b), &b.to_be_bytes());
		round_trip(SpaceId(id), &id);
		round_trip(VersionId(version), &version);
		round_trip(ContentObjectPath::from_bytes(path), &path);
	}
}

#[test]
fn errors_say_what_is_wrong() {
	let error = serde_json::from_str::<Tid>("\"3jzfcijpj2z21\"").expect_err("1 is no character");
	assert!(error.to_string().contains("byte 12 is none of"), "{error}");
}
