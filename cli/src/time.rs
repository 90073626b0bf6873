// SPDX-License-Identifier: Apache-2.0
//! Points in time, as text.

use jiff::{civil::Date, tz::TimeZone, Timestamp};

/// Returns a time in UTC as RFC 3339 writes it, from microseconds since the Unix epoch.
pub fn utc(micros: u64) -> String {
	let time =
		i64::try_from(micros).ok().and_then(|micros| Timestamp::from_microsecond(micros).ok());
	time.map_or_else(|| format!("{micros} microseconds since 1970"), |time| time.to_string())
}

/// Reads a time as RFC 3339 writes it, or a date, which stands for its start in UTC. Returns
/// milliseconds since the Unix epoch.
pub fn parse_millis(text: &str) -> Result<u64, &'static str> {
	let time = match text.parse::<Timestamp>() {
		Ok(time) => Some(time),
		Err(_) => text.parse::<Date>().ok().and_then(|date| {
			let is_alone = text.len() == DATE_LEN;
			let start = is_alone.then(|| date.to_zoned(TimeZone::UTC).ok()).flatten();
			start.map(|start| start.timestamp())
		}),
	};
	let millis = time.and_then(|time| u64::try_from(time.as_millisecond()).ok());
	millis.ok_or(
		"expected a time since 1970 with its offset, or a date in UTC, such as 2026-01-31T12:00:00Z \
		 or 2026-01-31",
	)
}

/// Number of characters of a date: `2026-01-31`.
const DATE_LEN: usize = 10;

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn times_are_read_with_their_offset_and_dates_in_utc() {
		for (text, millis) in [
			("2026-01-31", 1_769_817_600_000),
			("2026-01-31T00:00:00Z", 1_769_817_600_000),
			("2026-01-31T01:00:00.5+01:00", 1_769_817_600_500),
			("1970-01-01", 0),
		] {
			assert_eq!(parse_millis(text), Ok(millis), "{text}");
		}
		// A time without an offset could be meant in any zone.
		for text in ["2026-01-31T12:00:00", "2026-02-30", "yesterday", "1969-12-31", "1", ""] {
			assert!(parse_millis(text).is_err(), "{text:?}");
		}
	}

	#[test]
	fn times_are_written_in_utc_and_far_ones_as_numbers() {
		assert_eq!(utc(0), "1970-01-01T00:00:00Z");
		// The example of the specification of muids, and the largest time that a muid can have.
		assert_eq!(utc(1_642_579_230_975_519), "2022-01-19T08:00:30.975519Z");
		assert_eq!(utc((1 << 52) - 1), "2112-09-17T23:53:47.370495Z");
		assert_eq!(utc(u64::MAX), "18446744073709551615 microseconds since 1970");
	}
}
