// SPDX-License-Identifier: Apache-2.0
//! A plain parachain with Aura and collators, and the directory of a content network.

#![cfg_attr(not(feature = "std"), no_std)]
// The arrays of a runtime's metadata are deeply nested.
#![recursion_limit = "256"]

extern crate alloc;

mod apis;
mod fees;
pub mod finalized_bytes;
mod presets;

#[cfg(not(feature = "std"))]
use alloc::vec::Vec;

use cumulus_pallet_parachain_system::RelayNumberMonotonicallyIncreases;
use cumulus_primitives_core::relay_chain::MAX_POV_SIZE;
use frame_support::{
	derive_impl, parameter_types,
	traits::{
		ConstBool, ConstU128, ConstU16, ConstU32, ConstU64, ConstU8, EitherOfDiverse,
		VariantCountOf,
	},
	weights::{
		constants::{RocksDbWeight, WEIGHT_REF_TIME_PER_MILLIS, WEIGHT_REF_TIME_PER_SECOND},
		ConstantMultiplier, IdentityFee, Weight,
	},
	PalletId,
};
use frame_system::{limits, EnsureRoot};
use pallet_transaction_payment::FungibleAdapter;
use sp_consensus_aura::sr25519::AuthorityId as AuraId;
use sp_runtime::{
	generic, impl_opaque_keys,
	traits::{AccountIdLookup, BlakeTwo256, IdentifyAccount, OpaqueKeys, Verify},
	MultiAddress, MultiSignature, Perbill,
};
use sp_version::{runtime_version, RuntimeVersion};

pub type Signature = MultiSignature;
pub type AccountId = <<Signature as Verify>::Signer as IdentifyAccount>::AccountId;
pub type Balance = u128;
pub type BlockNumber = u32;
pub type Nonce = u32;
pub type Header = generic::Header<BlockNumber, BlakeTwo256>;
pub type TxExtension = cumulus_pallet_weight_reclaim::StorageWeightReclaim<
	Runtime,
	(
		frame_system::CheckNonZeroSender<Runtime>,
		frame_system::CheckSpecVersion<Runtime>,
		frame_system::CheckTxVersion<Runtime>,
		frame_system::CheckGenesis<Runtime>,
		frame_system::CheckEra<Runtime>,
		frame_system::CheckNonce<Runtime>,
		frame_system::CheckWeight<Runtime>,
		pallet_transaction_payment::ChargeTransactionPayment<Runtime>,
		frame_metadata_hash_extension::CheckMetadataHash<Runtime>,
	),
>;
pub type UncheckedExtrinsic =
	generic::UncheckedExtrinsic<MultiAddress<AccountId, ()>, RuntimeCall, Signature, TxExtension>;
pub type Block = generic::Block<Header, UncheckedExtrinsic>;
pub type Executive = frame_executive::Executive<
	Runtime,
	Block,
	frame_system::ChainContext<Runtime>,
	Runtime,
	AllPalletsWithSystem,
>;

pub const UNIT: Balance = 1_000_000_000_000;
pub const SLOT_DURATION: u64 = 6_000;
pub const PARA_ID: u32 = 2_000;

impl_opaque_keys! {
	pub struct SessionKeys {
		pub aura: Aura,
	}
}

#[runtime_version]
pub const VERSION: RuntimeVersion = RuntimeVersion {
	spec_name: alloc::borrow::Cow::Borrowed("example-parachain"),
	impl_name: alloc::borrow::Cow::Borrowed("example-parachain"),
	authoring_version: 1,
	spec_version: 1,
	impl_version: 1,
	apis: apis::RUNTIME_API_VERSIONS,
	transaction_version: 1,
	system_version: 1,
};

