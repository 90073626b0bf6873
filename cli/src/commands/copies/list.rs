// SPDX-License-Identifier: Apache-2.0
//! `fabric copies list` and `missing`: the nodes of versions, and their states.

use std::{
	collections::{HashMap, HashSet},
	io::{self, Write},
	sync::{Mutex, PoisonError},
};

use clap::Args;
use content_fabric_client::{
	chain::{rows, Snapshot},
	content_node::{server, ContentNode, NodeError},
	text::{count, printable, Text},
};
use content_fabric_identifiers::{
	ContentObjectId, Medallion, NodeId, ProviderId, TenantId, VersionId,
};
use content_fabric_primitives::ContentRef;
use futures::{stream, StreamExt};
use serde::Serialize;

use super::selection::{Selection, VersionKey};
use crate::{
	commands::{Context, View},
	output::Report,
	Error,
};

/// Number of requests at the same time.
const JOBS: usize = 12;

#[derive(Debug, Args)]
pub struct Missing {
	#[command(flatten)]
	selection: Selection,
	/// Do not ask nodes whether they serve the versions that they have declared to hold
	#[arg(long)]
	no_probe: bool,
}

/// The state of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
	/// The node has declared that it holds the bytes.
	Held,
	/// The node was asked to hold them.
	Asked,
	/// The node has declared that it holds the bytes, but does not serve them.
	Unserved,
	/// The node was removed, perhaps created again, or its provider is being purged.
	Gone,
}

impl State {
	const fn words(self) -> &'static str {
		match self {
			Self::Held => "held",
			Self::Asked => "asked, and not held yet",
			Self::Unserved => "held, and not served",
			Self::Gone => "gone: the chain no longer has this node",
		}
	}
}

#[derive(Debug, Serialize)]
struct CopyLine {
	provider: ProviderId,
	node: NodeId,
	state: State,
	#[serde(skip_serializing_if = "Option::is_none")]
	reason: Option<String>,
}

#[derive(Debug, Serialize)]
struct VersionLine {
	object: ContentObjectId,
	version: VersionId,
	/// The name of the object, or of the version, if it has one.
	#[serde(skip_serializing_if = "Option::is_none")]
	name: Option<String>,
	/// True if the version is final, and no node counts as holding it.
	lost: bool,
	copies: Vec<CopyLine>,
}

/// The versions of a tenant, with their copies.
#[derive(Debug, Serialize)]
pub struct Listed {
	tenant: TenantId,
	/// Number of versions that were looked at.
	looked_at: usize,
	versions: Vec<VersionLine>,
	/// True if only versions that lack copies are listed.
	#[serde(skip)]
	is_missing: bool,
}

impl Report for Listed {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for VersionLine { object, version, name, lost, copies } in &self.versions {
			let lost = if *lost { ": lost, no node holds it" } else { "" };
			let name = name.as_ref().map(|name| format!(", {}", printable(name)));
			writeln!(out, "{version} of {object}{}{lost}", name.unwrap_or_default())?;
			for CopyLine { provider, node, state, reason } in copies {
				write!(out, "  {node} of {provider}: {}", state.words())?;
				match reason {
					Some(reason) => writeln!(out, ": {}", printable(reason))?,
					None => writeln!(out)?,
				}
			}
			if copies.is_empty() {
				writeln!(out, "  no copies")?;
			}
		}
		let (listed, all) = (self.versions.len(), count(self.looked_at, "version", "versions"));
		match self.is_missing {
			true if listed == 0 => writeln!(out, "nothing is missing of {all}"),
			true => {
				let has = if listed == 1 { "lacks" } else { "lack" };
				writeln!(out, "{listed} of {all} {has} copies")
			},
			false => {
				let copies = self.versions.iter().flat_map(|line| &line.copies);
				let mut counts = [0; 3];
				for copy in copies {
					match copy.state {
						State::Held | State::Unserved => counts[0] += 1,
						State::Asked => counts[1] += 1,
						State::Gone => counts[2] += 1,
					}
				}
				let [held, asked, gone] = counts;
				writeln!(out, "{all}: {held} held, {asked} asked, {gone} gone")
			},
		}
	}
}

/// The nodes that count, by medallion.
pub(super) struct Nodes(HashMap<Medallion, Text>);

impl Nodes {
	pub async fn read(at: &Snapshot) -> Result<Self, Error> {
		let (nodes, purges) =
			futures::try_join!(at.rows(rows::nodes(), ()), at.rows(rows::purges(), ()))?;
		let purged: HashSet<_> = purges.into_iter().map(|((member,), _)| member).collect();
		let nodes =
			nodes.into_iter().filter(|((provider, _), _)| !purged.contains(&(*provider).into()));
		Ok(Self(nodes.map(|(_, node)| (node.medallion, node.locator)).collect()))
	}

