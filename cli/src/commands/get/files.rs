// SPDX-License-Identifier: Apache-2.0
//! The files that records lead to, and their names in a folder.

use std::collections::{HashMap, HashSet};

use content_fabric_client::{
	chain::{rows, Snapshot},
	content_node::Wanted,
	folder::{is_git, is_hidden},
	manifest::version_text,
	record_names::{known_path_of, name_of_record, path_of},
	text::Text,
};
use content_fabric_identifiers::{TenantId, VersionId};

use super::encrypted::Seal;
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
	/// The name of the record.
	pub name: String,
	pub file: Wanted,
	/// The KMSes for which the version is encrypted. None of a plain one.
	pub seals: Vec<Seal>,
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
		let name = name_of_record(tenant, &key, object).into_owned();
		let head = heads.get(&object).copied().flatten();
		let row = head.and_then(|head| Some((head, versions.get(&(object, head))?)));
		let path = path_of(tenant, &key, object);
		let parts = || path.split('/');
		let reason = match () {
			() if !is_safe(&path) => Some("it is not a path in a folder"),
			() if parts().any(is_git) => Some(GIT),
			() if !hidden_too && parts().any(is_hidden) => {
				listing.hidden.push(name);
				continue;
			},
			() if row.is_none() && begun.contains(&object) => {
				listing.unfinished.push(name);
				continue;
			},
			() => None,
		};
		match (reason, row) {
			(None, Some((version, row))) => listing.wanted.push(Listed {
				key: key.to_string(),
				name,
				file: Wanted::new(version, vec![row.clone()], false, path),
				seals: row.kms.into_iter().map(|kms| Seal { tenant, object, kms }).collect(),
			}),
			(reason, _) => {
				let reason = reason.unwrap_or("its object has no head");
				listing.refused.push((name, reason.to_owned()));
			},
		}
	}
	Ok(listing)
}

pub(super) fn file_name(resolved: &Resolved, version: VersionId) -> String {
	let Resolved { key, name, object, .. } = resolved;
	// A record of a version has the version after the name of its object.
	let of_object = |text: &str| match text.rsplit_once(':') {
		Some((text, suffix)) if suffix == version_text(version) => text.to_owned(),
		_ => text.to_owned(),
	};
	let path = known_path_of(object.tenant, &of_object(key), object.object);
	let last = path.as_deref().and_then(|path| path.rsplit('/').next()).map(str::to_owned);
	let name = last.unwrap_or_else(|| of_object(name).replace(['/', ':', '\0'], "-"));
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
