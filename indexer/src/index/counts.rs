// SPDX-License-Identifier: Apache-2.0
//! Numbers of rows: under each incarnation by map, and in each space by map.

use std::collections::BTreeMap;

use codec::{Decode, Encode};
use content_fabric_identifiers::SpaceId;
use content_fabric_okvs::{disk::DiskTransaction, Transaction};
use scale_info::TypeInfo;

use super::{
	error::{Error, Result},
	keys::{self, Incarnation},
	read::{value, Store},
};
use crate::rows::Map;

/// Numbers of rows, by map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct Sums(pub [u64; Map::ALL.len()]);

impl Sums {
	/// Returns the number of rows of a map.
	pub fn of(&self, map: Map) -> u64 {
		self.0[usize::from(map.number())]
	}

	/// Returns the number of providers and tenants.
	pub fn members(&self) -> u64 {
		self.of(Map::Providers) + self.of(Map::Tenants)
	}

	/// Returns the number of all rows.
	pub fn rows(&self) -> u64 {
		self.0.iter().sum()
	}
}

/// Changes of numbers that are not written yet.
#[derive(Debug, Default)]
pub(crate) struct Pending {
	counts: BTreeMap<(Incarnation, Map), i64>,
	sums: BTreeMap<Option<SpaceId>, [i64; Map::ALL.len()]>,
}

impl Pending {
	/// Adds to the number of rows of an incarnation.
	pub fn count(&mut self, m: Incarnation, map: Map, by: i64) {
		*self.counts.entry((m, map)).or_default() += by;
	}

	/// Adds to the sums of a space and of all spaces. `None` for rows that belong to no space.
	pub fn sum(&mut self, space: Option<SpaceId>, map: Map, by: i64) {
		for space in [None].into_iter().chain(space.map(Some)) {
			self.sums.entry(space).or_default()[usize::from(map.number())] += by;
		}
	}

	/// Returns the spaces whose sums change.
	pub fn spaces(&self) -> impl Iterator<Item = Option<SpaceId>> + '_ {
		self.sums.keys().copied()
	}

	/// Writes the numbers under incarnations. The spaces that change are still known then.
	pub fn write_counts(&mut self, tx: &mut DiskTransaction<'_>) -> Result<()> {
		for ((m, map), by) in std::mem::take(&mut self.counts) {
			let count = add(read_count(tx, m, map)?, by)?;
			let key = keys::count(m, map);
			match count {
				0 => tx.clear(&key)?,
				count => tx.set(&key, &count.encode())?,
			}
		}
		Ok(())
	}

	/// Writes the numbers.
	pub fn write(&mut self, tx: &mut DiskTransaction<'_>) -> Result<()> {
		self.write_counts(tx)?;
		for (space, by) in std::mem::take(&mut self.sums) {
			let mut sums = read_sums(tx, space)?;
			for (sum, by) in sums.0.iter_mut().zip(by) {
				*sum = add(*sum, by)?;
			}
			tx.set(&keys::sum(space), &sums.encode())?;
		}
		Ok(())
	}
}

fn add(count: u64, by: i64) -> Result<u64> {
	count.checked_add_signed(by).ok_or_else(|| Error::corrupted("a number of rows"))
}

/// Returns the number of rows of a map under an incarnation.
pub(crate) fn read_count(read: &impl Store, m: Incarnation, map: Map) -> Result<u64> {
	Ok(value(read, &keys::count(m, map), "a number of rows")?.unwrap_or_default())
}

/// Returns the sums of a space, or of all spaces.
pub(crate) fn read_sums(read: &impl Store, space: Option<SpaceId>) -> Result<Sums> {
	Ok(value(read, &keys::sum(space), "the sums of a space")?.unwrap_or_default())
}
