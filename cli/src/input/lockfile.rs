// SPDX-License-Identifier: Apache-2.0
//! Reads a `Cargo.lock` as content: which packages come from which registry, in which versions,
//! with which checksum.

use std::{
	collections::{btree_map::Entry, BTreeMap, BTreeSet},
	fmt::Display,
	io::Read,
};

use content_fabric_identifiers::VersionId;
use hex::FromHex;
use semver::Version;
use serde::Deserialize;
use toml::Value;

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
	root: Option<Value>,
	#[serde(default, rename = "package")]
	packages: Vec<Value>,
	/// In the first version, the checksums by `checksum NAME VERSION (SOURCE)`.
	metadata: Option<Value>,
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

/// A package that is not published, and the reason.
#[derive(Debug)]
enum Unlisted {
	/// It has no data of its own.
	Skipped(&'static str),
	/// It should have been published.
	Failed(String),
}

pub(super) fn parse(reader: impl Read) -> Result<Content, FormatError> {
	let file = toml::from_str(&read_text(reader)?);
	content(file.map_err(|error: toml::de::Error| FormatError::LockFile(one_line(&error)))?)
}

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

fn content(file: LockFile) -> Result<Content, FormatError> {
	let LockFile { version, root, packages, metadata } = file;
	let items: Vec<_> = root.into_iter().chain(packages).collect();
	if let Some(version) = version.filter(|version| *version > LAST_VERSION) {
		let reason = format!("its version is {version}, and the last known one is {LAST_VERSION}");
		return Err(FormatError::LockFile(reason));
	}
	if items.is_empty() {
		return Err(FormatError::Empty);
	}
	let named: BTreeSet<_> = items
		.iter()
		.filter_map(|item| Some((text(item, "name")?, text(item, "version"))))
		.collect();

	let mut content = Content::new(Format::CargoLock);
	let mut registries = BTreeMap::<String, BTreeMap<String, Checksums>>::new();
	let mut known_checksums = BTreeSet::new();
	for (index, item) in items.iter().enumerate() {
		let listed = Package::read(item, &named).and_then(|package| {
			let (version, checksum) = package.listed(metadata.as_ref())?;
			let Package { name, source, .. } = package;
			let source = source.unwrap_or_default();
			let registry = registries.entry(source.clone()).or_default();
			let checksums = registry.entry(name.clone()).or_default();
			let reason = match checksums.entry(version) {
				Entry::Occupied(_) => "the lock file lists it twice",
				Entry::Vacant(place) if known_checksums.insert((source, name, checksum)) => {
					place.insert(checksum);
					return Ok(());
				},
				Entry::Vacant(_) => "another version of it has the same checksum",
			};
			Err(Unlisted::Failed(reason.into()))
		});
		let unlisted = |reason: &str| {
			let nameless = || format!("package {} of the file", index + 1);
			let name = text(item, "name").map_or_else(nameless, str::to_owned);
			Unpublishable::new(&name, text(item, "version"), reason)
		};
		match listed {
			Ok(()) => {},
			Err(Unlisted::Failed(reason)) => content.failed.push(unlisted(&reason)),
			Err(Unlisted::Skipped(reason)) => content.skipped.push(unlisted(reason)),
		}
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

/// Returns a text of an item of a lock file, if it has it.
fn text<'a>(item: &'a Value, key: &str) -> Option<&'a str> {
	item.get(key)?.as_str()
}

impl Package {
	/// Reads an item, whose dependencies must be among the named packages with their versions.
	/// Cargo writes all of them, so a missing one means that the file was cut off.
	fn read(item: &Value, named: &BTreeSet<(&str, Option<&str>)>) -> Result<Self, Unlisted> {
		let failed = |error: toml::de::Error| Unlisted::Failed(one_line(&error));
		let package = Self::deserialize(item.clone()).map_err(failed)?;
		for dependency in &package.dependencies {
			let words: Vec<_> = dependency.split_whitespace().take(2).collect();
			let is_listed = match words[..] {
				[name, version] => {
					named.contains(&(name, Some(version))) || named.contains(&(name, None))
				},
				[name] => named.range((name, None)..).next().is_some_and(|next| next.0 == name),
				_ => false,
			};
			if !is_listed {
				let words = words.join(" ");
				let reason = format!("it depends on `{words}`, which is not in the file");
				return Err(Unlisted::Failed(reason));
			}
		}
		Ok(package)
	}

