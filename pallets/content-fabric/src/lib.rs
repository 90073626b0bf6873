// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
//!
//! ## The tours
//!
//! A provider and a tenant join a space.
#![doc = docify::embed!("src/tests/tours.rs", join)]
//! The tenant publishes two versions of an object, and gives it a name.
#![doc = docify::embed!("src/tests/tours.rs", publish)]
//! Governance deletes the tenant and all that it owns.
#![doc = docify::embed!("src/tests/tours.rs", purge)]
//! ## A configuration for tests
#![doc = docify::embed!("src/mock.rs", config)]
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs)]
// Nothing wraps, is cut off, or panics on data. A library that panics stops the chain.
#![cfg_attr(
	not(test),
	warn(
		clippy::arithmetic_side_effects,
		clippy::cast_possible_truncation,
		clippy::cast_possible_wrap,
		clippy::cast_precision_loss,
		clippy::cast_sign_loss,
		clippy::indexing_slicing
	)
)]

extern crate alloc;
// The mock runtime is shared with an example, which knows this crate by its name.
#[cfg(test)]
extern crate self as pallet_content_fabric;

#[cfg(feature = "runtime-benchmarks")]
#[allow(
	clippy::arithmetic_side_effects,
	clippy::cast_possible_truncation,
	clippy::indexing_slicing
)]
mod benchmarking;
mod checks;
mod clock;
mod content;
mod deletion;
#[cfg(any(test, feature = "fuzzing"))]
#[allow(
	clippy::arithmetic_side_effects,
	clippy::cast_possible_truncation,
	clippy::indexing_slicing
)]
pub mod fuzzing;
mod interface;
mod medallions;
mod members;
#[cfg(test)]
mod mock;
mod nesting;
mod observer;
mod records;
mod spaces;
#[cfg(test)]
mod tests;
mod types;
pub mod weights;

#[cfg(feature = "runtime-benchmarks")]
pub use benchmarking::BenchmarkHelper;
pub use content_fabric_identifiers as identifiers;
pub use content_fabric_primitives::*;
use frame_support::pallet_macros::import_section;
pub use interface::{
	genesis::{GenesisKey, GenesisKms, GenesisMember, GenesisNode, GenesisSpace},
	origins::EnsureSpaceGovernor,
};
pub use medallions::MedallionSequence;
pub use nesting::{NestedCalls, NestingLimit, MAX_NESTING};
pub use observer::{ObservedVersion, Observer};
pub use pallet::*;
pub use types::*;
pub use weights::WeightInfo;

/// Tag of the pallet's log lines.
pub(crate) const LOG_TARGET: &str = "runtime::content-fabric";

#[import_section(interface::calls::calls)]
#[import_section(interface::errors::errors)]
#[import_section(interface::events::events)]
#[import_section(interface::genesis::genesis)]
// The macros cast the indices of variants.
#[allow(clippy::cast_possible_truncation)]
#[frame_support::pallet]
pub mod pallet {
	use alloc::vec::Vec;

	use content_fabric_identifiers::{
		ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax, SpaceId,
		TenantId, Tid, VersionId,
	};
	use content_fabric_primitives::{
		ContentRef, KmsKey, MemberId, ProviderLevel, PurgeProgress, Resolution, Role, TenantLevel,
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
		content::{
			add_copies_weight, commit_versions_weight, deleted_version_weight,
			finalize_versions_weight, remove_copies_weight,
		},
		deletion::{governance_delete_weight, reap_weight},
		interface::genesis::{
			build_all, GenesisKey, GenesisKms, GenesisMember, GenesisNode, GenesisSpace,
		},
		medallions::MedallionSequence,
		members::{guarded, Provider, ProviderKind, Tenant, TenantKind},
		observer::Observer,
		records::{delete_records_weight, put_records_size, put_records_weight},
		types::*,
		WeightInfo,
	};

	const STORAGE_VERSION: StorageVersion = StorageVersion::new(1);

	#[pallet::pallet]
	#[pallet::storage_version(STORAGE_VERSION)]
	pub struct Pallet<T>(_);

	/// Defaults for [`Config`].
	pub mod config_preludes {
		use frame_support::{
			derive_impl,
			pallet_prelude::inject_runtime_type,
			parameter_types,
			traits::{ConstBool, ConstU32, ConstU64, ConstUint},
			weights::{constants::WEIGHT_REF_TIME_PER_MILLIS, Weight},
		};

		use super::DefaultConfig;

