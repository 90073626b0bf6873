//! `fabric delete-tenant` and `fabric delete-provider`: governance deletes a whole tenancy, or a
//! whole provider, with one call.
//!
//! If there are more rows than the call may remove at once, the chain removes them in steps, in the
//! blocks that have weight to spare. A development chain makes blocks for transactions only, so the
//! command sends some that remove rows, which costs no fee, until none is left. A deletion that is
//! under way already is taken up.

use std::io::{self, Write};

use clap::Args;
use content_fabric_identifiers::{ProviderId, TenantId};
use scale_decode::DecodeAsType;
use serde::Serialize;

use crate::{
	calls,
	chain::{fabric_events, Account, Chain, Events},
	member::MemberId,
	output::{amount, count, Amount, Report},
	watch_deletion::{rows_left, rows_of, Step},
	Error,
};

/// Rows that a transaction removes at most, once a deletion has started: a small part of what fits
/// into a block.
const REAP_ROWS: u32 = 1_000;

/// What is deleted, and by whom.
#[derive(Debug, Args)]
pub struct Options {
	/// The id: of a tenant (iten…) for delete-tenant, of a provider (iprv…) for delete-provider.
	pub id: String,
	/// The key of the space's governor: a secret phrase, or a derivation such as //Alice.
	#[arg(long, default_value = "//Alice", value_name = "KEY")]
	pub governor: String,
	/// Rows that the one call may remove at once, no more than a block has weight for. If there are
	/// more, the chain removes them in steps, and this command sends a transaction for each.
	#[arg(long, default_value_t = 1_000, value_name = "N")]
	pub max_rows: u32,
	/// What is slashed, in the smallest unit of the chain's currency, but at most the bond.
	#[arg(long, default_value = "0", value_parser = amount, value_name = "N")]
	pub slash: u128,
}

/// What was deleted.
#[derive(Clone, Debug, Serialize)]
pub struct Deleted {
	/// What it was: a tenant or a provider.
	pub kind: &'static str,
	/// Its id.
	pub id: String,
	/// The number of rows that were under it.
	pub rows: u32,
	/// What was slashed of its bond.
	pub slashed: Amount,
	/// Whether the call removed all rows at once.
	pub at_once: bool,
	/// How many rows were left after each block in which a deletion in steps was seen.
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
struct Rows {
	rows: u32,
}

#[derive(DecodeAsType)]
struct Slashed {
	amount: u128,
}

/// Deletes a tenant with all its rows, and checks that none is left.
pub async fn tenant(options: Options, url: &str) -> Result<Deleted, Error> {
	let id = |reason| Error::Id { text: options.id.clone(), reason };
	let tenant: TenantId = options.id.parse().map_err(id)?;
	run(tenant.into(), &options, url).await
}

/// Deletes a provider with all its rows, and checks that none is left.
pub async fn provider(options: Options, url: &str) -> Result<Deleted, Error> {
	let id = |reason| Error::Id { text: options.id.clone(), reason };
	let provider: ProviderId = options.id.parse().map_err(id)?;
	run(provider.into(), &options, url).await
}

async fn run(member: MemberId, options: &Options, url: &str) -> Result<Deleted, Error> {
	let governor: Account = options.governor.parse()?;
	let chain = Chain::connect(url).await?;
	let mut deleted = start(&chain, member, options, &governor).await?;
	if !deleted.at_once {
		deleted.steps = drive(&chain, member, deleted.rows, &governor).await?;
	}
	let at = chain.best().await?;
	deleted.block = at.block_number();
	// Somebody may have taken the id again.
	if member.find(&at).await?.is_none() {
		let rows = member.count_rows(&at).await?;
		if rows > 0 {
			return Err(Error::RowsLeft { id: member.to_string(), rows });
		}
	}
	Ok(deleted)
}

/// Has governance delete the member, unless it has done so already.
async fn start(
	chain: &Chain,
	member: MemberId,
	options: &Options,
	governor: &Account,
) -> Result<Deleted, Error> {
	let at = chain.best().await?;
	let mut deleted = Deleted {
		kind: member.kind(),
		id: member.to_string(),
		rows: 0,
		slashed: Amount(0),
		at_once: false,
		steps: Vec::new(),
		block: at.block_number(),
	};
	if member.get(&at).await?.being_deleted {
		deleted.rows = rows_of(&at, member).await?;
		return Ok(deleted);
	}
	let call = calls::governance_delete(member, options.slash, options.max_rows);
	let events = chain.submit(governor, call).await?;
	let [slashed, at_once, started] = match member {
		MemberId::Provider(_) => ["ProviderSlashed", "ProviderDeleted", "ProviderDeletionStarted"],
		MemberId::Tenant(_) => ["TenantSlashed", "TenantDeleted", "TenantDeletionStarted"],
	};
	let slashed: Vec<Slashed> = fabric_events(&events, slashed)?;
	deleted.slashed = Amount(slashed.iter().map(|event| event.amount).sum());
	match (told_rows(&events, at_once)?, told_rows(&events, started)?) {
		(Some(rows), _) => (deleted.rows, deleted.at_once) = (rows, true),
		(None, Some(rows)) => deleted.rows = rows,
		(None, None) => {
			let call = "ContentFabric.governance_delete";
			return Err(Error::Event { call, event: started });
		},
	}
	Ok(deleted)
}

/// The number of rows that an event tells, if it happened.
fn told_rows(events: &Events, name: &str) -> Result<Option<u32>, Error> {
	let events: Vec<Rows> = fabric_events(events, name)?;
	Ok(events.first().map(|event| event.rows))
}

/// Removes rows until none is left, and says on standard error how many are left after each block.
async fn drive(
	chain: &Chain,
	member: MemberId,
	rows: u32,
	signer: &Account,
) -> Result<Vec<Step>, Error> {
	let mut steps = Vec::new();
	loop {
		let at = chain.best().await?;
		let left = rows_left(&at, member).await?;
		let step = Step { block: at.block_number(), rows, rows_left: left.unwrap_or(0) };
		eprintln!("{step}");
		steps.push(step);
		if left.is_none() {
			return Ok(steps);
		}
		let reaped = chain.submit(signer, calls::reap(member, REAP_ROWS)).await;
		if let Err(error) = reaped {
			// The chain goes on by itself, so the last row may go before the transaction comes.
			if rows_left(&chain.best().await?, member).await?.is_some() {
				return Err(error);
			}
		}
	}
}
