// SPDX-License-Identifier: Apache-2.0
//! Measures what the two ways to store the children of a parent cost. With *flat* ids a child is
//! stored under its own id and names its parent in its value, and the parent counts its children.
//! With *nested* ids the parent's id comes first in the key of the child.
//!
//! `cargo run --release -p content-fabric-node-mock --example layouts` prints the tables of
//! `docs/flat-and-nested.md`: the bytes of a row, what a call reads and writes, what it costs to
//! delete a parent with all its children, in memory and on disk, and how many transactions and
//! blocks that takes by the weights of the pallet.

mod disk;
mod maps;
mod memory;

use content_fabric_runtime::{
	configs::{BlockWeights, MaxIdleWeight},
	Runtime,
};
use frame_support::{dispatch::DispatchClass, weights::Weight};
use pallet_content_fabric::{Config, WeightInfo};

type Weights = <Runtime as Config>::WeightInfo;

/// By the weights and limits of the reference runtime.
fn print_blocks() {
	let limits = BlockWeights::get();
	let class = limits.get(DispatchClass::Normal);
	let all = class.max_total.expect("the runtime sets it").ref_time();
	let one = class.max_extrinsic.expect("the runtime sets it").ref_time();
	let single = class.base_extrinsic + Weights::governance_delete_content_object();
	// The most rows that a weight of this time allows.
	let rows = |weight: fn(u32) -> Weight, time: u64| {
		let base = weight(0).ref_time();
		time.saturating_sub(base) / (weight(1).ref_time() - base)
	};
	let reaped = rows(Weights::reap, one);
	let idle = rows(Weights::reap, MaxIdleWeight::get().ref_time());
	for (way, transactions, rows) in [
		("child by child, of a frozen member", "1 per child", all / single.ref_time()),
		("one call, then `reap`", "1, and 1 per block", reaped),
		("one call, then `on_idle` alone", "1", idle),
	] {
		let blocks = [10, 1_000, 100_000u64].map(|children| children.div_ceil(rows));
		let [few, many, most] = blocks;
		let rows = grouped(rows as usize);
		println!("| {way} | {transactions} | {rows} | {few} | {many} | {most} |");
	}
}

fn main() {
	memory::print();
	disk::print();

	println!("\n| way | transactions | rows per block | blocks for 10 | for 1,000 | for 100,000 |");
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
