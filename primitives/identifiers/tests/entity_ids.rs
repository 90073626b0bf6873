// SPDX-License-Identifier: Apache-2.0
//! Entity ids through the public interface.

#![cfg(feature = "text")]

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, LengthError, NodeId, ParseIdError, ProviderId,
	SpaceId, TenantId, VersionId,
};

#[test]
fn text_round_trips_at_the_extremes() {
	for byte in [0, 1, 0x7f, 0xff] {
		let space = SpaceId([byte; 10]);
		assert_eq!(space.to_string().parse(), Ok(space));
		let version = VersionId([byte; 32]);
		assert_eq!(version.to_string().parse(), Ok(version));
		let path = ContentObjectPath {
			tenant: TenantId([byte; 10]),
			object: ContentObjectId([!byte; 10]),
		};
		assert_eq!(path.to_string().parse(), Ok(path));
	}
	// Every zero byte at the front is a digit of its own.
	assert_eq!(SpaceId([0; 10]).to_string(), "ispc1111111111");
}

#[test]
fn a_bad_text_says_what_is_wrong_and_where() {
	let parse = |text: &str| text.parse::<SpaceId>();
	let prefix = |found| Err(ParseIdError::Prefix { expected: "ispc", found });
	assert_eq!(parse("iten1111111111"), prefix(Some("a tenant")));
	for text in ["", "isp", "ISPC1111111111", "spé"] {
		assert_eq!(parse(text), prefix(None), "{text}");
	}
	assert_eq!(parse("ispc111111111"), Err(ParseIdError::Length { expected: 10 }));
	assert_eq!(parse("ispc11111111111"), Err(ParseIdError::Length { expected: 10 }));
	assert_eq!(parse("ispc"), Err(ParseIdError::Length { expected: 10 }));
	assert_eq!(parse("ispc11110"), Err(ParseIdError::Character { at: 8 }));
	assert_eq!(parse("ispc1é"), Err(ParseIdError::Character { at: 5 }));
	assert_eq!(parse("ispc11111 "), Err(ParseIdError::Character { at: 9 }));
	// The right number of bytes with a length byte that is not a tenant's.
	let composed = format!("itq_{}", "1".repeat(21));
	assert_eq!(composed.parse::<ContentObjectPath>(), Err(ParseIdError::TenantLength { found: 0 }));
	assert_eq!(
		ParseIdError::Character { at: 8 }.to_string(),
		"the character at byte 8 is not base58"
	);
}

#[test]
fn an_id_of_another_kind_is_named() {
	let error = "itq_1".parse::<SpaceId>().expect_err("it is not the id of a space");
	assert_eq!(error.to_string(), "it is the id of a content object, expected a space (ispc…)");
	let error = "x".parse::<SpaceId>().expect_err("it is not an id");
	assert_eq!(error.to_string(), "the id does not start with `ispc`");
}

#[test]
fn ids_are_shown_as_texts_when_debugging() {
	let tenant = TenantId(*b"0123456789");
	assert_eq!(format!("{tenant:?}"), "TenantId(iten3i37NcgooY8f1S)");
	let path = ContentObjectPath { tenant, object: ContentObjectId([0; 10]) };
	assert_eq!(
		format!("{path:?}"),
		"ContentObjectPath { tenant: TenantId(iten3i37NcgooY8f1S), \
		 object: ContentObjectId(iq__1111111111) }"
	);
}

#[test]
fn every_kind_has_the_same_conversions() {
	macro_rules! check {
		($($id:ident)*) => {$(
			let bytes = [7; $id::LEN];
			let id = $id::from_bytes(bytes);
			assert_eq!((id.to_bytes(), <[u8; $id::LEN]>::from(id), $id::from(bytes)), (bytes, bytes, id));
			assert_eq!($id::try_from(&bytes[..]), Ok(id));
			let error = LengthError { expected: $id::LEN, found: $id::LEN - 1 };
			assert_eq!($id::try_from(&bytes[1..]), Err(error));
			let text = id.to_string();
			assert!(text.starts_with($id::PREFIX));
			assert_eq!((text.parse(), $id::parse(&text), $id::try_from(&*text)), (Ok(id), Ok(id), Ok(id)));
			assert_eq!($id::from_text(text.as_bytes()), Ok(id));
			let error = $id::parse("x").expect_err("no id has this text");
			assert_eq!((error, error.position()), (ParseIdError::Prefix { expected: $id::PREFIX, found: None }, 0));
		)*};
	}
	check! { SpaceId ProviderId TenantId NodeId KmsId ContentObjectId VersionId ContentObjectPath }
}

#[test]
fn ids_of_tids_are_ordered_by_time() {
	let [first, second] =
		["3jui7kd54zh2y", "3jui7kd54zh2z"].map(|text| text.parse().expect("a TID"));
	assert!(TenantId::from_tid(first, u16::MAX) < TenantId::from_tid(second, 0));
	assert!(TenantId::from_tid(first, 1) < TenantId::from_tid(first, 2));
	assert_eq!(TenantId::from_tid(first, 0x0102).0[8..], [1, 2]);
}
