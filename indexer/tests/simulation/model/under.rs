// SPDX-License-Identifier: Apache-2.0
//! Access keys, nodes and KMSes.

use content_fabric_client::chain::rows::{Kms, Node};
use content_fabric_identifiers::{KmsId, Medallion, NodeId, ProviderId, TenantId};
use content_fabric_indexer::{
	rows::{Map, RowKey},
	source::FabricEvent as E,
};
use content_fabric_primitives::{MemberId, ProviderLevel, TenantLevel};
use rand::Rng;
use subxt::utils::AccountId32;

use super::{block::Making, content, members, records};

pub fn key_of(member: MemberId, account: AccountId32) -> RowKey {
	match member {
		MemberId::Provider(provider) => RowKey::ProviderKey(provider, account),
		MemberId::Tenant(tenant) => RowKey::TenantKey(tenant, account),
	}
}

/// Returns the event of a key that is revoked.
pub fn key_revoked(member: MemberId, account: AccountId32) -> E {
	match member {
		MemberId::Provider(provider) => E::ProviderKeySet { provider, account, level: None },
		MemberId::Tenant(tenant) => E::TenantKeySet { tenant, account, level: None },
	}
}

/// Grants a level in a member to an account, or takes it.
pub fn set_key(making: &mut Making<'_>) -> Option<()> {
	let (member, _) = members::some(making).filter(|(_, row)| row.purge.is_none())?;
	let account = making.account();
	let key = key_of(member, account);
	if making.fabric.has(&key) && making.chance(0.5) {
		return making.delete(&key, key_revoked(member, account));
	}
	grant(making, member, account)
}

fn grant(making: &mut Making<'_>, member: MemberId, account: AccountId32) -> Option<()> {
	let key = key_of(member, account);
	match (member, making.below(3)) {
		(MemberId::Provider(provider), _) => {
			let level = ProviderLevel::Admin;
			making.put(key, level);
			making.deposit(E::ProviderKeySet { provider, account, level: Some(level) });
		},
		(MemberId::Tenant(tenant), level) => {
			let levels = [TenantLevel::Content, TenantLevel::Kms, TenantLevel::Admin];
			let level = levels[usize::from(level)];
			making.put(key, level);
			making.deposit(E::TenantKeySet { tenant, account, level: Some(level) });
		},
	}
	Some(())
}

/// Adds some row under a member.
pub fn add_any(making: &mut Making<'_>, member: MemberId) -> Option<()> {
	let account = making.account();
	match (member, making.below(4)) {
		(MemberId::Provider(provider), 0 | 1) => add_node(making, provider),
		(MemberId::Tenant(tenant), 1) => add_kms(making, tenant),
		(MemberId::Tenant(tenant), 2) => content::add_object(making, tenant),
		(MemberId::Tenant(tenant), 3) => records::add_collection(making, tenant),
		_ => grant(making, member, account),
	}
}

pub fn add_node(making: &mut Making<'_>, provider: ProviderId) -> Option<()> {
	let node = NodeId([making.below(3); 10]);
	let operator = making.account();
	let row = Node {
		operator,
		pending: true,
		locator: making.text(),
		medallion: Medallion::random(making.rng.random()),
		last_muid: None,
		deposit: 10,
	};
	let medallion = row.medallion;
	let event = E::NodeCreated { provider, node, operator, medallion };
	making.create(RowKey::Node(provider, node), row, event)
}

/// Confirms a node, or sets its locator or its operator.
pub fn change_node(making: &mut Making<'_>) -> Option<()> {
	let (key, (provider, node)) = making.open(Map::Nodes)?;
	let (locator, operator) = (making.text(), making.account());
	let event = match making.below(3) {
		0 => E::NodeConfirmed { provider, node },
		1 => E::NodeLocatorSet { provider, node },
		_ => E::NodeOperatorSet { provider, node, operator },
	};
	making.change(key, |row: &mut Node| match event {
		E::NodeConfirmed { .. } => row.pending = false,
		E::NodeLocatorSet { .. } => row.locator = locator,
		_ => row.operator = operator,
	})?;
	making.deposit(event);
	Some(())
}

pub fn remove_node(making: &mut Making<'_>) -> Option<()> {
	let (key, (provider, node)) = making.open(Map::Nodes)?;
	making.delete(&key, E::NodeRemoved { provider, node })
}

pub fn add_kms(making: &mut Making<'_>, tenant: TenantId) -> Option<()> {
	let kms = KmsId([making.below(2); 10]);
	let row = Kms { locator: making.text(), deposit: 10 };
	making.create(RowKey::Kms(tenant, kms), row, E::KmsAdded { tenant, kms })
}

/// Sets the locator of a KMS, or removes it.
pub fn change_kms(making: &mut Making<'_>) -> Option<()> {
	let (key, (tenant, kms)) = making.open(Map::Kmses)?;
	if making.chance(0.25) {
		return making.delete(&key, E::KmsRemoved { tenant, kms });
	}
	let locator = making.text();
	// The deposit is for the new size.
	making.update(tenant.into(), |member| member.deposit += 1);
	making.put(key, Kms { locator, deposit: 11 });
	making.deposit(E::KmsLocatorSet { tenant, kms });
	Some(())
}
