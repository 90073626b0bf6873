// SPDX-License-Identifier: Apache-2.0
//! Changes of a member's root, by nomination and acceptance.

use content_fabric_identifiers::Muid;
use content_fabric_primitives::AdmissionPolicy;
use frame_support::{
	ensure,
	pallet_prelude::{DispatchResult, Get},
};
use frame_system::{ensure_signed, pallet_prelude::OriginFor};
use sp_runtime::{traits::Saturating, DispatchError};

use super::{Member, MemberKind};
use crate::{types::AccountIdOf, BalanceOf, Config, Error, Event, Nomination, Pallet, Spaces};

/// The party that nominates a root.
enum Nominator {
	Root,
	Governance,
}

impl<T: Config> Pallet<T> {
	/// Nominates an account as the next root of a member, or withdraws the nomination.
	pub(crate) fn do_nominate_root<K: MemberKind<T>>(
		id: K::Id,
		origin: OriginFor<T>,
		created: Muid,
		nominee: Option<AccountIdOf<T>>,
	) -> DispatchResult {
		Self::ensure_migrated()?;
		let member = Member::<T, K>::load(id)?;
		let nominator = member.nominator(origin)?;
		member.ensure_incarnation(created)?;
		let info = member.info();
		ensure!(nominee.as_ref() != Some(&info.root), Error::<T>::NomineeIsRoot);
		ensure!(nominee.is_some() || info.nomination.is_some(), Error::<T>::NominationNotFound);
		let now = frame_system::Pallet::<T>::block_number();
		let governance_matures = match nominator {
			Nominator::Governance => Some(now.saturating_add(T::UnbondingPeriod::get())),
			Nominator::Root => {
				let matures = info.nomination.as_ref().and_then(|it| it.governance_matures);
				ensure!(matures.is_none_or(|block| now < block), Error::<T>::NominationMatured);
				None
			},
		};
		let nomination = nominee.clone().map(|nominee| Nomination { nominee, governance_matures });
		member.update(|member| {
			member.nominate(nomination);
			Ok(())
		})?;
		Self::deposit_event(Event::RootNominated { member: id.into(), nominee });
		Ok(())
	}

	/// Makes the nominee the root of a member.
	pub(crate) fn do_accept_root<K: MemberKind<T>>(
		id: K::Id,
		origin: OriginFor<T>,
		max_held: BalanceOf<T>,
	) -> DispatchResult {
		let who = Self::ensure_signed(origin)?;
		let member = Member::<T, K>::load(id)?;
		member.ensure_not_purging()?;
		let nomination = member.info().nomination.as_ref();
		let nomination = nomination.filter(|it| it.nominee == who);
		match nomination.ok_or(Error::<T>::NotNominated)?.governance_matures {
			Some(block) => {
				let now = frame_system::Pallet::<T>::block_number();
				ensure!(now >= block, Error::<T>::NominationNotMature);
			},
			None => {
				member.ensure_active()?;
				Self::admit_root(&member, &who)?;
			},
		}
		let (previous, had_key) = member.update(|member| {
			let had_key = member.remove_key(&who)?;
			member.nominate(None);
			Ok((member.set_root(who.clone(), max_held)?, had_key))
		})?;
		if had_key {
			Self::deposit_event(K::key_set(id, who.clone(), None));
		}
		Self::deposit_event(Event::RootSet { member: id.into(), root: who, previous });
		Ok(())
	}

	/// Uses up the admission of a root's nominee, where the space requires one.
	fn admit_root<K: MemberKind<T>>(member: &Member<T, K>, who: &AccountIdOf<T>) -> DispatchResult {
		let id = member.info().space;
		let mut space = Self::space(id)?;
		if space.rules.admission == AdmissionPolicy::Approval {
			Self::use_admission(id, &mut space, who, K::ROLE)?;
			Spaces::<T>::insert(id, space);
		}
		Ok(())
	}
}

impl<T: Config, K: MemberKind<T>> Member<T, K> {
	/// Accepts the root of a member that is neither frozen nor suspended, or the governance of its
	/// space.
	fn nominator(&self, origin: OriginFor<T>) -> Result<Nominator, DispatchError> {
		let is_root = ensure_signed(origin.clone()).is_ok_and(|who| who == self.info.root);
		let active = self.ensure_active();
		if is_root && active.is_ok() {
			return Ok(Nominator::Root);
		}
		match Pallet::<T>::ensure_governance(origin, self.info.space) {
			Ok(()) => Ok(Nominator::Governance),
			Err(_) if is_root => Err(active.err().map_or(DispatchError::BadOrigin, Into::into)),
			Err(error) => Err(error),
		}
	}
}
