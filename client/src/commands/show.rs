// SPDX-License-Identifier: Apache-2.0
//! `fabric show`: the entities that an id names.
//!
//! The ids of nodes, KMSes, content objects and versions are unique under their parents only, so
//! one such id may name several entities. All of them are shown.

use std::io::{self, Write};

use clap::Args;

use super::{
	entity::{Entities, Entity},
	lookup::unknown,
	Context,
};
use crate::{amount::Units, chain::rows, ids::AnyId, output::Report, Error};

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

impl Report for Vec<Entity> {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for (place, Entity { kind, facts, .. }) in self.iter().enumerate() {
			if place > 0 {
				writeln!(out)?;
			}
			writeln!(out, "{kind}")?;
			for (name, fact) in facts {
				writeln!(out, "  {:<20} {fact}", name.replace('_', " "))?;
			}
		}
		Ok(())
	}
}

pub async fn run(options: Options, context: &Context) -> Result<Vec<Entity>, Error> {
	let at = context.view().await?;
	let found = Entities::new(&at).named(options.id).await?;
	if found.is_empty() {
		return Err(unknown(options.id.kind(), options.id).into());
	}
	Ok(found)
}

impl Entities<'_> {
	async fn named(self, id: AnyId) -> Result<Vec<Entity>, Error> {
		let Self { at, units } = self;
		let member = match id {
			AnyId::Space(id) => {
				let info = at.get(&rows::spaces(), (id,)).await?;
				return Ok(info.map(|info| Entity::space(units, id, info)).into_iter().collect());
			},
			AnyId::Provider(id) => id.into(),
			AnyId::Tenant(id) => id.into(),
			AnyId::Node(id) => {
				let nodes = at.rows(&rows::nodes(), ()).await?;
				return Ok(self.among(nodes, |key| key.1 == id, Entity::node));
			},
			AnyId::Kms(id) => {
				let kmses = at.rows(&rows::kmses(), ()).await?;
				return Ok(self.among(kmses, |key| key.1 == id, Entity::kms));
			},
			AnyId::ContentObject(id) => {
				let objects = at.rows(&rows::content_objects(), ()).await?;
				return Ok(self.among(objects, |key| key.1 == id, Entity::content_object));
			},
			AnyId::ContentObjectPath(path) => {
				let key = (path.tenant, path.object);
				let info = at.get(&rows::content_objects(), key).await?;
				let object = info.map(|info| Entity::content_object(units, key, info));
				return Ok(object.into_iter().collect());
			},
			AnyId::Version(id) => {
				let versions = at.rows(&rows::versions(), ()).await?;
				return Ok(self.among(versions, |key| key.2 == id, Entity::version));
			},
		};
		match at.find_member(member).await? {
			Some(info) => Ok(vec![self.member(member, info).await?]),
			None => Ok(Vec::new()),
		}
	}

	/// Returns the named ones among the entities of a kind under all parents.
	fn among<Key, Row>(
		self,
		rows: Vec<(Key, Row)>,
		is_named: impl Fn(&Key) -> bool,
		entity: impl Fn(&Units, Key, Row) -> Entity,
	) -> Vec<Entity> {
		let found = rows.into_iter().filter(|(key, _)| is_named(key));
		found.map(|(key, row)| entity(self.units, key, row)).collect()
	}
}
