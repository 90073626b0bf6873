//! Weights of the calls. Placeholder.

use core::marker::PhantomData;

use frame_support::weights::Weight;

/// Weights of the calls of the pallet, and of its other steps.
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
	/// Weight of `set_kms_locator`.
	fn set_kms_locator() -> Weight;
	/// Weight of `remove_kms`.
	fn remove_kms() -> Weight;
	/// Weight of `create_content_object`.
	fn create_content_object() -> Weight;
	/// Weight of `commit_versions`.
	fn commit_versions(v: u32) -> Weight;
	/// Weight of `finalize_versions`.
	fn finalize_versions(v: u32) -> Weight;
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
	/// Weight of `migrate_v2_start`.
	fn migrate_v2_start() -> Weight;
	/// Weight of `migrate_v2_member`.
	fn migrate_v2_member() -> Weight;
	/// Weight of `migrate_v2_key`.
	fn migrate_v2_key() -> Weight;
	/// Weight of `migrate_v2_child`.
	fn migrate_v2_child() -> Weight;
	/// Weight of `migrate_v2_content_object`.
	fn migrate_v2_content_object() -> Weight;
	/// Weight of `migrate_v2_grandchild`.
	fn migrate_v2_grandchild() -> Weight;
	/// Weight of `migrate_v2_purge`.
	fn migrate_v2_purge() -> Weight;
}

/// Weights by the database of a runtime.
pub struct SubstrateWeight<T>(PhantomData<T>);

impl<T: frame_system::Config> WeightInfo for SubstrateWeight<T> {
	fn create_space(s: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(s.into()))
	}
	fn set_space_rules(s: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(s.into()))
	}
	fn set_space_governor() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn admit() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn revoke_admissions(a: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(a.into()))
	}
	fn delete_space() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn create_provider() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn create_tenant() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn top_up_bond() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_max_held() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn nominate_root() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn accept_root() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn purge_member() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn delete_member() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_provider_key() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_tenant_key() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn create_node() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn confirm_node() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_node_locator() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_node_operator() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn remove_node() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn add_kms() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_kms_locator() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn remove_kms() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn create_content_object() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn commit_versions(v: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(v.into()))
	}
	fn finalize_versions(v: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(v.into()))
	}
	fn set_head_version() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn delete_version() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn delete_content_object() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn create_collection(n: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(n.into()))
	}
	fn delete_collection(n: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(n.into()))
	}
	fn put_records(r: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(r.into()))
	}
	fn put_records_key_bytes(b: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(b.into()))
	}
	fn delete_records(r: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(r.into()))
	}
	fn delete_records_key_bytes(b: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(b.into()))
	}
	fn slash() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_suspended() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_governance_delete() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_node() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_provider_key() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_tenant_key() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_kms() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_content_object() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_version() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_collection(n: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(n.into()))
	}
	fn governance_delete_record(n: u32, k: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(n.into()))
	}
	fn governance_delete() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn reap(r: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(r.into()))
	}
	fn on_idle_base() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn clear_prefix(r: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(r.into()))
	}
	fn overlay_scan(s: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(s.into()))
	}
	fn migrate_v2_start() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn migrate_v2_member() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn migrate_v2_key() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn migrate_v2_child() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn migrate_v2_content_object() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn migrate_v2_grandchild() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn migrate_v2_purge() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
}

impl WeightInfo for () {
	fn create_space(s: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(s.into()))
	}
	fn set_space_rules(s: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(s.into()))
	}
	fn set_space_governor() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn admit() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn revoke_admissions(a: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(a.into()))
	}
	fn delete_space() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn create_provider() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn create_tenant() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn top_up_bond() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_max_held() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn nominate_root() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn accept_root() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn purge_member() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn delete_member() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_provider_key() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_tenant_key() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn create_node() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn confirm_node() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_node_locator() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_node_operator() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn remove_node() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn add_kms() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_kms_locator() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn remove_kms() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn create_content_object() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn commit_versions(v: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(v.into()))
	}
	fn finalize_versions(v: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(v.into()))
	}
	fn set_head_version() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn delete_version() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn delete_content_object() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn create_collection(n: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(n.into()))
	}
	fn delete_collection(n: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(n.into()))
	}
	fn put_records(r: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(r.into()))
	}
	fn put_records_key_bytes(b: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(b.into()))
	}
	fn delete_records(r: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(r.into()))
	}
	fn delete_records_key_bytes(b: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(b.into()))
	}
	fn slash() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_suspended() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn set_governance_delete() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_node() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_provider_key() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_tenant_key() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_kms() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_content_object() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_version() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn governance_delete_collection(n: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(n.into()))
	}
	fn governance_delete_record(n: u32, k: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(n.into()))
	}
	fn governance_delete() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn reap(r: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(r.into()))
	}
	fn on_idle_base() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn clear_prefix(r: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(r.into()))
	}
	fn overlay_scan(s: u32) -> Weight {
		Weight::from_parts(100_000_000, 30_000)
			.saturating_add(Weight::from_parts(4_000_000, 3_000).saturating_mul(s.into()))
	}
	fn migrate_v2_start() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn migrate_v2_member() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn migrate_v2_key() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn migrate_v2_child() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn migrate_v2_content_object() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn migrate_v2_grandchild() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
	fn migrate_v2_purge() -> Weight {
		Weight::from_parts(100_000_000, 30_000)
	}
}
