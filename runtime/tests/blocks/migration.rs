// SPDX-License-Identifier: Apache-2.0
//! The migration from storage version 1 over a large state, in blocks as they are made, interrupted
//! and resumed. [`content_fabric_storage_v1`] computes the expected rows, and shares no code with
//! the migration.

use std::time::{Duration, Instant};

use content_fabric_runtime::{
	configs::MaxServiceWeight, Balances, BlockNumber, ContentFabric, Executive, Migrations,
	Runtime, RuntimeHoldReason, System, VERSION,
};
use content_fabric_storage_v1::{after, assert_same, without_blocks, Holds, Old, Rows};
use frame_support::{
	assert_noop, assert_ok,
	migrations::MultiStepMigrator,
	traits::{
		fungible::{InspectHold, MutateHold},
		GetStorageVersion,
	},
};
use frame_system::LastRuntimeUpgradeInfo;
use pallet_content_fabric::{Error, HoldReason, LastMuid, Providers, Purges, Tenants};
use sp_keyring::Sr25519Keyring::Dave;
use sp_runtime::ExtrinsicInclusionMode;

use crate::chain::*;

const MIN_ROWS: usize = 100_000;

fn pallet_prefix() -> Vec<u8> {
	sp_io::hashing::twox_128(b"ContentFabric").to_vec()
}

/// Returns all storage of the pallet.
fn all_rows() -> Rows {
	let prefix = pallet_prefix();
	let next = |key: &Vec<u8>| sp_io::storage::next_key(key).filter(|it| it.starts_with(&prefix));
	core::iter::successors(next(&prefix), next)
		.map(|key| (key.clone(), sp_io::storage::get(&key).expect("the key exists").to_vec()))
		.collect()
}

const REASONS: [HoldReason; 3] =
	[HoldReason::ProviderBond, HoldReason::TenantBond, HoldReason::StorageDeposit];

fn holds(accounts: &[[u8; 32]]) -> Holds {
	let mut holds = Holds::new();
	for account in accounts {
		for reason in REASONS {
			let runtime_reason = RuntimeHoldReason::ContentFabric(reason);
			let amount = Balances::balance_on_hold(&runtime_reason, &(*account).into());
			if amount > 0 {
				holds.insert((*account, reason as u8), amount);
			}
		}
	}
	holds
}

/// Writes a state to the chain.
fn write(old: &Old) {
	for (key, row) in &old.rows {
		sp_io::storage::set(key, row);
	}
	for ((account, reason), amount) in &old.holds {
		let reason = RuntimeHoldReason::ContentFabric(REASONS[usize::from(*reason)]);
		assert_ok!(Balances::hold(&reason, &(*account).into(), *amount));
	}
}

/// A chain at version 1 that is about to start with this runtime.
fn old_chain(seed: u64) -> (Chain, Old) {
	old_chain_of(Old::random(seed, MIN_ROWS, 1))
}

fn old_chain_of(old: Old) -> (Chain, Old) {
	let mut chain = Chain::new();
	chain.block(|| ());
	chain.run(|| {
		write(&old);
		let upgrade = LastRuntimeUpgradeInfo {
			spec_version: (VERSION.spec_version - 1).into(),
			spec_name: VERSION.spec_name,
		};
		frame_system::LastRuntimeUpgrade::<Runtime>::put(upgrade);
	});
	chain.commit();
	(chain, old)
}

/// Makes a block of the migration, and returns whether it is still under way.
fn migration_block(number: BlockNumber) -> bool {
	let start = Instant::now();
	let mode = begin(number);
	Executive::finalize_block();
	let (time, weight) = (start.elapsed(), System::block_weight().total());
	assert_in_time(format_args!("block {number}"), time, weight, Duration::ZERO);
	let max = content_fabric_runtime::configs::BlockWeights::get().max_block;
	assert!(max.all_gte(weight), "block {number}: {weight:?}");
	if number > 2 {
		assert_eq!(mode, ExtrinsicInclusionMode::OnlyInherents);
	}
	Migrations::ongoing()
}

