// SPDX-License-Identifier: Apache-2.0
//! The parts of a tree, and their text: an entity a line, indented by its level.

use std::io::{self, Write};

use content_fabric_client::{
	chain::rows,
	text::{count, grouped},
};
use content_fabric_primitives::MemberId;
use serde::{Serialize, Serializer};

use crate::{commands::entity::Entity, output::Report};

/// A part of the fabric, with all below it.
#[derive(Clone, Debug, Serialize)]
pub struct Tree {
	pub block: u64,
	/// The start of the tree: one list.
	#[serde(flatten)]
	pub roots: Children,
	pub totals: Totals,
}

/// An entity, with what is listed under it.
#[derive(Clone, Debug, Serialize)]
pub struct Branch {
	#[serde(flatten)]
	pub entity: Entity,
	#[serde(flatten)]
	pub children: Children,
}

/// Lists of children, each under its name in JSON.
#[derive(Clone, Debug, Default)]
pub struct Children(pub Vec<List>);

/// Children of one kind.
#[derive(Clone, Debug)]
pub struct List {
	/// The name of the list in JSON.
	pub name: &'static str,
	/// The children that were read.
	pub items: Vec<Branch>,
	/// Number of all. A limit may have left some of them out.
	pub all: usize,
}

impl Report for Tree {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		self.roots.write(out, 0)?;
		let root = self.roots.0.first().map_or("spaces", |list| list.name);
		writeln!(out, "block {}: {}", self.block, self.totals.text(root))
	}
}

impl From<Entity> for Branch {
	fn from(entity: Entity) -> Self {
		Self { entity, children: Children::default() }
	}
}

impl Children {
	/// Returns the number of content objects, and of those that have a head.
	fn heads(&self) -> (u64, u64) {
		let branches = self.0.iter().flat_map(|list| &list.items);
		let counts = branches.map(|branch| match branch.entity.has_head() {
			Some(has_head) => (1, u64::from(has_head)),
			None => branch.children.heads(),
		});
		counts.fold((0, 0), |sum, (objects, heads)| (sum.0 + objects, sum.1 + heads))
	}

	/// Writes the lists, and how many children were left out.
	fn write(&self, out: &mut dyn Write, level: usize) -> io::Result<()> {
		let indent = 2 * level;
		for List { name, items, all } in &self.0 {
			for Branch { entity, children } in items {
				writeln!(out, "{:indent$}{entity}", "")?;
				children.write(out, level + 1)?;
			}
			let plural = match *name {
				"content_objects" => "objects",
				"kmses" => "KMSes",
				name => name,
			};
			let more = all.saturating_sub(items.len());
			if more > 0 {
				let more = grouped(more as u128);
				writeln!(out, "{:indent$}… and {more} more {plural}", "")?;
			}
		}
		Ok(())
	}
}

impl Serialize for Children {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		serializer.collect_map(self.0.iter().map(|list| (list.name, &list.items)))
	}
}

/// Returns the number of rows under a member in a map. Rows of a purge do not count.
pub fn row_count(member: &rows::Member, map: &str) -> u32 {
	match member.purge {
		Some(_) => 0,
		None => member.rows.get(map).copied().unwrap_or(0),
	}
}

/// Numbers of entities, listed or not. `None` where they would have to be read one by one, and were
/// not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
	pub spaces: u64,
	pub providers: u64,
	pub nodes: Option<u64>,
	pub tenants: u64,
	pub kmses: Option<u64>,
	pub content_objects: Option<u64>,
	/// Number of content objects that have a head.
	pub heads: Option<u64>,
	pub versions: Option<u64>,
	pub collections: Option<u64>,
	pub records: Option<u64>,
}

