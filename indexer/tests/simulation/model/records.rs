// SPDX-License-Identifier: Apache-2.0
//! Collections and their records.

use content_fabric_client::{
	chain::rows::{Collection, Record},
	text::Text,
};
use content_fabric_identifiers::{RecordKeySyntax, RecordKeyType, TenantId, Tid};
use content_fabric_indexer::{
	rows::{Map, RowKey, RowValue},
	source::FabricEvent as E,
};
use content_fabric_primitives::ContentRef;
use rand::seq::IteratorRandom;

use super::{
	block::Making,
	members::{count, is_open, may_shrink, open_tenant},
};

/// Names of collections.
const NAMES: [&str; 3] = ["crates", "posts", "Names.x"];
/// Record keys that are no TIDs. Some have the same words, or differ in case only.
const KEYS: [&str; 7] =
	["serde", "Serde", "serde_json-1.0.228", "a.b:c~d-e", "README", "tokio..1", "_"];
/// Number of TIDs that are used as record keys.
const TIDS: u8 = 8;

pub fn create_collection(making: &mut Making<'_>) -> Option<()> {
	let tenant = open_tenant(making)?;
	add_collection(making, tenant)
}

pub fn add_collection(making: &mut Making<'_>, tenant: TenantId) -> Option<()> {
	let name = Text(NAMES.iter().choose(making.rng)?.as_bytes().to_vec());
	if making.fabric.collection(tenant, &name).is_some() {
		return None;
	}
	let row = Collection {
		key_type: match making.below(4) {
			0 | 1 => RecordKeyType::Tid,
			2 => RecordKeyType::Any,
			_ => RecordKeyType::Literal(Text(b"serde".to_vec())),
		},
		syntax: RecordKeySyntax::PathSegment,
		record_count: 0,
		deposit: 10,
	};
	count(making, tenant.into(), Map::Collections, 1);
	put_collection(making, tenant, &name, row);
	making.deposit(E::CollectionCreated { tenant, collection: name });
	Some(())
}

fn put_collection(making: &mut Making<'_>, tenant: TenantId, name: &Text, row: Collection) {
	making.fabric.put(RowKey::Collection(tenant, name.clone()), RowValue::Collection(row));
}

pub fn delete_collection(making: &mut Making<'_>) -> Option<()> {
	let RowKey::Collection(tenant, name) = making.some(Map::Collections)? else { return None };
	making.fabric.member(tenant.into()).filter(may_shrink)?;
	let mut row = making.fabric.collection(tenant, &name)?;
	// A small one is emptied first, and may be created again with keys of another type.
	if row.record_count > 2 {
		return None;
	}
	for key in keys_of(making, tenant, &name) {
		remove_record(making, tenant, &name, &mut row, key);
	}
	making.fabric.remove(&RowKey::Collection(tenant, name.clone()));
	count(making, tenant.into(), Map::Collections, -1);
	making.deposit(E::CollectionDeleted { tenant, collection: name });
	if making.chance(0.3) && making.fabric.member(tenant.into()).is_some_and(|it| is_open(&it)) {
		add_collection(making, tenant);
	}
	Some(())
}

/// Returns the keys of the records of a collection.
fn keys_of(making: &Making<'_>, tenant: TenantId, name: &Text) -> Vec<Text> {
	let records = making.fabric.rows(Map::Records).filter_map(|(key, _)| match key {
		RowKey::Record(of, collection, key) if *of == tenant && collection == name => {
			Some(key.clone())
		},
		_ => None,
	});
	records.collect()
}

/// Puts some records into a collection.
pub fn put(making: &mut Making<'_>) -> Option<()> {
	let RowKey::Collection(tenant, name) = making.some(Map::Collections)? else { return None };
	making.fabric.member(tenant.into()).filter(is_open)?;
	let mut row = making.fabric.collection(tenant, &name)?;
	let before = row.record_count;
	for _ in 0..=making.below(4) {
		let key = record_key(making, &row)?;
		let Some(target) = target(making, tenant) else { break };
		let at = RowKey::Record(tenant, name.clone(), key.clone());
		if !making.fabric.has(&at) {
			row.record_count += 1;
			count(making, tenant.into(), Map::Records, 1);
		}
		making.fabric.put(at, RowValue::Record(Record { target, deposit: 10 }));
		making.deposit(E::RecordPut { tenant, collection: name.clone(), key });
	}
	if row.record_count != before {
		put_collection(making, tenant, &name, row);
	}
	Some(())
}

/// Returns a record key that a collection may have.
fn record_key(making: &mut Making<'_>, row: &Collection) -> Option<Text> {
	let tid = |number: u8| {
		let text = Tid::from_u64((1_700_000_000_000_000 + u64::from(number) * 7_777_777) << 10);
		Text(text.to_text().to_vec())
	};
	let any = |making: &mut Making<'_>| {
		KEYS.iter().choose(making.rng).map(|key| Text(key.as_bytes().to_vec()))
	};
	match &row.key_type {
		RecordKeyType::Tid => Some(tid(making.below(TIDS))),
		RecordKeyType::Literal(literal) => Some(literal.clone()),
		_ if making.chance(0.2) => Some(tid(making.below(TIDS))),
		_ => any(making),
	}
}

/// Returns some content of a tenant.
fn target(making: &mut Making<'_>, tenant: TenantId) -> Option<ContentRef> {
	let targets = making.fabric.keys().filter_map(|key| match key {
		RowKey::ContentObject(of, object) if *of == tenant => {
			Some(ContentRef { object: *object, version: None })
		},
		RowKey::Version(of, object, version) if *of == tenant => {
			Some(ContentRef { object: *object, version: Some(*version) })
		},
		_ => None,
	});
	targets.choose(making.rng)
}

/// Deletes some records of a collection.
pub fn delete(making: &mut Making<'_>) -> Option<()> {
	let RowKey::Record(tenant, name, _) = making.some(Map::Records)? else { return None };
	making.fabric.member(tenant.into()).filter(may_shrink)?;
	let mut row = making.fabric.collection(tenant, &name)?;
	let number = usize::from(making.below(3)) + 1;
	for key in keys_of(making, tenant, &name).into_iter().choose_multiple(making.rng, number) {
		remove_record(making, tenant, &name, &mut row, key);
	}
	put_collection(making, tenant, &name, row);
	Some(())
}

/// Removes a record. The caller writes the collection.
fn remove_record(
	making: &mut Making<'_>,
	tenant: TenantId,
	name: &Text,
	row: &mut Collection,
	key: Text,
) {
	making.fabric.remove(&RowKey::Record(tenant, name.clone(), key.clone()));
	row.record_count -= 1;
	count(making, tenant.into(), Map::Records, -1);
	making.deposit(E::RecordDeleted { tenant, collection: name.clone(), key });
}
