// SPDX-License-Identifier: Apache-2.0
//! Authorities of AT URIs: DIDs and handles, by the AT Protocol's syntax.

use crate::convert::{checked, messages};

/// A decentralized identifier, borrowed: `did:`, a method of lower-case letters, `:`, and an
/// identifier of letters, digits and `._:%-` that ends neither in `:` nor in `%`. At most 2,048
/// bytes.
///
/// ```
/// use content_fabric_identifiers::Did;
///
/// let did = Did::parse("did:plc:asdf123")?;
/// assert_eq!(did.method(), "plc");
/// # Ok::<_, content_fabric_identifiers::ParseDidError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Did<'a>(&'a str);

/// A handle, borrowed: a domain name of two labels or more. At most 253 bytes.
///
/// Each label has 1 to 63 letters, digits and hyphens, with no hyphen at either end. The last label
/// begins with a letter. A handle is not case-sensitive; its text is kept as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle<'a>(&'a str);

/// The text is not a valid DID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseDidError {
	/// The text does not begin with `did:`.
	Prefix,
	/// The text has more than 2,048 bytes.
	TooLong {
		/// The length of the text, in bytes.
		found: usize,
	},
	/// The method is empty, or no `:` follows it.
	Method {
		/// Position of its end.
		at: usize,
	},
	/// The identifier is empty.
	Empty {
		/// Position of the end of the text.
		at: usize,
	},
	/// A byte is not allowed at its position.
	Character {
		/// Position of the byte.
		at: usize,
	},
}

impl ParseDidError {
	/// Returns the position of the byte that broke the rule.
	pub const fn position(&self) -> usize {
		match *self {
			Self::Prefix => 0,
			Self::TooLong { .. } => Did::MAX_LEN,
			Self::Method { at } | Self::Empty { at } | Self::Character { at } => at,
		}
	}

	/// Returns the error of a DID that begins at `start`.
	#[cfg(feature = "text")]
	pub(crate) const fn moved(self, start: usize) -> Self {
		match self {
			Self::Prefix | Self::TooLong { .. } => self,
			Self::Method { at } => Self::Method { at: start + at },
			Self::Empty { at } => Self::Empty { at: start + at },
			Self::Character { at } => Self::Character { at: start + at },
		}
	}
}

messages! { ParseDidError:
	Self::Prefix => "a DID begins with `{DID}`";
	Self::TooLong { found } => "a DID has at most {} bytes, not {found}", Did::MAX_LEN;
	Self::Method { at } => "expected the method of a DID and `:` before byte {at}";
	Self::Empty { at } => "the identifier of the DID at byte {at} is empty";
	Self::Character { at } => "byte {at} is not allowed at this position of a DID";
}

const DID: &str = "did:";

impl<'a> Did<'a> {
	/// Most bytes of a DID.
	pub const MAX_LEN: usize = 2_048;

	/// Returns the value of a text that has been checked.
	#[cfg(feature = "text")]
	pub(crate) const fn checked(text: &'a str) -> Self {
		Self(text)
	}

	/// Returns the method, such as `plc` or `web`.
	pub fn method(&self) -> &'a str {
		self.0.split(':').nth(1).unwrap_or_default()
	}
}

pub(crate) fn check_did(bytes: &[u8]) -> Result<(), ParseDidError> {
	let rest = bytes.strip_prefix(DID.as_bytes()).ok_or(ParseDidError::Prefix)?;
	if bytes.len() > Did::MAX_LEN {
		return Err(ParseDidError::TooLong { found: bytes.len() });
	}
	let method = rest.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
	let id_at = DID.len() + method + 1;
	match rest.get(method) {
		Some(b':') if method > 0 => {},
		Some(b':') | None => return Err(ParseDidError::Method { at: id_at - 1 }),
		Some(_) => return Err(ParseDidError::Character { at: id_at - 1 }),
	}
	let id = &bytes[id_at..];
	let allowed = |byte: &u8| {
		byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':' | b'%' | b'-')
	};
	if let Some(at) = id.iter().position(|byte| !allowed(byte)) {
		return Err(ParseDidError::Character { at: id_at + at });
	}
	match id.last() {
		None => Err(ParseDidError::Empty { at: id_at }),
		Some(b':' | b'%') => Err(ParseDidError::Character { at: bytes.len() - 1 }),
		Some(_) => Ok(()),
	}
}

