// SPDX-License-Identifier: Apache-2.0
//! Entities, as `fabric show` and `fabric tree` print them.

mod fact;

use std::str::FromStr;

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{known_size, MemberId};
use serde::{Serialize, Serializer};
use subxt::utils::AccountId32;

use self::fact::{Fact, PurgeState};
use super::View;
use crate::{
	amount::Units,
	chain::{
		admission_name, kind,
		rows::{self, PurgeScope},
		Error, Snapshot,
	},
	ids::{AnyId, IdError},
	text::{count, Text},
};

/// An entity, with the facts about it. In JSON, its kind is the field `kind`.
#[derive(Clone, Debug)]
pub struct Entity {
	pub kind: &'static str,
	pub facts: Vec<(&'static str, Fact)>,
	/// The entity in one line, as a tree has it.
	pub line: String,
}

impl Serialize for Entity {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		let kind = ("kind", Fact::of(self.kind));
		let facts = std::iter::once(&kind).chain(&self.facts);
		serializer.collect_map(facts.map(|(name, fact)| (name, fact)))
	}
}

impl Entity {
	/// Returns whether a content object has a head. `None` for other entities.
	pub fn has_head(&self) -> Option<bool> {
		let head = self.facts.iter().find(|(name, _)| *name == "head");
		head.map(|(_, head)| *head != Fact::None)
	}

	pub fn space(units: &Units, id: SpaceId, info: rows::Space) -> Self {
		let providers = count(info.provider_count, "provider", "providers");
		let tenants = count(info.tenant_count, "tenant", "tenants");
		Self {
			kind: "space",
			line: format!("space {id}, governed by {}, {providers}, {tenants}", info.governor),
			facts: vec![
				("id", Fact::of(id)),
				("governor", Fact::of(info.governor)),
				("provider_count", info.provider_count.into()),
				("tenant_count", info.tenant_count.into()),
				("provider_bond", Fact::Amount(units.amount(info.rules.provider_bond))),
				("tenant_bond", Fact::Amount(units.amount(info.rules.tenant_bond))),
				("admission", Fact::of(admission_name(info.rules.admission))),
				("unused_admissions", info.admission_count.into()),
				("partitions", info.rules.partitions.into()),
				("sla", Fact::Text(info.rules.sla)),
				("created", Fact::Stamp(info.created)),
			],
		}
	}

	/// Returns a provider or a tenant, as it is at the block `now`. `purged` is the number of rows
	/// with which its purge has started.
	pub fn member(
		units: &Units,
		id: MemberId,
		info: rows::Member,
		purged: Option<u32>,
		now: u64,
	) -> Self {
		let rows = info.row_count();
		let line = member_line(units, id, &info);
		let matures = info.nomination.as_ref().and_then(|nomination| nomination.governance_matures);
		let purge = info.purge.map(|scope| PurgeState {
			scope,
			rows: purged.unwrap_or(rows),
			rows_left: rows,
		});
		let nominee = info.nomination.map(|nomination| nomination.nominee);
		Self {
			kind: kind(id),
			line,
			facts: vec![
				("id", Fact::of(id)),
				("space", Fact::of(info.space)),
				("root", Fact::of(info.root)),
				("nominee", Fact::maybe(nominee, Fact::of)),
				("nominee_matures", Fact::maybe(matures, |block| Fact::Maturity(block, now))),
				("bond", Fact::Amount(units.amount(info.bond))),
				("own_deposit", Fact::Amount(units.amount(info.own_deposit))),
				("deposit", Fact::Amount(units.amount(info.deposit))),
				("max_held", Fact::Amount(units.amount(info.max_held))),
				("rows", rows.into()),
				("row_counts", Fact::RowCounts(info.rows)),
				("empty_since", Fact::maybe(info.empty_since, Fact::Number)),
				("governance_delete", Fact::Flag(info.governance_delete)),
				("suspended", Fact::Flag(info.suspended)),
				("purge", Fact::maybe(purge, Fact::Purge)),
				("created", Fact::Stamp(info.created)),
			],
		}
	}

	pub fn key(account: AccountId32, level: &'static str) -> Self {
		let line = format!("key {account}, level {level}");
		Self {
			kind: "key",
			line,
			facts: vec![("account", Fact::of(account)), ("level", Fact::of(level))],
		}
	}

	pub fn node(units: &Units, (provider, id): (ProviderId, NodeId), info: rows::Node) -> Self {
		let state = if info.pending { "pending" } else { "confirmed" };
		let (locator, operator) = (&info.locator, info.operator);
		Self {
			kind: "node",
			line: format!("node {id}, {state}, at {locator}, operator {operator}"),
			facts: vec![
				("id", Fact::of(id)),
				("provider", Fact::of(provider)),
				("operator", Fact::of(operator)),
				("locator", Fact::Text(info.locator)),
				("pending", Fact::Flag(info.pending)),
				("medallion", Fact::of(format_args!("{:011X}", info.medallion))),
				("last_muid", Fact::maybe(info.last_muid, Fact::Stamp)),
				("deposit", Fact::Amount(units.amount(info.deposit))),
			],
		}
	}

