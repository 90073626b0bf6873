// SPDX-License-Identifier: Apache-2.0
//! The parts of a tree.

use std::collections::BTreeMap;

use content_fabric_identifiers::{
	ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use serde::{Serialize, Serializer};
use subxt::utils::AccountId32;

use crate::{
	amount::{Amount, Units},
	chain::{admission_name, rows, rows::PurgeScope},
	text::Text,
};

/// A part of the fabric, with all below it.
#[derive(Clone, Debug, Serialize)]
pub struct Tree {
	/// The number of the block at which it was read.
	pub block: u64,
	/// The start of the tree.
	#[serde(flatten)]
	pub roots: Roots,
	/// Numbers of entities, listed or not.
	pub totals: Totals,
}

/// The start of a tree. In JSON, a list under the name of the kind.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Roots {
	/// Spaces.
	Spaces(List<Space>),
	/// One provider.
	Providers([Provider; 1]),
	/// One tenant.
	Tenants([Tenant; 1]),
	/// One content object.
	ContentObjects([Object; 1]),
}

/// Children of a parent. In JSON, the list of those that were read.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct List<T> {
	/// The children that were read.
	pub items: Vec<T>,
	/// Number of those that were not, because of a limit.
	#[serde(skip)]
	pub more: u64,
}

impl<T> Default for List<T> {
	fn default() -> Self {
		Self { items: Vec::new(), more: 0 }
	}
}

impl<T> List<T> {
	/// Returns a list of this many children, of which these were read.
	pub fn new(items: Vec<T>, all: impl TryInto<u64>) -> Self {
		let all = all.try_into().unwrap_or(u64::MAX);
		let more = all.saturating_sub(items.len().try_into().unwrap_or(u64::MAX));
		Self { items, more }
	}
}

/// Numbers of entities. `None` where they would have to be read one by one, and were not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
	/// Number of spaces.
	pub spaces: u64,
	/// Number of providers.
	pub providers: u64,
	/// Number of nodes.
	pub nodes: Option<u64>,
	/// Number of tenants.
	pub tenants: u64,
	/// Number of KMSes.
	pub kmses: Option<u64>,
	/// Number of content objects.
	pub content_objects: Option<u64>,
	/// Number of content objects that have a head.
	pub heads: Option<u64>,
	/// Number of versions.
	pub versions: Option<u64>,
	/// Number of collections.
	pub collections: Option<u64>,
	/// Number of records.
	pub records: Option<u64>,
}

/// A space.
#[derive(Clone, Debug, Serialize)]
pub struct Space {
	/// Its id.
	pub id: SpaceId,
	/// The account that governs it.
	pub governor: AccountId32,
	/// Its rules.
	pub rules: Rules,
	/// Number of its providers.
	pub provider_count: u32,
	/// Number of its tenants.
	pub tenant_count: u32,
	/// Its providers.
	pub providers: List<Provider>,
	/// Its tenants.
	pub tenants: List<Tenant>,
}

/// The rules of a space.
#[derive(Clone, Debug, Serialize)]
pub struct Rules {
	/// The bond that a provider needs.
	pub provider_bond: Amount,
	/// The bond that a tenant needs.
	pub tenant_bond: Amount,
	/// The accounts that may become a provider or a tenant: `open` or `approval`.
	pub admission: &'static str,
	/// Number of partitions of the space's content.
	pub partitions: u32,
	/// The service level that providers agree to.
	pub sla: Text,
}

/// A provider.
#[derive(Clone, Debug, Serialize)]
pub struct Provider {
	/// Its id.
	pub id: ProviderId,
	/// The fields that providers and tenants have in common.
	#[serde(flatten)]
	pub member: Member,
	/// Its access keys.
	pub keys: List<Key>,
	/// Its nodes.
	pub nodes: List<Node>,
}

