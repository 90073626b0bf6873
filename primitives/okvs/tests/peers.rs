// SPDX-License-Identifier: Apache-2.0
//! Packing beside the published Rust layer, on tens of thousands of tuples.

#[path = "common/tuples.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod tuples;

use content_fabric_okvs::tuple::{pack, Element};
use foundationdb_tuple as peer;
use proptest::{
	strategy::{Strategy, ValueTree},
	test_runner::{Config, TestRng, TestRunner},
};
use tuples::any_tuple;

const TUPLES: usize = 30_000;

fn to_peer<'e>(element: &'e Element) -> peer::Element<'e> {
	match element {
		Element::Null => peer::Element::Nil,
		Element::Bytes(bytes) => peer::Element::Bytes(bytes.as_ref().into()),
		Element::String(string) => peer::Element::String(string.as_ref().into()),
		Element::Tuple(items) => peer::Element::Tuple(items.iter().map(to_peer).collect()),
		Element::Int(value) => match i64::try_from(*value) {
			Ok(value) => peer::Element::Int(value),
			Err(_) => peer::Element::BigInt((*value).into()),
		},
		Element::BigInt(value) => peer::Element::BigInt(value.get().clone()),
		Element::Float(value) => peer::Element::Float(*value),
		Element::Double(value) => peer::Element::Double(*value),
		Element::Bool(value) => peer::Element::Bool(*value),
		Element::Uuid(uuid) => peer::Element::Uuid(peer::Uuid::from_bytes(uuid.0)),
		Element::Versionstamp(stamp) => {
			peer::Element::Versionstamp(peer::Versionstamp::complete(stamp.transaction, stamp.user))
		},
		other => panic!("{other:?} is new"),
	}
}

#[test]
fn tuples_agree_with_the_rust_layer() {
	let mut runner =
		TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(Default::default()));
	let strategy = any_tuple();
	for _ in 0..TUPLES {
		let items = strategy.new_tree(&mut runner).expect("nothing is rejected").current();
		let packed = pack(&items);
		let theirs: Vec<_> = items.iter().map(to_peer).collect();
		assert_eq!(peer::pack(&theirs), packed, "{items:?}");
		// The peer reads versionstamps of ones only as incomplete, and writes them all the same.
		let read: Vec<peer::Element> = peer::unpack(&packed).expect("the peer reads its own form");
		assert_eq!(peer::pack(&read), packed, "{items:?}");
	}
}
