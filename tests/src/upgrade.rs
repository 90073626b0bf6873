// SPDX-License-Identifier: Apache-2.0
//! The upgrade of a network to the next runtime, whose migration takes many blocks: by the sudo
//! key, and then to another blob by the council.

use std::{
	path::Path,
	time::{Duration, Instant},
};

use content_fabric_client::{chain::calls, ids};
use content_fabric_identifiers::{Muid, RecordKeySyntax, RecordKeyType, TenantId};
use content_fabric_primitives::ContentRef;
use subxt::{dynamic::Value, utils::H256};

pub mod blobs;
mod blocks;
pub mod calls_by_name;
mod council;
mod migration;
mod reads;

use self::calls_by_name::{call, set_code, sudo_with_weight, Call, Sender};
use crate::{
	client::{create_tenant, signer, Client},
	council::THREE_OF_FIVE,
	faults::{Faults, ACCESS, ALL, FULL_BLOCKS},
	indexer::{assert_exact, Indexer},
	network::{Pace, Specification, Testbed},
	process::report,
	published::tenant,
	raw::{storage_value, Raw},
	validators::account,
};

/// The node that is killed during the migration.
const VICTIM: usize = 2;
/// The holder of the sudo key.
pub const SUDO: &str = "//Alice";
/// The root of the tenant that is purged.
const PURGED: &str = "//Ferdie";
/// Blocks of a session.
const SESSION: u32 = 4;
/// Packages that are published after the upgrade.
const MORE: u32 = 100;
/// Calls that put records under the tenant that is purged, and records of each.
const RECORDS: (u32, u32) = (3, 420);
/// The computing time that the start of the purge and the upgrade register in a block, in
/// picoseconds: together nearly all of it, so that nothing is left in which rows could be removed.
const FULL: (u64, u64) = (1_290_000_000_000, 700_000_000_000);
/// Longest time of a step.
const PATIENCE: Duration = Duration::from_secs(120);

/// A network that is upgraded.
struct Upgrade {
	faults: Faults,
	raw: Raw,
	/// The URL of the node through which everything is submitted.
	url: String,
	/// The tenant that is purged meanwhile.
	purged: TenantId,
	start: Instant,
}

/// Runs a network of four validators from the present runtime to the next one, with this many
/// packages on the chain, and checks it on the way. Data and logs are in a folder.
pub async fn drill(dir: &Path, packages: u32, seed: u64) {
	let mut upgrade = Upgrade::start(dir, seed).await;
	upgrade.publish(packages).await;
	upgrade.fill_the_tenant_that_is_purged().await;
	let data = dir.join("index");
	let index = Indexer::start(&upgrade.url, &data, &[]);
	let last_old = upgrade.purge_and_set_code().await;
	let migrated = upgrade.migrate(last_old).await;
	upgrade.compare(last_old, migrated).await;
	let purged = upgrade.purge_ends(migrated).await;
	upgrade.refuse_wrong_blobs().await;
	let enacted = upgrade.act_by_council(dir).await;
	upgrade.read_with_the_client();
	upgrade.publish(MORE).await;
	upgrade.validators_change(enacted).await;
	upgrade.index_is_exact(index, &data).await;
	upgrade.agree(last_old, migrated, purged).await;
}

/// Returns the call by which governance deletes a tenant that was created at a muid.
pub fn purge(tenant: TenantId, created: Muid) -> Call {
	call(
		"ContentFabric",
		"governance_delete",
		[
			("member", Value::unnamed_variant("Tenant", [Value::from_bytes(tenant.0)])),
			("created", Value::from_bytes(created.to_bytes())),
			("slash", Value::u128(0)),
			("reason", Value::from_bytes(b"test")),
		],
	)
}

impl Upgrade {
	async fn start(dir: &Path, seed: u64) -> Self {
		let start = Instant::now();
		let chain = Specification::local()
			.with_pace(Pace { session: SESSION, ..FULL_BLOCKS })
			.with(&storage_value("Sudo", "Key"), &account(SUDO).0);
		let testbed = Testbed::boot_chain(dir, &chain);
		testbed.finalizes(&ALL, 1, PATIENCE).await;
		let node = &testbed.nodes[ACCESS];
		let (raw, url) = (node.connect().await, node.url.clone());
		let faults = Faults::on(testbed, dir, seed, THREE_OF_FIVE);
		let purged = ids::tenant(ids::space("cargo"), "purged");
		Self { faults, raw, url, purged, start }
	}

