#![doc = include_str!("../README.md")]
//!
//! ## A configuration
#![doc = docify::embed!("src/mock.rs", config)]
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs)]

extern crate alloc;

#[cfg(feature = "runtime-benchmarks")]
mod benchmarking;
mod bonds;
mod calls;
mod clock;
mod content;
mod deletion;
mod errors;
mod events;
mod genesis;
mod integrity;
#[cfg(any(feature = "try-runtime", test))]
mod invariants;
mod levels;
mod members;
pub mod migrations;
#[cfg(test)]
mod mock;
mod origins;
mod providers;
mod reading;
mod records;
mod signing;
mod spaces;
mod tenants;
#[cfg(test)]
mod tests;
mod types;
pub mod weights;

#[cfg(feature = "runtime-benchmarks")]
pub use benchmarking::BenchmarkHelper;
pub use content_fabric_identifiers as identifiers;
use frame_support::pallet_macros::import_section;
pub use genesis::{GenesisKey, GenesisKms, GenesisMember, GenesisNode, GenesisSpace};
pub use levels::{ProviderLevel, TenantLevel};
pub use origins::EnsureSpaceGovernor;
pub use pallet::*;
pub use reading::{Page, MAX_PAGE_SIZE};
pub use signing::COMMIT_CONTEXT;
pub use types::*;
pub use weights::WeightInfo;

/// What the pallet's log lines are tagged with.
pub(crate) const LOG_TARGET: &str = "runtime::content-fabric";

#[import_section(calls::calls)]
#[import_section(errors::errors)]
#[import_section(events::events)]
#[import_section(genesis::genesis)]
#[frame_support::pallet]
pub mod pallet {
	use alloc::vec::Vec;

	use content_fabric_identifiers::{
		ClockId, ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax,
		SpaceId, TenantId, Tid, VersionId,
	};
	use frame_support::{
		dispatch::WithPostDispatchInfo,
		pallet_prelude::*,
		traits::{
			fungible::{BalancedHold, MutateHold},
			EnsureOriginWithArg, OnUnbalanced, Time,
		},
		weights::WeightMeter,
		DefaultNoBound,
	};
	use frame_system::pallet_prelude::*;
	use sp_runtime::traits::{IdentifyAccount, Verify};

	use crate::{
		genesis::{build_all, GenesisKey, GenesisKms, GenesisMember, GenesisNode, GenesisSpace},
		levels::{ProviderLevel, TenantLevel},
		members::{Provider, ProviderKind, Tenant, TenantKind},
		reading::{page, page_of, page_under, Page},
		types::*,
		WeightInfo,
	};

	const STORAGE_VERSION: StorageVersion = StorageVersion::new(1);

	#[pallet::pallet]
	#[pallet::storage_version(STORAGE_VERSION)]
	pub struct Pallet<T>(_);

	/// Defaults for [`Config`].
	pub mod config_preludes {
		use content_fabric_identifiers::{ClockId, Medallion};
		use frame_support::{
			derive_impl,
			pallet_prelude::inject_runtime_type,
			parameter_types,
			traits::{ConstU32, ConstU64, ConstUint},
			weights::{constants::WEIGHT_REF_TIME_PER_MILLIS, Weight},
		};

		use super::DefaultConfig;

		parameter_types! {
			/// A medallion that no node can be given.
			pub const TestChainMedallion: Medallion = Medallion::MAX;
			/// The last of all clocks.
			pub const TestTidClockId: ClockId = ClockId::MAX;
			/// A fifth of a second.
			pub const TestMaxIdleWeight: Weight =
				Weight::from_parts(200 * WEIGHT_REF_TIME_PER_MILLIS, u64::MAX);
		}

		/// A configuration for tests, of which only the types are left open that depend on the
		/// runtime: `Currency`, `CreateSpaceOrigin`, `GovernanceOrigin`, `Time` and
		/// `OffchainSignature`.
		pub struct TestDefaultConfig;

		#[derive_impl(frame_system::config_preludes::TestDefaultConfig, no_aggregated_types)]
		impl frame_system::DefaultConfig for TestDefaultConfig {}

