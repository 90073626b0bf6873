// SPDX-License-Identifier: Apache-2.0
//! `fabric resolve`: follows a record to its content.

use std::{
	io::{self, Write},
	slice,
};

use clap::Args;
use content_fabric_client::{
	chain::{self, rows, PlaceError, RecordPlace, Snapshot},
	ids,
	record_names::{name_of_record, Nearest},
	text::{printable, Text},
};
use content_fabric_identifiers::{ContentObjectPath, TenantId, VersionId};
use serde::Serialize;

use super::{listing::Times, Context};
use crate::{
	index,
	output::{size_or_none, warn, Report},
	record_argument::{parse_collection, syntax_of, NamedRecord, RecordArgument, RecordText},
	Error,
};

/// Number of records of a collection that are read from the chain to find the nearest names.
const MAX_READ: usize = 2_000;
/// Number of records that an index is asked for, by the start of a name and by each of its words.
const MAX_ASKED: u32 = 100;
/// Number of collections that are listed if no collection has the name.
const MAX_LISTED: usize = 20;
/// Number of words of a name for which an index is asked.
const MAX_WORDS: usize = 3;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric resolve iten… names serde
  fabric resolve iten… names css/main.css
  fabric resolve iten… names toml:1.2.1+spec-1.1.0
  fabric resolve iten… names --key toml:1.2.1~2bspec-1.1.0
  fabric resolve iten… people did:plc:z72i7hdynmk6r22z27h6tvur
  fabric resolve fabric:/iten…/names/serde:1.0.228

If there is no such record, the error has the nearest names, from at most 2,000 records of the
collection. If the collection is larger, an index is also asked, if one is named.

Fails with exit code 3 if there is no such record, or if its content was deleted.")]
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
	pub key: String,
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

/// A record as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
	tenant: TenantId,
	collection: String,
	record: RecordText,
}

/// Reads the parts of the name of a record, or a URI in the place of the tenant.
pub(super) fn named(
	tenant: &str,
	collection: Option<&str>,
	record: RecordArgument,
) -> Result<Named, Error> {
	record.ensure_in(collection)?;
	match (collection, record.into_text()) {
		(Some(collection), Some(record)) => Ok(Named {
			tenant: ids::parse(tenant)?,
			collection: parse_collection(collection)?,
			record,
		}),
		_ if tenant.contains(':') => from_uri(tenant),
		_ => Err(Error::Usage(
			"a tenant needs the name of a collection and of a record after it".into(),
		)),
	}
}

fn from_uri(text: &str) -> Result<Named, Error> {
	let place = text.parse::<RecordPlace>().map_err(|reason: PlaceError| Error::Text {
		text: text.into(),
		what: "the URI of a record of a tenant",
		reason: reason.to_string(),
	});
	let RecordPlace { tenant, collection, key } = place?;
	Ok(Named { tenant, collection, record: RecordText::Key(key) })
}

pub async fn run(options: Options, context: &Context) -> Result<Resolved, Error> {
	let Options { tenant, collection, record } = options;
	let named = named(&tenant, collection.as_deref(), record)?;
	let at = context.view().await?;
	resolve(&at, named, context).await
}

/// Looks a record up, and its content, in the state of a block. If there is none of this name, the
/// error has the nearest names.
pub(super) async fn resolve(
	at: &Snapshot,
	named: Named,
	context: &Context,
) -> Result<Resolved, Error> {
	let Named { tenant, collection, record: text } = named;
	let is_key = matches!(text, RecordText::Key(_));
	let syntax = syntax_of(at, tenant, &collection, slice::from_ref(&text)).await?;
	let NamedRecord { key, name } = text.found(at, tenant, &collection, syntax).await?;
	let place = RecordPlace { tenant, collection, key };
	// The name as the user has written it.
	let shown = |place: RecordPlace| match is_key {
		true => place,
		false => RecordPlace { key: printable(&name), ..place },
	};
	let chain::Resolved { record, object, version } = match at.resolve(&place).await {
		Err(chain::Error::NoRecord(place)) => {
			let (error, hint) = match at.collection(tenant, &place.collection).await {
				Err(error @ chain::Error::Unknown { .. }) => {
					(error, collections(at, tenant).await?)
				},
				Err(error) => return Err(error.into()),
				Ok(_) => {
					let names = nearest(at, &place, &name, context).await;
					(chain::Error::NoRecord(shown(place)), near_names(&names))
				},
			};
			let error = Error::from(error);
			return Err(match hint {
				Some(hint) => error.with_hint(hint),
				None => error,
			});
		},
		Err(chain::Error::Dangling { place, target }) => {
			return Err(chain::Error::Dangling { place: shown(place), target }.into());
		},
		resolved => resolved?,
	};
	let size = version.as_ref().and_then(|(id, row)| row.known_size(*id));
	let (version, row) = version.unzip();
	let name = match is_key {
		true => name_of_record(tenant, &place.key, object.object).into_owned(),
		false => name,
	};
	Ok(Resolved {
		block: at.block_number(),
		name,
		key: place.key,
		row,
		object,
		version,
		size,
		follows_head: record.target.version.is_none(),
		times: Times::from(&record),
	})
}

/// Returns a hint with the collections of a tenant.
async fn collections(at: &Snapshot, tenant: TenantId) -> Result<Option<String>, Error> {
	let rows = at.first_rows(rows::collections(), (tenant,), MAX_LISTED).await?;
	let names: Vec<_> = rows.iter().map(|((_, name), _)| name.to_string()).collect();
	let more = if names.len() == MAX_LISTED { ", …" } else { "" };
	Ok(Some(match &names[..] {
		[] => "it has no collections".into(),
		names => format!("its collections are {}{more}", names.join(", ")),
	}))
}

