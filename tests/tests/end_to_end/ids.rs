// SPDX-License-Identifier: Apache-2.0
//! The forms of ids that the commands take, and addresses of other networks.

use content_fabric_identifiers::{
	Cid, ContentObjectId, ContentObjectPath, HashKind, KmsId, NodeId, ProviderId, TenantId,
	VersionId,
};
use content_fabric_tests::process::{fabric_failure, fabric_output, stderr, Node};

/// A URL at which no node answers.
const NOWHERE: &str = "ws://127.0.0.1:9";
const TENANT: TenantId = TenantId([3; 10]);
const OBJECT: ContentObjectId = ContentObjectId([1; 10]);
const VERSION: VersionId = VersionId([2; 32]);

/// The commands that take the id of an object with a tenant, of a version, or both.
const COMMANDS: [&str; 16] = [
	"object create TENANT --id OBJECT",
	"object set-head TENANT OBJECT VERSION",
	"object delete TENANT OBJECT",
	"version draft TENANT OBJECT VERSION --size 7 BY",
	"version draft TENANT --version OBJECT:VERSION:7 BY",
	"version commit TENANT OBJECT VERSION --hash sha256 --size 7 BY",
	"version finalize TENANT OBJECT VERSION --provider PROVIDER --node NODE",
	"version delete TENANT OBJECT VERSION",
	"governance delete-object TENANT OBJECT --reason x",
	"governance delete-version TENANT OBJECT VERSION --reason x",
	"record put TENANT names a --object OBJECT",
	"record put TENANT names a --object OBJECT --version VERSION",
	"get VERSION",
	"show VERSION",
	"verify FILE --version VERSION",
	"who VERSION --index http://127.0.0.1:9",
];

fn cid(hash: HashKind) -> String {
	Cid { hash, version: VERSION }.to_string()
}

