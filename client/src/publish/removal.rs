// SPDX-License-Identifier: Apache-2.0
//! The rows that are removed from a tenant, and those that stay because other records lead to them.

use std::{
	collections::{BTreeMap, BTreeSet, HashMap, HashSet},
	io::ErrorKind,
	path::{Component, Path},
};

use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};
use content_fabric_primitives::ContentRef;
use serde::Serialize;

use super::{
	plan::{Item, Subject, SYNTAX},
	report::as_text,
	state::{OnChain, RecordName, VersionKey},
	NAMES, RUNS,
};
use crate::{
	ids,
	manifest::Object,
	record_names::{is_called, keys_of, known_path_of, name_of_record, path_of, Nearest},
};

/// A request to remove names of a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removal {
	/// Everything that publishing adds: all records of names and runs, and the content to which no
	/// other record leads.
	All,
	/// Names: of records, of files, and of folders with all files in them. `docs/` is a folder even
	/// where there is a file `docs`.
	Names(Vec<String>),
	/// The records of all collections whose target does not exist.
	Dangling,
}

/// The request that a subject has.
#[derive(Clone, Copy)]
pub(super) enum Removes<'a> {
	Nothing,
	/// The files that this folder no longer has, and old records that lead nowhere.
	Gone(&'a Path),
	Asked(&'a Removal),
}

impl Removes<'_> {
	pub(super) fn is_any(self) -> bool {
		!matches!(self, Self::Nothing)
	}

	/// Returns whether nothing is published.
	pub(super) fn is_all(self) -> bool {
		matches!(self, Self::Asked(_))
	}
}

/// Content of a removed name that stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kept {
	/// The name.
	pub name: String,
	/// The reason, in a line.
	pub reason: String,
}

/// A name to be removed that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Absent {
	/// The name.
	pub name: String,
	/// The nearest names that exist.
	pub nearest: Vec<String>,
}

/// The rows that were removed, or for a dry run would be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Removed {
	/// The names that led to content, as people write them: the paths of files.
	pub names: Vec<String>,
	/// The objects to which no name led.
	pub unnamed: Vec<ContentObjectId>,
	/// The records that led nowhere, each with its collection.
	pub dangling: Vec<String>,
	/// Number of objects whose head was cleared.
	pub heads: usize,
	/// Number of versions.
	pub versions: usize,
	/// Number of content objects.
	pub objects: usize,
	/// Number of records.
	pub records: usize,
	/// The deposits that were released, in the smallest unit.
	#[serde(serialize_with = "as_text")]
	pub deposits: u128,
	/// The names whose content stays.
	pub kept: Vec<Kept>,
	/// The names that are not there.
	pub not_found: Vec<Absent>,
}

impl Removed {
	/// Returns the number of rows that were removed.
	pub fn rows(&self) -> usize {
		self.versions + self.objects + self.records
	}

	/// Returns whether nothing was removed.
	pub fn is_empty(&self) -> bool {
		self.rows() == 0
	}

	/// Counts items.
	pub(super) fn count<'a>(&mut self, items: impl IntoIterator<Item = &'a Item>) {
		for item in items {
			let deposit = match item {
				Item::DeleteVersion { is_head, deposit, .. } => {
					self.heads += usize::from(*is_head);
					self.versions += 1;
					*deposit
				},
				Item::DeleteObject { object, unnamed, deposit } => {
					self.objects += 1;
					self.unnamed.extend(unnamed.then_some(*object));
					*deposit
				},
				Item::DeleteRecord {
					record: (collection, key),
					name,
					is_dangling,
					deposit,
					..
				} => {
					self.records += 1;
					match is_dangling {
						true => self.dangling.push(format!("{collection}/{key}")),
						false => self.names.extend(name.clone()),
					}
					*deposit
				},
				_ => continue,
			};
			self.deposits = self.deposits.saturating_add(deposit);
		}
		self.names.sort();
		self.unnamed.sort();
		self.dangling.sort();
	}
}

/// The rows to be removed.
#[derive(Default)]
pub(super) struct Sweep<'a> {
	pub items: Vec<Item>,
	pub kept: Vec<Kept>,
	/// The names that are not there.
	pub absent: Vec<Absent>,
	/// The keys of the records of names, with the objects to which they lead.
	names: HashMap<&'a str, ContentObjectId>,
}

