// SPDX-License-Identifier: Apache-2.0
//! The calls that are free of charge for the operator of a node: to whom, when, and how often.
//! `runtime/tests/blocks` in the repository shows the same with transactions and funds.

use frame_support::{
	assert_noop, assert_ok,
	dispatch::{DispatchResultWithPostInfo, Pays},
};

use crate::{
	identifiers::{ContentObjectId, VersionId},
	mock::*,
	Call, Error, VersionsOf,
};

/// An operator of [`NODE`] that is not an Admin, too.
const SERVER: AccountId = 20;

fn list(versions: &[VersionId]) -> VersionsOf<Test, (ContentObjectId, VersionId)> {
	let versions: Vec<_> = versions.iter().map(|version| (OBJECT, *version)).collect();
	versions.try_into().expect("test lists are short")
}

fn finalize_by(who: AccountId, versions: &[VersionId]) -> DispatchResultWithPostInfo {
	ContentFabric::finalize_versions(signed(who), PROVIDER, NODE, TENANT, list(versions))
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
			let finalized = finalize_by(who, &[version]);
			assert!(finalized.is_ok());
			assert_eq!(pays(finalized), Pays::Yes);
		}
		let confirmed = confirm_by(PROVIDER_ADMIN);
		assert!(confirmed.is_ok());
		assert_eq!(pays(confirmed), Pays::Yes);
	});
}

#[test]
fn each_version_is_finalized_free_of_charge_once_and_each_node_confirmed() {
	Chain::small_fabric().block(|| {
		assert_eq!(pays(finalize_by(OPERATOR, &[DRAFT])), Pays::No);
		assert_eq!(pays(confirm_by(OPERATOR)), Pays::No);
		for _ in 0..2 {
			let again = finalize_by(OPERATOR, &[DRAFT]);
			assert_eq!(pays(again), Pays::Yes);
			assert_noop!(again, Error::<Test>::VersionAlreadyFinalized);
			let again = confirm_by(OPERATOR);
			assert_eq!(pays(again), Pays::Yes);
			assert_noop!(again, Error::<Test>::NodeAlreadyConfirmed);
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
		assert_pays(finalize_by(OPERATOR, &[DRAFT, DRAFT]), Error::VersionAlreadyFinalized);
		assert_pays(finalize_by(OPERATOR, &[DRAFT, HEAD]), Error::VersionAlreadyFinalized);
		assert_pays(finalize_by(OPERATOR, &[DRAFT, NEW]), Error::VersionNotFound);
		// The version is still there to be finalized.
		assert_eq!(pays(finalize_by(OPERATOR, &[DRAFT])), Pays::No);
	});
}

#[test]
fn what_another_node_took_in_is_not_finalized_and_pays() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let root = || signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::set_node_operator(root(), PROVIDER, PENDING_NODE, SERVER));
		assert_pays(confirm_by(OPERATOR), Error::NoPermission);
		assert_eq!(pays(confirm_by(SERVER)), Pays::No);
		// Neither as the operator of the other node, nor in the name of that node.
		assert_pays(finalize_by(SERVER, &[DRAFT]), Error::NoPermission);
		let versions = list(&[DRAFT]);
		let signer = signed(SERVER);
		let finalized =
			ContentFabric::finalize_versions(signer, PROVIDER, PENDING_NODE, TENANT, versions);
		assert_pays(finalized, Error::OriginatorMismatch);
	});
}

#[test]
fn an_operator_of_a_closed_provider_or_for_a_closed_tenant_pays() {
	Chain::small_fabric().block(|| {
		for (member, error) in
			[(THE_PROVIDER, Error::ProviderSuspended), (THE_TENANT, Error::TenantSuspended)]
		{
			assert_ok!(suspend(member, true));
			assert_pays(finalize_by(OPERATOR, &[DRAFT]), error);
			assert_ok!(suspend(member, false));
		}
		for (member, error) in
			[(THE_PROVIDER, Error::ProviderFrozen), (THE_TENANT, Error::TenantFrozen)]
		{
			assert_ok!(freeze(member, true));
			assert_pays(finalize_by(OPERATOR, &[DRAFT]), error);
			assert_ok!(freeze(member, false));
		}
	});
}

#[test]
fn a_list_beyond_the_limit_is_not_a_call() {
	use codec::{Decode, Encode};
	let call = |count: u32| {
		let versions = vec![(OBJECT, DRAFT); count as usize];
		let encoded = (26u8, PROVIDER, NODE, TENANT, versions).encode();
		Call::<Test>::decode(&mut &encoded[..])
	};
	let longest = MaxVersionsPerCommit::get();
	assert!(call(longest).is_ok());
	assert!(call(longest + 1).is_err());
}

/// A commit is what makes a version that can be finalized, and it pays a fee.
#[test]
fn a_version_that_is_deleted_is_free_again_only_after_another_commit() {
	Chain::small_fabric().block(|| {
		assert_eq!(pays(finalize_by(OPERATOR, &[DRAFT])), Pays::No);
		assert_ok!(ContentFabric::delete_version(signed(TENANT_ROOT), TENANT, OBJECT, DRAFT));
		assert_pays(finalize_by(OPERATOR, &[DRAFT]), Error::VersionNotFound);
		assert_ok!(commit(DRAFT));
		assert_eq!(pays(finalize_by(OPERATOR, &[DRAFT])), Pays::No);
	});
}
