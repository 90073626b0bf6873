//! Muids: 128-bit ids that are ordered by time.
//!
//! A muid is a timestamp of 52 bits, in microseconds since the Unix epoch; a medallion of 44 bits,
//! which names the writer; and an offset of 32 bits, which tells apart what one transaction of the
//! writer creates. Packed, the three stand one after the other, most significant byte first. In
//! text they are upper-case hexadecimal digits in groups of 13, 11 and 8, so the digits are those
//! of the packed bytes. The order of muids is that of the packed bytes, which is that of the texts:
//! all three parts are compared without a sign, so negative offsets come after positive ones.
//!
//! The format is that of Gink's muid specification.

mod generator;
#[cfg(feature = "codec")]
mod scale;

use core::{fmt, str::FromStr};

pub use generator::{MuidError, MuidGenerator, Transaction};

use crate::hex;

/// Digits of each part.
const TIMESTAMP_DIGITS: usize = 13;
const MEDALLION_DIGITS: usize = 11;
const OFFSET_DIGITS: usize = 8;
/// Where each part starts in the text.
const MEDALLION_AT: usize = TIMESTAMP_DIGITS + 1;
const OFFSET_AT: usize = MEDALLION_AT + MEDALLION_DIGITS + 1;

const MEDALLION_BITS: u32 = 44;
const OFFSET_BITS: u32 = 32;

/// A 128-bit id that is ordered by time.
///
/// Every value of 16 bytes is a muid.
///
/// ```
/// use content_fabric_identifiers::Muid;
///
/// let muid: Muid = "5D5EAC793E61F-1BFC71B112D-0000000B".parse()?;
/// assert_eq!(muid.timestamp(), 1_642_579_230_975_519);
/// assert_eq!(muid.medallion(), 1_923_190_821_165);
/// assert_eq!(muid.offset(), 11);
/// assert_eq!(muid.with_offset(0).short().to_string(), "5D5EAC793E61F-1BFC71B112D");
/// # Ok::<_, content_fabric_identifiers::ParseMuidError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Muid(u128);

/// The name of a writer of muids: 0 to 17592186044414, which leaves out the 44-bit number of ones
/// only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "codec", derive(codec::Encode, codec::MaxEncodedLen, scale_info::TypeInfo))]
pub struct Medallion(u64);

#[cfg(feature = "arbitrary")]
impl arbitrary::Arbitrary<'_> for Medallion {
	fn arbitrary(bytes: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
		bytes.int_in_range(0..=Self::MAX.0).map(Self)
	}
}

/// A number is too large for a medallion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MedallionError {
	/// The number.
	pub value: u64,
}

impl fmt::Display for MedallionError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{} is no medallion: the largest is {}", self.value, Medallion::MAX.0)
	}
}

impl core::error::Error for MedallionError {}

impl Medallion {
	/// The largest medallion.
	pub const MAX: Self = Self((1 << MEDALLION_BITS) - 2);
	/// The first medallion that may be assigned for the time being.
	pub const FIRST_ASSIGNABLE: Self = Self(0x100_0000_0000);
	/// The last medallion that may be assigned for the time being. (The specification's decimal
	/// number is larger by one than its hexadecimal one, which is meant.)
	pub const LAST_ASSIGNABLE: Self = Self(0x1ff_ffff_ffff);

	/// The medallion of this number.
	pub const fn new(value: u64) -> Result<Self, MedallionError> {
		if value > Self::MAX.0 {
			return Err(MedallionError { value });
		}
		Ok(Self(value))
	}

	/// The number.
	pub const fn get(self) -> u64 {
		self.0
	}

	/// Whether a writer may be given it for the time being.
	pub const fn is_assignable(self) -> bool {
		self.0 >= Self::FIRST_ASSIGNABLE.0 && self.0 <= Self::LAST_ASSIGNABLE.0
	}
}

impl TryFrom<u64> for Medallion {
	type Error = MedallionError;

	fn try_from(value: u64) -> Result<Self, MedallionError> {
		Self::new(value)
	}
}

impl fmt::Display for Medallion {
	/// The eleven digits that stand for it in a muid.
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{:0width$X}", self.0, width = MEDALLION_DIGITS)
	}
}

/// A text is no muid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseMuidError {
	/// No form of a muid has this length.
	Length {
		/// The length of the text, in bytes.
		found: usize,
	},
	/// A byte is no hexadecimal digit.
	Digit {
		/// Position of the byte.
		at: usize,
	},
	/// There is no dash between two parts.
	Dash {
		/// Position of the byte that should be one.
		at: usize,
	},
	/// A tail with the widths of an older layout is not all zeros.
	OldTail {
		/// Position of the first byte that is not zero.
		at: usize,
	},
}

impl ParseMuidError {
	/// Position of the byte that broke the rule; for a wrong length the end of the text.
	pub const fn position(&self) -> usize {
		match *self {
			Self::Length { found } => found,
			Self::Digit { at } | Self::Dash { at } | Self::OldTail { at } => at,
		}
	}
}

