// SPDX-License-Identifier: Apache-2.0
//! Runs four validators and a full node on this machine. With `--once` it publishes through the
//! full node, has the council purge a tenant, checks that all nodes finalize the same blocks with
//! the same state, and ends. Otherwise it runs until it is interrupted.
//!
//! The first argument is a folder for data and logs. `SESSION` is the number of blocks of a
//! session, if it should differ from the runtime's.

use std::{path::Path, time::Duration};

use content_fabric_tests::{
	council::{carry, create_space, THREE_OF_FIVE},
	manifest::synthetic,
	network::{Network, Pace},
	process::{event_of, fabric_json, write},
	published::{assert_published, tenant},
	raw::count,
};

/// Milliseconds of a slot, as on every chain of the runtime.
const SLOT: u64 = 6_000;
/// Longest time in which a block is finalized.
const FINALITY: Duration = Duration::from_secs(120);
/// Number of the packages that are published.
const PACKAGES: u32 = 500;

#[tokio::main]
async fn main() {
	let mut arguments = std::env::args().skip(1);
	let dir = arguments.next().expect("the first argument is a folder");
	let once = arguments.next().is_some_and(|argument| argument == "--once");
	let session = std::env::var("SESSION").ok();
	let session = session.map(|blocks| blocks.parse().expect("SESSION is a number of blocks"));
	let pace = session.map(|session| Pace { slot: SLOT, session });
	let mut network = Network::start(Path::new(&dir), pace);
	for member in &network.members {
		println!("{:8} {}  log {}", member.name, member.url, member.log.display());
	}
	if once {
		run_once(&network, Path::new(&dir)).await;
		return;
	}
	println!("polkadot-js: https://polkadot.js.org/apps/?rpc={}", network.members[0].url);
	println!("fabric:      fabric --url {} tree", network.members[0].url);
	println!("light:       fabric --light {} tree", network.specification.display());
	println!("Ctrl-C ends the network.");
	loop {
		tokio::select! {
			_ = tokio::signal::ctrl_c() => return,
			() = tokio::time::sleep(Duration::from_secs(1)) => {},
		}
		for member in &mut network.members {
			assert!(member.runs(), "{} has stopped: see {}", member.name, member.log.display());
		}
	}
}

/// Publishes, purges, and checks that all nodes agree.
async fn run_once(network: &Network, dir: &Path) {
	let full = network.members.last().expect("there is a full node");
	let url = full.url.as_str();
	let raw = full.connect().await;

	let created = create_space(url, THREE_OF_FIVE, "cargo");
	println!("the council created space {}", event_of(&created, "SpaceCreated")["space"]);

	let text = synthetic(PACKAGES);
	let manifest = write(dir, "manifest.jsonl", &text);
	let keys = ["--provider", "//Bob", "--tenant", "//Charlie", "--yes"];
	let publish = [&["publish", &manifest, "--wait", "finalized"][..], &keys].concat();
	let published = fabric_json(url, &publish);
	println!("published {} versions", published["sources"][0]["finalized"]);
	assert_published(&raw, &text).await;
	agree(network, raw.best_block().await.0).await;

	let (tenant, id) = (tenant(), tenant().to_string());
	let purge = ["governance", "purge", &id, "--reason", "end of the test", "--yes"];
	let purged = carry(url, THREE_OF_FIVE, &purge);
	assert_eq!(purged["outcome"], "purged");
	assert_eq!(raw.tenant(tenant).await, None);
	assert_eq!(count(&raw.rows(tenant).await), 0);
	println!("the council purged tenant {id}");
	agree(network, raw.best_block().await.0).await;
}

/// Waits until all nodes have finalized the same block of this number, with the same state.
async fn agree(network: &Network, number: u64) {
	let hash = network.finalized(number, FINALITY).await;
	let mut roots = Vec::new();
	for member in &network.members {
		roots.push(member.connect().await.header(hash).await.1);
	}
	assert!(roots.iter().all(|root| *root == roots[0]), "{roots:?}");
	println!(
		"all {} nodes finalized block {number} {hash:?} with state {:?}",
		roots.len(),
		roots[0]
	);
}
