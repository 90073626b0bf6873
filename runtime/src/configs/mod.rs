// SPDX-License-Identifier: Apache-2.0
//! The configuration of each pallet. [`validators`] configures consensus, [`brakes`] the council's
//! brakes, and [`motions`] the deposit of motions. [`dry_run`] lists the calls for dry runs.

pub mod brakes;
pub mod dry_run;
pub mod motions;
mod nesting;
pub mod validators;

use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use frame_support::{
	derive_impl, parameter_types,
	traits::{
		AsEnsureOriginWithArg, ConstBool, ConstU32, ConstU64, ConstU8, EitherOfDiverse,
		InstanceFilter, VariantCountOf,
	},
	weights::{
		constants::{ExtrinsicBaseWeight, WEIGHT_REF_TIME_PER_MICROS, WEIGHT_REF_TIME_PER_SECOND},
		ConstantMultiplier, RuntimeDbWeight, Weight, WeightToFeeCoefficient,
		WeightToFeeCoefficients, WeightToFeePolynomial,
	},
};
use frame_system::{limits, EnsureRoot};
use pallet_collective::MemberCount;
use pallet_transaction_payment::{FungibleAdapter, Multiplier, TargetedFeeAdjustment};
use scale_info::TypeInfo;
use sp_runtime::{
	traits::{AccountIdLookup, BlakeTwo256, Bounded},
	FixedPointNumber, Perbill, Perquintill,
};
use sp_version::RuntimeVersion;

pub use self::validators::{SessionPeriod, SlotDuration};
use self::{brakes::CallFilter, motions::MotionDeposit};
use crate::{
	time::{DAYS, SLOT_DURATION},
	units::{deposit, MICROUNIT, MILLIUNIT},
	AccountId, Balance, Balances, Block, BlockNumber, Hash, Migrations, Nonce, OriginCaller,
	PalletInfo, Runtime, RuntimeCall, RuntimeEvent, RuntimeFreezeReason, RuntimeHoldReason,
	RuntimeOrigin, RuntimeTask, Signature, System, Timestamp, VERSION,
};

/// The part of a block that transactions may fill; the rest is for inherents and operational calls.
const NORMAL_DISPATCH_RATIO: Perbill = Perbill::from_percent(75);
/// Two seconds of computing in a slot of six. This chain needs no proofs, so their size is not
/// limited.
const MAXIMUM_BLOCK_WEIGHT: Weight = Weight::from_parts(WEIGHT_REF_TIME_PER_SECOND * 2, u64::MAX);
const MAXIMUM_BLOCK_LENGTH: u32 = 5 * 1024 * 1024;

parameter_types! {
	pub const BlockHashCount: u32 = 2_400;
	pub const Version: RuntimeVersion = VERSION;
	pub const SS58Prefix: u8 = 42;
	pub BlockWeights: limits::BlockWeights =
		limits::BlockWeights::with_sensible_defaults(MAXIMUM_BLOCK_WEIGHT, NORMAL_DISPATCH_RATIO);
	// By `scripts/measure/benchmark storage`, with 1,000,000 rows in ParityDB. A read takes 25 µs
	// from the disk, and 8 µs from the memory of the operating system. A write takes 19 µs of a
	// block's time and reaches the disk later, for which the SDK's weight is kept.
	pub const DatabaseWeight: RuntimeDbWeight = RuntimeDbWeight {
		read: 25 * WEIGHT_REF_TIME_PER_MICROS,
		write: 50 * WEIGHT_REF_TIME_PER_MICROS,
	};
	pub BlockLength: limits::BlockLength =
		limits::BlockLength::builder()
			.max_length(MAXIMUM_BLOCK_LENGTH)
			.modify_max_length_for_class(frame_support::dispatch::DispatchClass::Normal, |max| {
				*max = NORMAL_DISPATCH_RATIO * MAXIMUM_BLOCK_LENGTH;
			})
			.build();
}

#[derive_impl(frame_system::config_preludes::SolochainDefaultConfig)]
impl frame_system::Config for Runtime {
	type BaseCallFilter = CallFilter;
	type Block = Block;
	type BlockWeights = BlockWeights;
	type BlockLength = BlockLength;
	type AccountId = AccountId;
	type Nonce = Nonce;
	type Hash = Hash;
	type Lookup = AccountIdLookup<AccountId, ()>;
	type BlockHashCount = BlockHashCount;
	type DbWeight = DatabaseWeight;
	type Version = Version;
	type AccountData = pallet_balances::AccountData<Balance>;
	type SystemWeightInfo = frame_system::weights::SubstrateWeight<Runtime>;
	type ExtensionsWeightInfo = frame_system::SubstrateExtensionsWeight<Runtime>;
	type SS58Prefix = SS58Prefix;
	type MaxConsumers = ConstU32<16>;
	type MultiBlockMigrator = Migrations;
}

