// SPDX-License-Identifier: Apache-2.0
//! Rows of the pallet's storage: their keys, their values, and the names of their maps.

mod key;
mod map;
mod value;

pub use key::{KeyError, RowKey};
pub use map::{storage_prefix, Map, PALLET};
pub use value::{RowValue, ValueError, WrongValue};

/// A row, as the chain has it at the end of a block.
#[derive(Clone, Debug, PartialEq, Eq, codec::Encode, codec::Decode)]
pub struct Row {
	/// The encoded value, as it is in the chain's storage.
	pub raw: Vec<u8>,
	/// The value.
	pub value: RowValue,
}
