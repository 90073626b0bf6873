// SPDX-License-Identifier: Apache-2.0
//! From bytes to items.

use alloc::{
	borrow::{Cow, ToOwned},
	string::String,
	vec::Vec,
};
use core::{fmt, str::Utf8Error};

use super::{code, pack::SHORT, Element, Null, Uuid, Versionstamp, MAX_DEPTH};

/// Unpacks a tuple: a Rust tuple of up to twelve [`FromItem`]s, or a vector of [`Element`]s.
///
/// Accepts only what [`pack`](super::pack) makes, and all of it up to a depth of [`MAX_DEPTH`]. The
/// position in an error is the place of the byte that broke the rule.
pub fn unpack<'a, T: FromItems<'a>>(bytes: &'a [u8]) -> Result<T, UnpackError> {
	unpack_at(bytes, 0)
}

pub(crate) fn unpack_at<'a, T: FromItems<'a>>(
	bytes: &'a [u8],
	at: usize,
) -> Result<T, UnpackError> {
	let mut reader = Reader::starting_at(bytes, at);
	let items = T::read(&mut reader)?;
	reader.end()?;
	Ok(items)
}

/// Bytes are not a packed tuple, or not one of the type that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpackError {
	/// Position of the byte that broke the rule; the length of the bytes, if one is missing.
	pub at: usize,
	/// The rule.
	pub kind: UnpackErrorKind,
}

/// Cause of an [`UnpackError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnpackErrorKind {
	/// No item begins with this byte.
	UnknownCode(u8),
	/// The bytes end within an item of fixed length.
	Truncated,
	/// The bytes end within a byte string, a string or a nested tuple.
	MissingTerminator,
	/// A string is not UTF-8.
	NotUtf8,
	/// An integer is written with more bytes than it needs.
	NotMinimal,
	/// An integer is outside what its type holds, or outside `i128` without the feature `bigint`.
	IntegerRange,
	/// Tuples are nested deeper than [`MAX_DEPTH`].
	TooDeep,
	/// The item has another type.
	Type {
		/// The type that was asked for.
		expected: &'static str,
		/// The first byte of the item.
		found: u8,
	},
	/// The length of a byte string differs from the array that was asked for.
	Length {
		/// The length of the array.
		expected: usize,
		/// The length of the byte string.
		found: usize,
	},
	/// The item has the right type, but not a value that was asked for.
	Invalid {
		/// The kind of value that was asked for.
		expected: &'static str,
	},
	/// The item holds a zero byte, so it cannot be borrowed. Read it as a `Cow` or an owned value.
	NotBorrowable,
	/// The tuple has fewer items than were asked for.
	MissingItem,
	/// The tuple has more items than were asked for.
	ExcessItem,
	/// The key is outside the [`Subspace`](super::Subspace).
	Outside,
}

impl fmt::Display for UnpackError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		use UnpackErrorKind::*;
		write!(f, "at byte {}: ", self.at)?;
		match self.kind {
			UnknownCode(code) => write!(f, "no item begins with {code:02x}"),
			Truncated => f.write_str("the item is cut off"),
			MissingTerminator => f.write_str("the item does not end"),
			NotUtf8 => f.write_str("the string is not UTF-8"),
			NotMinimal => f.write_str("the integer has more bytes than it needs"),
			IntegerRange => f.write_str("the integer is too large for its type"),
			TooDeep => write!(f, "tuples are nested deeper than {MAX_DEPTH}"),
			Type { expected, found } => {
				write!(f, "the item begins with {found:02x}, so it is not a {expected}")
			},
			Length { expected, found } => {
				write!(f, "the byte string has {found} bytes, not {expected}")
			},
			Invalid { expected } => write!(f, "the item is not a {expected}"),
			NotBorrowable => f.write_str("the item holds a zero byte, so it cannot be borrowed"),
			MissingItem => f.write_str("an item is missing"),
			ExcessItem => f.write_str("the tuple has too many items"),
			Outside => f.write_str("the key is outside the subspace"),
		}
	}
}

impl core::error::Error for UnpackError {}

/// A value that is unpacked from one item.
pub trait FromItem<'a>: Sized {
	/// Reads the next item.
	fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError>;
}

/// A sequence of items that is unpacked from a tuple.
pub trait FromItems<'a>: Sized {
	/// Reads the items that are left in the innermost tuple that is being read, or as many of them
	/// as the type has.
	fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError>;
}

/// A place in packed bytes.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
	bytes: &'a [u8],
	at: usize,
	/// Number of nested tuples around this place.
	depth: usize,
}

