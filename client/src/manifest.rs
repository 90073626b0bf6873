// SPDX-License-Identifier: Apache-2.0
//! Manifests: lists of what to publish, in the JSON Lines format.
//!
//! Each line is an [`Item`]. Blank lines and a byte order mark are skipped, and a line ends with LF
//! or CRLF. [`read`] groups the items into the content objects of each source:
//!
//! ```
//! use content_fabric_client::{ids, manifest};
//!
//! let manifest = r#"
//! {"name": "serde", "version": "1.0.227", "hash": "sha256:80ec…", "size": 77938}
//! {"name": "serde", "version": "1.0.228", "hash": "sha256:9a8e…", "size": 78242, "head": true}
//! "#;
//! # let manifest = manifest.replace("80ec…", &"80".repeat(32)).replace("9a8e…", &"9a".repeat(32));
//! let sources = manifest::read(manifest.as_bytes(), ids::space("cargo"), Some("crates.io"))?;
//! let [serde] = &sources["crates.io"][..] else { panic!("one content object") };
//! assert_eq!(serde.releases.len(), 2);
//! assert!(serde.releases[1].is_head);
//! # Ok::<(), manifest::ManifestError>(())
//! ```

mod line;
mod objects;

use std::{
	collections::BTreeMap,
	fmt,
	io::{self, BufRead, Read},
};

use content_fabric_identifiers::{Cid, ContentObjectId, SpaceId, TenantId};
use serde::{Serialize, Serializer};

use crate::{ids, text::count};
pub use objects::version_text;

use objects::Objects;

/// Maximum number of bytes of a line.
const MAX_LINE: usize = 64 * 1024;
/// Maximum number of lines with errors that are kept.
const MAX_ERRORS: usize = 20;
/// U+FEFF in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// An item of a manifest: a version of a content object, and the names of its records.
///
/// It serializes to a line of a manifest, `{"name":"serde","version":"1.0.228","hash":"sha256:…"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
	/// The name of the record that leads to the content object, and so to its head.
	pub name: String,
	/// The text that stands after the name, and a colon, in the name of the record that leads to
	/// this version. `None` stands for the first 16 hex digits of the hash, as for a file of a
	/// directory.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub version: Option<String>,
	/// The hash of the data, which is the id of the version: `blake3:` or `sha256:`, and 64 hex
	/// digits.
	#[serde(serialize_with = "hash_text")]
	pub hash: Cid,
	/// The size of the data in bytes, if it is known.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub size: Option<u64>,
	/// The text that the id of the content object is made of, or the id itself, `iq__…` or
	/// `itq_…`. `None` stands for the name.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub object: Option<String>,
	/// True if the version becomes the head of its object. Without such an item, an object keeps
	/// the head that it has, if any.
	#[serde(skip_serializing_if = "std::ops::Not::not")]
	pub head: bool,
	/// The name of the source, such as a registry, that the id of the tenant is made of. `None`
	/// stands for the default of the manifest.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub source: Option<String>,
}

/// A content object, and its versions to publish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
	/// The text that its id is made of, or the id.
	pub name: String,
	/// The id, unless it is made of the name.
	pub id: Option<ContentObjectId>,
	/// The versions, in the order of the manifest. At least one.
	pub releases: Vec<Release>,
}

impl Object {
	/// Returns the id of the object of a tenant.
	pub fn id(&self, tenant: TenantId) -> ContentObjectId {
		self.id.unwrap_or_else(|| ids::content_object(tenant, &self.name))
	}
}

/// A version of a content object, under a name. One version may have several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
	/// The name of the record that leads to the object.
	pub name: String,
	/// The text of the version. The record of the version has the name `NAME:VERSION`.
	pub version: String,
	/// The hash of the data, and its kind.
	pub hash: Cid,
	/// The size of the data in bytes, if it is known.
	pub size: Option<u64>,
	/// True if the version becomes the head of its object.
	pub is_head: bool,
}

