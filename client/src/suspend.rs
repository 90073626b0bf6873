//! `fabric suspend` and `fabric resume`: governance closes a provider or a tenant, and opens it
//! again.

use std::io::{self, Write};

use clap::Args;
use content_fabric_identifiers::SpaceId;
use serde::Serialize;

use crate::{
	calls,
	chain::{Account, Chain},
	governance, member,
	output::Report,
	text_limits::TextLimit,
	Error,
};

/// The arguments of `fabric suspend` and `fabric resume`.
#[derive(Debug, Args)]
pub struct Options {
	/// The id of the provider (iprv…) or the tenant (iten…).
	pub id: String,
	/// The reason, or a link to it. The chain's events carry it.
	#[arg(long, default_value = "", hide_default_value = true, value_name = "TEXT")]
	pub reason: String,
	/// The key of the space's governor, which signs: a secret phrase, or a derivation such as
	/// //Alice.
	#[arg(long, default_value = "//Alice", value_name = "KEY")]
	pub governor: String,
}

/// A member that was suspended or resumed.
#[derive(Clone, Debug, Serialize)]
pub struct Suspension {
	/// The id of the provider or tenant.
	pub id: String,
	/// True if it is suspended.
	pub suspended: bool,
	/// The reason.
	pub reason: String,
}

impl Report for Suspension {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let state = if self.suspended { "is suspended" } else { "is not suspended" };
		match self.reason.as_str() {
			"" => writeln!(out, "{} {state}", self.id),
			reason => writeln!(out, "{} {state}: {reason}", self.id),
		}
	}
}

/// Suspends a member.
pub async fn suspend(options: Options, url: &str) -> Result<Suspension, Error> {
	set(options, url, true).await
}

/// Lifts the suspension of a member.
pub async fn resume(options: Options, url: &str) -> Result<Suspension, Error> {
	set(options, url, false).await
}

async fn set(options: Options, url: &str, suspended: bool) -> Result<Suspension, Error> {
	let Options { id, reason, governor } = options;
	let member = member::parse(&id)?;
	let governor: Account = governor.parse()?;
	let chain = Chain::connect(url).await?;
	let at = chain.best().await?;
	let info = member::get(member, &at).await?;
	TextLimit::Reason.ensure(&at, "--reason", &reason)?;
	let call = calls::set_suspended(member, info.created, suspended, &reason);
	governance::submit(&chain, &governor, SpaceId(info.space), call).await?;
	Ok(Suspension { id, suspended, reason })
}