parameter_types! {
	pub const ExistentialDeposit: Balance = MILLIUNIT;
}

impl pallet_balances::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type RuntimeHoldReason = RuntimeHoldReason;
	type RuntimeFreezeReason = RuntimeFreezeReason;
	type WeightInfo = pallet_balances::weights::SubstrateWeight<Runtime>;
	type Balance = Balance;
	type DustRemoval = ();
	type ExistentialDeposit = ExistentialDeposit;
	type AccountStore = System;
	type ReserveIdentifier = [u8; 8];
	type FreezeIdentifier = RuntimeFreezeReason;
	type MaxLocks = ConstU32<50>;
	type MaxReserves = ConstU32<50>;
	type MaxFreezes = VariantCountOf<RuntimeFreezeReason>;
	type DoneSlashHandler = ();
}

/// A transaction that weighs the extrinsic base weight costs 100 microunits; all others are in
/// proportion.
pub struct WeightToFee;

impl WeightToFeePolynomial for WeightToFee {
	type Balance = Balance;

	fn polynomial() -> WeightToFeeCoefficients<Balance> {
		let (fee, weight) = (100 * MICROUNIT, Balance::from(ExtrinsicBaseWeight::get().ref_time()));
		core::iter::once(WeightToFeeCoefficient {
			degree: 1,
			negative: false,
			coeff_frac: Perbill::from_rational(fee % weight, weight),
			coeff_integer: fee / weight,
		})
		.collect()
	}
}

parameter_types! {
	pub const TransactionByteFee: Balance = MICROUNIT;
	pub const TargetBlockFullness: Perquintill = Perquintill::from_percent(25);
	pub AdjustmentVariable: Multiplier = Multiplier::saturating_from_rational(75, 1_000_000);
	pub MinimumMultiplier: Multiplier = Multiplier::saturating_from_rational(1, 10);
	pub MaximumMultiplier: Multiplier = Bounded::max_value();
}

impl pallet_transaction_payment::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type OnChargeTransaction = FungibleAdapter<Balances, ()>;
	type OperationalFeeMultiplier = ConstU8<5>;
	type WeightToFee = WeightToFee;
	type LengthToFee = ConstantMultiplier<Balance, TransactionByteFee>;
	type FeeMultiplierUpdate = TargetedFeeAdjustment<
		Self,
		TargetBlockFullness,
		AdjustmentVariable,
		MinimumMultiplier,
		MaximumMultiplier,
	>;
	type WeightInfo = pallet_transaction_payment::weights::SubstrateWeight<Runtime>;
}

impl pallet_sudo::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type RuntimeCall = RuntimeCall;
	type WeightInfo = pallet_sudo::weights::SubstrateWeight<Runtime>;
}

/// The one collective of this chain.
pub type CouncilCollective = pallet_collective::Instance1;
/// More than half of the council.
pub type MajorityOfCouncil =
	pallet_collective::EnsureProportionMoreThan<AccountId, CouncilCollective, 1, 2>;
/// Two thirds of the council or more.
pub type TwoThirdsOfCouncil =
	pallet_collective::EnsureProportionAtLeast<AccountId, CouncilCollective, 2, 3>;
/// Root, or more than half of the council.
pub type RootOrMajorityOfCouncil = EitherOfDiverse<EnsureRoot<AccountId>, MajorityOfCouncil>;

/// A member that does not vote never counts as a yes.
pub struct AbsentIsNo;

impl pallet_collective::DefaultVote for AbsentIsNo {
	fn default_vote(_: Option<bool>, _: MemberCount, _: MemberCount, _: MemberCount) -> bool {
		false
	}
}

parameter_types! {
	pub MaxProposalWeight: Weight = Perbill::from_percent(50) * BlockWeights::get().max_block;
	pub const MotionDuration: BlockNumber = 3 * DAYS;
}

