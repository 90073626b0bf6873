// SPDX-License-Identifier: Apache-2.0
//! Verifies the bytes of a version while they arrive, in groups of 16 KiB.
//!
//! A BLAKE3 hash is the root of a tree. Nodes send its bao encoding: two hashes for each fork of the
//! tree, before all groups below it, and the bytes of each group. Both are compared with the hash
//! that is known from above, so only the hashes on the path to the next group are kept.

use blake3::{
	hazmat::{merge_subtrees_non_root, merge_subtrees_root, HasherExt, Mode},
	Hasher,
};
use content_fabric_identifiers::VersionId;

use super::NodeError;
use crate::text::grouped;

/// Number of bytes of a group. The last one of a version may have fewer.
pub(super) const GROUP: u64 = 16 << 10;
/// Number of bytes of two hashes.
const FORK: usize = 64;

/// A group, or several that are below one fork of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
	pub start: u64,
	pub size: u64,
	hash: [u8; 32],
	is_root: bool,
}

/// The steps through an encoding: forks and groups.
pub(super) struct Groups {
	/// The first byte of the first group, and the one after the last group.
	first: u64,
	end: u64,
	/// The parts to come. The next one is the last.
	ahead: Vec<Part>,
	/// The parts before the first group, all of which are known once it is there.
	before: Vec<Part>,
}

impl Groups {
	/// Begins to verify the groups from one byte to another, both inclusive, of a version of `size`
	/// bytes.
	pub(super) fn new(version: VersionId, size: u64, first: u64, last: u64) -> Self {
		let root = Part { start: 0, size, hash: version.0, is_root: true };
		let end = (last / GROUP).saturating_add(1).saturating_mul(GROUP).min(size);
		Self { first: first / GROUP * GROUP, end, ahead: vec![root], before: Vec::new() }
	}

	/// Returns the number of bytes that the next step takes, or `None` after the last one.
	pub(super) fn wants(&mut self) -> Option<usize> {
		while let Some(part) = self.ahead.last().copied() {
			if part.is_within(self.first, self.end) {
				return Some(if part.is_group() { len(part.size) } else { FORK });
			}
			self.ahead.pop();
			if part.start < self.first {
				self.before.push(part);
			}
		}
		None
	}

	/// Takes the bytes of a step. Returns where they begin, if they are a group.
	pub(super) fn verify(&mut self, bytes: &[u8]) -> Result<Option<u64>, NodeError> {
		let Some(part) = self.ahead.pop() else { return Ok(None) };
		if part.is_group() {
			let is_right = part.has(|hasher| {
				hasher.update(bytes);
			});
			return if is_right { Ok(Some(part.start)) } else { Err(other(part, "")) };
		}
		let Some((Ok(left), Ok(right))) = bytes
			.split_at_checked(FORK / 2)
			.map(|(left, right)| (left.try_into(), right.try_into()))
		else {
			return Err(other(part, "hashes of "));
		};
		let found = match part.is_root {
			true => *merge_subtrees_root(&left, &right, Mode::Hash).as_bytes(),
			false => merge_subtrees_non_root(&left, &right, Mode::Hash),
		};
		if found != part.hash {
			return Err(other(part, "hashes of "));
		}
		let middle = part.left();
		let (start, is_root) = (part.start, false);
		let size = part.size - middle;
		self.ahead.push(Part { start: start + middle, size, hash: right, is_root });
		self.ahead.push(Part { start, size: middle, hash: left, is_root });
		Ok(None)
	}

	/// Returns the parts before the first group.
	pub(super) fn before(&self) -> &[Part] {
		&self.before
	}

	/// Returns the number of bytes of the encoding, before the first step.
	pub(super) fn encoded_len(&self) -> u64 {
		let parts = self.ahead.iter();
		parts.map(|part| part.encoded_len(self.first, self.end)).fold(0, u64::saturating_add)
	}
}

impl Part {
	fn end(&self) -> u64 {
		self.start + self.size
	}

	/// Returns whether a part has bytes of a range. The empty version is one without bytes.
	fn is_within(&self, first: u64, end: u64) -> bool {
		self.size == 0 || (self.start < end && self.end() > first)
	}

	fn is_group(&self) -> bool {
		self.size <= GROUP
	}

	/// Returns the number of bytes on the left of a fork: the largest power of two of groups that
	/// leaves some to the right.
	fn left(&self) -> u64 {
		(self.size.div_ceil(GROUP).next_power_of_two() / 2) * GROUP
	}

	/// Returns whether bytes have the hash of the part, by what gives them to the hasher.
	pub(super) fn has(&self, feed: impl FnOnce(&mut Hasher)) -> bool {
		let mut hasher = Hasher::new();
		hasher.set_input_offset(self.start);
		feed(&mut hasher);
		let found = match self.is_root {
			true => hasher.finalize().into(),
			false => hasher.finalize_non_root(),
		};
		found == self.hash
	}

	fn encoded_len(&self, first: u64, end: u64) -> u64 {
		let fork = FORK as u64;
		if !self.is_within(first, end) {
			return 0;
		}
		if self.is_group() || (first <= self.start && self.end() <= end) {
			let forks = self.size.div_ceil(GROUP).saturating_sub(1);
			return self.size.saturating_add(forks.saturating_mul(fork));
		}
		let middle = self.left();
		let left = Self { size: middle, ..*self };
		let right = Self { start: self.start + middle, size: self.size - middle, ..*self };
		let below = left.encoded_len(first, end).saturating_add(right.encoded_len(first, end));
		below.saturating_add(fork)
	}
}

/// Returns the error of a step that does not have the hash from above.
fn other(part: Part, of: &str) -> NodeError {
	let Some(last) = part.end().checked_sub(1) else {
		return NodeError::OtherBytes("nothing, but the version is not empty".into());
	};
	let [first, last] = [part.start, last].map(|at| grouped(at.into()));
	NodeError::OtherBytes(format!("{of}bytes {first} to {last} that are not the version's"))
}

fn len(size: u64) -> usize {
	usize::try_from(size).unwrap_or(usize::MAX)
}