impl<'a> Reader<'a> {
	pub(crate) fn starting_at(bytes: &'a [u8], position: usize) -> Self {
		Self { bytes, at: position, depth: 0 }
	}

	/// Steps over an item. Checks only what it takes to find its end.
	pub(crate) fn skip(&mut self) -> Result<(), UnpackError> {
		let outside = self.depth;
		loop {
			match self.peek() {
				Some(code::NULL) => {
					self.null();
				},
				// To any depth, as nothing is kept for a level.
				Some(code::NESTED) => {
					self.at += 1;
					self.depth += 1;
				},
				Some(first) => {
					self.at += 1;
					self.skip_scalar(first)?;
				},
				None if self.depth == outside => return self.missing(),
				None => {
					self.terminator()?;
					self.depth -= 1;
				},
			}
			if self.depth == outside {
				return Ok(());
			}
		}
	}

	/// Steps over an item that is neither null nor a nested tuple, after its first byte.
	fn skip_scalar(&mut self, first: u8) -> Result<(), UnpackError> {
		let len = match first {
			code::BYTES | code::STRING => loop {
				let rest = &self.bytes[self.at..];
				let Some(len) = memchr::memchr(code::END, rest) else {
					return self.cut_off(UnpackErrorKind::MissingTerminator);
				};
				self.at += len + 1;
				if rest.get(len + 1) != Some(&code::ESCAPE) {
					return Ok(());
				}
				self.at += 1;
			},
			first if is_code(first) => return self.digits(first).map(drop),
			code::FLOAT => 4,
			code::DOUBLE => 8,
			code::FALSE | code::TRUE => 0,
			code::UUID => 16,
			code::VERSIONSTAMP => 12,
			_ => {
				let kind = UnpackErrorKind::UnknownCode(first);
				return Err(UnpackError { at: self.at - 1, kind });
			},
		};
		if self.bytes.len() - self.at < len {
			return self.cut_off(UnpackErrorKind::Truncated);
		}
		self.at += len;
		Ok(())
	}

	pub(crate) fn at(&self) -> usize {
		self.at
	}

	#[inline]
	fn error<T>(&self, kind: UnpackErrorKind) -> Result<T, UnpackError> {
		Err(UnpackError { at: self.at, kind })
	}

	/// Returns the first byte of the next item. `None` at the end of the innermost tuple.
	#[inline]
	fn peek(&self) -> Option<u8> {
		match self.bytes.get(self.at) {
			Some(&code::END)
				if self.depth > 0 && self.bytes.get(self.at + 1) != Some(&code::ESCAPE) =>
			{
				None
			},
			first => first.copied(),
		}
	}

	/// Steps over the first byte of an item if it is one of those that are expected.
	#[inline]
	fn expect(
		&mut self,
		expected: &'static str,
		is: impl FnOnce(u8) -> bool,
	) -> Result<u8, UnpackError> {
		match self.peek() {
			Some(first) if is(first) => {
				self.at += 1;
				Ok(first)
			},
			Some(found) => self.error(UnpackErrorKind::Type { expected, found }),
			None => self.missing(),
		}
	}

	#[cold]
	fn missing<T>(&self) -> Result<T, UnpackError> {
		match self.depth == 0 || self.at < self.bytes.len() {
			true => self.error(UnpackErrorKind::MissingItem),
			false => self.error(UnpackErrorKind::MissingTerminator),
		}
	}

	/// Steps over the next item and returns `true` if it is null.
	#[inline]
	fn null(&mut self) -> bool {
		let is_null = self.peek() == Some(code::NULL);
		if is_null {
			self.at += if self.depth > 0 { 2 } else { 1 };
		}
		is_null
	}

	/// Checks that no item is left in the innermost tuple.
	#[inline]
	pub(crate) fn end(&self) -> Result<(), UnpackError> {
		match self.peek() {
			None => Ok(()),
			Some(_) => self.error(UnpackErrorKind::ExcessItem),
		}
	}

	/// Steps over the end of a nested tuple.
	#[inline]
	fn terminator(&mut self) -> Result<(), UnpackError> {
		if self.at == self.bytes.len() {
			return self.error(UnpackErrorKind::MissingTerminator);
		}
		self.at += 1;
		Ok(())
	}

	#[inline]
	fn array<const N: usize>(&mut self) -> Result<[u8; N], UnpackError> {
		match self.bytes[self.at..].first_chunk() {
			Some(array) => {
				self.at += N;
				Ok(*array)
			},
			None => self.cut_off(UnpackErrorKind::Truncated),
		}
	}

