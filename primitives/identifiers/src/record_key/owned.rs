// SPDX-License-Identifier: Apache-2.0
//! Record keys that own their text.

use alloc::{borrow::ToOwned, string::String};
use core::{borrow::Borrow, fmt};

use super::{
	ParseRecordKeyError, ParseRecordKeyTypeError, RecordKey, RecordKeySyntax, RecordKeyType,
};
use crate::convert::parsed;

/// A record key that owns its text.
///
/// `FromStr`, `TryFrom` and serde accept the wider dialect, [`RecordKeySyntax::PathSegment`].
///
/// ```
/// use content_fabric_identifiers::{RecordKeyBuf, RecordKeyType};
///
/// let key: RecordKeyBuf = "serde:1.0.0".parse()?;
/// assert_eq!(key.as_str(), "serde:1.0.0");
/// let keys: RecordKeyType<RecordKeyBuf> = "literal:self".parse()?;
/// assert!(keys.check("self", Default::default()).is_ok());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordKeyBuf(String);

impl RecordKeyBuf {
	/// Parses a text.
	pub fn parse(
		text: impl Into<String>,
		syntax: RecordKeySyntax,
	) -> Result<Self, ParseRecordKeyError> {
		let text = text.into();
		RecordKey::parse(&text, syntax)?;
		Ok(Self(text))
	}

	/// Returns the key, borrowed.
	pub fn as_key(&self) -> RecordKey<'_> {
		RecordKey(&self.0)
	}

	/// Returns the text.
	pub fn as_str(&self) -> &str {
		&self.0
	}

	/// Returns the text, owned.
	pub fn into_string(self) -> String {
		self.0
	}
}

impl RecordKey<'_> {
	/// Copies the key into one that owns its text.
	pub fn to_owned(&self) -> RecordKeyBuf {
		RecordKeyBuf(self.0.to_owned())
	}
}

impl RecordKeyType<RecordKey<'_>> {
	/// Copies the type into one that owns its literal.
	pub fn to_owned(&self) -> RecordKeyType<RecordKeyBuf> {
		self.map(|key| key.to_owned())
	}
}

impl From<RecordKey<'_>> for RecordKeyBuf {
	fn from(key: RecordKey<'_>) -> Self {
		key.to_owned()
	}
}

impl From<RecordKeyBuf> for String {
	fn from(key: RecordKeyBuf) -> Self {
		key.0
	}
}

impl TryFrom<String> for RecordKeyBuf {
	type Error = ParseRecordKeyError;

	fn try_from(text: String) -> Result<Self, ParseRecordKeyError> {
		Self::parse(text, RecordKeySyntax::default())
	}
}

parsed!(RecordKeyBuf: ParseRecordKeyError, |text| RecordKey::try_from(text).map(Self::from));

impl core::str::FromStr for RecordKeyType<RecordKeyBuf> {
	type Err = ParseRecordKeyTypeError;

	fn from_str(text: &str) -> Result<Self, ParseRecordKeyTypeError> {
		RecordKeyType::try_from(text).map(|key_type| key_type.to_owned())
	}
}

impl fmt::Display for RecordKeyBuf {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.pad(&self.0)
	}
}

impl AsRef<str> for RecordKeyBuf {
	fn as_ref(&self) -> &str {
		&self.0
	}
}

impl AsRef<[u8]> for RecordKeyBuf {
	fn as_ref(&self) -> &[u8] {
		self.0.as_bytes()
	}
}

impl Borrow<str> for RecordKeyBuf {
	fn borrow(&self) -> &str {
		&self.0
	}
}
