// SPDX-License-Identifier: Apache-2.0
//! Records in lists, as `fabric record list` and `fabric find` print them.

use std::io::{self, Write};

use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};
use content_fabric_primitives::ContentRef;
use serde::Serialize;

use super::listing::{time, write_columns, Seen};
use crate::{
	index::{record_uri, List, Record},
	output::Report,
	record_names::name_of,
	text::Text,
};

/// A list of records.
#[derive(Debug, Serialize)]
pub struct Records {
	#[serde(flatten)]
	pub seen: Seen,
	pub records: Vec<ListedRecord>,
	pub more: bool,
	/// True if all records are of one collection, so that text has their keys only.
	#[serde(skip)]
	pub one_collection: bool,
}

/// A record of a list.
#[derive(Debug, Serialize)]
pub struct ListedRecord {
	tenant: TenantId,
	collection: Text,
	key: Text,
	/// The key without escapes.
	name: Text,
	/// The URI, if the name of the collection and the key have the forms that a URI needs.
	uri: Option<String>,
	object: ContentObjectId,
	/// The version to which it leads. `None` for the head of the object.
	version: Option<VersionId>,
	/// The time of its key or of its last put, in milliseconds since the Unix epoch. Only an index
	/// has it.
	#[serde(skip_serializing_if = "Option::is_none")]
	time: Option<u64>,
}

impl From<List<Record>> for Records {
	fn from(list: List<Record>) -> Self {
		let records = list.items.into_iter().map(|record| {
			let Record { tenant, collection, key, object, version, time } = record;
			let target = ContentRef { object, version };
			ListedRecord { time, ..ListedRecord::new(tenant, collection, key, target) }
		});
		Self {
			seen: list.at.into(),
			records: records.collect(),
			more: list.more,
			one_collection: false,
		}
	}
}

impl ListedRecord {
	/// Returns a record of the chain.
	pub fn new(tenant: TenantId, collection: Text, key: Text, target: ContentRef) -> Self {
		let uri = record_uri(tenant, &collection, &key);
		let ContentRef { object, version } = target;
		let name = Text(name_of(&key.raw()).into_owned().into_bytes());
		Self { tenant, collection, key, name, uri, object, version, time: None }
	}

	/// Returns the columns: the name is one only if the key does not say it.
	fn line(&self, one_collection: bool) -> [String; 5] {
		let Self { tenant, collection, key, uri, .. } = self;
		let record = match uri {
			_ if one_collection => key.to_string(),
			Some(uri) => uri.clone(),
			None => format!("{tenant} {collection} {key}"),
		};
		let version = self.version.map_or_else(|| "head".into(), |version| version.to_string());
		let name = if self.name == *key { String::new() } else { self.name.to_string() };
		[record, self.object.to_string(), version, time(self.time), name]
	}
}

impl Report for Records {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { seen, records, more, one_collection } = self;
		let lines: Vec<_> = records.iter().map(|record| record.line(*one_collection)).collect();
		write_columns(out, &lines)?;
		seen.write(out, records.len(), ["record", "records"], *more)
	}
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::output::text_of;

	fn records(one_collection: bool) -> Records {
		let record = |key: &str, version, time| {
			let target = ContentRef { object: ContentObjectId([2; 10]), version };
			let (tenant, collection) = (TenantId([1; 10]), Text("names".into()));
			ListedRecord { time, ..ListedRecord::new(tenant, collection, Text(key.into()), target) }
		};
		Records {
			seen: Seen { block: 9, is_final: false },
			records: vec![
				record("serde", None, Some(0)),
				record("\u{1b}[2J", Some(VersionId([3; 32])), None),
				record("g~2b~2b", None, None),
			],
			more: true,
			one_collection,
		}
	}

	#[test]
	fn text_has_keys_or_uris_in_columns_without_control_characters() {
		let (object, version) = (ContentObjectId([2; 10]), VersionId([3; 32]));
		let head = format!("head{:width$}", "", width = version.to_string().len() - 4);
		assert_eq!(
			text_of(&records(true)),
			format!(
				"serde      {object}  {head}  1970-01-01T00:00:00Z\n\\u{{1b}}[2J  {object}  {version}\n\
				 g~2b~2b    {object}  {head}                        g++\n\
				 block 9, not final: the first 3 records; more with a larger --limit\n"
			)
		);
		let tenant = TenantId([1; 10]);
		let text = text_of(&records(false));
		assert!(text.starts_with(&format!("fabric:/{tenant}/names/serde ")), "{text}");
		// The key has no URI.
		assert!(text.contains(&format!("\n{tenant} names \\u{{1b}}[2J  ")), "{text}");
	}

	#[test]
	fn json_has_the_block_the_records_and_whether_there_are_more() {
		let json = serde_json::to_value(records(true)).expect("reports have a JSON form");
		assert_eq!(
			(&json["block"], &json["final"], &json["more"]),
			(&9.into(), &false.into(), &true.into())
		);
		assert_eq!(json["records"][0]["key"], "serde");
		assert_eq!(json["records"][2]["key"], "g~2b~2b");
		assert_eq!(json["records"][2]["name"], "g++");
		assert_eq!(json["records"][0]["time"], 0);
		assert!(json["records"][1].get("time").is_none());
	}
}