#[frame_support::runtime]
mod runtime {
	#[runtime::runtime]
	#[runtime::derive(
		RuntimeCall,
		RuntimeEvent,
		RuntimeError,
		RuntimeOrigin,
		RuntimeFreezeReason,
		RuntimeHoldReason,
		RuntimeSlashReason,
		RuntimeLockId,
		RuntimeTask,
		RuntimeViewFunction
	)]
	pub struct Runtime;

	#[runtime::pallet_index(0)]
	pub type System = frame_system;
	#[runtime::pallet_index(1)]
	pub type ParachainSystem = cumulus_pallet_parachain_system;
	#[runtime::pallet_index(2)]
	pub type Timestamp = pallet_timestamp;
	#[runtime::pallet_index(3)]
	pub type ParachainInfo = staging_parachain_info;
	#[runtime::pallet_index(4)]
	pub type WeightReclaim = cumulus_pallet_weight_reclaim;
	#[runtime::pallet_index(10)]
	pub type Balances = pallet_balances;
	#[runtime::pallet_index(11)]
	pub type TransactionPayment = pallet_transaction_payment;
	#[runtime::pallet_index(15)]
	pub type Sudo = pallet_sudo;
	#[runtime::pallet_index(16)]
	pub type Utility = pallet_utility;
	#[runtime::pallet_index(20)]
	pub type Authorship = pallet_authorship;
	#[runtime::pallet_index(21)]
	pub type CollatorSelection = pallet_collator_selection;
	#[runtime::pallet_index(22)]
	pub type Session = pallet_session;
	#[runtime::pallet_index(23)]
	pub type Aura = pallet_aura;
	#[runtime::pallet_index(24)]
	pub type AuraExt = cumulus_pallet_aura_ext;

	// Content fabric: begin
	#[runtime::pallet_index(50)]
	pub type ContentFabric = pallet_content_fabric;
	// Content fabric: end
	#[runtime::pallet_index(51)]
	pub type FinalizedBytes = finalized_bytes;
}

/// The part of a block that transactions may fill.
const NORMAL_DISPATCH_RATIO: Perbill = Perbill::from_percent(75);

parameter_types! {
	pub const Version: RuntimeVersion = VERSION;
	// Two seconds of computing, and the largest proof that the relay chain accepts.
	pub RuntimeBlockWeights: limits::BlockWeights = limits::BlockWeights::with_sensible_defaults(
		Weight::from_parts(2 * WEIGHT_REF_TIME_PER_SECOND, MAX_POV_SIZE as u64),
		NORMAL_DISPATCH_RATIO,
	);
}

#[derive_impl(frame_system::config_preludes::ParaChainDefaultConfig)]
impl frame_system::Config for Runtime {
	type Block = Block;
	type BlockWeights = RuntimeBlockWeights;
	type AccountId = AccountId;
	type Nonce = Nonce;
	type Lookup = AccountIdLookup<AccountId, ()>;
	type AccountData = pallet_balances::AccountData<Balance>;
	type SS58Prefix = ConstU16<42>;
	type DbWeight = RocksDbWeight;
	type Version = Version;
	type MaxConsumers = ConstU32<16>;
	type OnSetCode = cumulus_pallet_parachain_system::ParachainSetCode<Runtime>;

	// Content fabric: begin
	type BaseCallFilter = pallet_content_fabric::NestingLimit;
	// Content fabric: end
}

impl pallet_timestamp::Config for Runtime {
	type Moment = u64;
	type OnTimestampSet = Aura;
	type MinimumPeriod = ConstU64<0>;
	type WeightInfo = ();
}

impl pallet_aura::Config for Runtime {
	type AuthorityId = AuraId;
	type DisabledValidators = ();
	type MaxAuthorities = ConstU32<32>;
	type AllowMultipleBlocksPerSlot = ConstBool<true>;
	type SlotDuration = ConstU64<SLOT_DURATION>;
}

/// At most one block per slot of the relay chain, and three blocks that it has not included yet.
type ConsensusHook =
	cumulus_pallet_aura_ext::FixedVelocityConsensusHook<Runtime, { SLOT_DURATION as u32 }, 1, 3>;

