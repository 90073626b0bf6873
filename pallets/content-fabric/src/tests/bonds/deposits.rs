// SPDX-License-Identifier: Apache-2.0
//! The deposits of rows: how much each is, when it is re-priced, and that all of it is released.

use super::{rows::*, *};
use crate::{ContentObjects, Kmses, Nodes, ProviderKeys, Records, TenantKeys, Versions};

/// Runs a check at other deposit rates, as a runtime upgrade may bring.
fn with_rates(base: Balance, per_byte: Balance, run: impl FnOnce()) {
	DepositBase::set(base);
	DepositPerByte::set(per_byte);
	run();
	DepositBase::reset();
	DepositPerByte::reset();
}

#[test]
fn every_row_has_a_deposit_that_its_removal_releases_in_full() {
	Chain::small_fabric().block(|| {
		for (base, per_byte) in [(100, 1), (0, 3), (7, 0), (0, 0)] {
			with_rates(base, per_byte, || {
				for Kind { what, member, bytes, adder, add, remove } in kinds() {
					let root = root_of(member);
					let before = (recorded(member), funds(root));
					let ((bond, deposits), (free, held)) = before;
					let deposit = base + per_byte * bytes;
					assert_eq!(dispatch(adder, add()), Ok(()), "{what}");
					assert_eq!(recorded(member), (bond, deposits + deposit), "{what}");
					assert_eq!(funds(root), (free - deposit, held + deposit), "{what}");
					assert_eq!(on_hold(HoldReason::StorageDeposit, root), deposits + deposit);
					assert_eq!(dispatch(root, remove()), Ok(()), "{what}");
					assert_eq!((recorded(member), funds(root)), before, "{what}");
				}
			});
		}
	});
}

#[test]
fn a_deposit_is_for_the_bytes_that_a_row_has_in_state_at_its_largest() {
	let in_state = |map, keys: &[&[u8]]| {
		let key = raw_key(map, keys);
		let value = sp_io::storage::get(&key).expect("the row exists");
		price((key.len() + value.len()) as u64)
	};
	Chain::fabric_with_keys().block(|| {
		// The node has committed, the object has a head, and the version is as large as one can be.
		let largest = DraftVersion { size: u64::MAX, ..draft(OBJECT, NEW) };
		assert_ok!(submit(commit_of(&[largest])));
		assert_ok!(finalize(NEW));
		let deposit = |node| Nodes::<Test>::get(PROVIDER, node).map(|info| info.deposit);
		assert_eq!(deposit(NODE), Some(in_state("Nodes", &[&PROVIDER.0, &NODE.0])));
		// Rows that have yet to grow have the deposit for that, too.
		assert_eq!(deposit(PENDING_NODE), deposit(NODE));

		let deposit = |object| ContentObjects::<Test>::get(TENANT, object).map(|info| info.deposit);
		assert_eq!(deposit(OBJECT), Some(in_state("ContentObjects", &[&TENANT.0, &OBJECT.0])));
		assert_eq!(deposit(EMPTY_OBJECT), deposit(OBJECT));

		let deposit =
			|version| Versions::<Test>::get((TENANT, OBJECT, version)).map(|info| info.deposit);
		let full = in_state("Versions", &[&TENANT.0, &OBJECT.0, &NEW.0]);
		assert_eq!(deposit(NEW), Some(full));
		assert_eq!(deposit(DRAFT), Some(full));
		assert!(in_state("Versions", &[&TENANT.0, &OBJECT.0, &DRAFT.0]) < full);

		let deposit = Kmses::<Test>::get(TENANT, KMS).map(|info| info.deposit);
		assert_eq!(deposit, Some(in_state("Kmses", &[&TENANT.0, &KMS.0])));
		let account = PROVIDER_ADMIN.to_le_bytes();
		let deposit = ProviderKeys::<Test>::get(PROVIDER, PROVIDER_ADMIN).map(|info| info.deposit);
		assert_eq!(deposit, Some(in_state("ProviderKeys", &[&PROVIDER.0, &account])));
		let account = EDITOR.to_le_bytes();
		let deposit = TenantKeys::<Test>::get(TENANT, EDITOR).map(|info| info.deposit);
		assert_eq!(deposit, Some(in_state("TenantKeys", &[&TENANT.0, &account])));
	});
}

