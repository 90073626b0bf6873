// SPDX-License-Identifier: Apache-2.0
//! The weights of calls before they are dispatched.

use frame_support::{
	dispatch::{DispatchClass, GetDispatchInfo, Pays},
	traits::GetCallName,
	weights::{RuntimeDbWeight, Weight},
};

use super::permissions::every_call;
use crate::{
	identifiers::{Muid, RecordKeySyntax, RecordKeyType, VersionId},
	mock::*,
	Call, Role, SpaceRules, WeightInfo,
};

pub(super) fn weight(call: Call<Test>) -> Weight {
	RuntimeCall::from(call).get_dispatch_info().call_weight
}

/// Returns each call with a list, with this many items.
pub(super) fn lists(items: u8) -> [Call<Test>; 8] {
	let versions: Vec<_> = (0..items).map(|number| VersionId([100 + number; 32])).collect();
	let drafts: Vec<_> = versions.iter().map(|version| draft(OBJECT, *version)).collect();
	let keys: Vec<_> = (0..items).map(|number| key(&number.to_string())).collect();
	let records: Vec<_> = keys.iter().map(|key| (Some(key.clone()), whole_object())).collect();
	let admissions: Vec<_> = (0..items).map(|who| (who.into(), Role::Tenant)).collect();
	let (tenant, collection) = (TENANT, || name(COLLECTION));
	[
		commit_call(TENANT_ROOT, commit_of(&drafts)),
		finalize_call(NODE, &versions),
		Call::put_records { tenant, collection: collection(), records: bounded(records) },
		Call::delete_records { tenant, collection: collection(), keys: bounded(keys) },
		Call::revoke_admissions { space: SPACE, admissions: bounded(admissions) },
		Call::reap { member: THE_TENANT, limit: items.into() },
		add_copies((PROVIDER, NODE), &versions),
		remove_copies((PROVIDER, NODE), &versions),
	]
}

/// Returns the weight of a call that puts records of [`COLLECTION`] under these keys.
fn put_weight(keys: &[Option<&str>]) -> Weight {
	let records: Vec<_> = keys.iter().map(|text| (text.map(key), whole_object())).collect();
	let (tenant, collection, records) = (TENANT, name(COLLECTION), bounded(records));
	weight(Call::put_records { tenant, collection, records })
}

#[test]
fn a_key_that_the_chain_mints_weighs_as_one_that_is_given_and_the_last_tid() {
	Chain::small_fabric().block(|| {
		// A TID has 13 characters.
		let (minted, given) = (put_weight(&[None]), put_weight(&[Some("3jzfcijpj2z2a")]));
		assert_eq!(minted, given);
		let db: RuntimeDbWeight = <Test as frame_system::Config>::DbWeight::get();
		let rows = <() as WeightInfo>::put_records(1);
		let bytes = <() as WeightInfo>::put_records_key_bytes(13)
			- <() as WeightInfo>::put_records_key_bytes(0);
		assert!(minted.all_gte(rows + bytes + db.reads_writes(1, 1)));
		assert!(db.reads_writes(1, 1).ref_time() > 0);
	});
}

/// Each weighs at least as much as the first, in time and in proof.
#[test]
fn every_item_of_a_list_counts_in_the_weight_of_its_call() {
	Chain::small_fabric().block(|| {
		let weights = |items| lists(items).map(weight);
		let (one, two) = (weights(1), weights(2));
		for items in 1..16 {
			let (shorter, longer) = (weights(items), weights(items + 1));
			for place in 0..one.len() {
				let item = two[place].saturating_sub(one[place]);
				let is_counted = longer[place].all_gte(shorter[place] + item);
				let name = lists(1)[place].get_call_name();
				assert!(item.all_gt(Weight::zero()) && is_counted, "{name} with {items} items");
			}
		}
	});
}

/// Returns calls with a text of this many bytes.
fn texts(len: u32) -> [Call<Test>; 8] {
	let text = "k".repeat(len as usize);
	let rules = SpaceRules { sla: bounded(text.as_bytes()), ..rules() };
	let (space, tenant, key) = (SPACE, TENANT, key(&text));
	let (name_of_text, collection) = (name(&text), name(COLLECTION));
	let records = bounded([(Some(key.clone()), whole_object())]);
	let keys = bounded([key.clone()]);
	let (key_type, syntax) = (RecordKeyType::Any, RecordKeySyntax::Unreserved);
	let (created, reason) = (Muid::default(), reason(""));
	[
		Call::create_space { space, governor: GOVERNOR, rules: rules.clone() },
		Call::set_space_rules { space, rules },
		Call::create_collection { tenant, name: name_of_text.clone(), key_type, syntax },
		Call::delete_collection { tenant, name: name_of_text.clone() },
		Call::governance_delete_collection {
			tenant,
			created,
			name: name_of_text.clone(),
			reason: reason.clone(),
		},
		Call::put_records { tenant, collection: collection.clone(), records },
		Call::delete_records { tenant, collection: collection.clone(), keys },
		Call::governance_delete_record { tenant, created, collection: name_of_text, key, reason },
	]
}

#[test]
fn every_byte_of_a_text_counts_in_the_weight_of_its_call() {
	Chain::small_fabric().block(|| {
		let longest = MaxSlaLen::get();
		let weights = |len| texts(len).map(weight);
		for len in 1..longest {
			let (shorter, longer) = (weights(len), weights(len + 1));
			for (place, (shorter, longer)) in shorter.into_iter().zip(longer).enumerate() {
				let name = texts(1)[place].get_call_name();
				assert!(longer.all_gte(shorter), "{name} with {len} bytes");
			}
		}
		for (place, (shortest, longest)) in weights(1).into_iter().zip(weights(longest)).enumerate()
		{
			let name = texts(1)[place].get_call_name();
			assert!(longest.ref_time() > shortest.ref_time(), "{name}");
		}
		// The bytes of all keys count, however the keys share them.
		let put_weight = |keys: [usize; 2]| {
			let records = keys.map(|len| (Some(key(&"k".repeat(len))), whole_object()));
			let (collection, records) = (name(COLLECTION), bounded(records));
			weight(Call::put_records { tenant: TENANT, collection, records })
		};
		assert_eq!(put_weight([257, 256]), put_weight([512, 1]));
	});
}

#[test]
fn every_call_is_paid_for_in_advance_and_takes_part_of_a_block() {
	Chain::fabric_with_keys().block(|| {
		for call in every_call() {
			let name = call.get_call_name();
			let info = RuntimeCall::from(call).get_dispatch_info();
			assert_eq!((info.pays_fee, info.class), (Pays::Yes, DispatchClass::Normal), "{name}");
			assert!(info.call_weight.all_gt(Weight::zero()), "{name}");
		}
	});
}
