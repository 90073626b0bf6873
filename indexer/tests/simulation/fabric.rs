// SPDX-License-Identifier: Apache-2.0
//! The pallet's storage at the end of a block.

use std::{collections::BTreeMap, rc::Rc};

use content_fabric_client::chain::rows::Member;
use content_fabric_indexer::rows::{storage_prefix, Map, Row, RowKey, RowValue, PALLET};
use content_fabric_primitives::MemberId;

use crate::pallet::METADATA;

/// Storage keys with encoded values.
pub type Dump = BTreeMap<Vec<u8>, Vec<u8>>;

/// The values of the pallet that are not indexed.
const UNINDEXED: [&str; 5] =
	["DeletionQueueBounds", "LastMuid", "LastTid", "Medallions", ":__STORAGE_VERSION__:"];

/// Rows, by storage key.
type Rows = BTreeMap<Vec<u8>, Rc<(RowKey, Row)>>;

/// The pallet's storage, and the version of the runtime.
#[derive(Clone, Default)]
pub struct Fabric {
	/// The rows of the indexed maps.
	rows: Rc<Rows>,
	/// All other values.
	others: Dump,
	/// The version of the pallet's storage.
	pub storage_version: u16,
	/// The version of the runtime that executes the next block.
	pub spec_version: u32,
	/// Number of blocks for which a stepped migration goes on. Meanwhile the pallet does nothing.
	pub migrating: u32,
}

impl Fabric {
	/// Writes a value, or removes it.
	pub fn write(&mut self, key: Vec<u8>, value: Option<Vec<u8>>) {
		let Some(map) = Map::ALL.iter().find(|map| key.starts_with(&map.prefix())) else {
			match value {
				Some(value) => self.others.insert(key, value),
				None => self.others.remove(&key),
			};
			return;
		};
		let rows = Rc::make_mut(&mut self.rows);
		let Some(raw) = value else {
			rows.remove(&key);
			return;
		};
		let row_key = RowKey::of_storage_key(*map, &key).expect("the key is one of the map");
		let value = RowValue::decode(*map, &raw, &METADATA).expect("the metadata is right");
		rows.insert(key, Rc::new((row_key, Row { raw, value })));
	}

	/// Returns the value of a row.
	pub fn get<Row: TryFrom<RowValue>>(&self, key: &RowKey) -> Option<Row> {
		self.row(key)?.value.clone().try_into().ok()
	}

	pub fn member(&self, member: MemberId) -> Option<Member> {
		self.get(&RowKey::member(member))
	}

	pub fn row(&self, key: &RowKey) -> Option<&Row> {
		self.rows.get(&key.storage_key()).map(|row| &row.1)
	}

	/// Returns the rows of a map.
	pub fn rows(&self, map: Map) -> impl Iterator<Item = &(RowKey, Row)> {
		self.rows.values().map(Rc::as_ref).filter(move |(key, _)| key.map() == map)
	}

	/// Returns the keys of all rows.
	pub fn keys(&self) -> impl Iterator<Item = &RowKey> {
		self.rows.values().map(|row| &row.0)
	}

	/// Returns whether a row is indexed: those under members that are being purged are not.
	pub fn is_indexed(&self, key: &RowKey) -> bool {
		let is_purged = |member| self.member(member).is_some_and(|member| member.purge.is_some());
		!key.parent().is_some_and(is_purged)
	}

	/// Returns what a dump of the index has.
	pub fn dump(&self) -> Dump {
		let rows = self.rows.iter().filter(|(_, row)| self.is_indexed(&row.0));
		let rows = rows.map(|(key, row)| (key.clone(), row.1.raw.clone()));
		let unindexed = UNINDEXED.map(|name| storage_prefix(PALLET, name));
		let is_indexed = |key: &[u8]| !unindexed.iter().any(|prefix| key.starts_with(prefix));
		let others = self.others.iter().filter(|(key, _)| is_indexed(key));
		rows.chain(others.map(|(key, value)| (key.clone(), value.clone()))).collect()
	}
}
