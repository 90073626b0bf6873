// SPDX-License-Identifier: Apache-2.0
//! The calls that contain others, so that the call filter bounds how deep they nest. The integrity
//! test finds one that is missing here.

use pallet_content_fabric::NestedCalls;

use crate::RuntimeCall;

impl NestedCalls for RuntimeCall {
	fn nested_calls(&self) -> impl Iterator<Item = &Self> {
		use pallet_collective::Call as Collective;
		use pallet_multisig::Call as Multisig;
		use pallet_proxy::Call as Proxy;
		use pallet_sudo::Call as Sudo;
		use pallet_utility::Call as Utility;
		use pallet_whitelist::Call as Whitelist;
		let (calls, call): (&[Self], Option<&Self>) = match self {
			Self::Utility(
				Utility::batch { calls }
				| Utility::batch_all { calls }
				| Utility::force_batch { calls },
			) => (calls, None),
			Self::Utility(
				Utility::as_derivative { call, .. }
				| Utility::dispatch_as { call, .. }
				| Utility::dispatch_as_fallible { call, .. }
				| Utility::with_weight { call, .. },
			) => (&[], Some(call)),
			Self::Utility(Utility::if_else { main, fallback }) => {
				(core::slice::from_ref(main), Some(fallback))
			},
			Self::Proxy(Proxy::proxy { call, .. } | Proxy::proxy_announced { call, .. }) => {
				(&[], Some(call))
			},
			Self::Multisig(
				Multisig::as_multi { call, .. } | Multisig::as_multi_threshold_1 { call, .. },
			) => (&[], Some(call)),
			Self::Sudo(
				Sudo::sudo { call }
				| Sudo::sudo_unchecked_weight { call, .. }
				| Sudo::sudo_as { call, .. },
			) => (&[], Some(call)),
			Self::Council(
				Collective::execute { proposal: call, .. }
				| Collective::propose { proposal: call, .. },
			) => (&[], Some(call)),
			Self::Whitelist(Whitelist::dispatch_whitelisted_call_with_preimage { call }) => {
				(&[], Some(call))
			},
			_ => (&[], None),
		};
		calls.iter().chain(call)
	}

	fn has_stated_weight(&self) -> bool {
		matches!(
			self,
			Self::Utility(pallet_utility::Call::with_weight { .. })
				| Self::Sudo(pallet_sudo::Call::sudo_unchecked_weight { .. })
		)
	}
}
