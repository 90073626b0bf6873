// SPDX-License-Identifier: Apache-2.0
//! Members of a space: providers and tenants.

use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use content_fabric_identifiers::{ProviderId, TenantId};
use scale_info::TypeInfo;

/// A provider or a tenant.
#[doc(alias = "Subject")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
#[cfg_attr(feature = "scale-encode", derive(scale_encode::EncodeAsType))]
#[derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub enum MemberId {
	/// A provider.
	#[codec(index = 0)]
	Provider(ProviderId),
	/// A tenant.
	#[codec(index = 1)]
	Tenant(TenantId),
}

impl MemberId {
	/// Returns which kind of member this is.
	pub const fn role(self) -> Role {
		match self {
			Self::Provider(_) => Role::Provider,
			Self::Tenant(_) => Role::Tenant,
		}
	}

	/// Returns the 10 bytes of the provider's or tenant's own id.
	pub const fn as_bytes(&self) -> &[u8; 10] {
		match self {
			Self::Provider(id) => id.as_bytes(),
			Self::Tenant(id) => id.as_bytes(),
		}
	}
}

impl From<ProviderId> for MemberId {
	fn from(provider: ProviderId) -> Self {
		Self::Provider(provider)
	}
}

impl From<TenantId> for MemberId {
	fn from(tenant: TenantId) -> Self {
		Self::Tenant(tenant)
	}
}

/// The two kinds of member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
#[cfg_attr(feature = "scale-encode", derive(scale_encode::EncodeAsType))]
#[derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub enum Role {
	/// Runs nodes.
	#[codec(index = 0)]
	Provider,
	/// Owns content.
	#[codec(index = 1)]
	Tenant,
}

#[cfg(feature = "text")]
mod text {
	use core::{fmt, str::FromStr};

	use content_fabric_identifiers::{id_kind, ParseIdError, ProviderId, TenantId};

	use super::MemberId;

	const PROVIDER: &str = ProviderId::PREFIX;
	const TENANT: &str = TenantId::PREFIX;

	/// The text is not the id of a member.
	#[derive(Clone, Copy, Debug, PartialEq, Eq)]
	pub enum ParseMemberIdError {
		/// The text starts with neither `iprv` nor `iten`.
		Prefix {
			/// The kind of id that the text starts as, such as `a space`, if it starts as an id
			/// does.
			found: Option<&'static str>,
		},
		/// The text has one of these prefixes, but the rest is not the id of a provider or tenant.
		Id(ParseIdError),
	}

	impl fmt::Display for ParseMemberIdError {
		fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
			match self {
				Self::Prefix { found: None } => {
					write!(f, "the id starts with neither `{PROVIDER}` nor `{TENANT}`")
				},
				Self::Prefix { found: Some(found) } => {
					write!(f, "it is the id of {found}, expected a provider or a tenant ")?;
					write!(f, "({PROVIDER}…, {TENANT}…)")
				},
				Self::Id(error) => error.fmt(f),
			}
		}
	}

	impl core::error::Error for ParseMemberIdError {}

	impl fmt::Display for MemberId {
		/// Writes the text of the provider's or tenant's own id: `iprv…` or `iten…`.
		fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
			match self {
				Self::Provider(id) => id.fmt(f),
				Self::Tenant(id) => id.fmt(f),
			}
		}
	}

	impl FromStr for MemberId {
		type Err = ParseMemberIdError;

		fn from_str(text: &str) -> Result<Self, ParseMemberIdError> {
			if text.starts_with(PROVIDER) {
				text.parse().map(Self::Provider).map_err(ParseMemberIdError::Id)
			} else if text.starts_with(TENANT) {
				text.parse().map(Self::Tenant).map_err(ParseMemberIdError::Id)
			} else {
				Err(ParseMemberIdError::Prefix { found: id_kind(text) })
			}
		}
	}
}

#[cfg(feature = "text")]
pub use text::ParseMemberIdError;
