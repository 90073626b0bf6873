//! `fabric governance purge`: deletes a member with all rows under it.
//!
//! The chain removes the rows in the blocks that follow, and this command follows and drives it.

use std::io::{self, Write};

use clap::Args;
use content_fabric_identifiers::Muid;
use content_fabric_primitives::MemberId;
use serde::Serialize;

use super::{
	member::{governed, slash_of_bond},
	GovernanceReport,
};
use crate::{
	amount::{Amount, AmountText},
	chain::{
		calls, kind,
		purges::{self, Step, Watched},
		rows::{Member, PurgeScope},
		Chain, Snapshot,
	},
	commands::{Act, Action, Authority, Context, CouncilStep, Outcome, Submitted},
	ids,
	keys::Signer,
	output::{count, warn, Report},
	Error,
};

/// `fabric governance purge`
#[derive(Debug, Args)]
pub struct Purge {
	/// The provider, iprv…, or the tenant, iten…
	#[arg(value_parser = ids::parse_member)]
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
	#[command(flatten)]
	act: Act,
}

/// A purge that was started, or continued.
#[derive(Clone, Debug, Serialize)]
pub struct PurgeReport {
	/// What is left of the member.
	pub outcome: PurgeOutcome,
	/// The kind of member.
	pub kind: &'static str,
	/// The member.
	#[serde(serialize_with = "as_text")]
	pub member: MemberId,
	/// The call that deleted the member. `None` if its purge was under way already.
	pub submitted: Option<Submitted>,
	/// The amount of its bond that the call slashed.
	pub slashed: Amount,
	/// Number of rows that were under it.
	pub rows: u64,
	/// The rows that were left, block by block, while they were removed.
	pub steps: Vec<Step>,
	/// The number of the block after which nothing was left.
	pub block: Option<u64>,
}

/// What a purge has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PurgeOutcome {
	/// Nothing is left.
	Purged,
	/// The chain is removing rows.
	PurgeStarted,
}

fn as_text<S: serde::Serializer>(member: &MemberId, serializer: S) -> Result<S::Ok, S::Error> {
	serializer.collect_str(member)
}

impl Report for PurgeReport {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		if let Some(submitted) = &self.submitted {
			submitted.write_text(out)?;
		}
		let Self { kind, member, slashed, .. } = self;
		let rows = count(self.rows, "row", "rows");
		if slashed.value() > 0 {
			writeln!(out, "slashed {slashed} of the bond of the {kind} {member}")?;
		}
		match (self.block, self.steps.first()) {
			(None, _) => writeln!(
				out,
				"the chain removes {rows} of the {kind} {member}: follow it with `fabric watch --purge \
				 {member}`"
			),
			(Some(block), None) => {
				writeln!(out, "block {block}: the {kind} {member} is deleted, with {rows}")
			},
			(Some(block), Some(first)) => writeln!(
				out,
				"block {block}: the {kind} {member} is deleted, with {rows} in {}",
				count(block.saturating_sub(first.block).max(1), "block", "blocks")
			),
		}
	}
}

impl Purge {
	/// Deletes the member, and follows its purge.
	pub async fn run(self, context: &Context) -> Result<GovernanceReport, Error> {
		let chain = context.connect().await?;
		let at = chain.best().await?;
		let info = governed(&at, self.member, &self.reason).await?;
		let authority = Authority::Governance(info.space);
		if info.purge == Some(PurgeScope::Member) && self.continues() {
			if self.slash.is_some() {
				warn("warning: the purge is under way already, so this run slashes nothing");
			}
			let signer = match self.no_wait {
				true => None,
				false => Some(self.act.signer(context, &chain, authority)?),
			};
			let report = self.report(&chain, None, info.row_count().into());
			return self.follow(context, &chain, report, info.created, signer).await;
		}
		let action = self.action(&chain, &info, authority).await?;
		let (outcome, signer) = self.act.run_with_signer(context, &chain, action).await?;
		match outcome {
			// A motion may be proposed or voted on, and not yet executed.
			Outcome::Submitted(submitted) if self.is_deleted(&submitted) => {
				let started = submitted.fabric_event("PurgeStarted");
				let rows = started.and_then(|event| event.field("rows")?.as_u64()).unwrap_or(0);
				let report = self.report(&chain, Some(submitted), rows);
				self.follow(context, &chain, report, info.created, signer).await
			},
			outcome => Ok(GovernanceReport::Call(outcome)),
		}
	}