/// This chain receives no messages.
impl cumulus_pallet_parachain_system::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type OnSystemEvent = ();
	type SelfParaId = ParachainInfo;
	type OutboundXcmpMessageSource = ();
	type DmpQueue = ();
	type ReservedDmpWeight = ();
	type XcmpMessageHandler = ();
	type ReservedXcmpWeight = ();
	type CheckAssociatedRelayNumber = RelayNumberMonotonicallyIncreases;
	type WeightInfo = cumulus_pallet_parachain_system::weights::SubstrateWeight<Runtime>;
	type ConsensusHook = ConsensusHook;
	type RelayParentOffset = ConstU32<0>;
	type SchedulingSignatureVerifier = ();
}

impl staging_parachain_info::Config for Runtime {}

impl cumulus_pallet_aura_ext::Config for Runtime {}

impl cumulus_pallet_weight_reclaim::Config for Runtime {
	type WeightInfo = ();
}

impl pallet_authorship::Config for Runtime {
	type FindAuthor = pallet_session::FindAccountFromAuthorIndex<Self, Aura>;
	type EventHandler = CollatorSelection;
}

parameter_types! {
	pub const SessionPeriod: BlockNumber = 3_600;
	pub const SessionOffset: BlockNumber = 0;
	pub const CollatorPot: PalletId = PalletId(*b"PotStake");
}

impl pallet_collator_selection::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type Currency = Balances;
	type UpdateOrigin = EnsureRoot<AccountId>;
	type PotId = CollatorPot;
	type MaxCandidates = ConstU32<100>;
	type MinEligibleCollators = ConstU32<1>;
	type MaxInvulnerables = ConstU32<20>;
	type KickThreshold = SessionPeriod;
	type ValidatorId = AccountId;
	type ValidatorIdOf = pallet_collator_selection::IdentityCollator;
	type ValidatorRegistration = Session;
	type WeightInfo = pallet_collator_selection::weights::SubstrateWeight<Runtime>;
}

impl pallet_session::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type ValidatorId = AccountId;
	type ValidatorIdOf = pallet_collator_selection::IdentityCollator;
	type ShouldEndSession = pallet_session::PeriodicSessions<SessionPeriod, SessionOffset>;
	type NextSessionRotation = pallet_session::PeriodicSessions<SessionPeriod, SessionOffset>;
	type SessionManager = CollatorSelection;
	type SessionHandler = <SessionKeys as OpaqueKeys>::KeyTypeIdProviders;
	type Keys = SessionKeys;
	type DisablingStrategy = ();
	type WeightInfo = pallet_session::weights::SubstrateWeight<Runtime>;
	type Currency = Balances;
	type KeyDeposit = ConstU128<0>;
}

impl pallet_balances::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type RuntimeHoldReason = RuntimeHoldReason;
	type RuntimeFreezeReason = RuntimeFreezeReason;
	type WeightInfo = pallet_balances::weights::SubstrateWeight<Runtime>;
	type Balance = Balance;
	type DustRemoval = ();
	type ExistentialDeposit = ConstU128<{ UNIT / 1_000 }>;
	type AccountStore = System;
	type ReserveIdentifier = [u8; 8];
	type FreezeIdentifier = RuntimeFreezeReason;
	type MaxLocks = ConstU32<50>;
	type MaxReserves = ConstU32<50>;
	type MaxFreezes = VariantCountOf<RuntimeFreezeReason>;
	type DoneSlashHandler = ();
}

impl pallet_transaction_payment::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type OnChargeTransaction = FungibleAdapter<Balances, ()>;
	type OperationalFeeMultiplier = ConstU8<5>;
	type WeightToFee = IdentityFee<Balance>;
	type LengthToFee = ConstantMultiplier<Balance, ConstU128<1_000_000>>;
	type FeeMultiplierUpdate = ();
	type WeightInfo = pallet_transaction_payment::weights::SubstrateWeight<Runtime>;
}

impl pallet_sudo::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type RuntimeCall = RuntimeCall;
	type WeightInfo = pallet_sudo::weights::SubstrateWeight<Runtime>;
}

impl pallet_utility::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type RuntimeCall = RuntimeCall;
	type PalletsOrigin = OriginCaller;
	type WeightInfo = pallet_utility::weights::SubstrateWeight<Runtime>;
}

// Content fabric: begin
use pallet_content_fabric::EnsureSpaceGovernor;

