// SPDX-License-Identifier: Apache-2.0
//! A chain that was begun anew, and nodes that have yet to catch up.

use std::{
	cell::{Cell, RefCell},
	rc::Rc,
	time::Duration,
};

use content_fabric_indexer::{
	follow::{keep_following, Follower, Progress},
	index::{Error, Index},
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

type Shared = Rc<RefCell<Chain>>;

/// Makes a chain whose last block is final, and its index. With `history` that has all blocks, and
/// else the last one.
async fn indexed(history: bool) -> (Shared, Index) {
	let mut chain = Chain::new(11, u32::MAX);
	for _ in 0..20 {
		chain.change();
	}
	chain.end();
	let chain = Rc::new(RefCell::new(chain));
	let index = disk::open(&FailingDisk::new(Vec::new(), u64::MAX)).expect("the disk is empty");
	let node = Node::reliable(&chain);
	let mut follower = Follower::new(&index, &node, history);
	while !follower.step().await.expect("the node has no faults").caught_up {}
	(chain, index)
}

/// Adds a block without calls to a chain, and makes it final.
fn grow(chain: &Shared) -> BlockRef {
	let block = chain.borrow_mut().add_empty();
	chain.borrow_mut().end();
	block
}

/// Takes a step on a chain.
async fn step(index: &Index, chain: &Shared, history: bool) -> Result<(), Error> {
	let node = Node::reliable(chain);
	Follower::new(index, &node, history).step().await.map(drop)
}

#[tokio::test]
async fn a_chain_that_was_begun_anew_is_known_by_its_first_block() {
	for history in [false, true] {
		let (chain, index) = indexed(history).await;
		let last = chain.borrow().heads().finalized.number;
		let anew = Rc::new(RefCell::new(chain.borrow().begun_anew(12)));
		// Nothing is proven yet: a node that has yet to catch up begins with that block, too.
		let stepped = step(&index, &anew, history).await;
		assert!(matches!(stepped, Err(Error::Behind { node: 0, .. })), "{stepped:?}");
		loop {
			let block = grow(&anew);
			let stepped = step(&index, &anew, history).await;
			let Err(Error::OtherHistory { number, .. }) = stepped else {
				panic!("the chain with block {} is taken for the same: {stepped:?}", block.number)
			};
			match block.number >= last {
				// The last block that was followed is evidence as good.
				true => break assert_eq!(number, last),
				false => assert_eq!(number, 1),
			}
		}
		// The chain itself is followed still.
		let block = grow(&chain);
		step(&index, &chain, history).await.expect("it is the chain of the index");
		assert_eq!(index.state().expect("it is readable").map(|state| state.last), Some(block));
	}
}

#[tokio::test]
async fn a_node_that_has_yet_to_catch_up_is_not_accused() {
	let (chain, index) = indexed(true).await;
	let moments = chain.borrow().moment();
	let mut behind = 0;
	for moment in 1..moments {
		let node = Node::new(&chain, 1, Faults { behind: moment, ..Faults::default() });
		match Follower::new(&index, &node, true).step().await {
			Ok(_) => {},
			Err(Error::Behind { .. }) => behind += 1,
			Err(error) => panic!("{moment} moments behind: {error}"),
		}
	}
	assert!(behind > moments / 2, "{behind} of {moments}");
}

#[tokio::test]
async fn an_index_goes_on_serving_until_its_chain_is_back() {
	let (chain, index) = indexed(false).await;
	let anew = Rc::new(RefCell::new(chain.borrow().begun_anew(12)));
	grow(&anew);
	let is_anew = Cell::new(false);
	let (progress, status) = watch::channel(Progress::default());
	let (stop, mut stopping) = watch::channel(false);
	// The node of the chain breaks its connections.
	let sound = Faults { wait: true, ..Faults::default() };
	let broken = Faults { disconnect: 0.2, ..sound };
	let connect = || async {
		Ok(match is_anew.get() {
			true => Node::new(&anew, 0, sound),
			false => Node::new(&chain, 3, broken),
		})
	};
	let following = keep_following(&index, false, connect, &progress, &mut stopping);
	let until = |is: fn(&Progress) -> bool| {
		let status = status.clone();
		async move {
			let begin = Instant::now();
			while !is(&status.borrow()) {
				assert!(begin.elapsed() < Duration::from_secs(60), "nothing changes");
				sleep(Duration::from_millis(5)).await;
			}
		}
	};
	let watching = async {
		until(|progress| progress.connected).await;
		is_anew.set(true);
		until(|progress| progress.begun_anew).await;
		{
			let progress = status.borrow();
			let error = progress.error.as_deref().unwrap_or_default();
			assert!(error.contains("the chain was begun anew"), "{error}");
			assert!(progress.connected);
			assert_eq!(progress.node_finalized, 1);
		}
		is_anew.set(false);
		until(|progress| progress.connected && !progress.begun_anew).await;
		assert_eq!(status.borrow().error, None);
		stop.send_replace(true);
	};
	let (followed, ()) = tokio::join!(following, watching);
	followed.expect("the index waits for its chain");
}
