// SPDX-License-Identifier: Apache-2.0
//! Packing beside another implementation of the layer, on the same tuples in the same run.

use std::{borrow::Cow, hint::black_box, time::Duration};

use content_fabric_okvs::tuple::{pack, pack_into, unpack, Element};
use criterion::{criterion_group, criterion_main, Criterion};
use foundationdb_tuple as peer;

/// Six items, 37 bytes.
type Six<'a> = (i64, i64, i64, &'a str, &'a str, &'a str);
const SIX: Six = (42, 1337, 0, "P4X432", "blog/title", "hyper.dev");

type Theirs<'a> = (i64, i64, i64, Cow<'a, str>, Cow<'a, str>, Cow<'a, str>);

fn beside<A, B>(
	c: &mut Criterion,
	name: &str,
	mut ours: impl FnMut() -> A,
	mut theirs: impl FnMut() -> B,
) {
	let mut group = c.benchmark_group(format!("tuple/{name}"));
	group.bench_function("ours", |b| b.iter(&mut ours));
	group.bench_function("foundationdb-tuple", |b| b.iter(&mut theirs));
}

fn six(c: &mut Criterion) {
	let packed = &pack(&SIX);
	assert_eq!((packed.len(), packed), (37, &peer::pack(&SIX)));
	let ours: Vec<Element> = unpack(packed).expect("was packed");
	let theirs: Vec<peer::Element> = peer::unpack(packed).expect("was packed");

	beside(c, "pack, types known", || pack(&black_box(SIX)), || peer::pack(&black_box(SIX)));
	let (mut vector, mut peers) = (Vec::with_capacity(64), Vec::with_capacity(64));
	beside(
		c,
		"pack into a vector, types known",
		|| {
			vector.clear();
			pack_into(&black_box(SIX), &mut vector);
			black_box(vector.as_slice()).len()
		},
		|| {
			peers.clear();
			let _ = peer::pack_into(&black_box(SIX), &mut peers);
			black_box(peers.as_slice()).len()
		},
	);
	beside(c, "pack, types unknown", || pack(black_box(&ours)), || peer::pack(black_box(&theirs)));
	beside(
		c,
		"unpack, types known",
		|| unpack::<Six>(black_box(packed)),
		|| peer::unpack::<Theirs>(black_box(packed)),
	);
	beside(
		c,
		"unpack, types unknown",
		|| unpack::<Vec<Element>>(black_box(packed)),
		|| peer::unpack::<Vec<peer::Element>>(black_box(packed)),
	);
}

fn strings(c: &mut Criterion) {
	for (name, content) in [("zeros", vec![0; 1024]), ("letters", vec![b'a'; 1024])] {
		let theirs = peer::Bytes::from(content.as_slice());
		let packed = &pack(&(content.as_slice(),));
		beside(
			c,
			&format!("pack 1 KiB of {name}"),
			|| pack(&(black_box(content.as_slice()),)),
			|| peer::pack(&(black_box(&theirs),)),
		);
		beside(
			c,
			&format!("unpack 1 KiB of {name}"),
			|| unpack::<Vec<Element>>(black_box(packed)),
			|| peer::unpack::<Vec<peer::Element>>(black_box(packed)),
		);
	}
}

criterion_group! {
	name = benches;
	config = Criterion::default()
		.warm_up_time(Duration::from_millis(500))
		.measurement_time(Duration::from_secs(2));
	targets = six, strings
}
criterion_main!(benches);
