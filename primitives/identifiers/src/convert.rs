// SPDX-License-Identifier: Apache-2.0
//! The conversions that every identifier has, and the messages of errors, written once.

use core::fmt;

/// Conversions between a value and its packed bytes.
macro_rules! packed {
	($name:ident, $len:expr) => {
		impl From<[u8; $len]> for $name {
			fn from(bytes: [u8; $len]) -> Self {
				Self::from_bytes(bytes)
			}
		}

		impl From<$name> for [u8; $len] {
			fn from(id: $name) -> Self {
				id.to_bytes()
			}
		}

		impl TryFrom<&[u8]> for $name {
			type Error = $crate::LengthError;

			/// Reads the packed bytes.
			fn try_from(bytes: &[u8]) -> Result<Self, $crate::LengthError> {
				match bytes.try_into() {
					Ok(bytes) => Ok(Self::from_bytes(bytes)),
					Err(_) => Err($crate::LengthError { expected: $len, found: bytes.len() }),
				}
			}
		}
	};
}

/// Conversions from text, by a function.
macro_rules! parsed {
	($name:ident: $error:ty, $parse:expr) => {
		impl core::str::FromStr for $name {
			type Err = $error;

			fn from_str(text: &str) -> Result<Self, $error> {
				$parse(text)
			}
		}

		impl TryFrom<&str> for $name {
			type Error = $error;

			fn try_from(text: &str) -> Result<Self, $error> {
				$parse(text)
			}
		}
	};
}

/// Parsers of a type that borrows its text, by a function that checks bytes, and its conversions.
macro_rules! checked {
	($name:ident: $error:ty, $check:path) => {
		impl<'a> $name<'a> {
			/// Parses a text.
			pub fn parse(text: &'a str) -> Result<Self, $error> {
				$check(text.as_bytes()).map(|()| Self(text))
			}

			/// Parses a text given in bytes.
			pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, $error> {
				$check(bytes).map(|()| Self($crate::convert::ascii(bytes)))
			}
		}

		$crate::convert::borrowed!($name: $error, $name::parse);
	};
}

/// Conversions of a type that borrows its text, all of which is ASCII.
macro_rules! borrowed {
	($name:ident: $error:ty, $parse:expr) => {
		impl<'a> $name<'a> {
			/// Returns the text.
			pub const fn as_str(&self) -> &'a str {
				self.0
			}
		}

		impl core::fmt::Display for $name<'_> {
			fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
				f.pad(self.0)
			}
		}

		impl AsRef<str> for $name<'_> {
			fn as_ref(&self) -> &str {
				self.0
			}
		}

		impl AsRef<[u8]> for $name<'_> {
			fn as_ref(&self) -> &[u8] {
				self.0.as_bytes()
			}
		}

		impl<'a> TryFrom<&'a str> for $name<'a> {
			type Error = $error;

			fn try_from(text: &'a str) -> Result<Self, $error> {
				$parse(text)
			}
		}
	};
}

/// Conversions of a type that is made of parts of a text, and the message of its error.
macro_rules! composed {
	($name:ident: $error:ty) => {
		impl core::fmt::Debug for $name<'_> {
			fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
				write!(f, concat!(stringify!($name), "({})"), self)
			}
		}

		impl<'a> TryFrom<&'a str> for $name<'a> {
			type Error = $error;

			fn try_from(text: &'a str) -> Result<Self, $error> {
				Self::parse(text)
			}
		}

		$crate::convert::whole!($error);
	};
}

