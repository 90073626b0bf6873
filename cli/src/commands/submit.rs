// SPDX-License-Identifier: Apache-2.0
//! The shape of the commands that submit a call: each prepares an action, and one runner signs,
//! submits and reports it.

use std::{ops::Deref, sync::Arc};

use clap::Args;
use content_fabric_client::{
	amount::Units,
	chain::{
		calls::{Call, EncodedCall},
		Chain, Snapshot,
	},
};
use content_fabric_identifiers::SpaceId;
use content_fabric_primitives::MemberId;

use super::{Act, Context, Outcome};
use crate::Error;

/// A command that submits a call, with the options of signing.
#[derive(Debug, Args)]
pub struct Submit<Command: Args> {
	/// The command.
	#[command(flatten)]
	pub command: Command,
	/// The options of signing.
	#[command(flatten)]
	pub act: Act,
}

/// The circumstances in which a command prepares its action.
pub struct Setting<'a> {
	pub context: &'a Context,
	pub act: &'a Act,
}

/// A chain, with its state at one block.
pub struct View {
	pub chain: Arc<Chain>,
	at: Snapshot,
}

/// The accounts that may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
	/// Root, or two thirds of the council, who whitelist the call.
	Root,
	/// Root, or more than half of the council.
	Council,
	/// The governance of a space: its governor, root, or the council.
	Governance(SpaceId),
	/// An account with a level in a provider, or an operator of its nodes.
	Provider,
	/// An account with a level in a tenant.
	Tenant,
	Anyone,
}

/// A call, and what it is for.
pub struct Action {
	pub chain: Arc<Chain>,
	pub call: EncodedCall,
	/// The accounts that may make it.
	pub authority: Authority,
	/// Its effect, as an instruction: `delete the node inod… of iprv…`.
	pub summary: String,
	/// True if the command asks first, because it removes something, or moves funds or control.
	pub destructive: bool,
	/// Adds to a refusal what the command knows about it.
	pub explain: Box<dyn FnOnce(Error) -> Error>,
}

impl<Command: Args> Submit<Command> {
	/// Prepares an action, submits its call, and prints the outcome.
	pub async fn run(
		self,
		context: &Context,
		prepare: impl AsyncFnOnce(Command, &Setting<'_>) -> Result<Action, Error>,
	) -> Result<(), Error> {
		self.outcome(context, prepare).await?.report(context)
	}

	/// Prepares an action, and submits its call, or shows what it would do.
	pub async fn outcome(
		self,
		context: &Context,
		prepare: impl AsyncFnOnce(Command, &Setting<'_>) -> Result<Action, Error>,
	) -> Result<Outcome, Error> {
		let Self { command, act } = self;
		let mut action = prepare(command, &Setting { context, act: &act }).await?;
		let explain = std::mem::replace(&mut action.explain, Box::new(|error| error));
		let signer = act.load_signer(context, &action.chain, action.authority)?;
		act.run_as(context, action, signer.as_ref()).await.map_err(explain)
	}
}

impl Setting<'_> {
	pub async fn view(&self) -> Result<View, Error> {
		self.context.view().await
	}
}

impl View {
	/// Returns a chain with its state at the best block.
	pub async fn new(chain: Arc<Chain>) -> Result<Self, Error> {
		Ok(Self { at: chain.best().await?, chain })
	}

	pub fn units(&self) -> &Units {
		&self.chain.identity().units
	}

	/// Returns an action that makes a call.
	pub fn action(
		&self,
		authority: Authority,
		call: impl Call,
		summary: String,
	) -> Result<Action, Error> {
		Ok(self.action_of(authority, self.encode(call)?, summary))
	}

	/// Returns an action that makes a call, and asks first.
	pub fn destructive(
		&self,
		authority: Authority,
		call: impl Call,
		summary: String,
	) -> Result<Action, Error> {
		Ok(Action { destructive: true, ..self.action(authority, call, summary)? })
	}

	/// Returns an action that makes a call that is encoded already.
	pub fn action_of(&self, authority: Authority, call: EncodedCall, summary: String) -> Action {
		let (chain, explain) = (self.chain.clone(), Box::new(|error| error));
		Action { chain, call, authority, summary, destructive: false, explain }
	}
}

impl Deref for View {
	type Target = Snapshot;

	fn deref(&self) -> &Snapshot {
		&self.at
	}
}

impl Authority {
	/// Returns the authority over a member of those who have a level in it.
	pub const fn of(member: MemberId) -> Self {
		match member {
			MemberId::Provider(_) => Self::Provider,
			MemberId::Tenant(_) => Self::Tenant,
		}
	}

	/// Returns the key that acts on development chains, where no other is given.
	pub(super) const fn development_key(self) -> &'static str {
		match self {
			Self::Root | Self::Council | Self::Governance(_) | Self::Anyone => "//Alice",
			Self::Provider => "//Bob",
			Self::Tenant => "//Charlie",
		}
	}
}

impl Action {
	/// Returns the action, with an explanation of refusals.
	pub fn explained(self, explain: impl FnOnce(Error) -> Error + 'static) -> Self {
		Self { explain: Box::new(explain), ..self }
	}
}