	/// Returns whether this run continues a purge that is under way, rather than acts on a motion or
	/// signs nothing.
	fn continues(&self) -> bool {
		let is_motion = matches!(self.act.council, Some(CouncilStep::Propose | CouncilStep::Vote));
		!(is_motion || self.act.dry_run || self.act.print_call)
	}

	async fn action(
		&self,
		chain: &Chain,
		info: &Member,
		authority: Authority,
	) -> Result<Action, Error> {
		let Self { member, reason, .. } = self;
		let units = &chain.identity().units;
		let slash = self.slash.as_ref().map_or(Ok(0), |slash| slash.resolve(units))?;
		let rows = count(info.row_count(), "row", "rows");
		let slashed = match slash {
			0 => String::new(),
			slash => format!(", and slash {}", slash_of_bond(chain, slash, info)),
		};
		let call = calls::GovernanceDelete {
			member: *member,
			created: info.created,
			slash,
			reason: reason.clone().into_bytes(),
		};
		Ok(Action {
			summary: format!("delete the {} {member} with {rows} under it{slashed}", kind(*member)),
			call: chain.best().await?.encode(call)?,
			authority,
			destructive: true,
		})
	}

	/// Returns whether the member was deleted by a call, perhaps in a motion that was executed.
	fn is_deleted(&self, submitted: &Submitted) -> bool {
		let deleted = submitted.fabric_event("GovernanceDeleted");
		deleted.is_some_and(|event| event.text("member") == self.member.to_string())
	}

	fn report(&self, chain: &Chain, submitted: Option<Submitted>, rows: u64) -> PurgeReport {
		let slashed = submitted.as_ref().and_then(|submitted| submitted.fabric_event("Slashed"));
		let slashed = slashed.and_then(|event| event.text("amount").parse().ok()).unwrap_or(0);
		PurgeReport {
			outcome: PurgeOutcome::PurgeStarted,
			kind: kind(self.member),
			member: self.member,
			submitted,
			slashed: chain.identity().units.amount(slashed),
			rows,
			steps: Vec::new(),
			block: None,
		}
	}

	/// Removes rows until none is left, and checks that none is. `created` names the incarnation of
	/// the member: somebody may have taken its id again.
	async fn follow(
		&self,
		context: &Context,
		chain: &Chain,
		mut report: PurgeReport,
		created: Muid,
		signer: Option<Signer>,
	) -> Result<GovernanceReport, Error> {
		let at = chain.best().await?;
		let found = at.find_member(self.member).await?;
		if found.is_some_and(|info| info.created == created) {
			let Some(signer) = signer.filter(|_| !self.no_wait) else {
				return Ok(GovernanceReport::Purge(report));
			};
			let purge = Watched::find(&at, self.member).await?;
			report.rows = purge.rows.into();
			report.steps = purges::drive(chain, &purge, &signer, context.timeout()).await?;
		}
		self.ensure_nothing_is_left(&chain.best().await?).await?;
		report.outcome = PurgeOutcome::Purged;
		let last = report.steps.last().map(|step| step.block);
		report.block = last.or(report.submitted.as_ref().map(|submitted| submitted.block));
		Ok(GovernanceReport::Purge(report))
	}

	/// Checks that no row is left, unless somebody has taken the id again.
	async fn ensure_nothing_is_left(&self, at: &Snapshot) -> Result<(), Error> {
		if at.find_member(self.member).await?.is_some() {
			return Ok(());
		}
		match at.count_rows(self.member).await? {
			0 => Ok(()),
			rows => Err(Error::RowsLeft { id: self.member.to_string(), rows }),
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
			member: TenantId([1; 10]).into(),
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
		let member = purged.member;
		assert_eq!(
			text(&purged),
			format!(
				"slashed 1.5 UNIT of the bond of the tenant {member}\n\
				 block 8: the tenant {member} is deleted, with 1,200 rows in 2 blocks\n"
			)
		);
		assert!(text(&report(Vec::new(), Some(8))).contains("is deleted, with 1,200 rows\n"));
		assert!(text(&report(Vec::new(), None)).contains("`fabric watch --purge iten"));
		let json = serde_json::to_value(&purged).expect("reports have a JSON form");
		assert_eq!(json["outcome"], "purged");
		assert_eq!(json["member"], member.to_string());
		assert_eq!(json["slashed"], "15");
		assert_eq!(json["steps"][2]["rows_left"], 0);
	}
}
