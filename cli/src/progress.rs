// SPDX-License-Identifier: Apache-2.0
//! The progress of a long command on standard error: a bar on a terminal, lines elsewhere.

use std::{
	cell::Cell,
	io::{self, IsTerminal},
	time::{Duration, Instant},
};

use content_fabric_client::text::{count, grouped};
use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::warn;

/// The shortest time between two lines.
const INTERVAL: Duration = Duration::from_secs(1);
/// Number of frames of the bar in a second.
const FRAMES: u8 = 5;
/// The columns of the bar, and its content.
const TEMPLATE: &str = "{bar:30} {msg}, {eta} left";

/// The unit of a progress.
#[derive(Clone, Copy, Debug)]
enum Unit {
	Items,
	Bytes,
}

/// The progress of a command that handles many items, or bytes.
pub struct Progress {
	unit: Unit,
	/// False if nothing but notes is printed.
	is_shown: bool,
	bar: Option<ProgressBar>,
	start: Instant,
	/// The time of the last line, and the number of items that it named.
	last: Cell<(Instant, u64)>,
}

impl Progress {
	/// Starts to show the progress of items, if it is wanted.
	pub fn new(is_shown: bool) -> Self {
		Self::of(Unit::Items, is_shown)
	}

	/// Starts to show the progress of bytes, if it is wanted.
	pub fn of_bytes(is_shown: bool) -> Self {
		Self::of(Unit::Bytes, is_shown)
	}

	fn of(unit: Unit, is_shown: bool) -> Self {
		let bar = (is_shown && io::stderr().is_terminal()).then(|| {
			let target = ProgressDrawTarget::stderr_with_hz(FRAMES);
			let bar = ProgressBar::with_draw_target(None, target);
			match ProgressStyle::with_template(TEMPLATE) {
				Ok(style) => bar.with_style(style),
				Err(_) => bar,
			}
		});
		let now = Instant::now();
		Self { unit, is_shown, bar, start: now, last: Cell::new((now, 0)) }
	}

	/// Shows how many items or bytes are done, of all that are known.
	pub fn set(&self, done: u64, all: u64) {
		let elapsed = self.start.elapsed();
		if let Some(bar) = &self.bar {
			bar.set_message(self.unit.state(done, all, elapsed));
			bar.set_length(all);
			bar.set_position(done);
			return;
		}
		let (at, before) = self.last.get();
		if self.is_shown && at.elapsed() >= INTERVAL && done != before {
			self.last.set((Instant::now(), done));
			warn(&self.unit.line(done, all, elapsed));
		}
	}

	/// Shows what the command does before the first item.
	pub fn state(&self, text: &str) {
		if let Some(bar) = &self.bar {
			bar.set_message(text.to_owned());
			bar.tick();
			return;
		}
		if self.is_shown && self.last.get().0.elapsed() >= INTERVAL {
			self.last.set((Instant::now(), 0));
			warn(text);
		}
	}

	/// Prints a line that stays above the bar.
	pub fn note(&self, line: &str) {
		self.notes().print(|| warn(line));
	}

	/// Returns a printer for others who have lines to print.
	pub fn notes(&self) -> Notes {
		Notes(self.bar.clone())
	}
}

/// Prints lines above the bar of a progress.
pub struct Notes(Option<ProgressBar>);

impl Notes {
	/// Calls a function that prints lines to standard error.
	pub fn print(&self, print: impl FnOnce()) {
		match &self.0 {
			Some(bar) => bar.suspend(print),
			None => print(),
		}
	}

	/// Removes the bar.
	pub fn finish(&self) {
		if let Some(bar) = &self.0 {
			bar.finish_and_clear();
		}
	}
}

impl Drop for Progress {
	fn drop(&mut self) {
		self.notes().finish();
	}
}

impl Unit {
	/// Returns a number as text.
	fn number(self, number: u64) -> String {
		match self {
			Self::Items => items(number),
			Self::Bytes => HumanBytes(number).to_string(),
		}
	}

	/// Returns the progress, and the rate in a second unless it is less than one.
	fn state(self, done: u64, all: u64, elapsed: Duration) -> String {
		let rate = done as f64 / elapsed.as_secs_f64().max(0.001);
		let all = self.number(all);
		let rate = match rate.round() as u64 {
			0 => String::new(),
			rate => format!(", {}/s", self.number(rate)),
		};
		let done = match self {
			Self::Items => grouped(done.into()),
			Self::Bytes => self.number(done),
		};
		format!("{done} of {all}{rate}")
	}

	fn line(self, done: u64, all: u64, elapsed: Duration) -> String {
		let rate = done as f64 / elapsed.as_secs_f64().max(0.001);
		let left = match rate > 0.0 {
			true => format!("{} s left", (all.saturating_sub(done) as f64 / rate).ceil()),
			false => "unknown time left".into(),
		};
		format!("{}, {left}", self.state(done, all, elapsed))
	}
}

/// Returns a number of items in text.
pub fn items(number: impl TryInto<u64>) -> String {
	count(number, "item", "items")
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_line_has_the_rate_and_the_time_left() {
		let two = Duration::from_secs(2);
		let line = |done, all, elapsed| Unit::Items.line(done, all, elapsed);
		assert_eq!(line(3_000, 9_000, two), "3,000 of 9,000 items, 1,500 items/s, 4 s left");
		assert_eq!(line(0, 5, two), "0 of 5 items, unknown time left");
		assert_eq!(line(7, 5, two), "7 of 5 items, 4 items/s, 0 s left");
		assert_eq!(line(1, 1, two), "1 of 1 item, 1 item/s, 0 s left");
		assert_eq!(line(1, 9, two * 2), "1 of 9 items, 32 s left");
		let bytes = Unit::Bytes.line(3 << 20, 9 << 20, two);
		assert_eq!(bytes, "3.00 MiB of 9.00 MiB, 1.50 MiB/s, 4 s left");
	}
}
