// SPDX-License-Identifier: Apache-2.0
//! `fabric runtime`: prints the version of the runtime, and upgrades it.

mod blob;
mod upgrade;

use std::io::{self, Write};

use blake2::{digest::consts::U32, Blake2b, Digest};
use clap::Subcommand;
use serde::Serialize;

use self::{blob::Version, upgrade::Upgrade};
use super::{Context, Submit};
use crate::{
	chain::{rows, Snapshot},
	output::Report,
	Error,
};
pub use blob::BlobError;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Print the version of the runtime, the hash of its code, and the upgrade that is authorized
	#[command(after_long_help = "\
Example:
  fabric runtime show")]
	Show,
	/// Authorize an upgrade, by two thirds of the council or by root
	#[command(after_long_help = "\
Examples:
  fabric runtime authorize runtime.compact.compressed.wasm --council propose --signer env:MEMBER_KEY
  fabric runtime authorize runtime.compact.compressed.wasm --council vote --signer env:MEMBER_KEY
  fabric runtime authorize runtime.compact.compressed.wasm --council close --signer env:MEMBER_KEY

The council authorizes the hash of the file. The file must be a runtime of the same name and of a
higher version. Each member checks that its own copy has the hash that was agreed on.")]
	Authorize(Submit<Upgrade>),
	/// Replace the runtime by the one that is authorized. Any account can do that
	#[command(after_long_help = "\
Example:
  fabric runtime apply runtime.compact.compressed.wasm --signer env:KEY

The next block has the new runtime. If its migrations take several blocks, transactions wait in the
meantime.")]
	Apply(Submit<Upgrade>),
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::Show => context.report(&show(context).await?),
		Command::Authorize(command) => command.run(context, Upgrade::authorize).await,
		Command::Apply(command) => command.run(context, Upgrade::apply).await,
	}
}

#[derive(Serialize)]
struct Runtime {
	block: u64,
	#[serde(flatten)]
	version: Version,
	code_hash: String,
	authorized: Option<String>,
}

async fn show(context: &Context) -> Result<Runtime, Error> {
	let at = context.view().await?;
	let hex = |hash: [u8; 32]| format!("0x{}", hex::encode(hash));
	let authorized = at.get(&rows::authorized_upgrade(), ()).await?;
	Ok(Runtime {
		block: at.block_number(),
		version: version(&at)?,
		code_hash: hex(Blake2b::<U32>::digest(at.code().await?).into()),
		authorized: authorized.map(|authorized| hex(authorized.code_hash)),
	})
}

fn version(at: &Snapshot) -> Result<Version, Error> {
	Ok(at.constant("System", "Version")?)
}

impl Report for Runtime {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Version { spec_name, spec_version, .. } = &self.version;
		writeln!(out, "runtime {spec_name} {spec_version}")?;
		writeln!(out, "  code       {}", self.code_hash)?;
		if let Some(authorized) = &self.authorized {
			writeln!(out, "  authorized {authorized}")?;
		}
		writeln!(out, "block {}", self.block)
	}
}
