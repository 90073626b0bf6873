// SPDX-License-Identifier: Apache-2.0
//! Free calls of the operators of nodes, as transactions, and the fees of attempts to get more of
//! them.

use content_fabric_runtime::{
	Balance, Balances, ContentFabric, Executive, Runtime, RuntimeCall, System, UncheckedExtrinsic,
};
use frame_metadata_hash_extension::CheckMetadataHash;
use frame_support::{
	assert_ok,
	dispatch::{DispatchClass, DispatchResult, GetDispatchInfo},
	traits::{
		fungible::{Inspect, Mutate},
		Get,
	},
};
use pallet_content_fabric::Call;
use sp_keyring::Sr25519Keyring::{self, Bob, Charlie, Dave};
use sp_runtime::transaction_validity::{
	InvalidTransaction, TransactionSource, TransactionValidityError,
};

use crate::{chain::*, fabric::*, metadata_hash::transaction};

/// Versions of the commit in [`chain`], each of an object of its own.
const VERSIONS: u32 = 20;

/// A chain on which Dave operates the node, which has taken in versions.
fn chain() -> Chain {
	let mut chain = space_and_tenant();
	chain.block(|| {
		let (bob, dave) = (signed(Bob), account(Dave));
		assert_ok!(ContentFabric::set_node_operator(bob, PROVIDER, NODE, dave));
		let drafts = (0..VERSIONS).map(|number| draft(object(number), version(number))).collect();
		commit(Dave, TENANT, 0, drafts);
	});
	chain
}

fn finalize(numbers: &[u32]) -> RuntimeCall {
	let versions = bounded(numbers.iter().map(|number| (object(*number), version(*number))));
	let (provider, node, tenant) = (PROVIDER, NODE, TENANT);
	Call::finalize_versions { provider, node, tenant, versions }.into()
}

/// Returns a transaction of Dave, this many after his last.
fn of_dave(later: u32, tip: Balance, call: RuntimeCall) -> UncheckedExtrinsic {
	transaction(Dave, later, tip, call, CheckMetadataHash::new(false))
}

/// Applies a transaction. Returns its outcome, and what its signer paid.
fn apply(
	who: Sr25519Keyring,
	transaction: UncheckedExtrinsic,
) -> (Result<DispatchResult, TransactionValidityError>, Balance) {
	let before = Balances::balance(&account(who));
	let result = Executive::apply_extrinsic(transaction);
	(result, before - Balances::balance(&account(who)))
}

/// Applies a call of Dave, which must be included. Returns whether it succeeded, and what he paid.
fn by_dave(call: RuntimeCall) -> (bool, Balance) {
	let (result, paid) = apply(Dave, of_dave(0, 0, call));
	(result.expect("the transaction is valid").is_ok(), paid)
}

#[test]
fn an_operator_that_finalizes_pays_nothing_but_a_tip_and_the_nonce_counts() {
	let mut chain = chain();
	chain.block(|| {
		assert_eq!(by_dave(finalize(&[0, 1])), (true, 0));
		assert_eq!(System::account_nonce(account(Dave)), 1);
		let (result, paid) = apply(Dave, of_dave(0, 7, finalize(&[2])));
		assert_eq!((result, paid), (Ok(Ok(())), 7));
	});
}

#[test]
fn a_finalization_that_fails_pays_and_pays_more_for_a_longer_list() {
	let mut chain = chain();
	chain.block(|| {
		assert_eq!(by_dave(finalize(&[0])), (true, 0));
		let (mut last, missing) = (0, VERSIONS + 1);
		for list in [vec![], vec![0], vec![1, 1], vec![1, 2, 0], vec![1, 2, 3, missing]] {
			let (succeeded, paid) = by_dave(finalize(&list));
			assert!(!succeeded && paid > last, "{list:?}: {paid} after {last}");
			last = paid;
		}
	});
}

