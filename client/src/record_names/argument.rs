// SPDX-License-Identifier: Apache-2.0
//! Names of collections, names of records and record keys, as arguments of commands.

use content_fabric_identifiers::{RecordKey, RecordKeyBuf, RecordKeySyntax, TenantId};

use super::SYNTAX;
use crate::{
	chain::{rows, Snapshot},
	text::Text,
	Error,
};

/// Reads the name of a collection.
pub fn parse_collection(text: &str) -> Result<String, Error> {
	parse(text, RecordKeySyntax::Unreserved, "the name of a collection")
}

/// Reads a record key, or the name of a record. A text that is not a record key is a name.
pub fn parse_key(text: &str) -> Result<String, Error> {
	let RecordArgument { of_name, as_key } = text.parse()?;
	Ok(as_key.or(of_name).unwrap_or_default())
}

/// A record on the command line: its key, or its name, whose key may have escapes.
///
/// `a:1.0~rc1` is both. It stands for the record with the key of that name, if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordArgument {
	/// The key of the name, if it has one.
	of_name: Option<String>,
	/// The text itself, if it is a record key.
	as_key: Option<String>,
}

impl std::str::FromStr for RecordArgument {
	type Err = Error;

	fn from_str(text: &str) -> Result<Self, Error> {
		let of_name = RecordKeyBuf::of_name(text, SYNTAX);
		let as_key = RecordKey::parse(text, SYNTAX).is_ok().then(|| text.to_owned());
		match (of_name, as_key) {
			(Err(reason), None) => Err(Error::Text {
				text: text.into(),
				what: "the name of a record",
				reason: reason.to_string(),
			}),
			(of_name, as_key) => {
				Ok(Self { of_name: of_name.ok().map(RecordKeyBuf::into_string), as_key })
			},
		}
	}
}

impl RecordArgument {
	/// Returns the argument for a record key.
	pub fn of_key(key: &RecordKey<'_>) -> Self {
		Self { of_name: None, as_key: Some(key.as_str().to_owned()) }
	}

	/// Returns the key of the record that a collection has, or that a new record gets: the text
	/// itself, or the key of the name if the text is not a record key.
	pub async fn key(
		&self,
		at: &Snapshot,
		tenant: TenantId,
		collection: &str,
	) -> Result<String, Error> {
		let Self { of_name, as_key } = self;
		let (Some(of_name), Some(as_key)) = (of_name, as_key) else {
			return Ok(of_name.as_ref().or(as_key.as_ref()).cloned().unwrap_or_default());
		};
		if of_name == as_key {
			return Ok(as_key.clone());
		}
		let text = |text: &str| Text(text.as_bytes().to_vec());
		let row = (tenant, text(collection), text(of_name));
		let found = at.get(&rows::records(), row).await?;
		Ok(if found.is_some() { of_name.clone() } else { as_key.clone() })
	}
}

fn parse(text: &str, syntax: RecordKeySyntax, what: &'static str) -> Result<String, Error> {
	let key = RecordKey::parse(text, syntax);
	key.map(|key| key.as_str().to_owned()).map_err(|reason| Error::Text {
		text: text.into(),
		what,
		reason: reason.to_string(),
	})
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn names_of_collections_have_no_colon() {
		assert_eq!(parse_collection("names-1.0_~").ok().as_deref(), Some("names-1.0_~"));
		for text in ["a:b", "", "a b", ".."] {
			let error = parse_collection(text).expect_err("the text is invalid").to_string();
			assert!(error.contains(" is not the name of a collection: "), "{error}");
			assert_eq!(error.lines().count(), 1, "{error}");
		}
	}

	#[test]
	fn a_text_is_a_record_key_or_the_name_of_one() {
		for (text, key) in [
			("serde:1.0.0", "serde:1.0.0"),
			("a:1.0~rc1", "a:1.0~rc1"),
			("a~2bb", "a~2bb"),
			("toml:1.2.1+spec-1.1.0", "toml:1.2.1~2bspec-1.1.0"),
			("a b~c", "a~20b~7ec"),
			("..", "~2e~2e"),
			("ü", "~c3~bc"),
		] {
			assert_eq!(parse_key(text).ok().as_deref(), Some(key));
		}
		for (text, reason) in
			[(String::new(), "must not be empty"), ("+".repeat(171), "at most 512 bytes, not 513")]
		{
			let error = parse_key(&text).expect_err("it has no key").to_string();
			assert!(error.contains(" is not the name of a record: "), "{error}");
			assert!(error.contains(reason), "{error}");
		}
		// It fits as it is, although its `~` would need three bytes each in the key of a name.
		let long = "~".repeat(512);
		assert_eq!(parse_key(&long).ok(), Some(long));
	}
}
