// SPDX-License-Identifier: Apache-2.0
//! Runtimes, as blobs: the one that chains are upgraded from, the present one, and others that are
//! made of the latter.

use std::path::Path;

use sp_crypto_hashing::blake2_256;
use sp_maybe_compressed_blob::{compress_strongly, decompress, CODE_BLOB_BOMB_LIMIT};
use subxt::ext::codec::Decode;

use crate::network::specification::{self, Top};

/// The file with the runtime that chains are upgraded from. See the README beside it.
const OLD: &str = "fixtures/upgrade/runtime-a1927ba.compact.compressed.wasm";
/// The name of the chain in the section of a blob in which nodes look for the runtime's version.
const VERSION_SECTION: &[u8] = b"\x0fruntime_version\x38content-fabric";
/// The same section of a chain with another name.
const OTHER_CHAIN: &[u8] = b"\x0fruntime_version\x38foreign-fabric";

/// Returns the runtime that chains are upgraded from.
pub fn old() -> Vec<u8> {
	let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(OLD);
	std::fs::read(path).expect("the fixture can be read")
}

/// Returns the present runtime: that of the node, with which it makes the chain `local`.
pub fn present() -> Vec<u8> {
	let mut specification = specification::local();
	Top::of(&mut specification).get(b":code").expect("every genesis has a runtime")
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

	/// As in the README beside the fixture.
	const SHA_256: &str = "f70f96700f469f8bb4bbb887632ffbd933d92417ffdf015a6b2b9dfb20576d0b";
	const BLAKE2B_256: &str = "bc12c84085d2db646ff5d7600353210ebda7ae6a08628247c843c87e381df7dd";

	#[test]
	fn the_old_runtime_is_the_one_that_its_readme_describes() {
		let old = old();
		assert_eq!(hex::encode(sp_crypto_hashing::sha2_256(&old)), SHA_256);
		assert_eq!(hex::encode(hash(&old)), BLAKE2B_256);
		let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/upgrade/README.md");
		let readme = std::fs::read_to_string(readme).expect("the fixture is described");
		assert!(readme.contains(SHA_256) && readme.contains(BLAKE2B_256));
	}

	#[test]
	fn other_blobs_of_a_runtime_differ_from_it() {
		let old = old();
		let repacked = repacked(&old);
		assert_ne!(repacked, old);
		assert!(code(&repacked).starts_with(&code(&old)));
		let other = of_another_chain(&old);
		assert_eq!(code(&other).len(), code(&old).len());
		assert_ne!(code(&other), code(&old));
	}
}
