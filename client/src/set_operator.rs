//! `fabric set-operator`: gives a node another operator.

use std::io::{self, Write};

use clap::Args;
use content_fabric_identifiers::{NodeId, ProviderId};
use serde::Serialize;

use crate::{
	calls,
	chain::{Account, Chain},
	ids,
	output::Report,
	set_key, Error,
};

/// The arguments of `fabric set-operator`.
#[derive(Debug, Args)]
pub struct Options {
	/// The id of the provider, iprv….
	pub provider: String,
	/// The id of its node, inod….
	pub node: String,
	/// The address of the account that is to act for the node.
	pub account: String,
	/// The key of an account with the level admin or above in the provider, which signs: a secret
	/// phrase, or a derivation such as //Alice.
	#[arg(long, value_name = "KEY")]
	pub signer: String,
}

/// A node with a new operator.
#[derive(Clone, Debug, Serialize)]
pub struct OperatorSet {
	/// The id of the provider.
	pub provider: String,
	/// The id of the node.
	pub node: String,
	/// The account that acts for the node.
	pub operator: String,
}

impl Report for OperatorSet {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { provider, node, operator } = self;
		writeln!(out, "account {operator} operates node {node} of {provider}")
	}
}

/// Sets the operator.
pub async fn run(options: Options, url: &str) -> Result<OperatorSet, Error> {
	let Options { provider, node, account, signer } = options;
	let provider_id: ProviderId = ids::parse(&provider)?;
	let node_id: NodeId = ids::parse(&node)?;
	let account = set_key::account(&account)?;
	let signer: Account = signer.parse()?;
	let chain = Chain::connect(url).await?;
	chain.submit(&signer, calls::set_node_operator(provider_id, node_id, &account)).await?;
	Ok(OperatorSet { provider, node, operator: account.to_string() })
}
