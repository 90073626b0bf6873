// SPDX-License-Identifier: Apache-2.0
//! `fabric runtime authorize` and `fabric runtime apply`.

use std::path::PathBuf;

use clap::Args;

use super::{blob::Blob, version};
use crate::{
	chain::{calls, rows, Snapshot},
	commands::{Action, Authority, Setting},
	Error,
};

/// `fabric runtime authorize` and `fabric runtime apply`
#[derive(Debug, Args)]
pub struct Upgrade {
	/// The code of the runtime, compressed or not
	file: PathBuf,
}

impl Upgrade {
	pub(super) async fn authorize(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let blob = Blob::read(&self.file)?;
		let at = setting.view().await?;
		ensure_newer(&at, &blob)?;
		let summary = format!("authorize the upgrade to {}", described(&blob));
		let call = calls::AuthorizeUpgrade { code_hash: blob.hash() };
		at.destructive(Authority::Root, call, summary)
	}

	/// The chain rejects a wrong runtime with an event only, and forgets the authorization.
	pub(super) async fn apply(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let blob = Blob::read(&self.file)?;
		let at = setting.view().await?;
		let authorized = at.get(&rows::authorized_upgrade(), ()).await?;
		let authorized = authorized.ok_or_else(|| {
			let cure = "run `fabric runtime authorize` first";
			Error::Refused(format!("no upgrade of the runtime is authorized: {cure}"))
		})?;
		if authorized.code_hash != blob.hash() {
			return Err(Error::Refused(format!(
				"{} has the hash 0x{}, but the authorized upgrade has 0x{}: use the file that the \
				 council authorized",
				self.file.display(),
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
