// SPDX-License-Identifier: Apache-2.0
//! The cost of rows, calls and deletions in memory.
//!
//! Keys *read* are those that were looked up, present or not; an iterator only walks over keys.
//! Keys *written* are those in the overlay. Trie *nodes* and the *proof* are what another machine
//! needs to do the same without the state and to find the new root: values, the nodes on the way to
//! them, neighbours of removed nodes. The proof is compact, as parachains send it. The *time*
//! covers the work, the new root, and putting the new nodes into the trie, natively.

use std::time::{Duration, Instant};

use frame_support::storage::unhashed;
use sp_core::Blake2Hasher;
use sp_io::TestExternalities;
use sp_runtime::StateVersion;

use crate::{grouped, maps::*};

/// Keys read, keys written, trie nodes read, bytes of the proof.
type Cost = [usize; 4];

/// A call is measured with this many children, as proofs differ from key to key.
const SAMPLES: u32 = 100;

/// A state in memory in which the measured parent has this many children.
fn state(create: fn(Id, Id), children: u32) -> TestExternalities {
	let mut ext = TestExternalities::default();
	ext.execute_with(|| fill(create, children));
	ext.commit_all().expect("the trie is in memory and complete");
	ext
}

/// Returns the cost of doing something, and of computing the root afterwards. Leaves the state as
/// it was.
fn cost(ext: &mut TestExternalities, work: impl FnOnce()) -> Cost {
	// Its type follows from the argument below. All clones record into the same place.
	let recorder = Default::default();
	ext.execute_with_recorder(Clone::clone(&recorder), work);
	let keys_read = recorder.recorded_keys().values().map(|keys| keys.len()).sum();
	let keys_written = ext.overlayed_changes().changes().count();
	ext.execute_with_recorder(Clone::clone(&recorder), || sp_io::storage::root(StateVersion::V1));
	ext.reset_overlay();
	let proof = recorder.drain_storage_proof();
	let nodes = proof.len();
	let bytes = proof.encoded_compact_size::<Blake2Hasher>(*ext.backend.root());
	[keys_read, keys_written, nodes, bytes.expect("every proof begins at the root")]
}

/// Returns the median time of doing something and committing it. Leaves the state as it was.
fn time(ext: &mut TestExternalities, runs: usize, work: impl Fn()) -> Duration {
	let before = ext.backend.clone();
	let run = |_| {
		let began = Instant::now();
		ext.execute_with(&work);
		ext.commit_all().expect("the trie is in memory and complete");
		let time = began.elapsed();
		ext.backend = before.clone();
		time
	};
	let mut times: Vec<Duration> = (0..runs).map(run).collect();
	times.sort();
	times[runs / 2]
}

/// The name of a call, how many children there are before it, and the call.
type CallRow = (&'static str, u32, fn(Id));

fn print_sizes<L: Layout>() {
	let mut ext = state(L::create, 1);
	let key = L::key(id(PARENT), child_of(PARENT, 0));
	let value = ext.execute_with(|| unhashed::get_raw(&key)).expect("the first child is there");
	let (key, value) = (key.len(), value.len());
	let rows = f64::from(OTHER_PARENTS * CHILDREN_OF_OTHERS);
	let (nodes, _root) = ext.into_raw_snapshot();
	// A database keeps each node under its hash.
	let bytes: usize = nodes.iter().map(|(_, (node, _))| node.len() + 32).sum();
	let (nodes, bytes) = (nodes.len() as f64 / rows, bytes as f64 / rows);
	println!("| {} | {key} | {value} | {} | {nodes:.2} | {bytes:.0} |", L::NAME, key + value);
}

fn print_calls<L: Layout>() {
	let present = 1_000;
	let mut ext = state(L::create, present);
	let calls: [CallRow; 3] = [
		("create a child", present, |child| L::create(id(PARENT), child)),
		("delete a child", 0, |child| L::delete(id(PARENT), child, is_owned)),
		("`governance_delete` a child", 0, |child| L::delete(id(PARENT), child, is_given_up)),
	];
	for (name, first, call) in calls {
		let mut sums = Cost::default();
		for child in first..first + SAMPLES {
			let parts = cost(&mut ext, || call(child_of(PARENT, child)));
			sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
		}
		let [read, written, nodes, proof] = sums.map(|sum| grouped(sum / SAMPLES as usize));
		println!("| {name} | {} | {read} | {written} | {nodes} | {proof} |", L::NAME);
	}
}

fn print_deletions(children: u32, runs: usize) {
	for Way { name, create, delete } in WAYS {
		let mut ext = state(create, children);
		let parts = cost(&mut ext, || delete(children));
		let time = time(&mut ext, runs, || delete(children));
		let (time_each, proof_each) = (time / children, grouped(parts[3] / children as usize));
		let [read, written, nodes, proof] = parts.map(grouped);
		print!("| {} | {name} | {time:.2?} | {time_each:.2?} ", grouped(children as usize));
		println!("| {read} | {written} | {nodes} | {proof} | {proof_each} |");
	}
}

/// Prints the tables of what is measured in memory.
pub fn print() {
	println!("| layout | key | value | both | trie nodes per row | bytes in the trie per row |");
	println!("| --- | ---: | ---: | ---: | ---: | ---: |");
	print_sizes::<Flat>();
	print_sizes::<Nested>();

	println!("\n| call | layout | keys read | keys written | nodes read | bytes of proof |");
	println!("| --- | --- | ---: | ---: | ---: | ---: |");
	print_calls::<Flat>();
	print_calls::<Nested>();

	print!("\n| children | way | time | time per child | keys read | keys written | nodes read ");
	println!("| bytes of proof | proof per child |\n| ---: | --- |{}", " ---: |".repeat(7));
	for (children, runs) in SIZES {
		print_deletions(children, runs);
	}
}
