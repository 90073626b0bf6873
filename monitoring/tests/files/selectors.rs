// SPDX-License-Identifier: Apache-2.0
//! The selectors in queries.

use content_fabric_monitoring::{Kind, Metric, PROGRAMS};

/// Words of PromQL that are not metrics.
const WORDS: [&str; 22] = [
	"abs",
	"and",
	"by",
	"changes",
	"count",
	"delta",
	"deriv",
	"histogram_quantile",
	"ignoring",
	"increase",
	"instance",
	"job",
	"le",
	"max",
	"on",
	"or",
	"predict_linear",
	"rate",
	"sum",
	"time",
	"vector",
	"without",
];

/// A selector in a query: the places where its name begins and ends, and the text of its labels.
pub struct Selector<'a> {
	pub start: usize,
	pub end: usize,
	pub name: &'a str,
	pub labels: &'a str,
}

impl Selector<'_> {
	/// Returns the entry of the metric.
	pub fn entry(&self) -> Option<&'static Metric> {
		let mut metrics = PROGRAMS.iter().flat_map(|program| program.metrics);
		metrics.find(|metric| match metric.kind {
			Kind::Histogram => self
				.name
				.strip_prefix(metric.name)
				.is_some_and(|suffix| ["_bucket", "_count", "_sum"].contains(&suffix)),
			_ => metric.name == self.name,
		})
	}

	/// Returns the names, the operators and the values of the labels.
	pub fn matchers(&self) -> impl Iterator<Item = (&str, &str, &str)> {
		let parts = self.labels.split("\",").filter(|part| !part.is_empty());
		parts.map(|part| {
			let (name, value) = part.split_once('"').expect("values are between quotes");
			let operator = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
			(&name[..name.len() - operator.len()], operator, value.trim_end_matches('"'))
		})
	}
}

/// Returns the selectors in a query.
pub fn selectors(query: &str) -> Vec<Selector<'_>> {
	let mut found: Vec<Selector<'_>> = Vec::new();
	let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
	let mut rest = query;
	while let Some(start) = rest.find(|c: char| is_part(c) || matches!(c, '$' | '[')) {
		let text = &rest[start..];
		if let Some(range) = text.strip_prefix('[') {
			rest = range.split_once(']').expect("ranges end").1;
			continue;
		}
		let length = text.find(|c: char| !is_part(c) && c != '$').unwrap_or(text.len());
		let (name, after) = text.split_at(length);
		let labels = after.strip_prefix('{').and_then(|labels| labels.split_once('}'));
		rest = labels.map_or(after, |(_, rest)| rest);
		// The labels of an aggregation, and numbers.
		let is_listed = WORDS.contains(&name) || !name.starts_with(char::is_alphabetic);
		let is_label = query[..query.len() - text.len()].rfind(['(', ')']).is_some_and(|at| {
			let before = query[..at].trim_end();
			query[at..].starts_with('(')
				&& ["by", "on", "ignoring", "without"].iter().any(|word| before.ends_with(word))
		});
		if !is_listed && !is_label {
			let start = query.len() - text.len();
			let labels = labels.map_or("", |(labels, _)| labels);
			found.push(Selector { start, end: start + length, name, labels });
		}
	}
	found
}

#[test]
fn selectors_are_found_in_a_query() {
	let query = r#"sum by (job, path) (rate(a_total{of=~"x|y",b!="z"}[5m])) / 1e6 > on (job) sum without(of) (c)"#;
	let found = selectors(query);
	let names: Vec<_> = found.iter().map(|found| found.name).collect();
	assert_eq!(names, ["a_total", "c"]);
	let matchers: Vec<_> = found[0].matchers().collect();
	assert_eq!(matchers, [("of", "=~", "x|y"), ("b", "!=", "z")]);
	assert_eq!(&query[found[1].start..found[1].end], "c");
}
