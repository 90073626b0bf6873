//! Reads a `Cargo.lock` as content: which packages come from which registry, in which versions,
//! with which hash.

use std::collections::{BTreeMap, BTreeSet};

use cargo_lock::{Checksum, Lockfile, Package, Version};

use crate::content::{Content, Format, Registry, Release};

/// Checksums by version, which brings the versions of a package into their order.
type Checksums = BTreeMap<Version, [u8; 32]>;

/// Reads a lock file's text. An error says in one line why it is not a whole lock file.
pub fn parse(text: &str) -> Result<Content, String> {
	let file: Lockfile = text.parse().map_err(|error: cargo_lock::Error| first_line(&error))?;
	if file.packages.is_empty() {
		return Err("it lists no packages".into());
	}
	ensure_whole(&file)?;

	let mut content = Content::new(Format::CargoLock);
	let mut registries = BTreeMap::<String, BTreeMap<String, Checksums>>::new();
	let mut hashes = BTreeSet::new();
	for package in file.packages {
		let name = package.name.to_string();
		let reason = match publishable(&package) {
			Ok((source, checksum)) => {
				let known = registries.get(&source).and_then(|names| names.get(&name));
				if known.is_some_and(|checksums| checksums.contains_key(&package.version)) {
					"the lock file lists it twice"
				} else if hashes.insert((source.clone(), name.clone(), checksum)) {
					let registry = registries.entry(source).or_default();
					registry.entry(name).or_default().insert(package.version, checksum);
					continue;
				} else {
					"another version of it has the same checksum"
				}
			},
			Err(reason) => reason,
		};
		content.skip(&name, &package.version.to_string(), reason);
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
fn publishable(package: &Package) -> Result<(String, [u8; 32]), &'static str> {
	let source = package.source.as_ref().ok_or("it has a path source, so there is no checksum")?;
	if source.is_git() {
		return Err("it has a git source, so there is no checksum");
	}
	match package.checksum {
		Some(Checksum::Sha256(checksum)) => Ok((source.to_string(), checksum)),
		None => Err("the lock file gives no checksum for it"),
	}
}

/// Checks that every dependency is in the file. Cargo writes all of them, so a missing one means
/// that the file was cut off.
fn ensure_whole(file: &Lockfile) -> Result<(), String> {
	let listed: BTreeSet<_> =
		file.packages.iter().map(|package| (&package.name, &package.version)).collect();
	for package in &file.packages {
		for dependency in &package.dependencies {
			if !listed.contains(&(&dependency.name, &dependency.version)) {
				return Err(format!(
					"{} {} depends on {} {}, which is not in the file",
					package.name, package.version, dependency.name, dependency.version
				));
			}
		}
	}
	Ok(())
}

/// Returns an error in one line. TOML errors point into the text on further lines; the first says
/// where.
fn first_line(error: &cargo_lock::Error) -> String {
	let text = error.to_string();
	// The crate wraps its own errors.
	let text = text.trim_start_matches("parse error: ");
	let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
	let cause = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
	if cause == line {
		line.trim().to_owned()
	} else {
		format!("{}: {}", line.trim(), cause.trim())
	}
}

#[cfg(test)]
mod tests {
	use super::*;

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
		let content = parse(&lock(&[
			package("a", "1.10.0", Some(CRATES_IO), Some(1)),
			package("a", "1.9.0", Some(CRATES_IO), Some(2)),
			package("a", "1.10.0-rc.1", Some(CRATES_IO), Some(3)),
			package("a", "1.0.0", Some(other), Some(1)),
			package("b", "0.1.0+meta", Some("sparse+https://example.com/"), Some(4)),
		]))
		.expect("it is a lock file");
		assert_eq!((content.packages(), content.versions()), (3, 5));
		assert_eq!(content.skipped, []);
		let releases = &content.registries[CRATES_IO]["a"];
		let versions: Vec<_> = releases.iter().map(|release| release.version.as_str()).collect();
		assert_eq!(versions, ["1.9.0", "1.10.0-rc.1", "1.10.0"]);
		assert_eq!(content.registries[other]["a"][0].checksum, [1; 32]);
		assert_eq!(content.registries["sparse+https://example.com/"].len(), 1);
	}

	#[test]
	fn what_has_no_checksum_of_its_own_is_skipped_with_the_reason() {
		let git =
			"git+https://example.com/a.git?branch=main#0123456789abcdef0123456789abcdef01234567";
		let content = parse(&lock(&[
			package("path", "1.0.0", None, None),
			package("git", "1.0.0", Some(git), None),
			package("bare", "1.0.0", Some(CRATES_IO), None),
			package("twice", "1.0.0", Some(CRATES_IO), Some(1)),
			package("twice", "2.0.0", Some(CRATES_IO), Some(1)),
			package("twice", "1.0.0", Some(CRATES_IO), Some(2)),
		]))
		.expect("it is a lock file");
		assert_eq!(content.versions(), 1);
		let skipped: Vec<_> =
			content.skipped.iter().map(|s| (s.name.as_str(), s.reason.as_str())).collect();
		assert_eq!(
			skipped,
			[
				("path", "it has a path source, so there is no checksum"),
				("git", "it has a git source, so there is no checksum"),
				("bare", "the lock file gives no checksum for it"),
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
		let content = parse(&text).expect("it is a lock file");
		assert_eq!(content.registries[CRATES_IO]["a"][0].checksum, [7; 32]);
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
			let error = parse(text).expect_err("it is not a whole lock file");
			assert!(error.contains(named), "{text:?}: {error}");
			assert_eq!(error.lines().count(), 1, "{error}");
		}
	}

	#[test]
	fn a_real_lock_file_is_read_whole_and_refused_where_it_is_cut() {
		let text = include_str!("../../Cargo.lock");
		for end in (0..text.len()).step_by(9_973) {
			assert!(parse(&text[..end]).is_err(), "cut at {end}");
		}
		let content = parse(text).expect("this workspace's own lock file is whole");
		assert!(content.versions() > 1_000);
	}
}
