// SPDX-License-Identifier: Apache-2.0
//! The conversions that every identifier has, written once.

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

/// Conversions from text, for a type with a function `parse`.
macro_rules! parsed {
	($($name:ident: $error:ty;)*) => {$(
		impl core::str::FromStr for $name {
			type Err = $error;

			fn from_str(text: &str) -> Result<Self, $error> {
				Self::parse(text)
			}
		}

		impl TryFrom<&str> for $name {
			type Error = $error;

			fn try_from(text: &str) -> Result<Self, $error> {
				Self::parse(text)
			}
		}
	)*};
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

pub(crate) use borrowed;
pub(crate) use packed;
pub(crate) use parsed;

/// Returns the text of bytes that have been checked to be ASCII.
pub(crate) fn ascii(bytes: &[u8]) -> &str {
	core::str::from_utf8(bytes).expect("every byte has been checked to be ASCII; qed")
}
