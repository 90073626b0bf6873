// SPDX-License-Identifier: Apache-2.0
//! Reads a Debian `Packages` index as content: which packages an archive holds, in which versions,
//! with which checksum and size.
//!
//! Stanzas are read one by one, so memory is bounded by the content, not by the text.

use std::{collections::BTreeMap, io::BufRead};

use content_fabric_identifiers::VersionId;
use debversion::Version;

use super::{
	content::{Content, Format, Registry, Release, Unpublishable},
	stanza::{Limits, Stanza, Stanzas},
	FormatError,
};

/// Maximum number of bytes of a name or a version. Real ones have less than 200.
const MAX_TEXT: usize = 4096;

/// A release, or the reason why a stanza has none.
type Listed = Result<Release, &'static str>;

/// Reads the index of a source.
pub(super) fn parse(reader: impl BufRead, source: &str) -> Result<Content, FormatError> {
	parse_within(reader, source, Limits::INDEX)
}

fn parse_within(
	reader: impl BufRead,
	source: &str,
	limits: Limits,
) -> Result<Content, FormatError> {
	let mut packages = Packages::default();
	let mut stanzas = Stanzas::new(reader, limits);
	while let Some(stanza) = stanzas.next()? {
		packages.add(&stanza)?;
	}
	if packages.is_empty() {
		return Err(FormatError::Empty);
	}
	Ok(packages.into_content(source))
}

/// The packages of the stanzas so far.
#[derive(Default)]
struct Packages {
	/// The releases by name, each with the line of its stanza, in the order of the lines.
	releases: BTreeMap<String, Vec<(usize, Release)>>,
	/// Stanzas that cannot be published, by their lines.
	failed: BTreeMap<usize, Unpublishable>,
}

impl Packages {
	fn is_empty(&self) -> bool {
		self.releases.is_empty() && self.failed.is_empty()
	}

	fn add(&mut self, stanza: &Stanza<'_>) -> Result<(), FormatError> {
		let name = stanza.field("Package")?.filter(|name| !name.is_empty());
		let name = name.ok_or_else(|| stanza.wrong("it names no Package"))?;
		if name.len() > MAX_TEXT {
			return Err(stanza.wrong(format!("its Package has more than {MAX_TEXT} bytes")));
		}
		match release(stanza)? {
			Ok(release) => match self.releases.get_mut(name) {
				Some(releases) => releases.push((stanza.line, release)),
				// Most packages have one release.
				None => drop(self.releases.insert(name.into(), vec![(stanza.line, release)])),
			},
			Err(reason) => {
				let version = stanza.field("Version")?.filter(|version| version.len() <= MAX_TEXT);
				self.failed.insert(stanza.line, Unpublishable::new(name, version, reason));
			},
		}
		Ok(())
	}

	fn into_content(self, source: &str) -> Content {
		let Self { releases, mut failed } = self;
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
		content
	}
}

/// Returns the release of a stanza, or the reason why it cannot be published.
fn release(stanza: &Stanza<'_>) -> Result<Listed, FormatError> {
	let Some(version) = stanza.field("Version")? else {
		return Ok(Err("the index gives no Version for it"));
	};
	let Some(checksum) = checksum(stanza)? else {
		return Ok(Err("the index gives no SHA256 for it"));
	};
	let Some(size) = size(stanza)? else {
		return Ok(Err("the index gives no Size for it"));
	};
	// The time to parse and to compare numbers grows with the square of their length.
	if version.len() > MAX_TEXT || version.parse::<Version>().is_err() {
		return Ok(Err("its Version is not one of Debian's"));
	}
	Ok(Ok(Release { version: version.into(), checksum, size: Some(size) }))
}

fn checksum(stanza: &Stanza<'_>) -> Result<Option<VersionId>, FormatError> {
	let Some(sha256) = stanza.field("SHA256")? else { return Ok(None) };
	let mut checksum = [0; 32];
	hex::decode_to_slice(sha256, &mut checksum)
		.map_err(|_| stanza.wrong_value(sha256, "is not a SHA256"))?;
	Ok(Some(VersionId(checksum)))
}

fn size(stanza: &Stanza<'_>) -> Result<Option<u64>, FormatError> {
	let Some(size) = stanza.field("Size")? else { return Ok(None) };
	size.parse().map(Some).map_err(|_| stanza.wrong_value(size, "is not a Size"))
}

