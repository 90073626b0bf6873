// SPDX-License-Identifier: Apache-2.0
//! The limit of a member: no more is on hold for it than its root agreed to, whoever signs.

use super::{rows::*, *};

/// A call that holds more for a member of the small fabric: the member, the signer, and the amount
/// at rates of [`BASE`] and [`PER_BYTE`].
type Holding = (MemberId, AccountId, Balance, fn() -> Call<Test>);

const BASE: Balance = 100;
const PER_BYTE: Balance = 1;

/// Returns a call of each kind that holds. They can be made one after the other.
fn holding_calls() -> impl Iterator<Item = Holding> {
	let row = |bytes| BASE + PER_BYTE * bytes;
	let rows = kinds().into_iter().map(move |kind| {
		let Kind { member, bytes, adder, add, .. } = kind;
		(member, adder, row(bytes), add)
	});
	let others: [Holding; 7] = [
		(THE_PROVIDER, PROVIDER_ROOT, 7, || Call::top_up_bond { member: THE_PROVIDER, amount: 7 }),
		(THE_TENANT, TENANT_ROOT, 7, || Call::top_up_bond { member: THE_TENANT, amount: 7 }),
		// Longer locators.
		(THE_PROVIDER, PROVIDER_ROOT, 20 * PER_BYTE, || {
			let locator = locator(&format!("/dns/node{}", "x".repeat(20)));
			Call::set_node_locator { provider: PROVIDER, node: NODE, locator }
		}),
		(THE_TENANT, TENANT_ROOT, 20 * PER_BYTE, || {
			set_kms_call(&format!("https://kms{}", "x".repeat(20)))
		}),
		// A record put again, with a version.
		(THE_TENANT, TENANT_ROOT, VERSION * PER_BYTE, || put_call(RECORD, Some(HEAD))),
		// Two records, one with a minted key.
		(THE_TENANT, TENANT_ROOT, 2 * row(record_bytes(10, TID, 1)), || {
			let given = Some(key("3jzfcijpj2z2a"));
			let records = bounded([(None, whole_object()), (given, whole_object())]);
			let (tenant, collection) = (TENANT, name(EMPTY_COLLECTION));
			Call::put_records { tenant, collection, records }
		}),
		// A commit that creates an object.
		(THE_TENANT, PROVIDER_ROOT, row(OBJECT_BYTES) + row(version_bytes(1)), || {
			commit_call(TENANT_ROOT, creating(&[draft(ContentObjectId([8; 10]), NEW)]))
		}),
	];
	rows.chain(others)
}

fn set_max_held(member: MemberId, amount: Balance) -> DispatchResult {
	dispatch(root_of(member), Call::set_max_held { member, amount })
}

#[test]
fn a_creation_that_holds_nothing_needs_no_limit() {
	Chain::small_fabric().block(|| {
		set_bonds(0, 0);
		DepositBase::set(0);
		DepositPerByte::set(0);
		for member in NEW_MEMBERS {
			make(PAUPER, create(member, 0));
			assert_eq!((held(member), funds(PAUPER)), (0, (0, 0)));
		}
		DepositBase::reset();
		DepositPerByte::reset();
	});
}

#[test]
fn a_governor_who_raises_the_bond_in_front_of_a_creation_gets_nothing() {
	for member in NEW_MEMBERS {
		let mut chain = Chain::small_fabric();
		// The account has seen the rules, and signs for what they require.
		let agreed = chain.block(|| usual_bond(member) + own_deposit(member));
		chain.block(|| {
			for bond in [usual_bond(member) + 1, ENDOWMENT / 2, Balance::MAX] {
				set_bonds(bond, bond);
				let create = create(member, agreed);
				assert_refused(STRANGER, create, Error::<Test>::HeldLimitExceeded);
			}
			assert_eq!(ContentFabric::rows(member), None);
			assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		});
		// Nor by raising it afterwards: whatever is slashed was agreed to.
		chain.block(|| {
			set_bonds(PROVIDER_BOND, TENANT_BOND);
			make(STRANGER, create(member, agreed));
			set_bonds(Balance::MAX, Balance::MAX);
			assert_ok!(slash(member, Balance::MAX));
			assert_eq!(funds(STRANGER), (ENDOWMENT - agreed, own_deposit(member)));
		});
	}
}

#[test]
fn no_call_holds_more_than_the_limit() {
	Chain::small_fabric().block(|| {
		assert_eq!((DepositBase::get(), DepositPerByte::get()), (BASE, PER_BYTE));
		for (member, who, amount, call) in holding_calls() {
			let (root, before) = (root_of(member), held(member));
			assert_ok!(set_max_held(member, before + amount - 1));
			assert_refused(who, call(), Error::<Test>::HeldLimitExceeded);
			assert_ok!(set_max_held(member, before + amount));
			// Nor than the root has, beside the minimum balance of its account.
			set_free(root, amount);
			assert_refused(who, call(), TokenError::FundsUnavailable);
			set_free(root, amount + 1);
			make(who, call());
			assert_eq!((held(member), funds(root).0), (before + amount, 1), "{:?}", call());
			assert_holds_are_those_of(root, &[member]);
		}
	});
}

