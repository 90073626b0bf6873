// SPDX-License-Identifier: Apache-2.0
//! Lists of the first items of many: their options, columns, and last line; and lists of records.

use std::io::{self, Write};

use clap::Args;
use content_fabric_client::{
	chain::rows,
	record_names::name_of_record,
	text::{count, length_of_time, Text},
};
use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};
use content_fabric_primitives::ContentRef;
use serde::Serialize;

use crate::{
	index::{record_uri, At, List, Record},
	output::Report,
	time::utc,
};

/// The option that limits a list.
#[derive(Clone, Copy, Debug, Args)]
pub struct Limit {
	/// Number of items to print
	#[arg(
		long,
		value_name = "N",
		default_value_t = 50,
		value_parser = clap::value_parser!(u32).range(1..=10_000)
	)]
	pub limit: u32,
}

/// The block at which a list was read.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Seen {
	pub block: u64,
	/// False if a fork can still retract the block.
	#[serde(rename = "final")]
	pub is_final: bool,
	/// Milliseconds since the time of the block, if an index was asked.
	pub age: Option<u64>,
}

impl From<At> for Seen {
	fn from(at: At) -> Self {
		Self { block: at.number, is_final: true, age: Some(at.age) }
	}
}

impl Seen {
	/// Writes the last line of a list: the block with its age, the number of items, and whether
	/// there are more.
	pub fn write(
		self,
		out: &mut dyn Write,
		items: usize,
		[singular, plural]: [&str; 2],
		more: bool,
	) -> io::Result<()> {
		let Self { block, is_final, age } = self;
		let age = age.map(|millis| format!(", {} old", length_of_time(millis / 1_000)));
		let age = age.unwrap_or_default();
		let state = if is_final { "" } else { ", not final" };
		let items = count(items, singular, plural);
		let items = match more {
			false => items,
			true => format!("the first {items}; more with a larger --limit"),
		};
		writeln!(out, "block {block}{age}{state}: {items}")
	}
}

/// Writes lines in columns. The last one is not padded.
fn write_columns<const N: usize>(out: &mut dyn Write, lines: &[[String; N]]) -> io::Result<()> {
	let width = |place: usize| lines.iter().map(|line| line[place].chars().count()).max();
	let widths: [usize; N] = std::array::from_fn(|place| width(place).unwrap_or(0));
	for line in lines {
		let cells = line.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
		let text = cells.collect::<Vec<_>>().join("  ");
		writeln!(out, "{}", text.trim_end())?;
	}
	Ok(())
}

/// Returns the text of a time in milliseconds since the Unix epoch.
pub fn time(millis: u64) -> String {
	utc(millis.saturating_mul(1_000))
}

/// Records, as `fabric record list` and `fabric find` print them.
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

/// The times of a record, in milliseconds since the Unix epoch. The chain stamps them. A key, which
/// anyone can choose, has no say in them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Times {
	/// The time of its creation.
	pub created_at: u64,
	/// The time of its last put.
	pub updated_at: u64,
}

impl Times {
	/// Returns the times of its creation and of its last put in words.
	pub fn text(self) -> [String; 2] {
		[self.created_at, self.updated_at].map(time)
	}
}

impl From<&rows::Record> for Times {
	fn from(row: &rows::Record) -> Self {
		let [created_at, updated_at] =
			[row.created, row.updated].map(|muid| muid.timestamp() / 1_000);
		Self { created_at, updated_at }
	}
}

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
	#[serde(flatten)]
	times: Times,
}

impl From<List<Record>> for Records {
	fn from(list: List<Record>) -> Self {
		let records = list.items.into_iter().map(|record| {
			let Record { tenant, collection, key, object, version, created_at, updated_at } =
				record;
			let (target, times) =
				(ContentRef { object, version }, Times { created_at, updated_at });
			ListedRecord::new(tenant, collection, key, target, times)
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
	pub fn new(
		tenant: TenantId,
		collection: Text,
		key: Text,
		target: ContentRef,
		times: Times,
	) -> Self {
		let uri = record_uri(tenant, &collection, &key);
		let ContentRef { object, version } = target;
		let name = Text(name_of_record(tenant, &key.raw(), object).into_owned().into_bytes());
		Self { tenant, collection, key, name, uri, object, version, times }
	}

	/// Returns the columns: the name is one only if the key does not say it.
	fn line(&self, one_collection: bool) -> [String; 6] {
		let Self { tenant, collection, key, uri, .. } = self;
		let record = match uri {
			_ if one_collection => key.to_string(),
			Some(uri) => uri.clone(),
			None => format!("{tenant} {collection} {key}"),
		};
		let version = self.version.map_or_else(|| "head".into(), |version| version.to_string());
		let name = if self.name == *key { String::new() } else { self.name.to_string() };
		let [created, updated] = self.times.text();
		[record, self.object.to_string(), version, created, updated, name]
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
		let record = |key: &str, version, updated_at| {
			let target = ContentRef { object: ContentObjectId([2; 10]), version };
			let (tenant, collection) = (TenantId([1; 10]), Text("names".into()));
			let times = Times { created_at: 0, updated_at };
			ListedRecord::new(tenant, collection, Text(key.into()), target, times)
		};
		Records {
			seen: Seen { block: 9, is_final: false, age: None },
			records: vec![
				record("serde", None, 0),
				record("\u{1b}[2J", Some(VersionId([3; 32])), 1_000),
				record("g~2b~2b", None, 2_000),
			],
			more: true,
			one_collection,
		}
	}

	#[test]
	fn text_has_keys_or_uris_in_columns_without_control_characters() {
		let (object, version) = (ContentObjectId([2; 10]), VersionId([3; 32]));
		let start = "1970-01-01T00:00:00Z";
		let head = format!("head{:width$}", "", width = version.to_string().len() - 4);
		assert_eq!(
			text_of(&records(true)),
			format!(
				"serde      {object}  {head}  {start}  1970-01-01T00:00:00Z\n\
				 \\u{{1b}}[2J  {object}  {version}  {start}  1970-01-01T00:00:01Z\n\
				 g~2b~2b    {object}  {head}  {start}  1970-01-01T00:00:02Z  g++\n\
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
		assert_eq!(json["records"][1]["created_at"], 0);
		assert_eq!(json["records"][1]["updated_at"], 1_000);
	}
}
