//! `fabric validator note-stalled`: begins a new set of voters on finality.

use clap::Args;

use crate::{
	chain::calls,
	commands::{Act, Action, Authority, Context, Outcome},
	Error,
};

/// `fabric validator note-stalled`
#[derive(Debug, Args)]
pub struct NoteStalled {
	/// Number of blocks after the one that begins the next session, until the new set votes
	#[arg(long, value_name = "BLOCKS")]
	delay: u32,
	/// The number of the last finalized block [default: that of the node]
	#[arg(long, value_name = "BLOCK")]
	last_finalized: Option<u32>,
	#[command(flatten)]
	act: Act,
}

impl NoteStalled {
	pub(super) async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { delay, last_finalized, act } = self;
		let chain = context.connect().await?;
		let best_finalized_block_number = match last_finalized {
			Some(number) => number,
			None => u32::try_from(chain.finalized().await?.block_number()).map_err(|_| {
				Error::Usage("the number of the last finalized block is too large".into())
			})?,
		};
		let action = Action {
			call: chain
				.best()
				.await?
				.encode(calls::NoteStalled { delay, best_finalized_block_number })?,
			authority: Authority::Root,
			summary: format!(
				"begin a new set of voters on finality {delay} blocks after the next session begins, \
				 with block {best_finalized_block_number} as the last finalized one"
			),
			destructive: true,
		};
		act.run(context, &chain, action).await
	}
}
