// SPDX-License-Identifier: Apache-2.0
//! The longest lists within as many other calls as the limit allows, made on validators.

use content_fabric_client::{
	chain::{
		calls::{self, Call, EncodedCall},
		rows, Snapshot,
	},
	keys::Signer,
};
use content_fabric_primitives::ContentRef;
use scale_encode::EncodeAsType;
use subxt::{
	ext::codec::Compact,
	utils::{AccountId32, MultiAddress, H256},
};

use super::{partition::SUBMITTERS, Faults, ACCESS, ALL, FULL_BLOCKS};
use crate::{
	client::{signer, Client, Remark},
	process::report,
	published::tenant,
	raw::{storage_value, Raw},
};

/// Maximum number of calls around a call.
const LIMIT: usize = 4;
/// Calls with the longest lists, as many as fit a block.
const CALLS: u32 = 6;
/// Items of a list.
const ITEMS: u32 = 500;
/// Packages that are published, each with a record.
const PACKAGES: u32 = CALLS * ITEMS;
/// Rows that `reap` is to remove.
const REAPED: u32 = 10_000;

macro_rules! wrappers {
	($($pallet:literal $call:literal: $name:ident { $($field:ident: $type:ty),* })*) => {$(
		#[derive(EncodeAsType)]
		struct $name { $($field: $type,)* }

		impl Call for $name {
			const PALLET: &'static str = $pallet;
			const NAME: &'static str = $call;
		}
	)*};
}

wrappers! {
	"Utility" "force_batch": ForceBatch { calls: Vec<EncodedCall> }
	"Utility" "if_else": IfElse { main: EncodedCall, fallback: EncodedCall }
	"Utility" "as_derivative": AsDerivative { index: u16, call: EncodedCall }
	"Multisig" "as_multi_threshold_1": AsMultiThreshold1 {
		other_signatories: Vec<AccountId32>, call: EncodedCall
	}
	"Proxy" "add_proxy": AddProxy {
		delegate: MultiAddress<AccountId32, ()>, proxy_type: ProxyType, delay: u32
	}
}

#[derive(EncodeAsType)]
enum ProxyType {
	Any,
}

/// Puts a call into another one.
type Wrap = fn(&Client, EncodedCall) -> EncodedCall;

fn force_batch(client: &Client, call: EncodedCall) -> EncodedCall {
	client.encode(ForceBatch { calls: vec![call] })
}

fn if_else(client: &Client, main: EncodedCall) -> EncodedCall {
	let fallback = client.encode(Remark { remark: Vec::new() });
	client.encode(IfElse { main, fallback })
}

fn of_charlie(client: &Client, call: EncodedCall) -> EncodedCall {
	let real = MultiAddress::Id(*signer("//Charlie").account());
	client.encode(calls::Proxy { real, force_proxy_type: None, call })
}

fn as_derivative(client: &Client, call: EncodedCall) -> EncodedCall {
	client.encode(AsDerivative { index: 0, call })
}

fn as_multi_threshold_1(client: &Client, call: EncodedCall) -> EncodedCall {
	let other_signatories = vec![*signer("//Bob").account()];
	client.encode(AsMultiThreshold1 { other_signatories, call })
}

/// Returns a call within others, from the inside out.
fn nest(client: &Client, call: EncodedCall, wrappers: &[Wrap]) -> EncodedCall {
	wrappers.iter().fold(call, |call, wrap| wrap(client, call))
}

/// A block as it was built.
struct Built {
	milliseconds: u64,
	weight: u64,
}

impl Faults {
	/// Makes calls with the longest lists, within as many calls as the limit allows. The next
	/// block follows within two slots. All validators refuse calls that are nested deeper.
	pub async fn nest(&mut self) {
		report(&self.publish_more(PACKAGES).await.end(), 0);
		let client = Client::connect(&self.testbed.nodes[ACCESS].url).await;
		let [alice, charlie, proxy] = ["//Alice", "//Charlie", SUBMITTERS[0]].map(signer);
		let delegate = MultiAddress::Id(*proxy.account());
		let proxy_type = ProxyType::Any;
		client.submit(&charlie, AddProxy { delegate, proxy_type, delay: 0 }).await;

		let own: [Wrap; 3] = [force_batch, if_else, force_batch];
		let by_proxy: [Wrap; 3] = [force_batch, of_charlie, if_else];
		let places = places(&client.best().await).await;
		let (charlies, delegated) =
			(puts(&client, &places, 1).await, puts(&client, &places, 2).await);
		self.timed(&client, &charlie, ("RecordPut", PACKAGES), charlies, &own).await;
		self.timed(&client, &proxy, ("RecordPut", PACKAGES), delegated, &by_proxy).await;

		let row = client.best().await.get(&rows::tenants(), (tenant(),)).await;
		let created = row.expect("the node answers").expect("the tenant exists").created;
		let (member, reason) = (tenant().into(), Vec::new());
		let delete = calls::GovernanceDelete { member, created, slash: 0, reason };
		client.submit(&alice, delete).await;
		let reap = client.encode(calls::Reap { member: tenant().into(), limit: REAPED });
		let of_anybody: [Wrap; 3] = [as_derivative, as_multi_threshold_1, if_else];
		self.timed(&client, &proxy, ("PurgeProgressed", 1), vec![reap], &of_anybody).await;

		for number in ALL {
			let client = Client::connect(&self.testbed.nodes[number].url).await;
			for wrap in [force_batch, if_else, of_charlie, as_derivative, as_multi_threshold_1] {
				let remark = client.encode(Remark { remark: Vec::new() });
				let beyond = nest(&client, remark, &[wrap; LIMIT + 1]);
				let refused = client.try_submit(&proxy, &beyond).await.map(drop);
				let refused = refused.expect_err("it is nested too deeply").to_string();
				assert!(refused.contains("Transaction call is not expected"), "{refused}");
			}
		}
		self.recovers("the calls").await;
	}

