//! Measures what the two ways to store the children of a parent cost. With *flat* ids a child is
//! stored under its own id and names its parent in its value, and the parent counts its children.
//! With *nested* ids the parent's id comes first in the key of the child.
//!
//! `cargo run --release -p pallet-content-fabric --example layouts` prints the tables of
//! `docs/flat-and-nested.md`: the bytes of a row, what a call reads and writes, what it costs to
//! delete a parent with all its children, and how many transactions and blocks that takes by the
//! weights of the pallet. The maps are not the pallet's, so that nothing but the layout differs.
//!
//! Keys *read* are those that were looked up, present or not; an iterator only walks over keys.
//! Keys *written* are those in the overlay. Trie *nodes* and the *proof* are what another machine
//! needs to do the same without the state and to find the new root: values, the nodes on the way to
//! them, neighbours of removed nodes. The proof is compact, as parachains send it. The *time* is
//! that of the work, of the new root and of putting the new nodes into the trie, in memory and
//! natively.

use std::time::{Duration, Instant};

use codec::{Decode, Encode};
use frame_support::{
	dispatch::DispatchClass,
	storage::unhashed,
	storage_alias,
	weights::{constants::WEIGHT_REF_TIME_PER_SECOND, Weight},
	Blake2_128Concat,
};
use frame_system::limits::BlockWeights;
use pallet_content_fabric::{config_preludes::TestMaxIdleWeight, WeightInfo};
use sp_core::Blake2Hasher;
use sp_io::TestExternalities;
use sp_runtime::{Perbill, StateVersion};

type Id = [u8; 10];
/// About as long as that of a content object with a head.
type Value = [u8; 73];
/// Keys read, keys written, trie nodes read, bytes of the proof.
type Cost = [usize; 4];

/// The parent that is measured.
const PARENT: u32 = 0;
/// The others, whose children are in the state too: it is the whole state that makes a trie deep.
const OTHER_PARENTS: u32 = 100;
const CHILDREN_OF_OTHERS: u32 = 1_000;
/// A call is measured with so many children, as proofs differ from key to key.
const SAMPLES: u32 = 100;

#[derive(Encode, Decode)]
struct Parent {
	owner: [u8; 32],
	governance_delete: bool,
	/// Counted in the flat layout alone.
	children: u32,
}

#[storage_alias(verbatim)]
type Parents = StorageMap<Layouts, Blake2_128Concat, Id, Parent>;
#[storage_alias(verbatim)]
type FlatChildren = StorageMap<Layouts, Blake2_128Concat, Id, (Id, Value)>;
#[storage_alias(verbatim)]
type NestedChildren = StorageDoubleMap<Layouts, Blake2_128Concat, Id, Blake2_128Concat, Id, Value>;

/// A layout, with the calls that a pallet would have.
trait Layout {
	const NAME: &'static str;

	fn key(parent: Id, child: Id) -> Vec<u8>;
	fn create(parent: Id, child: Id);
	/// Deletes a child if the parent is such that it may be.
	fn delete(parent: Id, child: Id, may: fn(&Parent) -> bool);
}

struct Flat;

impl Layout for Flat {
	const NAME: &'static str = "flat";

	fn key(_: Id, child: Id) -> Vec<u8> {
		FlatChildren::hashed_key_for(child)
	}

	fn create(parent: Id, child: Id) {
		let mut info = get(parent);
		assert!(is_owned(&info) && !FlatChildren::contains_key(child));
		FlatChildren::insert(child, (parent, value(child)));
		info.children += 1;
		Parents::insert(parent, info);
	}

	fn delete(_: Id, child: Id, may: fn(&Parent) -> bool) {
		let (parent, _) = FlatChildren::get(child).expect("the child is there");
		let mut info = get(parent);
		assert!(may(&info));
		FlatChildren::remove(child);
		info.children -= 1;
		Parents::insert(parent, info);
	}
}

struct Nested;

impl Layout for Nested {
	const NAME: &'static str = "nested";

	fn key(parent: Id, child: Id) -> Vec<u8> {
		NestedChildren::hashed_key_for(parent, child)
	}

	fn create(parent: Id, child: Id) {
		assert!(is_owned(&get(parent)) && !NestedChildren::contains_key(parent, child));
		NestedChildren::insert(parent, child, value(child));
	}

	fn delete(parent: Id, child: Id, may: fn(&Parent) -> bool) {
		assert!(may(&get(parent)) && NestedChildren::contains_key(parent, child));
		NestedChildren::remove(parent, child);
	}
}

fn get(parent: Id) -> Parent {
	Parents::get(parent).expect("all parents are created with the state")
}

fn is_owned(parent: &Parent) -> bool {
	parent.owner == [1; 32]
}

fn is_given_up(parent: &Parent) -> bool {
	parent.governance_delete
}

/// In the flat layout the list of children comes from outside of the chain.
fn one_by_one<L: Layout>(children: u32) {
	for child in 0..children {
		L::delete(id(PARENT), child_of(PARENT, child), is_given_up);
	}
	assert_eq!(Parents::take(id(PARENT)).map(|parent| parent.children), Some(0));
}

fn key_by_key(children: u32) {
	let removed = NestedChildren::iter_key_prefix(id(PARENT)).drain().count();
	assert!(removed == children as usize && Parents::take(id(PARENT)).is_some());
}

fn by_prefix(children: u32) {
	let removed = NestedChildren::clear_prefix(id(PARENT), u32::MAX, None).unique;
	assert!(removed == children && Parents::take(id(PARENT)).is_some());
}

