//! The deposits of rows.

use super::{rows::*, *};

#[test]
fn every_row_has_a_deposit_that_it_gives_back_in_full() {
	Chain::small_fabric().block(|| {
		for (base, per_byte) in [(100, 1), (0, 3), (7, 0), (0, 0)] {
			DepositBase::set(base);
			DepositPerByte::set(per_byte);
			for Kind { what, subject, bytes, adder, add, remove } in kinds() {
				let root = root_of(subject);
				let before = (recorded(subject), funds(root));
				let ((bond, deposits), (free, held)) = before;
				let deposit = base + per_byte * bytes;
				assert_ok!(dispatch(adder, add()));
				assert_eq!(recorded(subject), (bond, deposits + deposit), "{what}");
				assert_eq!(funds(root), (free - deposit, held + deposit), "{what}");
				assert_eq!(on_hold(HoldReason::StorageDeposit, root), deposits + deposit, "{what}");
				assert_ok!(dispatch(root, remove()));
				assert_eq!((recorded(subject), funds(root)), before, "{what}");
			}
		}
		DepositBase::reset();
		DepositPerByte::reset();
	});
}

#[test]
fn a_deposit_is_for_the_bytes_that_a_row_has_in_state_at_its_largest() {
	let price = |map, keys: &[&[u8]]| {
		let key = raw_key(map, keys);
		let value = sp_io::storage::get(&key).expect("the row exists");
		DepositBase::get() + DepositPerByte::get() * (key.len() + value.len()) as Balance
	};
	Chain::small_fabric().block(|| {
		// The node has committed, the object has a head, the version is as large as one can be.
		let message = VersionCommitMessage { size: u64::MAX, ..message(NEW_VERSION) };
		assert_ok!(commit(message));
		let provider = signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::finalize_version(provider, TENANT, OBJECT, NEW_VERSION));
		let deposit = Nodes::<Test>::get(PROVIDER, NODE).map(|info| info.deposit);
		assert_eq!(deposit, Some(price("Nodes", &[&PROVIDER.0, &NODE.0])));
		let deposit = Kmses::<Test>::get(TENANT, KMS).map(|info| info.deposit);
		assert_eq!(deposit, Some(price("Kmses", &[&TENANT.0, &KMS.0])));
		let deposit = ContentObjects::<Test>::get(TENANT, OBJECT).map(|info| info.deposit);
		assert_eq!(deposit, Some(price("ContentObjects", &[&TENANT.0, &OBJECT.0])));
		let deposit =
			|version| Versions::<Test>::get((TENANT, OBJECT, version)).map(|info| info.deposit);
		let full = price("Versions", &[&TENANT.0, &OBJECT.0, &NEW_VERSION.0]);
		assert_eq!(deposit(NEW_VERSION), Some(full));
		// Rows that have yet to grow have paid for that.
		assert_eq!(deposit(DRAFT), Some(full));
		assert!(price("Versions", &[&TENANT.0, &OBJECT.0, &DRAFT.0]) < full);
		let deposit = |object| ContentObjects::<Test>::get(TENANT, object).map(|info| info.deposit);
		assert_eq!(deposit(EMPTY_OBJECT), deposit(OBJECT));
		let deposit = |node| Nodes::<Test>::get(PROVIDER, node).map(|info| info.deposit);
		assert_eq!(deposit(PENDING_NODE), deposit(NODE));
	});
}

