// SPDX-License-Identifier: Apache-2.0
//! Reads a Debian `Packages` index as content: which packages an archive holds, in which versions,
//! with which checksum and size.
//!
//! Stanzas are read one by one, so memory is bounded by the content, not by the text.

use std::{
	collections::{BTreeMap, HashMap},
	io::BufRead,
};

use content_fabric_identifiers::VersionId;
use content_fabric_primitives::known_size;
use debversion::Version;
use hex::FromHex;

use super::{
	content::{Content, Format, Registry, Release, Unpublishable},
	stanza::{shown, Limits, Stanza, Stanzas},
	FormatError,
};

pub(super) fn parse(reader: impl BufRead, source: &str) -> Result<Content, FormatError> {
	let mut packages = Packages::default();
	let mut stanzas = Stanzas::new(reader, Limits::INDEX);
	loop {
		match stanzas.next() {
			Ok(None) => return packages.into_content(source),
			Ok(Some(stanza)) => packages.add(&stanza),
			Err(FormatError::Stanza { line, reason }) => packages.refuse(line, reason),
			Err(error) => return Err(error),
		}
	}
}

#[derive(Default)]
struct Packages {
	/// The releases by name, each with the line of its stanza, in the order of the lines.
	releases: BTreeMap<String, Vec<(usize, Release)>>,
	/// Stanzas that cannot be published, by their lines.
	failed: BTreeMap<usize, Unpublishable>,
	/// The first stanza that names no package, and what is wrong with it.
	nameless: Option<(usize, String)>,
	is_index: bool,
}

impl Packages {
	fn add(&mut self, stanza: &Stanza<'_>) {
		let name = match stanza.field("Package") {
			Ok(Some(name)) if !name.is_empty() => name,
			Ok(_) => return self.refuse(stanza.line, "it names no Package".into()),
			Err(reason) => return self.refuse(stanza.line, reason),
		};
		self.is_index = true;
		let release = match name.contains(':') {
			true => Err("its Package has a colon, as only names of versions have".into()),
			false => release(stanza),
		};
		match release {
			Ok(release) => match self.releases.get_mut(name) {
				Some(releases) => releases.push((stanza.line, release)),
				// Most packages have one release.
				None => drop(self.releases.insert(name.into(), vec![(stanza.line, release)])),
			},
			Err(reason) => {
				let version = stanza.field("Version").ok().flatten();
				self.failed.insert(stanza.line, Unpublishable::new(name, version, reason));
			},
		}
	}

	/// Adds a stanza that names no package.
	fn refuse(&mut self, line: usize, reason: String) {
		let name = format!("the stanza from line {line} on");
		self.failed.insert(line, Unpublishable::new(&name, None, &reason));
		self.nameless.get_or_insert((line, reason));
	}

	/// Returns the content. A file is not an index if none of its stanzas names a package.
	fn into_content(self, source: &str) -> Result<Content, FormatError> {
		let Self { releases, mut failed, nameless, is_index } = self;
		if !is_index {
			let wrong = |(line, reason)| FormatError::Stanza { line, reason };
			return Err(nameless.map_or(FormatError::Empty, wrong));
		}
		let registry: Registry = releases
			.into_iter()
			.map(|(name, releases)| {
				let distinct = distinct(&name, releases, &mut failed);
				(name, ascending(distinct))
			})
			.collect();
		let mut content = Content::new(Format::DebianPackages);
		if !registry.is_empty() {
			content.registries.insert(source.into(), registry);
		}
		content.failed = failed.into_values().collect();
		Ok(content)
	}
}

/// Returns the release of a stanza, or the reason why it cannot be published.
fn release(stanza: &Stanza<'_>) -> Result<Release, String> {
	let given = |key: &str| {
		let value = stanza.field(key)?;
		value.ok_or_else(|| format!("the index gives no {key} for it"))
	};
	let (version, sha256, size) = (given("Version")?, given("SHA256")?, given("Size")?);
	if version.parse::<Version>().is_err() {
		return Err("its Version is not one of Debian's".into());
	}
	let checksum = FromHex::from_hex(sha256);
	let checksum = checksum.map_err(|_| format!("`{}` is not a SHA256", shown(sha256)))?;
	let checksum = VersionId(checksum);
	// Parsing alone would take a sign.
	let digits = Some(size).filter(|size| size.bytes().all(|byte| byte.is_ascii_digit()));
	let size: u64 = digits
		.and_then(|digits| digits.parse().ok())
		.ok_or_else(|| format!("`{}` is not a Size", shown(size)))?;
	// Only the hash of no bytes goes with the size 0.
	if (size == 0) != known_size(checksum, 0).is_some() {
		return Err("its Size and its SHA256 do not fit each other".into());
	}
	// `all` is not an architecture.
	let architecture = stanza.field("Architecture")?.filter(|name| !matches!(*name, "" | "all"));
	Ok(Release {
		version: version.into(),
		architecture: architecture.map(str::to_owned),
		checksum,
		size: Some(size),
	})
}

