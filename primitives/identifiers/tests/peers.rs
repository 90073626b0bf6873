// SPDX-License-Identifier: Apache-2.0
//! The published implementations and this one on the same generated texts. Where a peer errs, the
//! mistake has a name here and a reason. The tests install the peers into a temporary folder, and
//! print why they are skipped where that is impossible.

#![cfg(feature = "text")]

mod common;

use std::{
	collections::BTreeMap,
	io::Write,
	process::{Command, Stdio},
};

use common::{texts, vectors};
use content_fabric_identifiers::{
	Did, Handle, LenientTid, Muid, Nsid, ParseRecordPathError, ParseRecordUriError, RecordKey,
	RecordKeySyntax, RecordUri,
};
use rand::{rngs::StdRng, seq::IndexedRandom, Rng, SeedableRng};
use serde_json::{json, Value};
use tempfile::TempDir;

const TEXTS: usize = 20_000;

/// Installs a peer into a new folder. Prints the reason if that is impossible.
fn install(name: &str, command: &str, version: &str) -> Option<TempDir> {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let mut words = command.split(' ');
	let mut command = Command::new(words.next().expect("a program"));
	let reason = match command.args(words).arg(dir.path()).arg(version).output() {
		Ok(output) if output.status.success() => return Some(dir),
		Ok(output) => {
			let stderr = String::from_utf8_lossy(&output.stderr);
			stderr.lines().last().unwrap_or("failed").to_owned()
		},
		Err(error) => error.to_string(),
	};
	println!("skipped: {name} cannot be installed: {command:?}: {reason}");
	None
}

/// Gives a peer's script the texts, and returns its answers, one each.
fn ask(command: &mut Command, texts: &[String]) -> Vec<Value> {
	let mut process = command
		.stdin(Stdio::piped())
		.stdout(Stdio::piped())
		.spawn()
		.expect("the interpreter has just installed the peer");
	let mut stdin = process.stdin.take().expect("standard input is piped");
	let lines: String = texts.iter().map(|text| format!("{}\n", json!(text))).collect();
	let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
	let output = process.wait_with_output().expect("the script ends");
	writer.join().expect("the writer does not panic").expect("the script reads everything");
	assert!(output.status.success(), "the script failed");
	let answers: Vec<_> = String::from_utf8(output.stdout)
		.expect("answers are JSON")
		.lines()
		.map(|line| serde_json::from_str(line).expect("answers are JSON"))
		.collect();
	assert_eq!(answers.len(), texts.len());
	answers
}

/// Texts that are valid, nearly valid, and neither: the vectors, values made by `make`, and both
/// with bytes changed, put in and taken out.
fn generate(seeds: &[String], make: impl Fn(&mut StdRng) -> String, odd: &[&str]) -> Vec<String> {
	let mut rng = StdRng::seed_from_u64(1);
	let mut all = seeds.to_vec();
	while all.len() < TEXTS {
		let mut text = if rng.random() {
			make(&mut rng)
		} else {
			seeds.choose(&mut rng).expect("there are seeds").clone()
		};
		for _ in 0..rng.random_range(0..3) {
			let mut characters: Vec<char> = text.chars().collect();
			let at = rng.random_range(0..=characters.len());
			let new = odd.choose(&mut rng).expect("there are odd ones").chars();
			match rng.random_range(0..3) {
				0 => drop(characters.splice(at..at, new)),
				1 if at < characters.len() => drop(characters.splice(at..at + 1, new)),
				_ if at < characters.len() => drop(characters.remove(at)),
				_ => {},
			}
			text = characters.into_iter().collect();
		}
		all.push(text);
	}
	all
}

/// Returns the reason for which gink reads what this crate refuses.
fn gink_mistake(text: &str) -> Option<&'static str> {
	let digits = text.replace('-', "");
	if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
		// Python's int() takes prefixes, signs, underscores, spaces and the digits of all scripts.
		return Some("reads more than digits");
	}
	// Only the sum of the widths is checked.
	(digits.len() == 32).then_some("does not check widths")
}

