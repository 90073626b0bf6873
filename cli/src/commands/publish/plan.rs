// SPDX-License-Identifier: Apache-2.0
//! Plans what the chain lacks of a registry.

use std::{
	cmp::Ordering,
	collections::{HashMap, HashSet},
};

use content_fabric_client::{
	ids,
	record_names::{self, name_of},
};
use content_fabric_identifiers::{
	ContentObjectId, NodeId, RecordKeyBuf, RecordKeySyntax, TenantId, Tid, VersionId,
};
use content_fabric_primitives::{ContentRef, DraftVersion};

use super::{
	paths::Paths,
	state::{OnChain, Presence, VersionKey},
	NAMES,
};
use crate::{
	input::{built_name, compare_versions, package_name, release_name, Format, Registry, Release},
	pipeline::Task,
};

/// The lane of the provider's transactions.
pub(super) const PROVIDER: usize = 0;
/// The lane of the tenant's.
pub(super) const TENANT: usize = 1;

/// Number of kinds of items.
pub(super) const KINDS: usize = 5;

/// The syntax of record keys in the collections of a registry: a colon stands between a name and a
/// version.
pub(super) const SYNTAX: RecordKeySyntax = RecordKeySyntax::PathSegment;

const CHANGED: &str =
	"the chain has other content for this release: --replace publishes this one in its place";
const TAKEN: &str =
	"the record of this name leads to other content: --replace points it to this one";

/// The place of an item in the input: a package, and one of its releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
	pub package: usize,
	pub release: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
	/// A version that the provider's node has committed is finalized.
	Finalize { node: NodeId, version: VersionKey, place: Place },
	/// A version is committed and finalized. It `creates` the object of its package, perhaps with
	/// others.
	Commit { draft: DraftVersion, creates: bool, place: Place },
	/// A version becomes the head of its object.
	Head { version: VersionKey, place: Place },
	/// A record of a name is put.
	Name { key: String, target: ContentRef, is_new: bool, place: Place },
	/// The record of the run is put.
	Run { key: Tid, target: ContentRef },
}

impl Item {
	/// Returns the task of the item. Records come after the versions to which they lead, and the
	/// record of the run comes last.
	pub(super) fn task(&self) -> Task {
		let (lane, kind, stage) = match self {
			Self::Finalize { .. } => (PROVIDER, 0, 0),
			Self::Commit { .. } => (PROVIDER, 1, 0),
			Self::Head { .. } => (TENANT, 2, 0),
			Self::Name { .. } => (TENANT, 3, 1),
			Self::Run { .. } => (TENANT, 4, 2),
		};
		Task { lane, kind, stage }
	}

	pub(super) fn topic(&self) -> Topic {
		match self {
			Self::Finalize { version, .. } => Topic::Version(*version),
			Self::Commit { draft, .. } => Topic::Version((draft.object, draft.version)),
			Self::Head { version: (object, _), .. } => Topic::Head(*object),
			Self::Name { key, .. } => Topic::Name(key.clone()),
			Self::Run { .. } => Topic::Run,
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
			Self::Run { .. } => None,
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
}

/// Topics that failed for good: no plan has items about them.
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
	pub format: Format,
	pub tenant: TenantId,
	/// The packages in the order of their names.
	pub packages: &'a [(&'a str, &'a [Release])],
	/// True to make the highest versions the heads in any case.
	pub move_heads: bool,
	/// True to point existing records of other content to the content of the input.
	pub replaces: bool,
	/// Largest length of a record key, in bytes.
	pub longest_key: usize,
	/// The key of the record of the run, until the chain has that record. A second transaction with
	/// it, after one whose fate was not known in time, adds no other record.
	pub run: Option<Tid>,
}

/// The packages of a registry in the order of their names.
pub(super) type Packages<'a> = Vec<(&'a str, &'a [Release])>;

pub(super) fn packages(registry: &Registry) -> Packages<'_> {
	registry.iter().map(|(name, releases)| (name.as_str(), releases.as_slice())).collect()
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
	/// Number of heads that stay because nothing says how high they are.
	pub unknown_heads: usize,
	/// Number of planned record keys that atproto advises against.
	pub odd_keys: usize,
	/// True if the heads of versions to be finalized must be looked at afterwards.
	pub looks_again: bool,
}

