// SPDX-License-Identifier: Apache-2.0
//! Record keys, their types, and NSIDs: every vector in both dialects, and every rule.

#![cfg(feature = "alloc")]

mod common;

use common::{list, text, texts, vectors};
use content_fabric_identifiers::{
	Nsid, ParseNsidError, ParseRecordKeyError, ParseRecordKeyTypeError, ParseTidError, RecordKey,
	RecordKeyBuf,
	RecordKeySyntax::{self, PathSegment, Unreserved},
	RecordKeyType, RecordKeyTypeError,
};
use proptest::prelude::*;

fn is_key(text: &str, syntax: RecordKeySyntax) -> bool {
	let parsed = RecordKey::parse(text, syntax);
	assert_eq!(RecordKey::from_bytes(text.as_bytes(), syntax), parsed);
	parsed.is_ok()
}

/// The vectors have the examples of both versions of the protocol's document.
#[test]
fn vectors_hold_in_both_dialects() {
	let vectors = vectors("record_key");
	for (list, unreserved, path_segment) in [
		("valid_in_both", true, true),
		("valid_only_in_path_segment", false, true),
		("invalid_in_both", false, false),
	] {
		for text in texts(&vectors[list]) {
			assert_eq!(is_key(text, Unreserved), unreserved, "{text:?}");
			assert_eq!(is_key(text, PathSegment), path_segment, "{text:?}");
		}
	}
}

#[test]
fn errors_name_the_rule_and_the_byte() {
	let parse = |text| RecordKey::parse(text, Unreserved);
	assert_eq!(parse(""), Err(ParseRecordKeyError::Empty));
	assert_eq!(parse("."), Err(ParseRecordKeyError::Dots));
	assert_eq!(parse(".."), Err(ParseRecordKeyError::Dots));
	let longest = "o".repeat(512);
	assert!(parse(&longest).is_ok());
	let too_long = "o".repeat(513);
	assert_eq!(parse(&too_long), Err(ParseRecordKeyError::TooLong { found: 513 }));
	// Wherever it stands in blocks and rests.
	for length in (1..50).chain([64, 100, 511, 512]) {
		for at in [0, length / 3, length / 2, length - 1] {
			for bad in [b'/', b':', b'@', b'[', b'`', b'{', b'\x7f', 0x80, 0xff, b'^', b'+', b','] {
				let mut key = vec![b'z'; length];
				key[at] = bad;
				let error = Err(ParseRecordKeyError::Character { at });
				assert_eq!(RecordKey::from_bytes(&key, Unreserved), error, "{bad} in {length}");
				let colon = RecordKey::from_bytes(&key, PathSegment);
				assert_eq!(colon.is_ok(), bad == b':', "{bad} in {length}");
			}
		}
	}
}

#[test]
fn every_byte_is_judged_as_the_documents_say() {
	for byte in 0..=u8::MAX {
		let allowed = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
		// Beside another, as `.` alone is not a key.
		let key = [b'a', byte];
		assert_eq!(RecordKey::from_bytes(&key, Unreserved).is_ok(), allowed, "{byte}");
		let allowed = allowed || byte == b':';
		assert_eq!(RecordKey::from_bytes(&key, PathSegment).is_ok(), allowed, "{byte}");
	}
}

#[test]
fn recommendations_are_offered_and_not_enforced() {
	fn recommended(text: &str) -> bool {
		RecordKey::parse(text, Unreserved).expect("a key").is_recommended()
	}
	assert!(recommended("self"));
	assert!(!recommended("Self"));
	assert!(recommended(&"a".repeat(79)));
	assert!(!recommended(&"a".repeat(80)));
}

#[test]
fn types_check_their_keys() {
	for vector in list(&vectors("record_key")["key_types"]) {
		let name = text(&vector["type"]);
		let kind = RecordKeyType::parse(name, Unreserved).expect("a type");
		assert_eq!(kind.to_string(), name);
		for key in texts(&vector["ok"]) {
			assert_eq!(kind.check(key, Unreserved).map(|key| key.as_str()), Ok(key), "{name}");
		}
		for key in texts(&vector["bad"]) {
			assert!(kind.check(key, Unreserved).is_err(), "{name}: {key:?}");
		}
	}
	for (kind, key, error) in [
		("any", "a b", RecordKeyTypeError::Syntax(ParseRecordKeyError::Character { at: 1 })),
		("tid", "a", RecordKeyTypeError::Tid(ParseTidError::Length { found: 1 })),
		("nsid", "a", RecordKeyTypeError::Nsid(ParseNsidError::Segments { found: 1 })),
		("literal:self", "selF", RecordKeyTypeError::Literal { at: 3 }),
		("literal:self", "selfish", RecordKeyTypeError::Literal { at: 4 }),
	] {
		let kind = RecordKeyType::parse(kind, Unreserved).expect("a type");
		assert_eq!(kind.check(key, Unreserved), Err(error));
	}
}

#[test]
fn texts_of_types_are_read() {
	let vectors = &vectors("record_key")["key_type_text"];
	for text in texts(&vectors["ok"]) {
		let kind = RecordKeyType::parse(text, PathSegment).expect("a type");
		assert_eq!(kind.to_string(), text);
		assert_eq!(RecordKeyType::parse(text, Unreserved).is_ok(), !text.ends_with("pre:fix"));
	}
	for text in texts(&vectors["bad"]) {
		assert!(RecordKeyType::parse(text, PathSegment).is_err(), "{text:?}");
	}
	let error = RecordKeyType::parse("literal:a/b", PathSegment).expect_err("no key");
	assert_eq!(error, ParseRecordKeyTypeError::Literal(ParseRecordKeyError::Character { at: 1 }));
	assert_eq!(error.position(), 9);
}

