// SPDX-License-Identifier: Apache-2.0
//! Rows of version 1 for the benchmarks of the migration, each the most expensive of its kind.

use alloc::vec::Vec;

use codec::Encode;
use content_fabric_identifiers::Muid;
use frame_benchmarking::v2::{account, BenchmarkError};
use frame_support::{ensure, storage::unhashed, traits::fungible::MutateHold, BoundedVec};
use frame_system::pallet_prelude::BlockNumberFor;

use super::{migrate_next, start, v1, Cursor, Phase};
use crate::{benchmarking::setup::*, types::AccountIdOf, *};

/// Migrates one row, or the values that are not in a map.
pub(crate) fn run<T: Config>(cursor: &mut Cursor) {
	if cursor.phase == Phase::Start {
		start::<T>();
	} else {
		migrate_next::<T>(cursor);
	}
}

/// Writes a row of version 1. Returns the cursor in front of it.
fn before<Row: Encode>(phase: Phase, mut key: Vec<u8>, row: Row) -> Cursor {
	unhashed::put(&key, &row);
	key.pop();
	Cursor { phase, last: BoundedVec::truncate_from(key), muid: Muid::from_bytes([0xff; 16]) }
}

/// Values that are not in a map.
pub(crate) fn values<T: Config>() -> Cursor {
	v1::RecentDeletions::<T>::put(());
	v1::LastTid::<T>::put(u64::MAX);
	let (last, muid) = Default::default();
	Cursor { phase: Phase::Start, last, muid }
}

/// A tenant that was handed over, and is being deleted without a place in the queue.
pub(crate) fn member<T: Config>() -> Result<Cursor, BenchmarkError> {
	let depositor: AccountIdOf<T> = account("depositor", 0, 0);
	endow::<T>(&depositor)?;
	for reason in [HoldReason::TenantBond, HoldReason::StorageDeposit] {
		T::Currency::hold(&reason.into(), &depositor, bond::<T>())?;
	}
	let row = v1::MemberInfo {
		space: SPACE,
		root: root_account::<T>(),
		depositor,
		bond: bond::<T>(),
		deposit: bond::<T>(),
		rows: u32::MAX,
		governance_delete: true,
		being_deleted: true,
		created: created::<T>(),
	};
	Ok(before(Phase::Tenants, Tenants::<T>::hashed_key_for(TENANT), row))
}

/// The access key of a root, which is removed.
pub(crate) fn key<T: Config>() -> Result<Cursor, BenchmarkError> {
	let root = root_account::<T>();
	T::Currency::hold(&HoldReason::StorageDeposit.into(), &root, bond::<T>())?;
	let row = v1::KeyInfo { level: TenantLevel::Admin, deposit: bond::<T>() };
	Ok(before(Phase::TenantKeys, TenantKeys::<T>::hashed_key_for(TENANT, root), row))
}

/// The collection with the longest name.
pub(crate) fn collection<T: Config>() -> Result<Cursor, BenchmarkError> {
	let row = Collections::<T>::get(TENANT, longest_name::<T>()).ok_or("there is no collection")?;
	let key = Collections::<T>::hashed_key_for(TENANT, longest_name::<T>());
	Ok(before(Phase::Collections, key, row))
}

/// A content object with a head.
pub(crate) fn content_object<T: Config>() -> Result<Cursor, BenchmarkError> {
	let head = (TENANT, OBJECT, VERSION);
	let version = Versions::<T>::get(head).ok_or("there is no version")?;
	ensure!(version.finalized.is_some(), "the version is not finalized");
	let row = v1::VersionInfo {
		originator: version.originator,
		node: version.node,
		size: version.size,
		committed: version.committed,
		finalized: version.finalized,
		set_head_on_finalize: true,
		kms: version.kms,
		deposit: version.deposit,
	};
	unhashed::put(&Versions::<T>::hashed_key_for(head), &row);
	let row = v1::ContentObjectInfo {
		head_version: Some(VERSION),
		version_count: u32::MAX,
		deposit: bond::<T>(),
		created: version.committed,
	};
	Ok(before(Phase::ContentObjects, ContentObjects::<T>::hashed_key_for(TENANT, OBJECT), row))
}

/// The record with the longest name and key.
pub(crate) fn record<T: Config>() -> Result<Cursor, BenchmarkError> {
	let key = (TENANT, longest_name::<T>(), longest_key::<T>());
	let row = Records::<T>::get(key.clone()).ok_or("there is no record")?;
	Ok(before(Phase::Records, Records::<T>::hashed_key_for(key), row))
}

/// A purge that starts over.
pub(crate) fn purge<T: Config>() -> Cursor {
	let place = Purges::<T>::take(MEMBER).map_or(0, |purge| purge.place);
	let mut row = v1::Deletion::<BlockNumberFor<T>>::at(place);
	row.cursor = BoundedVec::truncate_from(alloc::vec![0xff; 1_024]);
	before(Phase::Purges, v1::Deletions::<T>::hashed_key_for(MEMBER), row)
}