#[test]
fn a_state_of_100_000_rows_is_migrated_in_steps_and_exactly() {
	let (mut chain, old) = old_chain(1);
	let (before, held_before) = chain.run(|| (all_rows(), holds(&old.accounts)));
	assert!(before.len() >= MIN_ROWS, "{} rows", before.len());
	let funds_before = chain.run(Balances::total_issuance);

	let first = chain.number + 1;
	let mut ongoing = true;
	while ongoing {
		chain.number += 1;
		let number = chain.number;
		if number % 3 == 0 {
			// Another block of the same height, on a fork that is discarded.
			chain.run(|| undone(|| migration_block(number)));
		}
		if number % 5 == 0 {
			// The node is stopped and started.
			let (snapshot, root) = core::mem::take(&mut chain.state).into_raw_snapshot();
			let version = sp_runtime::StateVersion::V1;
			chain.state = sp_io::TestExternalities::from_raw_snapshot(snapshot, root, version);
		}
		ongoing = chain.run(|| migration_block(number));
		chain.run(|| {
			if ongoing {
				assert_eq!(ContentFabric::on_chain_storage_version(), 1);
				let call = ContentFabric::delete_space(
					content_fabric_runtime::RuntimeOrigin::root(),
					old.spaces[0],
				);
				assert_eq!(call, Err(Error::<Runtime>::MigrationPending.into()));
			}
		});
		chain.commit();
		assert!(number < 1_000, "the migration ends");
	}
	let blocks = first..=chain.number;
	println!("{} rows were migrated in {} blocks", before.len(), chain.number - first + 1);
	assert!(chain.number - first > 5, "the migration was to take many blocks");

	let (rows, held) = chain.run(|| (all_rows(), holds(&old.accounts)));
	let granted = chain.run(LastMuid::<Runtime>::get).expect("the migration has minted one");
	let expected = after(&before, held_before, granted);
	assert_same(&without_blocks(rows, &blocks), &expected.rows);
	assert_eq!(held, expected.holds);
	assert_eq!(chain.run(Balances::total_issuance), funds_before);

	// The chain goes on, and ends the purges that were under way.
	chain.blocks(20);
	chain.run(|| {
		assert_eq!(ContentFabric::on_chain_storage_version(), 2);
		assert_eq!(Purges::<Runtime>::iter().count(), 0);
		let purged = Providers::<Runtime>::iter_values().any(|info| info.purge.is_some())
			|| Tenants::<Runtime>::iter_values().any(|info| info.purge.is_some());
		assert!(!purged);
		let delete = |space| {
			ContentFabric::delete_space(content_fabric_runtime::RuntimeOrigin::root(), space)
		};
		assert_noop!(delete(old.spaces[0]), Error::<Runtime>::SpaceNotEmpty);
		assert_ok!(delete(*old.spaces.last().expect("there are spaces")));
	});
	let open = chain.block(|| {
		let admit = ContentFabric::create_tenant(
			signed(Dave),
			old.spaces[0],
			pallet_content_fabric::identifiers::TenantId([0xee; 10]),
			ENDOWMENT,
		);
		admit.is_ok()
	});
	assert!(open);
}

#[test]
fn the_service_weight_holds_a_step() {
	use frame_support::{
		migrations::{SteppedMigration, SteppedMigrationError},
		weights::WeightMeter,
	};
	type Migration = pallet_content_fabric::migrations::v2::MigrateV1ToV2<Runtime>;
	let (mut chain, _) = old_chain(2);
	chain.run(|| {
		let none = &mut WeightMeter::with_limit(Default::default());
		let Err(SteppedMigrationError::InsufficientWeight { required }) =
			Migration::step(None, none)
		else {
			panic!("a step without weight asks for some")
		};
		// Many, in fact, beside what the migrations pallet itself takes.
		assert!((MaxServiceWeight::get() / 100).all_gte(required), "{required:?}");
		let max = content_fabric_runtime::configs::BlockWeights::get().max_block;
		assert!(max.all_gte(MaxServiceWeight::get()));
	});
}

#[test]
fn states_whose_rows_decode_are_sound_after_the_migration() {
	for seed in 0..20 {
		let (mut chain, _) = old_chain_of(Old::random(seed, 3_000, 0));
		let mut ongoing = true;
		while ongoing {
			chain.number += 1;
			let number = chain.number;
			ongoing = chain.run(|| migration_block(number));
			chain.commit();
		}
		let checked = chain.run(ContentFabric::do_try_state);
		assert_eq!(checked, Ok(()), "seed {seed}");
	}
}
