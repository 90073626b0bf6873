// SPDX-License-Identifier: Apache-2.0
//! Writes of an index whose chain stands still.

use std::{cell::RefCell, rc::Rc, time::Duration};

use content_fabric_indexer::{
	follow::{keep_following, Follower, Progress},
	index::Index,
	source::BlockRef,
};
use content_fabric_okvs::conformance::FailingDisk;
use tokio::{
	sync::watch,
	time::{sleep, Instant},
};

use crate::{
	chain::Chain,
	disk,
	source::{Faults, Node},
};

/// Longest wait for a state of the index.
const PATIENCE: Duration = Duration::from_secs(30);

/// Makes a chain with many blocks, and an empty index.
fn begin(disk: &FailingDisk) -> (Rc<RefCell<Chain>>, Index) {
	let mut chain = Chain::new(7, u32::MAX);
	for _ in 0..10 {
		chain.change();
	}
	for _ in 0..300 {
		chain.add_empty();
	}
	chain.end();
	(Rc::new(RefCell::new(chain)), disk::open(disk).expect("the disk is empty"))
}

/// Returns the last block of the index that is found after the death of the process.
fn durable(disk: &FailingDisk) -> Option<BlockRef> {
	let disk = FailingDisk::new(disk.synchronized(), u64::MAX);
	let index = disk::open(&disk).expect("the index recovers");
	index.state().expect("it is readable").map(|state| state.last)
}

#[tokio::test]
async fn an_index_that_has_caught_up_writes_nothing() {
	let disk = FailingDisk::new(Vec::new(), u64::MAX);
	let (chain, index) = begin(&disk);
	let node = Node::reliable(&chain);
	let mut follower = Follower::new(&index, &node, false);
	while !follower.step().await.expect("the node has no faults").caught_up {}
	index.flush().expect("the disk works");
	let mut operations = Vec::new();
	for _ in 0..3 {
		let node = Node::reliable(&chain);
		let mut follower = Follower::new(&index, &node, false).flush_interval(Duration::ZERO);
		for _ in 0..10 {
			let step = follower.step().await.expect("the node has no faults");
			assert!(step.caught_up && !step.changed);
		}
		index.flush().expect("the disk works");
		operations.push(disk.operations());
	}
	// In the first round, a page may leave the small cache.
	assert_eq!(operations[1], operations[0]);
	assert_eq!(operations[2], operations[0]);
}

#[tokio::test]
async fn what_is_written_is_durable_after_a_second_though_the_node_is_silent() {
	let disk = FailingDisk::new(Vec::new(), u64::MAX);
	let (chain, index) = begin(&disk);
	let (progress, status) = watch::channel(Progress::default());
	let (stop, mut stopping) = watch::channel(false);
	// Blocks that are read are written before all of them are.
	let last = chain.borrow().heads().finalized.number;
	let faults = Faults { silent_after: Some(last - 1), ..Faults::default() };
	let connect = || async { Ok(Node::new(&chain, 0, faults)) };
	let following = keep_following(&index, true, connect, &progress, &mut stopping);
	let read = || index.state().expect("it is readable").map(|state| state.last);
	let watching = async {
		let begin = Instant::now();
		while read().is_none_or(|last| last.number == 0) {
			assert!(begin.elapsed() < PATIENCE, "no block is indexed");
			sleep(Duration::from_millis(5)).await;
		}
		let written = read();
		assert_ne!(durable(&disk), written);
		while durable(&disk) != written {
			assert!(begin.elapsed() < PATIENCE, "nothing is durable");
			sleep(Duration::from_millis(5)).await;
		}
		// After that, nothing is written, apart from a page that leaves the small cache.
		sleep(Duration::from_millis(2_500)).await;
		let operations = disk.operations();
		sleep(Duration::from_millis(2_500)).await;
		assert_eq!(disk.operations(), operations);
		stop.send_replace(true);
	};
	let (followed, ()) = tokio::join!(following, watching);
	followed.expect("the node has no faults");
	drop(status);
}
