//! Deletion by governance: of a whole provider or tenancy by one call, or of single children under
//! the flag.
//!
//! What the call may remove at once it removes by key prefix, which is a little cheaper. That cannot
//! be stopped at a number of rows: its limit knows nothing of rows written in the same block, and a
//! second time in a block it meets those that the first time removed. So what is more than the call
//! may remove is removed in steps, key by key, where every count is exact. A step goes on from the
//! key that the one before removed last.
//!
//! What a block has removed stays in its way until its end: whoever walks the same prefix again looks
//! past every key, which no weight has. So a subtree goes once in a block: who is created with an id
//! whose rows went in the same block, and deleted again, goes in later blocks. Single rows that calls
//! have removed are looked past once, which their own weights outweigh by far.

use alloc::vec::Vec;

use content_fabric_identifiers::{ContentObjectId, VersionId};
use frame_support::{
	defensive,
	dispatch::{DispatchResultWithPostInfo, Pays, PostDispatchInfo, WithPostDispatchInfo},
	pallet_prelude::{DispatchError, DispatchResult, Weight},
	storage::{with_storage_layer, KeyPrefixIterator},
	traits::Defensive,
	weights::WeightMeter,
};
use frame_system::pallet_prelude::BlockNumberFor;
use sp_runtime::traits::Zero;

use crate::{
	members::{Member, MemberKind, ProviderKind, Tenant, TenantKind},
	BalanceOf, Collections, Config, ContentObjects, Deletion, DeletionOf, DeletionProgress,
	DeletionQueue, DeletionQueueBounds, DeletionStage, Deletions, DeletionsInBlock, Error, Kmses,
	Nodes, Pallet, ProviderKeys, RecentDeletions, Records, Subject, TenantKeys, Versions,
	WeightInfo,
};

/// What a step has done.
struct Step {
	/// The number of rows that it removed.
	removed: u32,
	/// Whether none is left.
	ended: bool,
}

impl<T: Config> Pallet<T> {
	/// Deletes one version, be it the head or not.
	pub(crate) fn do_governance_delete_version(
		tenant: Tenant<T>,
		object: ContentObjectId,
		version: VersionId,
	) -> DispatchResult {
		if Self::content_object(tenant.id, object)?.head_version == Some(version) {
			Self::set_head(tenant.id, object, None)?;
		}
		Self::do_delete_version(tenant, object, version)
	}

	/// Deletes a member with all rows under it: at once if there are no more than `max_rows`, or in
	/// steps from here on.
	pub(crate) fn do_governance_delete<K: MemberKind<T>>(
		mut member: Member<T, K>,
		slash: BalanceOf<T>,
		max_rows: u32,
	) -> DispatchResultWithPostInfo {
		let (id, rows) = (member.id, member.info.rows);
		let slashed = member.slash(slash);
		if !slashed.is_zero() {
			Self::deposit_event(K::slashed(id, slashed));
		}
		member.settle();
		let waits = rows > 0 && Self::was_deleted_in_this_block(K::subject(id));
		if waits || rows > max_rows {
			Self::start_deletion(member);
			Self::deposit_event(K::deletion_started(id, rows));
			return Ok(Some(T::WeightInfo::start_deletion()).into());
		}
		if rows > 0 {
			clear_subtree::<T>(K::subject(id));
			Self::note_deletion(K::subject(id));
		}
		member.remove()?;
		Self::deposit_event(K::deleted(id, rows));
		Ok(Some(K::deletion_weight(rows)).into())
	}

	pub(crate) fn do_reap(subject: Subject, limit: u32) -> DispatchResultWithPostInfo {
		let Step { removed, .. } = Self::step(subject, limit)
			.map_err(|error| error.with_weight(T::WeightInfo::reap(0)))?;
		Ok(PostDispatchInfo {
			actual_weight: Some(T::WeightInfo::reap(removed)),
			pays_fee: if removed > 0 { Pays::No } else { Pays::Yes },
		})
	}

