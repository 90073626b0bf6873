// SPDX-License-Identifier: Apache-2.0
//! TOML files, and their errors in one line.

use std::{fs, io, path::Path};

use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};
use zeroize::Zeroizing;

/// Largest number of names in the name of a section: `[profile.main]`.
const SECTION_DEPTH: usize = 2;

/// A TOML file cannot be read, or does not have the format that is expected.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TomlError(String);

/// Reads a file. A missing one is empty. `cure` says what to do about an error in a section, or
/// before the first one. The error of the library would repeat the line, which may hold a secret.
pub(super) fn read<T: Default + DeserializeOwned>(
	path: &Path,
	cure: impl Fn(Option<&str>) -> String,
) -> Result<T, TomlError> {
	let text = match fs::read_to_string(path) {
		// It may hold a secret by mistake.
		Ok(text) => Zeroizing::new(text),
		Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(T::default()),
		Err(error) => return Err(TomlError(format!("cannot read {}: {error}", path.display()))),
	};
	toml::from_str(&text).map_err(|error: toml::de::Error| {
		let line = line_of(error.span().map_or(0, |span| span.start), &text);
		let section = section(line, &text);
		let cure = cure(section.as_deref());
		let section = section.map_or_else(String::new, |name| format!("section [{name}], "));
		let reason = without_value(error.message()).replace('\n', ", ");
		TomlError(format!("{}, {section}line {line}: {reason}; {cure}", path.display()))
	})
}

/// Returns the line of an offset, counted from 1.
fn line_of(offset: usize, text: &str) -> usize {
	let before = text.as_bytes().iter().take(offset);
	before.filter(|byte| **byte == b'\n').count() + 1
}

/// Returns the last section that begins in or before a line, even of a text that is not sound.
fn section(line: usize, text: &str) -> Option<String> {
	let (table, _) = DeTable::parse_recoverable(text);
	let mut sections = Vec::new();
	add_sections(table.get_ref(), &[], &mut sections);
	let sections = sections.into_iter().map(|(offset, name)| (line_of(offset, text), name));
	sections.filter(|(start, _)| *start <= line).max_by_key(|(start, _)| *start).map(|last| last.1)
}

/// Adds the offsets and names of the tables in a table.
fn add_sections(table: &DeTable<'_>, names: &[String], sections: &mut Vec<(usize, String)>) {
	for (name, value) in table {
		let DeValue::Table(inner) = value.get_ref() else { continue };
		let names = [names, &[key(name.get_ref())]].concat();
		sections.push((name.span().start, names.join(".")));
		if names.len() < SECTION_DEPTH {
			add_sections(inner, &names, sections);
		}
	}
}

/// Returns a key as a file has it: in quotes, unless it is a bare word.
pub(super) fn key(name: &str) -> String {
	let is_bare = |mark: char| mark.is_ascii_alphanumeric() || matches!(mark, '-' | '_');
	match !name.is_empty() && name.chars().all(is_bare) {
		true => name.to_owned(),
		false => format!("\"{}\"", name.escape_debug()),
	}
}

/// Returns a message without the text that has the wrong type.
fn without_value(message: &str) -> String {
	match (message.split_once(" string \""), message.rsplit_once("\", expected ")) {
		(Some((kind, _)), Some((_, expected))) => format!("{kind} string, expected {expected}"),
		_ => message.into(),
	}
}
