// SPDX-License-Identifier: Apache-2.0
//! Nodes that are killed.

use rand::Rng;

use super::{Faults, ACCESS, ALL, RECOVERY};
use crate::process::report;

impl Faults {
	/// Kills a validator while the client publishes this many more packages through another one.
	/// The publish succeeds, and the killed validator catches up.
	pub async fn kill_during_a_publish(&mut self, packages: u32) {
		let publish = self.publish_more(packages).await;
		let others: Vec<_> = ALL.into_iter().filter(|number| *number != ACCESS).collect();
		let victim = others[self.random.random_range(0..others.len())];
		self.testbed.kill(&[victim]);
		report(&publish.end(), 0);
		self.testbed.finalizes(&self.testbed.running(), 2, RECOVERY).await;
		self.testbed.boot(&[victim]);
		self.recovers("the start of a killed validator").await;
		self.is_published().await;
	}

	/// Kills two of four validators. Nothing is finalized until they are back.
	pub async fn kill_two(&mut self) {
		let first = self.random.random_range(0..ALL.len());
		let second = (first + self.random.random_range(1..ALL.len())) % ALL.len();
		self.testbed.kill(&[first, second]);
		self.stands_still().await;
		self.testbed.boot(&[first, second]);
		self.recovers("the start of two killed validators").await;
	}
}
