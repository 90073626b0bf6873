// SPDX-License-Identifier: Apache-2.0
//! Records of collections.

use std::ops::Range;

use content_fabric_client::{chain::rows, text::Text};
use content_fabric_identifiers::TenantId;
use content_fabric_okvs::{
	disk::DiskError,
	tuple_store::{Constraint, Free},
	Read,
};

use super::page::{unreadable, value, Page, ReadError, Slice};
use super::{versions::name, Name, VersionItem, View};
use crate::{
	index::{
		error::Error,
		keys::{self, Incarnation},
		orders::{Stored, FOUND},
	},
	rows::{Map, RowKey},
};

/// A record of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordItem {
	/// The tenant.
	pub tenant: TenantId,
	/// The name of the collection.
	pub collection: Text,
	/// The record key.
	pub key: Text,
	/// Its row.
	pub row: rows::Record,
	/// The time of its TID, or of its last put, in milliseconds since the Unix epoch. `None` if
	/// neither is known.
	pub time: Option<u64>,
	/// The block that put it last, if it is known.
	pub put_in: Option<u64>,
}

/// An order of the records of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordOrder {
	/// Ascending by key. The keys begin with a prefix.
	Key {
		/// The prefix.
		prefix: String,
	},
	/// The newest first.
	Newest {
		/// The range of their times. Without it, records of unknown time are listed, too.
		times: Option<Range<u64>>,
	},
}

impl<R: Read<Error = DiskError>> View<R> {
	/// Returns the records of a collection. `None` if the collection does not exist.
	pub fn records(
		&self,
		tenant: TenantId,
		collection: &str,
		order: &RecordOrder,
		slice: &Slice,
	) -> Result<Option<Page<RecordItem>>, ReadError> {
		let Some((m, owner)) = self.present(tenant)? else { return Ok(None) };
		if self.collection(tenant, collection)?.is_none() {
			return Ok(None);
		}
		let collection = collection.as_bytes();
		let page = match order {
			RecordOrder::Key { prefix } => {
				let rows = keys::rows(Map::Records, m);
				let mut start = rows.pack(&(collection, prefix.as_bytes()));
				// The byte that ends the key.
				start.pop();
				let prefix = start.get(rows.prefix().len()..).unwrap_or_default();
				let rows = self.rows_of(Map::Records, Some(owner), m, prefix, slice)?;
				self.collect(slice, rows, |(key, stored)| {
					let RowKey::Record(tenant, collection, key) = key else { return Ok(None) };
					Ok(Some(record(tenant, collection, key, stored)?))
				})?
			},
			RecordOrder::Newest { times } => {
				let times = times.clone().unwrap_or(0..u64::MAX);
				let pattern = (m, collection, Constraint::within(&times), Free);
				let rows = self.found(&FOUND.times, &pattern, slice, true)?;
				self.collect(slice, rows, |row| {
					let collection = Text(collection.to_vec());
					let key: std::borrow::Cow<'_, [u8]> = row.item(3).map_err(unreadable)?;
					Ok(self.record_of(m, tenant, collection, Text(key.into_owned()))?)
				})?
			},
		};
		Ok(Some(page))
	}

	/// Returns a record.
	pub fn record(
		&self,
		tenant: TenantId,
		collection: &str,
		key: &str,
	) -> Result<Option<RecordItem>, Error> {
		let Some((m, _)) = self.present(tenant)? else { return Ok(None) };
		let text = |text: &str| Text(text.as_bytes().to_vec());
		self.record_of(m, tenant, text(collection), text(key))
	}

	/// Returns the version that a record leads to now. `None` if its target has been deleted, or if
	/// its object has no head.
	pub fn resolve(&self, record: &RecordItem) -> Result<Option<VersionItem>, Error> {
		let target = record.row.target;
		let version = match target.version {
			Some(version) => Some(version),
			None => self
				.object(record.tenant, target.object)?
				.and_then(|object| object.row.head_version),
		};
		match version {
			Some(version) => self.version(record.tenant, target.object, version),
			None => Ok(None),
		}
	}

	pub(crate) fn record_of(
		&self,
		m: Incarnation,
		tenant: TenantId,
		collection: Text,
		key: Text,
	) -> Result<Option<RecordItem>, Error> {
		let row_key = RowKey::Record(tenant, collection.clone(), key.clone());
		let Some(stored) = self.stored(m, &row_key)? else { return Ok(None) };
		record(tenant, collection, key, stored).map(Some)
	}

	pub(crate) fn named(
		&self,
		m: Incarnation,
		tenant: TenantId,
		row: &content_fabric_okvs::tuple_store::Row<impl AsRef<[u8]>, 4>,
	) -> Result<Option<RecordItem>, Error> {
		let Name { collection, key } = name(row, 2)?;
		self.record_of(m, tenant, collection, key)
	}
}

fn record(
	tenant: TenantId,
	collection: Text,
	key: Text,
	stored: Stored,
) -> Result<RecordItem, Error> {
	let time = Some(stored.time).filter(|time| *time > 0);
	let put_in = stored.put.map(|(block, _)| block);
	Ok(RecordItem { tenant, collection, key, row: value!(stored, Record)?, time, put_in })
}