	fn print(&self, text: &str) {
		println!("{:6.1?} {text}", self.start.elapsed());
	}

	/// Publishes packages with the client.
	async fn publish(&mut self, packages: u32) {
		report(&self.faults.publish_more(packages).await.end(), 0);
		self.faults.is_published().await;
		self.print(&format!("the client has published {packages} packages"));
	}

	/// Creates the tenant that is purged, with records of one content object.
	async fn fill_the_tenant_that_is_purged(&self) {
		let (client, root) = (Client::connect(&self.url).await, signer(PURGED));
		let (tenant, name) = (self.purged, || b"names".to_vec());
		let object = ids::content_object(tenant, "all");
		let (key_type, syntax) = (RecordKeyType::Any, RecordKeySyntax::Unreserved);
		let create = [
			client.encode(create_tenant(ids::space("cargo"), tenant)),
			client.encode(calls::CreateContentObject { tenant, object }),
			client.encode(calls::CreateCollection { tenant, name: name(), key_type, syntax }),
		];
		client.submit(&root, client.batch(create)).await;
		let (calls, records) = RECORDS;
		for call in 0..calls {
			let key = |number| Some(format!("record-{call}-{number}").into_bytes());
			let target = ContentRef { object, version: None };
			let records = (0..records).map(|number| (key(number), target)).collect();
			client.submit(&root, calls::PutRecords { tenant, collection: name(), records }).await;
		}
		self.print(&format!("{} records are to be purged", calls * records));
	}

	/// Starts a purge and replaces the runtime, in one block. Returns its number and hash.
	async fn purge_and_set_code(&self) -> (u64, H256) {
		let next = blobs::drill();
		let tenant = self.raw.tenant(self.purged).await.expect("the tenant was created");
		let sender = Sender::connect(&self.url, signer(SUDO)).await;
		let upgrade = [
			sudo_with_weight(purge(self.purged, tenant.created), FULL.0),
			sudo_with_weight(set_code(&next), FULL.1),
		];
		let block = sender.send(&upgrade).await;
		assert!(self.raw.code(block).await == next, "the runtime is replaced");
		// The block in which the transactions were found can be a later one.
		let (mut number, mut block) = (self.raw.header(block).await.0, block);
		loop {
			let parent = self.raw.block_hash(number - 1).await.expect("the block is there");
			if self.raw.code(parent).await != next {
				break;
			}
			(number, block) = (number - 1, parent);
		}
		self.print(&format!("block {number} sets the next runtime"));
		(number, block)
	}

	/// Checks that an index has followed the chain over its upgrades.
	async fn index_is_exact(&self, index: Indexer, data: &Path) {
		let (number, _) = self.raw.finalized_block().await;
		index.wait_for_final(number);
		assert_exact(index, &self.url, data, &self.raw).await;
		self.print(&format!("the index is exact after block {number}"));
	}

	/// Checks that all nodes have the same blocks and states, that the blocks keep to their
	/// weights, and that everything can be read in all of them.
	async fn agree(&mut self, last_old: (u64, H256), migrated: (u64, H256), purged: u64) {
		self.faults.testbed.agree().await;
		for node in &self.faults.testbed.nodes {
			let log = std::fs::read(&node.log).expect("the log can be read");
			assert!(!String::from_utf8_lossy(&log).contains("panicked"), "{} panicked", node.name);
		}
		let blocks = self.faults.testbed.record.blocks();
		self.print(&format!("all nodes agree on the states of {} blocks", blocks.len()));
		for (number, hash) in [last_old, migrated] {
			assert_eq!(blocks.get(&number), Some(&hash), "block {number} is finalized");
		}
		reads::read_all(&self.url, &blocks, tenant()).await;
		self.print("a client has read all blocks, before and after the upgrade");
		blocks::check(&self.raw, &blocks, purged).await;
		self.print("the drill ends");
	}
}
