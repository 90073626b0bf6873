// SPDX-License-Identifier: Apache-2.0
//! Plans what the chain lacks of a source.

use std::{
	collections::{BTreeSet, HashMap, HashSet},
	path::Path,
};

use content_fabric_identifiers::{
	ContentObjectId, HashKind, NodeId, RecordKeySyntax, TenantId, Tid, VersionId,
};
use content_fabric_primitives::{ContentRef, DraftVersion};

use super::{
	copies::{Copies, Lack, NodePlace},
	paths::Paths,
	removal::{Absent, Kept, Removes, Sweep},
	rounds::Task,
	state::{OnChain, Presence, RecordName, VersionKey},
	NAMES,
};
use crate::{
	manifest::{Object, Release},
	record_names::{is_recommended, key_of, known_path_of},
};

/// The lane of the provider's transactions.
pub(super) const PROVIDER: usize = 0;
/// The lane of the tenant's.
pub(super) const TENANT: usize = 1;

/// The stage in which records of removed content are deleted, or lead to other content.
const RECORDS: usize = 5;
/// The stage in which copies change.
const COPIES: usize = 6;

/// Number of kinds of items.
pub(super) const KINDS: usize = 9;

/// The syntax of record keys in the collections of a source: a colon stands between a name and a
/// version.
pub(super) const SYNTAX: RecordKeySyntax = RecordKeySyntax::PathSegment;

const CHANGED: &str =
	"the chain has other content for this release: --replace publishes this one in its place";
const OTHER_HASH: &str =
	"the chain has this version with the other kind of hash: one of blake3: and sha256: is wrong";
const TAKEN: &str =
	"the record of this name leads to other content: --replace points it to this one";
const COLONS: &str = "its path has too many colons to tell them from slashes: rename it";

/// The place of an item in the input: a package, and one of its releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
	pub package: usize,
	pub release: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
	/// A version that the provider's node has committed is finalized.
	Finalize { node: NodeId, version: VersionKey, sets_head: bool, place: Place },
	/// A version is committed and finalized. It `creates` the object of its package, perhaps with
	/// others.
	Commit { draft: DraftVersion, creates: bool, place: Place },
	/// A version becomes the head of its object.
	Head { version: VersionKey, place: Place },
	/// A record of a name is put. It may be one of content that is removed, and wait for that.
	Name { key: String, target: ContentRef, is_new: bool, waits: bool, place: Place },
	/// The record of the run is put.
	Run { key: Tid, target: ContentRef },
	/// A version is deleted. If it is the head of its object, this has none then.
	DeleteVersion { version: VersionKey, is_head: bool, deposit: u128 },
	/// An object without versions is deleted. It is `unnamed` if no name led to it.
	DeleteObject { object: ContentObjectId, unnamed: bool, deposit: u128 },
	/// A record is deleted. It may be a `name` of the object to which it leads.
	DeleteRecord {
		record: RecordName,
		name: Option<String>,
		is_dangling: bool,
		target: ContentRef,
		deposit: u128,
	},
	/// A node is asked to hold a version, or its copy is removed. `place` is the one in the input.
	Copy { version: VersionKey, lack: Lack, removes: bool, place: Option<Place> },
}

impl Item {
	/// Returns the kind of the item, in the order of a plan.
	pub(super) fn kind(&self) -> usize {
		match self {
			Self::Finalize { .. } => 0,
			Self::Commit { .. } => 1,
			Self::Head { .. } => 2,
			Self::Name { .. } => 3,
			Self::Run { .. } => 4,
			Self::DeleteVersion { .. } => 5,
			Self::DeleteObject { .. } => 6,
			Self::DeleteRecord { .. } => 7,
			Self::Copy { .. } => 8,
		}
	}

	/// Returns the order of the item. The copies of a node follow one another, so that they share
	/// calls.
	fn order(&self) -> (usize, usize, Option<(NodePlace, VersionKey)>) {
		let copy = match self {
			Self::Copy { version, lack, .. } => Some((lack.node, *version)),
			_ => None,
		};
		(self.stage(), self.kind(), copy)
	}

