// SPDX-License-Identifier: Apache-2.0
//! Files with the code of a runtime.

use std::{fs::File, io::Read, path::Path};

use blake2::{digest::consts::U32, Blake2b, Digest};
use codec::Decode;
use scale_decode::DecodeAsType;
use serde::Serialize;
use sp_maybe_compressed_blob::{decompress, CODE_BLOB_BOMB_LIMIT};
use wasmparser::{Parser, Payload};

use crate::Error;

/// Maximum size of a runtime's file, in bytes. A node makes blocks of up to 4 MiB and 512 bytes, so a
/// transaction with more code would wait without end.
const MAX_LEN: u64 = 4 << 20;
/// The section of the code that has its version.
const VERSION_SECTION: &str = "runtime_version";

#[derive(Clone, Debug, PartialEq, Eq, Decode, DecodeAsType, Serialize)]
pub struct Version {
	pub spec_name: String,
	#[serde(skip)]
	impl_name: String,
	#[serde(skip)]
	authoring_version: u32,
	pub spec_version: u32,
}

pub struct Blob {
	/// The code as it stands in the file, which may be compressed.
	pub code: Vec<u8>,
	pub version: Version,
}

impl Blob {
	/// Reads a file, and checks that it has the code of a runtime.
	pub fn read(path: &Path) -> Result<Self, Error> {
		let path_shown = path.display();
		Self::try_read(path).map_err(|reason| {
			Error::Usage(format!("{path_shown} is not the code of a runtime: {reason}"))
		})
	}

	fn try_read(path: &Path) -> Result<Self, String> {
		let file = File::open(path).map_err(|error| error.to_string())?;
		let mut code = Vec::new();
		file.take(MAX_LEN + 1).read_to_end(&mut code).map_err(|error| error.to_string())?;
		if code.len() as u64 > MAX_LEN {
			return Err(format!(
				"it has more than {MAX_LEN} bytes, which no block has room for. Take the compressed file"
			));
		}
		let version = version(&code)?;
		Ok(Self { code, version })
	}

	/// Returns the BLAKE2b-256 hash of the code, by which it is authorized.
	pub fn hash(&self) -> [u8; 32] {
		Blake2b::<U32>::digest(&self.code).into()
	}
}

fn version(code: &[u8]) -> Result<Version, String> {
	let wasm = decompress(code, CODE_BLOB_BOMB_LIMIT)
		.map_err(|_| "it cannot be decompressed: it is damaged, or too large".to_owned())?;
	for payload in Parser::new(0).parse_all(&wasm) {
		match payload.map_err(|_| "it is not WebAssembly, or only a part of it".to_owned())? {
			Payload::CustomSection(section) if section.name() == VERSION_SECTION => {
				return Version::decode(&mut section.data())
					.map_err(|_| format!("its section {VERSION_SECTION} does not decode"));
			},
			_ => continue,
		}
	}
	Err(format!("it has no section {VERSION_SECTION}"))
}

#[cfg(test)]
mod tests {
	use codec::Encode;

	use super::*;

	/// Returns WASM with one custom section.
	fn wasm(name: &str, data: &[u8]) -> Vec<u8> {
		let length = |bytes: &[u8]| u8::try_from(bytes.len()).expect("the section is short");
		let content = [&[length(name.as_bytes())], name.as_bytes(), data].concat();
		[b"\0asm\x01\0\0\0".as_slice(), &[0, length(&content)], &content].concat()
	}

	fn read(code: &[u8]) -> Result<Version, String> {
		let file = tempfile::NamedTempFile::new().expect("a file is made");
		std::fs::write(file.path(), code).expect("there is room for a file");
		Blob::read(file.path()).map(|blob| blob.version).map_err(|error| {
			let text = error.to_string();
			assert!(text.contains(&file.path().display().to_string()), "{text}");
			text
		})
	}

	fn encoded(version: u32) -> Vec<u8> {
		("fabric", "impl", 1u32, version, 2u32).encode()
	}

	#[test]
	fn the_version_stands_in_a_section_of_the_code() {
		let version = read(&wasm(VERSION_SECTION, &encoded(7))).expect("it is a runtime");
		assert_eq!((version.spec_name.as_str(), version.spec_version), ("fabric", 7));
	}

	#[test]
	fn other_files_are_refused_with_a_reason() {
		let compressed = [82, 188, 83, 118, 70, 219, 142, 5, 1, 2, 3];
		let large = vec![0; MAX_LEN as usize + 1];
		for (code, reason) in [
			(b"".to_vec(), "it is not WebAssembly, or only a part of it"),
			(b"no code".to_vec(), "it is not WebAssembly"),
			(compressed.to_vec(), "it cannot be decompressed"),
			(wasm("name", &encoded(7)), "no section runtime_version"),
			(large, "Take the compressed file"),
			(wasm(VERSION_SECTION, &[1, 2]), "does not decode"),
		] {
			let error = read(&code).expect_err("the file is not a runtime");
			assert!(error.contains(reason), "{error}");
		}
		assert!(Blob::read(Path::new("/no/such/file")).is_err());
	}
}
