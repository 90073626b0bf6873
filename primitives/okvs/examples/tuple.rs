// SPDX-License-Identifier: Apache-2.0
//! Packs and unpacks tuples, a line each, so that anyone can look at a key, and other
//! implementations can be compared with this one.
//!
//! `tuple unpack` reads packed bytes as hexadecimal digits, and prints
//! `{"ok": [items], "repacked": digits}`, or `{"error": message, "at": byte}`. `tuple pack` reads
//! items as JSON, and prints the digits of the packed bytes, or `{"error": message}`. Items are
//! objects whose `t` is their type:
//!
//! `{"t": "null"}`, `{"t": "bytes", "hex": digits}`, `{"t": "string", "v": text, "utf8_hex":
//! digits}`, `{"t": "tuple", "items": [items]}`, `{"t": "int", "dec": digits}`, `{"t": "float",
//! "bits": 8 digits, "v": text}`, `{"t": "double", "bits": 16 digits, "v": text}`, `{"t": "bool",
//! "v": boolean}`, `{"t": "uuid", "hex": 32 digits}`, `{"t": "versionstamp", "tr": 20 digits,
//! "user": number}`.
//!
//! A string is read from `v` or else from `utf8_hex`; floats are read from `bits` alone. In place
//! of a list of items `tuple pack` also takes an object that has it as `tuple`.

use std::io::{BufRead, Write};

use content_fabric_okvs::tuple::{
	pack, unpack, BigInt, Element, Null, Uuid, Versionstamp, MAX_DEPTH,
};
use hex::FromHexError;
use serde_json::{json, Deserializer, Value};

fn main() -> Result<(), Box<dyn std::error::Error>> {
	let convert = match std::env::args().nth(1).as_deref() {
		Some("unpack") => unpack_line,
		Some("pack") => pack_line,
		_ => return Err("usage: tuple pack|unpack, with a tuple on each line of the input".into()),
	};
	let mut output = std::io::stdout().lock();
	for line in std::io::stdin().lock().split(b'\n') {
		let line = line?;
		writeln!(output, "{}", convert(String::from_utf8_lossy(&line).trim()))?;
	}
	Ok(())
}

/// Returns the output of `tuple unpack` for a line.
pub fn unpack_line(line: &str) -> String {
	let bytes = match hex::decode(line) {
		Ok(bytes) => bytes,
		Err(error) => {
			let at = match error {
				FromHexError::InvalidHexCharacter { index, .. } => index / 2,
				_ => line.len() / 2,
			};
			return json!({ "error": error.to_string(), "at": at }).to_string();
		},
	};
	let line = match unpack::<Vec<Element>>(&bytes) {
		Ok(items) => json!({
			"ok": items.iter().map(to_json).collect::<Vec<_>>(),
			"repacked": hex::encode(pack(&items)),
		}),
		Err(error) => json!({ "error": error.to_string(), "at": error.at }),
	};
	line.to_string()
}

/// Returns the output of `tuple pack` for a line.
pub fn pack_line(line: &str) -> String {
	let items = |value: Value| match value.get("tuple") {
		Some(items) => items_from_json(items),
		None => items_from_json(&value),
	};
	match parse(line).and_then(items) {
		Ok(items) => hex::encode(pack(&items)),
		Err(error) => json!({ "error": error }).to_string(),
	}
}

/// Reads JSON that is nested no deeper than tuples are.
fn parse(line: &str) -> Result<Value, String> {
	let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
	for byte in line.bytes() {
		match byte {
			_ if escaped => escaped = false,
			b'\\' if in_string => escaped = true,
			b'"' => in_string = !in_string,
			b'[' | b'{' if !in_string => depth += 1,
			b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
			_ => {},
		}
		// A tuple is an array in an object.
		if depth > 2 * MAX_DEPTH + 2 {
			return Err(format!("tuples are nested deeper than {MAX_DEPTH}"));
		}
	}
	let mut deserializer = Deserializer::from_str(line);
	deserializer.disable_recursion_limit();
	let value = serde::Deserialize::deserialize(&mut deserializer);
	let value = value.and_then(|value| deserializer.end().map(|()| value));
	value.map_err(|error| error.to_string())
}

