// SPDX-License-Identifier: Apache-2.0
//! Spaces and admissions.

use content_fabric_client::chain::rows::{Rules, Space};
use content_fabric_identifiers::SpaceId;
use content_fabric_indexer::{
	rows::{Map, RowKey, RowValue},
	source::FabricEvent as E,
};
use content_fabric_primitives::{AdmissionPolicy, Role};
use subxt::utils::AccountId32;

use super::block::Making;

fn rules(making: &mut Making<'_>) -> Rules {
	Rules {
		provider_bond: making.amount(),
		tenant_bond: making.amount(),
		admission: match making.chance(0.5) {
			true => AdmissionPolicy::Open,
			false => AdmissionPolicy::Approval,
		},
		partitions: making.below(8).into(),
		sla: making.text(),
	}
}

/// Returns some space.
pub fn some(making: &mut Making<'_>) -> Option<(SpaceId, Space)> {
	let RowKey::Space(id) = making.some(Map::Spaces)? else { return None };
	Some((id, making.fabric.space(id)?))
}

/// Returns some role.
pub fn role(making: &mut Making<'_>) -> Role {
	match making.chance(0.5) {
		true => Role::Provider,
		false => Role::Tenant,
	}
}

pub fn put(making: &mut Making<'_>, id: SpaceId, space: Space) {
	making.fabric.put(RowKey::Space(id), RowValue::Space(space));
}

pub fn create(making: &mut Making<'_>) -> Option<()> {
	let id = SpaceId([making.below(2); 10]);
	if making.fabric.space(id).is_some() {
		return None;
	}
	let space = Space {
		governor: making.account(),
		rules: rules(making),
		provider_count: 0,
		tenant_count: 0,
		admission_count: 0,
		created: making.fabric.mint(),
	};
	making.deposit(E::SpaceCreated { space: id, governor: space.governor });
	put(making, id, space);
	Some(())
}

pub fn set_rules(making: &mut Making<'_>) -> Option<()> {
	let (id, mut space) = some(making)?;
	space.rules = rules(making);
	put(making, id, space);
	making.deposit(E::SpaceRulesSet { space: id });
	Some(())
}

pub fn set_governor(making: &mut Making<'_>) -> Option<()> {
	let (id, mut space) = some(making)?;
	space.governor = making.account();
	making.deposit(E::SpaceGovernorSet { space: id, governor: space.governor });
	put(making, id, space);
	Some(())
}

pub fn admit(making: &mut Making<'_>) -> Option<()> {
	let (id, mut space) = some(making)?;
	let (account, role) = (making.account(), role(making));
	let key = RowKey::Admission(id, account, role);
	if making.fabric.has(&key) {
		return None;
	}
	space.admission_count += 1;
	put(making, id, space);
	making.fabric.put(key, RowValue::Admission);
	making.deposit(E::Admitted { space: id, account, role });
	Some(())
}

pub fn revoke(making: &mut Making<'_>) -> Option<()> {
	let RowKey::Admission(id, account, role) = making.some(Map::Admissions)? else { return None };
	let mut space = making.fabric.space(id)?;
	take_admission(making, id, &mut space, account, role)?;
	put(making, id, space);
	making.deposit(E::AdmissionRevoked { space: id, account, role });
	Some(())
}

pub fn delete(making: &mut Making<'_>) -> Option<()> {
	let (id, space) = some(making)?;
	if space.provider_count + space.tenant_count + space.admission_count > 0 {
		return None;
	}
	making.fabric.remove(&RowKey::Space(id));
	making.deposit(E::SpaceDeleted { space: id });
	if making.chance(0.5) {
		create(making);
	}
	Some(())
}

/// Uses up an admission, if the space requires one. The caller writes the space.
pub fn use_admission(
	making: &mut Making<'_>,
	id: SpaceId,
	space: &mut Space,
	account: AccountId32,
	role: Role,
) -> Option<()> {
	if space.rules.admission == AdmissionPolicy::Open {
		return Some(());
	}
	take_admission(making, id, space, account, role)?;
	making.deposit(E::AdmissionUsed { space: id, account, role });
	Some(())
}

fn take_admission(
	making: &mut Making<'_>,
	id: SpaceId,
	space: &mut Space,
	account: AccountId32,
	role: Role,
) -> Option<()> {
	let key = RowKey::Admission(id, account, role);
	making.fabric.row(&key)?;
	making.fabric.remove(&key);
	space.admission_count -= 1;
	Some(())
}
