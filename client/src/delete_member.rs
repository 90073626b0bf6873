//! `fabric delete-tenant` and `fabric delete-provider`: governance purges a whole tenant, or a
//! whole provider, with one call.
//!
//! The chain removes the rows in the blocks that follow, and this command drives it. A purge that
//! is already under way is continued.

use std::io::{self, Write};

use clap::Args;
use content_fabric_identifiers::{ProviderId, SpaceId, TenantId};
use scale_decode::DecodeAsType;
use serde::Serialize;

use crate::{
	calls,
	chain::{fabric_events, Account, Chain},
	governance, ids,
	member::{self, MemberId},
	output::{amount, count, Amount, Report},
	purges::{self, Step, Watched},
	storage::PurgeScope,
	text_limits::TextLimit,
	Error,
};

/// The arguments of `fabric delete-tenant` and `fabric delete-provider`.
#[derive(Debug, Args)]
pub struct Options {
	/// The id: of a tenant (iten…) for delete-tenant, of a provider (iprv…) for delete-provider.
	pub id: String,
	/// The key of the space's governor, which signs: a secret phrase, or a derivation such as
	/// //Alice.
	#[arg(long, default_value = "//Alice", value_name = "KEY")]
	pub governor: String,
	/// The amount that is slashed, at most the bond. In the smallest unit of the chain's currency.
	#[arg(long, default_value = "0", value_parser = amount, value_name = "N")]
	pub slash: u128,
	/// The reason, or a link to it. The chain's events carry it.
	#[arg(long, default_value = "", hide_default_value = true, value_name = "TEXT")]
	pub reason: String,
}

/// A member that was deleted.
#[derive(Clone, Debug, Serialize)]
pub struct Deleted {
	/// The kind of member: a tenant or a provider.
	pub kind: &'static str,
	/// Its id.
	pub id: String,
	/// Number of rows that were under it.
	pub rows: u32,
	/// The amount that was slashed of its bond.
	pub slashed: Amount,
	/// True if nothing was left after the one call, because there were no rows.
	pub at_once: bool,
	/// The rows that were left, block by block, while they were removed.
	pub steps: Vec<Step>,
	/// The number of the block after which nothing was left.
	pub block: u64,
}

impl Report for Deleted {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let rows = count(self.rows, "row", "rows");
		let how = match self.at_once {
			true => "in one call".into(),
			false => format!("in {}", count(self.steps.len() as u64, "block", "blocks")),
		};
		writeln!(out, "deleted {} {} with {rows} {how}", self.kind, self.id)?;
		if self.slashed != Amount(0) {
			writeln!(out, "slashed {} of its bond", self.slashed)?;
		}
		writeln!(out, "block {}: nothing is left under it, and its id is free again", self.block)
	}
}

#[derive(DecodeAsType)]
struct Slashed {
	amount: u128,
}

/// Deletes a tenant with all rows under it, and checks that none is left.
pub async fn tenant(options: Options, url: &str) -> Result<Deleted, Error> {
	let tenant: TenantId = ids::parse(&options.id)?;
	run(tenant.into(), &options, url).await
}

/// Deletes a provider with all rows under it, and checks that none is left.
pub async fn provider(options: Options, url: &str) -> Result<Deleted, Error> {
	let provider: ProviderId = ids::parse(&options.id)?;
	run(provider.into(), &options, url).await
}

async fn run(member: MemberId, options: &Options, url: &str) -> Result<Deleted, Error> {
	let governor: Account = options.governor.parse()?;
	let chain = Chain::connect(url).await?;
	let mut deleted = Deleted {
		kind: member::kind(member),
		id: member.to_string(),
		rows: 0,
		slashed: Amount(0),
		at_once: false,
		steps: Vec::new(),
		block: 0,
	};
	if let Some(purge) = start(&chain, member, options, &governor, &mut deleted).await? {
		deleted.rows = purge.rows;
		deleted.steps = purges::drive(&chain, &purge, &governor).await?;
	} else {
		deleted.at_once = true;
	}
	let at = chain.best().await?;
	deleted.block = at.block_number();
	// Somebody may have taken the id again.
	if member::find(member, &at).await?.is_none() {
		let rows = member::count_rows(member, &at).await?;
		if rows > 0 {
			return Err(Error::RowsLeft { id: member.to_string(), rows });
		}
	}
	Ok(deleted)
}

/// Has governance delete the member, unless it has done so. Returns the purge, if there are rows to
/// be removed.
async fn start(
	chain: &Chain,
	member: MemberId,
	options: &Options,
	governor: &Account,
	deleted: &mut Deleted,
) -> Result<Option<Watched>, Error> {
	let at = chain.best().await?;
	let info = member::get(member, &at).await?;
	if info.purge == Some(PurgeScope::Member) {
		return Watched::find(&at, member).await.map(Some);
	}
	TextLimit::Reason.ensure(&at, "--reason", &options.reason)?;
	let call = calls::governance_delete(member, info.created, options.slash, &options.reason);
	let events = governance::submit(chain, governor, SpaceId(info.space), call).await?;
	let slashed: Vec<Slashed> = fabric_events(&events, "Slashed")?;
	deleted.slashed = Amount(slashed.iter().map(|event| event.amount).sum());
	// Rows may have been added, or removed, ahead of the call.
	Watched::started(&events, member, info.created)
}