#[test]
fn the_row_of_a_member_does_not_outgrow_its_deposit() {
	Chain::small_fabric().block(|| {
		for member in NEW_MEMBERS {
			assert_ok!(dispatch(STRANGER, create(member, MAX_HELD)));
			// Empty, and with the longest nomination. A purge would take one more byte, but only a
			// member with rows is purged.
			let nominee = Some(EDITOR);
			let nominate = Call::nominate_root { member, created: created(member), nominee };
			assert_ok!(dispatch(GOVERNOR, nominate));
			let key = match member {
				MemberId::Provider(id) => raw_key("Providers", &[&id.0]),
				MemberId::Tenant(id) => raw_key("Tenants", &[&id.0]),
			};
			let value = sp_io::storage::get(&key).expect("the member exists");
			assert_eq!((key.len() + value.len()) as u64 + 1, own_bytes(member));
		}
	});
}

#[test]
fn one_hold_covers_all_rows_of_a_commit() {
	Chain::small_fabric().block(|| {
		let (provider, tenant) = (recorded(THE_PROVIDER), recorded(THE_TENANT));
		let object = ContentObjectId([7; 10]);
		let versions = [draft(object, NEW), draft(object, HEAD), draft(OBJECT, NEW)];
		System::reset_events();
		assert_ok!(dispatch(PROVIDER_ROOT, commit_call(true, &versions)));
		let deposit = price(OBJECT_BYTES) + 3 * price(VERSION_BYTES);
		assert_eq!(recorded(THE_TENANT), (tenant.0, tenant.1 + deposit));
		let holds = System::read_events_for_pallet::<pallet_balances::Event<Test>>();
		let reason = RuntimeHoldReason::from(HoldReason::StorageDeposit);
		let (who, amount) = (TENANT_ROOT, deposit);
		assert_eq!(holds, [pallet_balances::Event::<Test>::Held { reason, who, amount }]);
		// The provider that commits holds nothing.
		assert_eq!(recorded(THE_PROVIDER), provider);
		assert_holds_are_those_of(PROVIDER_ROOT, &[THE_PROVIDER]);
	});
}

#[test]
fn nothing_is_on_hold_when_everything_has_been_removed() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		let take = Call::set_provider_key { id: PROVIDER, account: PROVIDER_ADMIN, level: None };
		assert_ok!(dispatch(PROVIDER_ROOT, take));
		for node in [NODE, PENDING_NODE] {
			assert_ok!(dispatch(PROVIDER_ROOT, Call::remove_node { provider: PROVIDER, node }));
		}
		let (tenant, object) = (TENANT, OBJECT);
		let mut calls = vec![
			Call::<Test>::set_head_version { tenant, object, version: None },
			delete_record_call(RECORD),
			Call::delete_collection { tenant, name: name(COLLECTION) },
			Call::delete_collection { tenant, name: name(EMPTY_COLLECTION) },
			Call::remove_kms { tenant, kms: KMS },
		];
		for version in [HEAD, DRAFT, FINALIZED] {
			calls.push(Call::delete_version { tenant, object, version });
		}
		for object in [OBJECT, EMPTY_OBJECT] {
			calls.push(Call::delete_content_object { tenant, object });
		}
		for account in [TENANT_ADMIN, KMS_ACCOUNT, EDITOR] {
			calls.push(Call::set_tenant_key { id: tenant, account, level: None });
		}
		for call in calls {
			assert_ok!(dispatch(TENANT_ROOT, call));
		}
		for member in THE_MEMBERS {
			assert_eq!(recorded(member), (usual_bond(member), own_deposit(member)));
			assert_holds_are_those_of(root_of(member), &[member]);
		}
	});
	chain.pass(UnbondingPeriod::get());
	chain.block(|| {
		for member in THE_MEMBERS {
			assert_ok!(dispatch(root_of(member), Call::delete_member { member }));
		}
		for account in ACCOUNTS {
			assert_eq!(funds(account), (ENDOWMENT, 0), "account {account}");
		}
	});
}

