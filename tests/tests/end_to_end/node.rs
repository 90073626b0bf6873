// SPDX-License-Identifier: Apache-2.0
//! The node by itself: its modes, its subcommands, and its clock.

use std::{path::Path, process::Command, time::Duration};

use content_fabric_client::{chain::calls, ids};
use content_fabric_tests::{
	client::{rules, signer, Client},
	manifest::synthetic,
	process::{fabric_json, node_command, output_of, program, stderr, write, Node},
	raw::{storage_key, Raw},
	upgrade::calls_by_name::{call, Sender},
	wait,
};
use subxt::{
	dynamic::Value,
	ext::codec::Decode,
	rpcs::{rpc_params, RpcClient},
};

/// Longest wait for blocks.
const PATIENCE: Duration = Duration::from_secs(60);

fn subcommand(name: &str, base_path: &Path) -> Command {
	let mut command = node_command();
	command.args([name, "--dev", "--base-path"]).arg(base_path);
	command
}

#[tokio::test]
async fn blocks_come_at_intervals_or_with_transactions() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(&dir.path().join("interval"), &["--consensus", "interval=50"]);
	let raw = Raw::connect(&node.url).await;
	let has_five = async || raw.best_block().await.0 >= 5;
	wait::until(PATIENCE, "no blocks come", has_five).await;
	drop(node);

	let node = Node::start(&dir.path().join("instant"), &[]);
	let raw = Raw::connect(&node.url).await;
	let client = Client::connect(&node.url).await;
	let alice = signer("//Alice");
	for (number, name) in ["a", "b", "c"].iter().enumerate() {
		assert_eq!(raw.best_block().await.0, number as u64);
		let (space, governor, rules) = (ids::space(name), *alice.account(), rules(0));
		let create = calls::CreateSpace { space, governor, rules };
		client.submit(&alice, client.sudo(create)).await;
	}

	// Every block is in a later slot than its parent.
	let mut last = 0;
	for number in 1..=3 {
		let hash = raw.block_hash(number).await.expect("the block is there");
		let time = raw.time(hash).await;
		assert!(time / 6_000 > last / 6_000, "block {number} is at {time}, after {last}");
		last = time;
	}

	let output = node_command().args(["--consensus", "never"]).output().expect("it starts");
	let stderr = stderr(&output);
	assert!(!output.status.success() && stderr.contains("neither `instant` nor"), "{stderr}");
}

#[tokio::test]
async fn a_burst_of_transactions_is_included_to_the_last() {
	const BURST: u32 = 200;
	let (_dir, node) = Node::start_anew(&[]);
	let sender = Sender::connect(&node.url, signer("//Alice")).await;
	let remark = call("System", "remark", [("remark", Value::from_bytes(b"burst"))]);
	// Signed beforehand, so that they come as fast as the node takes them.
	let mut signed = Vec::new();
	for nonce in 0..BURST {
		signed.push(sender.sign(nonce.into(), &remark).await);
	}
	for transaction in &signed {
		sender.submit(transaction).await;
	}
	// The nonce that the node would give out next also counts the pool; the chain's nonce does not.
	let (raw, alice) = (Raw::connect(&node.url).await, *signer("//Alice").account());
	wait::until(PATIENCE, "transactions are in no block", async || {
		let nonce = raw.runtime_api("AccountNonceApi_account_nonce", &alice.0).await;
		u32::decode(&mut &nonce[..]) == Ok(BURST)
	})
	.await;
}

