// SPDX-License-Identifier: Apache-2.0
//! Sizes of versions, which may be unknown.

use content_fabric_identifiers::{HashKind, VersionId};

use crate::{DraftVersion, VersionInfo};

impl DraftVersion {
	/// The size of a [`Sha256`](HashKind::Sha256) version whose size is not known.
	pub const SIZE_UNKNOWN: u64 = 0;

	/// Returns whether the version is [`Blake3`](HashKind::Blake3), and does not state its size: the
	/// paths of its chunks follow from it.
	pub fn lacks_size(&self) -> bool {
		self.hash == HashKind::Blake3 && known_size(self.version, self.hash, self.size).is_none()
	}
}

impl<Moment, Balance, Copies> VersionInfo<Moment, Balance, Copies> {
	/// Returns the size of the version, which the id names, or `None` if it is not known.
	pub fn known_size(&self, version: VersionId) -> Option<u64> {
		known_size(version, self.hash, self.size.0)
	}
}

/// Returns the size of a version by the number that was committed for it, or `None` if the size is
/// not known.
///
/// 0 stands for an unknown size, except for the version that has no data: the hash says so.
pub fn known_size(version: VersionId, hash: HashKind, committed: u64) -> Option<u64> {
	let is_known = committed != DraftVersion::SIZE_UNKNOWN || version == hash.of_no_data();
	is_known.then_some(committed)
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn no_size_is_known_only_for_the_version_without_data() {
		let other = VersionId([1; 32]);
		let [blake3, sha256] = HashKind::ALL;
		for (version, hash, known) in [
			(other, blake3, None),
			(other, sha256, None),
			(blake3.of_no_data(), blake3, Some(0)),
			(sha256.of_no_data(), sha256, Some(0)),
			(sha256.of_no_data(), blake3, None),
			(blake3.of_no_data(), sha256, None),
		] {
			assert_eq!(known_size(version, hash, 0), known, "{hash}");
			for size in [1, u64::MAX] {
				assert_eq!(known_size(version, hash, size), Some(size));
			}
		}
	}
}
