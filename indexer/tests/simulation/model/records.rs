// SPDX-License-Identifier: Apache-2.0
//! Collections and their records.

use content_fabric_client::{
	chain::rows::{Collection, Record},
	text::Text,
};
use content_fabric_identifiers::{ClockId, RecordKeySyntax, RecordKeyType, TenantId, Tid};
use content_fabric_indexer::{
	rows::{Map, RowKey},
	source::FabricEvent as E,
};
use content_fabric_primitives::ContentRef;
use rand::seq::{IndexedRandom, IteratorRandom};

use super::block::Making;

/// Names of collections.
const NAMES: [&str; 3] = ["crates", "posts", "Names.x"];
/// Record keys that are no TIDs. Some have the same words, or differ in case only.
const KEYS: [&str; 7] =
	["serde", "Serde", "serde_json-1.0.228", "a.b:c~d-e", "README", "tokio..1", "_"];
/// Number of TIDs that are used as record keys.
const TIDS: u8 = 8;

fn text(text: &str) -> Text {
	Text(text.into())
}

pub fn add_collection(making: &mut Making<'_>, tenant: TenantId) -> Option<()> {
	let collection = text(NAMES.choose(making.rng)?);
	let row = Collection {
		key_type: match making.below(4) {
			0 | 1 => RecordKeyType::Tid,
			2 => RecordKeyType::Any,
			_ => RecordKeyType::Literal(text("serde")),
		},
		syntax: RecordKeySyntax::PathSegment,
		record_count: 0,
		deposit: 10,
		created: making.fabric.mint(),
	};
	let key = RowKey::Collection(tenant, collection.clone());
	making.create(key, row, E::CollectionCreated { tenant, collection })
}

pub fn delete_collection(making: &mut Making<'_>) -> Option<()> {
	let (key, (tenant, collection)) = making.open(Map::Collections)?;
	// A small one is emptied first, and may be created again with keys of another type.
	if making.fabric.get::<Collection>(&key)?.record_count > 2 {
		return None;
	}
	for record in records_of(making, tenant, &collection) {
		remove_record(making, record);
	}
	making.delete(&key, E::CollectionDeleted { tenant, collection });
	if making.chance(0.3) {
		add_collection(making, tenant);
	}
	Some(())
}

/// Returns the keys of the records of a collection.
fn records_of(making: &Making<'_>, tenant: TenantId, name: &Text) -> Vec<RowKey> {
	let records = making.fabric.rows(Map::Records).map(|(key, _)| key);
	let is_in = |key: &&RowKey| match key {
		RowKey::Record(of, collection, _) => *of == tenant && collection == name,
		_ => false,
	};
	records.filter(is_in).cloned().collect()
}

/// Puts some records into a collection.
pub fn put(making: &mut Making<'_>) -> Option<()> {
	let (key, (tenant, collection)) = making.open::<(_, Text)>(Map::Collections)?;
	let row: Collection = making.fabric.get(&key)?;
	for _ in 0..=making.below(4) {
		let (key, target) = (record_key(making, &row)?, target(making, tenant)?);
		let at = RowKey::Record(tenant, collection.clone(), key.clone());
		let updated = making.fabric.mint();
		let created = making.fabric.get::<Record>(&at).map_or(updated, |record| record.created);
		making.put(at, Record { target, created, updated, deposit: 10 });
		making.deposit(E::RecordPut { tenant, collection: collection.clone(), key, target });
	}
	Some(())
}

/// Returns a record key that a collection may have.
fn record_key(making: &mut Making<'_>, row: &Collection) -> Option<Text> {
	let number = u64::from(making.below(TIDS));
	let tid = Tid::new(1_700_000_000_000_000 + number * 7_777_777, ClockId::default())
		.expect("is in range");
	match &row.key_type {
		RecordKeyType::Literal(literal) => Some(literal.clone()),
		RecordKeyType::Any if making.chance(0.8) => KEYS.choose(making.rng).map(|key| text(key)),
		_ => Some(Text(tid.to_text().to_vec())),
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
	let (_, (tenant, name, _)): (_, (_, _, Text)) = making.open(Map::Records)?;
	let number = usize::from(making.below(3)) + 1;
	for record in records_of(making, tenant, &name).into_iter().choose_multiple(making.rng, number)
	{
		remove_record(making, record);
	}
	Some(())
}

fn remove_record(making: &mut Making<'_>, record: RowKey) {
	if let RowKey::Record(tenant, collection, key) = record.clone() {
		making.delete(&record, E::RecordDeleted { tenant, collection, key });
	}
}
