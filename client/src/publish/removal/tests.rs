// SPDX-License-Identifier: Apache-2.0
use std::fs;

use content_fabric_identifiers::{Cid, ClockId, HashKind, Tid};

use super::*;
use crate::{
	manifest::Release,
	publish::{
		copies::Copies,
		plan::{Agreed, Failed, Plan, Topic},
		state::Presence,
	},
};

const TENANT: TenantId = TenantId([1; 10]);

fn object(name: &str) -> ContentObjectId {
	ids::content_object(TENANT, name)
}

fn version(number: u8) -> VersionId {
	VersionId([number; 32])
}

/// A tenant with files, each with these versions, of which the last one is the head. Each row has a
/// deposit of 1.
#[derive(Default)]
struct Tenant(OnChain);

impl Tenant {
	fn of(files: &[(&str, &[u8])]) -> Self {
		let mut tenant = Self::default();
		for (path, versions) in files {
			let (object, name) = (object(path), path.replace('/', ":"));
			for number in *versions {
				let id = version(*number);
				tenant.0.versions.insert((object, id), Presence::Finalized);
				tenant.0.held.versions.insert((object, id), 1);
				tenant.record(NAMES, &format!("{name}:v{number}"), object, Some(*number));
			}
			tenant.0.objects.insert(object, versions.last().map(|number| version(*number)));
			tenant.0.held.objects.insert(object, 1);
			tenant.record(NAMES, &name, object, None);
		}
		tenant
	}

	fn record(&mut self, collection: &str, key: &str, object: ContentObjectId, to: Option<u8>) {
		let target = ContentRef { object, version: to.map(version) };
		if collection == NAMES {
			self.0.names.insert(key.into(), target);
		}
		self.0.held.records.insert((collection.into(), key.into()), (target, 1));
	}

	fn plan(&self, removes: Removes<'_>, packages: &[Object]) -> Plan {
		self.plan_after(removes, packages, &Failed::default())
	}

	fn plan_after(&self, removes: Removes<'_>, packages: &[Object], failed: &Failed) -> Plan {
		self.plan_agreed(removes, packages, failed, None)
	}

	fn plan_agreed(
		&self,
		removes: Removes<'_>,
		packages: &[Object],
		failed: &Failed,
		agreed: Option<&Agreed>,
	) -> Plan {
		let run = Tid::new(1, ClockId::MAX).expect("it is within range; qed");
		let (tenant, are_files, folder, replaces, longest_key) = (TENANT, true, None, false, 100);
		let copies = Copies { nodes: &[], change: None };
		let subject = Subject {
			tenant,
			packages,
			are_files,
			folder,
			replaces,
			removes,
			copies,
			longest_key,
			run,
		};
		Plan::new(subject, &self.0, failed, agreed)
	}

	fn removed(&self, removal: &Removal) -> (Removed, Plan) {
		let plan = self.plan(Removes::Asked(removal), &[]);
		let (kept, not_found) = (plan.kept.clone(), plan.absent.clone());
		let mut removed = Removed { kept, not_found, ..Removed::default() };
		removed.count(&plan.items);
		(removed, plan)
	}

	fn without(&self, names: &[&str]) -> (Removed, Plan) {
		self.removed(&Removal::Names(names.iter().map(|name| (*name).to_owned()).collect()))
	}
}

/// Returns a file with this version.
fn package((name, hash): (&str, u8)) -> Object {
	let hash = Cid { hash: HashKind::Blake3, version: version(hash) };
	let (size, key) = (Some(1), name.replace('/', ":"));
	let release = Release { name: key, version: "new".into(), hash, size, is_head: true };
	Object { name: name.into(), id: None, releases: vec![release] }
}

/// Returns the numbers of versions, objects and records, and the names.
fn counts(removed: &Removed) -> (usize, usize, usize, Vec<&str>) {
	let names = removed.names.iter().map(String::as_str).collect();
	(removed.versions, removed.objects, removed.records, names)
}