	/// Returns the version and the checksum of a package from a registry.
	fn listed(&self, metadata: Option<&Value>) -> Result<(Version, VersionId), Unlisted> {
		let failed = |reason: &str| Unlisted::Failed(reason.into());
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
			_ => return Err(failed("its source is not of a known kind")),
		}
		let in_table = metadata
			.and_then(|table| table.get(format!("checksum {name} {version} ({source})")))
			.map(|checksum| checksum.as_str().unwrap_or("not a text"));
		let checksum = match (checksum.as_deref(), in_table) {
			(Some(own), Some(other)) if !own.eq_ignore_ascii_case(other) => {
				return Err(failed("the lock file gives two checksums for it"))
			},
			(None | Some("<none>"), None | Some("<none>")) => {
				return Err(failed("the lock file gives no checksum for it"))
			},
			(own, other) => own.or(other).unwrap_or_default(),
		};
		let bytes = FromHex::from_hex(checksum)
			.map_err(|_| failed("its checksum is not a SHA-256 in 64 hex digits"))?;
		let version =
			Version::parse(version).map_err(|_| failed("its version is not one of SemVer"))?;
		if name.is_empty() {
			return Err(failed("its name is empty"));
		}
		if name.contains(':') {
			return Err(failed("its name has a colon, as only names of versions have"));
		}
		Ok((version, VersionId(bytes)))
	}
}