fn id(number: u32) -> Id {
	let mut id = Id::default();
	id[..4].copy_from_slice(&number.to_be_bytes());
	id
}

/// The id of a child, which no other parent's children have.
fn child_of(parent: u32, child: u32) -> Id {
	id(parent * 1_000_000 + child)
}

/// No two are equal, as equal nodes are in a proof but once.
fn value(child: Id) -> Value {
	let mut value = [0; 73];
	value[..child.len()].copy_from_slice(&child);
	value
}

/// A state in which the measured parent has so many children.
fn state<L: Layout>(children: u32) -> TestExternalities {
	let mut ext = TestExternalities::default();
	ext.execute_with(|| {
		let others = (1..=OTHER_PARENTS).map(|parent| (parent, CHILDREN_OF_OTHERS));
		for (parent, children) in others.chain([(PARENT, children)]) {
			let info = Parent { owner: [1; 32], governance_delete: true, children: 0 };
			Parents::insert(id(parent), info);
			(0..children).for_each(|child| L::create(id(parent), child_of(parent, child)));
		}
	});
	ext.commit_all().expect("the trie is in memory and complete");
	ext
}

/// What it costs to do something, and to find the root after it. Leaves the state as it was.
fn cost(ext: &mut TestExternalities, work: impl FnOnce()) -> Cost {
	// Its type is that of the argument below. All clones record into the same place.
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

/// The median time of doing something, and committing it. Leaves the state as it was.
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
/// The name of a way to delete so many children, and the way.
type Way = (&'static str, fn(u32));

fn print_sizes<L: Layout>() {
	let mut ext = state::<L>(1);
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
	let mut ext = state::<L>(present);
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

fn print_deletions<L: Layout>(children: u32, runs: usize, ways: &[Way]) {
	let mut ext = state::<L>(children);
	for (name, delete) in ways {
		let parts = cost(&mut ext, || delete(children));
		let time = time(&mut ext, runs, || delete(children));
		let (time_each, proof_each) = (time / children, grouped(parts[3] / children as usize));
		let [read, written, nodes, proof] = parts.map(grouped);
		print!("| {} | {name} | {time:.2?} | {time_each:.2?} ", grouped(children as usize));
		println!("| {read} | {written} | {nodes} | {proof} | {proof_each} |");
	}
}

/// With blocks of two seconds, three quarters of it for transactions, as in the reference runtime.
fn print_blocks() {
	let block = Weight::from_parts(2 * WEIGHT_REF_TIME_PER_SECOND, u64::MAX);
	let limits = BlockWeights::with_sensible_defaults(block, Perbill::from_percent(75));
	let class = limits.get(DispatchClass::Normal);
	let all = class.max_total.expect("the defaults set it").ref_time();
	let one = class.max_extrinsic.expect("the defaults set it").ref_time();
	let single = class.base_extrinsic + <() as WeightInfo>::governance_delete_content_object();
	// The most rows that a weight of this time allows.
	let rows = |weight: fn(u32) -> Weight, time: u64| {
		let base = weight(0).ref_time();
		time.saturating_sub(base) / (weight(1).ref_time() - base)
	};
	let at_once = rows(<() as WeightInfo>::governance_delete_tenant, one);
	let reaped = rows(<() as WeightInfo>::reap, one);
	let idle = rows(<() as WeightInfo>::reap, TestMaxIdleWeight::get().ref_time());
	for (name, transactions, rows, in_steps) in [
		("child by child, under the flag", "1 a child", all / single.ref_time(), true),
		("by prefix, in one call", "1", at_once, false),
		("key by key, with `reap`", "1, and 1 a block", reaped, true),
		("key by key, by `on_idle` alone", "1", idle, true),
	] {
		let [few, many, most] = [10, 1_000, 100_000].map(|children: u64| match children <= rows {
			false if !in_steps => "too many".to_string(),
			_ => children.div_ceil(rows).to_string(),
		});
		let rows = grouped(rows as usize);
		println!("| {name} | {transactions} | {rows} | {few} | {many} | {most} |");
	}
}

fn main() {
	println!("| layout | key | value | both | trie nodes a row | bytes in the trie a row |");
	println!("| --- | ---: | ---: | ---: | ---: | ---: |");
	print_sizes::<Flat>();
	print_sizes::<Nested>();

	println!("\n| call | layout | keys read | keys written | nodes read | bytes of proof |");
	println!("| --- | --- | ---: | ---: | ---: | ---: |");
	print_calls::<Flat>();
	print_calls::<Nested>();

	print!("\n| children | how | time | time a child | keys read | keys written | nodes read ");
	println!("| bytes of proof | proof a child |\n| ---: | --- |{}", " ---: |".repeat(7));
	for (children, runs) in [(10, 15), (1_000, 15), (100_000, 3)] {
		print_deletions::<Flat>(children, runs, &[("flat, child by child", one_by_one::<Flat>)]);
		let ways: [Way; 3] = [
			("nested, child by child", one_by_one::<Nested>),
			("nested, key by key", key_by_key),
			("nested, by prefix", by_prefix),
		];
		print_deletions::<Nested>(children, runs, &ways);
	}

	println!("\n| how | transactions | rows a block | blocks for 10 | for 1,000 | for 100,000 |");
	println!("| --- | --- | ---: | ---: | ---: | ---: |");
	print_blocks();
}

/// A number with commas.
fn grouped(number: usize) -> String {
	match number {
		0..1_000 => number.to_string(),
		_ => format!("{},{:03}", grouped(number / 1_000), number % 1_000),
	}
}