/// Returns the first release of each checksum, in no particular order. The same version again is
/// the same file, as for every architecture; another version cannot be published.
fn distinct(
	name: &str,
	mut releases: Vec<(usize, Release)>,
	failed: &mut BTreeMap<usize, Unpublishable>,
) -> Vec<(usize, Release)> {
	releases.sort_by_key(|(line, release)| (release.checksum, *line));
	let mut distinct: Vec<(usize, Release)> = Vec::with_capacity(releases.len());
	for (line, release) in releases {
		match distinct.last() {
			Some((_, first)) if first.checksum == release.checksum => {
				if first.version != release.version {
					let reason = "another version of it has the same checksum";
					let item = Unpublishable::new(name, Some(&release.version), reason);
					failed.insert(line, item);
				}
			},
			_ => distinct.push((line, release)),
		}
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
		assert_eq!((content.packages(), content.versions()), (2, 5));
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
		let ascending = [
			"0~~",
			"0~~a",
			"0~",
			"0",
			"0.9",
			"1.0~beta1~svn1245",
			"1.0~beta1",
			"1.0",
			"1.0-1",
			"1.0-1+b1",
			"1.0-1.1",
			"1.0-2",
			"1.0a",
			"1.0+dfsg-1",
			"1.0.1",
			"1.9",
			"1.10",
			"1.10.0-1",
			"2",
			"2.123456789012345678901",
			"1:0.1",
			"1:1",
			"4:0",
			"10:0",
		];
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
		let release = Release { version: "1".into(), checksum: VersionId([10; 32]), size: Some(7) };
		assert_eq!(content.registries["s"]["a"], [release]);
	}

	#[test]
	fn the_same_file_counts_once_and_another_version_with_its_checksum_fails() {
		let text = [
			stanza("a", "1", 1),
			stanza("a", "1", 1),
			stanza("a", "2", 1),
			stanza("b", "1", 1),
			// Built for two architectures.
			stanza("c", "1", 2),
			stanza("c", "1", 3),
		];
		let content = read(&text.concat(), "s").expect("it is an index");
		assert_eq!((content.packages(), content.versions()), (3, 4));
		let last = content.registries["s"]["c"].last().map(|release| release.checksum.0[0]);
		assert_eq!(last, Some(3));
		let failed: Vec<_> = content
			.failed
			.iter()
			.map(|item| (item.name.as_str(), item.version.as_deref()))
			.collect();
		assert_eq!(failed, [("a", Some("2"))]);
		assert_eq!(content.failed[0].reason, "another version of it has the same checksum");
	}

	#[test]
	fn stanzas_without_a_field_or_a_valid_version_fail_with_the_reason() {
		let whole = stanza("a", "1", 1);
		let without = |key: &str| {
			let lines: Vec<_> = whole.lines().filter(|line| !line.starts_with(key)).collect();
			lines.join("\n") + "\n"
		};
		let text = [
			without("SHA256"),
			without("Size"),
			without("Version"),
			stanza("a", "1 2", 1),
			stanza("a", "99999999999:1", 1),
		];
		let text = text.join("\n");
		let content = read(&text, "s").expect("it is an index");
		assert_eq!(content.registries.len(), 0);
		let failed: Vec<_> = content
			.failed
			.iter()
			.map(|item| (item.version.as_deref(), item.reason.as_str()))
			.collect();
		assert_eq!(
			failed,
			[
				(Some("1"), "the index gives no SHA256 for it"),
				(Some("1"), "the index gives no Size for it"),
				(None, "the index gives no Version for it"),
				(Some("1 2"), "its Version is not one of Debian's"),
				(Some("99999999999:1"), "its Version is not one of Debian's"),
			]
		);
	}

	#[test]
	fn other_files_and_cut_off_ones_are_refused_in_one_line() {
		let whole = stanza("a", "1", 1);
		let cut = &whole[..whole.len() - 10];
		let no_name = format!("{whole}{}", whole.replace("Package:", "Binary:"));
		let unnamed = whole.replace("Package: a", "Package:");
		let short = whole.replace("0101", "01");
		let sized = whole.replace("Size: 1", "Size: -1");
		let joined = format!("{}{whole}", whole.trim_end_matches('\n').to_owned() + "\n");
		for (text, named) in [
			("", "it lists no packages"),
			("\n \n", "it lists no packages"),
			("This is a text.\n", "the stanza from line 1 on: `This is a text.` is not a field"),
			("Package: a\n: b\n", "the stanza from line 1 on: `: b` is not a field"),
			("Package: a\n\n b\n", "the stanza from line 3 on: ` b` is not a field"),
			("Package: a\n\n# b\n", "the stanza from line 3 on: "),
			(cut, "truncated"),
			("Package: a\nVersion: 1", "truncated"),
			(&no_name, "the stanza from line 9 on: it names no Package"),
			(&unnamed, "the stanza from line 1 on: it names no Package"),
			(&short, "is not a SHA256"),
			(&sized, "`-1` is not a Size"),
			(&joined, "the stanza from line 1 on: it gives the Package a second time"),
		] {
			let error = read(text, "s").expect_err("it is not a whole index").to_string();
			assert!(error.contains(named), "{text:?}: {error}");
			assert_eq!(error.lines().count(), 1, "{error}");
		}
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
		let failed: Vec<_> = content.failed.iter().map(|item| item.name.as_str()).collect();
		assert_eq!(failed, ["z", "b", "a", "z"]);
		assert_eq!((content.packages(), content.versions()), (2, 2));
	}

	#[test]
	fn names_and_versions_have_a_limit() {
		let longest = "1".repeat(MAX_TEXT);
		let text = [stanza(&longest, &longest, 1), stanza("a", &format!("{longest}1"), 2)];
		let content = read(&text.concat(), "s").expect("it is an index");
		assert_eq!(content.registries["s"][&longest][0].version, longest);
		let failed = content.failed.iter().map(|item| (item.name.as_str(), &item.version));
		assert_eq!(failed.collect::<Vec<_>>(), [("a", &None)]);
		let error = read(&stanza(&format!("{longest}1"), "1", 1), "s").expect_err("it is too long");
		let expected = "the stanza from line 1 on: its Package has more than 4096 bytes";
		assert_eq!(error.to_string(), expected);
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