#[test]
fn nothing_is_held_when_all_is_removed() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		let provider = PROVIDER;
		for account in [PROVIDER_ADMIN, OPERATOR] {
			let call = Call::set_provider_key { provider, account, level: None };
			assert_ok!(dispatch(PROVIDER_ROOT, call));
		}
		for node in [NODE, PENDING_NODE] {
			assert_ok!(dispatch(PROVIDER_ROOT, Call::remove_node { provider, node }));
		}
		assert_eq!(recorded(THE_PROVIDER), (PROVIDER_BOND, 0));
		assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT - PROVIDER_BOND, PROVIDER_BOND));
		assert_ok!(dispatch(PROVIDER_ROOT, Call::delete_provider { provider }));
	});
	chain.block(|| {
		let (tenant, object, collection) = (TENANT, OBJECT, name(COLLECTION));
		let mut calls = vec![
			Call::<Test>::set_head_version { tenant, object, version: None },
			Call::delete_record { tenant, collection, key: key(RECORD) },
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
			calls.push(Call::set_tenant_key { tenant, account, level: None });
		}
		for call in calls {
			assert_ok!(dispatch(TENANT_ROOT, call));
		}
		assert_eq!(recorded(THE_TENANT), (TENANT_BOND, 0));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT - TENANT_BOND, TENANT_BOND));
		assert_ok!(dispatch(TENANT_ROOT, Call::delete_tenant { tenant }));
	});
	chain.block(|| {
		for account in ACCOUNTS {
			assert_eq!(funds(account), (ENDOWMENT, 0), "account {account}");
		}
	});
}

#[test]
fn a_node_with_a_new_operator_has_two_deposits() {
	Chain::small_fabric().block(|| {
		let (bond, before) = recorded(THE_PROVIDER);
		let node = NodeId([7; 10]);
		let create = || Call::<Test>::create_node {
			provider: PROVIDER,
			node,
			operator: STRANGER,
			locator: locator("/dns/a"),
		};
		let kinds = kinds();
		let (of_key, of_node) = (&kinds[0], &kinds[1]);
		let price = |bytes| DepositBase::get() + DepositPerByte::get() * bytes;
		// Enough for the node alone does not do.
		set_free(PROVIDER_ROOT, price(of_node.bytes) + 1);
		assert_noop!(dispatch(PROVIDER_ROOT, create()), TokenError::FundsUnavailable);
		set_free(PROVIDER_ROOT, price(of_node.bytes) + price(of_key.bytes) + 1);
		assert_ok!(dispatch(PROVIDER_ROOT, create()));
		assert_eq!(funds(PROVIDER_ROOT).0, 1);
		// The operator keeps its key, and the key its deposit.
		assert_ok!(dispatch(PROVIDER_ROOT, Call::remove_node { provider: PROVIDER, node }));
		assert_eq!(recorded(THE_PROVIDER), (bond, before + price(of_key.bytes)));
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
		// Others do not pay for the depositor.
		let (tenant, account) = (TENANT, EDITOR);
		set_free(TENANT_ROOT, 10_000);
		let level = Some(TenantLevel::Content);
		assert_ok!(dispatch(TENANT_ROOT, Call::set_tenant_key { tenant, account, level }));
		set_free(TENANT_ROOT, DepositBase::get());
		let object = ContentObjectId([7; 10]);
		let create = || Call::<Test>::create_content_object { tenant, object };
		assert_noop!(dispatch(EDITOR, create()), TokenError::FundsUnavailable);
		set_free(TENANT_ROOT, 10_000);
		assert_ok!(dispatch(EDITOR, create()));
		assert_eq!(funds(EDITOR), (ENDOWMENT, 0));
	});
}

#[test]
fn what_was_paid_is_given_back_whatever_the_price_is_by_then() {
	let mut chain = Chain::small_fabric();
	for (base, per_byte) in [(50_000, 40), (0, 0)] {
		chain.block(|| {
			let state = || {
				[THE_PROVIDER, THE_TENANT]
					.map(|subject| (recorded(subject), funds(root_of(subject))))
			};
			let before = state();
			for Kind { adder, add, .. } in kinds() {
				assert_ok!(dispatch(adder, add()));
			}
			DepositBase::set(base);
			DepositPerByte::set(per_byte);
			for Kind { subject, remove, .. } in kinds() {
				assert_ok!(dispatch(root_of(subject), remove()));
			}
			assert_eq!(state(), before);
			DepositBase::reset();
			DepositPerByte::reset();
		});
	}
	// A deletion of all at once gives back what was paid as well.
	chain.block(|| {
		DepositBase::set(50_000);
		let governor = || signed(GOVERNOR);
		assert_ok!(ContentFabric::governance_delete_tenant(governor(), TENANT, 0, 100));
		assert_ok!(ContentFabric::governance_delete_provider(governor(), PROVIDER, 0, 100));
		for who in [PROVIDER_ROOT, TENANT_ROOT] {
			assert_eq!(funds(who), (ENDOWMENT, 0));
		}
		DepositBase::reset();
	});
}

