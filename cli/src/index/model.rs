// SPDX-License-Identifier: Apache-2.0
//! The answers of an index, as far as the client uses them. Other fields are ignored.

pub use content_fabric_client::profile::hash::Hash;
use content_fabric_client::{ids, text::Text};
use content_fabric_identifiers::{ContentObjectId, RecordPath, RecordUri, TenantId, VersionId};
use indexmap::IndexMap;
use serde::{de, Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;
use subxt::utils::AccountId32;

/// The final block whose state an answer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct At {
	pub number: u64,
	pub hash: Hash,
	/// Milliseconds since the time of the block.
	pub age: u64,
}

/// An answer of one thing.
#[derive(Deserialize)]
pub(super) struct One<T> {
	pub(super) item: T,
}

/// The state of an index.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
	pub genesis: Hash,
	/// Number of final blocks that the index has not read yet.
	pub behind: u64,
	/// The first block whose events the index has, if it lacks earlier ones.
	pub history_since: Option<u64>,
	/// The last block of the index.
	pub finalized: Option<Point>,
	/// The reason why it does not follow its node.
	pub problem: Option<String>,
	/// Its node.
	pub node: Option<NodeStatus>,
	/// The version of the program.
	pub version: Option<String>,
}

/// A block.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Point {
	pub number: u64,
	pub hash: Hash,
}

/// The node of an index.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct NodeStatus {
	/// True if it answered the last question.
	pub connected: bool,
}

/// A record.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
	pub tenant: TenantId,
	pub collection: Text,
	pub key: Text,
	pub object: ContentObjectId,
	/// The version to which it leads. `None` for the head of the object.
	#[serde(deserialize_with = "version_or_none")]
	pub version: Option<VersionId>,
	/// The time of its creation, in milliseconds since the Unix epoch.
	pub created_at: u64,
	/// The time of its last put, in milliseconds since the Unix epoch.
	pub updated_at: u64,
}

/// A version of a content object.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionRef {
	pub tenant: TenantId,
	pub object: ContentObjectId,
	#[serde(deserialize_with = "version")]
	pub version: VersionId,
	/// The time of the commit, in milliseconds since the Unix epoch.
	pub committed_at: Option<u64>,
	/// The records that lead to it, or the first of them.
	pub names: Vec<Name>,
}

/// The name of a record in a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Name {
	pub collection: Text,
	pub key: Text,
}

/// An event of the fabric.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all(deserialize = "camelCase"))]
pub struct Event {
	pub block: u64,
	pub block_hash: Hash,
	/// The time of the block, in milliseconds since the Unix epoch.
	pub time: u64,
	/// The place of the event among all events of the block.
	#[serde(rename(serialize = "event_index"))]
	pub index: u32,
	/// The place of the transaction that deposited it. `None` for events of hooks.
	#[serde(rename(serialize = "extrinsic_index"))]
	pub extrinsic: Option<u32>,
	/// The hash of that transaction.
	pub extrinsic_hash: Option<Hash>,
	/// The account that signed that transaction.
	#[serde(deserialize_with = "ids::deserialize_account_or_none")]
	pub signer: Option<AccountId32>,
	/// The detours that the call took, such as a council.
	pub via: Vec<String>,
	pub name: String,
	/// The fields in their order.
	pub fields: IndexMap<String, Json>,
}

/// Returns the URI of a record, if the name of the collection and the key have the forms that a URI
/// needs.
pub(crate) fn record_uri(tenant: TenantId, collection: &Text, key: &Text) -> Option<String> {
	let path = format!("{}/{}", collection.raw(), key.raw());
	RecordPath::parse(&path).ok().map(|path| RecordUri::new(tenant, path).to_string())
}

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<VersionId, D::Error> {
	let text = String::deserialize(deserializer)?;
	ids::parse_version(&text).map_err(de::Error::custom)
}

fn version_or_none<'de, D: Deserializer<'de>>(
	deserializer: D,
) -> Result<Option<VersionId>, D::Error> {
	let text = Option::<String>::deserialize(deserializer)?;
	text.map(|text| ids::parse_version(&text)).transpose().map_err(de::Error::custom)
}
