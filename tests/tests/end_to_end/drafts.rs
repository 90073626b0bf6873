// SPDX-License-Identifier: Apache-2.0
//! Versions that one machine drafts, another one signs without a connection, and the first commits.

use std::path::Path;

use content_fabric_client::drafts::{Draft, SignedDraft};
use content_fabric_identifiers::{NodeId, VersionId};
use content_fabric_tests::{
	client::signer,
	fabric::{draft, Fabric},
	process::{fabric_event, fabric_fails, fabric_failure, fabric_json, fabric_text, write},
};

/// A URL at which no node answers.
const NOWHERE: &str = "ws://127.0.0.1:9";
const VERSION: VersionId = VersionId([10; 32]);

/// A fabric with a node that Dave operates.
struct Setup {
	fabric: Fabric,
	node: NodeId,
	genesis_hash: String,
}

impl Setup {
	async fn start(dir: &Path) -> Self {
		let fabric = Fabric::start(&dir.join("chain"), 0).await;
		let node = fabric.add_node("node", &fabric.dave).await;
		let genesis_hash = hex::encode(fabric.client.chain.identity().genesis_hash);
		Self { fabric, node, genesis_hash }
	}

	/// Drafts a commit of the version. Returns the file.
	fn draft(&self, dir: &Path) -> String {
		let Fabric { tenant, object, provider, kms, .. } = &self.fabric;
		let ids = [tenant.to_string(), object.to_string(), VERSION.to_string()];
		let (provider, kms) = (provider.to_string(), kms.to_string());
		let options = ["--provider", &provider, "--node", &self.node.to_string(), "--kms", &kms]
			.map(str::to_owned);
		let words: Vec<_> = ids.iter().chain(&options).map(String::as_str).collect();
		let draft = [&["version", "draft"], &words[..], &["--size", "7", "--head"]].concat();
		write(dir, "draft.json", &fabric_text(self.fabric.url(), &draft))
	}

	/// Returns the command that signs a draft.
	fn sign<'a>(&'a self, draft: &'a str, key: &'a str) -> Vec<&'a str> {
		let options = ["--genesis-hash", &self.genesis_hash, "--max-ahead", "3600", "--yes"];
		[&["version", "sign", draft, "--signer", key], &options[..]].concat()
	}
}

/// Returns the command that commits and finalizes a signed draft.
fn commit<'a>(signed: &'a str, more: &[&'a str]) -> Vec<&'a str> {
	let commit = ["version", "commit", "--signed", signed, "--finalize", "--signer", "//Dave"];
	[&commit[..], more].concat()
}

#[tokio::test]
async fn a_version_is_drafted_signed_without_a_node_and_committed() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let setup = Setup::start(dir.path()).await;
	let Fabric { raw, tenant, provider, eve, .. } = &setup.fabric;
	let url = setup.fabric.url();
	let file = setup.draft(dir.path());
	let signed = fabric_text(NOWHERE, &setup.sign(&file, "//Charlie"));
	let signed = write(dir.path(), "signed.json", &signed);

	let before = raw.state().await;
	let tried = fabric_json(url, &commit(&signed, &["--dry-run"]));
	assert_eq!((&tried["outcome"], &tried["error"]), (&"dry-run".into(), &().into()));
	let printed = fabric_json(url, &commit(&signed, &["--print-call"]));
	assert_eq!(printed["call_hash"], tried["call_hash"]);
	assert_eq!(raw.state().await, before);

	let committed = fabric_json(url, &commit(&signed, &[]));
	let names = committed["events"].as_array().expect("a list").iter().map(|event| &event["name"]);
	assert_eq!(names.collect::<Vec<_>>(), ["VersionCommitted", "CopyHeld", "VersionFinalized"]);
	let object = raw.object(*tenant, setup.fabric.object).await;
	assert_eq!(object.and_then(|object| object.head_version), Some(VERSION));

	// It counts once.
	fabric_fails(url, &commit(&signed, &[]), "refused", "ContentFabric.MuidNotMonotonic");

	// Another operator takes over the node, for which the former one commits no more.
	let ids = [provider.to_string(), setup.node.to_string(), eve.account().to_string()];
	let ids = ids.each_ref().map(String::as_str);
	let hand_over = [&["node", "set-operator"], &ids[..], &["--signer", "//Bob", "--yes"]].concat();
	assert_eq!(fabric_event(url, &hand_over, "NodeOperatorSet")["operator"], ids[2]);
	fabric_fails(url, &commit(&signed, &[]), "refused", "ContentFabric.NoPermission");
}

#[tokio::test]
async fn a_draft_that_another_key_has_signed_is_refused() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let setup = Setup::start(dir.path()).await;
	let url = setup.fabric.url();
	let before = setup.fabric.raw.state().await;
	let file = setup.draft(dir.path());
	// Without a node, nobody knows which keys the tenant has.
	let signed = fabric_text(NOWHERE, &setup.sign(&file, "//Eve"));
	let path = write(dir.path(), "signed.json", &signed);
	fabric_fails(url, &commit(&path, &[]), "refused", "ContentFabric.SignerNotPermitted");

	// The signature cannot be passed off as another account's.
	let [eve, charlie] = ["//Eve", "//Charlie"].map(|key| signer(key).account().to_string());
	let stolen = write(dir.path(), "stolen.json", &signed.replace(&eve, &charlie));
	fabric_fails(url, &commit(&stolen, &[]), "usage", "the signature was not made by ");

	// A draft that was changed after the signature, or before it.
	let larger = |text: &str| text.replace("\"size\": 7", "\"size\": 8");
	let changed = write(dir.path(), "changed.json", &larger(&signed));
	let text = std::fs::read_to_string(&file).expect("the draft is there");
	let changed_draft = write(dir.path(), "changed-draft.json", &larger(&text));
	for command in [commit(&changed, &[]), setup.sign(&changed_draft, "//Charlie")] {
		fabric_fails(url, &command, "usage", "the payload of the draft does not ");
	}
	assert_eq!(setup.fabric.raw.state().await, before);
}

#[tokio::test]
async fn a_draft_for_another_chain_is_neither_signed_nor_committed() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let setup = Setup::start(dir.path()).await;
	let Fabric { charlie, object, .. } = &setup.fabric;
	let elsewhere = setup.fabric.commit(setup.node, &[draft(*object, VERSION)]).await;
	let elsewhere = Draft::new([7; 32], &elsewhere);
	let expected = format!(
		"the draft is for the chain with the genesis hash 0x{}, expected 0x{}",
		hex::encode([7; 32]),
		setup.genesis_hash
	);
	let json = |document| serde_json::to_string(&document).expect("documents have a JSON form");
	let file = write(dir.path(), "draft.json", &json(serde_json::json!(elsewhere)));
	let refused = fabric_failure(NOWHERE, &setup.sign(&file, "//Charlie"));
	assert_eq!((&refused.error, &*refused.class), (&expected, "usage"));

	let signature = charlie.sign(&elsewhere.payload);
	let signed = SignedDraft::new(elsewhere, *charlie.account(), signature);
	let signed = write(dir.path(), "signed.json", &json(serde_json::json!(signed)));
	let refused = fabric_failure(setup.fabric.url(), &commit(&signed, &[]));
	assert_eq!((&refused.error, &*refused.class), (&expected, "usage"));
}