impl Plan {
	pub(super) fn new(subject: Subject<'_>, on_chain: &OnChain, failed: &Failed) -> Self {
		let paths = match subject.format {
			Format::Directory => Paths::read(subject.tenant, on_chain),
			_ => Paths::default(),
		};
		let (plan, targets) = (Self::default(), HashMap::new());
		let mut planner = Planner { subject, on_chain, failed, paths, plan, targets };
		let mut last = None;
		for (package, (name, releases)) in subject.packages.iter().enumerate() {
			let object = ids::content_object(subject.tenant, name);
			let package = Package { package, name, releases, object };
			if planner.plan_package(&package) {
				last = Some(object);
			}
		}
		let mut plan = planner.plan;
		let run = subject.run.filter(|_| !failed.contains(&Topic::Run));
		if let (Some(key), Some(object)) = (run, last) {
			plan.items.push(Item::Run { key, target: ContentRef { object, version: None } });
		}
		plan.items.sort_by_key(|item| item.task().kind);
		plan
	}

	pub(super) fn tasks(&self) -> Vec<Task> {
		self.items.iter().map(Item::task).collect()
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

/// A package of the registry.
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
		ContentRef { object: self.object, version: Some(release.checksum) }
	}
}

/// Plans what the chain lacks, package by package.
struct Planner<'a> {
	subject: Subject<'a>,
	on_chain: &'a OnChain,
	failed: &'a Failed,
	/// The paths of files on the chain, if these are files.
	paths: Paths<'a>,
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
		let is_there = is_new || self.on_chain.objects.contains_key(&package.object);
		self.plan_names(package, &standings, is_there);
		is_there
	}

	/// Plans commits and finalizations. Returns what the chain has of each release.
	fn plan_versions(&mut self, package: &Package<'_>) -> Vec<Standing> {
		let mut known = HashMap::<VersionId, Standing>::new();
		let mut standings = Vec::with_capacity(package.releases.len());
		for (index, release) in package.releases.iter().enumerate() {
			let version = (package.object, release.checksum);
			let place = package.place(index);
			// A release must not change, so the user is warned.
			if !self.subject.replaces && self.is_other(package, release) {
				let (name, reason) = (self.own_name(package, release), CHANGED.into());
				let key = RecordKeyBuf::of_name(&name, SYNTAX).ok();
				self.plan.blocked.extend(key.map(|key| Topic::Name(key.into_string())));
				if self.on_chain.versions.get(&version) != Some(&Presence::Finalized) {
					self.plan.blocked.push(Topic::Version(version));
				}
				self.plan.changed.push(Unnamed { place, name, reason });
				standings.push(Standing::Lost);
				continue;
			}
			// An input may list the same data under two versions.
			let standing = match known.get(&release.checksum) {
				Some(standing) => *standing,
				None => self.plan_version(version, release, place),
			};
			known.insert(release.checksum, standing);
			standings.push(standing);
		}
		standings
	}

	fn plan_version(&mut self, version: VersionKey, release: &Release, place: Place) -> Standing {
		if self.failed.contains(&Topic::Version(version)) {
			return Standing::Lost;
		}
		match self.on_chain.versions.get(&version) {
			None => {
				let (object, version) = version;
				let size = release.size.unwrap_or(DraftVersion::SIZE_UNKNOWN);
				let draft = DraftVersion { object, version, size, set_head_on_finalize: false };
				let creates = !self.on_chain.objects.contains_key(&object);
				self.plan.items.push(Item::Commit { draft, creates, place });
				Standing::New(self.plan.items.len() - 1)
			},
			Some(Presence::Finalized) => Standing::Finalized,
			Some(Presence::Unfinalized(node)) => {
				self.plan.items.push(Item::Finalize { node: *node, version, place });
				Standing::Unfinalized
			},
			Some(Presence::Foreign) => {
				self.plan.blocked.push(Topic::Version(version));
				self.plan.foreign.push(place);
				Standing::Foreign
			},
		}
	}

	/// Plans the head.
	///
	/// Heads move forwards only. The chain has the ids of versions, not their texts, so the text of
	/// a head is the text of a record, or of the input itself.
	fn plan_head(&mut self, package: &Package<'_>, standings: &[Standing]) {
		let object = package.object;
		let head = self.on_chain.objects.get(&object).copied().flatten();
		let can_be_head =
			|standing: &Standing| !matches!(standing, Standing::Foreign | Standing::Lost);
		let Some(last) = standings.iter().rposition(can_be_head) else { return };
		let (release, standing) = (&package.releases[last], standings[last]);
		let Subject { format, move_heads, replaces, .. } = self.subject;
		if head == Some(release.checksum) {
			return;
		}
		if head.is_some() && !move_heads && format != Format::Directory {
			let is_replaced = replaces && self.is_other(package, release);
			let is_new = matches!(standing, Standing::New(_)) || is_replaced;
			match is_higher(format, &release.version, is_new, &self.texts_of(package, head)) {
				Some(true) => {},
				Some(false) => return,
				None => return self.plan.unknown_heads += 1,
			}
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
				let version = (object, release.checksum);
				self.plan.items.push(Item::Head { version, place: package.place(last) });
			},
		}
	}

	/// Returns the texts of the version that is the head, from its records and the input.
	fn texts_of(&self, package: &Package<'_>, head: Option<VersionId>) -> Vec<String> {
		let prefix = release_name(self.subject.format, package.name, "");
		let keys = self.on_chain.head_names.get(&package.object).into_iter().flatten();
		let recorded = keys.filter_map(|key| Some(name_of(key).strip_prefix(&prefix)?.to_owned()));
		let listed = package.releases.iter().filter(|release| Some(release.checksum) == head);
		recorded.chain(listed.map(|release| release.version.clone())).collect()
	}

	/// Plans the records of the package and of its versions.
	fn plan_names(&mut self, package: &Package<'_>, standings: &[Standing], is_there: bool) {
		if is_there {
			let name = package_name(self.subject.format, package.name);
			let place = Place { package: package.package, release: None };
			match self.paths.conflict(package.name) {
				Some(reason) => {
					let key = RecordKeyBuf::of_name(&name, SYNTAX).ok();
					self.plan.blocked.extend(key.map(|key| Topic::Name(key.into_string())));
					self.plan.unnamed.push(Unnamed { place, name, reason });
				},
				None => {
					let target = ContentRef { object: package.object, version: None };
					self.plan_name(name, target, place);
				},
			}
		}
		// The files of each version.
		let mut files = HashMap::<&str, HashSet<VersionId>>::new();
		for release in package.releases {
			files.entry(&release.version).or_default().insert(release.checksum);
		}
		for (index, release) in package.releases.iter().enumerate() {
			if standings[index] == Standing::Lost {
				continue;
			}
			let (target, place) = (package.target(release), package.place(index));
			let is_one = files.get(&*release.version).is_some_and(|files| files.len() == 1);
			if let Some(name) = self.short_name(package, release).filter(|_| is_one) {
				self.plan_name(name, target, place);
			}
			self.plan_name(self.own_name(package, release), target, place);
		}
	}

	/// Returns the name that stands for a release alone: it says the architecture, if there is one.
	fn own_name(&self, package: &Package<'_>, release: &Release) -> String {
		let name = release_name(self.subject.format, package.name, &release.version);
		match &release.architecture {
			Some(architecture) => built_name(&name, architecture),
			None => name,
		}
	}

	/// Returns the name without the architecture, if there is one and the name does not lead to
	/// something else. It follows the other name to another file.
	fn short_name(&self, package: &Package<'_>, release: &Release) -> Option<String> {
		release.architecture.as_ref()?;
		let name = release_name(self.subject.format, package.name, &release.version);
		let replaced = self.found(&self.own_name(package, release));
		let replaced = replaced.filter(|_| self.subject.replaces);
		let is_its =
			|found: &ContentRef| *found == package.target(release) || Some(found) == replaced;
		self.found(&name).is_none_or(is_its).then_some(name)
	}

	/// Returns the content to which the record of a name leads.
	fn found(&self, name: &str) -> Option<&ContentRef> {
		let key = RecordKeyBuf::of_name(name, SYNTAX).ok()?;
		self.on_chain.names.get(key.as_str())
	}

	/// Returns whether the name of a release leads to other content of its package.
	fn is_other(&self, package: &Package<'_>, release: &Release) -> bool {
		self.found(&self.own_name(package, release)).is_some_and(|found| {
			found.object == package.object && *found != package.target(release)
		})
	}

	fn plan_name(&mut self, name: String, target: ContentRef, place: Place) {
		let longest = self.subject.longest_key;
		let plan = &mut self.plan;
		let key = match RecordKeyBuf::of_name(&name, SYNTAX) {
			Ok(key) if key.as_str().len() <= longest => key.into_string(),
			Ok(key) => {
				let length = key.as_str().len();
				let reason = format!("its record key has {length} bytes, more than {longest}");
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
		plan.odd_keys += usize::from(!record_names::is_recommended(NAMES, &key));
		plan.items.push(Item::Name { key, target, is_new: found.is_none(), place });
	}
}

/// Returns whether a version is higher than a head that is known by `texts`. `None` if nothing says
/// how high the head is.
fn is_higher(format: Format, text: &str, is_new: bool, texts: &[String]) -> Option<bool> {
	let orders = texts.iter().filter_map(|known| compare_versions(format, text, known));
	Some(match orders.min()? {
		Ordering::Greater => true,
		// Another build of the same version. Once both are on the chain, the head stays, or two
		// inputs would move it to and fro.
		Ordering::Equal => is_new,
		Ordering::Less => false,
	})
}

#[cfg(test)]
mod tests;
