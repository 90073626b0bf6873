// SPDX-License-Identifier: Apache-2.0
//! Names of collections, names of records and record keys, as arguments of commands.

use clap::Args;
use content_fabric_client::{
	chain::{rows, Snapshot},
	record_names::{is_called, key_of, keys_of, name_of, SYNTAX},
	text::Text,
};
use content_fabric_identifiers::{ParseRecordKeyError, RecordKey, RecordKeySyntax, TenantId};

use crate::Error;

/// A record on the command line: its name, or with `--key` its record key.
///
/// A text alone is always a name. It is its own key if the syntax of the collection has it, so the
/// meaning of `a~2bb` does not depend on the state of the chain. The path of a file is a name of its
/// record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct RecordArgument {
	/// The name of the record, or the path of its file. The record key of a name has escapes for
	/// characters that a key of the collection cannot have
	#[arg(value_name = "NAME", value_parser = parse_name)]
	name: Option<RecordText>,
	/// The record key, instead of the name. It is never escaped
	#[arg(
		long,
		value_name = "KEY",
		value_parser = parse_key,
		conflicts_with = "name",
		allow_hyphen_values = true
	)]
	key: Option<RecordText>,
}

/// A name, or a record key, that some collection may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordText {
	Name(String),
	Key(String),
}

/// A record of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRecord {
	pub key: String,
	pub name: String,
}

impl RecordText {
	/// Returns the record of a collection whose keys have this syntax.
	pub fn record(self, syntax: RecordKeySyntax) -> Result<NamedRecord, Error> {
		match self {
			Self::Name(name) => match key_of(&name, syntax) {
				Ok(key) => Ok(NamedRecord { key, name }),
				Err(reason) => {
					Err(refused(&name, "the name of a record of this collection")(reason))
				},
			},
			Self::Key(key) => match RecordKey::parse(&key, syntax) {
				Ok(_) => Ok(NamedRecord { name: name_of(&key).into_owned(), key }),
				Err(reason) => Err(refused(&key, "a record key of this collection")(reason)),
			},
		}
	}

	/// Returns the record of a collection that has this name, or else the one that would have it. The
	/// path of a file is also a name.
	pub async fn found(
		self,
		at: &Snapshot,
		tenant: TenantId,
		collection: &str,
		syntax: RecordKeySyntax,
	) -> Result<NamedRecord, Error> {
		let record = self.clone().record(syntax)?;
		let Self::Name(name) = self else { return Ok(record) };
		let keys = keys_of(&name, syntax).unwrap_or_default();
		// A name that is not a path has one key.
		for key in keys.into_iter().filter(|_| name.contains('/')) {
			let place = (tenant, Text(collection.into()), Text(key.clone().into()));
			let found = at.get(rows::records(), place).await?;
			if found.is_some_and(|row| is_called(tenant, &key, &row.target, &name)) {
				return Ok(NamedRecord { key, name });
			}
		}
		Ok(record)
	}

	/// Returns whether the syntax of the collection makes a difference.
	fn depends_on_syntax(&self) -> bool {
		let (Self::Name(text) | Self::Key(text)) = self;
		text.contains([':', '/'])
	}
}

/// Returns the syntax of the keys of a collection for these records. Reads it only if it makes a
/// difference.
pub async fn syntax_of(
	at: &Snapshot,
	tenant: TenantId,
	collection: &str,
	texts: &[RecordText],
) -> Result<RecordKeySyntax, Error> {
	if !texts.iter().any(RecordText::depends_on_syntax) {
		return Ok(SYNTAX);
	}
	let row = at.get(rows::collections(), (tenant, Text(collection.into()))).await?;
	Ok(row.map_or(SYNTAX, |row| row.syntax))
}

impl RecordArgument {
	/// Refuses a key without a collection, as the place of the record is not a URI then.
	pub fn ensure_in(&self, collection: Option<&str>) -> Result<(), Error> {
		match (collection, &self.key) {
			(None, Some(_)) => Err(Error::Usage(
				"--key needs a tenant and a collection before it; a URI has its own key".into(),
			)),
			_ => Ok(()),
		}
	}

	/// Returns the name or the key, if one is given.
	pub fn into_text(self) -> Option<RecordText> {
		self.key.or(self.name)
	}
}

/// Reads the name of a collection.
pub fn parse_collection(text: &str) -> Result<String, Error> {
	let key = RecordKey::parse(text, RecordKeySyntax::Unreserved);
	key.map(|key| key.as_str().to_owned()).map_err(refused(text, "the name of a collection"))
}

/// Reads a record key of the wider syntax.
pub fn parse_key(text: &str) -> Result<RecordText, Error> {
	let key = RecordKey::parse(text, SYNTAX);
	key.map(|key| RecordText::Key(key.as_str().into())).map_err(refused(text, "a record key"))
}

