// SPDX-License-Identifier: Apache-2.0
//! Power cuts: writes that were not synchronized are lost, in part, and in no order.

use content_fabric_okvs::{
	conformance::FailingDisk,
	disk::{redb, DiskConfig, DiskDatabase},
	CommitOptions, Database, Durability, Transaction,
};
use rand::{rngs::StdRng, Rng, SeedableRng};

use crate::{pairs, transactions, write};

type Mode = fn(DiskConfig) -> DiskConfig;

const MODES: [(&str, Mode); 2] =
	[("one phase", |config| config), ("quick repair", |config| config.quick_repair(true))];

/// Opens the store on a disk, unless the power is cut meanwhile.
pub fn open(disk: &FailingDisk, mode: Mode) -> Option<DiskDatabase> {
	let opened = redb::Builder::new().create_with_backend(disk.clone());
	let opened = opened.map_err(|error| error.to_string()).and_then(|file| {
		let adopted = DiskDatabase::from_redb(file, mode(DiskConfig::new("disk")));
		adopted.map_err(|error| error.to_string())
	});
	match opened {
		Ok(database) => Some(database),
		Err(_) if disk.is_cut() => None,
		Err(error) => panic!("the store cannot be opened: {error}"),
	}
}

/// Returns the content after a cut, with any part of the changes since the last synchronization.
fn survivor(disk: &FailingDisk, rng: &mut StdRng) -> Vec<u8> {
	let share = [0.0, 0.1, 0.5, 0.9, 1.0][rng.random_range(0..5)];
	disk.survivor(|| rng.random_bool(share))
}

/// Writes to a store whose power is cut again and again. Returns the number of commits.
fn cut_often(seed: u64, mode: Mode) -> u64 {
	let mut rng = StdRng::seed_from_u64(seed);
	let disk = FailingDisk::new(Vec::new(), u64::MAX);
	drop(open(&disk, mode).expect("the power is not cut"));
	let mut content = survivor(&disk, &mut rng);
	// The last commit that was acknowledged as durable, and the last that was begun.
	let (mut durable, mut begun) = (0, 0);
	for _ in 0..6 {
		let disk = FailingDisk::new(content, rng.random_range(0..150));
		if let Some(database) = open(&disk, mode) {
			let found = transactions(&pairs(&database));
			assert!((durable..=begun).contains(&found), "{found} is not in {durable}..={begun}");
			// The commits that were found have survived the cut, and survive any other one.
			(durable, begun) = (found, found);
			loop {
				let durability =
					if rng.random_bool(0.7) { Durability::Commit } else { Durability::Close };
				begun += 1;
				let mut transaction = database.begin().expect("nothing else is open");
				write(&mut transaction, begun).expect("nothing can fail");
				let options = CommitOptions::default().durability(durability);
				match transaction.commit_with(options) {
					Ok(()) if durability == Durability::Commit => durable = begun,
					Ok(()) => {},
					Err(_) => break,
				}
			}
		}
		assert!(disk.is_cut(), "a commit failed before the cut");
		content = survivor(&disk, &mut rng);
	}
	let database = open(&FailingDisk::new(content, u64::MAX), mode).expect("the power is not cut");
	let found = transactions(&pairs(&database));
	assert!((durable..=begun).contains(&found), "{found} is not in {durable}..={begun}");
	found
}

fn cut_with_seeds(seeds: u64) {
	for (name, mode) in MODES {
		let commits: u64 = (0..seeds)
			.map(|seed| {
				let cut = std::panic::catch_unwind(|| cut_often(seed, mode));
				cut.unwrap_or_else(|_| panic!("{name}, seed {seed}: failed"))
			})
			.sum();
		println!("{name}: {commits} commits survived in {seeds} runs of 6 cuts");
		assert!(commits > 5 * seeds, "{name}: {commits} commits");
	}
}

#[test]
fn power_cuts_lose_no_durable_commit() {
	cut_with_seeds(50);
}

#[test]
#[ignore = "takes minutes: scripts/assure long runs it"]
fn power_cuts_with_500_seeds_lose_no_durable_commit() {
	cut_with_seeds(500);
}
