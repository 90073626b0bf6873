// SPDX-License-Identifier: Apache-2.0
//! The messages of a content node to its operators: an operator without funds, a chain that was
//! begun anew, and a node that was removed and created again.

use std::{
	fs,
	path::Path,
	process::Command,
	time::{Duration, Instant},
};

use content_fabric_client::{
	chain::{
		calls::{AddCopies, Call, RemoveNode},
		rows,
	},
	ids,
};
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

use super::content::{assert_served, commit, content, draft, finalized, followed, path, version};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);

/// The call of the root that sets the free balance of an account.
#[derive(EncodeAsType)]
pub(super) struct SetBalance {
	pub(super) who: MultiAddress<AccountId32, ()>,
	pub(super) new_free: u128,
}

impl Call for SetBalance {
	const PALLET: &'static str = "Balances";
	const NAME: &'static str = "force_set_balance";
}

fn status(store: &Store) -> Value {
	store.ask("GET", "/v1/status", &[], &[]).expect(200).json()
}

/// Returns a command that runs another one, and writes its log to a file, too.
pub(super) fn logging(log: &Path) -> Command {
	let mut shell = Command::new("bash");
	shell.arg("-c").arg(format!("exec \"$0\" \"$@\" 2> >(tee -a '{}' >&2)", log.display()));
	shell
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
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let log = dir.path().join("log");
	let store = Store::start_by(logging(&log), fabric.url(), of, &dir.path().join("data"));
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
	assert_eq!(status(&store)["affordable_commits"], 0);
	assert!(status(&store)["finalized_age"].as_u64().is_some_and(|age| age < 3_600));
	let unready = store.ask("GET", "/ready", &[], &[]).expect(503).json();
	let reason = format!("the operator of the node, {operator}, cannot pay for a commit");
	assert_eq!(unready["error"], reason);
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
	// Nothing was created or paid for.
	let dry_run = fabric_output(fabric.url(), &[&put[..], &["--dry-run"]].concat());
	assert_eq!(dry_run.status.code(), Some(4), "{}", stderr(&dry_run));
	let tenant = fabric.raw.tenant(ids::tenant(fabric.space, "site")).await;
	assert!(tenant.is_none(), "the tenant was created for nothing");

	give(rich).await;
	commit(&store, &fabric, &[&bytes]);
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	finalized(&fabric, &[&bytes]).await;

	let lines = || fs::read_to_string(&log).expect("the log is a file");
	let again = format!("the operator of the node, {operator}, can pay for commits again");
	wait::until(PATIENCE, "it is not logged", async || lines().contains(&again)).await;
	assert_eq!(store.ask("GET", "/ready", &[], &[]).expect(200).body, b"ready\n");
	let commits = status(&store)["affordable_commits"].as_u64();
	assert!(matches!(commits, Some(1_000..)), "{commits:?}");
	let short = format!("the operator of the node, {operator}, can spend 0.000000000007 UNIT");
	let lines = lines();
	assert_eq!((lines.matches(&short).count(), lines.matches(&again).count()), (1, 1), "{lines}");
	// A lack of room is logged once.
	for _ in 0..2 {
		draft(&store, &fabric, &[&content(2, 21_000_000)]).expect(507);
	}
	let reason = "a draft or an upload is refused: the versions need 21000000 bytes, but the node ";
	let lines = || fs::read_to_string(&log).expect("the log is a file");
	wait::until(PATIENCE, "it is not logged", async || lines().contains(reason)).await;
	assert_eq!(lines().matches(reason).count(), 1);
}

