//! Reads a Debian `Packages` index as content: which packages an archive holds, in which versions,
//! with which hash and size.
//!
//! An index is made of stanzas, with a blank line after each. A stanza is made of fields, `Key:
//! value`, whose further lines begin with a space or a tab; the case of the keys does not count.

mod version;

use crate::content::{Content, Format, Registry, Release};

/// Whether a text begins as an index does: with a stanza that names a package.
pub fn begins(text: &str) -> bool {
	let is_blank = |line: &&str| line.trim().is_empty();
	let mut stanza = text.lines().skip_while(is_blank).take_while(|line| !is_blank(line));
	stanza.any(|line| {
		line.split_once(':').is_some_and(|(key, _)| key.eq_ignore_ascii_case("Package"))
	})
}

/// Reads the text of an index of that source. An error says in one line why it is none, or not a
/// whole one.
pub fn parse(text: &str, source: &str) -> Result<Content, String> {
	let stanzas = stanzas(text)?;
	if stanzas.is_empty() {
		return Err("it lists no packages".into());
	}
	if !text.ends_with('\n') {
		return Err("its last line has no end, so the file was cut off".into());
	}

	let mut content = Content::new(Format::DebianPackages);
	let mut registry = Registry::new();
	for stanza in stanzas {
		let name = stanza.package.filter(|name| !name.is_empty());
		let name = name.ok_or_else(|| stanza.wrong("it names no Package"))?;
		let Some(release) = stanza.release()? else {
			content.skip(name, stanza.version.unwrap_or_default(), stanza.missing());
			continue;
		};
		let releases = registry.entry(name.into()).or_default();
		match releases.iter().find(|known| known.checksum == release.checksum) {
			None => releases.push(release),
			// The same file again, as for every architecture.
			Some(known) if known.version == release.version => {},
			Some(_) => {
				let reason = "another version of it has the same checksum";
				content.skip(name, &release.version, reason);
			},
		}
	}
	for releases in registry.values_mut() {
		// Of those with the same version the one that is listed last stays the last.
		releases.sort_by(|a, b| version::compare(&a.version, &b.version));
	}
	if !registry.is_empty() {
		content.registries.insert(source.into(), registry);
	}
	Ok(content)
}

/// The fields of a stanza that are read.
#[derive(Default)]
struct Stanza<'a> {
	/// The number of its first line.
	line: usize,
	package: Option<&'a str>,
	version: Option<&'a str>,
	size: Option<&'a str>,
	sha256: Option<&'a str>,
}

impl<'a> Stanza<'a> {
	/// The field of this key, if it is one that is read.
	fn field(&mut self, key: &str) -> Option<&mut Option<&'a str>> {
		let fields = [
			("Package", &mut self.package),
			("Version", &mut self.version),
			("Size", &mut self.size),
			("SHA256", &mut self.sha256),
		];
		fields
			.into_iter()
			.find(|(known, _)| known.eq_ignore_ascii_case(key))
			.map(|(_, field)| field)
	}

	/// The release that the stanza is of. `None` if a field is missing.
	fn release(&self) -> Result<Option<Release>, String> {
		let (Some(version), Some(size), Some(sha256)) = (self.version, self.size, self.sha256)
		else {
			return Ok(None);
		};
		let mut checksum = [0; 32];
		hex::decode_to_slice(sha256, &mut checksum)
			.map_err(|_| self.wrong(&format!("`{sha256}` is not a SHA256")))?;
		let size =
			size.parse::<u64>().map_err(|_| self.wrong(&format!("`{size}` is not a Size")))?;
		Ok(Some(Release { version: version.into(), checksum, size: Some(size) }))
	}

	/// Why the stanza is of no release.
	fn missing(&self) -> &'static str {
		match (self.version, self.sha256) {
			(None, _) => "the index gives no Version for it",
			(_, None) => "the index gives no SHA256 for it",
			_ => "the index gives no Size for it",
		}
	}

	fn wrong(&self, reason: &str) -> String {
		format!("the stanza from line {} on: {reason}", self.line)
	}
}

/// The stanzas of a text, in their order.
fn stanzas(text: &str) -> Result<Vec<Stanza<'_>>, String> {
	let mut stanzas = Vec::new();
	let mut open: Option<Stanza> = None;
	for (line, number) in text.lines().zip(1..) {
		if line.trim().is_empty() {
			stanzas.extend(open.take());
			continue;
		}
		if line.starts_with([' ', '\t']) {
			if open.is_none() {
				return Err(format!("line {number} goes on with a field, but begins a stanza"));
			}
			continue;
		}
		let field = line
			.split_once(':')
			.filter(|(key, _)| !key.is_empty() && !key.contains(char::is_whitespace));
		let (key, value) = field.ok_or_else(|| format!("line {number} is not a field"))?;
		let stanza = open.get_or_insert_with(|| Stanza { line: number, ..Stanza::default() });
		if let Some(field) = stanza.field(key) {
			if field.replace(value.trim()).is_some() {
				return Err(format!("line {number} gives the {key} of a stanza a second time"));
			}
		}
	}
	stanzas.extend(open);
	Ok(stanzas)
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
	fn what_lacks_a_field_is_skipped_with_the_reason() {
		let whole = stanza("a", "1", 1);
		let without = |key: &str| {
			let lines: Vec<_> = whole.lines().filter(|line| !line.starts_with(key)).collect();
			lines.join("\n") + "\n"
		};
		let text = [without("SHA256"), without("Size"), without("Version")].join("\n");
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
			("This is a text.\n", "line 1 is not a field"),
			("Package: a\n: b\n", "line 2 is not a field"),
			("Package: a\n\n b\n", "line 3 goes on with a field"),
			(cut, "cut off"),
			("Package: a\nVersion: 1", "cut off"),
			(&no_name, "the stanza from line 9 on: it names no Package"),
			(&unnamed, "the stanza from line 1 on: it names no Package"),
			(&short, "is not a SHA256"),
			(&sized, "`-1` is not a Size"),
			(&joined, "line 8 gives the Package of a stanza a second time"),
		] {
			let error = parse(text, "s").expect_err("it is not a whole index");
			assert!(error.contains(named), "{text:?}: {error}");
			assert_eq!(error.lines().count(), 1, "{error}");
		}
	}
}
