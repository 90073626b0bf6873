// SPDX-License-Identifier: Apache-2.0
//! `fabric runtime`: prints the version of the runtime, and upgrades it.

mod blob;

use std::{
	io::{self, Write},
	path::PathBuf,
};

use blake2::{digest::consts::U32, Blake2b, Digest};
use clap::{Args, Subcommand};
use content_fabric_client::chain::{calls, rows, Snapshot};
use serde::Serialize;

use self::blob::{Blob, Version};
use super::{Action, Authority, Context, Setting, Submit};
use crate::{output::Report, Error};

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
		Command::Authorize(command) => command.run(context, authorize).await,
		Command::Apply(command) => command.run(context, apply).await,
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
	let authorized = at.get(rows::authorized_upgrade(), ()).await?;
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

/// `fabric runtime authorize` and `fabric runtime apply`
#[derive(Debug, Args)]
pub struct Upgrade {
	/// The code of the runtime, compressed or not
	file: PathBuf,
}

async fn authorize(options: Upgrade, setting: &Setting<'_>) -> Result<Action, Error> {
	let blob = Blob::read(&options.file)?;
	let at = setting.view().await?;
	ensure_newer(&at, &blob)?;
	let summary = format!("authorize the upgrade to {}", described(&blob));
	let call = calls::AuthorizeUpgrade { code_hash: blob.hash() };
	at.destructive(Authority::Root, call, summary)
}

/// Checks the file first: the chain rejects a wrong runtime with an event only, and forgets the
/// authorization.
async fn apply(options: Upgrade, setting: &Setting<'_>) -> Result<Action, Error> {
	let blob = Blob::read(&options.file)?;
	let at = setting.view().await?;
	let authorized = at.get(rows::authorized_upgrade(), ()).await?;
	let authorized = authorized.ok_or_else(|| {
		let cure = "run `fabric runtime authorize` first";
		Error::Refused(format!("no upgrade of the runtime is authorized: {cure}"))
	})?;
	if authorized.code_hash != blob.hash() {
		return Err(Error::Refused(format!(
			"{} has the hash 0x{}, but the authorized upgrade has 0x{}: use the file that the \
			 council authorized",
			options.file.display(),
			hex::encode(blob.hash()),
			hex::encode(authorized.code_hash)
		)));
	}
	if authorized.check_version {
		ensure_newer(&at, &blob)?;
	}
	let summary = format!("upgrade to {}", described(&blob));
	let call = calls::ApplyAuthorizedUpgrade { code: blob.code };
	at.destructive(Authority::Anyone, call, summary)
}

/// Checks that the chain would accept a runtime in place of its present one.
fn ensure_newer(at: &Snapshot, blob: &Blob) -> Result<(), Error> {
	let present = version(at)?;
	let new = &blob.version;
	if new.spec_name == present.spec_name && new.spec_version > present.spec_version {
		return Ok(());
	}
	Err(Error::Refused(format!(
		"the file is {} {}, but the chain runs {} {}: an upgrade must have the same name and a \
		 higher version",
		new.spec_name, new.spec_version, present.spec_name, present.spec_version
	)))
}

fn described(blob: &Blob) -> String {
	let version = &blob.version;
	let hash = hex::encode(blob.hash());
	format!("{} {}, whose code has the hash 0x{hash}", version.spec_name, version.spec_version)
}
