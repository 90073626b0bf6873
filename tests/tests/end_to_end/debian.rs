// SPDX-License-Identifier: Apache-2.0
//! The manifest of a Packages index of a Debian archive on a running chain: versions with sizes,
//! epochs and marks, and records for all names.

use std::{collections::BTreeMap, path::Path};

use content_fabric_client::{chain::rows, ids, text::Text};
use content_fabric_identifiers::{TenantId, VersionId};
use content_fabric_primitives::ContentRef;
use content_fabric_tests::{
	client::Client,
	manifest::script,
	process::{fabric_json, fabric_text, stderr, write, Node},
	raw::{count, Raw},
};

/// The packages of the archive: name, version, size, and the byte that the checksum repeats. The
/// highest version of bash is not its last one here.
const PACKAGES: [(&str, &str, u64, u8); 7] = [
	("bash", "5.2.37-2", 1_498_880, 1),
	("bash", "5.2~rc2-1", 1_490_112, 2),
	("g++", "4:14.2.0-1", 1_344, 3),
	("hello", "2.10-5", 53_276, 4),
	("libc6", "2.41-12+deb13u1", 2_847_732, 5),
	("openssh-client", "1:10.0p1-7", 985_160, 6),
	("zlib1g", "1:1.3.dfsg+really1.3.1-1+b1", 88_924, 7),
];

/// Returns the keys of all records: of each package, and of each version with its architecture.
/// Each with the package, and the checksum if the record is for a version.
fn named() -> BTreeMap<String, (&'static str, Option<u8>)> {
	let escaped = |text: &str| text.replace('+', "~2b");
	PACKAGES
		.iter()
		.flat_map(|(package, version, _, checksum)| {
			let (name, of_version) = (escaped(package), (*package, Some(*checksum)));
			let key = format!("{name}:{}_amd64", escaped(version));
			[(key, of_version), (name, (*package, None))]
		})
		.collect()
}

/// Returns a stanza as archives have them.
fn stanza((package, version, size, checksum): (&str, &str, u64, u8)) -> String {
	[
		format!("Package: {package}"),
		format!("Version: {version}"),
		format!("Installed-Size: {}", size.div_ceil(300)),
		"Maintainer: Debian QA Group <packages@example.org>".into(),
		"Architecture: amd64".into(),
		"Depends: libc6 (>= 2.38),".into(),
		" libgcc-s1 (>= 3.0)".into(),
		"Description: a package".into(),
		" Package: that a line of a description looks like a field makes it none.".into(),
		" .".into(),
		"Section: misc".into(),
		format!("Filename: pool/main/{}/{package}_{version}_amd64.deb", &package[..1]),
		format!("Size: {size}"),
		format!("MD5sum: {}", hex::encode([checksum; 16])),
		format!("SHA256: {}", hex::encode([checksum; 32])),
		"\n".into(),
	]
	.join("\n")
}

/// Writes the manifest of an index. Returns its path, and what is not listed.
fn manifest(dir: &Path, index: &str, code: i32) -> (String, String) {
	let index = write(dir, "Packages", index);
	let printed = script("debian_packages.py", &[&index, "trixie"]);
	assert_eq!(printed.status.code(), Some(code), "{}", stderr(&printed));
	let manifest = String::from_utf8_lossy(&printed.stdout);
	(write(dir, "manifest.jsonl", &manifest), stderr(&printed))
}

#[tokio::test]
async fn an_index_is_published_with_sizes_and_records() {
	let (dir, node) = Node::start_anew(&[]);
	// Old archives have stanzas without a SHA256.
	let unhashed = stanza(("unhashed", "1.0", 1, 8)).replace("SHA256", "SHA1");
	let index = PACKAGES.map(stanza).concat() + &unhashed;
	let (path, unlisted) = manifest(dir.path(), &index, 1);
	assert_eq!(unlisted, "not listed: unhashed 1.0: it has no SHA256\n");
	let publish = ["publish", path.as_str(), "--space", "debian"];

	let published = fabric_json(&node.url, &publish);
	let source = &published["sources"][0];
	let tenant = ids::tenant(ids::space("debian"), "trixie");
	assert_eq!(source["source"], "trixie");
	assert_eq!(source["tenant"], tenant.to_string());
	for (field, count) in [
		("packages", 6),
		("versions", PACKAGES.len()),
		("created", 6),
		("committed", PACKAGES.len()),
		("finalized", PACKAGES.len()),
		("heads_set", 6),
		("records_added", named().len()),
		("records_updated", 0),
	] {
		assert_eq!(source[field], count, "{field}");
	}
	holds_exactly(&node, tenant).await;

	// The same again adds the record of the run alone.
	let again = fabric_text(&node.url, &publish);
	for line in [
		"  6 packages with 7 versions in the manifest",
		"  nothing to add: all of it was published before",
	] {
		assert!(again.lines().any(|found| found == line), "{line}: {again}");
	}
}

