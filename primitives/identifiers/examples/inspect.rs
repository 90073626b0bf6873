// SPDX-License-Identifier: Apache-2.0
//! Parses each line with every parser of this crate, and prints the results as one JSON object a
//! line.
//!
//! The text is parsed as it is, without its final newline. The escapes `\n`, `\t`, `\\` and
//! `\u{…}` are read, so that control characters can be tried. Any other backslash is a character
//! of the text.
//!
//! ```sh
//! echo 5D5EAC793E61F-1BFC71B112D-0000000B | cargo run --example inspect
//! ```

use std::io::{self, BufRead, Write};

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, Did, Handle, KmsId, LenientTid, Muid, NodeId, Nsid,
	ProviderId, RecordKey, RecordKeySyntax, RecordPath, RecordUri, SpaceId, TenantId, Tid,
	VersionId,
};
use serde_json::{json, Value};

fn main() -> io::Result<()> {
	let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
	let mut line = Vec::new();
	while input.read_until(b'\n', &mut line)? > 0 {
		if line.last() == Some(&b'\n') {
			line.pop();
		}
		let text = std::str::from_utf8(&line)
			.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
		writeln!(output, "{}", inspect(&unescape(text)))?;
		line.clear();
	}
	Ok(())
}

fn inspect(text: &str) -> Value {
	let is_key = |syntax| RecordKey::parse(text, syntax).is_ok();
	json!({
		"input": text,
		"muid": text.parse().ok().map(muid),
		"tid": text.parse().ok().map(tid),
		"lenient_tid": text.parse().ok().map(lenient_tid),
		"record_key": {
			"unreserved": is_key(RecordKeySyntax::Unreserved),
			"path_segment": is_key(RecordKeySyntax::PathSegment),
		},
		"nsid": Nsid::parse(text).is_ok(),
		"did": Did::parse(text).is_ok(),
		"handle": Handle::parse(text).is_ok(),
		"record_path": {
			"fabric": RecordPath::parse(text).ok().map(record_path),
			"repository": RecordPath::parse_repository(text).ok().map(record_path),
		},
		"record_uri": RecordUri::parse(text).ok().map(record_uri),
		"entity_id": entity_id(text),
	})
}

fn record_path(path: RecordPath) -> Value {
	json!({ "collection": path.collection().as_str(), "key": path.key().as_str() })
}

fn record_uri(uri: RecordUri) -> Value {
	json!({
		"canonical": uri.to_string(),
		"authority": uri.authority().to_string(),
		"tenant": uri.tenant().map(|tenant| tenant.to_string()),
		"collection": uri.collection().as_str(),
		"key": uri.key().as_str(),
	})
}

fn muid(muid: Muid) -> Value {
	json!({
		"canonical": muid.to_string(),
		"timestamp": muid.timestamp(),
		"medallion": muid.medallion(),
		"offset": muid.offset(),
		"packed": hex::encode_upper(muid.to_bytes()),
	})
}

fn tid(tid: Tid) -> Value {
	lenient_tid(tid.into())
}

fn lenient_tid(tid: LenientTid) -> Value {
	json!({
		"value": tid.to_u64().to_string(),
		"timestamp": tid.timestamp(),
		"clock_id": tid.clock_id(),
	})
}

fn entity_id(text: &str) -> Option<Value> {
	let entity =
		|kind: &str, bytes: &[u8]| Some(json!({ "kind": kind, "hex": hex::encode(bytes) }));
	macro_rules! read {
		($($id:ident: $kind:literal,)*) => {$(
			if let Ok(id) = text.parse::<$id>() {
				return entity($kind, id.as_ref());
			}
		)*};
	}
	read! {
		SpaceId: "space",
		ProviderId: "provider",
		NodeId: "node",
		TenantId: "tenant",
		KmsId: "kms",
		ContentObjectId: "content_object",
		VersionId: "version",
	}
	let path = text.parse::<ContentObjectPath>().ok()?;
	entity("tenant_content_object", &[path.tenant.as_ref(), path.object.as_ref()].concat())
}

/// Reads `\n`, `\t`, `\\` and `\u{…}`. A backslash before anything else stands for itself.
fn unescape(text: &str) -> String {
	let mut result = String::with_capacity(text.len());
	let mut rest = text;
	while let Some((before, after)) = rest.split_once('\\') {
		result.push_str(before);
		let (character, length) = match after.as_bytes().first() {
			Some(b'n') => ('\n', 1),
			Some(b't') => ('\t', 1),
			Some(b'\\') => ('\\', 1),
			Some(b'u') => code_point(after).unwrap_or(('\\', 0)),
			_ => ('\\', 0),
		};
		result.push(character);
		rest = &after[length..];
	}
	result + rest
}

/// The character of `u{…}` at the start of a text, and the length of that.
fn code_point(text: &str) -> Option<(char, usize)> {
	let (digits, _) = text.strip_prefix("u{")?.split_once('}')?;
	// `from_str_radix` takes a sign too.
	digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
	let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
	Some((character, digits.len() + 3))
}
