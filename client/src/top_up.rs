//! `fabric top-up`: adds to the bond of a provider or a tenant.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::{
	calls,
	chain::{Account, Chain},
	member::MemberId,
	output::{amount, Amount, Report},
	Error,
};

/// Whose bond is added to, by how much and by whom.
#[derive(Debug, Args)]
pub struct Options {
	/// The id of the provider (iprv…) or the tenant (iten…).
	pub id: String,
	/// What is added, in the smallest unit of the chain's currency. With 0, all that is held for a
	/// provider or tenant that was handed over moves to its root account.
	#[arg(value_parser = amount)]
	pub amount: u128,
	/// The key of the root account: a secret phrase, or a derivation such as //Alice.
	#[arg(long, value_name = "KEY")]
	pub signer: String,
}

/// What was added.
#[derive(Clone, Debug, Serialize)]
pub struct ToppedUp {
	/// The id of the provider or tenant.
	pub id: String,
	/// What was added.
	pub added: Amount,
	/// The bond as it is now.
	pub bond: Amount,
	/// The account on which it is held.
	pub depositor: String,
}

impl Report for ToppedUp {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { id, added, bond, depositor } = self;
		writeln!(out, "added {added} to the bond of {id}, which is {bond} now, held on {depositor}")
	}
}

/// Adds to the bond.
pub async fn run(options: Options, url: &str) -> Result<ToppedUp, Error> {
	let Options { id, amount, signer } = options;
	let member: MemberId = id.parse()?;
	let signer: Account = signer.parse()?;
	let chain = Chain::connect(url).await?;
	chain.submit(&signer, calls::top_up_bond(member, amount)).await?;
	let info = member.get(&chain.best().await?).await?;
	Ok(ToppedUp {
		id,
		added: Amount(amount),
		bond: Amount(info.bond),
		depositor: info.depositor.to_string(),
	})
}
