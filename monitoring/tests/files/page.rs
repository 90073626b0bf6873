// SPDX-License-Identifier: Apache-2.0
//! The list of alerts in the page for operators.

use std::fmt::Write;

use content_fabric_monitoring::{Alert, Severity, PROGRAMS};

/// The page.
pub const PAGE: &str = "docs/operations.md";
/// Lines between which the list stands.
const MARKS: [&str; 2] = [
	"<!-- The alerts are made of the table in the crate content-fabric-monitoring. -->\n",
	"<!-- The end of the alerts. -->\n",
];
/// Largest number of characters in a line.
const WIDTH: usize = 100;

/// Returns the page with the list of the table.
pub fn file(page: &str) -> String {
	let parts = page
		.split_once(MARKS[0])
		.and_then(|(before, rest)| rest.split_once(MARKS[1]).map(|(_, after)| (before, after)));
	let (before, after) = parts.unwrap_or_else(|| panic!("{PAGE} lacks {MARKS:?}"));
	format!("{before}{}{}{}{after}", MARKS[0], list(), MARKS[1])
}

fn list() -> String {
	let mut text = String::new();
	for program in PROGRAMS {
		let _ = writeln!(text, "\n### Alerts: {}", program.title);
		for alert in program.alerts {
			text += &section(alert);
		}
	}
	text + "\n"
}

fn section(alert: &Alert) -> String {
	let Alert { name, condition, minutes, severity, action, .. } = *alert;
	let severity = match severity {
		Severity::Page => "Page",
		Severity::Ticket => "Ticket",
	};
	let lasting = match minutes {
		0 => String::new(),
		1 => " for a minute".into(),
		60 => " for an hour".into(),
		_ if minutes % 60 == 0 => format!(" for {} hours", minutes / 60),
		_ => format!(" for {minutes} minutes"),
	};
	let condition = wrapped(&format!("{severity}, if `{condition}`{lasting}."));
	format!("\n#### {name}\n\n{condition}\n{}", paragraphs(action))
}

/// Breaks the paragraphs of a text into lines. Blocks of code stay as they are.
fn paragraphs(text: &str) -> String {
	let parts = text.split("\n\n").map(|part| match part.starts_with("```") {
		true => format!("{part}\n"),
		false => wrapped(part),
	});
	parts.collect::<Vec<_>>().join("\n")
}

/// Breaks a text into lines between words.
fn wrapped(text: &str) -> String {
	let (mut lines, mut length) = (String::new(), 0);
	for word in text.split_whitespace() {
		let width = word.chars().count();
		if length > 0 && length + 1 + width > WIDTH {
			lines.push('\n');
			length = 0;
		} else if length > 0 {
			lines.push(' ');
			length += 1;
		}
		lines += word;
		length += width;
	}
	lines + "\n"
}

#[test]
fn a_text_is_broken_between_words() {
	let text = format!("{} b\t c", "a".repeat(98));
	assert_eq!(wrapped(&text), format!("{} b\nc\n", "a".repeat(98)));
}

#[test]
fn blocks_of_code_stay_as_they_are() {
	let code = format!("```sh\n{}  b \\\n    c\n```", "a".repeat(98));
	assert_eq!(paragraphs(&format!("x\ny\n\n{code}\n\nz")), format!("x y\n\n{code}\n\nz\n"));
}
