// SPDX-License-Identifier: Apache-2.0
//! `fabric kms`: adds, changes, removes and shows the KMSes of a tenant.

mod receipts;
mod show;

use clap::{Args, Subcommand};
use content_fabric_client::{
	chain::calls,
	ids::{self, Address},
	text::Text,
};
use content_fabric_identifiers::{KmsId, TenantId};
use content_fabric_primitives::KmsKey;

use super::{
	address::account_of, locator::Locator, naming::Naming, Action, Authority, Context, Setting,
	Submit,
};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Add a KMS to a tenant
	#[command(after_long_help = "\
Example:
  fabric kms add iten… --name main --operator 5Grw… --key age1… \\
      --locator https://kms.example.org")]
	Add(Submit<Add>),
	/// Change the locator or the key of a KMS, as its operator or as an admin of the tenant
	#[command(after_long_help = "\
Examples:
  fabric kms set iten… ikms… --key age1… --signer env:OPERATOR_KEY
  fabric kms set iten… ikms… --key age1… --locator https://kms2.example.org

The call sets both the locator and the key, so name the key even if it stays. Take it from the KMS: \
a node that lies about the present key could have you sign its own.

Later uploads are encrypted for the new key. Files that were encrypted for a former key still need \
that key.")]
	Set(Submit<Set>),
	/// Remove a KMS. The versions that are encrypted for it stay
	#[command(after_long_help = "\
Example:
  fabric kms remove iten… ikms…")]
	Remove(Submit<Which>),
	/// Show the KMSes of a tenant, their keys, and whether their servers have them
	#[command(after_long_help = "\
Examples:
  fabric kms show iten…
  fabric kms show iten… ikms… --json

Reads the last final block, as `fabric put --encrypt` does. The pinned key is the one for which this \
machine has encrypted files with this profile. Before the first put, compare the key with what the \
operator of the KMS says: a node that lies about it could have everything encrypted for itself.")]
	Show(show::Options),
	/// List the file keys that a KMS has given: when, to which account, for which version
	#[command(after_long_help = "\
Examples:
  fabric kms receipts iten… ikms… --signer keystore:admin.json
  fabric kms receipts iten… ikms… --after 50 --limit 100

The KMS answers the tenant's root, and accounts with the level admin.")]
	Receipts(receipts::Options),
}

#[derive(Debug, Args)]
pub struct Add {
	/// The tenant, iten…
	tenant: TenantId,
	#[command(flatten)]
	naming: Naming<KmsId>,
	/// The account that acts for the KMS
	#[arg(long, value_name = "ACCOUNT")]
	operator: Address,
	/// The address at which the KMS is reached: a URL or a multiaddress
	#[arg(long)]
	locator: Locator,
	/// The key for which clients encrypt: an age recipient, age1…
	#[arg(long)]
	key: KmsKey,
}

#[derive(Debug, Args)]
pub struct Set {
	#[command(flatten)]
	which: Which,
	/// The new address: a URL or a multiaddress [default: the present one]
	#[arg(long)]
	locator: Option<Locator>,
	/// The key for which clients encrypt, new or the present one: an age recipient, age1…
	#[arg(long)]
	key: KmsKey,
}

/// `fabric kms remove` and `fabric governance delete-kms`
#[derive(Debug, Args)]
pub struct Which {
	/// The tenant, iten…
	pub(super) tenant: TenantId,
	/// The KMS, ikms…
	pub(super) kms: KmsId,
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::Add(command) => command.run(context, add).await,
		Command::Set(command) => command.run(context, set).await,
		Command::Remove(command) => command.run(context, remove).await,
		Command::Show(options) => show::run(options, context).await,
		Command::Receipts(options) => receipts::run(options, context).await,
	}
}

async fn add(options: Add, setting: &Setting<'_>) -> Result<Action, Error> {
	let Add { tenant, naming, operator, locator, key } = options;
	let kms = naming.resolve(|name| ids::kms(tenant, name))?;
	let at = setting.view().await?;
	at.member(tenant.into()).await?;
	let operator = account_of(&at, &operator)?;
	let locator = locator.into_bytes(&at, "--locator")?;
	let summary =
		format!("add the KMS {kms} to {tenant}, operated by {operator}, with the key {key}");
	at.action(Authority::Tenant, calls::AddKms { tenant, kms, operator, locator, key }, summary)
}

/// A locator that is not given stays as the node says it is, so the command asks.
async fn set(options: Set, setting: &Setting<'_>) -> Result<Action, Error> {
	let Set { which: Which { tenant, kms }, locator, key } = options;
	let at = setting.view().await?;
	let row = at.kms(tenant, kms).await?;
	let locator = match locator {
		Some(locator) => locator.into_bytes(&at, "--locator")?,
		None => row.locator.0.clone(),
	};
	let summary = format!(
		"set the KMS {kms} of {tenant} to the locator {} and the key {key}, in place of {} and {}",
		Text(locator.clone()),
		row.locator,
		row.key
	);
	at.destructive(Authority::Tenant, calls::SetKms { tenant, kms, locator, key }, summary)
}

async fn remove(options: Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let Which { tenant, kms } = options;
	let at = setting.view().await?;
	let locator = at.kms(tenant, kms).await?.locator;
	let summary = format!("remove the KMS {kms} of {tenant}, reached at {locator}");
	at.destructive(Authority::Tenant, calls::RemoveKms { tenant, kms }, summary)
}
