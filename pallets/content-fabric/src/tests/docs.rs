// SPDX-License-Identifier: Apache-2.0
//! The crate's documentation keeps to the code.

use std::{
	collections::{BTreeMap, BTreeSet},
	env, fs,
	path::Path,
};

use frame_support::traits::{GetCallIndex, GetCallName};
use scale_info::{TypeDef, TypeInfo};

use crate::{mock::*, Call, Event};

const README: &str = include_str!("../../README.md");

/// The head of the table of calls.
const CALLS: &str = "\
| call | index | origin | deposit | events |
| --- | ---: | --- | --- | --- |
";

/// Returns the words between backticks.
fn code_words(text: &str) -> impl Iterator<Item = String> + '_ {
	text.split('`').skip(1).step_by(2).map(String::from)
}

/// Returns the cells of the tables of the README, from the one with a heading on.
fn table(heading: &str) -> Vec<Vec<String>> {
	let (_, rest) = README.split_once(heading).unwrap_or_else(|| panic!("no table {heading}"));
	rest.lines()
		.skip(2)
		.take_while(|line| line.starts_with('|'))
		.map(|line| line.trim_matches('|').split(" | ").map(|cell| cell.trim().into()).collect())
		.collect()
}

/// Returns the variants of an enum with their index and their documentation, from the metadata.
fn variants<T: TypeInfo>() -> BTreeMap<String, (u8, String)> {
	let TypeDef::Variant(def) = T::type_info().type_def else { panic!("not an enum") };
	let variants = def.variants.iter().filter(|variant| !variant.name.starts_with("__"));
	variants
		.map(|variant| {
			let docs: Vec<_> = variant.docs.iter().map(|line| line.trim()).collect();
			(variant.name.to_string(), (variant.index, docs.join(" ")))
		})
		.collect()
}

/// Returns what the documentation of a call says of a subject.
fn said<'a>(docs: &'a str, subject: &str) -> Option<&'a str> {
	let (_, rest) = docs.split_once(&format!("- {subject}: "))?;
	Some(rest.split(" - ").next().unwrap_or(rest))
}

/// Returns the events that the documentation of a call names, each once.
fn events_of(docs: &str) -> Vec<String> {
	let events = said(docs, "Events").unwrap_or_default();
	let names = events.split("Event::").skip(1).map(|it| it.split('`').next().unwrap_or(it));
	let mut events = Vec::<String>::new();
	for name in names {
		if events.iter().all(|event| event != name) {
			events.push(name.into());
		}
	}
	events
}

/// Returns the first sentence of a text of the documentation as a cell of a table, without links.
fn cell(text: &str) -> String {
	let sentence = text.split(". ").next().unwrap_or(text);
	sentence.replace("[`Config::", "`").replace("`]", "`").trim_end_matches('.').into()
}

#[test]
fn the_table_of_calls_is_that_of_the_metadata() {
	let in_metadata = variants::<Call<Test>>();
	let names: BTreeSet<_> =
		in_metadata.iter().map(|(name, (index, _))| (name.clone(), *index)).collect();
	let dispatched: BTreeSet<_> = Call::<Test>::get_call_names()
		.iter()
		.map(|name| name.to_string())
		.zip(Call::<Test>::get_call_indices().iter().copied())
		.collect();
	assert_eq!(names, dispatched);

	let mut calls: Vec<_> = in_metadata.iter().collect();
	calls.sort_by_key(|(_, (index, _))| *index);
	let rows = calls.iter().map(|(name, (index, docs))| {
		let origin = said(docs, "Origin").unwrap_or_else(|| panic!("{name} has no origin"));
		let deposit = said(docs, "Deposit").map_or("–".into(), cell);
		let events = events_of(docs).iter().map(|event| format!("`{event}`")).collect::<Vec<_>>();
		let (origin, events) = (cell(origin), events.join(", "));
		format!("| `{name}` | {index} | {origin} | {deposit} | {events} |\n")
	});
	let (before, rest) = README.split_once(CALLS).expect("there is a table of calls");
	let rest = rest.lines().skip_while(|line| line.starts_with('|'));
	let rest: String = rest.map(|line| format!("{line}\n")).collect();
	let readme = format!("{before}{CALLS}{}{rest}", rows.collect::<String>());
	if env::var_os("README").is_some_and(|value| value == "write") {
		fs::write(source().with_file_name("README.md"), &readme).expect("the README is writable");
		return;
	}
	assert!(
		README == readme,
		"the README has another table of calls: run this test with README=write to write it"
	);
}

#[test]
fn every_event_is_one_of_a_call() {
	let calls = variants::<Call<Test>>();
	let of_calls: BTreeSet<_> = calls.values().flat_map(|(_, docs)| events_of(docs)).collect();
	let all: BTreeSet<_> = variants::<Event<Test>>().into_keys().collect();
	assert_eq!(of_calls, all);
}

#[test]
fn every_error_is_documented_with_a_call_or_as_shared() {
	let errors: BTreeSet<_> = variants::<crate::Error<Test>>().into_keys().collect();
	let shared: BTreeSet<_> =
		table("| what | error |").iter().flat_map(|cells| code_words(&cells[1])).collect();
	let of_calls: BTreeSet<_> = variants::<Call<Test>>()
		.into_values()
		.flat_map(|(_, docs)| {
			let errors = docs.split("Error::").skip(1);
			errors.map(|it| it.split('`').next().unwrap_or(it).to_string()).collect::<Vec<_>>()
		})
		.collect();
	let documented: BTreeSet<_> = shared.union(&of_calls).cloned().collect();
	let missing: Vec<_> = errors.difference(&documented).collect();
	assert!(missing.is_empty(), "{missing:?}");
	let unknown: Vec<_> = of_calls.difference(&errors).collect();
	assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn the_table_of_maps_is_that_of_the_storage() {
	let documented = table("| entity | map | complete key |");
	let maps = documented.iter().flat_map(|cells| code_words(&cells[1]));
	let storage = fs::read_to_string(source().join("lib.rs")).expect("the source is there");
	for map in maps {
		assert!(storage.contains(&format!("pub type {map}<T: Config>")), "{map}");
	}
}

#[test]
fn the_tests_of_the_properties_exist() {
	let tests = all_tests(&source().join("tests"));
	let properties = table("| property | test |");
	assert!(properties.len() > 10);
	for name in properties.iter().flat_map(|cells| code_words(&cells[1])) {
		let is_path = name.contains('/');
		assert!(is_path || tests.contains(&format!("fn {name}()")), "there is no test {name}");
	}
}

#[test]
fn the_readme_has_the_bytes_of_a_commit() {
	let hex: String = super::signing::PAYLOAD_HEX.concat();
	let listed: String = README.split_whitespace().collect();
	assert!(listed.contains(&hex), "the README lists other bytes than {hex}");
}

fn source() -> &'static Path {
	Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

/// Returns the text of all tests.
fn all_tests(folder: &Path) -> String {
	let entries = fs::read_dir(folder).expect("the tests are there");
	let paths = entries.map(|entry| entry.expect("the folder can be read").path());
	paths
		.map(|path| match path.is_dir() {
			true => all_tests(&path),
			false => fs::read_to_string(path).expect("the tests are text"),
		})
		.collect()
}
