// SPDX-License-Identifier: Apache-2.0
//! The life of a member from creation to deletion, the same for providers and tenants.

use content_fabric_identifiers::{Muid, SpaceId};
use content_fabric_primitives::AdmissionPolicy;
use frame_support::{
	ensure,
	pallet_prelude::{DispatchResult, Get},
};
use frame_system::pallet_prelude::OriginFor;
use sp_runtime::traits::{Saturating, Zero};

use super::{ledger::NewMember, Member, MemberKind};
use crate::{BalanceOf, Config, Error, Event, Pallet, ReasonOf};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_member<K: MemberKind<T>>(
		id: K::Id,
		origin: OriginFor<T>,
		space: SpaceId,
		max_held: BalanceOf<T>,
	) -> DispatchResult {
		let root = Self::ensure_signed(origin)?;
		Member::<T, K>::ensure_vacant(id)?;
		let mut info = Self::space(space)?;
		if info.rules.admission == AdmissionPolicy::Approval {
			Self::use_admission(space, &mut info, &root, K::ROLE)?;
		}
		let event = K::created(id, space, root.clone());
		Member::<T, K>::create(id, info, NewMember { space, root, max_held })?;
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn do_top_up_bond<K: MemberKind<T>>(
		id: K::Id,
		origin: OriginFor<T>,
		amount: BalanceOf<T>,
	) -> DispatchResult {
		let bond = Member::<T, K>::by_root(origin, id)?.update(|member| {
			member.add_bond(amount)?;
			Ok(member.info().bond)
		})?;
		Self::deposit_event(Event::BondToppedUp { member: id.into(), amount, bond });
		Ok(())
	}

	pub(crate) fn do_set_max_held<K: MemberKind<T>>(
		id: K::Id,
		origin: OriginFor<T>,
		max_held: BalanceOf<T>,
	) -> DispatchResult {
		let root = Member::<T, K>::by_root(origin, id)?;
		root.update(|member| Ok(member.set_max_held(max_held)?))?;
		Self::deposit_event(Event::MaxHeldSet { member: id.into(), max_held });
		Ok(())
	}

	pub(crate) fn do_slash<K: MemberKind<T>>(
		id: K::Id,
		origin: OriginFor<T>,
		created: Muid,
		amount: BalanceOf<T>,
		reason: ReasonOf<T>,
	) -> DispatchResult {
		let governed = Member::<T, K>::by_governance(origin, id, created)?;
		let (amount, bond) =
			governed.update(|member| Ok((member.slash(amount), member.info().bond)))?;
		Self::deposit_event(Event::Slashed { member: id.into(), created, amount, bond, reason });
		Ok(())
	}

	pub(crate) fn do_set_suspended<K: MemberKind<T>>(
		id: K::Id,
		origin: OriginFor<T>,
		created: Muid,
		enabled: bool,
		reason: ReasonOf<T>,
	) -> DispatchResult {
		let bond = Member::<T, K>::by_governance(origin, id, created)?.update(|member| {
			member.set_suspended(enabled);
			Ok(member.info().bond)
		})?;
		Self::deposit_event(Event::Suspended { member: id.into(), created, enabled, bond, reason });
		Ok(())
	}

	pub(crate) fn do_set_governance_delete<K: MemberKind<T>>(
		id: K::Id,
		origin: OriginFor<T>,
		created: Muid,
		enabled: bool,
		reason: ReasonOf<T>,
	) -> DispatchResult {
		let bond = Member::<T, K>::by_governance(origin, id, created)?.update(|member| {
			member.set_governance_delete(enabled);
			Ok(member.info().bond)
		})?;
		Self::deposit_event(Event::GovernanceDeleteSet {
			member: id.into(),
			created,
			enabled,
			bond,
			reason,
		});
		Ok(())
	}

	/// Deletes a member that has had no rows for long enough.
	pub(crate) fn do_delete_member<K: MemberKind<T>>(
		id: K::Id,
		origin: OriginFor<T>,
	) -> DispatchResult {
		let member = Member::<T, K>::by_root(origin, id)?;
		ensure!(member.rows() == 0, K::NOT_EMPTY);
		ensure!(member.is_unbonded(), Error::<T>::UnbondingPeriodNotOver);
		let info = member.info();
		let event = Event::MemberDeleted {
			member: member.member_id(),
			space: info.space,
			created: info.created,
		};
		member.close(|_| Ok(()))?;
		Self::deposit_event(event);
		Ok(())
	}
}

impl<T: Config, K: MemberKind<T>> Member<T, K> {
	/// Returns whether the member has been empty for long enough to release its bond.
	fn is_unbonded(&self) -> bool {
		let now = frame_system::Pallet::<T>::block_number();
		let period = T::UnbondingPeriod::get();
		self.info.bond.is_zero()
			|| self.info.empty_since.is_some_and(|since| since.saturating_add(period) <= now)
	}
}
