//! `fabric purge`: the root of a member removes all rows under it. The member stays, empty, with
//! its bond.

use std::io::{self, Write};

use serde::Serialize;

use crate::{
	calls,
	member::{self, ByRoot},
	output::{count, Report},
	purges::{self, Step, Watched},
	Error,
};

/// A member that was purged.
#[derive(Clone, Debug, Serialize)]
pub struct Purged {
	/// The kind of member: a tenant or a provider.
	pub kind: &'static str,
	/// Its id.
	pub id: String,
	/// Number of rows that were under it.
	pub rows: u32,
	/// The rows that were left, block by block, while they were removed.
	pub steps: Vec<Step>,
	/// The number of the block after which no row was left.
	pub block: u64,
}

impl Report for Purged {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { kind, id, rows, steps, block } = self;
		let blocks = count(steps.len() as u64, "block", "blocks");
		writeln!(out, "purged {kind} {id} with {} in {blocks}", count(*rows, "row", "rows"))?;
		writeln!(out, "block {block}: nothing is left under it")
	}
}

/// Purges the member, or takes up its purge, and removes rows until none is left.
pub async fn run(by: ByRoot, url: &str) -> Result<Purged, Error> {
	let (member, signer, chain) = by.connect(url).await?;
	let at = chain.best().await?;
	let info = member::get(member, &at).await?;
	let purge = match info.purge {
		Some(_) => Watched::find(&at, member).await?,
		None => {
			let events = chain.submit(&signer, calls::purge_member(member)).await?;
			let missing =
				Error::Event { call: "ContentFabric.purge_member", event: "PurgeStarted" };
			Watched::started(&events, member, info.created)?.ok_or(missing)?
		},
	};
	let steps = purges::drive(&chain, &purge, &signer).await?;
	let block = steps.last().map_or(0, |step| step.block);
	Ok(Purged { kind: member::kind(member), id: by.id, rows: purge.rows, steps, block })
}