#[test]
fn of_copies_in_the_pool_the_first_is_free_and_the_others_pay() {
	let mut chain = chain();
	chain.block(|| {
		let copies: Vec<_> = (0..5).map(|later| of_dave(later, 0, finalize(&[0, 1, 2]))).collect();
		// The pool cannot know that only one of them will succeed.
		for copy in &copies {
			let hash = System::parent_hash();
			let source = TransactionSource::External;
			assert_ok!(Executive::validate_transaction(source, copy.clone(), hash));
		}
		let outcomes: Vec<_> = copies.into_iter().map(|copy| apply(Dave, copy)).collect();
		assert_eq!(outcomes[0], (Ok(Ok(())), 0));
		for (result, paid) in &outcomes[1..] {
			assert!(matches!(result, Ok(Err(_))) && *paid > 0, "{result:?}, {paid}");
		}
	});
}

#[test]
fn an_operator_without_funds_for_the_fee_cannot_send_what_would_be_free() {
	let mut chain = chain();
	chain.block(|| {
		let little = Balances::minimum_balance();
		Balances::set_balance(&account(Dave), little);
		let transaction = of_dave(0, 0, finalize(&[0]));
		let (source, hash) = (TransactionSource::External, System::parent_hash());
		let payment = InvalidTransaction::Payment.into();
		let validity = Executive::validate_transaction(source, transaction.clone(), hash);
		assert_eq!(validity, Err(payment));
		assert_eq!(apply(Dave, transaction), (Err(payment), 0));
	});
}

#[test]
fn within_a_batch_or_by_a_proxy_finalizations_pay() {
	let mut chain = chain();
	chain.block(|| {
		let batch = |calls| pallet_utility::Call::batch_all { calls }.into();
		let (succeeded, paid) = by_dave(batch(vec![finalize(&[0]), finalize(&[1])]));
		assert!(succeeded && paid > 0);
		// A free call does not pay for what is around it.
		let remark = frame_system::Call::remark { remark: vec![7; 1_000] }.into();
		let (succeeded, paid) = by_dave(batch(vec![finalize(&[2]), remark]));
		assert!(succeeded && paid > 0);

		let proxy_type = content_fabric_runtime::configs::ProxyType::ContentOperations;
		let charlie = account(Charlie);
		let add = content_fabric_runtime::Proxy::add_proxy;
		assert_ok!(add(signed(Dave), charlie.into(), proxy_type, 0));
		let (real, call) = (account(Dave).into(), Box::new(finalize(&[3])));
		let call = pallet_proxy::Call::proxy { real, force_proxy_type: None, call };
		let hash = CheckMetadataHash::new(false);
		let (result, paid) = apply(Charlie, transaction(Charlie, 0, 0, call.into(), hash));
		assert!(result == Ok(Ok(())) && paid > 0, "{result:?}, {paid}");
	});
}

/// A commit pays for all of its versions, and each of them allows one free call. So free calls fill
/// at most this many times as much of blocks as the commits that pay for them.
#[test]
fn free_calls_for_each_version_take_little_more_than_three_times_the_time_and_at_most_fourteen_times_the_proof_of_the_commit(
) {
	use pallet_content_fabric::{weights::SubstrateWeight, WeightInfo};
	type Weights = SubstrateWeight<Runtime>;
	let base = content_fabric_runtime::configs::BlockWeights::get()
		.get(DispatchClass::Normal)
		.base_extrinsic;
	let longest = <Runtime as pallet_content_fabric::Config>::MaxVersionsPerCommit::get();
	let free = finalize(&[0]).get_dispatch_info().total_weight() + base;
	for versions in [1, longest / 2, longest] {
		let paid = Weights::commit_versions(versions, 0) + base;
		let all = free * u64::from(versions);
		println!("{versions} versions: {all:?} is free after {paid:?} was paid for");
		assert!(10 * all.ref_time() <= 31 * paid.ref_time());
		assert!(all.proof_size() <= 14 * paid.proof_size());
	}
}
