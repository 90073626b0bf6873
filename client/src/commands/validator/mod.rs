// SPDX-License-Identifier: Apache-2.0
//! `fabric validator`: prints the validators, registers their session keys, names and removes them.

mod keys;
mod list;
mod naming;

use clap::Subcommand;

use self::{
	keys::{MakeKeys, RemoveKeys, SetKeys},
	naming::{NoteStalled, Set, Which},
};
use super::{Context, Submit};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Print the validators: the active ones, those that the council names, and their session keys
	#[command(after_long_help = "\
Examples:
  fabric validator list
  fabric validator list --json

A change of the set is queued when the next session begins, and takes effect when the one after that
begins.")]
	List,
	/// Have the node make session keys, and print the `set-keys` command that registers them
	#[command(after_long_help = "\
Example:
  fabric validator make-keys 5Grw… --url ws://127.0.0.1:9944

Run it on the machine of the validator: nodes make keys for nobody else. The keys stay in the node.
The account is the validator's, and its own key need not be on that machine.")]
	MakeKeys(MakeKeys),
	/// Register the session keys of a validator, signed by its account
	#[command(after_long_help = "\
Example:
  fabric validator set-keys 0x8a2f… 0x51c0… --signer keystore:validator.json

Keys and proof are those that `fabric validator make-keys` prints. The chain takes a deposit. New
keys sign from the session after the next one on: keep the node running with both until then.")]
	SetKeys(Submit<SetKeys>),
	/// Remove the session keys of the account that signs, and release their deposit
	#[command(after_long_help = "\
Example:
  fabric validator remove-keys --signer keystore:validator.json

The validator leaves the set at the second session change, even if the council still names it.")]
	RemoveKeys(Submit<RemoveKeys>),
	/// Name a validator, by the council. Its session keys must be registered
	#[command(after_long_help = "\
Examples:
  fabric validator add 5Grw… --council propose --signer env:MEMBER_KEY
  fabric validator add 5Grw… --council vote --signer env:MEMBER_KEY
  fabric validator add 5Grw… --council close --signer env:MEMBER_KEY")]
	Add(Submit<Which>),
	/// Remove a validator from those that are named, by the council
	#[command(after_long_help = "\
Example:
  fabric validator remove 5Grw… --council propose --signer env:MEMBER_KEY

Keep its node running until `fabric validator list` no longer shows it as active.")]
	Remove(Submit<Which>),
	/// Name the validators anew, by the council: these, and no others
	#[command(after_long_help = "\
Example:
  fabric validator set 5Grw… 5FHn… 5FLS… 5DAA… --council propose --signer env:MEMBER_KEY

One motion for several changes, so that all of them take effect together.")]
	Set(Submit<Set>),
	/// Force the queued validators to take over finality, after a third or more are lost for good
	#[command(after_long_help = "\
Example:
  fabric validator note-stalled --delay 10 --last-finalized 4711 --council propose --signer env:KEY

The last resort, described in docs/operations.md: name the new set first, and close the motion in
the session in which it is queued.")]
	NoteStalled(Submit<NoteStalled>),
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::List => context.report(&list::run(context).await?),
		Command::MakeKeys(command) => context.report(&command.run(context).await?),
		Command::SetKeys(command) => command.run(context, SetKeys::prepare).await,
		Command::RemoveKeys(command) => command.run(context, RemoveKeys::prepare).await,
		Command::Add(command) => command.run(context, Which::add).await,
		Command::Remove(command) => command.run(context, Which::remove).await,
		Command::Set(command) => command.run(context, Set::prepare).await,
		Command::NoteStalled(command) => command.run(context, NoteStalled::prepare).await,
	}
}
