// SPDX-License-Identifier: Apache-2.0
//! Members that governance has closed: suspended, or frozen with the flag `governance_delete`.

use super::*;

/// A way to close a member, with the error of calls on it.
type Way = (fn(MemberId, bool) -> DispatchResult, fn(MemberId) -> Error<Test>);

const WAYS: [Way; 2] = [(suspend, suspended), (freeze, frozen)];

/// Returns calls that only the provider is concerned with, by its root, an Admin and an operator.
fn calls_of_provider() -> Vec<(AccountId, Call<Test>)> {
	let (provider, node, added) = (PROVIDER, NODE, NodeId([7; 10]));
	let (operator, locator) = (STRANGER, || locator("x"));
	let level = Some(ProviderLevel::Admin);
	vec![
		(PROVIDER_ROOT, Call::<Test>::set_provider_key { id: provider, account: 20, level }),
		(PROVIDER_ADMIN, Call::create_node { provider, node: added, operator, locator: locator() }),
		(OPERATOR, Call::confirm_node { provider, node: PENDING_NODE }),
		(PROVIDER_ADMIN, Call::set_node_locator { provider, node, locator: locator() }),
		(PROVIDER_ADMIN, Call::set_node_operator { provider, node, operator }),
		(PROVIDER_ADMIN, Call::remove_node { provider, node: added }),
	]
}

/// Returns calls that only the tenant is concerned with, by its root and an account at each level.
fn calls_of_tenant() -> Vec<(AccountId, Call<Test>)> {
	let (tenant, object) = (TENANT, ContentObjectId([7; 10]));
	let (kms, locator) = (KmsId([7; 10]), || locator("x"));
	let (key_type, syntax) = (RecordKeyType::Any, RecordKeySyntax::Unreserved);
	let level = Some(TenantLevel::Content);
	let records = vec![(Some(key("new")), whole_object())].try_into().expect("one record fits");
	let keys = vec![key("new")].try_into().expect("one key fits");
	let collection = || name(COLLECTION);
	let version = Some(FINALIZED);
	vec![
		(TENANT_ROOT, Call::<Test>::set_tenant_key { id: tenant, account: 20, level }),
		(TENANT_ADMIN, Call::add_kms { tenant, kms, locator: locator() }),
		(TENANT_ADMIN, Call::set_kms_locator { tenant, kms, locator: locator() }),
		(TENANT_ADMIN, Call::remove_kms { tenant, kms }),
		(TENANT_ADMIN, Call::create_collection { tenant, name: name("new"), key_type, syntax }),
		(TENANT_ADMIN, Call::delete_collection { tenant, name: name("new") }),
		(EDITOR, Call::create_content_object { tenant, object }),
		(EDITOR, Call::delete_content_object { tenant, object }),
		(KMS_ACCOUNT, Call::put_records { tenant, collection: collection(), records }),
		(KMS_ACCOUNT, Call::delete_records { tenant, collection: collection(), keys }),
		(EDITOR, Call::set_head_version { tenant, object: OBJECT, version }),
		(EDITOR, Call::delete_version { tenant, object: OBJECT, version: HEAD }),
	]
}

/// Returns calls on a member of the fabric with keys. They can be made one after the other.
fn calls_on(member: MemberId) -> Vec<(AccountId, Call<Test>)> {
	let root = root_of(member);
	let nominate =
		Call::nominate_root { member, created: created(member), nominee: Some(STRANGER) };
	let commit = commit_of(&[draft(OBJECT, NEW)]);
	let signature = sign(EDITOR, &commit);
	let versions = vec![(OBJECT, DRAFT)].try_into().expect("one version fits");
	let (originator, node, tenant) = (PROVIDER, NODE, TENANT);
	let mut calls = vec![
		(root, Call::<Test>::top_up_bond { member, amount: 1 }),
		(root, Call::set_max_held { member, amount: Balance::MAX }),
		(root, nominate),
		(OPERATOR, Call::commit_versions { tenant_signer: EDITOR, commit, signature }),
		(OPERATOR, Call::finalize_versions { originator, node, tenant, versions }),
	];
	calls.extend(match member {
		MemberId::Provider(_) => calls_of_provider(),
		MemberId::Tenant(_) => calls_of_tenant(),
	});
	calls.push((root, Call::purge_member { member }));
	calls
}

fn assert_all_succeed(calls: Vec<(AccountId, Call<Test>)>) {
	for (who, call) in calls {
		let what = format!("{call:?}");
		assert_eq!(dispatch(who, call), Ok(()), "{what}");
	}
}

