// SPDX-License-Identifier: Apache-2.0
//! The medallions of the chain and its nodes: drawn from all that can be assigned, in another order
//! on each chain, and none twice.

use std::collections::BTreeSet;

use frame_support::{assert_noop, assert_ok};
use sp_core::H256;

use super::genesis::config;
use crate::{
	identifiers::{Medallion, Muid, NodeId},
	mock::*,
	Error, LastTid, MedallionSequence, Medallions, Nodes,
};

/// Number of medallions that can be assigned.
const MEDALLIONS: u64 = 1 << 40;

/// Returns the medallion of a place in the order: the chain's at 0, then its nodes'.
pub(super) fn nth(count: u64) -> Medallion {
	let medallions = Medallions::<Test>::get().expect("something was minted");
	medallions.nth(count).expect("some are left")
}

fn medallion_of(node: NodeId) -> Option<Medallion> {
	Nodes::<Test>::get(PROVIDER, node).map(|info| info.medallion)
}

/// Returns the first medallions of an order.
fn first(sequence: &MedallionSequence, count: u64) -> Vec<u64> {
	(0..count).map(|place| sequence.nth(place).expect("some are left").get()).collect()
}

/// Begins the next block after one with this hash.
fn begin_after(parent: u8) {
	let number = System::block_number() + 1;
	System::initialize(&number, &H256([parent; 32]), &Default::default());
}

#[test]
fn every_medallion_of_an_order_leads_back_to_its_place() {
	for seed in 0..8u8 {
		let sequence = MedallionSequence::draw(&[seed]);
		let spread = (0..10_000).map(|place| place * (MEDALLIONS / 10_000));
		for place in spread.chain(0..10_000).chain(MEDALLIONS - 10_000..MEDALLIONS) {
			let medallion = sequence.nth(place).expect("some are left");
			assert!(medallion.is_assignable(), "{medallion:?}");
			assert_eq!(sequence.place_of(medallion), Some(place));
		}
		for none in [MEDALLIONS, MEDALLIONS + 1, 1 << 60, u64::MAX] {
			assert_eq!(sequence.nth(none), None);
		}
		let (before, after) =
			(Medallion::FIRST_ASSIGNABLE.get() - 1, Medallion::LAST_ASSIGNABLE.get() + 1);
		for unassignable in [0, before, after, Medallion::MAX.get()] {
			let unassignable = Medallion::new(unassignable).expect("is in range");
			assert_eq!(sequence.place_of(unassignable), None);
		}
		// Every number has a place, not only those that are drawn early.
		for number in [Medallion::FIRST_ASSIGNABLE, Medallion::LAST_ASSIGNABLE] {
			let place = sequence.place_of(number).expect("it is assigned some day");
			assert_eq!(sequence.nth(place), Some(number));
		}
	}
}

#[test]
fn many_nodes_have_as_many_medallions_that_look_random() {
	let sequence = MedallionSequence::draw(b"a chain");
	let numbers = first(&sequence, 100_000);
	assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), numbers.len());
	// Half of them have each of the 40 bits, and half of them another one than the number before.
	let near_half = |count: usize| (49_000..51_000).contains(&count);
	for bit in 0..40 {
		let with = numbers.iter().filter(|number| *number >> bit & 1 == 1).count();
		let flips = numbers.windows(2).filter(|pair| (pair[0] ^ pair[1]) >> bit & 1 == 1).count();
		assert!(near_half(with) && near_half(flips), "bit {bit}: {with} and {flips}");
	}
}

#[test]
fn chains_have_different_orders() {
	let orders: Vec<_> =
		(0..100u8).map(|seed| first(&MedallionSequence::draw(&[seed]), 10)).collect();
	let all: BTreeSet<_> = orders.concat().into_iter().collect();
	assert_eq!(all.len(), 1_000);
}

