// SPDX-License-Identifier: Apache-2.0
//! Plans what the chain lacks of a registry.

use std::{
	collections::{HashMap, HashSet},
	ops::Range,
};

use content_fabric_identifiers::{
	ContentObjectId, NodeId, RecordKeyBuf, RecordKeySyntax, TenantId, VersionId,
};
use content_fabric_primitives::{ContentRef, DraftVersion};

use super::{
	heads::{decide, Candidate, Decision},
	state::{OnChain, Presence, VersionKey},
	NAMES,
};
use crate::{
	ids,
	input::{built_name, package_name, release_name, Format, Registry, Release},
	pipeline::Task,
	record_names::{self, name_of},
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

/// The reason why a release is left out.
const CHANGED: &str =
	"the chain has other content for this release: --replace publishes this one in its place";
/// The reason why a record is left as it is.
const TAKEN: &str =
	"the record of this name leads to other content: --replace points it to this one";

/// The place of an item in the input: a package, and one of its releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
	pub package: usize,
	pub release: Option<usize>,
}

/// A piece of work.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
	/// A version that the provider's node has committed is finalized.
	Finalize { node: NodeId, version: VersionKey, place: Place },
	/// A version is committed and finalized.
	Commit { draft: DraftVersion, place: Place },
	/// A version becomes the head of its object.
	Head { version: VersionKey, place: Place },
	/// A record of a name is put.
	Name { key: String, target: ContentRef, is_new: bool, place: Place },
	/// The record of the run is put.
	Run { target: ContentRef },
}

impl Item {
	/// Returns the task of the item. Records come after the versions to which they lead, and that of
	/// the run comes last.
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

	/// Returns what the item is about.
	pub(super) fn topic(&self) -> Topic {
		match self {
			Self::Finalize { version, .. } => Topic::Version(*version),
			Self::Commit { draft, .. } => Topic::Version((draft.object, draft.version)),
			Self::Head { version: (object, _), .. } => Topic::Head(*object),
			Self::Name { key, .. } => Topic::Name(key.clone()),
			Self::Run { .. } => Topic::Run,
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
	/// Most bytes of a record key.
	pub longest_key: usize,
	/// True if the run has no record yet.
	pub with_run: bool,
}

/// The packages of a registry in the order of their names.
pub(super) type Packages<'a> = Vec<(&'a str, &'a [Release])>;

/// Returns the packages of a registry.
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

/// The items of a plan by kind.
#[derive(Default)]
struct Parts {
	finalize: Vec<Item>,
	commits: Vec<Item>,
	heads: Vec<Item>,
	names: Vec<Item>,
	/// The targets of all names so far, by key.
	targets: HashMap<String, ContentRef>,
	/// The last package that is on the chain, or will be.
	last: Option<ContentObjectId>,
}

impl Plan {
	/// Plans for a registry.
	pub(super) fn new(subject: Subject<'_>, on_chain: &OnChain, failed: &Failed) -> Self {
		let mut plan = Self::default();
		let mut parts = Parts::default();
		for package in 0..subject.packages.len() {
			Package::new(subject, on_chain, failed, package).plan(&mut plan, &mut parts);
		}
		plan.assemble(subject, failed, parts);
		plan
	}

	fn assemble(&mut self, subject: Subject<'_>, failed: &Failed, parts: Parts) {
		let Parts { finalize, commits, heads, names, last, .. } = parts;
		self.items.extend(finalize.into_iter().chain(commits).chain(heads).chain(names));
		if let Some(object) = last.filter(|_| subject.with_run && !failed.contains(&Topic::Run)) {
			self.items.push(Item::Run { target: ContentRef { object, version: None } });
		}
	}

	/// Returns the items as tasks of a round.
	pub(super) fn tasks(&self) -> Vec<Task> {
		self.items.iter().map(Item::task).collect()
	}
}

/// The rows of one release on the chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
	/// To be committed, as the commit with this index.
	New(usize),
	Finalized,
	Unfinalized,
	Foreign,
	/// It failed, or the chain has other content under its name.
	Lost,
}

/// A package, of which is planned what the chain lacks.
struct Package<'a> {
	subject: Subject<'a>,
	on_chain: &'a OnChain,
	failed: &'a Failed,
	package: usize,
	name: &'a str,
	releases: &'a [Release],
	object: ContentObjectId,
}

impl<'a> Package<'a> {
	fn new(
		subject: Subject<'a>,
		on_chain: &'a OnChain,
		failed: &'a Failed,
		package: usize,
	) -> Self {
		let (name, releases) = subject.packages[package];
		let object = ids::content_object(subject.tenant, name);
		Self { subject, on_chain, failed, package, name, releases, object }
	}