impl Totals {
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
			MemberId::Provider(_) => self.providers += 1,
			MemberId::Tenant(_) => self.tenants += 1,
		}
		for (total, map) in [
			(&mut self.nodes, "nodes"),
			(&mut self.kmses, "kmses"),
			(&mut self.content_objects, "content_objects"),
			(&mut self.versions, "versions"),
			(&mut self.collections, "collections"),
			(&mut self.records, "records"),
		] {
			*total = total.map(|total| total + u64::from(row_count(member, map)));
		}
	}

	/// Counts the heads of objects, if all of them were read.
	pub fn count_heads(&mut self, children: &Children) {
		let (read, heads) = children.heads();
		self.heads = (self.content_objects == Some(read)).then_some(heads);
	}

	/// Returns the totals of the kinds that there can be below the roots.
	fn text(&self, roots: &str) -> String {
		let spaces = roots == "spaces";
		let providers = spaces || roots == "providers";
		let tenants = spaces || roots == "tenants";
		let objects = tenants || roots == "content_objects";
		let parts = [
			(spaces, Some(self.spaces), "space", "spaces"),
			(providers, Some(self.providers), "provider", "providers"),
			(providers, self.nodes, "node", "nodes"),
			(tenants, Some(self.tenants), "tenant", "tenants"),
			(tenants, self.kmses, "KMS", "KMSes"),
			(objects, self.content_objects, "content object", "content objects"),
			(objects, self.heads, "head", "heads"),
			(objects, self.versions, "version", "versions"),
			(tenants, self.collections, "collection", "collections"),
			(tenants, self.records, "record", "records"),
		];
		let known = parts.into_iter().filter(|(shown, ..)| *shown);
		let texts =
			known.filter_map(|(_, total, singular, plural)| Some(count(total?, singular, plural)));
		texts.collect::<Vec<_>>().join(", ")
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_client::{amount::Units, chain::rows::PurgeScope, samples};
	use content_fabric_identifiers::{
		ContentObjectId, ContentObjectPath, Muid, ProviderId, TenantId, VersionId,
	};
	use subxt::utils::AccountId32;

	use super::*;
	use crate::{commands::entity::Row, output::text_of};

	const OBJECT: ContentObjectPath =
		ContentObjectPath { tenant: TenantId([1; 10]), object: ContentObjectId([2; 10]) };

	/// Returns a content object with a thousand and one versions.
	fn object(head: Option<VersionId>) -> Branch {
		let info = rows::ContentObject {
			head_version: head,
			head_since: Muid::from_u128(0),
			head_set: Muid::from_u128(0),
			version_count: 1_001,
			deposit: 0,
			created: Muid::from_u128(0),
		};
		branch(Row::ContentObject((OBJECT.tenant, OBJECT.object), info))
	}

	fn key() -> Branch {
		branch(Row::Key(AccountId32([2; 32]), "admin"))
	}

	fn list(name: &'static str, items: Vec<Branch>, all: usize) -> List {
		List { name, items, all }
	}

	fn branch(row: Row) -> Branch {
		Entity { row, units: Units::new(12, "UNIT") }.into()
	}

	fn member(counts: &[(&str, u32)], purge: Option<PurgeScope>) -> rows::Member {
		let rows = counts.iter().map(|(map, rows)| ((*map).into(), *rows)).collect();
		rows::Member { rows, purge, ..samples::member() }
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
		let expected = Totals {
			providers: 2,
			nodes: Some(2),
			tenants: 2,
			content_objects: Some(3),
			records: Some(4),
			..Totals::none()
		};
		assert_eq!(totals, expected);
	}

	#[test]
	fn heads_are_counted_only_if_all_objects_were_read() {
		let mut objects = [None, Some(VersionId([3; 32]))].map(object);
		let children =
			|objects: &[Branch]| Children(vec![list("content_objects", objects.to_vec(), 2)]);
		let mut totals = Totals { content_objects: Some(2), ..Totals::default() };
		totals.count_heads(&children(&objects));
		assert_eq!(totals.heads, Some(1));
		totals.count_heads(&children(&objects[..1]));
		assert_eq!(totals.heads, None);
		let [first, second] = &mut objects;
		let below = children(&[second.clone(), second.clone()]);
		*first = Branch { children: below, ..key() };
		totals.count_heads(&children(&objects[..1]));
		assert_eq!(totals.heads, Some(2), "objects are found on each level");
	}

	#[test]
	fn children_are_indented_and_those_left_out_are_counted() {
		// The rows under an object do not matter here.
		let children = Children(vec![
			list("versions", vec![key()], 1_001),
			list("kmses", vec![], 1),
			list("content_objects", vec![], 2),
		]);
		let objects = vec![Branch { children, ..object(None) }];
		let roots = Children(vec![list("content_objects", objects, 1)]);
		let totals = Totals {
			content_objects: Some(1),
			heads: Some(0),
			versions: Some(1_001),
			..Totals::default()
		};
		let tree = Tree { block: 7, roots, totals };
		let account = AccountId32([2; 32]).to_string();
		assert_eq!(
			text_of(&tree),
			format!(
				"object {OBJECT}, 1,001 versions, head none\n  key {account}, level admin\n  … and \
				 1,000 more versions\n  … and 1 more KMSes\n  … and 2 more objects\nblock 7: 1 content \
				 object, 0 heads, 1,001 versions\n"
			)
		);
		let json = serde_json::to_value(&tree).expect("the tree is JSON");
		assert_eq!(json["content_objects"][0]["kind"], "content object");
		assert_eq!(json["content_objects"][0]["versions"][0]["account"], account);
	}
}
