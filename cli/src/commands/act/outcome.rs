// SPDX-License-Identifier: Apache-2.0
//! Reports of commands that submit a call.

use std::io::{self, Write};

use content_fabric_client::{
	amount::{known, Amount},
	chain::{self, calls::EncodedCall, Chain, ChainEvent, DryRun, FabricEvent, Included, Snapshot},
	text::printable,
};
use serde::Serialize;
use subxt::utils::AccountId32;

use crate::{commands::Context, output::Report, Error};

/// The outcome of a command that submits a call.
#[derive(Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
	Submitted(Submitted),
	/// A dry run, which signed nothing.
	DryRun(DryRunReport),
	PrintedCall(PrintedCall),
}

/// A call that is in a block and has succeeded.
#[derive(Serialize)]
pub struct Submitted {
	/// The effect, as an instruction.
	pub action: String,
	/// The call, with its pallet.
	pub call: String,
	pub extrinsic: String,
	pub block_hash: String,
	pub block: u64,
	/// Its events, except events of the currency and the system.
	pub events: Vec<ChainEvent>,
}

/// The effect of a call, as a dry run shows it.
#[derive(Serialize)]
pub struct DryRunReport {
	/// The purpose, as an instruction.
	action: String,
	/// The call, with its pallet.
	call: String,
	call_hash: String,
	signer: AccountId32,
	/// The error with which it would fail.
	error: Option<String>,
	/// The fee. `None` if the runtime does not offer to compute it.
	fee: Option<Amount>,
	/// The amounts that would be put on hold or released.
	held: Vec<HeldBy>,
	/// The events that it would deposit, except events of the currency and the system.
	events: Vec<ChainEvent>,
}

/// An amount that a call would put on hold, or release, on an account.
#[derive(Serialize)]
struct HeldBy {
	account: AccountId32,
	amount: Amount,
	released: bool,
}

/// A call as bytes.
#[derive(Serialize)]
pub struct PrintedCall {
	/// The purpose, as an instruction.
	action: String,
	/// The call, with its pallet.
	call: String,
	call_data: String,
	/// The BLAKE2b-256 hash of the encoded call in hex.
	call_hash: String,
	/// The version of the runtime for which the call is encoded.
	spec_version: u32,
	/// The hash of the metadata by which the call is encoded, in hex. `None` if it is not computed.
	metadata_hash: Option<String>,
}

fn hex0x(bytes: impl AsRef<[u8]>) -> String {
	format!("0x{}", hex::encode(bytes))
}

/// Returns the events of a call, without events of fees and of accounts.
fn relevant(events: Vec<ChainEvent>) -> Vec<ChainEvent> {
	let is_relevant = |event: &ChainEvent| match event.pallet.as_str() {
		"Balances" | "TransactionPayment" | "Utility" => false,
		"System" => matches!(event.name.as_str(), "CodeUpdated" | "UpgradeAuthorized"),
		_ => true,
	};
	events.into_iter().filter(is_relevant).collect()
}

impl Submitted {
	pub(super) fn new(action: String, call: &EncodedCall, included: Included) -> Self {
		Self {
			action,
			call: call.name(),
			extrinsic: hex0x(included.extrinsic_hash),
			block_hash: hex0x(included.block_hash),
			block: included.block_number,
			events: relevant(included.events),
		}
	}

	/// Returns what is found in the first event of the content fabric that has it.
	pub fn find_event<T>(&self, find: impl FnMut(&FabricEvent) -> Option<T>) -> Option<T> {
		self.events.iter().filter_map(ChainEvent::fabric).find_map(find)
	}
}

impl DryRunReport {
	pub(super) fn new(
		chain: &Chain,
		signer: &AccountId32,
		action: String,
		call: &EncodedCall,
		run: DryRun,
	) -> Self {
		let units = &chain.identity().units;
		let held = run.held.into_iter().map(|(account, amount)| HeldBy {
			account,
			amount: units.amount(amount.unsigned_abs()),
			released: amount < 0,
		});
		Self {
			action,
			call: call.name(),
			call_hash: hex0x(call.hash()),
			signer: *signer,
			error: run.error,
			fee: run.fee.map(|fee| units.amount(fee)),
			held: held.collect(),
			events: relevant(run.events),
		}
	}

