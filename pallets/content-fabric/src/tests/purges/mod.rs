// SPDX-License-Identifier: Apache-2.0
//! Purges: whole members, removed in steps, exactly.

mod fees;
mod leaving;
mod queue;
mod steps;
mod whole_maps;

use frame_support::{
	assert_ok,
	dispatch::{DispatchResultWithPostInfo, Pays},
	weights::Weight,
};
use sp_runtime::traits::Dispatchable;

use crate::{
	identifiers::{ContentObjectId, RecordKeySyntax, RecordKeyType, TenantId, VersionId},
	mock::*,
	Call, MemberId, TenantLevel, VersionCommit, WeightInfo,
};

/// The maps with rows under a tenant, in the order in which a purge clears them.
const MAPS_OF_A_TENANT: [&str; 6] =
	["TenantKeys", "Records", "Collections", "Versions", "ContentObjects", "Kmses"];

type Weights = ();

/// Gives a new tenant an access key, a KMS, `objects` objects with `versions` versions each, and
/// two collections with a record for each object.
fn fill_tenant(tenant: TenantId, objects: u8, versions: u8) {
	let root = || signed(TENANT_ROOT);
	assert_ok!(ContentFabric::create_tenant(root(), SPACE, tenant, MAX_HELD));
	let level = Some(TenantLevel::Content);
	assert_ok!(ContentFabric::set_tenant_key(root(), tenant, EDITOR, level));
	assert_ok!(ContentFabric::add_kms(root(), tenant, KMS, locator("x")));
	// The name of one is what that of the other begins with, and the keys are the longest.
	for collection in ["c", "cc"] {
		let (key_type, syntax) = (RecordKeyType::Any, RecordKeySyntax::Unreserved);
		let name = name(collection);
		assert_ok!(ContentFabric::create_collection(root(), tenant, name, key_type, syntax));
	}
	for number in 0..objects {
		let object = ContentObjectId([number; 10]);
		assert_ok!(ContentFabric::create_content_object(root(), tenant, object));
		let drafts: Vec<_> =
			(0..versions).map(|version| draft(object, VersionId([version; 32]))).collect();
		if !drafts.is_empty() {
			assert_ok!(submit(VersionCommit { tenant, ..commit_of(&drafts) }));
		}
		for collection in ["c", "cc"] {
			let key = key(&format!("{number:0>512}"));
			let target = crate::ContentRef { object, version: None };
			let records = vec![(Some(key), target)].try_into().expect("one is few");
			assert_ok!(ContentFabric::put_records(root(), tenant, name(collection), records));
		}
	}
}

/// Returns the number of keys under a tenant in each of its maps.
fn tenant_keys(tenant: TenantId) -> [usize; 6] {
	MAPS_OF_A_TENANT.map(|map| keys_under(&raw_key(map, &[&tenant.0])))
}

/// Returns the number of rows under a tenant, by its counts.
fn rows(tenant: TenantId) -> Option<u32> {
	ContentFabric::rows(tenant.into())
}

fn reap(member: impl Into<MemberId>, limit: u32) -> DispatchResultWithPostInfo {
	let call = Call::reap { member: member.into(), limit };
	RuntimeCall::from(call).dispatch(signed(STRANGER))
}

/// Reaps, which must be free.
fn reap_free(member: impl Into<MemberId>, limit: u32) {
	let post = reap(member, limit).expect("the member is being purged");
	assert_eq!(post.pays_fee, Pays::No);
}

/// Returns the weight in which `on_idle` removes this many rows of the first purge in the queue.
fn idle_weight(rows: u32) -> Weight {
	Weights::on_idle_base() * 2 + Weights::reap(rows)
}

/// A space with a provider that has a confirmed node.
fn chain_with_provider() -> Chain {
	let mut chain = Chain::empty();
	chain.block(|| {
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, GOVERNOR, rules()));
		let root = || signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::create_provider(root(), SPACE, PROVIDER, MAX_HELD));
		let locator = locator("x");
		assert_ok!(ContentFabric::create_node(root(), PROVIDER, NODE, PROVIDER_ROOT, locator));
		assert_ok!(ContentFabric::confirm_node(root(), PROVIDER, NODE));
	});
	chain
}

/// Returns pairs of a tenant to be deleted and one to be kept: ids that differ in the last byte,
/// and the extremes.
fn neighbours() -> [(TenantId, TenantId); 4] {
	let mut neighbour = TENANT;
	neighbour.0[9] ^= 1;
	[
		(TenantId([0; 10]), TenantId([0xff; 10])),
		(TenantId([0xff; 10]), TenantId([0; 10])),
		(TENANT, neighbour),
		(neighbour, TENANT),
	]
}
