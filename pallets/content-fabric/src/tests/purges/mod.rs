// SPDX-License-Identifier: Apache-2.0
//! Purges: whole members, removed in steps, exactly.

mod fees;
mod leaving;
mod queue;
mod steps;
mod whole_maps;

use frame_support::{assert_ok, dispatch::Pays, weights::Weight};

use crate::{
	identifiers::{ContentObjectId, TenantId, VersionId},
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
	make(TENANT_ROOT, create(tenant.into(), MAX_HELD));
	let level = Some(TenantLevel::Content);
	make(TENANT_ROOT, Call::set_tenant_key { id: tenant, account: EDITOR, level });
	assert_ok!(add_kms(tenant, KMS));
	// The name of one is a prefix of the other's, and the keys are the longest.
	for text in ["c", "cc"] {
		assert_ok!(create_collection(tenant, text));
	}
	for number in 0..objects {
		let object = ContentObjectId([number; 10]);
		make(TENANT_ROOT, Call::create_content_object { tenant, object });
		let drafts: Vec<_> =
			(0..versions).map(|version| draft(object, VersionId([version; 32]))).collect();
		if !drafts.is_empty() {
			assert_ok!(submit(VersionCommit { tenant, ..commit_of(&drafts) }));
		}
		for text in ["c", "cc"] {
			let target = crate::ContentRef { object, version: None };
			let records = bounded([(Some(key(&format!("{number:0>512}"))), target)]);
			let collection = name(text);
			make(TENANT_ROOT, Call::put_records { tenant, collection, records });
		}
	}
}

/// A chain with a tenant of 25 rows.
fn chain_with_tenant() -> Chain {
	let mut chain = chain_with_provider();
	chain.block(|| fill_tenant(TENANT, 3, 4));
	chain
}

/// The same chain. The deletion of the tenant began in the block before.
fn chain_with_purge() -> Chain {
	let mut chain = chain_with_tenant();
	chain.block(|| assert_eq!(governance_delete(THE_TENANT), Ok(())));
	chain
}

/// Returns the number of keys under a tenant in each of its maps.
fn tenant_keys(tenant: TenantId) -> [usize; 6] {
	MAPS_OF_A_TENANT.map(|map| keys_under(&raw_key(map, &[&tenant.0])))
}

/// Returns the number of rows under a tenant, by its counts.
fn rows(tenant: TenantId) -> Option<u32> {
	ContentFabric::rows(tenant.into())
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
		assert_ok!(create_space(SPACE, GOVERNOR, rules()));
		make(PROVIDER_ROOT, create(THE_PROVIDER, MAX_HELD));
		assert_ok!(create_node(PROVIDER, NODE));
		assert_ok!(confirm_node(PROVIDER, NODE));
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
