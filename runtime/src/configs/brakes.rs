// SPDX-License-Identifier: Apache-2.0
//! The configuration of the brakes: the council can pause single calls, or all but a few.

use frame_support::{
	parameter_types,
	traits::{ConstU32, Contains, EitherOf, GetCallMetadata, InsideBoth, MapSuccess},
};
use pallet_content_fabric::NestingLimit;
use pallet_tx_pause::RuntimeCallNameOf;
use sp_runtime::traits::Replace;

use super::{CouncilCollective, RootOrMajorityOfCouncil};
use crate::{
	time::{DAYS, HOURS},
	AccountId, Balance, Balances, BlockNumber, Runtime, RuntimeCall, RuntimeEvent,
	RuntimeHoldReason, SafeMode, TxPause,
};

/// The calls that are accepted.
pub type CallFilter =
	InsideBoth<InsideBoth<SafeMode, TxPause>, InsideBoth<NoSignedReports, NestingLimit>>;

/// Excludes signed reports of equivocations. True ones are free, so that the owner of a key could
/// fill blocks with them, and nodes send unsigned ones, which only authors of blocks include.
pub struct NoSignedReports;

impl Contains<RuntimeCall> for NoSignedReports {
	fn contains(call: &RuntimeCall) -> bool {
		!matches!(call, RuntimeCall::Grandpa(pallet_grandpa::Call::report_equivocation { .. }))
	}
}

/// The pallets that no brake stops: without them there would be no blocks, no reports of offences,
/// and no way for the council to end what it began. The calls within a batch or a motion are
/// filtered by themselves.
const UNSTOPPABLE: [&str; 14] = [
	"System",
	"Timestamp",
	"Grandpa",
	"CollatorSelection",
	"Session",
	"Council",
	"Whitelist",
	"Sudo",
	"Migrations",
	"SafeMode",
	"TxPause",
	"Multisig",
	"Proxy",
	"Utility",
];

/// The calls of the unstoppable pallets.
pub struct Unstoppable;

impl Contains<RuntimeCall> for Unstoppable {
	fn contains(call: &RuntimeCall) -> bool {
		UNSTOPPABLE.contains(&call.get_call_metadata().pallet_name)
	}
}

impl Contains<RuntimeCallNameOf<Runtime>> for Unstoppable {
	fn contains((pallet, _): &RuntimeCallNameOf<Runtime>) -> bool {
		str::from_utf8(pallet).is_ok_and(|pallet| UNSTOPPABLE.contains(&pallet))
	}
}

parameter_types! {
	/// Number of blocks for which one motion enters or extends safe mode.
	pub const SafeModeDuration: BlockNumber = DAYS;
	/// Number of blocks for which a single member of the council enters safe mode.
	pub const ShortSafeModeDuration: BlockNumber = 2 * HOURS;
	// Safe mode cannot be entered by paying a deposit.
	pub const NoDeposit: Option<Balance> = None;
	pub const NoDelay: Option<BlockNumber> = None;
}

/// Pauses all calls that can be stopped.
impl pallet_safe_mode::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type Currency = Balances;
	type RuntimeHoldReason = RuntimeHoldReason;
	type WhitelistedCalls = Unstoppable;
	type EnterDuration = SafeModeDuration;
	type ExtendDuration = SafeModeDuration;
	type EnterDepositAmount = NoDeposit;
	type ExtendDepositAmount = NoDeposit;
	// The number of open motions is limited, and all places may be taken when the chain needs its
	// brake. So a single member can also enter safe mode, with `council.execute`. The time is long
	// enough for the others to meet, and to end or extend it.
	type ForceEnterOrigin = EitherOf<
		MapSuccess<RootOrMajorityOfCouncil, Replace<SafeModeDuration>>,
		MapSuccess<
			pallet_collective::EnsureMember<AccountId, CouncilCollective>,
			Replace<ShortSafeModeDuration>,
		>,
	>;
	type ForceExtendOrigin = MapSuccess<RootOrMajorityOfCouncil, Replace<SafeModeDuration>>;
	type ForceExitOrigin = RootOrMajorityOfCouncil;
	type ForceDepositOrigin = RootOrMajorityOfCouncil;
	type Notify = ();
	type ReleaseDelay = NoDelay;
	type WeightInfo = pallet_safe_mode::weights::SubstrateWeight<Runtime>;
}

/// Pauses calls one by one, by the names of their pallets and of themselves.
impl pallet_tx_pause::Config for Runtime {
	type RuntimeEvent = RuntimeEvent;
	type RuntimeCall = RuntimeCall;
	type PauseOrigin = RootOrMajorityOfCouncil;
	type UnpauseOrigin = RootOrMajorityOfCouncil;
	type WhitelistedCalls = Unstoppable;
	type MaxNameLen = ConstU32<256>;
	type WeightInfo = pallet_tx_pause::weights::SubstrateWeight<Runtime>;
}
