// SPDX-License-Identifier: Apache-2.0
//! The cost of a call to `reap`.

use frame_support::{
	assert_noop,
	dispatch::{DispatchClass, GetDispatchInfo},
};
use frame_system::CheckWeight;
use sp_runtime::{traits::Dispatchable, transaction_validity::InvalidTransaction, DispatchError};

use super::*;
use crate::Error;

/// Bytes of an extrinsic that reaps.
const LEN: usize = 120;

#[test]
fn a_reap_is_free_if_it_removed_enough_rows_or_all_that_were_left() {
	let mut chain = chain_with_purge();
	assert_eq!(MinFreeReap::get(), 3);
	let mut left = 25;
	for (limit, pays_fee) in
		[(1, Pays::Yes), (2, Pays::Yes), (3, Pays::No), (17, Pays::No), (1, Pays::Yes)]
	{
		chain.block(|| {
			let post = reap(TENANT, limit).expect("the tenant is being purged");
			assert_eq!(post.pays_fee, pays_fee, "{limit} of {left} rows");
			left -= limit;
		});
	}
	// One row is left.
	chain.block(|| reap_free(TENANT, 1));
	chain.block(|| assert_eq!(rows(TENANT), None));
}

#[test]
fn a_reap_weighs_its_limit_before_and_what_it_removed_after() {
	let mut chain = chain_with_purge();
	chain.block(|| {
		for limit in [0, 1, 10, 1_000_000] {
			let call = Call::<Test>::reap { member: THE_TENANT, limit };
			assert_eq!(call.get_dispatch_info().call_weight, Weights::reap(limit));
		}
		let post = reap(TENANT, 10).expect("the tenant is being purged");
		assert_eq!(post.actual_weight, Some(Weights::reap(10)));
		let post = reap(TENANT, 1_000_000).expect("the tenant is being purged");
		assert_eq!(post.actual_weight, Some(Weights::reap(15)));
	});
}

#[test]
fn a_reap_that_fails_weighs_no_rows_and_pays() {
	let mut chain = chain_with_purge();
	chain.block(|| {
		for (member, limit, error) in [
			(THE_PROVIDER, 10, Error::<Test>::NotBeingPurged),
			(MemberId::Tenant(TenantId([9; 10])), 10, Error::TenantNotFound),
			(THE_TENANT, 0, Error::EmptyBatch),
		] {
			let error = DispatchError::from(error);
			let failed = reap(member, limit).expect_err("there is nothing to remove");
			assert_eq!(failed.error, error);
			assert_eq!(failed.post_info.actual_weight, Some(Weights::reap(0)));
			assert_eq!(failed.post_info.pays_fee, Pays::Yes);
			assert_noop!(reap(member, limit).map_err(|failed| failed.error), error);
		}
	});
}

/// Free calls take part of the block, so whoever fills it with them delays nothing for longer than
/// the work that they do.
#[test]
fn free_reaps_fill_a_block_as_other_calls_do() {
	let mut chain = chain_with_purge();
	let call = Call::<Test>::reap { member: THE_TENANT, limit: MinFreeReap::get() };
	let info = RuntimeCall::from(call.clone()).get_dispatch_info();
	// The fee is only given back: whoever has no funds for it cannot send the call.
	assert_eq!((info.pays_fee, info.class), (Pays::Yes, DispatchClass::Normal));
	chain.block(|| {
		let weights = TestBlockWeights::get();
		let normal = weights.get(DispatchClass::Normal);
		let limit = normal.max_total.expect("normal calls have a limit");
		// The block has room for three calls.
		let call_weight = info.call_weight + normal.base_extrinsic;
		let three = call_weight.saturating_add_proof_size(LEN as u64) * 3;
		let used = *System::block_weight().get(DispatchClass::Normal);
		System::register_extra_weight_unchecked(limit - used - three, DispatchClass::Normal);
		for _ in 0..3 {
			let (_, next_len) = CheckWeight::<Test>::do_validate(&info, LEN).expect("it fits");
			CheckWeight::<Test>::do_prepare(&info, LEN, next_len).expect("it fits");
			let post = RuntimeCall::from(call.clone()).dispatch(signed(STRANGER));
			let post = post.expect("there are rows to remove");
			assert_eq!(post.pays_fee, Pays::No);
			assert_eq!(post.calc_unspent(&info), Weight::zero());
			System::reclaim_weight(&info, &post).expect("it was prepared");
		}
		let full = CheckWeight::<Test>::do_validate(&info, LEN)
			.and_then(|(_, next_len)| CheckWeight::<Test>::do_prepare(&info, LEN, next_len));
		assert_eq!(full, Err(InvalidTransaction::ExhaustsResources.into()));
		assert_eq!(rows(TENANT), Some(25 - 9));
	});
}
