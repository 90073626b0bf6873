// SPDX-License-Identifier: Apache-2.0
//! Records of collections.

use std::ops::{Bound, Range};

use content_fabric_client::{
	chain::rows,
	record_names::{key_prefixes, name_of_record},
	text::Text,
};
use content_fabric_identifiers::{Muid, MuidParts, RecordPath, RecordUri, TenantId};
use content_fabric_okvs::tuple_store::{Constraint, Free, Row};

use super::{Found, Page, Slice, VersionItem, View};
use crate::{
	index::{
		error::Result,
		keys::{self, text, Incarnation},
		orders::{Stored, STORES},
	},
	rows::{Map, RowKey},
};

/// The collection and the key of a record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
	/// The name of the collection.
	pub collection: Text,
	/// The record key.
	pub key: Text,
}

impl Name {
	/// Reads a collection and a record key from two positions of a tuple.
	pub(super) fn of<B: AsRef<[u8]>, const N: usize>(
		row: &Row<B, N>,
		position: usize,
	) -> Result<Self> {
		Ok(Self { collection: text(row.item(position)?), key: text(row.item(position + 1)?) })
	}
}

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
	/// The block that put it last, if it is known.
	pub put_in: Option<u64>,
}

/// An order of the records of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordOrder {
	/// Ascending by key. The names begin with a prefix.
	Key {
		/// The start of the names.
		prefix: String,
	},
	/// The last put first.
	Newest {
		/// The range of the times of their last puts, in milliseconds since the Unix epoch.
		times: Range<u64>,
	},
}

/// Returns the range of the muids of a range of times, in milliseconds since the Unix epoch.
fn muids(times: &Range<u64>) -> (Bound<u128>, Bound<u128>) {
	let first = |millis: u64| {
		let parts = MuidParts { timestamp: millis.saturating_mul(1_000), ..MuidParts::default() };
		// Some times are later than any muid's.
		Muid::from_parts(parts).ok().map(Muid::to_u128)
	};
	let start = first(times.start).map_or(Bound::Excluded(u128::MAX), Bound::Included);
	(start, first(times.end).map_or(Bound::Unbounded, Bound::Excluded))
}

impl RecordItem {
	fn new(tenant: TenantId, Name { collection, key }: Name, stored: Stored) -> Result<Self> {
		let row = stored.row.value.try_into()?;
		Ok(Self { tenant, collection, key, row, put_in: stored.put })
	}

	/// Returns the name: the key without escapes.
	pub fn name(&self) -> String {
		name_of_record(self.tenant, &self.key.raw(), self.row.target.object).into_owned()
	}

	/// Returns the URI of the record.
	pub fn uri(&self) -> String {
		let path = format!("{}/{}", self.collection.raw(), self.key.raw());
		match RecordPath::parse(&path) {
			Ok(path) => RecordUri::new(self.tenant, path).to_string(),
			// The chain has no such names today.
			Err(_) => format!("fabric:/{}/{path}", self.tenant),
		}
	}
}

impl View<'_> {
	/// Returns the records of a collection. `None` if the collection does not exist.
	pub fn records(
		&self,
		tenant: TenantId,
		name: &str,
		order: &RecordOrder,
		slice: &Slice,
	) -> Found<Page<RecordItem>> {
		let Some(m) = self.present(tenant)? else { return Ok(None) };
		let Some(collection) = self.collection(tenant, name)? else { return Ok(None) };
		let page = match order {
			RecordOrder::Key { prefix } => {
				let rows = keys::rows(Map::Records, m);
				let start = |prefix: String| {
					let mut start = rows.pack(&(name.as_bytes(), prefix.as_bytes()));
					// The byte that ends the key.
					start.pop();
					start.split_off(rows.prefix().len().min(start.len()))
				};
				let prefixes = key_prefixes(prefix, collection.row.syntax).into_iter().map(start);
				let prefixes: Vec<_> = prefixes.collect();
				let prefixes: Vec<_> = prefixes.iter().map(Vec::as_slice).collect();
				let of = (m, Some(tenant.into()));
				self.rows_of_any(Map::Records, of, &prefixes, slice, |key, stored| {
					let (tenant, collection, key) = key.try_into()?;
					RecordItem::new(tenant, Name { collection, key }, stored)
				})
			},
			RecordOrder::Newest { times } => {
				let pattern = (m, name.as_bytes(), Constraint::within(&muids(times)), Free);
				let rows = self.found(&STORES.times, &pattern, slice, true)?;
				self.collect(slice, rows, |row| {
					let name = Name { collection: Text(name.into()), key: text(row.item(3)?) };
					self.record_of(m, tenant, name)
				})
			},
		};
		page.map(Some)
	}

	/// Returns a record.
	pub fn record(&self, tenant: TenantId, collection: &str, key: &str) -> Found<RecordItem> {
		let Some(m) = self.present(tenant)? else { return Ok(None) };
		let name = Name { collection: Text(collection.into()), key: Text(key.into()) };
		self.record_of(m, tenant, name)
	}

	/// Returns the version that a record leads to now. `None` if its target has been deleted, or if
	/// its object has no head.
	pub fn resolve(&self, record: &RecordItem) -> Found<VersionItem> {
		let target = record.row.target;
		let version = match target.version {
			Some(version) => Some(version),
			None => self
				.object(record.tenant, target.object)?
				.and_then(|object| object.row.head_version),
		};
		match version {
			Some(version) => self.version(record.tenant, target.object, version.into()),
			None => Ok(None),
		}
	}

	pub(crate) fn record_of(
		&self,
		m: Incarnation,
		tenant: TenantId,
		name: Name,
	) -> Found<RecordItem> {
		let key = RowKey::Record(tenant, name.collection.clone(), name.key.clone());
		let stored = self.stored(m, &key)?;
		stored.map(|stored| RecordItem::new(tenant, name, stored)).transpose()
	}
}
