// SPDX-License-Identifier: Apache-2.0
//! Calls within calls: of the fabric, about as deep as is accepted, and bombs of any depth.

use codec::Encode;
use content_fabric_runtime::{OriginCaller, RuntimeCall};
use frame_support::weights::Weight;
use pallet_content_fabric::{NestedCalls, MAX_NESTING};
use sp_keyring::Sr25519Keyring;

use crate::{
	accounts::{Accounts, Origin, KEYS},
	fabric,
	input::Draws,
	steps::Action,
};

/// Returns a call of the fabric within others.
pub fn action(draws: &mut Draws, accounts: &Accounts) -> Action {
	let (origin, mut call) = fabric::call(draws, accounts);
	for _ in 0..1 + draws.below(MAX_NESTING as usize + 1) {
		call = match &origin {
			Origin::Account(account) => {
				let key = Accounts::key(account);
				let kind = draws.below(if key.is_some() { 10 } else { 5 });
				wrap(kind, key.unwrap_or(Sr25519Keyring::Alice), call)
			},
			Origin::Root | Origin::Council => wrap(draws.below(5), Sr25519Keyring::Alice, call),
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

fn remark() -> RuntimeCall {
	frame_system::Call::remark { remark: Vec::new() }.into()
}

/// The ways in which a call can be in another one.
const KINDS: usize = 17;

/// Puts a call into another one. The origin of the inner one is that of the outer one in the first
/// five kinds, and that of the key in the first ten, if it has what they need.
fn wrap(kind: usize, key: Sr25519Keyring, inner: RuntimeCall) -> RuntimeCall {
	use pallet_collective::Call as Council;
	use pallet_multisig::Call as Multisig;
	use pallet_proxy::Call as Proxy;
	use pallet_sudo::Call as Sudo;
	use pallet_utility::Call as Utility;
	let account = || key.to_account_id();
	let as_origin =
		|| Box::new(OriginCaller::system(frame_system::RawOrigin::Signed(key.to_account_id())));
	let length_bound = inner.encoded_size() as u32;
	let (call, weight) = (Box::new(inner), Weight::from_parts(1_000_000, 0));
	match kind {
		0 => Utility::batch { calls: vec![*call] }.into(),
		1 => Utility::batch_all { calls: vec![*call] }.into(),
		2 => Utility::force_batch { calls: vec![remark(), *call] }.into(),
		3 => Utility::if_else { main: call, fallback: remark().into() }.into(),
		4 => {
			let (value, keep_alive) = (u128::MAX, true);
			let fails = pallet_balances::Call::burn { value, keep_alive }.into();
			Utility::if_else { main: Box::new(fails), fallback: call }.into()
		},
		5 => Sudo::sudo_as { who: account().into(), call }.into(),
		6 => {
			let (real, force_proxy_type) = (account().into(), None);
			Proxy::proxy { real, force_proxy_type, call }.into()
		},
		7 => {
			let (delegate, real) = (account().into(), account().into());
			Proxy::proxy_announced { delegate, real, force_proxy_type: None, call }.into()
		},
		8 => RuntimeCall::Council(Council::execute { proposal: call, length_bound }),
		9 => {
			let threshold = 1;
			RuntimeCall::Council(Council::propose { threshold, proposal: call, length_bound })
		},
		10 => Utility::as_derivative { index: 0, call }.into(),
		11 => Utility::dispatch_as { as_origin: as_origin(), call }.into(),
		12 => Utility::dispatch_as_fallible { as_origin: as_origin(), call }.into(),
		13 => Utility::with_weight { call, weight }.into(),
		14 => {
			let other_signatories = vec![account()];
			Multisig::as_multi_threshold_1 { other_signatories, call }.into()
		},
		15 => Sudo::sudo { call }.into(),
		_ => pallet_whitelist::Call::dispatch_whitelisted_call_with_preimage { call }.into(),
	}
}

/// Returns whether a call is one of the fabric, or has one within it.
pub fn is_of_fabric(call: &RuntimeCall) -> bool {
	let mut nested = call.nested_calls().peekable();
	match nested.peek() {
		Some(_) => nested.any(is_of_fabric),
		None => matches!(call, RuntimeCall::ContentFabric(_)),
	}
}
