// SPDX-License-Identifier: Apache-2.0
//! Names as record keys: every vector, and the rules for any name and any key.

#![cfg(feature = "alloc")]

mod common;

use common::{list, text, texts, vectors};
use content_fabric_identifiers::{
	ParseRecordKeyError, RecordKey, RecordKeyBuf,
	RecordKeySyntax::{self, PathSegment, Unreserved},
};
use proptest::prelude::*;

fn key_of(name: &str, syntax: RecordKeySyntax) -> Result<String, ParseRecordKeyError> {
	RecordKeyBuf::of_name(name, syntax).map(RecordKeyBuf::into_string)
}

fn name_of(key: &str, syntax: RecordKeySyntax) -> String {
	RecordKey::parse(key, PathSegment).expect("a key").name(syntax).into_owned()
}

#[test]
fn names_have_the_keys_of_the_vectors() {
	for vector in list(&vectors("record_name")["names"]) {
		let name = text(&vector["name"]);
		for (syntax, field) in [(PathSegment, "path_segment"), (Unreserved, "unreserved")] {
			let key = text(&vector[field]);
			assert_eq!(key_of(name, syntax).as_deref(), Ok(key), "{name:?}");
			assert_eq!(name_of(key, syntax), name, "{key}");
		}
	}
}

#[test]
fn a_name_that_is_a_key_is_its_own_key_even_if_another_name_is_escaped_as_it() {
	for vector in list(&vectors("record_name")["keys_with_two_names"]) {
		let (key, escaped) = (text(&vector["key"]), text(&vector["escaped"]));
		for syntax in [PathSegment, Unreserved] {
			assert_eq!(key_of(key, syntax).as_deref(), Ok(key));
			assert_eq!(key_of(escaped, syntax).as_deref(), Ok(key));
			assert_eq!(name_of(key, syntax), escaped);
		}
	}
}

#[test]
fn keys_that_are_no_escaped_names_stand_for_themselves() {
	for key in texts(&vectors("record_name")["own_names"]) {
		assert_eq!(name_of(key, PathSegment), key);
		assert_eq!(key_of(key, PathSegment).as_deref(), Ok(key));
	}
	// The colon is a character of one dialect only.
	assert_eq!(name_of("a~3ab", Unreserved), "a:b");
	assert_eq!(name_of("a:b", Unreserved), "a:b");
}

#[test]
fn empty_and_long_names_have_no_key() {
	let vectors = vectors("record_name");
	let repeated = |vector: &serde_json::Value| {
		let times = vector["repeat"].as_u64().expect("a number");
		text(&vector["text"]).repeat(usize::try_from(times).expect("a small number"))
	};
	for vector in list(&vectors["unnamed"]) {
		let found = usize::try_from(vector["found"].as_u64().expect("a number")).expect("small");
		let expected = match found {
			0 => ParseRecordKeyError::Empty,
			found => ParseRecordKeyError::TooLong { found },
		};
		assert_eq!(key_of(&repeated(vector), PathSegment), Err(expected));
	}
	for vector in list(&vectors["longest"]) {
		let name = repeated(vector);
		let key = key_of(&name, PathSegment).expect("it fits");
		assert_eq!(name_of(&key, PathSegment), name);
	}
}

fn names() -> impl Strategy<Value = String> {
	prop_oneof!["[a-c~:.+ü2b]{0,6}", "\\PC{0,60}", any::<String>()]
}

proptest! {
	#[test]
	fn a_key_is_never_changed_and_any_other_name_comes_back(name in names()) {
		for (syntax, marks) in [(PathSegment, "-._~:"), (Unreserved, "-._~")] {
			let Ok(key) = key_of(&name, syntax) else {
				prop_assert!(name.is_empty() || name.len() > 512 / 3);
				continue;
			};
			let allowed = |byte: u8| byte.is_ascii_alphanumeric() || marks.as_bytes().contains(&byte);
			if name.bytes().all(allowed) && name != "." && name != ".." {
				prop_assert_eq!(&key, &name);
			} else {
				prop_assert_ne!(&key, &name);
				prop_assert_eq!(name_of(&key, syntax), name.clone());
			}
		}
	}

	#[test]
	fn two_names_have_the_same_key_only_if_one_is_that_key(a in names(), b in names()) {
		for syntax in [PathSegment, Unreserved] {
			if let (Ok(a_key), Ok(b_key)) = (key_of(&a, syntax), key_of(&b, syntax)) {
				prop_assert!(a_key != b_key || a == b || a == a_key || b == a_key);
			}
		}
	}

	#[test]
	fn a_key_is_the_key_of_its_name(key in "[a-c~:.2b67ef-]{1,9}") {
		prop_assume!(key != "." && key != "..");
		prop_assert_eq!(key_of(&name_of(&key, PathSegment), PathSegment), Ok(key.clone()));
		if !key.contains(':') {
			prop_assert_eq!(key_of(&name_of(&key, Unreserved), Unreserved), Ok(key.clone()));
		}
	}
}
