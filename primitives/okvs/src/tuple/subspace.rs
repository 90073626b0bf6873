// SPDX-License-Identifier: Apache-2.0
//! Keys that extend a tuple.

use alloc::vec::Vec;
use core::ops::Bound;

use super::{pack, pack_into, unpack_at, FromItems, Items, UnpackError, UnpackErrorKind};
use crate::KeyRange;

/// The keys of a tuple and of all tuples that extend it.
///
/// These are not simply the keys that begin with the tuple's bytes: `("a",)` is a prefix of
/// `("a\0b",)` in bytes but not in items. No item begins with `ff`, so the keys of a subspace with
/// prefix `p` are those from `p` up to `p ‖ ff`.
///
/// ```
/// use content_fabric_okvs::tuple::{pack, Subspace};
///
/// let tenant = Subspace::new(&("tenant", "a"));
/// let object = tenant.pack(&("object", 1));
/// assert!(tenant.contains(&object));
/// assert_eq!(tenant.unpack::<(&str, u8)>(&object)?, ("object", 1));
/// assert!(!tenant.contains(&pack(&("tenant", "a\0b"))));
/// # Ok::<_, content_fabric_okvs::tuple::UnpackError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subspace {
	prefix: Vec<u8>,
	/// The prefix, and `ff`.
	end: Vec<u8>,
}

impl Subspace {
	/// Returns the subspace of a tuple. The subspace of the empty tuple holds all packed keys.
	pub fn new<T: Items + ?Sized>(items: &T) -> Self {
		Self::with_prefix(pack(items))
	}

	/// Returns the subspace of this one's tuple extended by items.
	pub fn subspace<T: Items + ?Sized>(&self, items: &T) -> Self {
		Self::with_prefix(self.pack(items))
	}

	fn with_prefix(prefix: Vec<u8>) -> Self {
		let end = [prefix.as_slice(), &[0xff]].concat();
		Self { prefix, end }
	}

	/// Returns the key of the tuple itself, with which all others begin.
	pub fn prefix(&self) -> &[u8] {
		&self.prefix
	}

	/// Returns the key of the tuple extended by items.
	pub fn pack<T: Items + ?Sized>(&self, items: &T) -> Vec<u8> {
		let mut key = Vec::with_capacity(self.prefix.len() + items.capacity());
		key.extend_from_slice(&self.prefix);
		pack_into(items, &mut key);
		key
	}

	/// Unpacks the items by which a key extends the tuple. The position in an error counts bytes of
	/// the key.
	pub fn unpack<'a, T: FromItems<'a>>(&self, key: &'a [u8]) -> Result<T, UnpackError> {
		if !self.contains(key) {
			let at = self.prefix.iter().zip(key).take_while(|(byte, found)| byte == found).count();
			return Err(UnpackError { at, kind: UnpackErrorKind::Outside });
		}
		unpack_at(key, self.prefix.len())
	}

	/// Checks whether a key is in the subspace.
	pub fn contains(&self, key: &[u8]) -> bool {
		key.strip_prefix(self.prefix.as_slice()).is_some_and(|rest| rest.first() != Some(&0xff))
	}

	/// Returns the first key of the subspace, and the first one after it.
	pub fn range(&self) -> (&[u8], Vec<u8>) {
		(&self.prefix, self.end.clone())
	}
}

/// The keys of the subspace.
impl KeyRange for Subspace {
	fn start_bound(&self) -> Bound<&[u8]> {
		Bound::Included(&self.prefix)
	}

	fn end_bound(&self) -> Bound<&[u8]> {
		Bound::Excluded(&self.end)
	}
}
