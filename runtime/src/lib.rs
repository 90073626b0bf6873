// SPDX-License-Identifier: Apache-2.0
//! Reference runtime of a content fabric: `pallet-content-fabric` in a chain with Aura and GRANDPA,
//! a council, and multisigs and pure proxies, either of which can govern a space.
//!
//! [`configs`] holds each pallet's configuration, [`apis`] the runtime APIs,
//! [`genesis_config_presets`] the presets `development` and `local_testnet`.

#![cfg_attr(not(feature = "std"), no_std)]
// The macros of FRAME generate items without docs.
#![allow(missing_docs)]

extern crate alloc;

pub mod apis;
#[cfg(feature = "runtime-benchmarks")]
mod benchmarks;
pub mod configs;
#[cfg(feature = "drill")]
pub mod drill;
mod fees;
pub mod genesis_config_presets;
pub mod validators;

// The macros below use it.
#[cfg(not(feature = "std"))]
use alloc::vec::Vec;

use sp_runtime::{
	generic, impl_opaque_keys,
	traits::{BlakeTwo256, IdentifyAccount, Verify},
	MultiAddress, MultiSignature, OpaqueExtrinsic,
};
#[cfg(not(feature = "drill"))]
use sp_version::{runtime_version, RuntimeVersion};

/// A signature of any scheme that Substrate chains support.
pub type Signature = MultiSignature;
/// The public key of an account, or its hash.
pub type AccountId = <<Signature as Verify>::Signer as IdentifyAccount>::AccountId;
/// The form in which extrinsics name an account.
pub type Address = MultiAddress<AccountId, ()>;
/// An amount of the currency in its smallest unit, of which a [`units::UNIT`] has 10^12.
pub type Balance = u128;
/// Number of a block.
pub type BlockNumber = u32;
/// Count of an account's transactions.
pub type Nonce = u32;
/// Hash of a block or of a state.
pub type Hash = sp_core::H256;
/// Header of a block.
pub type Header = generic::Header<BlockNumber, BlakeTwo256>;
/// A block.
pub type Block = generic::Block<Header, UncheckedExtrinsic>;
/// A block as a node sees it, which does not look into extrinsics.
pub type OpaqueBlock = generic::Block<Header, OpaqueExtrinsic>;
/// An extrinsic as it comes from outside.
pub type UncheckedExtrinsic =
	generic::UncheckedExtrinsic<Address, RuntimeCall, Signature, TxExtension>;
/// The extensions of a transaction, besides its call.
pub type TxExtension = (
	frame_system::CheckNonZeroSender<Runtime>,
	frame_system::CheckSpecVersion<Runtime>,
	frame_system::CheckTxVersion<Runtime>,
	frame_system::CheckGenesis<Runtime>,
	frame_system::CheckEra<Runtime>,
	frame_system::CheckNonce<Runtime>,
	frame_system::CheckWeight<Runtime>,
	pallet_transaction_payment::ChargeTransactionPayment<Runtime>,
	frame_metadata_hash_extension::CheckMetadataHash<Runtime>,
	frame_system::WeightReclaim<Runtime>,
);
/// Migrations that take more than one block, in the order in which they run.
#[cfg(not(feature = "drill"))]
pub type MultiBlockMigrations = ();
#[cfg(feature = "drill")]
pub type MultiBlockMigrations = (drill::Resize,);
/// Dispatches blocks to the pallets.
pub type Executive = frame_executive::Executive<
	Runtime,
	Block,
	frame_system::ChainContext<Runtime>,
	Runtime,
	AllPalletsWithSystem,
>;

/// Amounts of the chain's currency.
pub mod units {
	use super::Balance;

	/// The currency's unit.
	pub const UNIT: Balance = 1_000_000_000_000;
	/// A thousandth.
	pub const MILLIUNIT: Balance = UNIT / 1_000;
	/// A millionth.
	pub const MICROUNIT: Balance = UNIT / 1_000_000;

	/// Returns the deposit for this many items and bytes in storage.
	pub const fn deposit(items: u32, bytes: u32) -> Balance {
		items as Balance * 20 * MILLIUNIT + bytes as Balance * 100 * MICROUNIT
	}
}

