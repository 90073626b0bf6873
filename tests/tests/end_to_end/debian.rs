// SPDX-License-Identifier: Apache-2.0
//! A Packages index of a Debian archive on a running chain: versions with sizes, epochs and marks,
//! and records for all names.

use std::collections::{BTreeMap, BTreeSet};

use content_fabric_client::{chain::rows, ids, text::Text};
use content_fabric_identifiers::{ContentObjectPath, TenantId, VersionId};
use content_fabric_primitives::ContentRef;
use content_fabric_tests::{
	client::Client,
	process::{fabric_error, fabric_json, fabric_output, fabric_report, failed, write, Node},
	raw::{count, record_key, Raw},
};
use serde_json::Value;

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
/// The keys of the records, with the package, and the checksum if the record is for a version. That of
/// a version has a second one, with the architecture.
const NAMED: [(&str, &str, Option<u8>); 13] = [
	("bash", "bash", None),
	("bash:5.2.37-2", "bash", Some(1)),
	("bash:5.2~7erc2-1", "bash", Some(2)),
	("g~2b~2b", "g++", None),
	("g~2b~2b:4:14.2.0-1", "g++", Some(3)),
	("hello", "hello", None),
	("hello:2.10-5", "hello", Some(4)),
	("libc6", "libc6", None),
	("libc6:2.41-12~2bdeb13u1", "libc6", Some(5)),
	("openssh-client", "openssh-client", None),
	("openssh-client:1:10.0p1-7", "openssh-client", Some(6)),
	("zlib1g", "zlib1g", None),
	("zlib1g:1:1.3.dfsg~2breally1.3.1-1~2bb1", "zlib1g", Some(7)),
];

/// Returns the keys of all records.
fn named() -> BTreeMap<String, (&'static str, Option<u8>)> {
	let with_architecture = NAMED.iter().filter(|(_, _, checksum)| checksum.is_some());
	let with_architecture = with_architecture
		.map(|(key, package, checksum)| (format!("{key}_amd64"), (*package, *checksum)));
	NAMED
		.iter()
		.map(|(key, package, checksum)| ((*key).to_owned(), (*package, *checksum)))
		.chain(with_architecture)
		.collect()
}