#[tokio::test]
async fn blocks_are_exported_and_imported_and_the_chain_is_purged() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (original, copy) = (dir.path().join("original"), dir.path().join("copy"));
	let manifest = write(dir.path(), "manifest.jsonl", &synthetic(30));
	let node = Node::start(&original, &[]);
	fabric_json(&node.url, &["publish", &manifest]);
	let best = Raw::connect(&node.url).await.best_block().await;
	let tree = fabric_json(&node.url, &["tree"]);
	drop(node);

	let blocks = dir.path().join("blocks");
	output_of(subcommand("export-blocks", &original).arg(&blocks));
	output_of(subcommand("import-blocks", &copy).arg(&blocks));
	let node = Node::start(&copy, &[]);
	assert_eq!(Raw::connect(&node.url).await.best_block().await, best);
	assert_eq!(fabric_json(&node.url, &["tree"]), tree);
	drop(node);

	output_of(subcommand("check-block", &original).arg("1"));
	output_of(subcommand("revert", &copy).arg("1"));
	let state: serde_json::Value =
		serde_json::from_slice(&output_of(&mut subcommand("export-state", &original)))
			.expect("a chain specification is JSON");
	let spaces = format!("0x{}", hex::encode(storage_key("Spaces", &[])));
	let top = state["genesis"]["raw"]["top"].as_object().expect("raw state");
	assert_eq!(top.keys().filter(|key| key.starts_with(&spaces)).count(), 1);

	output_of(subcommand("purge-chain", &copy).arg("-y"));
	let node = Node::start(&copy, &[]);
	assert_eq!(Raw::connect(&node.url).await.best_block().await.0, 0);
}

#[test]
fn chain_specifications_are_built_for_both_presets() {
	for (chain, id) in [("dev", "content_fabric_dev"), ("local", "content_fabric_local")] {
		for raw in [&[][..], &["--raw"]] {
			let mut command = node_command();
			command.args(["build-spec", "--chain", chain]).args(raw);
			let spec: serde_json::Value = serde_json::from_slice(&output_of(&mut command))
				.expect("a chain specification is JSON");
			assert_eq!(spec["id"], id);
			let code = if raw.is_empty() {
				&spec["genesis"]["runtimeGenesis"]["code"]
			} else {
				&spec["genesis"]["raw"]["top"]["0x3a636f6465"]
			};
			assert!(code.as_str().is_some_and(|code| code.len() > 100_000), "the runtime is in it");
		}
	}
}

#[test]
fn flags_that_need_peers_are_refused() {
	for (flag, value) in [
		("--validator", None),
		("--reserved-only", None),
		("--sync", Some("warp")),
		("--listen-addr", Some("/ip4/127.0.0.1/tcp/1")),
		("--in-peers", Some("3")),
	] {
		let output = node_command().arg("--dev").arg(flag).args(value).output();
		let output = output.expect("the node's program starts");
		let stderr = stderr(&output);
		assert!(!output.status.success(), "{flag} is not refused");
		assert!(stderr.contains(&format!("cannot honour {flag}")), "{stderr}");
	}
}

#[test]
fn both_nodes_report_their_names() {
	for name in ["content-fabric-node", "content-fabric-node-mock"] {
		let output = |flag| {
			let printed = output_of(Command::new(program(name)).arg(flag));
			String::from_utf8(printed).expect("help is text")
		};
		let version = output("--version");
		assert_eq!(output("-V"), version);
		assert!(
			version.starts_with(&format!("{name} {}-", env!("CARGO_PKG_VERSION"))),
			"{version}"
		);
		let help = output("--help");
		assert!(help.contains(&format!("Usage: {name} ")), "{help}");
		assert_eq!(help.contains("--reserved-nodes"), name == "content-fabric-node");
		for flag in ["--consensus <MODE>", "--finalize-after <MS>"] {
			assert_eq!(help.contains(flag), name == "content-fabric-node-mock", "{flag}");
		}
	}
}

#[tokio::test]
async fn blocks_are_sealed_on_request_only_where_unsafe_methods_are_served() {
	for (methods, is_served) in [("unsafe", true), ("auto", true), ("safe", false)] {
		let dir = tempfile::tempdir().expect("there is room for a folder");
		let node = Node::start(dir.path(), &["--rpc-methods", methods]);
		let rpc = RpcClient::from_insecure_url(&node.url).await.expect("the node answers");
		let sealed =
			rpc.request::<serde_json::Value>("engine_createBlock", rpc_params![true, true]);
		match sealed.await {
			Ok(sealed) => assert!(is_served && sealed["hash"].is_string(), "{methods}: {sealed}"),
			Err(error) => {
				assert!(!is_served && error.to_string().contains("unsafe"), "{methods}: {error}");
			},
		}
	}
}
