// SPDX-License-Identifier: Apache-2.0
//! Paths of files by the keys of their records.

use content_fabric_identifiers::{ContentObjectId, RecordKey, TenantId};

use super::SYNTAX;
use crate::ids;

/// Largest number of colons of which all choices of slashes are tried.
const FEW_COLONS: usize = 12;
/// Largest number of choices that are tried for more colons. Anybody can make such names.
const MAX_TRIES: usize = 1 << 8;

/// Returns the path of a file by the key of its record. In the name of the record, each `/` is a
/// colon. The id of the object is made of the path, so it shows which colons are slashes, and
/// whether the key is an escape. If no path fits, the key is an escape, and all colons are slashes.
pub fn path_of(tenant: TenantId, key: &str, object: ContentObjectId) -> String {
	known_path_of(tenant, key, object).unwrap_or_else(|| escaped_as(key).replace(':', "/"))
}

/// Returns the path that the id of the object comes from. `None` if no path fits.
pub fn known_path_of(tenant: TenantId, key: &str, object: ContentObjectId) -> Option<String> {
	let is_of = |path: &str| ids::content_object(tenant, path) == object;
	let name = escaped_as(key);
	slashed(&name, is_of).or_else(|| (name != key).then(|| slashed(key, is_of))?)
}

fn escaped_as(key: &str) -> String {
	RecordKey::parse(key, SYNTAX).map_or_else(|_| key.into(), |key| key.name(SYNTAX).into_owned())
}

/// Returns the first path that fits, of those that have slashes in the place of colons. Those with
/// few colons come first.
fn slashed(name: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
	let colons: Vec<_> = name.match_indices(':').map(|(place, _)| place).collect();
	let all_slashes = name.replace(':', "/");
	let most = if colons.len() <= FEW_COLONS { usize::MAX } else { MAX_TRIES };
	let mut tries = 0;
	for number in 0..=colons.len() {
		// The places of the colons that stay, among all.
		let mut kept: Vec<_> = (0..number).collect();
		loop {
			tries += 1;
			let mut path = all_slashes.clone();
			for colon in kept.iter().map(|place| colons[*place]) {
				path.replace_range(colon..=colon, ":");
			}
			if fits(&path) {
				return Some(path);
			}
			if tries == most {
				return None;
			}
			// The next choice of as many.
			let last = |at: usize| at + colons.len() - number;
			let Some(at) = (0..number).rev().find(|at| kept[*at] < last(*at)) else { break };
			let next = kept[at] + 1;
			for (place, kept) in kept[at..].iter_mut().enumerate() {
				*kept = next + place;
			}
		}
	}
	None
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::record_names::key_of;

	const TENANT: TenantId = TenantId([1; 10]);

	#[test]
	fn paths_are_found_by_the_ids_of_their_objects() {
		let deep = ["a"; 40].join("/");
		let with_times = format!("{}/10:30:00", ["a"; 20].join("/"));
		let all_colons = ["a"; 13].join(":");
		let paths =
			["a", "a/b/c.txt", "a:b", "a:b/c", "a/b:c", "a:", "ä/ö:ü", "a~2b", "a+", "a~b/c:d"];
		for path in paths.into_iter().chain([&*deep, &with_times, &all_colons]) {
			let key = key_of(&path.replace('/', ":"), SYNTAX).expect("it is short");
			assert_eq!(path_of(TENANT, &key, ids::content_object(TENANT, path)), path);
		}
		let other = ids::content_object(TENANT, "other");
		for (key, path) in [("a:b", "a/b"), ("a~2bb", "a+b"), ("no key", "no key")] {
			assert_eq!(known_path_of(TENANT, key, other), None);
			assert_eq!(path_of(TENANT, key, other), path);
		}
		// The work is bounded.
		let colons = ["a"; 200].join(":");
		assert_eq!(known_path_of(TENANT, &colons, ids::content_object(TENANT, &colons)), None);
	}

	#[test]
	fn all_choices_of_few_colons_are_tried() {
		for colons in 0..8 {
			let name = ["a"; 8][..=colons].join(":");
			let tried = std::cell::RefCell::new(std::collections::HashSet::new());
			assert_eq!(slashed(&name, |path| !tried.borrow_mut().insert(path.to_owned())), None);
			assert_eq!(tried.borrow().len(), 1 << colons);
		}
	}
}
