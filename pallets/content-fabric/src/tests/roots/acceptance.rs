// SPDX-License-Identifier: Apache-2.0
//! Acceptance: who becomes the root, and what moves to them.

use super::*;

#[test]
fn a_nominee_becomes_the_root_by_acceptance_and_not_before() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		Chain::small_fabric().block(|| {
			assert_ok!(nominate(root, member, Some(STRANGER)));
			assert_eq!(events(), [Event::RootNominated { member, nominee: Some(STRANGER) }]);
			assert!(is_root(root, member) && !is_root(STRANGER, member));
			assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
			assert_holds_are_those_of(root, &[member]);
			let held = held(member);

			System::reset_events();
			assert_ok!(accept(STRANGER, member));
			assert_eq!(
				events(),
				[Event::RootSet { member, root: STRANGER, previous: root, unreleased: 0 }]
			);
			assert!(is_root(STRANGER, member) && !is_root(root, member));
			assert_eq!(funds(root), (ENDOWMENT, 0));
			assert_eq!(funds(STRANGER), (ENDOWMENT - held, held));
			assert_holds_are_those_of(STRANGER, &[member]);
			// A nomination serves once.
			assert_noop!(accept(STRANGER, member), Error::<Test>::NotNominated);
		});
	}
}

#[test]
fn an_acceptance_changes_root_limit_and_holds_and_nothing_else() {
	Chain::fabric_with_keys().block(|| {
		let keys = || {
			let of_provider: Vec<_> = ProviderKeys::<Test>::iter().collect();
			(of_provider, TenantKeys::<Test>::iter().collect::<Vec<_>>())
		};
		let space = Spaces::<Test>::get(SPACE);
		let provider = Providers::<Test>::get(PROVIDER).expect("the provider exists");
		let tenant = Tenants::<Test>::get(TENANT).expect("the tenant exists");
		let keys_before = keys();
		let (root, max_held) = (STRANGER, MAX_HELD - 1);
		for member in THE_MEMBERS {
			assert_ok!(nominate(root_of(member), member, Some(root)));
			assert_ok!(ContentFabric::accept_root(signed(root), member, max_held));
		}
		// They are the first and the second muid of this block.
		let expected = MemberInfo { root, root_since: muid(1), max_held, ..provider };
		assert_eq!(Providers::<Test>::get(PROVIDER), Some(expected));
		let expected = MemberInfo { root, root_since: muid(2), max_held, ..tenant };
		assert_eq!(Tenants::<Test>::get(TENANT), Some(expected));
		assert_eq!((Spaces::<Test>::get(SPACE), keys()), (space, keys_before));
	});
}

#[test]
fn a_former_root_pays_for_nothing_after_acceptance() {
	for by_governance in [false, true] {
		let mut chain = Chain::fabric_with_keys();
		chain.block(|| {
			for member in THE_MEMBERS {
				let who = if by_governance { GOVERNOR } else { root_of(member) };
				assert_ok!(nominate(who, member, Some(STRANGER)));
			}
		});
		chain.pass(UnbondingPeriod::get());
		chain.block(|| {
			for member in THE_MEMBERS {
				assert_ok!(accept(STRANGER, member));
			}
		});
		chain.block(|| {
			// Every access key that the former roots gave adds a row.
			let (locator, node) = (|| locator("x"), NodeId([7; 10]));
			let admin = signed(PROVIDER_ADMIN);
			assert_ok!(ContentFabric::create_node(admin, PROVIDER, node, OPERATOR, locator()));
			let kms = KmsId([7; 10]);
			assert_ok!(ContentFabric::add_kms(signed(TENANT_ADMIN), TENANT, kms, locator()));
			for (who, number) in [(KMS_ACCOUNT, 7), (EDITOR, 8)] {
				let object = ContentObjectId([number; 10]);
				assert_ok!(ContentFabric::create_content_object(signed(who), TENANT, object));
			}
			let commit = commit_of(&[draft(OBJECT, NEW)]);
			let signature = sign(EDITOR, &commit);
			assert_ok!(ContentFabric::commit_versions(signed(OPERATOR), EDITOR, commit, signature));
			assert_holds_are_those_of(STRANGER, &THE_MEMBERS);
			for member in THE_MEMBERS {
				assert_ok!(slash(member, 1_000));
				assert_eq!(funds(root_of(member)), (ENDOWMENT, 0));
				// The former root has no say any more.
				let top_up = Call::top_up_bond { member, amount: 1 };
				assert_noop!(dispatch(root_of(member), top_up), Error::<Test>::NoPermission);
				assert_noop!(nominate(root_of(member), member, None), BadOrigin);
			}
		});
		// What is released goes to the new root, too.
		chain.block(|| {
			for member in THE_MEMBERS {
				assert_ok!(governance_delete(member));
				assert_eq!(funds(root_of(member)), (ENDOWMENT, 0));
			}
			assert_eq!(funds(STRANGER), (ENDOWMENT - 2 * 1_000, 0));
		});
	}
}

