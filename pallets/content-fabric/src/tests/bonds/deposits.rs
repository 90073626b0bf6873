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
		let deposit = price(OBJECT_BYTES) + 3 * price(version_bytes(1));
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
			let provider = PROVIDER;
			let locator = locator("/dns/node");
			make(PROVIDER_ROOT, Call::set_node_locator { provider, node: NODE, locator });
			make(TENANT_ROOT, set_kms_call("https://kms"));
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
	chain.block(|| {
		assert_ok!(slash_and_delete(second, Balance::MAX));
		assert_eq!([THE_TENANT, provider].map(recorded), [of_first, of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT, provider]);
	});
	chain.idle();
	chain.block(|| {
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT, provider]);
		assert_ok!(slash_and_delete(provider, 1_000));
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
