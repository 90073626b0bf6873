// SPDX-License-Identifier: Apache-2.0
//! `fabric resolve`: follows a record to its content.

use std::io::{self, Write};

use clap::Args;
use content_fabric_client::{
	chain::{self, rows, PlaceError, RecordPlace, Snapshot},
	ids,
	record_names::name_of,
	text::printable,
};
use content_fabric_identifiers::{ContentObjectPath, VersionId};
use serde::Serialize;

use super::{listing::Times, Context};
use crate::{
	output::{size_or_none, Report},
	record_argument::{parse_collection, RecordArgument},
	Error,
};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric resolve iten… names serde
  fabric resolve iten… names toml:1.2.1+spec-1.1.0
  fabric resolve iten… names --key toml:1.2.1~2bspec-1.1.0
  fabric resolve fabric:/iten…/names/serde:1.0.228

Fails with exit code 3 if the content of the record was deleted.")]
pub struct Options {
	/// The tenant, iten…, or the URI of the record, fabric:/iten…/COLLECTION/KEY
	#[arg(value_name = "TENANT|URI")]
	tenant: String,
	/// The name of the collection
	#[arg(requires = "RecordArgument")]
	collection: Option<String>,
	/// The record.
	#[command(flatten)]
	record: RecordArgument,
}

/// The content that a record leads to.
#[derive(Serialize)]
pub struct Resolved {
	block: u64,
	key: String,
	/// The key without escapes.
	pub name: String,
	pub object: ContentObjectPath,
	/// The row of the version.
	#[serde(skip)]
	pub row: Option<rows::Version>,
	/// The version: the one that the record names, or the head of the object, if it has one.
	pub version: Option<VersionId>,
	/// The size of the version in bytes, if it is known.
	#[serde(serialize_with = "size_or_none")]
	pub size: Option<u64>,
	/// True if the record names the object as a whole, so that the version may change.
	follows_head: bool,
	#[serde(flatten)]
	times: Times,
}

impl Report for Resolved {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { key, name, object, version, follows_head, times, .. } = self;
		match version {
			None => writeln!(out, "{object}, which has no head")?,
			Some(version) if *follows_head => writeln!(out, "{object}, head {version}")?,
			Some(version) => writeln!(out, "{object}, version {version}")?,
		}
		if key != name {
			writeln!(out, "record {key}, which stands for {}", printable(name))?;
		}
		let [created, updated] = times.text();
		writeln!(out, "created {created}, updated {updated}")
	}
}

/// Reads the parts of the name of a record, or a URI in the place of the tenant.
pub(super) fn named(
	tenant: &str,
	collection: Option<&str>,
	record: RecordArgument,
) -> Result<RecordPlace, Error> {
	record.ensure_in(collection)?;
	match (collection, record.into_key()) {
		(Some(collection), Some(key)) => Ok(RecordPlace {
			tenant: ids::parse(tenant)?,
			collection: parse_collection(collection)?,
			key,
		}),
		_ if tenant.contains(':') => from_uri(tenant),
		_ => Err(Error::Usage(
			"a tenant needs the name of a collection and of a record after it".into(),
		)),
	}
}

fn from_uri(text: &str) -> Result<RecordPlace, Error> {
	text.parse().map_err(|reason: PlaceError| Error::Text {
		text: text.into(),
		what: "the URI of a record of a tenant",
		reason: reason.to_string(),
	})
}

pub async fn run(options: Options, context: &Context) -> Result<Resolved, Error> {
	let Options { tenant, collection, record } = options;
	let place = named(&tenant, collection.as_deref(), record)?;
	let at = context.view().await?;
	resolve(&at, place).await
}

/// Looks a record up, and its content, in the state of a block.
pub(super) async fn resolve(at: &Snapshot, place: RecordPlace) -> Result<Resolved, Error> {
	let chain::Resolved { record, object, version } = at.resolve(&place).await?;
	let size = version.as_ref().and_then(|(id, row)| row.known_size(*id));
	let (version, row) = version.unzip();
	Ok(Resolved {
		block: at.block_number(),
		name: name_of(&place.key).into_owned(),
		key: place.key,
		row,
		object,
		version,
		size,
		follows_head: record.target.version.is_none(),
		times: Times::from(&record),
	})
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::TenantId;

	use super::*;
	use crate::commands::parsed;

	fn name(words: &[&str]) -> Result<RecordPlace, Error> {
		let Options { tenant, collection, record } =
			parsed(words).map_err(|error| Error::Usage(error.to_string()))?;
		named(&tenant, collection.as_deref(), record)
	}

	#[test]
	fn a_record_is_named_by_its_parts_or_by_its_uri() {
		let tenant = TenantId([1; 10]);
		let id = tenant.to_string();
		let parts = name(&[&id, "names", "serde:1.0.0"]).expect("the name is valid");
		assert_eq!((parts.tenant, &*parts.key), (tenant, "serde:1.0.0"));
		for uri in
			[format!("fabric:/{id}/names/serde:1.0.0"), format!("fabric://{id}/names/serde:1.0.0")]
		{
			let named = name(&[&uri]).expect("the URI is valid");
			assert_eq!(named, parts);
		}
		// A URI has the key, as --key does.
		let of_key = name(&[&format!("fabric:/{id}/names/q~2b")]).expect("the URI is valid");
		assert_eq!(name(&[&id, "names", "--key", "q~2b"]).ok(), Some(of_key));
		let of_name = name(&[&id, "names", "q~2b"]).expect("the name is valid");
		assert_eq!(of_name.key, "q~7e2b");
	}

	#[test]
	fn names_that_are_no_record_of_a_tenant_are_refused_with_a_reason() {
		let id = TenantId([1; 10]).to_string();
		for (words, reason) in [
			(&[&id[..]][..], "a tenant needs the name of a collection"),
			(&[&id, "names"], "<NAME|--key <KEY>>"),
			(&["ispc1111111111", "names", "a"], "is the id of a space"),
			(&[&id, "a:b", "a"], "`a:b` is not the name of a collection: "),
			(&[&id, "names", ""], "`` is not the name of a record: a record key must not be empty"),
			(&["fabric:/iten0/names/a"], "is not the URI of a record of a tenant: "),
			(&["at://example.com/app.bsky.feed.post/a"], "example.com is an account of the AT"),
		] {
			let error = name(words).expect_err("the name is invalid").to_string();
			assert!(error.contains(reason), "{words:?}: {error}");
		}
	}
}
