// SPDX-License-Identifier: Apache-2.0
//! The official tests of SRFI 167, as far as they are about stores.

use alloc::{format, string::String, vec, vec::Vec};

use serde::Deserialize;

use super::cases::{Case, End, Hex, Select, Step};

#[derive(Deserialize)]
struct Tests {
	tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
	n: u32,
	what: String,
	#[serde(default)]
	set: Set,
	#[serde(rename = "ref")]
	reference: Option<Hex>,
	range: Option<Range>,
	prefix: Option<Hex>,
	#[serde(default)]
	reverse: bool,
	#[serde(default)]
	offset: usize,
	limit: Option<usize>,
	expect: Option<Expect>,
}

/// The pairs that a test sets.
#[derive(Deserialize)]
#[serde(untagged)]
enum Set {
	Pairs(Vec<(Hex, Hex)>),
	/// Those of another test: `as 6`.
	As(String),
}

impl Default for Set {
	fn default() -> Self {
		Self::Pairs(Vec::new())
	}
}

#[derive(Deserialize)]
struct Range {
	start: Hex,
	start_incl: bool,
	end: Hex,
	end_incl: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Expect {
	Value(Hex),
	Pairs(Vec<(Hex, Hex)>),
}

impl Test {
	/// Each pair is set in a transaction of its own, and read in another one.
	fn steps(&self, pairs: &[(Hex, Hex)]) -> Vec<Step> {
		let set = |(key, value): &(Hex, Hex)| Step::Transaction {
			steps: vec![Step::Set(key.clone(), value.clone())],
			end: End::Commit,
		};
		let mut steps: Vec<Step> = pairs.iter().map(set).collect();
		let select = Select { reverse: self.reverse, offset: self.offset, limit: self.limit };
		steps.push(match (&self.reference, &self.range, &self.prefix, &self.expect) {
			(Some(key), _, _, Some(Expect::Value(value))) => {
				Step::Get(key.clone(), Some(value.clone()))
			},
			(_, Some(range), _, Some(Expect::Pairs(pairs))) => {
				assert!(range.start_incl && !range.end_incl, "the bounds of all tests are so; qed");
				let (start, end) = (range.start.clone(), Some(range.end.clone()));
				Step::Between { start, end, select, pairs: pairs.clone() }
			},
			(_, _, Some(prefix), Some(Expect::Pairs(pairs))) => {
				Step::Range { prefix: prefix.clone(), select, pairs: pairs.clone() }
			},
			_ => Step::Range { prefix: Hex(Vec::new()), select, pairs: Vec::new() },
		});
		steps
	}
}

pub(super) fn cases() -> Vec<Case> {
	let Tests { tests } =
		serde_json::from_str(include_str!("srfi167.json")).expect("the tests have this form; qed");
	let pairs = |test: &Test| match &test.set {
		Set::Pairs(pairs) => pairs.clone(),
		Set::As(other) => tests
			.iter()
			.filter(|test| format!("as {}", test.n) == *other)
			.find_map(|test| match &test.set {
				Set::Pairs(pairs) => Some(pairs.clone()),
				Set::As(_) => None,
			})
			.expect("the test that another one refers to sets pairs; qed"),
	};
	tests
		.iter()
		// The last one is about packing.
		.filter(|test| test.n < 12)
		.map(|test| Case {
			name: format!("SRFI 167, test {}: {}", test.n, test.what),
			steps: test.steps(&pairs(test)),
		})
		.collect()
}
