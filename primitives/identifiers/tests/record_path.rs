// SPDX-License-Identifier: Apache-2.0
//! Paths of records: every rule, and the order of their texts.

use content_fabric_identifiers::{
	ParseNsidError, ParseRecordKeyError, ParseRecordPathError, RecordKey, RecordPath,
};
use proptest::prelude::*;

/// Names that differ around the byte of the slash, so that the order of parts differs from the
/// order of texts.
const NAMES: &str = "[a.0_~-]{1,4}";

#[test]
fn a_path_gives_its_collection_and_its_key() {
	let path = RecordPath::parse("names/serde:1.0.0").expect("a path");
	assert_eq!((path.collection().as_str(), path.key().as_str()), ("names", "serde:1.0.0"));
	assert_eq!(path.nsid(), None);
	assert_eq!(format!("{path} {path:?}"), "names/serde:1.0.0 RecordPath(names/serde:1.0.0)");

	let path = RecordPath::parse_repository("app.bsky.feed.post/asdf").expect("a path");
	assert_eq!(path.nsid().map(|nsid| nsid.name()), Some("post"));
	assert_eq!(RecordPath::try_from("app.bsky.feed.post/asdf"), Ok(path));
}

#[test]
fn the_collections_of_a_repository_are_nsids() {
	// The examples of the Go implementation.
	assert!(RecordPath::parse_repository("app.bsky.feed.post/asdf").is_ok());
	for text in [
		"",
		"/",
		"/app.bsky.feed.post/asdf",
		"/asdf",
		"./app.bsky.feed.post",
		"blob/asdf",
		"app.bsky.feed.post/",
		"app.bsky.feed.post/.",
		"app.bsky.feed.post/!",
	] {
		assert!(RecordPath::parse_repository(text).is_err(), "{text:?}");
	}
	// A content fabric has simple names, too.
	assert!(RecordPath::parse("blob/asdf").is_ok());
}

#[test]
fn errors_name_the_rule_and_the_byte() {
	let long = format!("names/{}", "k".repeat(513));
	for (text, position, message) in [
		("", 0, "collection at byte 0: a record key must not be empty"),
		("na:mes/x", 2, "collection at byte 0: byte 2 is not allowed in a record key"),
		("names", 5, "expected `/` and a record key at byte 5"),
		("names/", 6, "record key at byte 6: a record key must not be empty"),
		("names/..", 6, "record key at byte 6: `.` and `..` are not record keys"),
		("names/a/b", 7, "record key at byte 6: byte 7 is not allowed in a record key"),
		(&long, 518, "record key at byte 6: a record key has at most 512 bytes, not 513"),
	] {
		let error = RecordPath::parse(text).expect_err(text);
		assert_eq!((error.position(), error.to_string().as_str()), (position, message), "{text:?}");
	}
	let segments = ParseNsidError::Segments { found: 2 };
	let error = Err(ParseRecordPathError::Nsid(segments));
	assert_eq!(RecordPath::parse_repository("a.b/c"), error);
	// Bytes that are not UTF-8.
	let character = ParseRecordKeyError::Character { at: 1 };
	let error = Err(ParseRecordPathError::Key { start: 6, error: character });
	assert_eq!(RecordPath::from_bytes(b"names/a\xff"), error);
}

#[test]
fn a_path_can_be_made_of_keys_and_holds_the_longest() {
	let key = |text| RecordKey::try_from(text).expect("a key");
	let path = RecordPath::new(key("names"), key("a:b")).expect("a path");
	assert_eq!(path.to_string(), "names/a:b");
	let colon = RecordPath::new(key("na:mes"), key("a"));
	assert_eq!(
		colon,
		Err(ParseRecordPathError::Collection(ParseRecordKeyError::Character { at: 2 }))
	);
	let longest = format!("{0}/{0}", "k".repeat(512));
	assert_eq!(longest.len(), RecordPath::MAX_LEN);
	assert_eq!(RecordPath::parse(&longest).map(|path| path.to_string()), Ok(longest.clone()));
}

proptest! {
	#[test]
	fn paths_sort_like_their_texts(a in NAMES, b in NAMES, c in NAMES, d in NAMES) {
		let texts = [format!("{a}/{b}"), format!("{c}/{d}")];
		let [first, second] = texts.each_ref().map(|text| RecordPath::parse(text));
		if let (Ok(first), Ok(second)) = (first, second) {
			prop_assert_eq!(first.cmp(&second), texts[0].cmp(&texts[1]));
			prop_assert_eq!(first == second, texts[0] == texts[1]);
		}
	}

	#[test]
	fn accepted_texts_are_written_again(text in "[a-z.:]{1,5}/[a-z.:/]{0,5}|\\PC{0,20}") {
		let parsed = RecordPath::parse(&text);
		prop_assert_eq!(RecordPath::from_bytes(text.as_bytes()), parsed);
		match parsed {
			Ok(path) => prop_assert_eq!(path.to_string(), text.as_str()),
			Err(error) => prop_assert!(error.position() <= text.len()),
		}
		if let Ok(path) = RecordPath::parse_repository(&text) {
			prop_assert_eq!(parsed, Ok(path));
			prop_assert!(path.nsid().is_some());
		}
	}
}

#[test]
fn recommendations_hold_for_the_whole_path() {
	let recommended = |text: &str| RecordPath::parse(text).expect("a path").is_recommended();
	let key = "a".repeat(73);
	assert!(recommended(&format!("names/{key}")));
	assert!(!recommended(&format!("names/{key}a")));
	assert!(!recommended("names/Serde"));
	// The names of record types have upper-case letters.
	assert!(recommended("app.bsky.graph.listItem/self"));
}
