// SPDX-License-Identifier: Apache-2.0
//! The upgrade of a network that began with an earlier runtime.

use content_fabric_tests::{network::isolated, upgrade};

/// Rows of storage version 1 in the genesis: so many that the migration takes several blocks.
const ROWS: usize = 12_000;

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn a_chain_of_an_earlier_runtime_is_upgraded_twice() {
	isolated(async || {
		let dir = tempfile::tempdir().expect("there is room for a folder").keep();
		println!("data and logs are in {}", dir.display());
		upgrade::drill(&dir, ROWS, rand::random()).await;
		std::fs::remove_dir_all(dir).expect("the folder can be removed");
	});
}
