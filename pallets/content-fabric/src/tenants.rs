//! Tenants and their KMSes.

use codec::Encode;
use content_fabric_identifiers::KmsId;
use frame_support::{ensure, pallet_prelude::DispatchResult};
use sp_runtime::traits::Zero;

use crate::{
	bonds::row_deposit,
	members::{Tenant, ID_LEN},
	types::ensure_locator,
	Config, Error, Event, KmsInfo, KmsInfoOf, Kmses, LocatorOf, Pallet,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_add_kms(
		tenant: Tenant<T>,
		kms: KmsId,
		locator: LocatorOf<T>,
	) -> DispatchResult {
		ensure_locator::<T>(&locator)?;
		tenant.ensure_bonded()?;
		ensure!(!Kmses::<T>::contains_key(tenant.id, kms), Error::<T>::KmsAlreadyExists);
		let info = priced_kms::<T>(locator);
		Kmses::<T>::insert(tenant.id, kms, &info);
		let event = Event::KmsAdded { tenant: tenant.id, kms };
		tenant.add_row(info.deposit)?;
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn do_set_kms_locator(
		tenant: Tenant<T>,
		kms: KmsId,
		locator: LocatorOf<T>,
	) -> DispatchResult {
		ensure_locator::<T>(&locator)?;
		let id = tenant.id;
		let before = Kmses::<T>::get(id, kms).ok_or(Error::<T>::KmsNotFound)?;
		let info = priced_kms::<T>(locator);
		Kmses::<T>::insert(id, kms, &info);
		tenant.change_row(before.deposit, info.deposit)?;
		Self::deposit_event(Event::KmsLocatorSet { tenant: id, kms });
		Ok(())
	}

	pub(crate) fn do_remove_kms(tenant: Tenant<T>, kms: KmsId) -> DispatchResult {
		let info = Kmses::<T>::take(tenant.id, kms).ok_or(Error::<T>::KmsNotFound)?;
		let event = Event::KmsRemoved { tenant: tenant.id, kms };
		tenant.remove_row(info.deposit)?;
		Self::deposit_event(event);
		Ok(())
	}
}

/// A KMS with the deposit for its row.
fn priced_kms<T: Config>(locator: LocatorOf<T>) -> KmsInfoOf<T> {
	let info = KmsInfo { locator, deposit: Zero::zero() };
	let deposit = row_deposit::<T>(&[ID_LEN, ID_LEN], info.encoded_size());
	KmsInfo { deposit, ..info }
}