#[test]
fn without_its_deposit_no_row_is_added() {
	Chain::small_fabric().block(|| {
		for who in [PROVIDER_ROOT, TENANT_ROOT] {
			set_free(who, DepositBase::get());
		}
		for Kind { adder, add, .. } in kinds() {
			assert_noop!(dispatch(adder, add()), TokenError::FundsUnavailable);
		}
		// Nobody pays for the root.
		set_free(TENANT_ROOT, 10_000);
		let (id, account, level) = (TENANT, EDITOR, Some(TenantLevel::Content));
		assert_ok!(dispatch(TENANT_ROOT, Call::set_tenant_key { id, account, level }));
		set_free(TENANT_ROOT, DepositBase::get());
		let object = ContentObjectId([7; 10]);
		let create = || Call::create_content_object { tenant: TENANT, object };
		assert_noop!(dispatch(EDITOR, create()), TokenError::FundsUnavailable);
		set_free(TENANT_ROOT, 10_000);
		assert_ok!(dispatch(EDITOR, create()));
		assert_eq!(funds(EDITOR), (ENDOWMENT, 0));
	});
}

#[test]
fn what_was_held_is_released_whatever_the_rates_are_by_then() {
	let mut chain = Chain::small_fabric();
	for (base, per_byte) in [(50_000, 40), (0, 0)] {
		chain.block(|| {
			let state = || THE_MEMBERS.map(|member| (recorded(member), funds(root_of(member))));
			let before = state();
			for Kind { adder, add, .. } in kinds() {
				assert_ok!(dispatch(adder, add()));
			}
			with_rates(base, per_byte, || {
				for Kind { member, remove, .. } in kinds() {
					assert_ok!(dispatch(root_of(member), remove()));
				}
				assert_eq!(state(), before);
			});
		});
	}
	// A purge by the root and a deletion by governance settle what was recorded, too.
	chain.block(|| {
		with_rates(50_000, 40, || {
			assert_ok!(dispatch(PROVIDER_ROOT, Call::purge_member { member: THE_PROVIDER }));
			assert_ok!(governance_delete(THE_TENANT));
			assert_eq!(funds(TENANT_ROOT), (ENDOWMENT, 0));
		});
	});
	chain.idle();
	chain.block(|| {
		assert_holds_are_those_of(PROVIDER_ROOT, &[THE_PROVIDER]);
		// Of the provider, the bond and the deposit for its own row are left.
		let left = (PROVIDER_BOND, own_deposit(THE_PROVIDER));
		assert_eq!(recorded(THE_PROVIDER), left);
		assert_ok!(governance_delete(THE_PROVIDER));
		assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT, 0));
	});
}

#[test]
fn a_row_is_repriced_at_the_current_rates_when_its_contents_are_set() {
	Chain::small_fabric().block(|| {
		let deposits = || {
			let record = Records::<Test>::get((TENANT, name(COLLECTION), key(RECORD)));
			[
				Nodes::<Test>::get(PROVIDER, NODE).expect("the node exists").deposit,
				Kmses::<Test>::get(TENANT, KMS).expect("the KMS exists").deposit,
				record.expect("the record exists").deposit,
			]
		};
		let set_all = || {
			let (provider, tenant) = (PROVIDER, TENANT);
			let locator_of_node =
				Call::set_node_locator { provider, node: NODE, locator: locator("/dns/node") };
			let locator_of_kms =
				Call::set_kms_locator { tenant, kms: KMS, locator: locator("https://kms") };
			assert_ok!(dispatch(PROVIDER_ROOT, locator_of_node));
			assert_ok!(dispatch(TENANT_ROOT, locator_of_kms));
			assert_ok!(dispatch(TENANT_ROOT, put_call(RECORD, None)));
		};
		let (before, [provider, tenant]) = (deposits(), THE_MEMBERS.map(recorded));
		with_rates(1_000, 1, || {
			set_all();
			assert_eq!(deposits(), before.map(|deposit| deposit + 900));
			assert_eq!(recorded(THE_PROVIDER), (provider.0, provider.1 + 900));
			assert_eq!(recorded(THE_TENANT), (tenant.0, tenant.1 + 2 * 900));
			assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		});
		set_all();
		assert_eq!(deposits(), before);
		assert_eq!(THE_MEMBERS.map(recorded), [provider, tenant]);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
	});
}

