// SPDX-License-Identifier: Apache-2.0
//! Names as record keys: an escape for each byte that a record key cannot have.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{ParseRecordKeyError, RecordKey, RecordKeyBuf, RecordKeySyntax};

/// The byte that begins an escape.
const ESCAPE: u8 = b'~';
const DIGITS: &[u8; 16] = b"0123456789abcdef";

impl RecordKeyBuf {
	/// Returns the record key of a name. A name that is a record key is its own key.
	///
	/// In any other name, each byte that the dialect does not allow becomes `~` and two hex digits
	/// in lower case. So do the dots of `.` and `..`, and a `~` before two such digits. Two names
	/// have the same key only if one of them is that key. The empty name has no key, nor has one
	/// whose key would have more than 512 bytes.
	///
	/// ```
	/// use content_fabric_identifiers::{RecordKeyBuf, RecordKeySyntax};
	///
	/// let key = RecordKeyBuf::of_name("toml:1.2.1+spec-1.1.0", RecordKeySyntax::PathSegment)?;
	/// assert_eq!(key.as_str(), "toml:1.2.1~2bspec-1.1.0");
	/// assert_eq!(key.as_key().name(RecordKeySyntax::PathSegment), "toml:1.2.1+spec-1.1.0");
	/// # Ok::<_, Box<dyn std::error::Error>>(())
	/// ```
	pub fn of_name(name: &str, syntax: RecordKeySyntax) -> Result<Self, ParseRecordKeyError> {
		let are_dots = matches!(name, "." | "..");
		let bytes = name.as_bytes();
		if !are_dots && bytes.iter().all(|byte| syntax.allows(*byte)) {
			return Self::parse(name, syntax);
		}
		let mut key = String::with_capacity(name.len());
		for (at, byte) in bytes.iter().enumerate() {
			if syntax.allows(*byte) && escape(&bytes[at..]).is_none() && !are_dots {
				key.push(char::from(*byte));
			} else {
				let digits = [byte >> 4, byte & 0xf].map(|half| DIGITS[usize::from(half)]);
				key.extend([ESCAPE, digits[0], digits[1]].map(char::from));
			}
		}
		Self::parse(key, syntax)
	}
}

impl RecordKey<'_> {
	/// Returns the name that [`RecordKeyBuf::of_name`] has escaped as this key. Any other key stands
	/// for itself.
	pub fn name(&self, syntax: RecordKeySyntax) -> Cow<'_, str> {
		let mut rest = self.0.as_bytes();
		let mut name = Vec::with_capacity(rest.len());
		while let [first, after @ ..] = rest {
			let escaped = escape(rest);
			name.push(escaped.unwrap_or(*first));
			rest = if escaped.is_some() { &after[2..] } else { after };
		}
		let name = String::from_utf8(name).ok();
		let is_of = |name: &String| {
			RecordKeyBuf::of_name(name, syntax).is_ok_and(|key| key.as_str() == self.0)
		};
		name.filter(is_of).map_or(Cow::Borrowed(self.0), Cow::Owned)
	}
}

/// Returns the byte of the escape with which a text begins.
fn escape(text: &[u8]) -> Option<u8> {
	let [ESCAPE, high, low, ..] = text else { return None };
	let digit = |found: &u8| DIGITS.iter().position(|known| known == found);
	u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}
