// SPDX-License-Identifier: Apache-2.0
//! The upgrade of a network to the next runtime.

use content_fabric_tests::{network::isolated, upgrade};

/// Packages on the chain: so many that the migration takes several blocks.
const PACKAGES: u32 = 1_000;

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn a_chain_is_upgraded_twice() {
	isolated(async || {
		let dir = tempfile::tempdir().expect("there is room for a folder").keep();
		println!("data and logs are in {}", dir.display());
		upgrade::drill(&dir, PACKAGES, rand::random()).await;
		std::fs::remove_dir_all(dir).expect("the folder can be removed");
	});
}
