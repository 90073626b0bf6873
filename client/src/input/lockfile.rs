// SPDX-License-Identifier: Apache-2.0
//! Reads a `Cargo.lock` as content: which packages come from which registry, in which versions,
//! with which checksum.

use std::{
	collections::{BTreeMap, BTreeSet},
	io::Read,
};

use cargo_lock::{Checksum, Lockfile, Package, Version};
use content_fabric_identifiers::VersionId;

use super::{
	content::{escaped, Content, Format, Registry, Release, Unpublishable},
	FormatError,
};

/// Maximum number of bytes of a lock file.
const MAX_LEN: u64 = 256 * 1024 * 1024;

/// Checksums by version, which brings the versions of a package into their order.
type Checksums = BTreeMap<Version, VersionId>;

/// Reads a lock file.
pub(super) fn parse(reader: impl Read) -> Result<Content, FormatError> {
	content(read_text(reader)?.parse().map_err(|error: cargo_lock::Error| wrong(&error))?)
}

/// Reads a text that fits into memory.
fn read_text(reader: impl Read) -> Result<String, FormatError> {
	let mut text = Vec::new();
	let count = reader.take(MAX_LEN + 1).read_to_end(&mut text)?;
	if count as u64 > MAX_LEN {
		return Err(FormatError::TooLarge { what: "the lock file", line: 1, limit: MAX_LEN });
	}
	String::from_utf8(text).map_err(|error| {
		let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
		FormatError::NotText { line: 1 + valid.iter().filter(|byte| **byte == b'\n').count() }
	})
}

/// Returns the content of a lock file.
fn content(file: Lockfile) -> Result<Content, FormatError> {
	if file.packages.is_empty() {
		return Err(FormatError::Empty);
	}
	ensure_whole(&file)?;

	let mut content = Content::new(Format::CargoLock);
	let mut registries = BTreeMap::<String, BTreeMap<String, Checksums>>::new();
	let mut known_checksums = BTreeSet::new();
	for package in file.packages {
		let name = package.name.to_string();
		let version = package.version.to_string();
		let reason = match publishable(&package) {
			Ok((source, checksum)) => {
				let known = registries.get(&source).and_then(|names| names.get(&name));
				if known.is_some_and(|checksums| checksums.contains_key(&package.version)) {
					"the lock file lists it twice"
				} else if known_checksums.insert((source.clone(), name.clone(), checksum)) {
					let registry = registries.entry(source).or_default();
					registry.entry(name).or_default().insert(package.version, checksum);
					continue;
				} else {
					"another version of it has the same checksum"
				}
			},
			Err(reason) => {
				content.skipped.push(Unpublishable::new(&name, Some(&version), reason));
				continue;
			},
		};
		content.failed.push(Unpublishable::new(&name, Some(&version), reason));
	}
	content.registries =
		registries.into_iter().map(|(source, names)| (source, registry(names))).collect();
	Ok(content)
}

fn registry(names: BTreeMap<String, Checksums>) -> Registry {
	// A lock file gives no sizes.
	let release = |(version, checksum): (Version, _)| Release {
		version: version.to_string(),
		checksum,
		size: None,
	};
	names
		.into_iter()
		.map(|(name, checksums)| (name, checksums.into_iter().map(release).collect()))
		.collect()
}

/// Returns a package's registry and checksum, or the reason why it has none.
fn publishable(package: &Package) -> Result<(String, VersionId), &'static str> {
	let source = package.source.as_ref().ok_or("it has a path source, so there is no checksum")?;
	if source.is_git() {
		return Err("it has a git source, so there is no checksum");
	}
	match package.checksum {
		Some(Checksum::Sha256(checksum)) => Ok((source.to_string(), VersionId(checksum))),
		None => Err("the lock file gives no checksum for it"),
	}
}

/// Checks that every dependency is in the file. Cargo writes all of them, so a missing one means
/// that the file was cut off.
fn ensure_whole(file: &Lockfile) -> Result<(), FormatError> {
	let listed: BTreeSet<_> =
		file.packages.iter().map(|package| (&package.name, &package.version)).collect();
	for package in &file.packages {
		for dependency in &package.dependencies {
			if !listed.contains(&(&dependency.name, &dependency.version)) {
				let reason = format!(
					"{} {} depends on {} {}, which is not in the file",
					package.name, package.version, dependency.name, dependency.version
				);
				return Err(FormatError::LockFile { reason });
			}
		}
	}
	Ok(())
}

/// Returns an error in one line. TOML errors point into the text on further lines; the first says
/// where.
fn wrong(error: &cargo_lock::Error) -> FormatError {
	let text = error.to_string();
	// The crate wraps its own errors.
	let text = text.trim_start_matches("parse error: ");
	let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
	let cause = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
	let reason = match cause == line {
		true => escaped(line.trim()),
		false => escaped(&format!("{}: {}", line.trim(), cause.trim())),
	};
	FormatError::LockFile { reason }
}

#[cfg(test)]
mod tests {
	use super::*;

	fn read(text: &str) -> Result<Content, FormatError> {
		parse(text.as_bytes())
	}

	const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