/// Reads the name of a record, which must have a key of the wider syntax.
pub fn parse_name(text: &str) -> Result<RecordText, Error> {
	let key = key_of(text, SYNTAX);
	key.map(|_| RecordText::Name(text.into())).map_err(refused(text, "the name of a record"))
}

fn refused<'a>(text: &'a str, what: &'static str) -> impl Fn(ParseRecordKeyError) -> Error + 'a {
	move |reason| Error::Text { text: text.into(), what, reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
	use clap::Parser;

	use super::*;

	#[derive(Parser)]
	struct Line {
		#[command(flatten)]
		record: RecordArgument,
	}

	/// Returns the record of a line in a collection with this syntax.
	fn record(line: &[&str], syntax: RecordKeySyntax) -> Result<Option<NamedRecord>, String> {
		let line = Line::try_parse_from([&["line"], line].concat());
		let text = line.map_err(|error| error.to_string())?.record.into_text();
		text.map(|text| text.record(syntax)).transpose().map_err(|error| error.to_string())
	}

	fn key(line: &[&str]) -> Result<Option<String>, String> {
		record(line, SYNTAX).map(|record| record.map(|record| record.key))
	}

	#[test]
	fn a_key_needs_a_collection() {
		let line = Line::try_parse_from(["line", "--key", "a"]).expect("it is a key");
		assert!(line.record.ensure_in(Some("names")).is_ok());
		let error = line.record.ensure_in(None).expect_err("it has no collection").to_string();
		assert!(error.starts_with("--key needs a tenant and a collection"), "{error}");
		assert!(RecordArgument::default().ensure_in(None).is_ok());
	}

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
	fn names_are_escaped_where_they_are_no_keys_and_keys_never() {
		for (name, named) in [
			("serde:1.0.0", "serde:1.0.0"),
			("toml:1.2.1+spec-1.1.0", "toml:1.2.1~2bspec-1.1.0"),
			("q+", "q~2b"),
			("q~2b", "q~2b"),
			("q~2b+", "q~7e2b~2b"),
			("a:1.0~rc1", "a:1.0~rc1"),
			("..", "~2e~2e"),
			("ü", "~c3~bc"),
		] {
			let record = record(&[name], SYNTAX).expect("it has a key").expect("it is named");
			assert_eq!((&*record.key, &*record.name), (named, name));
			assert_eq!(key(&["--key", named]), Ok(Some(named.into())));
		}
		assert_eq!(key(&["--key=--yes"]), Ok(Some("--yes".into())));
		assert_eq!(key(&["--", "--yes"]), Ok(Some("--yes".into())));
		assert_eq!(key(&[]), Ok(None));
	}

	#[test]
	fn dids_have_names_in_collections_of_either_syntax() {
		let (did, escaped) = ("did:plc:abc", "did~3aplc~3aabc");
		let in_syntax = |line: &[&str], syntax| record(line, syntax);
		let unreserved = RecordKeySyntax::Unreserved;
		let expected = |key: &str| Ok(Some(NamedRecord { key: key.into(), name: did.into() }));
		assert_eq!(in_syntax(&[did], SYNTAX), expected(did));
		assert_eq!(in_syntax(&[did], unreserved), expected(escaped));
		assert_eq!(in_syntax(&["--key", escaped], unreserved), expected(escaped));
		let error = in_syntax(&["--key", did], unreserved).expect_err("it has colons");
		let expected =
			"`did:plc:abc` is not a record key of this collection: byte 3 is not allowed";
		assert!(error.starts_with(expected), "{error}");
		let long = ":".repeat(171);
		let error = in_syntax(&[&long], unreserved).expect_err("its key is too long");
		assert!(error.ends_with("at most 512 bytes, not 513"), "{error}");
		assert!(in_syntax(&[&long], SYNTAX).is_ok());
	}

	#[test]
	fn a_text_that_is_no_name_or_no_key_is_refused_with_the_reason() {
		let (long, fits) = ("+".repeat(171), "~".repeat(512));
		for (line, what, reason) in [
			(&[""][..], "the name of a record", "must not be empty"),
			(&[&long], "the name of a record", "at most 512 bytes, not 513"),
			(&["--key", "q+"], "a record key", "byte 1 is not allowed"),
			(&["--key", ".."], "a record key", "are not record keys"),
			(&["--key", ""], "a record key", "must not be empty"),
		] {
			let error = key(line).expect_err("it has no key");
			assert!(error.contains(&format!(" is not {what}: ")), "{error}");
			assert!(error.contains(reason), "{error}");
		}
		assert_eq!(key(&["--key", &fits]), Ok(Some(fits.clone())));
		assert_eq!(key(&[&fits]), Ok(Some(fits)));
		assert!(key(&["a", "--key", "b"]).is_err());
	}
}
