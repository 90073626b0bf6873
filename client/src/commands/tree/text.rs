// SPDX-License-Identifier: Apache-2.0
//! The text of a tree: an entity a line, indented by its level.

use std::io::{self, Write};

use super::model::{
	Collection, Key, Kms, List, Member, Node, Object, Provider, Roots, Space, Tenant, Totals, Tree,
	Version,
};
use crate::{
	chain::rows::PurgeScope,
	output::Report,
	text::{count, grouped},
};

impl Report for Tree {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let mut lines = Lines { out, level: 0 };
		match &self.roots {
			Roots::Spaces(spaces) => lines.list(spaces, "spaces", Space::write)?,
			Roots::Providers(providers) => {
				providers.iter().try_for_each(|provider| provider.write(&mut lines))?;
			},
			Roots::Tenants(tenants) => {
				tenants.iter().try_for_each(|tenant| tenant.write(&mut lines))?;
			},
			Roots::ContentObjects(objects) => {
				objects.iter().try_for_each(|object| object.write(&mut lines))?;
			},
		}
		writeln!(out, "block {}: {}", self.block, self.totals.text(&self.roots))
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

	/// Writes what is below the last line.
	fn below(&mut self, write: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
		self.level += 1;
		let written = write(self);
		self.level -= 1;
		written
	}

	/// Writes children, and how many were left out.
	fn list<T>(
		&mut self,
		list: &List<T>,
		plural: &str,
		write: impl Fn(&T, &mut Self) -> io::Result<()>,
	) -> io::Result<()> {
		list.items.iter().try_for_each(|item| write(item, self))?;
		match list.more {
			0 => Ok(()),
			more => self.line(&format!("… and {} more {plural}", grouped(more.into()))),
		}
	}
}

impl Space {
	fn write(&self, lines: &mut Lines<'_>) -> io::Result<()> {
		let providers = count(self.provider_count, "provider", "providers");
		let tenants = count(self.tenant_count, "tenant", "tenants");
		let Self { id, governor, .. } = self;
		lines.line(&format!("space {id}, governed by {governor}, {providers}, {tenants}"))?;
		lines.below(|lines| {
			lines.list(&self.providers, "providers", Provider::write)?;
			lines.list(&self.tenants, "tenants", Tenant::write)
		})
	}
}

impl Provider {
	fn write(&self, lines: &mut Lines<'_>) -> io::Result<()> {
		lines.line(&format!("provider {}{}", self.id, self.member.text()))?;
		lines.below(|lines| {
			lines.list(&self.keys, "keys", Key::write)?;
			lines.list(&self.nodes, "nodes", Node::write)
		})
	}
}

impl Tenant {
	fn write(&self, lines: &mut Lines<'_>) -> io::Result<()> {
		lines.line(&format!("tenant {}{}", self.id, self.member.text()))?;
		lines.below(|lines| {
			lines.list(&self.keys, "keys", Key::write)?;
			lines.list(&self.kmses, "KMSes", Kms::write)?;
			lines.list(&self.collections, "collections", Collection::write)?;
			lines.list(&self.content_objects, "objects", Object::write)
		})
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
		if let Some(block) = self.nominee_matures {
			text += &format!(" from block {block} on");
		}
		if self.governance_delete {
			text += ", frozen by governance";
		}
		if self.suspended {
			text += ", suspended";
		}
		text += match self.purge {
			Some(PurgeScope::Rows) => ", being purged by its root",
			Some(PurgeScope::Member) => ", being deleted",
			None => "",
		};
		text
	}
}

impl Key {
	fn write(&self, lines: &mut Lines<'_>) -> io::Result<()> {
		lines.line(&format!("key {}, level {}", self.account, self.level))
	}
}

impl Node {
	fn write(&self, lines: &mut Lines<'_>) -> io::Result<()> {
		let state = if self.pending { "pending" } else { "confirmed" };
		let Self { id, operator, locator, .. } = self;
		lines.line(&format!("node {id}, {state}, at {locator}, operator {operator}"))
	}
}

impl Kms {
	fn write(&self, lines: &mut Lines<'_>) -> io::Result<()> {
		lines.line(&format!("kms {} at {}", self.id, self.locator))
	}
}

impl Collection {
	fn write(&self, lines: &mut Lines<'_>) -> io::Result<()> {
		let Self { name, key_type, syntax, .. } = self;
		let records = count(self.record_count, "record", "records");
		lines.line(&format!("collection {name}, type {key_type}, syntax {syntax}, {records}"))
	}
}

impl Object {
	fn write(&self, lines: &mut Lines<'_>) -> io::Result<()> {
		let versions = count(self.version_count, "version", "versions");
		let head = self.head.map_or_else(|| "none".into(), |head| head.to_string());
		lines.line(&format!("object {}, {versions}, head {head}", self.id))?;
		match &self.versions {
			Some(versions) => lines.below(|lines| lines.list(versions, "versions", Version::write)),
			None => Ok(()),
		}
	}
}

impl Version {
	fn write(&self, lines: &mut Lines<'_>) -> io::Result<()> {
		let state = if self.finalized.is_some() { "finalized" } else { "committed" };
		lines.line(&format!("version {}, {state}", self.id))
	}
}

impl Totals {
	/// Returns the totals of the kinds that there can be below the roots.
	fn text(&self, roots: &Roots) -> String {
		let spaces = matches!(roots, Roots::Spaces(_));
		let providers = spaces || matches!(roots, Roots::Providers(_));
		let tenants = spaces || matches!(roots, Roots::Tenants(_));
		let objects = tenants || matches!(roots, Roots::ContentObjects(_));
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
	use content_fabric_identifiers::{ContentObjectId, ContentObjectPath, TenantId, VersionId};

	use super::*;

	#[test]
	fn children_are_indented_and_those_left_out_are_counted() {
		let id = ContentObjectPath { tenant: TenantId([1; 10]), object: ContentObjectId([2; 10]) };
		let version = VersionId([3; 32]);
		let versions = vec![Version { id: version, finalized: Some(1), size: 0 }];
		let object = Object {
			id,
			head: None,
			version_count: 1_001,
			versions: Some(List::new(versions, 1_001u32)),
		};
		let totals = Totals {
			content_objects: Some(1),
			heads: Some(0),
			versions: Some(1_001),
			..Totals::default()
		};
		let tree = Tree { block: 7, roots: Roots::ContentObjects([object]), totals };
		let mut text = Vec::new();
		tree.write_text(&mut text).expect("a list of bytes takes all");
		let expected = format!(
			"object {id}, 1,001 versions, head none\n  version {version}, finalized\n  … and 1,000 \
			 more versions\nblock 7: 1 content object, 0 heads, 1,001 versions\n"
		);
		assert_eq!(String::from_utf8(text).ok(), Some(expected));
		let json = serde_json::to_value(&tree).expect("the tree is JSON");
		assert_eq!(json["content_objects"][0]["versions"][0]["id"], version.to_string());
	}
}
