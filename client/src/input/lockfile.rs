// SPDX-License-Identifier: Apache-2.0
//! Reads a `Cargo.lock` as content: which packages come from which registry, in which versions,
//! with which checksum.

use std::{
	collections::{BTreeMap, BTreeSet},
	io::Read,
};

use content_fabric_identifiers::VersionId;
use semver::Version;
use serde::Deserialize;

use super::{
	content::{escaped, Content, Format, Registry, Release, Unpublishable},
	FormatError,
};

/// Maximum number of bytes of a lock file.
const MAX_LEN: u64 = 256 * 1024 * 1024;
/// The last version of the format. The first two do not name theirs.
const LAST_VERSION: u32 = 4;
/// The kinds of sources whose packages have checksums.
const REGISTRIES: [&str; 4] = ["registry", "sparse", "local-registry", "directory"];

/// Checksums by version, which brings the versions of a package into their order.
type Checksums = BTreeMap<Version, VersionId>;

/// A lock file of any version of the format.
#[derive(Deserialize)]
struct LockFile {
	version: Option<u32>,
	/// The package of the file's own folder, which only the first version keeps apart.
	root: Option<Package>,
	#[serde(default, rename = "package")]
	packages: Vec<Package>,
	/// In the first version, the checksums by `checksum NAME VERSION (SOURCE)`.
	#[serde(default)]
	metadata: BTreeMap<String, toml::Value>,
}

/// A package of a lock file.
#[derive(Deserialize)]
struct Package {
	name: String,
	version: String,
	source: Option<String>,
	checksum: Option<String>,
	/// Each is a name, with a version and a source where there are several.
	#[serde(default)]
	dependencies: Vec<String>,
}

