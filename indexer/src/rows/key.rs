// SPDX-License-Identifier: Apache-2.0
//! The maps of the pallet, the keys of their rows, and the storage keys that they stand for.

use codec::{Decode, Encode};
use content_fabric_client::{chain::rows::Member, text::Text};
use content_fabric_identifiers::{
	ContentObjectId, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{MemberId, Role};
use scale_info::TypeInfo;
use sp_crypto_hashing::{blake2_128, twox_128};
use subxt::utils::AccountId32;

use super::WrongValue;

/// The name of the pallet, which the names of its storage items come after.
pub const PALLET: &str = "ContentFabric";

/// Length of the hash before each part of a storage key.
const HASH_LEN: usize = 16;

macro_rules! maps {
	($(
		$(#[$doc:meta])*
		$map:ident = $number:literal: $name:ident($($part:ident: $type:ty),+),
	)*) => {
		/// A map of the pallet whose rows are indexed. Its number is part of keys in the index.
		#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, TypeInfo)]
		pub enum Map {
			$($(#[$doc])* #[codec(index = $number)] $map = $number,)*
		}

		impl Map {
			/// All maps.
			pub const ALL: &[Self] = &[$(Self::$map,)*];

			/// Returns the name of the map in the chain's metadata.
			pub const fn name(self) -> &'static str {
				match self {
					$(Self::$map => stringify!($map),)*
				}
			}
		}

		/// The key of a row: the parts of its storage key.
		#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode, TypeInfo)]
		pub enum RowKey {
			$(#[doc = concat!("Of [`Map::", stringify!($map), "`].")] $name($($type),+),)*
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

maps! {
	/// Spaces, by space.
	Spaces = 0: Space(space: SpaceId),
	/// Unused admissions, by space, account and role.
	Admissions = 1: Admission(space: SpaceId, admitted: (AccountId32, Role)),
	/// Providers, by provider.
	Providers = 2: Provider(provider: ProviderId),
	/// Access keys of providers, by provider and account.
	ProviderKeys = 3: ProviderKey(provider: ProviderId, account: AccountId32),
	/// Nodes, by provider and node.
	Nodes = 4: Node(provider: ProviderId, node: NodeId),
	/// Tenants, by tenant.
	Tenants = 5: Tenant(tenant: TenantId),
	/// Access keys of tenants, by tenant and account.
	TenantKeys = 6: TenantKey(tenant: TenantId, account: AccountId32),
	/// KMSes, by tenant and KMS.
	Kmses = 7: Kms(tenant: TenantId, kms: KmsId),
	/// Content objects, by tenant and object.
	ContentObjects = 8: ContentObject(tenant: TenantId, object: ContentObjectId),
	/// Versions, by tenant, object and version.
	Versions = 9: Version(tenant: TenantId, object: ContentObjectId, version: VersionId),
	/// Collections, by tenant and name.
	Collections = 10: Collection(tenant: TenantId, name: Text),
	/// Records, by tenant, collection and record key.
	Records = 11: Record(tenant: TenantId, collection: Text, key: Text),
	/// Purges under way, by member.
	Purges = 12: Purge(member: MemberId),
}

impl Map {
	/// Returns the maps of rows under members with a role.
	pub const fn under(role: Role) -> &'static [Self] {
		match role {
			Role::Provider => &[Self::ProviderKeys, Self::Nodes],
			Role::Tenant => &[
				Self::TenantKeys,
				Self::Kmses,
				Self::ContentObjects,
				Self::Versions,
				Self::Collections,
				Self::Records,
			],
		}
	}

	/// Returns the name of the map's count in the row of a member. `None` for rows under no member.
	pub const fn count_name(self) -> Option<&'static str> {
		Some(match self {
			Self::ProviderKeys | Self::TenantKeys => "keys",
			Self::Nodes => "nodes",
			Self::Kmses => "kmses",
			Self::ContentObjects => "content_objects",
			Self::Versions => "versions",
			Self::Collections => "collections",
			Self::Records => "records",
			_ => return None,
		})
	}

	/// Returns the count of the map's rows in the row of a member.
	pub fn count(self, member: &Member) -> u32 {
		let name = self.count_name().unwrap_or_default();
		member.rows.get(name).copied().unwrap_or_default()
	}

	/// Returns the number of the map in keys of the index.
	pub const fn number(self) -> u8 {
		self as u8
	}

	/// Returns what the storage keys of the map begin with.
	pub fn prefix(self) -> [u8; 32] {
		storage_prefix(PALLET, self.name())
	}
}

/// Returns what the storage keys of an item of a pallet begin with.
pub fn storage_prefix(pallet: &str, item: &str) -> [u8; 32] {
	let mut prefix = [0; 32];
	prefix[..16].copy_from_slice(&twox_128(pallet.as_bytes()));
	prefix[16..].copy_from_slice(&twox_128(item.as_bytes()));
	prefix
}

/// Reads a part, which follows its hash.
fn part<Part: Decode>(key: &mut &[u8]) -> Option<Part> {
	*key = key.get(HASH_LEN..)?;
	Part::decode(key).ok()
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

	/// Reads the storage key of a row of a map. `None` if it does not have the expected form.
	pub fn of_storage_key(map: Map, key: &[u8]) -> Option<Self> {
		let row = Self::of_parts(map, &mut key.get(map.prefix().len()..)?)?;
		Some(row).filter(|row| row.storage_key() == key)
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
			assert!(storage_key.starts_with(&map.prefix()), "{map:?}");
			assert_eq!(RowKey::of_storage_key(*map, &storage_key), Some(key));
			for wrong in [&storage_key[..storage_key.len() - 1], &[&storage_key[..], &[0]].concat()]
			{
				assert_eq!(RowKey::of_storage_key(*map, wrong), None);
			}
		}
	}

	#[test]
	fn a_storage_key_with_another_hash_is_refused() {
		let mut key = RowKey::Space(SpaceId([5; 10])).storage_key();
		key[32] ^= 1;
		assert_eq!(RowKey::of_storage_key(Map::Spaces, &key), None);
	}

	#[test]
	fn storage_prefixes_are_those_of_the_runtime() {
		for (pallet, item, prefix) in [
			(
				"System",
				"Events",
				"26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7",
			),
			(
				"Timestamp",
				"Now",
				"f0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb",
			),
		] {
			assert_eq!(hex::encode(storage_prefix(pallet, item)), prefix);
		}
		let key = hex::encode(storage_prefix(PALLET, ":__STORAGE_VERSION__:"));
		assert!(key.ends_with("4e7b9012096b41c4eb3aaf947f6ea429"), "{key}");
	}
}
