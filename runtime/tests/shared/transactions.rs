// SPDX-License-Identifier: Apache-2.0
//! The beginning of a block, and signed transactions, as a node makes them.

use codec::Encode;
use content_fabric_runtime::{
	AccountId, Balance, Hash, Header, Nonce, Runtime, RuntimeCall, TxExtension, UncheckedExtrinsic,
};
use frame_metadata_hash_extension::CheckMetadataHash;
use sp_core::sr25519;
use sp_runtime::{
	generic::{Digest, DigestItem, Era, SignedPayload},
	traits::Header as _,
};

/// Returns the header with which a block of this slot begins, and its inherent.
pub fn begin(number: u32, parent: Hash, slot: u64) -> (Header, UncheckedExtrinsic) {
	let digest = Digest { logs: vec![DigestItem::PreRuntime(*b"aura", slot.encode())] };
	let header = Header::new(number, Hash::default(), Hash::default(), parent, digest);
	let set_time = pallet_timestamp::Call::set { now: slot * 6_000 };
	(header, UncheckedExtrinsic::new_bare(set_time.into()))
}

/// Returns a transaction of an account.
pub fn transaction(
	account: AccountId,
	sign: impl FnOnce(&[u8]) -> sr25519::Signature,
	nonce: Nonce,
	tip: Balance,
	call: RuntimeCall,
	metadata_hash: CheckMetadataHash<Runtime>,
) -> UncheckedExtrinsic {
	let extension: TxExtension = (
		frame_system::CheckNonZeroSender::new(),
		frame_system::CheckSpecVersion::new(),
		frame_system::CheckTxVersion::new(),
		frame_system::CheckGenesis::new(),
		frame_system::CheckEra::from(Era::Immortal),
		frame_system::CheckNonce::from(nonce),
		frame_system::CheckWeight::new(),
		pallet_transaction_payment::ChargeTransactionPayment::from(tip),
		metadata_hash,
		frame_system::WeightReclaim::new(),
	);
	let payload = SignedPayload::new(call, extension).expect("the state has what is signed");
	let signature = payload.using_encoded(sign);
	let (call, extension, _) = payload.deconstruct();
	UncheckedExtrinsic::new_signed(call, account.into(), signature.into(), extension)
}
