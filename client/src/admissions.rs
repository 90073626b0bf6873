//! `fabric admit` and `fabric revoke-admission`: grant and revoke the approval of accounts to
//! become the root of a provider or a tenant in a space.

use std::io::{self, Write};

use clap::Args;
use content_fabric_identifiers::SpaceId;
use serde::Serialize;

use crate::{
	calls,
	chain::{Account, Chain},
	governance, ids,
	member::{role_name, role_parser, Role},
	output::{count, Report},
	set_key, storage, Error,
};

/// The arguments of `fabric admit` and `fabric revoke-admission`.
#[derive(Debug, Args)]
pub struct Options {
	/// The id of the space, ispc….
	pub space: String,
	/// The account's address.
	pub account: String,
	/// The kind of member that the account may become the root of.
	#[arg(value_parser = role_parser())]
	pub role: Role,
	/// The key of the space's governor, which signs: a secret phrase, or a derivation such as
	/// //Alice.
	#[arg(long, default_value = "//Alice", value_name = "KEY")]
	pub governor: String,
}

/// An admission that was granted or revoked.
#[derive(Clone, Debug, Serialize)]
pub struct Admission {
	/// The id of the space.
	pub space: String,
	/// The account.
	pub account: String,
	/// The kind of member that it may become the root of, or may no longer.
	pub role: &'static str,
	/// True if it is admitted.
	pub admitted: bool,
	/// Number of unused admissions to the space.
	pub unused: u32,
}

impl Report for Admission {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { space, account, role, .. } = self;
		let state = if self.admitted { "is admitted" } else { "is no longer admitted" };
		let unused = count(self.unused, "unused admission", "unused admissions");
		writeln!(out, "account {account} {state} to {space} as a {role}; the space has {unused}")
	}
}

/// Admits an account.
pub async fn admit(options: Options, url: &str) -> Result<Admission, Error> {
	set(options, url, true).await
}

/// Revokes an unused admission.
pub async fn revoke(options: Options, url: &str) -> Result<Admission, Error> {
	set(options, url, false).await
}

async fn set(options: Options, url: &str, admitted: bool) -> Result<Admission, Error> {
	let Options { space, account, role, governor } = options;
	let id: SpaceId = ids::parse(&space)?;
	let account = set_key::account(&account)?;
	let governor: Account = governor.parse()?;
	let chain = Chain::connect(url).await?;
	let call = match admitted {
		true => calls::admit(id, &account, role),
		false => calls::revoke_admissions(id, [(&account, role)]),
	};
	governance::submit(&chain, &governor, id, call).await?;
	let info = chain.best().await?.get(&storage::spaces(), (id.0,)).await?;
	let unused = info.map_or(0, |info| info.admission_count);
	let (account, role) = (account.to_string(), role_name(role));
	Ok(Admission { space, account, role, admitted, unused })
}
