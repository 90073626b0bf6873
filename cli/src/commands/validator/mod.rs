// SPDX-License-Identifier: Apache-2.0
//! `fabric validator`: prints the validators, registers their session keys, names and removes them.

mod list;

use std::{
	collections::{BTreeMap, BTreeSet},
	io::{self, Write},
	str::FromStr,
};

use clap::{value_parser, Args, Subcommand};
use content_fabric_client::{
	chain::{
		calls::{self, Encoded},
		rows, Snapshot,
	},
	ids::Address,
	text::printable,
};
use serde::Serialize;
use subxt::utils::AccountId32;

use super::{address::account_of, Action, Authority, Context, CouncilStep, Setting, Submit};
use crate::{output::Report, Error};

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
	MakeKeys(Which),
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
		Command::MakeKeys(options) => context.report(&make_keys(options, context).await?),
		Command::SetKeys(command) => command.run(context, set_keys).await,
		Command::RemoveKeys(command) => command.run(context, remove_keys).await,
		Command::Add(command) => command.run(context, add).await,
		Command::Remove(command) => command.run(context, remove).await,
		Command::Set(command) => command.run(context, set).await,
		Command::NoteStalled(command) => command.run(context, note_stalled).await,
	}
}

#[derive(Debug, Args)]
pub struct SetKeys {
	/// The public parts of the keys, 0x…
	keys: Bytes,
	/// The proof that the node has made the keys for this validator, 0x…
	proof: Bytes,
}

#[derive(Debug, Args)]
pub struct RemoveKeys {}

/// Session keys that a node has made.
#[derive(Serialize)]
pub struct MadeKeys {
	account: AccountId32,
	/// Their public parts, in hex.
	keys: String,
	/// The proof that the node has made them for the account, in hex.
	proof: String,
}

#[derive(Clone, Debug)]
struct Bytes(Vec<u8>);

impl FromStr for Bytes {
	type Err = String;

	fn from_str(text: &str) -> Result<Self, String> {
		let digits = text
			.strip_prefix("0x")
			.ok_or("no 0x in front: pass the text that `fabric validator make-keys` prints")?;
		hex::decode(digits).map(Self).map_err(|error| error.to_string())
	}
}

async fn make_keys(options: Which, context: &Context) -> Result<MadeKeys, Error> {
	let chain = context.connect().await?;
	let account = account_of(&chain.best().await?, &options.account)?;
	let made = chain.make_session_keys(&account).await.map_err(Error::from);
	let made = made.map_err(|error| match error.to_string().contains("unsafe") {
		true => error.with_hint(
			"run the command on the validator's machine, with --url ws://127.0.0.1:9944",
		),
		false => error,
	})?;
	Ok(MadeKeys { account, keys: made.keys, proof: made.proof })
}

impl Report for MadeKeys {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { account, keys, proof } = self;
		let (keys, proof) = (printable(keys), printable(proof));
		writeln!(
			out,
			"the node has made session keys for {account}: register them, signed by it, with"
		)?;
		writeln!(out, "  fabric validator set-keys {keys} {proof}")
	}
}

async fn set_keys(options: SetKeys, setting: &Setting<'_>) -> Result<Action, Error> {
	let SetKeys { keys: Bytes(keys), proof: Bytes(proof) } = options;
	let summary = format!("register the session keys 0x{}", hex::encode(&keys));
	let call = calls::SetKeys { keys: Encoded::from_bytes(keys), proof };
	setting.view().await?.action(Authority::Anyone, call, summary)
}

async fn remove_keys(_: RemoveKeys, setting: &Setting<'_>) -> Result<Action, Error> {
	let summary = "remove the session keys of the account".into();
	setting.view().await?.destructive(Authority::Anyone, calls::PurgeKeys {}, summary)
}

/// `fabric validator make-keys`, `add` and `remove`
#[derive(Debug, Args)]
pub struct Which {
	/// The account of the validator
	account: Address,
}

#[derive(Debug, Args)]
pub struct Set {
	/// The accounts of the validators, of all of them
	#[arg(required = true)]
	accounts: Vec<Address>,
}

