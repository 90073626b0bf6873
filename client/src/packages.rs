//! Reads a Debian `Packages` index as content: which packages an archive holds, in which versions,
//! with which hash and size.
//!
//! An index is made of stanzas with blank lines between them. A stanza is a paragraph of fields,
//! `Key: value`; the case of the keys does not count.

use std::collections::BTreeMap;

use deb822_fast::Paragraph;
use debversion::Version;

use crate::content::{Content, Format, Release};

/// Returns whether a text begins as an index does: with a stanza that names a package.
pub fn begins(text: &str) -> bool {
	let is_blank = |line: &&str| line.trim().is_empty();
	let mut stanza = text.lines().skip_while(is_blank).take_while(|line| !is_blank(line));
	stanza.any(|line| {
		line.split_once(':').is_some_and(|(key, _)| key.eq_ignore_ascii_case("Package"))
	})
}

/// Reads the text of an index of a source. An error says in one line why it is not a whole index.
pub fn parse(text: &str, source: &str) -> Result<Content, String> {
	if text.trim().is_empty() {
		return Err("it lists no packages".into());
	}
	if !text.ends_with('\n') {
		return Err("its last line has no end, so the file was cut off".into());
	}
	let mut content = Content::new(Format::DebianPackages);
	let mut packages = BTreeMap::<String, Vec<(Version, Release)>>::new();
	for stanza in stanzas(text) {
		let stanza = stanza?;
		let name = stanza.field("Package")?.filter(|name| !name.is_empty());
		let name = name.ok_or_else(|| stanza.wrong("it names no Package"))?;
		let version = stanza.field("Version")?;
		let mut skip = |reason| content.skip(name, version.unwrap_or_default(), reason);
		let Some(version) = version else {
			skip("the index gives no Version for it");
			continue;
		};
		let Some(checksum) = stanza.checksum()? else {
			skip("the index gives no SHA256 for it");
			continue;
		};
		let Some(size) = stanza.size()? else {
			skip("the index gives no Size for it");
			continue;
		};
		let Ok(order) = version.parse::<Version>() else {
			skip("its Version is not one of Debian's");
			continue;
		};
		let releases = packages.entry(name.into()).or_default();
		match releases.iter().find(|(_, known)| known.checksum == checksum) {
			None => {
				let release = Release { version: version.into(), checksum, size: Some(size) };
				releases.push((order, release));
			},
			// The same file again, as for every architecture.
			Some((_, known)) if known.version == version => {},
			Some(_) => skip("another version of it has the same checksum"),
		}
	}
	packages.retain(|_, releases| !releases.is_empty());
	if !packages.is_empty() {
		let registry = packages.into_iter().map(|(name, releases)| (name, ascending(releases)));
		content.registries.insert(source.into(), registry.collect());
	}
	Ok(content)
}

/// Returns releases in the order of their versions. Of those with the same version the one that is
/// listed last stays the last.
fn ascending(mut releases: Vec<(Version, Release)>) -> Vec<Release> {
	releases.sort_by(|(a, _), (b, _)| a.cmp(b));
	releases.into_iter().map(|(_, release)| release).collect()
}

/// A stanza and its place in the text.
struct Stanza {
	/// The number of its first line.
	line: usize,
	fields: Paragraph,
}

impl Stanza {
	fn parse(line: usize, text: &str) -> Result<Self, String> {
		match text.parse() {
			Ok(fields) => Ok(Self { line, fields }),
			Err(deb822_fast::Error::UnexpectedToken(token)) => {
				let token: String = token.trim_end().chars().take(40).collect();
				Err(format!("the stanza from line {line} on: `{token}` is not a field"))
			},
			Err(error) => Err(format!("the stanza from line {line} on: {error}")),
		}
	}

	/// Returns the value of a field, if the stanza has it.
	fn field(&self, key: &str) -> Result<Option<&str>, String> {
		let mut values = self.fields.iter().filter(|(known, _)| known.eq_ignore_ascii_case(key));
		let value = values.next().map(|(_, value)| value.trim());
		match values.next() {
			None => Ok(value),
			Some(_) => Err(self.wrong(&format!("it gives the {key} a second time"))),
		}
	}

	fn checksum(&self) -> Result<Option<[u8; 32]>, String> {
		let Some(sha256) = self.field("SHA256")? else { return Ok(None) };
		let mut checksum = [0; 32];
		hex::decode_to_slice(sha256, &mut checksum)
			.map_err(|_| self.wrong(&format!("`{sha256}` is not a SHA256")))?;
		Ok(Some(checksum))
	}

	fn size(&self) -> Result<Option<u64>, String> {
		let Some(size) = self.field("Size")? else { return Ok(None) };
		size.parse().map(Some).map_err(|_| self.wrong(&format!("`{size}` is not a Size")))
	}

