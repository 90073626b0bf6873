// SPDX-License-Identifier: Apache-2.0
//! The copies of versions: of the nodes that hold their data, and of those that were asked to.

use content_fabric_identifiers::{
	ContentObjectId, Medallion, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use frame_support::{
	dispatch::DispatchResultWithPostInfo,
	ensure,
	pallet_prelude::{DispatchResult, Get, Weight},
	traits::Time,
};
use sp_runtime::DispatchError;

use super::{version_deposit, VersionKey, MICROS};
use crate::{
	members::{Provider, Tenant, TenantKind, Update},
	observer::{Notifications, ObservedVersion, Observer},
	types::AccountIdOf,
	Config, Copy, CopyOf, Error, Event, NodeInfoOf, Nodes, Pallet, TenantLevel, VersionInfoOf,
	Versions, VersionsOf, WeightInfo,
};

/// A node with its provider.
type Place = (ProviderId, NodeId);

impl<T: Config> Pallet<T> {
	/// Returns whether a copy counts: its node holds the data, still exists, and belongs to a
	/// provider whose rows are not being removed. A final version without such a copy is lost.
	pub fn copy_counts(copy: &CopyOf<T>) -> bool {
		let present = Provider::<T>::unpurged(copy.provider)
			.and_then(|_| Nodes::<T>::get(copy.provider, copy.node))
			.map(|info| info.medallion);
		copy.counts(present)
	}

	/// Returns the copy of a node that a tenant of this space asks to hold data. Whether its
	/// provider is open and bonded is checked when the node holds the data.
	pub(super) fn asked_copy(
		space: SpaceId,
		(provider, node): Place,
	) -> Result<CopyOf<T>, DispatchError> {
		let provider = Provider::<T>::undeleted(provider)?;
		provider.ensure_not_purging()?;
		ensure!(provider.info().space == space, Error::<T>::SpaceMismatch);
		let info = Self::node(provider.id, node)?;
		ensure!(!info.pending, Error::<T>::NodePending);
		Ok(new_copy::<T>((provider.id, node), &info))
	}

	pub(crate) fn do_finalize_versions(
		(who, provider): (AccountIdOf<T>, Provider<T>),
		node: NodeId,
		tenant: TenantId,
		versions: VersionsOf<T, (ContentObjectId, VersionId)>,
	) -> DispatchResultWithPostInfo {
		ensure!(!versions.is_empty(), Error::<T>::EmptyBatch);
		let holder = Self::node_for(&provider, &who, node)?;
		provider.ensure_bonded()?;
		let tenant = Tenant::<T>::undeleted(tenant)?;
		tenant.ensure_open()?;
		let (place, now) = ((provider.id, node), T::Time::now());
		let mut is_first_of_all = true;
		let mut notifications = Notifications::<T, _>::none();
		for (object, version) in versions {
			let key = (tenant.id, object, version);
			let mut info = Self::version(key)?;
			let committed = info.committed.timestamp();
			let copy = copy_of::<T>(&mut info, place, Some(holder.medallion))?;
			ensure!(copy.held.is_none(), Error::<T>::CopyAlreadyHeld);
			// The chain's clock may be ahead of the block by some microseconds.
			let held = now.max(committed / MICROS);
			copy.held = Some(held);
			let copy = *copy;
			let (tenant, provider) = (tenant.id, provider.id);
			Self::deposit_event(Event::CopyHeld { tenant, object, version, provider, node });
			let is_first = info.finalized.is_none();
			let head_moved = is_first && Self::finalize_version(key, &mut info, held)?;
			Versions::<T>::insert(key, &info);
			is_first_of_all &= is_first;
			notifications.push(|| (observed::<T>(key, &info, &copy), is_first, head_moved));
		}
		for (version, is_first, head_moved) in notifications {
			T::Observer::on_copy_held(&version);
			if is_first {
				T::Observer::on_version_finalized(&version);
			}
			if head_moved {
				let ObservedVersion { tenant, object, version, .. } = version;
				T::Observer::on_head_moved(tenant, object, Some(version));
			}
		}
		// Somebody has paid for the commit of each version, so its first finalization can be free,
		// and no other one: copies are removed and added again.
		Ok(Self::fee_of_operator(is_first_of_all && holder.operator == who))
	}

	pub(crate) fn do_add_copies(
		tenant: Tenant<T>,
		place: Place,
		versions: VersionsOf<T, (ContentObjectId, VersionId)>,
	) -> DispatchResult {
		ensure!(!versions.is_empty(), Error::<T>::EmptyBatch);
		let id = tenant.id;
		let added = Self::asked_copy(tenant.info().space, place)?;
		let mut notifications = Notifications::<T, _>::none();
		tenant.update(|tenant| {
			for (object, version) in versions {
				let key = (id, object, version);
				let mut info = Self::version(key)?;
				match info.copies.iter_mut().find(|copy| place_of::<T>(copy) == place) {
					Some(copy) => {
						let is_present = copy.is_of(Some(added.medallion));
						ensure!(!is_present, Error::<T>::CopyAlreadyExists);
						let former = core::mem::replace(copy, added);
						notify_removed(&mut notifications, key, &info, &former);
					},
					None => {
						info.copies.try_push(added).map_err(|_| Error::<T>::TooManyCopies)?;
					},
				}
				let deposit = version_deposit::<T>(info.copies.len());
				reprice_version(tenant, key, info, deposit)?;
				let (tenant, (provider, node)) = (id, place);
				Self::deposit_event(Event::CopyAdded { tenant, object, version, provider, node });
			}
			Ok(())
		})?;
		notifications.into_iter().for_each(|version| T::Observer::on_copy_removed(&version));
		Ok(())
	}

	pub(crate) fn do_remove_copies(
		(who, tenant): (AccountIdOf<T>, Tenant<T>),
		place: Place,
		versions: VersionsOf<T, (ContentObjectId, VersionId)>,
	) -> DispatchResult {
		ensure!(!versions.is_empty(), Error::<T>::EmptyBatch);
		let (id, (provider, node)) = (tenant.id, place);
		let by_tenant = tenant.level(&who).is_some_and(TenantLevel::can_manage_content);
		let own = match by_tenant {
			true => None,
			false => {
				let provider = Provider::<T>::undeleted(provider)?;
				provider.ensure_open()?;
				Some(Self::node_for(&provider, &who, node)?.medallion)
			},
		};
		let mut notifications = Notifications::<T, _>::none();
		tenant.update(|tenant| {
			for (object, version) in versions {
				let key = (id, object, version);
				let mut info = Self::version(key)?;
				let removed = *copy_of::<T>(&mut info, place, own)?;
				info.copies.retain(|copy| place_of::<T>(copy) != place);
				notify_removed(&mut notifications, key, &info, &removed);
				let deposit = version_deposit::<T>(info.copies.len());
				// Rates that have risen must not keep a node from removing its copy.
				let deposit = if by_tenant { deposit } else { deposit.min(info.deposit) };
				reprice_version(tenant, key, info, deposit)?;
				let tenant = id;
				Self::deposit_event(Event::CopyRemoved { tenant, object, version, provider, node });
			}
			Ok(())
		})?;
		notifications.into_iter().for_each(|version| T::Observer::on_copy_removed(&version));
		Ok(())
	}
}

/// Returns the copy of a node that is asked now.
pub(super) fn new_copy<T: Config>((provider, node): Place, info: &NodeInfoOf<T>) -> CopyOf<T> {
	Copy { provider, node, medallion: info.medallion, held: None }
}

/// Returns the node of a copy.
pub(super) fn place_of<T: Config>(copy: &CopyOf<T>) -> Place {
	(copy.provider, copy.node)
}

/// Returns the copy that a version has of a node: with this medallion, or with any.
fn copy_of<T: Config>(
	info: &mut VersionInfoOf<T>,
	place: Place,
	medallion: Option<Medallion>,
) -> Result<&mut CopyOf<T>, Error<T>> {
	let copy = info.copies.iter_mut().find(|copy| place_of::<T>(copy) == place);
	copy.filter(|copy| medallion.is_none() || copy.is_of(medallion)).ok_or(Error::CopyNotFound)
}

/// Writes a version with another deposit.
fn reprice_version<T: Config>(
	tenant: &mut Update<T, TenantKind>,
	key: VersionKey,
	info: VersionInfoOf<T>,
	deposit: crate::BalanceOf<T>,
) -> DispatchResult {
	tenant.reprice_row(info.deposit, deposit)?;
	Versions::<T>::insert(key, VersionInfoOf::<T> { deposit, ..info });
	Ok(())
}

/// Returns a version as an observer receives it, with the node of one of its copies.
fn observed<T: Config>(
	(tenant, object, version): VersionKey,
	info: &VersionInfoOf<T>,
	copy: &CopyOf<T>,
) -> ObservedVersion {
	ObservedVersion {
		tenant,
		object,
		version,
		size: info.size.0,
		provider: copy.provider,
		node: copy.node,
		medallion: copy.medallion,
		finalized: info.finalized.is_some(),
	}
}

/// Adds the notification that a node no longer holds a version, if it did.
fn notify_removed<T: Config>(
	notifications: &mut Notifications<T, ObservedVersion>,
	key: VersionKey,
	info: &VersionInfoOf<T>,
	removed: &CopyOf<T>,
) {
	if removed.held.is_some() {
		notifications.push(|| observed::<T>(key, info, removed));
	}
}

/// Returns the notifications that nodes no longer hold a version which is being deleted.
pub(super) fn held_copies<T: Config>(
	key: VersionKey,
	info: &VersionInfoOf<T>,
) -> Notifications<T, ObservedVersion> {
	let mut notifications = Notifications::none();
	info.copies.iter().for_each(|copy| notify_removed(&mut notifications, key, info, copy));
	notifications
}

/// Notifies the observer of a version that was deleted, after its copies.
pub(super) fn notify_deleted<T: Config>(
	(tenant, object, version): VersionKey,
	copies: Notifications<T, ObservedVersion>,
) {
	copies.into_iter().for_each(|version| T::Observer::on_copy_removed(&version));
	T::Observer::on_version_deleted(tenant, object, version);
}

/// Returns the weight of the notifications of a version that is deleted.
pub(crate) fn deleted_version_weight<T: Config>() -> Weight {
	let copies = T::Observer::copy_removed_weight().saturating_mul(T::MaxCopies::get().into());
	T::Observer::version_deleted_weight().saturating_add(copies)
}

/// Returns the weight of a node holding this many versions, each of which may become final and a
/// head.
pub(crate) fn finalize_versions_weight<T: Config>(versions: u32) -> Weight {
	let observed = T::Observer::copy_held_weight()
		.saturating_add(T::Observer::version_finalized_weight())
		.saturating_add(T::Observer::head_moved_weight())
		.saturating_mul(versions.into());
	T::WeightInfo::finalize_versions(versions).saturating_add(observed)
}

/// Returns the weight of adding a copy to this many versions, each in place of an earlier one.
pub(crate) fn add_copies_weight<T: Config>(versions: u32) -> Weight {
	let observed = T::Observer::copy_removed_weight().saturating_mul(versions.into());
	T::WeightInfo::add_copies(versions).saturating_add(observed)
}

/// Returns the weight of removing a copy of this many versions.
pub(crate) fn remove_copies_weight<T: Config>(versions: u32) -> Weight {
	let observed = T::Observer::copy_removed_weight().saturating_mul(versions.into());
	T::WeightInfo::remove_copies(versions).saturating_add(observed)
}
