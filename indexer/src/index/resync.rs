// SPDX-License-Identifier: Apache-2.0
//! Makes the index equal to the chain at a final block, whatever it has.

use std::{collections::HashSet, pin::pin};

use content_fabric_okvs::{Database, Durability, Read};
use futures::TryStreamExt;
use sp_crypto_hashing::blake2_128;

use super::{
	apply::write_row,
	blocks::{self, BlockRow},
	error::{Error, Result},
	keys::{self, Incarnation, FLAT},
	meta::State,
	read,
	writer::Writer,
	Index,
};
use crate::{
	rows::{Map, Row, RowKey},
	source::{as_member, BlockRef, Header, Source},
};

/// Largest number of rows of a transaction.
const BATCH: usize = 20_000;

/// Result of a resync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resynced {
	/// Number of rows that the chain has.
	pub rows: u64,
	/// Number of rows that the index had and the chain has not.
	pub removed: u64,
}

/// The rows that the chain has, by the hashes of their storage keys.
type Seen = HashSet<[u8; 16]>;

impl Index {
	/// Makes the index equal to the chain at a final block.
	///
	/// While it runs, and after it was interrupted, [`State::resync`] says so, and the rows come
	/// from several blocks.
	pub async fn resync(&self, source: &impl Source, at: Header) -> Result<Resynced> {
		let (time, spec_version) = source.time_and_version(&at).await?;
		let storage_version = source.storage_version(at.block).await?;
		self.begin_resync(source, at, spec_version, storage_version).await?;
		let mut seen = Seen::new();
		for map in Map::ALL {
			let mut pages = pin!(source.scan(at.block, *map));
			let mut batch = Vec::new();
			while let Some(page) = pages.try_next().await? {
				batch.extend(page);
				if batch.len() >= BATCH {
					self.write_rows(std::mem::take(&mut batch), &mut seen)?;
				}
			}
			self.write_rows(batch, &mut seen)?;
		}
		let removed = self.remove_unseen(&seen)?;
		self.write_with(Durability::Commit, |writer| {
			let state = &mut writer.state;
			let missing = (state.last.number + 1, at.block.number);
			if missing.0 <= missing.1 {
				state.gaps.push(missing);
			}
			state.resync = None;
			state.storage_version = storage_version;
			if blocks::read(&writer.tx, at.block.number)?.is_none() {
				let row = BlockRow {
					hash: at.block.hash,
					parent: at.parent,
					time,
					spec_version,
					events: 0,
				};
				blocks::insert(&mut writer.tx, at.block.number, &row)?;
			}
			writer.advance(at.block, spec_version);
			Ok(())
		})?;
		Ok(Resynced { rows: u64::try_from(seen.len()).unwrap_or(u64::MAX), removed })
	}

	/// Marks the rows as mixed.
	async fn begin_resync(
		&self,
		source: &impl Source,
		at: Header,
		spec_version: u32,
		storage_version: u16,
	) -> Result<()> {
		let Some(state) = self.state()? else {
			let first = source.hash_of(1).await?.filter(|_| at.block.number > 0);
			return self.begin(State {
				format: 0,
				chain: source.info().await?,
				last: at.block,
				early: first.map(|hash| BlockRef { number: 1, hash }),
				spec_version,
				storage_version,
				history_since: at.block.number + 1,
				gaps: Vec::new(),
				next_incarnation: FLAT + 1,
				resync: Some(at.block),
			});
		};
		let last = state.last.number;
		if at.block.number < last {
			return Err(Error::Behind { node: at.block.number, index: last });
		}
		self.write(|writer| {
			writer.state.resync = Some(at.block);
			Ok(())
		})
	}

	fn write_rows(&self, rows: Vec<(RowKey, Row)>, seen: &mut Seen) -> Result<()> {
		if rows.is_empty() {
			return Ok(());
		}
		self.write(|writer| {
			for (key, row) in rows {
				if let Some(member) = key.as_member() {
					if is_another(writer, &key, &row)? {
						writer.end(member)?;
					}
				}
				seen.insert(blake2_128(&key.storage_key()));
				write_row(writer, &key, Some(row), None)?;
			}
			Ok(())
		})
	}

	/// Removes the rows that the chain has not. Returns how many there were.
	fn remove_unseen(&self, seen: &Seen) -> Result<u64> {
		let mut removed = 0;
		for map in Map::ALL {
			// Of the moment before this map changes. Members have ended before their rows are read.
			let read = self.database.begin_read()?;
			let mut unseen = Vec::new();
			for pair in read.range(keys::map(*map).prefix())? {
				let (m, key, is_present) = read::place(&read, *map, &pair?.0)?;
				if is_present && !seen.contains(&blake2_128(&key.storage_key())) {
					removed += 1;
					unseen.push((m, key));
				}
				if unseen.len() >= BATCH {
					self.remove_rows(std::mem::take(&mut unseen))?;
				}
			}
			self.remove_rows(unseen)?;
		}
		Ok(removed)
	}

	fn remove_rows(&self, rows: Vec<(Incarnation, RowKey)>) -> Result<()> {
		if rows.is_empty() {
			return Ok(());
		}
		self.write(|writer| {
			for (m, key) in rows {
				writer.put(m, &key, None)?;
				if let Some(member) = key.as_member() {
					writer.end(member)?;
				}
			}
			Ok(())
		})
	}
}

/// Returns whether a member's row belongs to another incarnation than the indexed one, or the
/// member is being purged since.
fn is_another(writer: &Writer<'_>, key: &RowKey, row: &Row) -> Result<bool> {
	let Some(old) = writer.get(FLAT, key)? else { return Ok(false) };
	let (Some(old), Some(new)) = (as_member(&old.row), as_member(row)) else { return Ok(false) };
	Ok(old.created != new.created || old.purge.is_none() != new.purge.is_none())
}
