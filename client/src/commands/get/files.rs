// SPDX-License-Identifier: Apache-2.0
//! The files that records lead to, and their names in a folder.

use std::{
	collections::HashMap,
	path::{Path, PathBuf},
};

use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};
use content_fabric_primitives::known_size;

use crate::{
	chain::{rows, Snapshot},
	commands::resolve::Resolved,
	content_node::DeclaredSize,
	ids,
	input::file_version,
	record_names::name_of,
	text::Text,
	Error,
};

/// The collection of the names of files.
const NAMES: &str = "names";
/// Largest number of colons of a name for which all places of slashes are tried.
const MAX_COLONS: usize = 12;

#[derive(Clone, Debug)]
pub(super) struct Wanted {
	pub version: VersionId,
	pub size: DeclaredSize,
	/// The rows of the version that are known already.
	pub rows: Vec<rows::Version>,
	pub target: PathBuf,
}

/// Returns the files of a tenant: those of the records that lead to objects as a whole. The second
/// list has the names of records that lead to no file, with the reasons.
pub(super) async fn directory(
	at: &Snapshot,
	tenant: TenantId,
	folder: &Path,
) -> Result<(Vec<Wanted>, Vec<(String, String)>), Error> {
	at.ensure_whole(tenant).await?;
	let (records, objects, versions) = tokio::try_join!(
		at.rows(rows::records(), (tenant, Text(NAMES.into()))),
		at.rows(rows::content_objects(), (tenant,)),
		at.rows(rows::versions(), (tenant,)),
	)?;
	let heads: HashMap<_, _> =
		objects.into_iter().map(|((_, id), row)| (id, row.head_version)).collect();
	let versions: HashMap<_, _> =
		versions.into_iter().map(|((_, object, id), row)| ((object, id), row)).collect();
	let (mut wanted, mut odd) = (Vec::new(), Vec::new());
	for ((_, _, key), record) in records {
		let object = record.target.object;
		if record.target.version.is_some() {
			continue;
		}
		let key = key.raw();
		let name = name_of(&key);
		let head = heads.get(&object).copied().flatten();
		let row = head.and_then(|head| Some((head, versions.get(&(object, head))?)));
		let path = path_of(tenant, &name, object).unwrap_or_else(|| name.replace(':', "/"));
		match (row, is_safe(&path)) {
			(Some((version, row)), true) => wanted.push(Wanted {
				version,
				size: DeclaredSize::of([known_size(version, row.size.0)]),
				rows: vec![row.clone()],
				target: folder.join(path),
			}),
			(None, _) => odd.push((name.into_owned(), "its object has no head".to_owned())),
			(_, false) => odd.push((name.into_owned(), "it is not a path in a folder".to_owned())),
		}
	}
	Ok((wanted, odd))
}

pub(super) fn file_name(resolved: &Resolved, version: VersionId) -> String {
	let tenant = resolved.object.tenant;
	let name = match resolved.name.rsplit_once(':') {
		Some((name, suffix)) if suffix == file_version(version) => name,
		_ => &resolved.name,
	};
	let path = path_of(tenant, name, resolved.object.object);
	let last = path.as_deref().and_then(|path| path.rsplit('/').next());
	let name = last.map_or_else(|| name.replace(['/', ':', '\\', '\0'], "-"), str::to_owned);
	match is_safe(&name) {
		true => name,
		false => version.to_string(),
	}
}

/// Returns the path of a file by the name of its record, in which each `/` is a colon. The id of
/// the object, which comes from the path, says which colons are meant. `None` if no path fits.
fn path_of(tenant: TenantId, name: &str, object: ContentObjectId) -> Option<String> {
	let colons: Vec<_> = name.match_indices(':').map(|(place, _)| place).collect();
	if colons.len() > MAX_COLONS {
		let path = name.replace(':', "/");
		return (ids::content_object(tenant, &path) == object).then_some(path);
	}
	(0..1usize << colons.len()).find_map(|kept| {
		let mut path = name.to_owned().into_bytes();
		for (bit, place) in colons.iter().enumerate() {
			if kept >> bit & 1 == 0 {
				path[*place] = b'/';
			}
		}
		let path = String::from_utf8(path).ok()?;
		(ids::content_object(tenant, &path) == object).then_some(path)
	})
}

/// Returns whether a path stays in its folder. Names come from the chain.
fn is_safe(path: &str) -> bool {
	let is_name = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']);
	path.split('/').all(is_name)
}

#[cfg(test)]
mod tests {
	use super::*;

	const TENANT: TenantId = TenantId([1; 10]);

	#[test]
	fn paths_are_found_by_the_ids_of_their_objects() {
		for path in ["a", "a/b/c.txt", "a:b", "a:b/c", "a/b:c", "a:", "ä/ö:ü"] {
			let object = ids::content_object(TENANT, path);
			let name = path.replace('/', ":");
			assert_eq!(path_of(TENANT, &name, object).as_deref(), Some(path));
		}
		assert_eq!(path_of(TENANT, "a:b", ids::content_object(TENANT, "other")), None);
		let long = ["a"; 40].join("/");
		let object = ids::content_object(TENANT, &long);
		assert_eq!(path_of(TENANT, &long.replace('/', ":"), object), Some(long));
	}

	#[test]
	fn names_of_the_chain_do_not_lead_out_of_the_folder() {
		for path in ["a", "a/b", ".a", "a..b", "...", "a b"] {
			assert!(is_safe(path), "{path}");
		}
		for path in ["", ".", "..", "/a", "a/", "a//b", "../a", "a/../b", "a/.", "a\\b", "a\0"] {
			assert!(!is_safe(path), "{path}");
		}
	}
}
