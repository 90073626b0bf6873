// SPDX-License-Identifier: Apache-2.0
//! Validators and the runtime, from the command line.

use content_fabric_tests::{
	council::{carry, TWO_OF_THREE},
	process::{event_of, fabric_event, fabric_fails, fabric_failure, fabric_json, write, Node},
	raw::Raw,
	upgrade::blobs,
	validators::account,
};
use serde_json::Value;

/// Returns the entry of a development key among the validators.
fn entry(url: &str, key: &str) -> Option<Value> {
	let list = fabric_json(url, &["validator", "list"]);
	let validators = list["validators"].as_array().expect("a list");
	let account = account(key).to_string();
	validators.iter().find(|validator| validator["account"] == *account).cloned()
}

#[test]
fn a_validator_is_named_once_its_keys_are_registered() {
	let (_dir, node) = Node::start_anew(&[]);
	let url = &node.url;
	let alice = entry(url, "//Alice").expect("it is active from the genesis on");
	for part in ["active", "active_next", "named"] {
		assert_eq!(alice[part], true, "{alice}");
	}
	assert_eq!(alice["disabled"], false);
	assert_eq!(entry(url, "//Bob"), None);

	let bob = account("//Bob").to_string();
	let add = ["validator", "add", &bob, "--yes"];
	let set = ["validator", "set", &account("//Alice").to_string(), &bob, "--yes"];
	let twice = ["validator", "set", &bob, &bob, "--yes"];
	assert!(fabric_failure(url, &twice).error.contains(&format!("{bob} is listed twice")));
	for early in [&add[..], &set] {
		fabric_fails(url, early, "refused", &format!("{bob} has no session keys"));
	}

	let made = fabric_json(url, &["validator", "make-keys", &bob]);
	let text = |part: &str| made[part].as_str().expect("it is hex").to_owned();
	let (keys, proof) = (text("keys"), text("proof"));
	let set_keys = ["validator", "set-keys", &keys, &proof, "--signer"];
	fabric_fails(url, &[&set_keys[..], &["//Dave"]].concat(), "refused", "Session.InvalidProof");
	fabric_json(url, &[&set_keys[..], &["//Bob"]].concat());
	let registered = entry(url, "//Bob").expect("it has keys");
	assert_eq!((&registered["named"], &registered["active"]), (&false.into(), &false.into()));
	let aura = registered["keys"]["aura"].as_str().expect("it is hex");
	assert!(keys.starts_with(aura), "{keys} begins with {aura}");

	fabric_fails(
		url,
		&[&add[..], &["--signer", "//Eve"]].concat(),
		"refused",
		"pass --council propose",
	);
	let added = carry(url, TWO_OF_THREE, &add);
	assert!(added.to_string().contains("InvulnerableAdded"), "{added}");
	assert_eq!(entry(url, "//Bob").expect("it is named")["named"], true);

	carry(url, TWO_OF_THREE, &["validator", "remove", &bob, "--yes"]);
	assert_eq!(entry(url, "//Bob").expect("it has keys")["named"], false);
	carry(url, TWO_OF_THREE, &set);
	assert_eq!(entry(url, "//Bob").expect("it is named")["named"], true);
	carry(url, TWO_OF_THREE, &["validator", "remove", &bob, "--yes"]);
	assert_eq!(entry(url, "//Bob").expect("it has keys")["named"], false);
	fabric_json(url, &["validator", "remove-keys", "--signer", "//Bob", "--yes"]);
	assert_eq!(entry(url, "//Bob"), None);
}

#[test]
fn the_last_validator_stays_and_a_stall_is_noted_only_when_other_validators_are_queued() {
	let (_dir, node) = Node::start_anew(&[]);
	let remove = ["validator", "remove", &account("//Alice").to_string(), "--yes"];
	fabric_fails(&node.url, &remove, "refused", "TooFewEligibleCollators");
	let note = ["validator", "note-stalled", "--delay", "5", "--last-finalized", "0", "--yes"];
	fabric_fails(&node.url, &note, "refused", "or they are the present ones");
}

#[tokio::test]
async fn only_a_newer_runtime_of_the_same_name_is_authorized() {
	let (dir, node) = Node::start_anew(&[]);
	let url = &node.url;
	let raw = Raw::connect(url).await;
	let present = fabric_json(url, &["runtime", "show"]);
	assert_eq!(present["spec_name"], "content-fabric");
	assert_eq!(present["authorized"], Value::Null);

	let garbage = write(dir.path(), "garbage.wasm", "no code");
	let authorize = |file| ["runtime", "authorize", file, "--yes"];
	fabric_fails(url, &authorize(&garbage), "usage", "garbage.wasm is not the code of a runtime");

	let same = dir.path().join("same.wasm");
	std::fs::write(&same, raw.code(raw.best_block().await.1).await)
		.expect("there is room for a file");
	let same = same.to_str().expect("the path is text");
	fabric_fails(
		url,
		&authorize(same),
		"refused",
		"an upgrade must have the same name and a higher version",
	);
	fabric_fails(
		url,
		&["runtime", "apply", same, "--yes"],
		"refused",
		"no upgrade of the runtime is authorized",
	);
	assert_eq!(fabric_json(url, &["runtime", "show"])["authorized"], Value::Null);
}

#[tokio::test]
async fn two_thirds_of_the_council_authorize_an_upgrade() {
	let (dir, node) = Node::start_anew(&[]);
	let url = &node.url;
	let raw = Raw::connect(url).await;
	let newer = blobs::newer(&raw.code(raw.best_block().await.1).await);
	let file = dir.path().join("newer.wasm");
	std::fs::write(&file, &newer).expect("there is room for a file");
	let file = file.to_str().expect("the path is text");

	let authorize = ["runtime", "authorize", file, "--yes"];
	let carried = carry(url, TWO_OF_THREE, &authorize);
	assert!(carried.to_string().contains("WhitelistedCallDispatched"), "{carried}");
	let authorized = event_of(&carried, "UpgradeAuthorized");
	let hash = format!("0x{}", hex::encode(blobs::hash(&newer)));
	assert_eq!(
		(&authorized["code_hash"], &authorized["check_version"]),
		(&hash.clone().into(), &true.into())
	);
	assert_eq!(fabric_json(url, &["runtime", "show"])["authorized"], hash);

	let stranger = fabric_failure(url, &[&authorize[..], &["--signer", "//Eve"]].concat());
	assert_eq!(stranger.class, "refused");
	fabric_event(url, &authorize, "Sudid");
}
