// SPDX-License-Identifier: Apache-2.0
//! The files that records lead to, and their names in a folder.

use std::{collections::HashMap, path::PathBuf};

use content_fabric_identifiers::{TenantId, VersionId};
use content_fabric_primitives::known_size;

use crate::{
	chain::{rows, Snapshot},
	commands::resolve::Resolved,
	content_node::DeclaredSize,
	input::file_version,
	record_names::{known_path_of, name_of, path_of},
	text::Text,
	Error,
};

/// The collection of the names of files.
const NAMES: &str = "names";

#[derive(Clone, Debug)]
pub(super) struct Wanted {
	/// The key of the record that leads to it, or another name.
	pub key: String,
	pub version: VersionId,
	pub size: DeclaredSize,
	/// The rows of the version that are known already.
	pub rows: Vec<rows::Version>,
	/// True if these are all its rows.
	pub has_all_rows: bool,
	/// The path in the folder of the output.
	pub target: PathBuf,
}

/// The name of a record that leads to no file, and the reason.
pub(super) type Refused = (String, String);

/// Returns the files of a tenant: those of the records that lead to objects as a whole. The second
/// list has the other records.
pub(super) async fn directory(
	at: &Snapshot,
	tenant: TenantId,
) -> Result<(Vec<Wanted>, Vec<Refused>), Error> {
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
		let path = path_of(tenant, &name, object);
		match (row, is_safe(&path)) {
			(Some((version, row)), true) => wanted.push(Wanted {
				version,
				size: DeclaredSize::of([known_size(version, row.size.0)]),
				rows: vec![row.clone()],
				has_all_rows: false,
				target: path.into(),
				key: key.to_string(),
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
	let path = known_path_of(tenant, name, resolved.object.object);
	let last = path.as_deref().and_then(|path| path.rsplit('/').next());
	let name = last.map_or_else(|| name.replace(['/', ':', '\0'], "-"), str::to_owned);
	match is_safe(&name) {
		true => name,
		false => version.to_string(),
	}
}

/// Returns whether a path stays in its folder. Names come from the chain.
fn is_safe(path: &str) -> bool {
	let is_name = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
	path.split('/').all(is_name)
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn names_of_the_chain_do_not_lead_out_of_the_folder() {
		for path in ["a", "a/b", ".a", "a..b", "...", "a b", "a\\b"] {
			assert!(is_safe(path), "{path}");
		}
		for path in ["", ".", "..", "/a", "a/", "a//b", "../a", "a/../b", "a/.", "a\0"] {
			assert!(!is_safe(path), "{path}");
		}
	}
}
