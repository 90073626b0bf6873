// SPDX-License-Identifier: Apache-2.0
//! Follows records to their content.

use std::str::FromStr;

use content_fabric_identifiers::{ContentObjectPath, RecordUri, TenantId, VersionId};
use content_fabric_primitives::ContentRef;

use super::{rows, Chain, Error, Snapshot};
use crate::text::Text;

/// The place of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPlace {
	/// The tenant.
	pub tenant: TenantId,
	/// The name of the collection.
	pub collection: String,
	/// The record key.
	pub key: String,
}

/// The reason why a text is not the URI of a record of a tenant.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct PlaceError(String);

/// Reads a URI, `fabric:/iten…/COLLECTION/KEY`.
impl FromStr for RecordPlace {
	type Err = PlaceError;

	fn from_str(text: &str) -> Result<Self, PlaceError> {
		let uri = RecordUri::parse(text).map_err(|error| PlaceError(error.to_string()))?;
		let foreign = || {
			let authority = uri.authority();
			PlaceError(format!(
				"{authority} is an account of the AT Protocol; expected fabric:/iten…"
			))
		};
		let path = uri.path();
		Ok(Self {
			tenant: uri.tenant().ok_or_else(foreign)?,
			collection: path.collection().as_str().to_owned(),
			key: path.key().as_str().to_owned(),
		})
	}
}

/// A record, and the content that it leads to.
#[derive(Clone, Debug)]
pub struct Resolved {
	/// The row of the record.
	pub record: rows::Record,
	/// The content object.
	pub object: ContentObjectPath,
	/// The version that the record names, or the head of the object. `None` if it has no head.
	pub version: Option<(VersionId, rows::Version)>,
}

impl Chain {
	/// Looks a record up at the last final block, as [`Snapshot::resolve`] does.
	pub async fn resolve(&self, place: &RecordPlace) -> Result<Resolved, Error> {
		self.finalized().await?.resolve(place).await
	}
}

impl Snapshot {
	/// Looks a record up, and its content.
	///
	/// Fails with [`Error::NoRecord`] if there is no such record, with [`Error::Dangling`] if its
	/// content was deleted, and with [`Error::BeingPurged`] if the tenant is being purged.
	pub async fn resolve(&self, place: &RecordPlace) -> Result<Resolved, Error> {
		let tenant = place.tenant;
		self.ensure_whole(tenant).await?;
		let [collection, key] =
			[&place.collection, &place.key].map(|text| Text(text.clone().into()));
		let record = self.get(rows::records(), (tenant, collection, key)).await?;
		let record = record.ok_or_else(|| Error::NoRecord(place.clone()))?;
		let dangling = |target| Error::Dangling { place: place.clone(), target };
		let ContentRef { object, version } = record.target;
		let path = ContentObjectPath { tenant, object };
		let info = self.get(rows::content_objects(), (tenant, object)).await?;
		let head = info.ok_or_else(|| dangling(path.to_string()))?.head_version;
		let mut resolved = Resolved { record, object: path, version: None };
		if let Some(id) = version.or(head) {
			let row = self.get(rows::versions(), (tenant, object, id)).await?;
			let row = row.ok_or_else(|| dangling(format!("the version {id} of {path}")))?;
			resolved.version = Some((id, row));
		}
		Ok(resolved)
	}
}
