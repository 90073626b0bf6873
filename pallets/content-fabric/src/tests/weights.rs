// SPDX-License-Identifier: Apache-2.0
//! What calls weigh before they are dispatched.

use frame_support::{dispatch::GetDispatchInfo, weights::Weight};

use crate::{identifiers::VersionId, mock::*, Call, Role};

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
