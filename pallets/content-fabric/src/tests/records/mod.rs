// SPDX-License-Identifier: Apache-2.0
//! Collections and their records: which keys they have, how lists of records are put and deleted,
//! and what records lead to.

mod batches;
mod collections;
mod keys;
mod targets;

use frame_support::{assert_ok, dispatch::DispatchResult};

use crate::{
	identifiers::{RecordKeySyntax, Tid, VersionId},
	mock::*,
	Call, Collections, ContentRef, Event, RecordInfoOf, RecordKeyOf, RecordKeyTypeOf, Records,
	Resolution,
};

/// A TID that no chain of these tests mints.
const TID: &str = "3jui7kd54zh2y";

fn create(
	collection: &str,
	key_type: RecordKeyTypeOf<Test>,
	syntax: RecordKeySyntax,
) -> DispatchResult {
	let (tenant, name) = (TENANT, name(collection));
	dispatch(TENANT_ROOT, Call::create_collection { tenant, name, key_type, syntax })
}

fn delete_collection(collection: &str) -> DispatchResult {
	ContentFabric::delete_collection(signed(TENANT_ROOT), TENANT, name(collection))
}

/// Puts records into a collection. The chain mints the keys that are `None`.
fn put_into(collection: &str, records: &[(Option<&str>, ContentRef)]) -> DispatchResult {
	let records: Vec<_> = records.iter().map(|(text, target)| (text.map(key), *target)).collect();
	let (tenant, collection, records) = (TENANT, name(collection), bounded(records));
	dispatch(TENANT_ROOT, Call::put_records { tenant, collection, records })
}

/// Puts records of the whole object under these keys.
fn put_keys(collection: &str, keys: &[&str]) -> DispatchResult {
	let records: Vec<_> = keys.iter().map(|text| (Some(*text), whole_object())).collect();
	put_into(collection, &records)
}

fn delete(collection: &str, keys: &[&str]) -> DispatchResult {
	let keys: Vec<_> = keys.iter().map(|text| key(text)).collect();
	let (tenant, collection, keys) = (TENANT, name(collection), bounded(keys));
	dispatch(TENANT_ROOT, Call::delete_records { tenant, collection, keys })
}

/// Has the chain mint the keys of this many records, with one call.
fn mint(collection: &str, count: usize) -> Vec<Tid> {
	let before = events().len();
	assert_ok!(put_into(collection, &vec![(None, whole_object()); count]));
	let minted = events().split_off(before);
	assert_eq!(minted.len(), count);
	let tids = minted.into_iter().map(|event| {
		let Event::RecordPut { tenant, collection: of, key, target } = event else {
			panic!("every record that is put has an event");
		};
		assert_eq!((tenant, of, target), (TENANT, name(collection), whole_object()));
		assert!(Records::<Test>::contains_key((TENANT, name(collection), key.clone())));
		Tid::from_text(&key).expect("a minted key is a TID")
	});
	tids.collect()
}

/// Returns one version of [`OBJECT`] as what a record names.
fn one_version(version: VersionId) -> ContentRef {
	ContentRef { object: OBJECT, version: Some(version) }
}

fn record(collection: &str, text: &str) -> Option<RecordInfoOf<Test>> {
	Records::<Test>::get((TENANT, name(collection), key(text)))
}

fn resolve(collection: &str, text: &str) -> Option<Resolution> {
	ContentFabric::resolve(TENANT, name(collection).into(), key(text).into())
}

fn record_count(collection: &str) -> Option<u32> {
	Collections::<Test>::get(TENANT, name(collection)).map(|info| info.record_count)
}

/// Returns the keys of a collection's records, in order.
fn keys_of(collection: &str) -> Vec<RecordKeyOf<Test>> {
	let rows = Records::<Test>::iter_prefix((TENANT, &name(collection)));
	let mut keys: Vec<_> = rows.map(|(key, _)| key).collect();
	keys.sort();
	keys
}

/// Returns the number of rows under [`TENANT`].
fn rows() -> u32 {
	ContentFabric::rows(THE_TENANT).expect("the tenant exists")
}

/// Returns what a record of [`OBJECT`] leads to in the small fabric.
fn the_head() -> Option<Resolution> {
	Some(Resolution::Content(one_version(HEAD)))
}

/// Returns the event of a record that was put.
fn was_put(collection: &str, text: &str, target: ContentRef) -> Event<Test> {
	let (collection, key) = (name(collection), key(text));
	Event::RecordPut { tenant: TENANT, collection, key, target }
}

/// Returns the event of a record that was deleted.
fn was_deleted(collection: &str, text: &str) -> Event<Test> {
	Event::RecordDeleted { tenant: TENANT, collection: name(collection), key: key(text) }
}
