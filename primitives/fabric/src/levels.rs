// SPDX-License-Identifier: Apache-2.0
//! The levels of accounts in a provider or a tenant.
//!
//! An account has a level through an access key, or is the root. Each level may also do what the
//! levels below it may do.

use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use scale_info::TypeInfo;

macro_rules! levels {
	($($(#[$doc:meta])* $name:ident { $($(#[$level_doc:meta])* $level:ident = $index:literal,)* })*) => {$(
		$(#[$doc])*
		#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
		#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
		#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
		#[cfg_attr(feature = "scale-encode", derive(scale_encode::EncodeAsType))]
		#[derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
		pub enum $name {
			$($(#[$level_doc])* #[codec(index = $index)] $level,)*
		}

		impl $name {
			/// Returns whether this level may change an access key from the level `present` to the
			/// level `new`. `None` stands for no access key.
			///
			/// Only `Admin` and above may, and only if both levels are strictly below their own: no
			/// level appoints or dismisses its equals.
			pub fn can_set_level(self, present: Option<Self>, new: Option<Self>) -> bool {
				self >= Self::Admin && present < Some(self) && new < Some(self)
			}
		}
	)*};
}

levels! {
	/// The level of an account in a provider, lowest first.
	ProviderLevel {
		/// Manages the nodes.
		Admin = 1,
		/// The root account. No access key has this level.
		Root = 2,
	}
	/// The level of an account in a tenant, lowest first.
	TenantLevel {
		/// May be given keys of encrypted content by a KMS. Changes nothing on the chain.
		Read = 0,
		/// Manages content.
		Content = 1,
		/// Manages content. For accounts that a KMS works with.
		Kms = 2,
		/// Manages KMSes, collections and access keys.
		Admin = 3,
		/// The root account. No access key has this level.
		Root = 4,
	}
}

impl ProviderLevel {
	/// Returns whether this level may create, change and remove nodes, and act for each of them as
	/// its operator does: confirm it, commit for it, finalize what it has taken in.
	pub fn can_manage_nodes(self) -> bool {
		self >= Self::Admin
	}
}

impl TenantLevel {
	/// Returns whether this level may create and delete content objects, sign version commits,
	/// delete versions, set heads, and put and delete records.
	pub fn can_manage_content(self) -> bool {
		self >= Self::Content
	}

	/// Returns whether this level may add and remove KMSes and set their locators and keys.
	pub fn can_manage_kmses(self) -> bool {
		self >= Self::Admin
	}

	/// Returns whether this level may create and delete collections.
	pub fn can_manage_collections(self) -> bool {
		self >= Self::Admin
	}
}
