// SPDX-License-Identifier: Apache-2.0
//! A planted error: an undo log that lacks one of its changes is noticed.

use std::{cell::RefCell, rc::Rc};

use codec::{Decode, DecodeAll, Encode};
use content_fabric_indexer::{
	follow::Follower,
	index::Incarnation,
	rows::{Row, RowKey},
};
use content_fabric_okvs::{
	conformance::FailingDisk, disk::DiskDatabase, tuple::Subspace, Database, Read, Transaction,
};
use content_fabric_primitives::MemberId;
use futures::executor::block_on;

use crate::{
	chain::Chain,
	check::{self, words, Result},
	disk,
	keys::UNDO,
	source::Node,
};

/// A row, the block and the time of its put, and the time by which it is found.
type Stored = (Row, Option<(u64, u64)>, u64);

/// A change of an undo log, as the index writes it.
#[derive(Clone, Debug, Encode, Decode)]
enum Change {
	Row(Incarnation, RowKey, Option<Box<Stored>>),
	Ended(MemberId, Incarnation),
	Begun(MemberId, Incarnation),
	Value(Vec<u8>, Option<Vec<u8>>),
}

/// An undo log, as the index writes it.
#[derive(Clone, Debug, Encode, Decode)]
struct Log {
	parent: [u8; 32],
	spec_version: u32,
	storage_version: u16,
	next_incarnation: Incarnation,
	changes: Vec<Change>,
}

/// Follows a chain until the index has all of it, and compares the two.
fn follow(content: Vec<u8>, chain: &Rc<RefCell<Chain>>) -> Result<Vec<u8>> {
	let disk = FailingDisk::new(content, u64::MAX);
	let index = disk::open(&disk).map_err(words)?;
	let node = Node::reliable(chain);
	let mut follower = Follower::new(&index, &node, false);
	while !block_on(follower.step()).map_err(words)?.caught_up {}
	check::index(&index, &chain.borrow(), true)?;
	index.close().map_err(words)?;
	Ok(disk.content())
}

/// Reads the undo log of a block, and writes what `change` makes of it.
fn damage(
	content: Vec<u8>,
	number: u64,
	change: impl FnOnce(&mut Log),
) -> std::result::Result<Vec<u8>, Box<dyn std::error::Error>> {
	let disk = FailingDisk::new(content, u64::MAX);
	let database: DiskDatabase = disk::database(&disk)?;
	let key = Subspace::new(&(UNDO,)).pack(&(number,));
	let mut transaction = database.begin()?;
	let bytes = transaction.get(&key)?.ok_or("the block has no undo log")?.to_vec();
	let mut log = Log::decode_all(&mut &bytes[..])?;
	change(&mut log);
	transaction.set(&key, &log.encode())?;
	transaction.commit()?;
	database.close()?;
	Ok(disk.content())
}

/// Makes a chain whose last block changes rows and is not final, and its index.
fn indexed(seed: u64) -> (Rc<RefCell<Chain>>, Vec<u8>, u64) {
	let chain = Rc::new(RefCell::new(Chain::new(seed, 0)));
	let last = chain.borrow_mut().add_full();
	let content = follow(Vec::new(), &chain).expect("nothing is damaged");
	(chain, content, last.number)
}

/// Moves the chain to a fork without the last block.
fn fork(chain: &Rc<RefCell<Chain>>) {
	let first = chain.borrow().first();
	let parent = chain.borrow_mut().add_empty(first);
	chain.borrow_mut().add_empty(parent.hash);
}

/// Returns whether the blocks of the fork write a row: a purge may go on in them.
fn is_changed_by_fork(chain: &Chain, key: &RowKey) -> bool {
	let row = |hash| chain.block(&hash).and_then(|block| block.fabric.row(key));
	row(chain.first()) != row(chain.heads().best.hash)
}

#[test]
fn an_undo_log_that_lacks_a_row_is_noticed() {
	let (mut rows, mut noticed) = (0, 0);
	for seed in 0..12 {
		let (chain, content, number) = indexed(seed);
		fork(&chain);
		follow(content.clone(), &chain).expect("nothing is damaged");
		let mut places = Vec::new();
		let content = damage(content, number, |log| {
			let changes = log.changes.iter().enumerate();
			let is_kept = |(_, change): &(usize, &Change)| match change {
				Change::Row(_, key, _) => !is_changed_by_fork(&chain.borrow(), key),
				_ => false,
			};
			places.extend(changes.filter(is_kept).map(|(place, _)| place));
		})
		.expect("the log can be read");
		for place in places {
			let damaged = damage(content.clone(), number, |log| drop(log.changes.remove(place)));
			let damaged = damaged.expect("the log can be written");
			rows += 1;
			noticed += u32::from(follow(damaged, &chain).is_err());
		}
	}
	assert!(rows > 30, "only {rows} changes of rows were left out");
	assert_eq!(noticed, rows, "some damage was not noticed");
}
