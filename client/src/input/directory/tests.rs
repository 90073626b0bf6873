// SPDX-License-Identifier: Apache-2.0
//! Tests of directories.

use std::{
	collections::BTreeSet,
	fs,
	os::unix::{
		ffi::OsStrExt,
		fs::{symlink, PermissionsExt},
		net::UnixListener,
	},
	process::Command,
};

use content_fabric_identifiers::VersionId;
use tempfile::TempDir;

use super::*;

/// The first hex digits of the checksum of `hello`, by `sha256sum`.
const HELLO: &str = "2cf24dba5fb0a30e";

fn directory(files: &[&str]) -> TempDir {
	let dir = tempfile::tempdir().expect("there is room for a directory");
	for file in files {
		write(&dir, file, "hello");
	}
	dir
}

fn write(dir: &TempDir, file: &str, data: &str) {
	let path = dir.path().join(file);
	let parent = path.parent().expect("it is in the directory");
	fs::create_dir_all(parent).expect("there is room for a directory");
	fs::write(path, data).expect("there is room for a file");
}

fn read_in(dir: &TempDir) -> Result<Content, InputError> {
	let input = Input::Path(dir.path().into());
	read(&input, dir.path(), Some("s"))
}

fn names(content: &Content) -> Vec<&str> {
	content.registries.values().flat_map(BTreeMap::keys).map(String::as_str).collect()
}

fn failed(content: &Content) -> Vec<(&str, &str)> {
	content.failed.iter().map(|item| (item.name.as_str(), item.reason.as_str())).collect()
}

#[test]
fn each_file_is_a_package_with_the_checksum_as_its_version() {
	let dir = directory(&["b.txt", "a/b/c", "a/.hidden"]);
	write(&dir, "empty", "");
	let content = read_in(&dir).expect("it has files");
	assert_eq!(names(&content), ["a/.hidden", "a/b/c", "b.txt", "empty"]);
	let [release] = &content.registries["s"]["a/b/c"][..] else { panic!("it has one version") };
	assert_eq!((release.version.as_str(), release.size), (HELLO, Some(5)));
	assert_eq!(hex::encode(release.checksum.0)[..VERSION_LEN], *HELLO);
	let [empty] = &content.registries["s"]["empty"][..] else { panic!("it has one version") };
	assert_eq!((empty.version.as_str(), empty.size), ("e3b0c44298fc1c14", Some(0)));
	assert_eq!((content.failed.len(), content.symlinks_skipped), (0, 0));
}

#[test]
fn many_files_of_many_lengths_have_their_own_checksums() {
	let dir = directory(&[]);
	for number in 0..300 {
		write(&dir, &format!("{}/{number}", number % 7), &"x".repeat(number * 2_003));
	}
	let content = read_in(&dir).expect("it has files");
	assert_eq!(content.versions(), 300);
	let mut hasher = Hasher::new();
	let mut checksums = BTreeSet::<VersionId>::new();
	for (name, releases) in &content.registries["s"] {
		let hashed = hasher.hash(&dir.path().join(name)).expect("it is a file");
		assert_eq!((releases[0].checksum, releases[0].size), (hashed.checksum, Some(hashed.size)));
		checksums.insert(hashed.checksum);
	}
	assert_eq!(checksums.len(), 300);
	assert_eq!(read_in(&dir).expect("it has files"), content, "runs agree");
}

#[test]
fn the_source_has_the_given_name_or_that_of_the_directory() {
	let dir = directory(&["data/a"]);
	let data = dir.path().join("data");
	symlink(&data, dir.path().join("link")).expect("there is room for a link");
	for path in [data.clone(), data.join("."), data.join("../data"), dir.path().join("link")] {
		let content = read(&Input::Path(path.clone()), &path, None).expect("it has a file");
		assert_eq!(content.registries.keys().collect::<Vec<_>>(), ["data"], "{path:?}");
		assert_eq!(names(&content), ["a"], "{path:?}");
	}
	let content = read(&Input::Path(data.clone()), &data, Some("given")).expect("it has a file");
	assert_eq!(content.registries.keys().collect::<Vec<_>>(), ["given"]);
	let root = Path::new("/");
	let error = source_name(&Input::Path(root.into()), root, None).expect_err("it has no name");
	assert!(error.to_string().contains("pass --source NAME"), "{error}");
}

#[test]
fn symbolic_links_are_counted_and_not_followed() {
	let dir = directory(&["a", "sub/b"]);
	let outside = directory(&["secret"]);
	for (target, link) in [
		(dir.path().join("a"), "link"),
		(dir.path().join("sub"), "sub/loop"),
		(outside.path().into(), "outside"),
		(outside.path().join("missing"), "broken"),
	] {
		symlink(target, dir.path().join(link)).expect("there is room for a link");
	}
	let content = read_in(&dir).expect("it has files");
	assert_eq!(names(&content), ["a", "sub/b"]);
	assert_eq!((content.symlinks_skipped, content.failed.len()), (4, 0));
}