/// Returns the releases that differ, in the order of the index. One file may be listed for several
/// architectures. A stanza that conflicts with an earlier one is not published: another version
/// with its checksum, its file with another size, or another file of its version and architecture.
fn distinct(
	name: &str,
	releases: Vec<(usize, Release)>,
	failed: &mut BTreeMap<usize, Unpublishable>,
) -> Vec<(usize, Release)> {
	let mut distinct: Vec<(usize, Release)> = Vec::with_capacity(releases.len());
	let mut by_checksum = HashMap::<VersionId, usize>::new();
	let mut by_build = HashMap::<(String, Option<String>), VersionId>::new();
	for (line, release) in releases {
		let first = by_checksum.get(&release.checksum).map(|index| &distinct[*index].1);
		let build = (release.version.clone(), release.architecture.clone());
		let reason = match (first, by_build.get(&build)) {
			(Some(first), _) if first.version != release.version => {
				"another version of it has the same checksum"
			},
			(Some(first), _) if first.size != release.size => {
				"the index gives its file another size, too"
			},
			(_, Some(known)) if *known != release.checksum => {
				"another file has this version and architecture, too"
			},
			(_, Some(_)) => continue,
			(_, None) => {
				by_checksum.entry(release.checksum).or_insert(distinct.len());
				by_build.insert(build, release.checksum);
				distinct.push((line, release));
				continue;
			},
		};
		failed.insert(line, Unpublishable::new(name, Some(&release.version), reason));
	}
	distinct
}

/// Returns releases in the order of their versions. Of equal versions the one that is listed last
/// is the last.
fn ascending(mut releases: Vec<(usize, Release)>) -> Vec<Release> {
	releases.sort_by_cached_key(|(line, release)| (release.version.parse::<Version>().ok(), *line));
	releases.into_iter().map(|(_, release)| release).collect()
}

#[cfg(test)]
mod tests {
	use super::*;

	fn read(text: &str, source: &str) -> Result<Content, FormatError> {
		parse(text.as_bytes(), source)
	}

	fn stanza(package: &str, version: &str, sha256: u8) -> String {
		format!(
			"Package: {package}\nVersion: {version}\nDepends: b (>= 1),\n c: any\n\td\nSize: \
			 {sha256}\nSHA256: {}\n\n",
			hex::encode([sha256; 32])
		)
	}

	#[test]
	fn packages_are_grouped_by_name_and_versions_ascend() {
		let text = [
			stanza("a", "1:0.9", 1),
			stanza("a", "1.10", 2),
			stanza("g++", "4:12.2.0-3", 3),
			stanza("a", "1.9", 4),
			stanza("a", "1.10~rc1+b1", 5),
		];
		let content = read(&text.concat(), "stable").expect("it is an index");
		assert_eq!((content.names(), content.versions()), (vec!["a", "g++"], 5));
		assert_eq!(content.failed, []);
		let registry = &content.registries["stable"];
		let releases: Vec<_> = registry["a"]
			.iter()
			.map(|release| (release.version.as_str(), release.checksum.0[0], release.size))
			.collect();
		assert_eq!(
			releases,
			[
				("1.9", 4, Some(4)),
				("1.10~rc1+b1", 5, Some(5)),
				("1.10", 2, Some(2)),
				("1:0.9", 1, Some(1)),
			]
		);
		assert_eq!(registry["g++"][0].version, "4:12.2.0-3");
	}

	#[test]
	fn versions_are_ordered_as_dpkg_orders_them() {
		let ascending = "0~~ 0~~a 0~ 0 0.9 1.0~beta1~svn1245 1.0~beta1 1.0 1.0-1 1.0-1+b1 1.0-1.1 \
		                 1.0-2 1.0a 1.0+dfsg-1 1.0.1 1.9 1.10 1.10.0-1 2 2.123456789012345678901 1:0.1 \
		                 1:1 4:0 10:0";
		let ascending: Vec<_> = ascending.split_whitespace().collect();
		for step in 1..ascending.len() {
			let shifted = ascending.iter().cycle().skip(step).take(ascending.len());
			let text: String =
				shifted.zip(1..).map(|(version, hash)| stanza("a", version, hash)).collect();
			let content = read(&text, "s").expect("it is an index");
			let versions = content.registries["s"]["a"].iter().map(|release| &release.version);
			assert_eq!(versions.collect::<Vec<_>>(), ascending);
		}
	}

