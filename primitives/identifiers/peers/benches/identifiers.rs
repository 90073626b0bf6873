// SPDX-License-Identifier: Apache-2.0
//! The identifiers beside other implementations, each on the same inputs in the same run.

use std::{hint::black_box, time::Duration};

use content_fabric_identifiers::{
	verify_chunk, AtomicTidGenerator, HashKind, Medallion, Muid, RecordKey, RecordKeySyntax,
	RecordPath, RecordUri, Tid, TidGenerator, VersionHasher, VersionId, CHUNK_LEN,
};
use criterion::{criterion_group, criterion_main, BatchSize, Criterion, Throughput};

const TID: &str = "3jui7kd54zh2y";
const MUID: &str = "5D5EAC793E61F-1BFC71B112D-0000000B";
const UUID: &str = "05d5eac7-93e6-11bf-c71b-112d0000000b";
const ULID: &str = "01FSNXMWSYDFYWE71B22BG000B";
const PATH: &str = "app.bsky.feed.post/3jui7kd54zh2y";
const AT_URI: &str = "at://did:plc:7iza6de2dwap2sbkpav7c6c6/app.bsky.feed.post/3jui7kd54zh2y";
const FABRIC_URI: &str = "fabric:/iten3i37NcgooY8f1S/app.bsky.feed.post/3jui7kd54zh2y";

fn tid_parse(c: &mut Criterion) {
	let mut group = c.benchmark_group("tid/parse");
	group.bench_function("ours", |b| b.iter(|| black_box(TID).parse::<Tid>()));
	group.bench_function("shrike", |b| b.iter(|| shrike::syntax::Tid::try_from(black_box(TID))));
	group.bench_function("jacquard-common", |b| {
		b.iter(|| jacquard_common::types::tid::Tid::new(black_box(TID)))
	});
	// Takes an owned text, which is made beforehand.
	group.bench_function("atrium-api", |b| {
		b.iter_batched(
			|| TID.to_owned(),
			|text| atrium_api::types::string::Tid::new(black_box(text)),
			BatchSize::SmallInput,
		)
	});
	group.bench_function("ferroid", |b| {
		use ferroid::{base32::Base32SnowExt, id::SnowflakeTwitterId};
		b.iter(|| SnowflakeTwitterId::decode(black_box(TID)))
	});
}

fn tid_encode(c: &mut Criterion) {
	let mut group = c.benchmark_group("tid/encode");
	let ours: Tid = TID.parse().expect("a TID");
	let theirs = shrike::syntax::Tid::try_from(TID).expect("a TID");
	group.bench_function("ours", |b| b.iter(|| black_box(ours).to_text()));
	group.bench_function("ferroid", |b| {
		use ferroid::{base32::Base32SnowExt, id::SnowflakeTwitterId};
		let id = SnowflakeTwitterId::from_raw(ours.to_u64());
		b.iter(|| black_box(black_box(id).encode().as_str()).len())
	});
	group.bench_function("ours, as a str", |b| {
		let mut text = [0; Tid::TEXT_LEN];
		b.iter(|| black_box(black_box(ours).write_to(&mut text)).len())
	});
	group.bench_function("ours, into a String", |b| b.iter(|| black_box(ours).to_string()));
	group.bench_function("shrike, into a String", |b| b.iter(|| black_box(theirs).to_string()));
	group.bench_function("jacquard-common, into a SmolStr", |b| {
		b.iter(|| jacquard_common::types::tid::Tid::from_time(black_box(ours.timestamp()), 30))
	});
}

fn tid_generate(c: &mut Criterion) {
	let mut group = c.benchmark_group("tid/generate");
	let mut ours = TidGenerator::system();
	group.bench_function("ours", |b| b.iter(|| ours.generate()));
	let shared = AtomicTidGenerator::system();
	group.bench_function("ours, shared by threads", |b| b.iter(|| shared.generate()));
	let shrike = shrike::syntax::TidClock::new(30).expect("a clock id");
	group.bench_function("shrike, shared by threads", |b| b.iter(|| shrike.next()));
	let mut jacquard = jacquard_common::types::tid::Ticker::new();
	group.bench_function("jacquard-common", |b| b.iter(|| jacquard.next(None)));
	group.bench_function("atrium-api, which may repeat itself", |b| {
		b.iter(|| atrium_api::types::string::Tid::now(30.try_into().expect("a clock id")))
	});
}

fn record_key(c: &mut Criterion) {
	for length in [4, 13, 512] {
		let key: String = "example-Key_1.2~".chars().cycle().take(length).collect();
		let mut group = c.benchmark_group(format!("record key/{length} bytes"));
		group.bench_function("ours", |b| {
			b.iter(|| RecordKey::parse(black_box(&key), RecordKeySyntax::PathSegment))
		});
		group.bench_function("shrike", |b| {
			b.iter(|| shrike::syntax::RecordKey::try_from(black_box(key.as_str())))
		});
		group.bench_function("jacquard-common", |b| {
			b.iter(|| jacquard_common::types::recordkey::Rkey::new(black_box(key.as_str())))
		});
		group.bench_function("atrium-api", |b| {
			b.iter_batched(
				|| key.clone(),
				|text| atrium_api::types::string::RecordKey::new(black_box(text)),
				BatchSize::SmallInput,
			)
		});
	}
}