		parameter_types! {
			/// A fifth of a second.
			pub const TestMaxIdleWeight: Weight =
				Weight::from_parts(200 * WEIGHT_REF_TIME_PER_MILLIS, u64::MAX);
		}

		/// A configuration for tests. It leaves open only the types that depend on the runtime:
		/// `Currency`, `CreateSpaceOrigin`, `GovernanceOrigin`, `Time` and `OffchainSignature`.
		pub struct TestDefaultConfig;

		#[derive_impl(frame_system::config_preludes::TestDefaultConfig, no_aggregated_types)]
		impl frame_system::DefaultConfig for TestDefaultConfig {}

		#[frame_support::register_default_impl(TestDefaultConfig)]
		impl DefaultConfig for TestDefaultConfig {
			#[inject_runtime_type]
			type RuntimeHoldReason = ();
			type WeightInfo = ();
			type Slash = ();
			type Observer = ();
			type DepositBase = ConstUint<10>;
			type DepositPerByte = ConstUint<1>;
			type UnbondingPeriod = ConstUint<100>;
			type MaxCommitAge = ConstU64<600_000>;
			type MaxClockDrift = ConstU64<30_000>;
			type MaxIdleWeight = TestMaxIdleWeight;
			type MinFreeReap = ConstU32<10>;
			type FreeForOperators = ConstBool<false>;
			type MaxVersionsPerCommit = ConstU32<32>;
			type MaxCopies = ConstU32<8>;
			type MaxRecordsPerCall = ConstU32<32>;
			type MaxAdmissions = ConstU32<16>;
			type MaxReasonLen = ConstU32<64>;
			type MaxLocatorLen = ConstU32<64>;
			type MaxSlaLen = ConstU32<64>;
			type MaxCollectionNameLen = ConstU32<128>;
			type MaxRecordKeyLen = ConstU32<512>;
		}
	}

	#[pallet::config(with_default)]
	pub trait Config: frame_system::Config {
		/// The runtime's hold reasons.
		#[pallet::no_default_bounds]
		type RuntimeHoldReason: From<HoldReason>;

		/// Weights of the calls.
		type WeightInfo: WeightInfo;

		/// The currency of bonds and deposits. It holds and releases funds (`MutateHold`), and
		/// slashes bonds on hold into [`Config::Slash`] (`BalancedHold`).
		#[pallet::no_default]
		type Currency: MutateHold<Self::AccountId, Reason = Self::RuntimeHoldReason>
			+ BalancedHold<Self::AccountId, Reason = Self::RuntimeHoldReason>;

		/// Receives slashed bonds. `()` burns them.
		#[pallet::no_default_bounds]
		type Slash: OnUnbalanced<CreditOf<Self>>;

		/// The observer, which is notified of changes to the directory. `()` for no observer.
		#[pallet::no_default_bounds]
		type Observer: Observer<Self::AccountId, BalanceOf<Self>>;

		/// Deposit for a row, whatever its size. Zero, or at least the minimum balance of
		/// [`Config::Currency`]: a release of less could fail.
		#[pallet::constant]
		#[pallet::no_default_bounds]
		type DepositBase: Get<BalanceOf<Self>>;

		/// Deposit for each byte of a row, storage key and value.
		#[pallet::constant]
		#[pallet::no_default_bounds]
		type DepositPerByte: Get<BalanceOf<Self>>;

		/// Number of blocks for which a member must have been empty before its bond is released. A
		/// nominee of governance for the root waits as long. Must exceed the time in which
		/// governance decides on a slash: otherwise a root could withdraw its bond first.
		#[pallet::constant]
		#[pallet::no_default_bounds]
		type UnbondingPeriod: Get<BlockNumberFor<Self>>;

		/// The origin that creates spaces, and deletes empty ones.
		#[pallet::no_default]
		type CreateSpaceOrigin: EnsureOrigin<Self::RuntimeOrigin>;

		/// The origin that governs a space. [`EnsureSpaceGovernor`](crate::EnsureSpaceGovernor)
		/// accepts the space's own governor.
		#[pallet::no_default]
		type GovernanceOrigin: EnsureOriginWithArg<Self::RuntimeOrigin, SpaceId>;

		/// The clock that stamps rows, in milliseconds since the Unix epoch.
		#[pallet::no_default]
		type Time: Time<Moment = u64>;

		/// Signatures of version commits by keys of the tenant: `MultiSignature` for most runtimes.
		#[pallet::no_default]
		type OffchainSignature: Verify<Signer: IdentifyAccount<AccountId = Self::AccountId>>
			+ Parameter;

