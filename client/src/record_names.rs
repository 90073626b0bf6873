// SPDX-License-Identifier: Apache-2.0
//! Names of collections, names of records and record keys.

mod called;
mod near;
mod path;

use std::borrow::Cow;

use content_fabric_identifiers::{
	ContentObjectId, ParseRecordKeyError, RecordKey, RecordKeyBuf, RecordKeySyntax, RecordPath,
	TenantId,
};

pub use called::{is_called, keys_of};
pub use near::Nearest;
pub use path::{known_path_of, path_of};

use crate::{ids, text::printable};

/// The syntax of record keys. A collection may accept fewer.
pub const SYNTAX: RecordKeySyntax = RecordKeySyntax::PathSegment;

/// Largest number of parts after the name of an object, in the name of a version of it.
const MAX_ENDS: usize = 16;

/// Returns the record key of a name in a collection with this syntax. A name that is a key is not
/// changed.
pub fn key_of(name: &str, syntax: RecordKeySyntax) -> Result<String, ParseRecordKeyError> {
	RecordKeyBuf::of_name(name, syntax).map(RecordKeyBuf::into_string)
}

/// Returns the starts of the keys of names that start with `text`, ascending: of names that are keys,
/// and of others, which have escapes.
pub fn key_prefixes(text: &str, syntax: RecordKeySyntax) -> Vec<String> {
	// More characters keep `.` and `..` from being whole names. The last two are not keys, and the
	// last one may end an escape that `text` begins.
	let ends = [("x", "x"), ("+", "~2b"), ("0+", "0~2b")];
	let starts = ends.into_iter().filter_map(|(end, escaped)| {
		let key = key_of(&format!("{text}{end}"), syntax).ok()?;
		Some(key.strip_suffix(escaped).unwrap_or(&key).to_owned())
	});
	let mut starts: Vec<_> = starts.collect();
	starts.sort();
	starts.dedup();
	starts
}

/// Returns the name that a record key was escaped from. Any other key stands for itself. A key
/// without a colon may be of either syntax.
pub fn name_of(key: &str) -> Cow<'_, str> {
	let Ok(parsed) = RecordKey::parse(key, SYNTAX) else { return Cow::Borrowed(key) };
	match parsed.name(SYNTAX) {
		name if name == key && parsed.is_of(RecordKeySyntax::Unreserved) => {
			parsed.name(RecordKeySyntax::Unreserved).into_owned().into()
		},
		name => name.into_owned().into(),
	}
}

/// Returns the name of a record that leads to an object. Some keys, such as `1.0~20230101`, may be
/// either a name or the escape of another name. The id of the object is made of its name, so it
/// often shows which one.
pub fn name_of_record(tenant: TenantId, key: &str, object: ContentObjectId) -> Cow<'_, str> {
	let name = name_of(key);
	if name == key {
		return name;
	}
	let is_of = |text: &str| {
		let names_it = |text: &str| ids::content_object(tenant, text) == object;
		names_it(text) || names_it(&text.replace(':', "/"))
	};
	// The name of a version follows the object's.
	let fits = |text: &str| {
		let ends = text.rmatch_indices(':').map(|(end, _)| end);
		[text.len()].into_iter().chain(ends).take(MAX_ENDS).find(|end| is_of(&text[..*end]))
	};
	let same = name.bytes().zip(key.bytes()).take_while(|(a, b)| a == b).count();
	let is_after = |end: Option<usize>| end.is_some_and(|end| end > same);
	let (of_key, of_name) = (fits(key), fits(&name));
	if is_after(of_name) {
		return name;
	}
	let of_version = || name[of_key.unwrap_or_default()..].bytes();
	let is_plain =
		|byte: u8| byte == b'+' || byte.is_ascii_alphanumeric() || b".-_~:".contains(&byte);
	match is_after(of_key) || of_key.is_some() && !of_version().all(is_plain) {
		true => Cow::Borrowed(key),
		false => name,
	}
}

