//! The configuration of the brakes: the council can pause single calls, or all but a few.

use frame_support::{
	parameter_types,
	traits::{CallMetadata, ConstU32, Contains, GetCallMetadata, InsideBoth, MapSuccess},
};
use pallet_tx_pause::RuntimeCallNameOf;
use sp_runtime::traits::Replace;

use super::RootOrMajorityOfCouncil;
use crate::{
	time::DAYS, Balance, Balances, BlockNumber, Runtime, RuntimeCall, RuntimeEvent,
	RuntimeHoldReason, SafeMode, TxPause,
};

/// The calls that neither brake stops.
pub type CallFilter = InsideBoth<SafeMode, TxPause>;

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
		let CallMetadata { pallet_name, function_name } = call.get_call_metadata();
		is_unstoppable(pallet_name, function_name)
	}
}

/// Nodes report equivocations without a signature. A signed report is free if it is true, and the
/// owner of a key can make true ones without end.
fn is_unstoppable(pallet: &str, call: &str) -> bool {
	UNSTOPPABLE.contains(&pallet) && (pallet, call) != ("Grandpa", "report_equivocation")
}

impl Contains<RuntimeCallNameOf<Runtime>> for Unstoppable {
	fn contains((pallet, call): &RuntimeCallNameOf<Runtime>) -> bool {
		let names = (str::from_utf8(pallet), str::from_utf8(call));
		matches!(names, (Ok(pallet), Ok(call)) if is_unstoppable(pallet, call))
	}
}

parameter_types! {
	/// The blocks for which safe mode is entered, or extended, by one motion.
	pub const SafeModeDuration: BlockNumber = DAYS;
	// Nobody buys a halt of the chain.
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
	type ForceEnterOrigin = MapSuccess<RootOrMajorityOfCouncil, Replace<SafeModeDuration>>;
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
