//! `fabric validator note-stalled`: forces the queued validators to take over finality.

use std::collections::BTreeSet;

use clap::{value_parser, Args};

use crate::{
	chain::{calls, rows, Snapshot},
	commands::{Act, Action, Authority, Context, CouncilStep, Outcome},
	Error,
};

/// The most blocks until the new set votes: half of a session. GRANDPA takes no other change before.
const MAX_DELAY: i64 = 300;

/// `fabric validator note-stalled`
#[derive(Debug, Args)]
pub struct NoteStalled {
	/// Blocks from the start of the next session to the first vote of the new set
	#[arg(long, value_name = "BLOCKS", value_parser = value_parser!(u32).range(..=MAX_DELAY))]
	delay: u32,
	/// The highest block that any validator of the new set has finalized
	#[arg(long, value_name = "BLOCK")]
	last_finalized: u32,
	#[command(flatten)]
	act: Act,
}

impl NoteStalled {
	pub(super) async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { delay, last_finalized, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		if !matches!(act.council, Some(CouncilStep::Propose | CouncilStep::Vote)) {
			ensure_queued(&at).await?;
		}
		let best_finalized_block_number = last_finalized;
		let action = Action {
			call: at.encode(calls::NoteStalled { delay, best_finalized_block_number })?,
			authority: Authority::Root,
			summary: format!(
				"force the queued validators to take over finality, {delay} blocks after the next \
				 session begins, with block {last_finalized} as the last final one"
			),
			destructive: true,
		};
		act.run(context, &chain, action).await
	}
}

/// Checks that the next session has the validators that the council names, and that they are new,
/// which the call is for.
async fn ensure_queued(at: &Snapshot) -> Result<(), Error> {
	let changes = at.get(&rows::validators_change(), ()).await?.unwrap_or_default();
	let queued = at.get(&rows::queued_validators(), ()).await?.unwrap_or_default();
	let queued: BTreeSet<_> = queued.into_iter().map(|(account, _)| account).collect();
	let mut ready = BTreeSet::new();
	for account in at.get(&rows::named_validators(), ()).await?.unwrap_or_default() {
		if at.contains(&rows::session_keys(), (account,)).await? {
			ready.insert(account);
		}
	}
	let active = at.get(&rows::validators(), ()).await?.unwrap_or_default();
	let active = BTreeSet::from_iter(active);
	if changes && queued == ready && queued != active {
		return Ok(());
	}
	Err(Error::Refused(
		"the next session does not have new validators that the council names: name them first, with \
		 `fabric validator set`, and run this in the session in which they are queued"
			.into(),
	))
}