/// Returns a hint with the nearest names, in quotation marks, if there are any.
pub(super) fn near_names(names: &[String]) -> Option<String> {
	match names {
		[] => None,
		[name] => Some(format!("the nearest name is {name}")),
		names => Some(format!("the nearest names are {}", names.join(", "))),
	}
}

/// Returns the nearest names in a collection, quoted. Warns if they cannot be read.
async fn nearest(at: &Snapshot, place: &RecordPlace, name: &str, context: &Context) -> Vec<String> {
	let mut nearest = Nearest::new(name);
	if let Err(error) = offer_all(&mut nearest, at, place, name, context).await {
		warn(&format!("warning: it is not known which names are near: {error}"));
	}
	nearest.names().iter().map(|name| format!("`{}`", printable(name))).collect()
}

/// Offers the names of a collection, or of a large one some, and those that an index knows.
async fn offer_all(
	nearest: &mut Nearest,
	at: &Snapshot,
	place: &RecordPlace,
	name: &str,
	context: &Context,
) -> Result<(), Error> {
	let RecordPlace { tenant, collection, .. } = place;
	let prefix = (*tenant, Text(collection.clone().into()));
	let rows = at.first_rows(rows::records(), prefix, MAX_READ).await?;
	for ((_, _, key), row) in &rows {
		nearest.offer(&name_of_record(*tenant, &key.raw(), row.target.object));
	}
	match rows.len() == MAX_READ && context.names_index() {
		true => ask_index(nearest, place, name, context).await,
		false => Ok(()),
	}
}

/// Offers the names that an index knows by the first half of a name, or by one of its words.
async fn ask_index(
	nearest: &mut Nearest,
	RecordPlace { tenant, collection, .. }: &RecordPlace,
	name: &str,
	context: &Context,
) -> Result<(), Error> {
	let index = context.index("fabric resolve").await?;
	let half: String = name.chars().take(name.chars().count().div_ceil(2)).collect();
	let mut words: Vec<_> = name.split(|mark: char| !mark.is_alphanumeric()).collect();
	words.sort_by_key(|word| std::cmp::Reverse(word.len()));
	let words = words.into_iter().filter(|word| !word.is_empty()).take(MAX_WORDS);
	let tenant_id = tenant.to_string();
	for (by, text) in [("prefix", &*half)].into_iter().chain(words.map(|word| ("words", word))) {
		let query = [(by, text), ("tenant", &tenant_id)];
		let list = index.list::<index::Record>(&["names"], &query, MAX_ASKED).await?;
		let in_collection = |record: &&index::Record| {
			(record.tenant, &*record.collection.raw()) == (*tenant, &**collection)
		};
		for record in list.items.iter().filter(in_collection) {
			nearest.offer(&name_of_record(*tenant, &record.key.raw(), record.object));
		}
	}
	Ok(())
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::ContentObjectId;

	use super::*;
	use crate::{
		commands::parsed,
		index::server::{page, status, Server},
	};

	fn name(words: &[&str]) -> Result<Named, Error> {
		let Options { tenant, collection, record } =
			parsed(words).map_err(|error| Error::Usage(error.to_string()))?;
		named(&tenant, collection.as_deref(), record)
	}

	#[test]
	fn a_record_is_named_by_its_parts_or_by_its_uri() {
		let tenant = TenantId([1; 10]);
		let id = tenant.to_string();
		let parts = name(&[&id, "names", "serde:1.0.0"]).expect("the name is valid");
		let record = RecordText::Name("serde:1.0.0".into());
		assert_eq!(parts, Named { tenant, collection: "names".into(), record });
		for uri in
			[format!("fabric:/{id}/names/serde:1.0.0"), format!("fabric://{id}/names/serde:1.0.0")]
		{
			let named = name(&[&uri]).expect("the URI is valid");
			let record = RecordText::Key("serde:1.0.0".into());
			assert_eq!(named, Named { record, ..parts.clone() });
		}
		// A URI has the key, as --key does.
		let of_key = name(&[&format!("fabric:/{id}/names/q~2b")]).expect("the URI is valid");
		assert_eq!(name(&[&id, "names", "--key", "q~2b"]).ok(), Some(of_key));
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

	#[tokio::test]
	async fn an_index_offers_names_of_the_collection_by_their_start_and_their_words() {
		let tenant = TenantId([1; 10]);
		let record = |collection: &str, key: &str| {
			let object = ContentObjectId([2; 10]);
			format!(
				r#"{{"tenant":"{tenant}","collection":"{collection}","key":"{key}",
				    "object":"{object}","version":null,"createdAt":1000,"updatedAt":2000}}"#
			)
		};
		let by_start = [record("names", "q~2bstable"), record("others", "q~2bstable2")];
		let by_word = [record("names", "next:q~2bstable2")];
		let answers =
			vec![status(), page(9, &by_start, None), page(9, &by_word, None), page(9, &[], None)];
		let server = Server::start(answers);
		let context = Context::with_index(Some(&server));
		let place = RecordPlace { tenant, collection: "names".into(), key: "q~2bstable2".into() };
		let mut nearest = Nearest::new("q+stable2");
		ask_index(&mut nearest, &place, "q+stable2", &context).await.expect("the index answers");
		assert_eq!(nearest.names(), ["q+stable", "next:q+stable2"]);
		let asked = ["prefix=q%2Bsta", "words=stable2", "words=q"];
		let asked = asked.map(|text| format!("/v1/names?{text}&tenant={tenant}&limit=100"));
		assert_eq!(server.targets()[1..], asked);
	}
}
