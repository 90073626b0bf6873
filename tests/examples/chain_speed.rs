//! What an extrinsic costs in a block, kind by kind, on one node and one chain.
//!
//! The node seals when it is told to. All extrinsics of a kind are in the pool by then, so what is measured is building and
//! importing the block: applying each extrinsic once, with its signature and fee.

use std::{hint::black_box, time::Instant};

use content_fabric_client::{
	calls,
	chain::Chain,
	ids, signing,
	storage::{self, ContentRef},
};
use content_fabric_identifiers::{ContentObjectId, Medallion, Muid, VersionId};
use content_fabric_tests::{
	lockfile::{synthetic, CRATES_IO},
	process::{fabric_json, write, Node},
};
use subxt::{
	client::OnlineClient,
	config::{DefaultExtrinsicParamsBuilder, RpcConfigFor, SubstrateConfig},
	dynamic::Value,
	ext::scale_value::Composite,
	rpcs::{rpc_params, LegacyRpcMethods, RpcClient},
	tx::DynamicPayload,
};
use subxt_signer::{
	sr25519::{self, Keypair},
	SecretUri,
};

/// Extrinsics of a kind that one measurement takes.
const COUNT: u32 = 1_000;
/// Measurements of each kind. The median counts.
const ROUNDS: u32 = 5;
type Error = Box<dyn std::error::Error>;
type Payload = DynamicPayload<Composite<()>>;

/// The node, to which extrinsics are sent.
struct Bench {
	client: OnlineClient<SubstrateConfig>,
	rpc: RpcClient,
}

impl Bench {
	/// Signs the calls in the name of an account and sends them all. Returns the seconds that it
	/// takes to put them into blocks.
	async fn measure(&self, signer: &Keypair, payloads: &[Payload]) -> Result<f64, Error> {
		let methods = LegacyRpcMethods::<RpcConfigFor<SubstrateConfig>>::new(self.rpc.clone());
		let account = signer.public_key().to_account_id();
		let nonce = methods.system_account_next_index(&account).await?;
		let at = self.client.at_current_block().await?;
		for (nonce, payload) in (nonce..).zip(payloads) {
			let params = DefaultExtrinsicParamsBuilder::<SubstrateConfig>::new()
				.nonce(nonce)
				.immortal()
				.build();
			let extrinsic = at.tx().create_signable_offline(payload, params)?.sign(signer)?;
			methods.author_submit_extrinsic(extrinsic.encoded()).await?;
		}
		let mut seconds = 0.0;
		// What one block has no room for is left to the next.
		loop {
			let pending: Vec<serde_json::Value> =
				self.rpc.request("author_pendingExtrinsics", rpc_params![]).await?;
			if pending.is_empty() {
				return Ok(seconds);
			}
			// It fails where all that the pool still lists are in a block.
			let started = Instant::now();
			let sealed: Result<serde_json::Value, _> =
				self.rpc.request("engine_createBlock", rpc_params![false, false]).await;
			if sealed.is_ok() {
				seconds += started.elapsed().as_secs_f64();
			}
		}
	}
}

fn keypair(uri: &str) -> Result<Keypair, Error> {
	Ok(Keypair::from_uri(&uri.parse::<SecretUri>()?)?)
}

fn object(number: u32) -> ContentObjectId {
	let mut id = ContentObjectId([0xee; 10]);
	id.0[6..].copy_from_slice(&number.to_be_bytes());
	id
}

fn version(number: u32) -> VersionId {
	let mut id = VersionId([0xee; 32]);
	id.0[..4].copy_from_slice(&number.to_be_bytes());
	id
}

/// Microseconds to check one signature, outside the chain.
fn signature(signer: &Keypair) -> f64 {
	let message = [0; 100];
	let signature = signer.sign(&message);
	let started = Instant::now();
	for _ in 0..COUNT {
		assert!(sr25519::verify(&signature, black_box(message), &signer.public_key()));
	}
	started.elapsed().as_secs_f64() / f64::from(COUNT) * 1e6
}

fn median(mut values: Vec<f64>) -> f64 {
	values.sort_by(f64::total_cmp);
	values[values.len() / 2]
}

