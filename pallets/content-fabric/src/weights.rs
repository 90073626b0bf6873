//! Weights of the calls, measured by the benchmarks of this crate. Written by `scripts/benchmark`; do not edit.
//!
//! Measured with 50 steps of 20 repetitions on 2026-11-21.
//! Proof sizes are the largest there can be, of all rows that a call reads: see `scripts/proof_sizes.py`.

use core::marker::PhantomData;

use frame_support::{
	traits::Get,
	weights::{constants::ParityDbWeight, Weight},
};

/// Weights of the calls of the pallet, and of its other steps.
///
/// They depend on numbers: `r` of rows that are removed, `a` of admissions that are; and on lengths in
/// bytes: `s` of a service level agreement, `n` of the name of a collection, `k` of a record key.
pub trait WeightInfo {
	/// Weight of `create_space`.
	fn create_space(s: u32) -> Weight;
	/// Weight of `set_space_rules`.
	fn set_space_rules(s: u32) -> Weight;
	/// Weight of `admit`.
	fn admit() -> Weight;
	/// Weight of `revoke_admission`.
	fn revoke_admission() -> Weight;
	/// Weight of `set_space_governor`.
	fn set_space_governor() -> Weight;
	/// Weight of `delete_space`.
	fn delete_space(a: u32) -> Weight;
	/// Weight of `create_provider`.
	fn create_provider() -> Weight;
	/// Weight of `top_up_provider_bond`.
	fn top_up_provider_bond() -> Weight;
	/// Weight of `set_provider_root`.
	fn set_provider_root() -> Weight;
	/// Weight of `set_provider_key`.
	fn set_provider_key() -> Weight;
	/// Weight of `create_node`.
	fn create_node() -> Weight;
	/// Weight of `confirm_node`.
	fn confirm_node() -> Weight;
	/// Weight of `set_node_locator`.
	fn set_node_locator() -> Weight;
	/// Weight of `remove_node`.
	fn remove_node() -> Weight;
	/// Weight of `delete_provider`.
	fn delete_provider() -> Weight;
	/// Weight of `create_tenant`.
	fn create_tenant() -> Weight;
	/// Weight of `top_up_tenant_bond`.
	fn top_up_tenant_bond() -> Weight;
	/// Weight of `set_tenant_root`.
	fn set_tenant_root() -> Weight;
	/// Weight of `set_tenant_key`.
	fn set_tenant_key() -> Weight;
	/// Weight of `add_kms`.
	fn add_kms() -> Weight;
	/// Weight of `set_kms_locator`.
	fn set_kms_locator() -> Weight;
	/// Weight of `remove_kms`.
	fn remove_kms() -> Weight;
	/// Weight of `delete_tenant`.
	fn delete_tenant() -> Weight;
	/// Weight of `create_content_object`.
	fn create_content_object() -> Weight;
	/// Weight of `commit_version`.
	fn commit_version() -> Weight;
	/// Weight of `finalize_version`.
	fn finalize_version() -> Weight;
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
	/// Weight of `put_record`.
	fn put_record(n: u32, k: u32) -> Weight;
	/// Weight of `put_minted_record`.
	fn put_minted_record(n: u32) -> Weight;
	/// Weight of `delete_record`.
	fn delete_record(n: u32, k: u32) -> Weight;
	/// Weight of `slash_provider`.
	fn slash_provider() -> Weight;
	/// Weight of `slash_tenant`.
	fn slash_tenant() -> Weight;
	/// Weight of `set_governance_delete`.
	fn set_governance_delete() -> Weight;
	/// Weight of `governance_delete_node`.
	fn governance_delete_node() -> Weight;
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
	/// Weight of `governance_delete_provider`.
	fn governance_delete_provider(r: u32) -> Weight;
	/// Weight of `governance_delete_tenant`.
	fn governance_delete_tenant(r: u32) -> Weight;
	/// Weight of `start_deletion`.
	fn start_deletion() -> Weight;
	/// Weight of `reap`.
	fn reap(r: u32) -> Weight;
	/// Weight of `on_idle_base`.
	fn on_idle_base() -> Weight;
}

/// Weights by the database of a runtime.
pub struct SubstrateWeight<T>(PhantomData<T>);

