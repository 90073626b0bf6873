// SPDX-License-Identifier: Apache-2.0
//! Packing beside another implementation of the layer, on the same tuples in the same run.

use std::{hint::black_box, time::Duration};

use content_fabric_okvs::tuple::{pack, pack_into, unpack, Element};
use criterion::{criterion_group, criterion_main, Criterion};
use foundationdb_tuple as peer;

/// Six items, 37 bytes.
type Six<'a> = (i64, i64, i64, &'a str, &'a str, &'a str);
const SIX: Six = (42, 1337, 0, "P4X432", "blog/title", "hyper.dev");

fn six(c: &mut Criterion) {
	let packed = pack(&SIX);
	assert_eq!((packed.len(), &packed), (37, &peer::pack(&SIX)));

	let mut group = c.benchmark_group("tuple/pack, types known");
	group.bench_function("ours", |b| b.iter(|| pack(&black_box(SIX))));
	group.bench_function("foundationdb-tuple", |b| b.iter(|| peer::pack(&black_box(SIX))));
	group.finish();

	let mut group = c.benchmark_group("tuple/pack into a vector, types known");
	let mut vector = Vec::with_capacity(64);
	group.bench_function("ours", |b| {
		b.iter(|| {
			vector.clear();
			pack_into(&black_box(SIX), &mut vector);
			black_box(vector.as_slice()).len()
		})
	});
	group.bench_function("foundationdb-tuple", |b| {
		b.iter(|| {
			vector.clear();
			let _ = peer::pack_into(&black_box(SIX), &mut vector);
			black_box(vector.as_slice()).len()
		})
	});
	group.finish();

	let ours: Vec<Element> = unpack(&packed).expect("was packed");
	let theirs: Vec<peer::Element> = peer::unpack(&packed).expect("was packed");
	let mut group = c.benchmark_group("tuple/pack, types unknown");
	group.bench_function("ours", |b| b.iter(|| pack(black_box(&ours))));
	group.bench_function("foundationdb-tuple", |b| b.iter(|| peer::pack(black_box(&theirs))));
	group.finish();

	let mut group = c.benchmark_group("tuple/unpack, types known");
	group.bench_function("ours", |b| b.iter(|| unpack::<Six>(black_box(&packed))));
	type Peers<'a> = (
		i64,
		i64,
		i64,
		std::borrow::Cow<'a, str>,
		std::borrow::Cow<'a, str>,
		std::borrow::Cow<'a, str>,
	);
	group.bench_function("foundationdb-tuple", |b| {
		b.iter(|| peer::unpack::<Peers>(black_box(&packed)))
	});
	group.finish();

	let mut group = c.benchmark_group("tuple/unpack, types unknown");
	group.bench_function("ours", |b| b.iter(|| unpack::<Vec<Element>>(black_box(&packed))));
	group.bench_function("foundationdb-tuple", |b| {
		b.iter(|| peer::unpack::<Vec<peer::Element>>(black_box(&packed)))
	});
}

fn strings(c: &mut Criterion) {
	for (name, content) in [("zeros", vec![0; 1024]), ("letters", vec![b'a'; 1024])] {
		let theirs = peer::Bytes::from(content.as_slice());
		let packed = pack(&(content.as_slice(),));
		let mut group = c.benchmark_group(format!("tuple/pack 1 KiB of {name}"));
		group.bench_function("ours", |b| b.iter(|| pack(&(black_box(content.as_slice()),))));
		group.bench_function("foundationdb-tuple", |b| {
			b.iter(|| peer::pack(&(black_box(&theirs),)))
		});
		group.finish();
		let mut group = c.benchmark_group(format!("tuple/unpack 1 KiB of {name}"));
		group.bench_function("ours", |b| b.iter(|| unpack::<Vec<Element>>(black_box(&packed))));
		group.bench_function("foundationdb-tuple", |b| {
			b.iter(|| peer::unpack::<Vec<peer::Element>>(black_box(&packed)))
		});
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
