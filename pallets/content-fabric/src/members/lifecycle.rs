//! From the creation of a member to its end: what is done alike for providers and tenants.

use content_fabric_identifiers::SpaceId;
use frame_support::{ensure, pallet_prelude::DispatchResult};

use super::{Member, MemberKind};
use crate::{
	AdmissionPolicy, BalanceOf, Config, Error, Event, MemberInfoOf, Pallet, Providers, Subject,
	Tenants,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_member<K: MemberKind<T>>(
		root: T::AccountId,
		space: SpaceId,
		id: K::Id,
	) -> DispatchResult {
		Member::<T, K>::ensure_vacant(id)?;
		let mut info = Self::space(space)?;
		if info.rules.admission == AdmissionPolicy::Approval {
			let admitted = Self::take_admission(space, &mut info, &root, K::ROLE)?;
			ensure!(admitted, Error::<T>::NotAdmitted);
		}
		Member::<T, K>::create(space, info, id, root.clone())?;
		Self::deposit_event(K::created(id, space, root));
		Ok(())
	}

	pub(crate) fn do_top_up_bond<K: MemberKind<T>>(
		who: T::AccountId,
		mut member: Member<T, K>,
		amount: BalanceOf<T>,
	) -> DispatchResult {
		member.top_up(who, amount)?;
		Self::deposit_event(K::bond_topped_up(member.id, amount, member.info.bond));
		member.save();
		Ok(())
	}

	pub(crate) fn do_slash<K: MemberKind<T>>(
		mut member: Member<T, K>,
		amount: BalanceOf<T>,
	) -> DispatchResult {
		let slashed = member.slash(amount);
		Self::deposit_event(K::slashed(member.id, slashed));
		member.save();
		Ok(())
	}

	pub(crate) fn do_set_root<K: MemberKind<T>>(
		mut member: Member<T, K>,
		root: T::AccountId,
	) -> DispatchResult {
		member.info.root = root.clone();
		Self::deposit_event(K::root_set(member.id, root));
		member.save();
		Ok(())
	}

	pub(crate) fn do_set_key<K: MemberKind<T>>(
		who: &T::AccountId,
		member: Member<T, K>,
		account: T::AccountId,
		level: Option<K::Level>,
	) -> DispatchResult {
		let id = member.id;
		member.set_key(who, &account, level)?;
		Self::deposit_event(K::key_set(id, account, level));
		Ok(())
	}

	pub(crate) fn do_set_governance_delete<K: MemberKind<T>>(
		mut member: Member<T, K>,
		enabled: bool,
	) -> DispatchResult {
		member.info.governance_delete = enabled;
		let subject = K::subject(member.id);
		Self::deposit_event(Event::GovernanceDeleteSet { subject, enabled });
		member.save();
		Ok(())
	}

	/// Deletes a member that has no rows under it.
	pub(crate) fn do_delete_member<K: MemberKind<T>>(mut member: Member<T, K>) -> DispatchResult {
		member.ensure_empty()?;
		member.settle();
		Self::deposit_event(K::deleted(member.id, 0));
		member.remove()
	}

	/// A member, be it being deleted or not.
	pub(crate) fn member_info(subject: Subject) -> Option<MemberInfoOf<T>> {
		match subject {
			Subject::Provider(id) => Providers::<T>::get(id),
			Subject::Tenant(id) => Tenants::<T>::get(id),
		}
	}
}
