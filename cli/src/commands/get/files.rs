// SPDX-License-Identifier: Apache-2.0
//! The files that records lead to, and their names in a folder.

use std::collections::{HashMap, HashSet};

use content_fabric_client::{
	chain::{rows, Snapshot},
	content_node::Wanted,
	folder::{is_git, is_hidden},
	manifest::version_text,
	record_names::{known_path_of, name_of, path_of},
	text::Text,
};
use content_fabric_identifiers::{TenantId, VersionId};

use crate::{commands::resolve::Resolved, Error};

/// The collection of the names of files.
const NAMES: &str = "names";

/// Why a file whose name begins with a dot is left out.
pub(super) const HIDDEN: &str = "its name begins with a dot: pass --hidden";
/// Why a file of a Git repository is refused.
pub(super) const GIT: &str =
	"its path belongs to a Git repository, whose files make `git` run programs";
/// Why the bytes of a version that is not final are nowhere.
pub(super) const UNFINISHED: &str = "its upload was never finished";

#[derive(Clone, Debug)]
pub(super) struct Listed {
	/// The key of the record that leads to the file, or another name.
	pub key: String,
	pub file: Wanted,
}

/// The name of a record that leads to no file, and the reason.
pub(super) type Refused = (String, String);

/// The files of a tenant, and the names of the records without one.
#[derive(Default)]
pub(super) struct Listing {
	pub wanted: Vec<Listed>,
	pub refused: Vec<Refused>,
	/// Files whose names begin with a dot.
	pub hidden: Vec<String>,
	/// Files without a final version.
	pub unfinished: Vec<String>,
}

/// Returns the files of a tenant: one for each record that leads to an object as a whole.
pub(super) async fn directory(
	at: &Snapshot,
	tenant: TenantId,
	hidden_too: bool,
) -> Result<Listing, Error> {
	at.ensure_whole(tenant).await?;
	let (records, objects, versions) = tokio::try_join!(
		at.rows(rows::records(), (tenant, Text(NAMES.into()))),
		at.rows(rows::content_objects(), (tenant,)),
		at.rows(rows::versions(), (tenant,)),
	)?;
	let heads: HashMap<_, _> =
		objects.into_iter().map(|((_, id), row)| (id, row.head_version)).collect();
	let begun: HashSet<_> = versions
		.iter()
		.filter(|(_, row)| row.finalized.is_none())
		.map(|((_, object, _), _)| *object)
		.collect();
	let versions: HashMap<_, _> =
		versions.into_iter().map(|((_, object, id), row)| ((object, id), row)).collect();
	let mut listing = Listing::default();
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
		let parts = || path.split('/');
		let reason = match () {
			() if !is_safe(&path) => Some("it is not a path in a folder"),
			() if parts().any(is_git) => Some(GIT),
			() if !hidden_too && parts().any(is_hidden) => {
				listing.hidden.push(name.into_owned());
				continue;
			},
			() if row.is_none() && begun.contains(&object) => {
				listing.unfinished.push(name.into_owned());
				continue;
			},
			() => None,
		};
		match (reason, row) {
			(None, Some((version, row))) => listing.wanted.push(Listed {
				key: key.to_string(),
				file: Wanted::new(version, vec![row.clone()], false, path),
			}),
			(reason, _) => {
				let reason = reason.unwrap_or("its object has no head");
				listing.refused.push((name.into_owned(), reason.to_owned()));
			},
		}
	}
	Ok(listing)
}

pub(super) fn file_name(resolved: &Resolved, version: VersionId) -> String {
	let tenant = resolved.object.tenant;
	let name = match resolved.name.rsplit_once(':') {
		Some((name, suffix)) if suffix == version_text(version) => name,
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
