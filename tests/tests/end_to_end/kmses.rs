// SPDX-License-Identifier: Apache-2.0
//! KMSes from the command line: who may set their keys, and versions with and without them.

use content_fabric_client::ids;
use content_fabric_primitives::KmsKey;
use content_fabric_tests::{
	fabric::Fabric,
	process::{fabric_event, fabric_fails, fabric_json},
};
use serde_json::Value;

/// The KMS of [`Fabric`] in the words of commands.
struct Setup {
	fabric: Fabric,
	tenant: String,
	kms: String,
}

impl Setup {
	async fn start(dir: &std::path::Path) -> Self {
		let fabric = Fabric::start(dir, 0).await;
		let (tenant, kms) = (fabric.tenant.to_string(), fabric.kms.to_string());
		Self { fabric, tenant, kms }
	}

	/// Returns the command by which an account sets a KMS.
	fn set<'a>(&'a self, kms: &'a str, options: &[&'a str], signer: &'a str) -> Vec<&'a str> {
		let set = ["kms", "set", &self.tenant, kms, "--signer", signer, "--yes"];
		[&set[..], options].concat()
	}

	fn grant(&self, account: &str, level: &str) {
		let grant = ["key", "grant", &self.tenant, account, level, "--signer", "//Charlie"];
		fabric_event(self.fabric.url(), &[&grant[..], &["--yes"]].concat(), "TenantKeySet");
	}

	/// Returns what the chain has of an entity, which must be the only one with its id.
	fn shown(&self, id: &str) -> Value {
		let shown = fabric_json(self.fabric.url(), &["show", id]);
		assert_eq!(shown.as_array().map(Vec::len), Some(1), "{shown}");
		shown[0].clone()
	}
}

#[tokio::test]
async fn a_kms_is_set_by_its_operator_and_admins_and_by_no_other_kms() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let setup = Setup::start(dir.path()).await;
	let Setup { fabric, tenant, kms } = &setup;
	let url = fabric.url();
	let [dave, eve] = [&fabric.dave, &fabric.eve].map(|key| key.account().to_string());
	let [first, second, other] = [1, 2, 3].map(|byte| KmsKey([byte; 32]).to_string());
	let locator = "https://127.0.0.1/kms";
	let assert_row = |key: &str, locator: &str| {
		let row = setup.shown(kms);
		assert_eq!((&row["operator"], &row["key"]), (&dave.as_str().into(), &key.into()));
		assert_eq!(row["locator"], locator);
	};
	assert_row(&first, locator);

	// A locator that is not given stays as it is. The key must be given: a node that lies about it
	// could have another one signed.
	let set = fabric_event(url, &setup.set(kms, &["--key", &second], "//Dave"), "KmsSet");
	assert_eq!((&set["kms"], &set["key"]), (&kms.as_str().into(), &second.as_str().into()));
	assert_row(&second, locator);
	let moved = "https://kms.example.org";
	let kept = ["--locator", moved, "--key", &second];
	let set = fabric_event(url, &setup.set(kms, &kept, "//Charlie"), "KmsSet");
	assert_eq!(set["key"], second.as_str());
	assert_row(&second, moved);

	// The account of another KMS sets its own, and takes over no other.
	setup.grant(&eve, "kms");
	let own = ids::kms(fabric.tenant, "own").to_string();
	let add = ["kms", "add", tenant, "--name", "own", "--operator", &eve, "--key", &first];
	let add = [&add[..], &["--locator", "x", "--signer", "//Charlie", "--yes"]].concat();
	let added = fabric_event(url, &add, "KmsAdded");
	assert_eq!((&added["operator"], &added["key"]), (&eve.as_str().into(), &first.as_str().into()));
	fabric_event(url, &setup.set(&own, &["--key", &other], "//Eve"), "KmsSet");
	let taken_over = setup.set(kms, &["--key", &other], "//Eve");
	fabric_fails(url, &taken_over, "refused", "has the level kms in the tenant ");
	assert_row(&second, moved);

	let zero = KmsKey([0; 32]).to_string();
	let set_zero = setup.set(kms, &["--key", &zero], "//Dave");
	fabric_fails(url, &set_zero, "refused", "ContentFabric.ZeroKmsKey");
	for (options, error) in [
		(&["--key", &tenant[..]][..], "the key does not start with `age1`"),
		(&["--key", &second[..61]], "the key has 61 characters, expected 62"),
		(&["--key", &second.replace("age1q", "age1p")], "a character is wrong"),
		(&[], "--key <KEY>"),
		(&["--locator", locator], "--key <KEY>"),
	] {
		fabric_fails(url, &setup.set(kms, options, "//Dave"), "usage", error);
	}
	assert_row(&second, moved);
}

#[tokio::test]
async fn versions_are_plain_or_for_a_kms_and_readers_change_nothing() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let setup = Setup::start(dir.path()).await;
	let Setup { fabric, tenant, kms } = &setup;
	let url = fabric.url();
	let node = fabric.add_node("node", &fabric.dave).await;
	let (provider, node) = (fabric.provider.to_string(), node.to_string());
	let object = fabric.object.to_string();
	let commit = |version: &str, options: &[&str], signer: &str| {
		let parties =
			[&object[..], version, "--size", "1", "--provider", &provider, "--node", &node];
		let signers = ["--tenant-signer", signer, "--signer", "//Dave", "--yes"];
		let words = [&["version", "commit", &tenant[..]][..], &parties, &signers, options].concat();
		words.into_iter().map(str::to_owned).collect::<Vec<_>>()
	};
	for (byte, options, expected) in
		[("0a", &[][..], Value::Null), ("0b", &["--kms", &kms[..]], kms.as_str().into())]
	{
		let version = byte.repeat(32);
		let command = commit(&version, options, "//Charlie");
		let command: Vec<_> = command.iter().map(String::as_str).collect();
		fabric_event(url, &command, "VersionCommitted");
		assert_eq!(setup.shown(&version)["kms"], expected);
	}

	let eve = fabric.eve.account().to_string();
	setup.grant(&eve, "read");
	let command = commit(&"0c".repeat(32), &[], "//Eve");
	let command: Vec<_> = command.iter().map(String::as_str).collect();
	fabric_fails(url, &command, "refused", "ContentFabric.SignerNotPermitted");
	let create = ["object", "create", tenant, "--name", "new", "--signer", "//Eve", "--yes"];
	fabric_fails(url, &create, "refused", "has the level read in the tenant ");
}
