// SPDX-License-Identifier: Apache-2.0
//! The chain's limits on texts. A node refuses a call with a longer text without a clear reason, so
//! this client checks texts before the first transaction.

use super::{Error, Snapshot};

/// A limit on the length of a text, a constant of the pallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextLimit {
	/// The limit on reasons of governance.
	Reason,
	/// The limit on service levels.
	Sla,
	/// The limit on the locators of nodes and KMSes.
	Locator,
	/// The limit on the names of collections.
	CollectionName,
	/// The limit on record keys.
	RecordKey,
}

impl TextLimit {
	/// Returns the name of the constant.
	const fn constant(self) -> &'static str {
		match self {
			Self::Reason => "MaxReasonLen",
			Self::Sla => "MaxSlaLen",
			Self::Locator => "MaxLocatorLen",
			Self::CollectionName => "MaxCollectionNameLen",
			Self::RecordKey => "MaxRecordKeyLen",
		}
	}

	/// Checks that the chain accepts a text of this length. `option` is its name on the command
	/// line.
	pub fn ensure(self, at: &Snapshot, option: &'static str, text: &str) -> Result<(), Error> {
		ensure_fits(option, text, at.constant("ContentFabric", self.constant())?)
	}
}

fn ensure_fits(option: &'static str, text: &str, limit: u32) -> Result<(), Error> {
	let length = text.len();
	if u32::try_from(length).is_ok_and(|length| length <= limit) {
		return Ok(());
	}
	Err(Error::TooLong { option, length, limit })
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn texts_are_measured_in_bytes_and_errors_name_option_length_and_limit() {
		for text in ["", "abcd", "éé"] {
			assert!(ensure_fits("--sla", text, 4).is_ok(), "{text}");
		}
		let error = ensure_fits("--sla", "ééa", 4).expect_err("it has five bytes");
		assert_eq!(
			error.to_string(),
			"--sla is too long: it has 5 bytes, and the chain accepts at most 4"
		);
	}
}
