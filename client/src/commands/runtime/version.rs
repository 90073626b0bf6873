// SPDX-License-Identifier: Apache-2.0
//! `fabric runtime show`: the runtime of the chain.

use std::io::{self, Write};

use blake2::{digest::consts::U32, Blake2b, Digest};
use serde::Serialize;

use super::blob::Version;
use crate::{
	chain::{rows, Snapshot},
	commands::Context,
	output::Report,
	Error,
};

/// The runtime of a chain.
#[derive(Clone, Debug, Serialize)]
pub struct Runtime {
	/// The number of the block at which it was read.
	pub block: u64,
	/// Its name and version.
	#[serde(flatten)]
	pub version: Version,
	/// The hash of its code, in hex.
	pub code_hash: String,
	/// The hash of the code of the upgrade that is authorized, in hex.
	pub authorized: Option<String>,
}

/// Runs the command.
pub async fn run(context: &Context) -> Result<Runtime, Error> {
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

/// Returns the version of the chain's runtime.
pub fn version(at: &Snapshot) -> Result<Version, Error> {
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
