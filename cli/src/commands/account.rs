// SPDX-License-Identifier: Apache-2.0
//! `fabric account`: the funds of an account, the reasons for its holds, and signed requests.

mod send;
mod sign_request;

use std::io::{self, Write};

use clap::{Args, Subcommand};
use content_fabric_client::{
	amount::Amount,
	chain::{self, provider_level_name, rows, tenant_level_name, Snapshot},
	ids::Address,
	keys::KeySource,
	text::printable,
};
use content_fabric_identifiers::SpaceId;
use content_fabric_primitives::MemberId;
use serde::Serialize;
use subxt::{
	ext::scale_value::{Composite, ValueDef},
	utils::AccountId32,
};

use super::{address::account_of, Context, Submit};
use crate::{
	output::{as_text, Report},
	Error,
};

#[derive(Debug, Args)]
#[command(
	args_conflicts_with_subcommands = true,
	after_long_help = "\
Examples:
  fabric account 5Grw…
  fabric --profile main account
  fabric account --signer keystore:operator.json"
)]
pub struct Options {
	#[command(subcommand)]
	command: Option<Command>,
	/// The address of the account [default: the account of the key]
	address: Option<Address>,
	/// The key of the account: env:NAME, file:PATH, keystore:PATH, - for standard input, or a
	/// development key such as //Alice
	///
	/// [default: the profile's; on development chains //Alice]
	#[arg(long, env = "FABRIC_SIGNER", hide_env_values = true, value_name = "KEY")]
	signer: Option<KeySource>,
}

#[derive(Debug, Subcommand)]
enum Command {
	/// Send funds to another account
	#[command(after_long_help = "\
Examples:
  fabric account send '10 UNIT' 5F3s… --dry-run
  fabric account send '10 UNIT' 5F3s… --signer keystore:operator.json

An account exists while it has at least the existential deposit of the chain. The sender keeps at \
least that (the call is transfer_keep_alive), and what is frozen or on hold. It pays the fee in \
addition to the amount. A new account must get at least the existential deposit.")]
	Send(Submit<send::Transfer>),
	/// Sign requests to a content node or a KMS, and print their header
	#[command(after_long_help = "\
Examples:
  curl -T file -H \"$(fabric account sign-request iten… inod…)\" \\
      https://store.example.com/v1/versions/hq__…
  curl -H \"$(fabric account sign-request iten… ikms…)\" https://kms.example.com/v1/receipts

Drafts, uploads, keys and receipts need this header. The commands of `fabric` send it themselves. \
Anybody who has the header can send such requests to that server for that tenant until it expires. \
Keys are for the recipient that --for names, and for nobody else. With \
--genesis-hash, or with a --profile that has connected before, the command needs no connection.")]
	SignRequest(sign_request::SignRequest),
}

/// The funds of an account, and its part in the fabric.
#[derive(Serialize)]
pub struct Funds {
	block: u64,
	account: AccountId32,
	/// Number of its transactions in blocks.
	nonce: u64,
	/// The free balance. The frozen part of it cannot be spent.
	free: Amount,
	/// The amounts on hold and those that other pallets have reserved.
	reserved: Amount,
	/// The part of all that must stay on the account.
	frozen: Amount,
	holds: Vec<Held>,
	governs: Vec<SpaceId>,
	roots: Vec<Root>,
	nominations: Vec<Nomination>,
	keys: Vec<Key>,
}

#[derive(Serialize)]
struct Held {
	/// The pallet, and its reason.
	reason: String,
	amount: Amount,
}

/// A provider or a tenant with the account as its root.
#[derive(Serialize)]
struct Root {
	#[serde(serialize_with = "as_text")]
	id: MemberId,
	space: SpaceId,
	bond: Amount,
	/// The deposits for its own row and for the rows under it.
	deposits: Amount,
	/// The most that may be on hold for it.
	max_held: Amount,
}

/// A provider or a tenant that may get the account as its root.
#[derive(Serialize)]
struct Nomination {
	#[serde(serialize_with = "as_text")]
	id: MemberId,
	/// The block from which the account may accept, if governance nominated it.
	nominee_matures: Option<u64>,
}

/// An access key in a provider or a tenant.
#[derive(Serialize)]
struct Key {
	#[serde(serialize_with = "as_text")]
	id: MemberId,
	level: &'static str,
}

pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	match options.command {
		Some(Command::Send(command)) => send::run(command, context).await,
		Some(Command::SignRequest(command)) => context.report(&command.run(context).await?),
		None => context.report(&funds(options, context).await?),
	}
}

