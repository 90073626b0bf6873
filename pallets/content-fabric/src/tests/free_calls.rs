// SPDX-License-Identifier: Apache-2.0
//! The calls that are free of charge for the operator of a node: to whom, when, and how often.
//! `runtime/tests/blocks` in the repository shows the same with transactions and funds.

use frame_support::{
	assert_noop, assert_ok,
	dispatch::{DispatchResultWithPostInfo, Pays},
};
use sp_runtime::traits::Dispatchable;

use crate::{identifiers::VersionId, mock::*, Error};

/// An operator of [`NODE`] that is not an Admin, too.
const SERVER: AccountId = 20;

fn finalize_by(who: AccountId, versions: &[VersionId]) -> DispatchResultWithPostInfo {
	RuntimeCall::from(finalize_call(NODE, versions)).dispatch(signed(who))
}

fn confirm_by(who: AccountId) -> DispatchResultWithPostInfo {
	ContentFabric::confirm_node(signed(who), PROVIDER, PENDING_NODE)
}

#[track_caller]
fn pays(result: DispatchResultWithPostInfo) -> Pays {
	match result {
		Ok(post) => post.pays_fee,
		Err(failed) => failed.post_info.pays_fee,
	}
}

#[test]
fn the_operator_finalizes_and_confirms_free_of_charge_where_the_runtime_has_chosen_so() {
	for (free, fee) in [(true, Pays::No), (false, Pays::Yes)] {
		FreeForOperators::set(free);
		Chain::small_fabric().block(|| {
			let (finalized, confirmed) = (finalize_by(OPERATOR, &[DRAFT]), confirm_by(OPERATOR));
			assert!(finalized.is_ok() && confirmed.is_ok());
			assert_eq!((pays(finalized), pays(confirmed)), (fee, fee));
		});
	}
}

#[test]
fn those_who_manage_the_provider_pay() {
	Chain::fabric_with_keys().block(|| {
		assert_ok!(commit(NEW));
		for (who, version) in [(PROVIDER_ROOT, DRAFT), (PROVIDER_ADMIN, NEW)] {
			assert_eq!(finalize_by(who, &[version]).map(|post| post.pays_fee), Ok(Pays::Yes));
		}
		assert_eq!(confirm_by(PROVIDER_ADMIN).map(|post| post.pays_fee), Ok(Pays::Yes));
	});
}

#[test]
fn each_version_is_finalized_free_of_charge_once_and_each_node_confirmed() {
	Chain::small_fabric().block(|| {
		assert_eq!(pays(finalize_by(OPERATOR, &[DRAFT])), Pays::No);
		assert_eq!(pays(confirm_by(OPERATOR)), Pays::No);
		for _ in 0..2 {
			assert_pays(finalize_by(OPERATOR, &[DRAFT]), Error::CopyAlreadyHeld);
			assert_pays(confirm_by(OPERATOR), Error::NodeAlreadyConfirmed);
		}
	});
}

/// Checks that a call of an account fails, and pays.
#[track_caller]
fn assert_pays(result: DispatchResultWithPostInfo, error: Error<Test>) {
	assert_eq!(pays(result), Pays::Yes);
	assert_noop!(result, error);
}

#[test]
fn a_list_with_one_version_that_cannot_be_finalized_pays() {
	Chain::small_fabric().block(|| {
		assert_pays(finalize_by(OPERATOR, &[]), Error::EmptyBatch);
		assert_pays(finalize_by(OPERATOR, &[DRAFT, DRAFT]), Error::CopyAlreadyHeld);
		assert_pays(finalize_by(OPERATOR, &[DRAFT, HEAD]), Error::CopyAlreadyHeld);
		assert_pays(finalize_by(OPERATOR, &[DRAFT, NEW]), Error::VersionNotFound);
		// The version is still there to be finalized.
		assert_eq!(pays(finalize_by(OPERATOR, &[DRAFT])), Pays::No);
	});
}

#[test]
fn what_another_node_took_in_is_not_finalized_and_pays() {
	Chain::small_fabric().block(|| {
		let root = signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::set_node_operator(root, PROVIDER, PENDING_NODE, SERVER));
		assert_pays(confirm_by(OPERATOR), Error::NoPermission);
		assert_eq!(pays(confirm_by(SERVER)), Pays::No);
		// Neither as the operator of the other node, nor in the name of that node.
		assert_pays(finalize_by(SERVER, &[DRAFT]), Error::NoPermission);
		let by_name = RuntimeCall::from(finalize_call(PENDING_NODE, &[DRAFT]));
		assert_pays(by_name.dispatch(signed(SERVER)), Error::CopyNotFound);
	});
}

#[test]
fn an_operator_of_a_closed_provider_or_for_a_closed_tenant_pays() {
	Chain::small_fabric().block(|| {
		for (close, error) in CLOSINGS {
			for member in THE_MEMBERS {
				assert_ok!(close(member, true));
				assert_pays(finalize_by(OPERATOR, &[DRAFT]), error(member));
				assert_ok!(close(member, false));
			}
		}
	});
}

/// A commit is what makes a version that can be finalized, and it pays a fee.
#[test]
fn a_version_that_is_deleted_is_free_again_only_after_another_commit() {
	Chain::small_fabric().block(|| {
		assert_eq!(pays(finalize_by(OPERATOR, &[DRAFT])), Pays::No);
		assert_ok!(delete_version(OBJECT, DRAFT));
		assert_pays(finalize_by(OPERATOR, &[DRAFT]), Error::VersionNotFound);
		assert_ok!(commit(DRAFT));
		assert_eq!(pays(finalize_by(OPERATOR, &[DRAFT])), Pays::No);
	});
}
