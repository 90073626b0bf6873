// SPDX-License-Identifier: Apache-2.0
//! Keys and values of the record file.

use codec::{Decode, DecodeAll, Encode};
use content_fabric_identifiers::{ContentObjectId, HashKind, Muid, TenantId, VersionId};

/// The tag of the value that says whose record this is.
pub(super) const IDENTITY: &[u8] = b"i";
/// The tag of the number of the last block.
pub(super) const BLOCK: &[u8] = b"b";
/// The tag of the number and the hash of that block.
pub(super) const BLOCK_HASH: &[u8] = b"l";
/// The tag of the hash of the chain's first block.
pub(super) const FIRST: &[u8] = b"f";
/// The tag of rows of the chain, by tenant, object and version.
pub(super) const ROW: u8 = b'r';
/// The tag of the rows that need a version, by version, size, tenant and object. Larger sizes come
/// first.
pub(super) const NEED: u8 = b'n';
/// The tag of the versions whose bytes are in the store.
pub(super) const HELD: u8 = b'h';
/// The tag of the versions that no row needs, by time and version.
pub(super) const GONE: u8 = b'g';
/// The tag of the rows whose bytes are here, but which are not final.
pub(super) const OWED: u8 = b'o';
/// The tag of rows that a finalized block has yet to confirm, by block.
pub(super) const PENDING: u8 = b'p';
/// The tag of final rows whose bytes are not here, by version, tenant and object.
pub(super) const MISSING: u8 = b'm';

/// The tag of rows whose bytes another node should send, by version, tenant and object.
pub(super) const ASKED: u8 = b'a';
/// The tag of the decision to keep or remove the bytes of an earlier node.
pub(super) const EARLIER: &[u8] = b"e";

/// Names a row of the chain's map of versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct VersionKey {
	/// The tenant.
	pub tenant: TenantId,
	/// The object.
	pub object: ContentObjectId,
	/// The version.
	pub version: VersionId,
}

/// A row of the chain, as the node knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Row {
	/// The muid of its commit, which no other row has.
	pub muid: [u8; Muid::LEN],
	/// The kind of hash that the version is.
	pub hash: HashKind,
	/// Size of the data, in bytes.
	pub size: u64,
	/// True if the chain knows that this node holds the bytes, or that an earlier node with its id
	/// did.
	pub is_final: bool,
	/// The block with the row, or the last one that the row can get into. `None` once a finalized
	/// block has confirmed the row.
	pub pending: Option<u64>,
}

/// A version whose bytes are in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Held {
	/// The kind of hash by which the bytes have the version's id.
	pub hash: HashKind,
	/// Number of its bytes.
	pub size: u64,
	/// True if the bytes no longer have the hash.
	pub is_damaged: bool,
	/// When the last row that needed it was removed, in seconds since the Unix epoch.
	pub gone: Option<u64>,
}

impl Row {
	/// Returns whether bytes are the ones that the row declares.
	pub fn is_of(&self, hash: HashKind, size: u64) -> bool {
		(self.hash, self.size) == (hash, size)
	}
}

/// The format of the record. Another one is not read.
const FORMAT: u8 = 4;

/// Owner of the record. Its encoding begins with the format of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Identity {
	/// The genesis hash of the chain.
	pub genesis: [u8; 32],
	/// The provider and the node.
	pub node: ([u8; 10], [u8; 10]),
	/// The number that names the node in muids. A node that is removed and created again has
	/// another one.
	pub medallion: u64,
}

impl Identity {
	pub(super) fn to_value(self) -> Vec<u8> {
		(FORMAT, self).encode()
	}

	/// Reads a value. `None` if it is of another format.
	pub(super) fn of_value(bytes: &[u8]) -> Option<Self> {
		let rest = bytes.strip_prefix(&[FORMAT])?;
		decode(rest)
	}
}

impl VersionKey {
	/// Number of bytes of a key.
	const LEN: usize = 52;

	pub(super) fn tagged(&self, tag: u8) -> Vec<u8> {
		[&[tag][..], &self.tenant.0, &self.object.0, &self.version.0].concat()
	}

	pub(super) fn need(&self, size: u64) -> Vec<u8> {
		[&needs_of(self.version, size)[..], &self.tenant.0, &self.object.0].concat()
	}

	pub(super) fn missing(&self) -> Vec<u8> {
		[&missing_of(self.version)[..], &self.tenant.0, &self.object.0].concat()
	}

	pub(super) fn asked(&self) -> Vec<u8> {
		[&asked_of(self.version)[..], &self.tenant.0, &self.object.0].concat()
	}

	/// Reads the key of a row that is asked for.
	pub(super) fn of_asked(key: &[u8]) -> Option<Self> {
		let (version, (tenant, object)) = decode::<(_, _)>(key.get(1..)?)?;
		Some(Self { tenant, object, version })
	}

	pub(super) fn pending(&self, block: u64) -> Vec<u8> {
		[&[PENDING][..], &block.to_be_bytes(), &self.tagged(ROW)[1..]].concat()
	}

	/// Reads the last bytes of a key that ends with the key of a row.
	pub(super) fn at_end(key: &[u8]) -> Option<Self> {
		decode(key.get(key.len().checked_sub(Self::LEN)?..)?)
	}

	/// Reads the key of a need, with the size.
	pub(super) fn of_need(key: &[u8]) -> Option<(Self, u64)> {
		let (version, size, (tenant, object)) = decode::<(_, [u8; 8], _)>(key.get(1..)?)?;
		Some((Self { tenant, object, version }, !u64::from_be_bytes(size)))
	}
}

pub(super) fn held(version: VersionId) -> Vec<u8> {
	[&[HELD][..], &version.0].concat()
}

pub(super) fn gone(since: u64, version: VersionId) -> Vec<u8> {
	[&[GONE][..], &since.to_be_bytes(), &version.0].concat()
}

pub(super) fn needs(version: VersionId) -> Vec<u8> {
	[&[NEED][..], &version.0].concat()
}

/// Returns the prefix of the final rows of a version whose bytes are not here.
pub(super) fn missing_of(version: VersionId) -> Vec<u8> {
	[&[MISSING][..], &version.0].concat()
}

/// Returns the prefix of the rows of a version whose bytes another node should send.
pub(super) fn asked_of(version: VersionId) -> Vec<u8> {
	[&[ASKED][..], &version.0].concat()
}

/// Returns the prefix of the rows that need a version of this size.
pub(super) fn needs_of(version: VersionId, size: u64) -> Vec<u8> {
	[&needs(version)[..], &(!size).to_be_bytes()].concat()
}

/// Returns a key that is greater than the keys of a tenant's rows that need a version of this size.
pub(super) fn after_tenant(version: VersionId, size: u64, tenant: TenantId) -> Vec<u8> {
	// Longer than the id of any object.
	[&needs_of(version, size)[..], &tenant.0, &[0xff; 11]].concat()
}

/// Returns the prefix of the rows of a tenant.
pub(super) fn of_tenant(tenant: TenantId) -> Vec<u8> {
	[&[ROW][..], &tenant.0].concat()
}

/// Decodes a value. `None` if it is damaged.
pub(super) fn decode<T: Decode>(bytes: &[u8]) -> Option<T> {
	T::decode_all(&mut &bytes[..]).ok()
}