#[test]
fn a_row_that_is_written_anew_has_the_price_of_the_day() {
	Chain::small_fabric().block(|| {
		let (bond, before) = recorded(THE_TENANT);
		let old = Kmses::<Test>::get(TENANT, KMS).expect("exists").deposit;
		DepositBase::set(1_000);
		let set = || Call::<Test>::set_kms_locator {
			tenant: TENANT,
			kms: KMS,
			locator: locator("https://kms"),
		};
		assert_ok!(dispatch(TENANT_ROOT, set()));
		assert_eq!(Kmses::<Test>::get(TENANT, KMS).map(|kms| kms.deposit), Some(old + 900));
		assert_eq!(recorded(THE_TENANT), (bond, before + 900));
		DepositBase::reset();
		assert_ok!(dispatch(TENANT_ROOT, set()));
		assert_eq!(recorded(THE_TENANT), (bond, before));
	});
}

#[test]
fn deposits_follow_the_length_of_locators() {
	let mut chain = Chain::small_fabric();
	for len in [1, 64, 63, 2, 30] {
		chain.block(|| {
			let locator = || locator(&"x".repeat(len as usize));
			let price = |bytes| DepositBase::get() + DepositPerByte::get() * bytes;
			let rest = MAP + 2 * ID_KEY + BALANCE;

			// One node has committed, the other has not.
			for node in [NODE, PENDING_NODE] {
				let (bond, before) = recorded(THE_PROVIDER);
				let old = Nodes::<Test>::get(PROVIDER, node).expect("exists").deposit;
				let call = Call::set_node_locator { provider: PROVIDER, node, locator: locator() };
				assert_ok!(dispatch(PROVIDER_ROOT, call));
				let new = price(rest + 1 + text(len) + MEDALLION + 1 + MUID);
				assert_eq!(Nodes::<Test>::get(PROVIDER, node).map(|node| node.deposit), Some(new));
				assert_eq!(recorded(THE_PROVIDER), (bond, before + new - old));
			}
			assert_holds_are_those_of(PROVIDER_ROOT, &[THE_PROVIDER]);

			let (bond, before) = recorded(THE_TENANT);
			let old = Kmses::<Test>::get(TENANT, KMS).expect("exists").deposit;
			let call = Call::set_kms_locator { tenant: TENANT, kms: KMS, locator: locator() };
			assert_ok!(dispatch(TENANT_ROOT, call));
			let new = price(rest + text(len));
			assert_eq!(Kmses::<Test>::get(TENANT, KMS).map(|kms| kms.deposit), Some(new));
			assert_eq!(recorded(THE_TENANT), (bond, before + new - old));
			assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		});
	}
	// Without the difference the locator stays; a shorter one needs nothing.
	chain.block(|| {
		for who in [PROVIDER_ROOT, TENANT_ROOT] {
			set_free(who, 10);
		}
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
		assert_noop!(dispatch(PROVIDER_ROOT, node(40)), TokenError::FundsUnavailable);
		assert_noop!(dispatch(TENANT_ROOT, kms(40)), TokenError::FundsUnavailable);
		assert_ok!(dispatch(PROVIDER_ROOT, node(39)));
		assert_ok!(dispatch(TENANT_ROOT, kms(39)));
		assert_ok!(dispatch(PROVIDER_ROOT, node(1)));
		assert_ok!(dispatch(TENANT_ROOT, kms(1)));
		for who in [PROVIDER_ROOT, TENANT_ROOT] {
			assert_eq!(funds(who).0, 10 + 29);
		}
	});
}

