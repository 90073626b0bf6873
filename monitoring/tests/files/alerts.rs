// SPDX-License-Identifier: Apache-2.0
//! The rules of Prometheus.

use std::fmt::Write;

use content_fabric_monitoring::{Alert, PROGRAMS};

use crate::page::PAGE;

/// The first lines of files in YAML.
pub const HEAD: &str = "# SPDX-License-Identifier: Apache-2.0\n\
	# Made of the table in the crate content-fabric-monitoring. Its README says how.\n";

pub fn file() -> String {
	let mut text = format!("{HEAD}groups:\n");
	for program in PROGRAMS {
		let _ = writeln!(text, "  - name: fabric-{}\n    rules:", program.name);
		for alert in program.alerts {
			text += &rule(alert);
		}
	}
	text
}

fn rule(alert: &Alert) -> String {
	let Alert { name, condition, minutes, severity, summary, .. } = *alert;
	let lasting = if minutes == 0 { String::new() } else { format!("        for: {minutes}m\n") };
	let (condition, summary) = (quoted(condition), quoted(summary));
	let (severity, heading) = (severity.name(), name.to_lowercase());
	format!(
		"      - alert: {name}\n        expr: {condition}\n{lasting}        labels:\n          \
		 severity: {severity}\n        annotations:\n          summary: {summary}\n          \
		 runbook: {PAGE}#{heading}\n"
	)
}

/// Returns a text as YAML.
pub fn quoted(text: &str) -> String {
	format!("'{}'", text.replace('\'', "''"))
}
