// SPDX-License-Identifier: Apache-2.0
//! The id of a version from its data.

use alloc::{boxed::Box, vec::Vec};
use core::{fmt, str::FromStr};

use cid::{
	multibase::{self, Base},
	Cid as AnyCid,
};
use sha2::{Digest, Sha256};

use crate::{HashKind, VersionId};

/// Computes the id of a version, which is the hash of its data as nodes store them. If the tenant
/// encrypts the data, that is the hash of the encrypted data.
///
/// The data can come in pieces of any length. With the feature `std`, this is an [`io::Write`].
///
/// [`io::Write`]: https://doc.rust-lang.org/std/io/trait.Write.html
///
/// ```
/// # use content_fabric_identifiers::{HashKind, VersionHasher};
/// let mut hasher = VersionHasher::new(HashKind::Sha256);
/// hasher.update(b"a");
/// hasher.update(b"bc");
/// let version = hasher.finish();
/// assert_eq!(version, VersionHasher::hash(HashKind::Sha256, b"abc"));
/// assert_eq!(version.to_string(), "hq__DYu3G8aGTMBW1WrTw76zxQJQU4DHLw9MLyy7peG4LKkY");
/// ```
#[derive(Clone, Debug)]
pub struct VersionHasher(State);

#[derive(Clone, Debug)]
enum State {
	/// Two kilobytes.
	Blake3(Box<blake3::Hasher>),
	Sha256(Sha256),
}

impl VersionHasher {
	/// Returns a hasher without data.
	pub fn new(kind: HashKind) -> Self {
		Self(match kind {
			HashKind::Blake3 => State::Blake3(Box::default()),
			HashKind::Sha256 => State::Sha256(Sha256::new()),
		})
	}

	/// Returns the kind of the hash.
	pub fn kind(&self) -> HashKind {
		match self.0 {
			State::Blake3(_) => HashKind::Blake3,
			State::Sha256(_) => HashKind::Sha256,
		}
	}

	/// Adds data.
	pub fn update(&mut self, data: &[u8]) {
		match &mut self.0 {
			State::Blake3(hasher) => drop(hasher.update(data)),
			State::Sha256(hasher) => hasher.update(data),
		}
	}

	/// Returns the id of the version that has the data.
	pub fn finish(self) -> VersionId {
		VersionId(match self.0 {
			State::Blake3(hasher) => hasher.finalize().into(),
			State::Sha256(hasher) => hasher.finalize().into(),
		})
	}

	/// Returns the id of the version that has this data.
	pub fn hash(kind: HashKind, data: &[u8]) -> VersionId {
		VersionId(match kind {
			HashKind::Blake3 => blake3::hash(data).into(),
			HashKind::Sha256 => Sha256::digest(data).into(),
		})
	}
}

/// A check of data against the id of a version. If the kind of hash is not known, several kinds are
/// tried.
///
/// ```
/// # use content_fabric_identifiers::{HashKind, VersionCheck, VersionHasher};
/// let version = VersionHasher::hash(HashKind::Blake3, b"abc");
/// let mut check = VersionCheck::new(version, HashKind::ALL);
/// check.update(b"abc");
/// assert_eq!(check.found(), Some(HashKind::Blake3));
/// ```
#[derive(Clone, Debug)]
pub struct VersionCheck {
	version: VersionId,
	hashers: Vec<VersionHasher>,
}

impl VersionCheck {
	/// Returns a check without data. Duplicate kinds are ignored.
	pub fn new(version: VersionId, kinds: impl IntoIterator<Item = HashKind>) -> Self {
		let mut kinds: Vec<_> = kinds.into_iter().collect();
		kinds.sort_unstable();
		kinds.dedup();
		Self { version, hashers: kinds.into_iter().map(VersionHasher::new).collect() }
	}

	/// Returns the version.
	pub fn version(&self) -> VersionId {
		self.version
	}

	/// Returns the kinds that are possible.
	pub fn kinds(&self) -> impl Iterator<Item = HashKind> + '_ {
		self.hashers.iter().map(VersionHasher::kind)
	}

	/// Adds data.
	pub fn update(&mut self, data: &[u8]) {
		self.hashers.iter_mut().for_each(|hasher| hasher.update(data));
	}

	/// Forgets the data.
	pub fn restart(&mut self) {
		self.hashers.iter_mut().for_each(|hasher| *hasher = VersionHasher::new(hasher.kind()));
	}

	/// Returns the kind by which the data has the id.
	pub fn found(&self) -> Option<HashKind> {
		self.hashes().find(|found| found.version == self.version).map(|found| found.hash)
	}

	/// Returns the hashes of the data.
	pub fn hashes(&self) -> impl Iterator<Item = Cid> + '_ {
		self.hashers
			.iter()
			.map(|hasher| Cid { hash: hasher.kind(), version: hasher.clone().finish() })
	}
}

#[cfg(feature = "std")]
mod writers {
	use std::io::{Result, Write};

	macro_rules! writers {
		($($name:ident)*) => {$(
			impl Write for super::$name {
				fn write(&mut self, data: &[u8]) -> Result<usize> {
					self.update(data);
					Ok(data.len())
				}

				fn flush(&mut self) -> Result<()> {
					Ok(())
				}
			}
		)*};
	}

	writers! { VersionHasher VersionCheck }
}

/// Returns the beginning of the CIDs of data, before the hash: version 1, unstructured data, the
/// kind of the hash, and its length.
const fn prefix(hash: HashKind) -> [u8; 4] {
	let hash = match hash {
		HashKind::Blake3 => 0x1e,
		HashKind::Sha256 => 0x12,
	};
	[1, 0x55, hash, 32]
}

/// The CID of a version's data: version 1, unstructured (`raw`), with the hash that is the id of the
/// version. It says which kind of hash the id is. Its text is in lower-case base32.
///
/// ```
/// # use content_fabric_identifiers::{Cid, HashKind, VersionHasher};
/// let hash = HashKind::Sha256;
/// let cid = Cid { hash, version: VersionHasher::hash(hash, b"abc") };
/// assert_eq!(cid.to_string(), "bafkreif2pall7dybz7vecqka3zo24irdwabwdi4wc55jznaq75q7eaavvu");
/// assert_eq!(cid.to_string().parse(), Ok(cid));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cid {
	/// The kind of the hash.
	pub hash: HashKind,
	/// The hash, which is the id of the version.
	pub version: VersionId,
}

impl fmt::Display for Cid {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let bytes = [&prefix(self.hash)[..], &self.version.0].concat();
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
			Self::Kind => "expected a CIDv1 of raw data with a BLAKE3 or SHA-256 hash",
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
		let found = HashKind::ALL.into_iter().find_map(|hash| {
			let id = bytes.strip_prefix(&prefix(hash))?.try_into().ok()?;
			Some(Self { hash, version: VersionId(id) })
		});
		found.ok_or(ParseCidError::Kind)
	}
}
