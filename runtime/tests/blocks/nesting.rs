// SPDX-License-Identifier: Apache-2.0
//! Calls within calls. Each call moves what it changed to the call around it, and no weight counts
//! that, so the depth is bounded, whatever contains the calls and whenever they are dispatched.

use std::time::{Duration, Instant};

use codec::Encode;
use content_fabric_runtime::{
	configs::{brakes::CallFilter, ProxyType},
	AccountId, ContentFabric, Multisig, Proxy, Runtime, RuntimeCall, RuntimeEvent, RuntimeOrigin,
	System,
};
use frame_metadata_hash_extension::CheckMetadataHash;
use frame_support::{
	assert_noop, assert_ok,
	dispatch::{extract_actual_weight, DispatchResult, GetDispatchInfo},
	traits::{Contains, UnfilteredDispatchable},
	weights::Weight,
};
use pallet_content_fabric::{identifiers::SpaceId, Call, ContentRef, Role, MAX_NESTING};
use sp_core::H256;
use sp_keyring::Sr25519Keyring::{self, Alice, Bob, Charlie, Dave};
use sp_runtime::{
	traits::{BlakeTwo256, Dispatchable, Hash},
	transaction_validity::{
		InvalidTransaction, TransactionSource, TransactionValidity, TransactionValidityError,
	},
	ApplyExtrinsicResult,
};

use crate::{
	chain::*,
	council::{close, next_motion, vote},
	fabric::*,
	interference::INTERRUPTION,
	metadata_hash::signed_by_alice,
	motions::{as_root, propose},
	wasm,
	wrappers::{remark, wrap, KINDS},
};

type Filtered = frame_system::Error<Runtime>;
/// Puts a call into another one.
type Wrap<'a> = &'a dyn Fn(RuntimeCall) -> RuntimeCall;

fn force_batch(call: RuntimeCall) -> RuntimeCall {
	pallet_utility::Call::force_batch { calls: vec![call] }.into()
}

/// Returns a call within others, which these wrappers make by turns, from the inside out.
fn nest(call: RuntimeCall, levels: u32, wrappers: &[Wrap]) -> RuntimeCall {
	let wrappers = wrappers.iter().cycle().take(levels as usize);
	wrappers.fold(call, |call, wrap| wrap(call))
}

#[test]
fn no_pair_of_wrappers_exceeds_the_limit() {
	let mut chain = Chain::new();
	chain.block(|| {
		for outer in 0..KINDS {
			for inner in 0..KINDS {
				let wrappers: [Wrap; 2] =
					[&|call| wrap(inner, Alice, call), &|call| wrap(outer, Alice, call)];
				let within = nest(remark(), MAX_NESTING, &wrappers);
				assert!(CallFilter::contains(&within), "{within:?}");
				let beyond = nest(remark(), MAX_NESTING + 1, &wrappers);
				assert_noop!(beyond.dispatch(signed(Alice)), Filtered::CallFiltered);
			}
		}
	});
}

/// To compute the weight of a multisig's call, the call is encoded. If the nesting were not checked
/// before that, a node would take seconds to refuse such a transaction.
#[test]
fn a_transaction_beyond_the_limit_is_invalid_and_pays_nothing() {
	let multisig = |call: RuntimeCall| -> RuntimeCall {
		let (other_signatories, call) = (Vec::new(), call.into());
		pallet_multisig::Call::as_multi_threshold_1 { other_signatories, call }.into()
	};
	let invalid = TransactionValidityError::from(InvalidTransaction::Call);
	let mut chain = Chain::new();
	chain.blocks(1);
	for (levels, expected) in
		[(MAX_NESTING, None), (MAX_NESTING + 1, Some(invalid)), (250, Some(invalid))]
	{
		let call = nest(remark(), levels, &[&multisig]);
		let transaction = chain.run(|| signed_by_alice(call, CheckMetadataHash::new(false)));
		let arguments = (TransactionSource::External, &transaction, H256::default()).encode();
		let function = "TaggedTransactionQueue_validate_transaction";
		let validity: TransactionValidity = wasm::call(&mut chain.state, function, &arguments);
		assert_eq!(validity.err(), expected, "{levels} levels");
		let function = "BlockBuilder_apply_extrinsic";
		let applied: ApplyExtrinsicResult =
			wasm::call(&mut chain.state, function, &transaction.encode());
		assert_eq!(applied.err(), expected, "{levels} levels");
	}
}