#[test]
fn a_name_is_removed_with_all_of_its_versions_and_records_last() {
	let mut tenant = Tenant::of(&[("a", &[1, 2]), ("b", &[1]), ("d/e", &[3])]);
	tenant.record(RUNS, "3k", object("a"), None);
	tenant.record(RUNS, "3l", object("b"), None);
	let (removed, plan) = tenant.without(&["a"]);
	assert_eq!(counts(&removed), (2, 1, 4, vec!["a"]));
	assert_eq!((removed.heads, removed.deposits), (1, 7));
	let kinds: Vec<_> = plan.items.iter().map(Item::kind).collect();
	assert_eq!(kinds, [5, 5, 6, 7, 7, 7, 7]);
	let heads = plan.items.iter().filter_map(|item| match item {
		Item::DeleteVersion { version, is_head, .. } => Some((*version, *is_head)),
		_ => None,
	});
	let expected = [1, 2].map(|number| ((object("a"), version(number)), number == 2));
	assert_eq!(heads.collect::<Vec<_>>(), expected);
	// An interrupted run has left the records.
	tenant.0.objects.remove(&object("a"));
	tenant.0.versions.retain(|(of, _), _| *of != object("a"));
	let (removed, _) = tenant.without(&["a"]);
	assert_eq!(counts(&removed), (0, 0, 4, vec![]));
	assert_eq!(removed.dangling, ["names/a", "names/a:v1", "names/a:v2", "runs/3k"]);
}

#[test]
fn folders_versions_and_names_that_are_not_there() {
	let tenant = Tenant::of(&[("d", &[1]), ("d/e", &[2]), ("d/f/g", &[3]), ("de", &[4, 5])]);
	for (names, expected) in [
		(&["d"][..], vec!["d"]),
		(&["d/"], vec!["d/e", "d/f/g"]),
		(&["d/f"], vec!["d/f/g"]),
		(&["d:e", "d/f/"], vec!["d/e", "d/f/g"]),
		(&["d/f/g", "d/f/g", "d/f/"], vec!["d/f/g"]),
	] {
		let (removed, _) = tenant.without(names);
		assert_eq!(removed.names, expected, "{names:?}");
		assert!(removed.not_found.is_empty(), "{names:?}");
	}
	let (removed, _) = tenant.without(&["x", "d/e/", "", "de/v4", "de:v4"]);
	assert_eq!(counts(&removed), (1, 0, 1, vec!["de:v4"]));
	let absent = |removed: &Removed| {
		let all = removed.not_found.iter().map(|absent| absent.name.clone());
		all.collect::<Vec<_>>()
	};
	assert_eq!(absent(&removed), ["x", "d/e/", "", "de/v4"]);
	let (removed, _) = tenant.without(&["d/f/h", "D/F/G/"]);
	assert_eq!(removed.not_found[0].nearest, ["d/f/g"]);
	assert_eq!(removed.not_found[1].nearest, ["d/f/g"]);
	// A name has the key of another one.
	let (removed, _) = Tenant::of(&[("a~2b", &[1])]).without(&["a+", "a~2b"]);
	assert_eq!(
		(&removed.names[..], absent(&removed)),
		(&["a~2b".to_owned()][..], vec!["a+".into()])
	);
	// The head of an object that has a name stays.
	let (removed, _) = tenant.without(&["de:v5"]);
	assert_eq!(counts(&removed), (0, 0, 1, vec!["de:v5"]));
	let kept = Kept { name: "de:v5".into(), reason: "the record names/de leads to it".into() };
	assert_eq!(removed.kept, [kept]);
}

#[test]
fn content_to_which_another_record_leads_stays() {
	let mut tenant = Tenant::of(&[("a", &[1, 2]), ("b", &[1, 2])]);
	tenant.record("posts", "x", object("a"), None);
	tenant.record("posts", "y", object("b"), Some(1));
	let (removed, _) = tenant.without(&["a", "b"]);
	// Of `b`, the version that has no other name is removed, with the head.
	assert_eq!(counts(&removed), (1, 0, 6, vec!["a", "b"]));
	assert_eq!(removed.heads, 1);
	let kept = |name: &str, record: &str| Kept {
		name: name.into(),
		reason: format!("the record {record} leads to it"),
	};
	assert_eq!(removed.kept, [kept("a", "posts/x"), kept("b", "posts/y")]);
	let (all, _) = tenant.removed(&Removal::All);
	assert_eq!((counts(&all), &all.kept), (counts(&removed), &removed.kept));
}