		/// Largest age of the muid of a version commit at the time of the block, in milliseconds.
		#[pallet::constant]
		type MaxCommitAge: Get<u64>;

		/// Largest time by which the muid of a version commit may be ahead of the time of the
		/// block, in milliseconds.
		#[pallet::constant]
		type MaxClockDrift: Get<u64>;

		/// Largest part of a block's weight that is spent on purges, if the block has it to spare.
		#[pallet::constant]
		type MaxIdleWeight: Get<Weight>;

		/// Number of rows that a [`reap`](Call::reap) must remove to be free of charge, unless
		/// fewer are left.
		#[pallet::constant]
		type MinFreeReap: Get<u32>;

		/// True if [`finalize_versions`](Call::finalize_versions) and
		/// [`confirm_node`](Call::confirm_node) are free of charge for the node's operator. The fee
		/// is given back after the call, if it succeeds.
		#[pallet::constant]
		type FreeForOperators: Get<bool>;

		/// Largest number of versions in a commit, and in each other call with a list of versions.
		#[pallet::constant]
		type MaxVersionsPerCommit: Get<u32>;

		/// Largest number of copies of a version: of nodes that hold it, or were asked to. Reducing
		/// it may need a migration.
		#[pallet::constant]
		type MaxCopies: Get<u32>;

		/// Largest number of records in a call.
		#[pallet::constant]
		type MaxRecordsPerCall: Get<u32>;

		/// Largest number of unused admissions to a space. Reducing it, or any limit below, may
		/// need a migration.
		#[pallet::constant]
		type MaxAdmissions: Get<u32>;

		/// Largest length of the reason that governance gives, in bytes.
		#[pallet::constant]
		type MaxReasonLen: Get<u32>;

		/// Largest length of a locator, in bytes.
		#[pallet::constant]
		type MaxLocatorLen: Get<u32>;

		/// Largest length of a space's service level, in bytes.
		#[pallet::constant]
		type MaxSlaLen: Get<u32>;

		/// Largest length of a collection's name, in bytes. An NSID has at most 317.
		#[pallet::constant]
		type MaxCollectionNameLen: Get<u32>;

		/// Largest length of a record key, in bytes: at most the 512 of the specification.
		#[pallet::constant]
		type MaxRecordKeyLen: Get<u32>;

		/// Signs version commits in benchmarks. `()` serves `MultiSignature`.
		#[cfg(feature = "runtime-benchmarks")]
		#[pallet::no_default]
		type BenchmarkHelper: crate::BenchmarkHelper<Self::AccountId, Self::OffchainSignature>;
	}

	/// The reasons for which the pallet holds funds.
	#[pallet::composite_enum]
	pub enum HoldReason {
		/// The bond of a provider.
		#[codec(index = 0)]
		ProviderBond,
		/// The bond of a tenant.
		#[codec(index = 1)]
		TenantBond,
		/// The deposits for a member's row and the rows under it.
		#[codec(index = 2)]
		StorageDeposit,
	}

	// Users choose every key below, including the accounts that are given a level, so every level
	// of a key has a cryptographic hasher: with a weaker one, users could place keys where they
	// lengthen the proofs of others. `Concat` keeps the key itself readable. All ids have a fixed
	// length, and names carry theirs, so no prefix of one parent is a prefix of another.

	/// The last muid that the chain has minted. All have the chain's own medallion.
	#[pallet::storage]
	pub type LastMuid<T: Config> = StorageValue<_, Muid>;

	/// The last TID that the chain has minted as a record key. Before the first one, it is a TID of
	/// time zero. All have the chain's clock id.
	#[pallet::storage]
	pub type LastTid<T: Config> = StorageValue<_, Tid>;

	/// The random order of medallions, and how many of them are assigned. The first is the chain's
	/// own, and nodes get the others. It is drawn when the chain mints its first id.
	#[pallet::storage]
	pub type Medallions<T: Config> = StorageValue<_, MedallionSequence>;

	/// The spaces.
	#[pallet::storage]
	pub type Spaces<T: Config> = StorageMap<_, Blake2_128Concat, SpaceId, SpaceInfoOf<T>>;

	/// The unused admissions to each space.
	#[pallet::storage]
	pub type Admissions<T: Config> =
		StorageDoubleMap<_, Blake2_128Concat, SpaceId, Blake2_128Concat, (T::AccountId, Role), ()>;

