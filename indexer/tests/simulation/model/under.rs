// SPDX-License-Identifier: Apache-2.0
//! Access keys, nodes and KMSes.

use content_fabric_client::chain::rows::{Kms, Node};
use content_fabric_identifiers::{KmsId, NodeId, ProviderId, TenantId};
use content_fabric_indexer::{
	rows::{Map, RowKey, RowValue},
	source::FabricEvent as E,
};
use content_fabric_primitives::{MemberId, ProviderLevel, TenantLevel};
use rand::Rng;
use subxt::utils::AccountId32;

use super::{
	block::Making,
	content,
	members::{self, count, is_open, may_shrink, open_provider, open_tenant},
	records,
};

pub fn key_of(member: MemberId, account: AccountId32) -> RowKey {
	match member {
		MemberId::Provider(provider) => RowKey::ProviderKey(provider, account),
		MemberId::Tenant(tenant) => RowKey::TenantKey(tenant, account),
	}
}

pub fn key_set(member: MemberId, account: AccountId32) -> E {
	match member {
		MemberId::Provider(provider) => E::ProviderKeySet { provider, account },
		MemberId::Tenant(tenant) => E::TenantKeySet { tenant, account },
	}
}

pub fn set_key(making: &mut Making<'_>) -> Option<()> {
	let (id, member) = members::some(making).filter(|(_, member)| may_shrink(member))?;
	let account = making.account();
	let key = key_of(id, account);
	let has = making.fabric.has(&key);
	if has && making.chance(0.5) {
		making.fabric.remove(&key);
		count(making, id, key.map(), -1);
		making.deposit(key_set(id, account));
		return Some(());
	}
	if !is_open(&member) {
		return None;
	}
	grant(making, id, account);
	Some(())
}

fn grant(making: &mut Making<'_>, id: MemberId, account: AccountId32) {
	let key = key_of(id, account);
	let level = match id {
		MemberId::Provider(_) => RowValue::ProviderKey(ProviderLevel::Admin),
		MemberId::Tenant(_) => RowValue::TenantKey(match making.below(3) {
			0 => TenantLevel::Content,
			1 => TenantLevel::Kms,
			_ => TenantLevel::Admin,
		}),
	};
	if !making.fabric.has(&key) {
		count(making, id, key.map(), 1);
	}
	making.fabric.put(key, level);
	making.deposit(key_set(id, account));
}

/// Adds some row under a member.
pub fn add_any(making: &mut Making<'_>, id: MemberId) {
	let account = making.account();
	match id {
		MemberId::Provider(provider) => match making.chance(0.5) {
			true => grant(making, id, account),
			false => drop(add_node(making, provider)),
		},
		MemberId::Tenant(tenant) => match making.below(4) {
			0 => grant(making, id, account),
			1 => drop(add_kms_to(making, tenant)),
			2 => drop(content::add_object(making, tenant)),
			_ => drop(records::add_collection(making, tenant)),
		},
	}
}

pub fn create_node(making: &mut Making<'_>) -> Option<()> {
	let provider = open_provider(making)?;
	add_node(making, provider)
}

fn add_node(making: &mut Making<'_>, provider: ProviderId) -> Option<()> {
	let node = NodeId([making.below(3); 10]);
	let key = RowKey::Node(provider, node);
	if making.fabric.has(&key) {
		return None;
	}
	let row = Node {
		operator: making.account(),
		pending: true,
		locator: making.text(),
		medallion: making.rng.random_range(1..1 << 40),
		last_muid: None,
		deposit: 10,
	};
	count(making, provider.into(), Map::Nodes, 1);
	making.deposit(E::NodeCreated { provider, node, operator: row.operator });
	making.fabric.put(key, RowValue::Node(row));
	Some(())
}

/// Returns some node of an open provider.
fn some_node(making: &mut Making<'_>) -> Option<(ProviderId, NodeId, Node)> {
	let RowKey::Node(provider, node) = making.some(Map::Nodes)? else { return None };
	making.fabric.member(provider.into()).filter(may_shrink)?;
	Some((provider, node, making.fabric.node(provider, node)?))
}

fn change_node(
	making: &mut Making<'_>,
	change: impl FnOnce(&mut Making<'_>, &mut Node),
	event: impl FnOnce(ProviderId, NodeId, &Node) -> E,
) -> Option<()> {
	let (provider, node, mut row) = some_node(making)?;
	making.fabric.member(provider.into()).filter(is_open)?;
	change(making, &mut row);
	making.deposit(event(provider, node, &row));
	making.fabric.put(RowKey::Node(provider, node), RowValue::Node(row));
	Some(())
}

pub fn confirm_node(making: &mut Making<'_>) -> Option<()> {
	change_node(
		making,
		|_, row| row.pending = false,
		|provider, node, _| E::NodeConfirmed { provider, node },
	)
}

pub fn set_node_locator(making: &mut Making<'_>) -> Option<()> {
	change_node(
		making,
		|making, row| row.locator = making.text(),
		|provider, node, _| E::NodeLocatorSet { provider, node },
	)
}

pub fn set_node_operator(making: &mut Making<'_>) -> Option<()> {
	change_node(
		making,
		|making, row| row.operator = making.account(),
		|provider, node, row| E::NodeOperatorSet { provider, node, operator: row.operator },
	)
}

pub fn remove_node(making: &mut Making<'_>) -> Option<()> {
	let (provider, node, _) = some_node(making)?;
	making.fabric.remove(&RowKey::Node(provider, node));
	count(making, provider.into(), Map::Nodes, -1);
	making.deposit(E::NodeRemoved { provider, node });
	Some(())
}

pub fn add_kms(making: &mut Making<'_>) -> Option<()> {
	let tenant = open_tenant(making)?;
	add_kms_to(making, tenant)
}

fn add_kms_to(making: &mut Making<'_>, tenant: TenantId) -> Option<()> {
	let kms = KmsId([making.below(2); 10]);
	let key = RowKey::Kms(tenant, kms);
	if making.fabric.has(&key) {
		return None;
	}
	let locator = making.text();
	count(making, tenant.into(), Map::Kmses, 1);
	making.fabric.put(key, RowValue::Kms(Kms { locator, deposit: 10 }));
	making.deposit(E::KmsAdded { tenant, kms });
	Some(())
}

pub fn set_kms_locator(making: &mut Making<'_>) -> Option<()> {
	let RowKey::Kms(tenant, kms) = making.some(Map::Kmses)? else { return None };
	making.fabric.member(tenant.into()).filter(is_open)?;
	let locator = making.text();
	// The deposit is that of the new size.
	members::update(making, tenant.into(), |member| member.deposit += 1);
	making.fabric.put(RowKey::Kms(tenant, kms), RowValue::Kms(Kms { locator, deposit: 11 }));
	making.deposit(E::KmsLocatorSet { tenant, kms });
	Some(())
}

pub fn remove_kms(making: &mut Making<'_>) -> Option<()> {
	let RowKey::Kms(tenant, kms) = making.some(Map::Kmses)? else { return None };
	making.fabric.member(tenant.into()).filter(may_shrink)?;
	making.fabric.remove(&RowKey::Kms(tenant, kms));
	count(making, tenant.into(), Map::Kmses, -1);
	making.deposit(E::KmsRemoved { tenant, kms });
	Some(())
}
