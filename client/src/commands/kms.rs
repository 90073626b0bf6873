// SPDX-License-Identifier: Apache-2.0
//! `fabric kms`: adds, changes and removes the KMSes of a tenant.

use clap::{Args, Subcommand};
use content_fabric_identifiers::{KmsId, TenantId};

use super::{locator::Locator, naming::Naming, Act, Action, Authority, Context, Outcome};
use crate::{
	chain::{self, calls, rows, Snapshot},
	ids, Error,
};

/// The commands of KMSes.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Add a KMS to a tenant
	#[command(after_long_help = "\
Example:
  fabric kms add iten… --name main --locator https://kms.example.org")]
	Add(Add),
	/// Change the locator of a KMS
	#[command(after_long_help = "\
Example:
  fabric kms set-locator iten… ikms… https://kms2.example.org")]
	SetLocator(SetLocator),
	/// Remove a KMS. The versions whose keys it holds stay
	#[command(after_long_help = "\
Example:
  fabric kms remove iten… ikms…")]
	Remove(Remove),
}

/// `fabric kms add`
#[derive(Debug, Args)]
pub struct Add {
	/// The tenant, iten…
	#[arg(value_parser = ids::parse::<TenantId>)]
	tenant: TenantId,
	#[command(flatten)]
	naming: Naming<KmsId>,
	/// The address at which the KMS is reached: a URL or a multiaddress
	#[arg(long)]
	locator: Locator,
	#[command(flatten)]
	act: Act,
}

/// `fabric kms set-locator`
#[derive(Debug, Args)]
pub struct SetLocator {
	/// The tenant, iten…
	#[arg(value_parser = ids::parse::<TenantId>)]
	tenant: TenantId,
	/// The KMS, ikms…
	#[arg(value_parser = ids::parse::<KmsId>)]
	kms: KmsId,
	/// The new address: a URL or a multiaddress
	locator: Locator,
	#[command(flatten)]
	act: Act,
}

/// `fabric kms remove`
#[derive(Debug, Args)]
pub struct Remove {
	/// The tenant, iten…
	#[arg(value_parser = ids::parse::<TenantId>)]
	tenant: TenantId,
	/// The KMS, ikms…
	#[arg(value_parser = ids::parse::<KmsId>)]
	kms: KmsId,
	#[command(flatten)]
	act: Act,
}

/// Runs a command.
pub async fn run(command: Command, context: &Context) -> Result<Outcome, Error> {
	match command {
		Command::Add(command) => command.run(context).await,
		Command::SetLocator(command) => command.run(context).await,
		Command::Remove(command) => command.run(context).await,
	}
}

impl Add {
	async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { tenant, naming, locator, act } = self;
		let kms = naming.resolve(|name| ids::kms(tenant, name))?;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		at.member(tenant.into()).await?;
		let locator = locator.into_bytes(&at, "--locator")?;
		let action = Action {
			summary: format!("add the KMS {kms} to {tenant}"),
			call: at.encode(calls::AddKms { tenant, kms, locator })?,
			authority: Authority::Tenant,
			destructive: false,
		};
		act.run(context, &chain, action).await
	}
}

impl SetLocator {
	async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { tenant, kms, locator, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		row(&at, tenant, kms).await?;
		let locator = locator.into_bytes(&at, "LOCATOR")?;
		let action = Action {
			summary: format!("change the locator of the KMS {kms} of {tenant}"),
			call: at.encode(calls::SetKmsLocator { tenant, kms, locator })?,
			authority: Authority::Tenant,
			destructive: false,
		};
		act.run(context, &chain, action).await
	}
}

impl Remove {
	async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { tenant, kms, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		let present = row(&at, tenant, kms).await?;
		let action = Action {
			summary: format!("remove the KMS {kms} of {tenant}, reached at {}", present.locator),
			call: at.encode(calls::RemoveKms { tenant, kms })?,
			authority: Authority::Tenant,
			destructive: true,
		};
		act.run(context, &chain, action).await
	}
}

/// Returns the row of a KMS, which must exist.
async fn row(at: &Snapshot, tenant: TenantId, kms: KmsId) -> Result<rows::Kms, Error> {
	let unknown = || chain::Error::Unknown { kind: "KMS", id: format!("{kms} of {tenant}") };
	Ok(at.get(&rows::kmses(), (tenant, kms)).await?.ok_or_else(unknown)?)
}
