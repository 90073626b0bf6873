// SPDX-License-Identifier: Apache-2.0
//! Content objects and their versions.

mod copies;
mod version_commit;

use codec::{Compact, CompactLen, MaxEncodedLen};
use content_fabric_identifiers::{ContentObjectId, Muid, TenantId, VersionId};
pub(crate) use copies::{
	add_copies_weight, deleted_version_weight, finalize_versions_weight, remove_copies_weight,
};
use copies::{held_copies, notify_deleted};
use frame_support::{ensure, pallet_prelude::DispatchResult};
use sp_runtime::{ArithmeticError, DispatchError};
pub(crate) use version_commit::commit_versions_weight;

use crate::{
	members::{row_deposit, Tenant, TenantKind, Update, ID_LEN},
	observer::{Notifications, ObservedVersion, Observer},
	types::{len_u32, MomentOf},
	BalanceOf, Config, ContentObjectInfo, ContentObjectInfoOf, ContentObjects, CopiesOf, CopyOf,
	Error, Event, Pallet, TenantRowCounts, VersionInfoOf, Versions,
};

/// Microseconds in a millisecond.
const MICROS: u64 = 1_000;

/// The key of a version.
type VersionKey = (TenantId, ContentObjectId, VersionId);

fn content_objects(counts: &mut TenantRowCounts) -> &mut u32 {
	&mut counts.content_objects
}

fn versions(counts: &mut TenantRowCounts) -> &mut u32 {
	&mut counts.versions
}

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_content_object(
		tenant: Tenant<T>,
		object: ContentObjectId,
	) -> DispatchResult {
		let id = tenant.id;
		ensure!(
			!ContentObjects::<T>::contains_key(id, object),
			Error::<T>::ContentObjectAlreadyExists
		);
		let info = tenant.update(|tenant| {
			let created = Self::mint_muid()?;
			Self::add_content_object(tenant, object, created, created)
		})?;
		ContentObjects::<T>::insert(id, object, info);
		Ok(())
	}

	/// Counts a new content object. The caller writes its row.
	fn add_content_object(
		tenant: &mut Update<T, TenantKind>,
		object: ContentObjectId,
		created: Muid,
		head_set: Muid,
	) -> Result<ContentObjectInfoOf<T>, DispatchError> {
		let deposit = content_object_deposit::<T>();
		tenant.add_row(content_objects, deposit)?;
		Self::deposit_event(Event::ContentObjectCreated { tenant: tenant.id, object });
		Ok(ContentObjectInfo {
			head_version: None,
			head_since: created,
			head_set,
			version_count: 0,
			deposit,
			created,
		})
	}

	pub(crate) fn do_delete_content_object(
		tenant: Tenant<T>,
		object: ContentObjectId,
	) -> DispatchResult {
		let id = tenant.id;
		let info = Self::content_object(id, object)?;
		ensure!(info.version_count == 0, Error::<T>::ContentObjectNotEmpty);
		tenant.update(|tenant| tenant.remove_row(content_objects, info.deposit))?;
		ContentObjects::<T>::remove(id, object);
		Self::deposit_event(Event::ContentObjectDeleted { tenant: id, object });
		Ok(())
	}

	/// Makes a version final, because its first node holds the data. Returns whether it became the
	/// head. The caller writes the row of the version.
	fn finalize_version(
		(tenant, object, version): VersionKey,
		info: &mut VersionInfoOf<T>,
		now: MomentOf<T>,
	) -> Result<bool, DispatchError> {
		info.finalized = Some(now);
		let head_moved = info.set_head_on_finalize
			&& Self::mutate_content_object(tenant, object, |object| {
				let moves = may_become_head::<T>(object, info);
				if moves {
					object.head_version = Some(version);
					object.head_since = info.committed;
				}
				Ok(moves)
			})?;
		Self::deposit_event(Event::VersionFinalized { tenant, object, version, head_moved });
		Ok(head_moved)
	}

	pub(crate) fn do_set_head_version(
		tenant: Tenant<T>,
		object: ContentObjectId,
		version: Option<VersionId>,
	) -> DispatchResult {
		let tenant = tenant.id;
		Self::mutate_content_object(tenant, object, |info| {
			if let Some(version) = version {
				let version = Self::version((tenant, object, version))?;
				ensure!(version.finalized.is_some(), Error::<T>::VersionNotFinalized);
				info.head_since = version.committed;
			}
			info.head_version = version;
			info.head_set = Self::mint_muid()?;
			Ok(())
		})?;
		Self::deposit_event(Event::HeadVersionSet { tenant, object, version });
		T::Observer::on_head_moved(tenant, object, version);
		Ok(())
	}

	pub(crate) fn do_delete_version(
		tenant: Tenant<T>,
		object: ContentObjectId,
		version: VersionId,
	) -> DispatchResult {
		let head = Self::content_object(tenant.id, object)?.head_version;
		ensure!(head != Some(version), Error::<T>::VersionIsHead);
		let key = (tenant.id, object, version);
		let copies = Self::remove_version(tenant, object, version)?;
		notify_deleted::<T>(key, copies);
		Ok(())
	}

	/// Deletes a version even if it is the head, as governance may of a tenant that is frozen. The
	/// object keeps `head_since` and `head_set`, so an older commit cannot become the head.
	pub(crate) fn do_governance_delete_version(
		tenant: Tenant<T>,
		object: ContentObjectId,
		version: VersionId,
	) -> DispatchResult {
		let id = tenant.id;
		let is_head = Self::content_object(id, object)?.head_version == Some(version);
		if is_head {
			Self::mutate_content_object(id, object, |info| {
				info.head_version = None;
				Ok(())
			})?;
			Self::deposit_event(Event::HeadVersionSet { tenant: id, object, version: None });
		}
		let copies = Self::remove_version(tenant, object, version)?;
		if is_head {
			T::Observer::on_head_moved(id, object, None);
		}
		notify_deleted::<T>((id, object, version), copies);
		Ok(())
	}

	/// Removes a version. Returns the notifications of its copies.
	fn remove_version(
		tenant: Tenant<T>,
		object: ContentObjectId,
		version: VersionId,
	) -> Result<Notifications<T, ObservedVersion>, DispatchError> {
		let id = tenant.id;
		let key = (id, object, version);
		let info = Self::version(key)?;
		let copies = held_copies::<T>(key, &info);
		Self::mutate_content_object(id, object, |info| {
			info.version_count =
				info.version_count.checked_sub(1).ok_or(ArithmeticError::Underflow)?;
			Ok(())
		})?;
		tenant.update(|tenant| tenant.remove_row(versions, info.deposit))?;
		Versions::<T>::remove(key);
		Self::deposit_event(Event::VersionDeleted { tenant: id, object, version });
		Ok(copies)
	}

	fn content_object(
		tenant: TenantId,
		object: ContentObjectId,
	) -> Result<ContentObjectInfoOf<T>, Error<T>> {
		ContentObjects::<T>::get(tenant, object).ok_or(Error::ContentObjectNotFound)
	}

	fn version(key: VersionKey) -> Result<VersionInfoOf<T>, Error<T>> {
		Versions::<T>::get(key).ok_or(Error::VersionNotFound)
	}

	fn mutate_content_object<R>(
		tenant: TenantId,
		object: ContentObjectId,
		change: impl FnOnce(&mut ContentObjectInfoOf<T>) -> Result<R, DispatchError>,
	) -> Result<R, DispatchError> {
		ContentObjects::<T>::try_mutate(tenant, object, |info| {
			change(info.as_mut().ok_or(Error::<T>::ContentObjectNotFound)?)
		})
	}
}

