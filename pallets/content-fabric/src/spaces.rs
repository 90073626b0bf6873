//! Spaces: their rules, and who is admitted to them.

use content_fabric_identifiers::SpaceId;
use frame_support::{
	dispatch::DispatchResultWithPostInfo,
	ensure,
	pallet_prelude::{DispatchResult, Get},
	traits::EnsureOriginWithArg,
};
use frame_system::pallet_prelude::OriginFor;
use sp_runtime::ArithmeticError;

use crate::{
	Admissions, Config, Error, Event, Pallet, Role, SpaceInfo, SpaceInfoOf, SpaceRulesOf, Spaces,
	WeightInfo,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_space(
		space: SpaceId,
		governor: T::AccountId,
		rules: SpaceRulesOf<T>,
	) -> DispatchResult {
		ensure!(!Spaces::<T>::contains_key(space), Error::<T>::SpaceAlreadyExists);
		let info = SpaceInfo {
			governor: governor.clone(),
			rules,
			provider_count: 0,
			tenant_count: 0,
			admission_count: 0,
			created: Self::mint_muid()?,
		};
		Spaces::<T>::insert(space, info);
		Self::deposit_event(Event::SpaceCreated { space, governor });
		Ok(())
	}

	pub(crate) fn do_set_space_rules(space: SpaceId, rules: SpaceRulesOf<T>) -> DispatchResult {
		Self::mutate_space(space, |info| {
			info.rules = rules.clone();
			Ok(())
		})?;
		Self::deposit_event(Event::SpaceRulesSet { space, rules });
		Ok(())
	}

	pub(crate) fn do_set_space_governor(space: SpaceId, governor: T::AccountId) -> DispatchResult {
		Self::mutate_space(space, |info| {
			info.governor = governor.clone();
			Ok(())
		})?;
		Self::deposit_event(Event::SpaceGovernorSet { space, governor });
		Ok(())
	}

	pub(crate) fn do_admit(space: SpaceId, account: T::AccountId, role: Role) -> DispatchResult {
		Self::mutate_space(space, |info| {
			let admission = (&account, role);
			ensure!(!Admissions::<T>::contains_key(space, admission), Error::<T>::AlreadyAdmitted);
			ensure!(info.admission_count < T::MaxAdmissions::get(), Error::<T>::TooManyAdmissions);
			info.admission_count += 1;
			Admissions::<T>::insert(space, admission, ());
			Ok(())
		})?;
		Self::deposit_event(Event::Admitted { space, account, role });
		Ok(())
	}

	pub(crate) fn do_revoke_admission(
		space: SpaceId,
		account: T::AccountId,
		role: Role,
	) -> DispatchResult {
		Self::mutate_space(space, |info| {
			Self::take_admission(space, info, &account, role)?
				.then_some(())
				.ok_or(Error::<T>::AdmissionNotFound.into())
		})?;
		Self::deposit_event(Event::AdmissionRevoked { space, account, role });
		Ok(())
	}

	pub(crate) fn do_delete_space(space: SpaceId) -> DispatchResultWithPostInfo {
		let info = Self::space(space)?;
		ensure!(info.provider_count == 0 && info.tenant_count == 0, Error::<T>::SpaceNotEmpty);
		let cleared = Admissions::<T>::clear_prefix(space, u32::MAX, None);
		debug_assert!(cleared.maybe_cursor.is_none());
		Spaces::<T>::remove(space);
		Self::deposit_event(Event::SpaceDeleted { space });
		Ok(Some(T::WeightInfo::delete_space(info.admission_count)).into())
	}

	pub(crate) fn space(space: SpaceId) -> Result<SpaceInfoOf<T>, Error<T>> {
		Spaces::<T>::get(space).ok_or(Error::SpaceNotFound)
	}

	/// That the origin is the governance of a space that exists.
	pub(crate) fn ensure_governance(origin: OriginFor<T>, space: SpaceId) -> DispatchResult {
		ensure!(Spaces::<T>::contains_key(space), Error::<T>::SpaceNotFound);
		T::GovernanceOrigin::ensure_origin(origin, &space)?;
		Ok(())
	}

	/// Removes an admission, and tells whether there was one.
	pub(crate) fn take_admission(
		space: SpaceId,
		info: &mut SpaceInfoOf<T>,
		account: &T::AccountId,
		role: Role,
	) -> Result<bool, ArithmeticError> {
		if Admissions::<T>::take(space, (account, role)).is_none() {
			return Ok(false);
		}
		info.admission_count =
			info.admission_count.checked_sub(1).ok_or(ArithmeticError::Underflow)?;
		Ok(true)
	}

	fn mutate_space(
		space: SpaceId,
		change: impl FnOnce(&mut SpaceInfoOf<T>) -> DispatchResult,
	) -> DispatchResult {
		Spaces::<T>::try_mutate(space, |info| {
			change(info.as_mut().ok_or(Error::<T>::SpaceNotFound)?)
		})
	}
}
