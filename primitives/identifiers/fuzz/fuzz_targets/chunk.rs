// SPDX-License-Identifier: Apache-2.0
//! Any chunk with any path: refused, or the version is its hash. Any data: its only chunk is proven,
//! and its CID is read as it was written.

#![no_main]

use content_fabric_identifiers::{
	verify_chunk, ChunkError, Cid, HashKind, VersionCheck, VersionHasher, VersionId, CHUNK_LEN,
};
use libfuzzer_sys::fuzz_target;

type Input<'a> = ([u8; 32], u64, u64, Vec<[u8; 32]>, &'a [u8]);

fuzz_target!(|input: Input<'_>| {
	let (version, size, index, path, data) = input;
	let verified = verify_chunk(VersionId(version), size, index, data, &path);
	// Bytes that a fuzzer finds do not have a hash that it chose.
	assert!(verified.is_err());
	if !matches!(verified, Err(ChunkError::Hash)) {
		let is_fit = index == 0 && size == data.len() as u64 && size <= CHUNK_LEN as u64;
		assert!(!is_fit || !path.is_empty());
	}
	for hash in HashKind::ALL {
		let version = VersionHasher::hash(hash, data);
		let cid = Cid { hash, version };
		assert_eq!(cid.to_string().parse(), Ok(cid));
		let mut check = VersionCheck::new(version, HashKind::ALL);
		let (first, second) = data.split_at(index as usize % (data.len() + 1));
		check.update(first);
		check.update(second);
		assert_eq!(check.found(), Some(hash));
		let is_proven = verify_chunk(version, data.len() as u64, 0, data, &[]).is_ok();
		assert_eq!(is_proven, hash == HashKind::Blake3 && data.len() <= CHUNK_LEN);
	}
});
