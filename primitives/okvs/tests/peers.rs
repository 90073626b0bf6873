// SPDX-License-Identifier: Apache-2.0
//! Packing beside the published Rust and Python layers, on tens of thousands of tuples. The second
//! is installed into a temporary folder; the test says why it skips where that is impossible.

#[path = "common/tuples.rs"]
mod tuples;

use std::{
	path::Path,
	process::{Command, Output},
};

use content_fabric_okvs::tuple::{pack, unpack, Element};
use foundationdb_tuple as peer;
use proptest::{
	strategy::{Strategy, ValueTree},
	test_runner::{Config, TestRng, TestRunner},
};
use serde_json::Value;
use tuples::{any_tuple, big, bytes, tuple};

const TUPLES: usize = 30_000;

fn to_peer<'e>(element: &'e Element) -> peer::Element<'e> {
	match element {
		Element::Null => peer::Element::Nil,
		Element::Bytes(bytes) => peer::Element::Bytes(bytes.as_ref().into()),
		Element::String(string) => peer::Element::String(string.as_ref().into()),
		Element::Tuple(items) => peer::Element::Tuple(items.iter().map(to_peer).collect()),
		Element::Int(value) => match i64::try_from(*value) {
			Ok(value) => peer::Element::Int(value),
			Err(_) => peer::Element::BigInt((*value).into()),
		},
		Element::BigInt(value) => peer::Element::BigInt(value.get().clone()),
		Element::Float(value) => peer::Element::Float(*value),
		Element::Double(value) => peer::Element::Double(*value),
		Element::Bool(value) => peer::Element::Bool(*value),
		Element::Uuid(uuid) => peer::Element::Uuid(peer::Uuid::from_bytes(uuid.0)),
		Element::Versionstamp(stamp) => {
			peer::Element::Versionstamp(peer::Versionstamp::complete(stamp.transaction, stamp.user))
		},
		other => panic!("{other:?} is new"),
	}
}

#[test]
fn tuples_agree_with_the_rust_layer() {
	let mut runner =
		TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(Default::default()));
	let strategy = any_tuple();
	for _ in 0..TUPLES {
		let items = strategy.new_tree(&mut runner).expect("nothing is rejected").current();
		let packed = pack(&items);
		let theirs: Vec<_> = items.iter().map(to_peer).collect();
		assert_eq!(peer::pack(&theirs), packed, "{items:?}");
		// The peer reads versionstamps of ones only as incomplete, and writes them all the same.
		let read: Vec<peer::Element> = peer::unpack(&packed).expect("the peer reads its own form");
		assert_eq!(peer::pack(&read), packed, "{items:?}");
	}
}

/// Runs a step of an installation. Says why not, if it fails.
fn run(command: &mut Command) -> Result<Output, String> {
	let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
	if output.status.success() {
		return Ok(output);
	}
	let stderr = String::from_utf8_lossy(&output.stderr);
	Err(format!("{command:?}: {}", stderr.lines().last().unwrap_or("failed")))
}

fn install_foundationdb(dir: &Path) -> Result<(), String> {
	let mut pip = Command::new("python3");
	pip.args(["-m", "pip", "install", "--quiet", "--target"]).arg(dir).arg("foundationdb==8.0.0");
	run(&mut pip).map(drop)
}

#[test]
fn tuples_agree_with_the_python_layer() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	if let Err(reason) = install_foundationdb(dir.path()) {
		println!("skipped: PyPI foundationdb cannot be installed: {reason}");
		return;
	}
	let mut script = Command::new("python3");
	script.arg("tests/peers/tuples.py").arg(TUPLES.to_string()).env("PYTHONPATH", dir.path());
	let output = run(script.current_dir(env!("CARGO_MANIFEST_DIR"))).expect("the script runs");
	let lines = String::from_utf8(output.stdout).expect("the script prints JSON");

	// Here the Python layer has a form of its own, which the other layers do not share.
	let differing = [big("18446744073709551615"), big("-18446744073709551615")];
	fn holds(items: &[Element], wanted: &[Element]) -> bool {
		items.iter().any(|item| match item {
			Element::Tuple(items) => holds(items, wanted),
			item => wanted.contains(item),
		})
	}
	let (mut agreed, mut excluded) = (0, 0);
	for line in lines.lines() {
		let line: Value = serde_json::from_str(line).expect("the script prints JSON");
		let (items, theirs) = (tuple(&line["tuple"]), bytes(&line["hex"]));
		if holds(&items, &differing) {
			assert_ne!(pack(&items), theirs, "{line}");
			assert!(unpack::<Vec<Element>>(&theirs).is_err(), "{line}");
			excluded += 1;
			continue;
		}
		assert_eq!(pack(&items), theirs, "{line}");
		assert_eq!(unpack(&theirs), Ok(items), "{line}");
		agreed += 1;
	}
	println!("agreed on {agreed}; {excluded} with ±(2^64 - 1) left out");
	assert_eq!(agreed + excluded, TUPLES);
	assert!(agreed > TUPLES / 2);
}
