// SPDX-License-Identifier: Apache-2.0
//! `fabric key`: makes signing keys, and grants and revokes access keys, the levels of accounts in a
//! provider or a tenant.

use std::{
	fs,
	io::{self, Write},
	path::PathBuf,
};

use clap::{
	builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
	Args, Subcommand,
};
use content_fabric_client::{
	chain::{self, calls, provider_level_name, rows, tenant_level_name, Snapshot},
	ids::Address,
	keys::{KeyError, NewKey},
};
use content_fabric_primitives::{MemberId, ProviderLevel, TenantLevel};
use serde::Serialize;
use subxt::utils::AccountId32;

use super::{address::account_of, Action, Authority, Context, Setting, Submit, View};
use crate::{output::Report, profile::config_file, Error};

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Make a new signing key, in a file that only you can read
	#[command(after_long_help = "\
Examples:
  fabric key new operator.key
  fabric key new operator.json --password
  fabric key new --show

The file holds the secret phrase of the key: 12 words. With --password it is an encrypted keystore, \
which polkadot-js and its wallets also read. FABRIC_PASSWORD_FILE may name a file with the \
password. A file that exists is never overwritten. No node is needed: the account exists on the \
chain once it has funds.

Whoever has the phrase can sign with the key. Keep a copy offline: without one, a lost file cannot \
be replaced. The phrase is printed only with --show.")]
	New(New),
	/// Give an account a level in a provider or a tenant, or change its level
	#[command(after_long_help = "\
Examples:
  fabric key grant iprv… 5Grw… admin
  fabric key grant iten… 5F3s… content --signer keystore:docs.json

Levels of a provider: admin (manages the nodes).
Levels of a tenant: read (may be given keys of encrypted content by a KMS; changes nothing on the \
chain), content (manages content), kms (the account of a KMS; also manages content), admin (manages \
KMSes, collections and access keys).
The signer's level must be above both the current and the new level of the account.")]
	Grant(Submit<Grant>),
	/// Revoke the level of an account in a provider or a tenant
	#[command(after_long_help = "\
Example:
  fabric key revoke iten… 5F3s…")]
	Revoke(Submit<Which>),
}

#[derive(Debug, Args)]
pub struct New {
	/// The new file [default: the address of the account in the folder `keys` beside the
	/// configuration file; with --show alone, none]
	file: Option<PathBuf>,
	/// Write an encrypted keystore, with a password that is asked for
	#[arg(long)]
	password: bool,
	/// Print the secret phrase
	#[arg(long)]
	show: bool,
}

/// A new key.
#[derive(Serialize)]
struct Made<'a> {
	/// The address of the account.
	account: AccountId32,
	/// The source of the key, as options take it.
	#[serde(skip_serializing_if = "Option::is_none")]
	signer: Option<String>,
	/// The secret phrase, if it was asked for.
	#[serde(skip_serializing_if = "Option::is_none")]
	phrase: Option<&'a str>,
	#[serde(skip)]
	is_encrypted: bool,
}

#[derive(Debug, Args)]
pub struct Grant {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
	/// The account
	account: Address,
	/// The level
	#[arg(value_parser = level_parser())]
	level: TenantLevel,
}

#[derive(Debug, Args)]
pub struct Which {
	/// The provider or the tenant, iprv… or iten…
	pub member: MemberId,
	/// The account that has the access key
	pub account: Address,
}

/// Reads a level in a tenant. Of these, providers have the last one.
fn level_parser() -> impl TypedValueParser<Value = TenantLevel> {
	let read = PossibleValue::new("read")
		.help("May be given keys of a tenant's encrypted content by a KMS");
	let content = PossibleValue::new("content").help("Manages the content of a tenant");
	let kms = PossibleValue::new("kms")
		.help("May do what `content` may; for accounts that a KMS works with");
	let admin = PossibleValue::new("admin").help(
		"Manages the nodes of a provider, or the KMSes, collections and access keys of a tenant",
	);
	PossibleValuesParser::new([read, content, kms, admin]).map(|name| match name.as_str() {
		"read" => TenantLevel::Read,
		"content" => TenantLevel::Content,
		"kms" => TenantLevel::Kms,
		_ => TenantLevel::Admin,
	})
}

