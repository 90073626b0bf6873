// SPDX-License-Identifier: Apache-2.0
//! The parts of a tree.

use content_fabric_primitives::MemberId;
use serde::{Serialize, Serializer};

use crate::{chain::rows, commands::entity::Entity};

/// A part of the fabric, with all below it.
#[derive(Clone, Debug, Serialize)]
pub struct Tree {
	/// The number of the block at which it was read.
	pub block: u64,
	/// The start of the tree: one list.
	#[serde(flatten)]
	pub roots: Children,
	/// Numbers of entities, listed or not.
	pub totals: Totals,
}

/// An entity, with what is listed under it.
#[derive(Clone, Debug, Serialize)]
pub struct Branch {
	/// The entity.
	#[serde(flatten)]
	pub entity: Entity,
	/// The lists of its children.
	#[serde(flatten)]
	pub children: Children,
}

/// Lists of children, each under its name in JSON.
#[derive(Clone, Debug, Default)]
pub struct Children(pub Vec<(&'static str, List)>);

/// Children of one kind. In JSON, the list of those that were read.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct List {
	/// The children that were read.
	pub items: Vec<Branch>,
	/// Number of those that were not, because of a limit.
	#[serde(skip)]
	pub more: u64,
}

impl From<Entity> for Branch {
	fn from(entity: Entity) -> Self {
		Self { entity, children: Children::default() }
	}
}

impl Children {
	/// Returns one list of this many children, of which these were read.
	pub fn one(name: &'static str, items: Vec<Branch>, all: impl TryInto<u64>) -> Self {
		Self(vec![(name, List::new(items, all))])
	}

	/// Returns the number of content objects, and of those that have a head.
	fn heads(&self) -> (u64, u64) {
		let branches = self.0.iter().flat_map(|(_, list)| &list.items);
		let counts = branches.map(|branch| match &branch.entity {
			Entity::ContentObject(object) => (1, u64::from(object.head.is_some())),
			_ => branch.children.heads(),
		});
		counts.fold((0, 0), |sum, (objects, heads)| (sum.0 + objects, sum.1 + heads))
	}
}

impl Serialize for Children {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		serializer.collect_map(self.0.iter().map(|(name, list)| (name, list)))
	}
}

impl List {
	/// Returns a list of this many children, of which these were read.
	pub fn new(items: Vec<Branch>, all: impl TryInto<u64>) -> Self {
		let all = all.try_into().unwrap_or(u64::MAX);
		let more = all.saturating_sub(items.len().try_into().unwrap_or(u64::MAX));
		Self { items, more }
	}
}

/// Returns the number of rows under a member in a map. Rows of a purge do not count.
pub fn count(member: &rows::Member, map: &str) -> u32 {
	match member.purge {
		Some(_) => 0,
		None => member.rows.get(map).copied().unwrap_or(0),
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

	/// Adds a member and what is under it. The chain does not count heads.
	pub fn add_member(&mut self, id: MemberId, member: &rows::Member) {
		match id {
			MemberId::Provider(_) => {
				self.providers += 1;
				add(&mut self.nodes, member, "nodes");
			},
			MemberId::Tenant(_) => {
				self.tenants += 1;
				add(&mut self.kmses, member, "kmses");
				add(&mut self.content_objects, member, "content_objects");
				add(&mut self.versions, member, "versions");
				add(&mut self.collections, member, "collections");
				add(&mut self.records, member, "records");
			},
		}
	}

	/// Counts the heads of objects, if all of them were read.
	pub fn count_heads(&mut self, children: &Children) {
		let (read, heads) = children.heads();
		self.heads = (self.content_objects == Some(read)).then_some(heads);
	}
}

fn add(total: &mut Option<u64>, member: &rows::Member, map: &str) {
	*total = total.map(|total| total + u64::from(count(member, map)));
}

#[cfg(test)]
pub(super) mod tests {
	use content_fabric_identifiers::{
		ContentObjectId, ContentObjectPath, Muid, ProviderId, SpaceId, TenantId, VersionId,
	};
	use subxt::utils::AccountId32;

	use super::*;
	use crate::{
		amount::Units,
		chain::rows::PurgeScope,
		commands::entity::{ContentObject, Entities, Stamp},
	};

	/// Returns a content object with a thousand and one versions.
	pub fn object(head: Option<VersionId>) -> Entity {
		let (tenant, object) = (TenantId([1; 10]), ContentObjectId([2; 10]));
		Entity::ContentObject(ContentObject {
			id: ContentObjectPath { tenant, object },
			tenant,
			object,
			head,
			version_count: 1_001,
			deposit: Units::new(12, "UNIT").amount(0),
			created: Stamp(Muid::from_u128(0)),
		})
	}

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
		let provider = ProviderId([1; 10]).into();
		totals.add_member(provider, &member(&[("keys", 1), ("nodes", 2)], None));
		totals.add_member(provider, &member(&[("nodes", 9)], Some(PurgeScope::Rows)));
		let tenant = TenantId([1; 10]).into();
		totals.add_member(tenant, &member(&[("content_objects", 3), ("records", 4)], None));
		totals.add_member(tenant, &member(&[("content_objects", 5)], Some(PurgeScope::Member)));
		assert_eq!((totals.providers, totals.nodes), (2, Some(2)));
		assert_eq!((totals.tenants, totals.content_objects), (2, Some(3)));
		assert_eq!((totals.records, totals.versions), (Some(4), Some(0)));
	}

	#[test]
	fn heads_are_counted_only_if_all_objects_were_read() {
		let mut objects = [None, Some(VersionId([3; 32]))].map(|head| Branch::from(object(head)));
		let children =
			|objects: &[Branch]| Children::one("content_objects", objects.to_vec(), 2u32);
		let mut totals = Totals { content_objects: Some(2), ..Totals::default() };
		totals.count_heads(&children(&objects));
		assert_eq!(totals.heads, Some(1));
		totals.count_heads(&children(&objects[..1]));
		assert_eq!(totals.heads, None);
		let [first, second] = &mut objects;
		first.entity = Entities::key(AccountId32([2; 32]), "admin");
		first.children = children(&[second.clone(), second.clone()]);
		totals.count_heads(&children(&objects[..1]));
		assert_eq!(totals.heads, Some(2), "objects are found on each level");
	}

	#[test]
	fn lists_know_how_many_children_were_left_out() {
		let key = || Branch::from(Entities::key(AccountId32([2; 32]), "admin"));
		assert_eq!(List::new(vec![key(), key()], 5u32).more, 3);
		assert_eq!(List::new(vec![key(), key()], 2u32).more, 0);
		let children = Children::one("keys", vec![key()], 5u32);
		let json = serde_json::to_value(Branch { children, ..key() }).expect("it is JSON");
		assert_eq!((&json["kind"], &json["keys"][0]["level"]), (&"key".into(), &"admin".into()));
	}
}
