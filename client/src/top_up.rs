//! `fabric top-up`: adds to the bond of a provider or a tenant.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::{
	calls,
	member::{self, ByRoot},
	output::{amount, Amount, Report},
	Error,
};

/// The arguments of `fabric top-up`.
#[derive(Debug, Args)]
pub struct Options {
	/// The member, and the key of its root.
	#[command(flatten)]
	pub by: ByRoot,
	/// The amount, in the smallest unit of the chain's currency.
	#[arg(value_parser = amount)]
	pub amount: u128,
}

/// A bond that was topped up.
#[derive(Clone, Debug, Serialize)]
pub struct ToppedUp {
	/// The id of the provider or tenant.
	pub id: String,
	/// The amount that was added.
	pub added: Amount,
	/// The new bond.
	pub bond: Amount,
	/// The root, on which it is on hold.
	pub root: String,
}

impl Report for ToppedUp {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { id, added, bond, root } = self;
		writeln!(out, "added {added} to the bond of {id}, which is {bond} now, on hold on {root}")
	}
}

/// Adds to the bond.
pub async fn run(options: Options, url: &str) -> Result<ToppedUp, Error> {
	let Options { by, amount } = options;
	let (member, signer, chain) = by.connect(url).await?;
	chain.submit(&signer, calls::top_up_bond(member, amount)).await?;
	let info = member::get(member, &chain.best().await?).await?;
	let (added, bond) = (Amount(amount), Amount(info.bond));
	Ok(ToppedUp { id: by.id, added, bond, root: info.root.to_string() })
}