checked!(Did: ParseDidError, check_did);

/// The text is not a valid handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseHandleError {
	/// The text has more than 253 bytes.
	TooLong {
		/// The length of the text, in bytes.
		found: usize,
	},
	/// There is only one label.
	Labels,
	/// A label is empty.
	EmptyLabel {
		/// Position of the label.
		at: usize,
	},
	/// A label has more than 63 bytes.
	LongLabel {
		/// Position of its 64th byte.
		at: usize,
	},
	/// A byte is not allowed at its position.
	Character {
		/// Position of the byte.
		at: usize,
	},
}

impl ParseHandleError {
	/// Returns the position of the byte that broke the rule; for too few labels, 0.
	pub const fn position(&self) -> usize {
		match *self {
			Self::TooLong { .. } => Handle::MAX_LEN,
			Self::Labels => 0,
			Self::EmptyLabel { at } | Self::LongLabel { at } | Self::Character { at } => at,
		}
	}

	/// Returns the error of a handle, or of a label, that begins at `start`.
	pub(crate) const fn moved(self, start: usize) -> Self {
		match self {
			Self::TooLong { .. } | Self::Labels => self,
			Self::EmptyLabel { at } => Self::EmptyLabel { at: start + at },
			Self::LongLabel { at } => Self::LongLabel { at: start + at },
			Self::Character { at } => Self::Character { at: start + at },
		}
	}
}

messages! { ParseHandleError:
	Self::TooLong { found } => "a handle has at most {} bytes, not {found}", Handle::MAX_LEN;
	Self::Labels => "a handle has at least two labels";
	Self::EmptyLabel { at } => "the label at byte {at} is empty";
	Self::LongLabel { at } => "byte {at} is beyond the {MAX_LABEL_LEN} bytes of its label";
	Self::Character { at } => "byte {at} is not allowed at this position of a handle";
}

/// Most bytes of a label.
const MAX_LABEL_LEN: usize = 63;

impl<'a> Handle<'a> {
	/// Most bytes of a handle.
	pub const MAX_LEN: usize = 253;

	/// Returns the value of a text that has been checked.
	#[cfg(feature = "text")]
	pub(crate) const fn checked(text: &'a str) -> Self {
		Self(text)
	}
}

pub(crate) fn check_handle(bytes: &[u8]) -> Result<(), ParseHandleError> {
	if bytes.len() > Handle::MAX_LEN {
		return Err(ParseHandleError::TooLong { found: bytes.len() });
	}
	let (mut at, mut labels) = (0, 0);
	for label in bytes.split(|byte| *byte == b'.') {
		let is_last = at + label.len() == bytes.len();
		check_label(label, is_last).map_err(|error| error.moved(at))?;
		at += label.len() + 1;
		labels += 1;
	}
	if labels < 2 {
		return Err(ParseHandleError::Labels);
	}
	Ok(())
}

/// Checks a label by itself. Positions are within it.
fn check_label(label: &[u8], is_last: bool) -> Result<(), ParseHandleError> {
	let (Some(first), Some(last)) = (label.first(), label.last()) else {
		return Err(ParseHandleError::EmptyLabel { at: 0 });
	};
	let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
	if let Some(at) = label.iter().position(|byte| !allowed(byte)) {
		return Err(ParseHandleError::Character { at });
	}
	if label.len() > MAX_LABEL_LEN {
		return Err(ParseHandleError::LongLabel { at: MAX_LABEL_LEN });
	}
	if *first == b'-' || is_last && !first.is_ascii_alphabetic() {
		return Err(ParseHandleError::Character { at: 0 });
	}
	if *last == b'-' {
		return Err(ParseHandleError::Character { at: label.len() - 1 });
	}
	Ok(())
}

checked!(Handle: ParseHandleError, check_handle);
