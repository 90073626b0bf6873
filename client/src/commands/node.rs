// SPDX-License-Identifier: Apache-2.0
//! `fabric node`: creates, confirms, changes and removes the nodes of a provider.

use clap::{Args, Subcommand};
use content_fabric_identifiers::{NodeId, ProviderId};
use subxt::utils::AccountId32;

use super::{locator::Locator, naming::Naming, Act, Action, Authority, Context, Outcome};
use crate::{
	chain::{self, calls, rows, Snapshot},
	ids, Error,
};

/// The commands of nodes.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Create a node of a provider. It is pending until it is confirmed
	#[command(after_long_help = "\
Example:
  fabric node create iprv… --name eu-1 --operator 5Grw… --locator /dns/eu-1.example.org/tcp/443

The operator confirms the node with `fabric node confirm`, and can then commit versions.")]
	Create(Create),
	/// Confirm a pending node, as its operator or as an admin of the provider
	#[command(after_long_help = "\
Example:
  fabric node confirm iprv… inod… --signer env:OPERATOR_KEY")]
	Confirm(Which),
	/// Change the locator of a node
	#[command(after_long_help = "\
Example:
  fabric node set-locator iprv… inod… /dns/eu-2.example.org/tcp/443")]
	SetLocator(SetLocator),
	/// Change the operator of a node
	#[command(after_long_help = "\
Example:
  fabric node set-operator iprv… inod… 5F3s…

From then on only the new operator and the admins of the provider can act for the node.")]
	SetOperator(SetOperator),
	/// Remove a node. The versions that it took in stay
	#[command(after_long_help = "\
Example:
  fabric node remove iprv… inod…

Versions that it has not finalized can then be finalized by an admin of the provider only.")]
	Remove(Which),
}

/// `fabric node create`
#[derive(Debug, Args)]
pub struct Create {
	/// The provider, iprv…
	#[arg(value_parser = ids::parse::<ProviderId>)]
	provider: ProviderId,
	#[command(flatten)]
	naming: Naming<NodeId>,
	/// The account that acts for the node
	#[arg(long, value_name = "ACCOUNT", value_parser = ids::parse_account)]
	operator: AccountId32,
	/// The address at which the node is reached: a URL or a multiaddress
	#[arg(long)]
	locator: Locator,
	#[command(flatten)]
	act: Act,
}

/// `fabric node confirm` and `fabric node remove`
#[derive(Debug, Args)]
pub struct Which {
	/// The provider, iprv…
	#[arg(value_parser = ids::parse::<ProviderId>)]
	provider: ProviderId,
	/// The node, inod…
	#[arg(value_parser = ids::parse::<NodeId>)]
	node: NodeId,
	#[command(flatten)]
	act: Act,
}

/// `fabric node set-locator`
#[derive(Debug, Args)]
pub struct SetLocator {
	/// The provider, iprv…
	#[arg(value_parser = ids::parse::<ProviderId>)]
	provider: ProviderId,
	/// The node, inod…
	#[arg(value_parser = ids::parse::<NodeId>)]
	node: NodeId,
	/// The new address: a URL or a multiaddress
	locator: Locator,
	#[command(flatten)]
	act: Act,
}

/// `fabric node set-operator`
#[derive(Debug, Args)]
pub struct SetOperator {
	/// The provider, iprv…
	#[arg(value_parser = ids::parse::<ProviderId>)]
	provider: ProviderId,
	/// The node, inod…
	#[arg(value_parser = ids::parse::<NodeId>)]
	node: NodeId,
	/// The new operator
	#[arg(value_parser = ids::parse_account)]
	operator: AccountId32,
	#[command(flatten)]
	act: Act,
}

/// Runs a command.
pub async fn run(command: Command, context: &Context) -> Result<Outcome, Error> {
	match command {
		Command::Create(command) => command.run(context).await,
		Command::Confirm(command) => command.confirm(context).await,
		Command::SetLocator(command) => command.run(context).await,
		Command::SetOperator(command) => command.run(context).await,
		Command::Remove(command) => command.remove(context).await,
	}
}

impl Create {
	async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { provider, naming, operator, locator, act } = self;
		let node = naming.resolve(|name| ids::node(provider, name))?;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		at.member(provider.into()).await?;
		let locator = locator.into_bytes(&at, "--locator")?;
		let action = Action {
			summary: format!("create the node {node} of {provider}, operated by {operator}"),
			call: at.encode(calls::CreateNode { provider, node, operator, locator })?,
			authority: Authority::Provider,
			destructive: false,
		};
		act.run(context, &chain, action).await
	}
}

impl Which {
	async fn confirm(self, context: &Context) -> Result<Outcome, Error> {
		let Self { provider, node, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		row(&at, provider, node).await?;
		let action = Action {
			summary: format!("confirm the node {node} of {provider}"),
			call: at.encode(calls::ConfirmNode { provider, node })?,
			authority: Authority::Provider,
			destructive: false,
		};
		act.run(context, &chain, action).await
	}

	async fn remove(self, context: &Context) -> Result<Outcome, Error> {
		let Self { provider, node, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		let present = row(&at, provider, node).await?;
		let action = Action {
			summary: format!(
				"remove the node {node} of {provider}, reached at {}",
				present.locator
			),
			call: at.encode(calls::RemoveNode { provider, node })?,
			authority: Authority::Provider,
			destructive: true,
		};
		act.run(context, &chain, action).await
	}
}

impl SetLocator {
	async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { provider, node, locator, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		row(&at, provider, node).await?;
		let locator = locator.into_bytes(&at, "LOCATOR")?;
		let action = Action {
			summary: format!("change the locator of the node {node} of {provider}"),
			call: at.encode(calls::SetNodeLocator { provider, node, locator })?,
			authority: Authority::Provider,
			destructive: false,
		};
		act.run(context, &chain, action).await
	}
}

impl SetOperator {
	async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { provider, node, operator, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		let former = row(&at, provider, node).await?.operator;
		let action = Action {
			summary: format!(
				"make {operator} the operator of the node {node} of {provider}, in place of {former}"
			),
			call: at.encode(calls::SetNodeOperator { provider, node, operator })?,
			authority: Authority::Provider,
			destructive: true,
		};
		act.run(context, &chain, action).await
	}
}

/// Returns the row of a node, which must exist.
async fn row(at: &Snapshot, provider: ProviderId, node: NodeId) -> Result<rows::Node, Error> {
	let unknown = || chain::Error::Unknown { kind: "node", id: format!("{node} of {provider}") };
	Ok(at.get(&rows::nodes(), (provider, node)).await?.ok_or_else(unknown)?)
}
