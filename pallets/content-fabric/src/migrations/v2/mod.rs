// SPDX-License-Identifier: Apache-2.0
//! The migration from storage version 1 to version 2, in steps.
//!
//! Fields that version 1 lacks are filled in so that nothing changes hands. A node's operator is
//! its provider's root. Access keys of the former level `Node`, and those of roots, are removed and
//! their deposits released. A version's muid is its `committed`, which has no node's medallion. A
//! head is as old as its version. `max_held` is unlimited.
//!
//! Where an account other than the root paid, its funds are released, and bond and deposits of the
//! member become zero: it is under-bonded until its root tops the bond up.
//!
//! Counts are recomputed. A child without its parent is removed. A row that does not decode is
//! logged and left. A purge that is under way starts over.
//!
//! The pallet rejects all calls until the last step has written storage version 2.

#[cfg(feature = "runtime-benchmarks")]
pub(crate) mod benchmarking;
mod rows;
mod v1;

use core::marker::PhantomData;

use codec::{Decode, Encode, FullCodec, MaxEncodedLen};
use content_fabric_identifiers::{Muid, Tid};
use content_fabric_primitives::{MemberId, TenantLevel};
use frame_support::{
	migrations::{MigrationId, SteppedMigration, SteppedMigrationError},
	pallet_prelude::{StorageVersion, Weight},
	storage::StoragePrefixedMap,
	storage_alias,
	traits::ConstU32,
	weights::WeightMeter,
	Blake2_128Concat, BoundedVec,
};

use crate::{
	members::{ProviderKind, TenantKind},
	types::MAX_RAW_KEY_LEN,
	Collections, Config, ContentObjects, Kmses, LastTid, Nodes, Pallet, ProviderKeys, Providers,
	Records, TenantKeys, Tenants, Versions, WeightInfo,
};

/// Members whose funds were released to an account other than their root, until the migration ends.
#[storage_alias]
type Voided<T: Config> = StorageMap<Pallet<T>, Blake2_128Concat, MemberId, ()>;

/// The phases of the migration, in order: members before their rows, parents before their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen)]
pub enum Phase {
	/// Values that are not in a map.
	Start,
	/// [`Providers`].
	Providers,
	/// [`Tenants`].
	Tenants,
	/// [`ProviderKeys`].
	ProviderKeys,
	/// [`Nodes`].
	Nodes,
	/// [`TenantKeys`].
	TenantKeys,
	/// [`Kmses`].
	Kmses,
	/// [`ContentObjects`].
	ContentObjects,
	/// [`Versions`].
	Versions,
	/// [`Collections`].
	Collections,
	/// [`Records`].
	Records,
	/// [`Purges`](crate::Purges).
	Purges,
	/// The rows of `Voided`, which are removed.
	Marks,
}

/// The progress of the migration.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen)]
pub struct Cursor {
	/// The phase that is under way.
	pub phase: Phase,
	/// The storage key of the row that was migrated last, or empty at the start of a phase.
	pub last: BoundedVec<u8, ConstU32<MAX_RAW_KEY_LEN>>,
	/// The chain muid with which the migration stamps access keys.
	pub muid: Muid,
}

/// The migration. It does nothing on a chain whose storage is not of version 1.
pub struct MigrateV1ToV2<T>(PhantomData<T>);

impl<T: Config> SteppedMigration for MigrateV1ToV2<T> {
	type Cursor = Cursor;
	type Identifier = MigrationId<14>;

	fn id() -> Self::Identifier {
		MigrationId { pallet_id: *b"content-fabric", version_from: 1, version_to: 2 }
	}

	fn step(
		cursor: Option<Cursor>,
		meter: &mut WeightMeter,
	) -> Result<Option<Cursor>, SteppedMigrationError> {
		let required = largest_row_weight::<T>();
		if !meter.can_consume(required) {
			return Err(SteppedMigrationError::InsufficientWeight { required });
		}
		if StorageVersion::get::<Pallet<T>>() != 1 {
			return Ok(None);
		}
		let mut cursor = match cursor {
			Some(cursor) => cursor,
			None => Cursor { phase: Phase::Start, last: Default::default(), muid: start::<T>() },
		};
		while meter.try_consume(row_weight::<T>(cursor.phase)).is_ok() {
			if migrate_next::<T>(&mut cursor) {
				continue;
			}
			cursor.last = Default::default();
			cursor.phase = match next(cursor.phase) {
				Some(phase) => phase,
				None => {
					StorageVersion::new(2).put::<Pallet<T>>();
					return Ok(None);
				},
			};
		}
		Ok(Some(cursor))
	}

	#[cfg(feature = "try-runtime")]
	fn post_upgrade(_: alloc::vec::Vec<u8>) -> Result<(), sp_runtime::TryRuntimeError> {
		match StorageVersion::get::<Pallet<T>>() == 2 {
			true => Pallet::<T>::do_try_state(),
			false => Ok(()),
		}
	}
}

