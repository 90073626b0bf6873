//! `fabric set-operator`: gives a node another operator.

use std::io::{self, Write};

use clap::Args;
use content_fabric_identifiers::{NodeId, ProviderId};
use serde::Serialize;

use crate::{
	calls,
	chain::{Account, Chain, Snapshot},
	output::Report,
	set_key, storage, Error,
};

/// The arguments of `fabric set-operator`.
#[derive(Debug, Args)]
pub struct Options {
	/// The id of the node (inod…), after that of its provider (iprv…) if another provider has a
	/// node with this id; then the address of the account that is to act for the node.
	#[arg(num_args = 2..=3, required = true, value_names = ["[PROVIDER]", "NODE", "ACCOUNT"])]
	pub node_and_account: Vec<String>,
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

/// Splits the arguments into the provider, if it is named, the node and the account.
fn split(arguments: &[String]) -> Option<(Option<&str>, &str, &str)> {
	match arguments {
		[node, account] => Some((None, node, account)),
		[provider, node, account] => Some((Some(provider), node, account)),
		_ => None,
	}
}

/// Sets the operator.
pub async fn run(options: Options, url: &str) -> Result<OperatorSet, Error> {
	let arguments = &options.node_and_account;
	let (provider, node, account) =
		split(arguments).expect("the command line takes two or three arguments; qed");
	let id = |text: &str| {
		let text = text.to_owned();
		move |reason| Error::Id { text, reason }
	};
	let provider: Option<ProviderId> =
		provider.map(|text| text.parse().map_err(id(text))).transpose()?;
	let node: NodeId = node.parse().map_err(id(node))?;
	let account = set_key::account(account)?;
	let signer: Account = options.signer.parse()?;
	let chain = Chain::connect(url).await?;
	let provider = match provider {
		Some(provider) => provider,
		None => provider_of(&chain.best().await?, node).await?,
	};
	chain.submit(&signer, calls::set_node_operator(provider, node, &account)).await?;
	Ok(OperatorSet {
		provider: provider.to_string(),
		node: node.to_string(),
		operator: account.to_string(),
	})
}

/// Finds the one provider that has the node.
async fn provider_of(at: &Snapshot, node: NodeId) -> Result<ProviderId, Error> {
	let nodes = at.rows(&storage::nodes(), ()).await?;
	let providers: Vec<_> = nodes
		.into_iter()
		.filter(|((_, found), _)| *found == node.0)
		.map(|((provider, _), _)| ProviderId(provider))
		.collect();
	match providers[..] {
		[] => Err(Error::Unknown { kind: "node", id: node.to_string() }),
		[provider] => Ok(provider),
		_ => {
			let providers: Vec<_> = providers.iter().map(ProviderId::to_string).collect();
			Err(Error::AmbiguousNode { id: node.to_string(), providers: providers.join(", ") })
		},
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn the_provider_of_a_node_may_be_left_out() {
		let arguments = ["iprv1", "inod1", "5A"].map(str::to_owned);
		assert_eq!(split(&arguments), Some((Some("iprv1"), "inod1", "5A")));
		assert_eq!(split(&arguments[1..]), Some((None, "inod1", "5A")));
		assert_eq!(split(&arguments[2..]), None);
	}
}