/// Runs chains that differ in the block before the first call that mints only, and in its time.
#[test]
fn the_first_call_that_mints_draws_the_order_by_the_hash_of_the_block_before() {
	let drawn = |parent: u8, wait| {
		let mut chain = Chain::empty();
		chain.pass(wait);
		chain.block(|| {
			assert_eq!(Medallions::<Test>::get(), None);
			begin_after(parent);
			assert_ok!(create_space(SPACE, GOVERNOR, rules()));
			let clock_id = LastTid::<Test>::get().expect("it is drawn as well").clock_id();
			assert_eq!(Medallions::<Test>::get().map(|it| it.assigned), Some(1));
			(chain_medallion(), clock_id)
		})
	};
	assert_ne!(drawn(1, 1), drawn(2, 1));
	assert_eq!(drawn(1, 1), drawn(1, 5));
	let clock_ids: BTreeSet<_> = (0..20).map(|parent| drawn(parent, 1).1).collect();
	assert!(clock_ids.len() > 10, "{clock_ids:?}");
	// The order stays, whatever blocks follow.
	let mut chain = Chain::small_fabric();
	let (own, third) = chain.block(|| (chain_medallion(), nth(3)));
	chain.block(|| {
		begin_after(7);
		assert_ok!(create_node(PROVIDER, OTHER_NODE));
		assert_eq!(medallion_of(OTHER_NODE), Some(third));
		assert_ok!(create_object(OTHER_OBJECT));
		assert_eq!((chain_medallion(), nth(0)), (own, own));
	});
}

/// Whatever writes has a medallion in the range: the chain as well as its nodes.
#[test]
fn the_chain_has_the_first_medallion_of_the_order_and_no_node_has_it() {
	Chain::small_fabric().block(|| {
		let own = chain_medallion();
		assert_eq!(own, nth(0));
		assert!(own.is_assignable());
		assert_ne!(medallion_of(NODE), Some(own));
		assert_ne!(medallion_of(PENDING_NODE), Some(own));
		let (object, tenant) = (
			crate::ContentObjects::<Test>::get(TENANT, OBJECT).expect("it exists"),
			crate::Tenants::<Test>::get(TENANT),
		);
		let created = [object.created, tenant.expect("it exists").created];
		assert_eq!(created.map(Muid::medallion), [own.get(); 2]);
	});
}

#[test]
fn the_genesis_draws_the_order_by_its_configuration() {
	let first_of = |max_held, locator: &str| {
		let mut config = config();
		config.providers[0].max_held = max_held;
		config.nodes[0].locator = locator.into();
		genesis(config).execute_with(|| medallion_of(NODE))
	};
	assert_eq!(first_of(MAX_HELD, "x"), first_of(MAX_HELD, "x"));
	assert_ne!(first_of(MAX_HELD, "x"), first_of(MAX_HELD, "y"));
	assert_ne!(first_of(MAX_HELD, "x"), first_of(MAX_HELD - 1, "x"));
}

#[test]
fn a_medallion_is_never_assigned_twice() {
	Chain::small_fabric().block(|| {
		assert_eq!(medallion_of(NODE), Some(nth(1)));
		assert_ok!(ContentFabric::remove_node(signed(PROVIDER_ROOT), PROVIDER, NODE));
		assert_ok!(create_node(PROVIDER, NODE));
		// Two nodes have been created before: this one, and a pending one.
		assert_eq!(medallion_of(NODE), Some(nth(3)));
		// The node starts over.
		let info = Nodes::<Test>::get(PROVIDER, NODE).expect("was just created");
		assert_eq!((info.pending, info.last_muid), (true, None));
		assert_eq!(Medallions::<Test>::get().map(|it| it.assigned), Some(4));
	});
}

#[test]
fn a_node_cannot_be_created_after_the_last_medallion() {
	Chain::small_fabric().block(|| {
		let assigned = |count| {
			Medallions::<Test>::mutate(|it| it.as_mut().expect("it is drawn").assigned = count);
		};
		assigned(MEDALLIONS - 1);
		assert_ok!(create_node(PROVIDER, NodeId([10; 10])));
		let full = Medallions::<Test>::get();
		assert_eq!(full.as_ref().map(|it| it.assigned), Some(MEDALLIONS));
		let node = NodeId([11; 10]);
		assert_noop!(create_node(PROVIDER, node), Error::<Test>::MedallionsExhausted);
		assert_eq!(Medallions::<Test>::get(), full);
	});
}
