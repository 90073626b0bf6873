// SPDX-License-Identifier: Apache-2.0
//! `fabric account sign-request`: signs requests to a content node or a KMS, for other
//! programs.

use std::{
	io::{self, Write},
	str::FromStr,
};

use clap::{value_parser, Args};
use content_fabric_client::{chain::wall_clock, keys::KeySource, requests::sign};
use content_fabric_identifiers::{KmsId, NodeId, TenantId};
use content_fabric_primitives::{KmsKey, Receiver, Until, MAX_REQUEST_TIME};
use serde::Serialize;

use crate::{commands::Context, output::Report, Error};

#[derive(Debug, Args)]
pub struct SignRequest {
	/// The tenant that the requests are for, iten…
	tenant: TenantId,
	/// The content node, inod…, or the KMS, ikms…
	server: Server,
	/// The one-time recipient to which a KMS gives a file key, age1…
	#[arg(long, value_name = "KEY")]
	r#for: Option<KmsKey>,
	/// Number of minutes for which the server accepts the requests
	#[arg(
		long,
		value_name = "NUMBER",
		default_value_t = MAX_REQUEST_TIME / 120,
		value_parser = value_parser!(u64).range(1..=MAX_REQUEST_TIME / 60)
	)]
	minutes: u64,
	/// The key that signs, with the level content or above in the tenant, or for a KMS read or above:
	/// env:NAME, file:PATH, keystore:PATH, or - for standard input
	///
	/// [default: the profile's; on development chains //Charlie]
	#[arg(long, env = "FABRIC_SIGNER", hide_env_values = true, value_name = "KEY")]
	signer: Option<KeySource>,
}

/// The server that requests are for.
#[derive(Clone, Copy, Debug)]
enum Server {
	Node(NodeId),
	Kms(KmsId),
}

impl FromStr for Server {
	type Err = String;

	fn from_str(text: &str) -> Result<Self, String> {
		match text.parse::<KmsId>() {
			Ok(kms) => Ok(Self::Kms(kms)),
			Err(error) if text.starts_with("ikms") => Err(error.to_string()),
			Err(_) => text.parse::<NodeId>().map(Self::Node).map_err(|error| error.to_string()),
		}
	}
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
		let Self { tenant, server, r#for, minutes, signer } = self;
		let to = match (server, r#for) {
			(Server::Kms(kms), recipient) => Receiver::Kms(kms, recipient),
			(Server::Node(node), None) => Receiver::Node(node),
			(Server::Node(node), Some(_)) => {
				let reason = "is a content node, and --for is for requests to a KMS";
				return Err(Error::Usage(format!("{node} {reason}")));
			},
		};
		let (genesis, signer) = match context.known_genesis_hash()? {
			Some(genesis) => (genesis, context.offline_signer(signer.as_ref(), "--signer")?),
			None => {
				let chain = context.connect().await?;
				let signer = context.signer(&chain, signer.as_ref(), "--signer", "//Charlie")?;
				(chain.identity().genesis_hash, signer)
			},
		};
		let until = Until::new(wall_clock() / 1_000_000 + minutes * 60);
		let signed = sign(&signer, &genesis, to, tenant, until);
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
