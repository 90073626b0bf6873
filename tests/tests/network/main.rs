// SPDX-License-Identifier: Apache-2.0
//! Networks of four validators in which nodes are killed, cut off, slow, double or new, and light
//! clients of such networks.
//!
//! Each test has network namespaces of its own.

mod upgrade;

use std::path::Path;

use content_fabric_tests::{
	environment::number,
	faults::{Faults, FAST, FULL_BLOCKS, LONG_SESSIONS},
	network::{isolated, Pace},
};

/// Number of the nodes that are killed one after the other, if `KILLS` does not say otherwise.
const KILLS: u64 = 1;
/// Number of the rows that are purged, if `ROWS` does not say otherwise.
const ROWS: usize = 50_000;

/// Runs faults in a network, and checks that its nodes agree afterwards. If that fails, the logs
/// stay.
async fn network(pace: Pace, faults: impl AsyncFnOnce(&mut Faults)) {
	run(async |dir| {
		let mut network = Faults::start(dir, pace, rand::random()).await;
		faults(&mut network).await;
		network
	})
	.await;
}

/// Runs a network in a folder, and checks that its nodes agree afterwards. If that fails, the logs
/// stay.
async fn run(network: impl AsyncFnOnce(&Path) -> Faults) {
	let dir = tempfile::tempdir().expect("there is room for a folder").keep();
	println!("data and logs are in {}", dir.display());
	let mut network = network(&dir).await;
	network.testbed.agree().await;
	drop(network);
	std::fs::remove_dir_all(dir).expect("the folder can be removed");
}

#[test]
fn a_publish_goes_on_while_validators_are_killed() {
	isolated(async || {
		let kills = number("KILLS").unwrap_or(KILLS);
		let kill = async |faults: &mut Faults| {
			for _ in 0..kills {
				faults.kill_during_a_publish().await;
			}
		};
		network(FULL_BLOCKS, kill).await;
	});
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn finality_needs_three_of_four_validators() {
	isolated(async || network(FAST, Faults::kill_two).await);
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn parts_without_two_thirds_finalize_nothing() {
	isolated(async || network(FAST, Faults::partition).await);
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn finality_goes_on_with_delays_and_losses() {
	isolated(async || network(FULL_BLOCKS, Faults::slow_link).await);
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn a_validator_that_runs_twice_is_disabled() {
	isolated(async || network(FAST, Faults::twin).await);
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn a_purge_ends_after_a_partition_in_its_middle() {
	isolated(async || {
		let rows = number("ROWS").map_or(Ok(ROWS), usize::try_from).expect("ROWS is small");
		let purge = async |faults: &mut Faults| faults.purge_during_a_partition(rows).await;
		network(FULL_BLOCKS, purge).await;
	});
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn the_council_puts_a_disabled_validator_back() {
	isolated(async || {
		let put_back = async |faults: &mut Faults| {
			faults.twin().await;
			faults.reinstate_twin().await;
		};
		network(FAST, put_back).await;
	});
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn the_council_replaces_a_validator() {
	isolated(async || network(FAST, Faults::replace_validator).await);
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn a_validator_without_data_comes_back_with_new_keys() {
	isolated(async || network(FAST, Faults::wipe_validator).await);
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn a_new_node_synchronizes_by_proofs_over_changes_of_the_validators() {
	isolated(async || network(FAST, Faults::warp_sync).await);
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn the_council_replaces_two_validators_that_are_lost() {
	isolated(async || network(LONG_SESSIONS, Faults::lose_two).await);
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn a_light_client_reads_and_writes_as_a_node_does() {
	isolated(async || network(FAST, Faults::light_client).await);
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn a_light_client_rejects_the_blocks_of_an_unfinalized_fork() {
	isolated(async || network(FAST, Faults::lie).await);
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn a_transaction_that_overruns_its_slot_leaves_the_pool_and_blocks_go_on() {
	isolated(async || run(Faults::overrun).await);
}

#[test]
#[ignore = "takes minutes: scripts/faults runs it"]
fn the_longest_lists_at_the_greatest_depth_cost_at_most_one_slot() {
	isolated(async || network(FULL_BLOCKS, Faults::nest).await);
}
