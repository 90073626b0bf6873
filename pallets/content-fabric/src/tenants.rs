//! Tenants and their KMSes.

use content_fabric_identifiers::{KmsId, SpaceId, TenantId};
use frame_support::{ensure, pallet_prelude::DispatchResult};

use crate::{
	members::Tenant, types::ensure_locator, Config, Error, Event, KmsInfo, Kmses, LocatorOf,
	Pallet, TenantLevel,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_tenant(
		root: T::AccountId,
		space: SpaceId,
		tenant: TenantId,
	) -> DispatchResult {
		Tenant::<T>::create(space, tenant, root.clone())?;
		Self::deposit_event(Event::TenantCreated { tenant, space, root });
		Ok(())
	}

	pub(crate) fn do_delete_tenant(tenant: Tenant<T>) -> DispatchResult {
		tenant.ensure_empty()?;
		let event = Event::TenantDeleted { tenant: tenant.id, rows: 0 };
		tenant.remove()?;
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn do_set_tenant_root(tenant: Tenant<T>, root: T::AccountId) -> DispatchResult {
		let event = Event::TenantRootSet { tenant: tenant.id, root: root.clone() };
		tenant.set_root(root);
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn do_set_tenant_key(
		who: &T::AccountId,
		mut tenant: Tenant<T>,
		account: T::AccountId,
		level: Option<TenantLevel>,
	) -> DispatchResult {
		let present = tenant.level(&account);
		let may = |own: TenantLevel| own.can_set_level(present, level);
		ensure!(tenant.level(who).is_some_and(may), Error::<T>::NoPermission);
		let id = tenant.id;
		tenant.set_key(&account, present, level)?;
		tenant.save();
		Self::deposit_event(Event::TenantKeySet { tenant: id, account, level });
		Ok(())
	}

	pub(crate) fn do_add_kms(
		tenant: Tenant<T>,
		kms: KmsId,
		locator: LocatorOf<T>,
	) -> DispatchResult {
		ensure_locator::<T>(&locator)?;
		ensure!(!Kmses::<T>::contains_key(tenant.id, kms), Error::<T>::KmsAlreadyExists);
		Kmses::<T>::insert(tenant.id, kms, KmsInfo { locator });
		let event = Event::KmsAdded { tenant: tenant.id, kms };
		tenant.add_row()?;
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn do_set_kms_locator(
		tenant: Tenant<T>,
		kms: KmsId,
		locator: LocatorOf<T>,
	) -> DispatchResult {
		ensure_locator::<T>(&locator)?;
		Kmses::<T>::try_mutate(tenant.id, kms, |info| {
			info.as_mut().ok_or(Error::<T>::KmsNotFound)?.locator = locator;
			Ok::<_, Error<T>>(())
		})?;
		Self::deposit_event(Event::KmsLocatorSet { tenant: tenant.id, kms });
		Ok(())
	}

	pub(crate) fn do_remove_kms(tenant: Tenant<T>, kms: KmsId) -> DispatchResult {
		ensure!(Kmses::<T>::contains_key(tenant.id, kms), Error::<T>::KmsNotFound);
		Kmses::<T>::remove(tenant.id, kms);
		let event = Event::KmsRemoved { tenant: tenant.id, kms };
		tenant.remove_row()?;
		Self::deposit_event(event);
		Ok(())
	}
}