/// Returns a record key for a report, followed by its name if they differ.
pub fn described(key: &str, name: &str) -> String {
	match name == key {
		true => key.to_owned(),
		false => format!("{key}, which stands for {},", printable(name)),
	}
}

/// Returns what atproto recommends, if the name of a collection does not follow it.
pub fn collection_advice(collection: &str) -> Option<&'static str> {
	let key = RecordKey::parse(collection, RecordKeySyntax::Unreserved).ok()?;
	(!key.is_recommended()).then_some(
		"atproto recommends names of collections without upper-case letters, and with fewer than 80 \
		 characters",
	)
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
			("a:1.0~7erc1", "a:1.0~7erc1"),
			("a:1.0~rc1", "a:1.0~rc1"),
			("did~3aplc~3aa", "did:plc:a"),
			("a:b~3ac", "a:b~3ac"),
			("a~2Bb", "a~2Bb"),
			("not a key", "not a key"),
		] {
			assert_eq!(name_of(key), name);
		}
		assert_eq!(described("a", "a"), "a");
		assert_eq!(described("a~1b", "a\u{1b}"), "a~1b, which stands for a\\u{1b},");
	}

	#[test]
	fn the_object_shows_whether_a_key_is_a_name_or_an_escape() {
		let tenant = TenantId([1; 10]);
		for (key, object, name) in [
			("a~2b", "a+", "a+"),
			("a~2b", "a~2b", "a~2b"),
			("a~2b:0123", "a~2b", "a~2b:0123"),
			("d:a~20b:0123", "d/a b", "d:a b:0123"),
			("apt:1.0~20230101", "apt", "apt:1.0~20230101"),
			("toml:1.2.1~2bspec-1.1.0", "toml", "toml:1.2.1+spec-1.1.0"),
			("g~2b~2b:1.0~7e2023", "g++", "g++:1.0~2023"),
			("a~2b", "something else", "a+"),
		] {
			let object = ids::content_object(tenant, object);
			assert_eq!(name_of_record(tenant, key, object), name);
		}
	}

	#[test]
	fn the_keys_of_names_begin_with_the_text_or_its_escapes() {
		for (text, prefixes) in [
			("", &[""][..]),
			(".", &["."]),
			("..", &[".."]),
			("a:1.0~r", &["a:1.0~r"]),
			("x", &["x"]),
			("g+", &["g~2b"]),
			("g~", &["g~"]),
			("g~2", &["g~2", "g~7e2"]),
			("g~2b", &["g~2b", "g~7e2b"]),
			("g~c3", &["g~7ec3", "g~c3"]),
			("g+~2", &["g~2b~2", "g~2b~7e2"]),
		] {
			assert_eq!(key_prefixes(text, SYNTAX), prefixes);
			for end in ["", "ü+x", "b", "b+", "0b ü", "x"] {
				let Ok(key) = RecordKeyBuf::of_name(&format!("{text}{end}"), SYNTAX) else {
					continue;
				};
				let is_whole = matches!(&*format!("{text}{end}"), "." | "..");
				let fits = prefixes.iter().any(|prefix| key.as_str().starts_with(prefix));
				assert!(fits || is_whole, "{text}{end}: {key}");
			}
		}
		assert_eq!(key_prefixes("did:", RecordKeySyntax::Unreserved), ["did~3a"]);
		assert!(key_prefixes(&"+".repeat(171), SYNTAX).is_empty(), "no key is as long");
	}

	#[test]
	fn long_keys_and_upper_case_come_with_advice() {
		for key in ["serde:1.0.0", &"a".repeat(73)] {
			assert_eq!(advice("names", key), None, "{key}");
		}
		for key in ["Serde", &"a".repeat(74)] {
			assert!(advice("names", key).is_some(), "{key}");
		}
		for (name, is_advised) in [
			("names", false),
			("app.bsky.feed", false),
			("Names", true),
			(&"a".repeat(79), false),
			(&"a".repeat(80), true),
		] {
			assert_eq!(collection_advice(name).is_some(), is_advised, "{name}");
		}
	}
}
