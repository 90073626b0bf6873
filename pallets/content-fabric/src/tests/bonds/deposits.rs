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
				for Kind { member, bytes, adder, add, remove } in kinds() {
					let (root, what) = (root_of(member), add());
					let before = (recorded(member), funds(root));
					let ((bond, deposits), (free, held)) = before;
					let deposit = base + per_byte * bytes;
					make(adder, what.clone());
					assert_eq!(recorded(member), (bond, deposits + deposit), "{what:?}");
					assert_eq!(funds(root), (free - deposit, held + deposit), "{what:?}");
					assert_eq!(on_hold(HoldReason::StorageDeposit, root), deposits + deposit);
					make(root, remove());
					assert_eq!((recorded(member), funds(root)), before, "{what:?}");
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
		let node = |node| Nodes::<Test>::get(PROVIDER, node).expect("exists").deposit;
		let object = |id| ContentObjects::<Test>::get(TENANT, id).expect("exists").deposit;
		let version = |id| Versions::<Test>::get((TENANT, OBJECT, id)).expect("exists").deposit;
		let kms = Kmses::<Test>::get(TENANT, KMS).expect("exists").deposit;
		let provider_key = ProviderKeys::<Test>::get(PROVIDER, PROVIDER_ADMIN).expect("exists");
		let tenant_key = TenantKeys::<Test>::get(TENANT, EDITOR).expect("exists");
		let [admin, editor] = [PROVIDER_ADMIN, EDITOR].map(AccountId::to_le_bytes);
		for (deposit, map, keys) in [
			(node(NODE), "Nodes", &[&PROVIDER.0[..], &NODE.0][..]),
			(object(OBJECT), "ContentObjects", &[&TENANT.0, &OBJECT.0]),
			(version(NEW), "Versions", &[&TENANT.0, &OBJECT.0, &NEW.0]),
			(kms, "Kmses", &[&TENANT.0, &KMS.0]),
			(provider_key.deposit, "ProviderKeys", &[&PROVIDER.0, &admin]),
			(tenant_key.deposit, "TenantKeys", &[&TENANT.0, &editor]),
		] {
			assert_eq!(deposit, in_state(map, keys), "{map}");
		}
		// Rows that have yet to grow have the deposit for that, too.
		assert_eq!(node(PENDING_NODE), node(NODE));
		assert_eq!(object(EMPTY_OBJECT), object(OBJECT));
		assert_eq!(version(DRAFT), version(NEW));
		assert!(in_state("Versions", &[&TENANT.0, &OBJECT.0, &DRAFT.0]) < version(DRAFT));
	});
}

#[test]
fn the_row_of_a_member_does_not_outgrow_its_deposit() {
	Chain::small_fabric().block(|| {
		for member in NEW_MEMBERS {
			make(STRANGER, create(member, MAX_HELD));
			// Empty, and with the longest nomination. A purge would take one more byte, but only a
			// member with rows is purged.
			assert_ok!(nominate(GOVERNOR, member, Some(EDITOR)));
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
		let object = OTHER_OBJECT;
		let versions = [draft(object, NEW), draft(object, HEAD), draft(OBJECT, NEW)];
		assert_ok!(submit(creating(&versions)));
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
		let (provider, tenant, object) = (PROVIDER, TENANT, OBJECT);
		assert_ok!(set_provider_key(PROVIDER_ADMIN, None));
		for node in [NODE, PENDING_NODE] {
			make(PROVIDER_ROOT, Call::remove_node { provider, node });
		}
		make(TENANT_ROOT, Call::set_head_version { tenant, object, version: None });
		make(TENANT_ROOT, delete_record_call(RECORD));
		for text in [COLLECTION, EMPTY_COLLECTION] {
			make(TENANT_ROOT, Call::delete_collection { tenant, name: name(text) });
		}
		make(TENANT_ROOT, Call::remove_kms { tenant, kms: KMS });
		for version in [HEAD, DRAFT, FINALIZED] {
			assert_ok!(delete_version(object, version));
		}
		for object in [OBJECT, EMPTY_OBJECT] {
			assert_ok!(delete_object(object));
		}
		for account in [TENANT_ADMIN, KMS_ACCOUNT, EDITOR] {
			assert_ok!(set_tenant_key(account, None));
		}
		for member in THE_MEMBERS {
			assert_eq!(recorded(member), (usual_bond(member), own_deposit(member)));
			assert_holds_are_those_of(root_of(member), &[member]);
		}
	});
	chain.pass(UnbondingPeriod::get());
	chain.block(|| {
		for member in THE_MEMBERS {
			make(root_of(member), Call::delete_member { member });
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
			assert_refused(adder, add(), TokenError::FundsUnavailable);
		}
		// Nobody pays for the root.
		set_free(TENANT_ROOT, 10_000);
		assert_ok!(set_tenant_key(EDITOR, Some(TenantLevel::Content)));
		set_free(TENANT_ROOT, DepositBase::get());
		let create = || Call::create_content_object { tenant: TENANT, object: OTHER_OBJECT };
		assert_refused(EDITOR, create(), TokenError::FundsUnavailable);
		set_free(TENANT_ROOT, 10_000);
		make(EDITOR, create());
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
				make(adder, add());
			}
			with_rates(base, per_byte, || {
				for Kind { member, remove, .. } in kinds() {
					make(root_of(member), remove());
				}
				assert_eq!(state(), before);
			});
		});
	}
	// A purge by the root and a deletion by governance settle what was recorded, too.
	chain.block(|| {
		with_rates(50_000, 40, || {
			assert_ok!(purge_member(THE_PROVIDER));
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
			let (locator, at_kms) = (locator("/dns/node"), locator("https://kms"));
			make(PROVIDER_ROOT, Call::set_node_locator { provider, node: NODE, locator });
			make(TENANT_ROOT, Call::set_kms_locator { tenant, kms: KMS, locator: at_kms });
			make(TENANT_ROOT, put_call(RECORD, None));
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
			let (node, level) = (NODE, Some(TenantLevel::Kms));
			for (who, call) in [
				(PROVIDER_ROOT, Call::<Test>::confirm_node { provider, node: PENDING_NODE }),
				(PROVIDER_ROOT, Call::set_node_operator { provider, node, operator: STRANGER }),
				(PROVIDER_ROOT, finalize_call(NODE, &[DRAFT])),
				(TENANT_ROOT, Call::set_head_version { tenant, object, version: Some(DRAFT) }),
				(TENANT_ROOT, Call::set_tenant_key { id: tenant, account: EDITOR, level }),
				(TENANT_ROOT, Call::set_max_held { member: THE_TENANT, amount: Balance::MAX }),
				(TENANT_ROOT, Call::top_up_bond { member: THE_TENANT, amount: 0 }),
			] {
				make(who, call);
			}
			assert_eq!(THE_MEMBERS.map(recorded), before);
		});
	});
}

