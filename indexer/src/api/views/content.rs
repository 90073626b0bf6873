// SPDX-License-Identifier: Apache-2.0
//! The content of tenants, as readers see it.

use content_fabric_client::{chain::rows, record_names::name_of_record};
use content_fabric_identifiers::{Cid, ContentObjectId, ContentObjectPath, TenantId};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
	millis,
	words::{CopyState, HashKind},
};
use crate::index::view::{
	CollectionItem, CopyItem, Item, KmsItem, Name, ObjectItem, RecordItem, VersionItem,
	VersionRefItem,
};

answers! {
	/// A KMS of a tenant.
	Kms of KmsItem = Item { member, id, row } => {
		/// The id, `ikms…`.
		id: String = id.to_string(),
		/// The tenant.
		tenant: String = member.to_string(),
		/// The account that acts for it.
		operator: String = row.operator.to_string(),
		/// Its locator.
		locator: String = row.locator.raw().into_owned(),
		/// The key for which clients encrypt: an age recipient, `age1…`.
		key: String = row.key.to_string(),
		/// The deposit for its row, in the smallest unit.
		deposit: String = row.deposit.to_string(),
	}

	/// A content object of a tenant.
	ContentObject of ObjectItem = Item { member, id, row } => {
		/// The id, `iq__…`.
		id: String = id.to_string(),
		/// The tenant.
		tenant: String = member.to_string(),
		/// The id with its tenant, `itq_…`.
		path: String = ContentObjectPath { tenant: member, object: id }.to_string(),
		/// The version that stands for the object.
		head: Option<String> = row.head_version.map(|version| version.to_string()),
		/// Number of versions.
		version_count: u32 = row.version_count,
		/// The deposit for its row, in the smallest unit.
		deposit: String = row.deposit.to_string(),
		/// The muid of its creation.
		created: String = row.created.to_string(),
		/// The time of its creation, in milliseconds since the Unix epoch.
		created_at: u64 = millis(row.created),
	}

	/// A version of a content object.
	Version of VersionItem = VersionItem { tenant, object, id, row, is_head, copies } => {
		/// The id, `hq__…`.
		id: String = id.to_string(),
		/// The kind of hash that the id is: `blake3` or `sha256`.
		#[schema(value_type = HashKind)]
		hash: &'static str = row.hash.as_str(),
		/// The CID of the data.
		cid: String = Cid { hash: row.hash, version: id }.to_string(),
		/// The tenant.
		tenant: String = tenant.to_string(),
		/// The content object.
		object: String = object.to_string(),
		/// True if it is final, and no node holds its data any more.
		is_lost: bool = row.finalized.is_some() && !copies.iter().any(holds),
		/// The nodes that hold the data, or were asked to.
		copies: Vec<VersionCopy> = copies.into_iter().map(VersionCopy::from).collect(),
		/// The KMS for which the data is encrypted, as an age file. `null` if the data is plain.
		kms: Option<String> = row.kms.map(|kms| kms.to_string()),
		/// The muid that the node gave it.
		muid: String = row.muid.to_string(),
		/// Size of the data in bytes, as digits. `null` if it is not known.
		size: Option<String> = row.known_size(id).map(|size| size.to_string()),
		/// The muid of its commit.
		committed: String = row.committed.to_string(),
		/// The time of its commit, in milliseconds since the Unix epoch.
		committed_at: u64 = millis(row.committed),
		/// The time of its finalization, in milliseconds since the Unix epoch.
		finalized_at: Option<u64> = row.finalized,
		/// True if finalizing makes it the head.
		set_head_on_finalize: bool = row.set_head_on_finalize,
		/// True if it is the head of the object.
		is_head: bool = is_head,
		/// The deposit for its row, in the smallest unit.
		deposit: String = row.deposit.to_string(),
	}

	/// A copy of a version.
	VersionCopy of CopyItem = CopyItem { copy, is_present } => {
		/// The provider of the node.
		provider: String = copy.provider.to_string(),
		/// The node.
		node: String = copy.node.to_string(),
		/// The medallion of the node: the eleven hex digits that its muids have.
		medallion: String = copy.medallion.to_string(),
		/// `held`, if the node holds the data; `asked`, if it was asked to; `gone`, if the node was
		/// removed, or its provider is being purged.
		#[schema(value_type = CopyState)]
		state: &'static str = state(copy, is_present),
		/// The time from which the node holds the data, in milliseconds since the Unix epoch.
		held_at: Option<u64> = copy.held,
	}

	/// A version in a list over all tenants.
	VersionRef of VersionRefItem = item => {
		/// The tenant.
		tenant: String = item.tenant.to_string(),
		/// The content object.
		object: String = item.object.to_string(),
		/// The version.
		version: String = item.version.to_string(),
		/// The time of its commit, in milliseconds since the Unix epoch.
		committed_at: u64 = millis(item.committed),
		/// Records that lead to it, at most 10.
		names: Vec<RecordName> =
			item.names.into_iter().map(|name| (item.tenant, item.object, name).into()).collect(),
	}

	/// The collection and the key of a record.
	RecordName of (TenantId, ContentObjectId, Name) = (tenant, object, Name { collection, key }) => {
		/// The name of the collection.
		collection: String = collection.raw().into_owned(),
		/// The record key.
		key: String = key.raw().into_owned(),
		/// The name: the key without escapes.
		name: String = name_of_record(tenant, &key.raw(), object).into_owned(),
	}

	/// A collection of a tenant.
	Collection of CollectionItem = Item { member, id, row } => {
		/// The name.
		name: String = id.raw().into_owned(),
		/// The tenant.
		tenant: String = member.to_string(),
		/// The type of its record keys: `tid`, `nsid`, `any`, or `literal:` and the key.
		key_type: String = row.key_type.as_ref().map(|key| key.raw()).to_string(),
		/// The syntax of its record keys: `unreserved` or `path-segment`.
		syntax: String = row.syntax.to_string(),
		/// Number of records.
		record_count: u32 = row.record_count,
		/// The deposit for its row, in the smallest unit.
		deposit: String = row.deposit.to_string(),
	}

	/// A record of a collection.
	Record of RecordItem = record => {
		/// The tenant.
		tenant: String = record.tenant.to_string(),
		/// The name of the collection.
		collection: String = record.collection.raw().into_owned(),
		/// The record key.
		key: String = record.key.raw().into_owned(),
		/// The name: the key without escapes.
		name: String = record.name(),
		/// The URI.
		uri: String = record.uri(),
		/// The content object that it names.
		object: String = record.row.target.object.to_string(),
		/// The version that it names. `null` for the head of the object.
		version: Option<String> = record.row.target.version.map(|version| version.to_string()),
		/// The deposit for its row, in the smallest unit.
		deposit: String = record.row.deposit.to_string(),
		/// The muid of its creation.
		created: String = record.row.created.to_string(),
		/// The time of its creation, in milliseconds since the Unix epoch.
		created_at: u64 = millis(record.row.created),
		/// The muid of its last put.
		updated: String = record.row.updated.to_string(),
		/// The time of its last put, in milliseconds since the Unix epoch.
		updated_at: u64 = millis(record.row.updated),
		/// The block of its last put. `null` if the history of the index does not have it.
		put_in: Option<u64> = record.put_in,
	}
}

/// A record with the version that it leads to.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ResolvedRecord {
	/// The record.
	#[serde(flatten)]
	pub record: Record,
	/// The version that it leads to now.
	pub resolved: Option<Version>,
}

/// Returns the state of a copy in a word.
pub(super) const fn state(copy: rows::Copy, is_present: bool) -> &'static str {
	match (is_present, copy.held) {
		(true, Some(_)) => "held",
		(true, None) => "asked",
		(false, _) => "gone",
	}
}

/// Returns whether the node of a copy holds the data.
fn holds(item: &CopyItem) -> bool {
	item.is_present && item.copy.held.is_some()
}