fn record_path(c: &mut Criterion) {
	let mut group = c.benchmark_group("record path/parse");
	group.bench_function("ours", |b| b.iter(|| RecordPath::parse_repository(black_box(PATH))));
	group.bench_function("jacquard-common, its parts", |b| {
		use jacquard_common::types::{nsid::Nsid, recordkey::Rkey};
		b.iter(|| {
			let (collection, key) = black_box(PATH).split_once('/').expect("a path");
			(Nsid::new(collection).is_ok(), Rkey::new(key).is_ok())
		})
	});
	group.bench_function("shrike, its parts", |b| {
		use shrike::syntax::{Nsid, RecordKey};
		b.iter(|| {
			let (collection, key) = black_box(PATH).split_once('/').expect("a path");
			(Nsid::try_from(collection), RecordKey::try_from(key))
		})
	});
}

fn record_uri(c: &mut Criterion) {
	let mut group = c.benchmark_group("record URI/parse");
	group.bench_function("ours", |b| b.iter(|| RecordUri::parse(black_box(AT_URI))));
	group.bench_function("ours, of a tenant", |b| {
		b.iter(|| RecordUri::parse(black_box(FABRIC_URI)))
	});
	group.bench_function("shrike", |b| {
		b.iter(|| shrike::syntax::AtUriRef::try_from(black_box(AT_URI)))
	});
	group.bench_function("jacquard-common", |b| {
		b.iter(|| jacquard_common::types::aturi::AtUri::new(black_box(AT_URI)))
	});
	// Checks no part of the path.
	group.bench_function("url, of a tenant", |b| b.iter(|| url::Url::parse(black_box(FABRIC_URI))));
}

fn muid(c: &mut Criterion) {
	let muid: Muid = MUID.parse().expect("a muid");
	let uuid: uuid::Uuid = UUID.parse().expect("a UUID");
	let ulid: ulid::Ulid = ULID.parse().expect("a ULID");

	let mut group = c.benchmark_group("muid/parse");
	group.bench_function("ours", |b| b.iter(|| black_box(MUID).parse::<Muid>()));
	group.bench_function("uuid", |b| b.iter(|| black_box(UUID).parse::<uuid::Uuid>()));
	group.bench_function("ulid", |b| b.iter(|| black_box(ULID).parse::<ulid::Ulid>()));
	group.finish();

	let mut group = c.benchmark_group("muid/write");
	group.bench_function("ours", |b| b.iter(|| black_box(muid).to_text()));
	group.bench_function("ours, as a str", |b| {
		let mut text = [0; Muid::TEXT_LEN];
		b.iter(|| black_box(black_box(muid).write_to(&mut text)).len())
	});
	group.bench_function("uuid", |b| {
		let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
		b.iter(|| black_box(black_box(uuid).hyphenated().encode_upper(&mut text)).len())
	});
	group.bench_function("ulid", |b| {
		let mut text = [0; ulid::ULID_LEN];
		b.iter(|| black_box(black_box(ulid).array_to_str(&mut text)).len())
	});
	group.finish();

	let mut group = c.benchmark_group("muid/pack");
	let (timestamp, medallion, offset) = (muid.timestamp(), Medallion::FIRST_ASSIGNABLE, 11);
	group.bench_function("ours", |b| {
		b.iter(|| {
			Muid::new(black_box(timestamp), black_box(medallion), black_box(offset))
				.map(Muid::to_bytes)
		})
	});
	group.bench_function("ulid", |b| {
		b.iter(|| ulid::Ulid::from_parts(black_box(timestamp / 1_000), black_box(11)).to_bytes())
	});
	group.bench_function("uuid", |b| {
		b.iter(|| {
			uuid::Builder::from_unix_timestamp_millis(
				black_box(timestamp / 1_000),
				black_box(&[7; 10]),
			)
			.into_uuid()
			.into_bytes()
		})
	});
}

/// Hashes beside the `blake3` crate itself, and the proof of one chunk of 16 MiB beside the hash of
/// as many bytes as it compresses.
fn version(c: &mut Criterion) {
	for length in [1_024, 1 << 20] {
		let data = vec![7; length];
		let mut group = c.benchmark_group(format!("version/{length} bytes"));
		group.throughput(Throughput::Bytes(length as u64));
		for (kind, name) in [(HashKind::Blake3, "ours, BLAKE3"), (HashKind::Sha256, "ours, SHA-256")] {
			group.bench_function(name, |b| b.iter(|| VersionHasher::hash(kind, black_box(&data))));
		}
		group.bench_function("ours, BLAKE3, as a stream", |b| {
			b.iter(|| {
				let mut hasher = VersionHasher::new(HashKind::Blake3);
				hasher.update(black_box(&data));
				hasher.finish()
			})
		});
		group.bench_function("blake3", |b| b.iter(|| blake3::hash(black_box(&data))));
	}
	let mut group = c.benchmark_group("version/chunk of 16 MiB");
	let (chunk, path) = ([7; CHUNK_LEN], [[8; 32]; 14]);
	group.bench_function("ours", |b| {
		b.iter(|| verify_chunk(VersionId([0; 32]), 1 << 24, black_box(5_000), &chunk, &path))
	});
	// Sixteen blocks of the chunk, and one for each of the fourteen levels.
	let data = [7; 30 * 64];
	group.bench_function("blake3, of as many blocks", |b| b.iter(|| blake3::hash(black_box(&data))));
}

criterion_group! {
	name = benches;
	config = Criterion::default()
		.warm_up_time(Duration::from_millis(500))
		.measurement_time(Duration::from_secs(2));
	targets = tid_parse, tid_encode, tid_generate, record_key, record_path, record_uri, muid,
		version
}
criterion_main!(benches);