impl pallet_collective::Config<CouncilCollective> for Runtime {
	type RuntimeOrigin = RuntimeOrigin;
	type Proposal = RuntimeCall;
	type RuntimeEvent = RuntimeEvent;
	type MotionDuration = MotionDuration;
	type MaxProposals = ConstU32<100>;
	type MaxMembers = ConstU32<100>;
	type DefaultVote = AbsentIsNo;
	type WeightInfo = pallet_collective::weights::SubstrateWeight<Runtime>;
	type SetMembersOrigin = EnsureRoot<AccountId>;
	type MaxProposalWeight = MaxProposalWeight;
	type DisapproveOrigin = EnsureRoot<AccountId>;
	type KillOrigin = EnsureRoot<AccountId>;
	type Consideration = MotionDeposit;
}

/// The council's way to root: two thirds whitelist a call and dispatch it, both in one motion:
/// `utility.batch_all([whitelist_call(hash), dispatch_whitelisted_call_with_preimage(call)])`. The
/// upgrade of a chain without sudo is `system.authorize_upgrade(hash)` by such a motion, and
/// `system.apply_authorized_upgrade(code)` by any account.
impl pallet_whitelist::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type RuntimeCall = RuntimeCall;
	type WhitelistOrigin = TwoThirdsOfCouncil;
	type DispatchWhitelistedOrigin = TwoThirdsOfCouncil;
	// Calls come with the motion, so there are no preimages to keep.
	type Preimages = ();
	type DeferredDispatchExpiration = MotionDuration;
	type BlockNumberProvider = System;
	type WeightInfo = pallet_whitelist::weights::SubstrateWeight<Runtime>;
}

parameter_types! {
	// One row of 88 bytes, and 32 bytes a signatory.
	pub const MultisigDepositBase: Balance = deposit(1, 88);
	pub const MultisigDepositFactor: Balance = deposit(0, 32);
	// One row of 8 bytes, and 33 bytes a proxy.
	pub const ProxyDepositBase: Balance = deposit(1, 8);
	pub const ProxyDepositFactor: Balance = deposit(0, 33);
	// One row of 8 bytes, and 66 bytes an announcement.
	pub const AnnouncementDepositBase: Balance = deposit(1, 8);
	pub const AnnouncementDepositFactor: Balance = deposit(0, 66);
}

impl pallet_multisig::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type RuntimeCall = RuntimeCall;
	type Currency = Balances;
	type DepositBase = MultisigDepositBase;
	type DepositFactor = MultisigDepositFactor;
	type MaxSignatories = ConstU32<100>;
	type WeightInfo = pallet_multisig::weights::SubstrateWeight<Runtime>;
	type BlockNumberProvider = System;
}

/// The calls that a proxy may make in the name of an account.
#[derive(
	Clone,
	Copy,
	Debug,
	Default,
	PartialEq,
	Eq,
	PartialOrd,
	Ord,
	Encode,
	Decode,
	DecodeWithMemTracking,
	MaxEncodedLen,
	TypeInfo,
)]
pub enum ProxyType {
	/// Everything.
	#[default]
	#[codec(index = 0)]
	Any,
	/// The calls of the content fabric, alone or in batches.
	#[codec(index = 1)]
	ContentFabric,
	/// The daily work with nodes and content, alone or in batches: nothing that changes an account,
	/// a level, a bond or a limit. For keys on servers.
	#[codec(index = 2)]
	ContentOperations,
}

impl InstanceFilter<RuntimeCall> for ProxyType {
	fn filter(&self, call: &RuntimeCall) -> bool {
		use pallet_content_fabric::Call as Fabric;
		// The filter is asked for the calls in a batch, too.
		let is_batch = matches!(
			call,
			RuntimeCall::Utility(
				pallet_utility::Call::batch { .. }
					| pallet_utility::Call::batch_all { .. }
					| pallet_utility::Call::force_batch { .. }
			)
		);
		match self {
			Self::Any => true,
			Self::ContentFabric => is_batch || matches!(call, RuntimeCall::ContentFabric(_)),
			Self::ContentOperations => {
				is_batch
					|| matches!(
						call,
						RuntimeCall::ContentFabric(
							Fabric::confirm_node { .. }
								| Fabric::commit_versions { .. }
								| Fabric::finalize_versions { .. }
								| Fabric::add_copies { .. }
								| Fabric::remove_copies { .. }
								| Fabric::create_content_object { .. }
								| Fabric::delete_content_object { .. }
								| Fabric::delete_version { .. }
								| Fabric::set_head_version { .. }
								| Fabric::put_records { .. }
								| Fabric::delete_records { .. }
						)
					)
			},
		}
	}