/// Returns the action that sets the level of an account, or revokes it. It asks, as the present
/// level is what a node says.
fn action(
	at: &View,
	member: MemberId,
	account: AccountId32,
	level: Option<TenantLevel>,
	summary: String,
) -> Result<Action, Error> {
	match member {
		MemberId::Provider(id) => {
			let level = level.map(|_| ProviderLevel::Admin);
			let call = calls::SetProviderKey { id, account, level };
			at.destructive(Authority::Provider, call, summary)
		},
		MemberId::Tenant(id) => {
			let call = calls::SetTenantKey { id, account, level };
			at.destructive(Authority::Tenant, call, summary)
		},
	}
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::New(options) => make(options, context),
		Command::Grant(command) => command.run(context, grant).await,
		Command::Revoke(command) => command.run(context, revoke).await,
	}
}

/// Makes a key, writes it to its file, and prints its account.
fn make(New { file, password, show }: New, context: &Context) -> Result<(), Error> {
	let key = NewKey::generate()?;
	let file = match file {
		None if show && !password => None,
		None => Some(default_file(&key, password)?),
		file => file,
	};
	let ask = |prompt: &str| rpassword::prompt_password(prompt);
	let signer = match file {
		Some(file) if password => Some(key.write_keystore(&file, ask)?),
		Some(file) => Some(key.write_phrase(&file)?),
		None => None,
	};
	context.report(&Made {
		account: *key.account(),
		signer: signer.map(|source| source.to_string()),
		phrase: show.then(|| key.phrase()),
		is_encrypted: password,
	})
}

/// Returns the file for a key in the folder of the configuration, and makes its folder.
fn default_file(key: &NewKey, is_encrypted: bool) -> Result<PathBuf, Error> {
	let folder = config_file()?.with_file_name("keys");
	fs::create_dir_all(&folder)
		.map_err(|source| KeyError::Write { path: folder.clone(), source })?;
	let extension = if is_encrypted { ".json" } else { "" };
	Ok(folder.join(format!("{}{extension}", key.account())))
}

impl Report for Made<'_> {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { account, signer, phrase, is_encrypted } = self;
		writeln!(out, "account {account}")?;
		if let Some(phrase) = phrase {
			writeln!(out, "  phrase  {phrase}")?;
		}
		if let Some(signer) = signer {
			writeln!(out, "  key     {signer}")?;
			writeln!(
				out,
				"sign with --signer {signer}, or set FABRIC_SIGNER or a profile's `signer` to it"
			)?;
		}
		let what = match (signer, is_encrypted) {
			(Some(_), true) => "the keystore and its password",
			(Some(_), false) => "the phrase in the file",
			(None, _) => "the phrase",
		};
		writeln!(
			out,
			"back up {what} offline: nobody can restore a lost key, and whoever has it can sign"
		)?;
		writeln!(
			out,
			"the account needs funds before it acts: `fabric account send AMOUNT {account}`"
		)
	}
}

async fn grant(options: Grant, setting: &Setting<'_>) -> Result<Action, Error> {
	let Grant { member, account, level } = options;
	let name = tenant_level_name(level);
	if matches!(member, MemberId::Provider(_)) && level != TenantLevel::Admin {
		let (what, reason) = ("a level of providers", "expected admin".into());
		return Err(Error::Text { text: name.into(), what, reason });
	}
	let at = setting.view().await?;
	let account = account_of(&at, &account)?;
	at.member(member).await?;
	let summary = match present(&at, member, account).await? {
		Some(present) => {
			format!("change the level of {account} in {member} from {present} to {name}")
		},
		None => format!("give {account} the level {name} in {member}"),
	};
	action(&at, member, account, Some(level), summary)
}

async fn revoke(options: Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let Which { member, account } = options;
	let at = setting.view().await?;
	let account = account_of(&at, &account)?;
	at.member(member).await?;
	let level = present(&at, member, account).await?;
	let missing = || chain::Error::unknown("access key", format!("of {account} in {member}"));
	let level = level.ok_or_else(missing)?;
	let summary = format!("revoke the level {level} of {account} in {member}");
	action(&at, member, account, None, summary)
}

/// Returns the word for the level of the access key that an account has in a member.
async fn present(
	at: &Snapshot,
	member: MemberId,
	account: AccountId32,
) -> Result<Option<&'static str>, Error> {
	match member {
		MemberId::Provider(id) => {
			let key = at.get(rows::provider_keys(), (id, account)).await?;
			Ok(key.map(|key| provider_level_name(key.level)))
		},
		MemberId::Tenant(id) => {
			let key = at.get(rows::tenant_keys(), (id, account)).await?;
			Ok(key.map(|key| tenant_level_name(key.level)))
		},
	}
}
