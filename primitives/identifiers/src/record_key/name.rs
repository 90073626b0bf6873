// SPDX-License-Identifier: Apache-2.0
//! Names as record keys: an escape for each byte that a record key cannot have.

use alloc::{string::String, vec::Vec};

use super::{ParseRecordKeyError, RecordKey, RecordKeyBuf, RecordKeySyntax};
use crate::convert::messages;

/// The byte that begins an escape.
const ESCAPE: u8 = b'~';
const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The record key does not stand for a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordNameError {
	/// A `~` has no two hex digits in lower case after it.
	Escape {
		/// Position of the `~`.
		at: usize,
	},
	/// The name is not UTF-8 text.
	NotText,
	/// The name is written as another key, such as `a~2db`, whose name `a-b` is a key itself.
	NotCanonical,
}

messages! { RecordNameError:
	Self::Escape { at } => "`~` needs two hex digits after it, at byte {at}";
	Self::NotText => "the name of the record key is not UTF-8 text";
	Self::NotCanonical => "the record key escapes what is not escaped, or the other way round";
}

impl RecordKeyBuf {
	/// Returns the record key of a name. Two names never have the same key.
	///
	/// A byte that the dialect does not allow, or `~`, becomes `~` and two hex digits in lower
	/// case. So do the dots of `.` and `..`. The empty name has no key, nor has one whose key would
	/// have more than 512 bytes.
	///
	/// ```
	/// use content_fabric_identifiers::{RecordKeyBuf, RecordKeySyntax};
	///
	/// let key = RecordKeyBuf::of_name("toml:1.2.1+spec-1.1.0", RecordKeySyntax::PathSegment)?;
	/// assert_eq!(key.as_str(), "toml:1.2.1~2bspec-1.1.0");
	/// assert_eq!(key.as_key().name(RecordKeySyntax::PathSegment)?, "toml:1.2.1+spec-1.1.0");
	/// # Ok::<_, Box<dyn std::error::Error>>(())
	/// ```
	pub fn of_name(name: &str, syntax: RecordKeySyntax) -> Result<Self, ParseRecordKeyError> {
		let are_dots = matches!(name, "." | "..");
		let mut key = String::with_capacity(name.len());
		for byte in name.bytes() {
			if syntax.allows(byte) && byte != ESCAPE && !are_dots {
				key.push(char::from(byte));
			} else {
				let digits = [byte >> 4, byte & 0xf].map(|half| DIGITS[usize::from(half)]);
				key.extend([ESCAPE, digits[0], digits[1]].map(char::from));
			}
		}
		Self::parse(key, syntax)
	}
}

impl RecordKey<'_> {
	/// Returns the name whose record key this is, under [`RecordKeyBuf::of_name`].
	pub fn name(&self, syntax: RecordKeySyntax) -> Result<String, RecordNameError> {
		let mut parts = self.0.bytes().enumerate();
		let mut name = Vec::with_capacity(self.0.len());
		while let Some((at, byte)) = parts.next() {
			let byte = match byte {
				ESCAPE => {
					let mut digit = || {
						let (_, digit) = parts.next()?;
						let place = DIGITS.iter().position(|known| *known == digit)?;
						u8::try_from(place).ok()
					};
					let halves = digit().zip(digit());
					let (high, low) = halves.ok_or(RecordNameError::Escape { at })?;
					high << 4 | low
				},
				byte => byte,
			};
			name.push(byte);
		}
		let name = String::from_utf8(name).map_err(|_| RecordNameError::NotText)?;
		match RecordKeyBuf::of_name(&name, syntax) {
			Ok(key) if key.as_str() == self.0 => Ok(name),
			_ => Err(RecordNameError::NotCanonical),
		}
	}
}
