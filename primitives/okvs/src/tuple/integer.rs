// SPDX-License-Identifier: Apache-2.0
//! The forms of integers.

use alloc::vec::Vec;

use super::{bytes::put_head, code, error::UnpackErrorKind};

/// Most bytes of an integer's magnitude that its first byte alone can give the length of.
const SHORT: usize = 8;

/// Puts an integer given by its sign and magnitude.
#[inline]
pub(super) fn put_short(packed: &mut Vec<u8>, negative: bool, magnitude: u64) {
	let len = SHORT - magnitude.leading_zeros() as usize / 8;
	let digits = if negative { !magnitude } else { magnitude };
	// The bytes that count go to the front. A shift by all 64 bits is for zero, which has none.
	let digits = digits.checked_shl(64 - 8 * len as u32).unwrap_or(0).to_be_bytes();
	let mut bytes = [0; 1 + SHORT];
	bytes[0] = if negative { code::ZERO - len as u8 } else { code::ZERO + len as u8 };
	bytes[1..].copy_from_slice(&digits);
	put_head(packed, bytes, 1 + len);
}

/// Puts an integer given by its sign and magnitude.
pub(super) fn put(packed: &mut Vec<u8>, negative: bool, magnitude: u128) {
	match u64::try_from(magnitude) {
		Ok(magnitude) => put_short(packed, negative, magnitude),
		Err(_) => {
			let digits = magnitude.to_be_bytes();
			put_long(packed, negative, &digits[magnitude.leading_zeros() as usize / 8..]);
		},
	}
}

/// Puts an integer of 9 to 255 bytes, given by its sign and its magnitude, big-endian and without
/// zeros in front.
pub(super) fn put_long(packed: &mut Vec<u8>, negative: bool, magnitude: &[u8]) {
	let len = magnitude.len() as u8;
	if negative {
		packed.extend_from_slice(&[code::BIG_NEGATIVE, !len]);
		for byte in magnitude {
			packed.extend_from_slice(&[!byte]);
		}
	} else {
		packed.extend_from_slice(&[code::BIG_POSITIVE, len]);
		packed.extend_from_slice(magnitude);
	}
}

/// An integer as it was found: its sign, and its magnitude, big-endian. The bytes of the magnitude
/// of a negative one are complemented.
pub(super) struct Digits<'a> {
	pub negative: bool,
	pub bytes: &'a [u8],
}

impl<'a> Digits<'a> {
	/// The integer that begins with this byte, which is an integer's, and the bytes after it. Also
	/// gives the length of what was read of these. An error has its position in these.
	#[inline]
	pub fn read(first: u8, rest: &'a [u8]) -> Result<(Self, usize), (usize, UnpackErrorKind)> {
		let (negative, at, len, shortest) = match first {
			code::BIG_NEGATIVE | code::BIG_POSITIVE => {
				let negative = first == code::BIG_NEGATIVE;
				let len = *rest.first().ok_or((0, UnpackErrorKind::Truncated))?;
				(negative, 1, usize::from(if negative { !len } else { len }), SHORT + 1)
			},
			_ => (first < code::ZERO, 0, usize::from(first.abs_diff(code::ZERO)), 0),
		};
		if len < shortest {
			return Err((0, UnpackErrorKind::NotMinimal));
		}
		let bytes = rest.get(at..at + len).ok_or((rest.len(), UnpackErrorKind::Truncated))?;
		let zero = if negative { 0xff } else { 0 };
		if bytes.first() == Some(&zero) {
			return Err((at, UnpackErrorKind::NotMinimal));
		}
		Ok((Self { negative, bytes }, at + len))
	}

	/// The magnitude, if it fits.
	#[inline]
	pub fn magnitude(&self) -> Option<u128> {
		if self.bytes.len() > 16 {
			return None;
		}
		let flip = if self.negative { 0xff } else { 0 };
		if self.bytes.len() <= SHORT {
			let value =
				self.bytes.iter().fold(0, |value, byte| value << 8 | u64::from(byte ^ flip));
			return Some(value.into());
		}
		Some(self.bytes.iter().fold(0, |value, byte| value << 8 | u128::from(byte ^ flip)))
	}

	/// The number, if it fits.
	#[inline]
	pub fn to_i128(&self) -> Option<i128> {
		let magnitude = self.magnitude()?;
		if self.negative {
			0i128.checked_sub_unsigned(magnitude)
		} else {
			i128::try_from(magnitude).ok()
		}
	}
}

/// Checks whether an item that begins with this byte is an integer.
#[inline]
pub(super) fn is_code(first: u8) -> bool {
	(code::BIG_NEGATIVE..=code::BIG_POSITIVE).contains(&first)
}
