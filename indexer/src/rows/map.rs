// SPDX-License-Identifier: Apache-2.0
//! The maps of the pallet.

use codec::{Decode, Encode};
use content_fabric_client::chain::rows::Member;
use content_fabric_primitives::Role;
use sp_crypto_hashing::twox_128;

/// The name of the pallet, which the names of its storage items come after.
pub const PALLET: &str = "ContentFabric";

macro_rules! maps {
	($($(#[$doc:meta])* $name:ident = $number:literal,)*) => {
		/// A map of the pallet whose rows are indexed. Its number is part of keys in the index.
		#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
		pub enum Map {
			$($(#[$doc])* #[codec(index = $number)] $name = $number,)*
		}

		impl Map {
			/// All maps.
			pub const ALL: &[Self] = &[$(Self::$name,)*];

			/// Returns the name of the map in the chain's metadata.
			pub const fn name(self) -> &'static str {
				match self {
					$(Self::$name => stringify!($name),)*
				}
			}
		}
	};
}

maps! {
	/// Spaces, by space.
	Spaces = 0,
	/// Unused admissions, by space, account and role.
	Admissions = 1,
	/// Providers, by provider.
	Providers = 2,
	/// Access keys of providers, by provider and account.
	ProviderKeys = 3,
	/// Nodes, by provider and node.
	Nodes = 4,
	/// Tenants, by tenant.
	Tenants = 5,
	/// Access keys of tenants, by tenant and account.
	TenantKeys = 6,
	/// KMSes, by tenant and KMS.
	Kmses = 7,
	/// Content objects, by tenant and object.
	ContentObjects = 8,
	/// Versions, by tenant, object and version.
	Versions = 9,
	/// Collections, by tenant and name.
	Collections = 10,
	/// Records, by tenant, collection and record key.
	Records = 11,
	/// Purges under way, by member.
	Purges = 12,
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

	/// Returns the map whose storage keys begin like this one.
	pub fn of_storage_key(key: &[u8]) -> Option<Self> {
		Self::ALL.iter().copied().find(|map| key.starts_with(&map.prefix()))
	}
}

/// Returns what the storage keys of an item of a pallet begin with.
pub fn storage_prefix(pallet: &str, item: &str) -> [u8; 32] {
	let mut prefix = [0; 32];
	prefix[..16].copy_from_slice(&twox_128(pallet.as_bytes()));
	prefix[16..].copy_from_slice(&twox_128(item.as_bytes()));
	prefix
}

#[cfg(test)]
mod tests {
	use super::*;

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
