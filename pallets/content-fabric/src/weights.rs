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
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(82), added: 2557, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	fn create_space() -> Weight {
		// Proof size: measured 12, estimated 3547
		Weight::from_parts(10_846_000, 3547)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(82), added: 2557, mode: `MaxEncodedLen`)
	fn set_space_governor() -> Weight {
		// Proof size: measured 148, estimated 3547
		Weight::from_parts(8_583_000, 3547)
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(82), added: 2557, mode: `MaxEncodedLen`)
	fn delete_space() -> Weight {
		// Proof size: measured 148, estimated 3547
		Weight::from_parts(9_434_000, 3547)
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(82), added: 2557, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	fn create_provider() -> Weight {
		// Proof size: measured 156, estimated 3554
		Weight::from_parts(15_573_000, 3554)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	fn set_provider_root() -> Weight {
		// Proof size: measured 188, estimated 3554
		Weight::from_parts(9_735_000, 3554)
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:2 w:1)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	fn set_provider_key() -> Weight {
		// Proof size: measured 285, estimated 6090
		Weight::from_parts(21_371_000, 6090)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:2 w:1)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	fn create_node() -> Weight {
		// Proof size: measured 285, estimated 6090
		Weight::from_parts(27_431_000, 6090)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	fn confirm_node() -> Weight {
		// Proof size: measured 621, estimated 3776
		Weight::from_parts(17_236_000, 3776)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	fn set_node_locator() -> Weight {
		// Proof size: measured 621, estimated 3776
		Weight::from_parts(17_376_000, 3776)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	fn remove_node() -> Weight {
		// Proof size: measured 390, estimated 3776
		Weight::from_parts(19_630_000, 3776)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(82), added: 2557, mode: `MaxEncodedLen`)
	fn delete_provider() -> Weight {
		// Proof size: measured 260, estimated 3554
		Weight::from_parts(13_390_000, 3554)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(82), added: 2557, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	fn create_tenant() -> Weight {
		// Proof size: measured 156, estimated 3554
		Weight::from_parts(15_633_000, 3554)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	fn set_tenant_root() -> Weight {
		// Proof size: measured 188, estimated 3554
		Weight::from_parts(9_575_000, 3554)
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:2 w:1)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	fn set_tenant_key() -> Weight {
		// Proof size: measured 285, estimated 6090
		Weight::from_parts(20_861_000, 6090)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(310), added: 2785, mode: `MaxEncodedLen`)
	fn add_kms() -> Weight {
		// Proof size: measured 288, estimated 3775
		Weight::from_parts(19_429_000, 3775)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:0)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(310), added: 2785, mode: `MaxEncodedLen`)
	fn set_kms_locator() -> Weight {
		// Proof size: measured 624, estimated 3775
		Weight::from_parts(17_706_000, 3775)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(310), added: 2785, mode: `MaxEncodedLen`)
	fn remove_kms() -> Weight {
		// Proof size: measured 394, estimated 3775
		Weight::from_parts(19_930_000, 3775)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(82), added: 2557, mode: `MaxEncodedLen`)
	fn delete_tenant() -> Weight {
		// Proof size: measured 260, estimated 3554
		Weight::from_parts(13_480_000, 3554)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(105), added: 2580, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	fn create_content_object() -> Weight {
		// Proof size: measured 294, estimated 3570
		Weight::from_parts(22_093_000, 3570)
			.saturating_add(T::DbWeight::get().reads(5))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:0)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:0)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(310), added: 2785, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(165), added: 2640, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(105), added: 2580, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::LastMuid` (r:1 w:1)
	/// Proof: `ContentFabric::LastMuid` (`max_values`: Some(1), `max_size`: Some(16), added: 511, mode: `MaxEncodedLen`)
	fn commit_version() -> Weight {
		// Proof size: measured 985, estimated 3776
		Weight::from_parts(42_183_000, 3776)
			.saturating_add(T::DbWeight::get().reads(9))
			.saturating_add(T::DbWeight::get().writes(4))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:0)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(165), added: 2640, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Providers` (r:1 w:0)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ProviderKeys` (r:1 w:0)
	/// Proof: `ContentFabric::ProviderKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `Timestamp::Now` (r:1 w:0)
	/// Proof: `Timestamp::Now` (`max_values`: Some(1), `max_size`: Some(8), added: 503, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(105), added: 2580, mode: `MaxEncodedLen`)
	fn finalize_version() -> Weight {
		// Proof size: measured 757, estimated 3630
		Weight::from_parts(36_074_000, 3630)
			.saturating_add(T::DbWeight::get().reads(6))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:0)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:0)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(165), added: 2640, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(105), added: 2580, mode: `MaxEncodedLen`)
	fn set_head_version() -> Weight {
		// Proof size: measured 715, estimated 3630
		Weight::from_parts(24_878_000, 3630)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(165), added: 2640, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(105), added: 2580, mode: `MaxEncodedLen`)
	fn delete_version() -> Weight {
		// Proof size: measured 644, estimated 3630
		Weight::from_parts(29_154_000, 3630)
			.saturating_add(T::DbWeight::get().reads(4))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::TenantKeys` (r:1 w:0)
	/// Proof: `ContentFabric::TenantKeys` (`max_values`: None, `max_size`: Some(75), added: 2550, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(105), added: 2580, mode: `MaxEncodedLen`)
	fn delete_content_object() -> Weight {
		// Proof size: measured 487, estimated 3570
		Weight::from_parts(20_871_000, 3570)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	fn set_governance_delete() -> Weight {
		// Proof size: measured 221, estimated 3554
		Weight::from_parts(11_317_000, 3554)
			.saturating_add(T::DbWeight::get().reads(1))
			.saturating_add(T::DbWeight::get().writes(1))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1 w:1)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	fn governance_delete_node() -> Weight {
		// Proof size: measured 326, estimated 3776
		Weight::from_parts(15_693_000, 3776)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Kmses` (r:1 w:1)
	/// Proof: `ContentFabric::Kmses` (`max_values`: None, `max_size`: Some(310), added: 2785, mode: `MaxEncodedLen`)
	fn governance_delete_kms() -> Weight {
		// Proof size: measured 330, estimated 3775
		Weight::from_parts(15_804_000, 3775)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(105), added: 2580, mode: `MaxEncodedLen`)
	fn governance_delete_content_object() -> Weight {
		// Proof size: measured 386, estimated 3570
		Weight::from_parts(16_755_000, 3570)
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().writes(2))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::ContentObjects` (r:1 w:1)
	/// Proof: `ContentFabric::ContentObjects` (`max_values`: None, `max_size`: Some(105), added: 2580, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1 w:1)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(165), added: 2640, mode: `MaxEncodedLen`)
	fn governance_delete_version() -> Weight {
		// Proof size: measured 577, estimated 3630
		Weight::from_parts(31_276_000, 3630)
			.saturating_add(T::DbWeight::get().reads(3))
			.saturating_add(T::DbWeight::get().writes(3))
	}
	/// Storage: `ContentFabric::Providers` (r:1 w:1)
	/// Proof: `ContentFabric::Providers` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Nodes` (r:1000 w:1000)
	/// Proof: `ContentFabric::Nodes` (`max_values`: None, `max_size`: Some(311), added: 2786, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(82), added: 2557, mode: `MaxEncodedLen`)
	/// The range of component `r` is `[0, 1000]`.
	fn governance_delete_provider(r: u32) -> Weight {
		// Proof size: measured 325, estimated 3554
		Weight::from_parts(17_255_000, 3554)
			.saturating_add(Weight::from_parts(1_214_470, 0).saturating_mul(r.into()))
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(2))
			.saturating_add(T::DbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 2786).saturating_mul(r.into()))
	}
	/// Storage: `ContentFabric::Tenants` (r:1 w:1)
	/// Proof: `ContentFabric::Tenants` (`max_values`: None, `max_size`: Some(89), added: 2564, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Versions` (r:1000 w:1000)
	/// Proof: `ContentFabric::Versions` (`max_values`: None, `max_size`: Some(165), added: 2640, mode: `MaxEncodedLen`)
	/// Storage: `ContentFabric::Spaces` (r:1 w:1)
	/// Proof: `ContentFabric::Spaces` (`max_values`: None, `max_size`: Some(82), added: 2557, mode: `MaxEncodedLen`)
	/// The range of component `r` is `[0, 1000]`.
	fn governance_delete_tenant(r: u32) -> Weight {
		// Proof size: measured 370, estimated 3554
		Weight::from_parts(198_331, 3554)
			.saturating_add(Weight::from_parts(1_309_855, 0).saturating_mul(r.into()))
			.saturating_add(T::DbWeight::get().reads(2))
			.saturating_add(T::DbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(T::DbWeight::get().writes(2))
			.saturating_add(T::DbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 2640).saturating_mul(r.into()))
	}
}

/// Weights for tests, by the costs of ParityDB.
impl WeightInfo for () {
	fn create_space() -> Weight {
		Weight::from_parts(10_846_000, 3547)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn set_space_governor() -> Weight {
		Weight::from_parts(8_583_000, 3547)
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn delete_space() -> Weight {
		Weight::from_parts(9_434_000, 3547)
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn create_provider() -> Weight {
		Weight::from_parts(15_573_000, 3554)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(3))
	}
	fn set_provider_root() -> Weight {
		Weight::from_parts(9_735_000, 3554)
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn set_provider_key() -> Weight {
		Weight::from_parts(21_371_000, 6090)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn create_node() -> Weight {
		Weight::from_parts(27_431_000, 6090)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(3))
	}
	fn confirm_node() -> Weight {
		Weight::from_parts(17_236_000, 3776)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn set_node_locator() -> Weight {
		Weight::from_parts(17_376_000, 3776)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn remove_node() -> Weight {
		Weight::from_parts(19_630_000, 3776)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn delete_provider() -> Weight {
		Weight::from_parts(13_390_000, 3554)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn create_tenant() -> Weight {
		Weight::from_parts(15_633_000, 3554)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(3))
	}
	fn set_tenant_root() -> Weight {
		Weight::from_parts(9_575_000, 3554)
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn set_tenant_key() -> Weight {
		Weight::from_parts(20_861_000, 6090)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn add_kms() -> Weight {
		Weight::from_parts(19_429_000, 3775)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn set_kms_locator() -> Weight {
		Weight::from_parts(17_706_000, 3775)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn remove_kms() -> Weight {
		Weight::from_parts(19_930_000, 3775)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn delete_tenant() -> Weight {
		Weight::from_parts(13_480_000, 3554)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn create_content_object() -> Weight {
		Weight::from_parts(22_093_000, 3570)
			.saturating_add(ParityDbWeight::get().reads(5))
			.saturating_add(ParityDbWeight::get().writes(3))
	}
	fn commit_version() -> Weight {
		Weight::from_parts(42_183_000, 3776)
			.saturating_add(ParityDbWeight::get().reads(9))
			.saturating_add(ParityDbWeight::get().writes(4))
	}
	fn finalize_version() -> Weight {
		Weight::from_parts(36_074_000, 3630)
			.saturating_add(ParityDbWeight::get().reads(6))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn set_head_version() -> Weight {
		Weight::from_parts(24_878_000, 3630)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn delete_version() -> Weight {
		Weight::from_parts(29_154_000, 3630)
			.saturating_add(ParityDbWeight::get().reads(4))
			.saturating_add(ParityDbWeight::get().writes(3))
	}
	fn delete_content_object() -> Weight {
		Weight::from_parts(20_871_000, 3570)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn set_governance_delete() -> Weight {
		Weight::from_parts(11_317_000, 3554)
			.saturating_add(ParityDbWeight::get().reads(1))
			.saturating_add(ParityDbWeight::get().writes(1))
	}
	fn governance_delete_node() -> Weight {
		Weight::from_parts(15_693_000, 3776)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn governance_delete_kms() -> Weight {
		Weight::from_parts(15_804_000, 3775)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn governance_delete_content_object() -> Weight {
		Weight::from_parts(16_755_000, 3570)
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().writes(2))
	}
	fn governance_delete_version() -> Weight {
		Weight::from_parts(31_276_000, 3630)
			.saturating_add(ParityDbWeight::get().reads(3))
			.saturating_add(ParityDbWeight::get().writes(3))
	}
	fn governance_delete_provider(r: u32) -> Weight {
		Weight::from_parts(17_255_000, 3554)
			.saturating_add(Weight::from_parts(1_214_470, 0).saturating_mul(r.into()))
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(ParityDbWeight::get().writes(2))
			.saturating_add(ParityDbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 2786).saturating_mul(r.into()))
	}
	fn governance_delete_tenant(r: u32) -> Weight {
		Weight::from_parts(198_331, 3554)
			.saturating_add(Weight::from_parts(1_309_855, 0).saturating_mul(r.into()))
			.saturating_add(ParityDbWeight::get().reads(2))
			.saturating_add(ParityDbWeight::get().reads(u64::from(r).saturating_mul(1)))
			.saturating_add(ParityDbWeight::get().writes(2))
			.saturating_add(ParityDbWeight::get().writes(u64::from(r).saturating_mul(1)))
			.saturating_add(Weight::from_parts(0, 2640).saturating_mul(r.into()))
	}
}
