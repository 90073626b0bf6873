//! Collections and their records, which name content.

use codec::Encode;
use content_fabric_identifiers::{RecordKey, RecordKeySyntax, RecordKeyType, TenantId};
use frame_support::{ensure, pallet_prelude::DispatchResult};
use sp_runtime::{traits::Zero, ArithmeticError, DispatchError};

use crate::{
	bonds::row_deposit,
	members::{Tenant, ID_LEN},
	BalanceOf, CollectionInfo, CollectionInfoOf, CollectionNameOf, Collections, Config,
	ContentObjects, ContentRef, Error, Event, Pallet, RecordInfo, RecordInfoOf, RecordKeyOf,
	RecordKeyTypeOf, Records, Resolution, Versions,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_collection(
		tenant: Tenant<T>,
		name: CollectionNameOf<T>,
		key_type: RecordKeyTypeOf<T>,
		syntax: RecordKeySyntax,
	) -> DispatchResult {
		let well_formed = RecordKey::from_bytes(&name, RecordKeySyntax::Unreserved).is_ok();
		ensure!(well_formed, Error::<T>::InvalidCollectionName);
		if let RecordKeyType::Literal(key) = &key_type {
			ensure!(RecordKey::from_bytes(key, syntax).is_ok(), Error::<T>::InvalidRecordKey);
		}
		tenant.ensure_bonded()?;
		let id = tenant.id;
		ensure!(!Collections::<T>::contains_key(id, &name), Error::<T>::CollectionAlreadyExists);
		let mut info = CollectionInfo {
			key_type,
			syntax,
			record_count: 0,
			deposit: Zero::zero(),
			created: Self::mint_muid()?,
		};
		info.deposit = row_deposit::<T>(&[ID_LEN, name.encoded_size()], info.encoded_size());
		Collections::<T>::insert(id, &name, &info);
		tenant.add_row(info.deposit)?;
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
		Collections::<T>::remove(id, &name);
		tenant.remove_row(info.deposit)?;
		Self::deposit_event(Event::CollectionDeleted { tenant: id, collection: name });
		Ok(())
	}

	pub(crate) fn do_put_record(
		tenant: Tenant<T>,
		collection: CollectionNameOf<T>,
		key: Option<RecordKeyOf<T>>,
		target: ContentRef,
	) -> DispatchResult {
		let id = tenant.id;
		let info = Self::collection(id, &collection)?;
		let minted = key.is_none();
		let key = match key {
			Some(key) => check_key::<T>(&info, key)?,
			None => Self::mint_key(&info)?,
		};
		Self::ensure_target(id, target)?;
		let present = Records::<T>::get((id, &collection, &key));
		ensure!(!minted || present.is_none(), Error::<T>::RecordAlreadyExists);
		let now = Self::mint_muid()?;
		match present {
			Some(before) => {
				let mut record = RecordInfo { target, updated: now, ..before };
				record.deposit = record_deposit::<T>(&collection, &key, &record);
				Records::<T>::insert((id, &collection, &key), &record);
				tenant.change_row(before.deposit, record.deposit)?;
			},
			None => {
				tenant.ensure_bonded()?;
				let mut record =
					RecordInfo { target, created: now, updated: now, deposit: Zero::zero() };
				record.deposit = record_deposit::<T>(&collection, &key, &record);
				Records::<T>::insert((id, &collection, &key), &record);
				let record_count =
					info.record_count.checked_add(1).ok_or(ArithmeticError::Overflow)?;
				Collections::<T>::insert(id, &collection, CollectionInfo { record_count, ..info });
				tenant.add_row(record.deposit)?;
			},
		}
		Self::deposit_event(Event::RecordPut { tenant: id, collection, key, target });
		Ok(())
	}

	pub(crate) fn do_delete_record(
		tenant: Tenant<T>,
		collection: CollectionNameOf<T>,
		key: RecordKeyOf<T>,
	) -> DispatchResult {
		let id = tenant.id;
		let record =
			Records::<T>::take((id, &collection, &key)).ok_or(Error::<T>::RecordNotFound)?;
		Collections::<T>::try_mutate(id, &collection, |info| {
			let info = info.as_mut().ok_or(Error::<T>::CollectionNotFound)?;
			info.record_count =
				info.record_count.checked_sub(1).ok_or(ArithmeticError::Underflow)?;
			Ok::<_, DispatchError>(())
		})?;
		tenant.remove_row(record.deposit)?;
		Self::deposit_event(Event::RecordDeleted { tenant: id, collection, key });
		Ok(())
	}

	/// What a target of a tenant leads to.
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
		ensure!(
			ContentObjects::<T>::contains_key(tenant, object),
			Error::<T>::ContentObjectNotFound
		);
		let found =
			version.is_none_or(|version| Versions::<T>::contains_key((tenant, object, version)));
		ensure!(found, Error::<T>::VersionNotFound);
		Ok(())
	}

	fn collection(
		tenant: TenantId,
		name: &CollectionNameOf<T>,
	) -> Result<CollectionInfoOf<T>, Error<T>> {
		Collections::<T>::get(tenant, name).ok_or(Error::CollectionNotFound)
	}

	/// A key for a record of a collection whose keys are TIDs.
	fn mint_key(collection: &CollectionInfoOf<T>) -> Result<RecordKeyOf<T>, Error<T>> {
		ensure!(collection.key_type == RecordKeyType::Tid, Error::<T>::RecordKeyRequired);
		let tid = Self::mint_tid()?.to_text();
		tid.to_vec().try_into().map_err(|_| Error::InvalidRecordKey)
	}
}

/// A key, if it is one that the collection can have.
fn check_key<T: Config>(
	collection: &CollectionInfoOf<T>,
	key: RecordKeyOf<T>,
) -> Result<RecordKeyOf<T>, Error<T>> {
	is_key_of::<T>(collection, &key).then_some(key).ok_or(Error::InvalidRecordKey)
}

/// Whether a collection can have a record with this key.
pub(crate) fn is_key_of<T: Config>(collection: &CollectionInfoOf<T>, key: &RecordKeyOf<T>) -> bool {
	let Ok(key) = core::str::from_utf8(key) else { return false };
	let key_type = match &collection.key_type {
		RecordKeyType::Tid => RecordKeyType::Tid,
		RecordKeyType::Nsid => RecordKeyType::Nsid,
		RecordKeyType::Any => RecordKeyType::Any,
		RecordKeyType::Literal(literal) => match core::str::from_utf8(literal) {
			Ok(literal) => RecordKeyType::Literal(literal),
			Err(_) => return false,
		},
	};
	key_type.check(key, collection.syntax).is_ok()
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