impl<'a> Sweep<'a> {
	pub(super) fn new(subject: &Subject<'a>, on_chain: &'a OnChain) -> Self {
		let mut choice = Choice::new(subject.tenant, on_chain);
		match subject.removes {
			Removes::Nothing => return Self::default(),
			Removes::Gone(folder) => choice.take_gone(folder, subject.packages),
			Removes::Asked(Removal::All) => choice.take_all(),
			Removes::Asked(Removal::Names(names)) => choice.take_names(names),
			Removes::Asked(Removal::Dangling) => choice.take_dangling(|_| true),
		}
		choice.swept()
	}

	/// Returns the state without the names that are removed, if there are any: others may take their
	/// paths.
	pub(super) fn freed(&self, on_chain: &OnChain) -> Option<OnChain> {
		let mut freed = (!self.names.is_empty()).then(|| on_chain.clone())?;
		freed.names.retain(|key, _| !self.names.contains_key(key.as_str()));
		Some(freed)
	}

	/// Leaves all rows of an object if one of them must not be removed: its records lead the next run
	/// to the others.
	pub(super) fn leave(&mut self, is_left: impl Fn(&Item) -> bool) {
		let left = self.items.iter().filter(|item| is_left(item)).filter_map(Item::reduced);
		let left: HashSet<_> = left.collect();
		self.items.retain(|item| item.reduced().is_none_or(|object| !left.contains(&object)));
		self.names.retain(|_, object| !left.contains(object));
	}

	/// Leaves the records of names that are put.
	pub(super) fn leave_names(&mut self, put: &HashMap<String, ContentRef>) {
		self.items.retain(|item| match item {
			Item::DeleteRecord { record: (collection, key), .. } => {
				collection != NAMES || !put.contains_key(key)
			},
			_ => true,
		});
	}
}

/// The records that are removed, and their targets.
struct Choice<'a> {
	tenant: TenantId,
	on_chain: &'a OnChain,
	records: BTreeSet<&'a RecordName>,
	/// The objects as wholes.
	objects: BTreeSet<ContentObjectId>,
	versions: BTreeSet<VersionKey>,
	absent: Vec<Absent>,
}

/// The records that stay and lead to an object.
#[derive(Default)]
struct Naming<'a> {
	/// A record that leads to it as a whole.
	whole: Option<&'a RecordName>,
	/// Records that lead to its versions.
	versions: BTreeMap<VersionId, &'a RecordName>,
}

impl<'a> Choice<'a> {
	fn new(tenant: TenantId, on_chain: &'a OnChain) -> Self {
		let (records, objects, versions) = Default::default();
		Self { tenant, on_chain, records, objects, versions, absent: Vec::new() }
	}

	/// Returns the records of names, with their targets.
	fn names(&self) -> impl Iterator<Item = (&'a RecordName, &'a ContentRef)> {
		let records = self.on_chain.held.records.iter();
		let names = records.filter(|((collection, _), _)| collection == NAMES);
		names.map(|(record, (target, _))| (record, target))
	}

	/// Removes a record, and what it leads to.
	fn take(&mut self, record: &'a RecordName, target: &ContentRef) {
		self.records.insert(record);
		match target.version {
			None => drop(self.objects.insert(target.object)),
			Some(version) => drop(self.versions.insert((target.object, version))),
		}
	}

	/// Removes the names of files that a folder no longer has. Other names, whose content may be the
	/// same, stay.
	fn take_gone(&mut self, folder: &Path, packages: &[Object]) {
		let here: HashSet<_> = packages.iter().map(|object| object.id(self.tenant)).collect();
		for (record, target) in self.names() {
			if here.contains(&target.object) {
				continue;
			}
			let file = match target.version {
				None => Some(&*record.1),
				Some(_) => record.1.rsplit_once(':').map(|(file, _)| file),
			};
			let path = file.and_then(|key| known_path_of(self.tenant, key, target.object));
			if path.is_some_and(|path| is_gone(folder, &path)) {
				self.take(record, target);
				self.objects.insert(target.object);
			}
		}
		self.take_dangling(|collection| matches!(collection, NAMES | RUNS));
	}

	fn take_dangling(&mut self, is_of: impl Fn(&str) -> bool) {
		for (record, (target, _)) in &self.on_chain.held.records {
			if is_of(&record.0) && self.on_chain.is_dangling(target) {
				self.records.insert(record);
			}
		}
	}

	fn take_all(&mut self) {
		for (record, target) in self.names() {
			self.take(record, target);
		}
		let runs = self.on_chain.held.records.keys().filter(|record| record.0 == RUNS);
		self.records.extend(runs);
		let naming = self.naming();
		let objects = self.on_chain.objects.keys().copied();
		let unnamed: Vec<_> = objects.filter(|object| !naming.contains_key(object)).collect();
		self.objects.extend(unnamed);
	}

