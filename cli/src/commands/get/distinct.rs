// SPDX-License-Identifier: Apache-2.0
//! Keeps the files of a directory from replacing each other.

use std::{
	collections::{BTreeMap, HashMap},
	io,
	path::{Path, PathBuf},
};

use content_fabric_client::record_names::described;

use super::files::{Listed, Refused};

/// Returns the files whose paths no other file needs, and the refused ones with the reasons. The
/// file system may take several names for one: `first` returns the first of them that it was given.
pub(super) fn distinct(
	wanted: Vec<Listed>,
	mut first: impl FnMut(&str) -> io::Result<String>,
) -> (Vec<Listed>, Vec<Refused>) {
	let mut reasons = BTreeMap::new();
	let mut files = BTreeMap::<PathBuf, Vec<usize>>::new();
	let mut known = HashMap::new();
	for (at, Listed { file, .. }) in wanted.iter().enumerate() {
		match place(&file.target, &mut known, &mut first) {
			Ok(place) => files.entry(place).or_default().push(at),
			Err(error) => {
				reasons.insert(at, format!("this file system refuses its name: {error}"));
			},
		}
	}
	let record = |at: usize| described(&wanted[at].key, &wanted[at].name);
	for (place, here) in &files {
		if let [one, two, ..] = here[..] {
			for at in here {
				let other = record(if *at == one { two } else { one });
				reasons.insert(*at, format!("the record {other} leads to the same path"));
			}
		}
		for above in place.ancestors().skip(1).filter_map(|folder| files.get(folder)).flatten() {
			for at in here {
				let needed = format!("the record {} needs a folder of its name", record(*at));
				reasons.insert(*above, needed);
				let taken = format!("the record {} leads to a file in its path", record(*above));
				reasons.insert(*at, taken);
			}
		}
	}
	let (mut kept, mut refused) = (Vec::new(), Vec::new());
	for (at, wanted) in wanted.into_iter().enumerate() {
		match reasons.remove(&at) {
			Some(reason) => refused.push((wanted.name, reason)),
			None => kept.push(wanted),
		}
	}
	(kept, refused)
}

/// Returns a path with each name replaced by its `first` one. Tries each name once.
fn place(
	target: &Path,
	known: &mut HashMap<String, String>,
	first: &mut impl FnMut(&str) -> io::Result<String>,
) -> io::Result<PathBuf> {
	let mut place = PathBuf::new();
	for part in target.components() {
		let name = part.as_os_str().to_string_lossy().into_owned();
		match known.get(&name) {
			Some(first) => place.push(first),
			None => {
				let first = first(&name)?;
				place.push(&first);
				known.insert(name, first);
			},
		}
	}
	Ok(place)
}

#[cfg(test)]
mod tests {
	use content_fabric_client::{content_node::Wanted, record_names::name_of};
	use content_fabric_identifiers::VersionId;

	use super::*;

	/// Returns the names that are kept, and the others with the reasons.
	fn sorted(
		paths: &[(&str, &str)],
		first: impl FnMut(&str) -> io::Result<String>,
	) -> (Vec<String>, Vec<Refused>) {
		let wanted = paths.iter().map(|(key, path)| Listed {
			key: (*key).into(),
			name: name_of(key).into_owned(),
			file: Wanted::new(VersionId([0; 32]), Vec::new(), false, path),
			seals: Vec::new(),
		});
		let (kept, refused) = distinct(wanted.collect(), first);
		(kept.into_iter().map(|wanted| wanted.key).collect(), refused)
	}

	fn refused(list: &[(&str, &str)]) -> Vec<Refused> {
		list.iter().map(|(name, reason)| ((*name).into(), (*reason).into())).collect()
	}

	#[test]
	fn files_with_one_place_are_refused_by_both_names() {
		let paths = [("a~2fb", "a/b"), ("a:b", "a/b"), ("b", "b"), ("B", "B")];
		let (kept, others) = sorted(&paths, |name| Ok(name.into()));
		assert_eq!(kept, ["b", "B"]);
		let same = "the record a:b leads to the same path";
		let twin = "the record a~2fb, which stands for a/b, leads to the same path";
		assert_eq!(others, refused(&[("a/b", same), ("a:b", twin)]));
		// With a file system that ignores case, in folders as well.
		let paths = [("b", "b"), ("B", "B"), ("x:c", "x/c"), ("X:C", "X/C"), ("x:d", "x/d")];
		let (kept, others) = sorted(&paths, |name| Ok(name.to_lowercase()));
		assert_eq!(kept, ["x:d"]);
		let same =
			["B", "b", "X:C", "x:c"].map(|key| format!("the record {key} leads to the same path"));
		let names = ["b", "B", "x:c", "X:C"];
		let expected: Vec<_> = names.into_iter().zip(same.iter().map(String::as_str)).collect();
		assert_eq!(others, refused(&expected));
	}

	#[test]
	fn a_file_in_the_place_of_a_folder_is_refused_with_what_is_below() {
		let paths = [("a", "a"), ("a:b:c", "a/b/c"), ("ab", "ab"), ("d:e", "d/e")];
		let (kept, others) = sorted(&paths, |name| Ok(name.into()));
		assert_eq!(kept, ["ab", "d:e"]);
		let expected = [
			("a", "the record a:b:c needs a folder of its name"),
			("a:b:c", "the record a leads to a file in its path"),
		];
		assert_eq!(others, refused(&expected));
	}

	#[test]
	fn a_name_that_the_file_system_refuses_is_refused_with_its_reason() {
		let (kept, others) = sorted(&[("a", "a"), ("b", "x/b")], |name| match name {
			"x" => Err(io::Error::other("it is full")),
			name => Ok(name.into()),
		});
		assert_eq!(kept, ["a"]);
		assert_eq!(others, refused(&[("b", "this file system refuses its name: it is full")]));
	}
}
