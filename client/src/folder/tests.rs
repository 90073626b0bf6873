// SPDX-License-Identifier: Apache-2.0
//! Tests of folders in which others have left links, files and pipes.

use std::{
	fs,
	io::{self, Read, Write},
	os::unix::fs::{chown, symlink, PermissionsExt},
	path::Path,
	process::Command,
	sync::Arc,
};

use content_fabric_identifiers::{HashKind, VersionCheck, VersionId};
use tempfile::TempDir;

use super::*;

const VERSION: VersionId = VersionId([7; 32]);

fn folder() -> (TempDir, Arc<Folder>) {
	let dir = TempDir::new().expect("temporary directories can be made; qed");
	let folder = Folder::open(dir.path().join("out")).expect("there is room");
	(dir, Arc::new(folder))
}

fn find(folder: &Arc<Folder>, path: &str) -> io::Result<Target> {
	Target::find(folder, path.into())
}

/// Opens a file for bytes, and writes some.
fn partial(target: &Target, bytes: &[u8]) -> Partial {
	let partial = target.partial(VERSION).expect("it can be made");
	partial.file().write_all(bytes).expect("there is room");
	partial
}

/// Returns the only entry of the folder of downloads that are not complete.
fn entry(dir: &TempDir) -> std::path::PathBuf {
	let mut entries = fs::read_dir(dir.path().join("out").join(RESERVED)).expect("it is there");
	entries.next().expect("it has a file").expect("it can be read").path()
}

fn error<T>(result: io::Result<T>) -> String {
	result.err().expect("it fails").to_string()
}

#[test]
fn names_that_a_file_system_takes_for_the_reserved_one_are_reserved() {
	for name in [
		".fabric-partial",
		".Fabric-PARTIAL",
		".fabric-partial.",
		".fabric-partial. .",
		".fabric\u{200c}-partial",
		"\u{feff}.fabric-partial",
		".fabr\u{131}c-partial",
	] {
		assert!(is_reserved(name), "{name:?}");
	}
	for name in [".fabric-partially", "fabric-partial", ".fabric-partial.part", ".fabric", ""] {
		assert!(!is_reserved(name), "{name:?}");
	}
}

#[test]
fn names_that_a_file_system_takes_for_that_of_a_git_repository_are_known() {
	for name in [".git", ".GIT", ".git. .", ".g\u{200c}it", "\u{feff}.git", "git~1", "GIT~1 "] {
		assert!(is_git(name), "{name:?}");
	}
	for name in [".gitignore", "git", ".github", "git~2", "a.git", ""] {
		assert!(!is_git(name), "{name:?}");
	}
	for (name, hidden) in [(".ssh", true), ("\u{200c}.ssh", true), ("a.b", false), ("", false)] {
		assert_eq!(is_hidden(name), hidden, "{name:?}");
	}
}

#[test]
fn only_regular_files_are_opened_to_read_them_and_nothing_is_waited_for() {
	let dir = TempDir::new().expect("temporary directories can be made; qed");
	let (file, pipe) = (dir.path().join("file"), dir.path().join("pipe"));
	fs::write(&file, "bytes").expect("there is room");
	assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
	symlink(&pipe, dir.path().join("link")).expect("there is room");
	assert_eq!(
		io::read_to_string(open_file(&file).expect("it is a file")).ok().as_deref(),
		Some("bytes")
	);
	for other in [&pipe, &dir.path().join("link"), dir.path(), Path::new("/dev/zero")] {
		assert_eq!(error(open_file(other)), "it is not a regular file", "{other:?}");
	}
	let missing = open_file(&dir.path().join("missing")).expect_err("it is missing");
	assert_eq!(missing.kind(), io::ErrorKind::NotFound);
}

#[test]
fn a_file_is_moved_to_its_place_in_folders_that_are_made_and_nothing_else_is_left() {
	let (dir, folder) = folder();
	let target = find(&folder, "a/b/c").expect("nothing is there");
	assert!(
		!target.is_taken()
			&& !target.has(VersionCheck::new(VERSION, HashKind::ALL)).expect("nothing is read")
	);
	let file = partial(&target, b"bytes");
	let mode = entry(&dir).parent().expect("it is in a folder").metadata().expect("it is there");
	assert_eq!(mode.permissions().mode() & 0o777, 0o700);
	assert!(!dir.path().join("out/a").exists());
	assert!(target.put(&file).expect("nothing is in its way"));
	drop(file);
	folder.tidy(|_| true).expect("it can be removed");
	let names: Vec<_> = fs::read_dir(dir.path().join("out")).expect("it is there").collect();
	assert_eq!(names.len(), 1);
	assert_eq!(fs::read(dir.path().join("out/a/b/c")).expect("it is there"), b"bytes");
}

