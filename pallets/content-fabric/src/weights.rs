// SPDX-License-Identifier: Apache-2.0
//! Weights of the calls, measured by the benchmarks of this crate. Written by
//! `scripts/measure/benchmark`: do not edit.
//!
//! Measured with 20 steps, 5 times each on 2026-11-27.
//! Proof sizes are computed by `scripts/measure/proof_sizes.py` from the rows that a call touches.

use core::marker::PhantomData;

use frame_support::{
	traits::Get,
	weights::{constants::ParityDbWeight, RuntimeDbWeight, Weight},
};

/// Weights of the calls of the pallet, and of its other steps.
///
/// Parameters are numbers: `v` of versions, `c` of
/// nodes that a commit asks, `r` of records or rows, `a` of admissions, `s` of scans
/// of the overlay; or lengths in bytes: `s` of a service level, `n` of the name of a
/// collection, `k` of a record key, `b` of all record keys of a call.
pub trait WeightInfo {
	/// Weight of `create_space`.
	fn create_space(s: u32) -> Weight;
	/// Weight of `set_space_rules`.
	fn set_space_rules(s: u32) -> Weight;
	/// Weight of `set_space_governor`.
	fn set_space_governor() -> Weight;
	/// Weight of `admit`.
	fn admit() -> Weight;
	/// Weight of `revoke_admissions`.
	fn revoke_admissions(a: u32) -> Weight;
	/// Weight of `delete_space`.
	fn delete_space() -> Weight;
	/// Weight of `create_provider`.
	fn create_provider() -> Weight;
	/// Weight of `create_tenant`.
	fn create_tenant() -> Weight;
	/// Weight of `top_up_bond`.
	fn top_up_bond() -> Weight;
	/// Weight of `set_max_held`.
	fn set_max_held() -> Weight;
	/// Weight of `nominate_root`.
	fn nominate_root() -> Weight;
	/// Weight of `accept_root`.
	fn accept_root() -> Weight;
	/// Weight of `purge_member`.
	fn purge_member() -> Weight;
	/// Weight of `delete_member`.
	fn delete_member() -> Weight;
	/// Weight of `set_provider_key`.
	fn set_provider_key() -> Weight;
	/// Weight of `set_tenant_key`.
	fn set_tenant_key() -> Weight;
	/// Weight of `create_node`.
	fn create_node() -> Weight;
	/// Weight of `confirm_node`.
	fn confirm_node() -> Weight;
	/// Weight of `set_node_locator`.
	fn set_node_locator() -> Weight;
	/// Weight of `set_node_operator`.
	fn set_node_operator() -> Weight;
	/// Weight of `remove_node`.
	fn remove_node() -> Weight;
	/// Weight of `add_kms`.
	fn add_kms() -> Weight;
	/// Weight of `set_kms`.
	fn set_kms() -> Weight;
	/// Weight of `remove_kms`.
	fn remove_kms() -> Weight;
	/// Weight of `create_content_object`.
	fn create_content_object() -> Weight;
	/// Weight of `commit_versions`.
	fn commit_versions(v: u32, c: u32) -> Weight;
	/// Weight of `finalize_versions`.
	fn finalize_versions(v: u32) -> Weight;
	/// Weight of `add_copies`.
	fn add_copies(v: u32) -> Weight;
	/// Weight of `remove_copies`.
	fn remove_copies(v: u32) -> Weight;
	/// Weight of `set_head_version`.
	fn set_head_version() -> Weight;
	/// Weight of `delete_version`.
	fn delete_version() -> Weight;
	/// Weight of `delete_content_object`.
	fn delete_content_object() -> Weight;
	/// Weight of `create_collection`.
	fn create_collection(n: u32) -> Weight;
	/// Weight of `delete_collection`.
	fn delete_collection(n: u32) -> Weight;
	/// Weight of `put_records`.
	fn put_records(r: u32) -> Weight;
	/// Weight of `put_records_key_bytes`.
	fn put_records_key_bytes(b: u32) -> Weight;
	/// Weight of `delete_records`.
	fn delete_records(r: u32) -> Weight;
	/// Weight of `delete_records_key_bytes`.
	fn delete_records_key_bytes(b: u32) -> Weight;
	/// Weight of `slash`.
	fn slash() -> Weight;
	/// Weight of `set_suspended`.
	fn set_suspended() -> Weight;
	/// Weight of `set_governance_delete`.
	fn set_governance_delete() -> Weight;
	/// Weight of `governance_delete_node`.
	fn governance_delete_node() -> Weight;
	/// Weight of `governance_delete_provider_key`.
	fn governance_delete_provider_key() -> Weight;
	/// Weight of `governance_delete_tenant_key`.
	fn governance_delete_tenant_key() -> Weight;
	/// Weight of `governance_delete_kms`.
	fn governance_delete_kms() -> Weight;
	/// Weight of `governance_delete_content_object`.
	fn governance_delete_content_object() -> Weight;
	/// Weight of `governance_delete_version`.
	fn governance_delete_version() -> Weight;
	/// Weight of `governance_delete_collection`.
	fn governance_delete_collection(n: u32) -> Weight;
	/// Weight of `governance_delete_record`.
	fn governance_delete_record(n: u32, k: u32) -> Weight;
	/// Weight of `governance_delete`.
	fn governance_delete() -> Weight;
	/// Weight of `reap`.
	fn reap(r: u32) -> Weight;
	/// Weight of `on_idle_base`.
	fn on_idle_base() -> Weight;
	/// Weight of `clear_prefix`.
	fn clear_prefix(r: u32) -> Weight;
	/// Weight of `overlay_scan`.
	fn overlay_scan(s: u32) -> Weight;
}