impl fmt::Display for ParseMuidError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Length { found } => {
				write!(f, "a muid has 13, 25 or {} bytes of text, not {found}", Muid::TEXT_LEN)
			},
			Self::Digit { at } => write!(f, "byte {at} is no hexadecimal digit"),
			Self::Dash { at } => write!(f, "byte {at} is no dash"),
			Self::OldTail { at } => write!(
				f,
				"byte {at} is not zero: only zeros may stand in groups of 13 and 5 digits"
			),
		}
	}
}

impl core::error::Error for ParseMuidError {}

impl Muid {
	/// Bytes of the canonical text.
	pub const TEXT_LEN: usize = OFFSET_AT + OFFSET_DIGITS;
	/// The largest timestamp: 2112-09-17T23:53:47.370495Z.
	pub const MAX_TIMESTAMP: u64 = (1 << 52) - 1;

	/// The muid of a timestamp, which must not be over [`Self::MAX_TIMESTAMP`], a medallion and an
	/// offset.
	pub const fn new(timestamp: u64, medallion: Medallion, offset: i32) -> Option<Self> {
		if timestamp > Self::MAX_TIMESTAMP {
			return None;
		}
		Some(Self::from_parts(timestamp, medallion.0, offset as u32))
	}

	/// All three parts must be in range.
	#[inline(always)]
	const fn from_parts(timestamp: u64, medallion: u64, offset: u32) -> Self {
		Self(
			(timestamp as u128) << (MEDALLION_BITS + OFFSET_BITS)
				| (medallion as u128) << OFFSET_BITS
				| offset as u128,
		)
	}

	/// The muid of a number, which every number has.
	pub const fn from_u128(value: u128) -> Self {
		Self(value)
	}

	/// The number whose big-endian bytes are the packed form.
	pub const fn to_u128(self) -> u128 {
		self.0
	}

	/// The muid of a packed form, which all 16 bytes are.
	pub const fn from_bytes(bytes: [u8; 16]) -> Self {
		Self(u128::from_be_bytes(bytes))
	}

	/// The packed form.
	pub const fn to_bytes(self) -> [u8; 16] {
		self.0.to_be_bytes()
	}

	/// Microseconds since the Unix epoch.
	pub const fn timestamp(self) -> u64 {
		(self.0 >> (MEDALLION_BITS + OFFSET_BITS)) as u64
	}

	/// The writer. A number, as a muid from elsewhere may hold the one that is no [`Medallion`].
	pub const fn medallion(self) -> u64 {
		(self.0 >> OFFSET_BITS) as u64 & ((1 << MEDALLION_BITS) - 1)
	}

	/// Which of the transaction's creations this is. 0 is the transaction itself.
	pub const fn offset(self) -> i32 {
		self.0 as u32 as i32
	}

	/// The muid of another creation of the same transaction.
	pub const fn with_offset(self, offset: i32) -> Self {
		Self(self.0 >> OFFSET_BITS << OFFSET_BITS | offset as u32 as u128)
	}

	/// What a muid means that was written in the transaction of `context`: a timestamp or a
	/// medallion of zero is the transaction's, an offset of zero is the transaction's too, and a
	/// negative one counts back from it. `None` if that leaves the range of offsets.
	pub const fn resolve(self, context: Self) -> Option<Self> {
		let timestamp = if self.timestamp() == 0 { context.timestamp() } else { self.timestamp() };
		let medallion = if self.medallion() == 0 { context.medallion() } else { self.medallion() };
		let offset = match self.offset() {
			0 => context.offset(),
			positive @ 1.. => positive,
			negative => match context.offset().checked_add(negative) {
				Some(offset) => offset,
				None => return None,
			},
		};
		Some(Self::from_parts(timestamp, medallion, offset as u32))
	}

	/// Writes the canonical text into a buffer.
	#[inline]
	pub fn write_to(self, text: &mut [u8; Self::TEXT_LEN]) -> &str {
		self.fill(text);
		core::str::from_utf8(text).expect("digits and dashes are ASCII; qed")
	}

	/// The bytes of the canonical text.
	#[inline]
	pub fn to_text(self) -> [u8; Self::TEXT_LEN] {
		let mut text = [0; Self::TEXT_LEN];
		self.fill(&mut text);
		text
	}

	#[inline(always)]
	fn fill(self, text: &mut [u8; Self::TEXT_LEN]) {
		let mut digits = [0; 32];
		for (digits, shift) in digits.chunks_exact_mut(8).zip([96, 64, 32, 0]) {
			digits.copy_from_slice(&hex::encode((self.0 >> shift) as u32));
		}
		text[..TIMESTAMP_DIGITS].copy_from_slice(&digits[..13]);
		text[MEDALLION_AT - 1] = b'-';
		text[MEDALLION_AT..OFFSET_AT - 1].copy_from_slice(&digits[13..24]);
		text[OFFSET_AT - 1] = b'-';
		text[OFFSET_AT..].copy_from_slice(&digits[24..]);
	}

	/// The shortest text: without an offset of zero, and without the medallion if both are zero.
	pub const fn short(self) -> ShortMuid {
		ShortMuid(self)
	}

