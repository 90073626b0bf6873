//! Pinned identities of chains, like the `known_hosts` of ssh.

use std::{
	collections::BTreeMap,
	fmt,
	fs::{self, File},
	io::{self, Write},
	path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::{hash, toml_error};

/// The first lines of the file.
const HEADER: &str = "# Chains that the client `fabric` has connected to. It refuses a chain that \
                      differs.\n# Remove a section to let the client pin that chain anew.\n\n";

/// The identity of a chain. Another chain with the same genesis hash does not exist, and wrong
/// decimals or a wrong symbol would misstate amounts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Identity {
	/// The hash of the first block.
	#[serde(with = "hash")]
	pub genesis_hash: [u8; 32],
	/// The number of decimals of an amount.
	pub decimals: u8,
	/// The symbol of the token.
	pub symbol: String,
}

/// The result of checking an identity that does not differ from a pinned one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
	/// The identity is pinned.
	Yes,
	/// Nothing is pinned yet.
	No,
}

/// A field of an [`Identity`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
	/// The hash of the first block.
	GenesisHash,
	/// The number of decimals of an amount.
	Decimals,
	/// The symbol of the token.
	Symbol,
}

impl fmt::Display for Field {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(match self {
			Self::GenesisHash => "genesis-hash",
			Self::Decimals => "decimals",
			Self::Symbol => "symbol",
		})
	}
}

/// An error of the file of pins.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PinError {
	/// The chain is not the pinned one.
	#[error(
		"the chain of {key} has the {field} {found}, but {pinned} is pinned: the node may be \
		 dishonest; if the change is intended, remove the section of {key} in {path}",
		path = path.display()
	)]
	Changed {
		/// The name of the profile, or the URL.
		key: String,
		/// The first field that differs.
		field: Field,
		/// The pinned value.
		pinned: String,
		/// The value of the chain.
		found: String,
		/// The file.
		path: PathBuf,
	},
	/// The file cannot be read.
	#[error("cannot read {path}: {source}", path = path.display())]
	Read {
		/// The file.
		path: PathBuf,
		/// The cause.
		source: io::Error,
	},
	/// The file is damaged.
	#[error(
		"{path}, line {line}: {reason}: correct the file, or delete it to pin all chains anew",
		path = path.display()
	)]
	Format {
		/// The file.
		path: PathBuf,
		/// The line, counted from 1.
		line: usize,
		/// The reason.
		reason: String,
	},
	/// The file cannot be written.
	#[error("cannot write {path}: {source}", path = path.display())]
	Write {
		/// The file.
		path: PathBuf,
		/// The cause.
		source: io::Error,
	},
}

type Chains = BTreeMap<String, Identity>;

/// The pinned identities of chains, by the name of a profile or by URL, and their file.
#[derive(Debug)]
pub struct Pins {
	path: PathBuf,
	chains: Chains,
}

impl Pins {
	/// Reads the file. A missing file is an empty one.
	pub fn open(path: impl Into<PathBuf>) -> Result<Self, PinError> {
		let path = path.into();
		Ok(Self { chains: read(&path)?, path })
	}

	/// Checks the identity of a chain against the pinned one.
	pub fn check(&self, key: &str, found: &Identity) -> Result<Known, PinError> {
		let Some(pinned) = self.chains.get(key) else { return Ok(Known::No) };
		let Some((field, pinned, found)) = difference(pinned, found) else {
			return Ok(Known::Yes);
		};
		Err(PinError::Changed {
			key: printable(key),
			field,
			pinned,
			found,
			path: self.path.clone(),
		})
	}

	/// Returns the identity that is pinned under a key.
	pub fn pinned(&self, key: &str) -> Option<&Identity> {
		self.chains.get(key)
	}

	/// Pins the identity of a chain in the file, and creates the file with its directory if there
	/// is none. Keeps what other processes have pinned under other keys since the file was read.
	pub fn pin(&mut self, key: &str, identity: Identity) -> Result<(), PinError> {
		let failed = |source| PinError::Write { path: self.path.clone(), source };
		let dir = directory(&self.path);
		fs::create_dir_all(dir).map_err(failed)?;
		// Unlocked when dropped. The file itself cannot be the lock, as it is replaced.
		let _lock = lock(&self.path).map_err(failed)?;
		let mut chains = read(&self.path)?;
		chains.insert(key.into(), identity);
		write(&self.path, dir, &chains).map_err(failed)?;
		self.chains = chains;
		Ok(())
	}
}

/// Returns the first field that differs, with the pinned and the found value.
fn difference(pinned: &Identity, found: &Identity) -> Option<(Field, String, String)> {
	let values = |identity: &Identity| {
		let Identity { genesis_hash, decimals, symbol } = identity;
		[
			(Field::GenesisHash, hash::to_text(genesis_hash)),
			(Field::Decimals, decimals.to_string()),
			(Field::Symbol, printable(symbol)),
		]
	};
	let differing = |((field, pinned), (_, found)): ((Field, String), (Field, String))| {
		(pinned != found).then_some((field, pinned, found))
	};
	values(pinned).into_iter().zip(values(found)).find_map(differing)
}