#[test]
fn fifos_and_sockets_fail() {
	let dir = directory(&["a"]);
	let made = Command::new("mkfifo").arg(dir.path().join("fifo")).status();
	assert!(made.expect("mkfifo runs").success());
	let _socket = UnixListener::bind(dir.path().join("socket")).expect("there is room");
	let content = read_in(&dir).expect("it has a file");
	let reason = "it is not a regular file";
	assert_eq!(failed(&content), [("fifo", reason), ("socket", reason)]);
	assert_eq!(names(&content), ["a"]);
}

#[test]
fn odd_names_fail_with_the_reason() {
	let long = "x".repeat(250);
	let too_long = format!("{long}/{long}/{long}");
	let dir = directory(&["a", "with space", "g++", "ü", "line\nbreak", &too_long, "up/~a_B-9"]);
	let bytes = std::ffi::OsStr::from_bytes(b"bad\xff\x1b");
	fs::write(dir.path().join(bytes), "hello").expect("there is room for a file");
	let content = read_in(&dir).expect("it has files");
	assert_eq!(names(&content), ["a", "up/~a_B-9"]);
	let key = "its path does not make a record key:";
	assert_eq!(
		failed(&content),
		[
			("bad\u{fffd}\\u{1b}", "its path is not UTF-8 text"),
			("g++", format!("{key} byte 1 is not allowed in a record key").as_str()),
			("line\\nbreak", &format!("{key} byte 4 is not allowed in a record key")),
			("with space", &format!("{key} byte 4 is not allowed in a record key")),
			(&too_long, &format!("{key} a record key has at most 512 bytes, not 752")),
			("ü", &format!("{key} byte 0 is not allowed in a record key")),
		]
	);
}

#[test]
fn files_that_share_a_record_key_fail() {
	let version = format!("c:{HELLO}");
	let dir = directory(&["a/b", "a:b", "a/c", "b", "c", &version]);
	let content = read_in(&dir).expect("it has files");
	assert_eq!(names(&content), ["a/c", "b"]);
	let shared = "another file has the record key `a:b`, too";
	let with_version = format!("another file has the record key `{version}`, too");
	assert_eq!(
		failed(&content),
		[("a/b", shared), ("a:b", shared), ("c", &with_version), (&version, &with_version)]
	);
}

#[test]
fn a_file_that_cannot_be_read_still_claims_its_record_key() {
	let dir = directory(&["a/b", "c"]);
	let files: Vec<_> =
		["a/b", "a:b", "c"].map(|name| (name.to_owned(), dir.path().join(name))).into();
	let mut failed = Vec::new();
	let registry = registry(&files, &mut failed);
	assert_eq!(registry.keys().collect::<Vec<_>>(), ["c"]);
	let names: Vec<_> = failed.iter().map(|item| item.name.as_str()).collect();
	assert_eq!(names, ["a:b", "a/b"]);
}

#[test]
fn a_directory_without_files_is_refused() {
	let dir = directory(&[]);
	fs::create_dir_all(dir.path().join("a/b")).expect("there is room for a directory");
	symlink("a", dir.path().join("link")).expect("there is room for a link");
	let error = read_in(&dir).expect_err("it has no files").to_string();
	let expected = "has no files to publish (symbolic links are skipped: 1)";
	assert!(error.ends_with(expected), "{error}");
}

#[test]
fn a_directory_in_which_every_file_fails_is_reported() {
	let dir = directory(&["g++"]);
	let content = read_in(&dir).expect("it has a file");
	assert_eq!((content.registries.len(), content.failed.len()), (0, 1));
}

#[test]
fn files_that_vanish_fail() {
	let dir = directory(&["a"]);
	let files: Vec<_> = ["a", "gone"].map(|name| (name.to_owned(), dir.path().join(name))).into();
	let hashed = hash_all(&files);
	assert!(hashed[0].is_ok());
	let error = hashed[1].as_ref().expect_err("it is gone").to_string();
	assert!(error.starts_with("it cannot be read: No such file"), "{error}");
	assert!(hash_all(&[]).is_empty());
}

#[test]
fn unreadable_files_and_directories_fail_and_the_others_are_read() {
	let dir = directory(&["a", "closed", "sub/b", "z"]);
	let set_mode = |name: &str, mode| {
		let permissions = fs::Permissions::from_mode(mode);
		fs::set_permissions(dir.path().join(name), permissions).expect("it is ours");
	};
	set_mode("closed", 0);
	set_mode("sub", 0);
	let is_root = fs::File::open(dir.path().join("closed")).is_ok();
	let content = read_in(&dir).expect("it has files");
	set_mode("sub", 0o700);
	if is_root {
		eprintln!("skipped: the superuser can read every file");
		return;
	}
	assert_eq!(names(&content), ["a", "z"]);
	let reason = "it cannot be read: Permission denied (os error 13)";
	assert_eq!(failed(&content), [("closed", reason), ("sub", reason)]);

	set_mode("", 0);
	let error = read_in(&dir).expect_err("it is closed").to_string();
	set_mode("", 0o700);
	assert!(error.ends_with("cannot be read: Permission denied (os error 13)"), "{error}");
}
