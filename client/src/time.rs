//! Points in time, as text.

use jiff::Timestamp;

/// Returns a time in UTC as RFC 3339 writes it, from microseconds since the Unix epoch.
pub fn utc(micros: u64) -> String {
	let time =
		i64::try_from(micros).ok().and_then(|micros| Timestamp::from_microsecond(micros).ok());
	time.map_or_else(|| format!("{micros} microseconds since 1970"), |time| time.to_string())
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn times_are_written_in_utc_and_far_ones_as_numbers() {
		assert_eq!(utc(0), "1970-01-01T00:00:00Z");
		// The example of the specification of muids, and the largest time that a muid can have.
		assert_eq!(utc(1_642_579_230_975_519), "2022-01-19T08:00:30.975519Z");
		assert_eq!(utc((1 << 52) - 1), "2112-09-17T23:53:47.370495Z");
		assert_eq!(utc(u64::MAX), "18446744073709551615 microseconds since 1970");
	}
}
