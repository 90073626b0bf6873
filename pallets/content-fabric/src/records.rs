// SPDX-License-Identifier: Apache-2.0
//! Collections and their records, which name content.

use codec::Encode;
use content_fabric_identifiers::{RecordKey, RecordKeySyntax, RecordKeyType, TenantId, Tid};
use content_fabric_primitives::{ContentRef, Resolution};
use frame_support::{
	ensure,
	pallet_prelude::{DispatchResult, Get, Weight},
};
use sp_runtime::{traits::Zero, ArithmeticError};

use crate::{
	clock::Clock,
	members::{row_deposit, Tenant, TenantKind, Update, ID_LEN},
	observer::{Notifications, Observer},
	types::len_u32,
	BalanceOf, CollectionInfo, CollectionInfoOf, CollectionNameOf, Collections, Config,
	ContentObjects, Error, Event, Pallet, RecordInfo, RecordInfoOf, RecordKeyOf, RecordKeyTypeOf,
	RecordPutOf, Records, RecordsOf, TenantRowCounts, Versions, WeightInfo,
};

fn collections(counts: &mut TenantRowCounts) -> &mut u32 {
	&mut counts.collections
}

fn records(counts: &mut TenantRowCounts) -> &mut u32 {
	&mut counts.records
}

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_collection(
		tenant: Tenant<T>,
		name: CollectionNameOf<T>,
		key_type: RecordKeyTypeOf<T>,
		syntax: RecordKeySyntax,
	) -> DispatchResult {
		let well_formed = RecordKey::from_bytes(&name, RecordKeySyntax::Unreserved).is_ok();
		ensure!(well_formed, Error::<T>::InvalidCollectionName);
		if let Some(key) = key_type.as_ref().literal() {
			ensure!(RecordKey::from_bytes(key, syntax).is_ok(), Error::<T>::InvalidRecordKey);
		}
		let id = tenant.id;
		ensure!(!Collections::<T>::contains_key(id, &name), Error::<T>::CollectionAlreadyExists);
		let created = Self::mint_muid()?;
		let mut info =
			CollectionInfo { key_type, syntax, record_count: 0, deposit: Zero::zero(), created };
		info.deposit = row_deposit::<T>(&[ID_LEN, name.encoded_size()], info.encoded_size());
		tenant.update(|tenant| tenant.add_row(collections, info.deposit))?;
		Collections::<T>::insert(id, &name, info);
		Self::deposit_event(Event::CollectionCreated { tenant: id, collection: name });
		Ok(())
	}

	pub(crate) fn do_delete_collection(
		tenant: Tenant<T>,
		name: CollectionNameOf<T>,
	) -> DispatchResult {
		let id = tenant.id;
		let info = Self::collection(id, &name)?;
		ensure!(info.record_count == 0, Error::<T>::CollectionNotEmpty);
		tenant.update(|tenant| tenant.remove_row(collections, info.deposit))?;
		Collections::<T>::remove(id, &name);
		Self::deposit_event(Event::CollectionDeleted { tenant: id, collection: name });
		Ok(())
	}

	pub(crate) fn do_put_records(
		tenant: Tenant<T>,
		name: CollectionNameOf<T>,
		records: RecordsOf<T, RecordPutOf<T>>,
	) -> DispatchResult {
		ensure!(!records.is_empty(), Error::<T>::EmptyBatch);
		let id = tenant.id;
		let mut collection = Self::collection(id, &name)?;
		let count = collection.record_count;
		let mut notifications = Notifications::<T, _>::none();
		Self::with_clock(|clock| {
			tenant.update(|tenant| {
				for put in records {
					Self::put_record(
						tenant,
						clock,
						&name,
						&mut collection,
						put,
						&mut notifications,
					)?;
				}
				Ok(())
			})
		})?;
		if collection.record_count != count {
			Collections::<T>::insert(id, &name, collection);
		}
		for (key, target) in notifications {
			T::Observer::on_record_put(id, &name, &key, target);
		}
		Ok(())
	}

	fn put_record(
		tenant: &mut Update<T, TenantKind>,
		clock: &mut Clock<T>,
		name: &CollectionNameOf<T>,
		collection: &mut CollectionInfoOf<T>,
		(key, target): RecordPutOf<T>,
		notifications: &mut Notifications<T, (RecordKeyOf<T>, ContentRef)>,
	) -> DispatchResult {
		let id = tenant.id;
		let minted = key.is_none();
		let key = match key {
			Some(key) => {
				ensure!(is_key_of::<T>(collection, &key), Error::<T>::InvalidRecordKey);
				key
			},
			None => mint_key(clock, collection)?,
		};
		Self::ensure_target(id, target)?;
		let before = Records::<T>::get((id, name, &key));
		ensure!(!minted || before.is_none(), Error::<T>::RecordAlreadyExists);
		let now = clock.mint_muid()?;
		let created = before.as_ref().map_or(now, |record| record.created);
		let mut record = RecordInfo { target, created, updated: now, deposit: Zero::zero() };
		record.deposit = record_deposit::<T>(name, &key, &record);
		match before {
			Some(before) => tenant.reprice_row(before.deposit, record.deposit)?,
			None => {
				let count = collection.record_count.checked_add(1);
				collection.record_count = count.ok_or(ArithmeticError::Overflow)?;
				tenant.add_row(records, record.deposit)?;
			},
		}
		Records::<T>::insert((id, name, &key), record);
		notifications.push(|| (key.clone(), target));
		let collection = name.clone();
		Self::deposit_event(Event::RecordPut { tenant: id, collection, key, target });
		Ok(())
	}

	pub(crate) fn do_delete_records(
		tenant: Tenant<T>,
		name: CollectionNameOf<T>,
		keys: impl ExactSizeIterator<Item = RecordKeyOf<T>>,
	) -> DispatchResult {
		ensure!(keys.len() > 0, Error::<T>::EmptyBatch);
		let mut notifications = Notifications::<T, _>::none();
		let id = tenant.id;
		let mut info = Self::collection(id, &name)?;
		tenant.update(|tenant| {
			for key in keys {
				let record = Records::<T>::take((id, &name, &key));
				let record = record.ok_or(Error::<T>::RecordNotFound)?;
				tenant.remove_row(records, record.deposit)?;
				let count = info.record_count.checked_sub(1);
				info.record_count = count.ok_or(ArithmeticError::Underflow)?;
				let collection = name.clone();
				notifications.push(|| key.clone());
				Self::deposit_event(Event::RecordDeleted { tenant: id, collection, key });
			}
			Ok(())
		})?;
		Collections::<T>::insert(id, &name, info);
		for key in notifications {
			T::Observer::on_record_deleted(id, &name, &key);
		}
		Ok(())
	}

	/// Returns what a target of a tenant leads to.
	pub(crate) fn resolve_target(tenant: TenantId, target: ContentRef) -> Resolution {
		let Some(object) = ContentObjects::<T>::get(tenant, target.object) else {
			return Resolution::Dangling(target);
		};
		match target.version {
			None => Resolution::Content(ContentRef { version: object.head_version, ..target }),
			Some(version) if Versions::<T>::contains_key((tenant, target.object, version)) => {
				Resolution::Content(target)
			},
			Some(_) => Resolution::Dangling(target),
		}
	}

	fn ensure_target(tenant: TenantId, target: ContentRef) -> Result<(), Error<T>> {
		let ContentRef { object, version } = target;
		ensure!(ContentObjects::<T>::contains_key(tenant, object), Error::ContentObjectNotFound);
		let found =
			version.is_none_or(|version| Versions::<T>::contains_key((tenant, object, version)));
		ensure!(found, Error::VersionNotFound);
		Ok(())
	}

	fn collection(
		tenant: TenantId,
		name: &CollectionNameOf<T>,
	) -> Result<CollectionInfoOf<T>, Error<T>> {
		Collections::<T>::get(tenant, name).ok_or(Error::CollectionNotFound)
	}
}

