// SPDX-License-Identifier: Apache-2.0
//! Lists of records that are put or deleted with one call.

use codec::{DecodeAll, Encode};
use frame_support::{assert_noop, dispatch::GetDispatchInfo, weights::Weight};
use sp_runtime::{traits::Dispatchable, DispatchError};

use super::*;
use crate::{
	identifiers::{ClockId, ContentObjectId, RecordKeySyntax::Unreserved, RecordKeyType},
	Call, Error, HoldReason, RecordPutOf, RecordsOf, SpaceRules, Tenants,
};

type BalancesEvent = pallet_balances::Event<Test>;

/// Returns a call that puts records of the whole object under these keys.
fn put_call(keys: &[Option<&str>]) -> Call<Test> {
	let records: Vec<_> = keys.iter().map(|text| (text.map(key), whole_object())).collect();
	Call::put_records {
		tenant: TENANT,
		collection: name(COLLECTION),
		records: records.try_into().expect("test lists are short"),
	}
}

fn delete_call(keys: &[&str]) -> Call<Test> {
	let keys: Vec<_> = keys.iter().map(|text| key(text)).collect();
	Call::delete_records {
		tenant: TENANT,
		collection: name(COLLECTION),
		keys: keys.try_into().expect("test lists are short"),
	}
}

fn weight(call: Call<Test>) -> Weight {
	call.get_dispatch_info().call_weight
}

/// Returns whether a weight is larger than another one in a dimension, and smaller in none.
fn is_larger(weight: Weight, other: Weight) -> bool {
	weight.all_gte(other) && weight != other
}

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

/// Returns what is on hold for [`TENANT`].
fn held() -> Balance {
	let info = ContentFabric::bond(THE_TENANT).expect("the tenant exists");
	assert_eq!(funds(TENANT_ROOT).1, info.bond + info.deposit);
	info.bond + info.deposit
}

/// Returns the holds and releases of this block.
fn holds_and_releases() -> Vec<BalancesEvent> {
	let events = System::read_events_for_pallet::<BalancesEvent>();
	let is_hold = |event: &BalancesEvent| {
		matches!(event, BalancesEvent::Held { .. } | BalancesEvent::Released { .. })
	};
	events.into_iter().filter(is_hold).collect()
}

fn set_max_held(max_held: Balance) {
	assert_ok!(ContentFabric::set_max_held(signed(TENANT_ROOT), THE_TENANT, max_held));
}

#[test]
fn an_empty_list_is_refused() {
	Chain::small_fabric().block(|| {
		for collection in [COLLECTION, EMPTY_COLLECTION] {
			assert_noop!(put_into(collection, &[]), Error::<Test>::EmptyBatch);
			assert_noop!(delete(collection, &[]), Error::<Test>::EmptyBatch);
		}
	});
}

#[test]
fn a_list_has_up_to_max_records_per_call() {
	let texts: Vec<_> = (0..4).map(|number| format!("r{number}")).collect();
	let texts: Vec<_> = texts.iter().map(String::as_str).collect();
	let keys: Vec<_> = texts.iter().copied().map(Some).collect();
	MaxRecordsPerCall::set(4);
	let too_long = [put_call(&keys), delete_call(&texts)];
	let too_long = too_long.map(|call| RuntimeCall::from(call).encode());
	MaxRecordsPerCall::set(3);
	Chain::small_fabric().block(|| {
		let puts = vec![(Some(key("r")), whole_object()); 4];
		assert!(RecordsOf::<Test, RecordPutOf<Test>>::try_from(puts).is_err());
		for bytes in too_long {
			assert!(RuntimeCall::decode_all(&mut &bytes[..]).is_err());
		}
		for (call, count) in [(put_call(&keys[..3]), 4), (delete_call(&texts[..3]), 1)] {
			let bytes = RuntimeCall::from(call).encode();
			let call = RuntimeCall::decode_all(&mut &bytes[..]).expect("the list is not too long");
			assert_ok!(call.dispatch(signed(TENANT_ROOT)));
			assert_eq!(record_count(COLLECTION), Some(count));
		}
	});
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
			assert_eq!((info.target, info.updated), (target, muid(place)));
			// Only one of them existed before.
			assert_eq!(info.created == info.updated, text != RECORD);
		}
		assert_eq!(record_count(COLLECTION), Some(4));
		assert_eq!(rows(), TENANT_ROWS + 3);
		// The next call continues where the list ended.
		assert_ok!(put(&[("n", whole_object())]));
		assert_eq!(record(COLLECTION, "n").map(|info| info.updated), Some(muid(5)));
	});
}

