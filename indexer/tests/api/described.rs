// SPDX-License-Identifier: Apache-2.0
//! The description of the interface in `openapi.json`: programs have types that are made of it.

use std::{env, fs, sync::LazyLock};

use serde_json::Value as Json;

use crate::server::Server;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");

static DOCUMENT: LazyLock<Json> = LazyLock::new(|| {
	let text = fs::read_to_string(FILE).unwrap_or_else(|error| panic!("{FILE}: {error}"));
	serde_json::from_str(&text).expect("it is JSON")
});

#[tokio::test]
async fn the_file_is_the_description_that_the_server_sends() {
	let sent = Server::full().await.get("/openapi.json").await.json();
	let sent = serde_json::to_string_pretty(&sent).expect("it is JSON") + "\n";
	if env::var_os("OPENAPI").is_some_and(|value| value == "write") {
		fs::write(FILE, &sent).unwrap_or_else(|error| panic!("{FILE}: {error}"));
	}
	assert!(
		fs::read_to_string(FILE).is_ok_and(|file| file == sent),
		"indexer/openapi.json differs from what the indexer describes: run this test with \
		 OPENAPI=write, then scripts/explorer --update"
	);
}

/// Checks that the answer of a path is what the description says.
pub fn check(target: &str, answer: &Json) {
	let path = target.split('?').next().unwrap_or_default();
	let templates = DOCUMENT["paths"].as_object().expect("it has paths");
	// Of the templates that fit, such as `/v1/nodes` and `/v1/{id}`, the one with the fewest parts.
	let template = templates.keys().filter(|template| fits(template, path));
	let template = template.min_by_key(|template| template.matches('{').count());
	let template = template.unwrap_or_else(|| panic!("{path} is not described"));
	let response = &templates[template]["get"]["responses"]["200"];
	let schema = &response["content"]["application/json"]["schema"];
	if let Err(difference) = conforms(answer, schema, false) {
		panic!("{target} is not as described: {difference}");
	}
}

fn fits(template: &str, path: &str) -> bool {
	let (template, path): (Vec<_>, Vec<_>) =
		(template.split('/').collect(), path.split('/').collect());
	let is_part = |(template, part): (&&str, &&str)| template.starts_with('{') || template == part;
	template.len() == path.len() && template.iter().zip(&path).all(is_part)
}

/// Compares a value with a schema. Fails with the first difference. The value may have other fields
/// if the schema is a part of one.
fn conforms(value: &Json, schema: &Json, is_part: bool) -> Result<(), String> {
	if let Some(reference) = schema["$ref"].as_str() {
		let name = reference.trim_start_matches("#/components/schemas/");
		let schema = &DOCUMENT["components"]["schemas"][name];
		return conforms(value, schema, is_part).map_err(|at| format!("{name}: {at}"));
	}
	if let Some(choices) = schema["oneOf"].as_array() {
		let fits = choices.iter().any(|choice| conforms(value, choice, is_part).is_ok());
		return fits.then_some(()).ok_or_else(|| format!("{value} is none of {choices:?}"));
	}
	if let Some(parts) = schema["allOf"].as_array() {
		return parts.iter().try_for_each(|part| conforms(value, part, true));
	}
	let has = |kind: &Json| match kind.as_str() {
		Some("string") => value.is_string(),
		Some("integer") => value.is_u64() || value.is_i64(),
		Some("number") => value.is_number(),
		Some("boolean") => value.is_boolean(),
		Some("null") => value.is_null(),
		Some("array") => value.is_array(),
		Some("object") => value.is_object(),
		_ => false,
	};
	let kinds = &schema["type"];
	if !kinds.as_array().map_or_else(|| has(kinds), |kinds| kinds.iter().any(has)) {
		return Err(format!("{value} is not {kinds}"));
	}
	if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
		return Err(format!("{value} is not one of {}", schema["enum"]));
	}
	for name in schema["required"].as_array().into_iter().flatten() {
		let name = name.as_str().unwrap_or_default();
		value.get(name).ok_or_else(|| format!("{name} is missing"))?;
	}
	for (name, field) in value.as_object().into_iter().flatten() {
		match schema["properties"].get(name).or(schema.get("additionalProperties")) {
			Some(schema) => conforms(field, schema, false).map_err(|at| format!("{name}: {at}"))?,
			None if is_part => {},
			None => return Err(format!("{name} is not described")),
		}
	}
	let tuple = schema["prefixItems"].as_array();
	for (place, item) in value.as_array().into_iter().flatten().enumerate() {
		let schema = tuple.and_then(|items| items.get(place)).unwrap_or(&schema["items"]);
		conforms(item, schema, false)?;
	}
	Ok(())
}
