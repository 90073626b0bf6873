// SPDX-License-Identifier: Apache-2.0
//! Light clients: beside honest nodes, and beside one that has a fork of its own.

use std::{
	io::{BufRead, BufReader},
	path::Path,
	process::Stdio,
	time::{Duration, Instant},
};

use content_fabric_client::{chain::calls, ids};
use content_fabric_identifiers::ProviderId;
use serde_json::Value;
use tokio::task::block_in_place;

use super::{partition::SUBMITTERS, Faults, ACCESS, ALL, RECOVERY};
use crate::{
	client::{signer, Client, Remark},
	council::{create_space, THREE_OF_FIVE},
	manifest::synthetic,
	process::{event_of, fabric_json, write},
	published::tenant,
	store::Store,
	wait,
};

/// Packages that are published.
const PACKAGES: u32 = 40;
/// Age at which the client warns of an old finalized block, with time to spare.
const OLD: Duration = Duration::from_secs(65);
/// Blocks of the fork.
const FORK: u64 = 5;

/// Returns a report without the number of the block whose state it shows.
fn without_block(mut report: Value) -> Value {
	if let Some(fields) = report.as_object_mut() {
		fields.remove("block");
	}
	report
}

impl Faults {
	/// Publishes and writes through a light client. Then it must read what a node reads.
	pub async fn light_client(&mut self) {
		let url = self.testbed.nodes[ACCESS].url.clone();
		let created = create_space(&url, THREE_OF_FIVE, "cargo");
		self.testbed.finalizes(&ALL, 4, RECOVERY).await;
		let light = self.testbed.light(ACCESS);

		let start = Instant::now();
		let space = event_of(&created, "SpaceCreated")["space"].clone();
		let space = space.as_str().expect("ids are text");
		let (found, warnings) = light.report(&["show", space]);
		println!("a light client reads a row in {:.1?}", start.elapsed());
		assert_eq!(found, fabric_json(&url, &["show", space]));
		assert_eq!(warnings, "", "the last finalized block is young");

		let start = Instant::now();
		let manifest = write(&self.dir, "manifest.jsonl", &synthetic(PACKAGES));
		let keys = ["--provider", "//Bob", "--tenant", "//Charlie", "--yes"];
		let (published, _) = light.report(&[&["publish", &manifest][..], &keys].concat());
		assert_eq!(published["sources"][0]["finalized"], PACKAGES, "{published}");
		println!("it publishes {PACKAGES} packages in {:.1?}", start.elapsed());

		let object_id = ids::content_object(tenant(), "extra").to_string();
		let tenant = tenant().to_string();
		let by = ["--signer", "//Charlie"];
		let create = ["object", "create", &tenant, "--name", "extra"];
		light.report(&[&create[..], &by].concat());
		let put = ["record", "put", &tenant, "names", "extra", "--object", &object_id];
		let (put, _) = light.report(&[&put[..], &by].concat());
		let block = put["block"].as_u64().expect("the record is in a block");
		assert!(block <= self.testbed.record.height() + 1, "it reports a block that is not final");

		for command in [
			&["tree"][..],
			&["show", &tenant],
			&["show", &object_id],
			&["resolve", &tenant, "names", "extra"],
		] {
			let proven = without_block(light.report(command).0);
			assert_eq!(proven, without_block(fabric_json(&url, command)), "{command:?}");
		}
		let taken = ["object", "create", &tenant, "--name", "extra", "--signer", "//Charlie"];
		let error = light.error(&taken);
		assert!(error.contains("ContentFabric."), "{error}");
		let error = light.error(&["watch", "--best"]);
		assert!(error.starts_with("watch --best does not work with --light: "), "{error}");
		assert_eq!(self.watched(block)["event"]["name"], "RecordPut");
		let provider = published["provider"].as_str().map(str::parse);
		self.moves_bytes(provider.and_then(Result::ok).expect("ids are text")).await;
	}