#[test]
fn all_of_a_tenant_is_its_names_runs_and_what_has_no_name() {
	let mut tenant = Tenant::of(&[("a", &[1]), ("upload", &[2])]);
	tenant.0.held.records.retain(|(_, key), _| !key.starts_with("upload"));
	tenant.record(RUNS, "3k", object("a"), None);
	tenant.record("posts", "old", object("gone"), None);
	let (removed, _) = tenant.removed(&Removal::All);
	assert_eq!(counts(&removed), (2, 2, 3, vec!["a"]));
	assert_eq!(removed.unnamed, [object("upload")]);
	let (removed, _) = tenant.without(&["upload"]);
	assert_eq!((counts(&removed), removed.not_found.len()), ((1, 1, 0, vec![]), 0));
	let (removed, _) = tenant.removed(&Removal::Dangling);
	assert_eq!((removed.records, removed.dangling), (1, vec!["posts/old".to_owned()]));
	assert!(Tenant::default().removed(&Removal::All).0.is_empty());
}

#[test]
fn a_put_removes_what_its_folder_no_longer_has_and_nothing_else() {
	let dir = tempfile::tempdir().expect("there is room");
	let file = |name: &str| {
		let path = dir.path().join(name);
		fs::create_dir_all(path.parent().expect("it is in a folder")).expect("there is room");
		fs::write(path, name).expect("there is room");
	};
	["here", ".hidden", "became/folder", "file"].into_iter().for_each(file);
	let mut tenant = Tenant::of(&[
		("here", &[1]),
		(".hidden", &[2]),
		("gone/x", &[3]),
		("became", &[4]),
		("file/below", &[5]),
		("was:it", &[6]),
		("shared", &[7]),
	]);
	tenant.record(NAMES, "alias", object("shared"), None);
	tenant.record(NAMES, "lost", object("lost"), None);
	tenant.record("posts", "lost", object("lost"), None);
	let packages = [("here", 1), ("became/folder", 8), ("file", 9), ("was/it", 10)].map(package);
	let gone = Removes::Gone(dir.path());
	// A file that cannot be put may have had another name before.
	let failed = [Topic::Version((object("file"), version(9)))].into();
	assert!(tenant.plan_after(gone, &packages, &failed).removed().is_empty());
	let long = [package((&*"a".repeat(101), 11))];
	assert!(tenant.plan(gone, &long).removed().is_empty());
	let plan = tenant.plan(gone, &packages);
	assert!(plan.unnamed.is_empty(), "{:?}", plan.unnamed);
	let mut removed = Removed::default();
	removed.count(&plan.items);
	// The record of `was:it` is the one of `was/it` from now on.
	assert_eq!(removed.names, ["became", "file/below", "gone/x", "shared"]);
	assert_eq!((removed.versions, removed.objects), (4, 4));
	assert_eq!(removed.dangling, ["names/lost"]);
	let kept: Vec<_> = plan.kept.iter().map(|kept| (&*kept.name, &*kept.reason)).collect();
	assert_eq!(kept, [("shared", "the record names/alias leads to it")]);
	let moved = plan.items.iter().find_map(|item| match item {
		Item::Name { key, target, .. } if key == "was:it" => Some(target.object),
		_ => None,
	});
	assert_eq!(moved, Some(object("was/it")));
}