	/// Reads the content of a byte string, after its first byte.
	#[inline]
	fn string(&mut self) -> Result<Cow<'a, [u8]>, UnpackError> {
		let rest = &self.bytes[self.at..];
		match memchr::memchr(code::END, rest) {
			Some(len) if rest.get(len + 1) != Some(&code::ESCAPE) => {
				self.at += len + 1;
				Ok(Cow::Borrowed(&rest[..len]))
			},
			Some(len) => self.escaped_string(len).map(Cow::Owned),
			None => self.cut_off(UnpackErrorKind::MissingTerminator),
		}
	}

	/// Returns the error of bytes that end too early.
	#[cold]
	fn cut_off<T>(&self, kind: UnpackErrorKind) -> Result<T, UnpackError> {
		Err(UnpackError { at: self.bytes.len(), kind })
	}

	/// Reads the content of a byte string whose first zero, after this many bytes, is escaped.
	fn escaped_string(&mut self, mut zero: usize) -> Result<Vec<u8>, UnpackError> {
		const ESCAPED: [u8; 2] = [code::END, code::ESCAPE];
		let mut rest = &self.bytes[self.at..];
		let mut content = Vec::new();
		loop {
			content.extend_from_slice(&rest[..zero]);
			rest = &rest[zero..];
			let (pairs, _) = rest.as_chunks();
			match pairs.iter().take_while(|pair| **pair == ESCAPED).count() {
				0 => break,
				zeros => {
					content.resize(content.len() + zeros, 0);
					rest = &rest[2 * zeros..];
				},
			}
			match memchr::memchr(code::END, rest) {
				Some(next) => zero = next,
				None => return self.cut_off(UnpackErrorKind::MissingTerminator),
			}
		}
		self.at = self.bytes.len() - rest.len() + 1;
		Ok(content)
	}

	/// Reads the content of a string, after its first byte.
	#[inline]
	fn utf8(&mut self) -> Result<Cow<'a, str>, UnpackError> {
		let start = self.at;
		// Each zero of the content has two bytes.
		let invalid = |content: &[u8], error: Utf8Error| {
			let valid = &content[..error.valid_up_to()];
			let at = start + valid.len() + valid.iter().filter(|byte| **byte == 0).count();
			UnpackError { at, kind: UnpackErrorKind::NotUtf8 }
		};
		match self.string()? {
			Cow::Borrowed(content) => core::str::from_utf8(content)
				.map(Cow::Borrowed)
				.map_err(|error| invalid(content, error)),
			Cow::Owned(content) => String::from_utf8(content)
				.map(Cow::Owned)
				.map_err(|error| invalid(error.as_bytes(), error.utf8_error())),
		}
	}

	/// Reads an integer, after its first byte.
	#[inline]
	fn digits(&mut self, first: u8) -> Result<Digits<'a>, UnpackError> {
		match Digits::read(first, &self.bytes[self.at..]) {
			Ok((digits, len)) => {
				self.at += len;
				Ok(digits)
			},
			Err((offset, kind)) => Err(UnpackError { at: self.at + offset, kind }),
		}
	}

	#[inline]
	fn float(&mut self) -> Result<f32, UnpackError> {
		let bits = u32::from_be_bytes(self.array()?);
		Ok(f32::from_bits(bits ^ if bits >> 31 == 0 { u32::MAX } else { 1 << 31 }))
	}

	#[inline]
	fn double(&mut self) -> Result<f64, UnpackError> {
		let bits = u64::from_be_bytes(self.array()?);
		Ok(f64::from_bits(bits ^ if bits >> 63 == 0 { u64::MAX } else { 1 << 63 }))
	}

	#[inline]
	fn versionstamp(&mut self) -> Result<Versionstamp, UnpackError> {
		let [transaction @ .., high, low] = self.array::<12>()?;
		Ok(Versionstamp { transaction, user: u16::from_be_bytes([high, low]) })
	}

	/// Reads an item that is neither null nor a nested tuple.
	#[inline]
	fn scalar(&mut self, first: u8) -> Result<Element<'a>, UnpackError> {
		let start = self.at;
		self.at += 1;
		match first {
			code::BYTES => self.string().map(Element::Bytes),
			code::STRING => self.utf8().map(Element::String),
			first if is_code(first) => {
				let digits = self.digits(first)?;
				match digits.to_i128() {
					Some(value) => Ok(Element::Int(value)),
					#[cfg(feature = "bigint")]
					None => Ok(Element::BigInt(digits.to_big_int())),
					#[cfg(not(feature = "bigint"))]
					None => Err(UnpackError { at: start, kind: UnpackErrorKind::IntegerRange }),
				}
			},
			code::FLOAT => self.float().map(Element::Float),
			code::DOUBLE => self.double().map(Element::Double),
			code::FALSE => Ok(Element::Bool(false)),
			code::TRUE => Ok(Element::Bool(true)),
			code::UUID => self.array().map(|uuid| Element::Uuid(Uuid(uuid))),
			code::VERSIONSTAMP => self.versionstamp().map(Element::Versionstamp),
			_ => Err(UnpackError { at: start, kind: UnpackErrorKind::UnknownCode(first) }),
		}
	}

	/// Steps into a nested tuple, after its first byte.
	#[inline]
	fn enter(&mut self) -> Result<(), UnpackError> {
		if self.depth == MAX_DEPTH {
			return Err(UnpackError { at: self.at - 1, kind: UnpackErrorKind::TooDeep });
		}
		self.depth += 1;
		Ok(())
	}

	/// Reads a nested tuple, after its first byte. The tuples around it are kept in a vector, so no
	/// input can exhaust the stack.
	fn tuple(&mut self) -> Result<Vec<Element<'a>>, UnpackError> {
		self.enter()?;
		let mut outer: Vec<Vec<Element>> = Vec::new();
		let mut items = Vec::new();
		loop {
			match self.peek() {
				Some(code::NULL) => {
					self.null();
					items.push(Element::Null);
				},
				Some(code::NESTED) => {
					self.at += 1;
					self.enter()?;
					outer.push(core::mem::take(&mut items));
				},
				Some(first) => items.push(self.scalar(first)?),
				None => {
					self.terminator()?;
					self.depth -= 1;
					let Some(parent) = outer.pop() else { return Ok(items) };
					let tuple = core::mem::replace(&mut items, parent);
					items.push(Element::Tuple(tuple));
				},
			}
		}
	}
}

