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
pub fn some(making: &mut Making<'_>) -> Option<SpaceId> {
	making.some(Map::Spaces).map(|(_, (space,))| space)
}

pub fn create(making: &mut Making<'_>) -> Option<()> {
	let space = SpaceId([making.below(2); 10]);
	let governor = making.account();
	let row = Space {
		governor,
		rules: rules(making),
		provider_count: 0,
		tenant_count: 0,
		admission_count: 0,
		created: making.fabric.mint(),
	};
	making.create(RowKey::Space(space), row, E::SpaceCreated { space, governor })
}

/// Changes the rules of a space, or its governor.
pub fn change(making: &mut Making<'_>) -> Option<()> {
	let space = some(making)?;
	let (rules, governor) = (rules(making), making.account());
	let (event, has_rules) = match making.below(3) {
		0 => (E::SpaceRulesSet { space, rules: rules.clone() }, true),
		_ => (E::SpaceGovernorSet { space, governor }, false),
	};
	making.deposit(event);
	making.change(RowKey::Space(space), |row: &mut Space| match has_rules {
		true => row.rules = rules,
		false => row.governor = governor,
	})
}

pub fn admit(making: &mut Making<'_>) -> Option<()> {
	let space = some(making)?;
	let (account, role) = (making.account(), making.role());
	let key = RowKey::Admission(space, (account, role));
	making.create(key, RowValue::Admission, E::Admitted { space, account, role })
}

pub fn revoke(making: &mut Making<'_>) -> Option<()> {
	let (key, (space, (account, role))) = making.some(Map::Admissions)?;
	making.delete(&key, E::AdmissionRevoked { space, account, role })
}

pub fn delete(making: &mut Making<'_>) -> Option<()> {
	let space = some(making)?;
	let key = RowKey::Space(space);
	let row: Space = making.fabric.get(&key)?;
	if row.provider_count + row.tenant_count + row.admission_count > 0 {
		return None;
	}
	making.delete(&key, E::SpaceDeleted { space });
	if making.chance(0.5) {
		create(making);
	}
	Some(())
}

/// Uses up the admission of an account, if it has one.
pub fn use_admission(making: &mut Making<'_>, space: SpaceId, account: AccountId32, role: Role) {
	let key = RowKey::Admission(space, (account, role));
	if making.fabric.has(&key) {
		making.delete(&key, E::AdmissionUsed { space, account, role });
	}
}

/// Changes the number of members of a space.
pub fn count_member(making: &mut Making<'_>, space: SpaceId, role: Role, by: i32) {
	let counted = making.change(RowKey::Space(space), |space: &mut Space| {
		let count = match role {
			Role::Provider => &mut space.provider_count,
			Role::Tenant => &mut space.tenant_count,
		};
		*count = count.checked_add_signed(by).expect("no count is below zero");
	});
	counted.expect("a space with members exists");
}