/// Mints a key for a record of a collection whose keys are TIDs.
fn mint_key<T: Config>(
	clock: &mut Clock<T>,
	collection: &CollectionInfoOf<T>,
) -> Result<RecordKeyOf<T>, Error<T>> {
	ensure!(collection.key_type == RecordKeyType::Tid, Error::RecordKeyRequired);
	let tid = clock.mint_tid()?.to_text();
	tid.to_vec().try_into().map_err(|_| Error::InvalidRecordKey)
}

/// Returns whether a collection can have a record with this key.
pub(crate) fn is_key_of<T: Config>(collection: &CollectionInfoOf<T>, key: &RecordKeyOf<T>) -> bool {
	let Ok(key) = core::str::from_utf8(key) else { return false };
	collection.key_type.check(key, collection.syntax).is_ok()
}

/// Returns the number of records in a call to `put_records`, and the bytes of their keys.
pub(crate) fn put_records_size<T: Config>(records: &[RecordPutOf<T>]) -> (u32, u32) {
	let len = |key: &Option<RecordKeyOf<T>>| key.as_ref().map_or(Tid::TEXT_LEN, |key| key.len());
	let bytes = records.iter().map(|(key, _)| len_u32(len(key))).fold(0, u32::saturating_add);
	(len_u32(records.len()), bytes)
}

/// Returns the weight of putting this many records with keys of this many bytes in all. The
/// benchmarks give all keys; a key that is minted also reads and writes the last TID.
pub(crate) fn put_records_weight<T: Config>(records: u32, key_bytes: u32) -> Weight {
	let minting = T::DbWeight::get().reads_writes(1, 1);
	let bytes = T::WeightInfo::put_records_key_bytes(key_bytes)
		.saturating_sub(T::WeightInfo::put_records_key_bytes(0));
	let observed = T::Observer::record_put_weight().saturating_mul(records.into());
	T::WeightInfo::put_records(records)
		.saturating_add(bytes)
		.saturating_add(minting)
		.saturating_add(observed)
}

/// Returns the weight of deleting this many records with keys of this many bytes in all.
pub(crate) fn delete_records_weight<T: Config>(records: u32, key_bytes: u32) -> Weight {
	let bytes = T::WeightInfo::delete_records_key_bytes(key_bytes)
		.saturating_sub(T::WeightInfo::delete_records_key_bytes(0));
	let observed = T::Observer::record_deleted_weight().saturating_mul(records.into());
	T::WeightInfo::delete_records(records).saturating_add(bytes).saturating_add(observed)
}

fn record_deposit<T: Config>(
	collection: &CollectionNameOf<T>,
	key: &RecordKeyOf<T>,
	record: &RecordInfoOf<T>,
) -> BalanceOf<T> {
	row_deposit::<T>(
		&[ID_LEN, collection.encoded_size(), key.encoded_size()],
		record.encoded_size(),
	)
}
