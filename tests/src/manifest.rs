// SPDX-License-Identifier: Apache-2.0
//! An independent reader of manifests, and synthetic manifests.

use std::{
	collections::BTreeMap,
	process::{Command, Output},
};

use serde_json::{json, Value};

/// The registry of nearly all packages.
pub const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The packages and versions that names lead to, by record key.
pub type Names = BTreeMap<String, (String, Option<[u8; 32]>)>;

/// Returns the versions of a registry's packages with their hashes, by package. Reads each line as
/// plain JSON.
pub fn releases(text: &str, registry: &str) -> BTreeMap<String, Vec<(String, [u8; 32])>> {
	let mut releases = BTreeMap::<_, Vec<_>>::new();
	for line in text.lines() {
		let item: Value = serde_json::from_str(line).expect("a line is JSON");
		let field = |name| item[name].as_str().expect("the field is a text").to_owned();
		if field("source") == registry {
			let mut hash = [0; 32];
			let digits = field("hash").replace("sha256:", "");
			hex::decode_to_slice(digits, &mut hash).expect("a hash is 64 hex digits");
			releases.entry(field("name")).or_default().push((field("version"), hash));
		}
	}
	releases
}

/// Returns the hashes of a registry's packages, by package.
pub fn checksums(text: &str, registry: &str) -> BTreeMap<String, Vec<[u8; 32]>> {
	releases(text, registry)
		.into_iter()
		.map(|(name, releases)| {
			(name, releases.into_iter().map(|(_, checksum)| checksum).collect())
		})
		.collect()
}

/// Returns the record keys of the names of a registry's packages, alone and with a version. `+` is
/// escaped, which is the only character in them that record keys cannot have.
pub fn names(text: &str, registry: &str) -> Names {
	let mut names = Names::new();
	let escaped = |name: &str| name.replace('+', "~2b");
	for (package, releases) in releases(text, registry) {
		for (version, checksum) in releases {
			let key = escaped(&format!("{package}:{version}"));
			names.insert(key, (package.clone(), Some(checksum)));
		}
		names.insert(escaped(&package), (package, None));
	}
	names
}

/// Returns a line of a manifest: a version of a package of crates.io, which becomes its head.
pub fn item(name: &str, version: &str, hash: &str) -> Value {
	let hash = format!("sha256:{hash}");
	json!({ "name": name, "version": version, "hash": hash, "head": true, "source": CRATES_IO })
}

/// Returns a manifest of nearly this many packages: every fiftieth is left out. Every tenth name
/// has five versions, the last of which is its head.
pub fn synthetic(packages: u32) -> String {
	let mut text = String::new();
	for i in (0..packages).filter(|i| i % 50 != 49) {
		// Four of ten packages share a name with the one in ten before them.
		let name = if i % 10 < 5 { i - i % 10 } else { i };
		let mut item =
			item(&format!("package-{name}"), &format!("0.{i}.0"), &format!("{:064x}", i + 1));
		item["head"] = (i % 10 >= 4 || i + 1 == packages).into();
		text += &format!("{item}\n");
	}
	text
}

/// Runs a script that prints a manifest.
pub fn script(name: &str, arguments: &[&str]) -> Output {
	let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/manifests");
	let mut script = Command::new(format!("{folder}/{name}"));
	script.args(arguments).output().expect("python3 runs the script")
}
