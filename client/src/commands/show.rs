// SPDX-License-Identifier: Apache-2.0
//! `fabric show`: the entities that an id names.
//!
//! The ids of nodes, KMSes, content objects and versions are unique under their parents only, so
//! one such id may name several entities. All of them are shown.

mod entity;
mod fact;

use std::io::{self, Write};

use clap::Args;
use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, NodeId, SpaceId, VersionId,
};
use content_fabric_primitives::{known_size, MemberId};
use serde::Serialize;

use self::{
	entity::{ContentObject, Entity, Kms, Member, Node, Space, Version},
	fact::{Maturity, Millis, PurgeState, Size, Stamp},
};
use super::Context;
use crate::{
	amount::Units,
	chain::{self, admission_name, rows, Snapshot},
	ids::AnyId,
	output::Report,
	Error,
};

/// The arguments of `fabric show`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric show iten…
  fabric --json show hq__…

Ids of nodes (inod…), KMSes (ikms…), content objects (iq__…) and versions (hq__…) are unique under
their parents only: the command searches all parents, and shows every match.")]
pub struct Options {
	/// The id: ispc…, iprv…, iten…, inod…, ikms…, iq__…, itq_… or hq__…
	id: AnyId,
}

/// The entities that an id names, at least one.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Shown(Vec<Entity>);

impl Report for Shown {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for (place, entity) in self.0.iter().enumerate() {
			if place > 0 {
				writeln!(out)?;
			}
			writeln!(out, "{}", entity.kind())?;
			for (name, fact) in entity.facts() {
				writeln!(out, "  {:<20} {fact}", name.replace('_', " "))?;
			}
		}
		Ok(())
	}
}

/// Finds the entities that an id names.
pub async fn run(options: Options, context: &Context) -> Result<Shown, Error> {
	let at = context.view().await?;
	let reader = Reader { at: &at, units: at.units() };
	let entities = match options.id {
		AnyId::Space(id) => reader.space(id).await?,
		AnyId::Provider(id) => reader.member(id.into()).await?,
		AnyId::Tenant(id) => reader.member(id.into()).await?,
		AnyId::Node(id) => reader.nodes(id).await?,
		AnyId::Kms(id) => reader.kmses(id).await?,
		AnyId::ContentObject(id) => reader.objects(id).await?,
		AnyId::ContentObjectPath(path) => reader.object(path).await?,
		AnyId::Version(id) => reader.versions(id).await?,
	};
	if entities.is_empty() {
		let (kind, id) = (options.id.kind(), options.id.to_string());
		return Err(chain::Error::Unknown { kind, id }.into());
	}
	Ok(Shown(entities))
}

/// Reads entities at a block.
struct Reader<'a> {
	at: &'a Snapshot,
	units: &'a Units,
}

impl Reader<'_> {
	async fn space(&self, id: SpaceId) -> Result<Vec<Entity>, Error> {
		let info = self.at.get(&rows::spaces(), (id,)).await?;
		let entity = info.map(|info| {
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
		});
		Ok(entity.into_iter().collect())
	}

	async fn member(&self, id: MemberId) -> Result<Vec<Entity>, Error> {
		let Some(info) = self.at.find_member(id).await? else { return Ok(Vec::new()) };
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
		Ok(vec![match id {
			MemberId::Provider(_) => Entity::Provider(member),
			MemberId::Tenant(_) => Entity::Tenant(member),
		}])
	}

	async fn nodes(&self, id: NodeId) -> Result<Vec<Entity>, Error> {
		let nodes = self.at.rows(&rows::nodes(), ()).await?.into_iter();
		let nodes = nodes.filter(|((_, node), _)| *node == id).map(|((provider, _), info)| {
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
		});
		Ok(nodes.collect())
	}

	async fn kmses(&self, id: KmsId) -> Result<Vec<Entity>, Error> {
		let kmses = self.at.rows(&rows::kmses(), ()).await?.into_iter();
		let kmses = kmses.filter(|((_, kms), _)| *kms == id).map(|((tenant, _), info)| {
			Entity::Kms(Kms {
				id,
				tenant,
				locator: info.locator,
				deposit: self.units.amount(info.deposit),
			})
		});
		Ok(kmses.collect())
	}

	async fn object(&self, path: ContentObjectPath) -> Result<Vec<Entity>, Error> {
		let key = (path.tenant, path.object);
		let info = self.at.get(&rows::content_objects(), key).await?;
		Ok(info.map(|info| self.object_of(path, info)).into_iter().collect())
	}

	async fn objects(&self, object: ContentObjectId) -> Result<Vec<Entity>, Error> {
		let objects = self.at.rows(&rows::content_objects(), ()).await?.into_iter();
		let objects = objects
			.filter(|((_, id), _)| *id == object)
			.map(|((tenant, _), info)| self.object_of(ContentObjectPath { tenant, object }, info));
		Ok(objects.collect())
	}

	fn object_of(&self, path: ContentObjectPath, info: rows::ContentObject) -> Entity {
		Entity::ContentObject(ContentObject {
			id: path,
			tenant: path.tenant,
			object: path.object,
			head: info.head_version,
			version_count: info.version_count,
			deposit: self.units.amount(info.deposit),
			created: Stamp(info.created),
		})
	}

	async fn versions(&self, id: VersionId) -> Result<Vec<Entity>, Error> {
		let versions = self.at.rows(&rows::versions(), ()).await?.into_iter();
		let found = versions.filter(|((_, _, version), _)| *version == id);
		let versions = found.map(|((tenant, object, _), info)| {
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
		});
		Ok(versions.collect())
	}
}
