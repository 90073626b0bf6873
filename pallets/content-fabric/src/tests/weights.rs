// SPDX-License-Identifier: Apache-2.0
//! The weights of calls before they are dispatched.

use frame_support::{
	dispatch::{DispatchClass, GetDispatchInfo, Pays},
	traits::GetCallName,
	weights::{RuntimeDbWeight, Weight},
};

use super::permissions::every_call;
use crate::{
	identifiers::{RecordKeySyntax, RecordKeyType, VersionId},
	mock::*,
	Call, Role, SpaceRules, WeightInfo,
};

fn weight(call: Call<Test>) -> Weight {
	RuntimeCall::from(call).get_dispatch_info().call_weight
}

/// Returns each call with a list, with this many items.
fn lists(items: u8) -> [Call<Test>; 6] {
	let versions = || (0..items).map(|number| VersionId([number; 32]));
	let keys = || (0..items).map(|number| key(&number.to_string()));
	let commit = commit_of(&versions().map(|version| draft(OBJECT, version)).collect::<Vec<_>>());
	let signature = sign(TENANT_ROOT, &commit);
	let finalized: Vec<_> = versions().map(|version| (OBJECT, version)).collect();
	let records: Vec<_> = keys().map(|key| (Some(key), whole_object())).collect();
	let keys: Vec<_> = keys().collect();
	let admissions: Vec<_> = (0..items).map(|who| (who.into(), Role::Tenant)).collect();
	let collection = name(COLLECTION);
	[
		Call::commit_versions { tenant_signer: TENANT_ROOT, commit, signature },
		Call::finalize_versions {
			originator: PROVIDER,
			node: NODE,
			tenant: TENANT,
			versions: finalized.try_into().expect("test lists are short"),
		},
		Call::put_records {
			tenant: TENANT,
			collection: collection.clone(),
			records: records.try_into().expect("test lists are short"),
		},
		Call::delete_records {
			tenant: TENANT,
			collection,
			keys: keys.try_into().expect("test lists are short"),
		},
		Call::revoke_admissions {
			space: SPACE,
			admissions: admissions.try_into().expect("test lists are short"),
		},
		Call::reap { member: THE_TENANT, limit: items.into() },
	]
}

/// Returns whether both components are larger.
fn is_larger(one: Weight, other: Weight) -> bool {
	one.ref_time() > other.ref_time() && one.proof_size() > other.proof_size()
}

#[test]
fn every_item_of_a_list_counts_in_the_weight_of_its_call() {
	Chain::small_fabric().block(|| {
		for items in 1..16 {
			for (shorter, longer) in lists(items).into_iter().zip(lists(items + 1)) {
				let name = format!("{longer:?}");
				assert!(is_larger(weight(longer), weight(shorter)), "{items}: {name}");
			}
		}
	});
}

#[test]
fn each_item_weighs_as_much_as_the_first() {
	Chain::small_fabric().block(|| {
		for (place, one) in lists(1).into_iter().enumerate() {
			let [two, sixteen] = [2, 16].map(|items| weight(lists(items)[place].clone()));
			let item = two - weight(one.clone());
			// Keys of records with two digits weigh more than those with one.
			assert!(sixteen.all_gte(two + item * 14), "{one:?}");
		}
	});
}

#[test]
fn a_key_that_the_chain_mints_weighs_as_one_that_is_given_and_the_last_tid() {
	Chain::small_fabric().block(|| {
		let put = |key| {
			let records = vec![(key, whole_object())].try_into().expect("one is few");
			weight(Call::put_records {
				tenant: TENANT,
				collection: name(EMPTY_COLLECTION),
				records,
			})
		};
		// A TID has 13 characters.
		let (minted, given) = (put(None), put(Some(key("3jzfcijpj2z2a"))));
		assert_eq!(minted, given);
		let db: RuntimeDbWeight = <Test as frame_system::Config>::DbWeight::get();
		let rows = <() as WeightInfo>::put_records(1);
		let bytes = <() as WeightInfo>::put_records_key_bytes(13)
			- <() as WeightInfo>::put_records_key_bytes(0);
		assert!(minted.all_gte(rows + bytes + db.reads_writes(1, 1)));
		assert!(db.reads_writes(1, 1).ref_time() > 0);
	});
}

/// Returns calls with a text of this many bytes.
fn texts(len: u32) -> [Call<Test>; 8] {
	let text = "k".repeat(len as usize);
	let sla = text.clone().into_bytes().try_into().expect("the text is short");
	let rules = SpaceRules { sla, ..rules() };
	let (space, tenant, key) = (SPACE, TENANT, key(&text));
	let (name_of_text, collection) = (name(&text), name(COLLECTION));
	let records = vec![(Some(key.clone()), whole_object())].try_into().expect("one is few");
	let keys = vec![key.clone()].try_into().expect("one is few");
	let (key_type, syntax) = (RecordKeyType::Any, RecordKeySyntax::Unreserved);
	[
		Call::create_space { space, governor: GOVERNOR, rules: rules.clone() },
		Call::set_space_rules { space, rules },
		Call::create_collection { tenant, name: name_of_text.clone(), key_type, syntax },
		Call::delete_collection { tenant, name: name_of_text.clone() },
		Call::governance_delete_collection { tenant, name: name_of_text.clone() },
		Call::put_records { tenant, collection: collection.clone(), records },
		Call::delete_records { tenant, collection: collection.clone(), keys },
		Call::governance_delete_record { tenant, collection: name_of_text, key },
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

#[test]
fn every_byte_of_a_key_counts_in_the_weight_of_calls_with_records() {
	let put = |len: usize| {
		let records = vec![(Some(key(&"k".repeat(len))), whole_object())];
		let records = records.try_into().expect("one is few");
		weight(Call::put_records { tenant: TENANT, collection: name(COLLECTION), records })
	};
	let delete = |len: usize| {
		let keys = vec![key(&"k".repeat(len))].try_into().expect("one is few");
		weight(Call::delete_records { tenant: TENANT, collection: name(COLLECTION), keys })
	};
	assert!(put(512).ref_time() > put(1).ref_time());
	assert!(delete(512).ref_time() > delete(1).ref_time());
}
