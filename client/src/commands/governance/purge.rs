// SPDX-License-Identifier: Apache-2.0
//! `fabric governance purge`: deletes a member with all rows under it.
//!
//! The chain removes the rows in the blocks that follow, and this command follows and drives it.

use std::io::{self, Write};

use clap::Args;
use content_fabric_primitives::MemberId;
use serde::Serialize;

use super::member::{governed, slash_of_bond};
use crate::{
	amount::{Amount, AmountText},
	chain::{
		calls, kind,
		rows::{Member, PurgeScope},
		Chain,
	},
	commands::{
		purges::{self, Step, Watched},
		Act, Action, Authority, Context, Outcome, Submit, Submitted, View,
	},
	keys::Signer,
	output::{as_text, warn, Report},
	text::count,
	Error,
};

/// `fabric governance purge`
#[derive(Debug, Args)]
pub struct Purge {
	/// The provider, iprv…, or the tenant, iten…
	member: MemberId,
	/// The amount to slash, at most the bond: '100 UNIT', or a whole number of the smallest unit
	/// [default: nothing]
	#[arg(long, value_name = "AMOUNT")]
	slash: Option<AmountText>,
	/// The reason, or a link to it. The chain's events carry it
	#[arg(long, value_name = "TEXT")]
	reason: String,
	/// Do not follow the purge to its end
	#[arg(long)]
	no_wait: bool,
}

/// A purge that was started, or continued.
#[derive(Clone, Debug, Serialize)]
pub struct PurgeReport {
	/// The outcome of the purge.
	pub outcome: PurgeOutcome,
	/// The kind of member.
	pub kind: &'static str,
	/// Its id.
	#[serde(serialize_with = "as_text")]
	pub id: MemberId,
	/// The call that deleted the member. `None` if its purge was under way already.
	pub submitted: Option<Submitted>,
	/// The amount of its bond that the call slashed.
	pub slashed: Amount,
	/// Number of rows that were under it.
	pub rows: u32,
	/// The rows that were left, block by block, while they were removed.
	pub steps: Vec<Step>,
	/// The number of the block after which nothing was left.
	pub block: Option<u64>,
}

/// The remains after a purge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PurgeOutcome {
	/// The purge has ended.
	Purged,
	/// The purge is under way.
	PurgeStarted,
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
	/// Deletes the member, follows its purge, and prints the report.
	pub async fn purge(self, context: &Context) -> Result<(), Error> {
		let Self { command: purge, act } = &self;
		let at = context.view().await?;
		let info = governed(&at, purge.member, &purge.reason).await?;
		let authority = Authority::Governance(info.space);
		let signer = act.load_signer(context, &at.chain, authority)?;
		let shown = info.row_count();
		let driver = Driver { purge, context, chain: &at.chain, signer: signer.as_ref(), shown };
		if info.purge == Some(PurgeScope::Member) && continues(act) {
			if purge.slash.is_some() {
				warn("warning: the purge is under way already, so this run slashes nothing");
			}
			let watched = Watched::find(&at, purge.member).await?;
			if let (false, Some(signer)) = (purge.no_wait, &signer) {
				act.consent(&watched.question(shown, signer))?;
			}
			return context.report(&driver.follow(Some(watched), None).await?);
		}
		let action = purge.action(&at, &info, authority)?;
		match act.run_as(context, action, signer.as_ref()).await? {
			// A motion may be proposed or voted on, and not yet executed.
			Outcome::Submitted(submitted) if purge.is_deleted(&submitted) => {
				let started = submitted.fabric_event("PurgeStarted");
				let started = started.and_then(|event| Watched::started(event, purge.member));
				context.report(&driver.follow(started, Some(submitted)).await?)
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
		let reason = reason.clone().into_bytes();
		let call = calls::GovernanceDelete { member: *member, created, slash, reason };
		at.destructive(authority, call, summary)
	}

	/// Returns whether the member was deleted by a call, perhaps in a motion that was executed.
	fn is_deleted(&self, submitted: &Submitted) -> bool {
		let deleted = submitted.fabric_event("GovernanceDeleted");
		deleted.is_some_and(|event| event.text("member") == self.member.to_string())
	}
}

/// A purge that is followed.
struct Driver<'a> {
	purge: &'a Purge,
	context: &'a Context,
	chain: &'a Chain,
	signer: Option<&'a Signer>,
	/// Number of rows to whose removal the user has agreed.
	shown: u32,
}

