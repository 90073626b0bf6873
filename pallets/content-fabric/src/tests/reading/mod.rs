// SPDX-License-Identifier: Apache-2.0
//! Reading the state as clients do: single answers, and lists in pages.

mod by_id;
mod lists;
mod members;
mod pages;
mod purged;

use core::fmt::Debug;

use frame_support::assert_ok;

use crate::{
	identifiers::{ContentObjectId, KmsId, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId},
	mock::*,
	ContentRef, Page, ProviderLevel, Resolution, Role, TenantLevel,
};

const UNKNOWN_SPACE: SpaceId = SpaceId([8; 10]);
const UNKNOWN_PROVIDER: ProviderId = ProviderId([8; 10]);
const UNKNOWN_TENANT: TenantId = TenantId([8; 10]);
const UNKNOWN_OBJECT: ContentObjectId = ContentObjectId([8; 10]);

/// Returns the ids of what [`wide_fabric`] adds.
fn ids() -> impl Iterator<Item = [u8; 10]> {
	(100..105).map(|id| [id; 10])
}

/// Returns the account of an id, which has an access key in both members.
fn account_of(id: [u8; 10]) -> AccountId {
	id[0].into()
}

/// Returns the keys of the rows that [`wide_fabric`] adds to a map, and of those that were there.
fn keys<Key>(added: impl Fn([u8; 10]) -> Key, before: impl IntoIterator<Item = Key>) -> Vec<Key> {
	ids().map(added).chain(before).collect()
}

/// Returns a fabric with more rows of each kind than the small one has.
fn wide_fabric() -> Chain {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| ids().for_each(add_one_of_each));
	chain
}

fn add_one_of_each(id: [u8; 10]) {
	let account = account_of(id);
	assert_ok!(create_space(SpaceId(id), GOVERNOR, approval()));
	for role in [Role::Provider, Role::Tenant] {
		assert_ok!(ContentFabric::admit(signed(GOVERNOR), SPACE, account, role));
	}
	assert_ok!(create_node(PROVIDER, NodeId(id)));
	assert_ok!(set_provider_key(account, Some(ProviderLevel::Admin)));

	assert_ok!(set_tenant_key(account, Some(TenantLevel::Content)));
	assert_ok!(add_kms(TENANT, KmsId(id)));
	let object = ContentObjectId(id);
	assert_ok!(create_object(object));
	assert_ok!(commit(VersionId([id[0]; 32])));
	assert_ok!(create_collection(TENANT, &format!("c{account}")));
	let record = format!("r{account}");
	assert_ok!(put(&[(&record[..], ContentRef { object, version: None })]));
}

/// Returns what a record of [`COLLECTION`] leads to.
fn resolve(text: &str) -> Option<Resolution> {
	ContentFabric::resolve(TENANT, name(COLLECTION).into(), key(text).into())
}

/// Reads a whole list in pages of `limit`.
fn read<Key: Clone, Info>(
	limit: u32,
	list: impl Fn(Option<Key>, u32) -> Page<Key, Info>,
) -> Vec<Page<Key, Info>> {
	let mut pages = vec![list(None, limit)];
	while let Some(next) = pages.last().and_then(|page| page.next.clone()) {
		pages.push(list(Some(next), limit));
	}
	pages
}

/// Returns the rows on these pages.
fn rows_on<Key, Info>(pages: Vec<Page<Key, Info>>) -> Vec<(Key, Info)> {
	pages.into_iter().flat_map(|page| page.items).collect()
}

/// Returns a page without rows, at the end of a list.
fn empty_page<Key, Info>(created: Option<Muid>) -> Page<Key, Info> {
	Page { created, items: Vec::new(), next: None }
}

/// Checks that a list has no rows, from its start and after a key, and that it carries `created`.
fn assert_empty<Key: Debug + PartialEq, Info: Debug + PartialEq>(
	created: Option<Muid>,
	key: Key,
	list: impl Fn(Option<Key>, u32) -> Page<Key, Info>,
) {
	for after in [None, Some(key)] {
		assert_eq!(list(after, 10), empty_page(created));
	}
}

/// Checks that no list of a provider's rows has any, and that all carry `created`.
fn assert_provider_lists_nothing(provider: ProviderId, created: Option<Muid>) {
	assert_empty(created, PROVIDER_ADMIN, |after, limit| {
		ContentFabric::provider_keys(provider, after, limit)
	});
	assert_empty(created, NODE, |after, limit| ContentFabric::nodes(provider, after, limit));
}

/// Checks that no list of a tenant's rows has any, and that all carry `created`.
fn assert_tenant_lists_nothing(tenant: TenantId, created: Option<Muid>) {
	assert_empty(created, EDITOR, |after, limit| ContentFabric::tenant_keys(tenant, after, limit));
	assert_empty(created, KMS, |after, limit| ContentFabric::kmses(tenant, after, limit));
	assert_empty(created, OBJECT, |after, limit| {
		ContentFabric::content_objects(tenant, after, limit)
	});
	assert_empty(created, HEAD, |after, limit| {
		ContentFabric::versions(tenant, OBJECT, after, limit)
	});
	assert_empty(created, name(COLLECTION), |after, limit| {
		ContentFabric::collections(tenant, after, limit)
	});
	assert_empty(created, key(RECORD), |after, limit| {
		ContentFabric::records(tenant, name(COLLECTION).into(), after, limit)
	});
	assert_empty(created, key(RECORD), |after, limit| {
		ContentFabric::resolutions(tenant, name(COLLECTION).into(), after, limit)
	});
}
