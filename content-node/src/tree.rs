// SPDX-License-Identifier: Apache-2.0
//! The hash tree of a version whose id is a BLAKE3 hash, above groups of 16 KiB.
//!
//! The hashes of the groups are the lowest level. They form blocks of 512, each of which has one
//! hash in the next level. The highest level is one block, whose hash is the id of the version. The
//! parents within a block follow from its hashes, so they are not stored. An outboard is all levels,
//! the lowest first: 2 bytes per KiB.

use std::ops::Range;

use blake3::{
	hazmat::{merge_subtrees_non_root, merge_subtrees_root, ChainingValue, HasherExt, Mode},
	Hasher,
};

/// Number of bytes of a group. The last group of a version may have fewer.
pub const GROUP: u64 = 16 << 10;
/// Largest number of hashes of a block.
pub const BLOCK: u64 = 512;
/// Number of bytes of a hash.
const HASH: u64 = 32;

/// The hash of a group or of a tree above groups.
pub type Hash = ChainingValue;

/// The tree of a version of some size. A version of at most one group has no hashes but its id.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
	/// Number of bytes of the version.
	pub size: u64,
}

impl Tree {
	/// Returns the number of groups.
	pub fn groups(&self) -> u64 {
		self.size.div_ceil(GROUP)
	}

	/// Returns the place of the bytes of groups in the version.
	pub fn bytes(&self, groups: &Range<u64>) -> Range<u64> {
		let place = |group: u64| group.saturating_mul(GROUP).min(self.size);
		place(groups.start)..place(groups.end)
	}

	/// Returns the groups that have bytes of a part of the version.
	pub fn groups_of(part: &Range<u64>) -> Range<u64> {
		part.start / GROUP..part.end.div_ceil(GROUP)
	}

	/// Returns the number of hashes in each level, the lowest first.
	fn levels(&self) -> impl Iterator<Item = u64> {
		let above = |length: &u64| (*length > BLOCK).then(|| length.div_ceil(BLOCK));
		std::iter::successors(Some(self.groups()), above)
	}

	/// Returns the number of the highest level, from 0.
	pub fn top(&self) -> usize {
		self.levels().count() - 1
	}

	/// Returns the place of a block in the outboard, in bytes.
	pub fn block(&self, level: usize, index: u64) -> Range<u64> {
		let below: u64 = self.levels().take(level).sum();
		let length = self.levels().nth(level).unwrap_or_default();
		let first = index.saturating_mul(BLOCK).min(length);
		let end = first.saturating_add(BLOCK).min(length);
		(below + first) * HASH..(below + end) * HASH
	}

	/// Returns the number of bytes of the outboard.
	pub fn outboard(&self) -> u64 {
		self.levels().sum::<u64>() * HASH
	}

	/// Returns the hashes of a level that lead to groups.
	pub fn above(level: usize, groups: &Range<u64>) -> Range<u64> {
		let width = (0..level).fold(1u64, |width, _| width.saturating_mul(BLOCK));
		groups.start / width..groups.end.div_ceil(width)
	}

	/// Returns the number of bytes of the encoding of groups.
	pub fn encoded(&self, groups: &Range<u64>) -> u64 {
		let Range { start, end } = self.bytes(groups);
		parents(self.groups(), groups.start, groups.end) * 2 * HASH + (end - start)
	}
}

/// Returns the number of hashes on the left below a parent of several ones.
fn left(hashes: u64) -> u64 {
	1 << (hashes - 1).ilog2()
}

/// Returns the number of parents, in a tree above `all` groups, of those from `start` to `end`.
fn parents(all: u64, start: u64, end: u64) -> u64 {
	if start >= end || all < 2 {
		return 0;
	}
	if (start, end) == (0, all) {
		return all - 1;
	}
	let left = left(all);
	let of_right = parents(all - left, start.saturating_sub(left), end.saturating_sub(left));
	1 + parents(left, start.min(left), end.min(left)) + of_right
}

/// Returns the hash of a group, of a version that has several. It begins at this place.
pub fn group_hash(start: u64, bytes: &[u8]) -> Hash {
	Hasher::new().set_input_offset(start).update(bytes).finalize_non_root()
}

fn merge(left: &Hash, right: &Hash, is_root: bool) -> Hash {
	match is_root {
		true => *merge_subtrees_root(left, right, Mode::Hash).as_bytes(),
		false => merge_subtrees_non_root(left, right, Mode::Hash),
	}
}

/// Returns the hash above neighbours, which is the id of the version if they are all of a level.
pub fn fold(hashes: &[Hash], is_root: bool) -> Hash {
	if hashes.len() < 2 {
		return hashes.first().copied().unwrap_or_default();
	}
	let (left, right) = hashes.split_at(left(hashes.len() as u64) as usize);
	merge(&fold(left, false), &fold(right, false), is_root)
}

