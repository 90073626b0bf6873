//! Measures how fast blocks take rows and transactions, kind by kind, on one node and one chain.
//!
//! The node seals on request. All transactions of a measurement are in the pool by then, so what is
//! measured is building and importing a block: each transaction is applied once, with its signature
//! and fee. Every measurement has the same number of versions, records or plain transactions,
//! however many of them are in one call.

use std::{hint::black_box, time::Instant};

use content_fabric_client::{
	calls::{self, VersionCommit},
	chain::Chain,
	ids,
	storage::{self, ContentRef},
};
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, TenantId, VersionId,
};
use content_fabric_primitives::DraftVersion;
use content_fabric_tests::{
	fabric::create_content_object,
	lockfile::{synthetic, CRATES_IO},
	process::{fabric_json, write, Node},
	raw::Raw,
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

/// Versions, records or plain transactions in one measurement.
const COUNT: u32 = 1_000;
/// Measurements of each kind. The median counts.
const ROUNDS: u32 = 5;
/// Sizes of batches, besides the largest that the chain allows.
const BATCHES: [u32; 3] = [1, 10, 100];
type Error = Box<dyn std::error::Error>;
type Payload = DynamicPayload<Composite<()>>;

/// The kinds of transactions.
#[derive(Clone, Copy, Debug)]
enum Kind {
	Remark,
	Transfer,
	CreateObject,
	/// Commits this many versions.
	Commit(u32),
	/// Finalizes this many of the versions that were committed in batches of this size.
	Finalize(u32),
	/// Puts this many records.
	Put(u32),
}

impl Kind {
	/// Returns all kinds, for the largest numbers of versions and records in a call. Versions are
	/// committed before they are finalized.
	fn all(max_versions: u32, max_records: u32) -> Vec<Self> {
		let batches = |max| BATCHES.into_iter().filter(move |batch| *batch < max).chain([max]);
		[Self::Remark, Self::Transfer, Self::CreateObject]
			.into_iter()
			.chain(batches(max_versions).map(Self::Commit))
			.chain(batches(max_versions).map(Self::Finalize))
			.chain(batches(max_records).map(Self::Put))
			.collect()
	}

	/// Returns the number of versions or records in one transaction.
	fn batch(self) -> u32 {
		match self {
			Self::Remark | Self::Transfer | Self::CreateObject => 1,
			Self::Commit(batch) | Self::Finalize(batch) | Self::Put(batch) => batch,
		}
	}

	fn call(self) -> &'static str {
		match self {
			Self::Remark => "System.remark",
			Self::Transfer => "Balances.transfer_keep_alive",
			Self::CreateObject => "create_content_object",
			Self::Commit(_) => "commit_versions",
			Self::Finalize(_) => "finalize_versions",
			Self::Put(_) => "put_records",
		}
	}
}

/// A fabric that the client has published, with one of everything.
struct Fabric {
	chain: Chain,
	raw: Raw,
	publisher: Keypair,
	owner: Keypair,
	provider: ProviderId,
	node: NodeId,
	tenant: TenantId,
	kms: KmsId,
	/// A content object with a version.
	target: ContentObjectId,
}

impl Fabric {
	async fn connect(url: &str) -> Result<Self, Error> {
		let space = ids::space("cargo");
		let (publisher, owner) = (keypair("//Bob")?, keypair("//Charlie")?);
		let provider = ids::provider(space, &publisher.public_key().to_account_id().to_string());
		let tenant = ids::tenant(space, CRATES_IO);
		Ok(Self {
			chain: Chain::connect(url).await?,
			raw: Raw::connect(url).await,
			publisher,
			owner,
			provider,
			node: ids::node(provider, "publisher"),
			tenant,
			kms: ids::kms(tenant, "publisher"),
			target: ids::content_object(tenant, "package-0"),
		})
	}

	/// Returns the account that signs transactions of a kind.
	fn signer(&self, kind: Kind) -> Result<Keypair, Error> {
		Ok(match kind {
			Kind::Remark => keypair("//Dave")?,
			Kind::Transfer => keypair("//Eve")?,
			Kind::CreateObject | Kind::Put(_) => self.owner.clone(),
			Kind::Commit(_) | Kind::Finalize(_) => self.publisher.clone(),
		})
	}

