// SPDX-License-Identifier: Apache-2.0
//! The content of tenants, as readers see it.

use content_fabric_client::record_names::name_of;
use content_fabric_identifiers::{
	ContentObjectPath, RecordKeyType, RecordPath, RecordUri, TenantId,
};
use content_fabric_primitives::known_size;
use serde::Serialize;
use utoipa::ToSchema;

use super::millis;
use crate::index::view::{
	CollectionItem, KmsItem, Name, ObjectItem, RecordItem, VersionItem, VersionRefItem,
};

/// A KMS of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Kms {
	/// The id, `ikms…`.
	pub id: String,
	/// The tenant.
	pub tenant: String,
	/// Its locator.
	pub locator: String,
	/// The deposit for its row, in the smallest unit.
	pub deposit: String,
}

impl From<KmsItem> for Kms {
	fn from(KmsItem { tenant, id, row }: KmsItem) -> Self {
		Self {
			id: id.to_string(),
			tenant: tenant.to_string(),
			locator: row.locator.raw().into_owned(),
			deposit: row.deposit.to_string(),
		}
	}
}

/// A content object of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Object {
	/// The id, `iq__…`.
	pub id: String,
	/// The tenant.
	pub tenant: String,
	/// The id with its tenant, `itq_…`.
	pub path: String,
	/// The version that stands for the object.
	pub head: Option<String>,
	/// Number of versions.
	pub version_count: u32,
	/// The deposit for its row, in the smallest unit.
	pub deposit: String,
	/// The muid of its creation.
	pub created: String,
	/// The time of its creation, in milliseconds since the Unix epoch.
	pub created_at: u64,
}

impl From<ObjectItem> for Object {
	fn from(ObjectItem { tenant, id, row }: ObjectItem) -> Self {
		Self {
			id: id.to_string(),
			tenant: tenant.to_string(),
			path: ContentObjectPath { tenant, object: id }.to_string(),
			head: row.head_version.map(|version| version.to_string()),
			version_count: row.version_count,
			deposit: row.deposit.to_string(),
			created: row.created.to_string(),
			created_at: millis(row.created),
		}
	}
}

/// A version of a content object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Version {
	/// The id, `hq__…`.
	pub id: String,
	/// The tenant.
	pub tenant: String,
	/// The content object.
	pub object: String,
	/// The provider whose node took in the data.
	pub provider: String,
	/// The node that took in the data.
	pub node: String,
	/// The KMS that holds the keys of the data.
	pub kms: String,
	/// The muid that the node gave it.
	pub muid: String,
	/// Size of the data in bytes. `null` if it is not known.
	pub size: Option<u64>,
	/// The muid of its commit.
	pub committed: String,
	/// The time of its commit, in milliseconds since the Unix epoch.
	pub committed_at: u64,
	/// The time of its finalization, in milliseconds since the Unix epoch.
	pub finalized_at: Option<u64>,
	/// True if finalizing makes it the head.
	pub set_head_on_finalize: bool,
	/// True if it is the head of the object.
	pub is_head: bool,
	/// The deposit for its row, in the smallest unit.
	pub deposit: String,
}

impl From<VersionItem> for Version {
	fn from(VersionItem { tenant, object, id, row, is_head }: VersionItem) -> Self {
		Self {
			id: id.to_string(),
			tenant: tenant.to_string(),
			object: object.to_string(),
			provider: row.originator.to_string(),
			node: row.node.to_string(),
			kms: row.kms.to_string(),
			muid: row.muid.to_string(),
			size: known_size(id, row.size),
			committed: row.committed.to_string(),
			committed_at: millis(row.committed),
			finalized_at: row.finalized,
			set_head_on_finalize: row.set_head_on_finalize,
			is_head,
			deposit: row.deposit.to_string(),
		}
	}
}

