// SPDX-License-Identifier: Apache-2.0
//! The versions of a tenant to which a command applies.

use std::{
	collections::{HashMap, HashSet},
	str::FromStr,
};

use clap::Args;
use content_fabric_client::{
	chain::{self, rows, Chain, Snapshot},
	ids::{IdError, ObjectArgument, VersionArgument},
	record_names::path_of,
	text::Text,
};
use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};
use content_fabric_primitives::ContentRef;

use crate::Error;

/// The collection of the names of files.
const NAMES: &str = "names";

/// Versions of a tenant
#[derive(Clone, Debug, Args)]
pub struct Selection {
	/// The tenant, iten…
	pub tenant: TenantId,
	/// Names in the collection `names`: paths of files, or of folders with all files in them. Or
	/// content objects, iq__… or itq_…, for all their versions. Or versions: hq__…, their hashes in
	/// hex, or their CIDs. With both objects and versions, only these versions of these objects
	/// [default: all versions of the tenant]
	#[arg(value_name = "NAME|OBJECT|VERSION")]
	pub what: Vec<What>,
}

/// A part of a selection.
#[derive(Clone, Debug)]
pub enum What {
	Object(ObjectArgument),
	Version(VersionArgument),
	Name(String),
}

impl FromStr for What {
	type Err = IdError;

	fn from_str(text: &str) -> Result<Self, IdError> {
		if text.starts_with("iq__") || text.starts_with("itq_") {
			return text.parse().map(Self::Object);
		}
		if text.starts_with(VersionId::PREFIX) {
			return text.parse().map(Self::Version);
		}
		// Hashes in hex, and CIDs.
		Ok(text.parse().map_or_else(|_| Self::Name(text.to_owned()), Self::Version))
	}
}

/// A version under its tenant.
pub type VersionKey = (ContentObjectId, VersionId);

impl Selection {
	/// Returns the versions with their rows, in the order of their ids. Each part of the selection
	/// must exist.
	pub async fn rows(
		&self,
		chain: &Chain,
		at: &Snapshot,
	) -> Result<Vec<(VersionKey, rows::Version)>, Error> {
		let tenant = self.tenant;
		at.ensure_whole(tenant).await?;
		let (mut objects, mut versions) = (HashSet::new(), HashMap::new());
		for what in &self.what {
			match what {
				What::Object(object) => drop(objects.insert(object.of(tenant)?)),
				What::Version(version) => drop(versions.insert(version.version, *version)),
				What::Name(_) => {},
			}
		}
		let named = self.named(chain, at).await?;
		let is_all = self.what.is_empty();
		let mut found = Vec::new();
		chain
			.scan(at, rows::versions(), (tenant,), |mut key, row| {
				let version: VersionKey = (key.part()?, key.part()?);
				let by_ids = match (objects.is_empty(), versions.get(&version.1)) {
					(true, named) => named.is_some(),
					(false, Some(_)) => objects.contains(&version.0),
					(false, None) => versions.is_empty() && objects.contains(&version.0),
				};
				let by_name = named.iter().any(|target| is_of(target, &version));
				if is_all || by_ids || by_name {
					found.push((version, row));
				}
				Ok(())
			})
			.await?;
		found.sort_by_key(|(version, _)| *version);
		let here: HashSet<_> = found.iter().map(|((object, _), _)| *object).collect();
		if let Some(object) = objects.iter().find(|object| !here.contains(*object)) {
			return Err(chain::Error::unknown("version of the content object", object).into());
		}
		for named in versions.values() {
			let mut rows = found.iter().filter(|((_, version), _)| *version == named.version);
			let (_, row) =
				rows.next().ok_or_else(|| chain::Error::unknown("version", named.version))?;
			named.ensure(row.hash).map_err(chain::Error::from)?;
		}
		Ok(found)
	}

	/// Returns the names of objects, or of versions alone: of several, the shortest.
	pub async fn names(
		&self,
		chain: &Chain,
		at: &Snapshot,
	) -> Result<HashMap<ContentRef, String>, Error> {
		let (tenant, mut names) = (self.tenant, HashMap::<ContentRef, String>::new());
		chain
			.scan(at, rows::records(), (tenant, Text(NAMES.into())), |mut key, row| {
				let key = String::from_utf8_lossy(&key.part::<Vec<u8>>()?).into_owned();
				let path = path_of(tenant, &key, row.target.object);
				let name = names.entry(row.target).or_insert_with(|| path.clone());
				if (path.len(), &path) < (name.len(), name) {
					*name = path;
				}
				Ok(())
			})
			.await?;
		Ok(names)
	}

	/// Returns the targets of the names.
	async fn named(&self, chain: &Chain, at: &Snapshot) -> Result<Vec<ContentRef>, Error> {
		let names: Vec<_> = self.what.iter().filter_map(What::name).collect();
		let (mut targets, mut found) = (Vec::new(), HashSet::new());
		if names.is_empty() {
			return Ok(targets);
		}
		let tenant = self.tenant;
		let records = (tenant, Text(NAMES.into()));
		chain
			.scan(at, rows::records(), records, |mut key, row| {
				let key = String::from_utf8_lossy(&key.part::<Vec<u8>>()?).into_owned();
				let path = path_of(tenant, &key, row.target.object);
				let mut is_wanted = false;
				for name in names.iter().filter(|name| is_called(&key, &path, name)) {
					found.insert(*name);
					is_wanted = true;
				}
				if is_wanted {
					targets.push(row.target);
				}
				Ok(())
			})
			.await?;
		match names.iter().find(|name| !found.contains(*name)) {
			Some(name) => {
				Err(Error::NotFound(format!("nothing is published under {name} of {tenant}")))
			},
			None => Ok(targets),
		}
	}
}

impl What {
	fn name(&self) -> Option<&str> {
		match self {
			Self::Name(name) => Some(name),
			_ => None,
		}
	}
}

/// Returns whether a version belongs to the target of a record.
fn is_of(target: &ContentRef, (object, version): &VersionKey) -> bool {
	target.object == *object && target.version.is_none_or(|named| named == *version)
}

/// Returns whether a record, with its path, has a name, or is in the folder with this name.
fn is_called(key: &str, path: &str, name: &str) -> bool {
	let folder = name.trim_end_matches('/');
	let is_in = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
	key == name || path == name || is_in(folder)
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn texts_are_objects_versions_or_names() {
		let (object, version) = (ContentObjectId([1; 10]), VersionId([2; 32]));
		let what = |text: &str| text.parse::<What>();
		assert!(matches!(what(&object.to_string()), Ok(What::Object(_))));
		for text in [version.to_string(), "02".repeat(32)] {
			assert!(matches!(what(&text), Ok(What::Version(named)) if named.version == version));
		}
		for name in ["index.html", "docs/", "1.0", "02"] {
			assert!(matches!(what(name), Ok(What::Name(found)) if found == name), "{name}");
		}
		for wrong in ["iq__", "hq__abc", "itq_1"] {
			assert!(what(wrong).is_err(), "{wrong}");
		}
	}

	#[test]
	fn a_name_is_a_key_a_path_or_a_folder() {
		for (name, is) in [
			("docs:a.html", true),
			("docs/a.html", true),
			("docs", true),
			("docs/", true),
			("doc", false),
			("docs/a", false),
			("", false),
		] {
			assert_eq!(is_called("docs:a.html", "docs/a.html", name), is, "{name}");
		}
	}
}
