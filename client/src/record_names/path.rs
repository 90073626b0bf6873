// SPDX-License-Identifier: Apache-2.0
//! Paths of files by the names of their records.

use content_fabric_identifiers::{ContentObjectId, TenantId};

use crate::ids;

/// Largest number of colons in a name for which all choices of slashes are tried.
const MAX_COLONS: usize = 12;

/// Returns the path of a file by the name of its record, in which each `/` is a colon. The id of
/// the object is made from the path, so it shows which colons are slashes: all if no path fits.
pub fn path_of(tenant: TenantId, name: &str, object: ContentObjectId) -> String {
	known_path_of(tenant, name, object).unwrap_or_else(|| name.replace(':', "/"))
}

/// Returns the path that the id of the object comes from. `None` if no path fits.
pub fn known_path_of(tenant: TenantId, name: &str, object: ContentObjectId) -> Option<String> {
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

#[cfg(test)]
mod tests {
	use super::*;

	const TENANT: TenantId = TenantId([1; 10]);

	#[test]
	fn paths_are_found_by_the_ids_of_their_objects() {
		for path in ["a", "a/b/c.txt", "a:b", "a:b/c", "a/b:c", "a:", "ä/ö:ü"] {
			let object = ids::content_object(TENANT, path);
			assert_eq!(path_of(TENANT, &path.replace('/', ":"), object), path);
		}
		let other = ids::content_object(TENANT, "other");
		assert_eq!(known_path_of(TENANT, "a:b", other), None);
		assert_eq!(path_of(TENANT, "a:b", other), "a/b");
		let long = ["a"; 40].join("/");
		let object = ids::content_object(TENANT, &long);
		assert_eq!(known_path_of(TENANT, &long.replace('/', ":"), object), Some(long));
	}
}
