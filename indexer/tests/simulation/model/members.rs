// SPDX-License-Identifier: Apache-2.0
//! Providers and tenants.

use content_fabric_client::chain::rows::{Member, Nomination, PurgeScope};
use content_fabric_identifiers::{ProviderId, TenantId};
use content_fabric_indexer::{
	rows::{Map, RowKey, RowValue},
	source::FabricEvent as E,
};
use content_fabric_primitives::{MemberId, Role};

use super::{
	block::Making,
	spaces::{self, role, use_admission},
	under,
};

/// Returns some member that is not being deleted.
pub fn some(making: &mut Making<'_>) -> Option<(MemberId, Member)> {
	let map = match role(making) {
		Role::Provider => Map::Providers,
		Role::Tenant => Map::Tenants,
	};
	let id = making.some(map)?.as_member()?;
	let member = making.fabric.member(id)?;
	(member.purge != Some(PurgeScope::Member)).then_some((id, member))
}

/// Returns whether the root may act: the member is neither frozen nor suspended.
pub fn is_active(member: &Member) -> bool {
	!member.governance_delete && !member.suspended
}

/// Returns whether the rows under a member may change.
pub fn is_open(member: &Member) -> bool {
	is_active(member) && member.purge.is_none()
}

/// Returns whether rows under a member may be removed: by itself, or by anyone if it is frozen.
pub fn may_shrink(member: &Member) -> bool {
	is_open(member) || (member.governance_delete && member.purge.is_none())
}

/// Returns some open provider.
pub fn open_provider(making: &mut Making<'_>) -> Option<ProviderId> {
	let RowKey::Provider(id) = making.some(Map::Providers)? else { return None };
	making.fabric.member(id.into()).filter(is_open).map(|_| id)
}

/// Returns some open tenant.
pub fn open_tenant(making: &mut Making<'_>) -> Option<TenantId> {
	let RowKey::Tenant(id) = making.some(Map::Tenants)? else { return None };
	making.fabric.member(id.into()).filter(is_open).map(|_| id)
}

/// Writes a member, and notes whether it has become empty.
pub fn update(making: &mut Making<'_>, id: MemberId, change: impl FnOnce(&mut Member)) {
	let Some(mut member) = making.fabric.member(id) else { return };
	let before = member.row_count();
	change(&mut member);
	if member.row_count() > 0 {
		member.empty_since = None;
	} else if before > 0 {
		member.empty_since = Some(making.number);
		making.deposit(E::MemberEmptied { member: id });
	}
	making.fabric.put(RowKey::member(id), RowValue::Member(member));
}

/// Changes the count of a map's rows under a member, and the sum of their deposits.
pub fn count(making: &mut Making<'_>, id: MemberId, map: Map, by: i32) {
	update(making, id, |member| add(member, map, by));
}

/// Adds to the count of a map's rows.
pub fn add(member: &mut Member, map: Map, by: i32) {
	let name = map.count_name().expect("rows of the map are under members");
	let count = member.rows.get_mut(name).expect("all counts are there");
	*count = count.checked_add_signed(by).expect("no count is below zero");
	member.deposit = member.deposit.saturating_add_signed((by * 10).into());
}

/// Removes a member without rows.
pub fn remove(making: &mut Making<'_>, id: MemberId, member: &Member) {
	let mut space = making.fabric.space(member.space).expect("it has members");
	match id.role() {
		Role::Provider => space.provider_count -= 1,
		Role::Tenant => space.tenant_count -= 1,
	}
	spaces::put(making, member.space, space);
	making.fabric.remove(&RowKey::member(id));
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
	let id = match role(making) {
		Role::Provider => ProviderId([making.below(3); 10]).into(),
		Role::Tenant => TenantId([making.below(3); 10]).into(),
	};
	create_with(making, id)
}

