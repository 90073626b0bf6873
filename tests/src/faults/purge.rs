// SPDX-License-Identifier: Apache-2.0
//! A purge while the network is cut in halves.

use std::{
	process::Stdio,
	time::{Duration, Instant},
};

use tokio::task::block_in_place;

use super::{Faults, ACCESS, PACKAGES, RECOVERY};
use crate::{
	council,
	process::{fabric_command, report},
	published::tenant,
	raw::{count, Raw},
	wait,
};

/// Longest time of a purge.
const PURGE: Duration = Duration::from_secs(900);
/// Number of rows of a package, about: object, version and records.
const ROWS_OF_A_PACKAGE: usize = 4;

impl Faults {
	/// Publishes packages with at least this many rows, has the council delete their tenant, and
	/// cuts the network in halves when a part of the rows is gone. All are gone after the cut is
	/// healed.
	pub async fn purge_during_a_partition(&mut self, least: usize) {
		let url = self.testbed.nodes[ACCESS].url.clone();
		let raw = self.testbed.nodes[ACCESS].connect().await;
		let mut rows = 0;
		while rows < least {
			let missing = u32::try_from((least - rows) / ROWS_OF_A_PACKAGE);
			let packages = missing.expect("there are fewer").max(PACKAGES);
			report(&self.publish_more(packages).await.end(), 0);
			rows = left(&raw).await;
			println!("{rows} rows are published");
		}

		let id = tenant().to_string();
		let purge = ["governance", "purge", &id, "--reason", "a test of purges", "--yes"];
		let last = self.council.last().expect("somebody votes");
		block_in_place(|| council::support(&url, self.council, &purge));
		let closing = fabric_command(&url, &council::step(&purge, "close", last))
			.args(["--json", "--timeout", "600"])
			.stdin(Stdio::null())
			.stdout(Stdio::piped())
			.stderr(Stdio::piped())
			.spawn()
			.expect("the client starts");
		let start = Instant::now();
		wait::until(RECOVERY, "no row is purged", async || left(&raw).await < rows).await;
		self.testbed.switch.partition(&[&[0, ACCESS], &[2, 3]]);
		self.stands_still().await;
		let middle = left(&raw).await;
		assert!(middle > 0, "the purge has ended before the cut: publish more rows");
		println!("{middle} rows are left when the cut is healed");
		self.testbed.switch.heal();
		self.recovers("the cut is healed").await;

		report(&block_in_place(|| closing.wait_with_output()).expect("the client ends"), 0);
		for node in self.testbed.running() {
			let raw = self.testbed.nodes[node].connect().await;
			let is_gone = async || raw.tenant(tenant()).await.is_none();
			wait::until(PURGE, "rows are left", is_gone).await;
			assert_eq!(left(&raw).await, 0);
		}
		println!("all rows are gone on all nodes after {:.1?}", start.elapsed());
		self.recovers("the purge").await;
	}
}

async fn left(raw: &Raw) -> usize {
	count(&raw.rows(tenant()).await)
}
