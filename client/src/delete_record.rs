//! `fabric delete-record`: deletes a record. Its content stays.

use std::io::{self, Write};

use clap::Args;
use content_fabric_identifiers::TenantId;
use serde::Serialize;

use crate::{
	calls,
	chain::{Account, Chain},
	create_collection, ids,
	output::Report,
	put_record,
	text_limits::TextLimit,
	Error,
};

/// The arguments of `fabric delete-record`.
#[derive(Debug, Args)]
pub struct Options {
	/// The tenant's id, iten….
	pub tenant: String,
	/// The name of the collection.
	pub collection: String,
	/// The key of the record.
	pub key: String,
	/// The key of an account with the level content or above in the tenant, which signs: a secret
	/// phrase, or a derivation such as //Alice.
	#[arg(long, value_name = "KEY")]
	pub signer: String,
}

/// A record that was deleted.
#[derive(Clone, Debug, Serialize)]
pub struct Deleted {
	/// The tenant's id.
	pub tenant: String,
	/// The name of the collection.
	pub collection: String,
	/// The key that the record had.
	pub key: String,
}

impl Report for Deleted {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { tenant, collection, key } = self;
		writeln!(out, "deleted the record {key} of {collection} in {tenant}")
	}
}

/// Deletes the record.
pub async fn run(options: Options, url: &str) -> Result<Deleted, Error> {
	let Options { tenant, collection, key, signer } = options;
	let id: TenantId = ids::parse(&tenant)?;
	create_collection::name(&collection)?;
	put_record::key(&key)?;
	let signer: Account = signer.parse()?;
	let chain = Chain::connect(url).await?;
	let at = chain.best().await?;
	TextLimit::CollectionName.ensure(&at, "COLLECTION", &collection)?;
	TextLimit::RecordKey.ensure(&at, "KEY", &key)?;
	chain.submit(&signer, calls::delete_records(id, &collection, [key.as_str()])).await?;
	Ok(Deleted { tenant, collection, key })
}
