// SPDX-License-Identifier: Apache-2.0
//! The paths of the files that a tenant has on the chain.

use std::{collections::HashMap, path::Path};

use content_fabric_identifiers::TenantId;

use super::{aliases::Aliases, plan::Subject, state::OnChain, NAMES};
use crate::record_names::{described, name_of_record, path_of};

/// The records of files, by the paths of the files and of the folders above them.
pub(super) struct Paths<'a> {
	tenant: TenantId,
	on_chain: &'a OnChain,
	/// The record keys of files. Several may lead to one path.
	files: HashMap<String, Vec<&'a str>>,
	/// The record key of a file in each folder.
	folders: HashMap<String, &'a str>,
	/// The record keys of files whose paths the file system takes for files of the input.
	aliases: HashMap<&'a str, &'a str>,
}

impl<'a> Paths<'a> {
	pub(super) fn read(subject: Subject<'a>, on_chain: &'a OnChain) -> Self {
		let Subject { tenant, packages, folder, .. } = subject;
		let present = folder.map(|folder| Aliases::new(folder, packages));
		let (mut files, mut folders) = (HashMap::<_, Vec<_>>::new(), HashMap::new());
		let mut aliases = HashMap::new();
		for (key, target) in &on_chain.names {
			let head = on_chain.objects.get(&target.object).copied().flatten();
			if target.version.is_some() || head.is_none() {
				continue;
			}
			let path = path_of(tenant, key, target.object);
			for folder in above(&path) {
				folders.insert(folder.to_owned(), &**key);
			}
			let file = present.as_ref().and_then(|present| present.file_at(&path));
			aliases.extend(file.map(|file| (file, &**key)));
			files.entry(path).or_default().push(&**key);
		}
		Self { tenant, on_chain, files, folders, aliases }
	}

	/// Returns the reason why a file with this record key cannot be got with those that the chain
	/// has already.
	pub(super) fn conflict(&self, path: &str, key: &str) -> Option<String> {
		let files = |path: &str| self.files.get(path).into_iter().flatten().copied();
		let (key, way) = above(path)
			.find_map(|folder| files(folder).next())
			.map(|key| (key, "a file in its path"))
			.or_else(|| self.folders.get(path).map(|key| (*key, "a file below it")))
			.or_else(|| files(path).find(|other| *other != key).map(|key| (key, "the same path")))
			.or_else(|| Some((*self.aliases.get(path)?, "the same path on this file system")))?;
		let Self { tenant, on_chain, .. } = self;
		let object = on_chain.names.get(key)?.object;
		Some(format!(
			"the record {} leads to {way}: delete that record with `fabric record delete {tenant} \
			 {NAMES} --key={key}`",
			described(key, &name_of_record(*tenant, key, object))
		))
	}
}

/// Returns the paths of the folders above a file.
fn above(path: &str) -> impl Iterator<Item = &str> {
	let folders = Path::new(path).ancestors().skip(1).filter_map(Path::to_str);
	folders.filter(|folder| !folder.is_empty())
}
