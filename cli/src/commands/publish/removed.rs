// SPDX-License-Identifier: Apache-2.0
//! The words for what is removed.

use std::io::{self, Write};

use content_fabric_client::{
	amount::Units,
	publish::{EstimatedCost, Kept, Removed},
	text::{count, printable},
};

use super::report::{write_more, LISTED};

/// Returns the question to the user: the first line, what is removed, and what it costs.
pub(super) fn question(
	first: String,
	removed: &[Removed],
	nouns: [&str; 2],
	units: &Units,
	costs: &[EstimatedCost],
) -> String {
	let mut text = Vec::new();
	for removed in removed {
		// Memory takes everything.
		let _ = write_removed(&mut text, removed, nouns, units);
	}
	let mut lines = vec![first];
	lines.extend(String::from_utf8_lossy(&text).lines().map(str::to_owned));
	lines.extend(costs.iter().map(|cost| format!("  {cost}")));
	lines.join("\n")
}

/// Writes what was removed, or would be. `nouns` are the words for names.
pub(super) fn write_removed(
	out: &mut dyn Write,
	removed: &Removed,
	[one, many]: [&str; 2],
	units: &Units,
) -> io::Result<()> {
	if !removed.is_empty() {
		writeln!(
			out,
			"  unpublished {}: {}, {}, {} and {} removed, {} in deposits released",
			count(removed.names.len(), one, many),
			count(removed.heads, "head", "heads"),
			count(removed.versions, "version", "versions"),
			count(removed.objects, "content object", "content objects"),
			count(removed.records, "record", "records"),
			units.amount(removed.deposits),
		)?;
		write_names(out, &removed.names)?;
	}
	if !removed.dangling.is_empty() {
		let records = count(removed.dangling.len(), "record that leads", "records that lead");
		writeln!(out, "  of these, {records} nowhere")?;
		write_names(out, &removed.dangling)?;
	}
	for Kept { name, reason } in removed.kept.iter().take(LISTED) {
		writeln!(out, "  the content of {} stays: {}", printable(name), printable(reason))?;
	}
	write_more(out, removed.kept.len().saturating_sub(LISTED))?;
	for name in &removed.not_found {
		writeln!(out, "  nothing is published under {}", printable(name))?;
	}
	Ok(())
}

fn write_names(out: &mut dyn Write, names: &[String]) -> io::Result<()> {
	for name in names.iter().take(LISTED) {
		writeln!(out, "    {}", printable(name))?;
	}
	write_more(out, names.len().saturating_sub(LISTED))
}

#[cfg(test)]
mod tests {
	use super::*;

	fn text(removed: &Removed) -> String {
		question(
			"About to:".into(),
			std::slice::from_ref(removed),
			["file", "files"],
			&units(),
			&[],
		)
	}

	fn units() -> Units {
		Units::new(1, "UNIT")
	}

	#[test]
	fn removed_names_are_counted_and_the_first_twenty_are_listed() {
		assert_eq!(text(&Removed::default()), "About to:");
		let one = Removed {
			names: vec!["a\x1b".into()],
			heads: 1,
			versions: 1,
			objects: 1,
			records: 2,
			deposits: 15,
			dangling: vec!["names/b".into()],
			kept: vec![Kept { name: "a".into(), reason: "it is".into() }],
			not_found: vec!["c".into()],
		};
		assert_eq!(
			text(&one),
			"About to:\n  unpublished 1 file: 1 head, 1 version, 1 content object and 2 records removed, \
			 1.5 UNIT in deposits released\n    a\\u{1b}\n  of these, 1 record that leads nowhere\n    \
			 names/b\n  the content of a stays: it is\n  nothing is published under c"
		);
		let names = (0..LISTED + 3).map(|number| number.to_string()).collect();
		let many = text(&Removed { names, records: 23, ..Removed::default() });
		assert!(many.contains("unpublished 23 files: 0 heads") && many.ends_with("… and 3 more"));
	}
}
