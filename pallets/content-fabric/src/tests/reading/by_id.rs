// SPDX-License-Identifier: Apache-2.0
//! View functions by their ids, as clients of any runtime call them.

use core::fmt::Debug;

use codec::{Decode, DecodeAll, Encode};
use frame_support::{
	view_functions::{ViewFunction, ViewFunctionId},
	StorageHasher, Twox128,
};

use super::*;
use crate::{
	BondViewFunction, HeadVersionViewFunction, ProviderLevelViewFunction,
	PurgeProgressViewFunction, ResolveViewFunction, RowsViewFunction, TenantLevelViewFunction,
};

/// Checks that the runtime answers a view function that is called by its id as the pallet does.
fn assert_answered<View>(view: View)
where
	View: ViewFunction<ReturnType: Decode + PartialEq + Debug> + Encode,
{
	let answer = Test::execute_view_function(View::id(), view.encode());
	let answer = answer.expect("the runtime has the view function");
	let answer = View::ReturnType::decode_all(&mut &answer[..]).expect("the answer is of its type");
	assert_eq!(answer, view.invoke());
}

#[test]
fn every_view_function_is_called_by_its_id() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| assert_eq!(governance_delete(THE_PROVIDER), Ok(())));
	chain.block(|| {
		let (collection, record) = (COLLECTION.as_bytes(), RECORD.as_bytes());
		let collection = || collection.to_vec();
		for member in [THE_PROVIDER, THE_TENANT] {
			assert_answered(RowsViewFunction::<Test>::new(member));
			assert_answered(BondViewFunction::<Test>::new(member));
			assert_answered(PurgeProgressViewFunction::<Test>::new(member));
		}
		for account in [PROVIDER_ROOT, TENANT_ROOT, EDITOR] {
			assert_answered(ProviderLevelViewFunction::<Test>::new(PROVIDER, account));
			assert_answered(TenantLevelViewFunction::<Test>::new(TENANT, account));
		}
		for object in [OBJECT, EMPTY_OBJECT] {
			assert_answered(HeadVersionViewFunction::<Test>::new(TENANT, object));
		}
		assert_answered(ResolveViewFunction::<Test>::new(TENANT, collection(), record.to_vec()));
	});
}

#[test]
fn an_answer_is_found_by_pallet_signature_and_arguments_alone() {
	Chain::small_fabric().block(|| {
		let id = ViewFunctionId {
			prefix: Twox128::hash(b"ContentFabric"),
			suffix: Twox128::hash(b"rows(MemberId) -> Option<u32>"),
		};
		let answer = Test::execute_view_function(id, THE_TENANT.encode());
		assert_eq!(answer.expect("the function exists"), Some(TENANT_ROWS).encode());
	});
}
