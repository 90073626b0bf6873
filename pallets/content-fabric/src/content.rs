//! Content objects and their versions.

use codec::MaxEncodedLen;
use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};
use frame_support::{
	ensure,
	pallet_prelude::{DispatchResult, Get},
	traits::Time,
};
use sp_runtime::{ArithmeticError, DispatchError};

use crate::{
	bonds::row_deposit,
	members::{Provider, Tenant, ID_LEN},
	BalanceOf, Config, ContentObjectInfo, ContentObjectInfoOf, ContentObjects, Error, Event, Kmses,
	NodeInfoOf, Nodes, Pallet, ProviderLevel, TenantLevel, VersionCommitMessage, VersionInfo,
	VersionInfoOf, Versions,
};

/// Bytes of a version's id.
const VERSION_ID_LEN: usize = 32;

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_content_object(
		tenant: Tenant<T>,
		object: ContentObjectId,
	) -> DispatchResult {
		tenant.ensure_bonded()?;
		ensure!(
			!ContentObjects::<T>::contains_key(tenant.id, object),
			Error::<T>::ContentObjectAlreadyExists
		);
		let deposit = object_deposit::<T>();
		let created = Self::mint_muid()?;
		let info = ContentObjectInfo { head_version: None, version_count: 0, deposit, created };
		ContentObjects::<T>::insert(tenant.id, object, info);
		let event = Event::ContentObjectCreated { tenant: tenant.id, object };
		tenant.add_row(deposit)?;
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
		tenant.remove_row(info.deposit)?;
		Self::deposit_event(event);
		Ok(())
	}

	/// Commits a version in the name of an account of the provider.
	pub(crate) fn do_commit_version(
		provider: Provider<T>,
		signer: &T::AccountId,
		message: VersionCommitMessage,
		signature: &T::OffchainSignature,
	) -> DispatchResult {
		let mut node = Self::node(message.originator, message.node)?;
		ensure!(!node.pending, Error::<T>::NodePending);
		let tenant = Tenant::<T>::active(message.tenant)?;
		let may_sign = tenant.level(signer).is_some_and(TenantLevel::can_manage_content);
		ensure!(may_sign, Error::<T>::SignerNotPermitted);
		ensure!(provider.info.space == tenant.info.space, Error::<T>::SpaceMismatch);
		let rules = Self::space(tenant.info.space)?.rules;
		provider.ensure_bonded_by(&rules)?;
		tenant.ensure_bonded_by(&rules)?;
		let mut object = Self::content_object(message.tenant, message.object)?;
		ensure!(Kmses::<T>::contains_key(message.tenant, message.kms), Error::<T>::KmsNotFound);
		let key = (message.tenant, message.object, message.version);
		ensure!(!Versions::<T>::contains_key(key), Error::<T>::VersionAlreadyExists);
		ensure!(Self::is_signed_by(signer, &message, signature), Error::<T>::InvalidSignature);
		Self::ensure_fresh(&node, &message)?;

		node.last_muid = Some(message.muid);
		Nodes::<T>::insert(message.originator, message.node, node);
		object.version_count =
			object.version_count.checked_add(1).ok_or(ArithmeticError::Overflow)?;
		ContentObjects::<T>::insert(message.tenant, message.object, object);
		let VersionCommitMessage {
			originator,
			node,
			object,
			version,
			size,
			muid,
			set_head_on_finalize,
			kms,
			..
		} = message;
		let deposit = version_deposit::<T>();
		let info = VersionInfo {
			originator,
			node,
			size: size.into(),
			committed: Self::mint_muid()?,
			finalized: None,
			set_head_on_finalize,
			kms,
			deposit,
		};
		Versions::<T>::insert(key, info);
		let event =
			Event::VersionCommitted { tenant: tenant.id, object, version, originator, node, muid };
		tenant.add_row(deposit)?;
		Self::deposit_event(event);
		Ok(())
	}

	/// That the muid of a message is one that the node can have drafted now: its own, of a time near
	/// that of the block, and later than those of all its commits before.
	fn ensure_fresh(node: &NodeInfoOf<T>, message: &VersionCommitMessage) -> Result<(), Error<T>> {
		let (now, at) = (T::Time::now(), message.muid.timestamp());
		let micros = |millis: u64| millis.saturating_mul(1_000);
		let oldest = micros(now.saturating_sub(T::MaxCommitAge::get()));
		let newest = micros(now.saturating_add(T::MaxClockDrift::get()));
		ensure!(message.muid.medallion() == node.medallion.get(), Error::<T>::MuidOfOtherNode);
		ensure!(at >= oldest, Error::<T>::MuidTooOld);
		ensure!(at <= newest, Error::<T>::MuidTooNew);
		ensure!(node.last_muid.is_none_or(|last| message.muid > last), Error::<T>::MuidNotRising);
		Ok(())
	}

	pub(crate) fn do_finalize_version(
		who: &T::AccountId,
		tenant: Tenant<T>,
		object: ContentObjectId,
		version: VersionId,
	) -> DispatchResult {
		let key = (tenant.id, object, version);
		let mut info = Self::version(key)?;
		let provider = Provider::<T>::by(who, info.originator, ProviderLevel::can_operate_nodes)?;
		// Another provider may have been created with the id of the originator since.
		ensure!(provider.info.created < info.committed, Error::<T>::ProviderNotFound);
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
			let info = Self::version((tenant.id, object, version))?;
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
		let deposit = Self::version(key)?.deposit;
		Self::mutate_content_object(tenant.id, object, |info| {
			ensure!(info.head_version != Some(version), Error::<T>::VersionIsHead);
			info.version_count =
				info.version_count.checked_sub(1).ok_or(ArithmeticError::Underflow)?;
			Ok(())
		})?;
		Versions::<T>::remove(key);
		let event = Event::VersionDeleted { tenant: tenant.id, object, version };
		tenant.remove_row(deposit)?;
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn content_object(
		tenant: TenantId,
		object: ContentObjectId,
	) -> Result<ContentObjectInfoOf<T>, Error<T>> {
		ContentObjects::<T>::get(tenant, object).ok_or(Error::ContentObjectNotFound)
	}

	fn version(key: (TenantId, ContentObjectId, VersionId)) -> Result<VersionInfoOf<T>, Error<T>> {
		Versions::<T>::get(key).ok_or(Error::VersionNotFound)
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
		change: impl FnOnce(&mut ContentObjectInfoOf<T>) -> DispatchResult,
	) -> DispatchResult {
		ContentObjects::<T>::try_mutate(tenant, object, |info| {
			change(info.as_mut().ok_or(Error::<T>::ContentObjectNotFound)?)?;
			Ok::<_, DispatchError>(())
		})
	}
}

/// The deposit for an object's row, as large as it is when the object has a head.
fn object_deposit<T: Config>() -> BalanceOf<T> {
	row_deposit::<T>(&[ID_LEN, ID_LEN], ContentObjectInfoOf::<T>::max_encoded_len())
}

/// The deposit for a version's row, as large as it is when the version is finalized.
fn version_deposit<T: Config>() -> BalanceOf<T> {
	row_deposit::<T>(&[ID_LEN, ID_LEN, VERSION_ID_LEN], VersionInfoOf::<T>::max_encoded_len())
}
