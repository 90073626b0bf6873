// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use content_fabric_identifiers::{Cid, ClockId, HashKind, ProviderId};
use rand::{rngs::StdRng, Rng};

use super::*;
use crate::publish::CopiesChange;
use crate::{ids, record_names::path_of, samples::trees};

const TENANT: TenantId = TenantId([1; 10]);

fn release(version: &str, hash: u8) -> Release {
	let hash = Cid { hash: HashKind::Blake3, version: VersionId([hash; 32]) };
	let version = version.into();
	Release { name: String::new(), version, hash, size: Some(9), is_head: false }
}

/// Returns objects whose records have their names. The last release of each is its head.
fn objects(packages: &[(&str, &[Release])]) -> Vec<Object> {
	let object = |(name, releases): &(&str, &[Release])| {
		let mut releases = releases.to_vec();
		for release in &mut releases {
			release.name = name.replace('/', ":");
		}
		releases.last_mut().expect("an object has a release").is_head = true;
		Object { name: (*name).to_owned(), id: None, releases }
	};
	packages.iter().map(object).collect()
}

fn run() -> Tid {
	Tid::new(1, ClockId::MAX).expect("it is within range; qed")
}

fn object(name: &str) -> ContentObjectId {
	ids::content_object(TENANT, name)
}

fn key(name: &str, checksum: u8) -> VersionKey {
	(object(name), VersionId([checksum; 32]))
}

fn unfinalized(node: u8) -> Presence {
	Presence::Unfinalized { node: NodeId([node; 10]), sets_head: false }
}

fn subject(packages: &[Object]) -> Subject<'_> {
	Subject {
		tenant: TENANT,
		packages,
		are_files: false,
		folder: None,
		replaces: false,
		removes: Removes::Nothing,
		copies: Copies { nodes: &[], change: None },
		longest_key: 100,
		run: run(),
	}
}

impl Plan {
	fn count(&self, is_of_kind: impl Fn(&Item) -> bool) -> usize {
		self.items.iter().filter(|item| is_of_kind(item)).count()
	}
}

/// Does what is planned, except for the run.
fn apply(plan: &Plan, on_chain: &mut OnChain) {
	for item in &plan.items {
		match item {
			Item::Commit { draft, .. } => {
				let head = on_chain.objects.entry(draft.object).or_default();
				if draft.set_head_on_finalize {
					*head = Some(draft.version);
				}
				let key = (draft.object, draft.version);
				assert_eq!(on_chain.versions.insert(key, Presence::Finalized), None);
			},
			Item::Finalize { version, .. } => {
				on_chain.versions.insert(*version, Presence::Finalized);
			},
			Item::Head { version: (object, version), .. } => {
				on_chain.objects.insert(*object, Some(*version));
			},
			Item::Name { key, target, .. } => {
				on_chain.names.insert(key.clone(), *target);
			},
			_ => {},
		}
	}
}

fn plan(subject: Subject<'_>, on_chain: &OnChain) -> Plan {
	Plan::new(subject, on_chain, &Failed::default(), None)
}

fn publish_as(subject: Subject<'_>, on_chain: &mut OnChain) -> Plan {
	let plan = plan(subject, on_chain);
	apply(&plan, on_chain);
	plan
}

fn publish(packages: &[(&str, &[Release])], on_chain: &mut OnChain) -> Plan {
	publish_as(subject(&objects(packages)), on_chain)
}

#[test]
fn records_wait_for_commits_and_the_run_for_all() {
	let releases = [release("1.0.0", 1), release("1.1.0", 2)];
	let packages = objects(&[("a", &releases[..]), ("b", &releases[..1])]);
	let plan = plan(subject(&packages), &OnChain::default());
	let tasks: Vec<_> = plan.tasks().iter().map(|task| (task.kind, task.stage)).collect();
	assert_eq!(tasks[..3], [(1, 0); 3]);
	assert_eq!(tasks[3..], [[(3, 1); 5].as_slice(), &[(4, 2)]].concat());
	let heads = plan.items.iter().filter_map(|item| match item {
		Item::Commit { draft, .. } => Some(draft.set_head_on_finalize),
		_ => None,
	});
	assert_eq!(heads.collect::<Vec<_>>(), [false, true, true]);
	let run = Item::Run { key: run(), target: ContentRef { object: object("b"), version: None } };
	assert_eq!(plan.items.last(), Some(&run));
	let on_chain = OnChain { has_run: true, ..OnChain::default() };
	let again = self::plan(subject(&packages), &on_chain);
	assert_eq!(again.items, plan.items[..plan.items.len() - 1]);
}

