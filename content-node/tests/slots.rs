// SPDX-License-Identifier: Apache-2.0
//! Limits of what clients do at the same time.

use content_fabric_content_node::api::slots::Slots;

#[test]
fn a_client_has_its_share_and_gets_places_back() {
	let slots = Slots::new((3, 2));
	let client = |text: &str| text.parse().expect("it is an address; qed");
	let [one, two] = ["192.0.2.1", "192.0.2.2"].map(client);
	let first = slots.take(one).expect("all are free");
	let _second = slots.take(one).expect("the client has two");
	assert!(slots.take(one).is_none(), "more than its share");
	let third = slots.take(two).expect("the other client has none yet");
	assert!(slots.take(two).is_none(), "more than there are");
	assert_eq!(slots.taken(), 3);
	drop((first, third));
	assert_eq!(slots.taken(), 1);
	assert!(slots.take(one).is_some());
}

#[test]
fn addresses_of_ipv6_with_the_same_first_half_are_one_client() {
	let slots = Slots::new((9, 1));
	let client = |text: &str| text.parse().expect("it is an address; qed");
	let _one = slots.take(client("2001:db8::1")).expect("all are free");
	assert!(slots.take(client("2001:db8::ffff:2")).is_none());
	assert!(slots.take(client("2001:db8:0:1::1")).is_some());
}