	/// Reads a text: the canonical form in either case, without its zero tail or with it. The
	/// specification prints zero tails in the groups of an older layout too, of 13 and of 5
	/// digits; these are read as well.
	pub fn parse(text: &str) -> Result<Self, ParseMuidError> {
		let text = text.as_bytes();
		if let Ok(text) = <&[u8; Self::TEXT_LEN]>::try_from(text) {
			return Self::parse_full(text);
		}
		match text.len() {
			TIMESTAMP_DIGITS => Self::parse_padded(text),
			len if len == OFFSET_AT - 1 => Self::parse_padded(text),
			27 | 33 => Self::parse_old_tail(text),
			found => Err(ParseMuidError::Length { found }),
		}
	}

	#[inline(always)]
	fn parse_full(text: &[u8; Self::TEXT_LEN]) -> Result<Self, ParseMuidError> {
		let word = |at: usize| {
			u64::from_be_bytes(*text[at..].first_chunk().expect("8 of the 34 bytes; qed"))
		};
		// The 32 digits in four words: the second word of the text holds the first dash after five
		// digits, and the third word lacks the digit that stands before the second dash.
		let (first, second, third) = (word(0), word(8), word(16));
		let words = [
			first,
			second & 0xffff_ffff_ff00_0000 | (second & 0xffff) << 8 | third >> 56,
			third << 8 | u64::from(text[OFFSET_AT - 2]),
			word(OFFSET_AT),
		];
		let (mut value, mut all_digits) = (0, true);
		for word in words {
			let (number, is_number) = hex::decode(word);
			value = value << 32 | u128::from(number);
			all_digits &= is_number;
		}
		if all_digits && text[MEDALLION_AT - 1] == b'-' && text[OFFSET_AT - 1] == b'-' {
			Ok(Self(value))
		} else {
			Err(Self::first_error(text))
		}
	}

	/// A canonical text without its tail, which is zeros.
	fn parse_padded(text: &[u8]) -> Result<Self, ParseMuidError> {
		let mut full = *b"0000000000000-00000000000-00000000";
		full[..text.len()].copy_from_slice(text);
		Self::parse_full(&full)
	}

	/// A timestamp, and zeros in the groups of an older layout.
	fn parse_old_tail(text: &[u8]) -> Result<Self, ParseMuidError> {
		let (timestamp, tail) = text.split_at(TIMESTAMP_DIGITS);
		let muid = Self::parse_padded(timestamp)?;
		let zeros = b"-0000000000000-00000";
		match tail.iter().zip(zeros).position(|(found, zero)| found != zero) {
			Some(at) => Err(ParseMuidError::OldTail { at: TIMESTAMP_DIGITS + at }),
			None => Ok(muid),
		}
	}

	/// The error of a text that has one: a digit or a dash that is none.
	#[cold]
	fn first_error(text: &[u8; Self::TEXT_LEN]) -> ParseMuidError {
		let is_dash = |at| at == MEDALLION_AT - 1 || at == OFFSET_AT - 1;
		let digit = text
			.iter()
			.enumerate()
			.position(|(at, byte)| !is_dash(at) && !byte.is_ascii_hexdigit());
		let dash = text.iter().enumerate().position(|(at, byte)| is_dash(at) && *byte != b'-');
		match (digit, dash) {
			(Some(at), dash) if dash.is_none_or(|dash| at < dash) => ParseMuidError::Digit { at },
			(_, dash) => ParseMuidError::Dash { at: dash.unwrap_or(Self::TEXT_LEN) },
		}
	}
}

impl fmt::Display for Muid {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.pad(self.write_to(&mut [0; Self::TEXT_LEN]))
	}
}

impl fmt::Debug for Muid {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "Muid({self})")
	}
}

impl FromStr for Muid {
	type Err = ParseMuidError;

	fn from_str(text: &str) -> Result<Self, ParseMuidError> {
		Self::parse(text)
	}
}

impl From<[u8; 16]> for Muid {
	fn from(bytes: [u8; 16]) -> Self {
		Self::from_bytes(bytes)
	}
}

impl From<Muid> for [u8; 16] {
	fn from(muid: Muid) -> Self {
		muid.to_bytes()
	}
}

impl TryFrom<&[u8]> for Muid {
	type Error = crate::LengthError;

	fn try_from(bytes: &[u8]) -> Result<Self, crate::LengthError> {
		bytes
			.try_into()
			.map(Self::from_bytes)
			.map_err(|_| crate::LengthError { expected: 16, found: bytes.len() })
	}
}

/// A muid that is written in its shortest form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortMuid(Muid);

impl fmt::Display for ShortMuid {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let mut text = [0; Muid::TEXT_LEN];
		let text = self.0.write_to(&mut text);
		f.pad(match (self.0.medallion(), self.0.offset()) {
			(0, 0) => &text[..TIMESTAMP_DIGITS],
			(_, 0) => &text[..OFFSET_AT - 1],
			_ => text,
		})
	}
}