	/// Returns the lane of the item.
	pub(super) fn lane(&self) -> usize {
		match self {
			Self::Finalize { .. } | Self::Commit { .. } => PROVIDER,
			_ => TENANT,
		}
	}

	/// Returns the stage of the item. Records come after the versions to which they lead, and the
	/// record of the run after all that is added. Deletions follow, with records last, also those
	/// whose target changes: the next run finds the leftovers of an interrupted one by them.
	fn stage(&self) -> usize {
		match self {
			Self::Name { waits: true, .. } => RECORDS,
			item => [0, 0, 0, 1, 2, 3, 4, RECORDS, COPIES][item.kind()],
		}
	}

	fn task(&self) -> Task<Self> {
		Task { lane: self.lane(), kind: self.kind(), stage: self.stage(), item: self.clone() }
	}

	pub(super) fn topic(&self) -> Topic {
		match self {
			Self::Finalize { version, .. } => Topic::Version(*version),
			Self::Commit { draft, .. } => Topic::Version((draft.object, draft.version)),
			Self::Head { version: (object, _), .. } => Topic::Head(*object),
			Self::Name { key, .. } => Topic::Name(key.clone()),
			Self::Run { .. } => Topic::Run,
			Self::DeleteVersion { version, .. } => Topic::DeletedVersion(*version),
			Self::DeleteObject { object, .. } => Topic::DeletedObject(*object),
			Self::DeleteRecord { record, target, .. } => {
				Topic::DeletedRecord(record.clone(), *target)
			},
			Self::Copy { version, lack, .. } => Topic::Copy(*version, lack.node),
		}
	}

	/// Returns the object from which the item takes something away.
	pub(super) fn reduced(&self) -> Option<ContentObjectId> {
		match self {
			Self::DeleteVersion { version: (object, _), .. }
			| Self::DeleteObject { object, .. }
			| Self::DeleteRecord { target: ContentRef { object, .. }, .. } => Some(*object),
			_ => None,
		}
	}

	/// Returns whether the item removes content.
	fn is_removed_content(&self) -> bool {
		matches!(self, Self::DeleteVersion { .. } | Self::DeleteObject { .. })
	}

	/// Returns the object whose head moves with the item.
	pub(super) fn new_head(&self) -> Option<ContentObjectId> {
		match self {
			Self::Finalize { version: (object, _), sets_head: true, .. }
			| Self::Head { version: (object, _), .. } => Some(*object),
			Self::Commit { draft, .. } => draft.set_head_on_finalize.then_some(draft.object),
			_ => None,
		}
	}

	pub(super) fn draft(&self) -> Option<DraftVersion> {
		match self {
			Self::Commit { draft, .. } => Some(*draft),
			_ => None,
		}
	}

	/// Returns the place of the item. The record of the run has none.
	pub(super) fn place(&self) -> Option<Place> {
		match self {
			Self::Finalize { place, .. }
			| Self::Commit { place, .. }
			| Self::Head { place, .. }
			| Self::Name { place, .. } => Some(*place),
			Self::Copy { place, .. } => *place,
			_ => None,
		}
	}
}

/// The subject of an item. A plan has at most one item about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Topic {
	Version(VersionKey),
	Head(ContentObjectId),
	/// The record of a name, by its key.
	Name(String),
	Run,
	DeletedVersion(VersionKey),
	DeletedObject(ContentObjectId),
	/// With its target: consent to remove a record does not hold once it leads elsewhere.
	DeletedRecord(RecordName, ContentRef),
	/// The copy that a node has of a version.
	Copy(VersionKey, NodePlace),
}

impl Topic {
	/// Returns whether something is removed.
	pub(super) fn is_removal(&self) -> bool {
		matches!(self, Self::DeletedVersion(_) | Self::DeletedObject(_) | Self::DeletedRecord(..))
	}
}

/// The rows that the user has agreed to remove.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Agreed {
	topics: HashSet<Topic>,
	/// The versions that were heads, which are cleared.
	heads: HashSet<VersionKey>,
}

