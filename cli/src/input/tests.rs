// SPDX-License-Identifier: Apache-2.0
//! Tests of manifests as inputs.

use std::fs;

use content_fabric_client::ids;
use tempfile::TempDir;

use super::*;

/// Reads a file of this name as a manifest.
fn read_file(name: &str, text: &str, source: Option<&str>) -> Result<Content, String> {
	let dir = TempDir::new().expect("there is room for a directory");
	let path = dir.path().join(name);
	fs::write(&path, text).expect("there is room for a file");
	let read = read(&Input::Path(path), source, false, ids::space("s"));
	read.map_err(|error| error.to_string().replace(&format!("{}/", dir.path().display()), ""))
}

fn item(name: &str, more: &str) -> String {
	format!("{{\"name\": \"{name}\", \"hash\": \"sha256:{}\"{more}}}\n", "01".repeat(32))
}

#[test]
fn the_source_of_a_manifest_has_the_given_name_or_that_of_the_file() {
	for (file, source, name) in [
		("Packages", None, "Packages"),
		("bookworm.jsonl", None, "bookworm"),
		("12.5.json", None, "12.5"),
		(".jsonl", None, ".jsonl"),
		("bookworm.jsonl", Some("given"), "given"),
	] {
		let content = read_file(file, &item("a", ""), source).expect("it is a manifest");
		assert_eq!(content.sources.keys().collect::<Vec<_>>(), [name]);
	}
	let both = item("a", "") + &item("a", r#", "source": "own""#);
	let content = read_file("m", &both, Some("given")).expect("it is a manifest");
	assert_eq!(content.sources.keys().collect::<Vec<_>>(), ["given", "own"]);
	let own = item("a", r#", "source": "own""#);
	assert!(read_file("m", &own, Some("own")).is_ok());
	let expected = "m has no item without a `source` of its own: leave out --source";
	assert_eq!(read_file("m", &own, Some("given")), Err(expected.to_owned()));
}

#[test]
fn bad_lines_are_listed_with_the_name_of_the_file() {
	let text = item("a", "") + "total 12\n" + &item("a", r#", "size": 0"#).repeat(20);
	let error = read_file("m", &text, None).expect_err("it has bad lines");
	let lines: Vec<_> = error.lines().collect();
	assert_eq!(lines.len(), 21);
	for index in ["# made by Cargo\nversion = 4\n\n[[package]]\nname = \"a\"", "Package: a\n"] {
		let error = read_file("Cargo.lock", index, None).expect_err("it is not a manifest");
		let hint = error.lines().last().unwrap_or_default();
		assert!(
			hint.starts_with("Cargo.lock is not a manifest, which has a JSON object"),
			"{error}"
		);
		assert!(hint.contains("examples/manifests"), "{error}");
	}
	assert_eq!(lines[0], "m:2: is not a JSON object: `total 12`");
	assert!(lines[1].starts_with("m:3: size and hash do not fit each other"), "{error}");
	assert_eq!(lines[20], "… and 1 more bad line");
	let empty = read_file("m", "\n", None);
	assert_eq!(empty, Err("m has no items to publish".to_owned()));
}

#[test]
fn missing_files_are_refused_by_name() {
	let input = Input::Path("/no/such\nmanifest".into());
	let error = read(&input, None, false, ids::space("s")).expect_err("it is missing").to_string();
	assert!(error.starts_with("/no/such\\nmanifest cannot be read: No such file"), "{error}");
}
