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

use content_fabric_identifiers::HashKind;
use tempfile::TempDir;

use super::*;

/// The first hex digits of the hash of `hello`, by `b3sum`.
const HELLO: &str = "ea8f163db3868292";

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

fn read_in(dir: &TempDir) -> Result<Content, Problem> {
	read(dir.path(), Some("s"), false)
}

#[test]
fn each_file_is_a_package_with_the_checksum_as_its_version() {
	let dir = directory(&["b.txt", "a/b/c", "a/x.hidden"]);
	write(&dir, "empty", "");
	let content = read_in(&dir).expect("it has files");
	assert_eq!(content.names(), ["a/b/c", "a/x.hidden", "b.txt", "empty"]);
	let release = |place: usize| match &content.sources["s"][place].releases[..] {
		[release] => release,
		releases => panic!("{releases:?}"),
	};
	let (hello, empty) = (release(0), release(3));
	assert_eq!((hello.name.as_str(), hello.version.as_str()), ("a:b:c", HELLO));
	assert_eq!((hello.size, hello.is_head), (Some(5), true));
	assert!(hex::encode(hello.hash.version).starts_with(HELLO));
	assert_eq!((empty.version.as_str(), empty.size), ("af1349b9f5f9a1a6", Some(0)));
	let blake3 = HashKind::Blake3;
	assert_eq!((hello.hash.hash, empty.hash.version), (blake3, blake3.of_no_data()));
	assert_eq!((content.failed.len(), content.symlinks_skipped.len()), (0, 0));
}

#[test]
fn many_files_of_many_lengths_have_their_own_checksums() {
	let dir = directory(&[]);
	for number in 0..300 {
		write(&dir, &format!("{}/{number}", number % 7), &"x".repeat(number * 2_003));
	}
	let content = read_in(&dir).expect("it has files");
	assert_eq!(content.names().len(), 300);
	let mut checksums = BTreeSet::new();
	for Object { name, releases, .. } in &content.sources["s"] {
		let (checksum, size) = hash_unchanged(&dir.path().join(name)).expect("it is a file");
		assert_eq!((releases[0].hash, releases[0].size), (checksum, Some(size)));
		checksums.insert(checksum.version);
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
		let content = read(&path, None, false).expect("it has a file");
		assert_eq!(content.sources.keys().collect::<Vec<_>>(), ["data"], "{path:?}");
		assert_eq!(content.names(), ["a"], "{path:?}");
	}
	let content = read(&data, Some("given"), false).expect("it has a file");
	assert_eq!(content.sources.keys().collect::<Vec<_>>(), ["given"]);
	let error = source_name(Path::new("/"), None).expect_err("it has no name");
	assert!(error.to_string().contains("pass --source NAME"), "{error}");
}

#[test]
fn symbolic_links_are_listed_and_not_followed() {
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
	assert_eq!(content.names(), ["a", "sub/b"]);
	assert_eq!(content.symlinks_skipped, ["broken", "link", "outside", "sub/loop"]);
	assert_eq!(content.failed, []);
}

#[test]
fn fifos_and_sockets_fail() {
	let dir = directory(&["a"]);
	let made = Command::new("mkfifo").arg(dir.path().join("fifo")).status();
	assert!(made.expect("mkfifo runs").success());
	let _socket = UnixListener::bind(dir.path().join("socket")).expect("there is room");
	let content = read_in(&dir).expect("it has a file");
	let reason = "it is not a regular file";
	assert_eq!(content.failures(), [("fifo", reason), ("socket", reason)]);
	assert_eq!(content.names(), ["a"]);
	for other in [dir.path().join("fifo"), "/dev/zero".into()] {
		let error = read_file(&other, None, false).expect_err("it is no file").to_string();
		assert_eq!(error, "is neither a file nor a directory");
	}
	// One that takes the place of a file is not waited for.
	let path = dir.path().join("fifo");
	let hashed = hash_all(&[("fifo".into(), path)]);
	let error = hashed[0].as_ref().expect_err("it is a pipe").to_string();
	assert_eq!(error, "it cannot be read: it is not a regular file");
}

#[test]
fn hidden_files_and_folders_are_skipped_and_listed_unless_they_are_asked_for() {
	let files = ["a", ".env", ".git/config", ".git/objects/00", "sub/.key", "sub/b", "sub/..c"];
	let dir = directory(&files);
	symlink("a", dir.path().join(".link")).expect("there is room for a link");
	let content = read_in(&dir).expect("it has files");
	assert_eq!(content.names(), ["a", "sub/b"]);
	assert_eq!(content.hidden_skipped, [".env", ".git", ".link", "sub/..c", "sub/.key"]);
	assert_eq!((content.symlinks_skipped.len(), content.failed.len()), (0, 0));
	let content = read(dir.path(), Some("s"), true).expect("it has files");
	assert_eq!(content.names(), [".env", "a", "sub/..c", "sub/.key", "sub/b"]);
	assert_eq!((content.symlinks_skipped.len(), content.hidden_skipped.len()), (1, 0));
	// `fabric get` would refuse these.
	assert_eq!(content.failures(), [(".git", GIT)]);
	let alone = read_file(&dir.path().join(".env"), None, false).expect_err("it is hidden");
	assert!(alone.to_string().ends_with("which --hidden publishes: 1)"), "{alone}");
	let (_, alone) = read_file(&dir.path().join(".env"), None, true).expect("it is a file");
	assert_eq!(alone.names(), [".env"]);
	// The directory itself may be hidden: it is named on purpose.
	let content = read(&dir.path().join(".git"), None, false).expect("it has files");
	assert_eq!(content.names(), ["config", "objects/00"]);
}

