//! The records of a tenant: names for its content, and one for each run.

use std::collections::BTreeMap;

use content_fabric_identifiers::{RecordKey, RecordKeyType, TenantId};

use super::{
	plan::OnChain,
	report::{PublishedRegistry, SkippedRecord},
	step::{Step, SYNTAX},
	BATCH,
};
use crate::{
	content::Registry,
	ids,
	storage::{Collection, ContentRef},
	Error,
};

/// The collection of the names of packages, alone and with a version.
pub const NAMES: &str = "names";
/// The collection of the runs.
pub const RUNS: &str = "runs";

/// The records that are missing or lead elsewhere, and that of the run, which comes last.
#[derive(Default)]
pub struct RecordPlan {
	steps: Vec<Step>,
}

impl RecordPlan {
	/// Plans for the packages of a registry, and counts what is planned. What has a name that is no
	/// record key goes without a record.
	pub fn new(
		tenant: TenantId,
		registry: &Registry,
		on_chain: &OnChain,
		published: &mut PublishedRegistry,
	) -> Result<Self, Error> {
		let mut plan = Self::default();
		plan.ensure_collection(tenant, NAMES, RecordKeyType::Any, on_chain)?;
		plan.ensure_collection(tenant, RUNS, RecordKeyType::Tid, on_chain)?;
		for (key, target) in names(tenant, registry) {
			if let Err(reason) = RecordKey::parse(&key, SYNTAX.into()) {
				let reason = reason.to_string();
				published.skipped_records.push(SkippedRecord { key, reason });
				continue;
			}
			match on_chain.names.get(key.as_bytes()) {
				Some(found) if *found == target => continue,
				Some(_) => published.records_updated += 1,
				None => published.records_added += 1,
			}
			plan.steps.push(Step::PutRecord(NAMES, Some(key), target));
		}
		if let Some(name) = registry.keys().next_back() {
			plan.steps.push(Step::PutRecord(RUNS, None, whole(tenant, name)));
		}
		Ok(plan)
	}

	/// Number of calls.
	pub fn len(&self) -> usize {
		self.steps.len()
	}

	/// The calls by transaction.
	pub fn batches(&self) -> impl Iterator<Item = &[Step]> {
		self.steps.chunks(BATCH)
	}

	/// Adds a collection if it is missing. One that is there must be of the same kind.
	fn ensure_collection(
		&mut self,
		tenant: TenantId,
		name: &'static str,
		key_type: RecordKeyType<String>,
		on_chain: &OnChain,
	) -> Result<(), Error> {
		let Some(Collection { key_type: found, syntax, .. }) =
			on_chain.collections.get(name.as_bytes())
		else {
			self.steps.push(Step::CreateCollection(name, key_type));
			return Ok(());
		};
		let found = RecordKeyType::<String>::from(found.clone());
		if found == key_type && *syntax == SYNTAX {
			return Ok(());
		}
		Err(Error::Collection {
			tenant: tenant.to_string(),
			collection: name.into(),
			found: format!("{found} in the syntax {syntax}"),
			needed: format!("{key_type} in the syntax {SYNTAX}"),
		})
	}
}

/// What the names of a registry lead to, by key. Of several releases with the same version it is
/// the last one.
fn names(tenant: TenantId, registry: &Registry) -> BTreeMap<String, ContentRef> {
	let mut names = BTreeMap::new();
	for (name, releases) in registry {
		let target = whole(tenant, name);
		names.insert(name.clone(), target);
		for release in releases {
			let target = ContentRef { version: Some(release.checksum), ..target };
			names.insert(format!("{name}:{}", release.version), target);
		}
	}
	names
}

/// A package as a whole, whichever its head is.
fn whole(tenant: TenantId, name: &str) -> ContentRef {
	ContentRef { object: ids::content_object(tenant, name).0, version: None }
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::{
		content::Release,
		storage::{KeyType, Syntax},
	};

	const TENANT: TenantId = TenantId([1; 10]);

	fn release(version: &str, checksum: u8) -> Release {
		Release { version: version.into(), checksum: [checksum; 32], size: None }
	}

	fn registry() -> Registry {
		let a = vec![release("1.0", 1), release("1.0+meta", 2), release("1.1", 3)];
		let b = vec![release("1", 4), release("1", 5)];
		let c = vec![release("4", 6)];
		BTreeMap::from([("a".to_owned(), a), ("b".to_owned(), b), ("g++".to_owned(), c)])
	}

	fn on_chain(names: BTreeMap<Vec<u8>, ContentRef>, key_type: KeyType) -> OnChain {
		let collection =
			|key_type| Collection { key_type, syntax: Syntax::PathSegment, record_count: 0 };
		OnChain {
			objects: BTreeMap::new(),
			versions: BTreeMap::new(),
			collections: BTreeMap::from([
				(NAMES.as_bytes().to_vec(), collection(key_type)),
				(RUNS.as_bytes().to_vec(), collection(KeyType::Tid)),
			]),
			names,
		}
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
	fn only_what_is_missing_or_leads_elsewhere_is_put_and_no_key_is_tried_that_is_none() {
		let mut published = PublishedRegistry::default();
		let mut present: BTreeMap<_, _> = names(TENANT, &registry())
			.into_iter()
			.map(|(key, target)| (key.into_bytes(), target))
			.collect();
		present.insert(b"a:1.1".to_vec(), whole(TENANT, "b"));
		present.remove(&b"b"[..]);
		let on_chain = on_chain(present, KeyType::Any);
		let plan = RecordPlan::new(TENANT, &registry(), &on_chain, &mut published)
			.expect("the collections are as they must be");
		assert_eq!((published.records_added, published.records_updated), (1, 1));
		// Those two, and the run.
		assert_eq!(plan.len(), 3);
		let skipped: Vec<_> =
			published.skipped_records.iter().map(|skipped| skipped.key.as_str()).collect();
		assert_eq!(skipped, ["a:1.0+meta", "g++", "g++:4"]);
		assert_eq!(plan.batches().count(), 1);
	}

	#[test]
	fn collections_are_added_and_those_of_another_kind_are_refused() {
		let mut published = PublishedRegistry::default();
		let mut empty = on_chain(BTreeMap::new(), KeyType::Any);
		empty.collections.clear();
		let plan = RecordPlan::new(TENANT, &registry(), &empty, &mut published)
			.expect("there is nothing in the way");
		// Two collections, five names that are record keys, and the run.
		assert_eq!((plan.len(), published.records_added), (8, 5));

		let other = on_chain(BTreeMap::new(), KeyType::Nsid);
		let refused = RecordPlan::new(TENANT, &registry(), &other, &mut published).map(drop);
		let refused = refused.expect_err("it is of another kind").to_string();
		assert!(refused
			.ends_with("nsid in the syntax path-segment, not any in the syntax path-segment"));
	}

	#[test]
	fn calls_are_cut_into_batches_in_their_order() {
		let step = Step::PutRecord(RUNS, None, whole(TENANT, "a"));
		let plan = RecordPlan { steps: vec![step; 2 * BATCH + 1] };
		let lengths: Vec<_> = plan.batches().map(<[_]>::len).collect();
		assert_eq!(lengths, [BATCH, BATCH, 1]);
		assert!(RecordPlan::default().batches().next().is_none());
	}
}
