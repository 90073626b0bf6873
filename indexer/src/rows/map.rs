// SPDX-License-Identifier: Apache-2.0
//! The maps of the pallet.

use codec::{Decode, Encode};
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
	/// Maps of rows under a provider.
	pub const UNDER_PROVIDERS: &[Self] = &[Self::ProviderKeys, Self::Nodes];
	/// Maps of rows under a tenant.
	pub const UNDER_TENANTS: &[Self] = &[
		Self::TenantKeys,
		Self::Kmses,
		Self::ContentObjects,
		Self::Versions,
		Self::Collections,
		Self::Records,
	];

	/// Returns the maps of rows under members with a role.
	pub const fn under(role: Role) -> &'static [Self] {
		match role {
			Role::Provider => Self::UNDER_PROVIDERS,
			Role::Tenant => Self::UNDER_TENANTS,
		}
	}

	/// Returns the name of the map's count in the row of a member. `None` for rows under no member.
	pub const fn count_name(self) -> Option<&'static str> {
		match self {
			Self::ProviderKeys | Self::TenantKeys => Some("keys"),
			Self::Nodes => Some("nodes"),
			Self::Kmses => Some("kmses"),
			Self::ContentObjects => Some("content_objects"),
			Self::Versions => Some("versions"),
			Self::Collections => Some("collections"),
			Self::Records => Some("records"),
			Self::Spaces | Self::Admissions | Self::Providers | Self::Tenants | Self::Purges => {
				None
			},
		}
	}

	/// Returns the number of the map in keys of the index.
	pub const fn number(self) -> u8 {
		self as u8
	}

	/// Returns what the storage keys of the map begin with.
	pub fn prefix(self) -> [u8; 32] {
		storage_prefix(self.name())
	}

	/// Returns the map whose storage keys begin like this one.
	pub fn of_storage_key(key: &[u8]) -> Option<Self> {
		Self::ALL.iter().copied().find(|map| key.starts_with(&map.prefix()))
	}
}

/// Returns what the storage keys of an item of the pallet begin with.
pub fn storage_prefix(item: &str) -> [u8; 32] {
	let mut prefix = [0; 32];
	prefix[..16].copy_from_slice(&twox_128(PALLET.as_bytes()));
	prefix[16..].copy_from_slice(&twox_128(item.as_bytes()));
	prefix
}
