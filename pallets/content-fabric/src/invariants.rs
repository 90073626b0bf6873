//! What holds of the storage between any two calls.

use alloc::{
	collections::{BTreeMap, BTreeSet},
	vec::Vec,
};

use content_fabric_identifiers::{Muid, ProviderId, SpaceId, TenantId};
use frame_support::ensure;
use sp_runtime::TryRuntimeError;

use crate::{
	Config, ContentObjects, Kmses, LastMuid, MemberInfoOf, Nodes, Pallet, ProviderKeys,
	ProviderLevel, Providers, Spaces, TenantKeys, TenantLevel, Tenants, Versions,
};

impl<T: Config> Pallet<T> {
	/// Checks the whole storage of the pallet.
	pub(crate) fn do_try_state() -> Result<(), TryRuntimeError> {
		Self::try_state_spaces()?;
		Self::try_state_providers()?;
		Self::try_state_tenants()?;
		Self::try_state_content()?;
		Self::try_state_clock()
	}

	/// # Invariants
	///
	/// - No two rows have the same muid, and none has a later one than the last that was minted.
	fn try_state_clock() -> Result<(), TryRuntimeError> {
		let muids: Vec<Muid> = Spaces::<T>::iter_values()
			.map(|info| info.created)
			.chain(Providers::<T>::iter_values().map(|info| info.created))
			.chain(Tenants::<T>::iter_values().map(|info| info.created))
			.chain(ContentObjects::<T>::iter_values().map(|info| info.created))
			.chain(Versions::<T>::iter_values().map(|info| info.committed))
			.collect();
		ensure!(muids.iter().max() <= LastMuid::<T>::get().as_ref(), "a row is from the future");
		let unique: BTreeSet<_> = muids.iter().collect();
		ensure!(unique.len() == muids.len(), "two rows have the same muid");
		Ok(())
	}

	/// # Invariants
	///
	/// - Every provider and tenant belongs to a space that exists.
	/// - `provider_count` and `tenant_count` of every space are exact.
	fn try_state_spaces() -> Result<(), TryRuntimeError> {
		let count_by_space = |members: &mut dyn Iterator<Item = MemberInfoOf<T>>| {
			let mut counts = BTreeMap::<SpaceId, u32>::new();
			members.for_each(|info| *counts.entry(info.space).or_default() += 1);
			counts
		};
		let mut providers = count_by_space(&mut Providers::<T>::iter_values());
		let mut tenants = count_by_space(&mut Tenants::<T>::iter_values());
		for (space, info) in Spaces::<T>::iter() {
			ensure!(
				info.provider_count == providers.remove(&space).unwrap_or(0),
				"provider_count of a space is not exact"
			);
			ensure!(
				info.tenant_count == tenants.remove(&space).unwrap_or(0),
				"tenant_count of a space is not exact"
			);
		}
		ensure!(providers.is_empty(), "a provider belongs to no space");
		ensure!(tenants.is_empty(), "a tenant belongs to no space");
		Ok(())
	}

	/// # Invariants
	///
	/// - Every key and node belongs to a provider that exists.
	/// - `rows` of every provider is the number of its keys and nodes.
	/// - No key has the level of the root.
	fn try_state_providers() -> Result<(), TryRuntimeError> {
		let mut rows = BTreeMap::<ProviderId, u32>::new();
		Nodes::<T>::iter_keys()
			.map(|(provider, _)| provider)
			.chain(ProviderKeys::<T>::iter_keys().map(|(provider, _)| provider))
			.for_each(|provider| *rows.entry(provider).or_default() += 1);
		for (provider, info) in Providers::<T>::iter() {
			ensure!(
				info.rows == rows.remove(&provider).unwrap_or(0),
				"rows of a provider is not exact"
			);
		}
		ensure!(rows.is_empty(), "a key or node belongs to no provider");
		ensure!(
			ProviderKeys::<T>::iter_values().all(|level| level < ProviderLevel::Root),
			"a key of a provider has the level of the root"
		);
		Ok(())
	}

	/// # Invariants
	///
	/// - Every key, KMS, content object and version belongs to a tenant that exists.
	/// - `rows` of every tenant is the number of its keys, KMSes, content objects and versions.
	/// - No key has the level of the root.
	fn try_state_tenants() -> Result<(), TryRuntimeError> {
		let mut rows = BTreeMap::<TenantId, u32>::new();
		Kmses::<T>::iter_keys()
			.map(|(tenant, _)| tenant)
			.chain(TenantKeys::<T>::iter_keys().map(|(tenant, _)| tenant))
			.chain(ContentObjects::<T>::iter_keys().map(|(tenant, _)| tenant))
			.chain(Versions::<T>::iter_keys().map(|(tenant, _, _)| tenant))
			.for_each(|tenant| *rows.entry(tenant).or_default() += 1);
		for (tenant, info) in Tenants::<T>::iter() {
			ensure!(
				info.rows == rows.remove(&tenant).unwrap_or(0),
				"rows of a tenant is not exact"
			);
		}
		ensure!(rows.is_empty(), "a key, KMS, content object or version belongs to no tenant");
		ensure!(
			TenantKeys::<T>::iter_values().all(|level| level < TenantLevel::Root),
			"a key of a tenant has the level of the root"
		);
		Ok(())
	}

	/// # Invariants
	///
	/// - Every version belongs to a content object that exists.
	/// - `version_count` of every content object is exact.
	/// - Every head exists and is finalized.
	/// - No version was finalized before it was committed.
	fn try_state_content() -> Result<(), TryRuntimeError> {
		let mut counts = BTreeMap::new();
		for ((tenant, object, _), info) in Versions::<T>::iter() {
			*counts.entry((tenant, object)).or_insert(0u32) += 1;
			ensure!(
				info.finalized
					.is_none_or(|at| at.saturating_mul(1_000) >= info.committed.timestamp()),
				"a version was finalized before it was committed"
			);
		}
		for (tenant, object, info) in ContentObjects::<T>::iter() {
			ensure!(
				info.version_count == counts.remove(&(tenant, object)).unwrap_or(0),
				"version_count of a content object is not exact"
			);
			if let Some(head) = info.head_version {
				let head = Versions::<T>::get((tenant, object, head))
					.ok_or("the head of a content object does not exist")?;
				ensure!(head.finalized.is_some(), "the head of a content object is not finalized");
			}
		}
		ensure!(counts.is_empty(), "a version belongs to no content object");
		Ok(())
	}
}
