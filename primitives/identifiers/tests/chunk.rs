// SPDX-License-Identifier: Apache-2.0
//! One chunk of a version and its path, against BLAKE3's own vectors and paths that are made here.

mod common;

use blake3::hazmat::{merge_subtrees_non_root, HasherExt, Mode};
use common::{list, text, vectors};
use content_fabric_identifiers::{verify_chunk, ChunkError, VersionId, CHUNK_LEN};
use proptest::prelude::*;

/// Returns the data of BLAKE3's vectors.
fn data(size: usize) -> Vec<u8> {
	(0..=250).cycle().take(size).collect()
}

fn id(data: &[u8]) -> VersionId {
	VersionId(*blake3::hash(data).as_bytes())
}

/// Splits data of more than one chunk: the left side has the largest power of two of chunks that is
/// less than their number.
fn sides(data: &[u8]) -> Option<(&[u8], &[u8])> {
	let chunks = data.len().div_ceil(CHUNK_LEN);
	(chunks > 1).then(|| data.split_at(chunks.next_power_of_two() / 2 * CHUNK_LEN))
}

/// Returns the hash of a side that begins at a byte.
fn side(data: &[u8], start: usize) -> [u8; 32] {
	match sides(data) {
		None => {
			blake3::Hasher::new().set_input_offset(start as u64).update(data).finalize_non_root()
		},
		Some((left, right)) => merge_subtrees_non_root(
			&side(left, start),
			&side(right, start + left.len()),
			Mode::Hash,
		),
	}
}

/// Returns the path of the chunk at a byte, of data that begin at a byte.
fn path(data: &[u8], start: usize, at: usize) -> Vec<[u8; 32]> {
	let Some((left, right)) = sides(data) else { return Vec::new() };
	let middle = start + left.len();
	let (mut path, other) = match at < middle {
		true => (path(left, start, at), side(right, middle)),
		false => (path(right, middle, at), side(left, start)),
	};
	path.push(other);
	path
}

/// Returns each chunk of data with its path.
fn chunks(data: &[u8]) -> Vec<(&[u8], Vec<[u8; 32]>)> {
	let mut chunks: Vec<_> = data.chunks(CHUNK_LEN).collect();
	if chunks.is_empty() {
		chunks.push(&[]);
	}
	let starts = (0..).step_by(CHUNK_LEN);
	chunks.into_iter().zip(starts).map(|(chunk, at)| (chunk, path(data, 0, at))).collect()
}

#[test]
fn each_chunk_of_the_vectors_of_blake3_is_proven() {
	for case in list(&vectors("blake3")["cases"]) {
		let size = case["size"].as_u64().expect("a size");
		let hash = hex::decode(text(&case["hash"])).expect("hex digits");
		let version = VersionId(hash.try_into().expect("32 bytes"));
		let data = data(size as usize);
		for (index, (chunk, path)) in (0..).zip(chunks(&data)) {
			let verified = verify_chunk(version, size, index, chunk, &path);
			assert_eq!(verified, Ok(()), "chunk {index} of {size} bytes");
		}
	}
}