/// Checks that a validator has session keys. Without them it would be named, and never active.
async fn ensure_keys(at: &Snapshot, account: AccountId32) -> Result<(), Error> {
	match at.contains(rows::session_keys(), (account,)).await? {
		true => Ok(()),
		false => Err(Error::Refused(format!(
			"{account} has no session keys: its operator registers them first, with `fabric \
			 validator make-keys` and `set-keys`"
		))),
	}
}

async fn set(options: Set, setting: &Setting<'_>) -> Result<Action, Error> {
	let mut seen = BTreeSet::new();
	let mut accounts = options.accounts.iter().map(|address| address.account);
	if let Some(twice) = accounts.find(|account| !seen.insert(*account)) {
		return Err(Error::Usage(format!("{twice} is listed twice: list each validator once")));
	}
	let at = setting.view().await?;
	let accounts = options.accounts.iter().map(|address| account_of(&at, address));
	let accounts = accounts.collect::<Result<Vec<_>, _>>()?;
	for account in &accounts {
		ensure_keys(&at, *account).await?;
	}
	let named: Vec<_> = accounts.iter().map(ToString::to_string).collect();
	let summary = format!("name these validators, and no others: {}", named.join(", "));
	at.destructive(Authority::Council, calls::SetInvulnerables { new: accounts }, summary)
}

async fn add(options: Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let at = setting.view().await?;
	let who = account_of(&at, &options.account)?;
	ensure_keys(&at, who).await?;
	let summary = format!("name the validator {who}");
	at.action(Authority::Council, calls::AddInvulnerable { who }, summary)
}

async fn remove(options: Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let at = setting.view().await?;
	let who = account_of(&at, &options.account)?;
	let summary = format!("remove {who} from the validators");
	at.destructive(Authority::Council, calls::RemoveInvulnerable { who }, summary)
}

/// Largest number of blocks until the new set votes: half of a session of an hour. GRANDPA takes no
/// other change before.
const MAX_DELAY: i64 = 300;

#[derive(Debug, Args)]
pub struct NoteStalled {
	/// Blocks from the start of the next session to the first vote of the new set
	#[arg(long, value_name = "BLOCKS", value_parser = value_parser!(u32).range(..=MAX_DELAY))]
	delay: u32,
	/// The highest block that any validator of the new set has finalized
	#[arg(long, value_name = "BLOCK")]
	last_finalized: u32,
}

async fn note_stalled(options: NoteStalled, setting: &Setting<'_>) -> Result<Action, Error> {
	let NoteStalled { delay, last_finalized } = options;
	let at = setting.view().await?;
	if !matches!(setting.act.council, Some(CouncilStep::Propose | CouncilStep::Vote)) {
		ensure_queued(&at).await?;
	}
	let summary = format!(
		"force the queued validators to take over finality, {delay} blocks after the next \
		 session begins, with block {last_finalized} as the last final one"
	);
	let call = calls::NoteStalled { delay, best_finalized_block_number: last_finalized };
	at.destructive(Authority::Root, call, summary)
}

/// Checks that the next session has other validators or keys, and that they are those which are
/// named and registered now: that is what the call is for.
async fn ensure_queued(at: &Snapshot) -> Result<(), Error> {
	let queued = at.get(rows::queued_validators(), ()).await?.unwrap_or_default();
	let queued: BTreeMap<_, _> = queued.into_iter().collect();
	let mut ready = BTreeMap::new();
	for account in at.get(rows::named_validators(), ()).await?.unwrap_or_default() {
		if let Some(keys) = at.get(rows::session_keys(), (account,)).await? {
			ready.insert(account, keys);
		}
	}
	if at.get(rows::validators_change(), ()).await? == Some(true) && queued == ready {
		return Ok(());
	}
	Err(Error::Refused(
		"the next session does not have the validators and keys that are named and registered, or \
		 they are the present ones: name new validators first, with `fabric validator set`, and run \
		 this in the session in which they are queued"
			.into(),
	))
}