		#[frame_support::register_default_impl(TestDefaultConfig)]
		impl DefaultConfig for TestDefaultConfig {
			#[inject_runtime_type]
			type RuntimeHoldReason = ();
			type WeightInfo = ();
			type Slash = ();
			type DepositBase = ConstUint<10>;
			type DepositPerByte = ConstUint<1>;
			type MaxCommitAge = ConstU64<600_000>;
			type MaxClockDrift = ConstU64<30_000>;
			type ChainMedallion = TestChainMedallion;
			type TidClockId = TestTidClockId;
			type MaxIdleWeight = TestMaxIdleWeight;
			type MaxLocatorLen = ConstU32<64>;
			type MaxSlaLen = ConstU32<64>;
			type MaxAdmissions = ConstU32<16>;
			type MaxCollectionNameLen = ConstU32<128>;
			type MaxRecordKeyLen = ConstU32<512>;
		}
	}

	#[pallet::config(with_default)]
	pub trait Config: frame_system::Config {
		/// The runtime's reasons for holds.
		#[pallet::no_default_bounds]
		type RuntimeHoldReason: From<HoldReason>;

		/// Weights of the calls.
		type WeightInfo: WeightInfo;

		/// What bonds and deposits are held in.
		#[pallet::no_default]
		type Currency: MutateHold<Self::AccountId, Reason = Self::RuntimeHoldReason>
			+ BalancedHold<Self::AccountId, Reason = Self::RuntimeHoldReason>;

		/// What becomes of slashed bonds. `()` burns them.
		#[pallet::no_default_bounds]
		type Slash: OnUnbalanced<CreditOf<Self>>;

		/// What is held for every row under a provider or a tenant, whatever its size.
		#[pallet::constant]
		#[pallet::no_default_bounds]
		type DepositBase: Get<BalanceOf<Self>>;

		/// What is held for every byte that such a row has in state, key and value.
		#[pallet::constant]
		#[pallet::no_default_bounds]
		type DepositPerByte: Get<BalanceOf<Self>>;

		/// Who may create spaces, and delete empty ones.
		#[pallet::no_default]
		type CreateSpaceOrigin: EnsureOrigin<Self::RuntimeOrigin>;

		/// Who governs a space. [`EnsureSpaceGovernor`](crate::EnsureSpaceGovernor) accepts the
		/// space's own governor.
		#[pallet::no_default]
		type GovernanceOrigin: EnsureOriginWithArg<Self::RuntimeOrigin, SpaceId>;

		/// The clock that stamps what is created, in milliseconds since the Unix epoch.
		#[pallet::no_default]
		type Time: Time<Moment = u64>;

		/// The signatures of tenants' keys under version commits: `MultiSignature` for most runtimes.
		#[pallet::no_default]
		type OffchainSignature: Verify<Signer: IdentifyAccount<AccountId = Self::AccountId>>
			+ Parameter;

		/// How long a version commit may have been under way, in milliseconds: how much earlier than
		/// the block's time its muid may be.
		#[pallet::constant]
		type MaxCommitAge: Get<u64>;

		/// How far the clock of a node may be ahead of the block's time, in milliseconds.
		#[pallet::constant]
		type MaxClockDrift: Get<u64>;

		/// Who the chain is among the writers of muids: the medallion of those that it stamps rows
		/// with. Must not be that of a node, so not from
		/// [`Medallion::FIRST_ASSIGNABLE`] to [`Medallion::LAST_ASSIGNABLE`].
		#[pallet::constant]
		type ChainMedallion: Get<Medallion>;

		/// The clock id of the TIDs that the chain mints as record keys.
		#[pallet::constant]
		type TidClockId: Get<ClockId>;

		/// The most of a block's weight that is spent on deletions if the block has it to spare.
		#[pallet::constant]
		type MaxIdleWeight: Get<Weight>;

		/// Largest length of a locator, in bytes. To reduce it, or any of those below, is a migration.
		#[pallet::constant]
		type MaxLocatorLen: Get<u32>;

		/// Largest length of a space's service level agreement, in bytes.
		#[pallet::constant]
		type MaxSlaLen: Get<u32>;

		/// Largest number of admissions to a space that have not been used.
		#[pallet::constant]
		type MaxAdmissions: Get<u32>;

		/// Largest length of a collection's name, in bytes.
		#[pallet::constant]
		type MaxCollectionNameLen: Get<u32>;

