// SPDX-License-Identifier: Apache-2.0
//! The lines that a runtime needs for the pallet: those that the example of a parachain marks are
//! in the pallet's README.

const README: &str = include_str!("../../../pallets/content-fabric/README.md");
const SOURCE: &str = concat!(
	include_str!("../../../examples/parachain/src/lib.rs"),
	include_str!("../../../examples/parachain/src/apis.rs"),
);
/// Limit of the lines that the pallet adds to a runtime, besides the list of nested calls.
const MOST_LINES: usize = 60;
const MANIFEST: &str = include_str!("../../../examples/parachain/Cargo.toml");

/// Returns the lines between the comments with this mark, `begin` and `end`.
fn marked<'a>(file: &'a str, mark: &str) -> Vec<&'a str> {
	let (begin, end) = (format!("{mark}: begin"), format!("{mark}: end"));
	let mut is_marked = false;
	let inside = |line: &&str| {
		is_marked = (is_marked && !line.ends_with(&end)) || line.ends_with(&begin);
		is_marked && !line.ends_with(&begin) && !line.is_empty()
	};
	file.lines().filter(inside).collect()
}

#[test]
fn the_readme_has_the_lines_that_the_example_adds_and_counts_them() {
	let [source, manifest] = [SOURCE, MANIFEST].map(|file| marked(file, "Content fabric"));
	let nested = marked(SOURCE, "Nested calls");
	for line in source.iter().chain(&manifest).chain(&nested) {
		// The path to the pallet is this repository's.
		let line = line.replace("path = \"../../pallets/content-fabric\", ", "");
		let line = line.trim().trim_end_matches(',');
		assert!(README.contains(line), "the README does not have this line: {line}");
	}
	assert!(!nested.is_empty());
	assert!(source.len() <= MOST_LINES, "{} lines", source.len());
	let counts = format!("{} of source and {} of the manifest", source.len(), manifest.len());
	assert!(README.contains(&counts), "the README does not say: {counts}");
}
