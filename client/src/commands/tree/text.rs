// SPDX-License-Identifier: Apache-2.0
//! The text of a tree: an entity a line, indented by its level.

use std::io::{self, Write};

use super::model::{Branch, Children, Totals, Tree};
use crate::{
	chain::rows::PurgeScope,
	commands::entity::{Entity, Member},
	output::Report,
	text::{count, grouped},
};

impl Report for Tree {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		self.roots.write(&mut Lines { out, level: 0 })?;
		let root = self.roots.0.first().map_or("spaces", |(name, _)| name);
		writeln!(out, "block {}: {}", self.block, self.totals.text(root))
	}
}

/// Writes lines, indented.
struct Lines<'a> {
	out: &'a mut dyn Write,
	level: usize,
}

impl Lines<'_> {
	fn line(&mut self, text: &str) -> io::Result<()> {
		writeln!(self.out, "{:width$}{text}", "", width = 2 * self.level)
	}
}

impl Children {
	/// Writes lists of children, and how many were left out.
	fn write(&self, lines: &mut Lines<'_>) -> io::Result<()> {
		self.0.iter().try_for_each(|(name, list)| {
			list.items.iter().try_for_each(|branch| branch.write(lines))?;
			let plural = match *name {
				"content_objects" => "objects",
				"kmses" => "KMSes",
				name => name,
			};
			match list.more {
				0 => Ok(()),
				more => lines.line(&format!("… and {} more {plural}", grouped(more.into()))),
			}
		})
	}
}

impl Branch {
	fn write(&self, lines: &mut Lines<'_>) -> io::Result<()> {
		lines.line(&self.entity.line())?;
		let Lines { out, level } = lines;
		self.children.write(&mut Lines { out: &mut **out, level: *level + 1 })
	}
}

impl Entity {
	/// Returns the entity in one line.
	fn line(&self) -> String {
		match self {
			Self::Space(space) => {
				let providers = count(space.provider_count, "provider", "providers");
				let tenants = count(space.tenant_count, "tenant", "tenants");
				let (id, governor) = (space.id, space.governor);
				format!("space {id}, governed by {governor}, {providers}, {tenants}")
			},
			Self::Provider(member) => format!("provider {}{}", member.id, member.text()),
			Self::Tenant(member) => format!("tenant {}{}", member.id, member.text()),
			Self::Key(key) => format!("key {}, level {}", key.account, key.level),
			Self::Node(node) => {
				let state = if node.pending { "pending" } else { "confirmed" };
				let (id, locator, operator) = (node.id, &node.locator, node.operator);
				format!("node {id}, {state}, at {locator}, operator {operator}")
			},
			Self::Kms(kms) => format!("kms {} at {}", kms.id, kms.locator),
			Self::Collection(collection) => {
				let (name, key_type) = (&collection.name, &collection.key_type);
				let records = count(collection.record_count, "record", "records");
				let syntax = &collection.syntax;
				format!("collection {name}, type {key_type}, syntax {syntax}, {records}")
			},
			Self::ContentObject(object) => {
				let versions = count(object.version_count, "version", "versions");
				let head = object.head.map_or_else(|| "none".into(), |head| head.to_string());
				format!("object {}, {versions}, head {head}", object.id)
			},
			Self::Version(version) => {
				let is_finalized = version.finalized.is_some();
				let state = if is_finalized { "finalized" } else { "committed" };
				format!("version {}, {state}", version.id)
			},
		}
	}
}

impl Member {
	/// Returns the rest of the line that begins with the member's id.
	fn text(&self) -> String {
		let Self { root, bond, own_deposit, deposit, max_held, .. } = self;
		let mut text = format!(
			", root {root}, {}, bond {bond}, own deposit {own_deposit}, deposit {deposit}, at most \
			 {max_held} on hold",
			count(self.rows, "row", "rows")
		);
		if let Some(nominee) = &self.nominee {
			text += &format!(", nominated root {nominee}");
		}
		if let Some(matures) = &self.nominee_matures {
			text += &format!(" from block {} on", matures.block);
		}
		if self.governance_delete {
			text += ", frozen by governance";
		}
		if self.suspended {
			text += ", suspended";
		}
		text += match self.purge.map(|purge| purge.scope) {
			Some(PurgeScope::Rows) => ", being purged by its root",
			Some(PurgeScope::Member) => ", being deleted",
			None => "",
		};
		text
	}
}

impl Totals {
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
	use subxt::utils::AccountId32;

	use super::{
		super::model::{tests::object, List},
		*,
	};
	use crate::commands::entity::Entities;

	#[test]
	fn children_are_indented_and_those_left_out_are_counted() {
		let account = AccountId32([3; 32]);
		let object = object(None);
		let Entity::ContentObject(content_object) = &object else { unreachable!("it is one") };
		let id = content_object.id;
		// What is under an object does not matter here.
		let key = Branch::from(Entities::key(account, "admin"));
		let children = Children(vec![
			("versions", List::new(vec![key.clone()], 1_001u32)),
			("kmses", List::new(vec![], 1u32)),
			("content_objects", List::new(vec![], 2u32)),
		]);
		let roots =
			Children::one("content_objects", vec![Branch { entity: object, children }], 1u32);
		let totals = Totals {
			content_objects: Some(1),
			heads: Some(0),
			versions: Some(1_001),
			..Totals::default()
		};
		let tree = Tree { block: 7, roots, totals };
		let mut text = Vec::new();
		tree.write_text(&mut text).expect("a list of bytes takes all");
		let expected = format!(
			"object {id}, 1,001 versions, head none\n  key {account}, level admin\n  … and 1,000 \
			 more versions\n  … and 1 more KMSes\n  … and 2 more objects\nblock 7: 1 content \
			 object, 0 heads, 1,001 versions\n"
		);
		assert_eq!(String::from_utf8(text).ok(), Some(expected));
		let json = serde_json::to_value(&tree).expect("the tree is JSON");
		let account = account.to_string();
		assert_eq!(json["content_objects"][0]["versions"][0]["account"], account);
	}
}
