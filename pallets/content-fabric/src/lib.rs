#![doc = include_str!("../README.md")]
//!
//! ## A configuration
#![doc = docify::embed!("src/mock.rs", config)]
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs)]

#[cfg(any(feature = "runtime-benchmarks", feature = "try-runtime", test))]
extern crate alloc;

#[cfg(feature = "runtime-benchmarks")]
mod benchmarking;
mod calls;
mod clock;
mod content;
mod deletion;
mod errors;
mod events;
#[cfg(any(feature = "try-runtime", test))]
mod invariants;
mod levels;
mod members;
#[cfg(test)]
mod mock;
mod origins;
mod providers;
mod spaces;
mod tenants;
#[cfg(test)]
mod tests;
mod types;
pub mod weights;

pub use content_fabric_identifiers as identifiers;
use frame_support::pallet_macros::import_section;
pub use levels::{ProviderLevel, TenantLevel};
pub use origins::EnsureSpaceGovernor;
pub use pallet::*;
pub use types::*;
pub use weights::WeightInfo;

#[import_section(calls::calls)]
#[import_section(errors::errors)]
#[import_section(events::events)]
#[frame_support::pallet]
pub mod pallet {
	use content_fabric_identifiers::{
		ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
	};
	use frame_support::{
		pallet_prelude::*,
		traits::{EnsureOriginWithArg, Time},
	};
	use frame_system::pallet_prelude::*;

	use crate::{
		levels::{ProviderLevel, TenantLevel},
		members::{Provider, Tenant},
		types::*,
		WeightInfo,
	};

	const STORAGE_VERSION: StorageVersion = StorageVersion::new(0);

	#[pallet::pallet]
	#[pallet::storage_version(STORAGE_VERSION)]
	pub struct Pallet<T>(_);

	#[pallet::config]
	pub trait Config: frame_system::Config {
		/// Weights of the calls.
		type WeightInfo: WeightInfo;

		/// Who may create spaces, and delete empty ones.
		type CreateSpaceOrigin: EnsureOrigin<Self::RuntimeOrigin>;

		/// Who governs a space. [`EnsureSpaceGovernor`](crate::EnsureSpaceGovernor) accepts the
		/// space's own governor.
		type GovernanceOrigin: EnsureOriginWithArg<Self::RuntimeOrigin, SpaceId>;

		/// The clock that stamps what is created, in milliseconds since the Unix epoch.
		type Time: Time<Moment = u64>;

		/// Who the chain is among the writers of muids: the medallion of those that it stamps rows
		/// with. Must not be that of a node, so not from
		/// [`Medallion::FIRST_ASSIGNABLE`] to [`Medallion::LAST_ASSIGNABLE`].
		#[pallet::constant]
		type ChainMedallion: Get<Medallion>;

		/// Largest length of a locator, in bytes. To reduce it is a migration.
		#[pallet::constant]
		type MaxLocatorLen: Get<u32>;
	}

	// Every key below is chosen by a user, accounts that are given a level too, so every level has a
	// cryptographic hasher: with a weaker one a user could place keys where they lengthen the proofs
	// of others. `Concat` keeps the key itself readable. All ids have a fixed length, so no prefix of
	// one parent is the prefix of another.

	/// The last muid that the chain has stamped a row with.
	#[pallet::storage]
	pub type LastMuid<T: Config> = StorageValue<_, Muid>;

	/// The spaces.
	#[pallet::storage]
	pub type Spaces<T: Config> = StorageMap<_, Blake2_128Concat, SpaceId, SpaceInfoOf<T>>;

	/// The providers of all spaces.
	#[pallet::storage]
	pub type Providers<T: Config> = StorageMap<_, Blake2_128Concat, ProviderId, MemberInfoOf<T>>;

	/// The levels of accounts in each provider, but that of its root account.
	#[pallet::storage]
	pub type ProviderKeys<T: Config> = StorageDoubleMap<
		_,
		Blake2_128Concat,
		ProviderId,
		Blake2_128Concat,
		T::AccountId,
		ProviderLevel,
	>;

