// SPDX-License-Identifier: Apache-2.0
//! The migration of the rows of each map.

use codec::{Decode, DecodeAll, Encode};
use content_fabric_identifiers::{ContentObjectId, Muid};
use content_fabric_primitives::MemberId;
use frame_support::storage::{unhashed, StorageMap};
use sp_runtime::traits::{Bounded, Saturating, Zero};

use super::{v1, Voided};
use crate::{
	members::{release, InfoOf, MemberKind, ProviderKind, TenantKind},
	types::AccountIdOf,
	BalanceOf, CollectionInfoOf, CollectionNameOf, Collections, Config, ContentObjectInfo,
	ContentObjects, DeletionQueue, DeletionQueueBounds, HoldReason, KeyInfo, KmsInfoOf, MemberInfo,
	MomentOf, NodeInfo, ProviderRowCounts, Purge, PurgeScope, Purges, QueueBounds, RecordInfoOf,
	RowCounts, TenantRowCounts, VersionInfo, Versions, LOG_TARGET,
};

/// Bytes of a map's prefix, and of the hash in front of each key.
const PREFIX_LEN: usize = 32;
const HASH_LEN: usize = 16;
/// Offsets in a storage key: of the first key of a row, and of the second if the first is an id.
const FIRST: usize = PREFIX_LEN + HASH_LEN;
const SECOND: usize = FIRST + 10 + HASH_LEN;

/// Decodes the key at an offset of a storage key.
fn key_at<Key: Decode>(key: &[u8], at: usize) -> Option<Key> {
	Key::decode(&mut key.get(at..)?).ok()
}

/// Decodes a row of version 1. Logs one that does not decode.
fn row<Row: Decode>(key: &[u8]) -> Option<Row> {
	let row = unhashed::get_raw(key).and_then(|row| Row::decode_all(&mut &row[..]).ok());
	if row.is_none() {
		log::error!(
			target: LOG_TARGET,
			"the row {} does not decode, so it is left as it is",
			HexDisplay(key)
		);
	}
	row
}

/// Writes bytes in hex.
struct HexDisplay<'a>(&'a [u8]);

impl core::fmt::Display for HexDisplay<'_> {
	fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
		self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
	}
}

/// The parent of a row.
enum Parent<Info> {
	Found(Info),
	/// It exists, but does not decode.
	Broken,
	Missing,
}

fn parent<Info: Decode>(key: &[u8]) -> Parent<Info> {
	match unhashed::get_raw(key) {
		None => Parent::Missing,
		Some(row) => match Info::decode_all(&mut &row[..]) {
			Ok(info) => Parent::Found(info),
			Err(_) => Parent::Broken,
		},
	}
}

/// A member while its rows are migrated.
struct Owner<T: Config, K: MemberKind<T>> {
	id: K::Id,
	info: InfoOf<T, K>,
	/// True if the deposits of its rows are still on hold.
	has_deposits: bool,
}

impl<T: Config, K: MemberKind<T>> Owner<T, K> {
	/// Reads the member in the storage key of a row. Removes the row if there is no such member.
	/// `None` if the row must not be counted.
	fn of(key: &[u8]) -> Option<Self> {
		let id: K::Id = key_at(key, FIRST)?;
		match parent(&K::Map::hashed_key_for(id)) {
			Parent::Found(info) => {
				let info: InfoOf<T, K> = info;
				let has_deposits = info.purge.is_none() && !Voided::<T>::contains_key(id.into());
				Some(Self { id, info, has_deposits })
			},
			Parent::Broken => None,
			Parent::Missing => {
				unhashed::kill(key);
				None
			},
		}
	}

	/// Returns the deposit of a row, if it is still on hold.
	fn deposit(&self, deposit: BalanceOf<T>) -> BalanceOf<T> {
		if self.has_deposits {
			deposit
		} else {
			Zero::zero()
		}
	}

	/// Counts a row and writes the member.
	fn count(mut self, count: fn(&mut K::Counts) -> &mut u32, deposit: BalanceOf<T>) {
		let rows = count(&mut self.info.rows);
		*rows = rows.saturating_add(1);
		self.info.deposit = self.info.deposit.saturating_add(deposit);
		self.info.empty_since = None;
		K::Map::insert(self.id, self.info);
	}
}

/// Replaces a row under a member and counts it. A row that does not decode is counted, too: a purge
/// removes as many rows as were counted.
fn migrate_child<T: Config, K: MemberKind<T>, Old: Decode, New: Encode>(
	key: &[u8],
	owner: Owner<T, K>,
	count: fn(&mut K::Counts) -> &mut u32,
	migrate: impl FnOnce(&Owner<T, K>, Old) -> (New, BalanceOf<T>),
) {
	let deposit = match row::<Old>(key) {
		Some(old) => {
			let (new, deposit) = migrate(&owner, old);
			unhashed::put(key, &new);
			deposit
		},
		None => Zero::zero(),
	};
	owner.count(count, deposit);
}

