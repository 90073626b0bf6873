// SPDX-License-Identifier: Apache-2.0
//! URIs of records, on a content fabric and on the AT Protocol's network.

use core::fmt;

use crate::{
	authority::{check_did, check_handle},
	convert::{ascii, composed, Rules},
	record_path, Did, Handle, ParseDidError, ParseHandleError, ParseIdError, ParseRecordPathError,
	RecordKey, RecordPath, TenantId,
};

const SCHEME: &[u8] = b"fabric:";
const AT_SCHEME: &[u8] = b"at://";
const DID: &[u8] = b"did:";

/// The owner of a record.
///
/// Text: the id of a tenant (`iten…`), a DID (`did:…`), or a handle. No text is two of these, as
/// only handles contain dots without beginning with `did:`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[non_exhaustive]
pub enum Authority<'a> {
	/// A tenant of a content fabric.
	Tenant(TenantId),
	/// An account of the AT Protocol, by its DID.
	Did(Did<'a>),
	/// An account of the AT Protocol, by its handle.
	Handle(Handle<'a>),
}

/// The text is not a valid authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseAuthorityError {
	/// It is not the id of a tenant.
	Tenant(ParseIdError),
	/// It begins as a DID, but is not valid.
	Did(ParseDidError),
	/// It is not a DID, and not a valid handle.
	Handle(ParseHandleError),
}

impl ParseAuthorityError {
	/// Returns the position of the byte that broke the rule.
	pub const fn position(&self) -> usize {
		match self {
			Self::Tenant(error) => error.position(),
			Self::Did(error) => error.position(),
			Self::Handle(error) => error.position(),
		}
	}
}

impl Rules for ParseAuthorityError {
	fn write_from(&self, f: &mut fmt::Formatter<'_>, from: usize) -> fmt::Result {
		match self {
			Self::Tenant(error) => error.write_part(f, "tenant", from),
			Self::Did(error) => error.write_part(f, "DID", from),
			Self::Handle(error) => error.write_part(f, "handle", from),
		}
	}
}

impl<'a> Authority<'a> {
	/// Parses a text.
	pub fn parse(text: &'a str) -> Result<Self, ParseAuthorityError> {
		check_authority(text.as_bytes()).map(|tenant| Self::checked(tenant, text))
	}

	/// Parses a text given in bytes.
	pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, ParseAuthorityError> {
		check_authority(bytes).map(|tenant| Self::checked(tenant, ascii(bytes)))
	}

	/// Returns the authority of a checked text, which names this tenant, or else an account.
	fn checked(tenant: Option<TenantId>, text: &'a str) -> Self {
		match tenant {
			Some(tenant) => Self::Tenant(tenant),
			None if text.as_bytes().starts_with(DID) => Self::Did(Did(text)),
			None => Self::Handle(Handle(text)),
		}
	}
}

/// Checks that bytes are an authority. Returns the tenant, if they do not name an account.
fn check_authority(bytes: &[u8]) -> Result<Option<TenantId>, ParseAuthorityError> {
	if bytes.starts_with(DID) || bytes.contains(&b'.') {
		check_account(bytes).map(|()| None)
	} else {
		check_tenant(bytes).map(Some)
	}
}

fn check_account(bytes: &[u8]) -> Result<(), ParseAuthorityError> {
	if bytes.starts_with(DID) {
		check_did(bytes).map_err(ParseAuthorityError::Did)
	} else {
		check_handle(bytes).map_err(ParseAuthorityError::Handle)
	}
}

fn check_tenant(bytes: &[u8]) -> Result<TenantId, ParseAuthorityError> {
	TenantId::from_text(bytes).map_err(ParseAuthorityError::Tenant)
}

impl fmt::Display for Authority<'_> {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Tenant(tenant) => tenant.fmt(f),
			Self::Did(did) => did.fmt(f),
			Self::Handle(handle) => handle.fmt(f),
		}
	}
}

composed!(Authority: ParseAuthorityError);

impl From<TenantId> for Authority<'_> {
	fn from(tenant: TenantId) -> Self {
		Self::Tenant(tenant)
	}
}

/// The URI of one record, borrowed.
///
/// | text | authority | collection | accepted | written |
/// | --- | --- | --- | --- | --- |
/// | `fabric:/tenant/collection/key` | id of a tenant, `iten…` | record key without `:` | yes | yes |
/// | `fabric://tenant/collection/key` | the same | the same | yes | as `fabric:/…` |
/// | `at://authority/collection/key` | DID or handle | NSID | yes | yes |
///
/// The canonical form has one slash after `fabric:`. URL parsers treat what follows two slashes as
/// a host name and convert it to lower case, which changes the base58 id of the tenant: such a URI
/// is refused, or names another tenant.
/// Schemes are lower-case. All three parts must be present: a URI of a collection or of a whole
/// repository does not name a record. There is no query, no fragment, no trailing slash and no
/// percent-encoding, which no part needs.
///
/// A canonical URI passes through the parser of the `url` crate unchanged.
///
/// ```
/// use content_fabric_identifiers::{RecordPath, RecordUri, TenantId};
///
/// let uri = RecordUri::parse("fabric://iten3i37NcgooY8f1S/names/serde:1.0.0")?;
/// assert_eq!(uri.to_string(), "fabric:/iten3i37NcgooY8f1S/names/serde:1.0.0");
/// assert_eq!(uri.tenant(), Some(TenantId(*b"0123456789")));
/// assert_eq!(uri.path(), RecordPath::parse("names/serde:1.0.0")?);
///
/// let uri = RecordUri::parse("at://user.bsky.social/app.bsky.feed.post/3jui7kd54zh2y")?;
/// assert_eq!(uri.authority().to_string(), "user.bsky.social");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordUri<'a> {
	authority: Authority<'a>,
	path: RecordPath<'a>,
}

