// SPDX-License-Identifier: Apache-2.0
//! The permissions of proxies.

use content_fabric_runtime::{
	configs::ProxyType, Proxy, Runtime, RuntimeCall, RuntimeEvent, System,
};
use frame_support::{
	assert_ok,
	traits::{GetCallName, InstanceFilter},
};
use pallet_content_fabric::Call;
use sp_keyring::Sr25519Keyring::{Charlie, Dave};

use crate::{chain::*, fabric::*};

/// The calls that a key on a server may make: the work with content, and nothing that changes an
/// account, a level, a bond or a limit.
const OPERATIONS: [&str; 11] = [
	"add_copies",
	"commit_versions",
	"confirm_node",
	"create_content_object",
	"delete_content_object",
	"delete_records",
	"delete_version",
	"finalize_versions",
	"put_records",
	"remove_copies",
	"set_head_version",
];

/// Returns a call of each kind, with arguments that do not matter to a filter.
fn all_calls() -> Vec<Call<Runtime>> {
	use codec::Decode;
	// All arguments decode from zeros, and so does a signature.
	let zeros = [0; 4_096];
	(0..=u8::MAX)
		.filter_map(|index| Call::decode(&mut &[&[index][..], &zeros].concat()[..]).ok())
		.collect()
}

#[test]
fn the_proxy_for_content_operations_is_an_allowlist() {
	let calls = all_calls();
	assert_eq!(calls.len(), Call::<Runtime>::get_call_names().len());
	let mut allowed: Vec<_> = calls
		.into_iter()
		.filter(|call| {
			let call = RuntimeCall::ContentFabric(call.clone());
			assert!(ProxyType::ContentFabric.filter(&call) && ProxyType::Any.filter(&call));
			ProxyType::ContentOperations.filter(&call)
		})
		.map(|call| call.get_call_name())
		.collect();
	allowed.sort_unstable();
	assert_eq!(allowed, OPERATIONS);
}

#[test]
fn a_proxy_contains_another_only_if_it_may_do_as_much() {
	let types = [ProxyType::ContentOperations, ProxyType::ContentFabric, ProxyType::Any];
	for (place, larger) in types.iter().enumerate() {
		for (other_place, smaller) in types.iter().enumerate() {
			assert_eq!(larger.is_superset(smaller), place >= other_place);
		}
	}
}

/// Makes a call as Dave in the name of Charlie. Returns whether it was let through and succeeded.
fn by_proxy(call: RuntimeCall) -> bool {
	System::reset_events();
	let real = account(Charlie).into();
	assert_ok!(Proxy::proxy(signed(Dave), real, None, Box::new(call)));
	System::events().iter().any(|record| {
		let executed = pallet_proxy::Event::ProxyExecuted { result: Ok(()) };
		record.event == RuntimeEvent::Proxy(executed)
	})
}

#[test]
fn a_stolen_proxy_for_content_operations_takes_neither_member_nor_funds() {
	let mut chain = space_and_tenant();
	chain.block(|| {
		let proxy_type = ProxyType::ContentOperations;
		assert_ok!(Proxy::add_proxy(signed(Charlie), account(Dave).into(), proxy_type, 0));

		let create = Call::create_content_object { tenant: TENANT, object: object(1) };
		let fabric = RuntimeCall::ContentFabric;
		assert!(by_proxy(fabric(create)));
		let member = TENANT.into();
		let created = created(member);
		let refused = [
			fabric(Call::nominate_root { member, created, nominee: Some(account(Dave)) }),
			fabric(Call::purge_member { member }),
			fabric(Call::set_max_held { member, amount: 0 }),
			RuntimeCall::Balances(pallet_balances::Call::transfer_all {
				dest: account(Dave).into(),
				keep_alive: false,
			}),
		];
		for call in refused {
			assert!(!by_proxy(call.clone()), "{call:?}");
			// Nor in a batch.
			let calls = vec![call];
			let batch = pallet_utility::Call::batch_all { calls };
			assert!(!by_proxy(RuntimeCall::Utility(batch)));
		}
	});
}
