// SPDX-License-Identifier: Apache-2.0
//! Deletion of whole members: the calls that start it, and `reap`.

mod queue;
mod subtree;

use content_fabric_primitives::MemberId;
use frame_support::{
	dispatch::{DispatchResultWithPostInfo, Pays, PostDispatchInfo, WithPostDispatchInfo},
	ensure,
	pallet_prelude::{DispatchResult, Get, Weight},
};
use sp_runtime::traits::Zero;
pub(crate) use subtree::ChildMap;

use crate::{
	members::{Member, MemberKind, Update},
	observer::Observer,
	BalanceOf, Config, Error, Event, Pallet, PurgeScope, ReasonOf, WeightInfo,
};

impl<T: Config> Pallet<T> {
	/// Deletes a member with all rows under it: settles its bond and deposits, closes it, and
	/// queues it. A member without rows is removed at once.
	pub(crate) fn do_governance_delete<K: MemberKind<T>>(
		member: Member<T, K>,
		slash: BalanceOf<T>,
		reason: ReasonOf<T>,
	) -> DispatchResult {
		let (id, created) = (member.member_id(), member.info().created);
		let (space, rows) = (member.info().space, member.rows());
		let take_slash = |member: &mut Update<T, K>| Ok((member.slash(slash), member.info().bond));
		let (amount, bond) = match rows {
			0 => member.close(take_slash)?,
			_ => Self::queue_purge(member, PurgeScope::Member, take_slash)?,
		};
		let event = Event::GovernanceDeleted { member: id, created, reason: reason.clone() };
		Self::deposit_event(event);
		if !slash.is_zero() {
			Self::deposit_event(Event::Slashed { member: id, created, amount, bond, reason });
		}
		Self::deposit_event(match rows {
			0 => Event::Purged { member: id, space, created },
			_ => Event::PurgeStarted { member: id, created, rows },
		});
		if !slash.is_zero() {
			T::Observer::on_slashed(id, created, amount);
		}
		if rows == 0 {
			T::Observer::on_member_purged(id, created, PurgeScope::Member);
		}
		Ok(())
	}

	/// Removes all rows under a member at the request of its root. The member stays.
	pub(crate) fn do_purge_member<K: MemberKind<T>>(member: Member<T, K>) -> DispatchResult {
		member.ensure_open()?;
		let (id, created, rows) = (member.member_id(), member.info().created, member.rows());
		ensure!(rows > 0, Error::<T>::NothingToPurge);
		Self::queue_purge(member, PurgeScope::Rows, |_| Ok(()))?;
		Self::deposit_event(Event::PurgeStarted { member: id, created, rows });
		Ok(())
	}

	/// Removes rows of a member that is being purged. Free of charge if enough of them were
	/// removed.
	pub(crate) fn do_reap(member: MemberId, limit: u32) -> DispatchResultWithPostInfo {
		let step = match limit {
			0 => Err(Error::<T>::EmptyBatch.into()),
			_ => Self::step(member, limit),
		};
		let step = step.map_err(|error| error.with_weight(T::WeightInfo::reap(0)))?;
		let free = step.removed.rows() >= step.rows_before.min(T::MinFreeReap::get());
		Ok(PostDispatchInfo {
			actual_weight: Some(step.weight::<T>()),
			pays_fee: if free { Pays::No } else { Pays::Yes },
		})
	}
}

/// Returns the weight of deleting a member, which is removed at once if it has no rows.
pub(crate) fn governance_delete_weight<T: Config>() -> Weight {
	T::WeightInfo::governance_delete()
		.saturating_add(T::Observer::slashed_weight())
		.saturating_add(T::Observer::member_purged_weight())
}

/// Returns the weight of removing at most this many rows one by one, which may be the last ones.
pub(crate) fn reap_weight<T: Config>(rows: u32) -> Weight {
	T::WeightInfo::reap(rows).saturating_add(T::Observer::member_purged_weight())
}
