// SPDX-License-Identifier: Apache-2.0
//! Pinned identities of chains, like the `known_hosts` of ssh.

use std::{
	collections::BTreeMap,
	fs::{self, File, TryLockError},
	io::{self, Write},
	path::{Path, PathBuf},
	thread,
	time::{Duration, Instant},
};

use content_fabric_client::{keys::ChainKind, profile::hash};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::toml_file::{self, TomlError};
use crate::private::open_private;

/// The first lines of the file.
const HEADER: &str = "# Chains that the client `fabric` has connected to. It refuses a chain that \
                      differs.\n# Remove a section to let the client pin that chain anew.\n\n";

/// Longest time to wait for another process that pins a chain.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
/// Time between attempts to get the lock.
const LOCK_INTERVAL: Duration = Duration::from_millis(20);

/// The identity of a chain, and what protects its keys.
///
/// Another chain with the same genesis hash does not exist, and wrong decimals or a wrong symbol
/// would misstate amounts. A real chain that passed for a development chain would be signed for
/// with public keys, and one that seemed not to check the hash of its metadata with calls of
/// another meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Identity {
	#[serde(with = "hash")]
	pub genesis_hash: [u8; 32],
	pub decimals: u8,
	pub symbol: String,
	pub kind: ChainKind,
	/// True if the runtime checks the hash of its metadata. A chain may begin to, but not stop.
	pub checks_metadata_hash: bool,
}

/// An error of the file of pins.
#[derive(Debug, thiserror::Error)]
pub enum PinError {
	/// The chain is not the pinned one.
	#[error(
		"the chain of {name} has the {field} {found}, but {pinned} is pinned: the node may be \
		 dishonest; if the chain was reset or changed on purpose, remove the section [{section}] \
		 in {path}",
		name = printable(key),
		section = toml_file::key(key),
		path = path.display()
	)]
	Changed { key: String, field: &'static str, pinned: String, found: String, path: PathBuf },
	/// The file cannot be read, or is damaged.
	#[error(transparent)]
	Toml(#[from] TomlError),
	/// The file cannot be written.
	#[error("cannot write {path}: {source}", path = path.display())]
	Write { path: PathBuf, source: io::Error },
}

type Chains = BTreeMap<String, Identity>;

/// The pinned identities of chains, by the name of a profile or by URL, and their file.
#[derive(Debug)]
pub struct Pins {
	path: PathBuf,
	chains: Chains,
}

impl Pins {
	/// Reads the file, which is next to a configuration file. A missing file is an empty one.
	pub fn open(config: &Path) -> Result<Self, PinError> {
		let path = config.with_file_name("known-chains.toml");
		Ok(Self { chains: read(&path)?, path })
	}

	/// Returns whether the identity of a chain is pinned, with all that protects its keys. Fails if
	/// another identity is pinned.
	pub fn check(&self, key: &str, found: &Identity) -> Result<bool, PinError> {
		let Some(pinned) = self.chains.get(key) else { return Ok(false) };
		let Some((field, was, is)) = difference(pinned, found) else {
			return Ok(pinned.checks_metadata_hash || !found.checks_metadata_hash);
		};
		let (key, path) = (key.to_owned(), self.path.clone());
		Err(PinError::Changed { key, field, pinned: was, found: is, path })
	}

	/// Returns the identity that is pinned under a key.
	pub fn pinned(&self, key: &str) -> Option<&Identity> {
		self.chains.get(key)
	}

	/// Pins the identity of a chain in the file, and creates the file with its directory if there
	/// is none. Keeps what other processes have pinned since the file was read, and fails if one
	/// has pinned another identity under this key.
	pub fn pin(&mut self, key: &str, identity: Identity) -> Result<(), PinError> {
		let failed = |source| PinError::Write { path: self.path.clone(), source };
		fs::create_dir_all(folder_of(&self.path)).map_err(failed)?;
		// Unlocked when dropped. The file itself cannot be the lock, as it is replaced.
		let _lock = lock(&self.path, LOCK_TIMEOUT).map_err(failed)?;
		self.chains = read(&self.path)?;
		if !self.check(key, &identity)? {
			self.chains.insert(key.into(), identity);
			write(&self.path, HEADER, &self.chains).map_err(failed)?;
		}
		Ok(())
	}
}

/// Returns the folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
	// Empty for a bare name, which is in the working directory.
	match path.parent() {
		Some(folder) if !folder.as_os_str().is_empty() => folder,
		_ => Path::new("."),
	}
}

