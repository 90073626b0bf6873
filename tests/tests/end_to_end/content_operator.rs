// SPDX-License-Identifier: Apache-2.0
//! The messages of a content node to its operators: an operator without funds, and a chain that was
//! begun anew.

use std::{
	fs,
	process::Command,
	time::{Duration, Instant},
};

use content_fabric_client::chain::calls::Call;
use content_fabric_tests::{
	client::Remark,
	fabric::Fabric,
	process::{fabric_output, fixed_port, stderr, Node},
	store::Store,
	wait,
};
use scale_encode::EncodeAsType;
use serde_json::Value;
use subxt::utils::{AccountId32, MultiAddress};

use super::content::{assert_served, commit, content, draft, finalized, path, start};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);

/// The call of the root that sets the free balance of an account.
#[derive(EncodeAsType)]
struct SetBalance {
	who: MultiAddress<AccountId32, ()>,
	new_free: u128,
}

impl Call for SetBalance {
	const PALLET: &'static str = "Balances";
	const NAME: &'static str = "force_set_balance";
}

fn status(store: &Store) -> Value {
	store.ask("GET", "/v1/status", &[], &[]).expect(200).json()
}

/// Returns the figure of the operator's balance.
fn balance_figure(store: &Store) -> f64 {
	let figures = store.ask("GET", "/metrics", &[], &[]).expect(200).body;
	let figures = String::from_utf8_lossy(&figures).into_owned();
	let line = figures.lines().find_map(|line| line.strip_prefix("fabric_store_balance "));
	line.and_then(|text| text.parse().ok()).expect("the balance is a figure")
}

#[tokio::test]
async fn an_operator_without_funds_refuses_drafts_and_puts_at_once_by_name() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	let operator = *fabric.dave.account();
	let give = async |amount| {
		let call = SetBalance { who: operator.into(), new_free: amount };
		fabric.submit(&fabric.alice, fabric.client.sudo(call)).await;
	};
	let at = fabric.client.best().await;
	let minimum: u128 = at.constant("Balances", "ExistentialDeposit").expect("the chain has it");
	// More than 64 bits.
	let rich = (1 << 70) + minimum;
	for (amount, spendable) in [(rich, "1180591620717411303424"), (minimum + 7, "7")] {
		give(amount).await;
		wait::until(PATIENCE, "the balance is not known", async || {
			status(&store)["balance"] == spendable
		})
		.await;
		let expected: f64 = spendable.parse().expect("it is a number");
		assert!((balance_figure(&store) - expected).abs() < 1.0);
	}
	assert_eq!(status(&store)["operator"], operator.to_string());
	let bytes = content(1, 5_000);
	let refused = draft(&store, &fabric, &[&bytes]).expect(402).json();
	let reason = refused["error"].as_str().expect("it has a reason").to_owned();
	for part in [operator.to_string().as_str(), "can spend 0.000000000007 UNIT, and needs "] {
		assert!(reason.contains(part), "{reason}");
	}
	// The client shows that, and does not try again.
	let site = dir.path().join("site");
	fs::create_dir(&site).expect("there is room");
	fs::write(site.join("page"), &bytes).expect("there is room");
	let (site, node) = (site.to_string_lossy(), format!("http://{}", store.address));
	let begun = Instant::now();
	let put = ["put", &site, "--node", &node, "--timeout", "600"];
	let output = fabric_output(fabric.url(), &put);
	let errors = stderr(&output);
	assert_eq!(output.status.code(), Some(4), "{errors}");
	assert!(errors.contains(&operator.to_string()), "{errors}");
	assert!(begun.elapsed() < PATIENCE * 2, "it was tried again and again");

	give(rich).await;
	commit(&store, &fabric, &[&bytes]);
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	finalized(&fabric, &[&bytes]).await;
}

#[tokio::test]
async fn a_chain_that_was_begun_anew_is_named_once_and_nothing_is_removed_for_it() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (port, data) = (fixed_port(), dir.path().join("data"));
	let (first, second) = (dir.path().join("first"), dir.path().join("second"));
	let fabric = Fabric::start_on(port, &first, 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let log = dir.path().join("log");
	let logged = || {
		let mut shell = Command::new("bash");
		let tee = format!("exec \"$0\" \"$@\" 2> >(tee -a '{}' >&2)", log.display());
		shell.arg("-c").arg(tee);
		shell
	};
	let store = Store::start_by(logged(), fabric.url(), of, &data);
	let bytes = content(1, 50_000);
	commit(&store, &fabric, &[&bytes]);
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	finalized(&fabric, &[&bytes]).await;
	let (best, _) = fabric.raw.best_block().await;
	wait::until(PATIENCE, "the block is not followed", async || {
		status(&store)["finalized_block"].as_u64() >= Some(best)
	})
	.await;
	assert_eq!(status(&store)["problem"], Value::Null);

	let begin = |process: Node| {
		process.stop();
		Node::start_on(port, &second, &[])
	};
	let fabric = fabric.served_by(begin).await;
	let is_said = async |store: &Store, problem: &str| {
		wait::until(PATIENCE, problem, async || {
			status(store)["problem"].as_str().is_some_and(|text| text.contains(problem))
		})
		.await;
	};
	// A process that starts serves, too, and waits for the blocks that it has followed.
	let behind = "the node of the chain is at block 0, and this node has seen block ";
	is_said(&store, behind).await;
	drop(store);
	let store = Store::start_by(logged(), fabric.url(), of, &data);
	is_said(&store, behind).await;
	assert_served(&store, &[&bytes]);
	let refused = draft(&store, &fabric, &[b"x"]).expect(503).json();
	assert!(refused["error"].as_str().is_some_and(|text| text.contains(behind)), "{refused}");
	let anew = "the chain was begun anew: its block 1 is 0x";
	// A call makes the first block.
	let call = Remark { remark: Vec::new() };
	fabric.submit(&fabric.bob, call).await;
	is_said(&store, anew).await;
	let refused = draft(&store, &fabric, &[b"x"]).expect(424).json();
	assert!(refused["error"].as_str().is_some_and(|text| text.contains(anew)), "{refused}");
	tokio::time::sleep(Duration::from_secs(5)).await;
	assert_eq!(status(&store)["finalized_block"], Value::Null);
	assert_served(&store, &[&bytes]);
	let lines = fs::read_to_string(&log).expect("the log is a file");
	assert_eq!(lines.matches(anew).count(), 1, "{lines}");
	// A process that starts does the same.
	drop(store);
	let store = Store::start(fabric.url(), of, &data);
	is_said(&store, anew).await;
	assert_served(&store, &[&bytes]);
	draft(&store, &fabric, &[b"x"]).expect(424);
	store.ask("GET", &path(b"x"), &[], &[]).expect(503);

	// The first chain comes back, and the process goes on by itself.
	let fabric = fabric
		.served_by(|process| {
			process.stop();
			Node::start_on(port, &first, &[])
		})
		.await;
	wait::until(PATIENCE, "the chain is not followed again", async || {
		status(&store)["finalized_block"].is_u64()
	})
	.await;
	assert_served(&store, &[&bytes]);
	let more = content(2, 50_000);
	commit(&store, &fabric, &[&more]);
	store.ask("PUT", &path(&more), &[], &more).expect(201);
	finalized(&fabric, &[&more]).await;
}
