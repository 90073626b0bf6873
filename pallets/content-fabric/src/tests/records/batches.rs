// SPDX-License-Identifier: Apache-2.0
//! Lists of records that are put or deleted with one call.

use codec::Encode;
use frame_support::assert_noop;
use sp_runtime::DispatchError;

use super::*;
use crate::{
	identifiers::{RecordKeySyntax::Unreserved, RecordKeyType},
	tests::bonds::held,
	Error, HoldReason, SpaceRules,
};

type BalancesEvent = pallet_balances::Event<Test>;

/// Returns the deposit for a record of [`COLLECTION`] at the current rates.
fn price(text: &str) -> Balance {
	let storage_key = Records::<Test>::hashed_key_for((TENANT, name(COLLECTION), key(text)));
	let value = record(COLLECTION, text).expect("the record exists").encoded_size();
	DepositBase::get() + DepositPerByte::get() * (storage_key.len() + value) as Balance
}

/// Returns the deposit that a record of [`COLLECTION`] has recorded.
fn deposit(text: &str) -> Balance {
	record(COLLECTION, text).expect("the record exists").deposit
}

/// Returns the holds and releases of this block.
fn holds_and_releases() -> Vec<BalancesEvent> {
	let mut events = System::read_events_for_pallet::<BalancesEvent>();
	events.retain(|it| matches!(it, BalancesEvent::Held { .. } | BalancesEvent::Released { .. }));
	events
}

fn set_max_held(max_held: Balance) {
	make(TENANT_ROOT, Call::set_max_held { member: THE_TENANT, amount: max_held });
}

#[test]
fn records_are_put_in_the_order_of_the_list() {
	Chain::small_fabric().block(|| {
		let list = [
			("z", whole_object()),
			("a", one_version(DRAFT)),
			(RECORD, one_version(HEAD)),
			("m", ContentRef { object: EMPTY_OBJECT, version: None }),
		];
		assert_ok!(put(&list));
		assert_eq!(events(), list.map(|(text, target)| was_put(COLLECTION, text, target)));
		for ((text, target), place) in list.into_iter().zip(1..) {
			let info = record(COLLECTION, text).expect("was put");
			assert_eq!((info.target, info.updated), (target, muid(1).with_offset(place)));
			// Only one of them existed before.
			assert_eq!(info.created == info.updated, text != RECORD);
		}
		assert_eq!(record_count(COLLECTION), Some(4));
		assert_eq!(rows(), TENANT_ROWS + 3);
		// The next call begins a timestamp of its own.
		assert_ok!(put(&[("n", whole_object())]));
		assert_eq!(record(COLLECTION, "n").map(|info| info.updated), Some(muid(2)));
	});
}

#[test]
fn records_are_deleted_in_the_order_of_the_list() {
	let mut chain = Chain::small_fabric();
	chain.block(|| assert_eq!(put_keys(COLLECTION, &["a", "b", "c"]), Ok(())));
	chain.block(|| {
		let list = ["c", RECORD, "a"];
		assert_ok!(delete(COLLECTION, &list));
		assert_eq!(events(), list.map(|text| was_deleted(COLLECTION, text)));
		assert_eq!(keys_of(COLLECTION), [key("b")]);
		assert_eq!(record_count(COLLECTION), Some(1));
		assert_eq!(rows(), TENANT_ROWS);
	});
}

#[test]
fn a_key_that_a_list_names_twice_is_put_twice_and_counted_once() {
	Chain::small_fabric().block(|| {
		let before = held(THE_TENANT);
		let list = [("new", whole_object()), (RECORD, whole_object()), ("new", one_version(DRAFT))];
		assert_ok!(put(&list));
		assert_eq!(events(), list.map(|(text, target)| was_put(COLLECTION, text, target)));
		let info = record(COLLECTION, "new").expect("was put");
		assert_eq!(info.target, one_version(DRAFT));
		// The second put finds the record that the first one has created.
		assert_eq!((info.created, info.updated), (muid(1), muid(1).with_offset(3)));
		assert_eq!(record_count(COLLECTION), Some(2));
		assert_eq!(rows(), TENANT_ROWS + 1);
		assert_eq!(held(THE_TENANT), before + price("new"));
	});
}

