// SPDX-License-Identifier: Apache-2.0
//! `fabric who`: the versions that have a hash, with their names.

use std::io::{self, Write};

use clap::Args;
use content_fabric_client::{chain, ids::VersionArgument, text::Text};
use content_fabric_identifiers::{ContentObjectId, ContentObjectPath, TenantId, VersionId};
use serde::Serialize;

use super::{
	listing::{time, Limit, Seen},
	Context,
};
use crate::{
	index::{record_uri, List, Name, VersionRef},
	output::Report,
	Error,
};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric who hq__… --index https://index.example.com
  fabric who $(sha256sum serde-1.0.228.crate | cut -d ' ' -f 1)

The index names at most 10 records of each version. Fails with exit code 3 if no tenant has the
version.")]
pub struct Options {
	/// The version: hq__…, its hash in hex, or its CID
	#[arg(value_name = "HASH")]
	version: VersionArgument,
	#[command(flatten)]
	limit: Limit,
}

/// The content objects that have a version.
#[derive(Debug, Serialize)]
pub struct Holders {
	#[serde(flatten)]
	seen: Seen,
	version: VersionId,
	objects: Vec<Holder>,
	more: bool,
}

/// A content object that has a version.
#[derive(Debug, Serialize)]
struct Holder {
	id: ContentObjectPath,
	tenant: TenantId,
	object: ContentObjectId,
	/// The time of the commit, in milliseconds since the Unix epoch.
	committed_at: Option<u64>,
	names: Vec<HolderName>,
}

/// A record that leads to a version.
#[derive(Debug, Serialize)]
struct HolderName {
	collection: Text,
	key: Text,
	uri: Option<String>,
}

impl From<VersionRef> for Holder {
	fn from(found: VersionRef) -> Self {
		let VersionRef { tenant, object, committed_at, names, .. } = found;
		let names = names.into_iter().map(|Name { collection, key }| HolderName {
			uri: record_uri(tenant, &collection, &key),
			collection,
			key,
		});
		let names = names.collect();
		Self { id: ContentObjectPath { tenant, object }, tenant, object, committed_at, names }
	}
}

impl Report for Holders {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for Holder { id, tenant, object, committed_at, names } in &self.objects {
			writeln!(out, "content object {id}, tenant {tenant}, object {object}")?;
			if committed_at.is_some() {
				writeln!(out, "  committed {}", committed_at.map(time).unwrap_or_default())?;
			}
			for HolderName { collection, key, uri } in names {
				match uri {
					Some(uri) => writeln!(out, "  record {uri}")?,
					None => writeln!(out, "  record {key} of {collection}")?,
				}
			}
		}
		self.seen.write(out, self.objects.len(), ["content object", "content objects"], self.more)
	}
}

pub async fn run(options: Options, context: &Context) -> Result<Holders, Error> {
	let Options { version: named, limit } = options;
	let index = context.index("fabric who").await?;
	// The index compares the kind of hash that a CID says.
	let (id, version) = (named.to_string(), named.version);
	let List { at, items, more } =
		index.list::<VersionRef>(&["versions", &id], &[], limit.limit).await?;
	if items.is_empty() {
		return Err(chain::Error::unknown("version", id).into());
	}
	if items.iter().any(|found| found.version != version) {
		return Err(index.unasked("a version").into());
	}
	let objects = items.into_iter().map(Holder::from).collect();
	Ok(Holders { seen: at.into(), version, objects, more })
}

#[cfg(test)]
mod tests {
	use content_fabric_client::class::Class;

	use super::*;
	use crate::{
		index::server::{page, status, Server},
		output::text_of,
	};

	const VERSION: VersionId = VersionId([3; 32]);

	async fn who(items: &[String]) -> Result<Holders, Error> {
		let server = Server::start(vec![status(), page(9, items, None)]);
		let context = Context::with_index(Some(&server));
		run(Options { version: VERSION.into(), limit: Limit { limit: 50 } }, &context).await
	}

	fn item(version: VersionId) -> String {
		let (tenant, object) = (TenantId([1; 10]), ContentObjectId([2; 10]));
		format!(
			r#"{{"tenant":"{tenant}","object":"{object}","version":"{version}","committedAt":0,
			    "names":[{{"collection":"names","key":"serde"}},{{"collection":"c","key":"\u009b"}}]}}"#
		)
	}

	#[tokio::test]
	async fn objects_are_named_with_their_records() {
		let holders = who(&[item(VERSION)]).await.expect("the index answers");
		let (tenant, object) = (TenantId([1; 10]), ContentObjectId([2; 10]));
		let path = ContentObjectPath { tenant, object };
		assert_eq!(
			text_of(&holders),
			format!(
				"content object {path}, tenant {tenant}, object {object}\n  committed \
				 1970-01-01T00:00:00Z\n  record fabric:/{tenant}/names/serde\n  record \\u{{9b}} of c\n\
				 block 9, 90 seconds old: 1 content object\n"
			)
		);
	}

	#[tokio::test]
	async fn unknown_versions_are_not_found_and_others_are_refused() {
		let error = who(&[]).await.expect_err("nobody has it");
		assert_eq!(error.class(), Class::NotFound);
		let error = who(&[item(VersionId([4; 32]))]).await.expect_err("it is another one");
		assert_eq!(error.class(), Class::Connection);
	}
}
