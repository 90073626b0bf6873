// SPDX-License-Identifier: Apache-2.0
//! The command line.

use content_fabric_command_line::Documents;
use sc_cli::RunCmd;

/// The command line of a node with the flags of its consensus.
#[derive(Debug, clap::Parser)]
pub struct Cli<Consensus: clap::Args> {
	/// The command to run instead of the node.
	#[command(subcommand)]
	pub subcommand: Option<Subcommand>,

	/// The flags of the consensus.
	#[command(flatten)]
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

	/// Print the manual or the completions.
	#[command(flatten)]
	Documents(Documents),

	/// Measure weights: of a pallet, or of the database.
	#[cfg(feature = "runtime-benchmarks")]
	#[command(subcommand)]
	Benchmark(frame_benchmarking_cli::BenchmarkCmd),
}