fn create_with(making: &mut Making<'_>, id: MemberId) -> Option<()> {
	if making.fabric.has(&RowKey::member(id)) {
		return None;
	}
	let (space, mut info) = spaces::some(making)?;
	let root = making.account();
	use_admission(making, space, &mut info, root, id.role())?;
	match id.role() {
		Role::Provider => info.provider_count += 1,
		Role::Tenant => info.tenant_count += 1,
	}
	let counts = Map::under(id.role()).iter().filter_map(|map| map.count_name());
	let member = Member {
		space,
		root,
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
		created: making.fabric.mint(),
	};
	spaces::put(making, space, info);
	making.fabric.put(RowKey::member(id), RowValue::Member(member));
	making.deposit(match id {
		MemberId::Provider(provider) => E::ProviderCreated { provider, space, root },
		MemberId::Tenant(tenant) => E::TenantCreated { tenant, space, root },
	});
	Some(())
}

pub fn top_up(making: &mut Making<'_>) -> Option<()> {
	let (id, _) = some(making).filter(|(_, member)| is_active(member))?;
	let amount = making.amount();
	update(making, id, |member| member.bond += amount);
	making.deposit(E::BondToppedUp { member: id });
	Some(())
}

pub fn set_max_held(making: &mut Making<'_>) -> Option<()> {
	let (id, _) = some(making).filter(|(_, member)| is_active(member))?;
	let amount = making.amount();
	update(making, id, |member| member.max_held = amount);
	making.deposit(E::MaxHeldSet { member: id });
	Some(())
}

pub fn nominate(making: &mut Making<'_>) -> Option<()> {
	let (id, member) = some(making)?;
	let nominee = Some(making.account()).filter(|_| making.chance(0.8));
	if nominee == Some(member.root) || (nominee.is_none() && member.nomination.is_none()) {
		return None;
	}
	let governance_matures = making.chance(0.5).then_some(making.number + 2);
	let nomination = nominee.map(|nominee| Nomination { nominee, governance_matures });
	update(making, id, |member| member.nomination = nomination);
	making.deposit(E::RootNominated { member: id, nominee });
	Some(())
}

pub fn accept_root(making: &mut Making<'_>) -> Option<()> {
	let (id, member) = some(making).filter(|(_, member)| member.purge.is_none())?;
	let Nomination { nominee, governance_matures } = member.nomination.clone()?;
	match governance_matures {
		Some(block) if making.number < block => return None,
		Some(_) => {},
		None if !is_active(&member) => return None,
		None => {
			let before = making.fabric.space(member.space)?;
			let mut space = before.clone();
			use_admission(making, member.space, &mut space, nominee, id.role())?;
			if space != before {
				spaces::put(making, member.space, space);
			}
		},
	}
	let key = under::key_of(id, nominee);
	let had_key = making.fabric.has(&key);
	making.fabric.remove(&key);
	update(making, id, |member| {
		if had_key {
			add(member, key.map(), -1);
		}
		member.nomination = None;
		member.root = nominee;
	});
	if had_key {
		making.deposit(under::key_set(id, nominee));
	}
	making.deposit(E::RootSet { member: id, root: nominee, previous: member.root });
	Some(())
}

pub fn delete(making: &mut Making<'_>) -> Option<()> {
	let (id, member) = some(making).filter(|(_, member)| is_active(member))?;
	if member.row_count() > 0 {
		return None;
	}
	remove(making, id, &member);
	making.deposit(E::MemberDeleted { member: id, space: member.space });
	recreate(making, id);
	Some(())
}

pub fn slash(making: &mut Making<'_>) -> Option<()> {
	let (id, _) = some(making)?;
	let amount = making.amount();
	update(making, id, |member| member.bond = member.bond.saturating_sub(amount));
	making.deposit(E::Slashed { member: id });
	Some(())
}

pub fn suspend(making: &mut Making<'_>) -> Option<()> {
	let (id, _) = some(making)?;
	// Mostly lifted, so that rows go on changing.
	let enabled = making.chance(0.2);
	update(making, id, |member| member.suspended = enabled);
	making.deposit(E::Suspended { member: id });
	Some(())
}

pub fn freeze(making: &mut Making<'_>) -> Option<()> {
	let (id, _) = some(making)?;
	let enabled = making.chance(0.2);
	update(making, id, |member| member.governance_delete = enabled);
	making.deposit(E::GovernanceDeleteSet { member: id });
	Some(())
}
