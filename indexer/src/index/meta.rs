// SPDX-License-Identifier: Apache-2.0
//! Single values of the index.

use codec::{Decode, Encode};
use content_fabric_okvs::{disk::DiskTransaction, Transaction};
use scale_info::TypeInfo;

use super::{
	error::{Error, Found, Result},
	format::FORMAT,
	keys::{self, Incarnation},
	read::{decode, Store},
};
use crate::source::{BlockRef, ChainInfo};

/// The state of the index: the chain, and the last block that is indexed.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct State {
	/// The format of the file.
	pub format: u64,
	/// The chain.
	pub chain: ChainInfo,
	/// The last block that is indexed.
	pub last: BlockRef,
	/// An early block: the first after the genesis block, or else the first that was indexed.
	/// A chain that was begun anew has another block there, even while it is shorter than this one.
	pub early: Option<BlockRef>,
	/// The version of the runtime that made the last block.
	pub spec_version: u32,
	/// The version of the pallet's storage.
	pub storage_version: u16,
	/// The block since which all events are indexed, apart from the gaps.
	pub history_since: u64,
	/// The ranges of blocks after that whose events are missing: the first and the last of each.
	pub gaps: Vec<(u64, u64)>,
	/// The number of the next incarnation.
	pub next_incarnation: Incarnation,
	/// The block to which a resync that was interrupted was made. Rows may be of several blocks.
	pub resync: Option<BlockRef>,
}

const STATE: &str = "state";

/// Reads the state. `None` if the index is empty.
pub(crate) fn read(read: &impl Store) -> Found<State> {
	let Some(bytes) = read.get(&keys::meta(STATE))? else { return Ok(None) };
	let format = u64::decode(&mut &bytes[..]).map_err(|_| Error::corrupted("its state"))?;
	if format != *FORMAT {
		return Err(Error::Format(format));
	}
	decode(&bytes, "its state").map(Some)
}

/// Writes the state.
pub(crate) fn write(tx: &mut DiskTransaction<'_>, state: &State) -> Result<()> {
	Ok(tx.set(&keys::meta(STATE), &state.encode())?)
}
