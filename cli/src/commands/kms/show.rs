// SPDX-License-Identifier: Apache-2.0
//! `fabric kms show`: KMSes on the chain, the pinned keys, and what their servers say.

use std::io::{self, Write};

use clap::Args;
use content_fabric_client::{
	chain::rows,
	kms::{KmsError, KmsServer, Status},
	text::{length_of_time, printable, Text},
};
use content_fabric_identifiers::{KmsId, TenantId};
use content_fabric_primitives::KmsKey;
use serde::Serialize;
use subxt::utils::AccountId32;
use tokio::task::spawn_blocking;

use crate::{
	commands::Context,
	output::Report,
	profile::{config_file, KmsPins},
	Error,
};

#[derive(Debug, Args)]
pub struct Options {
	/// The tenant, iten…
	tenant: TenantId,
	/// The KMS, ikms… [default: all of the tenant]
	kms: Option<KmsId>,
}

/// A KMS.
#[derive(Debug, Serialize)]
pub struct Shown {
	tenant: TenantId,
	kms: KmsId,
	operator: AccountId32,
	locator: Text,
	/// The key by the last final block.
	key: KmsKey,
	/// The key for which this machine has encrypted files.
	pinned: Option<KmsKey>,
	/// True if the server answers, for this KMS, and has the key.
	serves: bool,
	/// The problem, if it does not.
	#[serde(skip_serializing_if = "Option::is_none")]
	problem: Option<String>,
	/// The keys that the server has.
	keys: Vec<KmsKey>,
	/// Age in seconds of the last final block that the server knows.
	finalized_age: Option<u64>,
}

impl Report for Vec<Shown> {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for shown in self {
			let Shown { tenant, kms, operator, locator, key, pinned, problem, keys, .. } = shown;
			writeln!(out, "KMS {kms} of {tenant}, operated by {operator}")?;
			let pin = match pinned {
				Some(pinned) if pinned == key => ", the pinned one".to_owned(),
				Some(pinned) => format!(", not the pinned one: {pinned}"),
				None => ", not used here yet".to_owned(),
			};
			writeln!(out, "  key {key}{pin}")?;
			writeln!(out, "  locator {locator}")?;
			let age = shown.finalized_age.map(length_of_time);
			match (problem, age) {
				(Some(problem), _) => writeln!(out, "  does not serve: {problem}")?,
				(None, age) => {
					let age = age.unwrap_or_default();
					writeln!(out, "  serves with this key, at a final block that is {age} old")?;
				},
			}
			for former in keys.iter().filter(|found| *found != key) {
				writeln!(out, "  also has the key {former}")?;
			}
		}
		Ok(())
	}
}

pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	let Options { tenant, kms } = options;
	let chain = context.connect().await?;
	let last = chain.finalized().await?;
	let found = match kms {
		Some(kms) => vec![(kms, last.kms(tenant, kms).await?)],
		None => {
			last.member(tenant.into()).await?;
			let rows = last.rows(rows::kmses(), (tenant,)).await?;
			rows.into_iter().map(|((_, kms), row)| (kms, row)).collect()
		},
	};
	if found.is_empty() {
		return Err(Error::NotFound(format!("{tenant} has no KMS")));
	}
	let pins = KmsPins::open(&config_file()?)?;
	let pins = pins.of(&context.kms_pin_key(&chain)?, tenant).cloned().unwrap_or_default();
	let mut all = Vec::new();
	for (kms, row) in found {
		let pinned = pins.get(&kms.to_string()).copied();
		all.push(shown((tenant, kms), row, pinned, context).await);
	}
	context.report(&all)
}

async fn shown(
	(tenant, kms): (TenantId, KmsId),
	row: rows::Kms,
	pinned: Option<KmsKey>,
	context: &Context,
) -> Shown {
	let rows::Kms { operator, locator, key, .. } = row;
	let status = status(&locator.raw(), context).await;
	let problem = match &status {
		Err(error) => Some(error.to_string()),
		Ok(status) if (status.tenant, status.kms) != (tenant, kms) => {
			Some(format!("its server is the one of {} of {}", status.kms, status.tenant))
		},
		Ok(status) if !status.keys.contains(&key) => {
			Some("its server does not have the key".to_owned())
		},
		Ok(status) => status.problem.as_deref().map(printable),
	};
	let (keys, finalized_age) = match status {
		Ok(status) => (status.keys, status.finalized_age),
		Err(_) => (Vec::new(), None),
	};
	let serves = problem.is_none();
	Shown { tenant, kms, operator, locator, key, pinned, serves, problem, keys, finalized_age }
}

async fn status(locator: &str, context: &Context) -> Result<Status, Error> {
	let server = KmsServer::of_locator(locator)?;
	let secure = context.ensure_secure(server.url());
	secure.map_err(|error| Error::Url { origin: "the locator".into(), error })?;
	match spawn_blocking(move || server.status()).await {
		Ok(status) => Ok(status.map_err(|error: KmsError| Error::from(error))?),
		Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
		Err(_) => Err(Error::Interrupted),
	}
}
