//! The council's choice of validators: `fabric validator add` and `fabric validator remove`.

use clap::Args;
use subxt::utils::AccountId32;

use crate::{
	chain::{calls, rows},
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

impl Which {
	/// A validator without session keys would be named, and never sit.
	pub(super) async fn add(self, context: &Context) -> Result<Outcome, Error> {
		let Self { account, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		if !at.contains(&rows::session_keys(), (account,)).await? {
			return Err(Error::Usage(format!(
				"{account} has no session keys: its operator registers them first, with `fabric \
				 validator make-keys` and `set-keys`"
			)));
		}
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
