// SPDX-License-Identifier: Apache-2.0
//! Content objects and their versions.

use content_fabric_client::chain::rows::{ContentObject, Node, Version};
use content_fabric_identifiers::{ContentObjectId, KmsId, TenantId, VersionId};
use content_fabric_indexer::{
	rows::{Map, RowKey},
	source::FabricEvent as E,
};
use rand::Rng;

use super::block::Making;

pub fn add_object(making: &mut Making<'_>, tenant: TenantId) -> Option<()> {
	let object = ContentObjectId([making.below(4); 10]);
	create_object(making, tenant, object)
}

fn create_object(making: &mut Making<'_>, tenant: TenantId, object: ContentObjectId) -> Option<()> {
	let created = making.fabric.mint();
	let row = ContentObject {
		head_version: None,
		head_since: created,
		head_set: created,
		version_count: 0,
		deposit: 10,
		created,
	};
	let event = E::ContentObjectCreated { tenant, object };
	making.create(RowKey::ContentObject(tenant, object), row, event)
}

pub fn delete_object(making: &mut Making<'_>) -> Option<()> {
	let (key, (tenant, object)) = making.open(Map::ContentObjects)?;
	if making.fabric.get::<ContentObject>(&key)?.version_count > 0 {
		return None;
	}
	making.delete(&key, E::ContentObjectDeleted { tenant, object })
}

/// Commits some versions, whose objects may have to be created.
pub fn commit(making: &mut Making<'_>) -> Option<()> {
	let tenant = making.tenant()?;
	let (key, (originator, node)) = making.open(Map::Nodes)?;
	for _ in 0..=making.below(4) {
		let object = ContentObjectId([making.below(4); 10]);
		create_object(making, tenant, object);
		// Many objects have the same versions.
		let mut version = VersionId([making.below(16); 32]);
		if making.fabric.has(&RowKey::Version(tenant, object, version)) {
			version = VersionId(making.rng.random());
		}
		let row = Version {
			originator,
			node,
			kms: KmsId([making.below(2); 10]),
			muid: making.fabric.mint(),
			size: making.rng.random::<u64>().into(),
			committed: making.fabric.mint(),
			finalized: None,
			set_head_on_finalize: making.chance(0.5),
			deposit: 10,
		};
		let muid = row.muid;
		making.put(RowKey::Version(tenant, object, version), row);
		making.deposit(E::VersionCommitted { tenant, object, version, originator, node, muid });
	}
	// No event of its own names the node.
	let muid = making.fabric.mint();
	making.change(key, |node: &mut Node| node.last_muid = Some(muid))
}

/// Moves the head of an object.
fn move_head(
	making: &mut Making<'_>,
	tenant: TenantId,
	object: ContentObjectId,
	head: Option<VersionId>,
) {
	let key = RowKey::ContentObject(tenant, object);
	making.change(key, |object: &mut ContentObject| object.head_version = head);
}

pub fn finalize(making: &mut Making<'_>) -> Option<()> {
	let (key, (tenant, object, version)) = making.open(Map::Versions)?;
	let mut row: Version = making.fabric.get(&key)?;
	if row.finalized.is_some() {
		return None;
	}
	row.finalized = Some(making.time);
	let moves = row.set_head_on_finalize && making.chance(0.7);
	making.put(key, row);
	if moves {
		move_head(making, tenant, object, Some(version));
	}
	making.deposit(E::VersionFinalized { tenant, object, version, head_moved: moves });
	Some(())
}

pub fn set_head(making: &mut Making<'_>) -> Option<()> {
	let (_, (tenant, object, version)) = making.open(Map::Versions)?;
	let version = Some(version).filter(|_| making.chance(0.6));
	move_head(making, tenant, object, version);
	making.deposit(E::HeadVersionSet { tenant, object, version });
	Some(())
}

pub fn delete_version(making: &mut Making<'_>) -> Option<()> {
	let (key, (tenant, object, version)) = making.open(Map::Versions)?;
	let row: ContentObject = making.fabric.get(&RowKey::ContentObject(tenant, object))?;
	if row.head_version == Some(version) {
		move_head(making, tenant, object, None);
		making.deposit(E::HeadVersionSet { tenant, object, version: None });
	}
	making.delete(&key, E::VersionDeleted { tenant, object, version })
}
