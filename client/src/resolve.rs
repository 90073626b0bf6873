//! `fabric resolve`: follows a record to its content.

use std::io::{self, Write};

use clap::Args;
use content_fabric_identifiers::{ContentObjectId, ContentObjectPath, TenantId, VersionId};
use serde::Serialize;

use crate::{
	chain::{Chain, Snapshot},
	create_collection, ids, member,
	output::Report,
	put_record,
	storage::{self, ContentRef},
	Error,
};

/// The arguments of `fabric resolve`.
#[derive(Debug, Args)]
pub struct Options {
	/// The tenant's id, iten….
	pub tenant: String,
	/// The name of the collection.
	pub collection: String,
	/// The key of the record.
	pub key: String,
}

/// The content that a record leads to.
#[derive(Clone, Debug, Serialize)]
pub struct Resolved {
	/// The number of the block at which it was looked up.
	pub block: u64,
	/// The id of the content object, with its tenant.
	pub object: String,
	/// The version: the one that the record names, or the head of the object, if it has one.
	pub version: Option<String>,
	/// True if the record names the object as a whole, so that the version may change.
	pub head: bool,
	/// True if the content has been deleted.
	pub dangling: bool,
}

impl Report for Resolved {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { object, version, .. } = self;
		match (self.dangling, self.head, version) {
			(true, _, Some(version)) => {
				writeln!(out, "dangling: version {version} of {object} has been deleted")
			},
			(true, _, None) => writeln!(out, "dangling: {object} has been deleted"),
			(false, true, None) => writeln!(out, "{object}, which has no head"),
			(false, true, Some(version)) => writeln!(out, "{object}, head {version}"),
			(false, false, version) => {
				writeln!(out, "{object}, version {}", version.as_deref().unwrap_or("none"))
			},
		}
	}
}

/// Looks a record up.
pub async fn run(options: Options, url: &str) -> Result<Resolved, Error> {
	let Options { tenant, collection, key } = options;
	let id: TenantId = ids::parse(&tenant)?;
	create_collection::name(&collection)?;
	put_record::key(&key)?;
	let chain = Chain::connect(url).await?;
	let at = chain.best().await?;
	let info = member::get(id.into(), &at).await?;
	if info.purge.is_some() {
		return Err(Error::BeingPurged { kind: member::kind(id.into()), id: tenant });
	}
	let row = (id.0, collection.clone().into_bytes(), key.clone().into_bytes());
	let record = at.get(&storage::records(), row).await?;
	let unknown = || Error::UnknownRecord { tenant, collection, key };
	follow(&at, id, record.ok_or_else(unknown)?.target).await
}

/// Follows a target of a tenant.
async fn follow(at: &Snapshot, tenant: TenantId, target: ContentRef) -> Result<Resolved, Error> {
	let object = at.get(&storage::content_objects(), (tenant.0, target.object)).await?;
	let (version, dangling) = match (object, target.version) {
		(None, version) => (version, true),
		(Some(object), None) => (object.head_version, false),
		(Some(_), Some(version)) => {
			let row = (tenant.0, target.object, version);
			(Some(version), at.get(&storage::versions(), row).await?.is_none())
		},
	};
	Ok(Resolved {
		block: at.block_number(),
		object: ContentObjectPath { tenant, object: ContentObjectId(target.object) }.to_string(),
		version: version.map(|version| VersionId(version).to_string()),
		head: target.version.is_none(),
		dangling,
	})
}