		/// Largest length of a record key, in bytes: at most the 512 of the specification.
		#[pallet::constant]
		type MaxRecordKeyLen: Get<u32>;

		/// Signs version commits in benchmarks. `()` does with `MultiSignature`.
		#[cfg(feature = "runtime-benchmarks")]
		#[pallet::no_default]
		type BenchmarkHelper: crate::BenchmarkHelper<Self::AccountId, Self::OffchainSignature>;
	}

	/// Why the pallet holds funds.
	#[pallet::composite_enum]
	pub enum HoldReason {
		/// As the bond of a provider.
		#[codec(index = 0)]
		ProviderBond,
		/// As the bond of a tenant.
		#[codec(index = 1)]
		TenantBond,
		/// For the rows under a provider or a tenant.
		#[codec(index = 2)]
		StorageDeposit,
	}

	// Every key below is chosen by a user, accounts that are given a level too, so every level has a
	// cryptographic hasher: with a weaker one a user could place keys where they lengthen the proofs
	// of others. `Concat` keeps the key itself readable. All ids have a fixed length, and names carry
	// theirs, so no prefix of one parent is the prefix of another.

	/// The last muid that the chain has stamped a row with.
	#[pallet::storage]
	pub type LastMuid<T: Config> = StorageValue<_, Muid>;

	/// The last TID that the chain has minted as a record key.
	#[pallet::storage]
	pub type LastTid<T: Config> = StorageValue<_, Tid>;

	/// Number of medallions that were assigned to nodes. None is assigned twice.
	#[pallet::storage]
	pub type MedallionCount<T: Config> = StorageValue<_, u64, ValueQuery>;

	/// The spaces.
	#[pallet::storage]
	pub type Spaces<T: Config> = StorageMap<_, Blake2_128Concat, SpaceId, SpaceInfoOf<T>>;

	/// The accounts that are admitted to each space, until they use it.
	#[pallet::storage]
	pub type Admissions<T: Config> =
		StorageDoubleMap<_, Blake2_128Concat, SpaceId, Blake2_128Concat, (T::AccountId, Role), ()>;

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
		KeyInfo<ProviderLevel, BalanceOf<T>>,
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
		KeyInfo<TenantLevel, BalanceOf<T>>,
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
		ContentObjectInfoOf<T>,
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

	/// The collections of each tenant.
	#[pallet::storage]
	pub type Collections<T: Config> = StorageDoubleMap<
		_,
		Blake2_128Concat,
		TenantId,
		Blake2_128Concat,
		CollectionNameOf<T>,
		CollectionInfoOf<T>,
	>;

	/// The records of each collection.
	#[pallet::storage]
	pub type Records<T: Config> = StorageNMap<
		_,
		(
			NMapKey<Blake2_128Concat, TenantId>,
			NMapKey<Blake2_128Concat, CollectionNameOf<T>>,
			NMapKey<Blake2_128Concat, RecordKeyOf<T>>,
		),
		RecordInfoOf<T>,
	>;

	/// The deletions that take several steps, until their last row is gone.
	#[pallet::storage]
	pub type Deletions<T: Config> = StorageMap<_, Blake2_128Concat, Subject, DeletionOf<T>>;

	/// Those deletions by their place in the queue. The chain counts the places, nobody chooses
	/// them, so the keys need no cryptographic hash.
	#[pallet::storage]
	pub type DeletionQueue<T: Config> = StorageMap<_, Twox64Concat, u64, Subject>;

	/// The first and the next place of the queue.
	#[pallet::storage]
	pub type DeletionQueueBounds<T: Config> = StorageValue<_, QueueBounds, ValueQuery>;

	/// The members whose subtrees have gone in the last block in which any has.
	#[pallet::storage]
	pub type RecentDeletions<T: Config> = StorageValue<_, DeletionsInBlock<BlockNumberFor<T>>>;

	#[pallet::hooks]
	impl<T: Config> Hooks<BlockNumberFor<T>> for Pallet<T> {
		fn on_idle(_: BlockNumberFor<T>, remaining: Weight) -> Weight {
			let mut meter = WeightMeter::with_limit(remaining.min(T::MaxIdleWeight::get()));
			Self::drive_deletions(&mut meter);
			meter.consumed()
		}

		fn integrity_test() {
			Self::do_integrity_test();
		}

