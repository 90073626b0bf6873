// SPDX-License-Identifier: Apache-2.0
//! Runtimes, as blobs: the present one, the next one, and others that are made of these.

use sp_crypto_hashing::blake2_256;
use sp_maybe_compressed_blob::{compress_strongly, decompress, CODE_BLOB_BOMB_LIMIT};
use subxt::ext::codec::Decode;

use crate::network::Specification;

/// The environment variable with the path of the next runtime.
const DRILL: &str = "DRILL_RUNTIME";
/// The name of the chain in the section of a blob in which nodes look for the runtime's version.
const VERSION_SECTION: &[u8] = b"\x0fruntime_version\x38content-fabric";
/// The same section of a chain with another name.
const OTHER_CHAIN: &[u8] = b"\x0fruntime_version\x38foreign-fabric";

/// Returns the next runtime, with a stepped migration and a call that takes longer than its weight.
pub fn drill() -> Vec<u8> {
	let path = std::env::var_os(DRILL);
	let path = path.unwrap_or_else(|| panic!("{DRILL} names no runtime: run scripts/faults"));
	std::fs::read(path).expect("the runtime can be read")
}

/// Returns the present runtime, with which the node makes the chain `local`.
pub fn present() -> Vec<u8> {
	Specification::local().code()
}

/// Returns the hash by which a chain authorizes a blob.
pub fn hash(blob: &[u8]) -> [u8; 32] {
	blake2_256(blob)
}

fn code(blob: &[u8]) -> Vec<u8> {
	decompress(blob, CODE_BLOB_BOMB_LIMIT).expect("blobs can be decompressed").into_owned()
}

/// Returns another blob with the same code and the same version: it has one more section, which
/// nothing reads.
pub fn repacked(blob: &[u8]) -> Vec<u8> {
	let mut code = code(blob);
	// A section of the custom kind, whose name has 8 bytes.
	code.extend(b"\x00\x09\x08repacked");
	compress_strongly(&code, CODE_BLOB_BOMB_LIMIT).expect("the blob is not too large")
}

/// Returns a blob with the same code that claims to be of another chain.
pub fn of_another_chain(blob: &[u8]) -> Vec<u8> {
	patched(blob, |section| section[..OTHER_CHAIN.len()].copy_from_slice(OTHER_CHAIN))
}

/// Returns a blob with the same code that claims to have a higher version.
pub fn newer(blob: &[u8]) -> Vec<u8> {
	patched(blob, |section| {
		let version = &mut section[VERSION_SECTION.len()..];
		let mut rest = &version[..];
		String::decode(&mut rest).expect("the name of the implementation comes first");
		u32::decode(&mut rest).expect("the version of its authoring comes next");
		let at = version.len() - rest.len();
		version[at] += 1;
	})
}

/// Returns a blob whose section with the version, from its name on, is changed.
fn patched(blob: &[u8], change: impl FnOnce(&mut [u8])) -> Vec<u8> {
	let mut code = code(blob);
	let places: Vec<_> = code
		.windows(VERSION_SECTION.len())
		.enumerate()
		.filter_map(|(at, bytes)| (bytes == VERSION_SECTION).then_some(at))
		.collect();
	let [at] = places[..] else { panic!("{} sections with a version", places.len()) };
	change(&mut code[at..]);
	compress_strongly(&code, CODE_BLOB_BOMB_LIMIT).expect("the blob is not too large")
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn other_blobs_of_a_runtime_differ_from_it() {
		let present = present();
		let repacked = repacked(&present);
		assert_ne!(repacked, present);
		assert!(code(&repacked).starts_with(&code(&present)));
		for other in [of_another_chain(&present), newer(&present)] {
			assert_eq!(code(&other).len(), code(&present).len());
			assert_ne!(code(&other), code(&present));
		}
	}
}