#[test]
fn deposits_follow_the_length_of_locators() {
	let set = |member, len: usize| {
		let locator = locator(&"x".repeat(len));
		match member {
			MemberId::Provider(provider) => {
				Call::set_node_locator { provider, node: NODE, locator }
			},
			MemberId::Tenant(tenant) => Call::set_kms_locator { tenant, kms: KMS, locator },
		}
	};
	let deposit = |member| match member {
		MemberId::Provider(id) => Nodes::<Test>::get(id, NODE).expect("it exists").deposit,
		MemberId::Tenant(id) => Kmses::<Test>::get(id, KMS).expect("it exists").deposit,
	};
	let bytes: [fn(u64) -> u64; 2] = [node_bytes, kms_bytes];
	for (member, bytes) in THE_MEMBERS.into_iter().zip(bytes) {
		let root = root_of(member);
		Chain::small_fabric().block(|| {
			for len in [1, 64, 63, 2, 30] {
				let (old, (bond, sum)) = (deposit(member), recorded(member));
				make(root, set(member, len));
				let new = price(bytes(len as u64));
				assert_eq!((deposit(member), recorded(member)), (new, (bond, sum + new - old)));
				assert_holds_are_those_of(root, &[member]);
			}
			// Without the difference the locator stays. A shorter one needs nothing.
			set_free(root, 10);
			assert_refused(root, set(member, 40), TokenError::FundsUnavailable);
			for len in [39, 1] {
				make(root, set(member, len));
			}
			assert_eq!(funds(root).0, 10 + 29);
		});
	}
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
			make(TENANT_ROOT, put_call(RECORD, Some(version)));
			assert_eq!(deposit(), of_object + more);
			assert_eq!(recorded(THE_TENANT), (before.0, before.1 + more));
		}
		make(TENANT_ROOT, put_call(RECORD, None));
		assert_eq!(deposit(), of_object);
		assert_eq!(recorded(THE_TENANT), before);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		// Without the difference the record keeps its target.
		set_free(TENANT_ROOT, more);
		let put = || put_call(RECORD, Some(HEAD));
		assert_refused(TENANT_ROOT, put(), TokenError::FundsUnavailable);
		set_free(TENANT_ROOT, more + 1);
		make(TENANT_ROOT, put());
	});
}

#[test]
fn several_members_of_one_root_do_not_touch_the_funds_of_each_other() {
	let [provider, second] = NEW_MEMBERS;
	let all = [THE_TENANT, second, provider];
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		for member in NEW_MEMBERS {
			make(TENANT_ROOT, create(member, MAX_HELD));
		}
		assert_ok!(add_kms(OTHER_TENANT, KMS));
		let (provider, node, operator, locator) = (OTHER_PROVIDER, NODE, OPERATOR, locator("x"));
		make(TENANT_ROOT, Call::create_node { provider, node, operator, locator });
		assert_eq!(on_hold(HoldReason::TenantBond, TENANT_ROOT), 2 * TENANT_BOND);
		assert_holds_are_those_of(TENANT_ROOT, &all);
	});
	let [of_first, of_second, of_provider] = chain.block(|| all.map(recorded));
	chain.block(|| {
		// However much governance asks for, it slashes at most the bond of this member.
		assert_ok!(slash(second, Balance::MAX));
		assert_eq!(all.map(recorded), [of_first, (0, of_second.1), of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &all);
		make(TENANT_ROOT, Call::top_up_bond { member: second, amount: 700 });
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
		make(TENANT_ROOT, create(second, MAX_HELD));
	});
	chain.pass(UnbondingPeriod::get());
	chain.block(|| {
		make(TENANT_ROOT, Call::delete_member { member: second });
		assert_eq!(recorded(THE_TENANT), of_first);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
	});
}