impl Release {
	/// Returns the name of the record that leads to the version.
	pub fn record_name(&self) -> String {
		format!("{}:{}", self.name, self.version)
	}
}

/// The content objects of a manifest, by source.
pub type Sources = BTreeMap<String, Vec<Object>>;

/// A manifest that cannot be published.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
	/// It cannot be read.
	#[error("cannot be read: {0}")]
	Read(#[from] io::Error),
	/// It has no items.
	#[error("has no items to publish")]
	Empty,
	/// Some of its lines are wrong.
	#[error("{0}")]
	Lines(BadLines),
}

/// The lines of a manifest that are wrong.
#[derive(Debug)]
pub struct BadLines {
	/// The first ones: their numbers, from 1 on, and what is wrong with them.
	pub first: Vec<(usize, String)>,
	/// Number of further ones.
	pub more: usize,
}

impl BadLines {
	/// Returns a text with a line for each bad line, which names the manifest.
	pub fn describe(&self, manifest: &impl fmt::Display) -> String {
		let named = self.first.iter().map(|(line, reason)| format!("{manifest}:{line}: {reason}"));
		let more = (self.more > 0)
			.then(|| format!("… and {}", count(self.more, "more bad line", "more bad lines")));
		named.chain(more).collect::<Vec<_>>().join("\n")
	}
}

impl fmt::Display for BadLines {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(&self.describe(&"line"))
	}
}

/// Reads a manifest. Items without a source have the given one.
///
/// Equal items count once. The ids of objects depend on the space, so that one object may be named
/// in two ways.
///
/// # Errors
///
/// Reports all lines that are wrong, or that contradict an earlier one: a record of the same name
/// that leads elsewhere, a second head of an object, another size of the same data.
pub fn read(
	mut reader: impl BufRead,
	space: SpaceId,
	source: Option<&str>,
) -> Result<Sources, ManifestError> {
	let mut objects = Objects::new(space, source);
	let mut bad = BadLines { first: Vec::new(), more: 0 };
	let mut bytes = Vec::new();
	for number in 1.. {
		let Some(line) = next_line(&mut reader, &mut bytes)? else { break };
		let line = if number == 1 { line.map(unmarked) } else { line };
		let added = line.and_then(|line| match line.trim_ascii() {
			[] => Ok(()),
			line => objects.add(number, line::parse(line)?),
		});
		match added {
			Ok(()) => {},
			Err(reason) if bad.first.len() < MAX_ERRORS => bad.first.push((number, reason)),
			Err(_) => bad.more += 1,
		}
	}
	if !bad.first.is_empty() {
		return Err(ManifestError::Lines(bad));
	}
	let sources = objects.into_sources();
	if sources.is_empty() {
		return Err(ManifestError::Empty);
	}
	Ok(sources)
}

fn unmarked(line: &[u8]) -> &[u8] {
	line.strip_prefix(MARK).unwrap_or(line)
}

/// Reads a line into the bytes, or skips it if it is too long. Returns `None` at the end.
fn next_line<'a>(
	reader: &mut impl BufRead,
	bytes: &'a mut Vec<u8>,
) -> io::Result<Option<Result<&'a [u8], String>>> {
	bytes.clear();
	if reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', bytes)? == 0 {
		return Ok(None);
	}
	if bytes.len() <= MAX_LINE {
		return Ok(Some(Ok(bytes)));
	}
	if !bytes.ends_with(b"\n") {
		reader.skip_until(b'\n')?;
	}
	Ok(Some(Err(format!("has more than {MAX_LINE} bytes"))))
}

fn hash_text<S: Serializer>(hash: &Cid, serializer: S) -> Result<S::Ok, S::Error> {
	serializer.collect_str(&format_args!("{}:{}", hash.hash, hex::encode(hash.version)))
}

#[cfg(test)]
mod tests;
