// SPDX-License-Identifier: Apache-2.0
//! Random changes of folders: names, files and other things that people have, and some that nobody
//! expects.

use std::{
	ffi::OsStr,
	fs, io,
	ops::Range,
	os::unix::{ffi::OsStrExt, fs::symlink},
	path::{Path, PathBuf},
};

use rand::{rngs::StdRng, seq::IndexedRandom, Rng, SeedableRng};
use rustix::fs::{mknodat, FileType, Mode, CWD};

/// Texts of which names are made.
const PARTS: [&str; 32] = [
	"a",
	"b",
	"A",
	"z",
	"0",
	"file",
	".txt",
	".",
	"-",
	"_",
	"~",
	"~2b",
	"~20",
	"~7e",
	"+",
	" ",
	":",
	"%2f",
	"\\",
	"\\x2d",
	"\"",
	"'",
	"*",
	"\n",
	"\u{1b}[2J",
	"é",
	"e\u{301}",
	"ß",
	"日本",
	"😀",
	"\u{200c}",
	"\u{202e}",
];
/// Names that are special to somebody.
const SPECIAL: [&str; 18] = [
	".env",
	".git",
	".GIT",
	"git~1",
	".fabric-partial",
	".Fabric-Partial.",
	"...",
	"..a",
	"-rf",
	"--yes",
	"~",
	"~2e",
	"CON",
	"names",
	"runs",
	"a.",
	"a ",
	"con:aux",
];
/// The deepest folder.
const DEPTH: usize = 4;

/// Returns the seeds of a test: this many from 0 on, or as many as `ROUND_TRIPS` says from `SEED` on.
pub fn seeds(number: u64) -> Range<u64> {
	let variable = |name| {
		let text = std::env::var(name).ok()?;
		Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text}")))
	};
	let first: Option<u64> = variable("SEED");
	let number = variable("ROUND_TRIPS").unwrap_or(if first.is_some() { 1 } else { number });
	let first = first.unwrap_or_default();
	first..first.saturating_add(number)
}

/// Returns random numbers by a seed, and prints it for the report of a test that fails.
pub fn seeded(seed: u64) -> StdRng {
	println!("SEED={seed}");
	StdRng::seed_from_u64(seed)
}

/// Returns a name of a file that is text.
pub fn text_name(rng: &mut StdRng) -> String {
	let name = match rng.random_range(0..12) {
		0 => SPECIAL.choose(rng).copied().unwrap_or_default().into(),
		1 => {
			let (part, length) =
				[("x", 255), ("日", 85), ("日", 60), ("日", 57), ("+", 171), ("+", 170)]
					.choose(rng)
					.copied()
					.unwrap_or_default();
			part.repeat(length)
		},
		2..6 => (0..rng.random_range(1..3)).map(|_| rng.random_range('a'..='c')).collect(),
		_ => {
			let parts = 0..rng.random_range(1..6);
			parts.map(|_| PARTS.choose(rng).copied().unwrap_or_default()).collect::<String>()
		},
	};
	if matches!(&*name, "." | "..") {
		"dots".into()
	} else {
		name
	}
}

/// Makes a number of random changes below a folder. Leaves out the changes that the system refuses.
pub fn change(root: &Path, rng: &mut StdRng, number: usize) {
	for _ in 0..number {
		let all = below(root);
		let is_deep = |path: &Path| path.components().count() >= root.components().count() + DEPTH;
		let folders = all.iter().filter(|path| is_folder(path) && !is_deep(path));
		let folders: Vec<_> = folders.collect();
		let folder = folders.choose(rng).map_or(root, |path| path.as_path());
		// The system refuses, for example, a file in the place of a folder, and some devices.
		let _ = change_once(&all, folder, rng);
	}
}

