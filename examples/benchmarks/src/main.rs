// SPDX-License-Identifier: Apache-2.0
//! Runs all benchmarks of the pallet on the example, with the least and the largest values of their
//! components, and prints what they read, wrote and proved. The runtime is compiled for this
//! machine, so no times are printed.

#[path = "../../shared/genesis.rs"]
mod genesis;

use std::error::Error;

use frame_benchmarking::{
	runtime_decl_for_benchmark::BenchmarkV2, BenchmarkConfig, BenchmarkMetadata,
	BenchmarkParameter, BenchmarkResult,
};
use sc_client_db::BenchmarkingState;
use serde_json::json;
use sp_externalities::Extensions;
use sp_genesis_builder::runtime_decl_for_genesis_builder::GenesisBuilder;
use sp_keystore::{testing::MemoryKeystore, KeystoreExt};
use sp_runtime::{
	traits::{BlakeTwo256, Block},
	Storage,
};
use sp_state_machine::{BasicExternalities, Ext, OverlayedChanges};

use self::genesis::genesis;

const PALLET: &[u8] = b"pallet_content_fabric";

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
	let passed = run::<example_parachain::Block, example_parachain::Runtime>("parachain")?;
	assert!(passed > 0, "the chain has benchmarks");
	println!("\n{passed} benchmarks passed");
	Ok(())
}

/// Runs the benchmarks on one chain. Returns their number.
fn run<B: Block, Runtime: BenchmarkV2<B> + GenesisBuilder<B>>(
	chain: &str,
) -> Result<usize, Failure> {
	println!("\n| benchmark on the {chain} | components | reads | writes | bytes of proof |");
	println!("| --- | --- | ---: | ---: | ---: |");
	let genesis = state::<B, Runtime>()?;
	let (lists, _) = Runtime::benchmark_metadata(false);
	let list = lists.into_iter().find(|list| list.pallet == PALLET);
	let list = list.ok_or("the runtime lacks the pallet's benchmarks")?;
	for benchmark in &list.benchmarks {
		let mut choices = vec![components(benchmark, |least, _| least)];
		if !benchmark.components.is_empty() {
			choices.push(components(benchmark, |_, largest| largest));
		}
		for components in choices {
			let name = String::from_utf8_lossy(&benchmark.name);
			let result =
				dispatch::<B, Runtime>(&genesis, &list.instance, &benchmark.name, &components)
					.map_err(|error| format!("{name} {components:?} on the {chain}: {error}"))?;
			let components: Vec<_> =
				components.iter().map(|(name, value)| format!("{name} = {value}")).collect();
			let (reads, writes, proof) = (result.reads, result.writes, result.proof_size);
			println!("| `{name}` | {} | {reads} | {writes} | {proof} |", components.join(", "));
		}
	}
	Ok(list.benchmarks.len())
}

fn components(
	benchmark: &BenchmarkMetadata,
	choose: fn(u32, u32) -> u32,
) -> Vec<(BenchmarkParameter, u32)> {
	let choose = |&(name, least, largest): &(_, u32, u32)| (name, choose(least, largest));
	benchmark.components.iter().map(choose).collect()
}

/// Returns the state of the development preset.
fn state<B: Block, Runtime: GenesisBuilder<B>>() -> Result<Storage, Failure> {
	let mut state = BasicExternalities::new_empty();
	state.execute_with(|| Runtime::build_state(genesis::<B, Runtime>(json!({}))))?;
	Ok(state.into_storages())
}

/// Runs a benchmark once, with its checks.
fn dispatch<B: Block, Runtime: BenchmarkV2<B>>(
	genesis: &Storage,
	instance: &[u8],
	benchmark: &[u8],
	components: &[(BenchmarkParameter, u32)],
) -> Result<BenchmarkResult, String> {
	let state = BenchmarkingState::<BlakeTwo256>::new(genesis.clone(), None, true, true)?;
	let mut changes = OverlayedChanges::default();
	let mut extensions = Extensions::default();
	extensions.register(KeystoreExt::new(MemoryKeystore::new()));
	let mut externalities = Ext::new(&mut changes, &state, Some(&mut extensions));
	let config = BenchmarkConfig {
		pallet: PALLET.to_vec(),
		instance: instance.to_vec(),
		benchmark: benchmark.to_vec(),
		selected_components: components.to_vec(),
		verify: true,
		internal_repeats: 1,
	};
	let batches = sp_externalities::set_and_run_with_externalities(&mut externalities, || {
		Runtime::dispatch_benchmark(config)
	})?;
	let result = batches.into_iter().flat_map(|batch| batch.results).next();
	result.ok_or_else(|| "the runtime did not run it".into())
}
