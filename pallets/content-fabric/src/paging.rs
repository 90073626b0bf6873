// SPDX-License-Identifier: Apache-2.0
//! Lists of rows, in pages.
//!
//! Storage is ordered by the hashes of the keys, and so are the lists. A page continues after the
//! last key of the page before, even if that row has been removed since.
//!
//! Pages are for readers outside the chain. No call and no hook reads one, because no weight
//! accounts for walking over rows that the same block removed.

use alloc::vec::Vec;

use codec::{Decode, Encode};
use content_fabric_identifiers::Muid;
use frame_support::storage::PrefixIterator;
use scale_info::TypeInfo;

/// Largest number of rows in a page.
pub const MAX_PAGE_SIZE: u32 = 1_000;

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct Page<Key, Info> {
	/// Creation time of the member with these rows. If two pages differ in it, they are of
	/// different incarnations. `None` if the member does not exist or is being purged, and in lists
	/// with rows of several members.
	pub created: Option<Muid>,
	/// The keys and values of the rows.
	pub items: Vec<(Key, Info)>,
	/// The key to pass as `after` to continue, or `None` at the end of the list.
	pub next: Option<Key>,
}

impl<Key, Info> Page<Key, Info> {
	/// Returns an empty page.
	pub(crate) fn empty() -> Self {
		Self { created: None, items: Vec::new(), next: None }
	}

	/// Returns the page with another value for each row.
	pub(crate) fn map<Made>(self, make: impl Fn(Info) -> Made) -> Page<Key, Made> {
		let items = self.items.into_iter().map(|(key, info)| (key, make(info))).collect();
		Page { created: self.created, items, next: self.next }
	}
}

/// Returns at most `limit` rows after the storage key `after`.
pub(crate) fn page<Key: Clone, Info>(
	rows: PrefixIterator<(Key, Info)>,
	after: Option<Vec<u8>>,
	limit: u32,
) -> Page<Key, Info> {
	page_of(rows, after, limit, |_| true)
}

/// Reads at most `limit` rows after the storage key `after`. Returns those that pass.
pub(crate) fn page_of<Key: Clone, Info>(
	mut rows: PrefixIterator<(Key, Info)>,
	after: Option<Vec<u8>>,
	limit: u32,
	passes: impl Fn(&Info) -> bool,
) -> Page<Key, Info> {
	if let Some(after) = after {
		rows.set_last_raw_key(after);
	}
	let limit = limit.clamp(1, MAX_PAGE_SIZE);
	let (mut items, mut last) = (Vec::new(), None);
	for (key, info) in rows.by_ref().take(limit as usize) {
		last = Some(key.clone());
		if passes(&info) {
			items.push((key, info));
		}
	}
	let next = last.filter(|_| rows.next().is_some());
	Page { created: None, items, next }
}