#[test]
fn records_are_deleted_in_the_order_of_the_list() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(put_keys(COLLECTION, &["a", "b", "c"]));
	});
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
		let before = held();
		let list = [("new", whole_object()), (RECORD, whole_object()), ("new", one_version(DRAFT))];
		assert_ok!(put(&list));
		assert_eq!(events(), list.map(|(text, target)| was_put(COLLECTION, text, target)));
		let info = record(COLLECTION, "new").expect("was put");
		assert_eq!(info.target, one_version(DRAFT));
		// The second put finds the record that the first one has created.
		assert_eq!((info.created, info.updated), (muid(1), muid(3)));
		assert_eq!(record_count(COLLECTION), Some(2));
		assert_eq!(rows(), TENANT_ROWS + 1);
		assert_eq!(held(), before + price("new"));
	});
}

#[test]
fn a_key_that_a_list_names_twice_cannot_be_deleted_twice() {
	Chain::small_fabric().block(|| {
		assert_ok!(put_keys(COLLECTION, &["a", "b"]));
		for list in [&["a", "a"][..], &["a", "b", "a"], &[RECORD, RECORD]] {
			assert_noop!(delete(COLLECTION, list), Error::<Test>::RecordNotFound);
		}
		assert_eq!(record_count(COLLECTION), Some(3));
	});
}

