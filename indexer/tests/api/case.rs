// SPDX-License-Identifier: Apache-2.0
//! Names are found whatever their case is, in every script.

use content_fabric_identifiers::{RecordKeyBuf, RecordKeySyntax};
use serde_json::Value as Json;

use crate::{
	server::Server,
	world::{OBJECT, TENANT},
};

/// Serves names of files, in their order.
async fn with_names(names: &[&str]) -> Server {
	let mut server = Server::full().await;
	for name in names {
		let key = RecordKeyBuf::of_name(name, RecordKeySyntax::PathSegment);
		let key = key.expect("the name is short").into_string();
		server.world.put(TENANT, "names", &key, OBJECT, None);
	}
	server.seal();
	server
}

async fn found(server: &Server, query: &str, text: &str) -> Vec<String> {
	server.fields(&format!("/v1/{query}={}", escaped(text)), "name").await
}

#[tokio::test]
async fn letters_of_every_script_match_in_both_cases() {
	let server = with_names(&[
		"Äpfel.txt",
		"Отчёт.txt",
		"ÖFFNUNG.txt",
		"ΟΔΟΣ.txt",
		"Straße.txt",
		"İzmir.txt",
		"\u{212a}elvin.txt",
		"ǅep.txt",
	])
	.await;
	for (text, name) in [
		("äpfel", "Äpfel.txt"),
		("ÄPFEL.TXT", "Äpfel.txt"),
		("ОТч", "Отчёт.txt"),
		("отчЁт", "Отчёт.txt"),
		("öffnung", "ÖFFNUNG.txt"),
		// A final sigma, and one that is not.
		("οδος", "ΟΔΟΣ.txt"),
		("οδοσ", "ΟΔΟΣ.txt"),
		("STRASSE", "Straße.txt"),
		("STRAẞE", "Straße.txt"),
		// Its lower case in JavaScript and Rust.
		("i\u{307}zmir", "İzmir.txt"),
		("kelvin", "\u{212a}elvin.txt"),
		("Ǆep", "ǅep.txt"),
		("ǆep", "ǅep.txt"),
	] {
		assert_eq!(found(&server, "names?prefix", text).await, [name], "{text}");
		let word = text.split('.').next().unwrap_or_default();
		// `words` finds whole words only.
		if !["ОТч"].contains(&text) {
			assert_eq!(found(&server, "names?words", word).await, [name], "{text}");
		}
		let hits = server.items(&format!("/v1/search?q={}", escaped(text))).await;
		assert_eq!(hits[0]["title"], Json::from(name), "{text}");
	}
}

#[tokio::test]
async fn pages_of_names_of_one_folded_form_neither_repeat_nor_leave_out_any() {
	let names = ["straße", "STRASSE", "Strasse", "STRAẞE", "straßen"];
	let server = with_names(&names).await;
	let mut found = Vec::new();
	let mut target = format!("/v1/names?prefix={}&limit=1", escaped("STRASSE"));
	loop {
		let page = server.json(&target).await;
		let items = page["items"].as_array().expect("it is a list");
		found.extend(items.iter().map(|item| item["name"].as_str().unwrap_or_default().to_owned()));
		let Some(next) = page["next"].as_str() else { break };
		target = format!("/v1/names?prefix={}&limit=1&cursor={next}", escaped("STRASSE"));
	}
	assert_eq!(found.last().map(String::as_str), Some("straßen"));
	found.sort_unstable();
	let mut expected = names.map(String::from);
	expected.sort_unstable();
	assert_eq!(found, expected);
}

fn escaped(text: &str) -> String {
	text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[tokio::test]
async fn a_prefix_that_looks_like_an_escape_finds_names_with_and_without_escapes() {
	let server = with_names(&["g~2bx", "g~2b c", "g+c", "g~c", "h"]).await;
	let records = format!("/v1/tenants/{TENANT}/collections/names/records");
	for (text, keys) in [
		("g~2b", &["g~2bc", "g~2bx", "g~7e2b~20c"][..]),
		("g~2", &["g~2bc", "g~2bx", "g~7e2b~20c"]),
		("g~", &["g~2bc", "g~2bx", "g~7e2b~20c", "g~c"]),
		("g~2b c", &["g~7e2b~20c"]),
		("g+", &["g~2bc", "g~2bx"]),
	] {
		let target = format!("{records}?prefix={}", escaped(text));
		assert_eq!(server.fields(&target, "key").await, keys, "{text}");
		// Page by page.
		let (mut target, mut found) = (format!("{target}&limit=1"), Vec::new());
		loop {
			let page = server.json(&target).await;
			let items = page["items"].as_array().expect("it is a list");
			found.extend(items.iter().filter_map(|item| item["key"].as_str()).map(str::to_owned));
			let Some(next) = page["next"].as_str() else { break };
			target = format!("{records}?prefix={}&limit=1&cursor={next}", escaped(text));
		}
		assert_eq!(found, keys, "{text}");
	}
}