#[test]
fn present_versions_get_the_copies_that_they_lack_and_others_only_if_selected() {
	let packages = objects(&[("a", &[release("1", 1)]), ("b", &[release("1", 2)])]);
	let nodes = [1, 2].map(|node| (ProviderId([3; 10]), NodeId([node; 10])));
	let lack = |node: usize| Lack { node: nodes[node], is_new: node == 0 };
	let mut on_chain = OnChain::default();
	for (name, version) in [("a", 1), ("b", 2), ("c", 3)] {
		on_chain.objects.insert(object(name), Some(key(name, version).1));
		on_chain.versions.insert(key(name, version), Presence::Finalized);
	}
	on_chain.lacks.insert(key("a", 1), vec![lack(0), lack(1)]);
	on_chain.lacks.insert(key("c", 3), vec![lack(0)]);
	let copies = |plan: Plan| {
		let copies = plan.items.into_iter().filter_map(|item| match item {
			Item::Copy { version, lack, removes, place } => {
				Some((version, lack.node, removes, place.map(|place| place.package)))
			},
			_ => None,
		});
		copies.collect::<Vec<_>>()
	};
	let asked = Copies { nodes: &nodes, change: None };
	let subject = Subject { copies: asked, ..subject(&packages) };
	let a = key("a", 1);
	let plan = plan(subject, &on_chain);
	assert_eq!(copies(plan), [(a, nodes[0], false, Some(0)), (a, nodes[1], false, Some(0))]);
	let failed = Failed::from([Topic::Copy(a, nodes[0])]);
	let left = copies(Plan::new(subject, &on_chain, &failed, None));
	assert_eq!(left, [(a, nodes[1], false, Some(0))]);

	// The copies of a node follow one another.
	let c = key("c", 3);
	for (versions, expected) in [
		(None, vec![nodes[0], nodes[0], nodes[1]]),
		(Some([c].into()), vec![nodes[0]]),
		(Some([key("b", 2)].into()), vec![]),
	] {
		let change = CopiesChange { removes: true, nodes: nodes.to_vec(), versions };
		let copies_of = Copies { nodes: &nodes, change: Some(&change) };
		let planned = Plan::new(
			Subject { packages: &[], copies: copies_of, ..subject },
			&on_chain,
			&Failed::new(),
			None,
		);
		assert_eq!(planned.removed().len(), expected.len());
		let found = copies(planned).into_iter();
		let found: Vec<_> = found.map(|(_, node, removes, _)| (node, removes)).collect();
		assert_eq!(found, expected.into_iter().map(|node| (node, true)).collect::<Vec<_>>());
	}
}

#[test]
fn no_record_leads_to_an_object_of_which_every_version_failed() {
	let packages = objects(&[("a", &[release("0f", 1)])]);
	let failed = Failed::from([Topic::Version(key("a", 1))]);
	// It was committed, and its bytes never arrived.
	let mut on_chain = OnChain::default();
	on_chain.objects.insert(object("a"), None);
	on_chain.versions.insert(key("a", 1), unfinalized(1));
	assert_eq!(Plan::new(subject(&packages), &on_chain, &failed, None).items, []);
	// An earlier version is its head.
	on_chain.objects.insert(object("a"), Some(VersionId([2; 32])));
	let plan = Plan::new(subject(&packages), &on_chain, &failed, None);
	let kinds: Vec<_> = plan.items.iter().map(Item::kind).collect();
	assert_eq!(kinds, [3, 4]);
}

