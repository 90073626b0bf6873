// SPDX-License-Identifier: Apache-2.0
//! The life of a member from creation to deletion, the same for providers and tenants.

use content_fabric_identifiers::SpaceId;
use content_fabric_primitives::AdmissionPolicy;
use frame_support::{
	ensure,
	pallet_prelude::{DispatchResult, Get},
};
use sp_runtime::traits::{Saturating, Zero};

use super::{ledger::NewMember, Member, MemberKind};
use crate::{
	observer::Observer, types::AccountIdOf, BalanceOf, Config, Error, Event, Pallet, ReasonOf,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_member<K: MemberKind<T>>(
		root: AccountIdOf<T>,
		space: SpaceId,
		id: K::Id,
		max_held: BalanceOf<T>,
	) -> DispatchResult {
		Member::<T, K>::ensure_vacant(id)?;
		let mut info = Self::space(space)?;
		if info.rules.admission == AdmissionPolicy::Approval {
			Self::use_admission(space, &mut info, &root, K::ROLE)?;
		}
		Member::<T, K>::create(id, info, NewMember { space, root, max_held })
	}

	pub(crate) fn do_top_up_bond<K: MemberKind<T>>(
		member: Member<T, K>,
		amount: BalanceOf<T>,
	) -> DispatchResult {
		let id = member.member_id();
		let bond = member.update(|member| {
			member.add_bond(amount)?;
			Ok(member.info().bond)
		})?;
		Self::deposit_event(Event::BondToppedUp { member: id, amount, bond });
		Ok(())
	}

	pub(crate) fn do_set_max_held<K: MemberKind<T>>(
		member: Member<T, K>,
		max_held: BalanceOf<T>,
	) -> DispatchResult {
		let id = member.member_id();
		member.update(|member| Ok(member.set_max_held(max_held)?))?;
		Self::deposit_event(Event::MaxHeldSet { member: id, max_held });
		Ok(())
	}

	pub(crate) fn do_slash<K: MemberKind<T>>(
		member: Member<T, K>,
		amount: BalanceOf<T>,
		reason: ReasonOf<T>,
	) -> DispatchResult {
		let (member_id, created) = (member.member_id(), member.info().created);
		let (amount, bond) =
			member.update(|member| Ok((member.slash(amount), member.info().bond)))?;
		Self::deposit_event(Event::Slashed { member: member_id, created, amount, bond, reason });
		T::Observer::on_slashed(member_id, created, amount);
		Ok(())
	}

	pub(crate) fn do_set_suspended<K: MemberKind<T>>(
		member: Member<T, K>,
		enabled: bool,
		reason: ReasonOf<T>,
	) -> DispatchResult {
		let (member_id, created) = (member.member_id(), member.info().created);
		let bond = member.update(|member| {
			member.set_suspended(enabled);
			Ok(member.info().bond)
		})?;
		Self::deposit_event(Event::Suspended { member: member_id, created, enabled, bond, reason });
		Ok(())
	}

	pub(crate) fn do_set_governance_delete<K: MemberKind<T>>(
		member: Member<T, K>,
		enabled: bool,
		reason: ReasonOf<T>,
	) -> DispatchResult {
		let (member_id, created) = (member.member_id(), member.info().created);
		let bond = member.update(|member| {
			member.set_governance_delete(enabled);
			Ok(member.info().bond)
		})?;
		Self::deposit_event(Event::GovernanceDeleteSet {
			member: member_id,
			created,
			enabled,
			bond,
			reason,
		});
		Ok(())
	}

	/// Deletes a member that has had no rows for long enough.
	pub(crate) fn do_delete_member<K: MemberKind<T>>(member: Member<T, K>) -> DispatchResult {
		ensure!(member.rows() == 0, K::NOT_EMPTY);
		ensure!(member.is_unbonded(), Error::<T>::UnbondingPeriodNotOver);
		let (id, space, created) = (member.member_id(), member.info().space, member.info().created);
		member.close(|_| Ok(()))?;
		Self::deposit_event(Event::MemberDeleted { member: id, space, created });
		T::Observer::on_member_deleted(id, created);
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
