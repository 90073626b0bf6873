// SPDX-License-Identifier: Apache-2.0
//! Hexadecimal digits, eight at a time in the bytes of a word, without branches on the data.

/// One in every byte of a word.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The top bit of every byte of a word.
const TOPS: u64 = 0x80 * ONES;

/// Parses eight digits of either case, the first one in the most significant byte. Returns false if
/// one of them is not a digit.
#[inline(always)]
pub(crate) fn decode(digits: u64) -> (u32, bool) {
	// No sum carries into the next byte, as the bytes are taken without their top bits.
	let ascii = digits & !TOPS;
	let lower = ascii | (0x20 * ONES);
	let at_least = |bytes: u64, least: u8| bytes + (0x80 - u64::from(least)) * ONES;
	let decimal = at_least(ascii, b'0') & !at_least(ascii, b'9' + 1);
	let letter = at_least(lower, b'a') & !at_least(lower, b'f' + 1);
	let all_digits = !digits & (decimal | letter) & TOPS == TOPS;

	// The value of a letter is 9 more than its low four bits, and only letters have bit 6.
	let x = (digits & (0x0f * ONES)) + 9 * (digits >> 6 & ONES);
	let x = (x >> 4 | x) & 0x00ff_00ff_00ff_00ff;
	let x = (x >> 8 | x) & 0x0000_ffff_0000_ffff;
	((x >> 16 | x) as u32, all_digits)
}

/// Returns the eight upper-case digits of a number.
#[inline(always)]
pub(crate) fn encode(value: u32) -> [u8; 8] {
	// One nibble into each byte, the most significant first.
	let mut x = value as u64;
	x = (x << 16 | x) & 0x0000_ffff_0000_ffff;
	x = (x << 8 | x) & 0x00ff_00ff_00ff_00ff;
	x = (x << 4 | x) & 0x0f0f_0f0f_0f0f_0f0f;
	// Letters begin seven characters after the digit that would follow 9.
	let letters = (x + 6 * ONES) >> 4 & ONES;
	(x + 0x30 * ONES + letters * 7).to_be_bytes()
}