#[test]
fn a_file_that_has_become_a_folder_is_listed_until_its_record_is_deleted() {
	let releases = [release("0f", 1)];
	let publish = |names: &[&str], on_chain: &mut OnChain| {
		let packages: Vec<_> = names.iter().map(|name| (*name, &releases[..])).collect();
		let packages = objects(&packages);
		let subject = Subject { are_files: true, ..subject(&packages) };
		publish_as(subject, on_chain).unnamed
	};
	for (old, new, reason) in [
		("a", "a/b/c", "the record a leads to a file in its path"),
		("a/b/c", "a", "the record a:b:c leads to a file below it"),
		("a:b/c", "a:b", "the record a:b:c leads to a file below it"),
		("a b", "a b/c", "the record a~20b, which stands for a b, leads to a file in its path"),
	] {
		let mut on_chain = OnChain::default();
		assert_eq!(publish(&[old], &mut on_chain), []);
		let listed = publish(&[new, "ab"], &mut on_chain);
		let [unnamed] = &listed[..] else { panic!("{listed:?}") };
		let key = old.replace('/', ":").replace(' ', "~20");
		let command = format!("`fabric record delete {TENANT} names --key={key}`");
		let reason = format!("{reason}: delete that record with {command}");
		assert_eq!((&unnamed.name, &unnamed.reason), (&new.replace('/', ":"), &reason));
		assert!(on_chain.names.contains_key("ab"));
		assert!(!on_chain.names.contains_key(&unnamed.name));
		assert!(on_chain.names.remove(&key).is_some());
		assert_eq!(publish(&[new, "ab"], &mut on_chain), []);
	}
	// A colon is no folder.
	let mut on_chain = OnChain::default();
	publish(&["a"], &mut on_chain);
	assert_eq!(publish(&["a:b"], &mut on_chain), []);
}

#[test]
fn a_file_is_listed_if_another_record_leads_to_its_path_or_its_own_leads_elsewhere() {
	let releases = [release("0f", 1)];
	let unnamed = |name: &str, on_chain: &OnChain| {
		let packages = objects(&[(name, &releases[..])]);
		let subject = Subject { are_files: true, longest_key: 512, ..subject(&packages) };
		let names = plan(subject, on_chain).unnamed;
		names.into_iter().map(|unnamed| (unnamed.name, unnamed.reason)).collect::<Vec<_>>()
	};
	let mut on_chain = OnChain::default();
	let target = ContentRef { object: object("something else"), version: None };
	on_chain.names.insert("a~2fb".into(), target);
	on_chain.objects.insert(target.object, Some(VersionId([9; 32])));
	let reason = format!(
		"the record a~2fb, which stands for a/b, leads to the same path: delete that record with \
		 `fabric record delete {TENANT} names --key=a~2fb`"
	);
	assert_eq!(unnamed("a/b", &on_chain), [("a:b".to_owned(), reason)]);
	// Without a head, nothing can be got by it.
	on_chain.objects.insert(target.object, None);
	assert_eq!(unnamed("a/b", &on_chain), []);

	let (few, many) = ("a:".repeat(12), "a:".repeat(40));
	assert_eq!(unnamed(&few, &on_chain), []);
	assert_eq!(unnamed(&many, &on_chain), [(many, COLONS.to_owned())]);
	assert_eq!(unnamed(&"a/".repeat(40).replace("/a/a/", "/a:a/"), &on_chain).len(), 1);
}

/// Returns paths of files, of which many have something to do with each other.
fn paths(rng: &mut StdRng) -> Vec<String> {
	let mut paths = Vec::new();
	for _ in 0..6 {
		let parts: Vec<_> = (0..rng.random_range(1..4)).map(|_| trees::text_name(rng)).collect();
		let path = parts.join("/");
		paths.push(format!("{path}/{}", trees::text_name(rng)));
		paths.extend([path.replace('/', ":"), path.replace('+', "~2b").replace(' ', "~20"), path]);
	}
	paths
}

/// Returns some of the paths that a file system can have together, with the hashes of their data.
fn choose(paths: &[String], rng: &mut StdRng) -> BTreeMap<String, u8> {
	let mut chosen = BTreeMap::new();
	for path in paths {
		let is_free = |other: &String| !is_above(path, other) && !is_above(other, path);
		if rng.random_bool(0.4) && chosen.keys().all(is_free) {
			chosen.insert(path.clone(), rng.random_range(0..4));
		}
	}
	chosen
}