#[test]
fn nobody_but_governance_acts_for_a_closed_member() {
	for member in THE_MEMBERS {
		for (close, error) in WAYS {
			Chain::fabric_with_keys().block(|| {
				let calls = calls_on(member);
				assert_ok!(close(member, true));
				let delete = (root_of(member), Call::delete_member { member });
				for (who, call) in calls.iter().cloned().chain([delete]) {
					assert_noop!(dispatch(who, call), error(member));
				}
				// Once it is open again, all is as before.
				assert_ok!(close(member, false));
				assert_all_succeed(calls);
			});
		}
	}
}

#[test]
fn a_closed_member_stops_commits_and_finalizations_on_either_side() {
	for member in THE_MEMBERS {
		for (close, error) in WAYS {
			Chain::fabric_with_keys().block(|| {
				assert_ok!(close(member, true));
				// By the root of the provider, by its Admin and by the operator of the node.
				for who in [PROVIDER_ROOT, PROVIDER_ADMIN, OPERATOR] {
					let commit = commit_of(&[draft(OBJECT, NEW)]);
					let signature = sign(TENANT_ROOT, &commit);
					assert_noop!(
						ContentFabric::commit_versions(signed(who), TENANT_ROOT, commit, signature),
						error(member)
					);
					assert_noop!(finalize_as(who, &[DRAFT]), error(member));
				}
			});
		}
	}
}

#[test]
fn a_closed_member_does_not_close_the_other_side() {
	for (close, _) in WAYS {
		Chain::fabric_with_keys().block(|| {
			assert_ok!(close(THE_PROVIDER, true));
			assert_all_succeed(calls_of_tenant());
		});
		Chain::fabric_with_keys().block(|| {
			assert_ok!(close(THE_TENANT, true));
			assert_all_succeed(calls_of_provider());
		});
	}
}

#[test]
fn the_flag_and_the_suspension_are_independent() {
	Chain::small_fabric().block(|| {
		for member in THE_MEMBERS {
			let root = root_of(member);
			let top_up = || dispatch(root, Call::top_up_bond { member, amount: 1 });
			assert_ok!(freeze(member, true));
			assert_ok!(suspend(member, true));
			assert_noop!(top_up(), frozen(member));
			assert_ok!(freeze(member, false));
			assert_eq!(flags(member), (false, true));
			assert_noop!(top_up(), suspended(member));
			assert_ok!(freeze(member, true));
			assert_ok!(suspend(member, false));
			assert_eq!(flags(member), (true, false));
			assert_noop!(top_up(), frozen(member));
			assert_ok!(freeze(member, false));
			assert_ok!(top_up());
		}
	});
}

#[test]
fn governance_still_acts_on_a_closed_member() {
	for member in THE_MEMBERS {
		Chain::small_fabric().block(|| {
			assert_ok!(freeze(member, true));
			assert_ok!(suspend(member, true));
			for call in motions(member, created(member)) {
				let what = format!("{call:?}");
				assert_eq!(dispatch(GOVERNOR, call), Ok(()), "{what}");
			}
			assert_eq!(funds(root_of(member)), (ENDOWMENT - 2, 0));
		});
	}
}

#[test]
fn a_purge_continues_while_the_member_is_suspended() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			assert_ok!(dispatch(root, Call::purge_member { member }));
			assert_ok!(suspend(member, true));
		});
		chain.block(|| {
			assert_ok!(ContentFabric::reap(signed(STRANGER), member, 1));
			assert!(ContentFabric::rows(member) > Some(0));
		});
		chain.idle();
		chain.pass(UnbondingPeriod::get());
		chain.block(|| {
			assert_eq!((ContentFabric::rows(member), flags(member)), (Some(0), (false, true)));
			let delete = || dispatch(root, Call::delete_member { member });
			assert_noop!(delete(), suspended(member));
			assert_ok!(suspend(member, false));
			assert_ok!(delete());
		});
	}
}

#[test]
fn a_new_member_with_the_id_of_a_closed_one_is_open() {
	for member in THE_MEMBERS {
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			assert_ok!(freeze(member, true));
			assert_ok!(suspend(member, true));
			assert_ok!(governance_delete(member));
		});
		chain.idle();
		chain.block(|| {
			assert_ok!(dispatch(STRANGER, create(member, MAX_HELD)));
			assert_eq!(flags(member), (false, false));
			assert_ok!(dispatch(STRANGER, Call::top_up_bond { member, amount: 1 }));
		});
	}
}