	#[test]
	fn of_equal_versions_the_one_that_is_listed_last_is_the_last() {
		for (first, last) in [("1.0", "1.00"), ("0:1", "1"), ("1-0", "1"), ("1.0-00", "1.0")] {
			for (first, last) in [(first, last), (last, first)] {
				let text = [stanza("a", first, 1), stanza("a", last, 2)].concat();
				let content = read(&text, "s").expect("it is an index");
				assert_eq!(content.registries["s"]["a"][1].version, last);
			}
		}
	}

	#[test]
	fn keys_have_no_case_and_blank_lines_may_be_many() {
		let sha256 = "0A".repeat(32);
		let text = format!("\n\npackage:a\nVERSION:\t1 \nsize: 7\nSha256: {sha256}\r\n \n\n");
		let content = read(&text, "s").expect("it is an index");
		let release = Release {
			version: "1".into(),
			architecture: None,
			checksum: VersionId([10; 32]),
			size: Some(7),
		};
		assert_eq!(content.registries["s"]["a"], [release]);
	}

	fn of_architecture(name: &str, sha256: u8) -> String {
		stanza("c", "1", sha256).replace("Depends", &format!("Architecture: {name}\nDepends"))
	}

	#[test]
	fn the_same_file_counts_once_and_another_with_its_version_or_checksum_fails() {
		let text = [
			stanza("a", "1", 1),
			stanza("a", "1", 1),
			stanza("a", "2", 1),
			stanza("b", "1", 1),
			stanza("d", "1", 7),
			stanza("d", "1", 7).replace("Size: 7", "Size: 8"),
			stanza("a:1", "1", 8),
			of_architecture("amd64", 9),
			of_architecture("i386", 3),
			of_architecture("amd64", 4),
			of_architecture("i386", 3),
			// One file for two architectures, and another one for one of them.
			stanza("e", "1", 5).replace("Depends", "Architecture: amd64\nDepends"),
			stanza("e", "1", 5).replace("Depends", "Architecture: i386\nDepends"),
			stanza("e", "1", 6).replace("Depends", "Architecture: i386\nDepends"),
		];
		let content = read(&text.concat(), "s").expect("it is an index");
		assert_eq!((content.names(), content.versions()), (vec!["a", "b", "c", "d", "e"], 7));
		for (name, built) in
			[("e", [("amd64", 5), ("i386", 5)]), ("c", [("amd64", 9), ("i386", 3)])]
		{
			let releases = content.registries["s"][name].iter();
			let found = releases.map(|release| (release.architecture.as_deref(), release.checksum));
			let built = built.map(|(name, byte)| (Some(name), VersionId([byte; 32])));
			assert_eq!(found.collect::<Vec<_>>(), built);
		}
		assert_eq!(
			content.failures(),
			[
				("a", Some("2"), "another version of it has the same checksum"),
				("d", Some("1"), "the index gives its file another size, too"),
				("a:1", Some("1"), "its Package has a colon, as only names of versions have"),
				("c", Some("1"), "another file has this version and architecture, too"),
				("e", Some("1"), "another file has this version and architecture, too"),
			]
		);
	}

	#[test]
	fn other_files_and_cut_off_ones_are_refused_in_one_line() {
		let whole = stanza("a", "1", 1);
		let cut = &whole[..whole.len() - 10];
		let unnamed = whole.replace("Package: a", "Package:");
		let joined = format!("{}{whole}", whole.trim_end_matches('\n').to_owned() + "\n");
		for (text, named) in [
			("", "it lists no packages"),
			("\n \n", "it lists no packages"),
			("This is a text.\n", "the stanza from line 1 on: `This is a text.` is not a field"),
			("Package: a\n: b\n", "the stanza from line 1 on: `: b` is not a field"),
			("\nb: a\n\n: b\n", "the stanza from line 2 on: it names no Package"),
			(cut, "truncated"),
			("Package: a\nVersion: 1", "truncated"),
			(&unnamed, "the stanza from line 1 on: it names no Package"),
			(&joined, "the stanza from line 1 on: it gives the Package a second time"),
		] {
			let error = read(text, "s").expect_err("it is not a whole index").to_string();
			assert!(error.contains(named), "{text:?}: {error}");
			assert_eq!(error.lines().count(), 1, "{error}");
		}
	}

