//! Hexadecimal digits, without branches on the data.

/// What [`DIGITS`] holds for a byte that is no digit: a bit that no digit has.
pub(crate) const NO_DIGIT: u8 = 0x80;

/// The value of each byte as a hexadecimal digit of either case.
const DIGITS: [u8; 256] = {
	let mut table = [NO_DIGIT; 256];
	let mut value = 0;
	while value < 16 {
		table[b"0123456789ABCDEF"[value] as usize] = value as u8;
		table[b"0123456789abcdef"[value] as usize] = value as u8;
		value += 1;
	}
	table
};

/// Reads digits into a number, and says by [`NO_DIGIT`] in the second part whether all were some.
#[inline(always)]
pub(crate) fn decode<const N: usize>(digits: &[u8; N]) -> (u64, u8) {
	let (mut value, mut seen) = (0, 0);
	let mut i = 0;
	while i < N {
		let digit = DIGITS[digits[i] as usize];
		seen |= digit;
		value = value << 4 | (digit & 0xf) as u64;
		i += 1;
	}
	(value, seen & NO_DIGIT)
}

/// Whether a byte is a digit of either case.
pub(crate) fn is_digit(byte: u8) -> bool {
	DIGITS[byte as usize] != NO_DIGIT
}

/// The eight upper-case digits of a number.
#[inline(always)]
pub(crate) fn encode(value: u32) -> [u8; 8] {
	// One nibble into each byte, the most significant first.
	let mut x = value as u64;
	x = (x << 16 | x) & 0x0000_ffff_0000_ffff;
	x = (x << 8 | x) & 0x00ff_00ff_00ff_00ff;
	x = (x << 4 | x) & 0x0f0f_0f0f_0f0f_0f0f;
	// Letters begin seven characters after the digit that would follow 9.
	let letters = (x + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
	(x + 0x3030_3030_3030_3030 + letters * 7).to_be_bytes()
}
