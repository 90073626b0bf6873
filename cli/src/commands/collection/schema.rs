// SPDX-License-Identifier: Apache-2.0
//! Schemas of records: Lexicon documents, as atproto specifies them.

use content_fabric_client::text::printable;
use content_fabric_identifiers::Nsid;
use serde::Deserialize;

use crate::{commands::version::document, input::Input, Error};

const LEXICON: u32 = 1;

/// The name and the key type that a Lexicon document gives a collection.
#[derive(Debug, PartialEq, Eq)]
pub struct Schema {
	/// The NSID of the document, which is the name of the collection.
	pub id: String,
	pub key_type: String,
}

#[derive(Debug, Deserialize)]
struct Document {
	lexicon: u32,
	id: String,
	defs: Definitions,
}

#[derive(Debug, Deserialize)]
struct Definitions {
	main: Option<Definition>,
}

#[derive(Debug, Deserialize)]
struct Definition {
	#[serde(rename = "type")]
	kind: String,
	key: Option<String>,
}

impl Schema {
	pub fn read(input: &Input) -> Result<Self, Error> {
		let document: Document = document::read(input, "a Lexicon document")?;
		document.schema().map_err(|fault| {
			Error::Usage(printable(&format!("{input} is not a schema of records: {fault}")))
		})
	}
}

impl Document {
	/// Returns the schema, or the fault of the document.
	fn schema(self) -> Result<Schema, String> {
		let Self { lexicon, id, defs } = self;
		if lexicon != LEXICON {
			return Err(format!("its `lexicon` is {lexicon}, expected {LEXICON}"));
		}
		if let Err(error) = Nsid::parse(&id) {
			return Err(format!("its `id` `{id}` is not an NSID: {error}"));
		}
		let Definition { kind, key } = defs.main.ok_or("it has no `defs.main`")?;
		if kind != "record" {
			return Err(format!("its `defs.main.type` is `{kind}`, expected `record`"));
		}
		Ok(Schema { id, key_type: key.ok_or("it has no `defs.main.key`")? })
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn read(text: &str) -> Result<Schema, Error> {
		let dir = tempfile::tempdir().expect("there is room for a directory");
		let path = dir.path().join("schema.json");
		std::fs::write(&path, text).expect("there is room for a file");
		Schema::read(&Input::Path(path))
	}

	#[test]
	fn a_schema_of_records_names_the_collection_and_the_type_of_its_keys() {
		let post = r#"{
			"lexicon": 1,
			"id": "app.bsky.feed.post",
			"description": "A post",
			"defs": {
				"main": { "type": "record", "key": "tid", "record": { "type": "object" } },
				"replyRef": { "type": "object" }
			}
		}"#;
		let schema = read(post).expect("it is a schema of records");
		assert_eq!(schema, Schema { id: "app.bsky.feed.post".into(), key_type: "tid".into() });
	}

	#[test]
	fn other_documents_are_refused_with_what_they_lack() {
		for (text, reason) in [
			("", "is not a Lexicon document: it is empty"),
			("[]", "is not a Lexicon document: "),
			(r#"{"lexicon": 1, "defs": {}}"#, "missing field `id`"),
			(r#"{"lexicon": 1, "id": "a.b.c"}"#, "missing field `defs`"),
			(r#"{"lexicon": 2, "id": "a.b.c", "defs": {}}"#, "its `lexicon` is 2, expected 1"),
			(r#"{"lexicon": 1, "id": "post", "defs": {}}"#, "its `id` `post` is not an NSID: "),
			(r#"{"lexicon": 1, "id": "a.b.c", "defs": {}}"#, "it has no `defs.main`"),
			(
				r#"{"lexicon": 1, "id": "a.b.c", "defs": {"main": {"type": "query"}}}"#,
				"its `defs.main.type` is `query`, expected `record`",
			),
			(
				r#"{"lexicon": 1, "id": "a.b.c", "defs": {"main": {"type": "record"}}}"#,
				"it has no `defs.main.key`",
			),
		] {
			let error = read(text).expect_err("it is not a schema of records").to_string();
			assert!(error.contains(reason), "{text}: {error}");
			assert_eq!(error.lines().count(), 1, "{error}");
		}
	}
}