#[test]
fn nsids_follow_the_protocol() {
	let vectors = vectors("record_key");
	for text in texts(&vectors["nsid_valid"]) {
		assert_eq!(Nsid::parse(text).map(|nsid| nsid.as_str()), Ok(text));
		assert!(is_key(text, Unreserved), "every NSID is a key of both dialects");
	}
	for text in texts(&vectors["nsid_invalid"]) {
		assert!(Nsid::parse(text).is_err(), "{text:?}");
	}
	let long_segment = format!("com.{}.foo", "o".repeat(64));
	let too_long = format!("com.{}foo", "middle.".repeat(50));
	for (text, error) in [
		("a..c", ParseNsidError::EmptySegment { at: 2 }),
		("a.b.", ParseNsidError::EmptySegment { at: 4 }),
		("a.b", ParseNsidError::Segments { found: 2 }),
		("1a.b.c", ParseNsidError::Digit { at: 0 }),
		("a.b.1c", ParseNsidError::Digit { at: 4 }),
		("a.b.c-d", ParseNsidError::Character { at: 5 }),
		("a.-b.c", ParseNsidError::Character { at: 2 }),
		("a.b-.c", ParseNsidError::Character { at: 3 }),
		("a.b_.c", ParseNsidError::Character { at: 3 }),
		(&long_segment, ParseNsidError::LongSegment { at: 67 }),
		(&too_long, ParseNsidError::TooLong { found: 357 }),
	] {
		assert_eq!(Nsid::parse(text), Err(error), "{text}");
		assert_eq!(Nsid::from_bytes(text.as_bytes()), Err(error), "{text}");
	}
	assert_eq!(Nsid::parse("app.bsky.feed.post").expect("an NSID").name(), "post");
}

#[test]
fn types_are_converted_without_a_match() {
	let parsed = RecordKeyType::parse("literal:pre:fix", PathSegment).expect("a type");
	let owned = parsed.to_owned();
	assert_eq!(owned.as_ref().map(RecordKeyBuf::as_key), parsed);
	assert_eq!("literal:pre:fix".parse(), Ok(owned.clone()));
	assert_eq!(RecordKeyType::try_from("literal:pre:fix"), Ok(parsed));
	assert_eq!(owned.literal().map(RecordKeyBuf::into_string), Some("pre:fix".to_owned()));
	for (text, name) in
		[("tid", "Tid"), ("nsid", "Nsid"), ("literal:self", "Literal"), ("any", "Any")]
	{
		let kind = RecordKeyType::try_from(text).expect("a type");
		assert_eq!(kind.variant_name(), name);
		assert_eq!(kind.map(|key| key.to_string()).to_string(), text);
		assert_eq!(kind.literal().is_some(), name == "Literal");
	}
	// A literal that is stored in bytes checks keys, too.
	let stored = RecordKeyType::Literal(b"self".to_vec());
	assert!(stored.check("self", Unreserved).is_ok());
	assert_eq!(stored.check("selF", Unreserved), Err(RecordKeyTypeError::Literal { at: 3 }));
}

#[test]
fn owned_keys_are_checked_as_borrowed_ones() {
	let key = RecordKeyBuf::parse("self", Unreserved).expect("a key");
	assert_eq!((key.as_str(), key.as_key()), ("self", RecordKey::try_from("self").expect("a key")));
	assert_eq!(key.as_key().to_owned(), key);
	assert_eq!("self".parse::<RecordKeyBuf>(), Ok(key.clone()));
	assert_eq!(RecordKeyBuf::try_from("self".to_owned()), Ok(key));
	let error = ParseRecordKeyError::Character { at: 3 };
	assert_eq!(RecordKeyBuf::parse("pre:fix", Unreserved), Err(error));
	assert!(RecordKeyBuf::try_from("pre:fix").is_ok());
	assert!(RecordKeyBuf::try_from("pre/fix").is_err());
}

#[test]
fn dialects_have_names() {
	for (syntax, text) in [(Unreserved, "unreserved"), (PathSegment, "path-segment")] {
		assert_eq!((syntax.to_string(), syntax.as_ref()), (text.to_owned(), text));
		assert_eq!((text.parse(), RecordKeySyntax::try_from(text)), (Ok(syntax), Ok(syntax)));
	}
	let error = "uri".parse::<RecordKeySyntax>().expect_err("not a dialect");
	assert_eq!(error.to_string(), "the syntax of record keys is `unreserved` or `path-segment`");
	assert_eq!(RecordKeySyntax::default(), PathSegment);
	let key = RecordKey::try_from("pre:fix").expect("a key of the wider dialect");
	assert!(key.is_of(PathSegment) && !key.is_of(Unreserved));
}

proptest! {
	#[test]
	fn keys_are_what_the_rules_say(text in "[A-Za-z0-9._~:/-]{0,8}|\\PC{0,40}|[a-z:]{500,520}") {
		let by_rule = |colon: bool| {
			(1..=512).contains(&text.len()) &&
				text != "." && text != ".." &&
				text.bytes().all(|byte| {
					byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || colon && byte == b':'
				})
		};
		prop_assert_eq!(is_key(&text, Unreserved), by_rule(false));
		prop_assert_eq!(is_key(&text, PathSegment), by_rule(true));
	}
}
