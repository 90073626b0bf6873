// SPDX-License-Identifier: Apache-2.0
//! The words for what is removed.

use std::io::{self, Write};

use content_fabric_client::{
	amount::Units,
	publish::{Absent, EstimatedCost, Kept, Removed},
	text::{count, printable},
};

use super::report::{write_more, LISTED};
use crate::commands::resolve::near_names;

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
		let _ = write(&mut text, removed, nouns, units, ["will remove", "will release"]);
	}
	let mut lines = vec![first];
	lines.extend(String::from_utf8_lossy(&text).lines().map(str::to_owned));
	lines.extend(costs.iter().map(|cost| format!("  {cost}")));
	lines.join("\n")
}

/// Writes the rows that were removed, or would be in a dry run. `nouns` are the words for names.
pub(super) fn write_removed(
	out: &mut dyn Write,
	removed: &Removed,
	nouns: [&str; 2],
	units: &Units,
) -> io::Result<()> {
	write(out, removed, nouns, units, ["removed", "released"])
}

/// Returns the numbers of rows that are removed, in words.
pub(super) fn rows(removed: &Removed) -> String {
	let counts = [
		(removed.heads, ["head", "heads"]),
		(removed.versions, ["version", "versions"]),
		(removed.objects, ["content object", "content objects"]),
		(removed.records, ["record", "records"]),
	];
	let counts = counts.into_iter().filter(|(number, _)| *number > 0);
	let counts: Vec<_> = counts.map(|(number, [one, many])| count(number, one, many)).collect();
	match &counts[..] {
		[first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
		counts => counts.concat(),
	}
}

fn write(
	out: &mut dyn Write,
	removed: &Removed,
	[one, many]: [&str; 2],
	units: &Units,
	[removes, releases]: [&str; 2],
) -> io::Result<()> {
	if !removed.is_empty() {
		let names = match removed.names.len() {
			0 => String::new(),
			names => format!("{}: ", count(names, one, many)),
		};
		let (rows, deposits) = (rows(removed), units.amount(removed.deposits));
		writeln!(out, "  {removes} {names}{rows}; {releases} {deposits} of deposits")?;
		write_names(out, &removed.names)?;
	}
	if !removed.unnamed.is_empty() {
		let objects = count(removed.unnamed.len(), "content object has", "content objects have");
		writeln!(out, "  of these, {objects} no name")?;
		let ids: Vec<_> = removed.unnamed.iter().map(ToString::to_string).collect();
		write_names(out, &ids)?;
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
	for Absent { name, nearest } in &removed.not_found {
		let hint =
			near_names(&quoted(nearest)).map_or_else(String::new, |hint| format!("; {hint}"));
		writeln!(out, "  nothing is published under {}{hint}", printable(name))?;
	}
	Ok(())
}

/// Returns names in quotation marks, for a line of text.
pub(super) fn quoted(names: &[String]) -> Vec<String> {
	names.iter().map(|name| format!("`{}`", printable(name))).collect()
}

fn write_names(out: &mut dyn Write, names: &[String]) -> io::Result<()> {
	for name in names.iter().take(LISTED) {
		writeln!(out, "    {}", printable(name))?;
	}
	write_more(out, names.len().saturating_sub(LISTED))
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::ContentObjectId;

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
			objects: 2,
			unnamed: vec![ContentObjectId([1; 10])],
			records: 2,
			deposits: 15,
			dangling: vec!["names/b".into()],
			kept: vec![Kept { name: "a".into(), reason: "it is".into() }],
			not_found: vec![Absent { name: "c".into(), nearest: vec!["d".into(), "e\x1b".into()] }],
		};
		assert_eq!(
			text(&one),
			"About to:\n  will remove 1 file: 1 head, 1 version, 2 content objects and 2 records; \
			 will release 1.5 UNIT of deposits\n    a\\u{1b}\n  of these, 1 content object has no \
			 name\n    iq__4GjjZ7fPkpiqN\n  of these, 1 record that leads nowhere\n    \
			 names/b\n  the content of a stays: it is\n  nothing is published under c; the nearest names \
			 are `d`, `e\\u{1b}`"
		);
		let mut done = Vec::new();
		let some = Removed { versions: 2, deposits: 15, ..Removed::default() };
		write_removed(&mut done, &some, ["file", "files"], &units()).expect("memory takes all");
		let done = String::from_utf8(done).expect("it is text");
		assert_eq!(done, "  removed 2 versions; released 1.5 UNIT of deposits\n");
		let names = (0..LISTED + 3).map(|number| number.to_string()).collect();
		let many = text(&Removed { names, records: 23, ..Removed::default() });
		assert!(many.contains("will remove 23 files: 23 records;"), "{many}");
		assert!(many.ends_with("… and 3 more"), "{many}");
	}
}