/// Those who add the pallet to a runtime copy the list from its README.
#[test]
fn the_readme_of_the_pallet_has_the_list_of_this_runtime() {
	let readme = include_str!("../../../pallets/content-fabric/README.md");
	let here = include_str!("../../src/configs/nesting.rs");
	let (_, list) = here.split_once("impl NestedCalls").expect("the list is there");
	assert!(readme.contains(list));
}

#[test]
fn the_council_reaches_root_by_a_proxy_within_the_limit() {
	let mut chain = Chain::new();
	chain.block(|| {
		let delegate = account(Dave).into();
		assert_ok!(Proxy::add_proxy(signed(Alice), delegate, ProxyType::Any, 0));
		let items = vec![(b"key".to_vec(), b"value".to_vec())];
		let call = as_root(frame_system::Call::set_storage { items }.into());
		let motion = next_motion(&call);
		let (real, call_of_dave) = (account(Alice).into(), Box::new(propose(2, &call)));
		let by_proxy =
			pallet_proxy::Call::proxy { real, force_proxy_type: None, call: call_of_dave };
		assert_ok!(RuntimeCall::from(by_proxy).dispatch(signed(Dave)));
		vote(motion, &[Alice, Bob]);
		assert!(close(motion, &call));
		assert!(sp_io::storage::get(b"key").is_some());
	});
}

/// Returns the result of the last call dispatched by another.
fn last_result() -> DispatchResult {
	let result = System::events().into_iter().rev().find_map(|record| match record.event {
		RuntimeEvent::Council(pallet_collective::Event::Executed { result, .. })
		| RuntimeEvent::Multisig(pallet_multisig::Event::MultisigExecuted { result, .. })
		| RuntimeEvent::Proxy(pallet_proxy::Event::ProxyExecuted { result }) => Some(result),
		_ => None,
	});
	result.expect("a call was dispatched")
}

/// Motions, approvals and announcements can be older than the limit.
#[test]
fn what_is_dispatched_later_is_refused_beyond_the_limit() {
	let filtered = Err(Filtered::CallFiltered.into());
	let mut chain = Chain::new();
	for (levels, expected) in [(MAX_NESTING, Ok(())), (MAX_NESTING + 1, filtered)] {
		let call = nest(remark(), levels, &[&force_batch]);
		chain.block(|| {
			let motion = next_motion(&call);
			assert_ok!(propose(2, &call).dispatch_bypass_filter(signed(Alice)));
			vote(motion, &[Alice, Bob]);
			close(motion, &call);
			assert_eq!(last_result(), expected);

			let hash = call.using_encoded(sp_io::hashing::blake2_256);
			let (first, second) = (vec![account(Bob)], vec![account(Alice)]);
			let weight = call.get_dispatch_info().call_weight;
			let when = Multisig::timepoint();
			assert_ok!(Multisig::approve_as_multi(signed(Alice), 2, first, None, hash, weight));
			let boxed = || Box::new(call.clone());
			assert_ok!(Multisig::as_multi(signed(Bob), 2, second, Some(when), boxed(), weight));
			assert_eq!(last_result(), expected);

			let (real, delegate) = (account(Charlie), account(Dave));
			let of_any_type = ProxyType::Any;
			assert_ok!(Proxy::add_proxy(signed(Charlie), delegate.clone().into(), of_any_type, 0));
			let hash = BlakeTwo256::hash_of(&call);
			assert_ok!(Proxy::announce(signed(Dave), real.clone().into(), hash));
			let (delegate, real) = (delegate.into(), real.into());
			assert_ok!(Proxy::proxy_announced(signed(Dave), delegate, real, None, boxed()));
			assert_eq!(last_result(), expected);
			assert_ok!(Proxy::remove_proxies(signed(Charlie)));
		});
	}
}

/// Makes calls of Charlie, alone and within as many others as the limit allows. Checks that all of
/// them succeed in the time of their weight, and undoes them.
fn time(what: &str, calls: Vec<RuntimeCall>) {
	let innermost = pallet_utility::Call::batch_all { calls }.into();
	let (alone, _) = measure(what, &innermost, Charlie);
	let (of_charlie, if_else) =
		(&|call| wrap(8, Charlie, call) as RuntimeCall, &|call| wrap(5, Dave, call));
	let nestings: [(_, [Wrap; 3]); 2] = [
		(Charlie, [&force_batch, &force_batch, &force_batch]),
		(Dave, [&force_batch, of_charlie, if_else]),
	];
	for (by, wrappers) in nestings {
		let call = nest(innermost.clone(), MAX_NESTING - 1, &wrappers);
		let (took, weight) = measure(what, &call, by);
		let ratio = took.as_nanos() as f64 * 1_000.0 / weight.ref_time() as f64;
		println!("{what}: {took:?}, {alone:?} without nesting, {ratio:.2} of the weight");
		assert_in_time(what, took, weight, INTERRUPTION);
	}
}

