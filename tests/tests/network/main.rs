// SPDX-License-Identifier: Apache-2.0
//! Networks of four validators in which nodes are killed, cut off, slow, double or new, light
//! clients of such networks, and the upgrade of one.
//!
//! Each test has network namespaces of its own.

use std::path::Path;

use content_fabric_tests::{
	environment::number,
	faults::{self, Faults, FAST, FULL_BLOCKS, LONG_SESSIONS},
	network::{isolated, Pace},
	upgrade,
};

/// Number of the nodes that are killed one after the other, if `KILLS` does not say otherwise.
const KILLS: u64 = 1;
/// Packages of each publish during which a node is killed. Most of its time is the wait for
/// finality.
const FEW_PACKAGES: u32 = 200;
/// Number of nodes that are killed while blocks are full.
const KILLS_IN_FULL_BLOCKS: u64 = 3;
/// Number of the rows that are purged, if `ROWS` does not say otherwise.
const ROWS: usize = 50_000;
/// Packages on the chain that is upgraded: so many that the migration takes several blocks.
const PACKAGES: u32 = 1_000;

/// Runs a test in a folder for data and logs, which stay if it fails.
async fn run(test: impl AsyncFnOnce(&Path)) {
	let dir = tempfile::tempdir().expect("there is room for a folder").keep();
	println!("data and logs are in {}", dir.display());
	test(&dir).await;
	std::fs::remove_dir_all(dir).expect("the folder can be removed");
}

/// Runs faults in a network, and checks that its nodes agree afterwards.
async fn network(pace: Pace, faults: impl AsyncFnOnce(&mut Faults)) {
	run(async |dir| {
		let mut network = Faults::start(dir, pace, rand::random()).await;
		faults(&mut network).await;
		network.testbed.agree().await;
	})
	.await;
}

#[test]
fn a_publish_goes_on_while_validators_are_killed() {
	isolated(async || {
		let kills = number("KILLS").unwrap_or(KILLS);
		network(FAST, async |faults| kill(faults, kills, FEW_PACKAGES).await).await;
	});
}

/// Kills nodes one after the other, each during a publish of this many packages.
async fn kill(faults: &mut Faults, kills: u64, packages: u32) {
	for _ in 0..kills {
		faults.kill_during_a_publish(packages).await;
	}
}

/// Kills nodes while blocks are full.
async fn kill_in_full_blocks(faults: &mut Faults) {
	kill(faults, KILLS_IN_FULL_BLOCKS, faults::PACKAGES).await;
}

/// Purges as many rows as `ROWS` says.
async fn purge(faults: &mut Faults) {
	let rows = number("ROWS").map_or(Ok(ROWS), usize::try_from).expect("ROWS is small");
	faults.purge_during_a_partition(rows).await;
}

/// Runs a validator twice, and has the council put it back.
async fn twin(faults: &mut Faults) {
	faults.twin().await;
	faults.reinstate_twin().await;
}

/// Tests that take minutes.
macro_rules! tests {
	($(fn $name:ident() => $test:expr;)*) => {$(
		#[test]
		#[ignore = "takes minutes: scripts/faults runs it"]
		fn $name() {
			isolated(async || $test.await);
		}
	)*};
}

tests! {
	fn a_publish_of_full_blocks_goes_on_while_validators_are_killed() =>
		network(FULL_BLOCKS, kill_in_full_blocks);
	fn finality_needs_three_of_four_validators() => network(FAST, Faults::kill_two);
	fn parts_without_two_thirds_finalize_nothing() => network(FAST, Faults::partition);
	fn finality_goes_on_with_delays_and_losses() => network(FULL_BLOCKS, Faults::slow_link);
	fn a_purge_ends_after_a_partition_in_its_middle() => network(FULL_BLOCKS, purge);
	fn a_validator_that_runs_twice_is_disabled_until_the_council_puts_it_back() =>
		network(FAST, twin);
	fn a_validator_without_data_comes_back_with_new_keys() => network(FAST, Faults::wipe_validator);
	fn the_council_replaces_a_validator_and_a_new_node_synchronizes_by_proofs_over_that() =>
		network(FAST, Faults::warp_sync);
	fn the_council_replaces_two_validators_that_are_lost() =>
		network(LONG_SESSIONS, Faults::lose_two);
	fn a_light_client_reads_and_writes_as_a_node_does() => network(FAST, Faults::light_client);
	fn a_light_client_rejects_the_blocks_of_an_unfinalized_fork() => network(FAST, Faults::lie);
	fn the_longest_lists_at_the_greatest_depth_cost_at_most_one_slot() =>
		network(FULL_BLOCKS, Faults::nest);
	fn a_chain_is_upgraded_twice() =>
		run(async |dir| upgrade::drill(dir, PACKAGES, rand::random()).await);
}