/// Returns the first field that differs, with the pinned and the found value.
fn difference(pinned: &Identity, found: &Identity) -> Option<(&'static str, String, String)> {
	let values = |identity: &Identity| {
		let Identity { genesis_hash, decimals, symbol, kind, checks_metadata_hash } = identity;
		[
			("genesis-hash", hash::to_text(genesis_hash)),
			("decimals", decimals.to_string()),
			("symbol", printable(symbol)),
			("kind", kind.to_string()),
			("checks-metadata-hash", checks_metadata_hash.to_string()),
		]
	};
	// A runtime that begins to check the hash takes nothing away.
	let found = Identity {
		checks_metadata_hash: pinned.checks_metadata_hash && found.checks_metadata_hash,
		..found.clone()
	};
	let mut pairs = values(pinned).into_iter().zip(values(&found));
	let ((field, pinned), (_, found)) = pairs.find(|(pinned, found)| pinned != found)?;
	Some((field, pinned, found))
}

/// Returns a text without control characters: a node chooses the symbol.
fn printable(text: &str) -> String {
	text.escape_debug().to_string()
}

fn read(path: &Path) -> Result<Chains, TomlError> {
	toml_file::read(path, |section| {
		let remove = if section.is_some() { "the section" } else { "the file" };
		format!(
			"the file is damaged, or another version of `fabric` wrote it: remove {remove}, and pass \
			 --genesis-hash to pin the chain anew"
		)
	})
}

/// Waits for the lock of the file, which is a file next to it and stays there.
pub(super) fn lock(path: &Path, patience: Duration) -> io::Result<File> {
	let path = path.with_extension("lock");
	let file = open_private(&path)?;
	let start = Instant::now();
	loop {
		match file.try_lock() {
			Ok(()) => return Ok(file),
			Err(TryLockError::Error(error)) => return Err(error),
			Err(TryLockError::WouldBlock) if start.elapsed() < patience => {
				thread::sleep(LOCK_INTERVAL);
			},
			Err(TryLockError::WouldBlock) => {
				let seconds = patience.as_secs();
				let reason =
					format!("another process has held {} for {seconds} seconds", path.display());
				return Err(io::Error::new(io::ErrorKind::TimedOut, reason));
			},
		}
	}
}

/// Replaces the file at once, so that no process reads a part of it. Its mode is 600.
pub(super) fn write(path: &Path, header: &str, pins: &impl Serialize) -> io::Result<()> {
	let text = toml::to_string(pins).map_err(io::Error::other)?;
	let mut file = NamedTempFile::new_in(folder_of(path))?;
	file.write_all(header.as_bytes())?;
	file.write_all(text.as_bytes())?;
	file.as_file().sync_all()?;
	file.persist(path)?;
	Ok(())
}

#[cfg(test)]
mod tests {
	use std::thread;

	use content_fabric_client::class::Class;
	use tempfile::TempDir;

	use super::*;
	use crate::Error;

	fn identity(byte: u8) -> Identity {
		Identity {
			genesis_hash: [byte; 32],
			decimals: 12,
			symbol: "UNIT".into(),
			kind: ChainKind::Live,
			checks_metadata_hash: true,
		}
	}

	/// A directory, and a path in a directory in it that does not exist.
	fn place() -> (TempDir, PathBuf) {
		let dir = TempDir::new().expect("temporary directories can be made; qed");
		let path = dir.path().join("fabric").join("known-chains.toml");
		(dir, path)
	}