/// Reads the items of a tuple.
pub fn items_from_json(items: &Value) -> Result<Vec<Element<'static>>, String> {
	items.as_array().ok_or("a tuple is an array of items")?.iter().map(from_json).collect()
}

fn from_json(item: &Value) -> Result<Element<'static>, String> {
	let wrong = |field: &str| format!("`{field}` is missing or wrong in {item}");
	let text = |field: &str| item[field].as_str().ok_or_else(|| wrong(field));
	let bytes = |field: &str| hex::decode(text(field)?).map_err(|_| wrong(field));
	Ok(match text("t")? {
		"null" => Null.into(),
		"bool" => item["v"].as_bool().ok_or_else(|| wrong("v"))?.into(),
		"bytes" => bytes("hex")?.into(),
		"string" if item["v"].is_string() => text("v")?.to_owned().into(),
		"string" => String::from_utf8(bytes("utf8_hex")?).map_err(|_| wrong("utf8_hex"))?.into(),
		"int" => {
			let value: num_bigint::BigInt = text("dec")?.parse().map_err(|_| wrong("dec"))?;
			BigInt::try_from(value).map_err(|error| error.to_string())?.into()
		},
		"float" => {
			let bits = bytes("bits")?.try_into().map_err(|_| wrong("bits"))?;
			f32::from_bits(u32::from_be_bytes(bits)).into()
		},
		"double" => {
			let bits = bytes("bits")?.try_into().map_err(|_| wrong("bits"))?;
			f64::from_bits(u64::from_be_bytes(bits)).into()
		},
		"tuple" => items_from_json(&item["items"])?.into(),
		"uuid" => Uuid(bytes("hex")?.try_into().map_err(|_| wrong("hex"))?).into(),
		"versionstamp" => {
			let transaction = bytes("tr")?.try_into().map_err(|_| wrong("tr"))?;
			let user = item["user"].as_u64().and_then(|user| user.try_into().ok());
			Versionstamp { transaction, user: user.ok_or_else(|| wrong("user"))? }.into()
		},
		_ => return Err(wrong("t")),
	})
}

fn to_json(item: &Element) -> Value {
	match item {
		Element::Null => json!({ "t": "null" }),
		Element::Bool(value) => json!({ "t": "bool", "v": value }),
		Element::Bytes(bytes) => json!({ "t": "bytes", "hex": hex::encode(bytes) }),
		Element::String(string) => {
			json!({ "t": "string", "v": string, "utf8_hex": hex::encode(string.as_bytes()) })
		},
		Element::Int(value) => json!({ "t": "int", "dec": value.to_string() }),
		Element::BigInt(value) => json!({ "t": "int", "dec": value.get().to_string() }),
		Element::Float(value) => json!({
			"t": "float",
			"bits": format!("{:08x}", value.to_bits()),
			"v": decimal((*value).into()),
		}),
		Element::Double(value) => json!({
			"t": "double",
			"bits": format!("{:016x}", value.to_bits()),
			"v": decimal(*value),
		}),
		Element::Tuple(items) => {
			json!({ "t": "tuple", "items": items.iter().map(to_json).collect::<Vec<_>>() })
		},
		Element::Uuid(uuid) => json!({ "t": "uuid", "hex": hex::encode(uuid.0) }),
		Element::Versionstamp(stamp) => {
			json!({ "t": "versionstamp", "tr": hex::encode(stamp.transaction), "user": stamp.user })
		},
		other => json!({ "t": "unknown", "debug": format!("{other:?}") }),
	}
}

/// The fewest digits that tell a number from others, in the notation of the vectors: with an
/// exponent of two digits or more if it is below -4 or above 15.
fn decimal(value: f64) -> String {
	if value.is_nan() {
		return "nan".into();
	}
	let scientific = format!("{value:e}");
	let exponent = scientific.split_once('e').and_then(|(digits, exponent)| {
		exponent.parse::<i32>().ok().map(|exponent| (digits, exponent))
	});
	match exponent {
		Some((digits, exponent)) if !(-4..16).contains(&exponent) => {
			let sign = if exponent < 0 { '-' } else { '+' };
			format!("{digits}e{sign}{:02}", exponent.abs())
		},
		_ => format!("{value:?}"),
	}
}