#[test]
fn a_former_root_keeps_what_is_held_for_its_other_members() {
	Chain::small_fabric().block(|| {
		let [_, other] = NEW_MEMBERS;
		assert_ok!(dispatch(TENANT_ROOT, create(other, MAX_HELD)));
		assert_ok!(nominate(TENANT_ROOT, THE_TENANT, Some(PROVIDER_ROOT)));
		assert_ok!(accept(PROVIDER_ROOT, THE_TENANT));
		assert_holds_are_those_of(TENANT_ROOT, &[other]);
		// The new root has a member already, whose holds stay beside the new ones.
		assert_holds_are_those_of(PROVIDER_ROOT, &[THE_PROVIDER, THE_TENANT]);
	});
}

#[test]
fn only_the_nominee_accepts() {
	Chain::fabric_with_keys().block(|| {
		for member in THE_MEMBERS {
			assert_noop!(accept(STRANGER, member), Error::<Test>::NotNominated);
			assert_ok!(nominate(root_of(member), member, Some(STRANGER)));
			for who in [root_of(member), PROVIDER_ADMIN, TENANT_ADMIN, EDITOR, GOVERNOR] {
				assert_noop!(accept(who, member), Error::<Test>::NotNominated);
			}
			for origin in [RuntimeOrigin::root(), RuntimeOrigin::none()] {
				assert_noop!(ContentFabric::accept_root(origin, member, MAX_HELD), BadOrigin);
			}
		}
		let [provider, tenant] = NEW_MEMBERS;
		assert_noop!(accept(STRANGER, provider), Error::<Test>::ProviderNotFound);
		assert_noop!(accept(STRANGER, tenant), Error::<Test>::TenantNotFound);
	});
}

#[test]
fn a_nominee_of_governance_accepts_after_the_unbonding_period() {
	for member in THE_MEMBERS {
		let mut chain = chain_with_nominee_of_governance(member);
		chain.block(|| {
			assert_noop!(accept(STRANGER, member), Error::<Test>::NominationNotMature);
		});
		chain.block(|| {
			assert_ok!(accept(STRANGER, member));
			assert_eq!(funds(root_of(member)), (ENDOWMENT, 0));
			assert_holds_are_those_of(STRANGER, &[member]);
		});
	}
}

#[test]
fn a_nominee_of_governance_accepts_even_if_the_member_is_frozen_or_suspended() {
	type Close = fn(MemberId, bool) -> DispatchResult;
	for member in THE_MEMBERS {
		let ways: [(Close, Error<Test>); 2] =
			[(freeze, frozen(member)), (suspend, suspended(member))];
		for (close, error) in ways {
			let mut chain = chain_with_nominee_of_governance(member);
			chain.block(|| {
				assert_ok!(close(member, true));
				assert_noop!(accept(STRANGER, member), Error::<Test>::NominationNotMature);
			});
			chain.block(|| {
				assert_ok!(accept(STRANGER, member));
				assert!(is_root(STRANGER, member));
				assert_holds_are_those_of(STRANGER, &[member]);
			});
			// It stays closed to the new root until governance opens it.
			chain.block(|| {
				let top_up = || dispatch(STRANGER, Call::top_up_bond { member, amount: 1 });
				assert_noop!(top_up(), error);
				assert_ok!(close(member, false));
				assert_ok!(top_up());
			});
		}
	}
}

#[test]
fn a_nominee_of_the_root_does_not_accept_while_the_member_is_frozen_or_suspended() {
	Chain::small_fabric().block(|| {
		for member in THE_MEMBERS {
			assert_ok!(nominate(root_of(member), member, Some(STRANGER)));
			assert_ok!(freeze(member, true));
			assert_noop!(accept(STRANGER, member), frozen(member));
			assert_ok!(freeze(member, false));
			assert_ok!(suspend(member, true));
			assert_noop!(accept(STRANGER, member), suspended(member));
			assert_ok!(suspend(member, false));
			assert_ok!(accept(STRANGER, member));
		}
	});
}