impl Driver<'_> {
	/// Follows a purge to its end, unless the command returns at once. `None` is the purge of a
	/// member without rows, which has ended already.
	async fn follow(
		&self,
		purge: Option<Watched>,
		submitted: Option<Submitted>,
	) -> Result<PurgeReport, Error> {
		let mut report = self.report(purge.as_ref(), submitted);
		match (purge, self.signer) {
			(Some(_), _) if self.purge.no_wait => return Ok(report),
			(Some(purge), Some(signer)) => {
				let timeout = self.context.timeout();
				report.steps =
					purges::drive(self.chain, &purge, self.shown, signer, timeout).await?;
			},
			(Some(_), None) => return Err(Error::NoKey { option: "--signer" }),
			(None, _) => {},
		}
		self.ensure_nothing_is_left().await?;
		report.outcome = PurgeOutcome::Purged;
		let last = report.steps.last().map(|step| step.block);
		report.block = last.or(report.submitted.as_ref().map(|submitted| submitted.block));
		Ok(report)
	}

	/// Returns the report of a purge that has been started.
	fn report(&self, purge: Option<&Watched>, submitted: Option<Submitted>) -> PurgeReport {
		let slashed = submitted.as_ref().and_then(|submitted| submitted.fabric_event("Slashed"));
		let slashed = slashed.and_then(|event| event.text("amount").parse().ok()).unwrap_or(0);
		let member = self.purge.member;
		PurgeReport {
			outcome: PurgeOutcome::PurgeStarted,
			kind: kind(member),
			id: member,
			submitted,
			slashed: self.chain.identity().units.amount(slashed),
			rows: purge.map_or(0, |purge| purge.rows),
			steps: Vec::new(),
			block: None,
		}
	}

	/// Checks that no row is left, unless somebody has taken the id again.
	async fn ensure_nothing_is_left(&self) -> Result<(), Error> {
		let (at, member) = (self.chain.best().await?, self.purge.member);
		if at.find_member(member).await?.is_some() {
			return Ok(());
		}
		match at.count_rows(member).await? {
			0 => Ok(()),
			rows => Err(Error::RowsLeft { member, rows }),
		}
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::TenantId;

	use crate::amount::Units;

	use super::*;

	fn report(steps: Vec<Step>, block: Option<u64>) -> PurgeReport {
		PurgeReport {
			outcome: PurgeOutcome::Purged,
			kind: "tenant",
			id: TenantId([1; 10]).into(),
			submitted: None,
			slashed: Units::new(1, "UNIT").amount(15),
			rows: 1_200,
			steps,
			block,
		}
	}

	fn text(report: &PurgeReport) -> String {
		let mut text = Vec::new();
		report.write_text(&mut text).expect("vectors take everything");
		String::from_utf8(text).expect("reports are text")
	}

	#[test]
	fn reports_say_what_was_removed_and_slashed() {
		let step = |block, rows_left| Step { block, rows: 1_200, rows_left };
		let purged = report(vec![step(6, 1_200), step(7, 200), step(8, 0)], Some(8));
		let id = purged.id;
		assert_eq!(
			text(&purged),
			format!(
				"slashed 1.5 UNIT of the bond of the tenant {id}\n\
				 block 8: the tenant {id} is deleted, with 1,200 rows in 2 blocks\n"
			)
		);
		assert!(text(&report(Vec::new(), Some(8))).contains("is deleted, with 1,200 rows\n"));
		assert!(text(&report(Vec::new(), None)).contains("`fabric watch --purge iten"));
		let json = serde_json::to_value(&purged).expect("reports have a JSON form");
		assert_eq!(json["outcome"], "purged");
		assert_eq!(json["id"], id.to_string());
		assert_eq!(json["slashed"], "15");
		assert_eq!(json["steps"][2]["rows_left"], 0);
	}
}