#[test]
fn names_that_get_needs_for_itself_fail_however_they_are_asked_for() {
	let dir =
		directory(&[".fabric-partial/a", "b", "c/.Fabric-Partial.", "x\u{200c}", "\u{200c}.d"]);
	let content = read_in(&dir).expect("it has files");
	assert_eq!(content.hidden_skipped, [".fabric-partial", "c/.Fabric-Partial.", "\u{200c}.d"]);
	let content = read(dir.path(), Some("s"), true).expect("it has files");
	assert_eq!(content.names(), ["b", "x\u{200c}", "\u{200c}.d"]);
	let reason = "`.fabric-partial` is reserved for downloads of `fabric get`";
	assert_eq!(content.failures(), [(".fabric-partial/a", reason), ("c/.Fabric-Partial.", reason)]);
	let (_, alone) =
		read_file(&dir.path().join("c/.Fabric-Partial."), None, true).expect("it is a file");
	assert_eq!(alone.failures(), [(".Fabric-Partial.", reason)]);
}

#[test]
fn names_that_no_record_has_are_published_and_others_that_are_not_text_fail() {
	let long = "x".repeat(250);
	let too_long = format!("{long}/{long}/{long}");
	// The longest name of a file has 255 bytes, and each `+` needs three in a key.
	let escaped = format!("{}/b", "+".repeat(171));
	let odd = ["a", "g++", "line\nbreak", "up/~a_B-9", "with space", "ü"];
	let dir = directory(&[&odd[..], &[&too_long, &escaped]].concat());
	let bytes = std::ffi::OsStr::from_bytes(b"bad\xff\x1b");
	fs::write(dir.path().join(bytes), "hello").expect("there is room for a file");
	let content = read_in(&dir).expect("it has files");
	// A record that is missing is a matter of the plan.
	let mut all = [&odd[..], &[&too_long, &escaped]].concat();
	all.sort_unstable();
	assert_eq!(content.names(), all);
	let reason = "its path is not UTF-8 text";
	assert_eq!(content.failures(), [("bad\u{fffd}\\u{1b}", reason)]);
}

#[test]
fn files_that_share_a_record_key_fail() {
	let version = format!("c:{HELLO}");
	let dir = directory(&["a/b", "a:b", "a/c", "b", "c", &version, "d+", "d~2b", "e~rc"]);
	let content = read_in(&dir).expect("it has files");
	assert_eq!(content.names(), ["a/c", "b", "e~rc"]);
	let shared = |key: &str| format!("another file has the record key `{key}`, too");
	let (a, c, d) = (shared("a:b"), shared(&version), shared("d~2b"));
	let expected = [("a/b", &a), ("a:b", &a), ("c", &c), (&version, &c), ("d+", &d), ("d~2b", &d)];
	assert_eq!(content.failures(), expected.map(|(name, reason)| (name, &**reason)));
}

#[test]
fn files_that_differ_only_by_case_come_with_a_warning() {
	let content = |files: &[&str]| read_in(&directory(files)).expect("it has files");
	assert_eq!(content(&["a", "b/A", "b/c"]).twins(), None);
	let warning = content(&["a", "A", "d/Ä", "D/ä"]).twins().expect("there are twins");
	let expected = "2 files differ from another one only by case, such as a from A: where";
	assert!(warning.starts_with(expected), "{warning}");
	let content = content(&["a", "A"]);
	assert_eq!(content.names(), ["A", "a"], "both are published");
}

#[test]
fn a_file_that_cannot_be_read_still_claims_its_record_key() {
	let dir = directory(&["a/b", "c"]);
	let files: Vec<_> =
		["a/b", "a:b", "c"].map(|name| (name.to_owned(), dir.path().join(name))).into();
	let mut failed = Vec::new();
	let hashed = hashed(&files, &mut failed);
	assert_eq!(hashed.keys().collect::<Vec<_>>(), ["c"]);
	let names: Vec<_> = failed.iter().map(|item| item.name.as_str()).collect();
	assert_eq!(names, ["a:b", "a/b"]);
}

#[test]
fn a_directory_without_files_is_refused() {
	let dir = directory(&[]);
	fs::create_dir_all(dir.path().join("a/b")).expect("there is room for a directory");
	write(&dir, ".env", "hello");
	symlink("a", dir.path().join("link")).expect("there is room for a link");
	let error = read_in(&dir).expect_err("it has no files").to_string();
	let expected =
		"(skipped symbolic links: 1, hidden files and folders, which --hidden publishes: 1)";
	assert!(error.ends_with(expected), "{error}");
}

#[test]
fn a_directory_in_which_every_file_fails_is_reported() {
	let dir = directory(&[]);
	let bytes = std::ffi::OsStr::from_bytes(b"\xff");
	fs::write(dir.path().join(bytes), "hello").expect("there is room for a file");
	let content = read_in(&dir).expect("it has a file");
	assert_eq!((content.sources.len(), content.failed.len()), (0, 1));
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
	assert_eq!(content.names(), ["a", "z"]);
	let reason = "it cannot be read: Permission denied (os error 13)";
	assert_eq!(content.failures(), [("closed", reason), ("sub", reason)]);

	set_mode("", 0);
	let error = read_in(&dir).expect_err("it is closed").to_string();
	set_mode("", 0o700);
	assert!(error.ends_with("cannot be read: Permission denied (os error 13)"), "{error}");
}
