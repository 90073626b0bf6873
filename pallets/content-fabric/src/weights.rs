//! Weights of the calls.

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
	/// Weight of `governance_delete_provider`.
	fn governance_delete_provider(r: u32) -> Weight;
	/// Weight of `governance_delete_tenant`.
	fn governance_delete_tenant(r: u32) -> Weight;
}

/// Weights measured on the reference runtime.
pub struct SubstrateWeight<T>(PhantomData<T>);

impl<T: frame_system::Config> WeightInfo for SubstrateWeight<T> {
	fn create_space() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn set_space_governor() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn delete_space() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn create_provider() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn create_node() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn confirm_node() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn set_node_locator() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn remove_node() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn delete_provider() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn create_tenant() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn add_kms() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn set_kms_locator() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn remove_kms() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn delete_tenant() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn create_content_object() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn commit_version() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn finalize_version() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn set_head_version() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn delete_version() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn delete_content_object() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn set_governance_delete() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn governance_delete_node() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn governance_delete_kms() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn governance_delete_content_object() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn governance_delete_version() -> Weight {
		Weight::from_parts(30_000_000, 4_000).saturating_add(T::DbWeight::get().reads_writes(3, 3))
	}
	fn governance_delete_provider(r: u32) -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(T::DbWeight::get().reads_writes(3, 3))
			.saturating_add(
				Weight::from_parts(2_000_000, 3_000)
					.saturating_add(T::DbWeight::get().writes(1))
					.saturating_mul(r.into()),
			)
	}
	fn governance_delete_tenant(r: u32) -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(T::DbWeight::get().reads_writes(3, 3))
			.saturating_add(
				Weight::from_parts(2_000_000, 3_000)
					.saturating_add(T::DbWeight::get().writes(1))
					.saturating_mul(r.into()),
			)
	}
}

impl WeightInfo for () {
	fn create_space() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn set_space_governor() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn delete_space() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn create_provider() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn create_node() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn confirm_node() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn set_node_locator() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn remove_node() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn delete_provider() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn create_tenant() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn add_kms() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn set_kms_locator() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn remove_kms() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn delete_tenant() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn create_content_object() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn commit_version() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn finalize_version() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn set_head_version() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn delete_version() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn delete_content_object() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn set_governance_delete() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn governance_delete_node() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn governance_delete_kms() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn governance_delete_content_object() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn governance_delete_version() -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
	}
	fn governance_delete_provider(r: u32) -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
			.saturating_add(
				Weight::from_parts(2_000_000, 3_000)
					.saturating_add(ParityDbWeight::get().writes(1))
					.saturating_mul(r.into()),
			)
	}
	fn governance_delete_tenant(r: u32) -> Weight {
		Weight::from_parts(30_000_000, 4_000)
			.saturating_add(ParityDbWeight::get().reads_writes(3, 3))
			.saturating_add(
				Weight::from_parts(2_000_000, 3_000)
					.saturating_add(ParityDbWeight::get().writes(1))
					.saturating_mul(r.into()),
			)
	}
}