/// A version among those of all tenants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionRef {
	/// The tenant.
	pub tenant: String,
	/// The content object.
	pub object: String,
	/// The version.
	pub version: String,
	/// The time of its commit, in milliseconds since the Unix epoch.
	pub committed_at: u64,
	/// Records that lead to it, at most 10.
	pub names: Vec<RecordName>,
}

/// The collection and the key of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RecordName {
	/// The name of the collection.
	pub collection: String,
	/// The record key.
	pub key: String,
	/// The name: the key without escapes.
	pub name: String,
}

impl From<VersionRefItem> for VersionRef {
	fn from(item: VersionRefItem) -> Self {
		let names = item.names.into_iter().map(|Name { collection, key }| RecordName {
			collection: collection.raw().into_owned(),
			name: name_of(&key.raw()).into_owned(),
			key: key.raw().into_owned(),
		});
		Self {
			tenant: item.tenant.to_string(),
			object: item.object.to_string(),
			version: item.version.to_string(),
			committed_at: millis(item.committed),
			names: names.collect(),
		}
	}
}

/// A collection of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Collection {
	/// The name.
	pub name: String,
	/// The tenant.
	pub tenant: String,
	/// The type of its record keys: `tid`, `nsid`, `any`, or `literal:` and the key.
	pub key_type: String,
	/// The syntax of its record keys: `unreserved` or `path-segment`.
	pub syntax: String,
	/// Number of records.
	pub record_count: u32,
	/// The deposit for its row, in the smallest unit.
	pub deposit: String,
}

impl From<CollectionItem> for Collection {
	fn from(CollectionItem { tenant, name, row }: CollectionItem) -> Self {
		let key_type = match &row.key_type {
			RecordKeyType::Tid => "tid".into(),
			RecordKeyType::Nsid => "nsid".into(),
			RecordKeyType::Literal(key) => format!("literal:{}", key.raw()),
			RecordKeyType::Any => "any".into(),
		};
		Self {
			name: name.raw().into_owned(),
			tenant: tenant.to_string(),
			key_type,
			syntax: row.syntax.to_string(),
			record_count: row.record_count,
			deposit: row.deposit.to_string(),
		}
	}
}

/// A record of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Record {
	/// The tenant.
	pub tenant: String,
	/// The name of the collection.
	pub collection: String,
	/// The record key.
	pub key: String,
	/// The name: the key without escapes.
	pub name: String,
	/// The URI.
	pub uri: String,
	/// The content object that it names.
	pub object: String,
	/// The version that it names. `null` for the head of the object.
	pub version: Option<String>,
	/// The deposit for its row, in the smallest unit.
	pub deposit: String,
	/// The time of its key, if that is a TID, or else of its last put, in milliseconds since the
	/// Unix epoch. `null` if it was put before the history of the index begins.
	pub time: Option<u64>,
	/// The block of its last put, if it is known.
	pub put_in: Option<u64>,
}

impl From<RecordItem> for Record {
	fn from(item: RecordItem) -> Self {
		let (collection, key) = (item.collection.raw(), item.key.raw());
		Self {
			uri: uri(item.tenant, &collection, &key),
			tenant: item.tenant.to_string(),
			object: item.row.target.object.to_string(),
			version: item.row.target.version.map(|version| version.to_string()),
			deposit: item.row.deposit.to_string(),
			time: item.time,
			put_in: item.put_in,
			collection: collection.into_owned(),
			name: name_of(&key).into_owned(),
			key: key.into_owned(),
		}
	}
}

/// Returns the URI of a record.
pub(crate) fn uri(tenant: TenantId, collection: &str, key: &str) -> String {
	let path = format!("{collection}/{key}");
	match RecordPath::parse(&path) {
		Ok(path) => RecordUri::new(tenant, path).to_string(),
		// The chain has no such names today.
		Err(_) => format!("fabric:/{tenant}/{path}"),
	}
}

/// A record with the version that it leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ResolvedRecord {
	/// The record.
	#[serde(flatten)]
	pub record: Record,
	/// The version that it leads to now.
	pub resolved: Option<Version>,
}