	/// Puts a folder on a content node through a light client, gets it back and verifies it.
	async fn moves_bytes(&self, provider: ProviderId) {
		let client = Client::connect(&self.testbed.nodes[ACCESS].url).await.finalized();
		let [bob, dave] = ["//Bob", "//Dave"].map(signer);
		let node = ids::node(provider, "store");
		let (operator, locator) = (*dave.account(), b"/ip4/127.0.0.1".to_vec());
		let create = client.encode(calls::CreateNode { provider, node, operator, locator });
		let confirm = client.encode(calls::ConfirmNode { provider, node });
		client.submit(&bob, client.batch([create, confirm])).await;
		let (beside, data) = (self.testbed.command_beside(ACCESS), self.dir.join("store"));
		let store = Store::start_by(beside, "ws://127.0.0.1:9944", (provider, node), &data);
		let url = format!("http://{}", store.address);
		let locator = url.clone().into_bytes();
		client.submit(&bob, calls::SetNodeLocator { provider, node, locator }).await;

		let (site, back) = (self.dir.join("site"), self.dir.join("back"));
		std::fs::create_dir(&site).expect("there is room");
		let path = |path: &Path| path.to_str().expect("the path is text").to_owned();
		let file = write(&site, "index.html", "<h1>hello</h1>");
		let light = self.testbed.light(ACCESS);
		let keys = ["--signer", "//Charlie", "--yes"];
		let start = Instant::now();
		let (put, _) = light.report(&[&["put", &path(&site), "--node", &url][..], &keys].concat());
		println!("a light client puts a folder in {:.1?}", start.elapsed());
		let tenant = put["sources"][0]["tenant"].as_str().expect("ids are text");
		light.report(&["get", tenant, "--output", &path(&back)]);
		let got = std::fs::read_to_string(back.join("index.html"));
		assert_eq!(got.expect("the file is there"), "<h1>hello</h1>");
		let (verified, _) = light.report(&["verify", &file]);
		assert_eq!(verified[0]["verified"], true, "{verified}");
	}

	/// Returns the first event that a light client reports from a block on.
	fn watched(&self, block: u64) -> Value {
		let from = block.to_string();
		let mut watch = self.testbed.light(ACCESS).command(&["watch", "--from-block", &from]);
		let mut watch = watch.stdout(Stdio::piped()).spawn().expect("the client starts");
		let mut line = String::new();
		let output = watch.stdout.take().expect("standard output is piped");
		let read = block_in_place(|| BufReader::new(output).read_line(&mut line));
		watch.kill().expect("the client runs");
		watch.wait().expect("the client can be waited for");
		read.expect("the client prints text");
		serde_json::from_str(&line).expect("the client prints JSON")
	}

	/// Cuts a validator off, which then has a fork of its own. A light client that has found no
	/// other node must not take anything in the fork for final.
	pub async fn lie(&mut self) {
		let liar = ALL[ALL.len() - 1];
		let honest: Vec<_> = ALL.into_iter().filter(|number| *number != liar).collect();
		self.testbed.switch.partition(&[&honest[..], &[liar]]);
		let cut = Instant::now();
		let submitter = signer(SUBMITTERS[0]);
		let account = submitter.account().to_string();
		let client = Client::connect(&self.testbed.nodes[liar].url).await;
		let forked = client.submit(&submitter, Remark { remark: Vec::new() }).await.block_number;
		let has_fork = async || client.best().await.block_number() >= forked + FORK;
		wait::until(2 * RECOVERY, "the validator makes no blocks alone", has_fork).await;
		tokio::time::sleep(OLD.saturating_sub(cut.elapsed())).await;

		let name = self.testbed.nodes[liar].name.clone();
		let last = self.testbed.record.head(&name);
		assert!(last < forked, "the fork has no final block");
		let show = ["account", &account];
		let lie = fabric_json(&self.testbed.nodes[liar].url, &show);
		assert_eq!(lie["nonce"], 1, "the node shows its fork");
		let start = Instant::now();
		let (shown, warnings) = self.testbed.light(liar).report(&show);
		println!(
			"beside the fork at {}, a light client reads block {} in {:.1?}",
			lie["block"],
			shown["block"],
			start.elapsed()
		);
		assert_eq!(shown["nonce"], 0, "{shown}");
		assert!(shown["block"].as_u64().is_some_and(|block| block <= last), "{shown}");
		assert!(warnings.contains("the nodes withhold newer blocks"), "{warnings}");

		let dave = signer("//Dave").account().to_string();
		let create = ["space", "create", "--name", "lie", "--governor", &dave];
		let by =
			["--council", "propose", "--signer", "//Dave", "--wait", "best", "--timeout", "60"];
		let error = self.testbed.light(liar).error(&[&create[..], &by].concat());
		assert!(error.contains("is not in a finalized block after 60 seconds"), "{error}");

		self.testbed.switch.heal();
		self.recovers("the cut is healed").await;
		let (shown, _) = self.testbed.light(liar).report(&show);
		assert!(shown["block"].as_u64().is_some_and(|block| block > last), "{shown}");
		let honest = fabric_json(&self.testbed.nodes[ACCESS].url, &show);
		assert_eq!(shown["nonce"], honest["nonce"], "the light client follows the common chain");
	}
}
