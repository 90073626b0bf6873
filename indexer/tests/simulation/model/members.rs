// SPDX-License-Identifier: Apache-2.0
//! Providers and tenants.

use content_fabric_client::{
	chain::rows::{Member, Nomination, PurgeScope},
	text::Text,
};
use content_fabric_identifiers::{ProviderId, TenantId};
use content_fabric_indexer::{
	rows::{Map, RowKey},
	source::FabricEvent as E,
};
use content_fabric_primitives::{MemberId, Role};

use super::{block::Making, spaces, under};

/// Returns some member that is not being deleted.
pub fn some(making: &mut Making<'_>) -> Option<(MemberId, Member)> {
	let id = match making.role() {
		Role::Provider => making.some::<(ProviderId,)>(Map::Providers)?.1 .0.into(),
		Role::Tenant => making.some::<(TenantId,)>(Map::Tenants)?.1 .0.into(),
	};
	let member = making.fabric.member(id)?;
	(member.purge != Some(PurgeScope::Member)).then_some((id, member))
}

/// Adds to the count of a map's rows, and to the deposits.
pub fn add(member: &mut Member, map: Map, by: i32) {
	let name = map.count_name().expect("rows of the map are under members");
	let count = member.rows.get_mut(name).expect("all counts are there");
	*count = count.checked_add_signed(by).expect("no count is below zero");
	member.deposit = member.deposit.saturating_add_signed((by * 10).into());
}

/// Removes a member without rows.
pub fn remove(making: &mut Making<'_>, id: MemberId, member: &Member) {
	spaces::count_member(making, member.space, id.role(), -1);
	making.remove(&RowKey::member(id));
}

/// Creates a member with the id of one that was just removed, at times.
pub fn recreate(making: &mut Making<'_>, id: MemberId) {
	if making.chance(0.4) && create_with(making, id).is_some() {
		for _ in 0..making.below(4) {
			under::add_any(making, id);
		}
	}
}

pub fn create(making: &mut Making<'_>) -> Option<()> {
	let id = match making.role() {
		Role::Provider => ProviderId([making.below(3); 10]).into(),
		Role::Tenant => TenantId([making.below(3); 10]).into(),
	};
	create_with(making, id)
}

fn create_with(making: &mut Making<'_>, id: MemberId) -> Option<()> {
	if making.fabric.has(&RowKey::member(id)) {
		return None;
	}
	let (space, root) = (spaces::some(making)?, making.account());
	spaces::use_admission(making, space, root, id.role());
	spaces::count_member(making, space, id.role(), 1);
	let counts = Map::under(id.role()).iter().filter_map(|map| map.count_name());
	let created = making.fabric.mint();
	let member = Member {
		space,
		root,
		root_since: created,
		nomination: None,
		max_held: making.amount(),
		bond: making.amount(),
		own_deposit: 100,
		deposit: 0,
		rows: counts.map(|name| (name.into(), 0)).collect(),
		empty_since: Some(making.number),
		governance_delete: false,
		suspended: false,
		purge: None,
		created,
	};
	making.put(RowKey::member(id), member);
	making.deposit(match id {
		MemberId::Provider(provider) => E::ProviderCreated { provider, space, root },
		MemberId::Tenant(tenant) => E::TenantCreated { tenant, space, root },
	});
	Some(())
}

/// Changes one thing in the row of a member.
pub fn change(making: &mut Making<'_>) -> Option<()> {
	let (member, mut row) = some(making)?;
	let (amount, enabled, reason) = (making.amount(), making.chance(0.2), Text::default());
	let Member { created, bond, .. } = row;
	let event = match making.below(5) {
		0 => {
			row.bond += amount;
			E::BondToppedUp { member, amount, bond: row.bond }
		},
		1 => {
			row.max_held = amount;
			E::MaxHeldSet { member, max_held: amount }
		},
		2 => {
			row.bond = bond.saturating_sub(amount);
			E::Slashed { member, created, amount, bond: row.bond, reason }
		},
		3 => {
			row.suspended = enabled;
			E::Suspended { member, created, enabled, bond, reason }
		},
		_ => {
			row.governance_delete = enabled;
			E::GovernanceDeleteSet { member, created, enabled, bond, reason }
		},
	};
	making.update(member, |changed| *changed = row);
	making.deposit(event);
	Some(())
}

pub fn nominate(making: &mut Making<'_>) -> Option<()> {
	let (member, _) = some(making)?;
	let nominee = Some(making.account()).filter(|_| making.chance(0.8));
	let governance_matures = making.chance(0.5).then_some(making.number + 2);
	let nomination = nominee.map(|nominee| Nomination { nominee, governance_matures });
	making.update(member, |row| row.nomination = nomination);
	making.deposit(E::RootNominated { member, nominee });
	Some(())
}

pub fn accept_root(making: &mut Making<'_>) -> Option<()> {
	let (member, row) = some(making).filter(|(_, row)| row.purge.is_none())?;
	let root = row.nomination?.nominee;
	spaces::use_admission(making, row.space, root, member.role());
	let key = under::key_of(member, root);
	if making.fabric.has(&key) {
		making.delete(&key, under::key_revoked(member, root));
	}
	making.update(member, |row| (row.nomination, row.root) = (None, root));
	making.deposit(E::RootSet { member, root, previous: row.root, unreleased: 0 });
	Some(())
}

pub fn delete(making: &mut Making<'_>) -> Option<()> {
	let (member, row) = some(making).filter(|(_, row)| row.row_count() == 0)?;
	remove(making, member, &row);
	making.deposit(E::MemberDeleted { member, space: row.space, created: row.created });
	recreate(making, member);
	Some(())
}