/// A package that has no checksum, and why it cannot be published.
enum Unlisted {
	/// It has no data of its own.
	Skipped(&'static str),
	/// It should have been published.
	Failed(&'static str),
}

/// Reads a lock file.
pub(super) fn parse(reader: impl Read) -> Result<Content, FormatError> {
	content(toml::from_str(&read_text(reader)?).map_err(|error| wrong(&error))?)
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
fn content(file: LockFile) -> Result<Content, FormatError> {
	let LockFile { version, root, packages, metadata } = file;
	let packages: Vec<_> = root.into_iter().chain(packages).collect();
	if let Some(version) = version.filter(|version| *version > LAST_VERSION) {
		let reason = format!("its version is {version}, and the last known one is {LAST_VERSION}");
		return Err(FormatError::LockFile { reason });
	}
	if packages.is_empty() {
		return Err(FormatError::Empty);
	}
	ensure_whole(&packages)?;

	let mut content = Content::new(Format::CargoLock);
	let mut registries = BTreeMap::<String, BTreeMap<String, Checksums>>::new();
	let mut known_checksums = BTreeSet::new();
	for package in packages {
		let Package { name, version, .. } = &package;
		let reason = match package.listed(&metadata) {
			Ok((source, version, checksum)) => {
				let known = registries.get(source).and_then(|names| names.get(name));
				if known.is_some_and(|checksums| checksums.contains_key(&version)) {
					"the lock file lists it twice"
				} else if known_checksums.insert((source.to_owned(), name.clone(), checksum)) {
					let registry = registries.entry(source.to_owned()).or_default();
					registry.entry(name.clone()).or_default().insert(version, checksum);
					continue;
				} else {
					"another version of it has the same checksum"
				}
			},
			Err(Unlisted::Failed(reason)) => reason,
			Err(Unlisted::Skipped(reason)) => {
				content.skipped.push(Unpublishable::new(name, Some(version), reason));
				continue;
			},
		};
		content.failed.push(Unpublishable::new(name, Some(version), reason));
	}
	content.registries =
		registries.into_iter().map(|(source, names)| (source, registry(names))).collect();
	Ok(content)
}

fn registry(names: BTreeMap<String, Checksums>) -> Registry {
	// A lock file gives no sizes.
	let release = |(version, checksum): (Version, _)| Release {
		version: version.to_string(),
		architecture: None,
		checksum,
		size: None,
	};
	names
		.into_iter()
		.map(|(name, checksums)| (name, checksums.into_iter().map(release).collect()))
		.collect()
}

impl Package {
	/// Returns the registry, the version and the checksum.
	fn listed(
		&self,
		metadata: &BTreeMap<String, toml::Value>,
	) -> Result<(&str, Version, VersionId), Unlisted> {
		let Self { name, version, source, checksum, .. } = self;
		let Some(source) = source else {
			return Err(Unlisted::Skipped("it has a path source, so there is no checksum"));
		};
		match source.split_once('+') {
			Some(("git", _)) => {
				return Err(Unlisted::Skipped("it has a git source, so there is no checksum"))
			},
			Some(("path", _)) => {
				return Err(Unlisted::Skipped("it has a path source, so there is no checksum"))
			},
			Some((kind, _)) if REGISTRIES.contains(&kind) => {},
			_ => return Err(Unlisted::Failed("its source is not of a known kind")),
		}
		let in_table = || metadata.get(&format!("checksum {name} {version} ({source})"))?.as_str();
		let checksum = match checksum.as_deref().or_else(in_table) {
			None | Some("<none>") => {
				return Err(Unlisted::Skipped("the lock file gives no checksum for it"))
			},
			Some(text) => text,
		};
		let mut bytes = [0; 32];
		hex::decode_to_slice(checksum, &mut bytes)
			.map_err(|_| Unlisted::Failed("its checksum is not a SHA-256 in 64 hex digits"))?;
		let version = Version::parse(version)
			.map_err(|_| Unlisted::Failed("its version is not one of SemVer"))?;
		if name.is_empty() {
			return Err(Unlisted::Failed("its name is empty"));
		}
		if name.contains(':') {
			return Err(Unlisted::Failed("its name has a colon, as only names of versions have"));
		}
		Ok((source, version, VersionId(bytes)))
	}
}

/// Checks that every dependency is in the file. Cargo writes all of them, so a missing one means
/// that the file was cut off.
fn ensure_whole(packages: &[Package]) -> Result<(), FormatError> {
	let names: BTreeSet<_> = packages.iter().map(|package| package.name.as_str()).collect();
	let versions: BTreeSet<_> =
		packages.iter().map(|package| (package.name.as_str(), package.version.as_str())).collect();
	for package in packages {
		for dependency in &package.dependencies {
			let mut parts = dependency.split_whitespace();
			let name = parts.next().unwrap_or_default();
			let is_listed = match parts.next() {
				Some(version) => versions.contains(&(name, version)),
				None => names.contains(name),
			};
			if !is_listed {
				let named: Vec<_> = dependency.split_whitespace().take(2).collect();
				let reason = format!(
					"{} {} depends on {}, which is not in the file",
					package.name,
					package.version,
					named.join(" ")
				);
				return Err(FormatError::LockFile { reason: escaped(&reason) });
			}
		}
	}
	Ok(())
}

/// Returns an error in one line. TOML errors point into the text on further lines; the first says
/// where.
fn wrong(error: &toml::de::Error) -> FormatError {
	let text = error.to_string();
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

	/// A file of the first format: packages, and the table of their checksums.
	fn first_format(packages: &[String], checksums: &[(&str, &str, &str)]) -> String {
		let line = |(name, source, checksum): &(&str, &str, &str)| {
			format!("\"checksum {name} 1.0.0 ({source})\" = \"{checksum}\"\n")
		};
		let lines: String = checksums.iter().map(line).collect();
		format!("{}[metadata]\n{lines}", packages.concat())
	}

	#[test]
	fn the_first_format_keeps_checksums_in_a_table_of_their_own() {
		let (other, git) = ("registry+https://example.com/index", "git+https://example.com/a#0123");
		let [first, second] = [7, 8].map(|byte| hex::encode([byte; 32]));
		let packages = [CRATES_IO, other, git].map(|from| package("a", "1.0.0", Some(from), None));
		let sums = [("a", git, "<none>"), ("a", CRATES_IO, &first[..]), ("a", other, &second)];
		// The order of the sources has no effect, neither in the list nor in the table.
		for turn in 0..3 {
			let (mut packages, mut sums) = (packages.clone(), sums);
			packages.rotate_left(turn);
			for _ in 0..3 {
				sums.rotate_left(1);
				let content = read(&first_format(&packages, &sums)).expect("it is a lock file");
				assert_eq!((content.registries.len(), content.failed.len()), (2, 0));
				assert_eq!(content.registries[CRATES_IO]["a"][0].checksum, VersionId([7; 32]));
				assert_eq!(content.registries[other]["a"][0].checksum, VersionId([8; 32]));
				assert_eq!(content.skipped.len(), 1);
				assert_eq!(
					content.skipped[0].reason,
					"it has a git source, so there is no checksum"
				);
			}
		}
	}

	#[test]
	fn the_first_format_has_a_root_on_which_members_may_depend() {
		let root = "[root]\nname = \"whole\"\nversion = \"0.1.0\"\ndependencies = [\n \"a 1.0.0 \
		            (registry+https://github.com/rust-lang/crates.io-index)\",\n]\n\n";
		let member = package("member", "0.2.0", None, None)
			.replace("\n\n", "\ndependencies = [\n \"whole 0.1.0\",\n]\n\n");
		let checksum = hex::encode([7; 32]);
		let rest = |packages: &[String]| {
			format!("{root}{}", first_format(packages, &[("a", CRATES_IO, &checksum)]))
		};
		let a = package("a", "1.0.0", Some(CRATES_IO), None);
		let content = read(&rest(&[a, member.clone()])).expect("it is a lock file");
		assert_eq!(content.registries[CRATES_IO]["a"][0].checksum, VersionId([7; 32]));
		let skipped: Vec<_> = content.skipped.iter().map(|item| item.name.as_str()).collect();
		assert_eq!(skipped, ["whole", "member"]);
		// The dependencies of the root count, too.
		let error = read(&rest(&[member])).expect_err("a is missing").to_string();
		assert_eq!(error, "whole 0.1.0 depends on a 1.0.0, which is not in the file");
		let alone = "[root]\nname = \"whole\"\nversion = \"0.1.0\"\n";
		assert_eq!(read(alone).expect("it has no dependencies").skipped.len(), 1);
	}

	#[test]
	fn one_bad_package_fails_alone() {
		let good = package("good", "1.0.0", Some(CRATES_IO), Some(1));
		let short = package("short", "1.0.0", Some(CRATES_IO), Some(2)).replace("0202", "02");
		let odd = package("odd", "1.0.0", Some("ftp://example.com"), Some(3));
		let loose = package("loose", "1.0", Some(CRATES_IO), Some(4));
		let first = first_format(
			&[package("old", "1.0.0", Some(CRATES_IO), None)],
			&[("old", CRATES_IO, "no hex")],
		);
		for (bad, reason) in [
			(short, "its checksum is not a SHA-256 in 64 hex digits"),
			(odd, "its source is not of a known kind"),
			(loose, "its version is not one of SemVer"),
			(first, "its checksum is not a SHA-256 in 64 hex digits"),
			(package("", "1.0.0", Some(CRATES_IO), Some(5)), "its name is empty"),
			(
				package("a:1.0.0", "1.0.0", Some(CRATES_IO), Some(6)),
				"its name has a colon, as only names of versions have",
			),
		] {
			let content = read(&format!("{good}{bad}")).expect("it is a lock file");
			assert_eq!(content.registries[CRATES_IO]["good"][0].checksum, VersionId([1; 32]));
			assert_eq!((content.versions(), content.failed.len()), (1, 1), "{bad}");
			assert_eq!(content.failed[0].reason, reason);
		}
	}

	#[test]
	fn formats_of_the_future_are_refused() {
		let text = lock(&[package("a", "1.0.0", Some(CRATES_IO), Some(1))]);
		for version in 1..=4 {
			assert!(read(&text.replace("version = 4", &format!("version = {version}"))).is_ok());
		}
		let error = read(&text.replace("version = 4", "version = 5")).expect_err("it is unknown");
		assert_eq!(error.to_string(), "its version is 5, and the last known one is 4");
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
