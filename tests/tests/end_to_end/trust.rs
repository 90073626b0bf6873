// SPDX-License-Identifier: Apache-2.0
//! Nodes that lie about their chain, and keys that must not be seen.

use std::{io::Write, process::Stdio, sync::Arc, time::Duration};

use content_fabric_tests::{
	client::BOND,
	fabric::Fabric,
	process::{fabric_command, fabric_output, stderr, write, Node},
	published::tenant,
	relay::{Lie, Relay},
};
use serde_json::Value;

/// The address of //Alice.
const ALICE: &str = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY";
/// A phrase that nothing but a test uses.
const PHRASE: &str = "legal winner thank year wave sausage worth useful legal winner thank yellow";

/// Answers every question about the first block with another hash.
fn other_genesis() -> Lie {
	Arc::new(|method, params, result| {
		if method == "chain_getBlockHash" && params[0] == 0 {
			*result = format!("0x{}", "11".repeat(32)).into();
		}
	})
}

/// Says that the chain is a live one.
fn live() -> Lie {
	Arc::new(|method, _, result| {
		if method == "system_chainType" {
			*result = "Live".into();
		}
	})
}

/// Gives the call `purge_member` the name of `set_max_held`, and the reverse. Both start with the
/// member, so who signs the second one signs the first.
fn swapped_calls() -> Lie {
	Arc::new(|method, params, result| {
		let function = params[0].as_str().unwrap_or_default();
		if method == "state_call" && function.starts_with("Metadata_") {
			*result = Value::String(swapped(result.as_str().unwrap_or_default()));
		}
	})
}

fn swapped(metadata: &str) -> String {
	let [one, other, between] = ["purge_member", "set_max_held", "############"].map(hex::encode);
	metadata.replace(&one, &between).replace(&other, &one).replace(&between, &other)
}

// The lying node runs beside the test, which waits for the client.
#[tokio::test(flavor = "multi_thread")]
async fn a_chain_that_was_swapped_for_another_is_refused() {
	let (dir, node) = Node::start_anew(&[]);
	let liar = Relay::lying(&node.url, live()).await;
	let config =
		write(dir.path(), "config.toml", &format!("[profile.main]\nurl = \"{}\"\n", liar.url));
	let run = |url: &str| {
		let mut command = fabric_command(url, &["--profile", "main", "tree"]);
		command.env("FABRIC_CONFIG", &config);
		command.output().expect("the client starts")
	};
	assert!(run(&liar.url).status.success(), "the first use pins the chain");

	let impostor = Relay::lying(&liar.url, other_genesis()).await;
	let refused = |url: &str| {
		let output = run(url);
		assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
		stderr(&output)
	};
	let error = refused(&impostor.url);
	assert!(error.contains("[main]") && error.contains(&"11".repeat(32)), "{error}");
	// The honest node says that the same chain is a development chain.
	let error = refused(&node.url);
	assert!(error.contains("the kind development, but live is pinned"), "{error}");

	// The same on the command line.
	let expected = format!("0x{}", "22".repeat(32));
	let refused = fabric_output(&node.url, &["tree", "--genesis-hash", &expected]);
	assert_eq!(refused.status.code(), Some(5));
}

// The lying node runs beside the test, which waits for the client.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_whose_meaning_was_swapped_is_not_accepted() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), BOND).await;
	let liar = Relay::lying(fabric.url(), swapped_calls()).await;
	let tenant = fabric.tenant.to_string();
	let arguments = ["member", "set-max-held", &tenant, "50 UNIT", "--signer", "//Charlie"];
	let rows = fabric.tenant_row().await.rows;

	let refused = fabric_output(&liar.url, &arguments);
	assert_eq!(refused.status.code(), Some(4), "{}", stderr(&refused));
	assert!(stderr(&refused).contains("bad signature"), "{}", stderr(&refused));
	assert_eq!(fabric.tenant_row().await.rows, rows, "nothing was removed");

	// Without the hash the node gets what it wants.
	let trusting = fabric_output(&liar.url, &[&arguments[..], &["--no-metadata-hash"]].concat());
	assert!(trusting.status.success(), "{}", stderr(&trusting));
	assert_ne!(fabric.tenant_row().await.purge, None, "a client that trusts it signs a purge");
}

// The lying node runs beside the test, which waits for the client.
#[tokio::test(flavor = "multi_thread")]
async fn only_development_chains_have_default_keys_and_take_phrases() {
	let (dir, node) = Node::start_anew(&[]);
	let liar = Relay::lying(&node.url, live()).await;
	// The chain of the liar's port is pinned there.
	let config = dir.path().join("config.toml");
	let fabric_output = |url: &str, arguments: &[&str]| {
		let mut command = fabric_command(url, arguments);
		command.env("FABRIC_CONFIG", &config);
		command.output().expect("the client starts")
	};
	let create = ["space", "create", "--name", "a", "--governor", ALICE];
	for (arguments, code, named) in [
		(&create[..], 2, "no key is given"),
		(&[&create[..], &["--signer", PHRASE]].concat(), 2, "ps"),
		(&[&create[..], &["--signer", "//Bob"]].concat(), 4, "Bad origin"),
	] {
		let output = fabric_output(&liar.url, arguments);
		let stderr = stderr(&output);
		assert_eq!(output.status.code(), Some(code), "{stderr}");
		assert!(stderr.contains(named), "{stderr}");
		assert!(!stderr.contains("legal winner"), "{stderr}");
	}
	let output = fabric_output(&liar.url, &[&create[..], &["--signer", "//Alice"]].concat());
	let stderr = stderr(&output);
	assert!(output.status.success() && stderr.contains("everybody knows"), "{stderr}");
}

#[test]
fn secrets_are_neither_in_arguments_nor_in_output() {
	let (_dir, node) = Node::start_anew(&[]);
	let id = tenant().to_string();
	let secret = format!("{PHRASE}//derived");
	for source in ["env:KEY", "-"] {
		let mut command = fabric_command(&node.url, &["member", "purge", &id, "--yes"]);
		command.args(["--signer", source]).env("KEY", &secret);
		command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
		let mut process = command.spawn().expect("the client starts");
		let arguments = std::fs::read(format!("/proc/{}/cmdline", process.id()));
		let arguments = arguments.expect("the process runs");
		assert!(!String::from_utf8_lossy(&arguments).contains("legal"));
		let mut stdin = process.stdin.take().expect("it is piped");
		std::thread::sleep(Duration::from_millis(50));
		// With `env:` the client does not read it.
		let _ = stdin.write_all(format!("{secret}\n").as_bytes());
		drop(stdin);
		let output = process.wait_with_output().expect("the client ends");
		assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
		let printed = [output.stdout, output.stderr].concat();
		assert!(!String::from_utf8_lossy(&printed).contains("legal"));
	}
}
