// SPDX-License-Identifier: Apache-2.0
//! Blocks of random calls.

use content_fabric_client::{chain::ChainEvent, text::Text};
use content_fabric_indexer::{
	rows::{Map, RowKey},
	source::{Cause, Deposited, FabricEvent},
};
use rand::{rngs::StdRng, seq::IteratorRandom, Rng};
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
	(1, spaces::set_rules),
	(2, spaces::set_governor),
	(6, spaces::admit),
	(3, spaces::revoke),
	(2, spaces::delete),
	(20, members::create),
	(3, members::top_up),
	(2, members::set_max_held),
	(4, members::nominate),
	(3, members::accept_root),
	(5, members::delete),
	(3, members::slash),
	(2, members::suspend),
	(2, members::freeze),
	(2, purges::governance_delete),
	(2, purges::purge),
	(8, purges::reap),
	(8, under::set_key),
	(12, under::create_node),
	(10, under::confirm_node),
	(3, under::set_node_locator),
	(3, under::set_node_operator),
	(2, under::remove_node),
	(14, under::add_kms),
	(3, under::set_kms_locator),
	(1, under::remove_kms),
	(16, content::create_object),
	(3, content::delete_object),
	(40, content::commit),
	(12, content::finalize),
	(5, content::set_head),
	(12, content::delete_version),
	(12, records::create_collection),
	(3, records::delete_collection),
	(60, records::put),
	(10, records::delete),
];

/// The effects of a block of random calls.
pub struct Made {
	/// The pallet's storage after it.
	pub fabric: Fabric,
	/// The events.
	pub events: Vec<Deposited>,
	/// The version of the runtime that made it.
	pub spec_version: u32,
}

/// Makes a block of at most this many calls.
pub fn make(parent: &Fabric, rng: &mut StdRng, number: u64, time: u64, calls: u32) -> Made {
	let mut fabric = parent.clone();
	let spec_version = fabric.spec_version;
	fabric.salt(rng.random());
	if fabric.migrating > 0 {
		fabric.migrate(|| rng.random_bool(0.3));
		return Made { fabric, events: Vec::new(), spec_version };
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
		making.call();
		making.extrinsic = making.extrinsic.map(|place| place + 1);
	}
	making.extrinsic = None;
	purges::run(&mut making);
	let events = making.events;
	// The runtime may be replaced at the end. Its migration begins with the next block.
	if rng.random_bool(0.015) {
		fabric.spec_version += 1;
		if rng.random_bool(0.6) {
			fabric.migrating = rng.random_range(1..6);
		}
	}
	Made { fabric, events, spec_version }
}

impl Making<'_> {
	fn call(&mut self) {
		let sum = CALLS.iter().map(|(weight, _)| weight).sum();
		let mut place = self.rng.random_range(0..sum);
		for (weight, call) in CALLS {
			match place.checked_sub(*weight) {
				Some(left) => place = left,
				None => {
					call(self);
					return;
				},
			}
		}
	}

	/// Deposits an event.
	pub fn deposit(&mut self, event: FabricEvent) {
		let index = self.next_index;
		// Other pallets deposit events, too.
		self.next_index += self.rng.random_range(1..3);
		let shown = ChainEvent {
			pallet: "ContentFabric".into(),
			name: event.name().into(),
			fields: vec![
				("event".into(), json!(format!("{event:?}"))),
				("number".into(), json!(self.rng.random::<u32>())),
			],
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

	/// Returns the key of some row of a map.
	pub fn some(&mut self, map: Map) -> Option<RowKey> {
		self.fabric.rows(map).map(|(key, _)| key).choose(self.rng).cloned()
	}
}
