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
			let (provider, tenant, locator) = (PROVIDER, TENANT, || locator("x"));
			let (node, operator) = (OTHER_NODE, OPERATOR);
			let object = |number| ContentObjectId([number; 10]);
			let commit = commit_call(EDITOR, commit_of(&[draft(OBJECT, NEW)]));
			for (who, call) in [
				(
					PROVIDER_ADMIN,
					Call::create_node { provider, node, operator, locator: locator() },
				),
				(TENANT_ADMIN, add_kms_call(tenant, OTHER_KMS, "x")),
				(KMS_ACCOUNT, Call::create_content_object { tenant, object: object(7) }),
				(EDITOR, Call::create_content_object { tenant, object: object(8) }),
				(OPERATOR, commit),
			] {
				make(who, call);
			}
			assert_holds_are_those_of(STRANGER, &THE_MEMBERS);
			for member in THE_MEMBERS {
				assert_ok!(slash(member, 1_000));
				assert_eq!(funds(root_of(member)), (ENDOWMENT, 0));
				// The former root has no say any more.
				let top_up = Call::top_up_bond { member, amount: 1 };
				assert_refused(root_of(member), top_up, Error::<Test>::NoPermission);
				assert_noop!(nominate(root_of(member), member, None), BadOrigin);
			}
		});
		// Released funds go to the new root, too.
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
		make(TENANT_ROOT, create(other, MAX_HELD));
		hand_over(THE_TENANT, TENANT_ROOT, PROVIDER_ROOT);
		assert_holds_are_those_of(TENANT_ROOT, &[other]);
		// The new root has a member already, whose holds stay beside the new ones.
		assert_holds_are_those_of(PROVIDER_ROOT, &THE_MEMBERS);
	});
}

#[test]
fn a_nominee_of_governance_accepts_after_the_unbonding_period_even_if_the_member_is_closed() {
	for member in THE_MEMBERS {
		for closing in [None].into_iter().chain(CLOSINGS.map(Some)) {
			let mut chain = chain_with_nominee_of_governance(member);
			chain.block(|| {
				if let Some((close, _)) = closing {
					assert_ok!(close(member, true));
				}
				assert_noop!(accept(STRANGER, member), Error::<Test>::NominationNotMature);
			});
			chain.block(|| {
				assert_ok!(accept(STRANGER, member));
				assert!(is_root(STRANGER, member));
				assert_eq!(funds(root_of(member)), (ENDOWMENT, 0));
				assert_holds_are_those_of(STRANGER, &[member]);
			});
			// It stays closed to the new root until governance opens it.
			chain.block(|| {
				let top_up = || Call::top_up_bond { member, amount: 1 };
				if let Some((close, error)) = closing {
					assert_refused(STRANGER, top_up(), error(member));
					assert_ok!(close(member, false));
				}
				make(STRANGER, top_up());
			});
		}
	}
}

#[test]
fn the_access_key_of_a_new_root_is_removed_and_the_others_stay() {
	let mut chain = Chain::fabric_with_keys();
	let level = |account| ContentFabric::tenant_level(TENANT, account);
	chain.block(|| {
		let (account, level) = (PROVIDER_ADMIN, None);
		let of_provider = Event::<Test>::ProviderKeySet { provider: PROVIDER, account, level };
		let (account, level) = (KMS_ACCOUNT, None);
		let of_tenant = Event::<Test>::TenantKeySet { tenant: TENANT, account, level };
		for (member, root, key_set) in
			[(THE_PROVIDER, PROVIDER_ADMIN, of_provider), (THE_TENANT, KMS_ACCOUNT, of_tenant)]
		{
			let (bond, deposit) = recorded(member);
			let previous = root_of(member);
			assert_ok!(nominate(previous, member, Some(root)));
			System::reset_events();
			assert_ok!(accept(root, member));
			assert_eq!(
				events(),
				[key_set, Event::RootSet { member, root, previous, unreleased: 0 }]
			);
			assert_eq!(recorded(member), (bond, deposit - price(KEY_BYTES)));
			assert_holds_are_those_of(root, &[member]);
			assert_eq!(funds(previous), (ENDOWMENT, 0));
		}
		assert_eq!(ProviderKeys::<Test>::get(PROVIDER, PROVIDER_ADMIN), None);
		assert_eq!(TenantKeys::<Test>::get(TENANT, KMS_ACCOUNT), None);
	});
	// The access key does not come back when the account hands over in turn.
	chain.block(|| {
		hand_over(THE_TENANT, KMS_ACCOUNT, STRANGER);
		assert_eq!(level(KMS_ACCOUNT), None);
		assert_eq!(level(TENANT_ADMIN), Some(TenantLevel::Admin));
		assert_eq!(level(EDITOR), Some(TenantLevel::Content));
	});
}

#[test]
fn a_member_is_empty_once_the_access_key_of_its_new_root_was_its_last_row() {
	Chain::small_fabric().block(|| {
		for member in NEW_MEMBERS {
			make(STRANGER, create(member, MAX_HELD));
			let (account, admin) = (EDITOR, Some(ProviderLevel::Admin));
			let give = match member {
				MemberId::Provider(id) => Call::set_provider_key { id, account, level: admin },
				MemberId::Tenant(id) => {
					Call::set_tenant_key { id, account, level: Some(TenantLevel::Content) }
				},
			};
			make(STRANGER, give);
			hand_over(member, STRANGER, EDITOR);
			assert_eq!(ContentFabric::rows(member), Some(0));
			assert!(events().contains(&Event::MemberEmptied { member }));
		}
	});
}