	/// Makes the transactions of a round's measurement: [`COUNT`] versions, records or plain
	/// transactions.
	async fn payloads(&self, kind: Kind, round: u32) -> Result<Vec<Payload>, Error> {
		let numbers: Vec<_> = (round * COUNT..(round + 1) * COUNT).collect();
		let batches = numbers.chunks(kind.batch() as usize);
		match kind {
			Kind::Remark => Ok(numbers.iter().copied().map(remark).collect()),
			Kind::Transfer => {
				let ferdie = keypair("//Ferdie")?.public_key();
				Ok(numbers.iter().map(|_| transfer(&ferdie.0)).collect())
			},
			Kind::CreateObject => {
				let create = |number: &u32| create_content_object(self.tenant, object(*number));
				Ok(numbers.iter().map(create).map(calls::Call::payload).collect())
			},
			Kind::Commit(batch) => {
				let (medallion, last) = self.node_clock().await?;
				let commit = |(timestamp, numbers): (u64, &[u32])| {
					let muid = Muid::new(timestamp, medallion, 0)?;
					self.commit(muid, batch, numbers)
				};
				(last + 1..).zip(batches).map(commit).collect()
			},
			Kind::Finalize(batch) => {
				let finalize = |numbers: &[u32]| {
					let versions: Vec<_> = numbers
						.iter()
						.map(|number| (self.target, version(batch, *number)))
						.collect();
					let (provider, node) = (self.provider, self.node);
					calls::finalize_versions(provider, node, self.tenant, &versions).payload()
				};
				Ok(batches.map(finalize).collect())
			},
			Kind::Put(batch) => {
				let target = ContentRef { object: self.target.0, version: None };
				let put = |numbers: &[u32]| {
					let keys: Vec<_> =
						numbers.iter().map(|number| format!("record-{batch}-{number}")).collect();
					let records = keys.iter().map(|key| (Some(key.as_str()), target));
					calls::put_records(self.tenant, "names", records).payload()
				};
				Ok(batches.map(put).collect())
			},
		}
	}

	/// Returns the medallion of the node, and the later of the chain's time and that of the node's
	/// last commit.
	async fn node_clock(&self) -> Result<(Medallion, u64), Error> {
		let now = self.chain.best().await?.now_micros().await?;
		let node = self.raw.node(self.provider, self.node).await.ok_or("there is no node")?;
		let last = node.last_muid.map_or(0, |muid| Muid::from_bytes(muid).timestamp());
		Ok((Medallion::new(node.medallion)?, now.max(last)))
	}

	fn commit(&self, muid: Muid, batch: u32, numbers: &[u32]) -> Result<Payload, Error> {
		let draft = |number: &u32| DraftVersion {
			object: self.target,
			version: version(batch, *number),
			size: 1,
			set_head_on_finalize: false,
		};
		let versions: Vec<_> = numbers.iter().map(draft).collect();
		let commit = VersionCommit {
			muid,
			originator: self.provider,
			node: self.node,
			tenant: self.tenant,
			kms: self.kms,
			create_objects: false,
			versions: versions.try_into().map_err(|_| "a commit has too many versions")?,
		};
		let signature = self.owner.sign(&commit.payload(self.chain.genesis_hash()));
		let signer = self.owner.public_key().to_account_id();
		Ok(calls::commit_versions(&signer, &commit, &signature.0).payload())
	}

	/// Checks that no transaction has failed, as failures cost less. The client published an
	/// object, a version, and two names.
	async fn check(&self, kinds: &[Kind]) -> Result<(), Error> {
		let measured = |counts: fn(&Kind) -> bool| {
			kinds.iter().filter(|kind| counts(kind)).count() * (ROUNDS * COUNT) as usize
		};
		let at = self.chain.best().await?;
		let objects = at.rows(&storage::content_objects(), (self.tenant.0,)).await?;
		assert_eq!(objects.len(), measured(|kind| matches!(kind, Kind::CreateObject)) + 1);
		let versions = at.rows(&storage::versions(), (self.tenant.0,)).await?;
		assert_eq!(versions.len(), measured(|kind| matches!(kind, Kind::Commit(_))) + 1);
		let finalized = versions.iter().filter(|(_, info)| info.finalized.is_some()).count();
		assert_eq!(finalized, measured(|kind| matches!(kind, Kind::Finalize(_))) + 1);
		let records = at.rows(&storage::records(), (self.tenant.0, b"names".to_vec())).await?;
		assert_eq!(records.len(), measured(|kind| matches!(kind, Kind::Put(_))) + 2);
		Ok(())
	}
}

