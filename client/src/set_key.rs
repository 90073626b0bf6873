//! `fabric set-key`: grants an account an access key in a provider or a tenant, changes its level,
//! or revokes it.

use std::{
	io::{self, Write},
	str::FromStr,
};

use clap::Args;
use serde::Serialize;
use subxt::utils::AccountId32;

use crate::{
	calls,
	chain::{Account, Chain},
	member,
	output::Report,
	storage::Level,
	Error,
};

/// The arguments of `fabric set-key`.
#[derive(Debug, Args)]
pub struct Options {
	/// The id of the provider (iprv…) or the tenant (iten…).
	pub id: String,
	/// The account's address.
	pub account: String,
	/// The level: admin in a provider; content, kms or admin in a tenant. Without one the access
	/// key is revoked.
	pub level: Option<Level>,
	/// The key of the root account, or of an admin above the account's present level and its new
	/// one, which signs: a secret phrase, or a derivation such as //Alice.
	#[arg(long, value_name = "KEY")]
	pub signer: String,
}

/// Reads the address of an account.
pub fn account(text: &str) -> Result<AccountId32, Error> {
	AccountId32::from_str(text)
		.map_err(|error| Error::Account { text: text.into(), reason: error.to_string() })
}

/// An access key that was set.
#[derive(Clone, Debug, Serialize)]
pub struct KeySet {
	/// The id of the provider or tenant.
	pub id: String,
	/// The account.
	pub account: String,
	/// Its new level, if it has one.
	pub level: Option<Level>,
}

impl Report for KeySet {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let level = self.level.map_or("no level".into(), |level| format!("level {level}"));
		writeln!(out, "account {} now has {level} in {}", self.account, self.id)
	}
}

/// Sets the access key of an account.
pub async fn run(options: Options, url: &str) -> Result<KeySet, Error> {
	let Options { id, account, level, signer } = options;
	let (member, account) = (member::parse(&id)?, self::account(&account)?);
	if let Some(level) = level {
		member::ensure_grantable(member, level)?;
	}
	let signer: Account = signer.parse()?;
	let chain = Chain::connect(url).await?;
	chain.submit(&signer, calls::set_key(member, &account, level)).await?;
	Ok(KeySet { id, account: account.to_string(), level })
}