/// A step of the way through a tree, from each parent to the left and then to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
	/// The hashes on the left and on the right below a parent.
	Parent([Hash; 2]),
	/// A group, or the block of the level below, with this index.
	Child(u64),
}

/// Appends the steps from the top of a block to its hashes that are wanted. `first` is the
/// index of the first hash. Returns the hash of the block.
pub fn walk(hashes: &[Hash], first: u64, wanted: &Range<u64>, steps: &mut Vec<Step>) -> Hash {
	let end = first + hashes.len() as u64;
	if wanted.end <= first || end <= wanted.start {
		return fold(hashes, false);
	}
	if hashes.len() < 2 {
		steps.push(Step::Child(first));
		return fold(hashes, false);
	}
	let place = steps.len();
	steps.push(Step::Parent([Hash::default(); 2]));
	let (left, right) = hashes.split_at(left(hashes.len() as u64) as usize);
	let middle = first + left.len() as u64;
	let pair = [walk(left, first, wanted, steps), walk(right, middle, wanted, steps)];
	steps[place] = Step::Parent(pair);
	merge(&pair[0], &pair[1], false)
}

/// Returns the encoding of steps: the hashes of parents, and the bytes of groups, which are given
/// without gaps.
pub fn encode(steps: &[Step], groups: &[u8]) -> Vec<u8> {
	let parents = steps.iter().filter(|step| matches!(step, Step::Parent(_))).count();
	let mut encoded = Vec::with_capacity(groups.len() + parents * 2 * HASH as usize);
	let mut groups = groups.chunks(GROUP as usize);
	for step in steps {
		encoded.extend_from_slice(match step {
			Step::Parent(pair) => pair.as_flattened(),
			Step::Child(_) => groups.next().unwrap_or_default(),
		});
	}
	encoded
}

/// Returns the encoding of groups of a version that is all in memory.
pub fn encode_part(version: &[u8], groups: &Range<u64>) -> Vec<u8> {
	let pieces = (0..).step_by(GROUP as usize).zip(version.chunks(GROUP as usize));
	let hashes: Vec<_> = pieces.map(|(start, group)| group_hash(start, group)).collect();
	let mut steps = Vec::new();
	walk(&hashes, 0, groups, &mut steps);
	let part = Tree { size: version.len() as u64 }.bytes(groups);
	encode(&steps, &version[part.start as usize..part.end as usize])
}

/// Makes the outboard of bytes while it hashes them.
#[derive(Debug, Default)]
pub struct Builder {
	/// Of the present group, of which this many bytes are hashed.
	hasher: Hasher,
	hashed: u64,
	/// The place of the present group.
	start: u64,
	/// The hashes of the present block, and of the blocks before it.
	block: Vec<Hash>,
	blocks: Vec<Hash>,
	/// The part of the outboard that was not taken yet.
	outboard: Vec<u8>,
}

impl Builder {
	/// Adds bytes.
	pub fn update(&mut self, mut bytes: &[u8]) {
		while !bytes.is_empty() {
			if self.hashed == GROUP {
				self.end_group();
			}
			let length = bytes.len().min((GROUP - self.hashed) as usize);
			let (now, later) = bytes.split_at(length);
			self.hasher.update(now);
			self.hashed += length as u64;
			bytes = later;
		}
	}

	fn end_group(&mut self) {
		let hash = self.hasher.finalize_non_root();
		self.start += GROUP;
		self.hashed = 0;
		self.hasher = Hasher::new();
		self.hasher.set_input_offset(self.start);
		if self.block.len() as u64 == BLOCK {
			self.blocks.push(fold(&self.block, false));
			self.block.clear();
		}
		self.block.push(hash);
		self.outboard.extend_from_slice(&hash);
	}

	/// Takes the part of the outboard that has been made since.
	pub fn take(&mut self) -> Vec<u8> {
		std::mem::take(&mut self.outboard)
	}

	/// Ends the bytes. Returns their hash, and the rest of the outboard.
	pub fn finish(mut self) -> (Hash, Vec<u8>) {
		if self.start == 0 {
			// One group is its own root.
			return (self.hasher.finalize().into(), self.outboard);
		}
		self.end_group();
		if self.blocks.is_empty() {
			return (fold(&self.block, true), self.outboard);
		}
		let mut level = self.blocks;
		level.push(fold(&self.block, false));
		loop {
			self.outboard.extend(level.as_flattened());
			if level.len() as u64 <= BLOCK {
				return (fold(&level, true), self.outboard);
			}
			level = level.chunks(BLOCK as usize).map(|block| fold(block, false)).collect();
		}
	}
}

/// Returns the hashes in a part of an outboard.
pub fn hashes(outboard: &[u8]) -> Vec<Hash> {
	let (hashes, _) = outboard.as_chunks();
	hashes.to_vec()
}