#[test]
fn other_changes_of_a_row_leave_its_deposit_as_it_is() {
	Chain::fabric_with_keys().block(|| {
		let before = THE_MEMBERS.map(recorded);
		with_rates(1_000, 50, || {
			let (provider, tenant, object) = (PROVIDER, TENANT, OBJECT);
			let versions = vec![(OBJECT, DRAFT)].try_into().expect("one version fits");
			let (originator, node, level) = (PROVIDER, NODE, Some(TenantLevel::Kms));
			for (who, call) in [
				(PROVIDER_ROOT, Call::<Test>::confirm_node { provider, node: PENDING_NODE }),
				(PROVIDER_ROOT, Call::set_node_operator { provider, node, operator: STRANGER }),
				(PROVIDER_ROOT, Call::finalize_versions { originator, node, tenant, versions }),
				(TENANT_ROOT, Call::set_head_version { tenant, object, version: Some(DRAFT) }),
				(TENANT_ROOT, Call::set_tenant_key { id: tenant, account: EDITOR, level }),
				(TENANT_ROOT, Call::set_max_held { member: THE_TENANT, amount: Balance::MAX }),
				(TENANT_ROOT, Call::top_up_bond { member: THE_TENANT, amount: 0 }),
			] {
				let what = format!("{call:?}");
				assert_eq!(dispatch(who, call), Ok(()), "{what}");
			}
			assert_eq!(THE_MEMBERS.map(recorded), before);
		});
	});
}

#[test]
fn deposits_follow_the_length_of_locators() {
	let node = |len| Call::<Test>::set_node_locator {
		provider: PROVIDER,
		node: NODE,
		locator: locator(&"x".repeat(len)),
	};
	let kms = |len| Call::<Test>::set_kms_locator {
		tenant: TENANT,
		kms: KMS,
		locator: locator(&"x".repeat(len)),
	};
	let mut chain = Chain::small_fabric();
	for len in [1, 64, 63, 2, 30] {
		chain.block(|| {
			let [provider, tenant] = THE_MEMBERS.map(recorded);
			let old = Nodes::<Test>::get(PROVIDER, NODE).expect("the node exists").deposit;
			assert_ok!(dispatch(PROVIDER_ROOT, node(len)));
			let new = price(node_bytes(len as u64));
			assert_eq!(Nodes::<Test>::get(PROVIDER, NODE).map(|info| info.deposit), Some(new));
			assert_eq!(recorded(THE_PROVIDER), (provider.0, provider.1 + new - old));
			assert_holds_are_those_of(PROVIDER_ROOT, &[THE_PROVIDER]);

			let old = Kmses::<Test>::get(TENANT, KMS).expect("the KMS exists").deposit;
			assert_ok!(dispatch(TENANT_ROOT, kms(len)));
			let new = price(kms_bytes(len as u64));
			assert_eq!(Kmses::<Test>::get(TENANT, KMS).map(|info| info.deposit), Some(new));
			assert_eq!(recorded(THE_TENANT), (tenant.0, tenant.1 + new - old));
			assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		});
	}
	// Without the difference the locator stays. A shorter one needs nothing.
	chain.block(|| {
		for who in [PROVIDER_ROOT, TENANT_ROOT] {
			set_free(who, 10);
		}
		assert_noop!(dispatch(PROVIDER_ROOT, node(40)), TokenError::FundsUnavailable);
		assert_noop!(dispatch(TENANT_ROOT, kms(40)), TokenError::FundsUnavailable);
		for len in [39, 1] {
			assert_ok!(dispatch(PROVIDER_ROOT, node(len)));
			assert_ok!(dispatch(TENANT_ROOT, kms(len)));
		}
		for who in [PROVIDER_ROOT, TENANT_ROOT] {
			assert_eq!(funds(who).0, 10 + 29);
		}
	});
}

