// SPDX-License-Identifier: Apache-2.0
//! An entry of the table.

/// The kind of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
	/// A number that only rises, until its program restarts.
	Counter,
	/// A number that rises and falls.
	Gauge,
	/// Numbers by size, in buckets.
	Histogram,
}

impl Kind {
	/// Returns the name of the kind, as Prometheus has it.
	pub const fn name(self) -> &'static str {
		match self {
			Self::Counter => "counter",
			Self::Gauge => "gauge",
			Self::Histogram => "histogram",
		}
	}
}

/// A metric of a program.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
	/// The name by which queries know it. The unit is at its end, before `_total`.
	pub name: &'static str,
	/// The kind.
	pub kind: Kind,
	/// One sentence about it.
	pub help: &'static str,
	/// The names of its labels.
	pub labels: &'static [&'static str],
	/// All values of its only label. Empty if they are not known here.
	pub values: &'static [&'static str],
}

impl Metric {
	const fn new(kind: Kind, name: &'static str) -> Self {
		Self { name, kind, help: "", labels: &[], values: &[] }
	}

	pub(crate) const fn counter(name: &'static str) -> Self {
		Self::new(Kind::Counter, name)
	}

	pub(crate) const fn gauge(name: &'static str) -> Self {
		Self::new(Kind::Gauge, name)
	}

	pub(crate) const fn histogram(name: &'static str) -> Self {
		Self::new(Kind::Histogram, name)
	}

	/// Adds labels.
	pub(crate) const fn by(self, labels: &'static [&'static str]) -> Self {
		Self { labels, ..self }
	}

	/// Adds a label with all of its values.
	pub(crate) const fn of(
		self,
		label: &'static [&'static str; 1],
		values: &'static [&'static str],
	) -> Self {
		Self { labels: label, values, ..self }
	}

	/// Returns the only label, with one of its values.
	pub fn label(&self, value: &'static str) -> [(&'static str, &'static str); 1] {
		debug_assert!(self.values.contains(&value), "{} has no value {value}", self.name);
		[(self.labels[0], value)]
	}
}

/// Defines metrics, whose documentation is their help, and `METRICS`, which has all of them.
macro_rules! metrics {
	($(#[doc = $help:literal] $id:ident = $metric:expr;)+) => {
		$(
			#[doc = $help]
			pub const $id: $crate::Metric =
				$crate::Metric { help: $help.trim_ascii(), ..$metric };
		)+

		/// All metrics of the program.
		pub const METRICS: &[$crate::Metric] = &[$($id),+];
	};
}
pub(crate) use metrics;
