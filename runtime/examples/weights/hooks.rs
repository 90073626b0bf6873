// SPDX-License-Identifier: Apache-2.0
//! What blocks do by themselves: purges at their end, and the migration at their beginning.

use std::path::Path;

use content_fabric_runtime::{
	configs::{BlockWeights, MaxIdleWeight},
	Balances, ContentFabric, Runtime, RuntimeGenesisConfig, RuntimeHoldReason, System, VERSION,
};
use content_fabric_storage_v1::Old;
use frame_support::{
	assert_ok,
	dispatch::DispatchClass,
	traits::{fungible::MutateHold, Hooks},
};
use frame_system::LastRuntimeUpgradeInfo;
use pallet_content_fabric::HoldReason;
use sp_runtime::BuildStorage;
use sp_state_machine::BasicExternalities;

use crate::{
	database::{Database, Outcome},
	median,
	state::{NOW, PARENT_NUMBER},
	table::{Measured, Table},
};

/// Blocks whose end is measured.
const BLOCKS: usize = 5;
/// One of this many blocks of a migration is proved.
const PROVED: u32 = 8;
/// Funds of the accounts of a state before the migration.
const ENDOWMENT: u128 = 1_000_000_000_000_000_000_000_000;

/// The reasons of holds by their index in a state of version 1.
const REASONS: [HoldReason; 3] =
	[HoldReason::ProviderBond, HoldReason::TenantBond, HoldReason::StorageDeposit];

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
	let time = median(idle).saturating_sub(median(full));
	let number = PARENT_NUMBER + 1;
	let (_, proof) = database.prove(|| ContentFabric::on_idle(number, MaxIdleWeight::get()))?;
	let (from_memory, proof) = (Some(time), Some(proof));
	let measured = Measured { from_disk: None, from_memory, proof, weight };
	table.add("on_idle", "", rows, measured);
	Ok(())
}

/// Writes a state of version 1, before an upgrade to this runtime.
fn write(old: &Old) {
	for (key, row) in &old.rows {
		sp_io::storage::set(key, row);
	}
	for ((account, reason), amount) in &old.holds {
		let reason = REASONS[usize::from(*reason)];
		let reason = RuntimeHoldReason::ContentFabric(reason);
		assert_ok!(Balances::hold(&reason, &(*account).into(), *amount));
	}
	let upgrade = LastRuntimeUpgradeInfo {
		spec_version: (VERSION.spec_version - 1).into(),
		spec_name: VERSION.spec_name,
	};
	frame_system::LastRuntimeUpgrade::<Runtime>::put(upgrade);
	pallet_timestamp::Now::<Runtime>::put(NOW);
	System::set_block_number(PARENT_NUMBER);
}

/// Measures the blocks of the migration from version 1.
pub fn migration(path: &Path, rows: u32, table: &mut Table) -> Outcome<()> {
	let old = Old::random(1, rows as usize, 1);
	let accounts = old.accounts.iter().map(|account| ((*account).into(), ENDOWMENT)).collect();
	let balances = pallet_balances::GenesisConfig { balances: accounts, ..Default::default() };
	let genesis = RuntimeGenesisConfig { balances, ..Default::default() };
	let mut state = BasicExternalities::new(genesis.build_storage()?);
	state.execute_with(|| write(&old));
	drop(old);
	let first = Database::make(path, state.into_storages())?;
	let mut database = Database::open(path, first)?;
	let mut number = 0;
	loop {
		let (measured, is_migrating) = database.next_block(number % PROVED == 1)?;
		table.add("migration, a block", "", rows, measured);
		number += 1;
		if !is_migrating {
			break;
		}
	}
	eprintln!("{rows} rows: migrated in {number} blocks");
	Ok(())
}
