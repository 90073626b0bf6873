// SPDX-License-Identifier: Apache-2.0
//! Names of collections, names of records and record keys.

mod path;

use std::borrow::Cow;

use content_fabric_identifiers::{RecordKey, RecordKeyBuf, RecordKeySyntax, RecordPath};

pub use path::{known_path_of, path_of};

use crate::text::printable;

/// The syntax of record keys. A collection may accept fewer.
pub const SYNTAX: RecordKeySyntax = RecordKeySyntax::PathSegment;

/// Returns the common start of the keys of all names that start with `text`.
pub fn key_prefix(text: &str) -> String {
	// One more character keeps `.` and `..` from being whole names.
	match RecordKeyBuf::of_name(&format!("{text}x"), SYNTAX).map(RecordKeyBuf::into_string) {
		Ok(key) => key.strip_suffix('x').unwrap_or(&key).to_owned(),
		// Nothing begins with it.
		Err(_) => text.to_owned(),
	}
}

/// Returns the name whose record key this is. Any other key stands for itself.
pub fn name_of(key: &str) -> Cow<'_, str> {
	let name = RecordKey::parse(key, SYNTAX).ok().and_then(|key| key.name(SYNTAX).ok());
	name.map_or(Cow::Borrowed(key), Cow::Owned)
}

/// Returns a record key for a report, followed by its name if they differ.
pub fn described(key: &str) -> String {
	match name_of(key) {
		name if name == key => key.to_owned(),
		name => format!("{key}, which stands for {},", printable(&name)),
	}
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
	fn keys_have_names_and_other_keys_stand_for_themselves() {
		for (key, name) in [
			("serde:1.0.0", "serde:1.0.0"),
			("toml:1.2.1~2bspec-1.1.0", "toml:1.2.1+spec-1.1.0"),
			("a:1.0~7erc1", "a:1.0~rc1"),
			("a:1.0~rc1", "a:1.0~rc1"),
			("a~2Bb", "a~2Bb"),
			("not a key", "not a key"),
		] {
			assert_eq!(name_of(key), name);
			let shown =
				if key == name { key.into() } else { format!("{key}, which stands for {name},") };
			assert_eq!(described(key), shown);
		}
		assert_eq!(described("a~1b"), "a~1b, which stands for a\\u{1b},");
	}

	#[test]
	fn the_keys_of_names_begin_with_the_escaped_text() {
		for (text, prefix) in [
			("", ""),
			(".", "."),
			("..", ".."),
			("a:1.0~r", "a:1.0~7er"),
			("x", "x"),
			("g+", "g~2b"),
		] {
			assert_eq!(key_prefix(text), prefix);
			let key = RecordKeyBuf::of_name(&format!("{text}ü+x"), SYNTAX).expect("it is short");
			assert!(key.as_str().starts_with(prefix), "{key}");
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
