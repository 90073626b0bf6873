// SPDX-License-Identifier: Apache-2.0
//! Ids of the feed.

use std::{fmt, str::FromStr};

use crate::{api::views::event_id, source::Hash};

/// A position in the feed: an event, after those of its block that come before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventId {
	/// The number of the block.
	pub number: u64,
	/// The hash of the block.
	pub hash: Hash,
	/// The place of the event, 0 in a block without events.
	pub index: u32,
}

impl fmt::Display for EventId {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(&event_id(self.number, self.hash, self.index))
	}
}

/// The text is not an id of the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParseEventIdError;

impl FromStr for EventId {
	type Err = ParseEventIdError;

	fn from_str(text: &str) -> Result<Self, ParseEventIdError> {
		let parts: Vec<&str> = text.split('-').collect();
		let [number, hash, index] = parts[..] else { return Err(ParseEventIdError) };
		let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
		if !is_number(number) || !is_number(index) {
			return Err(ParseEventIdError);
		}
		let digits = hash.strip_prefix("0x").ok_or(ParseEventIdError)?;
		let mut hash = Hash::default();
		hex::decode_to_slice(digits, &mut hash).map_err(|_| ParseEventIdError)?;
		let number = number.parse().map_err(|_| ParseEventIdError)?;
		let index = index.parse().map_err(|_| ParseEventIdError)?;
		Ok(Self { number, hash, index })
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn ids_are_read_as_they_are_written() {
		let id = EventId { number: 12, hash: [0xab; 32], index: 3 };
		assert_eq!(id.to_string(), format!("12-0x{}-3", "ab".repeat(32)));
		assert_eq!(id.to_string().parse(), Ok(id));
		let hash = "ab".repeat(32);
		for wrong in [
			String::new(),
			"12".into(),
			format!("12-0x{hash}"),
			format!("12-{hash}-3"),
			format!("12-0x{hash}-"),
			format!("+12-0x{hash}-3"),
			format!("12-0x{hash}-3-4"),
			format!("12-0x{hash}-4294967296"),
		] {
			assert_eq!(wrong.parse::<EventId>(), Err(ParseEventIdError), "{wrong}");
		}
	}
}
