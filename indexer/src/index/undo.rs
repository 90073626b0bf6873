// SPDX-License-Identifier: Apache-2.0
//! The undo log of a block that is not final: the rows, incarnations and totals as they were before.

use codec::{Decode, Encode};
use content_fabric_primitives::MemberId;

use super::{keys::Incarnation, orders::Stored};
use crate::rows::RowKey;

/// One change, with what was there before.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) enum Change {
	/// A row of an incarnation changed.
	Row(Incarnation, RowKey, Option<Box<Stored>>),
	/// The rows under a member ended.
	Ended(MemberId, Incarnation),
	/// A member got a new incarnation.
	Begun(MemberId, Incarnation),
	/// The value of a key changed.
	Value(Vec<u8>, Option<Vec<u8>>),
}

/// The changes of a block, in their order.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Log {
	/// The hash of the block before it.
	pub parent: [u8; 32],
	/// The version of the runtime that made that block.
	pub spec_version: u32,
	/// The version of the pallet's storage before the block.
	pub storage_version: u16,
	/// The number of the next incarnation before the block.
	pub next_incarnation: Incarnation,
	/// The changes.
	pub changes: Vec<Change>,
}
