// SPDX-License-Identifier: Apache-2.0
//! The alerts and the dashboard of a program.

use crate::Metric;

/// A program, and how it is watched.
#[derive(Debug)]
pub struct Program {
	/// The name of its files.
	pub name: &'static str,
	/// The title for people.
	pub title: &'static str,
	/// The job that scrapes it.
	pub job: &'static str,
	/// Its metrics.
	pub metrics: &'static [Metric],
	/// Its alerts.
	pub alerts: &'static [Alert],
	/// The rows of its dashboard. Empty if it has none.
	pub rows: &'static [Row],
	/// The series of a healthy program, at which no alert fires.
	pub healthy: &'static [Series],
}

/// A series for tests of alerts: its selector, its first value, and what each minute adds. It has
/// the job of the program, unless the selector has another.
pub type Series = (&'static str, f64, f64);

/// Urgency of an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
	/// Wakes somebody.
	Page,
	/// Can wait for working hours.
	Ticket,
}

impl Severity {
	/// Returns the value of the label `severity`.
	pub const fn name(self) -> &'static str {
		match self {
			Self::Page => "page",
			Self::Ticket => "ticket",
		}
	}
}

/// An alert.
#[derive(Debug)]
pub struct Alert {
	/// The name, which is also its heading in `docs/operations.md`.
	pub name: &'static str,
	/// The condition, in PromQL.
	pub condition: &'static str,
	/// Number of minutes for which the condition must hold.
	pub minutes: u32,
	/// The urgency.
	pub severity: Severity,
	/// A sentence about what is wrong, without a full stop. `{}` stands for the labels.
	pub summary: &'static str,
	/// The causes and the action of a person, in Markdown with links as in `docs/operations.md`.
	pub action: &'static str,
	/// Series that fire it, instead of the healthy ones.
	pub broken: &'static [Series],
}

/// A row of a dashboard.
#[derive(Debug)]
pub struct Row {
	/// The title.
	pub title: &'static str,
	/// The panels.
	pub panels: &'static [Panel],
}

/// A panel of a dashboard.
#[derive(Debug)]
pub struct Panel {
	/// The title.
	pub title: &'static str,
	/// The unit, as Grafana names it.
	pub unit: &'static str,
	/// A hint for its reader.
	pub help: &'static str,
	/// The queries.
	pub queries: &'static [Query],
}

/// A query in PromQL, and the legend of its series. Grafana replaces `{{label}}` in it.
pub type Query = (&'static str, &'static str);
