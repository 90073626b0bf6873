// SPDX-License-Identifier: Apache-2.0
//! Authorities of AT URIs: DIDs and handles, by the AT Protocol's syntax.

use crate::convert::{checked, rules};

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
pub struct Did<'a>(pub(crate) &'a str);

/// A handle, borrowed: a domain name of two labels or more. At most 253 bytes.
///
/// Each label has 1 to 63 letters, digits and hyphens, with no hyphen at either end. The last label
/// begins with a letter. A handle is not case-sensitive; its text is kept as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle<'a>(pub(crate) &'a str);

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

rules! { ParseDidError, at:
	Self::Prefix => 0, "a DID begins with `{DID}`";
	Self::TooLong { found } =>
		Did::MAX_LEN, "a DID has at most {} bytes, not {found}", Did::MAX_LEN;
	Self::Method { at } => at, "expected the method of a DID and `:` before byte {at}";
	Self::Empty { at } => at, "the identifier of the DID at byte {at} is empty";
	Self::Character { at } => at, "byte {at} is not allowed at this position of a DID";
}

const DID: &str = "did:";

impl<'a> Did<'a> {
	/// Most bytes of a DID.
	pub const MAX_LEN: usize = 2_048;

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

rules! { ParseHandleError, at, "For too few labels, it is 0.":
	Self::TooLong { found } =>
		Handle::MAX_LEN, "a handle has at most {} bytes, not {found}", Handle::MAX_LEN;
	Self::Labels => 0, "a handle has at least two labels";
	Self::EmptyLabel { at } => at, "the label at byte {at} is empty";
	Self::LongLabel { at } => at, "byte {at} is beyond the {MAX_LABEL_LEN} bytes of its label";
	Self::Character { at } => at, "byte {at} is not allowed at this position of a handle";
}

/// Most bytes of a label.
const MAX_LABEL_LEN: usize = 63;

impl Handle<'_> {
	/// Most bytes of a handle.
	pub const MAX_LEN: usize = 253;
}

pub(crate) fn check_handle(bytes: &[u8]) -> Result<(), ParseHandleError> {
	if bytes.len() > Handle::MAX_LEN {
		return Err(ParseHandleError::TooLong { found: bytes.len() });
	}
	let (mut at, mut labels) = (0, 0);
	for label in bytes.split(|byte| *byte == b'.') {
		let end = at + label.len();
		check_label(label, at, end == bytes.len())?;
		at = end + 1;
		labels += 1;
	}
	if labels < 2 {
		return Err(ParseHandleError::Labels);
	}
	Ok(())
}

fn check_label(label: &[u8], start: usize, is_last: bool) -> Result<(), ParseHandleError> {
	let (Some(first), Some(last)) = (label.first(), label.last()) else {
		return Err(ParseHandleError::EmptyLabel { at: start });
	};
	let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
	if let Some(at) = label.iter().position(|byte| !allowed(byte)) {
		return Err(ParseHandleError::Character { at: start + at });
	}
	if label.len() > MAX_LABEL_LEN {
		return Err(ParseHandleError::LongLabel { at: start + MAX_LABEL_LEN });
	}
	if *first == b'-' || is_last && !first.is_ascii_alphabetic() {
		return Err(ParseHandleError::Character { at: start });
	}
	if *last == b'-' {
		return Err(ParseHandleError::Character { at: start + label.len() - 1 });
	}
	Ok(())
}

checked!(Handle: ParseHandleError, check_handle);
