// SPDX-License-Identifier: Apache-2.0
//! A publish while the network has a fault.

use std::{
	process::{Child, Stdio},
	time::Duration,
};

use content_fabric_client::ids;
use content_fabric_identifiers::TenantId;
use tokio::task::block_in_place;

use super::{Faults, ACCESS};
use crate::{
	client::signer,
	council::carry,
	lockfile::{synthetic, CRATES_IO},
	process::{fabric_command, write},
	published,
	raw::storage_key,
};

/// Packages of one publish.
pub(crate) const PACKAGES: u32 = 400;
/// Time between two looks at a publish, some of whose versions are to be on the chain.
const PAUSE: Duration = Duration::from_millis(50);

/// A publish that is under way.
pub(crate) struct Publish(Child);

/// Returns the tenant of the packages.
pub(crate) fn tenant() -> TenantId {
	ids::tenant(ids::space("cargo"), CRATES_IO)
}

impl Faults {
	/// Starts to publish more packages, and waits until some of them are on the chain.
	pub(crate) async fn publish(&mut self) -> Publish {
		self.publish_more(PACKAGES).await
	}

	/// Starts to publish this many more packages, and waits until some of them are on the chain.
	pub(crate) async fn publish_more(&mut self, packages: u32) -> Publish {
		let node = &self.testbed.nodes[ACCESS];
		let url = &node.url;
		if self.packages == 0 {
			let governor = signer("//Alice").account().to_string();
			let create = ["space", "create", "--name", "cargo", "--governor", &governor];
			block_in_place(|| carry(url, self.council, &create));
		}
		self.packages += packages;
		let lockfile = write(&self.dir, "Cargo.lock", &synthetic(self.packages));
		let (raw, prefix) = (node.connect().await, storage_key("Versions", &[&tenant().0]));
		let before = raw.keys(&prefix).await.len();
		let process = fabric_command(url, &["--json", "publish", &lockfile, "--wait", "finalized"])
			.args(["--provider", "//Bob", "--tenant", "//Charlie", "--yes"])
			.stdin(Stdio::null())
			.stdout(Stdio::piped())
			.stderr(Stdio::piped())
			.spawn();
		let mut publish = Publish(process.expect("the client starts"));
		while raw.keys(&prefix).await.len() == before {
			if publish.0.try_wait().expect("the client runs").is_some() {
				publish.succeeds().await;
				panic!("the publish has ended without a version");
			}
			tokio::time::sleep(PAUSE).await;
		}
		publish
	}

	/// Checks that all packages are on all validators, each version once.
	pub(crate) async fn is_published(&self) {
		let expected = published::versions(tenant(), &synthetic(self.packages));
		for node in &self.testbed.nodes {
			if node.is_started() {
				let rows = node.connect().await.rows(tenant()).await;
				assert_eq!(rows["Versions"], expected, "{}", node.name);
			}
		}
	}
}

impl Publish {
	/// Waits until the publish ends, which must be well.
	pub(crate) async fn succeeds(self) {
		let output = block_in_place(|| self.0.wait_with_output()).expect("the client ends");
		let stderr = String::from_utf8_lossy(&output.stderr);
		assert!(output.status.success(), "{stderr}");
	}
}
