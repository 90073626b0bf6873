// SPDX-License-Identifier: Apache-2.0
//! The longest lists within as many other calls as the limit allows, made on validators.

use content_fabric_client::{
	chain::{
		calls::{self, Call, EncodedCall},
		rows, Snapshot,
	},
	ids,
	keys::Signer,
};
use content_fabric_identifiers::{ContentObjectId, Medallion, Muid, VersionId};
use content_fabric_primitives::{ContentRef, Role};
use scale_encode::EncodeAsType;
use subxt::{
	ext::codec::Compact,
	utils::{AccountId32, MultiAddress, H256},
};

use super::{
	partition::{Remark, SUBMITTERS},
	Faults, ACCESS, ALL, FULL_BLOCKS,
};
use crate::{
	client::{signer, Client, VersionCommit},
	fabric::draft,
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
/// Accounts that a space may admit.
const ADMITTED: u32 = 1_000;
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
	/// Makes the calls with the longest lists, within as many calls as the limit allows. The next
	/// block follows within two slots. All validators refuse calls that are nested deeper.
	pub async fn nest(&mut self) {
		report(&self.publish_more(PACKAGES).await.end(), 0);
		let client = Client::connect(&self.testbed.nodes[ACCESS].url).await;
		let [alice, bob, charlie, proxy] =
			["//Alice", "//Bob", "//Charlie", SUBMITTERS[0]].map(signer);
		let delegate = MultiAddress::Id(*proxy.account());
		let proxy_type = ProxyType::Any;
		client.submit(&charlie, AddProxy { delegate, proxy_type, delay: 0 }).await;

		let own: [Wrap; 3] = [force_batch, if_else, force_batch];
		let by_proxy: [Wrap; 3] = [force_batch, of_charlie, if_else];
		let places = places(&client.best().await).await;
		let puts_by_charlie = puts(&client, &places, 1).await;
		let puts_by_proxy = puts(&client, &places, 2).await;
		let deletes = deletes(&client, &places);
		let revokes = revokes(&client, &alice).await;
		let commits = commits(&client).await;
		for (by, event, calls, wrappers) in [
			(&charlie, ("RecordPut", PACKAGES), puts_by_charlie, &own),
			(&proxy, ("RecordPut", PACKAGES), puts_by_proxy, &by_proxy),
			(&proxy, ("RecordDeleted", PACKAGES), deletes, &by_proxy),
			(&bob, ("VersionCommitted", PACKAGES), commits, &own),
			(&alice, ("AdmissionRevoked", ADMITTED), revokes, &own),
		] {
			self.timed(&client, by, event, calls, wrappers).await;
		}

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

/// Returns the places of records, a list for each call.
fn lists(places: &[Place]) -> impl Iterator<Item = (Vec<u8>, Vec<Vec<u8>>)> + '_ {
	places.chunks(ITEMS as usize).map(|list| {
		let keys = list.iter().map(|(_, key)| key.clone()).collect();
		(list[0].0.clone(), keys)
	})
}

/// Returns the calls that give each record another target.
async fn puts(client: &Client, places: &[Place], shift: usize) -> Vec<EncodedCall> {
	let objects = client.best().await.rows(&rows::content_objects(), (tenant(),)).await;
	let objects: Vec<_> =
		objects.expect("the node answers").into_iter().map(|((_, object), _)| object).collect();
	let targets = objects.iter().cycle().skip(shift);
	let mut targets = targets.map(|object| ContentRef { object: *object, version: None });
	lists(places)
		.map(|(collection, keys)| {
			let records = keys.into_iter().map(Some).zip(&mut targets).collect();
			client.encode(calls::PutRecords { tenant: tenant(), collection, records })
		})
		.collect()
}

fn deletes(client: &Client, places: &[Place]) -> Vec<EncodedCall> {
	lists(places)
		.map(|(collection, keys)| {
			client.encode(calls::DeleteRecords { tenant: tenant(), collection, keys })
		})
		.collect()
}

/// Returns the calls that commit versions of new objects, with Charlie's signature.
async fn commits(client: &Client) -> Vec<EncodedCall> {
	let at = client.best().await;
	let nodes = at.rows(&rows::nodes(), ()).await.expect("the node answers");
	let kmses = at.rows(&rows::kmses(), (tenant(),)).await.expect("the node answers");
	let ((originator, node), info) = nodes.into_iter().next().expect("the publisher has a node");
	let ((_, kms), _) = kmses.into_iter().next().expect("the tenant has a KMS");
	let medallion = Medallion::new(info.medallion).expect("the chain has drawn it");
	let mut last =
		client.chain.next_muid((originator, node), false, None).await.expect("the node answers");
	let mut commits = Vec::new();
	for call in 0..CALLS {
		let drafts: Vec<_> = (0..ITEMS)
			.map(|number| {
				let [.., high, low] = (call * ITEMS + number).to_be_bytes();
				let (mut object, mut version) = ([0; 10], [0; 32]);
				object[..2].copy_from_slice(&[high, low]);
				version[..2].copy_from_slice(&[high, low]);
				draft(ContentObjectId(object), VersionId(version))
			})
			.collect();
		let commit = VersionCommit {
			muid: last,
			originator,
			node,
			tenant: tenant(),
			kms,
			create_objects: true,
			versions: drafts.try_into().expect("the list is not too long"),
		};
		commits.push(client.encode(client.signed(&signer("//Charlie"), &commit)));
		let next = Muid::next_transaction(Some(last), last.timestamp(), medallion);
		last = next.expect("there is another muid");
	}
	commits
}

/// Admits accounts to the space of the packages. Returns the calls that revoke that.
async fn revokes(client: &Client, governor: &Signer) -> Vec<EncodedCall> {
	let space = ids::space("cargo");
	let mut calls = Vec::new();
	for call in 0..ADMITTED / ITEMS {
		let accounts = (0..ITEMS).map(|number| {
			let mut account = [1; 32];
			account[..4].copy_from_slice(&(call * ITEMS + number).to_be_bytes());
			(AccountId32(account), Role::Tenant)
		});
		let admissions: Vec<_> = accounts.collect();
		let admits = admissions.iter().map(|(account, role)| {
			client.encode(calls::Admit { space, account: *account, role: *role })
		});
		client.submit(governor, client.batch(admits.collect::<Vec<_>>())).await;
		calls.push(client.encode(calls::RevokeAdmissions { space, admissions }));
	}
	calls
}