	/// Goes on with the deletions that wait, in their order, as far as the weight allows.
	pub(crate) fn drive_deletions(meter: &mut WeightMeter) {
		if meter.try_consume(T::WeightInfo::on_idle_base()).is_err() {
			return;
		}
		let mut bounds = DeletionQueueBounds::<T>::get();
		let first = bounds.first;
		while bounds.first < bounds.next && meter.try_consume(T::WeightInfo::on_idle_base()).is_ok()
		{
			// A place is empty if its deletion has come to its end ahead of its turn.
			if let Some(subject) = DeletionQueue::<T>::get(bounds.first) {
				let limit = rows_within::<T>(meter.remaining());
				if limit == 0 {
					break;
				}
				match with_storage_layer(|| Self::step(subject, limit)) {
					Ok(Step { removed, ended }) => {
						meter.consume(T::WeightInfo::reap(removed));
						if !ended {
							break;
						}
					},
					Err(error) => {
						// Must not keep those behind it from their turn.
						meter.consume(T::WeightInfo::reap(limit));
						defensive!("a member in the queue can be deleted", error);
						DeletionQueue::<T>::remove(bounds.first);
					},
				}
			}
			bounds.first += 1;
		}
		if bounds.first != first {
			DeletionQueueBounds::<T>::put(bounds);
		}
	}

	/// How far a deletion that takes several steps has come.
	pub(crate) fn progress(subject: Subject) -> Option<DeletionProgress> {
		let deletion = Deletions::<T>::get(subject)?;
		Some(DeletionProgress {
			rows: deletion.rows,
			rows_left: Self::member_info(subject)?.rows,
			stage: deletion.stage,
			places_before: deletion.place.saturating_sub(DeletionQueueBounds::<T>::get().first),
		})
	}

	/// The deletions of this block so far.
	fn deletions_in_this_block() -> DeletionsInBlock<BlockNumberFor<T>> {
		let block = frame_system::Pallet::<T>::block_number();
		RecentDeletions::<T>::get()
			.filter(|recent| recent.block == block)
			.unwrap_or(DeletionsInBlock { block, subjects: Default::default() })
	}

	/// Whether the subtree of an id has gone in this block, or too many have for that to be known.
	fn was_deleted_in_this_block(subject: Subject) -> bool {
		let subjects = Self::deletions_in_this_block().subjects;
		subjects.is_full() || subjects.contains(&subject)
	}

	fn note_deletion(subject: Subject) {
		let mut recent = Self::deletions_in_this_block();
		// Where there is no room, every id counts as gone.
		if recent.subjects.try_push(subject).is_ok() {
			RecentDeletions::<T>::put(recent);
		}
	}

	/// Puts a member whose bond and deposits are settled into the queue.
	fn start_deletion<K: MemberKind<T>>(mut member: Member<T, K>) {
		let subject = K::subject(member.id);
		let place = DeletionQueueBounds::<T>::mutate(|bounds| {
			bounds.next += 1;
			bounds.next - 1
		});
		DeletionQueue::<T>::insert(place, subject);
		let (rows, stage) = (member.info.rows, DeletionStage::first(subject));
		let started = frame_system::Pallet::<T>::block_number();
		let deletion = Deletion { started, place, rows, stage, cursor: Default::default() };
		Deletions::<T>::insert(subject, deletion);
		member.info.being_deleted = true;
		member.save();
	}

	/// Removes at most so many rows of a member that is being deleted, and the member itself when none
	/// is left.
	fn step(subject: Subject, limit: u32) -> Result<Step, DispatchError> {
		match subject {
			Subject::Provider(id) => Self::step_of::<ProviderKind>(id, limit),
			Subject::Tenant(id) => Self::step_of::<TenantKind>(id, limit),
		}
	}

	fn step_of<K: MemberKind<T>>(id: K::Id, limit: u32) -> Result<Step, DispatchError> {
		let subject = K::subject(id);
		let mut member = Member::<T, K>::being_deleted(id)?;
		let mut deletion = Deletions::<T>::get(subject).ok_or(Error::<T>::NotBeingDeleted)?;
		let just_started = deletion.started == frame_system::Pallet::<T>::block_number();
		if just_started && Self::was_deleted_in_this_block(subject) {
			return Ok(Step { removed: 0, ended: false });
		}
		let limit = limit.min(member.info.rows);
		let mut removed = 0;
		let ended = loop {
			removed += clear_some::<T>(subject, &mut deletion, limit - removed);
			if removed == limit {
				break removed == member.info.rows;
			}
			let Some(stage) = deletion.stage.next() else {
				defensive!("a member has counted more rows than are under it");
				break true;
			};
			(deletion.stage, deletion.cursor) = (stage, Default::default());
		};
		member.info.rows -= removed;
		if ended {
			DeletionQueue::<T>::remove(deletion.place);
			Deletions::<T>::remove(subject);
			Self::note_deletion(subject);
			member.remove()?;
			Self::deposit_event(K::deleted(id, deletion.rows));
		} else {
			Deletions::<T>::insert(subject, deletion);
			member.save();
		}
		Ok(Step { removed, ended })
	}
}

