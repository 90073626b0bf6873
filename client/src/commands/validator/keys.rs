// SPDX-License-Identifier: Apache-2.0
//! Session keys: `fabric validator make-keys`, `set-keys` and `remove-keys`.

use std::{
	io::{self, Write},
	str::FromStr,
};

use clap::Args;
use serde::Serialize;
use subxt::utils::AccountId32;

use crate::{
	chain::calls::{self, Encoded},
	commands::{Action, Authority, Context, Setting},
	ids,
	output::Report,
	text::printable,
	Error,
};

#[derive(Debug, Args)]
pub struct MakeKeys {
	/// The account of the validator, which registers the keys
	#[arg(value_parser = ids::parse_account)]
	account: AccountId32,
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

impl MakeKeys {
	pub(super) async fn run(self, context: &Context) -> Result<MadeKeys, Error> {
		let Self { account } = self;
		let made = context.connect().await?.make_session_keys(&account).await.map_err(Error::from);
		let made = made.map_err(|error| match error.to_string().contains("unsafe") {
			true => error.with_hint(
				"run the command on the validator's machine, with --url ws://127.0.0.1:9944",
			),
			false => error,
		})?;
		Ok(MadeKeys { account, keys: made.keys, proof: made.proof })
	}
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

impl SetKeys {
	pub(super) async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { keys: Bytes(keys), proof: Bytes(proof) } = self;
		let summary = format!("register the session keys 0x{}", hex::encode(&keys));
		let call = calls::SetKeys { keys: Encoded::from_bytes(keys), proof };
		setting.view().await?.action(Authority::Anyone, call, summary)
	}
}

impl RemoveKeys {
	pub(super) async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let summary = "remove the session keys of the account".into();
		setting.view().await?.destructive(Authority::Anyone, calls::PurgeKeys {}, summary)
	}
}
