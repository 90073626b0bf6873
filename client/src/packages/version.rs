//! The order of Debian's versions, `[epoch:]upstream[-revision]`, as section 5.6.12 of the Debian
//! Policy Manual lays it down.

use std::cmp::Ordering;

/// Compares two versions.
pub fn compare(a: &str, b: &str) -> Ordering {
	let ((a_epoch, a_upstream, a_revision), (b_epoch, b_upstream, b_revision)) =
		(parts(a), parts(b));
	a_epoch
		.cmp(&b_epoch)
		.then_with(|| compare_part(a_upstream.as_bytes(), b_upstream.as_bytes()))
		.then_with(|| compare_part(a_revision.as_bytes(), b_revision.as_bytes()))
}

/// The epoch, which is 0 where there is none, the upstream version and the revision.
fn parts(version: &str) -> (u64, &str, &str) {
	let epoch = version.split_once(':').map(|(epoch, rest)| (epoch.parse::<u64>(), rest));
	let (epoch, rest) = match epoch {
		Some((Ok(epoch), rest)) => (epoch, rest),
		_ => (0, version),
	};
	let (upstream, revision) = rest.rsplit_once('-').unwrap_or((rest, ""));
	(epoch, upstream, revision)
}

/// Compares by turns what is no digit, mark by mark, and numbers.
fn compare_part(mut a: &[u8], mut b: &[u8]) -> Ordering {
	loop {
		loop {
			let (a_mark, b_mark) = (mark(a), mark(b));
			if a_mark.is_none() && b_mark.is_none() {
				break;
			}
			let order = weight(a_mark).cmp(&weight(b_mark));
			if order.is_ne() {
				return order;
			}
			// Equal weights are those of equal marks, so there is one on both sides.
			(a, b) = (&a[1..], &b[1..]);
		}
		let ((a_number, a_rest), (b_number, b_rest)) = (number(a), number(b));
		// Without zeros in front the longer number is the greater one.
		let order = a_number.len().cmp(&b_number.len()).then_with(|| a_number.cmp(b_number));
		if order.is_ne() {
			return order;
		}
		(a, b) = (a_rest, b_rest);
		if a.is_empty() && b.is_empty() {
			return Ordering::Equal;
		}
	}
}

/// The first byte, if it is no digit.
fn mark(part: &[u8]) -> Option<u8> {
	part.first().copied().filter(|byte| !byte.is_ascii_digit())
}

/// A tilde comes before everything, even the end; letters come before all other marks.
fn weight(mark: Option<u8>) -> i32 {
	match mark {
		None => 0,
		Some(b'~') => -1,
		Some(letter) if letter.is_ascii_alphabetic() => letter.into(),
		Some(other) => 256 + i32::from(other),
	}
}

/// The digits at the start, without zeros in front, and the rest.
fn number(part: &[u8]) -> (&[u8], &[u8]) {
	let len = part.iter().take_while(|byte| byte.is_ascii_digit()).count();
	let (digits, rest) = part.split_at(len);
	let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
	(&digits[zeros..], rest)
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn versions_are_ordered_as_dpkg_orders_them() {
		// Ascending.
		let versions = [
			"0~~",
			"0~~a",
			"0~",
			"0",
			"0.9",
			"1.0~beta1~svn1245",
			"1.0~beta1",
			"1.0",
			"1.0-1",
			"1.0-1+b1",
			"1.0-1.1",
			"1.0-2",
			"1.0a",
			"1.0+dfsg-1",
			"1.0.1",
			"1.9",
			"1.10",
			"1.10.0-1",
			"2",
			"1:0.1",
			"1:1",
			"4:0",
			"10:0",
		];
		for (i, a) in versions.iter().enumerate() {
			for (j, b) in versions.iter().enumerate() {
				assert_eq!(compare(a, b), i.cmp(&j), "{a} and {b}");
			}
		}
		for (a, b) in [("1.0", "1.00"), ("0:1", "1"), ("1-0", "1"), ("1.0-00", "1.0")] {
			assert_eq!(compare(a, b), Ordering::Equal, "{a} and {b}");
		}
	}
}
