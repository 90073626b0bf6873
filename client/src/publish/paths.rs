// SPDX-License-Identifier: Apache-2.0
//! The paths of the files that a tenant has on the chain.

use std::{collections::HashMap, path::Path};

use content_fabric_identifiers::TenantId;

use super::state::OnChain;
use crate::record_names::{described, name_of, path_of};

/// The keys of the records of files, by the paths of the files and of the folders above them.
#[derive(Default)]
pub(super) struct Paths<'a> {
	files: HashMap<String, &'a str>,
	folders: HashMap<String, &'a str>,
}

impl<'a> Paths<'a> {
	pub(super) fn read(tenant: TenantId, on_chain: &'a OnChain) -> Self {
		let mut paths = Self::default();
		for (key, target) in &on_chain.names {
			let head = on_chain.objects.get(&target.object).copied().flatten();
			if target.version.is_some() || head.is_none() {
				continue;
			}
			let path = path_of(tenant, &name_of(key), target.object);
			for folder in above(&path) {
				paths.folders.insert(folder.to_owned(), key);
			}
			paths.files.insert(path, key);
		}
		paths
	}

	/// Returns the reason why a file cannot be got with those that the chain has already.
	pub(super) fn conflict(&self, path: &str) -> Option<String> {
		if let Some(key) = above(path).find_map(|folder| self.files.get(folder)) {
			return Some(format!(
				"the record {} leads to a file in its path: delete it",
				described(key)
			));
		}
		let key = self.folders.get(path)?;
		Some(format!("the record {} leads to a file below it: delete it", described(key)))
	}
}

/// Returns the paths of the folders above a file.
fn above(path: &str) -> impl Iterator<Item = &str> {
	let folders = Path::new(path).ancestors().skip(1).filter_map(Path::to_str);
	folders.filter(|folder| !folder.is_empty())
}
