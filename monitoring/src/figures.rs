// SPDX-License-Identifier: Apache-2.0
//! The metrics that a program serves.

use std::fmt;

use prometheus_client::{
	encoding::text::encode,
	registry::{Metric as Figure, Registry, Unit},
};

use crate::Metric;

/// The metrics that a program serves. Each has an entry in the table.
#[derive(Debug, Default)]
pub struct Figures(Registry);

impl Figures {
	/// Adds the figure of an entry.
	pub fn add(&mut self, entry: &Metric, figure: impl Figure) {
		let kind = figure.metric_type();
		debug_assert_eq!(kind.as_str(), entry.kind.name(), "the kind of {}", entry.name);
		// The encoder adds the suffixes and the full stop.
		let name = entry.name.strip_suffix("_total").unwrap_or(entry.name);
		let help = entry.help.trim_end_matches('.');
		for (suffix, unit) in [("_seconds", Unit::Seconds), ("_bytes", Unit::Bytes)] {
			if let Some(name) = name.strip_suffix(suffix) {
				return self.0.register_with_unit(name, help, unit, figure);
			}
		}
		self.0.register(name, help, figure);
	}

	/// Returns all figures as OpenMetrics text.
	pub fn text(&self) -> Result<String, fmt::Error> {
		let mut text = String::new();
		encode(&mut text, &self.0)?;
		Ok(text)
	}
}

#[cfg(test)]
mod tests {
	use prometheus_client::metrics::{counter::Counter, gauge::Gauge};

	use super::*;

	#[test]
	fn a_figure_is_served_under_the_name_of_its_entry() {
		let mut figures = Figures::default();
		let entry = |name| Metric { help: "About it.", ..Metric::counter(name) };
		figures.add(&entry("fabric_sent_bytes_total"), Counter::<u64>::default());
		figures
			.add(&Metric { help: "Now.", ..Metric::gauge("fabric_age") }, Gauge::<i64>::default());
		let expected = "# HELP fabric_sent_bytes About it.\n\
			# TYPE fabric_sent_bytes counter\n\
			# UNIT fabric_sent_bytes bytes\n\
			fabric_sent_bytes_total 0\n\
			# HELP fabric_age Now.\n\
			# TYPE fabric_age gauge\n\
			fabric_age 0\n\
			# EOF\n";
		assert_eq!(figures.text().as_deref(), Ok(expected));
	}

	#[test]
	#[should_panic(expected = "the kind of fabric_age")]
	fn a_figure_of_another_kind_is_refused() {
		Figures::default().add(&Metric::gauge("fabric_age"), Counter::<u64>::default());
	}
}