	fn take_names(&mut self, names: &[String]) {
		for name in names {
			let path = name.trim_end_matches('/');
			let found = self.find(path).filter(|_| path == name);
			let is_there = match found {
				Some((record, target)) => {
					self.take_name(record, target);
					true
				},
				None => self.take_folder(path) | self.take_unnamed(path),
			};
			if !is_there {
				self.absent.push(Absent { name: name.clone(), nearest: self.nearest(path) });
			}
		}
	}

	/// Returns the record with this name.
	fn find(&self, name: &str) -> Option<(&'a RecordName, &'a ContentRef)> {
		let records = &self.on_chain.held.records;
		keys_of(name, SYNTAX).into_iter().flatten().find_map(|key| {
			let (record, (target, _)) = records.get_key_value(&(NAMES.to_owned(), key))?;
			is_called(self.tenant, &record.1, target, name).then_some((record, target))
		})
	}

	/// Returns the names that are nearest to one that does not exist.
	fn nearest(&self, name: &str) -> Vec<String> {
		let mut nearest = Nearest::new(name);
		for (record, target) in self.names() {
			match target.version {
				None => nearest.offer(&self.path(record, target)),
				Some(_) if name.contains(':') => {
					nearest.offer(&name_of_record(self.tenant, &record.1, target.object));
				},
				Some(_) => {},
			}
		}
		nearest.names()
	}

	/// Removes the object of a path that has no name, such as after an interrupted upload.
	/// Returns whether there is one.
	fn take_unnamed(&mut self, path: &str) -> bool {
		let object = ids::content_object(self.tenant, path);
		let is_unnamed =
			self.on_chain.objects.contains_key(&object) && !self.naming().contains_key(&object);
		if is_unnamed {
			self.objects.insert(object);
		}
		is_unnamed
	}

	/// Removes a name, and the names of its versions.
	fn take_name(&mut self, record: &'a RecordName, target: &ContentRef) {
		self.take(record, target);
		if target.version.is_some() {
			return;
		}
		let first = (NAMES.to_owned(), format!("{}:", record.1));
		for (found, (to, _)) in self.on_chain.held.records.range(first.clone()..) {
			if found.0 != NAMES || !found.1.starts_with(&first.1) {
				break;
			}
			if to.object == target.object && to.version.is_some() {
				self.records.insert(found);
			}
		}
	}

	/// Removes the names of the files in a folder. Returns whether there are any.
	fn take_folder(&mut self, path: &str) -> bool {
		let (folder, mut is_there) = (format!("{path}/"), false);
		for (record, target) in self.names() {
			let is_whole = target.version.is_none();
			if is_whole && self.path(record, target).starts_with(&folder) {
				self.take_name(record, target);
				is_there = true;
			}
		}
		is_there
	}

	/// Returns the path, or another name, that a record stands for.
	fn path(&self, (_, key): &RecordName, target: &ContentRef) -> String {
		path_of(self.tenant, key, target.object)
	}

