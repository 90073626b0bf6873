// SPDX-License-Identifier: Apache-2.0
//! Groups items into content objects, and finds those that contradict each other.

use std::collections::{BTreeMap, HashMap};

use content_fabric_identifiers::{
	Cid, ContentObjectId, ContentObjectPath, HashKind, SpaceId, TenantId, VersionId,
};

use super::{Item, Object, Release, Sources};
use crate::{
	ids::{self, ObjectArgument},
	text::printable,
};

/// Number of hex digits of the hash that are the version of an item that gives none.
const VERSION_LEN: usize = 16;

/// Returns the text of a version that has none: the first 16 hex digits of its hash.
pub fn version_text(hash: VersionId) -> String {
	let mut version = hex::encode(hash.0);
	version.truncate(VERSION_LEN);
	version
}

/// The content objects of the items so far.
pub(super) struct Objects<'a> {
	space: SpaceId,
	/// The source of items that name none.
	source: Option<&'a str>,
	sources: BTreeMap<String, Source>,
	/// The size of each version, and the line that gives it.
	sizes: HashMap<Cid, (u64, usize)>,
	/// The kind of hash of each version, and the line that gives it.
	kinds: HashMap<VersionId, (HashKind, usize)>,
}

struct Source {
	tenant: TenantId,
	objects: Vec<Object>,
	by_id: HashMap<ContentObjectId, Known>,
	/// The targets of records by their names, and the lines that name them.
	records: HashMap<String, (Target, usize)>,
	/// The hashes of items without a version, by name, and their lines.
	unversioned: HashMap<String, (Cid, usize)>,
}

/// The target of a record: an object, or a version of it.
type Target = (ContentObjectId, Option<Cid>);

struct Known {
	/// The place of the object.
	place: usize,
	/// Its head, and the line that gives it.
	head: Option<(Cid, usize)>,
}

impl<'a> Objects<'a> {
	pub(super) fn new(space: SpaceId, source: Option<&'a str>) -> Self {
		Self {
			space,
			source,
			sources: BTreeMap::new(),
			sizes: HashMap::new(),
			kinds: HashMap::new(),
		}
	}

	/// Adds the item of a line, or returns the reason why it cannot be published.
	pub(super) fn add(&mut self, line: usize, mut item: Item) -> Result<(), String> {
		let Cid { hash, version } = item.hash;
		let (known, at) = *self.kinds.entry(version).or_insert((hash, line));
		if known != hash {
			return Err(format!(
				"hash is of the kind {hash}, and {known} for the same id on line {at}"
			));
		}
		if let Some(size) = item.size {
			let (known, at) = *self.sizes.entry(item.hash).or_insert((size, line));
			if known != size {
				return Err(format!("size is {size}, and {known} for the same hash on line {at}"));
			}
		}
		let source = item.source.take().or_else(|| self.source.map(str::to_owned));
		let source = source.ok_or("has no `source`: add it, or pass --source NAME")?;
		let tenant = ids::tenant(self.space, &source);
		self.sources.entry(source).or_insert_with(|| Source::new(tenant)).add(line, item)
	}

	/// Returns the objects by source.
	pub(super) fn into_sources(self) -> Sources {
		let Self { sources, sizes, .. } = self;
		let complete = |source: Source| {
			let Source { mut objects, by_id, .. } = source;
			for Known { place, head } in by_id.into_values() {
				for release in &mut objects[place].releases {
					release.is_head = head.is_some_and(|(head, _)| head == release.hash);
					release.size = sizes.get(&release.hash).map(|(size, _)| *size);
				}
			}
			objects
		};
		sources.into_iter().map(|(name, source)| (name, complete(source))).collect()
	}
}

impl Source {
	fn new(tenant: TenantId) -> Self {
		Self {
			tenant,
			objects: Vec::new(),
			by_id: HashMap::new(),
			records: HashMap::new(),
			unversioned: HashMap::new(),
		}
	}

	fn add(&mut self, line: usize, item: Item) -> Result<(), String> {
		let Item { name, version, hash, object, head, .. } = item;
		let given = object.as_deref().map(|text| self.given_id(text)).transpose()?.flatten();
		let object = object.unwrap_or_else(|| name.clone());
		let id = given.unwrap_or_else(|| ids::content_object(self.tenant, &object));
		if version.is_none() {
			let (known, at) = *self.unversioned.entry(name.clone()).or_insert((hash, line));
			if known != hash {
				let name = printable(&name);
				return Err(format!(
					"`{name}` has another hash on line {at}: give each hash a `version`"
				));
			}
		}
		let version = version.unwrap_or_else(|| version_text(hash.version));
		let release = Release { name, version, hash, size: None, is_head: false };
		self.claim(release.name.clone(), (id, None), line)?;
		let is_new = self.claim(release.record_name(), (id, Some(hash)), line)?;
		let next = self.objects.len();
		let known = self.by_id.entry(id).or_insert(Known { place: next, head: None });
		if known.place == next {
			self.objects.push(Object { name: object, id: given, releases: Vec::new() });
		}
		if is_new {
			self.objects[known.place].releases.push(release);
		}
		match known.head {
			Some((other, at)) if head && other != hash => {
				let name = printable(&self.objects[known.place].name);
				Err(format!("`{name}` has another head on line {at}"))
			},
			_ => {
				known.head = known.head.or_else(|| head.then_some((hash, line)));
				Ok(())
			},
		}
	}

	/// Returns the id of an object that is given by its id.
	fn given_id(&self, text: &str) -> Result<Option<ContentObjectId>, String> {
		if ![ContentObjectId::PREFIX, ContentObjectPath::PREFIX]
			.iter()
			.any(|id| text.starts_with(id))
		{
			return Ok(None);
		}
		let id = text.parse::<ObjectArgument>().and_then(|id| id.of(self.tenant));
		id.map(Some).map_err(|error| format!("object: {error}"))
	}

	/// Claims the record of a name. Returns whether it is new.
	fn claim(&mut self, name: String, target: Target, line: usize) -> Result<bool, String> {
		match self.records.get(&name) {
			None => drop(self.records.insert(name, (target, line))),
			Some((known, _)) if *known == target => return Ok(false),
			Some(((id, version), at)) => {
				let what = match (version, target.1) {
					(Some(_), Some(_)) if *id == target.0 => "has another hash",
					(None, None) => "leads to another object",
					_ => "leads to something else",
				};
				return Err(format!("`{}` {what} on line {at}", printable(&name)));
			},
		}
		Ok(true)
	}
}