impl Agreed {
	fn of(items: &[Item]) -> Self {
		let mut agreed = Self::default();
		for item in items {
			agreed.topics.insert(item.topic());
			if let Item::DeleteVersion { version, is_head: true, .. } = item {
				agreed.heads.insert(*version);
			}
		}
		agreed
	}

	/// Returns whether an item was agreed to. A version that has become the head since was not.
	fn has(&self, item: &Item) -> bool {
		let is_new_head = match item {
			Item::DeleteVersion { version, is_head, .. } => {
				*is_head && !self.heads.contains(version)
			},
			_ => false,
		};
		!is_new_head && self.topics.contains(&item.topic())
	}
}

/// Topics that failed, or may fail: no plan has items about them.
pub(super) type Failed = HashSet<Topic>;

/// A name that no record has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unnamed {
	pub place: Place,
	pub name: String,
	pub reason: String,
}

/// The subject of a plan.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
	pub tenant: TenantId,
	pub packages: &'a [Object],
	/// True if the names of the packages are the paths of files.
	pub are_files: bool,
	/// The folder that the files are in, if they are read from there.
	pub folder: Option<&'a Path>,
	/// True to point existing records of other content to the content of the input.
	pub replaces: bool,
	/// The rows that are to be removed.
	pub removes: Removes<'a>,
	/// The copies that versions should have, or should not have.
	pub copies: Copies<'a>,
	/// Largest length of a record key, in bytes.
	pub longest_key: usize,
	/// The key of the record of the run. A second transaction with it, after one whose fate was not
	/// known in time, adds no other record.
	pub run: Tid,
}

/// The work that is left, and what the plan found on the way.
#[derive(Debug, Default)]
pub(super) struct Plan {
	/// The items, in the order of [tasks](Self::tasks).
	pub items: Vec<Item>,
	/// The versions that another provider has left unfinalized.
	pub foreign: Vec<Place>,
	/// The names that no record has.
	pub unnamed: Vec<Unnamed>,
	/// The names that the chain has for other content, which is why a release is left out.
	pub changed: Vec<Unnamed>,
	/// Topics about which the chain has something else, so that this run has not done them.
	pub blocked: Vec<Topic>,
	/// Number of planned record keys that atproto advises against.
	pub odd_keys: usize,
	/// True if the heads of versions to be finalized must be looked at afterwards.
	pub looks_again: bool,
	/// The content of removed names that stays.
	pub kept: Vec<Kept>,
	/// The names to be removed that are not there.
	pub absent: Vec<Absent>,
	/// All that is removed, also records that lead to other content instead.
	pub removal: Agreed,
	/// Number of rows that are not removed because something cannot be put.
	pub spared: usize,
}

impl Plan {
	/// Plans the rows that the chain lacks. If the user was asked, removes only `agreed` rows.
	pub(super) fn new(
		subject: Subject<'_>,
		on_chain: &OnChain,
		failed: &Failed,
		agreed: Option<&Agreed>,
	) -> Self {
		let plan = Self::of(subject, on_chain, failed, agreed);
		// A file that could not be put may be a removed one under another name.
		let is_left_out =
			!(plan.foreign.is_empty() && plan.unnamed.is_empty() && plan.changed.is_empty());
		let keeps = is_left_out || failed.iter().any(|topic| !topic.is_removal());
		if !keeps || !matches!(subject.removes, Removes::Gone(_)) {
			return plan;
		}
		let spared = plan.removal.topics.len();
		let subject = Subject { removes: Removes::Nothing, ..subject };
		Self { spared, ..Self::of(subject, on_chain, failed, agreed) }
	}