	/// Returns what a user is asked to agree to.
	pub(super) fn question(&self, real: Option<&AccountId32>) -> String {
		let mut lines =
			vec![format!("About to {}.", self.action), format!("  call      {}", self.call)];
		match real {
			Some(real) => lines.push(format!("  signer    {}, for {real}", self.signer)),
			None => lines.push(format!("  signer    {}", self.signer)),
		}
		lines.push(format!("  fee       {}", known(self.fee.as_ref())));
		lines.extend(self.held.iter().map(HeldBy::line));
		let lines: Vec<_> = lines.iter().map(|line| printable(line)).collect();
		lines.join("\n")
	}
}

impl HeldBy {
	fn line(&self) -> String {
		let Self { account, amount, released } = self;
		match released {
			true => format!("  releases  {amount} of {account}"),
			false => format!("  holds     {amount} of {account}"),
		}
	}
}

impl PrintedCall {
	pub(super) fn new(action: String, call: &EncodedCall, at: &Snapshot) -> Self {
		Self {
			action,
			call: call.name(),
			call_data: hex0x(call.bytes()),
			call_hash: hex0x(call.hash()),
			spec_version: at.spec_version(),
			metadata_hash: at.metadata_hash().map(hex0x),
		}
	}
}

impl Report for Outcome {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		match self {
			Self::Submitted(submitted) => submitted.write_text(out),
			Self::DryRun(run) => run.write_text(out),
			Self::PrintedCall(printed) => printed.write_text(out),
		}
	}
}

impl Outcome {
	/// Prints the outcome. Returns the error of a dry run that would fail.
	pub fn report(&self, context: &Context) -> Result<(), Error> {
		context.report(self)?;
		self.verdict()
	}

	/// Returns the error with which the command ends after the report of a dry run, if the call
	/// would fail.
	pub fn verdict(&self) -> Result<(), Error> {
		match self {
			Self::DryRun(DryRunReport { call, error: Some(reason), .. }) => {
				let (call, reason) = (call.clone(), reason.clone());
				let error = Error::from(chain::Error::Dispatch { call, reason });
				Err(error.with_hint("nothing was signed"))
			},
			_ => Ok(()),
		}
	}
}

impl Report for Submitted {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		writeln!(out, "done: {}", self.action)?;
		for event in &self.events {
			writeln!(out, "  {event}")?;
		}
		writeln!(out, "block {} {}, transaction {}", self.block, self.block_hash, self.extrinsic)
	}
}

impl Report for DryRunReport {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		match &self.error {
			None => writeln!(out, "would succeed: {}", self.action)?,
			Some(error) => writeln!(out, "would fail: {}: {}", self.action, printable(error))?,
		}
		writeln!(out, "  call      {} {}", self.call, self.call_hash)?;
		writeln!(out, "  signer    {}", self.signer)?;
		writeln!(out, "  fee       {}", known(self.fee.as_ref()))?;
		for held in &self.held {
			writeln!(out, "{}", held.line())?;
		}
		for event in &self.events {
			writeln!(out, "  {event}")?;
		}
		writeln!(out, "nothing was signed")
	}
}

impl Report for PrintedCall {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		writeln!(out, "{} {}", self.call, self.call_hash)?;
		writeln!(out, "{}", self.call_data)?;
		let hash = self.metadata_hash.as_deref().unwrap_or("unknown");
		writeln!(out, "runtime {}, metadata hash {hash}", self.spec_version)
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_client::{amount::Units, class::Class};

	use super::*;

	fn dry_run(error: Option<&str>) -> Outcome {
		Outcome::DryRun(DryRunReport {
			action: "reap".into(),
			call: "ContentFabric.reap".into(),
			call_hash: String::new(),
			signer: AccountId32([1; 32]),
			error: error.map(str::to_owned),
			fee: Some(Units::new(12, "UNIT").amount(1)),
			held: Vec::new(),
			events: Vec::new(),
		})
	}

	#[test]
	fn a_dry_run_ends_as_the_call_would() {
		assert!(dry_run(None).verdict().is_ok());
		let error = dry_run(Some("Bad origin.")).verdict().expect_err("the call would fail");
		assert_eq!(error.class(), Class::Refused);
		assert_eq!(error.to_string(), "ContentFabric.reap failed: Bad origin; nothing was signed");
	}
}
