//! Weights of the calls, measured by the benchmarks of this crate. Written by `scripts/benchmark`; do not edit.
//!
//! Measured with 50 steps of 20 repetitions on 2026-11-21.

use core::marker::PhantomData;

use frame_support::{
	traits::Get,
	weights::{constants::ParityDbWeight, Weight},
};

/// Weights of the calls of the pallet.
pub trait WeightInfo {
	/// Weight of `create_space`.
	fn create_space() -> Weight;
	/// Weight of `set_space_governor`.
	fn set_space_governor() -> Weight;
	/// Weight of `delete_space`.
	fn delete_space() -> Weight;
	/// Weight of `create_provider`.
	fn create_provider() -> Weight;
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
	/// Weight of `governance_delete_provider`, `r` of its rows in storage.
	fn governance_delete_provider(r: u32) -> Weight;
	/// Weight of `governance_delete_tenant`, `r` of its rows in storage.
	fn governance_delete_tenant(r: u32) -> Weight;
}

/// Weights by the database of a runtime.
pub struct SubstrateWeight<T>(PhantomData<T>);

impl<T: frame_system::Config> WeightInfo for SubstrateWeight<T> {
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(74), added: 2549, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	fn create_space() -> Weight {
		// Proof size: measured 12, estimated 3539
		Weight::from_parts(9_775_000, 3539)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(74), added: 2549, mode: `MaxEncodedLen`)
	fn set_space_governor() -> Weight {
		// Proof size: measured 106, estimated 3539
		Weight::from_parts(8_293_000, 3539)
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(74), added: 2549, mode: `MaxEncodedLen`)
	fn delete_space() -> Weight {
		// Proof size: measured 106, estimated 3539
		Weight::from_parts(9_204_000, 3539)
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(74), added: 2549, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	fn create_provider() -> Weight {
		// Proof size: measured 112, estimated 3546
		Weight::from_parts(13_370_000, 3546)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	fn set_provider_root() -> Weight {
		// Proof size: measured 147, estimated 3546
		Weight::from_parts(9_384_000, 3546)
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:2 w:1)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	fn set_provider_key() -> Weight {
		// Proof size: measured 244, estimated 6090
		Weight::from_parts(20_151_000, 6090)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:2 w:1)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	fn create_node() -> Weight {
		// Proof size: measured 244, estimated 6090
		Weight::from_parts(26_229_000, 6090)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	fn confirm_node() -> Weight {
		// Proof size: measured 580, estimated 3776
		Weight::from_parts(16_585_000, 3776)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	fn set_node_locator() -> Weight {
		// Proof size: measured 580, estimated 3776
		Weight::from_parts(17_185_000, 3776)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	fn remove_node() -> Weight {
		// Proof size: measured 349, estimated 3776
		Weight::from_parts(18_798_000, 3776)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(74), added: 2549, mode: `MaxEncodedLen`)
	fn delete_provider() -> Weight {
		// Proof size: measured 210, estimated 3546
		Weight::from_parts(12_719_000, 3546)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(74), added: 2549, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	fn create_tenant() -> Weight {
		// Proof size: measured 112, estimated 3546
		Weight::from_parts(13_120_000, 3546)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	fn set_tenant_root() -> Weight {
		// Proof size: measured 147, estimated 3546
		Weight::from_parts(9_384_000, 3546)
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:2 w:1)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	fn set_tenant_key() -> Weight {
		// Proof size: measured 244, estimated 6090
		Weight::from_parts(20_531_000, 6090)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(310), added: 2785, mode: `MaxEncodedLen`)
	fn add_kms() -> Weight {
		// Proof size: measured 244, estimated 3775
		Weight::from_parts(18_648_000, 3775)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:0)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(310), added: 2785, mode: `MaxEncodedLen`)
	fn set_kms_locator() -> Weight {
		// Proof size: measured 579, estimated 3775
		Weight::from_parts(17_345_000, 3775)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(310), added: 2785, mode: `MaxEncodedLen`)
	fn remove_kms() -> Weight {
		// Proof size: measured 349, estimated 3775
		Weight::from_parts(19_019_000, 3775)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(74), added: 2549, mode: `MaxEncodedLen`)
	fn delete_tenant() -> Weight {
		// Proof size: measured 210, estimated 3546
		Weight::from_parts(12_959_000, 3546)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(97), added: 2572, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	fn create_content_object() -> Weight {
		// Proof size: measured 250, estimated 3562
		Weight::from_parts(19_620_000, 3562)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:0)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:0)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(310), added: 2785, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(157), added: 2632, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(97), added: 2572, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	fn commit_version() -> Weight {
		// Proof size: measured 922, estimated 3776
		Weight::from_parts(38_838_000, 3776)
			.saturating_add(T::DbWeight::get().reads(8))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:0)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(157), added: 2632, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(97), added: 2572, mode: `MaxEncodedLen`)
	fn finalize_version() -> Weight {
		// Proof size: measured 725, estimated 3622
		Weight::from_parts(34_822_000, 3622)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:0)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:0)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(157), added: 2632, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(97), added: 2572, mode: `MaxEncodedLen`)
	fn set_head_version() -> Weight {
		// Proof size: measured 690, estimated 3622
		Weight::from_parts(23_626_000, 3622)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(157), added: 2632, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(97), added: 2572, mode: `MaxEncodedLen`)
	fn delete_version() -> Weight {
		// Proof size: measured 628, estimated 3622
		Weight::from_parts(28_833_000, 3622)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(97), added: 2572, mode: `MaxEncodedLen`)
	fn delete_content_object() -> Weight {
		// Proof size: measured 471, estimated 3562
		Weight::from_parts(20_691_000, 3562)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	fn set_governance_delete() -> Weight {
		// Proof size: measured 180, estimated 3546
		Weight::from_parts(10_886_000, 3546)
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	fn governance_delete_node() -> Weight {
		// Proof size: measured 285, estimated 3776
		Weight::from_parts(15_303_000, 3776)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(310), added: 2785, mode: `MaxEncodedLen`)
	fn governance_delete_kms() -> Weight {
		// Proof size: measured 285, estimated 3775
		Weight::from_parts(15_133_000, 3775)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(97), added: 2572, mode: `MaxEncodedLen`)
	fn governance_delete_content_object() -> Weight {
		// Proof size: measured 370, estimated 3562
		Weight::from_parts(16_535_000, 3562)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(97), added: 2572, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(157), added: 2632, mode: `MaxEncodedLen`)
	fn governance_delete_version() -> Weight {
		// Proof size: measured 561, estimated 3622
		Weight::from_parts(31_056_000, 3622)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1000 w:1000)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(74), added: 2549, mode: `MaxEncodedLen`)
	/// The range of component `r` is `[0, 1000]`.
	fn governance_delete_provider(r: u32) -> Weight {
		// Proof size: measured 275, estimated 3546
		Weight::from_parts(3_566_580, 3546)
			.saturating_add(Weight::from_parts(1_127_324, 0).saturating_mul(r.into()))
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(2))
			.saturating_add(T::DbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 2786).saturating_mul(r.into()))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(81), added: 2556, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1000 w:1000)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(157), added: 2632, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(74), added: 2549, mode: `MaxEncodedLen`)
	/// The range of component `r` is `[0, 1000]`.
	fn governance_delete_tenant(r: u32) -> Weight {
		// Proof size: measured 318, estimated 3546
		Weight::from_parts(2_417_060, 3546)
			.saturating_add(Weight::from_parts(1_228_452, 0).saturating_mul(r.into()))
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(2))
			.saturating_add(T::DbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 2632).saturating_mul(r.into()))
	}
}

