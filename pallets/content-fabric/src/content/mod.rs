// SPDX-License-Identifier: Apache-2.0
//! Content objects and their versions.

mod version_commit;

use codec::MaxEncodedLen;
use content_fabric_identifiers::{ContentObjectId, Medallion, Muid, NodeId, TenantId, VersionId};
use frame_support::{
	dispatch::DispatchResultWithPostInfo,
	ensure,
	pallet_prelude::{DispatchResult, Weight},
	traits::Time,
};
use sp_runtime::{ArithmeticError, DispatchError};

use crate::{
	members::{row_deposit, Provider, Tenant, TenantKind, Update, ID_LEN},
	observer::{Notifications, ObservedVersion, Observer},
	types::AccountIdOf,
	BalanceOf, Config, ContentObjectInfo, ContentObjectInfoOf, ContentObjects, Error, Event, Nodes,
	Pallet, TenantRowCounts, VersionInfoOf, Versions, VersionsOf, WeightInfo,
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

	pub(crate) fn do_finalize_versions(
		(who, provider): (AccountIdOf<T>, Provider<T>),
		node: NodeId,
		tenant: TenantId,
		versions: VersionsOf<T, (ContentObjectId, VersionId)>,
	) -> DispatchResultWithPostInfo {
		let originator = provider.id;
		ensure!(!versions.is_empty(), Error::<T>::EmptyBatch);
		let tenant = Tenant::<T>::undeleted(tenant)?;
		tenant.ensure_open()?;
		// The operator may finalize what the node took in under its present medallion. An account
		// that manages the nodes may finalize what any of them took in since the provider was
		// created.
		let operated = Nodes::<T>::get(originator, node)
			.filter(|info| info.operator == who)
			.map(|info| info.medallion.get());
		let managed_since = provider.manages_nodes(&who).then_some(provider.info().created);
		ensure!(operated.is_some() || managed_since.is_some(), Error::<T>::NoPermission);
		let mut notifications = Notifications::<T, _>::none();
		for (object, version) in versions {
			let key = (tenant.id, object, version);
			let info = Self::version(key)?;
			let is_originator = (info.originator, info.node) == (originator, node)
				&& (operated == Some(info.muid.medallion())
					|| managed_since.is_some_and(|created| created < info.committed));
			ensure!(is_originator, Error::<T>::OriginatorMismatch);
			let (info, head_moved) = Self::finalize_version(key, info)?;
			let observed = observed::<T>(key, &info)?;
			notifications.push(|| (observed, head_moved));
		}
		for (version, head_moved) in notifications {
			T::Observer::on_version_finalized(&version);
			if head_moved {
				let ObservedVersion { tenant, object, version, .. } = version;
				T::Observer::on_head_moved(tenant, object, Some(version));
			}
		}
		Ok(Self::fee_of_operator(operated.is_some()))
	}

	/// Finalizes a version. Returns its row, and whether it became the head.
	fn finalize_version(
		key: VersionKey,
		mut info: VersionInfoOf<T>,
	) -> Result<(VersionInfoOf<T>, bool), DispatchError> {
		ensure!(info.finalized.is_none(), Error::<T>::VersionAlreadyFinalized);
		info.finalized = Some(T::Time::now().max(info.committed.timestamp() / MICROS));
		Versions::<T>::insert(key, &info);
		let (tenant, object, version) = key;
		let head_moved = info.set_head_on_finalize
			&& Self::mutate_content_object(tenant, object, |object| {
				let moves = may_become_head::<T>(object, &info);
				if moves {
					object.head_version = Some(version);
					object.head_since = info.committed;
				}
				Ok(moves)
			})?;
		Self::deposit_event(Event::VersionFinalized { tenant, object, version, head_moved });
		Ok((info, head_moved))
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
		let deleted = Self::remove_version(tenant, object, version)?;
		T::Observer::on_version_deleted(&deleted);
		Ok(())
	}

	/// Deletes a version even if it is the head, as governance may of a tenant that is frozen. The object keeps `head_since` and `head_set`, so an older commit cannot become the
	/// head.
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
		let deleted = Self::remove_version(tenant, object, version)?;
		if is_head {
			T::Observer::on_head_moved(id, object, None);
		}
		T::Observer::on_version_deleted(&deleted);
		Ok(())
	}

	fn remove_version(
		tenant: Tenant<T>,
		object: ContentObjectId,
		version: VersionId,
	) -> Result<ObservedVersion, DispatchError> {
		let id = tenant.id;
		let key = (id, object, version);
		let info = Self::version(key)?;
		let deleted = observed::<T>(key, &info)?;
		Self::mutate_content_object(id, object, |info| {
			info.version_count =
				info.version_count.checked_sub(1).ok_or(ArithmeticError::Underflow)?;
			Ok(())
		})?;
		tenant.update(|tenant| tenant.remove_row(versions, info.deposit))?;
		Versions::<T>::remove(key);
		Self::deposit_event(Event::VersionDeleted { tenant: id, object, version });
		Ok(deleted)
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

/// Returns a version as an observer receives it.
fn observed<T: Config>(
	(tenant, object, version): VersionKey,
	info: &VersionInfoOf<T>,
) -> Result<ObservedVersion, Error<T>> {
	Ok(ObservedVersion {
		tenant,
		object,
		version,
		size: info.size.0,
		provider: info.originator,
		node: info.node,
		medallion: Medallion::new(info.muid.medallion()).map_err(|_| Error::MedallionMismatch)?,
		finalized: info.finalized.is_some(),
	})
}

/// Returns the weight of committing this many versions.
pub(crate) fn commit_versions_weight<T: Config>(versions: u32) -> Weight {
	let observed = T::Observer::version_committed_weight().saturating_mul(versions.into());
	T::WeightInfo::commit_versions(versions).saturating_add(observed)
}

/// Returns the weight of finalizing this many versions, each of which may become a head.
pub(crate) fn finalize_versions_weight<T: Config>(versions: u32) -> Weight {
	let observed = T::Observer::version_finalized_weight()
		.saturating_add(T::Observer::head_moved_weight())
		.saturating_mul(versions.into());
	T::WeightInfo::finalize_versions(versions).saturating_add(observed)
}

/// Returns the deposit for an object's row, as large as it is when the object has a head.
fn content_object_deposit<T: Config>() -> BalanceOf<T> {
	row_deposit::<T>(&[ID_LEN, ID_LEN], ContentObjectInfoOf::<T>::max_encoded_len())
}

/// Returns the deposit for a version's row, as large as it is when the version is finalized.
fn version_deposit<T: Config>() -> BalanceOf<T> {
	row_deposit::<T>(&[ID_LEN, ID_LEN, VersionId::LEN], VersionInfoOf::<T>::max_encoded_len())
}