/// A number with the constant `MAX`, its packed bytes, and the error of larger numbers. `$what`
/// names it.
macro_rules! bounded {
	($name:ident($number:ty): $error:ident, $what:literal) => {
		#[doc = concat!("The number is too large for ", $what, ".")]
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct $error {
			/// The number.
			pub value: $number,
		}

		$crate::convert::messages! { $error:
			Self { value } => "{value} is not {}: the largest is {}", $what, $name::MAX.0;
		}

		impl $name {
			/// Number of bytes in the packed form.
			pub const LEN: usize = size_of::<$number>();

			#[doc = concat!("Makes ", $what, " of a number.")]
			pub const fn new(value: $number) -> Result<Self, $error> {
				if value > Self::MAX.0 {
					return Err($error { value });
				}
				Ok(Self(value))
			}

			/// Returns the number.
			pub const fn get(self) -> $number {
				self.0
			}

			#[doc = concat!("Makes ", $what, " of big-endian bytes.")]
			pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Result<Self, $error> {
				Self::new(<$number>::from_be_bytes(bytes))
			}

			/// Returns the big-endian bytes.
			pub const fn to_bytes(self) -> [u8; Self::LEN] {
				self.0.to_be_bytes()
			}
		}

		impl TryFrom<$number> for $name {
			type Error = $error;

			fn try_from(value: $number) -> Result<Self, $error> {
				Self::new(value)
			}
		}

		impl From<$name> for $number {
			fn from(value: $name) -> Self {
				value.0
			}
		}

		#[cfg(feature = "codec")]
		impl codec::Decode for $name {
			fn decode<I: codec::Input>(input: &mut I) -> Result<Self, codec::Error> {
				let value = <$number as codec::Decode>::decode(input)?;
				Self::new(value).map_err(|_| concat!("the number is too large for ", $what).into())
			}
		}

		#[cfg(feature = "codec")]
		impl codec::DecodeWithMemTracking for $name {}

		#[cfg(feature = "arbitrary")]
		impl arbitrary::Arbitrary<'_> for $name {
			fn arbitrary(bytes: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
				bytes.int_in_range(0..=Self::MAX.0).map(Self)
			}
		}
	};
}

/// An error of parsing, whose message names bytes of the text.
pub(crate) trait Rules {
	/// Writes the message for a text that begins at `start` in a longer one.
	fn write_from(&self, f: &mut fmt::Formatter<'_>, start: usize) -> fmt::Result;

	/// Writes the message for a text that is a named part of a longer one.
	fn write_part(&self, f: &mut fmt::Formatter<'_>, part: &str, start: usize) -> fmt::Result {
		write!(f, "{part} at byte {start}: ")?;
		self.write_from(f, start)
	}
}

/// The message of an error of a whole text.
macro_rules! whole {
	($error:ty) => {
		impl core::fmt::Display for $error {
			fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
				$crate::convert::Rules::write_from(self, f, 0)
			}
		}

		impl core::error::Error for $error {}
	};
}

/// The rules of a text, each with the position of the byte that broke it and with its message, as
/// `format!` takes it. In messages, `$at` is the position. `$note` explains positions.
macro_rules! rules {
	(
		$error:ident, $at:ident $(, $note:literal)?:
		$($case:pat => $position:expr, $message:literal $(, $argument:expr)*;)*
	) => {
		impl $error {
			/// Returns the position of the byte that broke the rule.
			$(
				///
				#[doc = $note]
			)?
			#[allow(unused_variables)]
			pub const fn position(&self) -> usize {
				match *self {
					$($case => $position,)*
				}
			}
		}

		impl $crate::convert::Rules for $error {
			#[allow(unused_variables)]
			fn write_from(
				&self,
				f: &mut core::fmt::Formatter<'_>,
				start: usize,
			) -> core::fmt::Result {
				match *self {
					$($case => {
						let $at = start + $position;
						write!(f, $message $(, $argument)*)
					},)*
				}
			}
		}

		$crate::convert::whole!($error);
	};
}

/// The messages of an error, as `format!` takes them.
macro_rules! messages {
	($error:ident: $($case:pat => $message:literal $(, $argument:expr)*;)*) => {
		impl core::fmt::Display for $error {
			fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
				match self {
					$($case => write!(f, $message $(, $argument)*),)*
				}
			}
		}

		impl core::error::Error for $error {}
	};
}

pub(crate) use {borrowed, bounded, checked, composed, messages, packed, parsed, rules, whole};

pub(crate) fn ascii(bytes: &[u8]) -> &str {
	core::str::from_utf8(bytes).expect("every byte has been checked to be ASCII; qed")
}
