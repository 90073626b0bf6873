// SPDX-License-Identifier: Apache-2.0
//! The pallet's storage at the end of a block.

use std::{collections::BTreeMap, rc::Rc};

use codec::Encode;
use content_fabric_client::chain::rows::Member;
use content_fabric_identifiers::Muid;
use content_fabric_indexer::rows::{storage_prefix, Map, Row, RowKey, RowValue, PALLET};
use content_fabric_primitives::MemberId;
use sp_crypto_hashing::twox_64;

/// Storage keys with encoded values.
pub type Dump = BTreeMap<Vec<u8>, Vec<u8>>;

/// The pallet's storage, and the version of the runtime.
///
/// The encoded form of a row is the version of the storage, the value, and a number that each write
/// changes: rows have parts that the index does not decode.
#[derive(Clone, Debug, Default)]
pub struct Fabric {
	rows: Rc<BTreeMap<RowKey, Rc<Row>>>,
	next_place: u64,
	minted: u64,
	written: u64,
	/// The version of the pallet's storage.
	pub storage_version: u16,
	/// The version of the runtime that executes the next block.
	pub spec_version: u32,
	/// Number of blocks for which a stepped migration goes on. Meanwhile the pallet does nothing.
	pub migrating: u32,
}

impl Fabric {
	/// Returns the value of a row.
	pub fn get<Row: TryFrom<RowValue>>(&self, key: &RowKey) -> Option<Row> {
		self.rows.get(key)?.value.clone().try_into().ok()
	}

	pub fn member(&self, member: MemberId) -> Option<Member> {
		self.get(&RowKey::member(member))
	}

	pub fn row(&self, key: &RowKey) -> Option<&Row> {
		self.rows.get(key).map(|row| &**row)
	}

	pub fn has(&self, key: &RowKey) -> bool {
		self.rows.contains_key(key)
	}

	/// Returns the rows of a map.
	pub fn rows(&self, map: Map) -> impl Iterator<Item = (&RowKey, &Row)> {
		let rows = self.rows.iter().filter(move |(key, _)| key.map() == map);
		rows.map(|(key, row)| (key, &**row))
	}

	/// Returns the keys of all rows.
	pub fn keys(&self) -> impl Iterator<Item = &RowKey> {
		self.rows.keys()
	}

	/// Writes a row.
	pub fn put(&mut self, key: RowKey, value: RowValue) {
		self.written += 1;
		let mut raw = vec![self.storage_version as u8];
		value.encode_to(&mut raw);
		self.written.encode_to(&mut raw);
		Rc::make_mut(&mut self.rows).insert(key, Rc::new(Row { raw, value }));
	}

	/// Removes a row.
	pub fn remove(&mut self, key: &RowKey) {
		Rc::make_mut(&mut self.rows).remove(key);
	}

	/// Makes what is written after this differ from what other forks write.
	pub fn salt(&mut self, salt: u32) {
		self.written = (self.written & 0xffff_ffff) | u64::from(salt) << 32;
	}

	/// Returns the next muid of the chain.
	pub fn mint(&mut self) -> Muid {
		self.minted += 1;
		Muid::from_u128(u128::from(self.minted) << 64)
	}

	/// Returns the next place in the deletion queue.
	pub fn next_place(&mut self) -> u64 {
		self.next_place += 1;
		self.next_place - 1
	}

	/// Returns the deletion queue: the members that are being purged, by their places.
	pub fn queue(&self) -> BTreeMap<u64, MemberId> {
		let purges = self.rows(Map::Purges).filter_map(|(key, row)| match (key, &row.value) {
			(RowKey::Purge(member), RowValue::Purge(purge)) => Some((purge.place, *member)),
			_ => None,
		});
		purges.collect()
	}

	/// Returns whether a member is being purged.
	pub fn is_purged(&self, member: MemberId) -> bool {
		self.member(member).is_some_and(|member| member.purge.is_some())
	}

	/// Returns the keys of the rows under a member.
	pub fn children(&self, member: MemberId) -> Vec<RowKey> {
		let under = |key: &&RowKey| key.parent() == Some(member);
		self.rows.keys().filter(under).cloned().collect()
	}

	/// Makes a step of the migration to the next version of the storage, which changes a part of
	/// the rows, and all that are left in the last step.
	pub fn migrate(&mut self, mut part: impl FnMut() -> bool) {
		let next = self.storage_version + 1;
		self.migrating -= 1;
		let is_last = self.migrating == 0;
		for row in Rc::make_mut(&mut self.rows).values_mut() {
			if is_last || part() {
				Rc::make_mut(row).raw[0] = next as u8;
			}
		}
		if is_last {
			self.storage_version = next;
		}
	}

	/// Returns whether a row is indexed: those under members that are being purged are not.
	pub fn is_indexed(&self, key: &RowKey) -> bool {
		key.parent().is_none_or(|member| !self.is_purged(member))
	}

	/// Returns what a dump of the index has.
	pub fn dump(&self) -> Dump {
		let rows = self.rows.iter().filter(|(key, _)| self.is_indexed(key));
		let rows = rows.map(|(key, row)| (key.storage_key(), row.raw.clone()));
		let queue = self.queue().into_iter().map(|(place, member)| {
			let place = place.encode();
			let key =
				[&storage_prefix(PALLET, "DeletionQueue")[..], &twox_64(&place), &place].concat();
			(key, member.encode())
		});
		rows.chain(queue).collect()
	}
}
