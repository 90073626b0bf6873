// SPDX-License-Identifier: Apache-2.0
//! The key of the commands that act for an account of a tenant.

use clap::Args;
use content_fabric_client::{
	chain::Chain,
	keys::{KeySource, Signer},
};

use crate::{commands::Context, Error};

/// The option `--signer` of these commands.
#[derive(Debug, Args)]
pub struct TenantKey {
	/// The key of an account with the level that the command needs in the tenant: content to put
	/// and to unpublish, read to get encrypted files, admin to list receipts. One of env:NAME,
	/// file:PATH, keystore:PATH, - for standard input, or a development key such as //Alice
	///
	/// [default: the profile's; on development chains //Charlie]
	#[arg(
		long,
		env = "FABRIC_SIGNER",
		hide_env_values = true,
		value_name = "KEY",
		help_heading = "Signing"
	)]
	signer: Option<KeySource>,
}

impl TenantKey {
	/// Reads the key.
	pub fn signer(&self, context: &Context, chain: &Chain) -> Result<Signer, Error> {
		context.signer(chain, self.signer.as_ref(), "--signer", "//Charlie")
	}
}
