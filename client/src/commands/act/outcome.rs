//! What a command that submits a call reports.

use std::io::{self, Write};

use serde::Serialize;
use subxt::utils::AccountId32;

use crate::{
	amount::Amount,
	chain::{calls::EncodedCall, Chain, ChainEvent, DryRun, Included, Snapshot},
	output::Report,
	text::printable,
};

/// What a command did, would do, or would sign.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
	/// The call is in a block.
	Submitted(Submitted),
	/// Nothing was signed.
	DryRun(DryRunReport),
	/// Nothing was signed, either.
	PrintedCall(PrintedCall),
}

/// A call that is in a block and has succeeded.
#[derive(Clone, Debug, Serialize)]
pub struct Submitted {
	/// What it did.
	pub action: String,
	/// The call, with its pallet.
	pub call: String,
	/// The hash of the transaction.
	pub extrinsic: String,
	/// The hash of its block.
	pub block_hash: String,
	/// The number of its block.
	pub block: u64,
	/// Its events, except those of the currency and the system.
	pub events: Vec<ChainEvent>,
}

/// What a call would do.
#[derive(Clone, Debug, Serialize)]
pub struct DryRunReport {
	/// What it is for.
	pub action: String,
	/// The call, with its pallet.
	pub call: String,
	/// The hash of the call.
	pub call_hash: String,
	/// The account that would sign.
	pub signer: AccountId32,
	/// The error with which it would fail.
	pub error: Option<String>,
	/// The fee. `None` if the runtime does not offer to compute it.
	pub fee: Option<Amount>,
	/// What would be put on hold.
	pub held: Vec<HeldBy>,
	/// The events that it would deposit, except those of the currency and the system.
	pub events: Vec<ChainEvent>,
}

/// What a call would put on hold, or release, on an account.
#[derive(Clone, Debug, Serialize)]
pub struct HeldBy {
	/// The account.
	pub account: AccountId32,
	/// The amount.
	pub amount: Amount,
	/// True if the amount would be released.
	pub released: bool,
}

/// A call as bytes.
#[derive(Clone, Debug, Serialize)]
pub struct PrintedCall {
	/// What it is for.
	pub action: String,
	/// The call, with its pallet.
	pub name: String,
	/// The encoded call in hex.
	pub call: String,
	/// The BLAKE2b-256 hash of the encoded call in hex.
	pub hash: String,
	/// The version of the runtime for which the call is encoded.
	pub spec_version: u32,
	/// The hash of the metadata by which the call is encoded, in hex. `None` if it is not computed.
	pub metadata_hash: Option<String>,
}

fn hex0x(bytes: impl AsRef<[u8]>) -> String {
	format!("0x{}", hex::encode(bytes))
}

fn told(events: Vec<ChainEvent>) -> Vec<ChainEvent> {
	let plumbing = ["Balances", "System", "TransactionPayment", "Utility"];
	events.into_iter().filter(|event| !plumbing.contains(&event.pallet.as_str())).collect()
}

impl Submitted {
	pub(super) fn new(action: String, call: &EncodedCall, included: Included) -> Self {
		Self {
			action,
			call: call.name(),
			extrinsic: hex0x(included.extrinsic_hash),
			block_hash: hex0x(included.block_hash),
			block: included.block_number,
			events: told(included.events),
		}
	}

	/// Returns the first event of the content fabric with this name.
	pub fn fabric_event(&self, name: &str) -> Option<&ChainEvent> {
		self.events.iter().find(|event| event.is_fabric() && event.name == name)
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
			events: told(run.events),
		}
	}

	fn fee_text(&self) -> String {
		self.fee.as_ref().map_or_else(|| "unknown".into(), Amount::to_string)
	}

	/// Returns what a user is asked to agree to.
	pub(super) fn question(&self, real: Option<&AccountId32>) -> String {
		let mut lines =
			vec![format!("About to {}.", self.action), format!("  call      {}", self.call)];
		match real {
			Some(real) => lines.push(format!("  signer    {}, for {real}", self.signer)),
			None => lines.push(format!("  signer    {}", self.signer)),
		}
		lines.push(format!("  fee       {}", self.fee_text()));
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
			name: call.name(),
			call: hex0x(call.bytes()),
			hash: hex0x(call.hash()),
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
		writeln!(out, "  fee       {}", self.fee_text())?;
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
		writeln!(out, "{} {}", self.name, self.hash)?;
		writeln!(out, "{}", self.call)?;
		let hash = self.metadata_hash.as_deref().unwrap_or("unknown");
		writeln!(out, "runtime {}, metadata hash {hash}", self.spec_version)
	}
}
