// SPDX-License-Identifier: Apache-2.0
//! Faults of a network, and checks of it during and after each of them. After every fault except
//! `lose_two`, Alice to Dave finalize blocks again.
//!
//! [`Testbed::agree`] checks what must hold after all of them: no two nodes have ever finalized
//! different blocks of the same number, and all have the same states.

use std::{
	path::{Path, PathBuf},
	time::Duration,
};

use rand::{rngs::StdRng, SeedableRng};

use crate::{
	council::THREE_OF_FIVE,
	network::{Pace, Testbed},
};

mod kill;
mod light;
mod link;
mod nesting;
mod partition;
mod publish;
mod purge;
mod recovery;
mod twin;
mod validators;
mod warp;

/// The numbers of the validators.
pub(crate) const ALL: [usize; 4] = [0, 1, 2, 3];
/// The node through which everything is submitted and read. It is never killed alone.
pub(crate) const ACCESS: usize = 1;
/// Packages of a publish that fills blocks.
pub const PACKAGES: u32 = 400;
/// Longest time from the end of a fault to new finalized blocks.
const RECOVERY: Duration = Duration::from_secs(60);
/// Time for which finality must stand still.
const STANDSTILL: Duration = Duration::from_secs(20);

/// The pace of chains with at most a few hundred calls in a block.
pub const FAST: Pace = Pace { slot: 2_000, session: 6 };
/// The pace of chains in whose sessions the council carries a motion, with half of the blocks
/// missing.
pub const LONG_SESSIONS: Pace = Pace { slot: 2_000, session: 20 };
/// The pace of chains whose blocks are full: the nodes of a network execute each of them on the
/// same processors.
pub const FULL_BLOCKS: Pace = Pace { slot: 6_000, session: 10 };

/// A network that has faults.
pub struct Faults {
	/// The network.
	pub testbed: Testbed,
	dir: PathBuf,
	random: StdRng,
	/// Number of the packages that are published.
	packages: u32,
	/// Number of the transactions on each side of cuts.
	submitted: u64,
	/// Members of the council whose votes decide.
	council: &'static [&'static str],
}

impl Faults {
	/// Starts the validators of a network, with their data in a folder. The seed determines which
	/// nodes the faults hit.
	pub async fn start(dir: &Path, pace: Pace, seed: u64) -> Self {
		Self::on(Testbed::start(dir, pace).await, dir, seed, THREE_OF_FIVE)
	}

	/// Prepares faults of a network that runs, with its data in a folder. The votes of these
	/// members of its council decide.
	pub fn on(testbed: Testbed, dir: &Path, seed: u64, council: &'static [&'static str]) -> Self {
		let random = StdRng::seed_from_u64(seed);
		Self { testbed, dir: dir.to_owned(), random, packages: 0, submitted: 0, council }
	}

	/// Returns the number of the packages that are published.
	pub(crate) fn packages(&self) -> u32 {
		self.packages
	}

	/// Checks that finality stands still.
	async fn stands_still(&self) {
		// Blocks with enough votes may still become final.
		tokio::time::sleep(STANDSTILL / 4).await;
		let height = self.testbed.record.height();
		tokio::time::sleep(STANDSTILL).await;
		assert_eq!(self.testbed.record.height(), height, "finality goes on without three votes");
	}

	/// Waits until all validators finalize blocks again, and prints how long that took.
	async fn recovers(&self, after: &str) {
		let time = self.testbed.finalizes(&ALL, 2, RECOVERY).await;
		println!("all finalize {time:.1?} after {after}");
	}

	/// Returns the number of a node with this name, which is made if there is none.
	fn node(&mut self, name: &str, arguments: &[&str]) -> usize {
		let found = self.testbed.nodes.iter().position(|node| node.name == name);
		found.unwrap_or_else(|| self.testbed.add(name, arguments))
	}
}