/// Returns an error in one line. TOML errors point into the text on further lines; the first says
/// where.
fn one_line(error: &impl Display) -> String {
	let text = error.to_string();
	let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
	let cause = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
	match cause == line {
		true => escaped(line.trim()),
		false => escaped(&format!("{}: {}", line.trim(), cause.trim())),
	}
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
		assert_eq!((content.names().len(), content.versions()), (3, 5));
		assert_eq!(content.failed, []);
		let releases = &content.registries[CRATES_IO]["a"];
		let versions: Vec<_> = releases.iter().map(|release| release.version.as_str()).collect();
		assert_eq!(versions, ["1.9.0", "1.10.0-rc.1", "1.10.0"]);
		assert_eq!(content.registries[other]["a"][0].checksum, VersionId([1; 32]));
		assert_eq!(content.registries["sparse+https://example.com/"].len(), 1);
	}

	#[test]
	fn packages_without_data_of_their_own_are_skipped_and_duplicates_fail() {
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
		let version = Some("1.0.0");
		let skipped: Vec<_> = content.skipped.iter().map(Unpublishable::parts).collect();
		assert_eq!(
			skipped,
			[
				("path", version, "it has a path source, so there is no checksum"),
				("git", version, "it has a git source, so there is no checksum"),
			]
		);
		assert_eq!(
			content.failures(),
			[
				("bare", version, "the lock file gives no checksum for it"),
				("twice", Some("2.0.0"), "another version of it has the same checksum"),
				("twice", version, "the lock file lists it twice"),
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
		let content = read(&rest(&[member])).expect("it is a lock file");
		let reason = "it depends on `a 1.0.0`, which is not in the file";
		assert_eq!(content.failures(), [("whole", Some("0.1.0"), reason)]);
		let alone = "[root]\nname = \"whole\"\nversion = \"0.1.0\"\n";
		assert_eq!(read(alone).expect("it has no dependencies").skipped.len(), 1);
	}

	#[test]
	fn one_bad_package_fails_alone() {
		let good = package("good", "1.0.0", Some(CRATES_IO), Some(1));
		let short = package("short", "1.0.0", Some(CRATES_IO), Some(2)).replace("0202", "02");
		let odd = package("odd", "1.0.0", Some("ftp://example.com"), Some(3));
		let loose = package("loose", "1.0", Some(CRATES_IO), Some(4));
		let old = [package("old", "1.0.0", Some(CRATES_IO), None)];
		let first = first_format(&old, &[("old", CRATES_IO, "no hex")]);
		let none = first_format(&old, &[("old", CRATES_IO, "<none>")]);
		let other = hex::encode([8; 32]);
		let two = [package("two", "1.0.0", Some(CRATES_IO), Some(7))];
		let two = first_format(&two, &[("two", CRATES_IO, &other)]);
		let bare = package("bare", "1.0.0", Some(CRATES_IO), None);
		let with = |line: &str| package("odd", "1.0.0", Some(CRATES_IO), None) + line + "\n";
		let nameless = "[[package]]\nversion = \"1.0.0\"\n";
		for (bad, reason) in [
			(bare.clone(), "the lock file gives no checksum for it"),
			(bare.clone() + "[[metadata]]\na = 1\n", "the lock file gives no checksum for it"),
			(none, "the lock file gives no checksum for it"),
			(two, "the lock file gives two checksums for it"),
			(bare.replace("version", "edition"), "missing field `version`"),
			(nameless.into(), "missing field `name`"),
			(with("checksum = 5"), "invalid type: integer `5`, expected a string: in `checksum`"),
			(
				with("dependencies = [\"good\", 5]"),
				"invalid type: integer `5`, expected a string: in `dependencies`",
			),
			(with("dependencies = [\"a\"]"), "it depends on `a`, which is not in the file"),
			(with("dependencies = [\"\"]"), "it depends on ``, which is not in the file"),
			(
				with("dependencies = [\"good 2.0.0 (registry+x)\"]"),
				"it depends on `good 2.0.0`, which is not in the file",
			),
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
		let content = read(&format!("{good}{nameless}")).expect("it is a lock file");
		let (name, version, _) = content.failures()[0];
		assert_eq!((name, version), ("package 2 of the file", Some("1.0.0")));
		// The two checksums may be one.
		let same = first_format(&[good], &[("good", CRATES_IO, &"01".repeat(32))]);
		assert_eq!(read(&same).expect("it is a lock file").failed, []);
		// A package without a version is in the file all the same.
		let needs =
			package("a", "1.0.0", Some(CRATES_IO), Some(1)) + "dependencies = [\"bare 1.0.0\"]\n";
		let content =
			read(&(needs + &bare.replace("version", "edition"))).expect("it is a lock file");
		assert_eq!((content.versions(), content.failed.len()), (1, 1));
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
	fn other_files_and_damaged_ones_are_refused_in_one_line() {
		let whole = lock(&[package("a", "1.0.0", Some(CRATES_IO), Some(1))]);
		let cut = &whole[..whole.len() - 10];
		for (text, named) in [
			("", "it lists no packages"),
			("version = 4\n", "it lists no packages"),
			("not toml", "line 1"),
			("[package]\nname = \"a\"\nversion = \"1.0.0\"\n", "invalid type"),
			("version = \"4\"\n", "invalid type"),
			(cut, "line"),
		] {
			let error = read(text).expect_err("it is not a whole lock file").to_string();
			assert!(error.contains(named), "{text:?}: {error}");
			assert_eq!(error.lines().count(), 1, "{error}");
		}
	}

	#[test]
	fn a_real_lock_file_is_read_whole_and_a_cut_is_noticed() {
		let text = include_str!("../../../Cargo.lock");
		// The rest may be TOML, and even whole packages.
		let ends = text.match_indices("\n[[package]]").step_by(97).map(|(end, _)| end);
		for end in ends.chain((0..text.len()).step_by(9_973)) {
			let is_whole = read(&text[..end]).is_ok_and(|content| content.failed.is_empty());
			assert!(!is_whole, "cut at {end}");
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
		assert_eq!(error.to_string(), "line 2 is not UTF-8 text");
		let error = parse(&b"BZh91AY&SY\xff\n"[..]).expect_err("it is not text").to_string();
		assert!(error.ends_with("; supported compressions are gzip, xz and LZ4"), "{error}");
		let marked = lock(&[package("a", "1.0.0", Some(CRATES_IO), Some(1))]);
		assert_eq!(read(&format!("\u{feff}{marked}")).expect("it is a lock file").versions(), 1);
	}
}
