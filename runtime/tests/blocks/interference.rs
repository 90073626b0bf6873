// SPDX-License-Identifier: Apache-2.0
//! Purges in blocks whose other transactions try to make a purge slow. Keys that a block removes
//! stay in its overlay until its end, and ids can be chosen so that rows lie side by side. Whatever
//! the other transactions do, hooks and calls take no longer than their weight.

use std::{
	collections::BTreeMap,
	time::{Duration, Instant},
};

use content_fabric_runtime::{
	configs::{BlockWeights, MaxIdleWeight},
	AccountId, ContentFabric, Runtime, RuntimeCall, RuntimeOrigin,
};
use frame_support::{
	assert_ok,
	dispatch::{extract_actual_weight, GetDispatchInfo},
	traits::Hooks,
	weights::Weight,
};
use pallet_content_fabric::{
	identifiers::{RecordKeySyntax, RecordKeyType, TenantId},
	Call, ContentRef, Role,
};
use sp_keyring::Sr25519Keyring::{Bob, Charlie, Dave};
use sp_runtime::traits::Dispatchable;

use crate::{chain::*, fabric::*};

/// Members with a single row each.
const SMALL: u32 = 300;
/// Objects of a large tenant, each with a version. A build with assertions [checks no
/// times](assert_in_time), so fewer suffice.
const OBJECTS: u32 = if cfg!(debug_assertions) { 1_000 } else { 10_000 };
/// The objects and versions, the KMS and the collection.
const ROWS_OF_LARGE: u32 = 2 * OBJECTS + 2;

/// Tolerance for other work of the machine. The trap that this test guards against took seconds.
pub const INTERRUPTION: Duration = Duration::from_millis(20);

/// The map with the row of a small member: one behind the neighbour's, or the same one.
#[derive(Clone, Copy, Debug)]
enum Row {
	Kms,
	Object,
	Collection,
}

/// The tenants that are small, by the order of their rows in storage.
#[derive(Clone, Copy, Debug)]
enum Order {
	SmallFirst,
	LargeFirst,
	LargeAroundThem,
}

const ORDERS: [Order; 3] = [Order::SmallFirst, Order::LargeFirst, Order::LargeAroundThem];

/// A fabric with two large tenants and many small ones next to them in storage.
struct Neighbours {
	chain: Chain,
	large: [TenantId; 2],
	small: Vec<TenantId>,
}

impl Neighbours {
	fn new(order: Order, row: Row) -> Self {
		let mut chain = space_and_provider();
		// Ids are chosen freely, so anybody can have those whose rows are neighbours.
		let mut ids: Vec<_> = (0..SMALL + 2)
			.map(|number| {
				let mut id = TenantId([7; 10]);
				id.0[..4].copy_from_slice(&number.to_be_bytes());
				id
			})
			.collect();
		ids.sort_by_key(|id| sp_io::hashing::blake2_128(&id.0));
		let last = ids.len() - 1;
		let places = match order {
			Order::SmallFirst => [last - 1, last],
			Order::LargeFirst => [0, 1],
			Order::LargeAroundThem => [0, last],
		};
		let large = places.map(|place| ids[place]);
		let small: Vec<_> = ids.into_iter().filter(|id| !large.contains(id)).collect();
		for tenant in large {
			fill_large(&mut chain, tenant);
		}
		chain.block(|| small.iter().for_each(|tenant| fill_small(*tenant, row)));
		Self { chain, large, small }
	}

	/// The same, after governance has deleted the large ones, and then the small ones.
	fn deleted(order: Order) -> (Self, [TenantId; 2], Vec<TenantId>) {
		let mut fabric = Self::new(order, Row::Kms);
		let (large, small) = (fabric.large, fabric.small.clone());
		fabric.delete(&large);
		fabric.delete(&small);
		(fabric, large, small)
	}

	/// Has governance delete tenants.
	fn delete(&mut self, tenants: &[TenantId]) {
		self.chain.block(|| {
			tenants.iter().for_each(|tenant| delete(*tenant));
			// The chain has no weight to spare, so that all rows are left.
			fill_block();
		});
	}

	/// Does something in a block, and then what the block does by itself.
	fn block_with_idle(&mut self, what: &str, body: impl FnOnce(&mut Meter)) {
		let number = self.chain.number + 1;
		self.chain.bare_block(|| {
			let mut meter = Meter::default();
			body(&mut meter);
			let start = Instant::now();
			let weight = ContentFabric::on_idle(number, MaxIdleWeight::get());
			meter.add("on_idle", start.elapsed(), weight);
			meter.check(what);
		});
	}

	fn rows_of_small(&mut self) -> u32 {
		let small = &self.small;
		self.chain.run(|| small.iter().filter_map(|tenant| rows(*tenant)).sum())
	}
}

/// The time and weight of a block's calls and hooks.
#[derive(Default)]
struct Meter(BTreeMap<String, (Duration, Weight, u32)>);

