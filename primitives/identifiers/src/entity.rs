//! The ids of the fabric's entities.

use core::fmt;

use crate::Tid;

/// A byte string has not the length of the id that it was to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthError {
	/// The length of the id, in bytes.
	pub expected: usize,
	/// The length that was given, in bytes.
	pub found: usize,
}

impl fmt::Display for LengthError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "an id of {} bytes cannot be made of {}", self.expected, self.found)
	}
}

impl core::error::Error for LengthError {}

macro_rules! entity_id {
	($($(#[$doc:meta])* $name:ident: [u8; $len:literal];)*) => {$(
		$(#[$doc])*
		#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
		#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
		#[cfg_attr(
			feature = "codec",
			derive(
				codec::Encode,
				codec::Decode,
				codec::DecodeWithMemTracking,
				codec::MaxEncodedLen,
				scale_info::TypeInfo,
			)
		)]
		pub struct $name(pub [u8; $len]);

		impl $name {
			/// The length of the id, in bytes.
			pub const LEN: usize = $len;

			/// The bytes of the id.
			pub const fn as_bytes(&self) -> &[u8; $len] {
				&self.0
			}
		}

		impl AsRef<[u8]> for $name {
			fn as_ref(&self) -> &[u8] {
				&self.0
			}
		}

		impl From<[u8; $len]> for $name {
			fn from(bytes: [u8; $len]) -> Self {
				Self(bytes)
			}
		}

		impl From<$name> for [u8; $len] {
			fn from(id: $name) -> Self {
				id.0
			}
		}

		impl TryFrom<&[u8]> for $name {
			type Error = LengthError;

			fn try_from(bytes: &[u8]) -> Result<Self, LengthError> {
				bytes
					.try_into()
					.map(Self)
					.map_err(|_| LengthError { expected: $len, found: bytes.len() })
			}
		}
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
	/// Id of a version of a content object: the hash of its data. Text: `hq__…`.
	VersionId: [u8; 32];
}

macro_rules! from_tid {
	($($name:ident)*) => {$(
		impl $name {
			/// An id that is ordered by time: the eight big-endian bytes of a TID, and two more
			/// to tell apart ids of the same TID.
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
pub struct ContentObjectPath {
	/// The owner.
	pub tenant: TenantId,
	/// The object, unique within the tenant.
	pub object: ContentObjectId,
}

impl ContentObjectPath {
	/// The bytes of the tenant, then those of the object.
	pub fn to_bytes(&self) -> [u8; TenantId::LEN + ContentObjectId::LEN] {
		let mut bytes = [0; TenantId::LEN + ContentObjectId::LEN];
		let (tenant, object) = bytes.split_at_mut(TenantId::LEN);
		tenant.copy_from_slice(&self.tenant.0);
		object.copy_from_slice(&self.object.0);
		bytes
	}

	/// The path of these bytes, which all 20 are.
	pub fn from_bytes(bytes: [u8; TenantId::LEN + ContentObjectId::LEN]) -> Self {
		let mut path = Self { tenant: TenantId([0; 10]), object: ContentObjectId([0; 10]) };
		let (tenant, object) = bytes.split_at(TenantId::LEN);
		path.tenant.0.copy_from_slice(tenant);
		path.object.0.copy_from_slice(object);
		path
	}
}