	fn place(&self, release: usize) -> Place {
		Place { package: self.package, release: Some(release) }
	}

	fn plan(&self, plan: &mut Plan, parts: &mut Parts) {
		let first = parts.commits.len();
		let standings = self.plan_versions(plan, parts);
		let commits = first..parts.commits.len();
		self.plan_head(&standings, commits.clone(), plan, parts);
		let is_there = self.exists() || !commits.is_empty();
		self.plan_names(&standings, is_there, plan, parts);
		if is_there {
			parts.last = Some(self.object);
		}
	}

	fn exists(&self) -> bool {
		self.on_chain.objects.contains_key(&self.object)
	}

	/// Plans commits and finalizations. Returns what the chain has of each release.
	fn plan_versions(&self, plan: &mut Plan, parts: &mut Parts) -> Vec<Standing> {
		let mut known = HashMap::<VersionId, Standing>::new();
		let mut standings = Vec::with_capacity(self.releases.len());
		for (index, release) in self.releases.iter().enumerate() {
			let version = release.checksum;
			let place = self.place(index);
			if self.has_changed(release) {
				let (name, reason) = (self.own_name(release), CHANGED.into());
				plan.blocked.extend(self.topic_of_name(&name));
				let version = (self.object, version);
				if self.on_chain.versions.get(&version) != Some(&Presence::Finalized) {
					plan.blocked.push(Topic::Version(version));
				}
				plan.changed.push(Unnamed { place, name, reason });
				standings.push(Standing::Lost);
				continue;
			}
			// An input may list the same data under two versions.
			let standing = *known.entry(version).or_insert_with(|| {
				let version = (self.object, version);
				if self.failed.contains(&Topic::Version(version)) {
					return Standing::Lost;
				}
				match self.on_chain.versions.get(&version) {
					None => {
						parts.commits.push(Item::Commit { draft: draft(version, release), place });
						Standing::New(parts.commits.len() - 1)
					},
					Some(Presence::Finalized) => Standing::Finalized,
					Some(Presence::Unfinalized(node)) => {
						parts.finalize.push(Item::Finalize { node: *node, version, place });
						Standing::Unfinalized
					},
					Some(Presence::Foreign) => {
						plan.blocked.push(Topic::Version(version));
						plan.foreign.push(place);
						Standing::Foreign
					},
				}
			});
			standings.push(standing);
		}
		standings
	}

	/// Plans the head.
	fn plan_head(
		&self,
		standings: &[Standing],
		commits: Range<usize>,
		plan: &mut Plan,
		parts: &mut Parts,
	) {
		let head = self.on_chain.objects.get(&self.object).copied().flatten();
		let can_be_head =
			|standing: &&Standing| !matches!(standing, Standing::Foreign | Standing::Lost);
		let Some(last) = standings.iter().rposition(|standing| can_be_head(&standing)) else {
			return;
		};
		let (release, standing) = (&self.releases[last], standings[last]);
		let candidate = Candidate {
			version: release.checksum,
			text: &release.version,
			is_new: matches!(standing, Standing::New(_)) || self.is_replaced(release),
		};
		let Subject { format, move_heads, .. } = self.subject;
		let texts = self.texts_of(head);
		match decide(format, move_heads, head, candidate, texts.iter().map(String::as_str)) {
			Decision::Stay => return,
			Decision::Unknown => return plan.unknown_heads += 1,
			Decision::Move => {},
		}
		let version = (self.object, release.checksum);
		match standing {
			Standing::New(index) if commits.contains(&index) => {
				if let Item::Commit { draft, .. } = &mut parts.commits[index] {
					draft.set_head_on_finalize = true;
				}
			},
			// Finalizing may make it the head: the next plan knows.
			Standing::Unfinalized => plan.looks_again = true,
			_ if self.failed.contains(&Topic::Head(self.object)) => {},
			_ => parts.heads.push(Item::Head { version, place: self.place(last) }),
		}
	}

	/// Returns the texts of the version that is the head: those of its records, and of the input.
	fn texts_of(&self, head: Option<VersionId>) -> Vec<String> {
		let prefix = release_name(self.subject.format, self.name, "");
		let keys = self.on_chain.head_names.get(&self.object).into_iter().flatten();
		let recorded = keys.filter_map(|key| Some(name_of(key).strip_prefix(&prefix)?.to_owned()));
		let listed = self.releases.iter().filter(|release| Some(release.checksum) == head);
		recorded.chain(listed.map(|release| release.version.clone())).collect()
	}