#[test]
fn the_access_key_of_a_new_root_is_removed_and_the_others_stay() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		for (member, account, key_set) in [
			(
				THE_PROVIDER,
				PROVIDER_ADMIN,
				Event::<Test>::ProviderKeySet {
					provider: PROVIDER,
					account: PROVIDER_ADMIN,
					level: None,
				},
			),
			(
				THE_TENANT,
				KMS_ACCOUNT,
				Event::TenantKeySet { tenant: TENANT, account: KMS_ACCOUNT, level: None },
			),
		] {
			let (rows, (bond, deposit)) = (ContentFabric::rows(member), recorded(member));
			let of_key = match member {
				MemberId::Provider(id) => {
					ProviderKeys::<Test>::get(id, account).map(|key| key.deposit)
				},
				MemberId::Tenant(id) => TenantKeys::<Test>::get(id, account).map(|key| key.deposit),
			};
			let of_key = of_key.expect("the nominee has an access key");
			let previous = root_of(member);
			assert_ok!(nominate(previous, member, Some(account)));
			System::reset_events();
			assert_ok!(accept(account, member));
			assert_eq!(
				events(),
				[key_set, Event::RootSet { member, root: account, previous, unreleased: 0 }]
			);
			assert_eq!(ContentFabric::rows(member).map(|left| left + 1), rows);
			assert_eq!(recorded(member), (bond, deposit - of_key));
			assert_holds_are_those_of(account, &[member]);
			assert_eq!(funds(previous), (ENDOWMENT, 0));
		}
		assert_eq!(ProviderKeys::<Test>::get(PROVIDER, PROVIDER_ADMIN), None);
		assert_eq!(TenantKeys::<Test>::get(TENANT, KMS_ACCOUNT), None);
		let level = |account| ContentFabric::tenant_level(TENANT, account);
		assert_eq!(level(TENANT_ADMIN), Some(TenantLevel::Admin));
		assert_eq!(level(EDITOR), Some(TenantLevel::Content));
	});
	// The access key does not come back when the account hands over in turn.
	chain.block(|| {
		assert_ok!(nominate(KMS_ACCOUNT, THE_TENANT, Some(STRANGER)));
		assert_ok!(accept(STRANGER, THE_TENANT));
		assert_eq!(ContentFabric::tenant_level(TENANT, KMS_ACCOUNT), None);
	});
}

#[test]
fn a_member_is_empty_once_the_access_key_of_its_new_root_was_its_last_row() {
	let [provider, tenant] = NEW_MEMBERS;
	Chain::small_fabric().block(|| {
		for member in [provider, tenant] {
			assert_ok!(dispatch(STRANGER, create(member, MAX_HELD)));
			let give = match member {
				MemberId::Provider(id) => {
					let level = Some(ProviderLevel::Admin);
					Call::set_provider_key { id, account: EDITOR, level }
				},
				MemberId::Tenant(id) => {
					let level = Some(TenantLevel::Content);
					Call::set_tenant_key { id, account: EDITOR, level }
				},
			};
			assert_ok!(dispatch(STRANGER, give));
			assert_ok!(nominate(STRANGER, member, Some(EDITOR)));
			assert_ok!(accept(EDITOR, member));
			assert_eq!(ContentFabric::rows(member), Some(0));
			assert!(events().contains(&Event::MemberEmptied { member }));
		}
	});
}

#[test]
fn a_nominee_without_the_funds_changes_nothing() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		Chain::small_fabric().block(|| {
			let (bond, deposit) = recorded(member);
			assert_ok!(nominate(root, member, Some(PAUPER)));
			assert_noop!(accept(PAUPER, member), TokenError::FundsUnavailable);
			assert_ok!(nominate(root, member, Some(STRANGER)));
			// Enough for the bond only, then for all but the minimum balance of the account.
			for free in [bond + 1, bond + deposit] {
				set_free(STRANGER, free);
				assert_noop!(accept(STRANGER, member), TokenError::FundsUnavailable);
				assert!(is_root(root, member));
				assert_holds_are_those_of(root, &[member]);
			}
			set_free(STRANGER, bond + deposit + 1);
			assert_ok!(accept(STRANGER, member));
			assert_eq!(funds(STRANGER), (1, bond + deposit));
			assert_eq!(funds(root), (ENDOWMENT, 0));
		});
	}
}

#[test]
fn no_root_is_accepted_while_a_purge_is_under_way() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			assert_ok!(nominate(root, member, Some(STRANGER)));
			assert_ok!(dispatch(root, Call::purge_member { member }));
			assert_noop!(accept(STRANGER, member), Error::<Test>::BeingPurged);
		});
		chain.block(|| {
			assert_ok!(ContentFabric::reap(signed(EDITOR), member, 1));
			assert_noop!(accept(STRANGER, member), Error::<Test>::BeingPurged);
		});
		chain.idle();
		chain.block(|| {
			assert_ok!(accept(STRANGER, member));
			assert_holds_are_those_of(STRANGER, &[member]);
			assert_eq!(funds(root), (ENDOWMENT, 0));
		});
	}
}