	/// Makes calls in one, within as many others as the limit allows. They have this many events.
	async fn timed(
		&self,
		client: &Client,
		by: &Signer,
		(event, count): (&str, u32),
		calls: Vec<EncodedCall>,
		wrappers: &[Wrap; LIMIT - 1],
	) {
		let call = nest(client, client.encode(client.batch(calls)), wrappers);
		let included = client.try_submit(by, &call).await;
		let included = included.unwrap_or_else(|error| panic!("{event}: {error}"));
		let found = included.events.iter().filter(|found| found.name == event).count();
		assert_eq!(found, count as usize, "{event}");
		let raw = self.testbed.nodes[ACCESS].connect().await;
		let (number, block) = (included.block_number, H256(included.block_hash));
		let Built { milliseconds, weight } = self.built(&raw, (number, block)).await;
		println!("{event}: {milliseconds} ms for {} ms of weight", weight / 1_000_000_000);
		self.testbed.reaches(&ALL, number + 1, super::RECOVERY).await;
		for (earlier, later) in [(number - 1, number), (number, number + 1)] {
			let mut times = Vec::new();
			for number in [earlier, later] {
				let hash = raw.block_hash(number).await.expect("there is such a block");
				times.push(raw.time(hash).await);
			}
			let pause = times[1] - times[0];
			assert!(pause <= 2 * FULL_BLOCKS.slot, "{event}: {pause} ms without a block");
		}
	}

	/// Returns how long it took to build a block, by the validators' logs, and its weight in
	/// picoseconds. Of several blocks of a number, the one that took longest counts.
	async fn built(&self, raw: &Raw, (number, block): (u64, H256)) -> Built {
		let mark = format!("Prepared block for proposing at {number} (");
		let times = self.testbed.nodes.iter().flat_map(|node| {
			let log = std::fs::read(&node.log).expect("the log can be read");
			let log = String::from_utf8_lossy(&log).into_owned();
			let found = log.lines().filter_map(|line| line.split_once(&mark)?.1.split_once(" ms)"));
			found.filter_map(|(time, _)| time.parse::<u64>().ok()).collect::<Vec<_>>()
		});
		let milliseconds = times.max();
		let weight = raw.value_at(&storage_value("System", "BlockWeight"), Some(block)).await;
		let weights: [(Compact<u64>, Compact<u64>); 3] = weight.expect("a block has a weight");
		let weight = weights.iter().map(|(time, _)| time.0).sum();
		Built { milliseconds: milliseconds.expect("a validator has built it"), weight }
	}
}

/// A collection and the key of a record in it.
type Place = (Vec<u8>, Vec<u8>);

/// Returns records of the packages' names, in the order of their keys.
async fn places(at: &Snapshot) -> Vec<Place> {
	let found = at.rows(&rows::records(), (tenant(),)).await.expect("the node answers");
	let places = found.into_iter().map(|((_, collection, key), _)| (collection.0, key.0));
	let places = places.filter(|(collection, _)| collection == b"names");
	let mut places: Vec<_> = places.take(PACKAGES as usize).collect();
	places.sort();
	assert_eq!(places.len(), PACKAGES as usize, "there are too few records");
	places
}

/// Returns the calls that give each record another target.
async fn puts(client: &Client, places: &[Place], shift: usize) -> Vec<EncodedCall> {
	let objects = client.best().await.rows(&rows::content_objects(), (tenant(),)).await;
	let objects: Vec<_> =
		objects.expect("the node answers").into_iter().map(|((_, object), _)| object).collect();
	let targets = objects.iter().cycle().skip(shift);
	let mut targets = targets.map(|object| ContentRef { object: *object, version: None });
	let put = |list: &[Place]| {
		let (tenant, collection) = (tenant(), list[0].0.clone());
		let records = list.iter().map(|(_, key)| Some(key.clone())).zip(&mut targets).collect();
		client.encode(calls::PutRecords { tenant, collection, records })
	};
	places.chunks(ITEMS as usize).map(put).collect()
}