fn is_above(folder: &str, path: &str) -> bool {
	path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

#[test]
fn every_file_of_a_changing_folder_is_listed_or_alone_at_its_path() {
	let (mut listed, mut named) = (0, 0);
	for seed in trees::seeds(200) {
		let mut rng = trees::seeded(seed);
		let (paths, mut on_chain) = (paths(&mut rng), OnChain::default());
		for _ in 0..4 {
			let files = choose(&paths, &mut rng);
			let releases = files.values().map(|hash| [release(&format!("{hash:016}"), *hash)]);
			let releases: Vec<_> = releases.collect();
			let packages = files.keys().zip(&releases).map(|(path, all)| (&**path, &all[..]));
			let packages = objects(&packages.collect::<Vec<_>>());
			let subject = Subject { are_files: true, longest_key: 512, ..subject(&packages) };
			let plan = publish_as(subject, &mut on_chain);
			let left_out = plan.unnamed.iter().chain(&plan.changed).map(|left| left.place.package);
			let left_out: HashSet<_> = left_out.collect();
			let got = on_chain.names.iter().filter(|(_, target)| target.version.is_none());
			let got: Vec<_> = got
				.map(|(key, target)| {
					(path_of(TENANT, key, target.object), on_chain.objects[&target.object])
				})
				.collect();
			for (package, (path, hash)) in files.iter().enumerate() {
				if left_out.contains(&package) {
					listed += 1;
					continue;
				}
				named += 1;
				let here: Vec<_> = got.iter().filter(|(found, _)| found == path).collect();
				assert_eq!(here, [&(path.clone(), Some(VersionId([*hash; 32])))], "{path:?}");
				let in_its_way = |found: &str| is_above(found, path) || is_above(path, found);
				assert!(!got.iter().any(|(found, _)| in_its_way(found)), "{path:?}: {got:?}");
			}
		}
	}
	assert!(named > 0, "all of {listed} files are listed");
}

#[test]
fn a_version_of_the_other_kind_of_hash_is_not_taken_for_the_release() {
	let releases = [release("1.0.0", 1)];
	let mut on_chain = OnChain::default();
	publish(&[("a", &releases)], &mut on_chain);
	assert_eq!(publish(&[("a", &releases)], &mut on_chain).changed, []);
	on_chain.sha256.insert(key("a", 1));
	let plan = publish(&[("a", &releases)], &mut on_chain);
	let [changed] = &plan.changed[..] else { panic!("{:?}", plan.changed) };
	assert_eq!((changed.name.as_str(), &*changed.reason), ("a:1.0.0", OTHER_HASH));
	assert_eq!(plan.count(|item| !matches!(item, Item::Run { .. })), 0, "{:?}", plan.items);
	let mut others = releases;
	others[0].hash.hash = HashKind::Sha256;
	assert_eq!(publish(&[("a", &others)], &mut on_chain).changed, []);
}

#[test]
fn a_release_whose_content_changes_is_left_out_unless_it_is_replaced() {
	let (first, second) = ([release("1.0.0", 1)], [release("1.0.0", 2), release("1.1.0", 3)]);
	let mut on_chain = OnChain::default();
	publish(&[("a", &first)], &mut on_chain);
	for _ in 0..2 {
		let plan = publish(&[("a", &second)], &mut on_chain);
		let [changed] = &plan.changed[..] else { panic!("{plan:?}") };
		assert_eq!((&*changed.name, changed.place.release), ("a:1.0.0", Some(0)));
		assert!(changed.reason.contains("--replace"), "{}", changed.reason);
		assert_eq!(plan.unnamed, []);
		assert_eq!(on_chain.names["a:1.0.0"].version, Some(key("a", 1).1));
		assert!(!on_chain.versions.contains_key(&key("a", 2)), "the content is left out, too");
		// The others are published.
		assert_eq!(on_chain.names["a:1.1.0"].version, Some(key("a", 3).1));
		assert_eq!(on_chain.objects[&object("a")], Some(key("a", 3).1));
	}
	// It does not become the head, either.
	let plan = publish(&[("a", &second[..1])], &mut on_chain);
	assert_eq!((plan.changed.len(), plan.items.len()), (1, 1));

	let packages = objects(&[("a", &second[..1])]);
	let plan = publish_as(Subject { replaces: true, ..subject(&packages) }, &mut on_chain);
	assert_eq!(plan.changed, []);
	assert_eq!(on_chain.names["a:1.0.0"].version, Some(key("a", 2).1));
	assert_eq!(on_chain.objects[&object("a")], Some(key("a", 2).1));
}

#[test]
fn a_release_that_is_replaced_back_is_the_head_again() {
	let (first, second) = ([release("1.0.0", 1)], [release("1.0.0", 2)]);
	let mut on_chain = OnChain::default();
	publish(&[("a", &first)], &mut on_chain);
	for (releases, version) in [(&second, 2), (&first, 1), (&second, 2)] {
		let packages = objects(&[("a", &releases[..])]);
		publish_as(Subject { replaces: true, ..subject(&packages) }, &mut on_chain);
		assert_eq!(on_chain.names["a:1.0.0"].version, Some(key("a", version).1));
		assert_eq!(on_chain.objects[&object("a")], Some(key("a", version).1));
	}
}

#[test]
fn what_the_chain_has_otherwise_is_blocked() {
	let (first, second) = ([release("1.0.0", 1)], [release("1.0.0", 2)]);
	let mut on_chain = OnChain::default();
	assert_eq!(publish(&[("a", &first)], &mut on_chain).blocked, []);
	let blocked = plan(subject(&objects(&[("a", &second)])), &on_chain).blocked;
	assert_eq!(blocked, [Topic::Name("a:1.0.0".into()), Topic::Version(key("a", 2))]);
	// The content is there under another name: this run may have done it.
	let both = [release("1.0.0", 1), release("1.1.0", 2)];
	publish(&[("a", &both)], &mut on_chain);
	let blocked = plan(subject(&objects(&[("a", &second)])), &on_chain).blocked;
	assert_eq!(blocked, [Topic::Name("a:1.0.0".into())]);
}

#[test]
fn a_record_that_leads_to_another_object_is_left_and_the_content_is_published() {
	let file = [release("0a", 1)];
	let mut on_chain = OnChain::default();
	let publish = |name: &str, replaces, on_chain: &mut OnChain| {
		let packages = objects(&[(name, &file[..])]);
		let subject = Subject { are_files: true, replaces, ..subject(&packages) };
		publish_as(subject, on_chain)
	};
	publish("a/b", false, &mut on_chain);
	let plan = publish("a:b", false, &mut on_chain);
	let names: Vec<_> = plan.unnamed.iter().map(|unnamed| &*unnamed.name).collect();
	assert_eq!((names, &plan.changed[..]), (vec!["a:b", "a:b:0a"], &[][..]));
	assert!(plan.unnamed.iter().all(|unnamed| unnamed.reason.contains("--replace")));
	assert_eq!(on_chain.names["a:b"].object, object("a/b"));
	assert!(on_chain.versions.contains_key(&key("a:b", 1)));
	assert_eq!(publish("a:b", true, &mut on_chain).unnamed, []);
	assert_eq!(on_chain.names["a:b"].object, object("a:b"));
}

#[test]
fn a_head_moves_to_a_marked_release_and_stays_without_one() {
	let mut on_chain = OnChain::default();
	let mut packages = objects(&[("a", &[release("1.0.0", 1), release("1.1.0", 2)])]);
	let unmarked = |packages: &[Object]| {
		let mut packages = packages.to_vec();
		packages[0].releases.iter_mut().for_each(|release| release.is_head = false);
		packages
	};
	publish_as(subject(&unmarked(&packages)), &mut on_chain);
	assert_eq!(on_chain.objects[&object("a")], None);
	for first_is_head in [false, true, false] {
		packages[0].releases[0].is_head = first_is_head;
		packages[0].releases[1].is_head = !first_is_head;
		let version = if first_is_head { 1 } else { 2 };
		for packages in [packages.clone(), unmarked(&packages)] {
			publish_as(subject(&packages), &mut on_chain);
			assert_eq!(on_chain.objects[&object("a")], Some(key("a", version).1));
		}
	}
}

#[test]
fn an_object_has_the_names_of_all_its_releases_and_its_given_id() {
	let id = ContentObjectId([7; 10]);
	let mut packages = objects(&[("x", &[release("1", 1), release("2", 2)])]);
	packages[0].id = Some(id);
	packages[0].releases[1].name = "y".into();
	let mut on_chain = OnChain::default();
	publish_as(subject(&packages), &mut on_chain);
	for (name, version) in [("x", None), ("y", None), ("x:1", Some(1)), ("y:2", Some(2))] {
		let version = version.map(|byte| VersionId([byte; 32]));
		assert_eq!(on_chain.names[name], ContentRef { object: id, version }, "{name}");
	}
	assert_eq!(plan(subject(&packages), &on_chain).items.len(), 1, "nothing but the run");
}

#[test]
fn versions_that_others_left_unfinalized_are_reported_and_block_nothing() {
	let releases = [release("1.0.0", 1), release("1.1.0", 2), release("1.2.0", 3)];
	let mut on_chain = OnChain::default();
	on_chain.objects.insert(object("a"), None);
	on_chain.versions.insert(key("a", 3), Presence::Foreign);
	on_chain.versions.insert(key("a", 1), unfinalized(7));
	let plan = publish(&[("a", &releases)], &mut on_chain);
	assert_eq!(plan.foreign, [Place { package: 0, release: Some(2) }]);
	assert_eq!(plan.count(|item| matches!(item, Item::Finalize { .. })), 1);
	assert_eq!(on_chain.objects[&object("a")], None, "it waits for the one that is to be the head");
	assert_eq!(on_chain.names["a:1.2.0"].version, Some(key("a", 3).1));
}

#[test]
fn the_head_of_a_version_to_be_finalized_is_left_to_the_next_plan() {
	let releases = [release("1.0.0", 1)];
	let mut on_chain = OnChain::default();
	on_chain.objects.insert(object("a"), None);
	on_chain.versions.insert(key("a", 1), unfinalized(7));
	let first = publish(&[("a", &releases)], &mut on_chain);
	assert!(first.looks_again);
	let second = publish(&[("a", &releases)], &mut on_chain);
	assert_eq!(second.count(|item| matches!(item, Item::Head { .. })), 1);
	assert_eq!(on_chain.objects[&object("a")], Some(key("a", 1).1));
}

#[test]
fn what_failed_is_planned_no_more_and_no_other_version_is_the_head() {
	let releases = [release("1.0.0", 1), release("1.1.0", 2)];
	let mut failed = Failed::default();
	failed.insert(Topic::Version(key("a", 2)));
	failed.insert(Topic::Name("a:1.0.0".into()));
	let packages = objects(&[("a", &releases[..])]);
	let plan = Plan::new(subject(&packages), &OnChain::default(), &failed, None);
	let kinds: Vec<_> = plan.items.iter().map(|item| item.task().kind).collect();
	assert_eq!(kinds, [1, 3, 4]);
	assert!(matches!(&plan.items[0], Item::Commit { draft, .. } if !draft.set_head_on_finalize));

	failed.insert(Topic::Version(key("a", 1)));
	let plan = Plan::new(subject(&packages), &OnChain::default(), &failed, None);
	assert!(plan.items.is_empty(), "there is nothing that a record could lead to");
}

#[test]
fn the_same_data_under_two_versions_is_committed_once_and_named_twice() {
	let releases = [release("1.0.0", 1), release("1.1.0", 1), release("1.1.0", 2)];
	let mut on_chain = OnChain::default();
	let plan = publish(&[("a", &releases)], &mut on_chain);
	assert_eq!(plan.count(|item| matches!(item, Item::Commit { .. })), 2);
	for name in ["a:1.0.0", "a:1.1.0"] {
		assert_eq!(on_chain.names[name].version, Some(key("a", 1).1));
	}
	// The second content of one name is reported.
	assert_eq!((plan.unnamed.len(), plan.unnamed[0].place.release), (1, Some(2)));
}

#[test]
fn keys_that_atproto_advises_against_are_counted_and_too_long_ones_are_not_put() {
	let long = "x".repeat(81);
	let releases = [release("1.0.0", 1)];
	let packages = objects(&[("Aa", &releases[..]), (long.as_str(), &releases[..])]);
	let found = plan(subject(&packages), &OnChain::default());
	assert_eq!((found.odd_keys, found.unnamed.len()), (4, 0));
	let short = Subject { longest_key: 81, ..subject(&packages) };
	let found = plan(short, &OnChain::default());
	assert_eq!(found.unnamed[0].reason, "its record key has 87 bytes, more than 81");
}

#[test]
fn a_name_of_two_packages_leads_to_the_first_and_is_reported() {
	let (first, second) = ([release("1", 1), release("1:2", 2)], [release("2", 3)]);
	let mut on_chain = OnChain::default();
	for run in 0..2 {
		let plan = publish(&[("a", &first), ("a:1", &second)], &mut on_chain);
		let unnamed: Vec<_> =
			plan.unnamed.iter().map(|unnamed| (&*unnamed.name, unnamed.place.package)).collect();
		assert_eq!(unnamed, [("a:1", 1), ("a:1:2", 1)]);
		assert_eq!(plan.items.len() == 1, run == 1, "nothing but the run costs a fee");
		assert_eq!(
			on_chain.names["a:1"],
			ContentRef { object: object("a"), version: Some(key("a", 1).1) }
		);
		assert_eq!(on_chain.names["a:1:2"].object, object("a"));
		assert!(on_chain.versions.contains_key(&key("a:1", 3)), "the content is published");
	}
}
