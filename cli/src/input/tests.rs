// SPDX-License-Identifier: Apache-2.0
//! Tests of whole inputs: files, compressed files, and what is refused.

use std::{fs, path::PathBuf};

use proptest::prelude::*;
use tempfile::TempDir;

use super::{
	compressed::{compress, Compression},
	*,
};

const COMPRESSIONS: [Compression; 3] = [Compression::Gzip, Compression::Xz, Compression::Lz4];

fn stanza(package: &str, version: &str, checksum: u8) -> String {
	let sha256 = hex::encode([checksum; 32]);
	format!("Package: {package}\nVersion: {version}\nSize: {checksum}\nSHA256: {sha256}\n\n")
}

fn lock_file() -> String {
	let source = "registry+https://github.com/rust-lang/crates.io-index";
	let checksum = hex::encode([1; 32]);
	format!(
		"version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"{source}\"\n\
		 checksum = \"{checksum}\"\n"
	)
}

/// A directory with files that are inputs.
struct Files(TempDir);

impl Files {
	fn new() -> Self {
		Self(tempfile::tempdir().expect("there is room for a directory"))
	}

	fn path(&self, name: &str) -> PathBuf {
		self.0.path().join(name)
	}

	fn write(&self, name: &str, data: impl AsRef<[u8]>) -> Input {
		let path = self.path(name);
		fs::write(&path, data).expect("there is room for a file");
		Input::Path(path)
	}
}

/// Reads an input that is refused. Returns the error's text.
fn refused(input: &Input, format: Option<Format>, source: Option<&str>) -> String {
	let error = read(input, format, source, false).expect_err("it is refused").to_string();
	assert_eq!(error.lines().count(), 1, "{error}");
	error
}

#[test]
fn the_format_is_guessed_from_the_name_or_the_first_stanza() {
	let files = Files::new();
	let index = stanza("a", "1", 1);
	for (name, text, format) in [
		("Cargo.lock", &lock_file(), Format::CargoLock),
		("Packages", &lock_file(), Format::CargoLock),
		("Packages", &index, Format::DebianPackages),
		("other", &format!("\n \n{index}"), Format::DebianPackages),
		("other", &format!("\u{feff}{index}"), Format::DebianPackages),
		("Cargo.lock", &format!("\u{feff}{}", lock_file()), Format::CargoLock),
	] {
		let plain = read(&files.write(name, text), None, None, false).expect("it is whole");
		assert_eq!((plain.format, plain.versions()), (format, 1), "{name}: {text}");
		for compression in COMPRESSIONS {
			let input = files.write(name, compress(compression, text.as_bytes()));
			assert_eq!(
				read(&input, None, None, false).expect("it is whole"),
				plain,
				"{compression}"
			);
		}
	}
	let error = refused(&files.write("Other.lock", &index), None, None);
	assert!(error.contains("Other.lock is not a whole Cargo.lock: "), "{error}");
	let error = refused(&files.write("Cargo.lock.gz", &index), None, None);
	assert!(error.contains("Cargo.lock.gz is not a whole Cargo.lock: "), "{error}");
	let error = refused(&files.write("Packages", &index), Some(Format::CargoLock), None);
	assert!(error.contains("Packages is not a whole Cargo.lock: "), "{error}");
	assert!(!error.contains("guessed"), "{error}");
}

#[test]
fn the_source_of_an_index_has_the_given_name_or_that_of_the_file() {
	let files = Files::new();
	let packed = compress(Compression::Xz, stanza("a", "1", 1).as_bytes());
	let input = files.write("Packages.xz", packed);
	for (source, name) in [(None, "Packages"), (Some("bookworm"), "bookworm")] {
		let content = read(&input, None, source, false).expect("it is an index");
		assert_eq!(content.registries.keys().collect::<Vec<_>>(), [name]);
	}
	let error = refused(&files.write("Cargo.lock", lock_file()), None, Some("a"));
	let expected = "Cargo.lock names its own sources: leave out --source, which is for a Packages \
	                index or a directory";
	assert!(error.ends_with(expected), "{error}");
}

#[test]
fn formats_and_directories_must_fit() {
	let files = Files::new();
	let input = files.write("Packages", stanza("a", "1", 1));
	let directory = Input::Path(files.0.path().into());
	let error = refused(&input, Some(Format::Directory), None);
	assert!(error.contains("Packages is not a directory: leave out --format"), "{error}");
	let error = refused(&Input::Stdin, Some(Format::Directory), None);
	assert!(error.starts_with("standard input is not a directory"), "{error}");
	for format in [Format::CargoLock, Format::DebianPackages] {
		let error = refused(&directory, Some(format), None);
		let expected = format!("is a directory, not a {}: leave out --format", format.name());
		assert!(error.ends_with(&expected), "{error}");
	}
	for format in [None, Some(Format::Directory)] {
		let content = read(&directory, format, None, false).expect("it has a file");
		assert_eq!((content.format, content.versions()), (Format::Directory, 1));
	}
}

