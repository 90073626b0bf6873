// SPDX-License-Identifier: Apache-2.0
//! The council's choice of validators: `fabric validator add`, `remove`, `set` and `note-stalled`.

use std::collections::{BTreeMap, BTreeSet};

use clap::{value_parser, Args};
use subxt::utils::AccountId32;

use crate::{
	chain::{
		calls,
		rows::{self, SessionKeys},
		Snapshot,
	},
	commands::{Action, Authority, CouncilStep, Setting},
	ids, Error,
};

/// `fabric validator add` and `fabric validator remove`
#[derive(Debug, Args)]
pub struct Which {
	/// The account of the validator
	#[arg(value_parser = ids::parse_account)]
	account: AccountId32,
}

#[derive(Debug, Args)]
pub struct Set {
	/// The accounts of the validators, of all of them
	#[arg(required = true, value_parser = ids::parse_account)]
	accounts: Vec<AccountId32>,
}

/// Checks that a validator has session keys. Without them it would be named, and never active.
async fn ensure_keys(at: &Snapshot, account: AccountId32) -> Result<(), Error> {
	match at.contains(&rows::session_keys(), (account,)).await? {
		true => Ok(()),
		false => Err(Error::Refused(format!(
			"{account} has no session keys: its operator registers them first, with `fabric \
			 validator make-keys` and `set-keys`"
		))),
	}
}

/// Checks that nobody is named twice.
fn ensure_distinct(accounts: &[AccountId32]) -> Result<(), Error> {
	let mut seen = BTreeSet::new();
	match accounts.iter().find(|account| !seen.insert(**account)) {
		Some(twice) => {
			Err(Error::Usage(format!("{twice} is listed twice: list each validator once")))
		},
		None => Ok(()),
	}
}

impl Set {
	pub(super) async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let accounts = self.accounts;
		ensure_distinct(&accounts)?;
		let at = setting.view().await?;
		for account in &accounts {
			ensure_keys(&at, *account).await?;
		}
		let named: Vec<_> = accounts.iter().map(ToString::to_string).collect();
		let summary = format!("name these validators, and no others: {}", named.join(", "));
		at.destructive(Authority::Council, calls::SetInvulnerables { new: accounts }, summary)
	}
}

impl Which {
	pub(super) async fn add(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let (at, who) = (setting.view().await?, self.account);
		ensure_keys(&at, who).await?;
		let summary = format!("name the validator {who}");
		at.action(Authority::Council, calls::AddInvulnerable { who }, summary)
	}

	pub(super) async fn remove(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let (at, who) = (setting.view().await?, self.account);
		let summary = format!("remove {who} from the validators");
		at.destructive(Authority::Council, calls::RemoveInvulnerable { who }, summary)
	}
}

/// The most blocks until the new set votes: half of a session of an hour. GRANDPA takes no other
/// change before.
const MAX_DELAY: i64 = 300;

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
