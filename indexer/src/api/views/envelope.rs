// SPDX-License-Identifier: Apache-2.0
//! The envelope of answers.

use std::fmt;

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::source::Hash;

/// A hash, as `0x` and hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashText(pub Hash);

impl HashText {
	/// Reads a hash. `None` if the text is not one.
	pub(crate) fn parse(text: &str) -> Option<Hash> {
		let mut hash = Hash::default();
		hex::decode_to_slice(text.strip_prefix("0x")?, &mut hash).ok()?;
		Some(hash)
	}
}

impl fmt::Display for HashText {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "0x{}", hex::encode(self.0))
	}
}

impl Serialize for HashText {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		serializer.collect_str(self)
	}
}

impl From<Hash> for HashText {
	fn from(hash: Hash) -> Self {
		Self(hash)
	}
}

/// The block that an answer was read at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct At {
	/// The number of the block.
	pub number: u64,
	/// The hash of the block.
	#[schema(value_type = String)]
	pub hash: HashText,
	/// The time of the block, in milliseconds since the Unix epoch.
	pub time: u64,
	/// True if the block is final.
	#[serde(rename = "final")]
	pub is_final: bool,
}

/// An answer of one thing.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct One<T> {
	/// The block that it was read at.
	pub at: At,
	/// The thing.
	pub item: T,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct List<T> {
	/// The block that it was read at.
	pub at: At,
	/// The items. There may be fewer than were asked for even if the list goes on.
	pub items: Vec<T>,
	/// The cursor of the next page. `null` at the end of the list.
	pub next: Option<String>,
}
