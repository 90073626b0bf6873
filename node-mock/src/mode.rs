// SPDX-License-Identifier: Apache-2.0
//! The mode in which blocks are sealed, and numbers of milliseconds.

use std::{str::FromStr, time::Duration};

/// The time at which a block is sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
	/// As soon as there is a transaction.
	Instant,
	/// At fixed intervals, with transactions or without.
	Interval(Duration),
}

impl FromStr for Mode {
	type Err = String;

	fn from_str(text: &str) -> Result<Self, String> {
		if text == "instant" {
			return Ok(Self::Instant);
		}
		let text = text
			.strip_prefix("interval=")
			.ok_or_else(|| format!("`{text}` is neither `instant` nor `interval=MS`"))?;
		millis(text).map(Self::Interval)
	}
}

/// Reads a number of milliseconds.
pub fn millis(text: &str) -> Result<Duration, String> {
	match text.parse() {
		Ok(millis) if millis > 0 => Ok(Duration::from_millis(millis)),
		_ => Err(format!("`{text}` is not a number of milliseconds above zero")),
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_mode_is_instant_or_an_interval() {
		assert_eq!("instant".parse(), Ok(Mode::Instant));
		assert_eq!("interval=250".parse(), Ok(Mode::Interval(Duration::from_millis(250))));
		for (bad, named) in [
			("", "`` is neither"),
			("interval", "`interval` is neither"),
			("interval=0", "`0` is not a number of milliseconds above zero"),
			("interval=1s", "`1s` is not"),
			("interval=-5", "`-5` is not"),
		] {
			let error = bad.parse::<Mode>().expect_err("the text is not a mode");
			assert!(error.contains(named), "{error}");
		}
	}
}
