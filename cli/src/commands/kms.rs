// SPDX-License-Identifier: Apache-2.0
//! `fabric kms`: adds, changes and removes the KMSes of a tenant.

use clap::{Args, Subcommand};
use content_fabric_client::{chain::calls, ids};
use content_fabric_identifiers::{KmsId, TenantId};

use super::{locator::Locator, naming::Naming, Action, Authority, Context, Setting, Submit};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Add a KMS to a tenant
	#[command(after_long_help = "\
Example:
  fabric kms add iten… --name main --locator https://kms.example.org")]
	Add(Submit<Add>),
	/// Change the locator of a KMS
	#[command(after_long_help = "\
Example:
  fabric kms set-locator iten… ikms… https://kms2.example.org")]
	SetLocator(Submit<SetLocator>),
	/// Remove a KMS. The versions whose keys it holds stay
	#[command(after_long_help = "\
Example:
  fabric kms remove iten… ikms…")]
	Remove(Submit<Which>),
}

#[derive(Debug, Args)]
pub struct Add {
	/// The tenant, iten…
	tenant: TenantId,
	#[command(flatten)]
	naming: Naming<KmsId>,
	/// The address at which the KMS is reached: a URL or a multiaddress
	#[arg(long)]
	locator: Locator,
}

#[derive(Debug, Args)]
pub struct SetLocator {
	#[command(flatten)]
	which: Which,
	/// The new address: a URL or a multiaddress
	locator: Locator,
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
		Command::SetLocator(command) => command.run(context, set_locator).await,
		Command::Remove(command) => command.run(context, remove).await,
	}
}

async fn add(options: Add, setting: &Setting<'_>) -> Result<Action, Error> {
	let Add { tenant, naming, locator } = options;
	let kms = naming.resolve(|name| ids::kms(tenant, name))?;
	let at = setting.view().await?;
	at.member(tenant.into()).await?;
	let locator = locator.into_bytes(&at, "--locator")?;
	let summary = format!("add the KMS {kms} to {tenant}");
	at.action(Authority::Tenant, calls::AddKms { tenant, kms, locator }, summary)
}

async fn set_locator(options: SetLocator, setting: &Setting<'_>) -> Result<Action, Error> {
	let SetLocator { which: Which { tenant, kms }, locator } = options;
	let at = setting.view().await?;
	at.kms(tenant, kms).await?;
	let locator = locator.into_bytes(&at, "LOCATOR")?;
	let summary = format!("change the locator of the KMS {kms} of {tenant}");
	at.action(Authority::Tenant, calls::SetKmsLocator { tenant, kms, locator }, summary)
}

async fn remove(options: Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let Which { tenant, kms } = options;
	let at = setting.view().await?;
	let locator = at.kms(tenant, kms).await?.locator;
	let summary = format!("remove the KMS {kms} of {tenant}, reached at {locator}");
	at.destructive(Authority::Tenant, calls::RemoveKms { tenant, kms }, summary)
}