/// The parts that providers and tenants have in common.
#[derive(Clone, Debug, Serialize)]
pub struct Member {
	/// The account that owns it, on which bond and deposits are on hold.
	pub root: AccountId32,
	/// The account that may become the root, if one is nominated.
	pub nominee: Option<AccountId32>,
	/// The block from which the nominee may accept, if governance nominated it.
	pub nominee_matures: Option<u64>,
	/// The bond.
	pub bond: Amount,
	/// The deposit for its own row.
	pub own_deposit: Amount,
	/// The deposits for the rows under it.
	pub deposit: Amount,
	/// The most that may be on hold, bond and deposits together.
	pub max_held: Amount,
	/// True if governance has frozen it and opened its rows to deletion one by one.
	pub governance_delete: bool,
	/// True if governance has suspended it.
	pub suspended: bool,
	/// The scope of its purge, if one is under way. The rows that are left do not count, and are
	/// not listed.
	#[serde(serialize_with = "as_purge")]
	pub purge: Option<PurgeScope>,
	/// Number of rows under it.
	pub rows: u32,
	/// Number of rows under it, by map.
	pub row_counts: BTreeMap<String, u32>,
}

/// Writes the scope of a purge as a field of the purge, as `fabric show` does.
fn as_purge<S: Serializer>(scope: &Option<PurgeScope>, serializer: S) -> Result<S::Ok, S::Error> {
	scope.map(|scope| BTreeMap::from([("scope", scope)])).serialize(serializer)
}

/// An access key.
#[derive(Clone, Debug, Serialize)]
pub struct Key {
	/// The account.
	pub account: AccountId32,
	/// Its level.
	pub level: &'static str,
}

/// A node.
#[derive(Clone, Debug, Serialize)]
pub struct Node {
	/// Its id.
	pub id: NodeId,
	/// The account that acts for it.
	pub operator: AccountId32,
	/// Its locator.
	pub locator: Text,
	/// True if it has yet to be confirmed.
	pub pending: bool,
}

/// A tenant.
#[derive(Clone, Debug, Serialize)]
pub struct Tenant {
	/// Its id.
	pub id: TenantId,
	/// The fields that providers and tenants have in common.
	#[serde(flatten)]
	pub member: Member,
	/// Its access keys.
	pub keys: List<Key>,
	/// Its KMSes.
	pub kmses: List<Kms>,
	/// Its content objects.
	pub content_objects: List<Object>,
	/// Its collections.
	pub collections: List<Collection>,
}

/// A KMS.
#[derive(Clone, Debug, Serialize)]
pub struct Kms {
	/// Its id.
	pub id: KmsId,
	/// Its locator.
	pub locator: Text,
}

/// A content object.
#[derive(Clone, Debug, Serialize)]
pub struct Object {
	/// The id of the tenant and the object in one.
	pub id: ContentObjectPath,
	/// Its head.
	pub head: Option<VersionId>,
	/// Number of its versions.
	pub version_count: u32,
	/// Its versions, if they were asked for.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub versions: Option<List<Version>>,
}

/// A version.
#[derive(Clone, Debug, Serialize)]
pub struct Version {
	/// Its id.
	pub id: VersionId,
	/// The time of its finalization, in milliseconds since the Unix epoch.
	pub finalized: Option<u64>,
	/// Size of the data in bytes, 0 if it is unknown.
	pub size: u64,
}

/// A collection.
#[derive(Clone, Debug, Serialize)]
pub struct Collection {
	/// Its name.
	pub name: Text,
	/// The type of its records' keys.
	pub key_type: String,
	/// The syntax of the keys.
	pub syntax: String,
	/// Number of its records.
	pub record_count: u32,
}

impl Rules {
	/// Returns the rules of a row.
	pub fn new(rules: rows::Rules, units: &Units) -> Self {
		Self {
			provider_bond: units.amount(rules.provider_bond),
			tenant_bond: units.amount(rules.tenant_bond),
			admission: admission_name(rules.admission),
			partitions: rules.partitions,
			sla: rules.sla,
		}
	}
}

impl Member {
	/// Returns the member of a row.
	pub fn new(info: rows::Member, units: &Units) -> Self {
		let rows = info.row_count();
		let (nominee, matures) = match info.nomination {
			Some(nomination) => (Some(nomination.nominee), nomination.governance_matures),
			None => (None, None),
		};
		Self {
			root: info.root,
			nominee,
			nominee_matures: matures,
			bond: units.amount(info.bond),
			own_deposit: units.amount(info.own_deposit),
			deposit: units.amount(info.deposit),
			max_held: units.amount(info.max_held),
			governance_delete: info.governance_delete,
			suspended: info.suspended,
			purge: info.purge,
			rows,
			row_counts: info.rows,
		}
	}

