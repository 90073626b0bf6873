// SPDX-License-Identifier: Apache-2.0
//! A purge on the solochain.

#[path = "../../shared/mod.rs"]
mod shared;

pub use example_solochain::*;
use sp_runtime::generic::Era;

const SOURCE: &str = concat!(include_str!("../src/lib.rs"), include_str!("../src/apis.rs"));
const MANIFEST: &str = include_str!("../Cargo.toml");

/// Returns the calls that a block begins with.
fn inherents(_: &Header, slot: u64) -> Vec<RuntimeCall> {
	vec![pallet_timestamp::Call::set { now: slot * SLOT_DURATION }.into()]
}

/// Returns the extension of an account's transaction.
fn extension(nonce: Nonce) -> TxExtension {
	(
		frame_system::CheckNonZeroSender::new(),
		frame_system::CheckSpecVersion::new(),
		frame_system::CheckTxVersion::new(),
		frame_system::CheckGenesis::new(),
		frame_system::CheckEra::from(Era::Immortal),
		frame_system::CheckNonce::from(nonce),
		frame_system::CheckWeight::new(),
		pallet_transaction_payment::ChargeTransactionPayment::from(0),
		frame_system::WeightReclaim::new(),
	)
}
