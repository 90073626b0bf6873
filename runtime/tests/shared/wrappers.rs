// SPDX-License-Identifier: Apache-2.0
//! All calls of this runtime that contain others.

use codec::Encode;
use content_fabric_runtime::{OriginCaller, RuntimeCall};
use frame_support::weights::Weight;
use sp_keyring::Sr25519Keyring;

/// The ways in which a call can be in another one.
pub const KINDS: usize = 22;

pub fn remark() -> RuntimeCall {
	frame_system::Call::remark { remark: Vec::new() }.into()
}

/// Puts a call into another one. The inner call has the origin of the outer one in the first seven
/// kinds, and of the key in the first twelve, if it has what they need.
pub fn wrap(kind: usize, key: Sr25519Keyring, inner: RuntimeCall) -> RuntimeCall {
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
		1 => Utility::batch { calls: vec![remark(), *call, remark()] }.into(),
		2 => Utility::batch_all { calls: vec![remark(), *call] }.into(),
		3 => Utility::force_batch { calls: vec![*call] }.into(),
		4 => Utility::force_batch { calls: vec![remark(), *call] }.into(),
		5 => Utility::if_else { main: call, fallback: remark().into() }.into(),
		6 => {
			let (value, keep_alive) = (u128::MAX, true);
			let fails = pallet_balances::Call::burn { value, keep_alive }.into();
			Utility::if_else { main: Box::new(fails), fallback: call }.into()
		},
		7 => Sudo::sudo_as { who: account().into(), call }.into(),
		8 => {
			let (real, force_proxy_type) = (account().into(), None);
			Proxy::proxy { real, force_proxy_type, call }.into()
		},
		9 => {
			let (delegate, real) = (account().into(), account().into());
			Proxy::proxy_announced { delegate, real, force_proxy_type: None, call }.into()
		},
		10 => RuntimeCall::Council(Council::execute { proposal: call, length_bound }),
		11 | 12 => {
			let threshold = kind as u32 - 10;
			RuntimeCall::Council(Council::propose { threshold, proposal: call, length_bound })
		},
		13 => Utility::as_derivative { index: 0, call }.into(),
		14 => Utility::dispatch_as { as_origin: as_origin(), call }.into(),
		15 => Utility::dispatch_as_fallible { as_origin: as_origin(), call }.into(),
		16 => Utility::with_weight { call, weight }.into(),
		17 => {
			let other_signatories = vec![account()];
			Multisig::as_multi_threshold_1 { other_signatories, call }.into()
		},
		18 => {
			let (other_signatories, maybe_timepoint, max_weight) = (vec![account()], None, weight);
			let threshold = 2;
			Multisig::as_multi { threshold, other_signatories, maybe_timepoint, call, max_weight }
				.into()
		},
		19 => Sudo::sudo { call }.into(),
		20 => Sudo::sudo_unchecked_weight { call, weight }.into(),
		_ => pallet_whitelist::Call::dispatch_whitelisted_call_with_preimage { call }.into(),
	}
}