	/// Returns the records that stay, by the objects to which they lead. Runs name nothing.
	fn naming(&self) -> HashMap<ContentObjectId, Naming<'a>> {
		let mut naming = HashMap::<_, Naming<'_>>::new();
		for (record, (target, _)) in &self.on_chain.held.records {
			if self.records.contains(record) || record.0 == RUNS {
				continue;
			}
			let named = naming.entry(target.object).or_default();
			match target.version {
				None => drop(named.whole.get_or_insert(record)),
				Some(version) => drop(named.versions.entry(version).or_insert(record)),
			}
		}
		naming
	}

	/// Returns the rows to be removed: those to which no other record leads.
	fn swept(mut self) -> Sweep<'a> {
		let (on_chain, naming) = (self.on_chain, self.naming());
		let mut of_object = HashMap::<ContentObjectId, BTreeSet<VersionId>>::new();
		for (object, version) in on_chain.versions.keys() {
			of_object.entry(*object).or_default().insert(*version);
		}
		let none = BTreeSet::new();
		let mut versions = BTreeSet::<VersionKey>::new();
		let mut kept = BTreeMap::<ContentObjectId, String>::new();
		let existing = |object: &&ContentObjectId| on_chain.objects.contains_key(*object);
		for object in self.objects.iter().filter(existing) {
			let all = of_object.get(object).unwrap_or(&none).iter();
			match naming.get(object) {
				Some(Naming { whole: Some(record), .. }) => {
					kept.insert(*object, leads(record));
				},
				Some(Naming { versions: named, .. }) => {
					versions
						.extend(all.filter(|id| !named.contains_key(*id)).map(|id| (*object, *id)));
					kept.extend(named.values().next().map(|record| (*object, leads(record))));
				},
				None => versions.extend(all.map(|id| (*object, *id))),
			}
		}
		for (object, version) in &self.versions {
			if self.objects.contains(object)
				|| !on_chain.versions.contains_key(&(*object, *version))
			{
				continue;
			}
			let is_head = on_chain.objects.get(object) == Some(&Some(*version));
			let named = naming.get(object);
			let other = named.and_then(|named| {
				let by_whole = named.whole.filter(|_| is_head);
				named.versions.get(version).copied().or(by_whole)
			});
			match other {
				Some(record) => drop(kept.insert(*object, leads(record))),
				None => drop(versions.insert((*object, *version))),
			}
		}
		let reduced = self.objects.iter().copied();
		let reduced = reduced.chain(self.versions.iter().map(|(object, _)| *object));
		let is_emptied = |object: &ContentObjectId| {
			let mut all = of_object.get(object).unwrap_or(&none).iter();
			on_chain.objects.contains_key(object)
				&& !naming.contains_key(object)
				&& all.all(|version| versions.contains(&(*object, *version)))
		};
		let objects: BTreeSet<_> = reduced.filter(is_emptied).collect();
		// Runs whose content is removed lead nowhere.
		for (record, (target, _)) in &on_chain.held.records {
			let version = target.version.map(|version| (target.object, version));
			let is_lost = objects.contains(&target.object)
				|| version.is_some_and(|version| versions.contains(&version))
				|| (self.objects.contains(&target.object) && on_chain.is_dangling(target));
			if record.0 == RUNS && is_lost {
				self.records.insert(record);
			}
		}
		self.sweep(versions, objects, kept)
	}

	/// Returns the items that remove rows.
	fn sweep(
		self,
		versions: BTreeSet<VersionKey>,
		objects: BTreeSet<ContentObjectId>,
		mut kept: BTreeMap<ContentObjectId, String>,
	) -> Sweep<'a> {
		let held = &self.on_chain.held;
		let mut sweep = Sweep { absent: self.absent.clone(), ..Sweep::default() };
		for version in versions {
			let is_head = self.on_chain.objects.get(&version.0) == Some(&Some(version.1));
			let deposit = held.versions.get(&version).copied().unwrap_or_default();
			sweep.items.push(Item::DeleteVersion { version, is_head, deposit });
		}
		let named = self.records.iter().filter(|record| record.0 == NAMES);
		let named: HashSet<_> = named
			.filter_map(|record| held.records.get(*record))
			.map(|(target, _)| target.object)
			.collect();
		for object in objects {
			let deposit = held.objects.get(&object).copied().unwrap_or_default();
			let unnamed = !named.contains(&object);
			sweep.items.push(Item::DeleteObject { object, unnamed, deposit });
		}
		for record in &self.records {
			let record = *record;
			let Some((target, deposit)) = held.records.get(record).copied() else { continue };
			let object = target.object;
			let name = match target.version {
				_ if record.0 != NAMES => None,
				None => Some(self.path(record, &target)),
				// The name of its object stands for it.
				Some(_) if self.objects.contains(&object) => None,
				Some(_) => Some(name_of_record(self.tenant, &record.1, object).into_owned()),
			};
			if record.0 == NAMES {
				sweep.names.insert(&record.1, object);
				if let Some(reason) = kept.remove(&object) {
					let name = name.clone().unwrap_or_else(|| {
						name_of_record(self.tenant, &record.1, object).into_owned()
					});
					sweep.kept.push(Kept { name, reason });
				}
			}
			let is_dangling = self.on_chain.is_dangling(&target);
			let record = record.clone();
			sweep.items.push(Item::DeleteRecord { record, name, is_dangling, target, deposit });
		}
		sweep
	}
}

fn leads((collection, key): &RecordName) -> String {
	format!("the record {collection}/{key} leads to it")
}

/// Returns whether a folder no longer has a file. One that cannot be examined is not gone.
fn is_gone(folder: &Path, path: &str) -> bool {
	let path = Path::new(path);
	if !path.components().all(|part| matches!(part, Component::Normal(_))) {
		return false;
	}
	match folder.join(path).symlink_metadata() {
		Ok(found) => found.is_dir(),
		Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
	}
}

#[cfg(test)]
mod tests;
