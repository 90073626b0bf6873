// SPDX-License-Identifier: Apache-2.0
//! An independent reader of lock files, and synthetic lock files.

use std::collections::BTreeMap;

/// The registry of nearly all packages.
pub const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The packages and versions that names lead to, by record key.
pub type Names = BTreeMap<String, (String, Option<[u8; 32]>)>;

/// Returns the versions of a registry's packages with their checksums, by package. Reads the lock
/// file as plain TOML.
pub fn releases(text: &str, registry: &str) -> BTreeMap<String, Vec<(String, [u8; 32])>> {
	let file: toml::Table = text.parse().expect("a lock file is TOML");
	let packages = file["package"].as_array().expect("a lock file lists packages");
	let mut releases = BTreeMap::<_, Vec<_>>::new();
	for package in packages {
		let field = |name| package.get(name).and_then(toml::Value::as_str);
		let (Some(source), Some(checksum)) = (field("source"), field("checksum")) else { continue };
		if source == registry {
			let mut bytes = [0; 32];
			hex::decode_to_slice(checksum, &mut bytes).expect("a checksum is 64 hex digits");
			let name = field("name").expect("a package has a name").to_owned();
			let version = field("version").expect("a package has a version").to_owned();
			releases.entry(name).or_default().push((version, bytes));
		}
	}
	releases
}

/// Returns the checksums of a registry's packages, by package.
pub fn checksums(text: &str, registry: &str) -> BTreeMap<String, Vec<[u8; 32]>> {
	releases(text, registry)
		.into_iter()
		.map(|(name, releases)| {
			(name, releases.into_iter().map(|(_, checksum)| checksum).collect())
		})
		.collect()
}

/// Returns the record keys of names: of a registry's packages, alone and with a version. A
/// `+` is escaped, which is the only character of lock files that record keys cannot have.
pub fn names(text: &str, registry: &str) -> Names {
	let mut names = Names::new();
	for (package, releases) in releases(text, registry) {
		for (version, checksum) in releases {
			let key = format!("{package}:{version}").replace('+', "~2b");
			names.insert(key, (package.clone(), Some(checksum)));
		}
		names.insert(package.clone(), (package, None));
	}
	names
}

/// Returns a lock file of this many packages. Every tenth name has five versions; every fiftieth
/// package comes from git.
pub fn synthetic(packages: u32) -> String {
	let mut text = String::from("version = 4\n");
	for i in 0..packages {
		// Four of ten packages share a name with the one in ten before them.
		let name = if i % 10 < 5 { i - i % 10 } else { i };
		text += &format!("\n[[package]]\nname = \"package-{name}\"\nversion = \"0.{i}.0\"\n");
		if i % 50 == 49 {
			text += &format!("source = \"git+https://example.com/package-{i}#{i:040x}\"\n");
		} else {
			text += &format!("source = \"{CRATES_IO}\"\nchecksum = \"{:064x}\"\n", i + 1);
		}
	}
	text
}
