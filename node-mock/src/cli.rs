//! The command line.

use std::{str::FromStr, time::Duration};

use sc_cli::RunCmd;

/// The time at which a block is sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consensus {
	/// As soon as there is a transaction.
	Instant,
	/// At fixed intervals, with transactions or without.
	Interval(Duration),
}

impl FromStr for Consensus {
	type Err = String;

	fn from_str(text: &str) -> Result<Self, String> {
		if text == "instant" {
			return Ok(Self::Instant);
		}
		let millis = text
			.strip_prefix("interval=")
			.ok_or_else(|| format!("`{text}` is neither `instant` nor `interval=MS`"))?;
		match millis.parse() {
			Ok(millis) if millis > 0 => Ok(Self::Interval(Duration::from_millis(millis))),
			_ => Err(format!("`{millis}` is not a number of milliseconds above zero")),
		}
	}
}

/// A node for developing on a content fabric: a real Substrate client whose consensus is mocked.
#[derive(Debug, clap::Parser)]
pub struct Cli {
	/// The command to run instead of the node.
	#[command(subcommand)]
	pub subcommand: Option<Subcommand>,

	/// The time at which a block is sealed: `instant` for a block as soon as there is a
	/// transaction, `interval=MS` for one every so many milliseconds. The chain's clock advances by
	/// at least six seconds per block, so a faster pace sets it ahead of the wall clock.
	#[arg(long, value_name = "MODE", default_value = "instant")]
	pub consensus: Consensus,

	/// The flags of every Substrate node.
	#[command(flatten)]
	pub run: RunCmd,
}

/// The subcommands of the node's program.
#[derive(Debug, clap::Subcommand)]
#[allow(clippy::large_enum_variant)]
pub enum Subcommand {
	/// Key management.
	#[command(subcommand)]
	Key(sc_cli::KeySubcommand),

	/// Build a chain specification.
	BuildSpec(sc_cli::BuildSpecCmd),

	/// Export a chain specification.
	ExportChainSpec(sc_cli::ExportChainSpecCmd),

	/// Execute a block again to check it.
	CheckBlock(sc_cli::CheckBlockCmd),

	/// Export blocks.
	ExportBlocks(sc_cli::ExportBlocksCmd),

	/// Export the state at a block as a chain specification.
	ExportState(sc_cli::ExportStateCmd),

	/// Import blocks.
	ImportBlocks(sc_cli::ImportBlocksCmd),

	/// Remove the whole chain from the disk.
	PurgeChain(sc_cli::PurgeChainCmd),

	/// Go back some blocks.
	Revert(sc_cli::RevertCmd),

	/// Print facts about the chain's database.
	ChainInfo(sc_cli::ChainInfoCmd),

	/// Measure the weights of a pallet.
	#[cfg(feature = "runtime-benchmarks")]
	#[command(subcommand)]
	Benchmark(frame_benchmarking_cli::BenchmarkCmd),
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn consensus_is_instant_or_an_interval() {
		assert_eq!("instant".parse(), Ok(Consensus::Instant));
		let interval = Consensus::Interval(Duration::from_millis(250));
		assert_eq!("interval=250".parse(), Ok(interval));
		for (bad, named) in [
			("", "`` is neither"),
			("interval", "`interval` is neither"),
			("interval=0", "`0` is not a number of milliseconds above zero"),
			("interval=1s", "`1s` is not"),
			("interval=-5", "`-5` is not"),
		] {
			let error = bad.parse::<Consensus>().expect_err("the text is not a consensus");
			assert!(error.contains(named), "{error}");
		}
	}
}
