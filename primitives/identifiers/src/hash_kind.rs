// SPDX-License-Identifier: Apache-2.0
//! The kinds of hash that the id of a version can be.

use core::fmt;

use crate::{
	convert::{parsed, rules},
	VersionId,
};

/// The hash function whose result is the id of a version. Text: `blake3` or `sha256`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[cfg_attr(feature = "codec", derive(codec::Encode, codec::Decode, codec::MaxEncodedLen))]
#[cfg_attr(feature = "codec", derive(codec::DecodeWithMemTracking, scale_info::TypeInfo))]
#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
#[cfg_attr(feature = "scale-encode", derive(scale_encode::EncodeAsType))]
pub enum HashKind {
	/// BLAKE3, a tree: each chunk of 1 KiB can be proven to be part of the data.
	#[cfg_attr(feature = "codec", codec(index = 0))]
	Blake3,
	/// SHA-256, which registries, Debian and OCI publish for their files.
	#[cfg_attr(feature = "codec", codec(index = 1))]
	Sha256,
}

/// The text names no kind of hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseHashKindError;

rules! { ParseHashKindError, at:
	Self => 0, "expected `blake3` or `sha256`";
}

impl HashKind {
	/// All kinds.
	pub const ALL: [Self; 2] = [Self::Blake3, Self::Sha256];

	/// Returns the text.
	pub const fn as_str(self) -> &'static str {
		match self {
			Self::Blake3 => "blake3",
			Self::Sha256 => "sha256",
		}
	}

	/// Returns the name as people write it: `BLAKE3` or `SHA-256`.
	pub const fn name(self) -> &'static str {
		match self {
			Self::Blake3 => "BLAKE3",
			Self::Sha256 => "SHA-256",
		}
	}

	/// Returns the id of the version that has no data: the hash of no bytes.
	pub const fn of_no_data(self) -> VersionId {
		VersionId(match self {
			Self::Blake3 => [
				0xaf, 0x13, 0x49, 0xb9, 0xf5, 0xf9, 0xa1, 0xa6, 0xa0, 0x40, 0x4d, 0xea, 0x36, 0xdc,
				0xc9, 0x49, 0x9b, 0xcb, 0x25, 0xc9, 0xad, 0xc1, 0x12, 0xb7, 0xcc, 0x9a, 0x93, 0xca,
				0xe4, 0x1f, 0x32, 0x62,
			],
			Self::Sha256 => [
				0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f,
				0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b,
				0x78, 0x52, 0xb8, 0x55,
			],
		})
	}

	/// Parses a text.
	pub fn parse(text: &str) -> Result<Self, ParseHashKindError> {
		Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(ParseHashKindError)
	}
}

impl fmt::Display for HashKind {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.pad(self.as_str())
	}
}

impl AsRef<str> for HashKind {
	fn as_ref(&self) -> &str {
		self.as_str()
	}
}

parsed!(HashKind: ParseHashKindError, Self::parse);
