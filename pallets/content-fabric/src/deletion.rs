//! Deletion by governance: of a whole provider or tenancy in one call, or of single children under
//! the flag.

use content_fabric_identifiers::{ContentObjectId, VersionId};
use frame_support::{
	dispatch::{DispatchErrorWithPostInfo, DispatchResultWithPostInfo},
	ensure,
	pallet_prelude::{DispatchResult, Weight},
};

use crate::{
	members::{Member, MemberKind, Provider, Tenant},
	Config, ContentObjects, Error, Event, Kmses, Nodes, Pallet, ProviderKeys, Subject, TenantKeys,
	Versions, WeightInfo,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_set_governance_delete(subject: Subject, enabled: bool) -> DispatchResult {
		match subject {
			Subject::Provider(id) => Provider::<T>::load(id)?.set_governance_delete(enabled),
			Subject::Tenant(id) => Tenant::<T>::load(id)?.set_governance_delete(enabled),
		}
		Self::deposit_event(Event::GovernanceDeleteSet { subject, enabled });
		Ok(())
	}

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

	pub(crate) fn do_governance_delete_provider(
		provider: Provider<T>,
		max_rows: u32,
	) -> DispatchResultWithPostInfo {
		let (id, rows) = (provider.id, provider.info.rows);
		Self::ensure_rows(&provider, max_rows, T::WeightInfo::governance_delete_provider)?;
		let removed = [
			Nodes::<T>::clear_prefix(id, u32::MAX, None),
			ProviderKeys::<T>::clear_prefix(id, u32::MAX, None),
		];
		debug_assert!(removed.iter().all(|map| map.maybe_cursor.is_none()));
		provider.remove()?;
		Self::deposit_event(Event::ProviderDeleted { provider: id, rows });
		Ok(Some(T::WeightInfo::governance_delete_provider(rows)).into())
	}

	pub(crate) fn do_governance_delete_tenant(
		tenant: Tenant<T>,
		max_rows: u32,
	) -> DispatchResultWithPostInfo {
		let (id, rows) = (tenant.id, tenant.info.rows);
		Self::ensure_rows(&tenant, max_rows, T::WeightInfo::governance_delete_tenant)?;
		let removed = [
			Versions::<T>::clear_prefix((id,), u32::MAX, None),
			ContentObjects::<T>::clear_prefix(id, u32::MAX, None),
			Kmses::<T>::clear_prefix(id, u32::MAX, None),
			TenantKeys::<T>::clear_prefix(id, u32::MAX, None),
		];
		debug_assert!(removed.iter().all(|map| map.maybe_cursor.is_none()));
		tenant.remove()?;
		Self::deposit_event(Event::TenantDeleted { tenant: id, rows });
		Ok(Some(T::WeightInfo::governance_delete_tenant(rows)).into())
	}

	/// The prefix deletes below cannot be stopped at a number of rows: their limit knows nothing of
	/// rows that were written in the same block. So the whole subtree goes or nothing does, and
	/// the exact count on the member decides.
	fn ensure_rows<K: MemberKind<T>>(
		member: &Member<T, K>,
		max_rows: u32,
		weight: fn(u32) -> Weight,
	) -> Result<(), DispatchErrorWithPostInfo> {
		ensure!(
			member.info.rows <= max_rows,
			DispatchErrorWithPostInfo {
				post_info: Some(weight(0)).into(),
				error: Error::<T>::TooManyRows.into(),
			}
		);
		Ok(())
	}
}
