// SPDX-License-Identifier: Apache-2.0
//! The ids of the fabric's entities.

use core::fmt;

use crate::{
	convert::{messages, packed},
	Tid,
};

/// The number of bytes does not fit the id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthError {
	/// The length of the id, in bytes.
	pub expected: usize,
	/// The number of bytes given.
	pub found: usize,
}

messages! { LengthError:
	Self { expected, found } => "the id has {found} bytes, expected {expected}";
}

macro_rules! entity_id {
	($($(#[$doc:meta])* $name:ident: [u8; $len:literal];)*) => {$(
		$(#[$doc])*
		#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
		#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
		#[cfg_attr(feature = "codec", derive(codec::Encode, codec::Decode, codec::MaxEncodedLen))]
		#[cfg_attr(feature = "codec", derive(codec::DecodeWithMemTracking, scale_info::TypeInfo))]
		#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
		#[cfg_attr(feature = "scale-encode", derive(scale_encode::EncodeAsType))]
		pub struct $name(pub [u8; $len]);

		impl $name {
			/// The length of the id, in bytes.
			pub const LEN: usize = $len;

			/// Returns the bytes of the id.
			pub const fn as_bytes(&self) -> &[u8; $len] {
				&self.0
			}

			/// Returns the id of these bytes. Every value is an id.
			pub const fn from_bytes(bytes: [u8; $len]) -> Self {
				Self(bytes)
			}

			/// Returns the bytes of the id.
			pub const fn to_bytes(self) -> [u8; $len] {
				self.0
			}
		}

		impl fmt::Debug for $name {
			/// Writes the text of the id, or its bytes in hex where the feature `text` is off.
			fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
				f.write_str(concat!(stringify!($name), "("))?;
				#[cfg(feature = "text")]
				write!(f, "{self}")?;
				#[cfg(not(feature = "text"))]
				self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
				f.write_str(")")
			}
		}

		impl AsRef<[u8]> for $name {
			fn as_ref(&self) -> &[u8] {
				&self.0
			}
		}

		packed!($name, $len);
	)*};
}

entity_id! {
	/// Id of a space: a part of the fabric with rules and a governor of its own. Text: `ispc…`.
	SpaceId: [u8; 10];
	/// Id of a provider, who runs nodes. Text: `iprv…`.
	ProviderId: [u8; 10];
	/// Id of a tenant, who owns content. Text: `iten…`.
	TenantId: [u8; 10];
	/// Id of a provider's node. Text: `inod…`.
	NodeId: [u8; 10];
	/// Id of a tenant's key management server. Text: `ikms…`.
	KmsId: [u8; 10];
	/// Id of a tenant's content object. Text: `iq__…`; with its tenant in one id, see
	/// [`ContentObjectPath`].
	ContentObjectId: [u8; 10];
	/// Id of a version of a content object: the hash of its data, of a
	/// [`HashKind`](crate::HashKind) that is stated beside it. Text: `hq__…`.
	VersionId: [u8; 32];
}

macro_rules! from_tid {
	($($name:ident)*) => {$(
		impl $name {
			/// Returns an id that is ordered by time: the eight big-endian bytes of a TID, and two
			/// more to distinguish ids of the same TID.
			pub const fn from_tid(tid: Tid, discriminator: u16) -> Self {
				let [a, b, c, d, e, f, g, h] = tid.to_bytes();
				let [i, j] = discriminator.to_be_bytes();
				Self([a, b, c, d, e, f, g, h, i, j])
			}
		}
	)*};
}

from_tid! { SpaceId ProviderId TenantId NodeId KmsId ContentObjectId }

/// A content object together with the tenant that owns it. Text: `itq_…`, one printable id for
/// both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[cfg_attr(feature = "codec", derive(codec::Encode, codec::Decode, codec::MaxEncodedLen))]
#[cfg_attr(feature = "codec", derive(codec::DecodeWithMemTracking, scale_info::TypeInfo))]
pub struct ContentObjectPath {
	/// The owner.
	pub tenant: TenantId,
	/// The object, unique within the tenant.
	pub object: ContentObjectId,
}

impl ContentObjectPath {
	/// Number of bytes in the packed form.
	pub const LEN: usize = TenantId::LEN + ContentObjectId::LEN;

	/// Returns the bytes of the tenant, then the bytes of the object.
	pub fn to_bytes(self) -> [u8; Self::LEN] {
		let mut bytes = [0; Self::LEN];
		let (tenant, object) = bytes.split_at_mut(TenantId::LEN);
		tenant.copy_from_slice(&self.tenant.0);
		object.copy_from_slice(&self.object.0);
		bytes
	}

	/// Returns the path of these bytes. Every value of 20 bytes is a path.
	pub fn from_bytes(bytes: [u8; Self::LEN]) -> Self {
		let mut path = Self { tenant: TenantId([0; 10]), object: ContentObjectId([0; 10]) };
		let (tenant, object) = bytes.split_at(TenantId::LEN);
		path.tenant.0.copy_from_slice(tenant);
		path.object.0.copy_from_slice(object);
		path
	}
}

packed!(ContentObjectPath, ContentObjectPath::LEN);
