// SPDX-License-Identifier: Apache-2.0
//! Content objects and their versions.

use content_fabric_client::chain::rows::{ContentObject, Version};
use content_fabric_identifiers::{ContentObjectId, KmsId, NodeId, ProviderId, TenantId, VersionId};
use content_fabric_indexer::{
	rows::{Map, RowKey, RowValue},
	source::FabricEvent as E,
};
use rand::{seq::IteratorRandom, Rng};

use super::{
	block::Making,
	members::{count, is_open, may_shrink, open_provider, open_tenant},
};

fn put(making: &mut Making<'_>, tenant: TenantId, id: ContentObjectId, object: ContentObject) {
	making.fabric.put(RowKey::ContentObject(tenant, id), RowValue::ContentObject(object));
}

pub fn create_object(making: &mut Making<'_>) -> Option<()> {
	let tenant = open_tenant(making)?;
	add_object(making, tenant)
}

pub fn add_object(making: &mut Making<'_>, tenant: TenantId) -> Option<()> {
	let object = ContentObjectId([making.below(4); 10]);
	match making.fabric.object(tenant, object) {
		Some(_) => None,
		None => new_object(making, tenant, object).map(drop),
	}
}

fn new_object(
	making: &mut Making<'_>,
	tenant: TenantId,
	object: ContentObjectId,
) -> Option<ContentObject> {
	let created = making.fabric.mint();
	let row = ContentObject { head_version: None, version_count: 0, deposit: 10, created };
	count(making, tenant.into(), Map::ContentObjects, 1);
	making.deposit(E::ContentObjectCreated { tenant, object });
	put(making, tenant, object, row.clone());
	Some(row)
}

pub fn delete_object(making: &mut Making<'_>) -> Option<()> {
	let RowKey::ContentObject(tenant, object) = making.some(Map::ContentObjects)? else {
		return None;
	};
	making.fabric.member(tenant.into()).filter(may_shrink)?;
	if making.fabric.object(tenant, object)?.version_count > 0 {
		return None;
	}
	making.fabric.remove(&RowKey::ContentObject(tenant, object));
	count(making, tenant.into(), Map::ContentObjects, -1);
	making.deposit(E::ContentObjectDeleted { tenant, object });
	Some(())
}

/// Commits some versions, whose objects may have to be created.
pub fn commit(making: &mut Making<'_>) -> Option<()> {
	let (provider, node) = confirmed_node(making)?;
	let tenant = open_tenant(making)?;
	let kms = some_kms(making, tenant)?;
	let space = |member| making.fabric.member(member).map(|member| member.space);
	if space(provider.into()) != space(tenant.into()) {
		return None;
	}
	for _ in 0..=making.below(4) {
		commit_one(making, tenant, (provider, node, kms));
	}
	// No event of its own names the node.
	let mut row = making.fabric.node(provider, node)?;
	row.last_muid = Some(making.fabric.mint());
	making.fabric.put(RowKey::Node(provider, node), RowValue::Node(row));
	Some(())
}

fn commit_one(
	making: &mut Making<'_>,
	tenant: TenantId,
	(originator, node, kms): (ProviderId, NodeId, KmsId),
) {
	let object = ContentObjectId([making.below(4); 10]);
	// Many objects have the same versions.
	let mut version = VersionId([making.below(16); 32]);
	if making.fabric.version(tenant, object, version).is_some() {
		version = VersionId(making.rng.random());
	}
	let mut info = match making.fabric.object(tenant, object) {
		Some(info) => info,
		None => match new_object(making, tenant, object) {
			Some(info) => info,
			None => return,
		},
	};
	info.version_count += 1;
	put(making, tenant, object, info);
	let row = Version {
		originator,
		node,
		kms,
		muid: making.fabric.mint(),
		size: making.rng.random(),
		committed: making.fabric.mint(),
		finalized: None,
		set_head_on_finalize: making.chance(0.5),
		deposit: 10,
	};
	count(making, tenant.into(), Map::Versions, 1);
	making.fabric.put(RowKey::Version(tenant, object, version), RowValue::Version(row));
	making.deposit(E::VersionCommitted { tenant, object, version, originator, node });
}

fn confirmed_node(making: &mut Making<'_>) -> Option<(ProviderId, NodeId)> {
	let provider = open_provider(making)?;
	let nodes = making.fabric.rows(Map::Nodes).filter_map(|(key, row)| match (key, &row.value) {
		(RowKey::Node(of, node), RowValue::Node(row)) if *of == provider && !row.pending => {
			Some((provider, *node))
		},
		_ => None,
	});
	nodes.choose(making.rng)
}

fn some_kms(making: &mut Making<'_>, tenant: TenantId) -> Option<KmsId> {
	let kmses = making.fabric.rows(Map::Kmses).filter_map(|(key, _)| match key {
		RowKey::Kms(of, kms) if *of == tenant => Some(*kms),
		_ => None,
	});
	kmses.choose(making.rng)
}

pub fn finalize(making: &mut Making<'_>) -> Option<()> {
	let RowKey::Version(tenant, object, version) = making.some(Map::Versions)? else { return None };
	let mut row = making.fabric.version(tenant, object, version)?;
	making.fabric.member(tenant.into()).filter(is_open)?;
	making.fabric.member(row.originator.into()).filter(is_open)?;
	if row.finalized.is_some() {
		return None;
	}
	row.finalized = Some(making.time);
	let moves = row.set_head_on_finalize && making.chance(0.7);
	making.fabric.put(RowKey::Version(tenant, object, version), RowValue::Version(row));
	if moves {
		let mut info = making.fabric.object(tenant, object)?;
		info.head_version = Some(version);
		put(making, tenant, object, info);
	}
	making.deposit(E::VersionFinalized { tenant, object, version });
	Some(())
}

pub fn set_head(making: &mut Making<'_>) -> Option<()> {
	let RowKey::Version(tenant, object, version) = making.some(Map::Versions)? else { return None };
	making.fabric.member(tenant.into()).filter(is_open)?;
	making.fabric.version(tenant, object, version)?.finalized?;
	let version = Some(version).filter(|_| making.chance(0.6));
	let mut info = making.fabric.object(tenant, object)?;
	info.head_version = version;
	put(making, tenant, object, info);
	making.deposit(E::HeadVersionSet { tenant, object, version });
	Some(())
}

/// Deletes a version. If it is the head, the tenant has to be frozen.
pub fn delete_version(making: &mut Making<'_>) -> Option<()> {
	let RowKey::Version(tenant, object, version) = making.some(Map::Versions)? else { return None };
	let member = making.fabric.member(tenant.into()).filter(may_shrink)?;
	let mut info = making.fabric.object(tenant, object)?;
	if info.head_version == Some(version) {
		if !member.governance_delete {
			return None;
		}
		info.head_version = None;
		making.deposit(E::HeadVersionSet { tenant, object, version: None });
	}
	info.version_count -= 1;
	put(making, tenant, object, info);
	making.fabric.remove(&RowKey::Version(tenant, object, version));
	count(making, tenant.into(), Map::Versions, -1);
	making.deposit(E::VersionDeleted { tenant, object, version });
	Some(())
}