impl Meter {
	fn add(&mut self, what: &str, time: Duration, weight: Weight) {
		assert_in_time(what, time, weight, INTERRUPTION);
		let (total_time, total_weight, count) = self.0.entry(what.into()).or_default();
		*total_time += time;
		*total_weight += weight;
		*count += 1;
	}

	/// Checks that no kind of call took longer than its weight.
	fn check(&self, block: &str) {
		for (what, (time, weight, count)) in &self.0 {
			let ratio = time.as_nanos() as f64 * 1_000.0 / weight.ref_time() as f64;
			println!("{block}: {count} of {what} in {time:?}, {ratio:.2} of their weight");
			assert_in_time(format_args!("{block}: {what}"), *time, *weight, INTERRUPTION);
		}
	}

	/// Makes a call as Dave. Returns whether it succeeded.
	fn dispatch(&mut self, what: &str, call: RuntimeCall) -> bool {
		let info = call.get_dispatch_info();
		let start = Instant::now();
		let result = call.dispatch(signed(Dave));
		self.add(what, start.elapsed(), extract_actual_weight(&result, &info));
		result.is_ok()
	}
}

fn fill_block() {
	let class = frame_support::dispatch::DispatchClass::Mandatory;
	let max = BlockWeights::get().max_block;
	content_fabric_runtime::System::register_extra_weight_unchecked(max, class);
}

fn fill_large(chain: &mut Chain, tenant: TenantId) {
	chain.block(|| create_tenant(tenant));
	let numbers: Vec<_> = (0..OBJECTS).collect();
	for block in numbers.chunks(5_000) {
		chain.block(|| {
			for (place, numbers) in block.chunks(500).enumerate() {
				let drafts = numbers.iter().map(|number| draft(object(*number), version(0)));
				commit(Bob, tenant, place as u64, drafts.collect());
			}
		});
	}
}

fn fill_small(tenant: TenantId, row: Row) {
	let root = || signed(Dave);
	assert_ok!(ContentFabric::create_tenant(root(), SPACE, tenant, ENDOWMENT));
	let (any, syntax) = (RecordKeyType::Any, RecordKeySyntax::Unreserved);
	let result = match row {
		Row::Kms => add_kms(Dave, tenant),
		Row::Object => ContentFabric::create_content_object(root(), tenant, object(0)),
		Row::Collection => {
			ContentFabric::create_collection(root(), tenant, text(COLLECTION), any, syntax)
		},
	};
	assert_ok!(result);
}

fn reap(tenant: TenantId, limit: u32) -> RuntimeCall {
	RuntimeCall::ContentFabric(Call::reap { member: tenant.into(), limit })
}

/// Returns a batch that reaps and then fails, so that all of it is undone.
fn reap_in_vain(tenant: TenantId, limit: u32) -> RuntimeCall {
	let fails = RuntimeCall::ContentFabric(Call::delete_member { member: tenant.into() });
	let calls = vec![reap(tenant, limit), fails];
	RuntimeCall::Utility(pallet_utility::Call::batch_all { calls })
}

#[test]
fn small_members_are_purged_in_time_after_a_large_neighbour_was() {
	for order in ORDERS {
		for row in [Row::Kms, Row::Object, Row::Collection] {
			let mut fabric = Neighbours::new(order, row);
			let large = fabric.large[0];
			// The small members wait in front of nobody.
			let small = fabric.small.clone();
			fabric.delete(&small);
			fabric.delete(&[large]);
			let what = format!("{order:?}, {row:?}");
			fabric.block_with_idle(&what, |meter| {
				let removed = meter.dispatch("reap of all", reap(large, ROWS_OF_LARGE));
				assert!(removed && rows(large).is_none());
			});
			for block in 0..20 {
				fabric.block_with_idle(&format!("{what}, block {block} after it"), |_| ());
			}
			assert_eq!(fabric.rows_of_small(), 0);
		}
	}
}

#[test]
fn two_large_neighbours_are_purged_in_time_in_one_block() {
	for order in ORDERS {
		let (mut fabric, large, _) = Neighbours::deleted(order);
		let mut block = 0;
		while fabric.chain.run(|| large.iter().any(|tenant| rows(*tenant).is_some())) {
			block += 1;
			let what = format!("{order:?}, block {block}");
			fabric.block_with_idle(&what, |meter| {
				// In turns, so that each meets what the other has removed.
				for tenant in [large[0], large[1], large[0], large[1]] {
					if rows(tenant).is_some() {
						meter.dispatch("reap of a part", reap(tenant, OBJECTS / 4));
					}
				}
			});
		}
		fabric.block_with_idle("at the end", |_| ());
	}
}

