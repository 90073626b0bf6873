// SPDX-License-Identifier: Apache-2.0
//! The values of storage version 1 that version 2 changed.

use codec::{Compact, Decode, Encode, MaxEncodedLen};
use content_fabric_identifiers::{KmsId, Medallion, Muid, NodeId, ProviderId, SpaceId, VersionId};
use content_fabric_primitives::{MemberId, TenantLevel};
use frame_support::{
	pallet_prelude::{Get, ValueQuery},
	storage_alias,
	traits::ConstU32,
	Blake2_128Concat, BoundedVec,
};
use frame_system::pallet_prelude::BlockNumberFor;

use crate::{Config, Pallet};

#[derive(Clone, Encode, Decode, MaxEncodedLen)]
pub struct MemberInfo<AccountId, Balance> {
	pub space: SpaceId,
	pub root: AccountId,
	pub depositor: AccountId,
	pub bond: Balance,
	pub deposit: Balance,
	pub rows: u32,
	pub governance_delete: bool,
	pub being_deleted: bool,
	pub created: Muid,
}

#[derive(Clone, Copy, PartialEq, Encode, Decode, MaxEncodedLen)]
pub enum ProviderLevel {
	#[codec(index = 0)]
	Node,
	#[codec(index = 1)]
	Admin,
}

#[derive(Clone, Encode, Decode, MaxEncodedLen)]
pub struct KeyInfo<Level, Balance> {
	pub level: Level,
	pub deposit: Balance,
}

/// A level of version 1.
pub trait Level<New> {
	/// Returns the level of version 2, or `None` if the level no longer exists.
	fn migrated(self) -> Option<New>;
}

impl Level<content_fabric_primitives::ProviderLevel> for ProviderLevel {
	fn migrated(self) -> Option<content_fabric_primitives::ProviderLevel> {
		match self {
			Self::Node => None,
			Self::Admin => Some(content_fabric_primitives::ProviderLevel::Admin),
		}
	}
}

impl Level<TenantLevel> for TenantLevel {
	fn migrated(self) -> Option<TenantLevel> {
		Some(self)
	}
}

#[derive(Clone, Encode, Decode, MaxEncodedLen)]
#[codec(mel_bound(Balance: MaxEncodedLen))]
pub struct NodeInfo<Balance, MaxLocatorLen: Get<u32>> {
	pub pending: bool,
	pub locator: BoundedVec<u8, MaxLocatorLen>,
	pub medallion: Medallion,
	pub last_muid: Option<Muid>,
	pub deposit: Balance,
}

#[derive(Clone, Encode, Decode, MaxEncodedLen)]
pub struct ContentObjectInfo<Balance> {
	pub head_version: Option<VersionId>,
	pub version_count: u32,
	pub deposit: Balance,
	pub created: Muid,
}

#[derive(Clone, Encode, Decode, MaxEncodedLen)]
pub struct VersionInfo<Moment, Balance> {
	pub originator: ProviderId,
	pub node: NodeId,
	pub size: Compact<u64>,
	pub committed: Muid,
	pub finalized: Option<Moment>,
	pub set_head_on_finalize: bool,
	pub kms: KmsId,
	pub deposit: Balance,
}

#[derive(Clone, Encode, Decode, MaxEncodedLen)]
pub struct Deletion<BlockNumber> {
	pub started: BlockNumber,
	pub place: u64,
	pub rows: u32,
	pub stage: u8,
	pub cursor: BoundedVec<u8, ConstU32<1_024>>,
}

impl<BlockNumber: Default> Deletion<BlockNumber> {
	/// Returns a deletion with a place in the queue, that has not begun.
	pub fn at(place: u64) -> Self {
		let (started, cursor) = Default::default();
		Self { started, place, rows: 0, stage: 0, cursor }
	}
}

/// The purges that were under way.
#[storage_alias]
pub type Deletions<T: Config> =
	StorageMap<Pallet<T>, Blake2_128Concat, MemberId, Deletion<BlockNumberFor<T>>>;

/// A value that only its own version needs.
#[storage_alias]
pub type RecentDeletions<T: Config> = StorageValue<Pallet<T>, (), ValueQuery>;

/// The last TID, as a little-endian number.
#[storage_alias]
pub type LastTid<T: Config> = StorageValue<Pallet<T>, u64>;