	fn open(path: &Path) -> Pins {
		Pins::open(path).expect("the file is sound; qed")
	}

	#[test]
	fn a_pinned_identity_is_known_after_reopening() {
		let (_dir, path) = place();
		let mut pins = open(&path);
		let key = "wss://rpc.example.com";
		assert_eq!(pins.check(key, &identity(1)).ok(), Some(false));
		pins.pin(key, identity(1)).expect("the directory is writable; qed");
		for pins in [pins, open(&path)] {
			assert_eq!(pins.check(key, &identity(1)).ok(), Some(true));
			assert_eq!(pins.check("main", &identity(1)).ok(), Some(false));
		}
	}

	#[test]
	fn a_difference_in_any_field_is_an_error_that_names_it() {
		let (_dir, path) = place();
		let mut pins = open(&path);
		pins.pin("main", identity(1)).expect("the directory is writable; qed");
		let changes: [(fn(&mut Identity), _, _); 5] = [
			(|found| found.genesis_hash = [2; 32], "genesis-hash 0x0202", "0x0101"),
			(|found| found.decimals = 10, "decimals 10", "12"),
			(|found| found.symbol = "\u{1b}[2J".into(), "symbol \\u{1b}[2J", "UNIT"),
			(|found| found.kind = ChainKind::Development, "kind development", "live"),
			(|found| found.checks_metadata_hash = false, "checks-metadata-hash false", "true"),
		];
		for (change, found, pinned) in changes {
			let mut changed = identity(1);
			change(&mut changed);
			let error = pins.check("main", &changed).expect_err("it differs; qed").to_string();
			let start = format!("the chain of main has the {found}");
			assert!(error.starts_with(&start), "{error}");
			assert!(error.contains(&format!("but {pinned}")), "{error}");
			let end = format!("remove the section [main] in {}", path.display());
			assert!(error.ends_with(&end), "{error}");
		}
	}

	#[test]
	fn a_pin_of_another_process_is_not_replaced() {
		let (_dir, path) = place();
		let (mut first, mut second) = (open(&path), open(&path));
		first.pin("a", identity(1)).expect("the directory is writable; qed");
		assert!(matches!(second.pin("a", identity(2)), Err(PinError::Changed { .. })));
		assert!(second.pin("a", identity(1)).is_ok());
		assert_eq!(open(&path).pinned("a"), Some(&identity(1)));
	}

	#[test]
	fn a_chain_may_begin_to_check_the_hash_of_its_metadata_and_not_cease_to() {
		let (_dir, path) = place();
		let mut pins = open(&path);
		let without = Identity { checks_metadata_hash: false, ..identity(1) };
		pins.pin("a", without.clone()).expect("the directory is writable; qed");
		assert_eq!(pins.check("a", &without).ok(), Some(true));
		assert_eq!(pins.check("a", &identity(1)).ok(), Some(false));
		pins.pin("a", identity(1)).expect("it is not a loss; qed");
		assert!(open(&path).check("a", &without).is_err());
	}

	#[test]
	fn sections_are_named_as_the_file_has_them() {
		let (_dir, path) = place();
		for key in ["main", "wss://rpc.example.com", "wss://host#00", "two words"] {
			open(&path).pin(key, identity(1)).expect("the directory is writable; qed");
			let text = fs::read_to_string(&path).expect("it was written; qed");
			assert!(text.contains(&format!("[{}]", toml_file::key(key))), "{text}");
		}
	}

	#[test]
	fn a_lock_that_another_process_holds_is_waited_for_in_vain() {
		let (dir, _) = place();
		let path = dir.path().join("known-chains.toml");
		let patience = Duration::from_millis(50);
		let held = lock(&path, patience).expect("nobody holds it; qed");
		let error = lock(&path, patience).expect_err("it is held; qed");
		assert_eq!(error.kind(), io::ErrorKind::TimedOut);
		assert!(error.to_string().contains("known-chains.lock"), "{error}");
		drop(held);
		assert!(lock(&path, patience).is_ok());
	}