impl<T: frame_system::Config> WeightInfo for SubstrateWeight<T> {
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// The range of component `s` is `[0, 256]`.
	fn create_space(s: u32) -> Weight {
		// Proof size: measured 12
		Weight::from_parts(14_748_417, 4860)
			.saturating_add(Weight::from_parts(898, 0).saturating_mul(s.into()))
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// The range of component `s` is `[0, 256]`.
	fn set_space_rules(s: u32) -> Weight {
		// Proof size: measured 481
		Weight::from_parts(17_906_594, 3846)
			.saturating_add(Weight::from_parts(797, 0).saturating_mul(s.into()))
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Admissions` (r:1 w:1)
	/// Proof: `ContentFabric::Admissions` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	fn admit() -> Weight {
		// Proof size: measured 629
		Weight::from_parts(24_075_000, 6396)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Admissions` (r:1 w:1)
	/// Proof: `ContentFabric::Admissions` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	fn revoke_admission() -> Weight {
		// Proof size: measured 650
		Weight::from_parts(23_695_000, 6396)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	fn set_space_governor() -> Weight {
		// Proof size: measured 481
		Weight::from_parts(17_176_000, 3846)
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Admissions` (r:1000 w:1000)
	/// Proof: `ContentFabric::Admissions` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// The range of component `a` is `[0, 1000]`.
	fn delete_space(a: u32) -> Weight {
		// Proof size: measured 529
		Weight::from_parts(21_842_000, 6396)
			.saturating_add(Weight::from_parts(1_430_855, 0).saturating_mul(a.into()))
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().reads(u64::from(a).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(1))
			.saturating_add(T::DbWeight::get().writes(u64::from(a).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 2550).saturating_mul(a.into()))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Admissions` (r:1 w:1)
	/// Proof: `ContentFabric::Admissions` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	fn create_provider() -> Weight {
		// Proof size: measured 658
		Weight::from_parts(75_582_000, 12653)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:2 w:2)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn top_up_provider_bond() -> Weight {
		// Proof size: measured 498
		Weight::from_parts(177_984_000, 11450)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	fn set_provider_root() -> Weight {
		// Proof size: measured 659
		Weight::from_parts(20_530_000, 6475)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:2 w:1)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn set_provider_key() -> Weight {
		// Proof size: measured 950
		Weight::from_parts(79_588_000, 16824)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:2 w:1)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(352), added: 2827, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::MedallionCount` (r:1 w:1)
	/// Proof: `ContentFabric::MedallionCount` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn create_node() -> Weight {
		// Proof size: measured 953
		Weight::from_parts(133_829_000, 20154)
			.saturating_add(T::DbWeight::get().reads(8))
			.saturating_add(T::DbWeight::get().writes(6))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(352), added: 2827, mode: `MaxEncodedLen`)
	fn confirm_node() -> Weight {
		// Proof size: measured 761
		Weight::from_parts(26_088_000, 9012)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(352), added: 2827, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn set_node_locator() -> Weight {
		// Proof size: measured 680
		Weight::from_parts(77_956_000, 14229)
			.saturating_add(T::DbWeight::get().reads(5))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(352), added: 2827, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn remove_node() -> Weight {
		// Proof size: measured 939
		Weight::from_parts(67_480_000, 14229)
			.saturating_add(T::DbWeight::get().reads(5))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	fn delete_provider() -> Weight {
		// Proof size: measured 817
		Weight::from_parts(58_877_000, 11692)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Admissions` (r:1 w:1)
	/// Proof: `ContentFabric::Admissions` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	fn create_tenant() -> Weight {
		// Proof size: measured 658
		Weight::from_parts(75_652_000, 12653)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:2 w:2)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn top_up_tenant_bond() -> Weight {
		// Proof size: measured 498
		Weight::from_parts(178_715_000, 11450)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	fn set_tenant_root() -> Weight {
		// Proof size: measured 659
		Weight::from_parts(20_220_000, 6475)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:2 w:1)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn set_tenant_key() -> Weight {
		// Proof size: measured 950
		Weight::from_parts(78_627_000, 16824)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(326), added: 2801, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn add_kms() -> Weight {
		// Proof size: measured 953
		Weight::from_parts(81_741_000, 17059)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(326), added: 2801, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn set_kms_locator() -> Weight {
		// Proof size: measured 674
		Weight::from_parts(78_427_000, 14203)
			.saturating_add(T::DbWeight::get().reads(5))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(326), added: 2801, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn remove_kms() -> Weight {
		// Proof size: measured 933
		Weight::from_parts(70_224_000, 14203)
			.saturating_add(T::DbWeight::get().reads(5))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	fn delete_tenant() -> Weight {
		// Proof size: measured 817
		Weight::from_parts(59_008_000, 11692)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(121), added: 2596, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn create_content_object() -> Weight {
		// Proof size: measured 959
		Weight::from_parts(85_256_000, 17868)
			.saturating_add(T::DbWeight::get().reads(8))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(352), added: 2827, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(121), added: 2596, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:0)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(326), added: 2801, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(181), added: 2656, mode: `MaxEncodedLen`)
	/// Storage: `System::BlockHash` (r:1 w:0)
	/// Proof: `System::BlockHash` (`max_values`: None, `max_size`: Some(44), added: 2519, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn commit_version() -> Weight {
		// Proof size: measured 1976
		Weight::from_parts(229_251_000, 33866)
			.saturating_add(T::DbWeight::get().reads(14))
			.saturating_add(T::DbWeight::get().writes(7))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:0)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(181), added: 2656, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(121), added: 2596, mode: `MaxEncodedLen`)
	fn finalize_version() -> Weight {
		// Proof size: measured 973
		Weight::from_parts(53_980_000, 14569)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:0)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:0)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(181), added: 2656, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(121), added: 2596, mode: `MaxEncodedLen`)
	fn set_head_version() -> Weight {
		// Proof size: measured 870
		Weight::from_parts(40_099_000, 11437)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(181), added: 2656, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(121), added: 2596, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn delete_version() -> Weight {
		// Proof size: measured 1058
		Weight::from_parts(90_114_000, 16654)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(121), added: 2596, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn delete_content_object() -> Weight {
		// Proof size: measured 816
		Weight::from_parts(73_088_000, 13998)
			.saturating_add(T::DbWeight::get().reads(5))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(724), added: 3199, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// The range of component `n` is `[1, 128]`.
	fn create_collection(n: u32) -> Weight {
		// Proof size: measured 959
		Weight::from_parts(87_494_426, 18471)
			.saturating_add(Weight::from_parts(8_525, 0).saturating_mul(n.into()))
			.saturating_add(T::DbWeight::get().reads(8))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(724), added: 3199, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// The range of component `n` is `[1, 128]`.
	fn delete_collection(n: u32) -> Weight {
		// Proof size: measured 1197
		Weight::from_parts(70_156_200, 14601)
			.saturating_add(Weight::from_parts(15_701, 0).saturating_mul(n.into()))
			.saturating_add(T::DbWeight::get().reads(5))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(724), added: 3199, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:0)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(121), added: 2596, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:0)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(181), added: 2656, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Records` (r:1 w:1)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(793), added: 3268, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// The range of component `n` is `[1, 128]`.
	/// The range of component `k` is `[1, 512]`.
	fn put_record(n: u32, k: u32) -> Weight {
		// Proof size: measured 1556
		Weight::from_parts(124_884_676, 26991)
			.saturating_add(Weight::from_parts(13_295, 0).saturating_mul(n.into()))
			.saturating_add(Weight::from_parts(11_105, 0).saturating_mul(k.into()))
			.saturating_add(T::DbWeight::get().reads(11))
			.saturating_add(T::DbWeight::get().writes(6))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(724), added: 3199, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastTid` (r:1 w:1)
	/// Proof: `ContentFabric::LastTid` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:0)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(121), added: 2596, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:0)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(181), added: 2656, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Records` (r:1 w:1)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(793), added: 3268, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// The range of component `n` is `[1, 128]`.
	fn put_minted_record(n: u32) -> Weight {
		// Proof size: measured 1553
		Weight::from_parts(125_973_174, 27494)
			.saturating_add(Weight::from_parts(20_633, 0).saturating_mul(n.into()))
			.saturating_add(T::DbWeight::get().reads(12))
			.saturating_add(T::DbWeight::get().writes(7))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Records` (r:1 w:1)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(793), added: 3268, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(724), added: 3199, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// The range of component `n` is `[1, 128]`.
	/// The range of component `k` is `[1, 512]`.
	fn delete_record(n: u32, k: u32) -> Weight {
		// Proof size: measured 1059
		Weight::from_parts(86_903_584, 17869)
			.saturating_add(Weight::from_parts(25_260, 0).saturating_mul(n.into()))
			.saturating_add(Weight::from_parts(13_984, 0).saturating_mul(k.into()))
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn slash_provider() -> Weight {
		// Proof size: measured 870
		Weight::from_parts(46_229_000, 11692)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	fn slash_tenant() -> Weight {
		// Proof size: measured 870
		Weight::from_parts(46_319_000, 11692)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	fn set_governance_delete() -> Weight {
		// Proof size: measured 692
		Weight::from_parts(20_821_000, 6475)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(352), added: 2827, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn governance_delete_node() -> Weight {
		// Proof size: measured 859
		Weight::from_parts(62_622_000, 11663)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(326), added: 2801, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn governance_delete_kms() -> Weight {
		// Proof size: measured 853
		Weight::from_parts(62_904_000, 11637)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(121), added: 2596, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn governance_delete_content_object() -> Weight {
		// Proof size: measured 699
		Weight::from_parts(65_737_000, 11432)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(121), added: 2596, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(181), added: 2656, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	fn governance_delete_version() -> Weight {
		// Proof size: measured 942
		Weight::from_parts(90_284_000, 14088)
			.saturating_add(T::DbWeight::get().reads(5))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(724), added: 3199, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// The range of component `n` is `[1, 128]`.
	fn governance_delete_collection(n: u32) -> Weight {
		// Proof size: measured 1117
		Weight::from_parts(65_187_211, 12035)
			.saturating_add(Weight::from_parts(16_971, 0).saturating_mul(n.into()))
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Records` (r:1 w:1)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(793), added: 3268, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(724), added: 3199, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// The range of component `n` is `[1, 128]`.
	/// The range of component `k` is `[1, 512]`.
	fn governance_delete_record(n: u32, k: u32) -> Weight {
		// Proof size: measured 902
		Weight::from_parts(78_207_124, 15303)
			.saturating_add(Weight::from_parts(26_420, 0).saturating_mul(n.into()))
			.saturating_add(Weight::from_parts(15_466, 0).saturating_mul(k.into()))
			.saturating_add(T::DbWeight::get().reads(5))
			.saturating_add(T::DbWeight::get().writes(5))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::RecentDeletions` (r:1 w:1)
	/// Proof: `ContentFabric::RecentDeletions` (`max_values`: Some(1), `max_size`: Some(710), added: 1205, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1000 w:1000)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(352), added: 2827, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:1)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// The range of component `r` is `[0, 1000]`.
	fn governance_delete_provider(r: u32) -> Weight {
		// Proof size: measured 1015
		Weight::from_parts(130_774_000, 18290)
			.saturating_add(Weight::from_parts(1_514_246, 0).saturating_mul(r.into()))
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(6))
			.saturating_add(T::DbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 2827).saturating_mul(r.into()))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::RecentDeletions` (r:1 w:1)
	/// Proof: `ContentFabric::RecentDeletions` (`max_values`: Some(1), `max_size`: Some(710), added: 1205, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Records` (r:1000 w:1000)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(793), added: 3268, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:1)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(724), added: 3199, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(181), added: 2656, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(121), added: 2596, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(326), added: 2801, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:2 w:2)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// The range of component `r` is `[0, 1000]`.
	fn governance_delete_tenant(r: u32) -> Weight {
		// Proof size: measured 1997
		Weight::from_parts(130_954_082, 32549)
			.saturating_add(Weight::from_parts(2_378_006, 0).saturating_mul(r.into()))
			.saturating_add(T::DbWeight::get().reads(11))
			.saturating_add(T::DbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(11))
			.saturating_add(T::DbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 3268).saturating_mul(r.into()))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:0)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `Balances::Holds` (r:1 w:1)
	/// Proof: `Balances::Holds` (`max_values`: None, `max_size`: Some(139), added: 2614, mode: `MaxEncodedLen`)
	/// Storage: `System::Account` (r:1 w:1)
	/// Proof: `System::Account` (`max_values`: None, `max_size`: Some(128), added: 2603, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::RecentDeletions` (r:1 w:0)
	/// Proof: `ContentFabric::RecentDeletions` (`max_values`: Some(1), `max_size`: Some(710), added: 1205, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::DeletionQueueBounds` (r:1 w:1)
	/// Proof: `ContentFabric::DeletionQueueBounds` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::DeletionQueue` (r:0 w:1)
	/// Proof: `ContentFabric::DeletionQueue` (`max_values`: None, `max_size`: Some(27), added: 2502, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Deletions` (r:0 w:1)
	/// Proof: `ContentFabric::Deletions` (`max_values`: None, `max_size`: Some(1070), added: 3545, mode: `MaxEncodedLen`)
	fn start_deletion() -> Weight {
		// Proof size: measured 870
		Weight::from_parts(124_535_000, 19455)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(6))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(154), added: 2629, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Deletions` (r:1 w:1)
	/// Proof: `ContentFabric::Deletions` (`max_values`: None, `max_size`: Some(1070), added: 3545, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::RecentDeletions` (r:1 w:1)
	/// Proof: `ContentFabric::RecentDeletions` (`max_values`: Some(1), `max_size`: Some(710), added: 1205, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Records` (r:999 w:998)
	/// Proof: `ContentFabric::Records` (`max_values`: None, `max_size`: Some(793), added: 3268, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Collections` (r:1 w:0)
	/// Proof: `ContentFabric::Collections` (`max_values`: None, `max_size`: Some(724), added: 3199, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:0)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(181), added: 2656, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:0)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(121), added: 2596, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:0)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(326), added: 2801, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:1)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(91), added: 2566, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(381), added: 2856, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::DeletionQueue` (r:0 w:1)
	/// Proof: `ContentFabric::DeletionQueue` (`max_values`: None, `max_size`: Some(27), added: 2502, mode: `MaxEncodedLen`)
	/// The range of component `r` is `[1, 1000]`.
	fn reap(r: u32) -> Weight {
		// Proof size: measured 697
		Weight::from_parts(62_083_000, 30813)
			.saturating_add(Weight::from_parts(4_397_505, 0).saturating_mul(r.into()))
			.saturating_add(T::DbWeight::get().reads(9))
			.saturating_add(T::DbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(5))
			.saturating_add(T::DbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 3268).saturating_mul(r.into()))
	}
	/// Storage: `ContentFabric::DeletionQueueBounds` (r:1 w:1)
	/// Proof: `ContentFabric::DeletionQueueBounds` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::DeletionQueue` (r:1 w:0)
	/// Proof: `ContentFabric::DeletionQueue` (`max_values`: None, `max_size`: Some(27), added: 2502, mode: `MaxEncodedLen`)
	fn on_idle_base() -> Weight {
		// Proof size: measured 45
		Weight::from_parts(6_649_000, 4003)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(1))
	}
}

/// Weights for tests, by the costs of ParityDB.
impl WeightInfo for () {
	fn create_space(s: u32) -> Weight {
		Weight::from_parts(14_748_417, 4860)
			.saturating_add(Weight::from_parts(898, 0).saturating_mul(s.into()))
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn set_space_rules(s: u32) -> Weight {
		Weight::from_parts(17_906_594, 3846)
			.saturating_add(Weight::from_parts(797, 0).saturating_mul(s.into()))
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn admit() -> Weight {
		Weight::from_parts(24_075_000, 6396)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn revoke_admission() -> Weight {
		Weight::from_parts(23_695_000, 6396)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn set_space_governor() -> Weight {
		Weight::from_parts(17_176_000, 3846)
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn delete_space(a: u32) -> Weight {
		Weight::from_parts(21_842_000, 6396)
			.saturating_add(Weight::from_parts(1_430_855, 0).saturating_mul(a.into()))
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().reads(u64::from(a).saturating_mul(1)))
			.saturating_add(ParityDbWeight::get().writes(1))
			.saturating_add(ParityDbWeight::get().writes(u64::from(a).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 2550).saturating_mul(a.into()))
	}
	fn create_provider() -> Weight {
		Weight::from_parts(75_582_000, 12653)
			.saturating_add(ParityDbWeight::get().reads(6))
			.saturating_add(ParityDbWeight::get().writes(5))
	}
	fn top_up_provider_bond() -> Weight {
		Weight::from_parts(177_984_000, 11450)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn set_provider_root() -> Weight {
		Weight::from_parts(20_530_000, 6475)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn set_provider_key() -> Weight {
		Weight::from_parts(79_588_000, 16824)
			.saturating_add(ParityDbWeight::get().reads(6))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn create_node() -> Weight {
		Weight::from_parts(133_829_000, 20154)
			.saturating_add(ParityDbWeight::get().reads(8))
			.saturating_add(ParityDbWeight::get().writes(6))
	}
	fn confirm_node() -> Weight {
		Weight::from_parts(26_088_000, 9012)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn set_node_locator() -> Weight {
		Weight::from_parts(77_956_000, 14229)
			.saturating_add(ParityDbWeight::get().reads(5))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn remove_node() -> Weight {
		Weight::from_parts(67_480_000, 14229)
			.saturating_add(ParityDbWeight::get().reads(5))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn delete_provider() -> Weight {
		Weight::from_parts(58_877_000, 11692)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn create_tenant() -> Weight {
		Weight::from_parts(75_652_000, 12653)
			.saturating_add(ParityDbWeight::get().reads(6))
			.saturating_add(ParityDbWeight::get().writes(5))
	}
	fn top_up_tenant_bond() -> Weight {
		Weight::from_parts(178_715_000, 11450)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn set_tenant_root() -> Weight {
		Weight::from_parts(20_220_000, 6475)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn set_tenant_key() -> Weight {
		Weight::from_parts(78_627_000, 16824)
			.saturating_add(ParityDbWeight::get().reads(6))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn add_kms() -> Weight {
		Weight::from_parts(81_741_000, 17059)
			.saturating_add(ParityDbWeight::get().reads(6))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn set_kms_locator() -> Weight {
		Weight::from_parts(78_427_000, 14203)
			.saturating_add(ParityDbWeight::get().reads(5))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn remove_kms() -> Weight {
		Weight::from_parts(70_224_000, 14203)
			.saturating_add(ParityDbWeight::get().reads(5))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn delete_tenant() -> Weight {
		Weight::from_parts(59_008_000, 11692)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn create_content_object() -> Weight {
		Weight::from_parts(85_256_000, 17868)
			.saturating_add(ParityDbWeight::get().reads(8))
			.saturating_add(ParityDbWeight::get().writes(5))
	}
	fn commit_version() -> Weight {
		Weight::from_parts(229_251_000, 33866)
			.saturating_add(ParityDbWeight::get().reads(14))
			.saturating_add(ParityDbWeight::get().writes(7))
	}
	fn finalize_version() -> Weight {
		Weight::from_parts(53_980_000, 14569)
			.saturating_add(ParityDbWeight::get().reads(6))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn set_head_version() -> Weight {
		Weight::from_parts(40_099_000, 11437)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn delete_version() -> Weight {
		Weight::from_parts(90_114_000, 16654)
			.saturating_add(ParityDbWeight::get().reads(6))
			.saturating_add(ParityDbWeight::get().writes(5))
	}
	fn delete_content_object() -> Weight {
		Weight::from_parts(73_088_000, 13998)
			.saturating_add(ParityDbWeight::get().reads(5))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn create_collection(n: u32) -> Weight {
		Weight::from_parts(87_494_426, 18471)
			.saturating_add(Weight::from_parts(8_525, 0).saturating_mul(n.into()))
			.saturating_add(ParityDbWeight::get().reads(8))
			.saturating_add(ParityDbWeight::get().writes(5))
	}
	fn delete_collection(n: u32) -> Weight {
		Weight::from_parts(70_156_200, 14601)
			.saturating_add(Weight::from_parts(15_701, 0).saturating_mul(n.into()))
			.saturating_add(ParityDbWeight::get().reads(5))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn put_record(n: u32, k: u32) -> Weight {
		Weight::from_parts(124_884_676, 26991)
			.saturating_add(Weight::from_parts(13_295, 0).saturating_mul(n.into()))
			.saturating_add(Weight::from_parts(11_105, 0).saturating_mul(k.into()))
			.saturating_add(ParityDbWeight::get().reads(11))
			.saturating_add(ParityDbWeight::get().writes(6))
	}
	fn put_minted_record(n: u32) -> Weight {
		Weight::from_parts(125_973_174, 27494)
			.saturating_add(Weight::from_parts(20_633, 0).saturating_mul(n.into()))
			.saturating_add(ParityDbWeight::get().reads(12))
			.saturating_add(ParityDbWeight::get().writes(7))
	}
	fn delete_record(n: u32, k: u32) -> Weight {
		Weight::from_parts(86_903_584, 17869)
			.saturating_add(Weight::from_parts(25_260, 0).saturating_mul(n.into()))
			.saturating_add(Weight::from_parts(13_984, 0).saturating_mul(k.into()))
			.saturating_add(ParityDbWeight::get().reads(6))
			.saturating_add(ParityDbWeight::get().writes(5))
	}
	fn slash_provider() -> Weight {
		Weight::from_parts(46_229_000, 11692)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(3))
	}
	fn slash_tenant() -> Weight {
		Weight::from_parts(46_319_000, 11692)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(3))
	}
	fn set_governance_delete() -> Weight {
		Weight::from_parts(20_821_000, 6475)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn governance_delete_node() -> Weight {
		Weight::from_parts(62_622_000, 11663)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn governance_delete_kms() -> Weight {
		Weight::from_parts(62_904_000, 11637)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn governance_delete_content_object() -> Weight {
		Weight::from_parts(65_737_000, 11432)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn governance_delete_version() -> Weight {
		Weight::from_parts(90_284_000, 14088)
			.saturating_add(ParityDbWeight::get().reads(5))
			.saturating_add(ParityDbWeight::get().writes(5))
	}
	fn governance_delete_collection(n: u32) -> Weight {
		Weight::from_parts(65_187_211, 12035)
			.saturating_add(Weight::from_parts(16_971, 0).saturating_mul(n.into()))
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn governance_delete_record(n: u32, k: u32) -> Weight {
		Weight::from_parts(78_207_124, 15303)
			.saturating_add(Weight::from_parts(26_420, 0).saturating_mul(n.into()))
			.saturating_add(Weight::from_parts(15_466, 0).saturating_mul(k.into()))
			.saturating_add(ParityDbWeight::get().reads(5))
			.saturating_add(ParityDbWeight::get().writes(5))
	}
	fn governance_delete_provider(r: u32) -> Weight {
		Weight::from_parts(130_774_000, 18290)
			.saturating_add(Weight::from_parts(1_514_246, 0).saturating_mul(r.into()))
			.saturating_add(ParityDbWeight::get().reads(6))
			.saturating_add(ParityDbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(ParityDbWeight::get().writes(6))
			.saturating_add(ParityDbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 2827).saturating_mul(r.into()))
	}
	fn governance_delete_tenant(r: u32) -> Weight {
		Weight::from_parts(130_954_082, 32549)
			.saturating_add(Weight::from_parts(2_378_006, 0).saturating_mul(r.into()))
			.saturating_add(ParityDbWeight::get().reads(11))
			.saturating_add(ParityDbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(ParityDbWeight::get().writes(11))
			.saturating_add(ParityDbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 3268).saturating_mul(r.into()))
	}
	fn start_deletion() -> Weight {
		Weight::from_parts(124_535_000, 19455)
			.saturating_add(ParityDbWeight::get().reads(6))
			.saturating_add(ParityDbWeight::get().writes(6))
	}
	fn reap(r: u32) -> Weight {
		Weight::from_parts(62_083_000, 30813)
			.saturating_add(Weight::from_parts(4_397_505, 0).saturating_mul(r.into()))
			.saturating_add(ParityDbWeight::get().reads(9))
			.saturating_add(ParityDbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(ParityDbWeight::get().writes(5))
			.saturating_add(ParityDbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 3268).saturating_mul(r.into()))
	}
	fn on_idle_base() -> Weight {
		Weight::from_parts(6_649_000, 4003)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
}