/// Returns whether a version that is finalized now may become the head: only if it was committed
/// after the head, and after the tenant's last decision about it.
///
/// A provider may hold back a signed commit, so the commit must also have been drafted after that
/// decision. If the tenant has not decided since the object was created, the same millisecond is
/// enough: the chain's clock may be ahead of the block by some microseconds.
fn may_become_head<T: Config>(object: &ContentObjectInfoOf<T>, version: &VersionInfoOf<T>) -> bool {
	let (drafted, decided) = (version.muid.timestamp(), object.head_set.timestamp());
	let is_undecided = object.head_set <= object.created;
	let is_of_now = drafted > decided || (is_undecided && drafted / MICROS == decided / MICROS);
	is_of_now && version.committed > object.head_since && version.committed > object.head_set
}

/// Returns the deposit for an object's row, as large as it is when the object has a head.
fn content_object_deposit<T: Config>() -> BalanceOf<T> {
	row_deposit::<T>(&[ID_LEN, ID_LEN], ContentObjectInfoOf::<T>::max_encoded_len())
}

/// Returns the deposit for a version's row with this many copies, as large as it is when the version
/// is final and every copy is held.
fn version_deposit<T: Config>(copies: usize) -> BalanceOf<T> {
	let len = Compact::<u32>::compact_len(&len_u32(copies))
		.saturating_add(copies.saturating_mul(CopyOf::<T>::max_encoded_len()));
	let rest =
		VersionInfoOf::<T>::max_encoded_len().saturating_sub(CopiesOf::<T>::max_encoded_len());
	row_deposit::<T>(&[ID_LEN, ID_LEN, VersionId::LEN], rest.saturating_add(len))
}
