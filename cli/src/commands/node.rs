// SPDX-License-Identifier: Apache-2.0
//! `fabric node`: creates, confirms, changes and removes the nodes of a provider.

use clap::{Args, Subcommand};
use content_fabric_client::{
	chain::calls,
	ids::{self, Address},
};
use content_fabric_identifiers::{NodeId, ProviderId};

use super::{
	address::account_of, locator::Locator, naming::Naming, Action, Authority, Context, Setting,
	Submit,
};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Create a node of a provider. It is pending until it is confirmed
	#[command(after_long_help = "\
Example:
  fabric node create iprv… --name eu-1 --operator 5Grw… --locator /dns/eu-1.example.org/tcp/443

The operator confirms the node with `fabric node confirm`, and can then commit versions.")]
	Create(Submit<Create>),
	/// Confirm a pending node, as its operator or as an admin of the provider
	#[command(after_long_help = "\
Example:
  fabric node confirm iprv… inod… --signer env:OPERATOR_KEY")]
	Confirm(Submit<Which>),
	/// Change the locator of a node
	#[command(after_long_help = "\
Example:
  fabric node set-locator iprv… inod… /dns/eu-2.example.org/tcp/443")]
	SetLocator(Submit<SetLocator>),
	/// Change the operator of a node
	#[command(after_long_help = "\
Example:
  fabric node set-operator iprv… inod… 5F3s…

From then on only the new operator and the admins of the provider can act for the node.")]
	SetOperator(Submit<SetOperator>),
	/// Remove a node. The versions that it took in stay
	#[command(after_long_help = "\
Example:
  fabric node remove iprv… inod…

Versions that it has not finalized can then be finalized by an admin of the provider only.")]
	Remove(Submit<Which>),
}

#[derive(Debug, Args)]
pub struct Create {
	/// The provider, iprv…
	provider: ProviderId,
	#[command(flatten)]
	naming: Naming<NodeId>,
	/// The account that acts for the node
	#[arg(long, value_name = "ACCOUNT")]
	operator: Address,
	/// The address at which the node is reached: a URL or a multiaddress
	#[arg(long)]
	locator: Locator,
}

/// `fabric node confirm`, `fabric node remove` and `fabric governance delete-node`
#[derive(Debug, Args)]
pub struct Which {
	/// The provider, iprv…
	pub(super) provider: ProviderId,
	/// The node, inod…
	pub(super) node: NodeId,
}

#[derive(Debug, Args)]
pub struct SetLocator {
	#[command(flatten)]
	which: Which,
	/// The new address: a URL or a multiaddress
	locator: Locator,
}

#[derive(Debug, Args)]
pub struct SetOperator {
	#[command(flatten)]
	which: Which,
	/// The new operator
	operator: Address,
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::Create(command) => command.run(context, create).await,
		Command::Confirm(command) => command.run(context, confirm).await,
		Command::SetLocator(command) => command.run(context, set_locator).await,
		Command::SetOperator(command) => command.run(context, set_operator).await,
		Command::Remove(command) => command.run(context, remove).await,
	}
}

async fn create(options: Create, setting: &Setting<'_>) -> Result<Action, Error> {
	let Create { provider, naming, operator, locator } = options;
	let node = naming.resolve(|name| ids::node(provider, name))?;
	let at = setting.view().await?;
	at.member(provider.into()).await?;
	let operator = account_of(&at, &operator)?;
	let locator = locator.into_bytes(&at, "--locator")?;
	let summary = format!("create the node {node} of {provider}, operated by {operator}");
	let call = calls::CreateNode { provider, node, operator, locator };
	at.action(Authority::Provider, call, summary)
}

async fn confirm(options: Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let Which { provider, node } = options;
	let at = setting.view().await?;
	at.node(provider, node).await?;
	let summary = format!("confirm the node {node} of {provider}");
	at.action(Authority::Provider, calls::ConfirmNode { provider, node }, summary)
}

async fn remove(options: Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let Which { provider, node } = options;
	let at = setting.view().await?;
	let locator = at.node(provider, node).await?.locator;
	let summary = format!("remove the node {node} of {provider}, reached at {locator}");
	at.destructive(Authority::Provider, calls::RemoveNode { provider, node }, summary)
}

async fn set_locator(options: SetLocator, setting: &Setting<'_>) -> Result<Action, Error> {
	let SetLocator { which: Which { provider, node }, locator } = options;
	let at = setting.view().await?;
	at.node(provider, node).await?;
	let locator = locator.into_bytes(&at, "LOCATOR")?;
	let summary = format!("change the locator of the node {node} of {provider}");
	at.action(Authority::Provider, calls::SetNodeLocator { provider, node, locator }, summary)
}

async fn set_operator(options: SetOperator, setting: &Setting<'_>) -> Result<Action, Error> {
	let SetOperator { which: Which { provider, node }, operator } = options;
	let at = setting.view().await?;
	let operator = account_of(&at, &operator)?;
	let former = at.node(provider, node).await?.operator;
	let summary = format!(
		"make {operator} the operator of the node {node} of {provider}, in place of {former}"
	);
	let call = calls::SetNodeOperator { provider, node, operator };
	at.destructive(Authority::Provider, call, summary)
}
