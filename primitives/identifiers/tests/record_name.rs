// SPDX-License-Identifier: Apache-2.0
//! Names as record keys: every vector, and the rules for any name and any key.

#![cfg(feature = "alloc")]

mod common;

use common::{list, text, texts, vectors};
use content_fabric_identifiers::{
	ParseRecordKeyError, RecordKey, RecordKeyBuf,
	RecordKeySyntax::{self, PathSegment, Unreserved},
	RecordNameError,
};
use proptest::prelude::*;

fn key_of(name: &str, syntax: RecordKeySyntax) -> Result<String, ParseRecordKeyError> {
	RecordKeyBuf::of_name(name, syntax).map(RecordKeyBuf::into_string)
}

fn name_of(key: &str, syntax: RecordKeySyntax) -> Result<String, RecordNameError> {
	RecordKey::parse(key, PathSegment).expect("a key").name(syntax)
}

#[test]
fn names_have_the_keys_of_the_vectors() {
	for vector in list(&vectors("record_name")["names"]) {
		let name = text(&vector["name"]);
		for (syntax, field) in [(PathSegment, "path_segment"), (Unreserved, "unreserved")] {
			let key = text(&vector[field]);
			assert_eq!(key_of(name, syntax).as_deref(), Ok(key), "{name:?}");
			assert_eq!(name_of(key, syntax).as_deref(), Ok(name), "{key}");
		}
	}
}

#[test]
fn keys_that_are_not_canonical_have_no_name() {
	let vectors = vectors("record_name");
	for kind in ["escape", "text", "canonical"] {
		for key in texts(&vectors["keys_without_name"][kind]) {
			let error = name_of(key, PathSegment).expect_err(key);
			let found = match error {
				RecordNameError::Escape { at } => {
					assert_eq!(&key[at..=at], "~");
					"escape"
				},
				RecordNameError::NotText => "text",
				RecordNameError::NotCanonical => "canonical",
				other => panic!("{other}"),
			};
			assert_eq!(found, kind, "{key}");
		}
	}
	// The colon is a character of one dialect only.
	assert_eq!(name_of("a~3ab", Unreserved).as_deref(), Ok("a:b"));
	assert_eq!(name_of("a:b", Unreserved), Err(RecordNameError::NotCanonical));
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
		assert_eq!(name_of(&key, PathSegment), Ok(name));
	}
}

#[test]
fn errors_say_what_is_wrong() {
	let error = name_of("a~2B", PathSegment).expect_err("upper case").to_string();
	assert_eq!(error, "`~` needs two hex digits after it, at byte 1");
}

fn names() -> impl Strategy<Value = String> {
	prop_oneof!["[a-c~:.+ü2b]{0,6}", "\\PC{0,60}", any::<String>()]
}

proptest! {
	#[test]
	fn a_name_comes_back_and_its_key_escapes_only_what_it_must(name in names()) {
		for (syntax, marks) in [(PathSegment, "-._:"), (Unreserved, "-._")] {
			let Ok(key) = key_of(&name, syntax) else {
				prop_assert!(name.is_empty() || name.len() > 512 / 3);
				continue;
			};
			prop_assert_eq!(name_of(&key, syntax), Ok(name.clone()));
			let plain = |byte: u8| byte.is_ascii_alphanumeric() || marks.as_bytes().contains(&byte);
			if name.bytes().all(plain) && name != "." && name != ".." {
				prop_assert_eq!(&key, &name);
			} else {
				prop_assert_ne!(&key, &name);
			}
		}
	}

	#[test]
	fn two_names_never_have_the_same_key(a in names(), b in names()) {
		for syntax in [PathSegment, Unreserved] {
			if let (Ok(a_key), Ok(b_key)) = (key_of(&a, syntax), key_of(&b, syntax)) {
				prop_assert_eq!(a_key == b_key, a == b);
			}
		}
	}

	#[test]
	fn a_key_with_a_name_is_the_key_of_that_name(key in "[a-c~:.2b67ef-]{1,9}") {
		prop_assume!(key != "." && key != "..");
		for syntax in [PathSegment, Unreserved] {
			if let Ok(name) = name_of(&key, syntax) {
				prop_assert_eq!(key_of(&name, syntax), Ok(key.clone()));
			}
		}
	}
}
