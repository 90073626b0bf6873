// SPDX-License-Identifier: Apache-2.0
//! Spaces: their rules, and who is admitted to them.

use content_fabric_identifiers::SpaceId;
use content_fabric_primitives::Role;
use frame_support::{
	ensure,
	pallet_prelude::{BoundedVec, DispatchResult, Get},
};
use sp_runtime::ArithmeticError;

use crate::{
	Admissions, Config, Error, Event, Pallet, SpaceInfo, SpaceInfoOf, SpaceRulesOf, Spaces,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_space(
		space: SpaceId,
		governor: T::AccountId,
		rules: SpaceRulesOf<T>,
	) -> DispatchResult {
		Self::ensure_not_zero(&governor)?;
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
		Self::ensure_not_zero(&governor)?;
		Self::mutate_space(space, |info| {
			info.governor = governor.clone();
			Ok(())
		})?;
		Self::deposit_event(Event::SpaceGovernorSet { space, governor });
		Ok(())
	}

	pub(crate) fn do_admit(space: SpaceId, account: T::AccountId, role: Role) -> DispatchResult {
		Self::ensure_not_zero(&account)?;
		Self::mutate_space(space, |info| {
			let admission = (&account, role);
			ensure!(!Admissions::<T>::contains_key(space, admission), Error::<T>::AlreadyAdmitted);
			ensure!(info.admission_count < T::MaxAdmissions::get(), Error::<T>::TooManyAdmissions);
			info.admission_count =
				info.admission_count.checked_add(1).ok_or(ArithmeticError::Overflow)?;
			Admissions::<T>::insert(space, admission, ());
			Ok(())
		})?;
		Self::deposit_event(Event::Admitted { space, account, role });
		Ok(())
	}

	pub(crate) fn do_revoke_admissions(
		space: SpaceId,
		admissions: BoundedVec<(T::AccountId, Role), T::MaxAdmissions>,
	) -> DispatchResult {
		ensure!(!admissions.is_empty(), Error::<T>::EmptyBatch);
		Self::mutate_space(space, |info| {
			for (account, role) in admissions {
				let taken = take_admission::<T>(space, info, &account, role);
				ensure!(taken, Error::<T>::AdmissionNotFound);
				Self::deposit_event(Event::AdmissionRevoked { space, account, role });
			}
			Ok(())
		})
	}

	pub(crate) fn do_delete_space(space: SpaceId) -> DispatchResult {
		let info = Self::space(space)?;
		let children = [info.provider_count, info.tenant_count, info.admission_count];
		ensure!(children == [0; 3], Error::<T>::SpaceNotEmpty);
		Spaces::<T>::remove(space);
		Self::deposit_event(Event::SpaceDeleted { space });
		Ok(())
	}

	pub(crate) fn space(space: SpaceId) -> Result<SpaceInfoOf<T>, Error<T>> {
		Spaces::<T>::get(space).ok_or(Error::SpaceNotFound)
	}

	/// Uses up the admission of an account that becomes a member's root. The caller writes the
	/// space.
	pub(crate) fn use_admission(
		space: SpaceId,
		info: &mut SpaceInfoOf<T>,
		account: &T::AccountId,
		role: Role,
	) -> Result<(), Error<T>> {
		ensure!(take_admission::<T>(space, info, account, role), Error::NotAdmitted);
		Self::deposit_event(Event::AdmissionUsed { space, account: account.clone(), role });
		Ok(())
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

/// Removes an admission. Returns whether there was one.
fn take_admission<T: Config>(
	space: SpaceId,
	info: &mut SpaceInfoOf<T>,
	account: &T::AccountId,
	role: Role,
) -> bool {
	let taken = Admissions::<T>::take(space, (account, role)).is_some();
	if taken {
		info.admission_count = info.admission_count.saturating_sub(1);
	}
	taken
}