	/// The nodes of each provider.
	#[pallet::storage]
	pub type Nodes<T: Config> =
		StorageDoubleMap<_, Blake2_128Concat, ProviderId, Blake2_128Concat, NodeId, NodeInfoOf<T>>;

	/// The tenants of all spaces.
	#[pallet::storage]
	pub type Tenants<T: Config> = StorageMap<_, Blake2_128Concat, TenantId, MemberInfoOf<T>>;

	/// The levels of accounts in each tenant, but that of its root account.
	#[pallet::storage]
	pub type TenantKeys<T: Config> = StorageDoubleMap<
		_,
		Blake2_128Concat,
		TenantId,
		Blake2_128Concat,
		T::AccountId,
		TenantLevel,
	>;

	/// The KMSes of each tenant.
	#[pallet::storage]
	pub type Kmses<T: Config> =
		StorageDoubleMap<_, Blake2_128Concat, TenantId, Blake2_128Concat, KmsId, KmsInfoOf<T>>;

	/// The content objects of each tenant.
	#[pallet::storage]
	pub type ContentObjects<T: Config> = StorageDoubleMap<
		_,
		Blake2_128Concat,
		TenantId,
		Blake2_128Concat,
		ContentObjectId,
		ContentObjectInfo,
	>;

	/// The versions of each content object.
	#[pallet::storage]
	pub type Versions<T: Config> = StorageNMap<
		_,
		(
			NMapKey<Blake2_128Concat, TenantId>,
			NMapKey<Blake2_128Concat, ContentObjectId>,
			NMapKey<Blake2_128Concat, VersionId>,
		),
		VersionInfoOf<T>,
	>;

	#[pallet::hooks]
	impl<T: Config> Hooks<BlockNumberFor<T>> for Pallet<T> {
		fn integrity_test() {
			assert!(T::MaxLocatorLen::get() > 0, "MaxLocatorLen must be above zero");
			assert!(
				!T::ChainMedallion::get().is_assignable(),
				"ChainMedallion must not be one that a node can be given"
			);
			for (name, weight) in [
				(
					"governance_delete_provider",
					T::WeightInfo::governance_delete_provider as fn(u32) -> Weight,
				),
				("governance_delete_tenant", T::WeightInfo::governance_delete_tenant),
			] {
				assert!(
					weight(1).all_gt(weight(0)),
					"{name}: every deleted row must have a weight, or one call could delete without bounds"
				);
			}
		}

		#[cfg(feature = "try-runtime")]
		fn try_state(_: BlockNumberFor<T>) -> Result<(), sp_runtime::TryRuntimeError> {
			Self::do_try_state()
		}
	}

	#[pallet::view_functions]
	impl<T: Config> Pallet<T> {
		/// The number of storage rows under a provider or tenant: the `max_rows` that its deletion
		/// takes at least. `None` if there is no such provider or tenant.
		pub fn rows(subject: Subject) -> Option<u32> {
			let info = match subject {
				Subject::Provider(provider) => Providers::<T>::get(provider),
				Subject::Tenant(tenant) => Tenants::<T>::get(tenant),
			};
			info.map(|info| info.rows)
		}

		/// The level of an account in a provider. `None` if it has none, or there is no such
		/// provider.
		pub fn provider_level(
			provider: ProviderId,
			account: T::AccountId,
		) -> Option<ProviderLevel> {
			Provider::<T>::load(provider).ok()?.level(&account)
		}

		/// The level of an account in a tenant. `None` if it has none, or there is no such tenant.
		pub fn tenant_level(tenant: TenantId, account: T::AccountId) -> Option<TenantLevel> {
			Tenant::<T>::load(tenant).ok()?.level(&account)
		}

		/// The head of a content object with its facts. `None` if the object does not exist or has
		/// no head.
		pub fn head_version(
			tenant: TenantId,
			object: ContentObjectId,
		) -> Option<(VersionId, VersionInfoOf<T>)> {
			let version = ContentObjects::<T>::get(tenant, object)?.head_version?;
			Some((version, Versions::<T>::get((tenant, object, version))?))
		}
	}
}
