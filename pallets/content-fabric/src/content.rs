//! Content objects and their versions.

use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};
use frame_support::{ensure, pallet_prelude::DispatchResult, traits::Time};
use sp_runtime::{ArithmeticError, DispatchError};

use crate::{
	members::{Provider, Tenant},
	Config, ContentObjectInfo, ContentObjects, Error, Event, Kmses, Nodes, Pallet, ProviderLevel,
	VersionCommitMessage, VersionInfo, Versions,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_content_object(
		tenant: Tenant<T>,
		object: ContentObjectId,
	) -> DispatchResult {
		ensure!(
			!ContentObjects::<T>::contains_key(tenant.id, object),
			Error::<T>::ContentObjectAlreadyExists
		);
		let info =
			ContentObjectInfo { head_version: None, version_count: 0, created: Self::mint_muid()? };
		ContentObjects::<T>::insert(tenant.id, object, info);
		let event = Event::ContentObjectCreated { tenant: tenant.id, object };
		tenant.add_row()?;
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn do_delete_content_object(
		tenant: Tenant<T>,
		object: ContentObjectId,
	) -> DispatchResult {
		let info = Self::content_object(tenant.id, object)?;
		ensure!(info.version_count == 0, Error::<T>::ContentObjectNotEmpty);
		ContentObjects::<T>::remove(tenant.id, object);
		let event = Event::ContentObjectDeleted { tenant: tenant.id, object };
		tenant.remove_row()?;
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn do_commit_version(
		tenant: Tenant<T>,
		message: VersionCommitMessage,
	) -> DispatchResult {
		let VersionCommitMessage {
			originator,
			node,
			tenant: _,
			object,
			version,
			size,
			set_head_on_finalize,
			kms,
		} = message;
		let provider = Provider::<T>::active(originator)?;
		ensure!(provider.info.space == tenant.info.space, Error::<T>::SpaceMismatch);
		let node_info = Nodes::<T>::get(originator, node).ok_or(Error::<T>::NodeNotFound)?;
		ensure!(!node_info.pending, Error::<T>::NodePending);
		ensure!(Kmses::<T>::contains_key(tenant.id, kms), Error::<T>::KmsNotFound);
		ensure!(
			!Versions::<T>::contains_key((tenant.id, object, version)),
			Error::<T>::VersionAlreadyExists
		);
		Self::mutate_content_object(tenant.id, object, |info| {
			info.version_count =
				info.version_count.checked_add(1).ok_or(ArithmeticError::Overflow)?;
			Ok(())
		})?;
		let info = VersionInfo {
			originator,
			node,
			size: size.into(),
			committed: Self::mint_muid()?,
			finalized: None,
			set_head_on_finalize,
			kms,
		};
		Versions::<T>::insert((tenant.id, object, version), info);
		let event =
			Event::VersionCommitted { tenant: tenant.id, object, version, originator, node };
		tenant.add_row()?;
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn do_finalize_version(
		who: &T::AccountId,
		tenant: Tenant<T>,
		object: ContentObjectId,
		version: VersionId,
	) -> DispatchResult {
		let key = (tenant.id, object, version);
		let mut info = Versions::<T>::get(key).ok_or(Error::<T>::VersionNotFound)?;
		Provider::<T>::by(who, info.originator, ProviderLevel::can_operate_nodes)?;
		ensure!(info.finalized.is_none(), Error::<T>::VersionAlreadyFinalized);
		info.finalized = Some(T::Time::now());
		Versions::<T>::insert(key, &info);
		Self::deposit_event(Event::VersionFinalized { tenant: tenant.id, object, version });
		if info.set_head_on_finalize {
			Self::set_head(tenant.id, object, Some(version))?;
		}
		Ok(())
	}

	pub(crate) fn do_set_head_version(
		tenant: Tenant<T>,
		object: ContentObjectId,
		version: Option<VersionId>,
	) -> DispatchResult {
		if let Some(version) = version {
			let info = Versions::<T>::get((tenant.id, object, version))
				.ok_or(Error::<T>::VersionNotFound)?;
			ensure!(info.finalized.is_some(), Error::<T>::VersionNotFinalized);
		}
		Self::set_head(tenant.id, object, version)
	}

	pub(crate) fn do_delete_version(
		tenant: Tenant<T>,
		object: ContentObjectId,
		version: VersionId,
	) -> DispatchResult {
		let key = (tenant.id, object, version);
		ensure!(Versions::<T>::contains_key(key), Error::<T>::VersionNotFound);
		Self::mutate_content_object(tenant.id, object, |info| {
			ensure!(info.head_version != Some(version), Error::<T>::VersionIsHead);
			info.version_count =
				info.version_count.checked_sub(1).ok_or(ArithmeticError::Underflow)?;
			Ok(())
		})?;
		Versions::<T>::remove(key);
		let event = Event::VersionDeleted { tenant: tenant.id, object, version };
		tenant.remove_row()?;
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn content_object(
		tenant: TenantId,
		object: ContentObjectId,
	) -> Result<ContentObjectInfo, Error<T>> {
		ContentObjects::<T>::get(tenant, object).ok_or(Error::<T>::ContentObjectNotFound)
	}

	/// Makes `version` the head. The caller has made sure that it may be.
	pub(crate) fn set_head(
		tenant: TenantId,
		object: ContentObjectId,
		version: Option<VersionId>,
	) -> DispatchResult {
		Self::mutate_content_object(tenant, object, |info| {
			info.head_version = version;
			Ok(())
		})?;
		Self::deposit_event(Event::HeadVersionSet { tenant, object, version });
		Ok(())
	}

	fn mutate_content_object(
		tenant: TenantId,
		object: ContentObjectId,
		change: impl FnOnce(&mut ContentObjectInfo) -> DispatchResult,
	) -> DispatchResult {
		ContentObjects::<T>::try_mutate(tenant, object, |info| {
			change(info.as_mut().ok_or(Error::<T>::ContentObjectNotFound)?)?;
			Ok::<_, DispatchError>(())
		})
	}
}
