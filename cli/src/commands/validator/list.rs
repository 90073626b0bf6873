// SPDX-License-Identifier: Apache-2.0
//! `fabric validator list`: the active validators, and those that are named.

use std::{
	collections::{BTreeMap, BTreeSet},
	io::{self, Write},
};

use content_fabric_client::chain::rows;
use serde::Serialize;
use subxt::utils::AccountId32;

use crate::{commands::Context, output::Report, Error};

#[derive(Serialize)]
pub struct Validators {
	block: u64,
	session: u32,
	/// The validators, by account.
	validators: Vec<Validator>,
}

#[derive(Serialize)]
struct Validator {
	account: AccountId32,
	/// True if it makes blocks and votes on finality in this session.
	active: bool,
	/// True if it does so in the next session.
	active_next: bool,
	/// True if the council names it.
	named: bool,
	/// True if it makes no blocks, because of a proven offence.
	disabled: bool,
	keys: Option<Keys>,
}

/// The public parts of session keys, in hex.
#[derive(Serialize)]
struct Keys {
	aura: String,
	grandpa: String,
}

pub async fn run(context: &Context) -> Result<Validators, Error> {
	let at = context.view().await?;
	let active = at.get(rows::validators(), ()).await?.unwrap_or_default();
	let disabled = at.get(rows::disabled_validators(), ()).await?.unwrap_or_default();
	let disabled: BTreeSet<_> = disabled
		.iter()
		.filter_map(|(position, _)| active.get(usize::try_from(*position).ok()?))
		.collect();
	let next = at.get(rows::queued_validators(), ()).await?.unwrap_or_default();
	let next: BTreeSet<_> = next.into_iter().map(|(account, _)| account).collect();
	let named = at.get(rows::named_validators(), ()).await?.unwrap_or_default();
	let keys: BTreeMap<_, _> = at
		.rows(rows::session_keys(), ())
		.await?
		.into_iter()
		.map(|((account,), keys)| (account, keys))
		.collect();
	let hex = |key: [u8; 32]| format!("0x{}", hex::encode(key));
	let accounts: BTreeSet<_> =
		active.iter().chain(&next).chain(&named).chain(keys.keys()).collect();
	let validators = accounts.into_iter().map(|account| Validator {
		account: *account,
		active: active.contains(account),
		active_next: next.contains(account),
		named: named.contains(account),
		disabled: disabled.contains(account),
		keys: keys
			.get(account)
			.map(|keys| Keys { aura: hex(keys.aura), grandpa: hex(keys.grandpa) }),
	});
	Ok(Validators {
		block: at.block_number(),
		session: at.get(rows::session_index(), ()).await?.unwrap_or_default(),
		validators: validators.collect(),
	})
}

impl Validator {
	/// Returns its part in the present session and in those that follow.
	fn state(&self) -> &'static str {
		match (self.active, self.active_next, self.named && self.keys.is_some()) {
			(true, true, true) => "active",
			(true, true, false) => "active until the second session change",
			(true, false, _) => "active until the next session change",
			(false, true, _) => "active from the next session change",
			(false, false, true) => "active from the second session change",
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
				writeln!(out, "  disabled: makes no blocks until validators or their keys change")?;
			}
			if let Some(Keys { aura, grandpa }) = &validator.keys {
				writeln!(out, "  aura    {aura}")?;
				writeln!(out, "  grandpa {grandpa}")?;
			}
		}
		writeln!(out, "session {}, block {}", self.session, self.block)
	}
}
