// SPDX-License-Identifier: Apache-2.0
//! Keys of rows, and the storage keys that they stand for.

use codec::{Decode, DecodeAll, Encode};
use content_fabric_client::text::Text;
use content_fabric_identifiers::{
	ContentObjectId, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{MemberId, Role};
use sp_crypto_hashing::blake2_128;
use subxt::utils::AccountId32;

use super::Map;

/// Length of the hash before each part of a storage key.
const HASH_LEN: usize = 16;

/// The key of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub enum RowKey {
	/// A space.
	Space(SpaceId),
	/// An unused admission.
	Admission(SpaceId, AccountId32, Role),
	/// A provider.
	Provider(ProviderId),
	/// An access key of a provider.
	ProviderKey(ProviderId, AccountId32),
	/// A node.
	Node(ProviderId, NodeId),
	/// A tenant.
	Tenant(TenantId),
	/// An access key of a tenant.
	TenantKey(TenantId, AccountId32),
	/// A KMS.
	Kms(TenantId, KmsId),
	/// A content object.
	ContentObject(TenantId, ContentObjectId),
	/// A version.
	Version(TenantId, ContentObjectId, VersionId),
	/// A collection.
	Collection(TenantId, Text),
	/// A record.
	Record(TenantId, Text, Text),
	/// A purge that is under way.
	Purge(MemberId),
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

	/// Returns the map of the row.
	pub const fn map(&self) -> Map {
		match self {
			Self::Space(_) => Map::Spaces,
			Self::Admission(..) => Map::Admissions,
			Self::Provider(_) => Map::Providers,
			Self::ProviderKey(..) => Map::ProviderKeys,
			Self::Node(..) => Map::Nodes,
			Self::Tenant(_) => Map::Tenants,
			Self::TenantKey(..) => Map::TenantKeys,
			Self::Kms(..) => Map::Kmses,
			Self::ContentObject(..) => Map::ContentObjects,
			Self::Version(..) => Map::Versions,
			Self::Collection(..) => Map::Collections,
			Self::Record(..) => Map::Records,
			Self::Purge(_) => Map::Purges,
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

	/// Returns the storage key of the row.
	pub fn storage_key(&self) -> Vec<u8> {
		let mut key = self.map().prefix().to_vec();
		let mut put = |part: &[u8]| {
			key.extend_from_slice(&blake2_128(part));
			key.extend_from_slice(part);
		};
		match self {
			Self::Space(space) => put(&space.0),
			Self::Admission(space, account, role) => {
				put(&space.0);
				put(&(account, role).encode());
			},
			Self::Provider(provider) => put(&provider.0),
			Self::ProviderKey(provider, account) => {
				put(&provider.0);
				put(&account.0);
			},
			Self::Node(provider, node) => {
				put(&provider.0);
				put(&node.0);
			},
			Self::Tenant(tenant) => put(&tenant.0),
			Self::TenantKey(tenant, account) => {
				put(&tenant.0);
				put(&account.0);
			},
			Self::Kms(tenant, kms) => {
				put(&tenant.0);
				put(&kms.0);
			},
			Self::ContentObject(tenant, object) => {
				put(&tenant.0);
				put(&object.0);
			},
			Self::Version(tenant, object, version) => {
				put(&tenant.0);
				put(&object.0);
				put(&version.0);
			},
			Self::Collection(tenant, name) => {
				put(&tenant.0);
				put(&name.encode());
			},
			Self::Record(tenant, collection, key) => {
				put(&tenant.0);
				put(&collection.encode());
				put(&key.encode());
			},
			Self::Purge(member) => put(&member.encode()),
		}
		key
	}

	/// Reads the storage key of a row of a map.
	pub fn of_storage_key(map: Map, key: &[u8]) -> Result<Self, KeyError> {
		let wrong = || KeyError { map, key: key.to_vec() };
		let mut parts = Parts(key.get(map.prefix().len()..).ok_or_else(wrong)?);
		let read = parts.row(map).filter(|_| parts.0.is_empty());
		read.filter(|row| row.storage_key() == key).ok_or_else(wrong)
	}
}

/// The rest of a storage key.
struct Parts<'a>(&'a [u8]);

impl Parts<'_> {
	fn row(&mut self, map: Map) -> Option<RowKey> {
		Some(match map {
			Map::Spaces => RowKey::Space(self.part()?),
			Map::Admissions => {
				let space = self.part()?;
				let (account, role) = self.part()?;
				RowKey::Admission(space, account, role)
			},
			Map::Providers => RowKey::Provider(self.part()?),
			Map::ProviderKeys => RowKey::ProviderKey(self.part()?, self.part()?),
			Map::Nodes => RowKey::Node(self.part()?, self.part()?),
			Map::Tenants => RowKey::Tenant(self.part()?),
			Map::TenantKeys => RowKey::TenantKey(self.part()?, self.part()?),
			Map::Kmses => RowKey::Kms(self.part()?, self.part()?),
			Map::ContentObjects => RowKey::ContentObject(self.part()?, self.part()?),
			Map::Versions => RowKey::Version(self.part()?, self.part()?, self.part()?),
			Map::Collections => RowKey::Collection(self.part()?, self.part()?),
			Map::Records => RowKey::Record(self.part()?, self.part()?, self.part()?),
			Map::Purges => {
				let key = self.0.get(HASH_LEN..)?;
				self.0 = &[];
				RowKey::Purge(MemberId::decode_all(&mut &key[..]).ok()?)
			},
		})
	}

	fn part<Part: Decode>(&mut self) -> Option<Part> {
		self.0 = self.0.get(HASH_LEN..)?;
		Part::decode(&mut self.0).ok()
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
			RowKey::Admission(SpaceId([5; 10]), account, Role::Tenant),
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
