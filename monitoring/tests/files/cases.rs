// SPDX-License-Identifier: Apache-2.0
//! Tests of the rules, for `promtool`: each alert fires on its broken series once they have lasted,
//! and no alert fires on healthy ones.

use std::fmt::Write;

use content_fabric_monitoring::{Alert, Program, Series, PROGRAMS};

use crate::alerts::{quoted, HEAD};

/// Number of minutes that healthy series last.
const HEALTHY: u32 = 90;
/// Number of minutes after which an alert must fire, beyond those for which its condition holds. A
/// rate over minutes rises as slowly.
const MARGIN: u32 = 20;

pub fn file() -> String {
	let mut text = format!("{HEAD}rule_files: [../alerts.yml]\nevaluation_interval: 1m\ntests:\n");
	for program in PROGRAMS {
		text += &healthy(program);
		for alert in program.alerts {
			text += &broken(program, alert);
		}
	}
	text
}

fn healthy(program: &Program) -> String {
	let name = format!("{}: no alert is even pending on healthy series", program.title);
	let any = format!("count_over_time(ALERTS[{HEALTHY}m])");
	case(&name, program, &[], HEALTHY) + &expectation(&any, HEALTHY, None)
}

fn broken(program: &Program, alert: &Alert) -> String {
	let Alert { name, minutes, broken, .. } = *alert;
	for (series, ..) in broken {
		let is_known = program.healthy.iter().any(|(healthy, ..)| healthy == series);
		assert!(is_known, "{name}: {series} has no healthy counterpart");
	}
	let firing =
		format!(r#"count by (alertname) (ALERTS{{alertname="{name}",alertstate="firing"}})"#);
	let length = minutes + MARGIN;
	let mut text = case(&format!("{name} fires"), program, broken, length);
	if let Some(before) = minutes.checked_sub(1) {
		text += &expectation(&firing, before, None);
	}
	text + &expectation(&firing, length, Some(name))
}

fn case(name: &str, program: &Program, broken: &[Series], length: u32) -> String {
	let mut text = format!("  - name: {}\n    interval: 1m\n    input_series:\n", quoted(name));
	for healthy in program.healthy {
		let (selector, first, step) =
			broken.iter().find(|series| series.0 == healthy.0).unwrap_or(healthy);
		let labels = match selector.contains("job=") {
			true => r#"instance="host:1""#.into(),
			false => format!(r#"instance="host:1",job="{}""#, program.job),
		};
		let series = match selector.strip_suffix('}') {
			Some(start) => format!("{start},{labels}}}"),
			None => format!("{selector}{{{labels}}}"),
		};
		let series = quoted(&series);
		let _ = writeln!(text, "      - {{ series: {series}, values: {first}{step:+}x{length} }}");
	}
	text + "    promql_expr_test:\n"
}

fn expectation(query: &str, minute: u32, alert: Option<&str>) -> String {
	let samples = alert.map(|name| format!("{{ labels: '{{alertname=\"{name}\"}}', value: 1 }}"));
	let (query, samples) = (quoted(query), samples.unwrap_or_default());
	format!(
		"      - expr: {query}\n        eval_time: {minute}m\n        exp_samples: [{samples}]\n"
	)
}
