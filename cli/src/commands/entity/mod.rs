// SPDX-License-Identifier: Apache-2.0
//! Entities, as `fabric show` and `fabric tree` print them.

mod fact;

use std::{fmt, str::FromStr};

use content_fabric_client::{
	amount::Units,
	chain::{
		admission_name, kind,
		rows::{self, PurgeScope},
		Error,
	},
	ids::{AnyId, IdError},
	text::{count, Text},
};
use content_fabric_identifiers::{
	Cid, ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId,
	VersionId,
};
use content_fabric_primitives::MemberId;
use serde::{Serialize, Serializer};
use subxt::utils::AccountId32;

use self::fact::{CopyState, Fact, PurgeState};
use super::View;

/// An entity. Its text is the line that a tree has, and in JSON it has its facts.
#[derive(Clone, Debug)]
pub struct Entity {
	pub row: Row,
	pub units: Units,
}

/// The row of an entity, with its key.
#[derive(Clone, Debug)]
pub enum Row {
	Space(SpaceId, rows::Space),
	Member {
		id: MemberId,
		info: rows::Member,
		/// Number of rows with which its purge has started.
		purged: Option<u32>,
		/// The block at which it was read.
		now: u64,
	},
	/// The account of an access key, with its level.
	Key(AccountId32, &'static str),
	Node((ProviderId, NodeId), rows::Node),
	Kms((TenantId, KmsId), rows::Kms),
	Collection((TenantId, Text), rows::Collection),
	ContentObject((TenantId, ContentObjectId), rows::ContentObject),
	/// A version, with whether the node of each copy exists. Lists do not look for the nodes.
	Version((TenantId, ContentObjectId, VersionId), rows::Version, Option<Vec<bool>>),
}

impl Serialize for Entity {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		serializer.collect_map(self.facts())
	}
}

impl Entity {
	/// Returns whether a content object has a head. `None` for other entities.
	pub fn has_head(&self) -> Option<bool> {
		match &self.row {
			Row::ContentObject(_, info) => Some(info.head_version.is_some()),
			_ => None,
		}
	}

	/// Returns the facts about the entity, its kind first.
	pub fn facts(&self) -> Vec<(&'static str, Fact)> {
		let amount = |value| Fact::Amount(self.units.amount(value));
		match &self.row {
			Row::Space(id, info) => vec![
				("kind", Fact::of("space")),
				("id", Fact::of(id)),
				("governor", Fact::of(info.governor)),
				("provider_count", info.provider_count.into()),
				("tenant_count", info.tenant_count.into()),
				("provider_bond", amount(info.rules.provider_bond)),
				("tenant_bond", amount(info.rules.tenant_bond)),
				("admission", Fact::of(admission_name(info.rules.admission))),
				("unused_admissions", info.admission_count.into()),
				("partitions", info.rules.partitions.into()),
				("sla", Fact::Text(info.rules.sla.clone())),
				("created", Fact::Stamp(info.created)),
			],
			Row::Member { id, info, purged, now } => {
				let nomination = info.nomination.as_ref();
				let matures = nomination.and_then(|nomination| nomination.governance_matures);
				let rows = info.row_count();
				let purge = info.purge.map(|scope| PurgeState {
					scope,
					rows: purged.unwrap_or(rows),
					rows_left: rows,
				});
				vec![
					("kind", Fact::of(kind(*id))),
					("id", Fact::of(id)),
					("space", Fact::of(info.space)),
					("root", Fact::of(info.root)),
					("nominee", Fact::maybe(nomination, |nomination| Fact::of(nomination.nominee))),
					("nominee_matures", Fact::maybe(matures, |block| Fact::Maturity(block, *now))),
					("bond", amount(info.bond)),
					("own_deposit", amount(info.own_deposit)),
					("deposit", amount(info.deposit)),
					("max_held", amount(info.max_held)),
					("rows", rows.into()),
					("row_counts", Fact::RowCounts(info.rows.clone())),
					("empty_since", Fact::maybe(info.empty_since, Fact::Number)),
					("governance_delete", Fact::Flag(info.governance_delete)),
					("suspended", Fact::Flag(info.suspended)),
					("purge", Fact::maybe(purge, Fact::Purge)),
					("created", Fact::Stamp(info.created)),
				]
			},
			Row::Key(account, level) => vec![
				("kind", Fact::of("key")),
				("account", Fact::of(account)),
				("level", Fact::of(level)),
			],
			Row::Node((provider, id), info) => vec![
				("kind", Fact::of("node")),
				("id", Fact::of(id)),
				("provider", Fact::of(provider)),
				("operator", Fact::of(info.operator)),
				("locator", Fact::Text(info.locator.clone())),
				("pending", Fact::Flag(info.pending)),
				("medallion", Fact::of(info.medallion)),
				("last_muid", Fact::maybe(info.last_muid, Fact::Stamp)),
				("deposit", amount(info.deposit)),
			],
			Row::Kms((tenant, id), info) => vec![
				("kind", Fact::of("KMS")),
				("id", Fact::of(id)),
				("tenant", Fact::of(tenant)),
				("operator", Fact::of(info.operator)),
				("locator", Fact::Text(info.locator.clone())),
				("key", Fact::of(info.key)),
				("deposit", amount(info.deposit)),
			],
			Row::Collection((_, name), info) => vec![
				("kind", Fact::of("collection")),
				("name", Fact::Text(name.clone())),
				("key_type", Fact::of(key_type(info))),
				("syntax", Fact::of(info.syntax)),
				("record_count", info.record_count.into()),
			],
			Row::ContentObject((tenant, object), info) => vec![
				("kind", Fact::of("content object")),
				("id", Fact::of(ContentObjectPath { tenant: *tenant, object: *object })),
				("tenant", Fact::of(tenant)),
				("object", Fact::of(object)),
				("head", Fact::maybe(info.head_version, Fact::of)),
				("version_count", info.version_count.into()),
				("deposit", amount(info.deposit)),
				("created", Fact::Stamp(info.created)),
			],
			Row::Version((tenant, object, id), info, present) => vec![
				("kind", Fact::of("version")),
				("id", Fact::of(id)),
				("hash", Fact::of(format!("{}:{}", info.hash, hex::encode(id.0)))),
				("cid", Fact::of(Cid { hash: info.hash, version: *id })),
				("object", Fact::of(ContentObjectPath { tenant: *tenant, object: *object })),
				("copies", Fact::Copies(copies(info, present.as_deref()))),
				("lost", Fact::maybe(present.as_deref(), |it| Fact::Flag(is_lost(info, it)))),
				("kms", Fact::maybe(info.kms, Fact::of)),
				("muid", Fact::Stamp(info.muid)),
				("size", Fact::Size(info.known_size(*id))),
				("committed", Fact::Stamp(info.committed)),
				("finalized", Fact::maybe(info.finalized, Fact::Millis)),
				("set_head_on_finalize", Fact::Flag(info.set_head_on_finalize)),
				("deposit", amount(info.deposit)),
			],
		}
	}