/// The text is not a valid URI of a record. Positions in the errors of parts are relative to their
/// parts; [`Self::position`] and the message are relative to the whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseRecordUriError {
	/// The text begins neither with `fabric:/` nor with `at://`.
	Scheme,
	/// The authority is not valid.
	Authority {
		/// Position of the authority.
		start: usize,
		/// The rule that it breaks.
		error: ParseAuthorityError,
	},
	/// The text ends after the authority, so it names no record.
	NoCollection {
		/// Position of the end of the text.
		at: usize,
	},
	/// The path is not valid, or the text ends after the collection.
	Path {
		/// Position of the path.
		start: usize,
		/// The rule that it breaks.
		error: ParseRecordPathError,
	},
}

impl ParseRecordUriError {
	/// Returns the position of the byte that broke the rule.
	pub const fn position(&self) -> usize {
		match self {
			Self::Scheme => 0,
			Self::Authority { start, error } => *start + error.position(),
			Self::NoCollection { at } => *at,
			Self::Path { start, error } => *start + error.position(),
		}
	}
}

impl Rules for ParseRecordUriError {
	fn write_from(&self, f: &mut fmt::Formatter<'_>, from: usize) -> fmt::Result {
		match self {
			Self::Scheme => f.write_str("the URI of a record begins with `fabric:/` or `at://`"),
			Self::Authority { start, error } => error.write_from(f, from + start),
			Self::NoCollection { at } => {
				write!(f, "expected `/`, a collection, `/` and a record key at byte {}", from + at)
			},
			Self::Path { start, error } => error.write_from(f, from + start),
		}
	}
}

impl<'a> RecordUri<'a> {
	/// Returns the URI of a tenant's record.
	pub const fn new(tenant: TenantId, path: RecordPath<'a>) -> Self {
		Self { authority: Authority::Tenant(tenant), path }
	}

	/// Parses a text.
	pub fn parse(text: &'a str) -> Result<Self, ParseRecordUriError> {
		check(text.as_bytes()).map(|parts| parts.of(text))
	}

	/// Parses a text given in bytes.
	pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, ParseRecordUriError> {
		check(bytes).map(|parts| parts.of(ascii(bytes)))
	}

	/// Returns the owner of the record.
	pub const fn authority(&self) -> Authority<'a> {
		self.authority
	}

	/// Returns the tenant that owns the record, if its authority is one.
	pub const fn tenant(&self) -> Option<TenantId> {
		match self.authority {
			Authority::Tenant(tenant) => Some(tenant),
			Authority::Did(_) | Authority::Handle(_) => None,
		}
	}

	/// Returns the collection and the key.
	pub const fn path(&self) -> RecordPath<'a> {
		self.path
	}

	/// Returns the name of the collection.
	pub const fn collection(&self) -> RecordKey<'a> {
		self.path.collection()
	}

	/// Returns the key of the record.
	pub const fn key(&self) -> RecordKey<'a> {
		self.path.key()
	}
}

struct Parts {
	/// The tenant of a URI of a content fabric.
	tenant: Option<TenantId>,
	/// Position of the authority.
	start: usize,
	/// Position of the path.
	path: usize,
	/// Position of the slash in the path.
	slash: usize,
}

impl Parts {
	fn of(self, text: &str) -> RecordUri<'_> {
		RecordUri {
			authority: Authority::checked(self.tenant, &text[self.start..self.path - 1]),
			path: RecordPath::checked(&text[self.path..], self.slash),
		}
	}
}

fn check(bytes: &[u8]) -> Result<Parts, ParseRecordUriError> {
	let (rest, is_at) = match bytes.strip_prefix(AT_SCHEME) {
		Some(rest) => (rest, true),
		None => (after_scheme(bytes).ok_or(ParseRecordUriError::Scheme)?, false),
	};
	let start = bytes.len() - rest.len();
	let slash = rest.iter().position(|byte| *byte == b'/');
	let authority = &rest[..slash.unwrap_or(rest.len())];
	let tenant = match is_at {
		true => check_account(authority).map(|()| None),
		false => check_tenant(authority).map(Some),
	};
	let tenant = tenant.map_err(|error| ParseRecordUriError::Authority { start, error })?;
	let slash = slash.ok_or(ParseRecordUriError::NoCollection { at: bytes.len() })?;
	let path = start + slash + 1;
	let slash = match is_at {
		true => record_path::check_repository(&bytes[path..]),
		false => record_path::check(&bytes[path..]),
	};
	let slash = slash.map_err(|error| ParseRecordUriError::Path { start: path, error })?;
	Ok(Parts { tenant, start, path, slash })
}

/// Returns what follows `fabric:/` or `fabric://`.
fn after_scheme(bytes: &[u8]) -> Option<&[u8]> {
	let rest = bytes.strip_prefix(SCHEME)?;
	rest.strip_prefix(b"//").or_else(|| rest.strip_prefix(b"/"))
}

impl fmt::Display for RecordUri<'_> {
	/// Writes the canonical text.
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self.authority {
			Authority::Tenant(tenant) => write!(f, "fabric:/{tenant}/{}", self.path),
			authority => write!(f, "at://{authority}/{}", self.path),
		}
	}
}

composed!(RecordUri: ParseRecordUriError);
