// SPDX-License-Identifier: Apache-2.0
//! `fabric kms receipts`: the file keys that a KMS has given.

use std::{
	io::{self, Write},
	sync::Arc,
};

use clap::Args;
use content_fabric_client::{
	content_node::Notes,
	kms::{KmsServer, Receipts},
	requests::Requester,
	text::{count, printable},
};
use content_fabric_identifiers::{KmsId, TenantId};
use content_fabric_primitives::Receiver;
use serde::Serialize;
use tokio::task::spawn_blocking;

use crate::{
	commands::{listing::Limit, tenant_key::TenantKey, Context},
	output::{warn, Report},
	Error,
};

#[derive(Debug, Args)]
pub struct Options {
	/// The tenant, iten…
	tenant: TenantId,
	/// The KMS, ikms…
	kms: KmsId,
	/// The number of the receipt before the first one
	#[arg(long, value_name = "N", default_value_t = 0)]
	after: u64,
	#[command(flatten)]
	limit: Limit,
	#[command(flatten)]
	key: TenantKey,
}

#[derive(Serialize)]
#[serde(transparent)]
struct Listed(Receipts);

impl Report for Listed {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Receipts { receipts, next } = &self.0;
		for receipt in receipts {
			let version = receipt.version.map(|version| format!(", {version}"));
			writeln!(
				out,
				"{}  {}  {}{}, at block {}",
				receipt.number,
				printable(&receipt.time),
				receipt.account,
				version.unwrap_or_default(),
				receipt.block.number
			)?;
		}
		let found = count(receipts.len(), "receipt", "receipts");
		match next {
			Some(next) => writeln!(out, "{found}; more with --after {next}"),
			None => writeln!(out, "{found}"),
		}
	}
}

pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	let Options { tenant, kms, after, limit, key } = options;
	let chain = context.connect().await?;
	let row = chain.finalized().await?.kms(tenant, kms).await?;
	let server = KmsServer::of_locator(&row.locator.raw())?;
	let secure = context.ensure_secure(server.url());
	secure.map_err(|error| Error::Url { origin: "the locator".into(), error })?;
	let signer = Arc::new(key.signer(context, &chain)?);
	let (genesis, to) = (chain.identity().genesis_hash, Receiver::Kms(kms, None));
	let requester = Requester::new(signer, genesis, to, tenant);
	let notes: Notes = Arc::new(|note: String| warn(&format!("warning: {note}")));
	let asking = spawn_blocking(move || server.receipts(&requester, after, limit.limit, &notes));
	match asking.await {
		Ok(receipts) => context.report(&Listed(receipts?)),
		Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
		Err(_) => Err(Error::Interrupted),
	}
}
