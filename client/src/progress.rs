//! The progress of a long command on standard error: a bar on a terminal, lines elsewhere.

use std::{
	cell::Cell,
	io::{self, IsTerminal},
	time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{
	output::{grouped, warn},
	Error,
};

/// The shortest time between two lines.
const INTERVAL: Duration = Duration::from_secs(1);
/// Number of frames of the bar in a second.
const FRAMES: u8 = 5;
/// The columns of the bar, and its content.
const TEMPLATE: &str = "{bar:30} {human_pos} of {human_len} {msg}, {per_sec}, {eta} left";

/// The progress of a command that handles many items.
pub struct Progress {
	noun: &'static str,
	bar: Option<ProgressBar>,
	start: Instant,
	/// The time of the last line, and the number of items that it named.
	last: Cell<(Instant, u64)>,
}

impl Progress {
	/// Starts to show progress on items such as `rows`.
	pub fn new(noun: &'static str) -> Self {
		let bar = io::stderr().is_terminal().then(|| {
			let target = ProgressDrawTarget::stderr_with_hz(FRAMES);
			let bar = ProgressBar::with_draw_target(None, target).with_message(noun);
			match ProgressStyle::with_template(TEMPLATE) {
				Ok(style) => bar.with_style(style),
				Err(_) => bar,
			}
		});
		let now = Instant::now();
		Self { noun, bar, start: now, last: Cell::new((now, 0)) }
	}

	/// Shows how many items are done, of all that are known.
	pub fn set(&self, done: u64, all: u64) {
		if let Some(bar) = &self.bar {
			bar.set_length(all);
			bar.set_position(done);
			return;
		}
		let (at, before) = self.last.get();
		if at.elapsed() >= INTERVAL && done != before {
			self.last.set((Instant::now(), done));
			warn(&line(self.noun, done, all, self.start.elapsed()));
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

/// Returns the line about a connection that is lost, when the node has `patience` to come back.
pub fn connecting_again(error: &Error, patience: Duration) -> String {
	format!("{error}; connecting again for up to {} s", patience.as_secs())
}

impl Drop for Progress {
	fn drop(&mut self) {
		self.notes().finish();
	}
}

fn line(noun: &str, done: u64, all: u64, elapsed: Duration) -> String {
	let seconds = elapsed.as_secs_f64().max(0.001);
	let rate = done as f64 / seconds;
	let left = match rate > 0.0 {
		true => format!("{} s left", (all.saturating_sub(done) as f64 / rate).ceil()),
		false => "unknown time left".into(),
	};
	let (done, all) = (grouped(done.into()), grouped(all.into()));
	format!("{done} of {all} {noun}, {}/s, {left}", grouped(rate as u128))
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_line_has_the_rate_and_the_time_left() {
		let two = Duration::from_secs(2);
		assert_eq!(line("rows", 3_000, 9_000, two), "3,000 of 9,000 rows, 1,500/s, 4 s left");
		assert_eq!(line("rows", 0, 5, two), "0 of 5 rows, 0/s, unknown time left");
		assert_eq!(line("rows", 7, 5, two), "7 of 5 rows, 3/s, 0 s left");
	}
}
