// SPDX-License-Identifier: Apache-2.0
//! The table by itself.

use std::collections::BTreeSet;

use content_fabric_monitoring::{Kind, PROGRAMS};

use crate::selectors::selectors;

/// Labels that Prometheus adds, and the one of buckets.
const ADDED: [&str; 3] = ["instance", "job", "le"];

#[test]
fn queries_select_only_metrics_labels_and_values_of_the_table() {
	let mut used = BTreeSet::new();
	// One job scrapes no program of ours, and one selector has all of them.
	let jobs = PROGRAMS.map(|program| program.job).into_iter();
	let jobs: Vec<_> = jobs.chain(["fabric-probe", "fabric-.*"]).collect();
	for program in PROGRAMS {
		let conditions = program.alerts.iter().map(|alert| alert.condition);
		let panels = program.rows.iter().flat_map(|row| row.panels);
		let queries = panels.flat_map(|panel| panel.queries).map(|(query, _)| *query);
		let series = program.healthy.iter().map(|(series, ..)| *series);
		for query in conditions.chain(queries).chain(series) {
			let found = selectors(query);
			assert!(!found.is_empty(), "{query} selects nothing");
			for selector in found {
				let name = selector.name;
				let entry = selector.entry();
				let entry = entry.unwrap_or_else(|| panic!("{query}: {name} is not in the table"));
				used.insert(entry.name);
				for (label, operator, value) in selector.matchers() {
					let is_known = ADDED.contains(&label) || entry.labels.contains(&label);
					assert!(is_known, "{query}: {name} has no label {label}");
					let known = match label {
						"job" => &jobs[..],
						_ if entry.labels.contains(&label) => entry.values,
						_ => &[],
					};
					for value in value.split('|').filter(|_| !known.is_empty()) {
						assert!(known.contains(&value), "{query}: {name} is never {value}");
					}
					assert!(["=", "!=", "=~", "!~"].contains(&operator), "{query}: {operator}");
				}
			}
		}
	}
	let metrics = PROGRAMS.iter().flat_map(|program| program.metrics);
	let unused: Vec<_> =
		metrics.map(|metric| metric.name).filter(|name| !used.contains(name)).collect();
	assert!(unused.is_empty(), "no alert and no panel has {unused:?}");
}

#[test]
fn alerts_select_the_metrics_of_other_programs_by_their_job() {
	for alert in PROGRAMS.iter().flat_map(|program| program.alerts) {
		for selector in selectors(alert.condition) {
			let is_ours = selector.name.starts_with("fabric_");
			let has_job = selector.matchers().any(|(label, ..)| label == "job");
			assert!(is_ours || has_job, "{}: {} of any job", alert.name, selector.name);
		}
	}
}

#[test]
fn names_are_unique_and_say_the_kind() {
	let mut names = BTreeSet::new();
	for metric in PROGRAMS.iter().flat_map(|program| program.metrics) {
		assert!(names.insert(metric.name), "{} is there twice", metric.name);
		assert!(metric.help.ends_with('.'), "{}", metric.name);
		let is_ours = metric.name.starts_with("fabric_");
		let is_total = metric.name.ends_with("_total");
		assert!(!is_ours || is_total == (metric.kind == Kind::Counter), "{}", metric.name);
	}
	for alert in PROGRAMS.iter().flat_map(|program| program.alerts) {
		assert!(names.insert(alert.name), "{} is there twice", alert.name);
		assert!(
			!alert.summary.ends_with('.') && alert.action.ends_with(['.', '*']),
			"{}",
			alert.name
		);
		assert!(!alert.broken.is_empty(), "{} is not tested", alert.name);
	}
}
