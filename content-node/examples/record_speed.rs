// SPDX-License-Identifier: Apache-2.0
//! Measures how fast a large record is opened and read. `VERSIONS` sets its size (1,000,000).

use std::{
	error::Error,
	thread,
	time::{Duration, Instant},
};

use content_fabric_content_node::keep::{Keep, Row, VersionKey};
use content_fabric_identifiers::{ContentObjectId, HashKind, TenantId, VersionHasher};

/// Number of rows of one transaction, as when a node compares its record with the chain.
const STEP: u64 = 1_000;
/// Number of uploads that end at the same time.
const UPLOADS: u64 = 128;
/// Number of look-ups.
const LOOKUPS: u64 = 100_000;
/// Size of each version.
const SIZE: u64 = 10_000;

fn key(number: u64) -> VersionKey {
	VersionKey {
		tenant: TenantId([1; 10]),
		object: ContentObjectId([2; 10]),
		version: VersionHasher::hash(HashKind::Blake3, &number.to_le_bytes()),
	}
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
	let versions = std::env::var("VERSIONS").map_or(Ok(1_000_000), |text| text.parse::<u64>())?;
	let folder = tempfile::tempdir()?;
	let keep = Keep::open(folder.path())?;
	for start in (0..versions).step_by(STEP as usize) {
		let numbers = start..versions.min(start + STEP);
		let row = Row {
			muid: [0; 16],
			hash: HashKind::Blake3,
			size: SIZE,
			is_final: true,
			pending: None,
		};
		let rows: Vec<_> = numbers.map(|number| (key(number), Some(row))).collect();
		keep.put(&rows, 0)?;
	}
	thread::scope(|scope| {
		let hold = |first| {
			let keep = &keep;
			move || {
				(first..versions).step_by(UPLOADS as usize).try_for_each(|number| {
					keep.hold(key(number).version, HashKind::Blake3, SIZE, 0).map(drop)
				})
			}
		};
		let threads: Vec<_> = (0..UPLOADS).map(|first| scope.spawn(hold(first))).collect();
		threads.into_iter().try_for_each(|thread| {
			thread
				.join()
				.map_err(|_| "a thread panicked")?
				.map_err(Box::<dyn Error + Send + Sync>::from)
		})
	})?;
	drop(keep);

	let begun = Instant::now();
	let keep = Keep::open(folder.path())?;
	let opened = begun.elapsed();
	assert_eq!(keep.totals().versions, versions, "all versions are held");
	let mut times = Vec::new();
	for number in 0..LOOKUPS {
		// Neighbours in number are spread over the keys, which are hashes.
		let version = key(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % versions).version;
		let begun = Instant::now();
		assert!(keep.held(version)?.is_some(), "{version} is held");
		times.push(begun.elapsed());
	}
	times.sort_unstable();
	let percentile =
		|part: usize| times.get(times.len() * part / 100).copied().unwrap_or(Duration::MAX);
	println!("\nRecord of {versions} versions\n");
	println!("| open | look-up, median | look-up, p99 |\n| ---: | ---: | ---: |");
	println!("| {opened:.2?} | {:.2?} | {:.2?} |", percentile(50), percentile(99));
	Ok(())
}