/// The costs of a database, by which weights are counted.
pub trait DatabaseCosts {
	/// The costs of a read and of a write.
	type DbWeight: Get<RuntimeDbWeight>;
}

/// Weights by the database of a runtime.
pub struct SubstrateWeight<T>(PhantomData<T>);

impl<T: frame_system::Config> DatabaseCosts for SubstrateWeight<T> {
	type DbWeight = T::DbWeight;
}

/// Weights for tests, by the costs of ParityDB.
impl DatabaseCosts for () {
	type DbWeight = ParityDbWeight;
}

impl<T: DatabaseCosts> WeightInfo for T {
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Medallions` (r:1 w:1)
	/// Proof: `ContentFabric::Medallions` (`max_values`: Some(1), `max_size`: Some(24), added: 519, mode: `MaxEncodedLen`)
	/// Storage: `System::ParentHash` (r:1 w:0)
	/// Proof: `System::ParentHash` (`max_values`: Some(1), `max_size`: Some(32), added: 527, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastTid` (r:0 w:1)
	/// Proof: `ContentFabric::LastTid` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// The range of component `s` is `[0, 256]`.
	fn create_space(s: u32) -> Weight {
		// Proof size: measured 48
		Weight::from_parts(25_603_176, 4757)
			.saturating_add(Weight::from_parts(925, 0).saturating_mul(s.into()))
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// The range of component `s` is `[0, 256]`.
	fn set_space_rules(s: u32) -> Weight {
		// Proof size: measured 508
		Weight::from_parts(22_947_134, 4469)
			.saturating_add(Weight::from_parts(1_618, 0).saturating_mul(s.into()))
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	fn set_space_governor() -> Weight {
		// Proof size: measured 508
		Weight::from_parts(21_813_000, 4469)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Admissions` (r:1 w:1)
	/// Proof: `ContentFabric::Admissions` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	fn admit() -> Weight {
		// Proof size: measured 519
		Weight::from_parts(27_971_000, 8268)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Admissions` (r:1000 w:1000)
	/// Proof: `ContentFabric::Admissions` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// The range of component `a` is `[1, 1000]`.
	fn revoke_admissions(a: u32) -> Weight {
		// Proof size: measured 597
		Weight::from_parts(28_012_000, 9257)
			.saturating_add(Weight::from_parts(8_552_697, 0).saturating_mul(a.into()))
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().reads(u64::from(a).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(1))
			.saturating_add(T::DbWeight::get().writes(u64::from(a).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 1086).saturating_mul(a.into()))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	fn delete_space() -> Weight {
		// Proof size: measured 508
		Weight::from_parts(22_073_000, 4469)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Admissions` (r:1 w:1)
	/// Proof: `ContentFabric::Admissions` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	fn create_provider() -> Weight {
		// Proof size: measured 654
		Weight::from_parts(128_721_000, 14086)
			.saturating_add(T::DbWeight::get().reads(7))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Admissions` (r:1 w:1)
	/// Proof: `ContentFabric::Admissions` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	fn create_tenant() -> Weight {
		// Proof size: measured 654
		Weight::from_parts(128_241_000, 14102)
			.saturating_add(T::DbWeight::get().reads(7))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	fn top_up_bond() -> Weight {
		// Proof size: measured 535
		Weight::from_parts(70_785_000, 9946)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	fn set_max_held() -> Weight {
		// Proof size: measured 357
		Weight::from_parts(18_978_000, 4323)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	fn nominate_root() -> Weight {
		// Proof size: measured 729
		Weight::from_parts(28_191_000, 7364)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Admissions` (r:1 w:1)
	/// Proof: `ContentFabric::Admissions` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:1)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:2 w:2)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn accept_root() -> Weight {
		// Proof size: measured 1213
		Weight::from_parts(230_281_000, 23556)
			.saturating_add(T::DbWeight::get().reads(10))
			.saturating_add(T::DbWeight::get().writes(8))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::DeletionQueueBounds` (r:1 w:1)
	/// Proof: `ContentFabric::DeletionQueueBounds` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::DeletionQueue` (r:0 w:1)
	/// Proof: `ContentFabric::DeletionQueue` (`max_values`: None, `max_size`: Some(27), added: 2502, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Purges` (r:0 w:1)
	/// Proof: `ContentFabric::Purges` (`max_values`: None, `max_size`: Some(1073), added: 3548, mode: `MaxEncodedLen`)
	fn purge_member() -> Weight {
		// Proof size: measured 386
		Weight::from_parts(25_488_000, 7607)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	fn delete_member() -> Weight {
		// Proof size: measured 907
		Weight::from_parts(109_803_000, 12987)
			.saturating_add(T::DbWeight::get().reads(5))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:1)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	fn set_provider_key() -> Weight {
		// Proof size: measured 936
		Weight::from_parts(89_383_000, 16906)
			.saturating_add(T::DbWeight::get().reads(8))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:2 w:1)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	fn set_tenant_key() -> Weight {
		// Proof size: measured 1079
		Weight::from_parts(95_362_000, 20753)
			.saturating_add(T::DbWeight::get().reads(9))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(384), added: 2859, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Medallions` (r:1 w:1)
	/// Proof: `ContentFabric::Medallions` (`max_values`: Some(1), `max_size`: Some(24), added: 519, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	fn create_node() -> Weight {
		// Proof size: measured 1029
		Weight::from_parts(94_270_000, 20974)
			.saturating_add(T::DbWeight::get().reads(8))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(384), added: 2859, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	fn confirm_node() -> Weight {
		// Proof size: measured 861
		Weight::from_parts(32_538_000, 12246)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(384), added: 2859, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	fn set_node_locator() -> Weight {
		// Proof size: measured 782
		Weight::from_parts(85_307_000, 17869)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(384), added: 2859, mode: `MaxEncodedLen`)
	fn set_node_operator() -> Weight {
		// Proof size: measured 861
		Weight::from_parts(32_188_000, 12246)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(384), added: 2859, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn remove_node() -> Weight {
		// Proof size: measured 1039
		Weight::from_parts(80_329_000, 17869)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(390), added: 2865, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	fn add_kms() -> Weight {
		// Proof size: measured 1037
		Weight::from_parts(91_185_000, 20932)
			.saturating_add(T::DbWeight::get().reads(7))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(390), added: 2865, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	fn set_kms() -> Weight {
		// Proof size: measured 825
		Weight::from_parts(85_707_000, 17891)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(390), added: 2865, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn remove_kms() -> Weight {
		// Proof size: measured 1081
		Weight::from_parts(81_481_000, 17891)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(153), added: 2628, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	fn create_content_object() -> Weight {
		// Proof size: measured 1079
		Weight::from_parts(93_429_000, 20799)
			.saturating_add(T::DbWeight::get().reads(9))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Providers` (r:8 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:8 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(384), added: 2859, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:0)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(390), added: 2865, mode: `MaxEncodedLen`)
	/// Storage: `System::BlockHash` (r:1 w:0)
	/// Proof: `System::BlockHash` (`max_values`: None, `max_size`: Some(44), added: 2519, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:500 w:500)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(153), added: 2628, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:500 w:500)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(476), added: 2951, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// The range of component `v` is `[1, 500]`.
	/// The range of component `c` is `[0, 7]`.
	fn commit_versions(v: u32, c: u32) -> Weight {
		// Proof size: measured 2674
		Weight::from_parts(402_426_456, 43602)
			.saturating_add(Weight::from_parts(21_615_255, 0).saturating_mul(v.into()))
			.saturating_add(T::DbWeight::get().reads(13))
			.saturating_add(T::DbWeight::get().reads(u64::from(v).saturating_mul(2)))
			.saturating_add(T::DbWeight::get().reads(u64::from(c).saturating_mul(2)))
			.saturating_add(T::DbWeight::get().writes(5))
			.saturating_add(T::DbWeight::get().writes(u64::from(v).saturating_mul(2)))
			.saturating_add(Weight::from_parts(0, 5923).saturating_mul(c.into()))
			.saturating_add(Weight::from_parts(0, 2175).saturating_mul(v.into()))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:0)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(384), added: 2859, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Tenants` (r:1 w:0)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:500 w:500)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(476), added: 2951, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:500 w:500)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(153), added: 2628, mode: `MaxEncodedLen`)
	/// The range of component `v` is `[1, 500]`.
	fn finalize_versions(v: u32) -> Weight {
		// Proof size: measured 2227
		Weight::from_parts(78_757_000, 28338)
			.saturating_add(Weight::from_parts(25_641_485, 0).saturating_mul(v.into()))
			.saturating_add(T::DbWeight::get().reads(7))
			.saturating_add(T::DbWeight::get().reads(u64::from(v).saturating_mul(2)))
			.saturating_add(T::DbWeight::get().writes(u64::from(v).saturating_mul(2)))
			.saturating_add(Weight::from_parts(0, 2651).saturating_mul(v.into()))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:0)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(384), added: 2859, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:500 w:500)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(476), added: 2951, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// The range of component `v` is `[1, 500]`.
	fn add_copies(v: u32) -> Weight {
		// Proof size: measured 1839
		Weight::from_parts(52_207_738, 26084)
			.saturating_add(Weight::from_parts(17_111_276, 0).saturating_mul(v.into()))
			.saturating_add(T::DbWeight::get().reads(7))
			.saturating_add(T::DbWeight::get().reads(u64::from(v).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(3))
			.saturating_add(T::DbWeight::get().writes(u64::from(v).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 1487).saturating_mul(v.into()))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:0)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(384), added: 2859, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:500 w:500)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(476), added: 2951, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// The range of component `v` is `[1, 500]`.
	fn remove_copies(v: u32) -> Weight {
		// Proof size: measured 2089
		Weight::from_parts(51_230_472, 29915)
			.saturating_add(Weight::from_parts(16_706_766, 0).saturating_mul(v.into()))
			.saturating_add(T::DbWeight::get().reads(8))
			.saturating_add(T::DbWeight::get().reads(u64::from(v).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(3))
			.saturating_add(T::DbWeight::get().writes(u64::from(v).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 1487).saturating_mul(v.into()))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:0)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(153), added: 2628, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:0)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(476), added: 2951, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	fn set_head_version() -> Weight {
		// Proof size: measured 1307
		Weight::from_parts(53_981_000, 16867)
			.saturating_add(T::DbWeight::get().reads(7))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(153), added: 2628, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(476), added: 2951, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn delete_version() -> Weight {
		// Proof size: measured 1405
		Weight::from_parts(108_311_000, 22386)
			.saturating_add(T::DbWeight::get().reads(7))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(153), added: 2628, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn delete_content_object() -> Weight {
		// Proof size: measured 808
		Weight::from_parts(80_269_000, 17654)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(913), added: 3388, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// The range of component `n` is `[1, 317]`.
	fn create_collection(n: u32) -> Weight {
		// Proof size: measured 1079
		Weight::from_parts(95_482_131, 21559)
			.saturating_add(Weight::from_parts(10_007, 0).saturating_mul(n.into()))
			.saturating_add(T::DbWeight::get().reads(9))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(913), added: 3388, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// The range of component `n` is `[1, 317]`.
	fn delete_collection(n: u32) -> Weight {
		// Proof size: measured 1282
		Weight::from_parts(81_691_455, 18414)
			.saturating_add(Weight::from_parts(17_158, 0).saturating_mul(n.into()))
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(913), added: 3388, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:500 w:0)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(153), added: 2628, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:500 w:0)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(476), added: 2951, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Records` (r:500 w:500)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(982), added: 3457, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// The range of component `r` is `[1, 500]`.
	fn put_records(r: u32) -> Weight {
		// Proof size: measured 24963
		Weight::from_parts(202_396_883, 36790)
			.saturating_add(Weight::from_parts(28_679_431, 0).saturating_mul(r.into()))
			.saturating_add(T::DbWeight::get().reads(9))
			.saturating_add(T::DbWeight::get().reads(u64::from(r).saturating_mul(3)))
			.saturating_add(T::DbWeight::get().writes(5))
			.saturating_add(T::DbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 3797).saturating_mul(r.into()))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(913), added: 3388, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:500 w:0)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(153), added: 2628, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:500 w:0)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(476), added: 2951, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Records` (r:500 w:500)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(982), added: 3457, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// The range of component `b` is `[0, 256000]`.
	fn put_records_key_bytes(b: u32) -> Weight {
		// Proof size: measured 88852
		Weight::from_parts(14_790_007_367, 34874)
			.saturating_add(Weight::from_parts(10_173, 0).saturating_mul(b.into()))
			.saturating_add(T::DbWeight::get().reads(1509))
			.saturating_add(T::DbWeight::get().writes(505))
			.saturating_add(Weight::from_parts(0, 1).saturating_mul(b.into()))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(913), added: 3388, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Records` (r:500 w:500)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(982), added: 3457, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// The range of component `r` is `[1, 500]`.
	fn delete_records(r: u32) -> Weight {
		// Proof size: measured 1534
		Weight::from_parts(95_029_975, 23537)
			.saturating_add(Weight::from_parts(14_500_652, 0).saturating_mul(r.into()))
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(4))
			.saturating_add(T::DbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 1146).saturating_mul(r.into()))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(913), added: 3388, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Records` (r:500 w:500)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(982), added: 3457, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// The range of component `b` is `[0, 256000]`.
	fn delete_records_key_bytes(b: u32) -> Weight {
		// Proof size: measured 60576
		Weight::from_parts(7_420_374_676, 23120)
			.saturating_add(Weight::from_parts(14_620, 0).saturating_mul(b.into()))
			.saturating_add(T::DbWeight::get().reads(506))
			.saturating_add(T::DbWeight::get().writes(504))
			.saturating_add(Weight::from_parts(0, 1).saturating_mul(b.into()))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn slash() -> Weight {
		// Proof size: measured 907
		Weight::from_parts(58_266_000, 12987)
			.saturating_add(T::DbWeight::get().reads(5))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	fn set_suspended() -> Weight {
		// Proof size: measured 729
		Weight::from_parts(26_319_000, 7364)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	fn set_governance_delete() -> Weight {
		// Proof size: measured 729
		Weight::from_parts(26_309_000, 7364)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(384), added: 2859, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn governance_delete_node() -> Weight {
		// Proof size: measured 1313
		Weight::from_parts(85_287_000, 17079)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(219), added: 2694, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:1)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn governance_delete_provider_key() -> Weight {
		// Proof size: measured 1018
		Weight::from_parts(88_000_000, 16802)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:1)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(107), added: 2582, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn governance_delete_tenant_key() -> Weight {
		// Proof size: measured 1034
		Weight::from_parts(87_610_000, 16818)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(390), added: 2865, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn governance_delete_kms() -> Weight {
		// Proof size: measured 1355
		Weight::from_parts(86_369_000, 17101)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(153), added: 2628, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn governance_delete_content_object() -> Weight {
		// Proof size: measured 1082
		Weight::from_parts(84_856_000, 16864)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(153), added: 2628, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(476), added: 2951, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn governance_delete_version() -> Weight {
		// Proof size: measured 1651
		Weight::from_parts(117_615_000, 21596)
			.saturating_add(T::DbWeight::get().reads(7))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(913), added: 3388, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// The range of component `n` is `[1, 317]`.
	fn governance_delete_collection(n: u32) -> Weight {
		// Proof size: measured 1556
		Weight::from_parts(86_366_481, 17624)
			.saturating_add(Weight::from_parts(16_879, 0).saturating_mul(n.into()))
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(913), added: 3388, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Records` (r:1 w:1)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(982), added: 3457, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// The range of component `n` is `[1, 317]`.
	/// The range of component `k` is `[1, 512]`.
	fn governance_delete_record(n: u32, k: u32) -> Weight {
		// Proof size: measured 1291
		Weight::from_parts(151_628_487, 22330)
			.saturating_add(Weight::from_parts(75_172, 0).saturating_mul(n.into()))
			.saturating_add(Weight::from_parts(7_353, 0).saturating_mul(k.into()))
			.saturating_add(T::DbWeight::get().reads(7))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::DeletionQueueBounds` (r:1 w:1)
	/// Proof: `ContentFabric::DeletionQueueBounds` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::DeletionQueue` (r:0 w:1)
	/// Proof: `ContentFabric::DeletionQueue` (`max_values`: None, `max_size`: Some(27), added: 2502, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Purges` (r:0 w:1)
	/// Proof: `ContentFabric::Purges` (`max_values`: None, `max_size`: Some(1073), added: 3548, mode: `MaxEncodedLen`)
	fn governance_delete() -> Weight {
		// Proof size: measured 936
		Weight::from_parts(146_528_000, 16271)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(6))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(235), added: 2710, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Purges` (r:1 w:1)
	/// Proof: `ContentFabric::Purges` (`max_values`: None, `max_size`: Some(1073), added: 3548, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Records` (r:1000 w:1000)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(982), added: 3457, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(175), added: 2650, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::DeletionQueue` (r:0 w:1)
	/// Proof: `ContentFabric::DeletionQueue` (`max_values`: None, `max_size`: Some(27), added: 2502, mode: `MaxEncodedLen`)
	/// The range of component `r` is `[1, 1000]`.
	fn reap(r: u32) -> Weight {
		// Proof size: measured 1173
		Weight::from_parts(87_500_000, 35408)
			.saturating_add(Weight::from_parts(4_262_721, 0).saturating_mul(r.into()))
			.saturating_add(T::DbWeight::get().reads(5))
			.saturating_add(T::DbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(5))
			.saturating_add(T::DbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 1092).saturating_mul(r.into()))
	}
	/// Storage: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Proof: UNKNOWN KEY `0x69f07aded9c109fb84127ea9813e172d4e7b9012096b41c4eb3aaf947f6ea429` (r:1 w:0)
	/// Storage: `ContentFabric::DeletionQueueBounds` (r:1 w:1)
	/// Proof: `ContentFabric::DeletionQueueBounds` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::DeletionQueue` (r:1 w:0)
	/// Proof: `ContentFabric::DeletionQueue` (`max_values`: None, `max_size`: Some(27), added: 2502, mode: `MaxEncodedLen`)
	fn on_idle_base() -> Weight {
		// Proof size: measured 45
		Weight::from_parts(8_162_000, 2575)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Records` (r:1000 w:1000)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(982), added: 3457, mode: `MaxEncodedLen`)
	/// The range of component `r` is `[0, 1000]`.
	fn clear_prefix(r: u32) -> Weight {
		// Proof size: measured 609
		Weight::from_parts(3_305_000, 4978)
			.saturating_add(Weight::from_parts(2_046_890, 0).saturating_mul(r.into()))
			.saturating_add(T::DbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 1092).saturating_mul(r.into()))
	}
	/// Storage: `ContentFabric::ContentObjects` (r:0 w:40000)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(153), added: 2628, mode: `MaxEncodedLen`)
	/// The range of component `s` is `[0, 200]`.
	fn overlay_scan(s: u32) -> Weight {
		// Proof size: measured 6
		Weight::from_parts(53_208_350_550, 0)
			.saturating_add(Weight::from_parts(405_718_523, 0).saturating_mul(s.into()))
			.saturating_add(T::DbWeight::get().writes(40000))
	}
}
