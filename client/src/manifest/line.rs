// SPDX-License-Identifier: Apache-2.0
//! Reads a line of a manifest.

use content_fabric_identifiers::{Cid, HashKind, VersionId};
use content_fabric_primitives::known_size;
use serde::Deserialize;
use serde_json::Value;

use super::Item;
use crate::text::printable;

/// Number of hex digits of a hash.
const DIGITS: usize = 64;
/// Number of characters of a wrong text that an error shows.
const SHOWN: usize = 40;

/// The fields of a line. One that is `null` is missing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
	name: Option<Value>,
	version: Option<Value>,
	hash: Option<Value>,
	size: Option<Value>,
	object: Option<Value>,
	head: Option<Value>,
	source: Option<Value>,
}

/// Returns the item of a line, or the reason why it has none.
pub(super) fn parse(line: &[u8]) -> Result<Item, String> {
	let line = std::str::from_utf8(line).map_err(|_| "is not UTF-8 text".to_owned())?;
	// A list would be taken for the fields in their order.
	if !line.starts_with('{') {
		return Err(format!("is not a JSON object: {}", shown(line)));
	}
	let line: Line = serde_json::from_str(line).map_err(|error| reason(&error))?;
	let hash = text("hash", line.hash)?.ok_or("has no `hash`")?;
	let hash = parse_hash(&hash)?;
	let size = of_kind("size", line.size, "a number of bytes", Value::as_u64)?;
	// Only the hash of no bytes goes with the size 0.
	let has_no_data = known_size(hash.version, hash.hash, 0).is_some();
	if size.is_some_and(|size| (size == 0) != has_no_data) {
		return Err(
			"size and hash do not fit each other: only one of them stands for no data".into()
		);
	}
	if hash.hash == HashKind::Blake3 && size.is_none() && !has_no_data {
		return Err("has no `size`, which goes with a hash of the kind blake3".into());
	}
	Ok(Item {
		name: text("name", line.name)?.ok_or("has no `name`")?,
		version: text("version", line.version)?,
		hash,
		size,
		object: text("object", line.object)?,
		head: of_kind("head", line.head, "true or false", Value::as_bool)?.unwrap_or_default(),
		source: text("source", line.source)?,
	})
}

/// Returns the reason of a JSON error. Its line number counts from the start of the line.
fn reason(error: &serde_json::Error) -> String {
	let (text, column) = (error.to_string(), error.column());
	let text = text.strip_suffix(&format!(" at line 1 column {column}")).unwrap_or(&text);
	match error.is_data() {
		true => printable(text),
		false if error.is_eof() => "is not a JSON object: it ends too early".into(),
		false => format!("is not a JSON object: {} in column {column}", printable(text)),
	}
}

/// Reads the name of a kind of hash, a colon, and the hash in hex.
fn parse_hash(text: &str) -> Result<Cid, String> {
	let parts = text.split_once(':').and_then(|(kind, digits)| Some((kind.parse().ok()?, digits)));
	let Some((kind, digits)): Option<(HashKind, _)> = parts else {
		let [blake3, sha256] = HashKind::ALL;
		let expected = format!("{blake3}: or {sha256}: and {DIGITS} hex digits");
		return Err(format!("hash is {}, expected {expected}", shown(text)));
	};
	if let Some(other) = digits.chars().find(|digit| !digit.is_ascii_hexdigit()) {
		return Err(format!("hash has {other:?}, expected hex digits after {kind}:"));
	}
	let mut hash = [0; 32];
	hex::decode_to_slice(digits, &mut hash)
		.map_err(|_| format!("hash has {} hex digits, expected {DIGITS}", digits.len()))?;
	Ok(Cid { hash: kind, version: VersionId(hash) })
}

/// Returns a text that must not be empty.
fn text(field: &str, value: Option<Value>) -> Result<Option<String>, String> {
	let text = of_kind(field, value, "a text", |value| value.as_str().map(str::to_owned))?;
	match text {
		Some(text) if text.is_empty() => Err(format!("{field} is empty")),
		text => Ok(text),
	}
}

fn of_kind<T>(
	field: &str,
	value: Option<Value>,
	kind: &str,
	read: impl FnOnce(&Value) -> Option<T>,
) -> Result<Option<T>, String> {
	let Some(value) = value else { return Ok(None) };
	let read = read(&value);
	read.map(Some).ok_or_else(|| format!("{field} is {}, expected {kind}", cut(&value.to_string())))
}

/// Returns the start of a text, in quotes.
fn shown(text: &str) -> String {
	format!("`{}`", cut(text))
}

fn cut(text: &str) -> String {
	match text.char_indices().nth(SHOWN) {
		Some((end, _)) => format!("{}…", printable(&text[..end])),
		None => printable(text),
	}
}