/// Checks that the chain has the content and the records of the packages, and no other.
async fn holds_exactly(node: &Node, tenant: TenantId) {
	let at = Client::connect(&node.url).await.best().await;
	let object = |package: &str| ids::content_object(tenant, package);
	let id = |checksum: u8| VersionId([checksum; 32]);

	let versions = at.rows(&rows::versions(), (tenant,)).await.expect("rows");
	let versions = versions.into_iter().map(|((_, object, version), info)| {
		((object, version), (info.size.0, info.finalized.is_some()))
	});
	let expected = PACKAGES
		.iter()
		.map(|(package, _, size, checksum)| ((object(package), id(*checksum)), (*size, true)));
	assert_eq!(BTreeMap::from_iter(versions), BTreeMap::from_iter(expected));

	let heads = at.rows(&rows::content_objects(), (tenant,)).await.expect("rows");
	let heads = heads.into_iter().map(|((_, object), info)| (object, info.head_version));
	let latest = PACKAGES.iter().filter(|(_, version, ..)| *version != "5.2~rc2-1");
	let expected = latest.map(|(package, .., checksum)| (object(package), Some(id(*checksum))));
	assert_eq!(BTreeMap::from_iter(heads), BTreeMap::from_iter(expected));

	let names = Text(b"names".to_vec());
	let records = at.rows(&rows::records(), (tenant, names)).await.expect("rows");
	let records = records.into_iter().map(|((_, _, key), record)| (key, record.target));
	let expected = named().into_iter().map(|(key, (package, checksum))| {
		let target = ContentRef { object: object(package), version: checksum.map(id) };
		(Text(key.into_bytes()), target)
	});
	assert_eq!(BTreeMap::from_iter(records), BTreeMap::from_iter(expected));

	// The objects, the versions, two collections, the records, and the record of the run.
	let found = count(&Raw::connect(&node.url).await.rows(tenant).await);
	assert_eq!(found, 6 + PACKAGES.len() + 2 + named().len() + 1);
}

#[test]
fn a_later_index_moves_heads_and_takes_no_names() {
	let (dir, node) = Node::start_anew(&[]);
	let publish = |text: &str| {
		let (path, _) = manifest(dir.path(), text, 0);
		fabric_json(&node.url, &["publish", &path])
	};
	let published = publish(&PACKAGES.map(stanza).concat());
	let tenant = ids::tenant(ids::space("cargo"), "trixie").to_string();
	assert_eq!(published["sources"][0]["tenant"], tenant);

	// A new version of one package, and another build of the same version of another.
	let built = stanza(("hello", "2.10-5", 53_280, 10));
	let built = built.replace("Architecture: amd64", "Architecture: i386");
	let later = publish(&(stanza(("bash", "5.2.37-3", 1_499_012, 9)) + &built));
	let source = &later["sources"][0];
	for (field, count) in
		[("created", 0), ("committed", 2), ("records_added", 2), ("records_updated", 0)]
	{
		assert_eq!(source[field], count, "{field}");
	}
	for (key, checksum, head) in [
		("bash", 9, true),
		("bash:5.2.37-3_amd64", 9, false),
		("bash:5.2.37-2_amd64", 1, false),
		("hello", 10, true),
		("hello:2.10-5_amd64", 4, false),
		("hello:2.10-5_i386", 10, false),
		("g++:4:14.2.0-1_amd64", 3, false),
		("bash:5.2~rc2-1_amd64", 2, false),
	] {
		let resolved = fabric_json(&node.url, &["resolve", &tenant, "names", key]);
		assert_eq!(resolved["version"], VersionId([checksum; 32]).to_string(), "{key}");
		assert_eq!(resolved["follows_head"], head, "{key}");
	}
	let shown = fabric_json(&node.url, &["show", &VersionId([10; 32]).to_string()]);
	assert_eq!((&shown[0]["kind"], &shown[0]["size"]), (&"version".into(), &"53280".into()));
}