	fn of(
		subject: Subject<'_>,
		on_chain: &OnChain,
		failed: &Failed,
		agreed: Option<&Agreed>,
	) -> Self {
		let mut sweep = Sweep::new(&subject, on_chain);
		sweep.leave(|item| {
			failed.contains(&item.topic()) || agreed.is_some_and(|agreed| !agreed.has(item))
		});
		let (before, freed) = (on_chain, sweep.freed(on_chain));
		let on_chain = freed.as_ref().unwrap_or(on_chain);
		let paths = subject.are_files.then(|| Paths::read(subject, on_chain));
		let (plan, targets) = (Self::default(), HashMap::new());
		let mut planner = Planner { subject, before, on_chain, failed, paths, plan, targets };
		let mut last = None;
		for (package, found) in subject.packages.iter().enumerate() {
			let Object { name, releases, .. } = found;
			let object = found.id(subject.tenant);
			let package = Package { package, name, releases, object };
			if planner.plan_package(&package) {
				last = Some(object);
			}
		}
		let Planner { mut plan, targets, .. } = planner;
		plan.removal = Agreed::of(&sweep.items);
		sweep.leave_names(&targets);
		plan.items.append(&mut sweep.items);
		let changed = on_chain.lacks.iter().filter(|(version, _)| subject.copies.has(version));
		for (version, lacks) in changed {
			plan.add_copies(*version, lacks, subject.copies.removes(), None, failed);
		}
		(plan.kept, plan.absent) = (sweep.kept, sweep.absent);
		let is_left = on_chain.has_run || failed.contains(&Topic::Run);
		if let Some(object) = last.filter(|_| !is_left) {
			let target = ContentRef { object, version: None };
			plan.items.push(Item::Run { key: subject.run, target });
		}
		plan.items.sort_by_key(Item::order);
		let has = |is_of: fn(&Item) -> bool| plan.items.iter().any(is_of);
		plan.looks_again |= has(Item::is_removed_content) && has(|item| item.stage() == RECORDS);
		plan
	}

	/// Plans the changes of copies that a version lacks.
	fn add_copies(
		&mut self,
		version: VersionKey,
		lacks: &[Lack],
		removes: bool,
		place: Option<Place>,
		failed: &Failed,
	) {
		for lack in lacks {
			if !failed.contains(&Topic::Copy(version, lack.node)) {
				self.items.push(Item::Copy { version, lack: *lack, removes, place });
			}
		}
	}

	/// Returns the tasks. Records of content that is removed wait for another plan: they may lead
	/// elsewhere by then.
	pub(super) fn tasks(&self) -> Vec<Task<Item>> {
		let waits = self.items.iter().any(Item::is_removed_content);
		let items = self.items.iter().filter(|item| !waits || item.stage() != RECORDS);
		items.map(Item::task).collect()
	}

	/// Returns the topics of the items that remove something.
	pub(super) fn removed(&self) -> HashSet<Topic> {
		let removals = self.items.iter().filter(|item| {
			item.reduced().is_some() || matches!(item, Item::Copy { removes: true, .. })
		});
		removals.map(Item::topic).collect()
	}
}

/// The rows of one release on the chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
	/// To be committed, as the item with this index.
	New(usize),
	Finalized,
	Unfinalized,
	Foreign,
	/// It failed, or the chain has other content under its name.
	Lost,
}

/// A package of the source.
struct Package<'a> {
	/// Its index.
	package: usize,
	name: &'a str,
	releases: &'a [Release],
	object: ContentObjectId,
}

impl Package<'_> {
	fn place(&self, release: usize) -> Place {
		Place { package: self.package, release: Some(release) }
	}

	fn target(&self, release: &Release) -> ContentRef {
		ContentRef { object: self.object, version: Some(release.hash.version) }
	}
}

/// Plans what the chain lacks, package by package.
struct Planner<'a> {
	subject: Subject<'a>,
	/// All that the chain has.
	before: &'a OnChain,
	/// The same without the names that are removed.
	on_chain: &'a OnChain,
	failed: &'a Failed,
	/// The paths of files on the chain, if these are files.
	paths: Option<Paths<'a>>,
	/// The plan. Its items are not in their order yet.
	plan: Plan,
	/// The targets of all names so far, by key.
	targets: HashMap<String, ContentRef>,
}