#[test]
fn all_rows_of_an_object_are_left_if_one_of_them_must_not_be_removed() {
	let tenant = Tenant::of(&[("a", &[1, 2]), ("b", &[1])]);
	let all = Removes::Asked(&Removal::All);
	let failed = [Topic::DeletedVersion((object("a"), version(1)))].into();
	let plan = tenant.plan_after(all, &[], &failed);
	assert!(plan.items.iter().all(|item| item.reduced() == Some(object("b"))), "{:?}", plan.items);
	assert_eq!(plan.items.len(), 4);
}

#[test]
fn rows_that_change_after_consent_stay_with_all_rows_of_their_object() {
	let mut tenant = Tenant::of(&[("a", &[1, 2]), ("b", &[1])]);
	let all = Removes::Asked(&Removal::All);
	let agreed = tenant.plan(all, &[]).removal;
	let left = |tenant: &Tenant| {
		let plan = tenant.plan_agreed(all, &[], &Failed::default(), Some(&agreed));
		let mut removed = Removed::default();
		removed.count(&plan.items);
		removed.names
	};
	assert_eq!(left(&tenant), ["a", "b"]);
	// Somebody has chosen another head, among those that are removed.
	tenant.0.objects.insert(object("a"), Some(version(1)));
	assert_eq!(left(&tenant), ["b"]);
	tenant.0.objects.insert(object("a"), None);
	assert_eq!(left(&tenant), ["a", "b"]);
	// Another version.
	tenant.0.versions.insert((object("b"), version(9)), Presence::Finalized);
	assert_eq!(left(&tenant), ["a"]);
	tenant.0.versions.remove(&(object("b"), version(9)));
	// A record that leads elsewhere.
	tenant.record(NAMES, "a", object("c"), None);
	assert_eq!(left(&tenant), ["b"]);
}

#[test]
fn the_record_of_a_removed_file_leads_to_another_one_only_once_the_file_is_gone() {
	let dir = tempfile::tempdir().expect("there is room");
	fs::create_dir(dir.path().join("was")).expect("there is room");
	fs::write(dir.path().join("was/it"), "1").expect("there is room");
	let mut tenant = Tenant::of(&[("was:it", &[6])]);
	let packages = [package(("was/it", 10))];
	let gone = Removes::Gone(dir.path());
	let plan = tenant.plan(gone, &packages);
	let agreed = plan.removal.clone();
	let stages: Vec<_> = plan.tasks().iter().map(|task| (task.stage, task.kind)).collect();
	// The version and its record are new. The old content goes before its record leads elsewhere.
	assert_eq!(
		(&stages[..], plan.looks_again),
		(&[(0, 1), (1, 3), (2, 4), (3, 5), (4, 6)][..], true)
	);
	assert!(plan.items.iter().all(|item| match item {
		Item::Name { key, is_new, waits, .. } =>
			(*is_new, *waits) == (key != "was:it", key == "was:it"),
		_ => true,
	}));
	// A crash has left the record, which leads nowhere. Whoever has agreed before need not again.
	tenant.0.versions.clear();
	tenant.0.objects.clear();
	for agreed in [None, Some(&agreed)] {
		let plan = tenant.plan_agreed(gone, &packages, &Failed::default(), agreed);
		assert!(plan.unnamed.is_empty(), "{:?}", plan.unnamed);
		let moved = |item: &Item| matches!(item, Item::Name { key, .. } if key == "was:it");
		assert!(plan.items.iter().any(moved), "{agreed:?}");
	}
	// Content that stays keeps its name.
	let tenant = Tenant::of(&[("was:it", &[6])]);
	let failed = [Topic::Version((object("was/it"), version(10)))].into();
	let plan = tenant.plan_after(gone, &packages, &failed);
	assert_eq!((plan.removed().len(), plan.spared > 0), (0, true));
	for (failed, agreed) in [
		([Topic::DeletedObject(object("was:it"))].into(), None),
		(Failed::default(), Some(&Agreed::default())),
	] {
		let plan = tenant.plan_agreed(gone, &packages, &failed, agreed);
		assert!(!plan.items.iter().any(|item| matches!(item, Item::Name { waits: true, .. })));
		assert_eq!(plan.unnamed.len(), 1, "{:?}", plan.unnamed);
	}
}