	fn line(&self, (object, version): VersionKey, row: &rows::Version) -> VersionLine {
		let copies = row.copies.iter().map(|copy| {
			let state = match (self.0.contains_key(&copy.medallion), copy.held) {
				(false, _) => State::Gone,
				(true, Some(_)) => State::Held,
				(true, None) => State::Asked,
			};
			CopyLine { provider: copy.provider, node: copy.node, state, reason: None }
		});
		let copies: Vec<_> = copies.collect();
		let is_held = copies.iter().any(|copy| copy.state == State::Held);
		let lost = row.finalized.is_some() && !is_held;
		VersionLine { object, version, name: None, lost, copies }
	}

	/// Returns the number of versions that a node holds, but none besides `others`.
	pub fn held_by_none_but(
		&self,
		others: &[(ProviderId, NodeId)],
		rows: &[(VersionKey, rows::Version)],
	) -> usize {
		let counts =
			|copy: &&rows::Copy| copy.held.is_some() && self.0.contains_key(&copy.medallion);
		let is_of_others = |copy: &rows::Copy| others.contains(&(copy.provider, copy.node));
		let loses = |row: &rows::Version| {
			let mut held = row.copies.iter().filter(counts).peekable();
			held.peek().is_some() && held.all(is_of_others)
		};
		rows.iter().filter(|(_, row)| loses(row)).count()
	}
}

pub async fn list(selection: Selection, context: &Context) -> Result<Listed, Error> {
	let view = context.view().await?;
	let (rows, nodes) = (selection.rows(&view.chain, &view).await?, Nodes::read(&view).await?);
	let mut versions: Vec<_> = rows.iter().map(|(key, row)| nodes.line(*key, row)).collect();
	name(&mut versions, &selection, &view).await?;
	let (tenant, looked_at) = (selection.tenant, versions.len());
	Ok(Listed { tenant, looked_at, versions, is_missing: false })
}

pub async fn missing(options: Missing, context: &Context) -> Result<Listed, Error> {
	let Missing { selection, no_probe } = options;
	let view = context.view().await?;
	let (rows, nodes) = (selection.rows(&view.chain, &view).await?, Nodes::read(&view).await?);
	let mut versions: Vec<_> = rows.iter().map(|(key, row)| nodes.line(*key, row)).collect();
	if !no_probe {
		probe(&mut versions, &rows, &nodes).await;
	}
	let looked_at = versions.len();
	versions.retain(|line| {
		line.lost
			|| line.copies.is_empty()
			|| line.copies.iter().any(|copy| copy.state != State::Held)
	});
	name(&mut versions, &selection, &view).await?;
	Ok(Listed { tenant: selection.tenant, looked_at, versions, is_missing: true })
}

impl Listed {
	/// Fails if versions that lack copies are listed.
	pub fn ensure_none(&self) -> Result<(), Error> {
		match self.versions.len() {
			0 => Ok(()),
			lacking => Err(Error::Missing { lacking, all: self.looked_at }),
		}
	}
}

/// Adds the names of the versions.
async fn name(lines: &mut [VersionLine], selection: &Selection, view: &View) -> Result<(), Error> {
	if lines.is_empty() {
		return Ok(());
	}
	let names = selection.names(&view.chain, view).await?;
	for VersionLine { object, version, name, .. } in lines {
		let of = |version| names.get(&ContentRef { object: *object, version });
		*name = of(None).or_else(|| of(Some(*version))).cloned();
	}
	Ok(())
}

/// Asks the nodes whether they serve the versions that they have declared to hold. Does not ask a
/// node again that has not answered.
async fn probe(lines: &mut [VersionLine], rows: &[(VersionKey, rows::Version)], nodes: &Nodes) {
	let mut clients = HashMap::<&Text, Result<ContentNode, String>>::new();
	let silent = Mutex::<HashMap<Text, String>>::default();
	let mut questions = Vec::new();
	for (place, (line, (_, row))) in lines.iter().zip(rows).enumerate() {
		for (copy, (shown, found)) in line.copies.iter().zip(&row.copies).enumerate() {
			let Some(locator) = nodes.0.get(&found.medallion) else { continue };
			if shown.state == State::Held {
				let client = clients.entry(locator).or_insert_with(|| {
					let url = server(&locator.raw()).map_err(|error| error.to_string());
					url.map(ContentNode::new)
				});
				questions.push((place, copy, line.version, locator.clone(), client.clone()));
			}
		}
	}
	let asked = stream::iter(questions).map(async |(place, copy, version, locator, client)| {
		let locked = || silent.lock().unwrap_or_else(PoisonError::into_inner);
		if let Some(reason) = locked().get(&locator) {
			return (place, copy, Some(reason.clone()));
		}
		let answer = match client {
			Ok(client) => client.serves(version).await,
			Err(reason) => return (place, copy, Some(reason)),
		};
		if let Err(error @ NodeError::Unreachable { .. }) = &answer {
			locked().insert(locator, error.to_string());
		}
		(place, copy, answer.err().map(|error| error.to_string()))
	});
	let answers: Vec<_> = asked.buffer_unordered(JOBS).collect().await;
	for (place, copy, reason) in answers {
		let copy = lines.get_mut(place).and_then(|line| line.copies.get_mut(copy));
		if let (Some(copy), Some(reason)) = (copy, reason) {
			(copy.state, copy.reason) = (State::Unserved, Some(reason));
		}
	}
}