impl Planner<'_> {
	/// Plans for a package. Returns whether it is on the chain, or will be.
	fn plan_package(&mut self, package: &Package<'_>) -> bool {
		let standings = self.plan_versions(package);
		self.plan_head(package, &standings);
		let is_new = standings.iter().any(|standing| matches!(standing, Standing::New(_)));
		let found = self.on_chain.objects.get(&package.object);
		// A name must not lead to an object of which nothing can be had, such as after a failed
		// upload.
		let is_lost = standings.iter().all(|standing| *standing == Standing::Lost);
		let is_there = is_new || found.is_some_and(|head| head.is_some() || !is_lost);
		self.plan_names(package, &standings, is_there);
		is_there
	}

	/// Plans commits and finalizations. Returns what the chain has of each release.
	fn plan_versions(&mut self, package: &Package<'_>) -> Vec<Standing> {
		let mut known = HashMap::<VersionId, Standing>::new();
		let mut standings = Vec::with_capacity(package.releases.len());
		for (index, release) in package.releases.iter().enumerate() {
			let version = (package.object, release.hash.version);
			let place = package.place(index);
			// A release must not change, so the user is warned.
			if !self.subject.replaces && self.is_other(package, release) {
				let (name, reason) = (release.record_name(), CHANGED.into());
				self.plan.blocked.extend(key_of(&name, SYNTAX).ok().map(Topic::Name));
				if self.on_chain.versions.get(&version) != Some(&Presence::Finalized) {
					self.plan.blocked.push(Topic::Version(version));
				}
				self.plan.changed.push(Unnamed { place, name, reason });
				standings.push(Standing::Lost);
				continue;
			}
			// An input may list the same data under two versions.
			let standing = match known.get(&release.hash.version) {
				Some(standing) => *standing,
				None => self.plan_version(version, release, place),
			};
			known.insert(release.hash.version, standing);
			standings.push(standing);
		}
		standings
	}

	fn plan_version(&mut self, version: VersionKey, release: &Release, place: Place) -> Standing {
		if self.failed.contains(&Topic::Version(version)) {
			return Standing::Lost;
		}
		let is_sha256 = release.hash.hash == HashKind::Sha256;
		let found = self.on_chain.versions.get(&version);
		if found.is_some() && self.on_chain.sha256.contains(&version) != is_sha256 {
			self.plan.blocked.push(Topic::Version(version));
			let (name, reason) = (release.record_name(), OTHER_HASH.into());
			self.plan.changed.push(Unnamed { place, name, reason });
			return Standing::Lost;
		}
		match found {
			None => {
				let (object, version) = version;
				let size = release.size.unwrap_or(DraftVersion::SIZE_UNKNOWN);
				let hash = release.hash.hash;
				let draft =
					DraftVersion { object, version, hash, size, set_head_on_finalize: false };
				let creates = !self.on_chain.objects.contains_key(&object);
				self.plan.items.push(Item::Commit { draft, creates, place });
				Standing::New(self.plan.items.len() - 1)
			},
			Some(Presence::Finalized) => {
				self.plan_copies(version, place);
				Standing::Finalized
			},
			Some(Presence::Unfinalized { node, sets_head }) => {
				let (node, sets_head) = (*node, *sets_head);
				self.plan_copies(version, place);
				self.plan.items.push(Item::Finalize { node, version, sets_head, place });
				Standing::Unfinalized
			},
			Some(Presence::Foreign) => {
				self.plan.blocked.push(Topic::Version(version));
				self.plan.foreign.push(place);
				Standing::Foreign
			},
		}
	}

	/// Plans the copies that a version on the chain lacks.
	fn plan_copies(&mut self, version: VersionKey, place: Place) {
		if let Some(lacks) = self.on_chain.lacks.get(&version) {
			self.plan.add_copies(version, lacks, false, Some(place), self.failed);
		}
	}

	/// Plans the head, if the input marks one.
	fn plan_head(&mut self, package: &Package<'_>, standings: &[Standing]) {
		let object = package.object;
		let head = self.on_chain.objects.get(&object).copied().flatten();
		let can_be_head =
			|standing: &Standing| !matches!(standing, Standing::Foreign | Standing::Lost);
		let marked = package
			.releases
			.iter()
			.zip(standings)
			.position(|(release, standing)| release.is_head && can_be_head(standing));
		let Some(marked) = marked else { return };
		let (release, standing) = (&package.releases[marked], standings[marked]);
		if head == Some(release.hash.version) {
			return;
		}
		match standing {
			Standing::New(index) => {
				if let Item::Commit { draft, .. } = &mut self.plan.items[index] {
					draft.set_head_on_finalize = true;
				}
			},
			// Finalizing may make it the head: the next plan knows.
			Standing::Unfinalized => self.plan.looks_again = true,
			_ if self.failed.contains(&Topic::Head(object)) => {},
			_ => {
				let version = (object, release.hash.version);
				self.plan.items.push(Item::Head { version, place: package.place(marked) });
			},
		}
	}

	/// Plans the records of the package and of its versions.
	fn plan_names(&mut self, package: &Package<'_>, standings: &[Standing], is_there: bool) {
		if is_there {
			let place = Place { package: package.package, release: None };
			let target = ContentRef { object: package.object, version: None };
			let names: BTreeSet<_> = package.releases.iter().map(|release| &release.name).collect();
			for name in names {
				match self.lost_path(package, name) {
					Some((key, reason)) => {
						self.plan.blocked.push(Topic::Name(key));
						self.plan.unnamed.push(Unnamed { place, name: name.clone(), reason });
					},
					None => self.plan_name(name.clone(), target, place),
				}
			}
		}
		for (index, release) in package.releases.iter().enumerate() {
			if standings[index] != Standing::Lost {
				let (target, place) = (package.target(release), package.place(index));
				self.plan_name(release.record_name(), target, place);
			}
		}
	}

	/// Returns the key of the record of a file, and the reason why the file could not be got by it.
	fn lost_path(&self, file: &Package<'_>, name: &str) -> Option<(String, String)> {
		let (paths, key) = (self.paths.as_ref()?, key_of(name, SYNTAX).ok()?);
		let reason = match known_path_of(self.subject.tenant, &key, file.object) {
			Some(_) => paths.conflict(file.name, &key)?,
			None => COLONS.into(),
		};
		Some((key, reason))
	}

	/// Returns whether the name of a release leads to other content of its package.
	fn is_other(&self, package: &Package<'_>, release: &Release) -> bool {
		let key = key_of(&release.record_name(), SYNTAX).ok();
		let found = key.and_then(|key| self.on_chain.names.get(&key));
		found.is_some_and(|found| {
			found.object == package.object && *found != package.target(release)
		})
	}

	fn plan_name(&mut self, name: String, target: ContentRef, place: Place) {
		let longest = self.subject.longest_key;
		let plan = &mut self.plan;
		let key = match key_of(&name, SYNTAX) {
			Ok(key) if key.len() <= longest => key,
			Ok(key) => {
				let reason = format!("its record key has {} bytes, more than {longest}", key.len());
				return plan.unnamed.push(Unnamed { place, name, reason });
			},
			Err(reason) => {
				return plan.unnamed.push(Unnamed { place, name, reason: reason.to_string() })
			},
		};
		match self.targets.get(&key) {
			None => self.targets.insert(key.clone(), target),
			Some(planned) if *planned == target => return,
			Some(_) => {
				let reason = "something else in the input has a record of this name".into();
				return plan.unnamed.push(Unnamed { place, name, reason });
			},
		};
		let found = self.on_chain.names.get(&key);
		if found == Some(&target) || self.failed.contains(&Topic::Name(key.clone())) {
			return;
		}
		if found.is_some() && !self.subject.replaces {
			plan.blocked.push(Topic::Name(key));
			return plan.unnamed.push(Unnamed { place, name, reason: TAKEN.into() });
		}
		plan.odd_keys += usize::from(!is_recommended(NAMES, &key));
		let is_new = !self.before.names.contains_key(&key);
		let waits = !is_new && found.is_none();
		plan.items.push(Item::Name { key, target, is_new, waits, place });
	}
}

#[cfg(test)]
mod tests;
