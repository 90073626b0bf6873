// SPDX-License-Identifier: Apache-2.0
//! `fabric governance purge`: deletes a member with all rows under it.
//!
//! The chain removes the rows in the blocks that follow, and this command follows and drives it.

use std::io::{self, Write};

use clap::Args;
use content_fabric_client::{
	amount::{Amount, AmountText},
	chain::{
		calls, kind,
		rows::{Member, PurgeScope},
		Chain, FabricEvent,
	},
	text::count,
};
use content_fabric_primitives::MemberId;
use serde::Serialize;

use super::{slash_of_bond, Reason};
use crate::{
	commands::{
		purges::{self, Step, Watched},
		Act, Action, Authority, Context, Outcome, Submit, Submitted, View,
	},
	output::{as_text, warn, Report},
	Error,
};

#[derive(Debug, Args)]
pub struct Purge {
	/// The provider, iprv…, or the tenant, iten…
	member: MemberId,
	/// The amount to slash, at most the bond: '100 UNIT', or a whole number of the smallest unit
	/// [default: nothing]
	#[arg(long, value_name = "AMOUNT")]
	slash: Option<AmountText>,
	#[command(flatten)]
	reason: Reason,
	/// Do not follow the purge to its end
	#[arg(long)]
	no_wait: bool,
}

/// A purge that was started, or continued.
#[derive(Serialize)]
struct PurgeReport {
	/// `purge-started`, or `purged` once it has ended.
	outcome: &'static str,
	kind: &'static str,
	#[serde(serialize_with = "as_text")]
	id: MemberId,
	/// The call that deleted the member. `None` if its purge was under way already.
	submitted: Option<Submitted>,
	/// The amount of its bond that the call slashed.
	slashed: Amount,
	/// Number of rows that were under it.
	rows: u32,
	/// The rows that were left, block by block, while they were removed.
	steps: Vec<Step>,
	/// The number of the block after which nothing was left.
	block: Option<u64>,
}

impl Report for PurgeReport {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		if let Some(submitted) = &self.submitted {
			submitted.write_text(out)?;
		}
		let Self { kind, id, slashed, .. } = self;
		let rows = count(self.rows, "row", "rows");
		if slashed.value() > 0 {
			writeln!(out, "slashed {slashed} of the bond of the {kind} {id}")?;
		}
		match (self.block, self.steps.first()) {
			(None, _) => writeln!(
				out,
				"the chain removes {rows} of the {kind} {id}: follow it with `fabric watch --purge \
				 {id}`"
			),
			(Some(block), None) => {
				writeln!(out, "block {block}: the {kind} {id} is deleted, with {rows}")
			},
			(Some(block), Some(first)) => writeln!(
				out,
				"block {block}: the {kind} {id} is deleted, with {rows} in {}",
				count(block.saturating_sub(first.block).max(1), "block", "blocks")
			),
		}
	}
}

impl Submit<Purge> {
	pub async fn purge(self, context: &Context) -> Result<(), Error> {
		let Self { command: purge, act } = &self;
		let member = purge.member;
		let at = context.view().await?;
		let info = purge.reason.governed(&at, member).await?;
		let authority = Authority::Governance(info.space);
		let signer = act.load_signer(context, &at.chain, authority)?;
		let shown = info.row_count();
		// Without rows, a purge has ended in the block of the call.
		let follow = async |watched: Option<Watched>, submitted| {
			let mut report = PurgeReport::new(&at, member, watched.as_ref(), submitted);
			if let Some(watched) = watched {
				if purge.no_wait {
					return context.report(&report);
				}
				let signer = signer.as_ref().ok_or(Error::NoKey { option: "--signer" })?;
				let timeout = context.timeout();
				report.steps = purges::drive(&at.chain, &watched, shown, signer, timeout).await?;
			}
			ensure_nothing_is_left(&at.chain, member).await?;
			report.end();
			context.report(&report)
		};
		if info.purge == Some(PurgeScope::Member) && continues(act) {
			if purge.slash.is_some() {
				warn("warning: the purge is under way already, so this run slashes nothing");
			}
			let watched = Watched::find(&at, member).await?;
			if let (false, Some(signer)) = (purge.no_wait, &signer) {
				act.consent(&watched.question(shown, signer))?;
			}
			return follow(Some(watched), None).await;
		}
		let action = purge.action(&at, &info, authority)?;
		match act.run_as(context, action, signer.as_ref()).await? {
			// A motion may be proposed or voted on, and not yet executed.
			Outcome::Submitted(submitted) if purge.is_deleted(&submitted) => {
				let started = submitted.find_event(|event| Watched::started(event, member));
				follow(started, Some(submitted)).await
			},
			outcome => outcome.report(context),
		}
	}
}