/// An integer as it was found: its sign, and its magnitude, big-endian. The bytes of the magnitude
/// of a negative one are complemented.
struct Digits<'a> {
	negative: bool,
	bytes: &'a [u8],
}

impl<'a> Digits<'a> {
	/// The integer that begins with this byte, which is an integer's, and the bytes after it. Also
	/// gives the length of what was read of these. An error has its position in these.
	#[inline]
	fn read(first: u8, rest: &'a [u8]) -> Result<(Self, usize), (usize, UnpackErrorKind)> {
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

	#[inline]
	fn magnitude(&self) -> Option<u128> {
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

	/// The number, if it is not negative and fits.
	#[inline]
	fn to_u128(&self) -> Option<u128> {
		self.magnitude().filter(|_| !self.negative)
	}

	#[inline]
	fn to_i128(&self) -> Option<i128> {
		let magnitude = self.magnitude()?;
		if self.negative {
			0i128.checked_sub_unsigned(magnitude)
		} else {
			i128::try_from(magnitude).ok()
		}
	}

	/// The number, which has at most 255 bytes.
	#[cfg(feature = "bigint")]
	fn to_big_int(&self) -> super::BigInt {
		let (sign, flip) = match self.negative {
			true => (num_bigint::Sign::Minus, 0xff),
			false => (num_bigint::Sign::Plus, 0),
		};
		let magnitude: Vec<u8> = self.bytes.iter().map(|byte| byte ^ flip).collect();
		super::BigInt(num_bigint::BigInt::from_bytes_be(sign, &magnitude))
	}
}

/// Checks whether an item that begins with this byte is an integer.
#[inline]
fn is_code(first: u8) -> bool {
	(code::BIG_NEGATIVE..=code::BIG_POSITIVE).contains(&first)
}

impl<'a> FromItem<'a> for Element<'a> {
	#[inline]
	fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
		match reader.peek() {
			Some(code::NULL) => {
				reader.null();
				Ok(Self::Null)
			},
			Some(code::NESTED) => {
				reader.at += 1;
				reader.tuple().map(Self::Tuple)
			},
			Some(first) => reader.scalar(first),
			None => reader.missing(),
		}
	}
}

/// Returns the content of an item, which begins at a position, if it can be lent.
#[inline]
fn borrowed<T: ToOwned + ?Sized>(content: Cow<'_, T>, at: usize) -> Result<&T, UnpackError> {
	match content {
		Cow::Borrowed(content) => Ok(content),
		Cow::Owned(_) => Err(UnpackError { at, kind: UnpackErrorKind::NotBorrowable }),
	}
}