	/// The providers of all spaces.
	#[pallet::storage]
	pub type Providers<T: Config> = StorageMap<_, Blake2_128Concat, ProviderId, ProviderInfoOf<T>>;

	/// The access keys of each provider.
	#[pallet::storage]
	pub type ProviderKeys<T: Config> = StorageDoubleMap<
		_,
		Blake2_128Concat,
		ProviderId,
		Blake2_128Concat,
		T::AccountId,
		KeyInfoOf<T, ProviderLevel>,
	>;

	/// The nodes of each provider.
	#[pallet::storage]
	pub type Nodes<T: Config> =
		StorageDoubleMap<_, Blake2_128Concat, ProviderId, Blake2_128Concat, NodeId, NodeInfoOf<T>>;

	/// The tenants of all spaces.
	#[pallet::storage]
	pub type Tenants<T: Config> = StorageMap<_, Blake2_128Concat, TenantId, TenantInfoOf<T>>;

	/// The access keys of each tenant.
	#[pallet::storage]
	pub type TenantKeys<T: Config> = StorageDoubleMap<
		_,
		Blake2_128Concat,
		TenantId,
		Blake2_128Concat,
		T::AccountId,
		KeyInfoOf<T, TenantLevel>,
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

	/// The purges that are under way.
	#[pallet::storage]
	pub type Purges<T: Config> = StorageMap<_, Blake2_128Concat, MemberId, PurgeOf<T>>;

	/// The purges, by their positions in the deletion queue.
	// The chain assigns the positions, so the keys need no cryptographic hash.
	#[pallet::storage]
	pub type DeletionQueue<T: Config> = StorageMap<_, Twox64Concat, u64, MemberId>;

	/// The first position in the deletion queue that is in use, and the next free one.
	#[pallet::storage]
	pub type DeletionQueueBounds<T: Config> = StorageValue<_, QueueBounds, ValueQuery>;

	#[pallet::hooks]
	impl<T: Config> Hooks<BlockNumberFor<T>> for Pallet<T> {
		fn on_idle(_: BlockNumberFor<T>, remaining: Weight) -> Weight {
			let mut meter = WeightMeter::with_limit(remaining.min(T::MaxIdleWeight::get()));
			Self::run_purges(&mut meter);
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

	// FRAME cannot import a section of view functions, so the signatures are here and the bodies in
	// `interface/views.rs`.
	//
	// Each returns a value that no single row has. Clients read rows and lists from storage.
	#[pallet::view_functions]
	impl<T: Config> Pallet<T> {
		/// Returns the number of rows under a member, even while they are being removed. `None` if
		/// the member does not exist.
		pub fn rows(member: MemberId) -> Option<u32> {
			Self::rows_of(member)
		}

		/// Returns the funds on hold for a member, and the bond that its space requires. `None` if
		/// the member does not exist or is being deleted.
		pub fn bond(member: MemberId) -> Option<BondInfoOf<T>> {
			Self::bond_of(member)
		}

		/// Returns the level of an account in a provider. `None` if the account has no level, or
		/// the provider does not exist or is being deleted. During a purge only the root has one.
		pub fn provider_level(
			provider: ProviderId,
			account: T::AccountId,
		) -> Option<ProviderLevel> {
			Provider::<T>::undeleted(provider).ok()?.level(&account)
		}

		/// Returns the level of an account in a tenant. `None` if the account has no level, or the
		/// tenant does not exist or is being deleted. During a purge only the root has one.
		pub fn tenant_level(tenant: TenantId, account: T::AccountId) -> Option<TenantLevel> {
			Tenant::<T>::undeleted(tenant).ok()?.level(&account)
		}

		/// Returns the head of a content object and its row. `None` if the object does not exist or
		/// has no head, or the tenant is being purged.
		pub fn head_version(
			tenant: TenantId,
			object: ContentObjectId,
		) -> Option<(VersionId, VersionInfoOf<T>)> {
			Self::head_of(tenant, object)
		}

		/// Returns what a record leads to. `None` if the record does not exist, or the tenant is
		/// being purged.
		pub fn resolve(tenant: TenantId, collection: Vec<u8>, key: Vec<u8>) -> Option<Resolution> {
			Self::resolution(tenant, collection, key)
		}

		/// Returns the progress of a member's purge. `None` if no purge of it is under way.
		pub fn purge_progress(member: MemberId) -> Option<PurgeProgress> {
			Self::progress(member)
		}
	}
}
