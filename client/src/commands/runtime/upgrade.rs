// SPDX-License-Identifier: Apache-2.0
//! `fabric runtime authorize` and `fabric runtime apply`.

use std::path::PathBuf;

use clap::Args;

use super::{blob::Blob, version};
use crate::{
	chain::{calls, rows, Snapshot},
	commands::{Act, Action, Authority, Context, Outcome},
	Error,
};

/// `fabric runtime authorize` and `fabric runtime apply`
#[derive(Debug, Args)]
pub struct Upgrade {
	/// The code of the runtime, compressed or not
	file: PathBuf,
	#[command(flatten)]
	act: Act,
}

impl Upgrade {
	pub(super) async fn authorize(self, context: &Context) -> Result<Outcome, Error> {
		let Self { file, act } = self;
		let blob = Blob::read(&file)?;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		ensure_newer(&at, &blob)?;
		let action = Action {
			call: at.encode(calls::AuthorizeUpgrade { code_hash: blob.hash() })?,
			authority: Authority::Root,
			summary: format!("authorize the upgrade to {}", described(&blob)),
			destructive: true,
		};
		act.run(context, &chain, action).await
	}

	/// The chain rejects a wrong runtime with an event only, and forgets the authorization.
	pub(super) async fn apply(self, context: &Context) -> Result<Outcome, Error> {
		let Self { file, act } = self;
		let blob = Blob::read(&file)?;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		let authorized = at.get(&rows::authorized_upgrade(), ()).await?;
		let authorized = authorized.ok_or_else(|| {
			let cure = "run `fabric runtime authorize` first";
			Error::Refused(format!("no upgrade of the runtime is authorized: {cure}"))
		})?;
		if authorized.code_hash != blob.hash() {
			return Err(Error::Refused(format!(
				"{} has the hash 0x{}, but the authorized upgrade has 0x{}: use the file that the \
				 council authorized",
				file.display(),
				hex::encode(blob.hash()),
				hex::encode(authorized.code_hash)
			)));
		}
		if authorized.check_version {
			ensure_newer(&at, &blob)?;
		}
		let action = Action {
			summary: format!("upgrade to {}", described(&blob)),
			call: at.encode(calls::ApplyAuthorizedUpgrade { code: blob.code })?,
			authority: Authority::Anyone,
			destructive: true,
		};
		act.run(context, &chain, action).await
	}
}

/// Checks that the chain would accept a runtime in place of its present one.
fn ensure_newer(at: &Snapshot, blob: &Blob) -> Result<(), Error> {
	let present = version::version(at)?;
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