pub(super) fn member<T: Config, K: MemberKind<T>>(key: &[u8], _: Muid) {
	let Some(id) = key_at::<K::Id>(key, FIRST) else { return };
	let Some(old) = row::<v1::MemberInfo<AccountIdOf<T>, BalanceOf<T>>>(key) else { return };
	let is_handed_over = old.depositor != old.root;
	if is_handed_over {
		release::<T>(K::BOND, &old.depositor, old.bond);
		release::<T>(HoldReason::StorageDeposit, &old.depositor, old.deposit);
		Voided::<T>::insert(id.into(), ());
	}
	if old.being_deleted && !v1::Deletions::<T>::contains_key(id.into()) {
		// Every deletion must end, so one without a place gets one.
		let place = new_place::<T>(id.into());
		v1::Deletions::<T>::insert(id.into(), v1::Deletion::at(place));
	}
	let info = MemberInfo {
		space: old.space,
		root: old.root,
		nomination: None,
		max_held: BalanceOf::<T>::max_value(),
		bond: if is_handed_over { Zero::zero() } else { old.bond },
		own_deposit: BalanceOf::<T>::zero(),
		deposit: BalanceOf::<T>::zero(),
		rows: K::Counts::default(),
		empty_since: Some(frame_system::Pallet::<T>::block_number()),
		governance_delete: old.governance_delete,
		suspended: false,
		purge: old.being_deleted.then_some(PurgeScope::Member),
		created: old.created,
	};
	K::Map::insert(id, info);
}

pub(super) fn access_key<T, K, Level>(key: &[u8], muid: Muid)
where
	T: Config,
	K: MemberKind<T>,
	Level: v1::Level<K::Level> + Decode,
{
	let Some(owner) = Owner::<T, K>::of(key) else { return };
	let account = key_at::<AccountIdOf<T>>(key, SECOND);
	let old = row::<v1::KeyInfo<Level, BalanceOf<T>>>(key);
	let (Some(account), Some(old)) = (account, old) else {
		return owner.count(K::keys, Zero::zero());
	};
	let deposit = owner.deposit(old.deposit);
	match old.level.migrated() {
		Some(level) if account != owner.info.root => {
			unhashed::put(key, &KeyInfo { level, granted: muid, deposit });
			owner.count(K::keys, deposit);
		},
		_ => {
			unhashed::kill(key);
			release::<T>(HoldReason::StorageDeposit, &owner.info.root, deposit);
		},
	}
}

pub(super) fn node<T: Config>(key: &[u8], _: Muid) {
	type Old<T> = v1::NodeInfo<BalanceOf<T>, <T as Config>::MaxLocatorLen>;
	let Some(owner) = Owner::<T, ProviderKind>::of(key) else { return };
	let count: fn(&mut ProviderRowCounts) -> &mut u32 = |counts| &mut counts.nodes;
	migrate_child(key, owner, count, |owner, old: Old<T>| {
		let deposit = owner.deposit(old.deposit);
		let node = NodeInfo {
			operator: owner.info.root.clone(),
			pending: old.pending,
			locator: old.locator,
			medallion: old.medallion,
			last_muid: old.last_muid,
			deposit,
		};
		(node, deposit)
	});
}

pub(super) fn kms<T: Config>(key: &[u8], _: Muid) {
	let Some(owner) = Owner::<T, TenantKind>::of(key) else { return };
	let count: fn(&mut TenantRowCounts) -> &mut u32 = |counts| &mut counts.kmses;
	migrate_child(key, owner, count, |owner, mut kms: KmsInfoOf<T>| {
		kms.deposit = owner.deposit(kms.deposit);
		let deposit = kms.deposit;
		(kms, deposit)
	});
}

pub(super) fn content_object<T: Config>(key: &[u8], _: Muid) {
	type OldVersion<T> = v1::VersionInfo<MomentOf<T>, BalanceOf<T>>;
	let Some(owner) = Owner::<T, TenantKind>::of(key) else { return };
	let count: fn(&mut TenantRowCounts) -> &mut u32 = |counts| &mut counts.content_objects;
	let object: Option<ContentObjectId> = key_at(key, SECOND);
	migrate_child(key, owner, count, |owner, old: v1::ContentObjectInfo<BalanceOf<T>>| {
		let deposit = owner.deposit(old.deposit);
		let head = old.head_version.zip(object).and_then(|(version, object)| {
			let key = Versions::<T>::hashed_key_for((owner.id, object, version));
			let head: OldVersion<T> = row(&key)?;
			head.finalized.is_some().then_some((version, head.committed))
		});
		let info = ContentObjectInfo {
			head_version: head.map(|(version, _)| version),
			head_since: head.map_or(old.created, |(_, committed)| committed),
			head_set: old.created,
			// Counted with the versions.
			version_count: 0,
			deposit,
			created: old.created,
		};
		(info, deposit)
	});
}