/// Spans of time.
pub mod time {
	use super::BlockNumber;

	/// Length of an Aura slot, in milliseconds.
	pub const SLOT_DURATION: u64 = 6_000;
	/// A minute, in blocks.
	pub const MINUTES: BlockNumber = 60_000 / (SLOT_DURATION as BlockNumber);
	/// An hour, in blocks.
	pub const HOURS: BlockNumber = MINUTES * 60;
	/// A day, in blocks.
	pub const DAYS: BlockNumber = HOURS * 24;
}

impl_opaque_keys! {
	/// The keys of a block producer.
	pub struct SessionKeys {
		/// Signs blocks.
		pub aura: Aura,
		/// Votes on finality.
		pub grandpa: Grandpa,
	}
}

#[cfg(feature = "drill")]
pub use drill::VERSION;

/// The version of this runtime.
#[cfg(not(feature = "drill"))]
#[runtime_version]
pub const VERSION: RuntimeVersion = RuntimeVersion {
	spec_name: alloc::borrow::Cow::Borrowed("content-fabric"),
	impl_name: alloc::borrow::Cow::Borrowed("content-fabric"),
	authoring_version: 1,
	spec_version: 1,
	impl_version: 1,
	apis: apis::RUNTIME_API_VERSIONS,
	transaction_version: 1,
	system_version: 1,
};

#[frame_support::runtime]
mod runtime {
	/// The runtime: the pallets and their indices, which never change.
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

	/// Accounts, blocks, events.
	#[runtime::pallet_index(0)]
	pub type System = frame_system;
	/// The time of the block.
	#[runtime::pallet_index(1)]
	pub type Timestamp = pallet_timestamp;
	/// Block authoring in slots.
	#[runtime::pallet_index(2)]
	pub type Aura = pallet_aura;
	/// Votes on finality.
	#[runtime::pallet_index(3)]
	pub type Grandpa = pallet_grandpa;
	/// The author of the block. It looks for the author among the validators, so it comes before
	/// sessions, which may change them.
	#[runtime::pallet_index(4)]
	pub type Authorship = pallet_authorship;
	/// The validators that the council names.
	#[runtime::pallet_index(5)]
	pub type CollatorSelection = pallet_collator_selection;
	/// The keys of validators, and when they change.
	#[runtime::pallet_index(6)]
	pub type Session = pallet_session;
	/// Offences of validators.
	#[runtime::pallet_index(7)]
	pub type Offences = pallet_offences;

	/// The currency.
	#[runtime::pallet_index(10)]
	pub type Balances = pallet_balances;
	/// Fees.
	#[runtime::pallet_index(11)]
	pub type TransactionPayment = pallet_transaction_payment;

	/// The root origin of a development chain.
	#[runtime::pallet_index(20)]
	pub type Sudo = pallet_sudo;
	/// The council.
	#[runtime::pallet_index(21)]
	pub type Council = pallet_collective<Instance1>;
	/// Lets the council dispatch calls as root.
	#[runtime::pallet_index(22)]
	pub type Whitelist = pallet_whitelist;
	/// Migrations that take more than one block.
	#[runtime::pallet_index(23)]
	pub type Migrations = pallet_migrations;

	/// Lets the council stop all but a few calls.
	#[runtime::pallet_index(24)]
	pub type SafeMode = pallet_safe_mode;
	/// Lets the council stop single calls.
	#[runtime::pallet_index(25)]
	pub type TxPause = pallet_tx_pause;

	/// Accounts of several signers.
	#[runtime::pallet_index(30)]
	pub type Multisig = pallet_multisig;
	/// Accounts that act for others.
	#[runtime::pallet_index(31)]
	pub type Proxy = pallet_proxy;
	/// Batches.
	#[runtime::pallet_index(32)]
	pub type Utility = pallet_utility;

	/// The directory of the content fabric.
	#[runtime::pallet_index(50)]
	pub type ContentFabric = pallet_content_fabric;
}
