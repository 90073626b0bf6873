// SPDX-License-Identifier: Apache-2.0
//! Names of collections, names of records and record keys, as arguments of commands.

use clap::Args;
use content_fabric_client::record_names::SYNTAX;
use content_fabric_identifiers::{ParseRecordKeyError, RecordKey, RecordKeyBuf, RecordKeySyntax};

use crate::Error;

/// A record on the command line: its name, or with `--key` its record key.
///
/// A text alone is always a name, so the meaning of `a~2bb` does not depend on what is on the
/// chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct RecordArgument {
	/// The name of the record. Its record key has escapes for characters that a key cannot have
	#[arg(value_name = "NAME", value_parser = key_of_name)]
	name: Option<String>,
	/// The record key, in the place of the name
	#[arg(
		long,
		value_name = "KEY",
		value_parser = parse_key,
		conflicts_with = "name",
		allow_hyphen_values = true
	)]
	key: Option<String>,
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

	/// Returns the record key, if a record is named.
	pub fn into_key(self) -> Option<String> {
		self.key.or(self.name)
	}
}

/// Reads the name of a collection.
pub fn parse_collection(text: &str) -> Result<String, Error> {
	let key = RecordKey::parse(text, RecordKeySyntax::Unreserved);
	key.map(|key| key.as_str().to_owned()).map_err(refused(text, "the name of a collection"))
}

/// Reads a record key.
pub fn parse_key(text: &str) -> Result<String, Error> {
	let key = RecordKey::parse(text, SYNTAX);
	key.map(|key| key.as_str().to_owned()).map_err(refused(text, "a record key"))
}

/// Reads the name of a record. Returns its record key.
pub fn key_of_name(text: &str) -> Result<String, Error> {
	let key = RecordKeyBuf::of_name(text, SYNTAX);
	key.map(RecordKeyBuf::into_string).map_err(refused(text, "the name of a record"))
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

	fn key(line: &[&str]) -> Result<Option<String>, String> {
		let line = Line::try_parse_from([&["line"], line].concat());
		line.map(|line| line.record.into_key()).map_err(|error| error.to_string())
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
	fn names_have_distinct_keys_and_key_takes_a_key() {
		for (name, named) in [
			("serde:1.0.0", "serde:1.0.0"),
			("toml:1.2.1+spec-1.1.0", "toml:1.2.1~2bspec-1.1.0"),
			("q+", "q~2b"),
			("q~2b", "q~7e2b"),
			("q~7e2b", "q~7e7e2b"),
			("a:1.0~rc1", "a:1.0~7erc1"),
			("..", "~2e~2e"),
			("ü", "~c3~bc"),
		] {
			assert_eq!(key(&[name]), Ok(Some(named.into())));
			assert_eq!(key(&["--key", named]), Ok(Some(named.into())));
		}
		assert_eq!(key(&["--key=--yes"]), Ok(Some("--yes".into())));
		assert_eq!(key(&["--", "--yes"]), Ok(Some("--yes".into())));
		assert_eq!(key(&[]), Ok(None));
	}

	#[test]
	fn a_text_that_is_no_name_or_no_key_is_refused_with_the_reason() {
		let (long, fits) = ("+".repeat(171), "~".repeat(512));
		for (line, what, reason) in [
			(&[""][..], "the name of a record", "must not be empty"),
			(&[&long], "the name of a record", "at most 512 bytes, not 513"),
			// Each `~` of a name needs three bytes.
			(&[&fits], "the name of a record", "at most 512 bytes, not 1536"),
			(&["--key", "q+"], "a record key", "byte 1 is not allowed"),
			(&["--key", ".."], "a record key", "are not record keys"),
		] {
			let error = key(line).expect_err("it has no key");
			assert!(error.contains(&format!(" is not {what}: ")), "{error}");
			assert!(error.contains(reason), "{error}");
		}
		assert_eq!(key(&["--key", &fits]), Ok(Some(fits)));
		assert!(key(&["a", "--key", "b"]).is_err());
	}
}