	fn package(name: &str, version: &str, source: Option<&str>, checksum: Option<u8>) -> String {
		let mut text = format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n");
		if let Some(source) = source {
			text += &format!("source = \"{source}\"\n");
		}
		if let Some(byte) = checksum {
			text += &format!("checksum = \"{}\"\n", hex::encode([byte; 32]));
		}
		text + "\n"
	}

	fn lock(packages: &[String]) -> String {
		format!("version = 4\n\n{}", packages.concat())
	}

	#[test]
	fn packages_are_grouped_by_registry_and_name_and_versions_ascend() {
		let other = "registry+https://example.com/index";
		let content = read(&lock(&[
			package("a", "1.10.0", Some(CRATES_IO), Some(1)),
			package("a", "1.9.0", Some(CRATES_IO), Some(2)),
			package("a", "1.10.0-rc.1", Some(CRATES_IO), Some(3)),
			package("a", "1.0.0", Some(other), Some(1)),
			package("b", "0.1.0+meta", Some("sparse+https://example.com/"), Some(4)),
		]))
		.expect("it is a lock file");
		assert_eq!((content.packages(), content.versions()), (3, 5));
		assert_eq!(content.failed, []);
		let releases = &content.registries[CRATES_IO]["a"];
		let versions: Vec<_> = releases.iter().map(|release| release.version.as_str()).collect();
		assert_eq!(versions, ["1.9.0", "1.10.0-rc.1", "1.10.0"]);
		assert_eq!(content.registries[other]["a"][0].checksum, VersionId([1; 32]));
		assert_eq!(content.registries["sparse+https://example.com/"].len(), 1);
	}

	#[test]
	fn packages_without_a_checksum_are_skipped_and_duplicates_fail() {
		let git =
			"git+https://example.com/a.git?branch=main#0123456789abcdef0123456789abcdef01234567";
		let content = read(&lock(&[
			package("path", "1.0.0", None, None),
			package("git", "1.0.0", Some(git), None),
			package("bare", "1.0.0", Some(CRATES_IO), None),
			package("twice", "1.0.0", Some(CRATES_IO), Some(1)),
			package("twice", "2.0.0", Some(CRATES_IO), Some(1)),
			package("twice", "1.0.0", Some(CRATES_IO), Some(2)),
		]))
		.expect("it is a lock file");
		assert_eq!(content.versions(), 1);
		fn reasons(items: &[Unpublishable]) -> Vec<(&str, &str)> {
			items.iter().map(|item| (item.name.as_str(), item.reason.as_str())).collect()
		}
		assert_eq!(
			reasons(&content.skipped),
			[
				("path", "it has a path source, so there is no checksum"),
				("git", "it has a git source, so there is no checksum"),
				("bare", "the lock file gives no checksum for it"),
			]
		);
		assert_eq!(
			reasons(&content.failed),
			[
				("twice", "another version of it has the same checksum"),
				("twice", "the lock file lists it twice"),
			]
		);
	}

	#[test]
	fn the_first_format_keeps_checksums_in_a_table_of_their_own() {
		let text = format!(
			"{}[metadata]\n\"checksum a 1.0.0 ({CRATES_IO})\" = \"{}\"\n",
			package("a", "1.0.0", Some(CRATES_IO), None),
			hex::encode([7; 32])
		);
		let content = read(&text).expect("it is a lock file");
		assert_eq!(content.registries[CRATES_IO]["a"][0].checksum, VersionId([7; 32]));
	}

	#[test]
	fn other_files_and_cut_off_ones_are_refused_in_one_line() {
		let whole = lock(&[package("a", "1.0.0", Some(CRATES_IO), Some(1))]);
		let cut = &whole[..whole.len() - 10];
		let versioned = whole.replace("checksum", "dependencies = [\n \"b 1.0.0\",\n]\nchecksum");
		let unversioned = whole.replace("checksum", "dependencies = [\n \"b\",\n]\nchecksum");
		for (text, named) in [
			("", "it lists no packages"),
			("version = 4\n", "it lists no packages"),
			("not toml", "line 1"),
			("[package]\nname = \"a\"\nversion = \"1.0.0\"\n", "invalid type"),
			(cut, "line"),
			(&versioned, "a 1.0.0 depends on b 1.0.0, which is not in the file"),
			(&unversioned, "b"),
		] {
			let error = read(text).expect_err("it is not a whole lock file").to_string();
			assert!(error.contains(named), "{text:?}: {error}");
			assert_eq!(error.lines().count(), 1, "{error}");
		}
	}

	#[test]
	fn a_real_lock_file_is_read_whole_and_refused_where_it_is_cut() {
		let text = include_str!("../../../Cargo.lock");
		for end in (0..text.len()).step_by(9_973) {
			assert!(read(&text[..end]).is_err(), "cut at {end}");
		}
		let content = read(text).expect("this workspace's own lock file is whole");
		assert!(content.versions() > 1_000);
	}

	#[test]
	fn a_lock_file_has_a_limit_and_is_text() {
		let error = parse(std::io::repeat(b'\n')).expect_err("it does not end");
		let expected = "the lock file from line 1 on has more than 268435456 bytes when unpacked";
		assert_eq!(error.to_string(), expected);
		let error = parse(&b"version = 4\n# \xff\n"[..]).expect_err("it is not text");
		assert!(matches!(error, FormatError::NotText { line: 2 }), "{error}");
	}
}
