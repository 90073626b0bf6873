//! Lists of what is stored, in pages.
//!
//! Storage is ordered by the hashes of the keys, and so are the lists. A page goes on after the key that
//! the page before told, which need not exist any more.

use alloc::vec::Vec;

use codec::{Decode, Encode};
use frame_support::storage::PrefixIterator;
use scale_info::TypeInfo;

use crate::{
	members::{Member, MemberKind},
	Config, Error,
};

/// Largest number of rows that one page is made of, whatever limit is asked for.
pub const MAX_PAGE_SIZE: u32 = 1_000;

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct Page<Key, Info> {
	/// The keys and what is stored under them.
	pub items: Vec<(Key, Info)>,
	/// The key to ask for the next page with; `None` if there is nothing more.
	pub next: Option<Key>,
}

impl<Key, Info> Page<Key, Info> {
	/// The page of a list that has nothing in it.
	pub(crate) fn empty() -> Self {
		Self { items: Vec::new(), next: None }
	}

	/// The same page with something made of each item.
	pub(crate) fn map<Made>(self, make: impl Fn(Info) -> Made) -> Page<Key, Made> {
		let items = self.items.into_iter().map(|(key, info)| (key, make(info))).collect();
		Page { items, next: self.next }
	}
}

/// The page of at most `limit` rows after the storage key `after`.
pub(crate) fn page<Key: Clone, Info>(
	rows: PrefixIterator<(Key, Info)>,
	after: Option<Vec<u8>>,
	limit: u32,
) -> Page<Key, Info> {
	page_of(rows, after, limit, |_| true)
}

/// The page of at most `limit` rows under a member. Under one that does not exist, or is being deleted,
/// there is nothing to be listed.
pub(crate) fn page_under<T: Config, K: MemberKind<T>, Key: Clone, Info>(
	member: Result<Member<T, K>, Error<T>>,
	rows: PrefixIterator<(Key, Info)>,
	after: Option<Vec<u8>>,
	limit: u32,
) -> Page<Key, Info> {
	match member {
		Ok(_) => page(rows, after, limit),
		Err(_) => Page::empty(),
	}
}

/// The page that is made of those rows that pass, of at most `limit` after the storage key `after`.
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
	Page { items, next }
}
