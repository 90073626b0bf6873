// SPDX-License-Identifier: Apache-2.0
//! Makes entities of rows.

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{known_size, MemberId};
use subxt::utils::AccountId32;

use super::{
	fact::{Maturity, Millis, PurgeState, Size, Stamp},
	Collection, ContentObject, Entity, Key, Kms, Member, Node, Space, Version,
};
use crate::{
	amount::Units,
	chain::{admission_name, rows, Error, Snapshot},
	commands::View,
	text::Text,
};

/// The entities at a block.
#[derive(Clone, Copy)]
pub struct Entities<'a> {
	/// The block.
	pub at: &'a Snapshot,
	/// The currency.
	pub units: &'a Units,
}

impl<'a> Entities<'a> {
	/// Returns the entities of a state.
	pub fn new(view: &'a View) -> Self {
		Self { at: view, units: view.units() }
	}

	/// Returns a space.
	pub fn space(self, id: SpaceId, info: rows::Space) -> Entity {
		Entity::Space(Space {
			id,
			governor: info.governor,
			provider_count: info.provider_count,
			tenant_count: info.tenant_count,
			provider_bond: self.units.amount(info.rules.provider_bond),
			tenant_bond: self.units.amount(info.rules.tenant_bond),
			admission: admission_name(info.rules.admission),
			unused_admissions: info.admission_count,
			partitions: info.rules.partitions,
			sla: info.rules.sla,
			created: Stamp(info.created),
		})
	}

	/// Returns a member. Reads its purge, if one is under way.
	pub async fn member(self, id: MemberId, info: rows::Member) -> Result<Entity, Error> {
		let purge = match info.purge {
			Some(scope) => {
				let started = self.at.get(&rows::purges(), (id,)).await?;
				let rows = started.map_or_else(|| info.row_count(), |purge| purge.rows);
				Some(PurgeState { scope, rows, rows_left: info.row_count() })
			},
			None => None,
		};
		let now = self.at.block_number();
		let matures = info.nomination.as_ref().and_then(|nomination| nomination.governance_matures);
		let rows = info.row_count();
		let member = Member {
			id,
			space: info.space,
			root: info.root,
			nominee: info.nomination.map(|nomination| nomination.nominee),
			nominee_matures: matures.map(|block| Maturity { block, now }),
			bond: self.units.amount(info.bond),
			own_deposit: self.units.amount(info.own_deposit),
			deposit: self.units.amount(info.deposit),
			max_held: self.units.amount(info.max_held),
			rows,
			row_counts: info.rows,
			empty_since: info.empty_since,
			governance_delete: info.governance_delete,
			suspended: info.suspended,
			purge,
			created: Stamp(info.created),
		};
		Ok(match id {
			MemberId::Provider(_) => Entity::Provider(member),
			MemberId::Tenant(_) => Entity::Tenant(member),
		})
	}

	/// Returns an access key.
	pub fn key(account: AccountId32, level: &'static str) -> Entity {
		Entity::Key(Key { account, level })
	}

	/// Returns a node.
	pub fn node(self, (provider, id): (ProviderId, NodeId), info: rows::Node) -> Entity {
		Entity::Node(Node {
			id,
			provider,
			operator: info.operator,
			locator: info.locator,
			pending: info.pending,
			medallion: format!("{:011X}", info.medallion),
			last_muid: info.last_muid.map(Stamp),
			deposit: self.units.amount(info.deposit),
		})
	}

	/// Returns a KMS.
	pub fn kms(self, (tenant, id): (TenantId, KmsId), info: rows::Kms) -> Entity {
		let deposit = self.units.amount(info.deposit);
		Entity::Kms(Kms { id, tenant, locator: info.locator, deposit })
	}

	/// Returns a collection.
	pub fn collection((_, name): (TenantId, Text), info: rows::Collection) -> Entity {
		Entity::Collection(Collection {
			name,
			key_type: info.key_type.map(|literal| literal.to_string()).to_string(),
			syntax: info.syntax.to_string(),
			record_count: info.record_count,
		})
	}

	/// Returns a content object.
	pub fn content_object(
		self,
		(tenant, object): (TenantId, ContentObjectId),
		info: rows::ContentObject,
	) -> Entity {
		Entity::ContentObject(ContentObject {
			id: ContentObjectPath { tenant, object },
			tenant,
			object,
			head: info.head_version,
			version_count: info.version_count,
			deposit: self.units.amount(info.deposit),
			created: Stamp(info.created),
		})
	}

	/// Returns a version.
	pub fn version(
		self,
		(tenant, object, id): (TenantId, ContentObjectId, VersionId),
		info: rows::Version,
	) -> Entity {
		Entity::Version(Version {
			id,
			sha256: hex::encode(id.0),
			object: ContentObjectPath { tenant, object },
			originator: info.originator,
			node: info.node,
			kms: info.kms,
			muid: Stamp(info.muid),
			size: Size(known_size(id, info.size)),
			committed: Stamp(info.committed),
			finalized: info.finalized.map(Millis),
			set_head_on_finalize: info.set_head_on_finalize,
			deposit: self.units.amount(info.deposit),
		})
	}
}
