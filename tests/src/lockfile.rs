//! An independent reading of lock files, and lock files made up for tests.

use std::collections::BTreeMap;

/// The registry of nearly all packages.
pub const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The checksums of the packages of a registry, by name: what a lock file says when it is read as
/// plain TOML.
pub fn checksums(text: &str, registry: &str) -> BTreeMap<String, Vec<[u8; 32]>> {
	let file: toml::Table = text.parse().expect("a lock file is TOML");
	let packages = file["package"].as_array().expect("a lock file lists packages");
	let mut checksums = BTreeMap::<_, Vec<_>>::new();
	for package in packages {
		let field = |name| package.get(name).and_then(toml::Value::as_str);
		let (Some(source), Some(checksum)) = (field("source"), field("checksum")) else { continue };
		if source == registry {
			let mut bytes = [0; 32];
			hex::decode_to_slice(checksum, &mut bytes).expect("a checksum is 64 hex digits");
			let name = field("name").expect("a package has a name").to_owned();
			checksums.entry(name).or_default().push(bytes);
		}
	}
	checksums
}

/// A lock file of so many packages: every tenth name has five versions, every fiftieth package
/// comes from git.
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
