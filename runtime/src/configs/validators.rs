// SPDX-License-Identifier: Apache-2.0
//! Configures consensus: sessions, validators, and the disabling of offenders.

use frame_support::{
	parameter_types,
	traits::{ConstBool, ConstU32, ConstU64},
	PalletId,
};
use pallet_collator_selection::IdentityCollator;
use pallet_session::{
	disabling::UpToLimitDisablingStrategy, FindAccountFromAuthorIndex, PeriodicSessions,
};
use sp_consensus_aura::sr25519::AuthorityId as AuraId;
use sp_runtime::traits::{ConvertInto, OpaqueKeys};
use sp_session::MembershipProof;

use super::RootOrMajorityOfCouncil;
use crate::{
	time,
	units::deposit,
	validators::{ActiveVoters, DisableOffenders, NamedValidators},
	AccountId, Aura, Balance, Balances, BlockNumber, Offences, Runtime, RuntimeCall, RuntimeEvent,
	Session, SessionKeys, UncheckedExtrinsic,
};

/// The largest number of validators.
type MaxValidators = ConstU32<100>;

parameter_types! {
	// A test network sets these in its genesis, under `twox_128(":SlotDuration:")` and
	// `twox_128(":SessionPeriod:")`. On a live chain they never change: all nodes count slots
	// from the Unix epoch.
	pub storage SlotDuration: u64 = time::SLOT_DURATION;
	pub storage SessionPeriod: BlockNumber = time::HOURS;
	pub MinimumPeriod: u64 = SlotDuration::get() / 2;
	pub const SessionOffset: BlockNumber = 0;
	// Three rows: the keys, and the owner of each of the two.
	pub const KeyDeposit: Balance = deposit(3, 32 + 64 + 2 * (4 + 32 + 32));
	pub const ReportLongevity: u64 = (7 * time::DAYS) as u64;
	pub const ValidatorPot: PalletId = PalletId(*b"fab/vals");
}

impl pallet_timestamp::Config for Runtime {
	type Moment = u64;
	type OnTimestampSet = Aura;
	// Aura allows one block a slot.
	type MinimumPeriod = MinimumPeriod;
	type WeightInfo = pallet_timestamp::weights::SubstrateWeight<Runtime>;
}

impl pallet_aura::Config for Runtime {
	type AuthorityId = AuraId;
	type DisabledValidators = Session;
	type MaxAuthorities = MaxValidators;
	type AllowMultipleBlocksPerSlot = ConstBool<false>;
	type SlotDuration = SlotDuration;
}

impl pallet_grandpa::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type WeightInfo = ();
	type MaxAuthorities = MaxValidators;
	type MaxNominators = ConstU32<0>;
	type MaxSetIdSessionEntries = ConstU64<1_024>;
	type KeyOwnerProof = MembershipProof;
	type EquivocationReportSystem =
		pallet_grandpa::EquivocationReportSystem<Self, Offences, ActiveVoters, ReportLongevity>;
}

impl pallet_authorship::Config for Runtime {
	type FindAuthor = FindAccountFromAuthorIndex<Self, Aura>;
	// Blocks are not rewarded.
	type EventHandler = ();
}

/// Only its invulnerables are used: the validators that the council names. There is no room for
/// candidates.
impl pallet_collator_selection::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type Currency = Balances;
	type UpdateOrigin = RootOrMajorityOfCouncil;
	type PotId = ValidatorPot;
	type MaxCandidates = ConstU32<0>;
	type MinEligibleCollators = ConstU32<1>;
	type MaxInvulnerables = MaxValidators;
	type KickThreshold = SessionPeriod;
	type ValidatorId = AccountId;
	type ValidatorIdOf = IdentityCollator;
	type ValidatorRegistration = Session;
	type WeightInfo = pallet_collator_selection::weights::SubstrateWeight<Runtime>;
}

impl pallet_session::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type ValidatorId = AccountId;
	type ValidatorIdOf = ConvertInto;
	type ShouldEndSession = PeriodicSessions<SessionPeriod, SessionOffset>;
	type NextSessionRotation = PeriodicSessions<SessionPeriod, SessionOffset>;
	type SessionManager = NamedValidators;
	type SessionHandler = <SessionKeys as OpaqueKeys>::KeyTypeIdProviders;
	type Keys = SessionKeys;
	// At most a third, so that the others keep the chain going.
	type DisablingStrategy = UpToLimitDisablingStrategy;
	type WeightInfo = pallet_session::weights::SubstrateWeight<Runtime>;
	type Currency = Balances;
	type KeyDeposit = KeyDeposit;
}

impl pallet_offences::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type IdentificationTuple = AccountId;
	type OnOffenceHandler = DisableOffenders;
}

// Nodes put the reports of offences into extrinsics without signatures.
impl<LocalCall> frame_system::offchain::CreateTransactionBase<LocalCall> for Runtime
where
	RuntimeCall: From<LocalCall>,
{
	type Extrinsic = UncheckedExtrinsic;
	type RuntimeCall = RuntimeCall;
}

impl<LocalCall> frame_system::offchain::CreateBare<LocalCall> for Runtime
where
	RuntimeCall: From<LocalCall>,
{
	fn create_bare(call: RuntimeCall) -> UncheckedExtrinsic {
		UncheckedExtrinsic::new_bare(call)
	}
}