		#[cfg(feature = "try-runtime")]
		fn try_state(_: BlockNumberFor<T>) -> Result<(), sp_runtime::TryRuntimeError> {
			Self::do_try_state()
		}
	}

	// Lists are told in pages of at most `limit` rows, 1 to [`MAX_PAGE_SIZE`](crate::MAX_PAGE_SIZE)
	// (other limits are taken for the nearest), each after the key `next` of the page before. Under a
	// member that is being deleted there is nothing to be listed.
	#[pallet::view_functions]
	impl<T: Config> Pallet<T> {
		/// The number of storage rows under a provider or tenant: the `max_rows` that its deletion
		/// at once takes at least. `None` if there is no such provider or tenant.
		pub fn rows(subject: Subject) -> Option<u32> {
			Self::member_info(subject).map(|info| info.rows)
		}

		/// What is held for a provider or a tenant, and what is asked of it. `None` if there is no
		/// such provider or tenant.
		pub fn bond(subject: Subject) -> Option<BondInfoOf<T>> {
			let info = Self::member_info(subject)?;
			let rules = Self::space(info.space).ok()?.rules;
			let required = match subject {
				Subject::Provider(_) => rules.provider_bond,
				Subject::Tenant(_) => rules.tenant_bond,
			};
			let MemberInfo { depositor, bond, deposit, .. } = info;
			Some(BondInfo { depositor, bond, required, deposit })
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
			let tenant = Tenant::<T>::load(tenant).ok()?.id;
			let version = ContentObjects::<T>::get(tenant, object)?.head_version?;
			Some((version, Versions::<T>::get((tenant, object, version))?))
		}

		/// What a record leads to. `None` if there is no such record.
		pub fn resolve(tenant: TenantId, collection: Vec<u8>, key: Vec<u8>) -> Option<Resolution> {
			let tenant = Tenant::<T>::load(tenant).ok()?.id;
			let collection = CollectionNameOf::<T>::try_from(collection).ok()?;
			let key = RecordKeyOf::<T>::try_from(key).ok()?;
			let record = Records::<T>::get((tenant, collection, key))?;
			Some(Self::resolve_target(tenant, record.target))
		}

		/// How far the deletion of a provider or tenant has come. `None` if it is not being deleted.
		pub fn deletion_progress(subject: Subject) -> Option<DeletionProgress> {
			Self::progress(subject)
		}

		/// The providers and tenants that are being deleted.
		pub fn deletions(after: Option<Subject>, limit: u32) -> Page<Subject, DeletionOf<T>> {
			let after = after.map(Deletions::<T>::hashed_key_for);
			page(Deletions::<T>::iter(), after, limit)
		}

		/// The spaces.
		pub fn spaces(after: Option<SpaceId>, limit: u32) -> Page<SpaceId, SpaceInfoOf<T>> {
			page(Spaces::<T>::iter(), after.map(Spaces::<T>::hashed_key_for), limit)
		}

		/// The admissions to a space that have not been used.
		pub fn admissions(
			space: SpaceId,
			after: Option<(T::AccountId, Role)>,
			limit: u32,
		) -> Page<(T::AccountId, Role), ()> {
			let after = after.map(|admission| Admissions::<T>::hashed_key_for(space, admission));
			page(Admissions::<T>::iter_prefix(space), after, limit)
		}

		/// The providers of a space, those being deleted included. A page is made of the providers of
		/// all spaces, so it may have fewer than `limit` of them, or none, and still not be the last.
		pub fn providers(
			space: SpaceId,
			after: Option<ProviderId>,
			limit: u32,
		) -> Page<ProviderId, MemberInfoOf<T>> {
			let after = after.map(Providers::<T>::hashed_key_for);
			page_of(Providers::<T>::iter(), after, limit, |info| info.space == space)
		}

		/// The tenants of a space, those being deleted included. A page is made of the tenants of all
		/// spaces, so it may have fewer than `limit` of them, or none, and still not be the last.
		pub fn tenants(
			space: SpaceId,
			after: Option<TenantId>,
			limit: u32,
		) -> Page<TenantId, MemberInfoOf<T>> {
			let after = after.map(Tenants::<T>::hashed_key_for);
			page_of(Tenants::<T>::iter(), after, limit, |info| info.space == space)
		}