	/// Returns the number of rows in a map. Rows of a purge do not count.
	pub fn count(&self, map: &str) -> u32 {
		match self.purge {
			Some(_) => 0,
			None => self.row_counts.get(map).copied().unwrap_or(0),
		}
	}
}

impl Totals {
	/// Returns the totals without those that members and objects count.
	pub fn of_spaces(spaces: u64, providers: u64, tenants: u64) -> Self {
		Self { spaces, providers, tenants, ..Self::default() }
	}

	/// Returns the totals before any member is added.
	pub fn none() -> Self {
		Self {
			nodes: Some(0),
			kmses: Some(0),
			content_objects: Some(0),
			versions: Some(0),
			collections: Some(0),
			records: Some(0),
			..Self::default()
		}
	}

	/// Adds a provider and what is under it.
	pub fn add_provider(&mut self, member: &rows::Member) {
		self.providers += 1;
		add(&mut self.nodes, member, "nodes");
	}

	/// Adds a tenant and what is under it. The chain does not count heads.
	pub fn add_tenant(&mut self, member: &rows::Member) {
		self.tenants += 1;
		add(&mut self.kmses, member, "kmses");
		add(&mut self.content_objects, member, "content_objects");
		add(&mut self.versions, member, "versions");
		add(&mut self.collections, member, "collections");
		add(&mut self.records, member, "records");
	}

	/// Counts the heads of objects, if these are all.
	pub fn count_heads<'a>(&mut self, objects: impl IntoIterator<Item = &'a Object>) {
		let (mut read, mut heads) = (0, 0);
		for object in objects {
			read += 1;
			heads += u64::from(object.head.is_some());
		}
		self.heads = (self.content_objects == Some(read)).then_some(heads);
	}
}

fn add(total: &mut Option<u64>, member: &rows::Member, map: &str) {
	let rows = member.rows.get(map).filter(|_| member.purge.is_none());
	*total = total.map(|total| total + u64::from(rows.copied().unwrap_or(0)));
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::{ContentObjectId, Muid};

	use super::*;

	fn member(counts: &[(&str, u32)], purge: Option<PurgeScope>) -> rows::Member {
		rows::Member {
			space: SpaceId([1; 10]),
			root: AccountId32([2; 32]),
			nomination: None,
			max_held: 0,
			bond: 0,
			own_deposit: 0,
			deposit: 0,
			rows: counts.iter().map(|(map, rows)| ((*map).into(), *rows)).collect(),
			empty_since: None,
			governance_delete: false,
			suspended: false,
			purge,
			created: Muid::from_u128(0),
		}
	}

	#[test]
	fn totals_come_from_the_counts_of_members_without_those_of_purges() {
		let mut totals = Totals::none();
		totals.add_provider(&member(&[("keys", 1), ("nodes", 2)], None));
		totals.add_provider(&member(&[("nodes", 9)], Some(PurgeScope::Rows)));
		totals.add_tenant(&member(&[("content_objects", 3), ("records", 4)], None));
		totals.add_tenant(&member(&[("content_objects", 5)], Some(PurgeScope::Member)));
		assert_eq!((totals.providers, totals.nodes), (2, Some(2)));
		assert_eq!((totals.tenants, totals.content_objects), (2, Some(3)));
		assert_eq!((totals.records, totals.versions), (Some(4), Some(0)));
	}

	#[test]
	fn heads_are_counted_only_if_all_objects_were_read() {
		let object = |head| Object {
			id: ContentObjectPath { tenant: TenantId([1; 10]), object: ContentObjectId([2; 10]) },
			head,
			version_count: 1,
			versions: None,
		};
		let objects = [object(None), object(Some(VersionId([3; 32])))];
		let mut totals = Totals { content_objects: Some(2), ..Totals::default() };
		totals.count_heads(&objects);
		assert_eq!(totals.heads, Some(1));
		totals.count_heads(&objects[..1]);
		assert_eq!(totals.heads, None);
		let mut totals = Totals::default();
		totals.count_heads([]);
		assert_eq!(totals.heads, None);
	}

	#[test]
	fn lists_know_how_many_children_were_left_out() {
		assert_eq!(List::new(vec![1, 2], 5u32).more, 3);
		assert_eq!(List::new(vec![1, 2], 2u32).more, 0);
		assert_eq!(
			serde_json::to_string(&List::new(vec![1, 2], 5u32)).ok().as_deref(),
			Some("[1,2]")
		);
	}
}
