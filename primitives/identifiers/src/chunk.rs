// SPDX-License-Identifier: Apache-2.0
//! Verifies one chunk of a version by its path in the tree of BLAKE3.

use core::fmt;

use blake3::{
	hazmat::{merge_subtrees_non_root, merge_subtrees_root, HasherExt, Mode},
	Hasher,
};

use crate::VersionId;

/// Number of bytes of a chunk. The last chunk of a version may have fewer.
pub const CHUNK_LEN: usize = 1_024;

/// A chunk is not proven to be part of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChunkError {
	/// The version has fewer chunks.
	Index {
		/// Number of chunks of the version.
		chunks: u64,
		/// The index that was given.
		found: u64,
	},
	/// The chunk does not have the length that the size of the version requires.
	Length {
		/// The length of the chunk, in bytes.
		expected: usize,
		/// The length that was given, in bytes.
		found: usize,
	},
	/// The path of the chunk has another number of hashes.
	Path {
		/// The number of levels above the chunk.
		expected: usize,
		/// The number of hashes that were given.
		found: usize,
	},
	/// The chunk and the path do not lead to the version.
	Hash,
}

impl fmt::Display for ChunkError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Index { chunks, found } => {
				write!(f, "the version has {chunks} chunks, and there is none with index {found}")
			},
			Self::Length { expected, found } => {
				write!(f, "the chunk has {found} bytes, expected {expected}")
			},
			Self::Path { expected, found } => {
				write!(f, "the path of the chunk has {found} hashes, expected {expected}")
			},
			Self::Hash => f.write_str("the chunk and its path do not have the hash of the version"),
		}
	}
}

impl core::error::Error for ChunkError {}

/// Checks that `chunk` is the one with this index, from 0, of a version of `size` bytes whose id is
/// a [`Blake3`](crate::HashKind::Blake3) hash.
///
/// The path has the hash of the other side at each level, from the chunk to the root. A version of
/// at most 1 KiB, even one without data, has one chunk, whose path is empty.
pub fn verify_chunk(
	version: VersionId,
	size: u64,
	index: u64,
	chunk: &[u8],
	path: &[[u8; 32]],
) -> Result<(), ChunkError> {
	const LEN: u64 = CHUNK_LEN as u64;
	let chunks = size.div_ceil(LEN).max(1);
	if index >= chunks {
		return Err(ChunkError::Index { chunks, found: index });
	}
	let start = index * LEN;
	let expected = (size - start).min(LEN) as usize;
	if chunk.len() != expected {
		return Err(ChunkError::Length { expected, found: chunk.len() });
	}
	let Sides { levels, rights } = Sides::of(chunks, index);
	if path.len() != levels {
		return Err(ChunkError::Path { expected: levels, found: path.len() });
	}
	let root = match path.split_last() {
		None => blake3::hash(chunk),
		Some((last, lower)) => {
			let hash = Hasher::new().set_input_offset(start).update(chunk).finalize_non_root();
			let pair = |level, hash, other| match rights >> level & 1 {
				0 => (hash, other),
				_ => (other, hash),
			};
			let hash = lower.iter().enumerate().fold(hash, |hash, (level, other)| {
				let (left, right) = pair(level, hash, *other);
				merge_subtrees_non_root(&left, &right, Mode::Hash)
			});
			let (left, right) = pair(lower.len(), hash, *last);
			merge_subtrees_root(&left, &right, Mode::Hash)
		},
	};
	match *root.as_bytes() == version.0 {
		true => Ok(()),
		false => Err(ChunkError::Hash),
	}
}

/// The way from a chunk up to the root.
struct Sides {
	/// Number of levels, at most 54.
	levels: usize,
	/// The bit of a level is set where the way comes from the right. The lowest is the chunk's.
	rights: u64,
}

impl Sides {
	/// Walks down from the root. The left side of a tree is the largest whole tree, of a power of
	/// two of chunks, that leaves at least one chunk to the right.
	fn of(mut chunks: u64, mut index: u64) -> Self {
		let mut sides = Self { levels: 0, rights: 0 };
		while chunks > 1 {
			let left = 1 << (chunks - 1).ilog2();
			let is_right = index >= left;
			(chunks, index) = match is_right {
				true => (chunks - left, index - left),
				false => (left, index),
			};
			sides.rights = sides.rights << 1 | u64::from(is_right);
			sides.levels += 1;
		}
		sides
	}
}