	fn write_member(
		&self,
		f: &mut fmt::Formatter<'_>,
		id: MemberId,
		info: &rows::Member,
	) -> fmt::Result {
		write!(
			f,
			"{} {id}, root {}, {}, bond {}, own deposit {}, deposit {}, at most {} on hold",
			kind(id),
			info.root,
			count(info.row_count(), "row", "rows"),
			self.units.amount(info.bond),
			self.units.amount(info.own_deposit),
			self.units.amount(info.deposit),
			self.units.amount(info.max_held),
		)?;
		if let Some(rows::Nomination { nominee, governance_matures }) = &info.nomination {
			write!(f, ", nominated root {nominee}")?;
			if let Some(block) = governance_matures {
				write!(f, " from block {block} on")?;
			}
		}
		if info.governance_delete {
			f.write_str(", frozen by governance")?;
		}
		if info.suspended {
			f.write_str(", suspended")?;
		}
		match info.purge {
			Some(PurgeScope::Rows) => f.write_str(", being purged by its root"),
			Some(PurgeScope::Member) => f.write_str(", being deleted"),
			None => Ok(()),
		}
	}
}

impl fmt::Display for Entity {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match &self.row {
			Row::Space(id, info) => {
				let providers = count(info.provider_count, "provider", "providers");
				let tenants = count(info.tenant_count, "tenant", "tenants");
				write!(f, "space {id}, governed by {}, {providers}, {tenants}", info.governor)
			},
			Row::Member { id, info, .. } => self.write_member(f, *id, info),
			Row::Key(account, level) => write!(f, "key {account}, level {level}"),
			Row::Node((_, id), rows::Node { pending, locator, operator, .. }) => {
				let state = if *pending { "pending" } else { "confirmed" };
				write!(f, "node {id}, {state}, at {locator}, operator {operator}")
			},
			Row::Kms((_, id), rows::Kms { locator, operator, .. }) => {
				write!(f, "kms {id} at {locator}, operator {operator}")
			},
			Row::Collection((_, name), info) => {
				let (key_type, syntax) = (key_type(info), info.syntax);
				let records = count(info.record_count, "record", "records");
				write!(f, "collection {name}, type {key_type}, syntax {syntax}, {records}")
			},
			Row::ContentObject((tenant, object), info) => {
				let id = ContentObjectPath { tenant: *tenant, object: *object };
				let versions = count(info.version_count, "version", "versions");
				let head = Fact::maybe(info.head_version, Fact::of);
				write!(f, "object {id}, {versions}, head {head}")
			},
			Row::Version((.., id), info, _) => {
				let state = if info.finalized.is_some() { "finalized" } else { "committed" };
				write!(f, "version {id}, {state}")
			},
		}
	}
}

