//! Spaces.

use content_fabric_identifiers::SpaceId;
use frame_support::{ensure, pallet_prelude::DispatchResult};

use crate::{Config, Error, Event, Pallet, SpaceInfo, Spaces};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_space(space: SpaceId, governor: T::AccountId) -> DispatchResult {
		ensure!(!Spaces::<T>::contains_key(space), Error::<T>::SpaceAlreadyExists);
		let info = SpaceInfo {
			governor: governor.clone(),
			provider_count: 0,
			tenant_count: 0,
			created: Self::mint_muid()?,
		};
		Spaces::<T>::insert(space, info);
		Self::deposit_event(Event::SpaceCreated { space, governor });
		Ok(())
	}

	pub(crate) fn do_set_space_governor(space: SpaceId, governor: T::AccountId) -> DispatchResult {
		Spaces::<T>::try_mutate(space, |info| {
			info.as_mut().ok_or(Error::<T>::SpaceNotFound)?.governor = governor.clone();
			Ok::<_, Error<T>>(())
		})?;
		Self::deposit_event(Event::SpaceGovernorSet { space, governor });
		Ok(())
	}

	pub(crate) fn do_delete_space(space: SpaceId) -> DispatchResult {
		let info = Spaces::<T>::get(space).ok_or(Error::<T>::SpaceNotFound)?;
		ensure!(info.provider_count == 0 && info.tenant_count == 0, Error::<T>::SpaceNotEmpty);
		Spaces::<T>::remove(space);
		Self::deposit_event(Event::SpaceDeleted { space });
		Ok(())
	}
}
