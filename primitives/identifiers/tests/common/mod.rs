// SPDX-License-Identifier: Apache-2.0
//! The vectors that the tests load.

use serde_json::Value;

/// The vectors in a file of `tests/vectors`.
pub fn vectors(name: &str) -> Value {
	let path = format!("{}/tests/vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
	let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
	serde_json::from_str(&text).expect("vectors are JSON")
}

pub fn list(value: &Value) -> impl Iterator<Item = &Value> {
	let list = value.as_array().expect("a list");
	assert!(!list.is_empty(), "an empty list tests nothing");
	list.iter()
}

#[allow(dead_code, reason = "not every test that loads vectors needs it")]
pub fn texts(value: &Value) -> impl Iterator<Item = &str> {
	list(value).map(text)
}

pub fn text(value: &Value) -> &str {
	value.as_str().expect("a text")
}
