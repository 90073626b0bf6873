//! `fabric set-key`: gives an account a level in a provider or a tenant, or takes it.

use std::{
	fmt,
	io::{self, Write},
	str::FromStr,
};

use content_fabric_identifiers::{ProviderId, TenantId};
use serde::Serialize;
use subxt::utils::AccountId32;

use crate::{
	calls,
	chain::{Account, Chain},
	output::Report,
	storage::Level,
	Error,
};

/// The id of a provider or a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberId {
	/// `iprv…`
	Provider(ProviderId),
	/// `iten…`
	Tenant(TenantId),
}

impl FromStr for MemberId {
	type Err = Error;

	fn from_str(text: &str) -> Result<Self, Error> {
		let id = |reason| Error::Id { text: text.into(), reason };
		match text {
			_ if text.starts_with(ProviderId::PREFIX) => {
				text.parse().map(Self::Provider).map_err(id)
			},
			_ if text.starts_with(TenantId::PREFIX) => text.parse().map(Self::Tenant).map_err(id),
			_ => {
				let prefixes = [ProviderId::PREFIX, TenantId::PREFIX].join(", ");
				Err(Error::IdKind { text: text.into(), prefixes })
			},
		}
	}
}

impl fmt::Display for MemberId {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Provider(provider) => provider.fmt(f),
			Self::Tenant(tenant) => tenant.fmt(f),
		}
	}
}

/// Reads the address of an account.
pub fn account(text: &str) -> Result<AccountId32, Error> {
	AccountId32::from_str(text)
		.map_err(|error| Error::Account { text: text.into(), reason: error.to_string() })
}

/// What was set.
#[derive(Clone, Debug, Serialize)]
pub struct KeySet {
	/// The id of the provider or tenant.
	pub id: String,
	/// The account.
	pub account: String,
	/// The account's level, if it has one now.
	pub level: Option<Level>,
}

impl Report for KeySet {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let level = self.level.map_or("no level".into(), |level| format!("level {}", level.name()));
		writeln!(out, "account {} now has {level} in {}", self.account, self.id)
	}
}

/// Sets the level of an account.
pub async fn run(
	chain: &Chain,
	member: MemberId,
	account: AccountId32,
	level: Option<Level>,
	signer: &Account,
) -> Result<KeySet, Error> {
	chain.submit(signer, calls::set_key(member, &account, level)).await?;
	Ok(KeySet { id: member.to_string(), account: account.to_string(), level })
}