/// The node, to which transactions are sent.
struct Bench {
	client: OnlineClient<SubstrateConfig>,
	rpc: RpcClient,
}

impl Bench {
	async fn connect(url: &str) -> Result<Self, Error> {
		let rpc = RpcClient::from_insecure_url(url).await?;
		Ok(Self { client: OnlineClient::from_rpc_client(rpc.clone()).await?, rpc })
	}

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
		// Transactions that do not fit one block are left to the next.
		loop {
			let pending: Vec<serde_json::Value> =
				self.rpc.request("author_pendingExtrinsics", rpc_params![]).await?;
			if pending.is_empty() {
				return Ok(seconds);
			}
			// Sealing fails if all that the pool still lists are in a block.
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

fn remark(number: u32) -> Payload {
	let remark = Value::from_bytes(number.to_be_bytes());
	subxt::dynamic::tx("System", "remark", Composite::named([("remark", remark)]))
}

fn transfer(dest: &[u8; 32]) -> Payload {
	let dest = Value::unnamed_variant("Id", [Value::from_bytes(dest)]);
	let arguments = Composite::named([("dest", dest), ("value", Value::u128(1))]);
	subxt::dynamic::tx("Balances", "transfer_keep_alive", arguments)
}

fn object(number: u32) -> ContentObjectId {
	let mut id = ContentObjectId([0xee; 10]);
	id.0[6..].copy_from_slice(&number.to_be_bytes());
	id
}

/// Returns a version that is committed in a batch of this size.
fn version(batch: u32, number: u32) -> VersionId {
	let mut id = VersionId([0xee; 32]);
	id.0[..4].copy_from_slice(&number.to_be_bytes());
	id.0[4..8].copy_from_slice(&batch.to_be_bytes());
	id
}

/// Returns the microseconds that one signature takes to check, outside the chain.
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
	let lockfile = write(dir.path(), "Cargo.lock", &synthetic(1));
	let node = Node::start(dir.path(), &[]);
	fabric_json(&node.url, &["publish", &lockfile]);
	node.kill();
	let node =
		Node::start(dir.path(), &["--consensus", "interval=3600000", "--pool-limit", "100000"]);

	let fabric = Fabric::connect(&node.url).await?;
	let bench = Bench::connect(&node.url).await?;
	let at = fabric.chain.best().await?;
	let limit = |name| at.constant("ContentFabric", name);
	let kinds = Kind::all(limit("MaxVersionsPerCommit")?, limit("MaxRecordsPerCall")?);
	let mut times = vec![Vec::new(); kinds.len()];
	for round in 0..ROUNDS {
		for (kind, times) in kinds.iter().zip(&mut times) {
			let payloads = fabric.payloads(*kind, round).await?;
			let seconds = bench.measure(&fabric.signer(*kind)?, &payloads).await?;
			times.push(seconds / f64::from(COUNT) * 1e6);
		}
	}
	fabric.check(&kinds).await?;

	let times: Vec<_> = times.into_iter().map(median).collect();
	println!("| call | batch | a second | each | ratio to `remark` |");
	println!("| --- | ---: | ---: | ---: | ---: |");
	for (kind, time) in kinds.iter().zip(&times) {
		let (call, batch, ratio) = (kind.call(), kind.batch(), times[0] / time);
		println!("| `{call}` | {batch} | {:.0} | {time:.0} µs | {ratio:.2} |", 1e6 / time);
	}
	println!("\nOne sr25519 signature: {:.0} µs", signature(&fabric.owner));
	Ok(())
}
