//! `fabric nominate-root` and `fabric accept-root`: give a provider or a tenant another root.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::{
	calls,
	chain::{Account, Chain},
	member,
	output::{amount, Amount, Report},
	set_key,
	storage::Nomination,
	Error,
};

/// The arguments of `fabric nominate-root`.
#[derive(Debug, Args)]
pub struct NominateOptions {
	/// The id of the provider (iprv…) or the tenant (iten…).
	pub id: String,
	/// The address of the account, or `none` to withdraw the nomination.
	#[arg(value_name = "ACCOUNT|none")]
	pub account: String,
	/// The key of the root account or of the space's governor, which signs: a secret phrase, or a
	/// derivation such as //Alice.
	#[arg(long, value_name = "KEY")]
	pub signer: String,
}

/// The present nomination of a member.
#[derive(Clone, Debug, Serialize)]
pub struct Nominated {
	/// The id of the provider or tenant.
	pub id: String,
	/// The account that may become the root, if one is nominated.
	pub nominee: Option<String>,
	/// The block from which it may accept, if governance nominated it.
	pub matures: Option<u64>,
}

impl Report for Nominated {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		match (self.nominee.as_deref(), self.matures) {
			(None, _) => writeln!(out, "no account is nominated as the root of {}", self.id),
			(Some(nominee), None) => {
				writeln!(out, "account {nominee} may accept to become the root of {}", self.id)
			},
			(Some(nominee), Some(block)) => writeln!(
				out,
				"account {nominee} may accept to become the root of {} from block {block} on",
				self.id
			),
		}
	}
}

/// Nominates a root, or withdraws the nomination.
pub async fn nominate(options: NominateOptions, url: &str) -> Result<Nominated, Error> {
	let NominateOptions { id, account, signer } = options;
	let member = member::parse(&id)?;
	let nominee = match account.as_str() {
		"none" => None,
		address => Some(set_key::account(address)?),
	};
	let signer: Account = signer.parse()?;
	let chain = Chain::connect(url).await?;
	let created = member::get(member, &chain.best().await?).await?.created;
	chain.submit(&signer, calls::nominate_root(member, created, nominee.as_ref())).await?;
	let nomination = member::get(member, &chain.best().await?).await?.nomination;
	let (nominee, matures) = match nomination {
		Some(Nomination { nominee, governance_matures }) => {
			(Some(nominee.to_string()), governance_matures)
		},
		None => (None, None),
	};
	Ok(Nominated { id, nominee, matures })
}

/// The arguments of `fabric accept-root`.
#[derive(Debug, Args)]
pub struct AcceptOptions {
	/// The id of the provider (iprv…) or the tenant (iten…).
	pub id: String,
	/// The most that may be on hold for it, bond and deposits together, in the smallest unit of the
	/// chain's currency. What is on hold moves to the new root.
	#[arg(long, value_parser = amount, value_name = "N")]
	pub max_held: u128,
	/// The key of the nominated account, which signs: a secret phrase, or a derivation such as
	/// //Alice.
	#[arg(long, value_name = "KEY")]
	pub signer: String,
}

/// A member with a new root.
#[derive(Clone, Debug, Serialize)]
pub struct Accepted {
	/// The id of the provider or tenant.
	pub id: String,
	/// The new root.
	pub root: String,
	/// The amount that is on hold on it.
	pub held: Amount,
	/// The most that may be on hold.
	pub max_held: Amount,
}

impl Report for Accepted {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { id, root, held, max_held } = self;
		writeln!(out, "account {root} is the root of {id}; {held} is on hold, at most {max_held}")?;
		writeln!(out, "access keys of others stay: review them with `fabric tree`")
	}
}

/// Accepts a nomination.
pub async fn accept(options: AcceptOptions, url: &str) -> Result<Accepted, Error> {
	let AcceptOptions { id, max_held, signer } = options;
	let member = member::parse(&id)?;
	let signer: Account = signer.parse()?;
	let chain = Chain::connect(url).await?;
	if let Err(error) = chain.submit(&signer, calls::accept_root(member, max_held)).await {
		return Err(member::explain_limit(error, member, &chain).await);
	}
	let info = member::get(member, &chain.best().await?).await?;
	let (held, max_held) = (Amount(info.held()), Amount(info.max_held));
	Ok(Accepted { id, root: info.root.to_string(), held, max_held })
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_nomination_says_when_it_can_be_accepted() {
		let text = |nominee: Option<&str>, matures| {
			let nominee = nominee.map(str::to_owned);
			let mut out = Vec::new();
			let report = Nominated { id: "iten1".into(), nominee, matures };
			report.write_text(&mut out).expect("memory takes all");
			String::from_utf8(out).expect("it is text")
		};
		assert_eq!(text(None, None), "no account is nominated as the root of iten1\n");
		let accept = "account 5A may accept to become the root of iten1";
		assert_eq!(text(Some("5A"), None), format!("{accept}\n"));
		assert_eq!(text(Some("5A"), Some(9)), format!("{accept} from block 9 on\n"));
	}
}