#[test]
fn what_does_not_fit_the_size_is_refused_before_it_is_hashed() {
	let data = data(3 * CHUNK_LEN + 7);
	let (version, size, all) = (id(&data), data.len() as u64, chunks(&data));
	let (chunk, path) = (all[2].0, &all[2].1[..]);
	let check = |size, index, chunk: &[u8], path: &[[u8; 32]]| {
		verify_chunk(version, size, index, chunk, path)
	};
	assert_eq!(check(size, 2, chunk, path), Ok(()));
	for index in [4, 5, u64::MAX] {
		let error = Err(ChunkError::Index { chunks: 4, found: index });
		assert_eq!(check(size, index, chunk, path), error);
	}
	let expected = CHUNK_LEN;
	for found in [0, 1, CHUNK_LEN - 1, CHUNK_LEN + 1, 2 * CHUNK_LEN] {
		let error = Err(ChunkError::Length { expected, found });
		assert_eq!(check(size, 2, &data[..found], path), error);
	}
	let error = Err(ChunkError::Length { expected: 7, found: CHUNK_LEN });
	assert_eq!(check(size, 3, chunk, path), error);
	let longer = [path, path].concat();
	for other in [&path[..0], &path[..1], &longer[..3], &longer] {
		let error = Err(ChunkError::Path { expected: 2, found: other.len() });
		assert_eq!(check(size, 2, chunk, other), error);
	}
	// In a tree of five chunks the last one is right below the root.
	let five = 4 * CHUNK_LEN as u64 + 1;
	let error = Err(ChunkError::Path { expected: 1, found: 2 });
	assert_eq!(check(five, 4, &[1], path), error);
	// The root of a tree is not the hash of a chunk, nor is a path of no levels one of two chunks.
	let error = Err(ChunkError::Path { expected: 0, found: 2 });
	assert_eq!(check(CHUNK_LEN as u64, 0, chunk, path), error);
	let texts = [
		(ChunkError::Index { chunks: 4, found: 9 }, "4 chunks, and there is none with index 9"),
		(ChunkError::Length { expected: 7, found: 8 }, "the chunk has 8 bytes, expected 7"),
		(ChunkError::Path { expected: 2, found: 1 }, "has 1 hashes, expected 2"),
		(ChunkError::Hash, "do not have the hash of the version"),
	];
	for (error, text) in texts {
		assert!(error.to_string().contains(text), "{error}");
	}
}

#[test]
fn the_largest_sizes_have_54_levels() {
	let path = [[0; 32]; 54];
	let version = VersionId([0; 32]);
	let last = u64::MAX / CHUNK_LEN as u64;
	let whole = verify_chunk(version, u64::MAX, 0, &[0; CHUNK_LEN], &path);
	assert_eq!(whole, Err(ChunkError::Hash));
	let end = verify_chunk(version, u64::MAX, last, &[0; CHUNK_LEN - 1], &path);
	assert_eq!(end, Err(ChunkError::Hash));
	let beyond = verify_chunk(version, u64::MAX, last + 1, &[0; CHUNK_LEN], &path);
	assert_eq!(beyond, Err(ChunkError::Index { chunks: last + 1, found: last + 1 }));
}

proptest! {
	#[test]
	fn a_chunk_is_proven_at_its_place_alone(
		size in 0..40_000usize,
		other_size in 0..40_000u64,
		at: prop::sample::Index,
		bit: prop::sample::Index,
	) {
		let data = data(size);
		let (version, size, all) = (id(&data), size as u64, chunks(&data));
		let index = at.index(all.len());
		let (chunk, path) = &all[index];
		prop_assert_eq!(verify_chunk(version, size, index as u64, chunk, path), Ok(()));
		for other in (0..all.len()).filter(|other| *other != index) {
			prop_assert!(verify_chunk(version, size, other as u64, chunk, path).is_err());
		}
		// Of another size, only a chunk that is whole and has the same way up is the same.
		if verify_chunk(version, other_size, index as u64, chunk, path).is_ok() {
			let levels = |size: u64| size.div_ceil(1_024).max(1).next_power_of_two();
			prop_assert!(size == other_size || levels(size) == levels(other_size));
		}
		// No bit of the chunk, the path and the id can be another one.
		let bits = 8 * (chunk.len() + 32 * path.len() + 32);
		let (byte, mask) = (bit.index(bits) / 8, 1 << (bit.index(bits) % 8));
		let (mut chunk, mut path, mut version) = (chunk.to_vec(), path.clone(), version);
		let (in_chunk, in_path) = (chunk.len(), chunk.len() + 32 * path.len());
		match byte {
			byte if byte < in_chunk => chunk[byte] ^= mask,
			byte if byte < in_path => path[(byte - in_chunk) / 32][(byte - in_chunk) % 32] ^= mask,
			byte => version.0[byte - in_path] ^= mask,
		}
		let verified = verify_chunk(version, size, index as u64, &chunk, &path);
		prop_assert_eq!(verified, Err(ChunkError::Hash));
	}
}
