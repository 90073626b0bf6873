// SPDX-License-Identifier: Apache-2.0
//! The council's choice of validators: `fabric validator add`, `remove` and `set`.

use std::collections::BTreeSet;

use clap::Args;
use subxt::utils::AccountId32;

use crate::{
	chain::{calls, rows, Snapshot},
	commands::{Action, Authority, Setting},
	ids, Error,
};

/// `fabric validator add` and `fabric validator remove`
#[derive(Debug, Args)]
pub struct Which {
	/// The account of the validator
	#[arg(value_parser = ids::parse_account)]
	account: AccountId32,
}

/// `fabric validator set`
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
