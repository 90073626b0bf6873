//! `fabric set-max-held`: limits what may be on hold for a provider or a tenant.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::{
	calls,
	member::{self, ByRoot},
	output::{amount, Amount, Report},
	Error,
};

/// The arguments of `fabric set-max-held`.
#[derive(Debug, Args)]
pub struct Options {
	/// The member, and the key of its root.
	#[command(flatten)]
	pub by: ByRoot,
	/// The most that may be on hold, bond and deposits together, in the smallest unit of the
	/// chain's currency. At least what is on hold.
	#[arg(value_parser = amount)]
	pub amount: u128,
}

/// A limit that was set.
#[derive(Clone, Debug, Serialize)]
pub struct MaxHeldSet {
	/// The id of the provider or tenant.
	pub id: String,
	/// The most that may be on hold for it.
	pub max_held: Amount,
	/// The amount that is on hold for it.
	pub held: Amount,
}

impl Report for MaxHeldSet {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { id, max_held, held } = self;
		writeln!(out, "at most {max_held} may be on hold for {id}; {held} is on hold now")
	}
}

/// Sets the limit.
pub async fn run(options: Options, url: &str) -> Result<MaxHeldSet, Error> {
	let Options { by, amount } = options;
	let (member, signer, chain) = by.connect(url).await?;
	if let Err(error) = chain.submit(&signer, calls::set_max_held(member, amount)).await {
		return Err(member::explain_limit(error, member, &chain).await);
	}
	let info = member::get(member, &chain.best().await?).await?;
	let (max_held, held) = (Amount(info.max_held), Amount(info.held()));
	Ok(MaxHeldSet { id: by.id, max_held, held })
}
