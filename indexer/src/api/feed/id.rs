// SPDX-License-Identifier: Apache-2.0
//! Ids of the feed.

use std::fmt;

use crate::{
	api::{
		ask,
		views::{event_id, HashText},
	},
	source::Hash,
};

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

impl EventId {
	/// Reads an id. `None` if the text is not one.
	pub fn parse(text: &str) -> Option<Self> {
		let parts: Vec<&str> = text.split('-').collect();
		let [number, hash, index] = parts[..] else { return None };
		let (number, index) = (ask::number(number)?, ask::number(index)?);
		Some(Self { number, hash: HashText::parse(hash)?, index })
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn ids_are_read_as_they_are_written() {
		let id = EventId { number: 12, hash: [0xab; 32], index: 3 };
		assert_eq!(id.to_string(), format!("12-0x{}-3", "ab".repeat(32)));
		assert_eq!(EventId::parse(&id.to_string()), Some(id));
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
			assert_eq!(EventId::parse(&wrong), None, "{wrong}");
		}
	}
}
