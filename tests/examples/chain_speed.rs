// SPDX-License-Identifier: Apache-2.0
//! Measures how fast blocks take rows and transactions, kind by kind, on one node and one chain.
//!
//! The node seals on request. All transactions of a measurement are in the pool by then, so what is
//! measured is building and importing a block: each transaction is applied once, with its signature
//! and fee. Every measurement has the same number of versions, records or plain transactions,
//! however many of them are in one call.

use std::{hint::black_box, time::Instant};

use content_fabric_client::{
	chain::{
		calls::{self, Call, EncodedCall},
		rows,
	},
	keys::Signer,
	text::Text,
};
use content_fabric_identifiers::{
	ContentObjectId, Medallion, Muid, NodeId, RecordKeySyntax, RecordKeyType, VersionId,
};
use content_fabric_primitives::{ContentRef, DraftVersion};
use content_fabric_tests::{
	client::{signer, Remark, VersionCommit},
	fabric::{draft, Fabric},
	process::Node,
	upgrade::calls_by_name::Sender,
};
use futures::{stream, StreamExt};
use subxt::{
	ext::scale_encode::EncodeAsType,
	rpcs::{rpc_params, RpcClient},
	utils::{AccountId32, MultiAddress},
};
use subxt_signer::sr25519;

/// Versions, records or plain transactions in one measurement.
const COUNT: u32 = 1_000;
/// Measurements of each kind. The median counts.
const ROUNDS: u32 = 5;
/// Transactions that are handed to the node at the same time.
const AT_ONCE: usize = 64;
/// Sizes of batches, besides the largest that the chain allows.
const BATCHES: [u32; 3] = [1, 10, 100];
type Error = Box<dyn std::error::Error>;

/// A call that moves funds.
#[derive(EncodeAsType)]
#[encode_as_type(crate_path = "subxt::ext::scale_encode")]
struct Transfer {
	dest: MultiAddress<AccountId32, ()>,
	value: u128,
}

impl Call for Transfer {
	const PALLET: &'static str = "Balances";
	const NAME: &'static str = "transfer_keep_alive";
}

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

/// A fabric with a node of Bob's, and a collection for the names of the tenant.
struct Measured {
	fabric: Fabric,
	node: NodeId,
}

impl Measured {
	/// Makes the transactions of a round's measurement: [`COUNT`] versions, records or plain
	/// transactions.
	async fn payloads(&self, kind: Kind, round: u32) -> Result<Vec<EncodedCall>, Error> {
		let Fabric { client, charlie, provider, tenant, object: target, .. } = &self.fabric;
		let (originator, node, tenant, target) = (*provider, self.node, *tenant, *target);
		let numbers: Vec<_> = (round * COUNT..(round + 1) * COUNT).collect();
		let batches = numbers.chunks(kind.batch() as usize);
		Ok(match kind {
			Kind::Remark => {
				let remark = |number: &u32| Remark { remark: number.to_be_bytes().to_vec() };
				numbers.iter().map(|number| client.encode(remark(number))).collect()
			},
			Kind::Transfer => {
				let dest = MultiAddress::Id(*signer("//Ferdie").account());
				let transfer = |_| client.encode(Transfer { dest: dest.clone(), value: 1 });
				numbers.iter().map(transfer).collect()
			},
			Kind::CreateObject => {
				let create =
					|number: &u32| calls::CreateContentObject { tenant, object: object(*number) };
				numbers.iter().map(|number| client.encode(create(number))).collect()
			},
			Kind::Commit(batch) => {
				let first = self.fabric.commit(node, &[]).await;
				let medallion = Medallion::new(first.muid.medallion())?;
				let commit = |(timestamp, numbers): (u64, &[u32])| -> Result<_, Error> {
					let drafts = numbers.iter().map(|number| DraftVersion {
						set_head_on_finalize: false,
						..draft(target, version(batch, *number))
					});
					let commit = VersionCommit {
						muid: Muid::new(timestamp, medallion, 0)?,
						create_objects: false,
						versions: drafts.collect::<Vec<_>>().try_into().expect("it is short"),
						..first.clone()
					};
					Ok(client.encode(client.signed(charlie, &commit)))
				};
				(first.muid.timestamp()..).zip(batches).map(commit).collect::<Result<_, _>>()?
			},
			Kind::Finalize(batch) => {
				let row = |number: &u32| (target, version(batch, *number));
				let finalize = |numbers: &[u32]| {
					let versions = numbers.iter().map(row).collect();
					client.encode(calls::FinalizeVersions {
						provider: originator,
						node,
						tenant,
						versions,
					})
				};
				batches.map(finalize).collect()
			},
			Kind::Put(batch) => {
				let target = ContentRef { object: target, version: None };
				let key = |number: &u32| format!("record-{batch}-{number}").into_bytes();
				let put = |numbers: &[u32]| {
					let records = numbers.iter().map(|number| (Some(key(number)), target));
					let (collection, records) = (b"names".to_vec(), records.collect());
					client.encode(calls::PutRecords { tenant, collection, records })
				};
				batches.map(put).collect()
			},
		})
	}

