// SPDX-License-Identifier: Apache-2.0
//! serde: texts in JSON; bytes, or texts where there are none, in postcard.

#![cfg(all(feature = "serde", feature = "alloc"))]

use content_fabric_identifiers::{
	Authority, ClockId, ContentObjectId, ContentObjectPath, Did, Handle, HashKind, KmsId,
	LenientTid, Medallion, Muid, MuidParts, NodeId, Nsid, ProviderId, RecordKey, RecordKeyBuf,
	RecordKeySyntax, RecordKeyType, RecordPath, RecordUri, SpaceId, TenantId, Tid, VersionId,
};
use proptest::prelude::*;
use serde::{de::DeserializeOwned, Deserialize, Serialize};

/// Checks that a value is its text in JSON.
fn text_round_trip<T: Serialize + DeserializeOwned + PartialEq + core::fmt::Debug + ToString>(
	value: &T,
) {
	let json = serde_json::to_string(value).expect("identifiers are serializable");
	assert_eq!(json, format!("\"{}\"", value.to_string()));
	assert_eq!(&serde_json::from_str::<T>(&json).expect("just written"), value);
}

/// Checks that a value is its text in JSON and a byte string in postcard.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + core::fmt::Debug + ToString>(
	value: T,
	bytes: &[u8],
) {
	text_round_trip(&value);
	let packed = postcard::to_allocvec(&value).expect("identifiers are serializable");
	assert_eq!((usize::from(packed[0]), &packed[1..]), (bytes.len(), bytes));
	assert_eq!(postcard::from_bytes::<T>(&packed).expect("just written"), value);
	assert!(postcard::from_bytes::<T>(&[1, 7]).is_err(), "one byte is too few");
}

/// Checks that a value that borrows its text is that text in JSON and in postcard.
macro_rules! borrowed_round_trip {
	($($value:expr;)*) => {$({
		let value = $value.expect("a valid text");
		let json = serde_json::to_string(&value).expect("identifiers are serializable");
		assert_eq!(json, format!("\"{value}\""));
		assert_eq!(serde_json::from_str(&json).ok(), Some(value));
		let packed = postcard::to_allocvec(&value).expect("identifiers are serializable");
		assert_eq!(postcard::from_bytes(&packed), Ok(value));
	})*};
}

proptest! {
	#[test]
	fn all_ids_round_trip(a: u128, b: u64, id: [u8; 10], version: [u8; 32], path: [u8; 20]) {
		round_trip(Muid::from_u128(a), &a.to_be_bytes());
		round_trip(LenientTid::from_u64(b), &b.to_be_bytes());
		let tid = Tid::from_u64(b >> 1).expect("the top bit is 0");
		round_trip(tid, &tid.to_bytes());
		round_trip(Medallion::random(b), &Medallion::random(b).to_bytes());
		round_trip(ClockId::random(b), &ClockId::random(b).to_bytes());
		round_trip(SpaceId(id), &id);
		round_trip(ProviderId(id), &id);
		round_trip(TenantId(id), &id);
		round_trip(NodeId(id), &id);
		round_trip(KmsId(id), &id);
		round_trip(ContentObjectId(id), &id);
		round_trip(VersionId(version), &version);
		round_trip(ContentObjectPath::from_bytes(path), &path);
	}
}

#[test]
fn texts_round_trip_in_all_formats() {
	borrowed_round_trip! {
		RecordKey::try_from("pre:fix");
		RecordPath::try_from("names/pre:fix");
		RecordUri::try_from("fabric:/iten3i37NcgooY8f1S/names/pre:fix");
		RecordUri::try_from("at://example.com/app.bsky.feed.post/3jui7kd54zh2y");
		Authority::try_from("iten3i37NcgooY8f1S");
		Nsid::try_from("app.bsky.feed.post");
		Did::try_from("did:web:example.com");
		Handle::try_from("example.com");
		RecordKeyType::<RecordKey>::try_from("literal:self");
	}
	text_round_trip(&RecordKeySyntax::Unreserved);
	text_round_trip(&HashKind::Blake3);
	text_round_trip(&RecordKeyBuf::try_from("pre:fix").expect("a key"));
	text_round_trip::<RecordKeyType<RecordKeyBuf>>(&RecordKeyType::Any);
	text_round_trip::<RecordKeyType<RecordKeyBuf>>(&"literal:self".parse().expect("a type"));
	// A text that cannot be borrowed.
	assert!(RecordKey::deserialize(serde_json::json!("self")).is_err());
}

#[test]
fn parts_have_names() {
	let parts = MuidParts { timestamp: 1, medallion: 2, offset: -3 };
	let json = serde_json::to_string(&parts).expect("parts are serializable");
	assert_eq!(json, r#"{"timestamp":1,"medallion":2,"offset":-3}"#);
	assert_eq!(serde_json::from_str::<MuidParts>(&json).expect("just written"), parts);
}

#[test]
fn errors_say_what_is_wrong() {
	let error =
		serde_json::from_str::<Tid>("\"3jzfcijpj2z21\"").expect_err("1 is not a character of TIDs");
	assert!(error.to_string().contains("byte 12 is not one of"), "{error}");
	let too_large = postcard::to_allocvec(&[0xff_u8; 8][..]).expect("bytes are serializable");
	assert!(postcard::from_bytes::<Medallion>(&too_large).is_err());
	assert!(postcard::from_bytes::<Tid>(&too_large).is_err());
	assert!(serde_json::from_str::<Tid>("\"jzzzzzzzzzzzz\"").is_err());
}