#[test]
fn the_limits_of_members_of_one_root_are_separate() {
	Chain::small_fabric().block(|| {
		let [_, other] = NEW_MEMBERS;
		make(TENANT_ROOT, create(other, held(THE_TENANT)));
		assert_ok!(set_max_held(THE_TENANT, held(THE_TENANT)));
		let object = OTHER_OBJECT;
		let add = |tenant| dispatch(TENANT_ROOT, Call::create_content_object { tenant, object });
		assert_noop!(add(TENANT), Error::<Test>::HeldLimitExceeded);
		assert_ok!(add(OTHER_TENANT));
	});
}

#[test]
fn the_limit_is_not_set_below_what_is_on_hold() {
	Chain::small_fabric().block(|| {
		for member in THE_MEMBERS {
			let root = root_of(member);
			for amount in [0, held(member) - 1] {
				assert_noop!(set_max_held(member, amount), Error::<Test>::HeldLimitExceeded);
			}
			for max_held in [held(member), Balance::MAX, held(member)] {
				assert_ok!(set_max_held(member, max_held));
				assert_eq!(events().last(), Some(&Event::MaxHeldSet { member, max_held }));
				let limit = ContentFabric::bond(member).map(|info| info.max_held);
				assert_eq!(limit, Some(max_held));
			}
			// A slash or a release makes room, and the limit stays.
			let limit = held(member);
			assert_ok!(slash(member, 10));
			let top_up = |amount| dispatch(root, Call::top_up_bond { member, amount });
			assert_noop!(top_up(11), Error::<Test>::HeldLimitExceeded);
			assert_ok!(top_up(10));
			assert_eq!(held(member), limit);
		}
	});
}

#[test]
fn a_top_up_that_would_overflow_exceeds_every_limit() {
	Chain::small_fabric().block(|| {
		let member = THE_TENANT;
		assert_ok!(set_max_held(member, Balance::MAX));
		let amount = Balance::MAX - TENANT_BOND;
		let top_up = Call::top_up_bond { member, amount };
		assert_refused(TENANT_ROOT, top_up, Error::<Test>::HeldLimitExceeded);
	});
}

#[test]
fn a_new_root_has_the_limit_that_it_accepted() {
	for member in THE_MEMBERS {
		Chain::small_fabric().block(|| {
			assert_ok!(nominate(root_of(member), member, Some(STRANGER)));
			let held = held(member);
			let accept = |max_held| dispatch(STRANGER, Call::accept_root { member, max_held });
			// The limit of the former root, which is larger, does not matter.
			for limit in [0, held - 1] {
				assert_noop!(accept(limit), Error::<Test>::HeldLimitExceeded);
			}
			assert_ok!(accept(held));
			let info = ContentFabric::bond(member).expect("the member exists");
			assert_eq!((info.root, info.max_held), (STRANGER, held));
			assert_eq!(funds(STRANGER), (ENDOWMENT - held, held));
		});
	}
}

#[test]
fn a_new_root_needs_no_room_for_its_own_access_key() {
	Chain::fabric_with_keys().block(|| {
		for (member, who) in [(THE_PROVIDER, PROVIDER_ADMIN), (THE_TENANT, TENANT_ADMIN)] {
			assert_ok!(nominate(root_of(member), member, Some(who)));
			let needed = held(member) - price(KEY_BYTES);
			let accept = |max_held| dispatch(who, Call::accept_root { member, max_held });
			assert_noop!(accept(needed - 1), Error::<Test>::HeldLimitExceeded);
			assert_ok!(accept(needed));
			assert_eq!(held(member), needed);
			assert_holds_are_those_of(who, &[member]);
		}
	});
}

#[test]
fn an_old_admin_key_cannot_lock_the_balance_of_a_new_root() {
	let mut chain = Chain::fabric_with_keys();
	let limit = chain.block(|| {
		assert_ok!(nominate(TENANT_ROOT, THE_TENANT, Some(STRANGER)));
		let max_held = held(THE_TENANT) + 1_000;
		make(STRANGER, Call::accept_root { member: THE_TENANT, max_held });
		max_held
	});
	chain.block(|| {
		// The access keys that the former root gave still count.
		let level = ContentFabric::tenant_level(TENANT, TENANT_ADMIN);
		assert_eq!(level, Some(TenantLevel::Admin));
		let add = |number: u8| add_kms_call(TENANT, KmsId([number; 10]), "x");
		let refused = (0..=u8::MAX).find_map(|number| dispatch(TENANT_ADMIN, add(number)).err());
		assert_eq!(refused, Some(Error::<Test>::HeldLimitExceeded.into()));
		// Nor do accounts of lower levels, or commits that they sign, find more room.
		let create = Call::create_content_object { tenant: TENANT, object: OTHER_OBJECT };
		assert_refused(EDITOR, create, Error::<Test>::HeldLimitExceeded);
		let commit = commit_call(KMS_ACCOUNT, commit_of(&[draft(OBJECT, NEW)]));
		assert_refused(PROVIDER_ROOT, commit, Error::<Test>::HeldLimitExceeded);

		let (free, on_hold) = funds(STRANGER);
		assert!(on_hold <= limit && limit - on_hold < price(kms_bytes(1)));
		assert_eq!(free, ENDOWMENT - on_hold);
		// The root can stop it, and gets back what the rows have cost.
		let take = Call::set_tenant_key { id: TENANT, account: TENANT_ADMIN, level: None };
		make(STRANGER, take);
		make(STRANGER, Call::remove_kms { tenant: TENANT, kms: KmsId([0; 10]) });
		assert_eq!(funds(STRANGER).0, free + price(KEY_BYTES) + price(kms_bytes(1)));
	});
}