#[test]
fn the_deposit_for_a_record_follows_its_target() {
	Chain::small_fabric().block(|| {
		let (bond, before) = recorded(THE_TENANT);
		let put = |version| {
			let target = ContentRef { object: OBJECT, version };
			let (collection, key) = (name(COLLECTION), Some(key(RECORD)));
			dispatch(TENANT_ROOT, Call::put_record { tenant: TENANT, collection, key, target })
		};
		let deposit = || {
			Records::<Test>::get((TENANT, name(COLLECTION), key(RECORD)))
				.expect("the record exists")
				.deposit
		};
		let of_object = deposit();
		assert_ok!(put(Some(HEAD)));
		assert_eq!(deposit(), of_object + 32 * DepositPerByte::get());
		assert_eq!(recorded(THE_TENANT), (bond, before + 32 * DepositPerByte::get()));
		assert_ok!(put(Some(DRAFT)));
		assert_eq!(deposit(), of_object + 32 * DepositPerByte::get());
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		assert_ok!(put(None));
		assert_eq!(deposit(), of_object);
		assert_eq!(recorded(THE_TENANT), (bond, before));
		// Without the difference the record stays where it points.
		set_free(TENANT_ROOT, 32 * DepositPerByte::get());
		assert_noop!(put(Some(HEAD)), TokenError::FundsUnavailable);
		assert_ok!(put(None));
	});
}

#[test]
fn members_of_one_depositor_keep_to_what_is_theirs() {
	let (second, provider) = (Subject::Tenant(OTHER_TENANT), Subject::Provider(OTHER_PROVIDER));
	let all = [THE_TENANT, second, provider];
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let root = || signed(TENANT_ROOT);
		assert_ok!(ContentFabric::create_tenant(root(), SPACE, OTHER_TENANT));
		assert_ok!(ContentFabric::add_kms(root(), OTHER_TENANT, KMS, locator("x")));
		assert_ok!(ContentFabric::create_provider(root(), SPACE, OTHER_PROVIDER));
		let (operator, locator) = (TENANT_ROOT, locator("x"));
		assert_ok!(ContentFabric::create_node(root(), OTHER_PROVIDER, NODE, operator, locator));
		assert_eq!(on_hold(HoldReason::TenantBond, TENANT_ROOT), 2 * TENANT_BOND);
		assert_holds_are_those_of(TENANT_ROOT, &all);
	});
	let [of_first, of_second, of_provider] = chain.block(|| all.map(recorded));
	chain.block(|| {
		// Whatever is asked for, no more is slashed than the bond of this one.
		assert_ok!(ContentFabric::slash_tenant(signed(GOVERNOR), OTHER_TENANT, Balance::MAX));
		assert_eq!(all.map(recorded), [of_first, (0, of_second.1), of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &all);
		assert_ok!(ContentFabric::top_up_tenant_bond(signed(TENANT_ROOT), OTHER_TENANT, 700));
		assert_eq!(all.map(recorded), [of_first, (700, of_second.1), of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &all);
	});
	chain.block(|| {
		let (slash, max_rows) = (Balance::MAX, 0);
		assert_ok!(ContentFabric::governance_delete_tenant(
			signed(GOVERNOR),
			OTHER_TENANT,
			slash,
			max_rows
		));
		assert_eq!(all.map(recorded), [of_first, (0, 0), of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &all);
	});
	chain.block(|| {
		assert_ok!(ContentFabric::reap(signed(STRANGER), second, 100));
		assert_eq!([THE_TENANT, provider].map(recorded), [of_first, of_provider]);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT, provider]);
		let slash = 1_000;
		assert_ok!(ContentFabric::governance_delete_provider(
			signed(GOVERNOR),
			OTHER_PROVIDER,
			slash,
			100
		));
		assert_eq!(recorded(THE_TENANT), of_first);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		let (bond, deposit) = of_first;
		let slashed = TENANT_BOND + 700 + slash;
		let free = ENDOWMENT - slashed - bond - deposit;
		assert_eq!(funds(TENANT_ROOT), (free, bond + deposit));
	});
	// One that goes by the hand of its root, with another that stays.
	chain.block(|| {
		let root = || signed(TENANT_ROOT);
		assert_ok!(ContentFabric::create_tenant(root(), SPACE, OTHER_TENANT));
		assert_ok!(ContentFabric::delete_tenant(root(), OTHER_TENANT));
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		assert_eq!(recorded(THE_TENANT), of_first);
	});
}
