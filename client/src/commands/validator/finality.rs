// SPDX-License-Identifier: Apache-2.0
//! `fabric validator note-stalled`: forces the queued validators to take over finality.

use std::collections::BTreeMap;

use clap::{value_parser, Args};

use crate::{
	chain::{
		calls,
		rows::{self, SessionKeys},
		Snapshot,
	},
	commands::{Action, Authority, CouncilStep, Setting},
	Error,
};

/// The most blocks until the new set votes: half of a session of an hour. GRANDPA takes no other
/// change before.
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
}

impl NoteStalled {
	pub(super) async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { delay, last_finalized } = self;
		let at = setting.view().await?;
		if !matches!(setting.act.council, Some(CouncilStep::Propose | CouncilStep::Vote)) {
			ensure_queued(&at).await?;
		}
		let summary = format!(
			"force the queued validators to take over finality, {delay} blocks after the next \
			 session begins, with block {last_finalized} as the last final one"
		);
		let call = calls::NoteStalled { delay, best_finalized_block_number: last_finalized };
		at.destructive(Authority::Root, call, summary)
	}
}

/// Checks that the next session has other validators or keys, and that they are those which are
/// named and registered now: that is what the call is for.
async fn ensure_queued(at: &Snapshot) -> Result<(), Error> {
	let pair = |keys: SessionKeys| (keys.aura, keys.grandpa);
	let queued = at.get(&rows::queued_validators(), ()).await?.unwrap_or_default();
	let queued: BTreeMap<_, _> =
		queued.into_iter().map(|(account, keys)| (account, pair(keys))).collect();
	let mut ready = BTreeMap::new();
	for account in at.get(&rows::named_validators(), ()).await?.unwrap_or_default() {
		if let Some(keys) = at.get(&rows::session_keys(), (account,)).await? {
			ready.insert(account, pair(keys));
		}
	}
	if at.get(&rows::validators_change(), ()).await? == Some(true) && queued == ready {
		return Ok(());
	}
	Err(Error::Refused(
		"the next session does not have the validators and keys that are named and registered, or \
		 they are the present ones: name new validators first, with `fabric validator set`, and run \
		 this in the session in which they are queued"
			.into(),
	))
}