#[test]
fn the_deposit_for_a_record_follows_its_target() {
	Chain::small_fabric().block(|| {
		let before = recorded(THE_TENANT);
		let more = VERSION * DepositPerByte::get();
		let deposit = || {
			let record = Records::<Test>::get((TENANT, name(COLLECTION), key(RECORD)));
			record.expect("the record exists").deposit
		};
		let of_object = deposit();
		for version in [HEAD, DRAFT] {
			assert_ok!(dispatch(TENANT_ROOT, put_call(RECORD, Some(version))));
			assert_eq!(deposit(), of_object + more);
			assert_eq!(recorded(THE_TENANT), (before.0, before.1 + more));
		}
		assert_ok!(dispatch(TENANT_ROOT, put_call(RECORD, None)));
		assert_eq!(deposit(), of_object);
		assert_eq!(recorded(THE_TENANT), before);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		// Without the difference the record keeps its target.
		set_free(TENANT_ROOT, more);
		let put = || put_call(RECORD, Some(HEAD));
		assert_noop!(dispatch(TENANT_ROOT, put()), TokenError::FundsUnavailable);
		set_free(TENANT_ROOT, more + 1);
		assert_ok!(dispatch(TENANT_ROOT, put()));
	});
}

#[test]
fn several_members_of_one_root_do_not_touch_the_funds_of_each_other() {
	let [provider, second] = NEW_MEMBERS;
	let all = [THE_TENANT, second, provider];
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		for member in NEW_MEMBERS {
			assert_ok!(dispatch(TENANT_ROOT, create(member, MAX_HELD)));
		}
		let root = || signed(TENANT_ROOT);
		assert_ok!(ContentFabric::add_kms(root(), OTHER_TENANT, KMS, locator("x")));
		let locator = locator("x");
		assert_ok!(ContentFabric::create_node(root(), OTHER_PROVIDER, NODE, OPERATOR, locator));
		assert_eq!(on_hold(HoldReason::TenantBond, TENANT_ROOT), 2 * TENANT_BOND);
		assert_holds_are_those_of(TENANT_ROOT, &all);
	});
	let [of_first, of_second, of_provider] = chain.block(|| all.map(recorded));
	chain.block(|| {
		// However much governance asks for, it slashes at most the bond of this member.
		assert_ok!(slash(second, Balance::MAX));
		assert_eq!(all.map(recorded), [of_first, (0, of_second.1), of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &all);
		assert_ok!(dispatch(TENANT_ROOT, Call::top_up_bond { member: second, amount: 700 }));
		assert_eq!(all.map(recorded), [of_first, (700, of_second.1), of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &all);
	});
	let delete = |member, slash| {
		let (created, reason) = (created(member), reason(""));
		dispatch(GOVERNOR, Call::governance_delete { member, created, slash, reason })
	};
	chain.block(|| {
		assert_ok!(delete(second, Balance::MAX));
		assert_eq!([THE_TENANT, provider].map(recorded), [of_first, of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT, provider]);
	});
	chain.idle();
	chain.block(|| {
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT, provider]);
		assert_ok!(delete(provider, 1_000));
		assert_eq!(recorded(THE_TENANT), of_first);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		let (bond, deposit) = of_first;
		let slashed = TENANT_BOND + 700 + 1_000;
		let free = ENDOWMENT - slashed - bond - deposit;
		assert_eq!(funds(TENANT_ROOT), (free, bond + deposit));
	});
	// A member that its root deletes, beside one that stays.
	chain.block(|| {
		assert_ok!(dispatch(TENANT_ROOT, create(second, MAX_HELD)));
	});
	chain.pass(UnbondingPeriod::get());
	chain.block(|| {
		assert_ok!(dispatch(TENANT_ROOT, Call::delete_member { member: second }));
		assert_eq!(recorded(THE_TENANT), of_first);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
	});
}
