// SPDX-License-Identifier: Apache-2.0
//! Rows of the pallet's storage: their keys, their values, and the names of their maps.

mod key;
mod value;

pub use key::{storage_prefix, Map, RowKey, PALLET};
pub use value::{RowValue, WrongValue};

/// A row, as the chain has it at the end of a block.
#[derive(Clone, Debug, PartialEq, Eq, codec::Encode, codec::Decode, scale_info::TypeInfo)]
pub struct Row {
	/// The encoded value, as it is in the chain's storage.
	pub raw: Vec<u8>,
	/// The value.
	pub value: RowValue,
}