		/// The accounts with a key in a provider.
		pub fn provider_keys(
			provider: ProviderId,
			after: Option<T::AccountId>,
			limit: u32,
		) -> Page<T::AccountId, KeyInfo<ProviderLevel, BalanceOf<T>>> {
			let member = Provider::<T>::load(provider);
			let after = after.map(|account| ProviderKeys::<T>::hashed_key_for(provider, account));
			page_under(member, ProviderKeys::<T>::iter_prefix(provider), after, limit)
		}

		/// The nodes of a provider.
		pub fn nodes(
			provider: ProviderId,
			after: Option<NodeId>,
			limit: u32,
		) -> Page<NodeId, NodeInfoOf<T>> {
			let member = Provider::<T>::load(provider);
			let after = after.map(|node| Nodes::<T>::hashed_key_for(provider, node));
			page_under(member, Nodes::<T>::iter_prefix(provider), after, limit)
		}

		/// The accounts with a key in a tenant.
		pub fn tenant_keys(
			tenant: TenantId,
			after: Option<T::AccountId>,
			limit: u32,
		) -> Page<T::AccountId, KeyInfo<TenantLevel, BalanceOf<T>>> {
			let member = Tenant::<T>::load(tenant);
			let after = after.map(|account| TenantKeys::<T>::hashed_key_for(tenant, account));
			page_under(member, TenantKeys::<T>::iter_prefix(tenant), after, limit)
		}

		/// The KMSes of a tenant.
		pub fn kmses(
			tenant: TenantId,
			after: Option<KmsId>,
			limit: u32,
		) -> Page<KmsId, KmsInfoOf<T>> {
			let member = Tenant::<T>::load(tenant);
			let after = after.map(|kms| Kmses::<T>::hashed_key_for(tenant, kms));
			page_under(member, Kmses::<T>::iter_prefix(tenant), after, limit)
		}

		/// The content objects of a tenant.
		pub fn content_objects(
			tenant: TenantId,
			after: Option<ContentObjectId>,
			limit: u32,
		) -> Page<ContentObjectId, ContentObjectInfoOf<T>> {
			let member = Tenant::<T>::load(tenant);
			let after = after.map(|object| ContentObjects::<T>::hashed_key_for(tenant, object));
			page_under(member, ContentObjects::<T>::iter_prefix(tenant), after, limit)
		}

		/// The collections of a tenant.
		pub fn collections(
			tenant: TenantId,
			after: Option<CollectionNameOf<T>>,
			limit: u32,
		) -> Page<CollectionNameOf<T>, CollectionInfoOf<T>> {
			let member = Tenant::<T>::load(tenant);
			let after = after.map(|name| Collections::<T>::hashed_key_for(tenant, name));
			page_under(member, Collections::<T>::iter_prefix(tenant), after, limit)
		}

		/// The versions of a content object.
		pub fn versions(
			tenant: TenantId,
			object: ContentObjectId,
			after: Option<VersionId>,
			limit: u32,
		) -> Page<VersionId, VersionInfoOf<T>> {
			let member = Tenant::<T>::load(tenant);
			let after =
				after.map(|version| Versions::<T>::hashed_key_for((tenant, object, version)));
			page_under(member, Versions::<T>::iter_prefix((tenant, object)), after, limit)
		}

		/// The records of a collection.
		pub fn records(
			tenant: TenantId,
			collection: Vec<u8>,
			after: Option<RecordKeyOf<T>>,
			limit: u32,
		) -> Page<RecordKeyOf<T>, RecordInfoOf<T>> {
			// Of a name that is too long there is no collection.
			let Ok(collection) = CollectionNameOf::<T>::try_from(collection) else {
				return Page::empty();
			};
			let member = Tenant::<T>::load(tenant);
			let after = after.map(|key| Records::<T>::hashed_key_for((tenant, &collection, key)));
			page_under(member, Records::<T>::iter_prefix((tenant, &collection)), after, limit)
		}

		/// The records of a collection with what each leads to.
		pub fn resolutions(
			tenant: TenantId,
			collection: Vec<u8>,
			after: Option<RecordKeyOf<T>>,
			limit: u32,
		) -> Page<RecordKeyOf<T>, Resolution> {
			Self::records(tenant, collection, after, limit)
				.map(|record| Self::resolve_target(tenant, record.target))
		}
	}
}
