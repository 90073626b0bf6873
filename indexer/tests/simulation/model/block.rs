// SPDX-License-Identifier: Apache-2.0
//! Blocks of random calls.

use content_fabric_client::{
	chain::{
		rows::{Collection, ContentObject, Member, Space},
		ChainEvent,
	},
	text::Text,
};
use content_fabric_identifiers::{ProviderId, TenantId};
use content_fabric_indexer::{
	rows::{Map, RowKey, RowValue},
	source::{BlockEvents, Cause, Deposited, FabricEvent},
};
use content_fabric_primitives::{MemberId, Role};
use rand::{
	rngs::StdRng,
	seq::{IndexedRandom, IteratorRandom},
	Rng,
};
use serde_json::json;
use subxt::utils::AccountId32;

use super::{content, members, purges, records, spaces, under, Fabric};

/// A block that is being made.
pub struct Making<'a> {
	pub fabric: &'a mut Fabric,
	pub rng: &'a mut StdRng,
	/// The number of the block.
	pub number: u64,
	/// Its time in milliseconds.
	pub time: u64,
	extrinsic: Option<u32>,
	next_index: u32,
	events: Vec<Deposited>,
}

/// A call with random arguments. `None` if it would fail.
type Call = fn(&mut Making<'_>) -> Option<()>;

/// The calls, and how often they are made.
const CALLS: &[(u32, Call)] = &[
	(3, spaces::create),
	(3, spaces::change),
	(6, spaces::admit),
	(3, spaces::revoke),
	(2, spaces::delete),
	(20, members::create),
	(12, members::change),
	(4, members::nominate),
	(3, members::accept_root),
	(5, members::delete),
	(2, purges::governance_delete),
	(2, purges::purge),
	(8, purges::reap),
	(8, under::set_key),
	(12, |making| making.provider().and_then(|provider| under::add_node(making, provider))),
	(16, under::change_node),
	(2, under::remove_node),
	(14, |making| making.tenant().and_then(|tenant| under::add_kms(making, tenant))),
	(4, under::change_kms),
	(16, |making| making.tenant().and_then(|tenant| content::add_object(making, tenant))),
	(3, content::delete_object),
	(40, content::commit),
	(12, content::finalize),
	(5, content::set_head),
	(12, content::delete_version),
	(12, |making| making.tenant().and_then(|tenant| records::add_collection(making, tenant))),
	(3, records::delete_collection),
	(60, records::put),
	(10, records::delete),
];

/// Makes a block of at most this many calls. Returns the pallet's storage after it, and its events.
pub fn make(
	parent: &Fabric,
	rng: &mut StdRng,
	number: u64,
	time: u64,
	calls: u32,
) -> (Fabric, BlockEvents) {
	let mut fabric = parent.clone();
	let mut made = BlockEvents { time, spec_version: fabric.spec_version, events: Vec::new() };
	fabric.salt(rng.random());
	if fabric.migrating > 0 {
		fabric.migrate(|| rng.random_bool(0.3));
		return (fabric, made);
	}
	let mut making = Making {
		fabric: &mut fabric,
		rng,
		number,
		time,
		extrinsic: Some(1),
		next_index: 1,
		events: Vec::new(),
	};
	for _ in 0..calls {
		let call = CALLS.choose_weighted(making.rng, |(weight, _)| *weight);
		(call.expect("there are calls").1)(&mut making);
		making.extrinsic = making.extrinsic.map(|place| place + 1);
	}
	making.extrinsic = None;
	purges::run(&mut making);
	made.events = making.events;
	// The runtime may be replaced at the end. Its migration begins with the next block.
	if rng.random_bool(0.015) {
		fabric.spec_version += 1;
		if rng.random_bool(0.6) {
			fabric.migrating = rng.random_range(1..6);
		}
	}
	(fabric, made)
}

impl Making<'_> {
	/// Deposits an event.
	pub fn deposit(&mut self, event: FabricEvent) {
		let index = self.next_index;
		// Other pallets deposit events, too.
		self.next_index += self.rng.random_range(1..3);
		let text = format!("{event:?}");
		let shown = ChainEvent {
			pallet: "ContentFabric".into(),
			name: text.split(' ').next().unwrap_or_default().into(),
			fields: [
				("event".into(), json!(text)),
				("number".into(), json!(self.rng.random::<u32>())),
			]
			.into(),
			fabric: Ok(None),
		};
		let extrinsic = self.extrinsic;
		let cause = extrinsic.map(|extrinsic| Cause {
			signer: (extrinsic % 3 > 0).then(|| format!("signer {extrinsic}")),
			extrinsic_hash: format!("0x{extrinsic:064x}"),
			via: if extrinsic % 5 == 0 { vec!["council".into()] } else { Vec::new() },
		});
		self.events.push(Deposited { index, extrinsic, event, shown, cause });
	}

	/// Returns whether something with this probability happens.
	pub fn chance(&mut self, probability: f64) -> bool {
		self.rng.random_bool(probability)
	}

	/// Returns a number below `end`.
	pub fn below(&mut self, end: u8) -> u8 {
		self.rng.random_range(0..end)
	}

	pub fn role(&mut self) -> Role {
		match self.chance(0.5) {
			true => Role::Provider,
			false => Role::Tenant,
		}
	}

	pub fn account(&mut self) -> AccountId32 {
		AccountId32([self.below(6); 32])
	}

	/// Returns an amount of the currency.
	pub fn amount(&mut self) -> u128 {
		self.rng.random_range(0..1_000)
	}

	/// Returns a short text.
	pub fn text(&mut self) -> Text {
		Text(format!("text {}", self.below(100)).into_bytes())
	}

	/// Returns the key of some row of a map, and its parts.
	pub fn some<Parts: TryFrom<RowKey>>(&mut self, map: Map) -> Option<(RowKey, Parts)> {
		let key = self.fabric.rows(map).map(|(key, _)| key).choose(self.rng)?;
		Some((key.clone(), key.clone().try_into().ok()?))
	}

	/// Returns the same of a row whose member is not being purged.
	pub fn open<Parts: TryFrom<RowKey>>(&mut self, map: Map) -> Option<(RowKey, Parts)> {
		let (key, parts) = self.some(map)?;
		let member = key.as_member().or(key.parent())?;
		(!self.fabric.is_purged(member)).then_some((key, parts))
	}

	/// Returns some provider that is not being purged.
	pub fn provider(&mut self) -> Option<ProviderId> {
		self.open(Map::Providers).map(|(_, (provider,))| provider)
	}

	/// Returns some tenant that is not being purged.
	pub fn tenant(&mut self) -> Option<TenantId> {
		self.open(Map::Tenants).map(|(_, (tenant,))| tenant)
	}

	/// Writes a row. A new one is counted.
	pub fn put(&mut self, key: RowKey, value: impl Into<RowValue>) {
		if !self.fabric.has(&key) {
			self.count(&key, 1);
		}
		self.fabric.put(key, value.into());
	}

	/// Removes a row.
	pub fn remove(&mut self, key: &RowKey) {
		self.fabric.remove(key);
		self.count(key, -1);
	}

	/// Makes a row with its event. `None` if the row exists.
	pub fn create(
		&mut self,
		key: RowKey,
		value: impl Into<RowValue>,
		event: FabricEvent,
	) -> Option<()> {
		if self.fabric.has(&key) {
			return None;
		}
		self.put(key, value);
		self.deposit(event);
		Some(())
	}

	/// Removes a row with its event.
	pub fn delete(&mut self, key: &RowKey, event: FabricEvent) -> Option<()> {
		self.remove(key);
		self.deposit(event);
		Some(())
	}

	/// Changes a row, if it exists.
	pub fn change<Row>(&mut self, key: RowKey, change: impl FnOnce(&mut Row)) -> Option<()>
	where
		Row: TryFrom<RowValue> + Into<RowValue>,
	{
		let mut row = self.fabric.get(&key)?;
		change(&mut row);
		self.fabric.put(key, row.into());
		Some(())
	}

	/// Changes the row of a member, and notes whether it has become empty.
	pub fn update(&mut self, id: MemberId, change: impl FnOnce(&mut Member)) {
		let Some(mut member) = self.fabric.member(id) else { return };
		let before = member.row_count();
		change(&mut member);
		if member.row_count() > 0 {
			member.empty_since = None;
		} else if before > 0 {
			member.empty_since = Some(self.number);
			self.deposit(FabricEvent::MemberEmptied { member: id });
		}
		self.fabric.put(RowKey::member(id), member.into());
	}

	/// Counts a row where the pallet does: in the member, and in the object, collection or space.
	fn count(&mut self, key: &RowKey, by: i32) {
		if let Some(member) = key.parent() {
			self.update(member, |member| members::add(member, key.map(), by));
		}
		let add = |count: &mut u32| {
			*count = count.checked_add_signed(by).expect("no count is below zero");
		};
		match key {
			RowKey::Version(tenant, object, _) => {
				let key = RowKey::ContentObject(*tenant, *object);
				self.change(key, |object: &mut ContentObject| add(&mut object.version_count));
			},
			RowKey::Record(tenant, name, _) => {
				let key = RowKey::Collection(*tenant, name.clone());
				self.change(key, |collection: &mut Collection| add(&mut collection.record_count));
			},
			RowKey::Admission(space, _) => {
				self.change(RowKey::Space(*space), |space: &mut Space| {
					add(&mut space.admission_count)
				});
			},
			_ => {},
		}
	}
}
