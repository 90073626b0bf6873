//! `fabric put-record`: names content by a record, or points a record to other content.

use std::io::{self, Write};

use clap::Args;
use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, RecordKey, RecordKeySyntax, TenantId, VersionId,
};
use scale_decode::DecodeAsType;
use serde::Serialize;

use crate::{
	calls,
	chain::{fabric_events, Account, Chain, Events},
	create_collection, ids,
	output::Report,
	storage::ContentRef,
	text_limits::TextLimit,
	Error,
};

/// The arguments of `fabric put-record`.
#[derive(Debug, Args)]
pub struct Options {
	/// The tenant's id, iten….
	pub tenant: String,
	/// The name of the collection.
	pub collection: String,
	/// The key of the record. Without one the chain mints a TID, in a collection of TIDs.
	pub key: Option<String>,
	/// The content object that the record names, iq__… or itq_….
	#[arg(long, value_name = "ID")]
	pub object: String,
	/// The version of the object that the record names, hq__…. Without one the record names the
	/// head, whichever that is.
	#[arg(long, value_name = "ID")]
	pub version: Option<String>,
	/// The key of an account with the level content or above in the tenant, which signs: a secret
	/// phrase, or a derivation such as //Alice.
	#[arg(long, value_name = "KEY")]
	pub signer: String,
}

/// A record that was put.
#[derive(Clone, Debug, Serialize)]
pub struct Put {
	/// The tenant's id.
	pub tenant: String,
	/// The name of the collection.
	pub collection: String,
	/// The key of the record.
	pub key: String,
	/// The id of the content object, with its tenant.
	pub object: String,
	/// The version, or none for the head.
	pub version: Option<String>,
}

impl Report for Put {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let version = self.version.as_ref().map_or("the head".into(), |id| format!("version {id}"));
		writeln!(
			out,
			"record {} of {} in {} leads to {version} of {}",
			self.key, self.collection, self.tenant, self.object
		)
	}
}

/// The event `RecordPut`, as far as it is of use here.
#[derive(Clone, Debug, DecodeAsType)]
pub struct RecordPut {
	/// The name of the collection.
	pub collection: Vec<u8>,
	/// The key of the record.
	pub key: Vec<u8>,
}

/// Returns the key of the record that a transaction has put last in a collection.
pub fn put_key(events: &Events, collection: &str) -> Result<String, Error> {
	let puts: Vec<RecordPut> = fabric_events(events, "RecordPut")?;
	let put = puts.into_iter().rev().find(|put| put.collection == collection.as_bytes());
	let missing = Error::Event { call: "ContentFabric.put_records", event: "RecordPut" };
	put.map(|put| String::from_utf8_lossy(&put.key).into_owned()).ok_or(missing)
}

/// Reads a record key.
pub fn key(text: &str) -> Result<&str, Error> {
	let key = RecordKey::parse(text, RecordKeySyntax::PathSegment);
	key.map(|key| key.as_str()).map_err(|reason| Error::Text {
		text: text.into(),
		what: "a record key",
		reason: reason.to_string(),
	})
}

/// Reads the id of an object of a tenant: alone, or with the tenant's own.
fn object(text: &str, tenant: TenantId) -> Result<ContentObjectId, Error> {
	if !text.starts_with(ContentObjectPath::PREFIX) {
		return ids::parse(text);
	}
	let path: ContentObjectPath = ids::parse(text)?;
	if path.tenant != tenant {
		return Err(Error::OtherTenant { object: text.into(), tenant: tenant.to_string() });
	}
	Ok(path.object)
}

/// Puts the record.
pub async fn run(options: Options, url: &str) -> Result<Put, Error> {
	let tenant: TenantId = ids::parse(&options.tenant)?;
	let collection = create_collection::name(&options.collection)?;
	let key = options.key.as_deref().map(self::key).transpose()?;
	let object = self::object(&options.object, tenant)?;
	let version: Option<VersionId> = options.version.as_deref().map(ids::parse).transpose()?;
	let signer: Account = options.signer.parse()?;
	let chain = Chain::connect(url).await?;
	let at = chain.best().await?;
	TextLimit::CollectionName.ensure(&at, "COLLECTION", collection)?;
	if let Some(key) = key {
		TextLimit::RecordKey.ensure(&at, "KEY", key)?;
	}
	let target = ContentRef { object: object.0, version: version.map(|version| version.0) };
	let call = calls::put_records(tenant, collection, [(key, target)]);
	let events = chain.submit(&signer, call).await?;
	Ok(Put {
		tenant: tenant.to_string(),
		collection: collection.to_owned(),
		key: put_key(&events, collection)?,
		object: ContentObjectPath { tenant, object }.to_string(),
		version: version.map(|version| version.to_string()),
	})
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn objects_are_named_alone_or_with_their_own_tenant() {
		let (tenant, other) = (TenantId([1; 10]), TenantId([2; 10]));
		let id = ContentObjectId([3; 10]);
		let path = ContentObjectPath { tenant, object: id }.to_string();
		assert_eq!(object(&id.to_string(), tenant).ok(), Some(id));
		assert_eq!(object(&path, tenant).ok(), Some(id));
		assert!(matches!(object(&path, other), Err(Error::OtherTenant { .. })));
		assert!(matches!(object("iten1111111111", tenant), Err(Error::WrongKind { .. })));
	}
}
