//! The records of a tenant: names for its content, and one for each run.

use std::collections::BTreeMap;

use content_fabric_identifiers::{RecordKey, RecordKeyType, TenantId};

use super::{
	plan::OnChain,
	report::{PublishedRegistry, SkippedRecord},
};
use crate::{
	calls::{self, Call},
	ids,
	input::Registry,
	storage::{Collection, ContentRef, Syntax},
	Error,
};

/// The collection of the names of packages, alone and with a version.
pub const NAMES: &str = "names";
/// The collection of the runs.
pub const RUNS: &str = "runs";
/// In these collections a colon stands between a name and a version.
const SYNTAX: Syntax = Syntax::PathSegment;

/// Returns the collections that publishing needs, with the types of their keys.
pub fn collections() -> [(&'static str, RecordKeyType<String>); 2] {
	[(NAMES, RecordKeyType::Any), (RUNS, RecordKeyType::Tid)]
}

/// Returns the call that creates a collection, unless there is one with the same rules for keys.
pub fn ensure_collection(
	tenant: TenantId,
	name: &str,
	key_type: &RecordKeyType<String>,
	found: Option<Collection>,
) -> Result<Option<Call>, Error> {
	let Some(found) = found else {
		return Ok(Some(calls::create_collection(tenant, name, key_type, SYNTAX)));
	};
	let (found, syntax) = (found.key_type(), found.syntax);
	if found == *key_type && syntax == SYNTAX {
		return Ok(None);
	}
	Err(Error::Collection {
		tenant: tenant.to_string(),
		collection: name.into(),
		found: format!("{found} in the syntax {syntax}"),
		needed: format!("{key_type} in the syntax {SYNTAX}"),
	})
}

/// A record to be put.
#[derive(Clone, Debug)]
pub struct RecordPut {
	collection: &'static str,
	/// The key, or `None` for the chain to mint one.
	key: Option<String>,
	target: ContentRef,
}

/// Plans the records that are missing or lead elsewhere, and that of the run, which is the last.
/// Counts them. A name that is not a record key, or has more bytes than `longest`, gets no record.
pub fn plan(
	tenant: TenantId,
	registry: &Registry,
	on_chain: &OnChain,
	longest: usize,
	published: &mut PublishedRegistry,
) -> Vec<RecordPut> {
	let mut puts = Vec::new();
	for (key, target) in names(tenant, registry) {
		let invalid = match RecordKey::parse(&key, SYNTAX.into()) {
			Ok(_) if key.len() <= longest => None,
			Ok(_) => Some(format!("it has {} bytes, more than {longest}", key.len())),
			Err(reason) => Some(reason.to_string()),
		};
		if let Some(reason) = invalid {
			published.skipped_records.push(SkippedRecord { key, reason });
			continue;
		}
		match on_chain.names.get(key.as_bytes()) {
			Some(found) if *found == target => continue,
			Some(_) => published.records_updated += 1,
			None => published.records_added += 1,
		}
		puts.push(RecordPut { collection: NAMES, key: Some(key), target });
	}
	if let Some(name) = registry.keys().next_back() {
		puts.push(RecordPut { collection: RUNS, key: None, target: whole(tenant, name) });
	}
	puts
}

/// Returns the calls that put records: one for each collection.
pub fn calls_of(tenant: TenantId, puts: &[RecordPut]) -> Vec<Call> {
	let by_collection = puts.chunk_by(|a, b| a.collection == b.collection);
	by_collection
		.map(|puts| {
			let records = puts.iter().map(|put| (put.key.as_deref(), put.target));
			calls::put_records(tenant, puts[0].collection, records)
		})
		.collect()
}

/// Returns what the names of a registry lead to, by key. Of several releases with the same version
/// it is the last one.
fn names(tenant: TenantId, registry: &Registry) -> BTreeMap<String, ContentRef> {
	let mut names = BTreeMap::new();
	for (name, releases) in registry {
		let target = whole(tenant, name);
		names.insert(name.clone(), target);
		for release in releases {
			let target = ContentRef { version: Some(release.checksum.0), ..target };
			names.insert(format!("{name}:{}", release.version), target);
		}
	}
	names
}

/// Returns a package as a whole: its head, whichever that is.
fn whole(tenant: TenantId, name: &str) -> ContentRef {
	ContentRef { object: ids::content_object(tenant, name).0, version: None }
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::VersionId;

	use super::*;
	use crate::input::Release;

	const TENANT: TenantId = TenantId([1; 10]);
	/// The length of the longest name.
	const LONGEST: usize = "a:1.0+meta".len();

	fn release(version: &str, checksum: u8) -> Release {
		Release { version: version.into(), checksum: VersionId([checksum; 32]), size: None }
	}

	fn registry() -> Registry {
		let a = vec![release("1.0", 1), release("1.0+meta", 2), release("1.1", 3)];
		let b = vec![release("1", 4), release("1", 5)];
		let c = vec![release("4", 6)];
		BTreeMap::from([("a".to_owned(), a), ("b".to_owned(), b), ("g++".to_owned(), c)])
	}

	#[test]
	fn names_lead_to_objects_and_names_with_versions_to_versions() {
		let names = names(TENANT, &registry());
		let keys: Vec<_> = names.keys().map(String::as_str).collect();
		assert_eq!(keys, ["a", "a:1.0", "a:1.0+meta", "a:1.1", "b", "b:1", "g++", "g++:4"]);
		assert_eq!(names["a"], whole(TENANT, "a"));
		assert_eq!(names["a:1.0"], ContentRef { version: Some([1; 32]), ..whole(TENANT, "a") });
		assert_eq!(names["b:1"].version, Some([5; 32]));
	}

	#[test]
	fn unchanged_records_and_invalid_keys_are_left_out() {
		let mut published = PublishedRegistry::default();
		let mut present: BTreeMap<_, _> = names(TENANT, &registry())
			.into_iter()
			.map(|(key, target)| (key.into_bytes(), target))
			.collect();
		present.insert(b"a:1.1".to_vec(), whole(TENANT, "b"));
		present.remove(&b"b"[..]);
		let on_chain = OnChain { names: present, ..Default::default() };
		let puts = plan(TENANT, &registry(), &on_chain, LONGEST, &mut published);
		assert_eq!((published.records_added, published.records_updated), (1, 1));
		let keys: Vec<_> = puts.iter().map(|put| put.key.as_deref()).collect();
		assert_eq!(keys, [Some("a:1.1"), Some("b"), None], "the run comes last");
		let skipped: Vec<_> =
			published.skipped_records.iter().map(|skipped| skipped.key.as_str()).collect();
		assert_eq!(skipped, ["a:1.0+meta", "g++", "g++:4"]);
	}

	#[test]
	fn names_that_are_too_long_for_the_chain_get_no_record() {
		let mut published = PublishedRegistry::default();
		let puts = plan(TENANT, &registry(), &OnChain::default(), 1, &mut published);
		let keys: Vec<_> = puts.iter().map(|put| put.key.as_deref()).collect();
		assert_eq!(keys, [Some("a"), Some("b"), None]);
		let skipped = published.skipped_records.iter().find(|skipped| skipped.key == "a:1.0");
		let reason = skipped.map(|skipped| skipped.reason.as_str());
		assert_eq!(reason, Some("it has 5 bytes, more than 1"));
	}

	#[test]
	fn each_collection_has_one_call() {
		let mut published = PublishedRegistry::default();
		let puts = plan(TENANT, &registry(), &OnChain::default(), LONGEST, &mut published);
		assert_eq!((puts.len(), published.records_added), (6, 5));
		assert_eq!(calls_of(TENANT, &puts).len(), 2);
		assert_eq!(calls_of(TENANT, &puts[..5]).len(), 1);
		assert_eq!(calls_of(TENANT, &puts[5..]).len(), 1);
		assert!(calls_of(TENANT, &[]).is_empty());
	}

	#[test]
	fn missing_collections_are_created_and_those_of_another_type_are_refused() {
		let any = RecordKeyType::Any;
		let ensure = |found: Option<RecordKeyType<Vec<u8>>>, syntax| {
			let found = found.map(|key_type| Collection { key_type, syntax, record_count: 0 });
			ensure_collection(TENANT, NAMES, &any, found)
		};
		assert!(ensure(None, SYNTAX).is_ok_and(|call| call.is_some()));
		assert!(ensure(Some(RecordKeyType::Any), SYNTAX).is_ok_and(|call| call.is_none()));
		assert!(ensure(Some(RecordKeyType::Any), Syntax::Unreserved).is_err());
		let refused = ensure(Some(RecordKeyType::Nsid), SYNTAX).expect_err("its keys are NSIDs");
		assert!(refused
			.to_string()
			.ends_with("nsid in the syntax path-segment, not any in the syntax path-segment"));
	}
}
