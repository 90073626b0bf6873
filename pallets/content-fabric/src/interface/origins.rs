// SPDX-License-Identifier: Apache-2.0
//! The origins that calls accept.

use core::marker::PhantomData;

use codec::Encode;
use content_fabric_identifiers::SpaceId;
use frame_support::{
	ensure,
	pallet_prelude::{DispatchResult, StorageVersion},
	traits::{EnsureOrigin, EnsureOriginWithArg, GetStorageVersion},
};
use frame_system::pallet_prelude::OriginFor;
use sp_runtime::DispatchError;

use crate::{types::AccountIdOf, Config, Error, Pallet, Spaces};

/// Every guard of a call goes through one of these, so no call touches storage of another version.
impl<T: Config> Pallet<T> {
	/// Accepts any signed origin but the all-zero account. Returns the account.
	pub(crate) fn ensure_signed(origin: OriginFor<T>) -> Result<AccountIdOf<T>, DispatchError> {
		let who = frame_system::ensure_signed(origin)?;
		Self::ensure_not_zero(&who)?;
		Self::ensure_migrated()?;
		Ok(who)
	}

	/// Accepts [`Config::CreateSpaceOrigin`].
	pub(crate) fn ensure_creator(origin: OriginFor<T>) -> DispatchResult {
		ensure_signer_not_zero::<T>(&origin)?;
		T::CreateSpaceOrigin::ensure_origin(origin)?;
		Ok(Self::ensure_migrated()?)
	}

	/// Accepts the governance of a space that exists.
	pub(crate) fn ensure_governance(origin: OriginFor<T>, space: SpaceId) -> DispatchResult {
		Self::ensure_migrated()?;
		ensure!(Spaces::<T>::contains_key(space), Error::<T>::SpaceNotFound);
		ensure_signer_not_zero::<T>(&origin)?;
		T::GovernanceOrigin::ensure_origin(origin, &space)?;
		Ok(())
	}

	/// Accepts [`Config::CreateSpaceOrigin`], or the governance of a space that exists.
	pub(crate) fn ensure_creator_or_governance(
		origin: OriginFor<T>,
		space: SpaceId,
	) -> DispatchResult {
		ensure_signer_not_zero::<T>(&origin)?;
		match T::CreateSpaceOrigin::try_origin(origin) {
			Ok(_) => Ok(Self::ensure_migrated()?),
			Err(origin) => Self::ensure_governance(origin, space),
		}
	}

	/// Refuses the all-zero account. Each call that gives permissions to an account checks that
	/// account, too.
	pub(crate) fn ensure_not_zero(account: &AccountIdOf<T>) -> Result<(), Error<T>> {
		ensure!(!is_zero(account), Error::ZeroAccount);
		Ok(())
	}

	/// Checks that the storage has been migrated to the version of this code.
	pub(crate) fn ensure_migrated() -> Result<(), Error<T>> {
		let migrated = StorageVersion::get::<Self>() == Self::in_code_storage_version();
		ensure!(migrated, Error::MigrationPending);
		Ok(())
	}
}

/// Refuses the origin that the all-zero account has signed, and accepts all others.
fn ensure_signer_not_zero<T: Config>(origin: &OriginFor<T>) -> Result<(), Error<T>> {
	match frame_system::ensure_signed(origin.clone()) {
		Ok(who) => Pallet::<T>::ensure_not_zero(&who),
		Err(_) => Ok(()),
	}
}

/// Returns `true` if all bytes of an account are zero. As an sr25519 key, that is the neutral
/// element of the group, for which anybody can sign.
pub(crate) fn is_zero(account: &impl Encode) -> bool {
	account.using_encoded(|bytes| bytes.iter().all(|byte| *byte == 0))
}

/// Accepts the signed account in [`SpaceInfo::governor`](crate::SpaceInfo::governor) of the space
/// in question.
///
/// Meant as one part of [`Config::GovernanceOrigin`], next to root or a council:
/// `EitherOfDiverse<AsEnsureOriginWithArg<EnsureRoot<AccountId>>, EnsureSpaceGovernor<Runtime>>`.
pub struct EnsureSpaceGovernor<T>(PhantomData<T>);

impl<T: Config> EnsureOriginWithArg<OriginFor<T>, SpaceId> for EnsureSpaceGovernor<T> {
	type Success = T::AccountId;

	fn try_origin(origin: OriginFor<T>, space: &SpaceId) -> Result<Self::Success, OriginFor<T>> {
		match (frame_system::ensure_signed(origin.clone()), Spaces::<T>::get(space)) {
			(Ok(who), Some(info)) if info.governor == who && !is_zero(&who) => Ok(who),
			_ => Err(origin),
		}
	}

	#[cfg(feature = "runtime-benchmarks")]
	fn try_successful_origin(space: &SpaceId) -> Result<OriginFor<T>, ()> {
		let governor = Spaces::<T>::get(space).ok_or(())?.governor;
		Ok(frame_system::RawOrigin::Signed(governor).into())
	}
}