	pub fn kms(units: &Units, (tenant, id): (TenantId, KmsId), info: rows::Kms) -> Self {
		Self {
			kind: "KMS",
			line: format!("kms {id} at {}", info.locator),
			facts: vec![
				("id", Fact::of(id)),
				("tenant", Fact::of(tenant)),
				("locator", Fact::Text(info.locator)),
				("deposit", Fact::Amount(units.amount(info.deposit))),
			],
		}
	}

	pub fn collection((_, name): (TenantId, Text), info: rows::Collection) -> Self {
		let key_type = info.key_type.map(|literal| literal.to_string()).to_string();
		let (syntax, records) = (info.syntax, count(info.record_count, "record", "records"));
		Self {
			kind: "collection",
			line: format!("collection {name}, type {key_type}, syntax {syntax}, {records}"),
			facts: vec![
				("name", Fact::Text(name)),
				("key_type", Fact::of(key_type)),
				("syntax", Fact::of(syntax)),
				("record_count", info.record_count.into()),
			],
		}
	}

	pub fn content_object(
		units: &Units,
		(tenant, object): (TenantId, ContentObjectId),
		info: rows::ContentObject,
	) -> Self {
		let id = ContentObjectPath { tenant, object };
		let versions = count(info.version_count, "version", "versions");
		let head = Fact::maybe(info.head_version, Fact::of);
		Self {
			kind: "content object",
			line: format!("object {id}, {versions}, head {head}"),
			facts: vec![
				("id", Fact::of(id)),
				("tenant", Fact::of(tenant)),
				("object", Fact::of(object)),
				("head", head),
				("version_count", info.version_count.into()),
				("deposit", Fact::Amount(units.amount(info.deposit))),
				("created", Fact::Stamp(info.created)),
			],
		}
	}

	pub fn version(
		units: &Units,
		(tenant, object, id): (TenantId, ContentObjectId, VersionId),
		info: rows::Version,
	) -> Self {
		let state = if info.finalized.is_some() { "finalized" } else { "committed" };
		Self {
			kind: "version",
			line: format!("version {id}, {state}"),
			facts: vec![
				("id", Fact::of(id)),
				("sha256", Fact::of(hex::encode(id.0))),
				("object", Fact::of(ContentObjectPath { tenant, object })),
				("originator", Fact::of(info.originator)),
				("node", Fact::of(info.node)),
				("kms", Fact::of(info.kms)),
				("muid", Fact::Stamp(info.muid)),
				("size", Fact::Size(known_size(id, info.size))),
				("committed", Fact::Stamp(info.committed)),
				("finalized", Fact::maybe(info.finalized, Fact::Millis)),
				("set_head_on_finalize", Fact::Flag(info.set_head_on_finalize)),
				("deposit", Fact::Amount(units.amount(info.deposit))),
			],
		}
	}
}

fn member_line(units: &Units, id: MemberId, info: &rows::Member) -> String {
	let mut line = format!(
		"{} {id}, root {}, {}, bond {}, own deposit {}, deposit {}, at most {} on hold",
		kind(id),
		info.root,
		count(info.row_count(), "row", "rows"),
		units.amount(info.bond),
		units.amount(info.own_deposit),
		units.amount(info.deposit),
		units.amount(info.max_held),
	);
	if let Some(rows::Nomination { nominee, governance_matures }) = &info.nomination {
		line += &format!(", nominated root {nominee}");
		if let Some(block) = governance_matures {
			line += &format!(" from block {block} on");
		}
	}
	if info.governance_delete {
		line += ", frozen by governance";
	}
	if info.suspended {
		line += ", suspended";
	}
	line += match info.purge {
		Some(PurgeScope::Rows) => ", being purged by its root",
		Some(PurgeScope::Member) => ", being deleted",
		None => "",
	};
	line
}

/// The entities at a block.
#[derive(Clone, Copy)]
pub struct Entities<'a> {
	pub at: &'a Snapshot,
	pub units: &'a Units,
}

impl<'a> Entities<'a> {
	pub fn new(view: &'a View) -> Self {
		Self { at: view, units: view.units() }
	}

	/// Returns a member. Reads its purge, if one is under way.
	pub async fn member(self, id: MemberId, info: rows::Member) -> Result<Entity, Error> {
		let purge = match info.purge {
			Some(_) => self.at.get(&rows::purges(), (id,)).await?,
			None => None,
		};
		let (purged, now) = (purge.map(|purge| purge.rows), self.at.block_number());
		Ok(Entity::member(self.units, id, info, purged, now))
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
			..rows::Member::sample()
		};
		let tenant = Entity::member(&Units::new(12, "UNIT"), id, info, Some(4_287), 1_200);
		let json = serde_json::to_value(&tenant).expect("the entity is JSON");
		assert_eq!((&json["kind"], &json["id"]), (&"tenant".into(), &id.to_string().into()));
		assert_eq!((&json["bond"], &json["rows"]), (&"1500000000000".into(), &1_287.into()));
		assert_eq!((&json["purge"]["scope"], &json["suspended"]), (&"member".into(), &true.into()));
		assert_eq!(json["nominee_matures"], 1_234);
		let fact = |name| tenant.facts.iter().find(|(found, _)| *found == name);
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
		assert_eq!(json.as_object().map(serde_json::Map::len), Some(tenant.facts.len() + 1));
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
