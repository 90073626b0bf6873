// SPDX-License-Identifier: Apache-2.0
//! The held versions that were looked up last. A look into the file takes about as long as reading
//! a small object.

use std::sync::Mutex;

use content_fabric_identifiers::VersionId;
use schnellru::{ByLength, LruMap};

use super::{locked, Changed, Held};

/// Largest number of versions that are remembered: about 3 MiB.
const MOST: u32 = 32_768;

/// Remembers held versions until the record changes.
#[derive(Debug)]
pub(super) struct Lately(Mutex<Known>);

#[derive(Debug)]
struct Known {
	/// Number of changes of the record.
	changes: u64,
	held: LruMap<VersionId, Held>,
}

impl Lately {
	pub fn new() -> Self {
		Self(Mutex::new(Known { changes: 0, held: LruMap::new(ByLength::new(MOST)) }))
	}

	/// Returns a version that is known, or reads it.
	pub fn held(
		&self,
		version: VersionId,
		read: impl FnOnce() -> Changed<Option<Held>>,
	) -> Changed<Option<Held>> {
		let changes = {
			let mut known = locked(&self.0);
			if let Some(held) = known.held.get(&version) {
				return Ok(Some(*held));
			}
			known.changes
		};
		let found = read()?;
		if let Some(held) = found {
			let mut known = locked(&self.0);
			// The record may have changed since it was read.
			if known.changes == changes {
				known.held.insert(version, held);
			}
		}
		Ok(found)
	}

	/// Forgets all versions, after the record has changed.
	pub fn forget(&self) {
		let mut known = locked(&self.0);
		known.changes = known.changes.wrapping_add(1);
		known.held.clear();
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::HashKind;

	use super::*;

	const A: VersionId = VersionId([1; 32]);

	fn of(size: u64) -> Held {
		Held { hash: HashKind::Blake3, size, is_damaged: false, gone: None }
	}

	fn known(lately: &Lately) -> Option<u64> {
		let read = lately.held(A, || Ok(None)).expect("nothing fails");
		read.map(|held| held.size)
	}

	#[test]
	fn a_version_is_read_once_between_two_changes() {
		let lately = Lately::new();
		assert_eq!(known(&lately), None);
		let found = lately.held(A, || Ok(Some(of(1)))).expect("nothing fails");
		assert_eq!(found, Some(of(1)));
		assert_eq!(known(&lately), Some(1));
		lately.forget();
		assert_eq!(known(&lately), None);
	}

	#[test]
	fn what_was_read_before_a_change_is_not_remembered() {
		let lately = Lately::new();
		let read = || {
			lately.forget();
			Ok(Some(of(1)))
		};
		assert_eq!(lately.held(A, read).expect("nothing fails"), Some(of(1)));
		assert_eq!(known(&lately), None);
	}
}