	fn is_superset(&self, other: &Self) -> bool {
		match (self, other) {
			(Self::Any, _) | (Self::ContentFabric, Self::ContentOperations) => true,
			_ => self == other,
		}
	}
}

impl pallet_proxy::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type RuntimeCall = RuntimeCall;
	type Currency = Balances;
	type ProxyType = ProxyType;
	type ProxyDepositBase = ProxyDepositBase;
	type ProxyDepositFactor = ProxyDepositFactor;
	type MaxProxies = ConstU32<32>;
	type WeightInfo = pallet_proxy::weights::SubstrateWeight<Runtime>;
	type MaxPending = ConstU32<32>;
	type CallHasher = BlakeTwo256;
	type AnnouncementDepositBase = AnnouncementDepositBase;
	type AnnouncementDepositFactor = AnnouncementDepositFactor;
	type BlockNumberProvider = System;
}

impl pallet_utility::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type RuntimeCall = RuntimeCall;
	type PalletsOrigin = OriginCaller;
	type WeightInfo = pallet_utility::weights::SubstrateWeight<Runtime>;
}

parameter_types! {
	pub MaxServiceWeight: Weight = Perbill::from_percent(75) * BlockWeights::get().max_block;
}

/// Migrations that take more than one block. While one is under way, the chain accepts only
/// inherents.
impl pallet_migrations::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type Migrations = crate::MultiBlockMigrations;
	type CursorMaxLen = ConstU32<65_536>;
	type IdentifierMaxLen = ConstU32<256>;
	type MigrationStatusHandler = ();
	// If a migration fails, the rest of the chain may continue: the content fabric stays closed
	// until its own migration has ended.
	type FailedMigrationHandler = frame_support::migrations::ForceUnstuckOnFailedMigration;
	type MaxServiceWeight = MaxServiceWeight;
	type WeightInfo = pallet_migrations::weights::SubstrateWeight<Runtime>;
}

parameter_types! {
	pub const FabricDepositBase: Balance = deposit(1, 0);
	pub const FabricDepositPerByte: Balance = deposit(0, 1);
	// Longer than a motion to slash can take.
	pub const UnbondingPeriod: BlockNumber = 7 * DAYS;
	pub MaxIdleWeight: Weight = Perbill::from_percent(25) * BlockWeights::get().max_block;
}

impl pallet_content_fabric::Config for Runtime {
	type RuntimeHoldReason = RuntimeHoldReason;
	type WeightInfo = pallet_content_fabric::weights::SubstrateWeight<Runtime>;
	type Currency = Balances;
	// Slashed bonds are burnt.
	type Slash = ();
	type Observer = ();
	type DepositBase = FabricDepositBase;
	type DepositPerByte = FabricDepositPerByte;
	type UnbondingPeriod = UnbondingPeriod;
	type CreateSpaceOrigin = RootOrMajorityOfCouncil;
	type GovernanceOrigin = EitherOfDiverse<
		AsEnsureOriginWithArg<RootOrMajorityOfCouncil>,
		pallet_content_fabric::EnsureSpaceGovernor<Runtime>,
	>;
	type Time = Timestamp;
	type OffchainSignature = Signature;
	type MaxCommitAge = ConstU64<{ 60 * 60 * 1_000 }>;
	type MaxClockDrift = ConstU64<{ 5 * SLOT_DURATION }>;
	type MaxIdleWeight = MaxIdleWeight;
	type MinFreeReap = ConstU32<100>;
	// Tenants' commits and the creation of nodes are paid for. Nodes should not wait with the rest.
	type FreeForOperators = ConstBool<true>;
	type MaxVersionsPerCommit = ConstU32<500>;
	type MaxCopies = ConstU32<8>;
	type MaxRecordsPerCall = ConstU32<500>;
	type MaxAdmissions = ConstU32<1_000>;
	type MaxReasonLen = ConstU32<256>;
	type MaxLocatorLen = ConstU32<256>;
	type MaxSlaLen = ConstU32<256>;
	// An NSID.
	type MaxCollectionNameLen = ConstU32<317>;
	type MaxRecordKeyLen = ConstU32<512>;
	#[cfg(feature = "runtime-benchmarks")]
	type BenchmarkHelper = ();
}