async fn funds(options: Options, context: &Context) -> Result<Funds, Error> {
	let chain = context.connect().await?;
	let at = &chain.best().await?;
	let account = match options.address {
		Some(address) => account_of(at, &address)?,
		None => *context.signer(&chain, options.signer.as_ref(), "--signer", "//Alice")?.account(),
	};
	let units = &chain.identity().units;
	let (row, holds, nonce, governs, (providers, tenants), keys) = futures::try_join!(
		at.get(rows::accounts(), (account,)),
		at.get(rows::holds(), (account,)),
		at.nonce(&account),
		governed(at, &account),
		at.members(),
		keys(at, &account),
	)?;
	let balance = row.map(|row| row.data);
	let amount = |part: fn(&rows::Balance) -> u128| units.amount(balance.as_ref().map_or(0, part));
	let held =
		|hold: rows::Hold| Held { reason: reason(&hold.id), amount: units.amount(hold.amount) };
	let (mut roots, mut nominations) = (Vec::new(), Vec::new());
	for (id, info) in providers.into_iter().chain(tenants) {
		let nomination = info.nomination.as_ref();
		if let Some(nomination) = nomination.filter(|found| found.nominee == account) {
			nominations.push(Nomination { id, nominee_matures: nomination.governance_matures });
		}
		if info.root == account {
			roots.push(Root {
				id,
				space: info.space,
				bond: units.amount(info.bond),
				deposits: units.amount(info.deposits()),
				max_held: units.amount(info.max_held),
			});
		}
	}
	Ok(Funds {
		block: at.block_number(),
		account,
		nonce,
		free: amount(|balance| balance.free),
		reserved: amount(|balance| balance.reserved),
		frozen: amount(|balance| balance.frozen),
		holds: holds.into_iter().flatten().map(held).collect(),
		governs,
		roots,
		nominations,
		keys,
	})
}

async fn governed(at: &Snapshot, account: &AccountId32) -> Result<Vec<SpaceId>, chain::Error> {
	let spaces = at.rows(rows::spaces(), ()).await?.into_iter();
	Ok(spaces.filter(|(_, space)| space.governor == *account).map(|((id,), _)| id).collect())
}

async fn keys(at: &Snapshot, account: &AccountId32) -> Result<Vec<Key>, chain::Error> {
	let (providers, tenants) =
		futures::try_join!(at.rows(rows::provider_keys(), ()), at.rows(rows::tenant_keys(), ()))?;
	let providers = providers.into_iter().filter(|((_, found), _)| found == account);
	let providers = providers
		.map(|((id, _), key)| Key { id: id.into(), level: provider_level_name(key.level) });
	let tenants = tenants.into_iter().filter(|((_, found), _)| found == account);
	let tenants =
		tenants.map(|((id, _), key)| Key { id: id.into(), level: tenant_level_name(key.level) });
	Ok(providers.chain(tenants).collect())
}

/// Returns the text of a reason: the pallet, and its own reason.
fn reason(reason: &rows::HoldReason) -> String {
	let ValueDef::Variant(pallet) = &reason.value else { return reason.to_string() };
	let inner = match &pallet.values {
		Composite::Unnamed(values) => values.first(),
		Composite::Named(values) => values.first().map(|(_, value)| value),
	};
	match inner.map(|inner| &inner.value) {
		Some(ValueDef::Variant(own)) => format!("{}.{}", pallet.name, own.name),
		_ => pallet.name.clone(),
	}
}

impl Report for Funds {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		writeln!(out, "account {}", self.account)?;
		writeln!(out, "  free      {}", self.free)?;
		writeln!(out, "  reserved  {}", self.reserved)?;
		for Held { reason, amount } in &self.holds {
			writeln!(out, "    {amount} on hold for {}", printable(reason))?;
		}
		writeln!(out, "  frozen    {}", self.frozen)?;
		writeln!(out, "  nonce     {}", self.nonce)?;
		for space in &self.governs {
			writeln!(out, "  governs {space}")?;
		}
		for Root { id, space, bond, deposits, max_held } in &self.roots {
			writeln!(
				out,
				"  root of {id} in {space}: bond {bond}, deposits {deposits}, at most {max_held}"
			)?;
		}
		for Nomination { id, nominee_matures } in &self.nominations {
			match nominee_matures {
				Some(block) => writeln!(out, "  nominated root of {id} from block {block} on")?,
				None => writeln!(out, "  nominated root of {id}")?,
			}
		}
		for Key { id, level } in &self.keys {
			writeln!(out, "  level {level} in {id}")?;
		}
		writeln!(out, "block {}", self.block)
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_client::amount::Units;
	use subxt::dynamic::Value;

	use super::*;
	use crate::output::text_of;

	#[test]
	fn reasons_of_holds_name_the_pallet_and_its_own_reason() {
		let own = Value::unnamed_variant("ProviderBond", []);
		let both = Value::unnamed_variant("ContentFabric", [own]);
		assert_eq!(reason(&both), "ContentFabric.ProviderBond");
		assert_eq!(reason(&Value::unnamed_variant("Preimage", [])), "Preimage");
		assert_eq!(reason(&Value::u128(7)), "7");
	}

	#[test]
	fn reasons_of_holds_are_shown_without_control_characters() {
		let units = Units::new(0, "UNIT");
		let amount = || units.amount(1);
		let funds = Funds {
			block: 1,
			account: AccountId32([1; 32]),
			nonce: 0,
			free: amount(),
			reserved: amount(),
			frozen: amount(),
			holds: vec![Held { reason: "Bond\u{1b}[2J\n".into(), amount: amount() }],
			governs: Vec::new(),
			roots: Vec::new(),
			nominations: Vec::new(),
			keys: Vec::new(),
		};
		let text = text_of(&funds);
		assert!(text.contains("\n    1 UNIT on hold for Bond\\u{1b}[2J\\n\n"), "{text}");
	}
}