#[test]
fn a_record_that_is_refused_takes_the_whole_list_with_it() {
	let unknown = ContentRef { object: ContentObjectId([7; 10]), version: None };
	Chain::small_fabric().block(|| {
		assert_ok!(create("tids", RecordKeyType::Tid, Unreserved));
		// The key that the chain would mint next is taken.
		let taken = Tid::new(System::block_number() * 6_000_000, ClockId::MAX);
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
fn a_record_that_does_not_exist_takes_the_whole_list_with_it() {
	Chain::small_fabric().block(|| {
		assert_ok!(put_keys(COLLECTION, &["a", "b"]));
		for list in [["x", "a", "b"], ["a", "x", "b"], ["a", "b", "x"], ["a", "", "b"]] {
			assert_noop!(delete(COLLECTION, &list), Error::<Test>::RecordNotFound);
		}
		// A record of another collection is not one of this.
		assert_noop!(delete(EMPTY_COLLECTION, &[RECORD]), Error::<Test>::RecordNotFound);
		assert_ok!(delete(COLLECTION, &["b", "a"]));
	});
}

#[test]
fn the_first_record_that_is_refused_decides_the_error() {
	Chain::small_fabric().block(|| {
		let invalid = (Some("a b"), whole_object());
		let required = (None, whole_object());
		let dangling = (Some("b"), one_version(NEW));
		for (list, error) in [
			([invalid, required, dangling], Error::<Test>::InvalidRecordKey),
			([required, dangling, invalid], Error::RecordKeyRequired),
			([dangling, invalid, required], Error::VersionNotFound),
		] {
			assert_noop!(put_into(COLLECTION, &list), error);
		}
	});
}

#[test]
fn the_deposits_of_a_list_are_held_and_released_at_once() {
	let mut chain = Chain::small_fabric();
	let (who, reason) = (TENANT_ROOT, RuntimeHoldReason::from(HoldReason::StorageDeposit));
	let texts = ["a", "bb", "ccc"];
	let before = chain.block(|| funds(TENANT_ROOT));
	let amount = chain.block(|| {
		assert_ok!(put(&[
			("a", whole_object()),
			("bb", one_version(HEAD)),
			("ccc", whole_object())
		]));
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
fn a_record_that_is_put_again_is_repriced_at_the_current_rates() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(put_keys(COLLECTION, &["a", "b"]));
	});
	for (base, per_byte) in [(1_000, 3), (10, 1), (0, 0), (100, 1)] {
		chain.block(|| {
			DepositBase::set(base);
			DepositPerByte::set(per_byte);
			let (total, of_a, of_b) = (held(), deposit("a"), deposit("b"));
			assert_ok!(put_keys(COLLECTION, &["a", "a"]));
			assert_eq!(deposit("a"), price("a"));
			assert_eq!(held(), total - of_a + price("a"));
			// Rows that are not put again keep their deposit.
			assert_eq!(deposit("b"), of_b);
		});
	}
	chain.block(|| {
		// A target of another length has another price.
		let (total, of_a) = (held(), deposit("a"));
		assert_ok!(put(&[("a", one_version(HEAD))]));
		assert_eq!(deposit("a"), of_a + 32 * DepositPerByte::get());
		assert_eq!(held(), total + 32 * DepositPerByte::get());
	});
}

#[test]
fn the_limit_of_the_root_applies_to_the_sum_of_a_list() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(put_keys(COLLECTION, &["r0"]));
		set_max_held(held() + 2 * deposit("r0"));
		assert_noop!(put_keys(COLLECTION, &["r1", "r2", "r3"]), Error::<Test>::HeldLimitExceeded);
		// Nothing is left of the first two.
		assert_eq!(record_count(COLLECTION), Some(2));
		assert_ok!(put_keys(COLLECTION, &["r1", "r2"]));
		assert_noop!(put_keys(COLLECTION, &["r3"]), Error::<Test>::HeldLimitExceeded);
	});
	chain.block(|| {
		set_max_held(MAX_HELD);
		DepositBase::set(10_000);
		assert_ok!(put_keys(COLLECTION, &["dear"]));
		set_max_held(held());
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

#[test]
fn rows_are_counted_by_the_list() {
	let mut chain = Chain::small_fabric();
	let counts = || {
		let info = Tenants::<Test>::get(TENANT).expect("the tenant exists");
		(info.rows.records, info.rows.collections, record_count(COLLECTION))
	};
	let texts: Vec<_> = (0..31).map(|number| format!("r{number}")).collect();
	let mut keys: Vec<_> = texts.iter().map(String::as_str).collect();
	keys.push(RECORD);
	chain.block(|| {
		assert_eq!(counts(), (1, 2, Some(1)));
		assert_ok!(put_keys(COLLECTION, &keys));
		assert_eq!(counts(), (32, 2, Some(32)));
		assert_eq!(mint(EMPTY_COLLECTION, 32).len(), 32);
		assert_eq!(counts(), (64, 2, Some(32)));
	});
	chain.block(|| {
		assert_ok!(delete(COLLECTION, &keys));
		assert_eq!(counts(), (32, 2, Some(0)));
		assert_eq!(record_count(EMPTY_COLLECTION), Some(32));
	});
}

#[test]
fn a_list_is_weighed_by_its_records_and_the_bytes_of_their_keys() {
	let (short, long) = ("k", "k".repeat(512));
	let long = &long[..];
	let put_weight = |keys: &[Option<&str>]| weight(put_call(keys));
	assert!(is_larger(put_weight(&[Some(short); 2]), put_weight(&[Some(short)])));
	assert!(is_larger(put_weight(&[Some(long)]), put_weight(&[Some(short)])));
	assert!(is_larger(weight(delete_call(&[short; 2])), weight(delete_call(&[short]))));
	// A minted key is as long as any other TID.
	assert_eq!(put_weight(&[None]), put_weight(&[Some(TID)]));
	// Only the number of bytes counts, not how the keys share them.
	let halves = [Some(&long[..257]), Some(&long[..256])];
	assert_eq!(put_weight(&halves), put_weight(&[Some(long), Some(short)]));
}