	/// Checks that no transaction has failed, as failures cost less. There was one object before.
	async fn check(&self, kinds: &[Kind]) -> Result<(), Error> {
		let measured = |counts: fn(&Kind) -> bool| {
			kinds.iter().filter(|kind| counts(kind)).count() * (ROUNDS * COUNT) as usize
		};
		let (at, tenant) = (self.fabric.client.best().await, self.fabric.tenant);
		let objects = at.rows(&rows::content_objects(), (tenant,)).await?;
		assert_eq!(objects.len(), measured(|kind| matches!(kind, Kind::CreateObject)) + 1);
		let versions = at.rows(&rows::versions(), (tenant,)).await?;
		assert_eq!(versions.len(), measured(|kind| matches!(kind, Kind::Commit(_))));
		let finalized = versions.iter().filter(|(_, info)| info.finalized.is_some()).count();
		assert_eq!(finalized, measured(|kind| matches!(kind, Kind::Finalize(_))));
		let records = at.rows(&rows::records(), (tenant, Text(b"names".to_vec()))).await?;
		assert_eq!(records.len(), measured(|kind| matches!(kind, Kind::Put(_))));
		Ok(())
	}
}

/// Signs calls and sends them all. Returns the seconds that it takes to put them into blocks.
async fn measure(rpc: &RpcClient, sender: &Sender, calls: &[EncodedCall]) -> Result<f64, Error> {
	let signed = sender.sign_all(calls).await;
	stream::iter(&signed).for_each_concurrent(AT_ONCE, |signed| sender.submit(signed)).await;
	let mut seconds = 0.0;
	// Transactions that do not fit one block are left to the next.
	loop {
		let pending: Vec<serde_json::Value> =
			rpc.request("author_pendingExtrinsics", rpc_params![]).await?;
		if pending.is_empty() {
			return Ok(seconds);
		}
		// Sealing fails if all that the pool still lists are in a block.
		let started = Instant::now();
		let sealed: Result<serde_json::Value, _> =
			rpc.request("engine_createBlock", rpc_params![false, false]).await;
		if sealed.is_ok() {
			seconds += started.elapsed().as_secs_f64();
		}
	}
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
fn signature(signer: &Signer) -> f64 {
	let message = [0; 100];
	let signature = signer.keypair().sign(&message);
	let started = Instant::now();
	for _ in 0..COUNT {
		assert!(sr25519::verify(&signature, black_box(message), &signer.keypair().public_key()));
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
	let fabric = Fabric::start(dir.path(), 0).await;
	let node = fabric.add_node("node", &fabric.bob).await;
	let (key_type, syntax) = (RecordKeyType::Any, RecordKeySyntax::PathSegment);
	let (tenant, name) = (fabric.tenant, b"names".to_vec());
	let create = calls::CreateCollection { tenant, name, key_type, syntax };
	fabric.submit(&fabric.charlie, create).await;
	// A block is finalized while later ones are measured, as long after its import as by default.
	let on_request = [
		["--consensus", "interval=3600000"],
		["--finalize-after", "1000"],
		["--pool-limit", "100000"],
	];
	let restart = |node: Node| {
		node.stop();
		Node::start(dir.path(), &on_request.concat())
	};
	let measured = Measured { fabric: fabric.served_by(restart).await, node };

	let fabric = &measured.fabric;
	let rpc = RpcClient::from_insecure_url(fabric.url()).await?;
	let at = fabric.client.best().await;
	let limit = |name| at.constant("ContentFabric", name);
	let kinds = Kind::all(limit("MaxVersionsPerCommit")?, limit("MaxRecordsPerCall")?);
	let mut times = vec![Vec::new(); kinds.len()];
	for round in 0..ROUNDS {
		for (kind, times) in kinds.iter().zip(&mut times) {
			let payloads = measured.payloads(*kind, round).await?;
			let key = match kind {
				Kind::Remark => "//Dave",
				Kind::Transfer => "//Eve",
				Kind::CreateObject | Kind::Put(_) => "//Charlie",
				Kind::Commit(_) | Kind::Finalize(_) => "//Bob",
			};
			let sender = Sender::connect(fabric.url(), signer(key)).await;
			let seconds = measure(&rpc, &sender, &payloads).await?;
			times.push(seconds / f64::from(COUNT) * 1e6);
		}
	}
	measured.check(&kinds).await?;

	let times: Vec<_> = times.into_iter().map(median).collect();
	println!("| call | batch | a second | each | ratio to `remark` |");
	println!("| --- | ---: | ---: | ---: | ---: |");
	for (kind, time) in kinds.iter().zip(&times) {
		let (call, batch, ratio) = (kind.call(), kind.batch(), times[0] / time);
		println!("| `{call}` | {batch} | {:.0} | {time:.0} µs | {ratio:.2} |", 1e6 / time);
	}
	println!("\nOne sr25519 signature: {:.0} µs", signature(&fabric.charlie));
	Ok(())
}