/// Returns a text without control characters: a node chooses the symbol.
fn printable(text: &str) -> String {
	text.escape_debug().to_string()
}

fn read(path: &Path) -> Result<Chains, PinError> {
	let text = match fs::read_to_string(path) {
		Ok(text) => text,
		Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Chains::new()),
		Err(source) => return Err(PinError::Read { path: path.into(), source }),
	};
	toml::from_str(&text).map_err(|error| {
		let (line, reason) = toml_error::place(&error, &text);
		PinError::Format { path: path.into(), line, reason }
	})
}

/// Returns the directory of a file. A bare name is in the working directory.
fn directory(path: &Path) -> &Path {
	match path.parent() {
		Some(dir) if !dir.as_os_str().is_empty() => dir,
		_ => Path::new("."),
	}
}

/// Waits for the lock of the file, which is a file next to it and stays there.
fn lock(path: &Path) -> io::Result<File> {
	let file = File::create(path.with_extension("lock"))?;
	file.lock()?;
	Ok(file)
}

/// Replaces the file at once, so that no process reads a part of it. Its mode is 600.
fn write(path: &Path, dir: &Path, chains: &Chains) -> io::Result<()> {
	let text = toml::to_string(chains).map_err(io::Error::other)?;
	let mut file = NamedTempFile::new_in(dir)?;
	file.write_all(HEADER.as_bytes())?;
	file.write_all(text.as_bytes())?;
	file.as_file().sync_all()?;
	file.persist(path)?;
	Ok(())
}

#[cfg(test)]
mod tests {
	use std::thread;

	use tempfile::TempDir;

	use super::*;

	fn identity(byte: u8) -> Identity {
		Identity { genesis_hash: [byte; 32], decimals: 12, symbol: "UNIT".into() }
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
		assert_eq!(pins.check(key, &identity(1)).ok(), Some(Known::No));
		pins.pin(key, identity(1)).expect("the directory is writable; qed");
		for pins in [pins, open(&path)] {
			assert_eq!(pins.check(key, &identity(1)).ok(), Some(Known::Yes));
			assert_eq!(pins.check("main", &identity(1)).ok(), Some(Known::No));
		}
	}

	#[test]
	fn a_difference_in_any_field_is_an_error_that_names_it() {
		let (_dir, path) = place();
		let mut pins = open(&path);
		pins.pin("main", identity(1)).expect("the directory is writable; qed");
		let changes = [
			(identity(2), "genesis-hash", "0x0202", "0x0101"),
			(Identity { decimals: 10, ..identity(1) }, "decimals", "10", "12"),
			(
				Identity { symbol: "\u{1b}[2J".into(), ..identity(1) },
				"symbol",
				"\\u{1b}[2J",
				"UNIT",
			),
		];
		for (changed, field, found, pinned) in changes {
			let error = pins.check("main", &changed).expect_err("it differs; qed").to_string();
			let start = format!("the chain of main has the {field} {found}");
			assert!(error.starts_with(&start), "{error}");
			assert!(error.contains(&format!("but {pinned}")), "{error}");
			assert!(error.ends_with(&format!("in {}", path.display())), "{error}");
		}
	}

	#[test]
	fn pins_of_other_processes_are_kept() {
		let (_dir, path) = place();
		let mut first = open(&path);
		let mut second = open(&path);
		first.pin("a", identity(1)).expect("the directory is writable; qed");
		second.pin("b", identity(2)).expect("the directory is writable; qed");
		first.pin("a", identity(3)).expect("the directory is writable; qed");
		let pins = open(&path);
		assert_eq!(pins.check("a", &identity(3)).ok(), Some(Known::Yes));
		assert_eq!(pins.check("b", &identity(2)).ok(), Some(Known::Yes));
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
			assert_eq!(pins.check(&byte.to_string(), &identity(byte)).ok(), Some(Known::Yes));
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
			assert!(error.contains("known-chains.toml, line "), "{error}");
			assert!(pins.pin("main", identity(2)).is_err());
			let kept = fs::read_to_string(&path).expect("it was written; qed");
			assert_eq!(kept, damaged);
		}
	}

	#[cfg(unix)]
	#[test]
	fn the_file_is_private() {
		use std::os::unix::fs::PermissionsExt;

		let (_dir, path) = place();
		open(&path).pin("main", identity(1)).expect("the directory is writable; qed");
		let mode = fs::metadata(&path).expect("it was written; qed").permissions().mode();
		assert_eq!(mode & 0o777, 0o600);
	}
}