	/// Plans the records of the package and of its versions.
	fn plan_names(
		&self,
		standings: &[Standing],
		is_there: bool,
		plan: &mut Plan,
		parts: &mut Parts,
	) {
		let object = self.object;
		if is_there {
			let name = package_name(self.subject.format, self.name);
			let place = Place { package: self.package, release: None };
			self.plan_name(name, ContentRef { object, version: None }, place, plan, parts);
		}
		// The files of each version.
		let mut files = HashMap::<&str, HashSet<VersionId>>::new();
		for release in self.releases {
			files.entry(&release.version).or_default().insert(release.checksum);
		}
		for (index, release) in self.releases.iter().enumerate() {
			if standings[index] == Standing::Lost {
				continue;
			}
			let (target, place) = (self.target(release), self.place(index));
			let is_one = files.get(&*release.version).is_some_and(|files| files.len() == 1);
			if let Some(name) = self.short_name(release).filter(|_| is_one) {
				self.plan_name(name, target, place, plan, parts);
			}
			self.plan_name(self.own_name(release), target, place, plan, parts);
		}
	}

	fn target(&self, release: &Release) -> ContentRef {
		ContentRef { object: self.object, version: Some(release.checksum) }
	}

	/// Returns the name that stands for a release alone: it says the architecture, if there is one.
	fn own_name(&self, release: &Release) -> String {
		let name = release_name(self.subject.format, self.name, &release.version);
		match &release.architecture {
			Some(architecture) => built_name(&name, architecture),
			None => name,
		}
	}

	/// Returns the name without the architecture, if there is one and the name does not lead to
	/// something else. It follows the other name to another file.
	fn short_name(&self, release: &Release) -> Option<String> {
		release.architecture.as_ref()?;
		let name = release_name(self.subject.format, self.name, &release.version);
		let replaced = self.found(&self.own_name(release)).filter(|_| self.subject.replaces);
		let is_its = |found: &ContentRef| *found == self.target(release) || Some(found) == replaced;
		self.found(&name).is_none_or(is_its).then_some(name)
	}

	fn topic_of_name(&self, name: &str) -> Option<Topic> {
		let key = RecordKeyBuf::of_name(name, SYNTAX).ok()?;
		Some(Topic::Name(key.into_string()))
	}

	/// Returns the content to which the record of a name leads.
	fn found(&self, name: &str) -> Option<&ContentRef> {
		let key = RecordKeyBuf::of_name(name, SYNTAX).ok()?;
		self.on_chain.names.get(key.as_str())
	}

	/// Returns whether the chain has other content for this release. A release must not change, so the
	/// user is warned.
	fn has_changed(&self, release: &Release) -> bool {
		!self.subject.replaces && self.is_other(release)
	}

	/// Returns whether the name of a release is about to lead to other content.
	fn is_replaced(&self, release: &Release) -> bool {
		self.subject.replaces && self.is_other(release)
	}

	/// Returns whether the name of a release leads to other content of its package.
	fn is_other(&self, release: &Release) -> bool {
		let found = self.found(&self.own_name(release));
		found.is_some_and(|found| found.object == self.object && *found != self.target(release))
	}

	fn plan_name(
		&self,
		name: String,
		target: ContentRef,
		place: Place,
		plan: &mut Plan,
		parts: &mut Parts,
	) {
		let longest = self.subject.longest_key;
		let key = match RecordKeyBuf::of_name(&name, SYNTAX) {
			Ok(key) if key.as_str().len() <= longest => key,
			Ok(key) => {
				let length = key.as_str().len();
				let reason = format!("its record key has {length} bytes, more than {longest}");
				return plan.unnamed.push(Unnamed { place, name, reason });
			},
			Err(reason) => {
				return plan.unnamed.push(Unnamed { place, name, reason: reason.to_string() })
			},
		};
		let key = key.into_string();
		match parts.targets.insert(key.clone(), target) {
			None => {},
			Some(planned) if planned == target => return,
			Some(planned) => {
				parts.targets.insert(key, planned);
				let reason = "something else in the input has a record of this name".into();
				return plan.unnamed.push(Unnamed { place, name, reason });
			},
		}
		let found = self.on_chain.names.get(&key);
		if found == Some(&target) || self.failed.contains(&Topic::Name(key.clone())) {
			return;
		}
		if found.is_some() && !self.subject.replaces {
			plan.blocked.push(Topic::Name(key));
			return plan.unnamed.push(Unnamed { place, name, reason: TAKEN.into() });
		}
		plan.odd_keys += usize::from(!record_names::is_recommended(NAMES, &key));
		let item = Item::Name { key, target, is_new: found.is_none(), place };
		parts.names.push(item);
	}
}

fn draft((object, version): VersionKey, release: &Release) -> DraftVersion {
	let size = release.size.unwrap_or(DraftVersion::SIZE_UNKNOWN);
	DraftVersion { object, version, size, set_head_on_finalize: false }
}

#[cfg(test)]
mod tests;