#[test]
fn muids_agree_with_gink() {
	let pip = "python3 -m pip install --quiet --target";
	let Some(dir) = install("PyPI gink", pip, "gink==0.20260102.1767323228") else { return };
	let vectors = vectors("muid");
	let seeds: Vec<_> =
		texts(&vectors["ascending"]).chain(texts(&vectors["rejected"])).map(String::from).collect();
	let odd = ["0", "F", "f", "-", "G", "_", "+", " ", "0x", "\u{665}", "\n", "é"];
	let all = generate(&seeds, |rng| Muid::from_u128(rng.random()).to_string(), &odd);
	let mut script = Command::new("python3");
	script.arg("tests/peers/muid.py").env("PYTHONPATH", dir.path());
	let answers = ask(script.current_dir(env!("CARGO_MANIFEST_DIR")), &all);

	let mut excluded = BTreeMap::<_, usize>::new();
	let mut agreed = [0; 2];
	for (text, theirs) in all.iter().zip(answers) {
		match (text.parse::<Muid>(), theirs.as_array()) {
			(Ok(muid), Some(theirs)) => {
				// All ones are folded to -1, which stands for the largest number.
				let whole = |value: &Value, max: u64| match value.as_i64() {
					Some(-1) => Some(max),
					_ => value.as_u64(),
				};
				assert_eq!(
					whole(&theirs[0], Muid::MAX_TIMESTAMP),
					Some(muid.timestamp()),
					"{text}"
				);
				assert_eq!(whole(&theirs[1], (1 << 44) - 1), Some(muid.medallion()), "{text}");
				assert_eq!(theirs[2].as_i64(), Some(muid.offset().into()), "{text}");
				agreed[0] += 1;
			},
			(Err(_), None) => agreed[1] += 1,
			(Err(error), Some(_)) => {
				let mistake = gink_mistake(text);
				let mistake =
					mistake.unwrap_or_else(|| panic!("gink reads {text:?}; here {error}"));
				*excluded.entry(mistake).or_default() += 1;
			},
			(Ok(_), None) => {
				assert_ne!(text.len(), Muid::TEXT_LEN, "gink does not read {text:?}");
				*excluded.entry("knows no short forms").or_default() += 1;
			},
		}
	}
	println!("agreed on {agreed:?} of {}; gink's mistakes: {excluded:?}", all.len());
	assert!(agreed.iter().all(|count| *count > TEXTS / 10), "{agreed:?}");
}

#[test]
fn texts_of_the_at_protocol_agree_with_atproto_syntax() {
	let npm = "npm install --silent --no-audit --no-fund --ignore-scripts --prefix";
	let Some(dir) = install("npm @atproto/syntax", npm, "@atproto/syntax@0.7.7") else { return };
	// Node looks for packages beside the script.
	let script = dir.path().join("atproto.mjs");
	std::fs::write(&script, include_str!("peers/atproto.mjs")).expect("there is room for a file");
	let (tids, keys, uris) = (vectors("tid"), vectors("record_key"), vectors("at_uri"));
	let seeds: Vec<_> = texts(&tids["invalid"])
		.chain(texts(&keys["valid_in_both"]))
		.chain(texts(&keys["valid_only_in_path_segment"]))
		.chain(texts(&keys["invalid_in_both"]))
		.chain(texts(&keys["nsid_valid"]))
		.chain(texts(&keys["nsid_invalid"]))
		.chain(texts(&uris["valid"]))
		.chain(texts(&uris["invalid"]))
		.chain(texts(&uris["did_valid"]))
		.chain(texts(&uris["did_invalid"]))
		.chain(texts(&uris["handle_valid"]))
		.chain(texts(&uris["handle_invalid"]))
		.map(String::from)
		.collect();
	let odd = [
		".", "-", ":", "~", "_", "/", "a", "Z", "9", "2", "j", "k", " ", "\n", "é", "%", ".a.b",
		"at://", "did:", "#", "#/a", "?", "/x",
	];
	let all = generate(&seeds, |rng| LenientTid::from_u64(rng.random()).to_string(), &odd);
	let answers = ask(Command::new("node").arg(script), &all);

	let (mut valid, mut fragments) = ([0; 6], 0);
	for (text, theirs) in all.iter().zip(answers) {
		let theirs = theirs.as_array().expect("a list").clone();
		let ours = [
			// The peer accepts the top bit.
			text.parse::<LenientTid>().is_ok(),
			RecordKey::parse(text, RecordKeySyntax::PathSegment).is_ok(),
			Nsid::parse(text).is_ok(),
			Did::parse(text).is_ok(),
			Handle::parse(text).is_ok(),
		];
		assert_eq!(theirs[..5], ours.map(Value::from), "{text:?}: TID, key, NSID, DID, handle");
		let parts = parts_of_at_uri(text);
		if text.contains('#') && theirs[5] != parts {
			// The peer accepts a fragment even where the protocol has no use for one.
			assert_eq!(parts, 0, "{text:?}");
			fragments += 1;
		} else {
			assert_eq!(theirs[5], parts, "{text:?}: parts of an AT URI");
		}
		for (count, ours) in valid.iter_mut().zip(ours.into_iter().chain([parts > 0])) {
			*count += usize::from(ours);
		}
	}
	println!(
		"agreed on {} of {}, but for fragments; valid TIDs, keys, NSIDs, DIDs, handles, AT URIs: {valid:?}",
		all.len() - fragments,
		all.len()
	);
	assert!(valid.iter().all(|count| *count > TEXTS / 100), "{valid:?}");
}

/// Returns the number of parts of a valid AT URI: three for a record. Otherwise 0.
fn parts_of_at_uri(text: &str) -> usize {
	if !text.starts_with("at://") {
		return 0;
	}
	match RecordUri::parse(text) {
		Ok(_) => 3,
		Err(ParseRecordUriError::Path { error: ParseRecordPathError::NoKey { .. }, .. }) => 2,
		Err(ParseRecordUriError::NoCollection { .. }) => 1,
		Err(_) => 0,
	}
}