#[test]
fn a_target_is_replaced_only_as_it_was_found() {
	let (dir, folder) = folder();
	let place = dir.path().join("out/a");
	let target = find(&folder, "a").expect("nothing is there");
	let file = partial(&target, b"bytes");
	fs::write(&place, "another").expect("there is room");
	assert!(!target.put(&file).expect("it is compared"), "a file has appeared");
	let target = find(&folder, "a").expect("it is a file");
	fs::remove_file(&place).expect("it is there");
	fs::write(&place, "a third").expect("there is room");
	assert!(!target.put(&file).expect("it is compared"), "another file is there");
	assert!(find(&folder, "a").expect("it is a file").put(&file).expect("nothing is in its way"));
	assert_eq!(fs::read(&place).expect("it is there"), b"bytes");
}

#[test]
fn a_file_in_the_place_of_the_bytes_is_not_moved() {
	let (dir, folder) = folder();
	let target = find(&folder, "a").expect("nothing is there");
	let file = partial(&target, b"bytes");
	let name = entry(&dir);
	fs::remove_file(&name).expect("it is there");
	fs::write(&name, "other bytes").expect("there is room");
	assert_eq!(error(target.put(&file)), "another file has taken the place of its bytes");
	assert!(!dir.path().join("out/a").exists());
}

#[test]
fn no_link_below_the_folder_is_followed() {
	let (dir, folder) = folder();
	fs::create_dir(dir.path().join("outside")).expect("there is room");
	fs::write(dir.path().join("outside/file"), "precious").expect("there is room");
	let link = |name: &str, to: &str| {
		symlink(to, dir.path().join("out").join(name)).expect("there is room");
	};
	link("css", "../outside");
	link("file", "../outside/file");
	link("dangling", "nowhere");
	let reason = "`css` is a symbolic link, which is not followed";
	assert_eq!(error(find(&folder, "css/m.css")), reason);
	for name in ["file", "dangling"] {
		assert_eq!(error(find(&folder, name)), "there is something else than a file");
	}
	// A link that appears later is found when the file is moved.
	let target = find(&folder, "later/m.css").expect("nothing is there");
	let file = partial(&target, b"bytes");
	link("later", "../outside");
	assert!(error(target.put(&file)).starts_with("`later` is a symbolic link"));
	assert_eq!(fs::read_dir(dir.path().join("outside")).expect("it is there").count(), 1);
	fs::write(dir.path().join("out/plain"), "").expect("there is room");
	assert_eq!(error(find(&folder, "plain/a")), "`plain` is not a folder");
	// The folder itself is what the user has chosen.
	symlink("out", dir.path().join("linked")).expect("there is room");
	let linked = Arc::new(Folder::open(dir.path().join("linked")).expect("it is a folder"));
	let target = find(&linked, "a").expect("nothing is there");
	assert!(target.put(&partial(&target, b"a")).expect("nothing is in its way"));
}

#[test]
fn paths_out_of_the_folder_and_to_the_reserved_one_are_refused() {
	let (_dir, folder) = folder();
	for path in ["../a", "/a", "a/../b", "."] {
		assert_eq!(error(find(&folder, path)), "it is not a path in a folder", "{path}");
	}
	assert_eq!(error(find(&folder, "")), "it names no file");
	for path in [".fabric-partial", "a/.Fabric-Partial/b"] {
		let reason = error(find(&folder, path));
		assert!(reason.ends_with("` is reserved for downloads that are not complete"), "{reason}");
	}
}

#[test]
fn what_an_earlier_run_has_left_is_used_and_what_others_have_left_is_not() {
	let (dir, folder) = folder();
	let target = find(&folder, "a").expect("nothing is there");
	let file = partial(&target, b"begun");
	let left = entry(&dir);
	// Another one of the same version has a file of its own while this one is in use.
	let other = partial(&target, b"");
	assert_ne!(fs::read_dir(left.parent().expect("it is in a folder")).expect("it").count(), 1);
	other.remove().expect("it is there");
	drop((file, other));
	let mut bytes = Vec::new();
	let resumed = target.partial(VERSION).expect("it can be opened");
	resumed.file().read_to_end(&mut bytes).expect("it can be read");
	assert_eq!(bytes, b"begun");
	drop(resumed);

	// Links, a file with two names, and a pipe under such a name are left alone.
	let name = left.with_file_name(format!("{}-{:016x}", hex::encode(VERSION.0), 1));
	let outside = dir.path().join("outside");
	fs::write(&outside, "precious").expect("there is room");
	let replacements: [&dyn Fn(&Path); 3] = [
		&|name| symlink(&outside, name).expect("there is room"),
		&|name| fs::hard_link(&outside, name).expect("there is room"),
		&|name| {
			assert!(Command::new("mkfifo").arg(name).status().expect("mkfifo runs").success());
		},
	];
	fs::remove_file(&left).expect("it is there");
	for replace in replacements {
		replace(&name);
		let new = partial(&target, b"new");
		assert_eq!(new.file().metadata().expect("it is open").len(), 3);
		new.remove().expect("it is there");
		assert_eq!(fs::read(&outside).expect("it is there"), b"precious");
		fs::remove_file(&name).expect("it is there");
	}
}