#[tokio::main]
async fn main() -> Result<(), Error> {
	let dir = tempfile::tempdir()?;
	// One package, to have one of everything.
	let lockfile = write(dir.path(), "Cargo.lock", &synthetic(1));
	let node = Node::start(dir.path(), &[]);
	fabric_json(&node.url, &["publish", &lockfile]);
	node.kill();
	let node =
		Node::start(dir.path(), &["--consensus", "interval=3600000", "--pool-limit", "100000"]);

	// What the client has published.
	let space = ids::space("cargo");
	let (publisher, owner) = (keypair("//Bob")?, keypair("//Charlie")?);
	let provider = ids::provider(space, &publisher.public_key().to_account_id().to_string());
	let tenant = ids::tenant(space, CRATES_IO);
	let node_id = ids::node(provider, "publisher");
	let target = ids::content_object(tenant, "package-0");
	let target_ref = ContentRef { object: target.0, version: None };
	let chain = Chain::connect(&node.url).await?;
	let at = chain.best().await?;
	let row = at.get(&storage::nodes(), (provider.0, node_id.0)).await?;
	let medallion = Medallion::new(row.ok_or("there is no node")?.medallion)?;
	let now = at.now_micros().await?;

	let remark = |number: u32| {
		let remark = Value::from_bytes(number.to_be_bytes());
		Ok(subxt::dynamic::tx("System", "remark", Composite::named([("remark", remark)])))
	};
	let ferdie = keypair("//Ferdie")?.public_key();
	let transfer = |_| {
		let dest = Value::unnamed_variant("Id", [Value::from_bytes(ferdie.0)]);
		let arguments = Composite::named([("dest", dest), ("value", Value::u128(1))]);
		Ok(subxt::dynamic::tx("Balances", "transfer_keep_alive", arguments))
	};
	let create = |number| Ok(calls::create_content_object(tenant, object(number)).payload());
	let put = |number| {
		let key = format!("record-{number}");
		Ok(calls::put_record(tenant, "names", Some(&key), &target_ref).payload())
	};
	let commit = |number| {
		let offset = i32::try_from(number)? + 1;
		let commit = calls::Commit {
			originator: provider,
			node: node_id,
			tenant,
			object: target,
			version: version(number),
			size: 1,
			muid: Muid::new(now, medallion, offset).ok_or("time has ended")?,
			set_head_on_finalize: false,
			kms: ids::kms(tenant, "publisher"),
		};
		let payload = signing::commit_payload(&chain.genesis_hash(), &commit);
		let signer = owner.public_key().to_account_id();
		Ok(calls::commit_version(&signer, &commit, &owner.sign(&payload).0).payload())
	};
	type Make<'a> = &'a dyn Fn(u32) -> Result<Payload, Error>;
	let kinds: [(_, _, Make); 5] = [
		("System::remark", keypair("//Dave")?, &remark),
		("Balances::transfer_keep_alive", keypair("//Eve")?, &transfer),
		("create_content_object", owner.clone(), &create),
		("put_record", owner.clone(), &put),
		("commit_version", publisher, &commit),
	];

	let rpc = RpcClient::from_insecure_url(&node.url).await?;
	let bench = Bench { client: OnlineClient::from_rpc_client(rpc.clone()).await?, rpc };
	let mut times = kinds.each_ref().map(|_| Vec::new());
	for round in 0..ROUNDS {
		for ((_, signer, make), times) in kinds.iter().zip(&mut times) {
			let numbers = round * COUNT..(round + 1) * COUNT;
			let payloads = numbers.map(make).collect::<Result<Vec<_>, _>>()?;
			times.push(bench.measure(signer, &payloads).await? / f64::from(COUNT) * 1e6);
		}
	}
	// None has failed, which costs less. The client published an object, a version and two names.
	let at = chain.best().await?;
	let count = (ROUNDS * COUNT) as usize;
	assert_eq!(at.rows(&storage::content_objects(), (tenant.0,)).await?.len(), count + 1);
	assert_eq!(at.rows(&storage::versions(), (tenant.0,)).await?.len(), count + 1);
	assert_eq!(at.rows(&storage::records(), (tenant.0, b"names".to_vec())).await?.len(), count + 2);

	let times = times.map(median);
	println!("| extrinsic | a second | each | more than `remark` |\n| --- | ---: | ---: | ---: |");
	for ((name, ..), time) in kinds.iter().zip(times) {
		let more = time - times[0];
		println!("| `{name}` | {:.0} | {time:.0} µs | {more:.0} µs |", 1e6 / time);
	}
	println!("\nOne sr25519 signature: {:.0} µs", signature(&owner));
	Ok(())
}