/// Returns the copies of a version, with their states if it is known which nodes exist.
fn copies(info: &rows::Version, present: Option<&[bool]>) -> Vec<CopyState> {
	let copies = info.copies.iter().enumerate();
	copies
		.map(|(place, copy)| CopyState {
			provider: copy.provider,
			node: copy.node,
			medallion: copy.medallion.to_string(),
			held: copy.held,
			present: present.and_then(|present| present.get(place).copied()),
		})
		.collect()
}

/// Returns whether a version is final, and no node that exists holds its data.
fn is_lost(info: &rows::Version, present: &[bool]) -> bool {
	let mut copies = info.copies.iter().zip(present);
	info.finalized.is_some() && !copies.any(|(copy, present)| *present && copy.held.is_some())
}

fn key_type(info: &rows::Collection) -> String {
	info.key_type.as_ref().map(|literal| literal.to_string()).to_string()
}

impl View {
	pub fn entity(&self, row: Row) -> Entity {
		Entity { row, units: self.units().clone() }
	}

	/// Returns a member. Reads its purge, if one is under way.
	pub async fn member_entity(&self, id: MemberId, info: rows::Member) -> Result<Entity, Error> {
		let purge = match info.purge {
			Some(_) => self.get(rows::purges(), (id,)).await?,
			None => None,
		};
		let (purged, now) = (purge.map(|purge| purge.rows), self.block_number());
		Ok(self.entity(Row::Member { id, info, purged, now }))
	}

	/// Returns a version. Reads the nodes of its copies.
	pub async fn version_entity(
		&self,
		key: (TenantId, ContentObjectId, VersionId),
		info: rows::Version,
	) -> Result<Entity, Error> {
		let present = self.present_copies(&info).await?;
		Ok(self.entity(Row::Version(key, info, Some(present))))
	}
}

/// An entity that has others under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
	Space(SpaceId),
	Member(MemberId),
	Object(ContentObjectPath),
}

impl TryFrom<AnyId> for Parent {
	type Error = IdError;

	fn try_from(id: AnyId) -> Result<Self, IdError> {
		match id {
			AnyId::Space(space) => Ok(Self::Space(space)),
			AnyId::Provider(provider) => Ok(Self::Member(provider.into())),
			AnyId::Tenant(tenant) => Ok(Self::Member(tenant.into())),
			AnyId::ContentObjectPath(path) => Ok(Self::Object(path)),
			id => Err(id.not_a_parent()),
		}
	}
}

impl FromStr for Parent {
	type Err = IdError;

	fn from_str(text: &str) -> Result<Self, IdError> {
		text.parse::<AnyId>()?.try_into()
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_client::samples;

	use super::*;

	#[test]
	fn text_and_json_of_a_member_have_the_same_facts_with_its_state() {
		let id = TenantId([1; 10]).into();
		let nomination =
			rows::Nomination { nominee: AccountId32([2; 32]), governance_matures: Some(1_234) };
		let info = rows::Member {
			nomination: Some(nomination),
			bond: 1_500_000_000_000,
			rows: [("content_objects".into(), 1_287)].into(),
			suspended: true,
			purge: Some(PurgeScope::Member),
			..samples::member()
		};
		let row = Row::Member { id, info, purged: Some(4_287), now: 1_200 };
		let tenant = Entity { row, units: Units::new(12, "UNIT") };
		let json = serde_json::to_value(&tenant).expect("the entity is JSON");
		assert_eq!((&json["kind"], &json["id"]), (&"tenant".into(), &id.to_string().into()));
		assert_eq!((&json["bond"], &json["rows"]), (&"1500000000000".into(), &1_287.into()));
		assert_eq!((&json["purge"]["scope"], &json["suspended"]), (&"member".into(), &true.into()));
		assert_eq!(json["nominee_matures"], 1_234);
		let facts = tenant.facts();
		let fact = |name| facts.iter().find(|(found, _)| *found == name);
		for (name, text) in [
			("bond", "1.5 UNIT"),
			("rows", "1,287"),
			("row_counts", "content objects 1,287"),
			("nominee_matures", "block 1,234, in 34 blocks"),
			("purge", "of the member, 1,287 of 4,287 rows left"),
			("empty_since", "none"),
		] {
			assert_eq!(fact(name).map(|(_, fact)| fact.to_string()).as_deref(), Some(text));
		}
		assert_eq!(json.as_object().map(serde_json::Map::len), Some(facts.len()));
	}

	#[test]
	fn entities_have_others_under_them_or_are_refused() {
		let (space, tenant) = (SpaceId([1; 10]), TenantId([1; 10]));
		assert_eq!(space.to_string().parse(), Ok(Parent::Space(space)));
		assert_eq!(tenant.to_string().parse(), Ok(Parent::Member(tenant.into())));
		for (id, reason) in [
			(NodeId([1; 10]).to_string(), "is the id of a node, expected a space, "),
			(ContentObjectId([1; 10]).to_string(), "a content object with its tenant"),
		] {
			let refused = id.parse::<Parent>().expect_err("it has nothing under it").to_string();
			assert!(refused.contains(reason), "{refused}");
		}
	}
}
