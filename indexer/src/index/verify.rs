// SPDX-License-Identifier: Apache-2.0
//! Compares the index with the chain, row by row, and its numbers of rows with the chain's.

use std::{collections::HashSet, pin::pin};

use content_fabric_okvs::Read;
use content_fabric_primitives::MemberId;
use futures::TryStreamExt;
use sp_crypto_hashing::blake2_128;

use super::{
	counts::read_count,
	error::{Error, Result},
	keys::{self, Part, FLAT},
	orders,
	read::{self, decode, Store},
	view::View,
	Index,
};
use crate::{
	rows::{Map, Row, RowKey},
	source::{as_member, BlockRef, Heads, Source},
};

/// Result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
	/// Number of rows that the chain has.
	pub rows: u64,
	/// Number of differences.
	pub differences: u64,
	/// The first differences, in words.
	pub first: Vec<String>,
}

/// Largest number of differences that are put into words.
const MAX_SHOWN: usize = 20;

impl Verified {
	fn add(&mut self, difference: impl FnOnce() -> String) {
		self.differences += 1;
		if self.first.len() < MAX_SHOWN {
			self.first.push(difference());
		}
	}
}

impl Index {
	/// Checks that a node serves the chain that is indexed, and that it was not begun anew since.
	///
	/// Only final blocks of the node are evidence. So a node that has yet to catch up passes.
	pub async fn check_chain(&self, source: &impl Source, heads: Heads) -> Result<()> {
		let Some(state) = self.state()? else { return Ok(()) };
		let node = source.info().await?.genesis;
		if node != state.chain.genesis {
			return Err(Error::OtherChain { index: state.chain.genesis, node });
		}
		let last = heads.finalized.number;
		let known = [Some(state.last), state.early];
		for BlockRef { number, hash: index } in known.into_iter().flatten() {
			if number > last {
				continue;
			}
			match source.hash_of(number).await? {
				Some(node) if node != index => {
					return Err(Error::OtherHistory { number, index, node });
				},
				// A node may lack the early blocks.
				_ => {},
			}
		}
		Ok(())
	}
}

/// Checks the numbers of rows under members.
pub(crate) fn counts(
	read: &impl Store,
	block: u64,
	members: impl IntoIterator<Item = MemberId>,
) -> Result<()> {
	for member in members {
		let Some(row) = read::member(read, member)?.filter(|row| row.purge.is_none()) else {
			continue;
		};
		let m = read::incarnation(read, member)?;
		for map in Map::under(member.role()) {
			let on_chain = u64::from(map.count(&row));
			let indexed = match m {
				Some(m) => read_count(read, m, *map)?,
				None => 0,
			};
			if on_chain != indexed {
				let difference = format!(
					"{member} has {on_chain} rows in map {}, and {indexed} are indexed",
					map.name()
				);
				return Err(Error::Different { number: block, difference });
			}
		}
	}
	Ok(())
}

/// Returns a row in words.
fn name(key: &RowKey) -> String {
	format!("row 0x{} in map {}", hex::encode(key.storage_key()), key.map().name())
}

impl View<'_> {
	/// Compares all rows with those that the chain has at the same block, the orders with the rows,
	/// and the numbers of rows with the chain's. Writes nothing.
	pub async fn verify(&self, source: &impl Source) -> Result<Verified> {
		let mut verified = Verified::default();
		if let Some(at) = self.state().resync {
			verified.add(|| format!("a resync at block {} was interrupted", at.number));
		}
		let mut seen = HashSet::new();
		let mut purged = HashSet::new();
		let mut members = Vec::new();
		for map in Map::ALL {
			let mut pages = pin!(source.scan(self.state().last, *map));
			while let Some(page) = pages.try_next().await? {
				for (key, row) in page {
					if let Some(member) = key.as_member() {
						members.push(member);
						if as_member(&row).is_some_and(|row| row.purge.is_some()) {
							purged.insert(member);
						}
					}
					if key.parent().is_some_and(|member| purged.contains(&member)) {
						continue;
					}
					seen.insert(blake2_128(&key.storage_key()));
					self.verify_row(&key, &row, &mut verified)?;
				}
			}
		}
		verified.rows = u64::try_from(seen.len()).unwrap_or(u64::MAX);
		let needed = self.verify_indexed(&seen, &mut verified)?;
		let orders = keys::part(Part::Order);
		let mut found = self.read.range(orders.prefix())?;
		let found: u64 = found.try_fold(0, |count, pair| pair.map(|_| count + 1))?;
		if needed != found {
			verified.add(|| format!("the orders have {found} keys, and the rows need {needed}"));
		}
		for member in members {
			match counts(&self.read, self.state().last.number, [member]) {
				Err(Error::Different { difference, .. }) => verified.add(|| difference),
				checked => checked?,
			}
		}
		Ok(verified)
	}

	fn verify_row(&self, key: &RowKey, row: &Row, verified: &mut Verified) -> Result<()> {
		let m = match key.parent() {
			None => Some(FLAT),
			Some(member) => read::incarnation(&self.read, member)?,
		};
		let stored = match m {
			Some(m) => self.stored(m, key)?,
			None => None,
		};
		match stored {
			None => verified.add(|| format!("{} is not indexed", name(key))),
			Some(stored) if stored.row != *row => {
				verified.add(|| format!("{} has another value in the index", name(key)));
			},
			Some(_) => {},
		}
		Ok(())
	}

	/// Looks for rows that the chain has not, and for keys that are missing from the orders.
	/// Returns how many keys the orders need.
	fn verify_indexed(&self, seen: &HashSet<[u8; 16]>, verified: &mut Verified) -> Result<u64> {
		let mut needed = 0;
		for map in Map::ALL {
			for pair in self.read.range(keys::map(*map).prefix())? {
				let (place, value) = pair?;
				let (m, key, is_present) = read::place(&self.read, *map, &place)?;
				let stored = decode(&value, "a row")?;
				let keys = orders::keys(m, &key, &stored);
				needed += u64::try_from(keys.len()).unwrap_or(u64::MAX);
				let mut missing = 0;
				for key in keys {
					missing += u32::from(!self.read.contains_key(&key)?);
				}
				if missing > 0 {
					verified.add(|| format!("{} is missing from {missing} orders", name(&key)));
				}
				if is_present && !seen.contains(&blake2_128(&key.storage_key())) {
					verified.add(|| format!("{} is not on the chain", name(&key)));
				}
			}
		}
		Ok(needed)
	}
}