/// Returns the time and the weight of a call.
fn measure(what: &str, call: &RuntimeCall, by: Sr25519Keyring) -> (Duration, Weight) {
	undone(|| {
		let (info, origin) = (call.get_dispatch_info(), signed(by));
		System::reset_events();
		let call = call.clone();
		let start = Instant::now();
		let result = call.dispatch(origin);
		let took = start.elapsed();
		assert_ok!(&result);
		let failed = System::events().into_iter().find(|record| {
			matches!(
				record.event,
				RuntimeEvent::Proxy(pallet_proxy::Event::ProxyExecuted { result: Err(_) })
					| RuntimeEvent::Utility(
						pallet_utility::Event::ItemFailed { .. }
							| pallet_utility::Event::IfElseFallbackCalled { .. }
					)
			)
		});
		assert!(failed.is_none(), "{what}: {failed:?}");
		(took, extract_actual_weight(&result, &info))
	})
}

/// Calls with the longest lists that fit into a block together.
const CALLS: u32 = 8;

/// Returns a space for each of these calls.
fn space(call: u32) -> SpaceId {
	SpaceId([call as u8; 10])
}

fn admitted() -> impl Iterator<Item = (AccountId, Role)> {
	(0..1_000u32)
		.map(|number| (sp_io::hashing::blake2_256(&number.to_le_bytes()).into(), Role::Tenant))
}

/// A fabric whose node is Charlie's, as are some other spaces, with Dave as Charlie's proxy. The
/// second tenant is being deleted.
fn fabric_of_charlie() -> Chain {
	let mut chain = space_and_provider();
	chain.block(|| [TENANT, OTHER].into_iter().for_each(create_tenant));
	for tenant in [TENANT, OTHER] {
		fill(&mut chain, tenant, 2_000);
	}
	chain.block(|| {
		let delegate = account(Dave).into();
		assert_ok!(Proxy::add_proxy(signed(Charlie), delegate, ProxyType::Any, 0));
		let operator = account(Charlie);
		assert_ok!(ContentFabric::set_node_operator(signed(Bob), PROVIDER, NODE, operator));
		for space in (0..CALLS).map(space) {
			let (root, governor) = (RuntimeOrigin::root(), account(Charlie));
			assert_ok!(ContentFabric::create_space(root, space, governor, rules()));
			for (account, role) in admitted() {
				assert_ok!(ContentFabric::admit(signed(Charlie), space, account, role));
			}
		}
	});
	// Nothing is removed at the end of a bare block.
	chain.bare_block(|| delete(OTHER));
	chain
}

#[test]
fn lists_that_fill_a_block_keep_to_their_weights_at_the_greatest_depth() {
	let key = |number: u32| text(&format!("package-{number}:1.0.0"));
	let (tenant, collection) = (TENANT, || text(COLLECTION));
	let calls = |count, call: &dyn Fn(u32) -> Call<Runtime>| {
		(0..count).map(|number| RuntimeCall::ContentFabric(call(number))).collect()
	};
	fabric_of_charlie().bare_block(|| {
		time("reap", calls(1, &|_| Call::reap { member: OTHER.into(), limit: 10_000 }));
		let put_records = |call| {
			// Each record gets another target.
			let records = (0..500).map(|number| {
				let object = object((call * 500 + number + 1) % 2_000);
				(Some(key((call * 500 + number) % 2_000)), ContentRef { object, version: None })
			});
			Call::put_records { tenant, collection: collection(), records: bounded(records) }
		};
		time("put_records", calls(CALLS, &put_records));
		let delete_records = |call| {
			let keys = (0..500).map(|number| key(call * 500 + number));
			Call::delete_records { tenant, collection: collection(), keys: bounded(keys) }
		};
		time("delete_records", calls(4, &delete_records));
		let commit = |call: u32| {
			let drafts = (0..500).map(|number| draft(object(number), version(100 + call)));
			commit_versions(TENANT, call.into(), drafts)
		};
		time("commit_versions", calls(CALLS, &commit));
		let revoke_admissions =
			|call| Call::revoke_admissions { space: space(call), admissions: bounded(admitted()) };
		time("revoke_admissions", calls(CALLS, &revoke_admissions));
	});
}