#[test]
fn batches_that_fail_are_in_time_and_change_nothing() {
	for order in ORDERS {
		let (mut fabric, large, small) = Neighbours::deleted(order);
		let what = format!("{order:?}");
		fabric.block_with_idle(&what, |meter| {
			// Untouched, and after some of it was removed in this block.
			for removed in [0, OBJECTS / 2] {
				if removed > 0 {
					assert!(meter.dispatch("reap", reap(large[0], removed)));
					assert!(meter.dispatch("reap", reap(large[1], removed)));
				}
				let before = large.map(rows);
				for limit in [1, 10, OBJECTS / 10, OBJECTS / 2, 1, 1, 1] {
					let what = format!("reap in vain of {limit} rows");
					for tenant in large {
						assert!(!meter.dispatch(&what, reap_in_vain(tenant, limit)));
					}
					for tenant in small.iter().take(20) {
						let what = "reap in vain of a small member";
						assert!(!meter.dispatch(what, reap_in_vain(*tenant, limit)));
					}
				}
				assert_eq!(large.map(rows), before);
			}
		});
	}
}

#[test]
fn purges_are_in_time_beside_rows_that_their_owner_deletes_one_by_one() {
	for order in ORDERS {
		let mut fabric = Neighbours::new(order, Row::Object);
		let (large, small) = (fabric.large, fabric.small.clone());
		// One large tenant lives on, and deletes thousands of rows in the block.
		let alive = large[1];
		let key = |number: u32| text(&number.to_string());
		fabric.chain.block(|| {
			let target = ContentRef { object: object(0), version: None };
			for first in (0..OBJECTS / 2).step_by(500) {
				let records =
					bounded((first..first + 500).map(|number| (Some(key(number)), target)));
				let (root, name) = (signed(Charlie), text(COLLECTION));
				assert_ok!(ContentFabric::put_records(root, alive, name, records));
			}
		});
		fabric.delete(&small);
		fabric.delete(&large[..1]);
		let what = format!("{order:?}");
		fabric.block_with_idle(&what, |meter| {
			for first in (0..OBJECTS / 2).step_by(500) {
				let (name, keys) = (text(COLLECTION), bounded((first..first + 500).map(key)));
				assert_ok!(ContentFabric::delete_records(signed(Charlie), alive, name, keys));
			}
			for number in 0..OBJECTS / 5 {
				let (object, root) = (object(number), || signed(Charlie));
				assert_ok!(ContentFabric::delete_version(root(), alive, object, version(0)));
				assert_ok!(ContentFabric::delete_content_object(root(), alive, object));
			}
			for tenant in small.iter().take(100) {
				assert!(meter.dispatch("reap of a small member", reap(*tenant, 10)));
			}
		});
	}
}

#[test]
fn purges_are_in_time_in_a_block_that_has_changed_as_much_as_it_can() {
	let (mut fabric, large, small) = Neighbours::deleted(Order::SmallFirst);
	let write = <Runtime as frame_system::Config>::DbWeight::get().writes(1);
	let changes = BlockWeights::get().max_block.ref_time() / write.ref_time();
	fabric.block_with_idle("a full overlay", |meter| {
		for number in 0..changes {
			sp_io::storage::set(&sp_io::hashing::blake2_256(&number.to_le_bytes()), &[1; 32]);
		}
		// Whole maps, a part of one, and small members.
		assert!(meter.dispatch("reap of whole maps", reap(large[0], ROWS_OF_LARGE)));
		assert!(meter.dispatch("reap of a part of a map", reap(large[1], OBJECTS / 10)));
		for tenant in small.iter().take(100) {
			assert!(meter.dispatch("reap of a small member", reap(*tenant, 1)));
		}
	});
}

fn admitted() -> impl Iterator<Item = (AccountId, Role)> {
	(0..1_000u32)
		.map(|number| (sp_io::hashing::blake2_256(&number.to_le_bytes()).into(), Role::Tenant))
}

/// A space without members is deleted at a price that does not depend on what was there.
#[test]
fn deleting_a_space_walks_over_nothing() {
	let mut chain = Chain::new();
	chain.block(|| {
		assert_ok!(ContentFabric::create_space(
			RuntimeOrigin::root(),
			SPACE,
			account(Dave),
			rules()
		));
		for (account, role) in admitted() {
			assert_ok!(ContentFabric::admit(signed(Dave), SPACE, account, role));
		}
	});
	chain.block(|| {
		let mut meter = Meter::default();
		let revoke = Call::revoke_admissions { space: SPACE, admissions: bounded(admitted()) };
		assert!(meter.dispatch("revoke_admissions", revoke.into()));
		let delete = || RuntimeCall::from(Call::delete_space { space: SPACE });
		for _ in 0..100 {
			let fails = Call::delete_member { member: TENANT.into() };
			let calls = vec![delete(), fails.into()];
			let batch = pallet_utility::Call::batch_all { calls };
			assert!(!meter.dispatch("delete_space in vain", batch.into()));
		}
		assert!(meter.dispatch("delete_space", delete()));
		meter.check("an empty space");
	});
}