/// Returns a stanza as archives have them.
fn stanza((package, version, size, checksum): (&str, &str, u64, u8)) -> String {
	[
		format!("Package: {package}"),
		format!("Version: {version}"),
		format!("Installed-Size: {}", size.div_ceil(300)),
		"Maintainer: Debian QA Group <packages@qa.debian.org>".into(),
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

#[tokio::test]
async fn an_index_is_published_with_sizes_and_records() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(&dir.path().join("chain"), &[]);
	// Old archives have stanzas without a SHA256.
	let unhashed = stanza(("unhashed", "1.0", 1, 8)).replace("SHA256", "SHA1");
	let index = PACKAGES.map(stanza).concat() + &unhashed;
	let path = write(dir.path(), "Packages", &index);
	let publish = ["publish", path.as_str(), "--space", "debian", "--source", "trixie"];

	// All but one stanza.
	let published = fabric_report(&node.url, &publish, 6);
	let registry = &published["registries"][0];
	let tenant = ids::tenant(ids::space("debian"), "trixie");
	assert_eq!(registry["source"], "trixie");
	assert_eq!(registry["tenant"], tenant.to_string());
	for (field, count) in [
		("packages", 6),
		("versions", PACKAGES.len()),
		("created", 6),
		("committed", PACKAGES.len()),
		("finalized", PACKAGES.len()),
		("heads_set", 0),
		("records_added", named().len()),
		("records_updated", 0),
	] {
		assert_eq!(registry[field], count, "{field}");
	}
	assert_eq!(failed(&published, "chain"), Vec::<&Value>::new());
	let [unhashed] = failed(&published, "input")[..] else { panic!("{published}") };
	assert_eq!((&unhashed["package"], &unhashed["version"]), (&"unhashed".into(), &"1.0".into()));
	assert_eq!(unhashed["reason"], "the index gives no SHA256 for it");
	assert_eq!(published["failed_count"], 1, "{published}");
	let run = registry["run"].as_str().expect("the run has a record");
	holds_exactly(&node, tenant, run).await;

	// The same again adds the record of the run alone, and names what failed.
	let again = fabric_output(&node.url, &publish).stdout;
	let again = String::from_utf8(again).expect("results are text");
	for line in [
		"not published, 1 item: the index gives no SHA256 for it",
		"  unhashed 1.0",
		"  6 packages with 7 versions in the index",
		"  nothing to add: all of it was published before",
	] {
		assert!(again.lines().any(|found| found == line), "{line}: {again}");
	}
	assert_eq!(fabric_report(&node.url, &publish, 6)["transactions"], 1);

	let cut = write(dir.path(), "Cut", &index[..index.len() - 10]);
	let refused = fabric_error(&node.url, &["publish", &cut]);
	let named = "Cut is not a whole Packages index: its last line has no newline";
	assert!(refused.contains(named), "{refused}");
}

/// Checks that the chain has the content and the records of the packages, and no other.
async fn holds_exactly(node: &Node, tenant: TenantId, run: &str) {
	let at = Client::connect(&node.url).await.best().await;
	let object = |package: &str| ids::content_object(tenant, package);

	let versions = at.rows(&rows::versions(), (tenant,)).await.expect("rows");
	let versions: BTreeMap<_, _> = versions
		.into_iter()
		.map(|((_, object, version), info)| {
			((object, version), (info.size, info.finalized.is_some()))
		})
		.collect();
	let expected: BTreeMap<_, _> = PACKAGES
		.iter()
		.map(|(package, _, size, checksum)| {
			((object(package), VersionId([*checksum; 32])), (*size, true))
		})
		.collect();
	assert_eq!(versions, expected);

	let heads = at.rows(&rows::content_objects(), (tenant,)).await.expect("rows");
	let heads: BTreeMap<_, _> =
		heads.into_iter().map(|((_, object), info)| (object, info.head_version)).collect();
	let expected: BTreeMap<_, _> = PACKAGES
		.iter()
		.filter(|(_, version, _, _)| *version != "5.2~rc2-1")
		.map(|(package, _, _, checksum)| (object(package), Some(VersionId([*checksum; 32]))))
		.collect();
	assert_eq!(heads, expected);

	let names = Text(b"names".to_vec());
	let records = at.rows(&rows::records(), (tenant, names)).await.expect("rows");
	let records: BTreeMap<_, _> =
		records.into_iter().map(|((_, _, key), record)| (key, record.target)).collect();
	let expected: BTreeMap<_, _> = named()
		.into_iter()
		.map(|(key, (package, checksum))| {
			let version = checksum.map(|checksum| VersionId([checksum; 32]));
			(Text(key.into_bytes()), ContentRef { object: object(package), version })
		})
		.collect();
	assert_eq!(records, expected);

	let keys = Raw::connect(&node.url).await.rows(tenant).await;
	let mut expected: BTreeSet<_> =
		named().keys().map(|key| record_key(tenant, "names", key)).collect();
	expected.insert(record_key(tenant, "runs", run));
	assert_eq!(keys["Records"], expected);
	// A KMS, the objects, the versions, two collections, the records.
	assert_eq!(count(&keys), 1 + 6 + PACKAGES.len() + 2 + named().len() + 1);
}

#[test]
fn a_later_index_moves_heads_and_takes_no_names() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(&dir.path().join("chain"), &[]);
	let publish = |text: &str| {
		let path = write(dir.path(), "Packages", text);
		fabric_json(&node.url, &["publish", &path])
	};
	// Without `--source`, the source has the name of the file.
	let published = publish(&PACKAGES.map(stanza).concat());
	let tenant = ids::tenant(ids::space("cargo"), "Packages");
	assert_eq!(published["registries"][0]["tenant"], tenant.to_string());
	let resolve =
		|key: &str| fabric_json(&node.url, &["resolve", &tenant.to_string(), "names", key]);
	let path = |package: &str| {
		let object = ids::content_object(tenant, package);
		ContentObjectPath { tenant, object }.to_string()
	};
	let version = |checksum: u8| VersionId([checksum; 32]).to_string();
	assert_eq!(resolve("bash")["version"], version(1));
	assert_eq!(resolve("hello:2.10-5")["version"], version(4));
	assert_eq!(resolve("openssh-client:1:10.0p1-7")["object"], path("openssh-client"));

	// A new version of one package, and another build of the same version of another.
	let i386 = |text: String| text.replace("Architecture: amd64", "Architecture: i386");
	let built = i386(stanza(("hello", "2.10-5", 53_280, 10)));
	let later = publish(&(stanza(("bash", "5.2.37-3", 1_499_012, 9)) + &built));
	let registry = &later["registries"][0];
	for (field, count) in [
		("packages", 2),
		("created", 0),
		("committed", 2),
		("finalized", 2),
		("heads_set", 0),
		("records_added", 3),
		("records_updated", 0),
	] {
		assert_eq!(registry[field], count, "{field}");
	}
	for (key, package, checksum, head) in [
		("bash", "bash", 9, true),
		("bash:5.2.37-3", "bash", 9, false),
		("bash:5.2.37-2", "bash", 1, false),
		("hello", "hello", 10, true),
		("hello:2.10-5", "hello", 4, false),
		("hello:2.10-5_amd64", "hello", 4, false),
		("hello:2.10-5_i386", "hello", 10, false),
		("g++:4:14.2.0-1", "g++", 3, false),
		("bash:5.2~rc2-1", "bash", 2, false),
	] {
		let resolved = resolve(key);
		assert_eq!(resolved["object"], path(package), "{key}");
		assert_eq!(resolved["version"], version(checksum), "{key}");
		assert_eq!(resolved["follows_head"], head, "{key}");
	}
	let shown = fabric_json(&node.url, &["show", &version(10)]);
	assert_eq!((&shown[0]["kind"], &shown[0]["size"]), (&"version".into(), &53_280.into()));

	// A file that changes without a new version is an alarm, also in a dry run, and is left out.
	for (changed, name) in [
		(stanza(("hello", "2.10-5", 1, 11)), "hello:2.10-5_amd64"),
		(stanza(("hello", "2.10-5", 1, 11)).replace("Architecture", "X"), "hello:2.10-5"),
		(i386(stanza(("hello", "2.10-5", 1, 11))), "hello:2.10-5_i386"),
	] {
		let path = write(dir.path(), "Packages", &changed);
		for dry_run in [&["--dry-run"][..], &[]] {
			let report = fabric_report(&node.url, &[&["publish", &path], dry_run].concat(), 6);
			let [changed] = failed(&report, "changed")[..] else { panic!("{report}") };
			assert_eq!(
				(&changed["record_key"], &report["failed_count"]),
				(&name.into(), &1.into())
			);
			assert_eq!(report["registries"][0]["committed"], 0);
		}
		assert_eq!(resolve("hello")["version"], version(10));
		assert_eq!(resolve("hello:2.10-5")["version"], version(4));
	}
	let path = write(dir.path(), "Packages", &stanza(("hello", "2.10-5", 1, 11)));
	let replaced = fabric_json(&node.url, &["publish", &path, "--replace"]);
	assert_eq!(replaced["registries"][0]["records_updated"], 2);
	for name in ["hello:2.10-5", "hello:2.10-5_amd64"] {
		assert_eq!(resolve(name)["version"], version(11));
	}
	assert_eq!(resolve("hello:2.10-5_i386")["version"], version(10));
}
