//! `fabric validator note-stalled`: begins a new set of voters on finality.

use clap::Args;

use crate::{
	chain::{calls, rows, Snapshot},
	commands::{Act, Action, Authority, Context, CouncilStep, Outcome},
	Error,
};

/// `fabric validator note-stalled`
#[derive(Debug, Args)]
pub struct NoteStalled {
	/// Number of blocks after the one that begins the next session, until the new set votes
	#[arg(long, value_name = "BLOCKS")]
	delay: u32,
	/// The number of the last block that any validator of the new set has finalized
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
				"begin a new set of voters on finality {delay} blocks after the next session begins, \
				 with block {last_finalized} as the last finalized one"
			),
			destructive: true,
		};
		act.run(context, &chain, action).await
	}
}

/// Checks that the next session has a new set, which the call is for.
async fn ensure_queued(at: &Snapshot) -> Result<(), Error> {
	match at.get(&rows::validators_change(), ()).await? {
		Some(true) => Ok(()),
		_ => Err(Error::Refused(
			"the next session has the same validators: name the new ones first, with `fabric validator \
			 set`, and run this in the session in which they are queued"
				.into(),
		)),
	}
}
