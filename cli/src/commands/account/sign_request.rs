// SPDX-License-Identifier: Apache-2.0
//! `fabric account sign-request`: signs requests to a content node, for other programs.

use std::io::{self, Write};

use clap::{value_parser, Args};
use content_fabric_client::{chain::wall_clock, keys::KeySource, requests::sign};
use content_fabric_identifiers::{NodeId, TenantId};
use content_fabric_primitives::{Receiver, Until, MAX_REQUEST_TIME};
use serde::Serialize;

use crate::{commands::Context, output::Report, Error};

#[derive(Debug, Args)]
pub struct SignRequest {
	/// The tenant that the requests are for, iten…
	tenant: TenantId,
	/// The content node, inod…
	node: NodeId,
	/// Number of minutes for which the node accepts the requests
	#[arg(
		long,
		value_name = "NUMBER",
		default_value_t = MAX_REQUEST_TIME / 120,
		value_parser = value_parser!(u64).range(1..=MAX_REQUEST_TIME / 60)
	)]
	minutes: u64,
	/// The key that signs, with the level content or above in the tenant: env:NAME, file:PATH,
	/// keystore:PATH, or - for standard input
	///
	/// [default: the profile's; on development chains //Charlie]
	#[arg(long, env = "FABRIC_SIGNER", hide_env_values = true, value_name = "KEY")]
	signer: Option<KeySource>,
}

/// The header of signed requests.
#[derive(Serialize)]
pub struct Signed {
	/// The value of the header `Authorization`.
	authorization: String,
	account: String,
	/// The last moment at which the requests are valid.
	until: String,
}

impl SignRequest {
	/// Signs a request. Needs no connection if the genesis hash of the chain is known.
	pub async fn run(self, context: &Context) -> Result<Signed, Error> {
		let Self { tenant, node, minutes, signer } = self;
		let (genesis, signer) = match context.known_genesis_hash()? {
			Some(genesis) => (genesis, context.offline_signer(signer.as_ref(), "--signer")?),
			None => {
				let chain = context.connect().await?;
				let signer = context.signer(&chain, signer.as_ref(), "--signer", "//Charlie")?;
				(chain.identity().genesis_hash, signer)
			},
		};
		let until = Until::new(wall_clock() / 1_000_000 + minutes * 60);
		let signed = sign(&signer, &genesis, Receiver::Node(node), tenant, until);
		let authorization = signed.to_string();
		Ok(Signed { authorization, account: signed.account, until: until.to_string() })
	}
}

impl Report for Signed {
	/// Writes the line of the header, for `curl -H`.
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		writeln!(out, "Authorization: {}", self.authorization)
	}
}
