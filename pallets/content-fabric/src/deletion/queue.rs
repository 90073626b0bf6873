// SPDX-License-Identifier: Apache-2.0
//! The deletion queue: purges that are under way, and the steps by which they proceed.

use content_fabric_primitives::MemberId;
use frame_support::{
	defensive, ensure,
	pallet_prelude::{DispatchError, Weight},
	storage::with_storage_layer,
	weights::WeightMeter,
};

use super::subtree::{remove_rows, rows_within, Removed};
use crate::{
	members::{by_kind, Member, MemberKind, ProviderKind, TenantKind, Update},
	observer::Observer,
	Config, DeletionQueue, DeletionQueueBounds, Error, Event, Pallet, Purge, PurgeScope, Purges,
	QueueBounds, RowCounts, WeightInfo,
};

/// A step of a purge.
pub(super) struct Step {
	/// Number of rows under the member before the step.
	pub rows_before: u32,
	pub removed: Removed,
	/// True if it was the last step.
	pub ended: bool,
}

impl Step {
	/// Returns the weight of a call to `reap` that takes this step.
	pub fn weight<T: Config>(&self) -> Weight {
		let observed = match self.ended {
			true => T::Observer::member_purged_weight(),
			false => Weight::zero(),
		};
		self.removed.weight::<T>().saturating_add(observed)
	}
}

impl<T: Config> Pallet<T> {
	/// Closes a member and puts it into the queue. A purge that is under way keeps its place.
	pub(super) fn queue_purge<K: MemberKind<T>, R>(
		member: Member<T, K>,
		scope: PurgeScope,
		change: impl FnOnce(&mut Update<T, K>) -> Result<R, DispatchError>,
	) -> Result<R, DispatchError> {
		let (id, rows, is_new) = (member.member_id(), member.rows(), member.info().purge.is_none());
		let result = member.update(|member| {
			let result = change(member)?;
			member.close_for_purge(scope);
			Ok(result)
		})?;
		if is_new {
			let place = DeletionQueueBounds::<T>::mutate(QueueBounds::next_place);
			let now = frame_system::Pallet::<T>::block_number();
			DeletionQueue::<T>::insert(place, id);
			let purge =
				Purge { started: now, place, rows, cursor: Default::default(), cursor_block: now };
			Purges::<T>::insert(id, purge);
		}
		Ok(result)
	}

	/// Removes at most `limit` rows of a member that is being purged, and ends the purge when none
	/// is left.
	pub(super) fn step(member: MemberId, limit: u32) -> Result<Step, DispatchError> {
		by_kind!(member, step_of(limit))
	}

	fn step_of<K: MemberKind<T>>(id: K::Id, limit: u32) -> Result<Step, DispatchError> {
		let member = Member::<T, K>::stored(id)?;
		let member_id = member.member_id();
		let (Some(scope), Some(mut purge)) = (member.info().purge, Purges::<T>::get(member_id))
		else {
			return Err(Error::<T>::NotBeingPurged.into());
		};
		let now = frame_system::Pallet::<T>::block_number();
		ensure!(purge.started < now, Error::<T>::PurgeNotStarted);

		let rows_before = member.rows();
		let mut counts = member.info().rows;
		let removed = remove_rows(&member, &mut counts, &mut purge, limit);
		let rows_left = counts.rows();
		let step = Step { rows_before, removed, ended: rows_left == 0 };
		let (space, created) = (member.info().space, member.info().created);
		Self::deposit_event(Event::PurgeProgressed {
			member: member_id,
			removed: removed.rows(),
			rows_left,
		});
		if !step.ended {
			Purges::<T>::insert(member_id, purge);
			member.update(|member| {
				member.set_rows(counts);
				Ok(())
			})?;
			return Ok(step);
		}
		DeletionQueue::<T>::remove(purge.place);
		Purges::<T>::remove(member_id);
		match scope {
			PurgeScope::Rows => member.update(|member| {
				member.set_rows(counts);
				member.end_purge();
				Ok(())
			})?,
			PurgeScope::Member => {
				member.remove()?;
				Self::deposit_event(Event::Purged { member: member_id, space, created });
			},
		}
		T::Observer::on_member_purged(member_id, created, scope);
		Ok(step)
	}

	/// Continues the purges in the order of the queue, as far as the weight allows.
	pub(crate) fn run_purges(meter: &mut WeightMeter) {
		let base = T::WeightInfo::on_idle_base();
		if meter.try_consume(base).is_err() || Self::ensure_migrated().is_err() {
			return;
		}
		let mut bounds = DeletionQueueBounds::<T>::get();
		let first = bounds.first;
		while bounds.first < bounds.next && meter.try_consume(base).is_ok() {
			// A place is empty if its purge ended before its turn.
			if let Some(member) = DeletionQueue::<T>::get(bounds.first) {
				let limit = rows_within::<T>(meter.remaining());
				if limit == 0 {
					break;
				}
				match with_storage_layer(|| Self::step(member, limit)) {
					Ok(step) => {
						meter.consume(step.weight::<T>());
						if !step.ended {
							break;
						}
					},
					// The purges behind it were started in this block, too.
					Err(error) if error == Error::<T>::PurgeNotStarted.into() => {
						meter.consume(T::WeightInfo::reap(0));
						break;
					},
					Err(error) => {
						meter.consume(T::WeightInfo::reap(limit));
						defensive!("a member in the queue cannot be purged", error);
						// The purges behind it must get their turn.
						DeletionQueue::<T>::remove(bounds.first);
					},
				}
			}
			bounds.first = bounds.first.saturating_add(1);
		}
		if bounds.first != first {
			// An observer may have queued another purge meanwhile.
			DeletionQueueBounds::<T>::mutate(|stored| stored.first = bounds.first);
		}
	}
}
