// SPDX-License-Identifier: Apache-2.0
//! Sizes of versions, which may be unknown.

use content_fabric_identifiers::VersionId;

use crate::DraftVersion;

/// The version without data: the SHA-256 hash of no bytes.
const EMPTY: VersionId = VersionId([
	0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
	0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
]);

impl DraftVersion {
	/// The size of a version whose size is not known.
	pub const SIZE_UNKNOWN: u64 = 0;
}

/// Returns the size of a version by the number that was committed for it, or `None` if the size is
/// not known.
///
/// 0 stands for an unknown size, except for the version that has no data: the hash says so.
pub fn known_size(version: VersionId, committed: u64) -> Option<u64> {
	(committed != DraftVersion::SIZE_UNKNOWN || version == EMPTY).then_some(committed)
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn no_size_is_known_only_for_the_version_without_data() {
		let other = VersionId([1; 32]);
		assert_eq!(known_size(other, 0), None);
		assert_eq!(known_size(EMPTY, 0), Some(0));
		for version in [EMPTY, other] {
			assert_eq!(known_size(version, 1), Some(1));
			assert_eq!(known_size(version, u64::MAX), Some(u64::MAX));
		}
	}
}