/// Removes all rows under a member, by key prefix.
fn clear_subtree<T: Config>(subject: Subject) {
	let all = u32::MAX;
	let cleared = |cursor: Option<Vec<u8>>| {
		debug_assert!(cursor.is_none(), "without a limit no row is left");
	};
	match subject {
		Subject::Provider(id) => {
			cleared(Nodes::<T>::clear_prefix(id, all, None).maybe_cursor);
			cleared(ProviderKeys::<T>::clear_prefix(id, all, None).maybe_cursor);
		},
		Subject::Tenant(id) => {
			cleared(Records::<T>::clear_prefix((id,), all, None).maybe_cursor);
			cleared(Collections::<T>::clear_prefix(id, all, None).maybe_cursor);
			cleared(Versions::<T>::clear_prefix((id,), all, None).maybe_cursor);
			cleared(ContentObjects::<T>::clear_prefix(id, all, None).maybe_cursor);
			cleared(Kmses::<T>::clear_prefix(id, all, None).maybe_cursor);
			cleared(TenantKeys::<T>::clear_prefix(id, all, None).maybe_cursor);
		},
	}
}

/// Removes at most so many rows of the map that a deletion has come to, and moves its cursor. Returns
/// the number of rows, which is less than the limit only if no more are left.
fn clear_some<T: Config>(subject: Subject, deletion: &mut DeletionOf<T>, limit: u32) -> u32 {
	let prefix = prefix_of::<T>(subject, deletion.stage);
	let previous = match deletion.cursor.is_empty() {
		true => prefix.clone(),
		false => core::mem::take(&mut deletion.cursor).into_inner(),
	};
	let mut rows = KeyPrefixIterator::<()>::new(prefix, previous, |_| Ok(())).drain();
	let removed = (0..limit).map_while(|_| rows.next()).count() as u32;
	// No key is longer, as the integrity test sees to; without a cursor the next step would still be
	// right, but slower.
	deletion.cursor = rows.last_raw_key().to_vec().try_into().defensive_unwrap_or_default();
	removed
}

/// What the storage keys of the rows under a member in one of the maps begin with.
fn prefix_of<T: Config>(subject: Subject, stage: DeletionStage) -> Vec<u8> {
	use DeletionStage as Stage;
	match (subject, stage) {
		(Subject::Provider(id), Stage::Nodes) => Nodes::<T>::iter_key_prefix(id).prefix().to_vec(),
		(Subject::Provider(id), _) => ProviderKeys::<T>::iter_key_prefix(id).prefix().to_vec(),
		(Subject::Tenant(id), Stage::Records) => {
			Records::<T>::iter_key_prefix((id,)).prefix().to_vec()
		},
		(Subject::Tenant(id), Stage::Collections) => {
			Collections::<T>::iter_key_prefix(id).prefix().to_vec()
		},
		(Subject::Tenant(id), Stage::Versions) => {
			Versions::<T>::iter_key_prefix((id,)).prefix().to_vec()
		},
		(Subject::Tenant(id), Stage::ContentObjects) => {
			ContentObjects::<T>::iter_key_prefix(id).prefix().to_vec()
		},
		(Subject::Tenant(id), Stage::Kmses) => Kmses::<T>::iter_key_prefix(id).prefix().to_vec(),
		(Subject::Tenant(id), _) => TenantKeys::<T>::iter_key_prefix(id).prefix().to_vec(),
	}
}

/// The most rows that a step of this weight may remove.
fn rows_within<T: Config>(weight: Weight) -> u32 {
	let base = T::WeightInfo::reap(0);
	let row = T::WeightInfo::reap(1).saturating_sub(base);
	let rows = weight.checked_sub(&base).and_then(|rest| rest.checked_div_per_component(&row));
	u32::try_from(rows.unwrap_or(0)).unwrap_or(u32::MAX)
}
