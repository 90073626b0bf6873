// SPDX-License-Identifier: Apache-2.0
//! The KMSes of tenants.

use codec::Encode;
use content_fabric_identifiers::KmsId;
use frame_support::{ensure, pallet_prelude::DispatchResult};
use sp_runtime::traits::Zero;

use super::{row_deposit, Tenant, ID_LEN};
use crate::{
	types::{ensure_locator, AccountIdOf},
	Config, Error, Event, KmsInfo, KmsInfoOf, KmsKey, Kmses, LocatorOf, Pallet, TenantRowCounts,
};

fn kmses(counts: &mut TenantRowCounts) -> &mut u32 {
	&mut counts.kmses
}

impl<T: Config> Pallet<T> {
	pub(crate) fn do_add_kms(
		tenant: Tenant<T>,
		kms: KmsId,
		operator: AccountIdOf<T>,
		locator: LocatorOf<T>,
		key: KmsKey,
	) -> DispatchResult {
		Self::ensure_not_zero(&operator)?;
		ensure_valid::<T>(&locator, &key)?;
		let id = tenant.id;
		ensure!(!Kmses::<T>::contains_key(id, kms), Error::<T>::KmsAlreadyExists);
		let info = priced::<T>(operator.clone(), locator, key);
		tenant.update(|tenant| tenant.add_row(kmses, info.deposit))?;
		Kmses::<T>::insert(id, kms, info);
		Self::deposit_event(Event::KmsAdded { tenant: id, kms, operator, key });
		Ok(())
	}

	pub(crate) fn do_set_kms(
		(who, tenant): (AccountIdOf<T>, Tenant<T>),
		kms: KmsId,
		locator: LocatorOf<T>,
		key: KmsKey,
	) -> DispatchResult {
		let id = tenant.id;
		let KmsInfo { operator, deposit: before, .. } = Self::kms(&tenant, kms)?;
		let may = operator == who || tenant.manages_kmses(&who);
		ensure!(may, Error::<T>::NoPermission);
		ensure_valid::<T>(&locator, &key)?;
		let info = priced::<T>(operator, locator, key);
		tenant.update(|tenant| tenant.reprice_row(before, info.deposit))?;
		Kmses::<T>::insert(id, kms, info);
		Self::deposit_event(Event::KmsSet { tenant: id, kms, key });
		Ok(())
	}

	pub(crate) fn do_remove_kms(tenant: Tenant<T>, kms: KmsId) -> DispatchResult {
		let id = tenant.id;
		let info = Self::kms(&tenant, kms)?;
		tenant.update(|tenant| tenant.remove_row(kmses, info.deposit))?;
		Kmses::<T>::remove(id, kms);
		Self::deposit_event(Event::KmsRemoved { tenant: id, kms });
		Ok(())
	}

	fn kms(tenant: &Tenant<T>, kms: KmsId) -> Result<KmsInfoOf<T>, Error<T>> {
		Kmses::<T>::get(tenant.id, kms).ok_or(Error::KmsNotFound)
	}
}

/// Checks where a KMS is reached, and the key for which clients encrypt.
fn ensure_valid<T: Config>(locator: &LocatorOf<T>, key: &KmsKey) -> Result<(), Error<T>> {
	ensure_locator::<T>(locator)?;
	ensure!(!key.is_zero(), Error::ZeroKmsKey);
	Ok(())
}

/// Returns a KMS with the deposit for its row.
fn priced<T: Config>(operator: AccountIdOf<T>, locator: LocatorOf<T>, key: KmsKey) -> KmsInfoOf<T> {
	let info = KmsInfo { operator, locator, key, deposit: Zero::zero() };
	let deposit = row_deposit::<T>(&[ID_LEN, ID_LEN], info.encoded_size());
	KmsInfo { deposit, ..info }
}