#[test]
fn missing_and_foreign_files_are_refused_by_name() {
	let files = Files::new();
	let error = refused(&Input::Path(files.path("missing")), None, None);
	assert!(error.contains("missing cannot be read: No such file"), "{error}");
	let error = refused(&files.write("Packages.bz2", b"BZh91AY&SY\xff\xff"), None, None);
	let expected = "line 1 is not UTF-8 text; supported compressions are gzip, xz and LZ4";
	assert!(error.contains(expected), "{error}");
	let error = refused(&files.write("empty", ""), None, None);
	let expected =
		"empty is not a whole Cargo.lock: it lists no packages; the format was guessed: \
	                pass --format if it is another one";
	assert!(error.ends_with(expected), "{error}");
	let input = files.write("empty.gz", compress(Compression::Gzip, b"\n"));
	let error = refused(&input, Some(Format::DebianPackages), None);
	assert!(error.ends_with("is not a whole Packages index: it lists no packages"), "{error}");
}

#[test]
fn damaged_files_are_refused_with_their_name_and_compression() {
	let files = Files::new();
	let index = stanza("a", "1", 1);
	for (compression, name) in COMPRESSIONS.into_iter().zip(["gzip", "xz", "LZ4"]) {
		let packed = compress(compression, index.as_bytes());
		let expected = format!("Packages has damaged or cut-off {name} data, fetch it again: ");
		let error = refused(&files.write("Packages", &packed[..packed.len() - 3]), None, None);
		assert!(error.contains(&expected), "{error}");
		for more in [&b"m"[..], b"more than the length of a header"] {
			let damaged = [&packed[..], more].concat();
			let error = refused(&files.write("Packages", damaged), None, None);
			assert!(error.contains(&expected), "{error}");
		}
	}
}

#[test]
fn a_decompression_bomb_is_refused() {
	let files = Files::new();
	let bomb = [b"Package: a\nDescription: ".to_vec(), vec![b'a'; 16 << 20]].concat();
	let packed = compress(Compression::Gzip, &bomb);
	assert!(packed.len() < bomb.len() / 500);
	let error = refused(&files.write("Packages.gz", packed), None, None);
	let expected = "the stanza from line 1 on has more than 16777216 bytes when unpacked";
	assert!(error.contains(expected), "{error}");
}

/// Indexes in which names, versions and checksums repeat.
fn indexes() -> impl Strategy<Value = String> {
	let version = prop_oneof!["[0-9]{1,2}", "[0-9]:[0-9]~[a-c]", Just("1 2".to_owned())];
	let stanza = ("[ab]", version, 0..9_u8).prop_map(|(a, b, c)| stanza(&a, &b, c));
	prop::collection::vec(stanza, 1..40).prop_map(|stanzas| stanzas.concat())
}

proptest! {
	#![proptest_config(ProptestConfig::with_cases(64))]

	#[test]
	fn a_damaged_compressed_index_is_refused_or_has_the_same_content(
		index in indexes(),
		at: prop::sample::Index,
		mask in 1..=u8::MAX,
	) {
		let files = Files::new();
		let plain = read(&files.write("Packages", &index), None, None, false).expect("it is whole");
		for compression in COMPRESSIONS {
			let mut packed = compress(compression, index.as_bytes());
			let at = at.index(packed.len());
			packed[at] ^= mask;
			// Some bytes of a gzip header, such as the time, mean nothing. A repetition may also be
			// taken from another place with the same bytes.
			if let Ok(content) = read(&files.write("Packages", packed), None, None, false) {
				prop_assert_eq!(&content, &plain, "{:?}", compression);
			}
		}
	}

	#[test]
	fn releases_ascend_in_the_order_of_their_format(index in indexes()) {
		let files = Files::new();
		let content = read(&files.write("Packages", &index), None, None, false).expect("it is whole");
		for releases in content.registries.values().flat_map(|registry| registry.values()) {
			prop_assert!(!releases.is_empty());
			for pair in releases.windows(2) {
				let order = compare_versions(content.format, &pair[0].version, &pair[1].version);
				prop_assert!(order.is_some_and(|order| order.is_le()));
				prop_assert!(pair[0].checksum != pair[1].checksum);
			}
		}
	}
}
