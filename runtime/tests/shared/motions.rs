// SPDX-License-Identifier: Apache-2.0
//! The calls that make up a motion of the council.

use codec::Encode;
use content_fabric_runtime::RuntimeCall;
use frame_support::{
	dispatch::GetDispatchInfo,
	weights::{constants::WEIGHT_REF_TIME_PER_MILLIS, Weight},
};
use sp_core::H256;
use sp_runtime::traits::{BlakeTwo256, Hash};

/// Returns the call that proposes a motion, which needs this many votes.
pub fn propose(threshold: u32, call: &RuntimeCall) -> RuntimeCall {
	let (length_bound, proposal) = (call.encoded_size() as u32, Box::new(call.clone()));
	RuntimeCall::Council(pallet_collective::Call::propose { threshold, proposal, length_bound })
}

/// Returns the call that closes a motion.
pub fn close(proposal_hash: H256, index: u32, call: &RuntimeCall) -> RuntimeCall {
	let spare = Weight::from_parts(WEIGHT_REF_TIME_PER_MILLIS, 10_000);
	RuntimeCall::Council(pallet_collective::Call::close {
		proposal_hash,
		index,
		proposal_weight_bound: call.get_dispatch_info().call_weight + spare,
		length_bound: call.encoded_size() as u32,
	})
}

/// Returns the call of the motion by which two thirds of the council act as root.
pub fn as_root(call: RuntimeCall) -> RuntimeCall {
	let call_hash = BlakeTwo256::hash_of(&call);
	let whitelist = pallet_whitelist::Call::whitelist_call { call_hash };
	let call = Box::new(call);
	let dispatch = pallet_whitelist::Call::dispatch_whitelisted_call_with_preimage { call };
	pallet_utility::Call::batch_all { calls: vec![whitelist.into(), dispatch.into()] }.into()
}
