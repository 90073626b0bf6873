//! What accounts may do in a provider or a tenant: levels, each of which may do what those below it
//! may do.

use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use scale_info::TypeInfo;
use serde::{Deserialize, Serialize};

macro_rules! levels {
	($(#[$doc:meta])* $name:ident { $($(#[$level_doc:meta])* $level:ident = $index:literal,)* }) => {
		$(#[$doc])*
		#[derive(
			Clone,
			Copy,
			Debug,
			PartialEq,
			Eq,
			PartialOrd,
			Ord,
			Encode,
			Decode,
			DecodeWithMemTracking,
			MaxEncodedLen,
			TypeInfo,
			Serialize,
			Deserialize,
		)]
		pub enum $name {
			$($(#[$level_doc])* #[codec(index = $index)] $level,)*
		}

		impl $name {
			/// May give an account that has the level `present` the level `new`: only where both
			/// are below its own, so no level makes another one like itself.
			pub fn can_set_level(self, present: Option<Self>, new: Option<Self>) -> bool {
				present < Some(self) && new < Some(self)
			}
		}
	};
}

levels! {
	/// The level of an account in a provider, from the lowest.
	ProviderLevel {
		/// Operates nodes.
		Node = 0,
		/// Manages the nodes, and who operates them.
		Admin = 1,
		/// The root account, and no other.
		Root = 2,
	}
}

impl ProviderLevel {
	/// May confirm nodes, and commit and finalize versions that the provider originates.
	pub fn can_operate_nodes(self) -> bool {
		self >= Self::Node
	}

	/// May create and remove nodes, and set where they are reached.
	pub fn can_manage_nodes(self) -> bool {
		self >= Self::Admin
	}

	/// May add to the bond of the provider, and take over what is held for it.
	pub fn can_top_up_bond(self) -> bool {
		self >= Self::Root
	}

	/// May delete the provider.
	pub fn can_delete_provider(self) -> bool {
		self >= Self::Root
	}
}

levels! {
	/// The level of an account in a tenant, from the lowest.
	TenantLevel {
		/// Manages content.
		Content = 0,
		/// The account of a KMS.
		Kms = 1,
		/// Manages the KMSes and collections, and who manages content.
		Admin = 2,
		/// The root account, and no other.
		Root = 3,
	}
}

impl TenantLevel {
	/// May create and delete content objects, sign version commits, delete versions, set heads, and
	/// put and delete records.
	pub fn can_manage_content(self) -> bool {
		self >= Self::Content
	}

	/// May add and remove KMSes, and set where they are reached.
	pub fn can_manage_kmses(self) -> bool {
		self >= Self::Admin
	}

	/// May create and delete collections.
	pub fn can_manage_collections(self) -> bool {
		self >= Self::Admin
	}

	/// May add to the bond of the tenant, and take over what is held for it.
	pub fn can_top_up_bond(self) -> bool {
		self >= Self::Root
	}

	/// May delete the tenant.
	pub fn can_delete_tenant(self) -> bool {
		self >= Self::Root
	}
}
