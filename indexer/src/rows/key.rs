// SPDX-License-Identifier: Apache-2.0
//! Keys of rows, and the storage keys that they stand for.

use codec::{Decode, Encode};
use content_fabric_client::text::Text;
use content_fabric_identifiers::{
	ContentObjectId, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{MemberId, Role};
use sp_crypto_hashing::blake2_128;
use subxt::utils::AccountId32;

use super::{Map, WrongValue};

/// Length of the hash before each part of a storage key.
const HASH_LEN: usize = 16;

macro_rules! keys {
	($($(#[$doc:meta])* $name:ident($($part:ident: $type:ty),+) in $map:ident,)*) => {
		/// The key of a row: the parts of its storage key.
		#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
		pub enum RowKey {
			$($(#[$doc])* $name($($type),+),)*
		}

		impl RowKey {
			/// Returns the map of the row.
			pub const fn map(&self) -> Map {
				match self {
					$(Self::$name(..) => Map::$map,)*
				}
			}

			/// Passes on each encoded part.
			fn each_part(&self, mut run: impl FnMut(&[u8])) {
				match self {
					$(Self::$name($($part),+) => {
						$($part.using_encoded(&mut run);)+
					},)*
				}
			}

			/// Reads the parts of a storage key after the prefix of its map.
			fn of_parts(map: Map, key: &mut &[u8]) -> Option<Self> {
				Some(match map {
					$(Map::$map => Self::$name($(part::<$type>(key)?),+),)*
				})
			}
		}

		$(
			impl TryFrom<RowKey> for ($($type,)+) {
				type Error = WrongValue;

				fn try_from(key: RowKey) -> Result<Self, WrongValue> {
					match key {
						RowKey::$name($($part),+) => Ok(($($part,)+)),
						_ => Err(WrongValue),
					}
				}
			}
		)*
	};
}

keys! {
	/// A space.
	Space(space: SpaceId) in Spaces,
	/// An unused admission.
	Admission(space: SpaceId, admitted: (AccountId32, Role)) in Admissions,
	/// A provider.
	Provider(provider: ProviderId) in Providers,
	/// An access key of a provider.
	ProviderKey(provider: ProviderId, account: AccountId32) in ProviderKeys,
	/// A node.
	Node(provider: ProviderId, node: NodeId) in Nodes,
	/// A tenant.
	Tenant(tenant: TenantId) in Tenants,
	/// An access key of a tenant.
	TenantKey(tenant: TenantId, account: AccountId32) in TenantKeys,
	/// A KMS.
	Kms(tenant: TenantId, kms: KmsId) in Kmses,
	/// A content object.
	ContentObject(tenant: TenantId, object: ContentObjectId) in ContentObjects,
	/// A version.
	Version(tenant: TenantId, object: ContentObjectId, version: VersionId) in Versions,
	/// A collection.
	Collection(tenant: TenantId, name: Text) in Collections,
	/// A record.
	Record(tenant: TenantId, collection: Text, key: Text) in Records,
	/// A purge that is under way.
	Purge(member: MemberId) in Purges,
}

/// Reads a part, which follows its hash.
fn part<Part: Decode>(key: &mut &[u8]) -> Option<Part> {
	*key = key.get(HASH_LEN..)?;
	Part::decode(key).ok()
}

/// A storage key is not that of a row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("storage key 0x{} of map {} does not have the expected form", hex::encode(.key), .map.name())]
pub struct KeyError {
	/// The map.
	pub map: Map,
	/// The storage key.
	pub key: Vec<u8>,
}

impl RowKey {
	/// Returns the key of a member's own row.
	pub fn member(member: MemberId) -> Self {
		match member {
			MemberId::Provider(provider) => Self::Provider(provider),
			MemberId::Tenant(tenant) => Self::Tenant(tenant),
		}
	}

	/// Returns the member that the row is under. `None` for rows that are under no member.
	pub fn parent(&self) -> Option<MemberId> {
		match self {
			Self::ProviderKey(provider, _) | Self::Node(provider, _) => Some((*provider).into()),
			Self::TenantKey(tenant, _)
			| Self::Kms(tenant, _)
			| Self::ContentObject(tenant, _)
			| Self::Version(tenant, ..)
			| Self::Collection(tenant, _)
			| Self::Record(tenant, ..) => Some((*tenant).into()),
			_ => None,
		}
	}

	/// Returns the member whose own row this is.
	pub fn as_member(&self) -> Option<MemberId> {
		match self {
			Self::Provider(provider) => Some((*provider).into()),
			Self::Tenant(tenant) => Some((*tenant).into()),
			_ => None,
		}
	}

	/// Returns the storage key of the row: the prefix of its map, and each part after its hash.
	pub fn storage_key(&self) -> Vec<u8> {
		let mut key = self.map().prefix().to_vec();
		self.each_part(|part| {
			key.extend(blake2_128(part));
			key.extend(part);
		});
		key
	}

	/// Reads the storage key of a row of a map.
	pub fn of_storage_key(map: Map, key: &[u8]) -> Result<Self, KeyError> {
		let read = key.get(map.prefix().len()..).and_then(|mut parts| {
			let row = Self::of_parts(map, &mut parts);
			row.filter(|row| parts.is_empty() && row.storage_key() == key)
		});
		read.ok_or_else(|| KeyError { map, key: key.to_vec() })
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_storage_key_leads_back_to_its_row() {
		let (tenant, provider) = (TenantId([1; 10]), ProviderId([2; 10]));
		let account = AccountId32([3; 32]);
		let object = ContentObjectId([4; 10]);
		let keys = [
			RowKey::Space(SpaceId([5; 10])),
			RowKey::Admission(SpaceId([5; 10]), (account, Role::Tenant)),
			RowKey::Provider(provider),
			RowKey::ProviderKey(provider, account),
			RowKey::Node(provider, NodeId([6; 10])),
			RowKey::Tenant(tenant),
			RowKey::TenantKey(tenant, account),
			RowKey::Kms(tenant, KmsId([7; 10])),
			RowKey::ContentObject(tenant, object),
			RowKey::Version(tenant, object, VersionId([8; 32])),
			RowKey::Collection(tenant, Text(b"crates".to_vec())),
			RowKey::Record(tenant, Text(b"crates".to_vec()), Text(b"serde".to_vec())),
			RowKey::Purge(tenant.into()),
		];
		assert_eq!(keys.len(), Map::ALL.len());
		for (key, map) in keys.into_iter().zip(Map::ALL) {
			let storage_key = key.storage_key();
			assert_eq!(Map::of_storage_key(&storage_key), Some(*map));
			assert_eq!(RowKey::of_storage_key(*map, &storage_key), Ok(key));
			for wrong in [&storage_key[..storage_key.len() - 1], &[&storage_key[..], &[0]].concat()]
			{
				assert!(RowKey::of_storage_key(*map, wrong).is_err(), "{map:?}");
			}
		}
	}

	#[test]
	fn a_storage_key_with_another_hash_is_refused() {
		let mut key = RowKey::Space(SpaceId([5; 10])).storage_key();
		key[32] ^= 1;
		let error = RowKey::of_storage_key(Map::Spaces, &key).expect_err("the hash is wrong");
		assert!(error.to_string().ends_with("of map Spaces does not have the expected form"));
	}
}
