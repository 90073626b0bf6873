// SPDX-License-Identifier: Apache-2.0
//! Changes of a member's root, by nomination and acceptance.

use content_fabric_identifiers::Muid;
use content_fabric_primitives::AdmissionPolicy;
use frame_support::{
	ensure,
	pallet_prelude::{DispatchResult, Get},
};
use frame_system::pallet_prelude::OriginFor;
use sp_runtime::{traits::Saturating, DispatchError};

use super::{Member, MemberKind};
use crate::{types::AccountIdOf, BalanceOf, Config, Error, Event, Nomination, Pallet, Spaces};

/// The party that nominates a root.
pub(crate) enum Nominator {
	Root,
	Governance,
}

impl<T: Config> Pallet<T> {
	/// Nominates an account as the next root of a member, or withdraws the nomination.
	pub(crate) fn do_nominate_root<K: MemberKind<T>>(
		(nominator, member): (Nominator, Member<T, K>),
		nominee: Option<AccountIdOf<T>>,
	) -> DispatchResult {
		let (id, info) = (member.member_id(), member.info());
		nominee.as_ref().map_or(Ok(()), Self::ensure_not_zero)?;
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
		Self::deposit_event(Event::RootNominated { member: id, nominee });
		Ok(())
	}

	/// Makes the nominee the root of a member.
	pub(crate) fn do_accept_root<K: MemberKind<T>>(
		(who, member): (AccountIdOf<T>, Member<T, K>),
		max_held: BalanceOf<T>,
	) -> DispatchResult {
		let id = member.id;
		let nomination = member.info().nomination.as_ref();
		match nomination.and_then(|it| it.governance_matures) {
			Some(block) => {
				let now = frame_system::Pallet::<T>::block_number();
				ensure!(now >= block, Error::<T>::NominationNotMature);
			},
			None => {
				member.ensure_active()?;
				Self::admit_root(&member, &who)?;
			},
		}
		let (former, had_key) = member.update(|member| {
			let had_key = member.remove_key(&who)?;
			member.nominate(None);
			Ok((member.set_root(who.clone(), max_held)?, had_key))
		})?;
		if had_key {
			Self::deposit_event(K::key_set(id, who.clone(), None));
		}
		Self::deposit_event(Event::RootSet {
			member: id.into(),
			root: who,
			previous: former.root,
			unreleased: former.unreleased,
		});
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
	/// space, for the incarnation that was created then.
	pub fn by_nominator(
		origin: OriginFor<T>,
		created: Muid,
		id: K::Id,
	) -> Result<(Nominator, Self), DispatchError> {
		Pallet::<T>::ensure_migrated()?;
		let member = Self::undeleted(id)?;
		let nominator = member.nominator(origin)?;
		member.ensure_incarnation(created)?;
		Ok((nominator, member))
	}

	/// Accepts the nominee of a member whose rows are not being purged.
	pub fn by_nominee(
		origin: OriginFor<T>,
		id: K::Id,
	) -> Result<(AccountIdOf<T>, Self), DispatchError> {
		let who = Pallet::<T>::ensure_signed(origin)?;
		let member = Self::undeleted(id)?;
		member.ensure_not_purging()?;
		let nomination = member.info.nomination.as_ref();
		ensure!(nomination.is_some_and(|it| it.nominee == who), Error::<T>::NotNominated);
		Ok((who, member))
	}

	fn nominator(&self, origin: OriginFor<T>) -> Result<Nominator, DispatchError> {
		let is_root =
			Pallet::<T>::ensure_signed(origin.clone()).is_ok_and(|who| who == self.info.root);
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
