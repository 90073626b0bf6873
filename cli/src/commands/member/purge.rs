// SPDX-License-Identifier: Apache-2.0
//! Removes all rows under a member.

use std::io::{self, Write};

use clap::Args;
use content_fabric_client::{
	chain::{calls, kind, rows},
	keys::Signer,
	text::count,
};
use content_fabric_primitives::MemberId;
use serde::Serialize;

use crate::{
	commands::{
		purges::{self, Step, Watched},
		Action, Authority, Context, Outcome, Submit, Submitted, View,
	},
	output::Report,
	Error,
};

#[derive(Debug, Args)]
pub struct Purge {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
	/// Return when the purge has started, and let the chain remove the rows
	#[arg(long)]
	no_wait: bool,
}

/// A member whose purge was followed to its end.
#[derive(Serialize)]
#[serde(tag = "outcome", rename = "purged")]
struct Purged {
	kind: &'static str,
	id: String,
	/// Number of rows that were under it.
	rows: u32,
	/// The rows that were left, block by block, while they were removed.
	steps: Vec<Step>,
	/// The number of the block after which nothing was left.
	block: Option<u64>,
	/// The call that started the purge, unless it was under way.
	submitted: Option<Submitted>,
}

impl Report for Purged {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { kind, id, rows, block, submitted, .. } = self;
		if let Some(submitted) = submitted {
			submitted.write_text(out)?;
		}
		write!(out, "removed {} of the {kind} {id}", count(*rows, "row", "rows"))?;
		match block {
			Some(block) => writeln!(out, "; block {block}: nothing is left under it"),
			None => writeln!(out),
		}
	}
}

impl Submit<Purge> {
	pub(super) async fn purge(self, context: &Context) -> Result<(), Error> {
		let Self { command: Purge { member, no_wait }, act } = self;
		let at = context.view().await?;
		let info = at.member(member).await?;
		let signer = act.load_signer(context, &at.chain, Authority::of(member))?;
		let follow = async |purge: &Watched, shown, signer: &Signer, submitted| {
			let steps = purges::drive(&at.chain, purge, shown, signer, context.timeout()).await?;
			let block = steps.last().map(|step| step.block);
			let (kind, id, rows) = (kind(member), member.to_string(), purge.rows);
			context.report(&Purged { kind, id, rows, steps, block, submitted })
		};
		let follows = !(no_wait || act.dry_run || act.print_call);
		if let (true, Some(_), Some(signer)) = (follows, info.purge, &signer) {
			let (purge, left) = (Watched::find(&at, member).await?, info.row_count());
			act.consent(&purge.question(left, signer))?;
			return follow(&purge, left, signer, None).await;
		}
		let outcome = act.run_as(context, action(&at, member, &info)?, signer.as_ref()).await?;
		match (outcome, signer) {
			(Outcome::Submitted(submitted), Some(signer)) if follows => {
				match submitted.find_event(|event| Watched::started(event, member)) {
					Some(purge) => follow(&purge, info.row_count(), &signer, Some(submitted)).await,
					// The council has yet to close the motion.
					None => Outcome::Submitted(submitted).report(context),
				}
			},
			(outcome, _) => outcome.report(context),
		}
	}
}

fn action(at: &View, member: MemberId, info: &rows::Member) -> Result<Action, Error> {
	let summary = format!(
		"remove {} under the {} {member}, and release {} of deposits",
		count(info.row_count(), "row", "rows"),
		kind(member),
		at.units().amount(info.deposit)
	);
	at.destructive(Authority::of(member), calls::PurgeMember { member }, summary)
}