fn change_once(all: &[PathBuf], folder: &Path, rng: &mut StdRng) -> io::Result<()> {
	let place = folder.join(name(all, folder, rng));
	let old = all.choose(rng);
	match (rng.random_range(0..20), old) {
		(0, _) => symlink(old.map_or(Path::new("nowhere"), |path| path), place),
		(1, _) => {
			symlink(["..", ".", "/etc", "missing"].choose(rng).copied().unwrap_or("."), place)
		},
		(2, _) => node(&place, FileType::Fifo),
		(3, _) => node(&place, FileType::Socket),
		(4, _) => node(&place, FileType::CharacterDevice),
		(5..7, _) => fs::create_dir(place),
		(7, Some(old)) => remove(old),
		(8, Some(old)) => fs::rename(old, place),
		(9, Some(old)) if old.is_file() => fs::hard_link(old, place),
		// A file becomes a folder, or a folder a file.
		(10 | 11, Some(old)) => {
			let was_folder = is_folder(old);
			remove(old)?;
			match was_folder {
				true => fs::write(old, content(rng)),
				false => fs::create_dir(old)
					.and_then(|()| fs::write(old.join(name(all, old, rng)), content(rng))),
			}
		},
		(12 | 13, Some(old)) if is_file(old) => fs::write(old, content(rng)),
		// Nothing that is not a file is written to.
		_ if is_file(&place) || fs::symlink_metadata(&place).is_err() => {
			fs::write(place, content(rng))
		},
		_ => Ok(()),
	}
}

/// Returns a name for something in a folder, perhaps the twin of another one.
fn name(all: &[PathBuf], folder: &Path, rng: &mut StdRng) -> PathBuf {
	let there: Vec<_> = all.iter().filter(|path| path.parent() == Some(folder)).collect();
	let twin = there.choose(rng).and_then(|path| path.file_name()?.to_str());
	let longer = all.choose(rng).and_then(|path| path.strip_prefix(folder).ok()?.to_str());
	match (rng.random_range(0..10), twin, longer) {
		(0, Some(twin), _) => twin.to_uppercase().into(),
		(1, Some(twin), _) => {
			twin.replace('é', "e\u{301}").replace('+', "~2b").replace(' ', "~20").into()
		},
		(2, _, Some(longer)) if !longer.is_empty() => longer.replace('/', ":").into(),
		(3, ..) => {
			let bytes: Vec<u8> =
				(0..rng.random_range(1..20)).map(|_| rng.random_range(1..=255)).collect();
			let bytes: Vec<_> = bytes.into_iter().filter(|byte| *byte != b'/').collect();
			match &bytes[..] {
				[] | b"." | b".." => "bytes".into(),
				bytes => OsStr::from_bytes(bytes).into(),
			}
		},
		_ => text_name(rng).into(),
	}
}

/// Returns the bytes of a file, which is often empty, and often has the bytes of another one.
fn content(rng: &mut StdRng) -> Vec<u8> {
	let length = [0, 1, 5, 1_000, 70_000].choose(rng).copied().unwrap_or_default();
	vec![rng.random_range(0..4); length]
}

fn node(place: &Path, kind: FileType) -> io::Result<()> {
	// The device is `/dev/zero`.
	let device = rustix::fs::makedev(1, 5);
	Ok(mknodat(CWD, place, kind, Mode::RUSR | Mode::WUSR, device)?)
}

fn remove(path: &Path) -> io::Result<()> {
	match is_folder(path) {
		true => fs::remove_dir_all(path),
		false => fs::remove_file(path),
	}
}

/// Returns whether a path leads to a folder, and not to a link.
pub fn is_folder(path: &Path) -> bool {
	fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// Returns whether a path leads to a regular file, and not to a link.
pub fn is_file(path: &Path) -> bool {
	fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// Returns the paths of all that is below a folder, in an order that does not depend on the system.
/// Links are not followed.
pub fn below(folder: &Path) -> Vec<PathBuf> {
	let mut found = Vec::new();
	let mut folders = vec![folder.to_owned()];
	while let Some(folder) = folders.pop() {
		for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
			if is_folder(&entry.path()) {
				folders.push(entry.path());
			}
			found.push(entry.path());
		}
	}
	found.sort();
	found
}