/// Returns whether this run continues a purge that is under way, rather than acts on a motion or
/// signs nothing. Consent to a step of a motion is not consent to the removal of rows.
fn continues(act: &Act) -> bool {
	!(act.council.is_some() || act.dry_run || act.print_call)
}

impl Purge {
	fn action(&self, at: &View, info: &Member, authority: Authority) -> Result<Action, Error> {
		let Self { member, reason, .. } = self;
		let slash = self.slash.as_ref().map_or(Ok(0), |slash| slash.resolve(at.units()))?;
		let rows = count(info.row_count(), "row", "rows");
		let slashed = match slash {
			0 => String::new(),
			slash => format!(", and slash {}", slash_of_bond(at.units(), slash, info)),
		};
		let (kind, created) = (kind(*member), info.created);
		let summary = format!(
			"delete the {kind} {member}, created as {created}, with {rows} under it{slashed}"
		);
		let reason = reason.to_bytes();
		let call = calls::GovernanceDelete { member: *member, created, slash, reason };
		at.destructive(authority, call, summary)
	}

	/// Returns whether the member was deleted by a call, perhaps in a motion that was executed.
	fn is_deleted(&self, submitted: &Submitted) -> bool {
		let deleted = submitted.find_event(|event| match event {
			FabricEvent::GovernanceDeleted { member, .. } => Some(*member),
			_ => None,
		});
		deleted == Some(self.member)
	}
}

impl PurgeReport {
	fn new(
		at: &View,
		member: MemberId,
		purge: Option<&Watched>,
		submitted: Option<Submitted>,
	) -> Self {
		let amount = |event: &FabricEvent| match event {
			FabricEvent::Slashed { amount, .. } => Some(*amount),
			_ => None,
		};
		let slashed = submitted.as_ref().and_then(|submitted| submitted.find_event(amount));
		Self {
			outcome: "purge-started",
			kind: kind(member),
			id: member,
			submitted,
			slashed: at.units().amount(slashed.unwrap_or(0)),
			rows: purge.map_or(0, |purge| purge.rows),
			steps: Vec::new(),
			block: None,
		}
	}

	fn end(&mut self) {
		self.outcome = "purged";
		let last = self.steps.last().map(|step| step.block);
		self.block = last.or(self.submitted.as_ref().map(|submitted| submitted.block));
	}
}

/// Checks that no row is left, unless somebody has taken the id again.
async fn ensure_nothing_is_left(chain: &Chain, member: MemberId) -> Result<(), Error> {
	let at = chain.best().await?;
	if at.find_member(member).await?.is_some() {
		return Ok(());
	}
	match at.count_rows(member).await? {
		0 => Ok(()),
		rows => Err(Error::RowsLeft { member, rows }),
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_client::amount::Units;
	use content_fabric_identifiers::TenantId;

	use super::*;
	use crate::output::text_of;

	fn report(steps: Vec<Step>, block: Option<u64>) -> PurgeReport {
		PurgeReport {
			outcome: "purged",
			kind: "tenant",
			id: TenantId([1; 10]).into(),
			submitted: None,
			slashed: Units::new(1, "UNIT").amount(15),
			rows: 1_200,
			steps,
			block,
		}
	}

	#[test]
	fn reports_say_what_was_removed_and_slashed() {
		let step = |block, rows_left| Step { block, rows: 1_200, rows_left };
		let purged = report(vec![step(6, 1_200), step(7, 200), step(8, 0)], Some(8));
		let id = purged.id;
		assert_eq!(
			text_of(&purged),
			format!(
				"slashed 1.5 UNIT of the bond of the tenant {id}\n\
				 block 8: the tenant {id} is deleted, with 1,200 rows in 2 blocks\n"
			)
		);
		assert!(text_of(&report(Vec::new(), Some(8))).contains("is deleted, with 1,200 rows\n"));
		assert!(text_of(&report(Vec::new(), None)).contains("`fabric watch --purge iten"));
		let json = serde_json::to_value(&purged).expect("reports have a JSON form");
		assert_eq!(json["outcome"], "purged");
		assert_eq!(json["id"], id.to_string());
		assert_eq!(json["slashed"], "15");
		assert_eq!(json["steps"][2]["rows_left"], 0);
	}
}