	#[cfg(unix)]
	#[test]
	fn the_file_and_its_lock_are_private_and_the_lock_is_no_link() {
		use std::os::unix::fs::{symlink, PermissionsExt};

		let (dir, _) = place();
		let path = dir.path().join("known-chains.toml");
		let (lock_path, other) = (path.with_extension("lock"), dir.path().join("other"));
		fs::write(&lock_path, "kept").expect("the directory is writable; qed");
		fs::set_permissions(&lock_path, fs::Permissions::from_mode(0o666))
			.expect("it is ours; qed");
		open(&path).pin("main", identity(1)).expect("the directory is writable; qed");
		for path in [&path, &lock_path] {
			let mode = fs::metadata(path).expect("it exists; qed").permissions().mode();
			assert_eq!(mode & 0o777, 0o600);
		}
		assert_eq!(fs::read_to_string(&lock_path).ok().as_deref(), Some("kept"));

		fs::remove_file(&lock_path).expect("it exists; qed");
		symlink(&other, &lock_path).expect("the directory is writable; qed");
		assert!(lock(&path, Duration::ZERO).is_err());
		assert!(!other.exists(), "the link was not followed");
	}

	#[test]
	fn concurrent_pins_lose_nothing() {
		let (_dir, path) = place();
		thread::scope(|scope| {
			for byte in 0..16_u8 {
				let mut pins = open(&path);
				let mut pin = move || pins.pin(&byte.to_string(), identity(byte));
				scope.spawn(move || pin().expect("the directory is writable; qed"));
			}
		});
		let pins = open(&path);
		for byte in 0..16_u8 {
			assert_eq!(pins.check(&byte.to_string(), &identity(byte)).ok(), Some(true));
		}
	}

	#[test]
	fn a_damaged_file_is_an_error_and_stays() {
		let (_dir, path) = place();
		let mut pins = open(&path);
		pins.pin("main", identity(1)).expect("the directory is writable; qed");
		let sound = fs::read_to_string(&path).expect("it was written; qed");
		for damaged in [sound.replace("0x", "0y"), format!("{sound}x = 1\n"), "[main\n".into()] {
			fs::write(&path, &damaged).expect("the file is writable; qed");
			let error = Pins::open(&path).map(drop).expect_err("it is damaged; qed").to_string();
			assert!(error.contains("known-chains.toml, section [main], line "), "{error}");
			assert!(error
				.ends_with("remove the section, and pass --genesis-hash to pin the chain anew"));
			assert!(pins.pin("main", identity(2)).is_err());
			let kept = fs::read_to_string(&path).expect("it was written; qed");
			assert_eq!(kept, damaged);
		}
	}

	#[test]
	fn a_pin_without_a_kind_is_named_by_its_section() {
		let (_dir, path) = place();
		for key in ["main", "wss://rpc.example.com"] {
			open(&path).pin(key, identity(1)).expect("the directory is writable; qed");
		}
		let sound = fs::read_to_string(&path).expect("it was written; qed");
		let sections: Vec<_> = sound.split_inclusive("\n\n").collect();
		let [.., main, url] = sections[..] else { panic!("{sound}") };
		let without_kind = |section: &str| section.replace("kind = \"live\"\n", "");
		for (text, section) in [
			([&without_kind(main), url].concat(), "[main], line 1"),
			([main, &without_kind(url)].concat(), "[\"wss://rpc.example.com\"], line 8"),
		] {
			fs::write(&path, text).expect("the file is writable; qed");
			let error = Pins::open(&path).map(drop).expect_err("the kind is missing; qed");
			let error = Error::from(error);
			assert_eq!(error.class(), Class::Usage);
			let error = error.to_string();
			let expected = format!(", section {section}: missing field `kind`; the file is ");
			assert!(error.contains(&expected), "{error}");
		}
	}
}
