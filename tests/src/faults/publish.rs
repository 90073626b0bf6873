// SPDX-License-Identifier: Apache-2.0
//! A publish while the network has a fault.

use super::{Faults, ACCESS};
use crate::{
	council::create_space,
	manifest::synthetic,
	process::write,
	published::{assert_published, Publish},
};

impl Faults {
	/// Starts to publish this many more packages, and waits until some of them are on the chain.
	pub(crate) async fn publish_more(&mut self, packages: u32) -> Publish {
		let url = &self.testbed.nodes[ACCESS].url;
		if self.packages == 0 {
			create_space(url, self.council, "cargo");
		}
		self.packages += packages;
		let manifest = write(&self.dir, "manifest.jsonl", &synthetic(self.packages));
		let keys = ["--provider", "//Bob", "--tenant", "//Charlie", "--yes"];
		Publish::start(url, &manifest, &[&keys[..], &["--wait", "finalized"]].concat()).await
	}

	/// Checks that all packages are on all validators, each version once.
	pub(crate) async fn is_published(&self) {
		for node in self.testbed.nodes.iter().filter(|node| node.is_started()) {
			assert_published(&node.connect().await, &synthetic(self.packages)).await;
		}
	}
}