	#[test]
	fn one_bad_stanza_fails_alone() {
		let (good, last) = (stanza("good", "1", 1), stanza("last", "1", 2));
		let bad = stanza("a", "1", 3);
		let nameless = "the stanza from line 9 on";
		let long = "a".repeat(4097);
		let torn = "its Size and its SHA256 do not fit each other";
		for (bad, name, reason) in [
			("\x1b[2J\n\n".to_owned(), nameless, "`\\u{1b}[2J` is not a field"),
			(": b\n\n".into(), nameless, "`: b` is not a field"),
			(bad.replace("Package: a", "Package:"), nameless, "it names no Package"),
			(bad.replace("Package:", "Binary:"), nameless, "it names no Package"),
			(bad.replace("Depends:", "package:"), nameless, "it gives the Package a second time"),
			(stanza(&long, "1", 3), nameless, "its Package has more than 4096 bytes"),
			(stanza("a", &long, 3), "a", "its Version has more than 4096 bytes"),
			(bad.replace("Version", "Release"), "a", "the index gives no Version for it"),
			(stanza("a", "1 2", 3), "a", "its Version is not one of Debian's"),
			(stanza("a", "99999999999:1", 3), "a", "its Version is not one of Debian's"),
			(bad.replace("SHA256", "SHA1"), "a", "the index gives no SHA256 for it"),
			(bad.replace(&hex::encode([3; 32]), "03"), "a", "`03` is not a SHA256"),
			(bad.replace("Size", "Length"), "a", "the index gives no Size for it"),
			(bad.replace("Size: 3", "Size: 3\n 4"), "a", "its Size has several lines"),
			(bad.replace("Size: 3", "Size: -1"), "a", "`-1` is not a Size"),
			(bad.replace("Size: 3", "Size: +7"), "a", "`+7` is not a Size"),
			(bad.replace("Size: 3", "Size:"), "a", "`` is not a Size"),
			(
				bad.replace("Size: 3", "Size: 18446744073709551616"),
				"a",
				"`18446744073709551616` is not a Size",
			),
			(bad.replace("Size: 3", "Size: 0"), "a", torn),
			(bad.replace(&hex::encode([3; 32]), EMPTY), "a", torn),
			(bad.replace("Size: 3", "Size: 1\nSIZE: 1"), "a", "it gives the Size a second time"),
		] {
			let content = read(&format!("{good}{bad}{last}"), "s").expect("it is an index");
			assert_eq!(content.names(), ["good", "last"]);
			let [failed] = &content.failed[..] else { panic!("{name}: {:?}", content.failed) };
			assert_eq!((&*failed.name, &*failed.reason), (name, reason));
		}
	}

	/// The SHA-256 of no bytes, by `sha256sum`.
	const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

	#[test]
	fn an_empty_file_has_the_size_zero_and_comments_are_no_stanza() {
		let empty = stanza("a", "1", 0).replace(&hex::encode([0; 32]), EMPTY);
		let text = format!("# made today\n\n{empty}#\n# the end\n");
		let content = read(&text, "s").expect("it is an index");
		assert_eq!(content.registries["s"]["a"][0].size, Some(0));
		assert_eq!(content.failed, []);
		assert!(matches!(read("# a\n", "s"), Err(FormatError::Empty)));
	}

	#[test]
	fn failed_items_are_in_the_order_of_the_index() {
		let text = [
			stanza("z", "1", 1),
			stanza("z", "2", 1),
			stanza("b", "1 2", 3),
			stanza("a", "1", 4),
			stanza("a", "2", 4),
			stanza("z", "1", 1),
			stanza("z", "2", 1),
		];
		let content = read(&text.concat(), "s").expect("it is an index");
		let failed: Vec<_> = content.failures().into_iter().map(|(name, ..)| name).collect();
		assert_eq!(failed, ["z", "b", "a", "z"]);
		assert_eq!((content.names(), content.versions()), (vec!["a", "z"], 2));
	}

	#[test]
	fn names_and_versions_have_a_limit() {
		let longest = "1".repeat(4096);
		let content = read(&stanza(&longest, &longest, 1), "s").expect("it is an index");
		assert_eq!(content.registries["s"][&longest][0].version, longest);
	}

	#[test]
	fn a_name_that_repeats_keeps_every_version() {
		let mut text = String::new();
		for number in 0..20_000_u32 {
			let checksum = number.to_be_bytes();
			let checksum = hex::encode([checksum; 8].as_flattened());
			text += &format!("Package: a\nVersion: {number}\nSize: 1\nSHA256: {checksum}\n\n");
		}
		let content = read(&text, "s").expect("it is an index");
		let versions = content.registries["s"]["a"].iter().map(|release| release.version.as_str());
		assert!(versions.eq((0..20_000).map(|number| number.to_string())));
	}
}