#[test]
fn a_record_that_is_refused_takes_the_whole_list_with_it() {
	let unknown = ContentRef { object: OTHER_OBJECT, version: None };
	Chain::small_fabric().block(|| {
		assert_ok!(create("tids", RecordKeyType::Tid, Unreserved));
		// The key that the chain would mint next is taken.
		let taken = Tid::new(System::block_number() * 6_000_000, chain_clock_id());
		let taken = taken.expect("is in range").to_string();
		assert_ok!(put_keys("tids", &[&taken]));
		let object = whole_object();
		for (collection, valid, refused, error) in [
			(COLLECTION, ["a", RECORD], (Some("a b"), object), Error::<Test>::InvalidRecordKey),
			(COLLECTION, ["a", RECORD], (None, object), Error::RecordKeyRequired),
			(COLLECTION, ["a", RECORD], (Some("b"), unknown), Error::ContentObjectNotFound),
			(COLLECTION, ["a", RECORD], (Some("b"), one_version(NEW)), Error::VersionNotFound),
			("tids", [TID, &taken[..]], (None, object), Error::RecordAlreadyExists),
		] {
			let error = DispatchError::from(error);
			for place in 0..=valid.len() {
				let mut list = valid.map(|text| (Some(text), object)).to_vec();
				list.insert(place, refused);
				assert_noop!(put_into(collection, &list), error);
			}
			assert_ok!(put_keys(collection, &valid));
		}
	});
}

#[test]
fn a_record_that_does_not_exist_or_is_listed_twice_takes_the_whole_list_with_it() {
	Chain::small_fabric().block(|| {
		assert_ok!(put_keys(COLLECTION, &["a", "b"]));
		for list in
			[["x", "a", "b"], ["a", "x", "b"], ["a", "b", "x"], ["a", "", "b"], ["a", "b", "a"]]
		{
			assert_noop!(delete(COLLECTION, &list), Error::<Test>::RecordNotFound);
		}
		// A record of another collection is not one of this.
		assert_noop!(delete(EMPTY_COLLECTION, &[RECORD]), Error::<Test>::RecordNotFound);
		assert_ok!(delete(COLLECTION, &["b", "a"]));
	});
}

#[test]
fn the_deposits_of_a_list_are_held_and_released_at_once() {
	let mut chain = Chain::small_fabric();
	let (who, reason) = (TENANT_ROOT, RuntimeHoldReason::from(HoldReason::StorageDeposit));
	let texts = ["a", "bb", "ccc"];
	let before = chain.block(|| funds(TENANT_ROOT));
	let amount = chain.block(|| {
		let targets = [whole_object(), one_version(HEAD), whole_object()];
		let list: Vec<_> = texts.into_iter().zip(targets).collect();
		assert_ok!(put(&list));
		let amount: Balance = texts.map(price).iter().sum();
		assert_eq!(texts.map(deposit), texts.map(price));
		// A name of a version is longer than one of an object, and so are longer keys.
		assert_eq!(deposit("bb"), deposit("a") + DepositPerByte::get() * (32 + 1));
		assert_eq!(deposit("ccc"), deposit("a") + DepositPerByte::get() * 2);
		assert_eq!(funds(TENANT_ROOT), (before.0 - amount, before.1 + amount));
		assert_eq!(holds_and_releases(), [BalancesEvent::Held { reason, who, amount }]);
		amount
	});
	chain.block(|| {
		assert_ok!(delete(COLLECTION, &texts));
		assert_eq!(funds(TENANT_ROOT), before);
		assert_eq!(holds_and_releases(), [BalancesEvent::Released { reason, who, amount }]);
	});
}

#[test]
fn the_limit_of_the_root_applies_to_the_sum_of_a_list() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(put_keys(COLLECTION, &["r0"]));
		set_max_held(held(THE_TENANT) + 2 * deposit("r0"));
		assert_noop!(put_keys(COLLECTION, &["r1", "r2", "r3"]), Error::<Test>::HeldLimitExceeded);
		assert_ok!(put_keys(COLLECTION, &["r1", "r2"]));
		assert_noop!(put_keys(COLLECTION, &["r3"]), Error::<Test>::HeldLimitExceeded);
	});
	chain.block(|| {
		set_max_held(MAX_HELD);
		DepositBase::set(10_000);
		assert_ok!(put_keys(COLLECTION, &["dear"]));
		set_max_held(held(THE_TENANT));
	});
	chain.block(|| {
		DepositBase::set(100);
		assert_noop!(put_keys(COLLECTION, &["r3"]), Error::<Test>::HeldLimitExceeded);
		// The lower deposit of one record pays for the other, though it comes later.
		assert_ok!(put_keys(COLLECTION, &["r3", "dear"]));
	});
}

#[test]
fn a_list_that_adds_records_needs_the_bond() {
	Chain::small_fabric().block(|| {
		let rules = SpaceRules { tenant_bond: TENANT_BOND + 1, ..rules() };
		assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, rules));
		for list in [&["new"][..], &[RECORD, "new"], &["new", RECORD]] {
			assert_noop!(put_keys(COLLECTION, list), Error::<Test>::TenantUnderBonded);
		}
		assert_ok!(put_keys(COLLECTION, &[RECORD, RECORD]));
		assert_ok!(delete(COLLECTION, &[RECORD]));
	});
}