#[test]
fn what_is_of_no_use_is_removed_unless_another_run_uses_the_folder() {
	let (dir, folder) = folder();
	let target = find(&folder, "a").expect("nothing is there");
	drop(partial(&target, b"begun"));
	let other = VersionId([8; 32]);
	let left = target.partial(other).expect("it can be made");
	left.file().write_all(b"begun").expect("there is room");
	drop(left);
	let reserved = dir.path().join("out").join(RESERVED);
	let count = || fs::read_dir(&reserved).expect("it is there").count();
	let second = Folder::open(dir.path().join("out")).expect("it is there");
	let second = Arc::new(second);
	let busy = find(&second, "b").expect("nothing is there").partial(other);
	folder.tidy(|_| false).expect("another run uses it");
	assert_eq!(count(), 2);
	drop((busy, folder));
	second.tidy(|version| version == other).expect("it can be tidied");
	assert_eq!(count(), 1);
	// So do the names that were tried by a run that was killed.
	fs::create_dir(reserved.join("names-0")).expect("there is room");
	fs::write(reserved.join("names-0/a"), "").expect("there is room");
	second.tidy(|_| false).expect("it can be removed");
	assert!(!reserved.exists());
	second.tidy(|_| false).expect("nothing is there");
}

#[test]
fn a_link_or_a_file_in_the_place_of_the_reserved_folder_is_refused() {
	let (dir, folder) = folder();
	fs::create_dir(dir.path().join("outside")).expect("there is room");
	let reserved = dir.path().join("out").join(RESERVED);
	symlink("../outside", &reserved).expect("there is room");
	let target = find(&folder, "a").expect("nothing is there");
	let reason = "`.fabric-partial` is a symbolic link, which is not followed";
	assert_eq!(error(target.partial(VERSION)), reason);
	assert_eq!(fs::read_dir(dir.path().join("outside")).expect("it is there").count(), 0);
	fs::remove_file(&reserved).expect("it is there");
	fs::write(&reserved, "").expect("there is room");
	assert_eq!(error(target.partial(VERSION)), "`.fabric-partial` is not a folder");
	fs::remove_file(&reserved).expect("it is there");
	// Others could write in it.
	fs::create_dir(&reserved).expect("there is room");
	fs::set_permissions(&reserved, fs::Permissions::from_mode(0o777)).expect("it is ours");
	let file = target.partial(VERSION).expect("it can be made");
	let mode = reserved.metadata().expect("it is there").permissions().mode();
	assert_eq!(mode & 0o777, 0o700);
	assert!(target.put(&file).expect("nothing is in its way"));
}

#[test]
fn what_belongs_to_another_user_is_not_used() {
	let (dir, folder) = folder();
	let target = find(&folder, "a").expect("nothing is there");
	drop(partial(&target, b"begun"));
	if chown(entry(&dir), Some(12_345), None).is_err() {
		eprintln!("skipped: only the superuser can give files away");
		return;
	}
	let new = target.partial(VERSION).expect("it can be made");
	assert_eq!(new.file().metadata().expect("it is open").len(), 0);
	drop((new, target, folder));
	chown(dir.path().join("out").join(RESERVED), Some(12_345), None).expect("it is possible");
	let folder = Arc::new(Folder::open(dir.path().join("out")).expect("it is a folder"));
	let target = find(&folder, "a").expect("nothing is there");
	let reason = "`.fabric-partial` belongs to another user: choose another folder";
	assert_eq!(error(target.partial(VERSION)), reason);
}

#[test]
fn names_are_one_if_the_file_system_says_so() {
	let (_dir, folder) = folder();
	let trial = folder.trial().expect("names can be tried");
	if let Some(mut trial) = trial {
		assert_eq!(trial.first("b").expect("it is a name"), "b");
		assert_eq!(trial.first("c").expect("it is a name"), "c");
		return;
	}
	// This one keeps names apart.
	for name in ["a", "A", "\u{e9}", "e\u{301}"] {
		let target = find(&folder, name).expect("nothing is there");
		assert!(!target.is_taken(), "{name:?}");
		assert!(target.put(&partial(&target, name.as_bytes())).expect("it can be moved"));
	}
}
