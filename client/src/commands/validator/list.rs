//! `fabric validator list`: the validators that sit, and those that are named.

use std::{
	collections::{BTreeMap, BTreeSet},
	io::{self, Write},
};

use serde::Serialize;
use subxt::utils::AccountId32;

use crate::{
	chain::{self, rows, Snapshot},
	commands::Context,
	output::Report,
	Error,
};

/// The validators of a chain.
#[derive(Clone, Debug, Serialize)]
pub struct Validators {
	/// The number of the block at which they were read.
	pub block: u64,
	/// The number of the session.
	pub session: u32,
	/// The validators, by account.
	pub validators: Vec<Validator>,
}

/// A validator.
#[derive(Clone, Debug, Serialize)]
pub struct Validator {
	/// Its account.
	pub account: AccountId32,
	/// True if it sits: it makes blocks, and votes on finality.
	pub sits: bool,
	/// True if it sits when the next session begins.
	pub sits_next: bool,
	/// True if the council names it.
	pub named: bool,
	/// True if it makes no blocks, because of a proven offence.
	pub disabled: bool,
	/// Its registered session keys.
	pub keys: Option<Keys>,
}

/// The public parts of session keys, in hex.
#[derive(Clone, Debug, Serialize)]
pub struct Keys {
	/// The key that signs blocks.
	pub aura: String,
	/// The key that signs votes on finality.
	pub grandpa: String,
}

/// Runs the command.
pub async fn run(context: &Context) -> Result<Validators, Error> {
	Ok(read(&context.connect().await?.best().await?).await?)
}

async fn read(at: &Snapshot) -> Result<Validators, chain::Error> {
	let sitting = at.get(&rows::validators(), ()).await?.unwrap_or_default();
	let disabled = at.get(&rows::disabled_validators(), ()).await?.unwrap_or_default();
	let disabled: BTreeSet<_> = disabled
		.iter()
		.filter_map(|(position, _)| sitting.get(usize::try_from(*position).ok()?))
		.collect();
	let next = at.get(&rows::queued_validators(), ()).await?.unwrap_or_default();
	let next: BTreeSet<_> = next.into_iter().map(|(account, _)| account).collect();
	let named = at.get(&rows::named_validators(), ()).await?.unwrap_or_default();
	let keys: BTreeMap<_, _> = at
		.rows(&rows::session_keys(), ())
		.await?
		.into_iter()
		.map(|((account,), keys)| (account, keys))
		.collect();
	let hex = |key: [u8; 32]| format!("0x{}", hex::encode(key));
	let accounts: BTreeSet<_> =
		sitting.iter().chain(&next).chain(&named).chain(keys.keys()).collect();
	let validators = accounts.into_iter().map(|account| Validator {
		account: *account,
		sits: sitting.contains(account),
		sits_next: next.contains(account),
		named: named.contains(account),
		disabled: disabled.contains(account),
		keys: keys
			.get(account)
			.map(|keys| Keys { aura: hex(keys.aura), grandpa: hex(keys.grandpa) }),
	});
	Ok(Validators {
		block: at.block_number(),
		session: at.get(&rows::session_index(), ()).await?.unwrap_or_default(),
		validators: validators.collect(),
	})
}

impl Validator {
	/// Returns its part in the present session and in those that follow.
	fn state(&self) -> &'static str {
		match (self.sits, self.sits_next, self.named && self.keys.is_some()) {
			(true, true, true) => "sits",
			(true, true, false) => "sits, and leaves at the second change of the session",
			(true, false, _) => "sits, and leaves when the session changes",
			(false, true, _) => "sits when the session changes",
			(false, false, true) => "sits at the second change of the session",
			(false, false, false) if self.named => "named, but has no session keys",
			(false, false, false) => "has session keys, but is not named",
		}
	}
}

impl Report for Validators {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for validator in &self.validators {
			writeln!(out, "{} {}", validator.account, validator.state())?;
			if validator.disabled {
				writeln!(out, "  disabled: it makes no blocks until the set changes")?;
			}
			if let Some(Keys { aura, grandpa }) = &validator.keys {
				writeln!(out, "  aura    {aura}")?;
				writeln!(out, "  grandpa {grandpa}")?;
			}
		}
		writeln!(out, "session {}, block {}", self.session, self.block)
	}
}
