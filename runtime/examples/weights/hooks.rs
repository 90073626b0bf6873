// SPDX-License-Identifier: Apache-2.0
//! The purges at the end of a block.

use content_fabric_runtime::{
	configs::{BlockWeights, MaxIdleWeight},
	ContentFabric, System,
};
use frame_support::{dispatch::DispatchClass, traits::Hooks};

use crate::{
	database::{Database, Outcome},
	median,
	state::PARENT_NUMBER,
	table::{Measured, Table},
};

/// Blocks whose end is measured.
const BLOCKS: usize = 5;

/// Fills the block, so that it has no weight to spare.
fn fill() {
	let max = BlockWeights::get().max_block;
	System::register_extra_weight_unchecked(max, DispatchClass::Mandatory);
}

/// Measures the end of a block that has all its weight to spare for purges.
pub fn idle(database: &Database, rows: u32, table: &mut Table) -> Outcome<()> {
	let mut full = Vec::new();
	let mut idle = Vec::new();
	let mut weight = Default::default();
	for _ in 0..BLOCKS {
		full.push(database.time_end(fill)?.0);
		let (time, idle_weight) = database.time_end(|| ())?;
		idle.push(time);
		weight = idle_weight;
	}
	let from_memory = median(idle).saturating_sub(median(full));
	let number = PARENT_NUMBER + 1;
	let (_, proof) = database.prove(|| ContentFabric::on_idle(number, MaxIdleWeight::get()))?;
	let measured = Measured { from_disk: None, from_memory, proof, weight };
	table.add("on_idle", "", rows, measured);
	Ok(())
}