	fn wrong(&self, reason: &str) -> String {
		format!("the stanza from line {} on: {reason}", self.line)
	}
}

/// Returns the stanzas of a text, in their order.
fn stanzas(text: &str) -> impl Iterator<Item = Result<Stanza, String>> + '_ {
	let is_blank = |(_, line): &(usize, &str)| line.trim().is_empty();
	let mut lines = (1..).zip(text.split_inclusive('\n')).peekable();
	std::iter::from_fn(move || {
		while lines.next_if(is_blank).is_some() {}
		let (first, line) = lines.next()?;
		let mut stanza = line.to_owned();
		while let Some((_, line)) = lines.next_if(|line| !is_blank(line)) {
			stanza.push_str(line);
		}
		Some(Stanza::parse(first, &stanza))
	})
}

#[cfg(test)]
mod tests {
	use super::*;

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
		let content = parse(&text.concat(), "stable").expect("it is an index");
		assert_eq!((content.packages(), content.versions()), (2, 5));
		assert_eq!(content.skipped, []);
		let registry = &content.registries["stable"];
		let releases: Vec<_> = registry["a"]
			.iter()
			.map(|release| (release.version.as_str(), release.checksum[0], release.size))
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
			let content = parse(&text, "s").expect("it is an index");
			let versions = content.registries["s"]["a"].iter().map(|release| &release.version);
			assert_eq!(versions.collect::<Vec<_>>(), ascending);
		}
	}

	#[test]
	fn of_equal_versions_the_one_that_is_listed_last_is_the_last() {
		for (first, last) in [("1.0", "1.00"), ("0:1", "1"), ("1-0", "1"), ("1.0-00", "1.0")] {
			for (first, last) in [(first, last), (last, first)] {
				let text = [stanza("a", first, 1), stanza("a", last, 2)].concat();
				let content = parse(&text, "s").expect("it is an index");
				assert_eq!(content.registries["s"]["a"][1].version, last);
			}
		}
	}

	#[test]
	fn keys_have_no_case_and_blank_lines_may_be_many() {
		let sha256 = "0A".repeat(32);
		let text = format!("\n\npackage:a\nVERSION:\t1 \nsize: 7\nSha256: {sha256}\r\n \n\n");
		let content = parse(&text, "s").expect("it is an index");
		let release = Release { version: "1".into(), checksum: [10; 32], size: Some(7) };
		assert_eq!(content.registries["s"]["a"], [release]);
	}

	#[test]
	fn the_same_file_counts_once_and_another_version_with_its_hash_is_skipped() {
		let text = [
			stanza("a", "1", 1),
			stanza("a", "1", 1),
			stanza("a", "2", 1),
			stanza("b", "1", 1),
			// Built for two architectures.
			stanza("c", "1", 2),
			stanza("c", "1", 3),
		];
		let content = parse(&text.concat(), "s").expect("it is an index");
		assert_eq!((content.packages(), content.versions()), (3, 4));
		let last = content.registries["s"]["c"].last().map(|release| release.checksum[0]);
		assert_eq!(last, Some(3));
		let skipped: Vec<_> = content
			.skipped
			.iter()
			.map(|skipped| (skipped.name.as_str(), skipped.version.as_str()))
			.collect();
		assert_eq!(skipped, [("a", "2")]);
		assert_eq!(content.skipped[0].reason, "another version of it has the same checksum");
	}

	#[test]
	fn what_lacks_a_field_or_has_no_version_is_skipped_with_the_reason() {
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
		let content = parse(&text, "s").expect("it is an index");
		assert_eq!(content.registries.len(), 0);
		let skipped: Vec<_> = content
			.skipped
			.iter()
			.map(|skipped| (skipped.version.as_str(), skipped.reason.as_str()))
			.collect();
		assert_eq!(
			skipped,
			[
				("1", "the index gives no SHA256 for it"),
				("1", "the index gives no Size for it"),
				("", "the index gives no Version for it"),
				("1 2", "its Version is not one of Debian's"),
				("99999999999:1", "its Version is not one of Debian's"),
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
			(cut, "cut off"),
			("Package: a\nVersion: 1", "cut off"),
			(&no_name, "the stanza from line 9 on: it names no Package"),
			(&unnamed, "the stanza from line 1 on: it names no Package"),
			(&short, "is not a SHA256"),
			(&sized, "`-1` is not a Size"),
			(&joined, "the stanza from line 1 on: it gives the Package a second time"),
		] {
			let error = parse(text, "s").expect_err("it is not a whole index");
			assert!(error.contains(named), "{text:?}: {error}");
			assert_eq!(error.lines().count(), 1, "{error}");
		}
	}
}
