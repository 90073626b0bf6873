// SPDX-License-Identifier: Apache-2.0
//! Calls within calls: of the fabric, about as deep as is accepted, and bombs of any depth.

use content_fabric_runtime::RuntimeCall;
use pallet_content_fabric::{fuzzing::Draws, NestedCalls, MAX_NESTING};
use sp_keyring::Sr25519Keyring;

use crate::{
	accounts::{Accounts, Origin, KEYS},
	fabric,
	steps::Action,
	wrappers::{remark, wrap, KINDS},
};

/// Returns a call of the fabric within others.
pub fn action(draws: &mut Draws, accounts: &Accounts) -> Action {
	let (origin, mut call) = fabric::call(draws, accounts);
	for _ in 0..1 + draws.below(MAX_NESTING as usize + 1) {
		call = match &origin {
			Origin::Account(account) => {
				let key = Accounts::key(account);
				let kind = draws.below(if key.is_some() { 12 } else { 7 });
				wrap(kind, key.unwrap_or(Sr25519Keyring::Alice), call)
			},
			Origin::Root | Origin::Council => wrap(draws.below(7), Sr25519Keyring::Alice, call),
		};
	}
	let extrinsics = accounts.extrinsics(draws, &origin, call.clone());
	Action { origin, calls: vec![call], extrinsics }
}

/// Returns nested calls, up to the depth that decodes or deeper, or as many as there is room for.
pub fn bomb(draws: &mut Draws) -> Action {
	let key = draws.pick(&KEYS);
	let mut call = remark();
	let kind = draws.below(KINDS + 2);
	if kind > KINDS {
		let count = draws.pick(&[100, 1_000, 10_000]);
		let calls = vec![call; count];
		call = pallet_utility::Call::batch { calls }.into();
	} else {
		let depth = draws.pick(&[2, 10, 50, 120, 126, 127, 128, 200, 254, 256, 260]);
		for _ in 0..depth {
			let kind = if kind == KINDS { draws.below(KINDS) } else { kind };
			call = wrap(kind, key, call);
		}
	}
	let origin = Origin::Account(key.to_account_id());
	Action { origin, calls: vec![call.clone()], extrinsics: vec![(key, call)] }
}

/// Returns whether a call is one of the fabric, or has one within it.
pub fn is_of_fabric(call: &RuntimeCall) -> bool {
	let mut nested = call.nested_calls().peekable();
	match nested.peek() {
		Some(_) => nested.any(is_of_fabric),
		None => matches!(call, RuntimeCall::ContentFabric(_)),
	}
}