#[tokio::test]
async fn a_chain_that_was_begun_anew_is_named_once_and_nothing_is_removed_for_it() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (port, data) = (fixed_port(), dir.path().join("data"));
	let (first, second) = (dir.path().join("first"), dir.path().join("second"));
	let fabric = Fabric::start_on(port, &first, 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let log = dir.path().join("log");
	let store = Store::start_by(logging(&log), fabric.url(), of, &data);
	let bytes = content(1, 50_000);
	commit(&store, &fabric, &[&bytes]);
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	finalized(&fabric, &[&bytes]).await;
	followed(&fabric, &store).await;
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
	// A process that starts also serves, and waits for the blocks that it has followed.
	let behind = "the node of the chain is at block 0, and this node has seen block ";
	is_said(&store, behind).await;
	drop(store);
	let store = Store::start_by(logging(&log), fabric.url(), of, &data);
	is_said(&store, behind).await;
	assert_served(&store, &[&bytes]);
	let unready = store.ask("GET", "/ready", &[], &[]).expect(503).json();
	assert!(unready["error"].as_str().is_some_and(|text| text.contains(behind)), "{unready}");
	store.ask("GET", "/health", &[], &[]).expect(200);
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
	let lines = || fs::read_to_string(&log).expect("the log is a file");
	wait::until(PATIENCE, "it is not logged", async || lines().contains(anew)).await;
	let lines = lines();
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

#[tokio::test]
async fn a_node_that_is_created_again_keeps_the_bytes_of_the_earlier_one_until_it_is_forgotten() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (data, log) = (dir.path().join("data"), dir.path().join("log"));
	let (port, chain) = (fixed_port(), dir.path().join("chain"));
	let fabric = Fabric::start_on(port, &chain, 0).await;
	let node = fabric.add_node("node", &fabric.dave).await;
	let of = (fabric.provider, node);
	let store = Store::start_by(logging(&log), fabric.url(), of, &data);
	let (bytes, waiting) = (content(1, 50_000), content(2, 50_000));
	commit(&store, &fabric, &[&bytes, &waiting]);
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	finalized(&fabric, &[&bytes]).await;

	fabric.submit(&fabric.bob, RemoveNode { provider: fabric.provider, node }).await;
	let removed = format!("the node {node} was removed from the chain: ");
	let is_said = async |store: &Store| {
		wait::until(PATIENCE, "it is not named", async || {
			status(store)["problem"].as_str().is_some_and(|text| text.starts_with(&removed))
		})
		.await;
		assert_eq!(status(store)["finalized_block"], Value::Null);
	};
	is_said(&store).await;
	// A process that starts also serves, and takes nothing in.
	drop(store);
	let store = Store::start_by(logging(&log), fabric.url(), of, &data);
	is_said(&store).await;
	assert_served(&store, &[&bytes]);
	let refused = draft(&store, &fabric, &[b"x"]).expect(424).json();
	assert!(refused["error"].as_str().is_some_and(|text| text.contains(&removed)), "{refused}");
	store.ask("PUT", &path(&waiting), &[], &waiting).expect(424);
	let new = Store::try_start(fabric.url(), of, &dir.path().join("new")).err().expect("it ends");
	assert!(new.contains(&format!("error: there is no node {node}")), "{new}");

	// The process passes to the new node. Bytes that nobody needs would be removed at once.
	fabric.add_node("node", &fabric.dave).await;
	followed(&fabric, &store).await;
	assert_eq!(status(&store)["problem"], Value::Null);
	// It can no longer be finalized.
	store.ask("PUT", &path(&waiting), &[], &waiting).expect(403);
	assert_served(&store, &[&bytes]);
	let more = content(3, 50_000);
	commit(&store, &fabric, &[&more]);
	store.ask("PUT", &path(&more), &[], &more).expect(201);
	finalized(&fabric, &[&more]).await;
	drop(store);
	// So does one that starts while the chain is away, and one that starts later.
	let (url, mut store) = (fabric.url().to_owned(), None);
	let start_between = |process: Node| {
		process.stop();
		store = Some(Store::start_by(logging(&log), &url, of, &data));
		Node::start_on(port, &chain, &[])
	};
	let fabric = fabric.served_by(start_between).await;
	followed(&fabric, store.as_ref().expect("it was started")).await;
	drop(store);
	let store = Store::start_by(logging(&log), fabric.url(), of, &data);
	followed(&fabric, &store).await;
	// Longer than the time between two sweeps.
	tokio::time::sleep(Duration::from_secs(2)).await;
	assert_served(&store, &[&bytes, &more]);
	let kept = "names an earlier node with the same id for 1 version: their bytes are kept until ";
	let lines = fs::read_to_string(&log).expect("the log is a file");
	let created = "the node was removed and created again on the chain: its medallion was ";
	assert!(lines.contains(kept) && lines.contains(created), "{lines}");
	// The tenant adds the node again: the bytes are here.
	let versions = vec![(fabric.object, version(&bytes))];
	let (tenant, provider) = (fabric.tenant, fabric.provider);
	let add = AddCopies { tenant, provider, node, versions };
	fabric.submit(&fabric.charlie, add).await;
	let row = (fabric.tenant, fabric.object, version(&bytes));
	wait::until(PATIENCE, "it is not held again", async || {
		let at = fabric.client.best().await;
		let row = at.get(&rows::versions(), row).await.expect("the node answers");
		let present = at.present_copies(row.as_ref().expect("it is there")).await;
		present.expect("the node answers") == [true]
			&& row.is_some_and(|row| row.copies[0].held.is_some())
	})
	.await;
	assert_served(&store, &[&bytes]);
	drop(store);
	// It is removed and created again once more, and its operator forgets it.
	fabric.submit(&fabric.bob, RemoveNode { provider: fabric.provider, node }).await;
	fabric.add_node("node", &fabric.dave).await;

	let forgetting = || {
		let mut shell = Command::new("bash");
		shell.arg("-c").arg("exec \"$0\" \"$@\" --forget");
		shell
	};
	let store = Store::start_by(forgetting(), fabric.url(), of, &data);
	store.wait("GET", &path(&bytes), 404);
	drop(store);
	let store = Store::start(fabric.url(), of, &data);
	followed(&fabric, &store).await;
	store.ask("GET", &path(&bytes), &[], &[]).expect(404);
	let last = content(4, 50_000);
	commit(&store, &fabric, &[&last]);
	store.ask("PUT", &path(&last), &[], &last).expect(201);
	finalized(&fabric, &[&last]).await;
}

#[tokio::test]
async fn a_node_of_somebody_else_or_without_confirmation_gets_no_folder() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let node = fabric.add_node("node", &fabric.dave).await;
	let pending = ids::node(fabric.provider, "pending");
	fabric.submit(&fabric.bob, fabric.create_node(pending, &fabric.dave)).await;
	let data = dir.path().join("data");
	let refused = |node, key, reason: &str| {
		let options = ["127.0.0.1:0", key, "0"];
		let log = Store::try_start_with(options, fabric.url(), (fabric.provider, node), &data);
		let log = log.err().expect("it is refused");
		assert!(log.contains(reason), "{log}");
		assert!(!data.exists(), "{reason}");
	};
	refused(node, "//Eve", "");
	refused(ids::node(fabric.provider, "other"), "//Dave", "there is no node");
	refused(pending, "//Dave", "");
	Store::start(fabric.url(), (fabric.provider, node), &data);
	assert!(data.exists());
}
