// SPDX-License-Identifier: Apache-2.0
//! Tests networks of four validators for long. The arguments are a folder for data and logs, and
//! one of these:
//!
//! - `faults`, a number of hours, and a seed. Runs faults at random for so many hours.
//! - `upgrade`, a number of packages, and a seed. Upgrades a chain with so many packages.

use std::{
	collections::BTreeMap,
	ops::Range,
	path::Path,
	time::{Duration, Instant},
};

use content_fabric_tests::{
	faults::{Faults, FULL_BLOCKS, PACKAGES},
	network::isolated_program,
	upgrade,
};
use rand::{rngs::StdRng, Rng, SeedableRng};

/// The faults.
const KINDS: [&str; 8] = [
	"kill during a publish",
	"two of four killed",
	"partition",
	"delays and losses",
	"twin",
	"validator replaced",
	"validator wiped",
	"new node by proofs",
];
/// Seconds between two faults.
const QUIET: Range<u64> = 10..60;

fn main() {
	let mut arguments = std::env::args().skip(1);
	let mut next =
		|name: &str| arguments.next().unwrap_or_else(|| panic!("missing argument {name}"));
	let (dir, kind, size, seed) = (next("DIR"), next("KIND"), next("SIZE"), next("SEED"));
	let (dir, seed) = (Path::new(&dir), seed.parse().expect("SEED is a whole number"));
	let code = match kind.as_str() {
		"faults" => {
			let hours: f64 = size.parse().expect("the number of hours is a number");
			isolated_program(soak(dir, Duration::from_secs_f64(hours * 3_600.0), seed))
		},
		"upgrade" => {
			let packages = size.parse().expect("the number of packages is a whole number");
			isolated_program(upgrade::drill(dir, packages, seed))
		},
		other => panic!("`{other}` is neither faults nor upgrade"),
	};
	std::process::exit(code);
}

async fn soak(dir: &Path, time: Duration, seed: u64) {
	println!("seed {seed}, {time:?}, data and logs in {}", dir.display());
	let mut random = StdRng::seed_from_u64(seed);
	let mut faults = Faults::start(dir, FULL_BLOCKS, seed).await;
	let start = Instant::now();
	let (mut counts, mut longest) = (BTreeMap::<_, u32>::new(), Duration::ZERO);
	// Each kind once before any comes again.
	let mut left: Vec<&str> = Vec::new();
	while start.elapsed() < time {
		let quiet = Instant::now();
		tokio::time::sleep(Duration::from_secs(random.random_range(QUIET))).await;
		longest = longest.max(faults.testbed.record.longest_pause(quiet));
		if left.is_empty() {
			left = KINDS.to_vec();
		}
		let kind = left.swap_remove(random.random_range(0..left.len()));
		println!("{:7.0?} block {}: {kind}", start.elapsed(), faults.testbed.record.height());
		match kind {
			"kill during a publish" => faults.kill_during_a_publish(PACKAGES).await,
			"two of four killed" => faults.kill_two().await,
			"partition" => faults.partition().await,
			"delays and losses" => faults.slow_link().await,
			"twin" => {
				faults.twin().await;
				faults.reinstate_twin().await;
			},
			"validator replaced" => faults.replace_validator().await,
			"validator wiped" => faults.wipe_validator().await,
			_ => faults.warp_sync().await,
		}
		*counts.entry(kind).or_default() += 1;
		faults.testbed.agree().await;
	}
	println!("{:7.0?} end", start.elapsed());
	for (kind, count) in counts {
		println!("{count:5}  {kind}");
	}
	println!("{:5}  blocks finalized", faults.testbed.record.height());
	println!("{longest:5.0?}  longest time without finality outside of a fault");
	println!("{:5}  disagreements", faults.testbed.record.disagreements().len());
}
