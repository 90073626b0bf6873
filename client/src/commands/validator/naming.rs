// SPDX-License-Identifier: Apache-2.0
//! The council's choice of validators: `fabric validator add`, `remove` and `set`.

use std::collections::BTreeSet;

use clap::Args;
use subxt::utils::AccountId32;

use crate::{
	chain::{calls, rows, Snapshot},
	commands::{Act, Action, Authority, Context, Outcome},
	ids, Error,
};

/// `fabric validator add` and `fabric validator remove`
#[derive(Debug, Args)]
pub struct Which {
	/// The account of the validator
	#[arg(value_parser = ids::parse_account)]
	account: AccountId32,
	#[command(flatten)]
	act: Act,
}

/// `fabric validator set`
#[derive(Debug, Args)]
pub struct Set {
	/// The accounts of the validators, of all of them
	#[arg(required = true, value_parser = ids::parse_account)]
	accounts: Vec<AccountId32>,
	#[command(flatten)]
	act: Act,
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
	pub(super) async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { accounts, act } = self;
		ensure_distinct(&accounts)?;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		for account in &accounts {
			ensure_keys(&at, *account).await?;
		}
		let named: Vec<_> = accounts.iter().map(ToString::to_string).collect();
		let action = Action {
			summary: format!("name these validators, and no others: {}", named.join(", ")),
			call: at.encode(calls::SetInvulnerables { new: accounts })?,
			authority: Authority::Council,
			destructive: true,
		};
		act.run(context, &chain, action).await
	}
}

impl Which {
	pub(super) async fn add(self, context: &Context) -> Result<Outcome, Error> {
		let Self { account, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		ensure_keys(&at, account).await?;
		let action = Action {
			call: at.encode(calls::AddInvulnerable { who: account })?,
			authority: Authority::Council,
			summary: format!("name the validator {account}"),
			destructive: false,
		};
		act.run(context, &chain, action).await
	}

	pub(super) async fn remove(self, context: &Context) -> Result<Outcome, Error> {
		let Self { account, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		let action = Action {
			call: at.encode(calls::RemoveInvulnerable { who: account })?,
			authority: Authority::Council,
			summary: format!("remove {account} from the validators"),
			destructive: true,
		};
		act.run(context, &chain, action).await
	}
}
