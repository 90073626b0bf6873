// SPDX-License-Identifier: Apache-2.0
//! The id of a version from its data.

use core::{fmt, str::FromStr};

use cid::{
	multibase::{self, Base},
	Cid as AnyCid,
};
use sha2::{Digest, Sha256};

use crate::VersionId;

/// Computes the id of a version, which is the SHA-256 hash of its data as nodes store them. If the
/// tenant encrypts the data, that is the hash of the encrypted data.
///
/// The data can come in pieces of any length. With the feature `std`, this is an [`io::Write`].
///
/// [`io::Write`]: https://doc.rust-lang.org/std/io/trait.Write.html
///
/// ```
/// # use content_fabric_identifiers::VersionHasher;
/// let mut hasher = VersionHasher::new();
/// hasher.update(b"a");
/// hasher.update(b"bc");
/// let version = hasher.finish();
/// assert_eq!(version, VersionHasher::hash(b"abc"));
/// assert_eq!(version.to_string(), "hq__DYu3G8aGTMBW1WrTw76zxQJQU4DHLw9MLyy7peG4LKkY");
/// ```
#[derive(Clone, Debug, Default)]
pub struct VersionHasher(Sha256);

impl VersionHasher {
	/// Returns a hasher without data.
	pub fn new() -> Self {
		Self::default()
	}

	/// Adds data.
	pub fn update(&mut self, data: &[u8]) {
		self.0.update(data);
	}

	/// Returns the id of the version that has the data.
	pub fn finish(self) -> VersionId {
		VersionId(self.0.finalize().into())
	}

	/// Returns the id of the version that has this data.
	pub fn hash(data: &[u8]) -> VersionId {
		VersionId(Sha256::digest(data).into())
	}
}

#[cfg(feature = "std")]
impl std::io::Write for VersionHasher {
	fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
		self.update(data);
		Ok(data.len())
	}

	fn flush(&mut self) -> std::io::Result<()> {
		Ok(())
	}
}

/// The beginning of the CIDs of data, before the hash: version 1, unstructured data, SHA-256, and
/// the length of the hash.
const PREFIX: [u8; 4] = [1, 0x55, 0x12, 32];

/// The CID of a version's data: version 1, unstructured (`raw`), with the SHA-256 hash, which is
/// the id of the version. Its text is in lower-case base32.
///
/// ```
/// # use content_fabric_identifiers::{Cid, VersionHasher};
/// let cid = Cid(VersionHasher::hash(b"abc"));
/// assert_eq!(cid.to_string(), "bafkreif2pall7dybz7vecqka3zo24irdwabwdi4wc55jznaq75q7eaavvu");
/// assert_eq!(cid.to_string().parse(), Ok(cid));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cid(pub VersionId);

impl fmt::Display for Cid {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let bytes = [&PREFIX[..], &self.0 .0].concat();
		f.write_str(&multibase::encode(Base::Base32Lower, bytes))
	}
}

/// The text is not the CID of a version's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseCidError {
	/// The text is not a CID.
	Syntax,
	/// The CID has another version, codec or hash, or the text has more than the CID.
	Kind,
}

impl fmt::Display for ParseCidError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(match self {
			Self::Syntax => "it is not a CID",
			Self::Kind => "expected a CIDv1 of raw data with a SHA-256 hash",
		})
	}
}

impl core::error::Error for ParseCidError {}

/// More bytes than the text of a CID has in the longest base: 36 bytes in binary digits.
const MAX_CID_LEN: usize = 300;

impl FromStr for Cid {
	type Err = ParseCidError;

	/// Parses a CID in any of the bases that CIDs can have.
	fn from_str(text: &str) -> Result<Self, ParseCidError> {
		// Decoding some bases takes time that grows with the square of the length.
		if text.len() > MAX_CID_LEN {
			return Err(ParseCidError::Syntax);
		}
		AnyCid::from_str(text).map_err(|_| ParseCidError::Syntax)?;
		// `AnyCid` also accepts a path before the CID, and bytes after it.
		let (_, bytes) = multibase::decode(text).map_err(|_| ParseCidError::Kind)?;
		let id = bytes.strip_prefix(&PREFIX).and_then(|id| id.try_into().ok());
		id.map(|id| Self(VersionId(id))).ok_or(ParseCidError::Kind)
	}
}
