//! The origin of a space's own governance.

use core::marker::PhantomData;

use content_fabric_identifiers::SpaceId;
use frame_support::traits::EnsureOriginWithArg;
use frame_system::{ensure_signed, pallet_prelude::OriginFor};

use crate::{Config, Spaces};

/// Accepts the signed account in [`SpaceInfo::governor`](crate::SpaceInfo::governor) of the space
/// in question.
///
/// Made to be one part of [`Config::GovernanceOrigin`], beside "root" or "the council":
/// `EitherOfDiverse<AsEnsureOriginWithArg<EnsureRoot<AccountId>>, EnsureSpaceGovernor<Runtime>>`.
pub struct EnsureSpaceGovernor<T>(PhantomData<T>);

impl<T: Config> EnsureOriginWithArg<OriginFor<T>, SpaceId> for EnsureSpaceGovernor<T> {
	type Success = T::AccountId;

	fn try_origin(origin: OriginFor<T>, space: &SpaceId) -> Result<Self::Success, OriginFor<T>> {
		match (ensure_signed(origin.clone()), Spaces::<T>::get(space)) {
			(Ok(who), Some(info)) if info.governor == who => Ok(who),
			_ => Err(origin),
		}
	}

	#[cfg(feature = "runtime-benchmarks")]
	fn try_successful_origin(space: &SpaceId) -> Result<OriginFor<T>, ()> {
		let governor = Spaces::<T>::get(space).ok_or(())?.governor;
		Ok(frame_system::RawOrigin::Signed(governor).into())
	}
}
