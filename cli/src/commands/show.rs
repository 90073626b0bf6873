// SPDX-License-Identifier: Apache-2.0
//! `fabric show`: the entities that an id names.
//!
//! The ids of nodes, KMSes, content objects and versions are unique under their parents only, so
//! one such id may name several entities. All of them are shown.

use std::io::{self, Write};

use clap::Args;
use content_fabric_client::{
	chain::{self, rows},
	ids::{AnyId, IdError, VersionArgument},
};
use content_fabric_identifiers::{ContentObjectPath, HashKind};
use content_fabric_primitives::MemberId;

use super::{
	entity::{Entity, Row},
	Context, View,
};
use crate::{output::Report, Error};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric show iten…
  fabric --json show hq__…

Ids of nodes (inod…), KMSes (ikms…), content objects (iq__…) and versions (hq__…) are unique under
their parents only: the command searches all parents, and shows every match.")]
pub struct Options {
	/// The id: ispc…, iprv…, iten…, inod…, ikms…, iq__…, itq_… or hq__…, or the hash in hex or the
	/// CID of a version
	#[arg(value_name = "ID", value_parser = parse)]
	id: (AnyId, Option<HashKind>),
}

/// Reads an id, and the kind of hash that the CID of a version says.
fn parse(text: &str) -> Result<(AnyId, Option<HashKind>), IdError> {
	let version = text.parse().ok();
	Ok((text.parse()?, version.and_then(|VersionArgument { hash, .. }| hash)))
}

impl Report for Vec<Entity> {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for (place, entity) in self.iter().enumerate() {
			if place > 0 {
				writeln!(out)?;
			}
			for (name, fact) in entity.facts() {
				match name {
					"kind" => writeln!(out, "{fact}")?,
					name => writeln!(out, "  {:<20} {fact}", name.replace('_', " "))?,
				}
			}
		}
		Ok(())
	}
}

pub async fn run(options: Options, context: &Context) -> Result<Vec<Entity>, Error> {
	let found = named(&context.view().await?, options.id).await?;
	if found.is_empty() {
		let (id, _) = options.id;
		return Err(chain::Error::unknown(id.kind(), id).into());
	}
	Ok(found)
}

async fn named(at: &View, (id, hash): (AnyId, Option<HashKind>)) -> Result<Vec<Entity>, Error> {
	let found = match id {
		AnyId::Space(id) => {
			let info = at.get(rows::spaces(), (id,)).await?;
			info.map(|info| Row::Space(id, info)).into_iter().collect()
		},
		AnyId::Provider(id) => return named_member(at, id.into()).await,
		AnyId::Tenant(id) => return named_member(at, id.into()).await,
		AnyId::Node(id) => among(at.rows(rows::nodes(), ()).await?, |key| key.1 == id, Row::Node),
		AnyId::Kms(id) => among(at.rows(rows::kmses(), ()).await?, |key| key.1 == id, Row::Kms),
		AnyId::ContentObject(id) => {
			let objects = at.rows(rows::content_objects(), ()).await?;
			among(objects, |key| key.1 == id, Row::ContentObject)
		},
		AnyId::ContentObjectPath(ContentObjectPath { tenant, object }) => {
			let info = at.get(rows::content_objects(), (tenant, object)).await?;
			info.map(|info| Row::ContentObject((tenant, object), info)).into_iter().collect()
		},
		AnyId::Version(version) => {
			let rows = at.rows(rows::versions(), ()).await?;
			let rows = rows.into_iter().filter(|(key, _)| key.2 == version).collect();
			let named = VersionArgument { version, hash };
			let mut found = Vec::new();
			for (key, info) in
				named.select(rows, |(_, info)| info.hash).map_err(chain::Error::from)?
			{
				found.push(at.version_entity(key, info).await?);
			}
			return Ok(found);
		},
	};
	Ok(found.into_iter().map(|row| at.entity(row)).collect())
}

async fn named_member(at: &View, id: MemberId) -> Result<Vec<Entity>, Error> {
	match at.find_member(id).await? {
		Some(info) => Ok(vec![at.member_entity(id, info).await?]),
		None => Ok(Vec::new()),
	}
}

/// Returns the named ones among the rows of a map.
fn among<Key, Value>(
	rows: Vec<(Key, Value)>,
	is_named: impl Fn(&Key) -> bool,
	row: impl Fn(Key, Value) -> Row,
) -> Vec<Row> {
	let found = rows.into_iter().filter(|(key, _)| is_named(key));
	found.map(|(key, value)| row(key, value)).collect()
}