macro_rules! items {
	($($type:ty: $name:literal, $codes:pat => |$reader:ident, $first:ident| $read:expr;)*) => {$(
		impl<'a> FromItem<'a> for $type {
			#[inline]
			fn read($reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
				let $first = $reader.expect($name, |first| matches!(first, $codes))?;
				$read
			}
		}
	)*};
}

items! {
	Cow<'a, [u8]>: "byte string", code::BYTES => |reader, _first| reader.string();
	Vec<u8>: "byte string", code::BYTES => |reader, _first| reader.string().map(Cow::into_owned);
	&'a [u8]: "byte string", code::BYTES => |reader, _first| {
		let at = reader.at - 1;
		reader.string().and_then(|bytes| borrowed(bytes, at))
	};
	Cow<'a, str>: "string", code::STRING => |reader, _first| reader.utf8();
	String: "string", code::STRING => |reader, _first| reader.utf8().map(Cow::into_owned);
	&'a str: "string", code::STRING => |reader, _first| {
		let at = reader.at - 1;
		reader.utf8().and_then(|string| borrowed(string, at))
	};
	f32: "float", code::FLOAT => |reader, _first| reader.float();
	f64: "double", code::DOUBLE => |reader, _first| reader.double();
	bool: "boolean", code::FALSE | code::TRUE => |reader, first| Ok(first == code::TRUE);
	Uuid: "UUID", code::UUID => |reader, _first| reader.array().map(Self);
	Versionstamp: "versionstamp", code::VERSIONSTAMP => |reader, _first| reader.versionstamp();
}

impl<'a, const N: usize> FromItem<'a> for [u8; N] {
	#[inline]
	fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
		reader.expect("byte string", |first| first == code::BYTES)?;
		let start = reader.at - 1;
		let bytes = reader.string()?;
		let error = UnpackErrorKind::Length { expected: N, found: bytes.len() };
		bytes.as_ref().try_into().map_err(|_| UnpackError { at: start, kind: error })
	}
}

macro_rules! integers {
	($($type:ty: $value:ident;)*) => {$(
		impl<'a> FromItem<'a> for $type {
			#[inline]
			fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
				let at = reader.at;
				let first = reader.expect("integer", is_code)?;
				let digits = reader.digits(first)?;
				digits
					.$value()
					.and_then(|value| value.try_into().ok())
					.ok_or(UnpackError { at, kind: UnpackErrorKind::IntegerRange })
			}
		}
	)*};
}

integers! {
	u8: to_i128; u16: to_i128; u32: to_i128; u64: to_i128; usize: to_i128; u128: to_u128;
	i8: to_i128; i16: to_i128; i32: to_i128; i64: to_i128; isize: to_i128; i128: to_i128;
}

#[cfg(feature = "bigint")]
impl<'a> FromItem<'a> for super::BigInt {
	fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
		let first = reader.expect("integer", is_code)?;
		reader.digits(first).map(|digits| digits.to_big_int())
	}
}

impl<'a> FromItem<'a> for Null {
	#[inline]
	fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
		if reader.null() {
			return Ok(Self);
		}
		reader.expect("null", |_| false).map(|_| Self)
	}
}

impl<'a, T: FromItem<'a>> FromItem<'a> for Option<T> {
	#[inline]
	fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
		if reader.null() {
			return Ok(None);
		}
		T::read(reader).map(Some)
	}
}

impl<'a> FromItems<'a> for Vec<Element<'a>> {
	#[inline]
	fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
		let mut items = Vec::new();
		while reader.peek().is_some() {
			items.push(Element::read(reader)?);
		}
		Ok(items)
	}
}

macro_rules! tuples {
	($(($($item:ident)*))*) => {$(
		impl<'a, $($item: FromItem<'a>),*> FromItems<'a> for ($($item,)*) {
			#[inline]
			#[allow(clippy::unused_unit)]
			fn read(_reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
				Ok(($($item::read(_reader)?,)*))
			}
		}

		impl<'a, $($item: FromItem<'a>),*> FromItem<'a> for ($($item,)*) {
			#[inline]
			fn read(reader: &mut Reader<'a>) -> Result<Self, UnpackError> {
				reader.expect("nested tuple", |first| first == code::NESTED)?;
				reader.enter()?;
				let items = FromItems::read(reader)?;
				reader.end()?;
				reader.terminator()?;
				reader.depth -= 1;
				Ok(items)
			}
		}
	)*};
}

tuples! {
	() (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
	(A B C D E F G H I) (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}