parameter_types! {
	pub const MaxIdleWeight: Weight = Weight::from_parts(500 * WEIGHT_REF_TIME_PER_MILLIS, 1 << 20);
}

impl pallet_content_fabric::Config for Runtime {
	type RuntimeHoldReason = RuntimeHoldReason;
	type WeightInfo = pallet_content_fabric::weights::SubstrateWeight<Runtime>;
	type Currency = Balances;
	type Slash = ();
	// Content fabric: end
	// This chain has an observer in place of `()`.
	type Observer = FinalizedBytes;
	// Content fabric: begin
	type DepositBase = ConstU128<20_000_000_000>;
	type DepositPerByte = ConstU128<100_000_000>;
	type UnbondingPeriod = ConstU32<100_800>;
	type CreateSpaceOrigin = EnsureRoot<AccountId>;
	type GovernanceOrigin = EitherOfDiverse<EnsureRoot<AccountId>, EnsureSpaceGovernor<Runtime>>;
	type Time = Timestamp;
	type OffchainSignature = Signature;
	type MaxCommitAge = ConstU64<3_600_000>;
	type MaxClockDrift = ConstU64<30_000>;
	type MaxIdleWeight = MaxIdleWeight;
	type MinFreeReap = ConstU32<100>;
	type FreeForOperators = ConstBool<true>;
	type MaxVersionsPerCommit = ConstU32<500>;
	type MaxCopies = ConstU32<8>;
	type MaxRecordsPerCall = ConstU32<500>;
	type MaxAdmissions = ConstU32<1_000>;
	type MaxReasonLen = ConstU32<256>;
	type MaxLocatorLen = ConstU32<256>;
	type MaxSlaLen = ConstU32<256>;
	type MaxCollectionNameLen = ConstU32<317>;
	type MaxRecordKeyLen = ConstU32<512>;
	#[cfg(feature = "runtime-benchmarks")]
	type BenchmarkHelper = ();
}
// Content fabric: end

// Nested calls: begin
use pallet_content_fabric::NestedCalls;

impl NestedCalls for RuntimeCall {
	fn nested_calls(&self) -> impl Iterator<Item = &Self> {
		use pallet_sudo::Call as Sudo;
		use pallet_utility::Call as Utility;
		let (calls, call): (&[Self], Option<&Self>) = match self {
			Self::Utility(
				Utility::batch { calls }
				| Utility::batch_all { calls }
				| Utility::force_batch { calls },
			) => (calls, None),
			Self::Utility(
				Utility::as_derivative { call, .. }
				| Utility::dispatch_as { call, .. }
				| Utility::dispatch_as_fallible { call, .. }
				| Utility::with_weight { call, .. },
			) => (&[], Some(call)),
			Self::Utility(Utility::if_else { main, fallback }) => {
				(core::slice::from_ref(main), Some(fallback))
			},
			Self::Sudo(
				Sudo::sudo { call }
				| Sudo::sudo_unchecked_weight { call, .. }
				| Sudo::sudo_as { call, .. },
			) => (&[], Some(call)),
			_ => (&[], None),
		};
		calls.iter().chain(call)
	}

	fn has_stated_weight(&self) -> bool {
		matches!(
			self,
			Self::Utility(pallet_utility::Call::with_weight { .. })
				| Self::Sudo(pallet_sudo::Call::sudo_unchecked_weight { .. })
		)
	}
}
// Nested calls: end

impl finalized_bytes::Config for Runtime {}

#[cfg(feature = "runtime-benchmarks")]
frame_benchmarking::define_benchmarks!(
	[cumulus_pallet_parachain_system, ParachainSystem]
	[pallet_balances, Balances]
	[pallet_sudo, Sudo]
	[pallet_timestamp, Timestamp]
	// Content fabric: begin
	[pallet_content_fabric, ContentFabric]
	// Content fabric: end
);

cumulus_pallet_parachain_system::register_validate_block! {
	Runtime = Runtime,
	BlockExecutor = cumulus_pallet_aura_ext::BlockExecutor::<Runtime, Executive>,
}