fn next(phase: Phase) -> Option<Phase> {
	Some(match phase {
		Phase::Start => Phase::Providers,
		Phase::Providers => Phase::Tenants,
		Phase::Tenants => Phase::ProviderKeys,
		Phase::ProviderKeys => Phase::Nodes,
		Phase::Nodes => Phase::TenantKeys,
		Phase::TenantKeys => Phase::Kmses,
		Phase::Kmses => Phase::ContentObjects,
		Phase::ContentObjects => Phase::Versions,
		Phase::Versions => Phase::Collections,
		Phase::Collections => Phase::Records,
		Phase::Records => Phase::Purges,
		Phase::Purges => Phase::Marks,
		Phase::Marks => return None,
	})
}

/// Returns the weight of migrating a row, or of finding that there is none left.
fn row_weight<T: Config>(phase: Phase) -> Weight {
	match phase {
		Phase::Start => T::WeightInfo::migrate_v2_start(),
		Phase::Providers | Phase::Tenants => T::WeightInfo::migrate_v2_member(),
		Phase::ProviderKeys | Phase::TenantKeys => T::WeightInfo::migrate_v2_key(),
		Phase::Nodes | Phase::Kmses | Phase::Collections => T::WeightInfo::migrate_v2_child(),
		Phase::ContentObjects => T::WeightInfo::migrate_v2_content_object(),
		Phase::Versions | Phase::Records => T::WeightInfo::migrate_v2_grandchild(),
		Phase::Purges | Phase::Marks => T::WeightInfo::migrate_v2_purge(),
	}
}

fn largest_row_weight<T: Config>() -> Weight {
	[
		Phase::Start,
		Phase::Tenants,
		Phase::TenantKeys,
		Phase::Nodes,
		Phase::ContentObjects,
		Phase::Versions,
		Phase::Purges,
	]
	.into_iter()
	.fold(Weight::zero(), |largest, phase| largest.max(row_weight::<T>(phase)))
}

/// Migrates the values that are not in a map. Returns the muid with which the migration stamps
/// access keys.
fn start<T: Config>() -> Muid {
	v1::RecentDeletions::<T>::kill();
	if let Some(last) = v1::LastTid::<T>::take() {
		LastTid::<T>::put(Tid::from_u64(last));
	}
	// If the clock is exhausted, no access key is younger than its member, so none counts.
	Pallet::<T>::mint_muid().unwrap_or_default()
}

/// Migrates the next row of the phase. Returns whether there was one.
fn migrate_next<T: Config>(cursor: &mut Cursor) -> bool {
	let Some((prefix, migrate)) = map_of::<T>(cursor.phase) else { return false };
	let last = match cursor.last.is_empty() {
		true => prefix.to_vec(),
		false => cursor.last.to_vec(),
	};
	let Some(key) = sp_io::storage::next_key(&last).filter(|key| key.starts_with(&prefix)) else {
		return false;
	};
	migrate(&key, cursor.muid);
	// The integrity test ensures that no key is longer.
	cursor.last = BoundedVec::truncate_from(key);
	true
}

/// Migrates the row with a key. Keys that it grants are dated by the muid.
type MigrateRow = fn(&[u8], Muid);

/// Returns the map of a phase: the prefix of its storage keys, and how a row of it is migrated.
fn map_of<T: Config>(phase: Phase) -> Option<([u8; 32], MigrateRow)> {
	fn prefix<Map: StoragePrefixedMap<Row>, Row: FullCodec>() -> [u8; 32] {
		Map::final_prefix()
	}
	Some(match phase {
		Phase::Start => return None,
		Phase::Providers => (prefix::<Providers<T>, _>(), rows::member::<T, ProviderKind>),
		Phase::Tenants => (prefix::<Tenants<T>, _>(), rows::member::<T, TenantKind>),
		Phase::ProviderKeys => {
			(prefix::<ProviderKeys<T>, _>(), rows::access_key::<T, ProviderKind, v1::ProviderLevel>)
		},
		Phase::Nodes => (prefix::<Nodes<T>, _>(), rows::node::<T>),
		Phase::TenantKeys => {
			(prefix::<TenantKeys<T>, _>(), rows::access_key::<T, TenantKind, TenantLevel>)
		},
		Phase::Kmses => (prefix::<Kmses<T>, _>(), rows::kms::<T>),
		Phase::ContentObjects => (prefix::<ContentObjects<T>, _>(), rows::content_object::<T>),
		Phase::Versions => (prefix::<Versions<T>, _>(), rows::version::<T>),
		Phase::Collections => (prefix::<Collections<T>, _>(), rows::collection::<T>),
		Phase::Records => (prefix::<Records<T>, _>(), rows::record::<T>),
		Phase::Purges => (prefix::<v1::Deletions<T>, _>(), rows::purge::<T>),
		Phase::Marks => (prefix::<Voided<T>, _>(), rows::mark),
	})
}
