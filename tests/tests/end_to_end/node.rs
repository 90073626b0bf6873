// SPDX-License-Identifier: Apache-2.0
//! The node by itself: its modes, its subcommands, its clock, and the weights of its runtime.

use std::{path::Path, process::Command, time::Duration};

use content_fabric_client::{
	chain::calls::{self, EncodedCall},
	ids,
};
use content_fabric_identifiers::{Muid, TenantId};
use content_fabric_tests::{
	client::{rules, signer, Client},
	lockfile::synthetic,
	process::{fabric_json, node_command, program, Node},
	raw::{storage_key, Raw},
};
use subxt::{
	config::{DefaultExtrinsicParamsBuilder, RpcConfigFor},
	ext::codec::{Compact, Decode, Encode},
	rpcs::{rpc_params, LegacyRpcMethods, RpcClient},
	OnlineClient, SubstrateConfig,
};

fn run(command: &mut Command) -> Vec<u8> {
	let output = command.output().expect("the node's program starts");
	let stderr = String::from_utf8_lossy(&output.stderr);
	assert!(output.status.success(), "{command:?}: {stderr}");
	output.stdout
}

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
	while raw.best_block().await.0 < 5 {
		tokio::time::sleep(Duration::from_millis(50)).await;
	}
	node.kill();

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
	let stderr = String::from_utf8_lossy(&output.stderr);
	assert!(!output.status.success() && stderr.contains("neither `instant` nor"), "{stderr}");
}

#[tokio::test]
async fn a_burst_of_transactions_is_included_to_the_last() {
	const BURST: u64 = 200;
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(dir.path(), &[]);
	let rpc = RpcClient::from_insecure_url(&node.url).await.expect("the node answers");
	let methods = LegacyRpcMethods::<RpcConfigFor<SubstrateConfig>>::new(rpc);
	let client = OnlineClient::<SubstrateConfig>::from_insecure_url(&node.url).await;
	let at = client.expect("the node answers").at_current_block().await.expect("a block");
	let alice = subxt_signer::sr25519::dev::alice();
	let remark = subxt::dynamic::tx("System", "remark", (b"burst".to_vec(),));
	// Signed beforehand, so that they come as fast as the node takes them.
	let signed: Vec<_> = (0..BURST)
		.map(|nonce| {
			let params =
				DefaultExtrinsicParamsBuilder::<SubstrateConfig>::new().nonce(nonce).immortal();
			let transaction = at.tx().create_signable_offline(&remark, params.build());
			transaction.expect("the call is in the metadata").sign(&alice).expect("a signature")
		})
		.collect();
	for transaction in &signed {
		let encoded = transaction.encoded();
		methods.author_submit_extrinsic(encoded).await.expect("the pool has room");
	}
	// The index that the node would give out next counts the pool, too; that of the chain does not.
	let account = alice.public_key().to_account_id();
	let raw = Raw::connect(&node.url).await;
	let mut included = 0;
	while included < BURST {
		tokio::time::sleep(Duration::from_millis(50)).await;
		let nonce = raw.runtime_api("AccountNonceApi_account_nonce", &account.0).await;
		included = u32::decode(&mut &nonce[..]).expect("a nonce is a number").into();
	}
}

#[tokio::test]
async fn blocks_are_exported_and_imported_and_the_chain_is_purged() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (original, copy) = (dir.path().join("original"), dir.path().join("copy"));
	let lockfile = dir.path().join("Cargo.lock");
	std::fs::write(&lockfile, synthetic(30)).expect("there is room for a file");
	let node = Node::start(&original, &[]);
	fabric_json(&node.url, &["publish", lockfile.to_str().expect("the path is text")]);
	let best = Raw::connect(&node.url).await.best_block().await;
	let tree = fabric_json(&node.url, &["tree"]);
	node.kill();

	let blocks = dir.path().join("blocks");
	run(subcommand("export-blocks", &original).arg(&blocks));
	run(subcommand("import-blocks", &copy).arg(&blocks));
	let node = Node::start(&copy, &[]);
	assert_eq!(Raw::connect(&node.url).await.best_block().await, best);
	assert_eq!(fabric_json(&node.url, &["tree"]), tree);
	node.kill();

	run(subcommand("check-block", &original).arg("1"));
	run(subcommand("revert", &copy).arg("1"));
	let state: serde_json::Value =
		serde_json::from_slice(&run(&mut subcommand("export-state", &original)))
			.expect("a chain specification is JSON");
	let spaces = format!("0x{}", hex::encode(storage_key("Spaces", &[])));
	let top = state["genesis"]["raw"]["top"].as_object().expect("raw state");
	assert_eq!(top.keys().filter(|key| key.starts_with(&spaces)).count(), 1);

	run(subcommand("purge-chain", &copy).arg("-y"));
	let node = Node::start(&copy, &[]);
	assert_eq!(Raw::connect(&node.url).await.best_block().await.0, 0);
}

#[test]
fn chain_specifications_are_built_for_both_presets() {
	for (chain, id) in [("dev", "content_fabric_dev"), ("local", "content_fabric_local")] {
		for raw in [&[][..], &["--raw"]] {
			let mut command = node_command();
			command.args(["build-spec", "--chain", chain]).args(raw);
			let spec: serde_json::Value =
				serde_json::from_slice(&run(&mut command)).expect("a chain specification is JSON");
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
		let stderr = String::from_utf8_lossy(&output.stderr);
		assert!(!output.status.success(), "{flag} is not refused");
		assert!(stderr.contains(&format!("cannot honour {flag}")), "{stderr}");
	}
}

#[test]
fn both_nodes_report_their_names() {
	for name in ["content-fabric-node", "content-fabric-node-mock"] {
		let output = |flag| {
			let output =
				Command::new(program(name)).arg(flag).output().expect("the program starts");
			assert!(output.status.success(), "{name} {flag}");
			String::from_utf8(output.stdout).expect("help is text")
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
		assert_eq!(help.contains("--consensus <MODE>"), name == "content-fabric-node-mock");
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

#[tokio::test]
async fn the_weight_of_a_step_is_linear_in_its_rows_and_that_of_the_one_call_constant() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(dir.path(), &[]);
	let raw = Raw::connect(&node.url).await;
	let client = Client::connect(&node.url).await;
	let weight = async |call: EncodedCall| {
		let query = [call.bytes(), &100u32.encode()].concat();
		let info = raw.runtime_api("TransactionPaymentCallApi_query_call_info", &query).await;
		let (Compact(ref_time), Compact(proof_size)) =
			<(Compact<u64>, Compact<u64>)>::decode(&mut &info[..]).expect("a weight comes first");
		(ref_time, proof_size)
	};
	let member = TenantId([7; 10]).into();
	let mut steps = Vec::new();
	for limit in [1_000, 2_000, 10_000] {
		steps.push(weight(client.encode(calls::Reap { member, limit })).await);
	}
	let per_1_000 = (steps[1].0 - steps[0].0, steps[1].1 - steps[0].1);
	assert!(per_1_000.0 > 0 && per_1_000.1 > 0);
	assert_eq!(steps[2], (steps[0].0 + 9 * per_1_000.0, steps[0].1 + 9 * per_1_000.1));
	// The call that deletes a member removes no row, so it weighs less than a step.
	let created = Muid::from_u128(0);
	let delete = calls::GovernanceDelete { member, created, slash: 0, reason: Vec::new() };
	let delete = weight(client.encode(delete)).await;
	assert!(0 < delete.0 && delete.0 < steps[0].0);
}