/// Runs a command with these ids, without a node. Returns the class of the error and its text.
fn run(command: &str, object: &str, version: &str) -> (String, String) {
	let line = command
		.replace("BY", "--provider PROVIDER --node NODE --kms KMS")
		.replace("OBJECT", object)
		.replace("VERSION", version)
		.replace("TENANT", &TENANT.to_string())
		.replace("PROVIDER", &ProviderId([4; 10]).to_string())
		.replace("NODE", &NodeId([5; 10]).to_string())
		.replace("KMS", &KmsId([6; 10]).to_string())
		.replace("FILE", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
	let failure = fabric_failure(NOWHERE, &line.split(' ').collect::<Vec<_>>());
	(failure.class, failure.error)
}

#[test]
fn every_form_of_the_ids_of_objects_and_versions_is_taken() {
	let path = ContentObjectPath { tenant: TENANT, object: OBJECT }.to_string();
	let digits = "02".repeat(32);
	let version = VERSION.to_string();
	for command in COMMANDS {
		for object in [OBJECT.to_string(), path.clone()] {
			let [blake3, sha256] = HashKind::ALL.map(cid);
			for version in [&version, &blake3, &sha256, &digits, &format!("0x{digits}")] {
				let (class, error) = run(command, &object, version);
				assert_eq!(class, "connection", "{command}, {object}, {version}: {error}");
			}
		}
	}
}

#[test]
fn a_blake3_hash_is_not_drafted_without_the_size_of_its_data() {
	let (object, version) = (OBJECT.to_string(), VERSION.to_string());
	for (command, version) in [
		("version draft TENANT OBJECT VERSION BY", &version),
		("version draft TENANT --version OBJECT:VERSION:0 BY", &version),
		("version draft TENANT OBJECT VERSION --hash sha256 BY", &cid(HashKind::Blake3)),
	] {
		let (class, error) = run(command, &object, version);
		assert_eq!(class, "usage", "{command}: {error}");
		assert!(error.contains("is missing, and a BLAKE3 hash needs it: pass --size"), "{error}");
	}
	for (command, version) in [
		("version draft TENANT OBJECT VERSION --hash sha256 BY", &version),
		("version draft TENANT OBJECT VERSION BY", &cid(HashKind::Sha256)),
		("version draft TENANT OBJECT VERSION BY", &HashKind::Blake3.of_no_data().to_string()),
	] {
		let (class, error) = run(command, &object, version);
		assert_eq!(class, "connection", "{command}: {error}");
	}
}

#[test]
fn an_object_of_another_tenant_is_refused_with_both_and_so_are_wrong_cids() {
	let other = TenantId([9; 10]);
	let path = ContentObjectPath { tenant: other, object: OBJECT };
	let version = VERSION.to_string();
	for command in COMMANDS.iter().filter(|command| command.contains("OBJECT")) {
		let (class, error) = run(command, &path.to_string(), &version);
		assert_eq!(class, "usage", "{command}: {error}");
		let both = format!("{path} belongs to the tenant {other}, not to {TENANT}");
		assert!(error.contains(&both), "{command}: {error}");
	}
	// A CID of another codec, of DAG-PB.
	let cid = cid(HashKind::Sha256).replacen("bafkrei", "bafybei", 1);
	for command in COMMANDS.iter().filter(|command| command.contains("VERSION")) {
		let (class, error) = run(command, &OBJECT.to_string(), &cid);
		assert_eq!(class, "usage", "{command}: {error}");
		assert!(error.contains(&format!("`{cid}` is not the CID of a version: ")), "{error}");
	}
}

#[test]
fn an_address_of_another_network_is_translated_on_standard_error_only() {
	let (_dir, node) = Node::start_anew(&[]);
	// //Alice on Polkadot, and on any network.
	let foreign = "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5";
	let own = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY";
	let warning = format!(
		"warning: {foreign} is an address of another network, with the prefix 0: on this chain the \
		 account is {own}\n"
	);
	let tenant = TENANT.to_string();
	let (provider, id) = (ProviderId([4; 10]).to_string(), NodeId([5; 10]).to_string());
	let space = content_fabric_client::ids::space("a").to_string();
	let rules = ["--provider-bond", "1", "--tenant-bond", "1"];
	for arguments in [
		&["account", foreign][..],
		&["key", "grant", &tenant, foreign, "admin"],
		&["key", "revoke", &tenant, foreign],
		&["governance", "delete-key", &tenant, foreign, "--reason", "x"],
		&["governance", "nominate", &tenant, foreign],
		&["member", "nominate", &tenant, foreign],
		&["node", "set-operator", &provider, &id, foreign],
		&["space", "set-governor", &space, foreign, "--dry-run"],
		&["space", "admit", &space, foreign, "tenant", "--dry-run"],
		&["space", "revoke-admission", &space, foreign, "tenant", "--dry-run"],
		&[&["space", "create", "--name", "a", "--dry-run", "--governor", foreign], &rules[..]]
			.concat(),
		&[&["space", "create", "--name", "a", "--governor", own, "--as", foreign], &rules[..]]
			.concat(),
		&["validator", "add", foreign],
		&["validator", "remove", foreign, "--dry-run"],
		&["validator", "set", foreign],
		&["validator", "make-keys", foreign],
	] {
		let output = fabric_output(&node.url, &[&["--json"], arguments].concat());
		let errors = stderr(&output);
		assert_eq!(errors.matches(&warning).count(), 1, "{arguments:?}: {errors}");
		let text = String::from_utf8_lossy(&output.stdout).into_owned();
		assert!(!text.contains("warning"), "{arguments:?}: {text}");
		let own: Vec<_> =
			arguments.iter().map(|word| if *word == foreign { own } else { word }).collect();
		let output = fabric_output(&node.url, &[&["--json"], &own[..]].concat());
		assert!(!stderr(&output).contains("another network"), "{arguments:?}");
	}
}
