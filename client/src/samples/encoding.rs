// SPDX-License-Identifier: Apache-2.0
//! The encoding in which content nodes send verified bytes, written like its definition.

use blake3::{
	hazmat::{merge_subtrees_non_root, HasherExt, Mode},
	Hasher,
};

/// Number of bytes of a group.
pub const GROUP: usize = 16 << 10;

/// Returns the encoding of the groups that have the bytes from `first` to `last` of some data.
pub fn encoded(data: &[u8], first: usize, last: usize) -> Vec<u8> {
	let mut encoded = Vec::new();
	encode(data, 0, (first / GROUP * GROUP, last), &mut encoded);
	encoded
}

/// Splits data of more than one group: on the left is the largest power of two of groups that leaves
/// some to the right.
fn sides(data: &[u8]) -> Option<(&[u8], &[u8])> {
	let groups = data.len().div_ceil(GROUP);
	(groups > 1).then(|| data.split_at(groups.next_power_of_two() / 2 * GROUP))
}

/// Returns the hash of a side that begins at a byte.
fn side(data: &[u8], start: usize) -> [u8; 32] {
	match sides(data) {
		None => Hasher::new().set_input_offset(start as u64).update(data).finalize_non_root(),
		Some((left, right)) => merge_subtrees_non_root(
			&side(left, start),
			&side(right, start + left.len()),
			Mode::Hash,
		),
	}
}

fn encode(data: &[u8], start: usize, (first, last): (usize, usize), encoded: &mut Vec<u8>) {
	if !data.is_empty() && (start > last || start + data.len() <= first) {
		return;
	}
	let Some((left, right)) = sides(data) else {
		encoded.extend_from_slice(data);
		return;
	};
	let middle = start + left.len();
	encoded.extend_from_slice(&side(left, start));
	encoded.extend_from_slice(&side(right, middle));
	encode(left, start, (first, last), encoded);
	encode(right, middle, (first, last), encoded);
}
