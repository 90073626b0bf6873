// SPDX-License-Identifier: Apache-2.0
//! Round trips: random folders are read, and written to other folders by the records of their files.

use std::{
	collections::{BTreeSet, HashSet},
	fs,
	io::Write,
	sync::Arc,
};

use content_fabric_client::{
	folder::{Folder, Target},
	ids,
	record_names::{known_path_of, path_of},
	samples::trees::{below, change, is_file, is_folder, seeded, seeds},
};
use content_fabric_identifiers::{HashKind, TenantId, VersionHasher};

use super::*;

const TENANT: TenantId = TenantId([1; 10]);

/// Checks that all of a folder is either read, or listed with the reason. Returns the files that are
/// read.
fn read_or_listed(root: &Path, hidden_too: bool) -> Vec<Object> {
	let (objects, listed) = match read(root, Some("s"), hidden_too) {
		Ok(content) => {
			let Content { mut sources, failed, symlinks_skipped, hidden_skipped, .. } = content;
			let failed = failed.into_iter().map(|item| item.name);
			let listed: HashSet<_> = failed.chain(symlinks_skipped).chain(hidden_skipped).collect();
			(sources.remove("s").unwrap_or_default(), Some(listed))
		},
		// Nothing is listed then, and there is no file, unless it is hidden.
		Err(Problem::NoFiles { .. }) => (Vec::new(), None),
		Err(error) => panic!("{error}"),
	};
	let names: HashSet<_> = objects.iter().map(|object| root.join(&object.name)).collect();
	for path in below(root) {
		let is_hidden = |part: &Path| part.file_name().is_some_and(is_hidden_name) && !hidden_too;
		let mut parts = relative(root, &path).ancestors();
		let is_left_out = match &listed {
			Some(listed) => parts.any(|part| listed.contains(&shown(root, &root.join(part)))),
			None => {
				parts.any(is_hidden)
					|| fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink())
			},
		};
		let is_read = names.contains(&path);
		assert!(is_read != is_left_out || is_folder(&path), "{path:?}: {is_read}");
		assert!(!is_read || is_file(&path), "{path:?}");
	}
	objects
}

/// Writes files to another folder, by the keys of their records, and compares them.
fn write_back(root: &Path, objects: &[Object]) {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let out = dir.path().join("out");
	let folder = Arc::new(Folder::open(out.clone()).expect("there is room"));
	let (mut keys, mut written) = (HashSet::new(), BTreeSet::new());
	for Object { name, releases, .. } in objects {
		let bytes = fs::read(root.join(name)).expect("it is a file");
		let version = releases[0].hash.version;
		assert_eq!(version, VersionHasher::hash(HashKind::Blake3, &bytes), "{name:?}");
		let object = ids::content_object(TENANT, name);
		// The plan lists a file without a key, and one whose path the key does not show.
		let Ok(key) = key_of(&releases[0].name, SYNTAX) else { continue };
		if known_path_of(TENANT, &key, object).is_none() {
			continue;
		}
		assert_eq!(path_of(TENANT, &key, object), *name);
		assert!(keys.insert(key), "{name:?} has the key of another file");
		let target = Target::find(&folder, name.into()).expect("nothing is in its way");
		assert!(!target.is_taken(), "{name:?} is there");
		let partial = target.partial(version).expect("it can be made");
		partial.file().write_all(&bytes).expect("there is room");
		assert!(target.put(&partial).expect("it can be moved"), "{name:?}");
		assert!(fs::read(out.join(name)).expect("it is there") == bytes, "{name:?}");
		written.insert(out.join(name));
	}
	folder.tidy(|_| false).expect("it can be tidied");
	let found: BTreeSet<_> = below(&out).into_iter().filter(|path| !is_folder(path)).collect();
	assert_eq!(found, written, "nothing else is written");
	let beside = fs::read_dir(dir.path()).expect("it is there").count();
	assert_eq!(beside, 1, "nothing is written outside");
}

#[test]
fn files_of_a_folder_are_written_back_or_listed() {
	let mut files = 0;
	for seed in seeds(60) {
		let dir = tempfile::tempdir().expect("there is room for a folder");
		let mut rng = seeded(seed);
		for step in 0..4 {
			change(dir.path(), &mut rng, 12);
			let objects = read_or_listed(dir.path(), step % 2 == 1);
			files += objects.len();
			write_back(dir.path(), &objects);
		}
	}
	assert!(files > 0);
}
