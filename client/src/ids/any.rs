// SPDX-License-Identifier: Apache-2.0
//! Ids of any kind.

use std::{fmt, str::FromStr};

use content_fabric_identifiers::{
	id_kind, ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId,
	VersionId, ID_KINDS,
};
use serde::{Serialize, Serializer};

use super::{parse, parse_version, IdError};

macro_rules! any_id {
	($($(#[$doc:meta])* $variant:ident($id:ident) = $kind:literal;)*) => {
		/// An id of any kind. The text of a version may be its hash in hex, or its CID.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub enum AnyId {
			$($(#[$doc])* $variant($id),)*
		}

		impl AnyId {
			/// Returns the word for what the id names.
			pub const fn kind(&self) -> &'static str {
				match self {
					$(Self::$variant(_) => $kind,)*
				}
			}

			/// Returns the packed bytes of the id.
			pub fn to_bytes(&self) -> Vec<u8> {
				match self {
					$(Self::$variant(id) => id.to_bytes().to_vec(),)*
				}
			}
		}

		impl fmt::Display for AnyId {
			fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
				match self {
					$(Self::$variant(id) => id.fmt(f),)*
				}
			}
		}

		impl FromStr for AnyId {
			type Err = IdError;

			fn from_str(text: &str) -> Result<Self, IdError> {
				$(if text.starts_with($id::PREFIX) {
					return parse(text).map(Self::$variant);
				})*
				parse_version(text).map(Self::Version).map_err(|error| match error {
					IdError::Cid { .. } => error,
					_ => {
						let prefixes = ID_KINDS.map(|(prefix, _)| prefix).join(", ");
						IdError::Prefix { text: text.into(), prefixes }
					},
				})
			}
		}
	};
}

any_id! {
	/// `ispc…`
	Space(SpaceId) = "space";
	/// `iprv…`
	Provider(ProviderId) = "provider";
	/// `inod…`
	Node(NodeId) = "node";
	/// `iten…`
	Tenant(TenantId) = "tenant";
	/// `ikms…`
	Kms(KmsId) = "KMS";
	/// `iq__…`
	ContentObject(ContentObjectId) = "content object";
	/// `itq_…`
	ContentObjectPath(ContentObjectPath) = "content object";
	/// `hq__…`
	Version(VersionId) = "version";
}

impl AnyId {
	/// Returns the error of an id under which a command finds nothing: one of neither a space, nor
	/// a member, nor a content object with its tenant.
	pub fn not_a_parent(&self) -> IdError {
		let text = self.to_string();
		IdError::Kind {
			found: format!("the id of {}", id_kind(&text).unwrap_or("an entity")),
			text,
			needed: "a space, a provider, a tenant or a content object with its tenant".into(),
			prefixes: "ispc…, iprv…, iten…, itq_…".into(),
		}
	}
}

impl Serialize for AnyId {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		serializer.collect_str(self)
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn texts_without_a_prefix_of_ids_are_refused_with_the_prefixes() {
		let error = "nonsense".parse::<AnyId>().expect_err("the text is not an id").to_string();
		assert_eq!(
			error,
			"`nonsense` is not an id: an id starts with one of ispc, iprv, inod, iten, ikms, iq__, \
			 itq_, hq__"
		);
		let error = "ispc0".parse::<AnyId>().expect_err("0 is not base58").to_string();
		assert_eq!(error, "`ispc0` is not an id: the character at byte 4 is not base58");
	}
}