pub(super) fn version<T: Config>(key: &[u8], _: Muid) {
	type Old<T> = v1::VersionInfo<MomentOf<T>, BalanceOf<T>>;
	let Some(owner) = Owner::<T, TenantKind>::of(key) else { return };
	let Some(object) = key_at::<ContentObjectId>(key, SECOND) else { return };
	let object = ContentObjects::<T>::hashed_key_for(owner.id, object);
	match parent::<ContentObjectInfo<BalanceOf<T>>>(&object) {
		Parent::Found(mut info) => {
			info.version_count = info.version_count.saturating_add(1);
			unhashed::put(&object, &info);
		},
		Parent::Broken => {},
		Parent::Missing => {
			let deposit = row::<Old<T>>(key).map(|version| version.deposit);
			return remove(key, &owner, deposit);
		},
	}
	let count: fn(&mut TenantRowCounts) -> &mut u32 = |counts| &mut counts.versions;
	migrate_child(key, owner, count, |owner, old: Old<T>| {
		let deposit = owner.deposit(old.deposit);
		let version = VersionInfo {
			originator: old.originator,
			node: old.node,
			kms: old.kms,
			muid: old.committed,
			size: old.size,
			committed: old.committed,
			finalized: old.finalized,
			set_head_on_finalize: old.set_head_on_finalize,
			deposit,
		};
		(version, deposit)
	});
}

pub(super) fn collection<T: Config>(key: &[u8], _: Muid) {
	let Some(owner) = Owner::<T, TenantKind>::of(key) else { return };
	let count: fn(&mut TenantRowCounts) -> &mut u32 = |counts| &mut counts.collections;
	migrate_child(key, owner, count, |owner, mut collection: CollectionInfoOf<T>| {
		collection.deposit = owner.deposit(collection.deposit);
		// Counted with the records.
		collection.record_count = 0;
		let deposit = collection.deposit;
		(collection, deposit)
	});
}

pub(super) fn record<T: Config>(key: &[u8], _: Muid) {
	let Some(owner) = Owner::<T, TenantKind>::of(key) else { return };
	let Some(name) = key_at::<CollectionNameOf<T>>(key, SECOND) else { return };
	let collection = Collections::<T>::hashed_key_for(owner.id, name);
	match parent::<CollectionInfoOf<T>>(&collection) {
		Parent::Found(mut info) => {
			info.record_count = info.record_count.saturating_add(1);
			unhashed::put(&collection, &info);
		},
		Parent::Broken => {},
		Parent::Missing => {
			let deposit = row::<RecordInfoOf<T>>(key).map(|record| record.deposit);
			return remove(key, &owner, deposit);
		},
	}
	let count: fn(&mut TenantRowCounts) -> &mut u32 = |counts| &mut counts.records;
	migrate_child(key, owner, count, |owner, mut record: RecordInfoOf<T>| {
		record.deposit = owner.deposit(record.deposit);
		let deposit = record.deposit;
		(record, deposit)
	});
}

/// Restarts a purge that is under way.
pub(super) fn purge<T: Config>(key: &[u8], _: Muid) {
	let old = row::<v1::Deletion<frame_system::pallet_prelude::BlockNumberFor<T>>>(key);
	let Some(member) = key_at::<MemberId>(key, FIRST) else { return };
	let left = match member {
		MemberId::Provider(id) => rows_to_purge::<T, ProviderKind>(id),
		MemberId::Tenant(id) => rows_to_purge::<T, TenantKind>(id),
	};
	let place = old.map(|old| old.place);
	if let Some(rows) = left {
		let place = place.unwrap_or_else(|| new_place::<T>(member));
		let now = frame_system::Pallet::<T>::block_number();
		let purge =
			Purge { started: now, place, rows, cursor: Default::default(), cursor_block: now };
		Purges::<T>::insert(member, purge);
	} else if let Some(place) = place {
		DeletionQueue::<T>::remove(place);
	}
	unhashed::kill(key);
}

fn rows_to_purge<T: Config, K: MemberKind<T>>(id: K::Id) -> Option<u32> {
	let info = K::Map::get(id).filter(|info| info.purge.is_some())?;
	Some(info.rows.rows())
}

pub(super) fn mark(key: &[u8], _: Muid) {
	unhashed::kill(key);
}

/// Removes a row without its parent, and releases its deposit.
fn remove<T: Config>(key: &[u8], owner: &Owner<T, TenantKind>, deposit: Option<BalanceOf<T>>) {
	let deposit = owner.deposit(deposit.unwrap_or_default());
	release::<T>(HoldReason::StorageDeposit, &owner.info.root, deposit);
	unhashed::kill(key);
}

/// Gives a member a new place in the deletion queue.
fn new_place<T: Config>(member: MemberId) -> u64 {
	let place = DeletionQueueBounds::<T>::mutate(QueueBounds::next_place);
	DeletionQueue::<T>::insert(place, member);
	place
}
