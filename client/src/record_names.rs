// SPDX-License-Identifier: Apache-2.0
//! Names of collections and record keys, as arguments of commands.

use content_fabric_identifiers::{RecordKey, RecordKeySyntax, RecordPath};

use crate::Error;

/// Reads the name of a collection.
pub fn parse_collection(text: &str) -> Result<String, Error> {
	parse(text, RecordKeySyntax::Unreserved, "the name of a collection")
}

/// Reads a record key. Its collection may accept fewer.
pub fn parse_key(text: &str) -> Result<String, Error> {
	parse(text, RecordKeySyntax::PathSegment, "a record key")
}

fn parse(text: &str, syntax: RecordKeySyntax, what: &'static str) -> Result<String, Error> {
	let key = RecordKey::parse(text, syntax);
	key.map(|key| key.as_str().to_owned()).map_err(|reason| Error::Text {
		text: text.into(),
		what,
		reason: reason.to_string(),
	})
}

/// Returns what atproto recommends, if a record key in a collection does not follow it.
pub fn advice(collection: &str, key: &str) -> Option<&'static str> {
	(!is_recommended(collection, key)).then_some(
		"atproto recommends record keys without upper-case letters, and fewer than 80 characters \
		 together with the collection and a slash",
	)
}

/// Returns whether a record key in a collection is as atproto recommends. One that is invalid has
/// errors of its own.
pub fn is_recommended(collection: &str, key: &str) -> bool {
	let parse = |text| RecordKey::parse(text, RecordKeySyntax::PathSegment).ok();
	let path = parse(collection).zip(parse(key));
	let path = path.and_then(|(collection, key)| RecordPath::new(collection, key).ok());
	path.is_none_or(|path| path.is_recommended())
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn names_of_collections_have_no_colon_and_record_keys_may() {
		assert_eq!(parse_collection("names-1.0_~").ok().as_deref(), Some("names-1.0_~"));
		assert_eq!(parse_key("serde:1.0.0").ok().as_deref(), Some("serde:1.0.0"));
		for (read, what) in [
			(parse_collection("a:b"), "the name of a collection"),
			(parse_collection(""), "the name of a collection"),
			(parse_key("a b"), "a record key"),
			(parse_key(".."), "a record key"),
		] {
			let error = read.expect_err("the text is invalid").to_string();
			assert!(error.contains(&format!(" is not {what}: ")), "{error}");
			assert_eq!(error.lines().count(), 1, "{error}");
		}
	}

	#[test]
	fn long_keys_and_upper_case_come_with_advice() {
		for key in ["serde:1.0.0", &"a".repeat(73)] {
			assert_eq!(advice("names", key), None, "{key}");
		}
		for key in ["Serde", &"a".repeat(74)] {
			assert!(advice("names", key).is_some(), "{key}");
		}
	}
}