/// Weights for tests, by the costs of ParityDB.
impl WeightInfo for () {
	fn create_space() -> Weight {
		Weight::from_parts(9_775_000, 3539)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn set_space_governor() -> Weight {
		Weight::from_parts(8_293_000, 3539)
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn delete_space() -> Weight {
		Weight::from_parts(9_204_000, 3539)
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn create_provider() -> Weight {
		Weight::from_parts(13_370_000, 3546)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn set_provider_root() -> Weight {
		Weight::from_parts(9_384_000, 3546)
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn set_provider_key() -> Weight {
		Weight::from_parts(20_151_000, 6090)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn create_node() -> Weight {
		Weight::from_parts(26_229_000, 6090)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(3))
	}
	fn confirm_node() -> Weight {
		Weight::from_parts(16_585_000, 3776)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn set_node_locator() -> Weight {
		Weight::from_parts(17_185_000, 3776)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn remove_node() -> Weight {
		Weight::from_parts(18_798_000, 3776)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn delete_provider() -> Weight {
		Weight::from_parts(12_719_000, 3546)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn create_tenant() -> Weight {
		Weight::from_parts(13_120_000, 3546)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn set_tenant_root() -> Weight {
		Weight::from_parts(9_384_000, 3546)
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn set_tenant_key() -> Weight {
		Weight::from_parts(20_531_000, 6090)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn add_kms() -> Weight {
		Weight::from_parts(18_648_000, 3775)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn set_kms_locator() -> Weight {
		Weight::from_parts(17_345_000, 3775)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn remove_kms() -> Weight {
		Weight::from_parts(19_019_000, 3775)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn delete_tenant() -> Weight {
		Weight::from_parts(12_959_000, 3546)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn create_content_object() -> Weight {
		Weight::from_parts(19_620_000, 3562)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn commit_version() -> Weight {
		Weight::from_parts(38_838_000, 3776)
			.saturating_add(ParityDbWeight::get().reads(8))
			.saturating_add(ParityDbWeight::get().writes(3))
	}
	fn finalize_version() -> Weight {
		Weight::from_parts(34_822_000, 3622)
			.saturating_add(ParityDbWeight::get().reads(6))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn set_head_version() -> Weight {
		Weight::from_parts(23_626_000, 3622)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn delete_version() -> Weight {
		Weight::from_parts(28_833_000, 3622)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(3))
	}
	fn delete_content_object() -> Weight {
		Weight::from_parts(20_691_000, 3562)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn set_governance_delete() -> Weight {
		Weight::from_parts(10_886_000, 3546)
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn governance_delete_node() -> Weight {
		Weight::from_parts(15_303_000, 3776)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn governance_delete_kms() -> Weight {
		Weight::from_parts(15_133_000, 3775)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn governance_delete_content_object() -> Weight {
		Weight::from_parts(16_535_000, 3562)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn governance_delete_version() -> Weight {
		Weight::from_parts(31_056_000, 3622)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(3))
	}
	fn governance_delete_provider(r: u32) -> Weight {
		Weight::from_parts(3_566_580, 3546)
			.saturating_add(Weight::from_parts(1_127_324, 0).saturating_mul(r.into()))
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(ParityDbWeight::get().writes(2))
			.saturating_add(ParityDbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 2786).saturating_mul(r.into()))
	}
	fn governance_delete_tenant(r: u32) -> Weight {
		Weight::from_parts(2_417_060, 3546)
			.saturating_add(Weight::from_parts(1_228_452, 0).saturating_mul(r.into()))
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(ParityDbWeight::get().writes(2))
			.saturating_add(ParityDbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 2632).saturating_mul(r.into()))
	}
}
