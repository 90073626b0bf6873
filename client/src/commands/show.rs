// SPDX-License-Identifier: Apache-2.0
//! `fabric show`: the entities that an id names.
//!
//! The ids of nodes, KMSes, content objects and versions are unique under their parents only, so
//! one such id may name several entities. All of them are shown.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use super::{
	entity::{Entities, Entity},
	Context,
};
use crate::{
	chain::{self, rows},
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
	let found = Entities::new(&at).named(options.id).await?;
	if found.is_empty() {
		let (kind, id) = (options.id.kind(), options.id.to_string());
		return Err(chain::Error::Unknown { kind, id }.into());
	}
	Ok(Shown(found))
}

impl Entities<'_> {
	async fn named(self, id: AnyId) -> Result<Vec<Entity>, Error> {
		let at = self.at;
		let member = match id {
			AnyId::Space(id) => {
				let info = at.get(&rows::spaces(), (id,)).await?;
				return Ok(info.map(|info| self.space(id, info)).into_iter().collect());
			},
			AnyId::Provider(id) => id.into(),
			AnyId::Tenant(id) => id.into(),
			AnyId::Node(id) => {
				let nodes = at.rows(&rows::nodes(), ()).await?.into_iter();
				let nodes = nodes.filter(|((_, node), _)| *node == id);
				return Ok(nodes.map(|(key, info)| self.node(key, info)).collect());
			},
			AnyId::Kms(id) => {
				let kmses = at.rows(&rows::kmses(), ()).await?.into_iter();
				let kmses = kmses.filter(|((_, kms), _)| *kms == id);
				return Ok(kmses.map(|(key, info)| self.kms(key, info)).collect());
			},
			AnyId::ContentObject(id) => {
				let objects = at.rows(&rows::content_objects(), ()).await?.into_iter();
				let objects = objects.filter(|((_, object), _)| *object == id);
				return Ok(objects.map(|(key, info)| self.content_object(key, info)).collect());
			},
			AnyId::ContentObjectPath(path) => {
				let key = (path.tenant, path.object);
				let info = at.get(&rows::content_objects(), key).await?;
				return Ok(info.map(|info| self.content_object(key, info)).into_iter().collect());
			},
			AnyId::Version(id) => {
				let versions = at.rows(&rows::versions(), ()).await?.into_iter();
				let versions = versions.filter(|((_, _, version), _)| *version == id);
				return Ok(versions.map(|(key, info)| self.version(key, info)).collect());
			},
		};
		match at.find_member(member).await? {
			Some(info) => Ok(vec![self.member(member, info).await?]),
			None => Ok(Vec::new()),
		}
	}
}
