// SPDX-License-Identifier: Apache-2.0
//! The command line.

use std::{
	fs::File,
	io::{self, BufWriter, Write},
	path::PathBuf,
};

use clap::{Args, CommandFactory, Parser, Subcommand};
use content_fabric_command_line::Documents;

use crate::{
	chain::Node,
	command::{Chain, CommandError},
	index::Index,
	serve::{serve, Serve},
	source::{Source, SourceError},
};

/// An index of a content fabric, with queries, a live feed and an explorer
#[derive(Debug, Parser)]
#[command(name = "fabric-indexer", version)]
pub struct Cli {
	/// The command.
	#[command(subcommand)]
	pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Follow a chain, and serve queries, the feed and the explorer
	Serve(Serve),
	/// Make the index equal to the chain at its last final block
	Resync(Chain),
	/// Compare the index with the chain, row by row, and print the differences
	Verify(Verify),
	/// Print the rows of the index, as storage keys and encoded values in hex
	Dump(Dump),
	/// Print the documents of the program.
	#[command(flatten)]
	Documents(Documents),
}

/// Options of `verify`.
#[derive(Debug, Args)]
pub struct Verify {
	/// The chain and the index.
	#[command(flatten)]
	pub chain: Chain,
	/// Resync if there are differences
	#[arg(long)]
	pub repair: bool,
}

/// Options of `dump`.
#[derive(Debug, Args)]
pub struct Dump {
	/// The folder of the index, which is made if it does not exist
	#[arg(long, value_name = "DIR", env = "FABRIC_INDEX_DATA")]
	pub data: PathBuf,
	/// The file to write, instead of standard output
	#[arg(long, value_name = "FILE")]
	pub output: Option<PathBuf>,
}

/// Runs a command.
pub async fn run(cli: Cli) -> Result<(), CommandError> {
	match cli.command {
		Command::Serve(options) => {
			options.chain.check()?;
			serve(options).await
		},
		Command::Resync(chain) => {
			let (index, node) = chain.open().await?;
			resync(&index, &node).await
		},
		Command::Verify(options) => verify(options).await,
		Command::Dump(options) => dump(&options),
		Command::Documents(documents) => {
			documents.run(Cli::command()).map_err(CommandError::Documents)
		},
	}
}

async fn resync(index: &Index, node: &Node) -> Result<(), CommandError> {
	let heads = node.heads().await?;
	let at = node.header(heads.finalized.hash).await?;
	let missing = || SourceError::Node("the node does not have its last final block".into());
	let at = at.ok_or_else(missing)?;
	let done = index.resync(node, at).await?;
	let number = at.block.number;
	println!("{} rows at block {number}, {} removed", done.rows, done.removed);
	Ok(())
}

async fn verify(options: Verify) -> Result<(), CommandError> {
	let (index, node) = options.chain.open().await?;
	let (verified, number) = {
		let view = index.view()?;
		(view.verify(&node).await?, view.state().last.number)
	};
	for difference in &verified.first {
		println!("{difference}");
	}
	match verified.differences {
		0 => {
			println!("{} rows at block {number}, no difference", verified.rows);
			Ok(())
		},
		_ if options.repair => resync(&index, &node).await,
		differences => Err(CommandError::Differs(differences)),
	}
}

fn dump(options: &Dump) -> Result<(), CommandError> {
	let mut rows = Index::open(&options.data)?.view()?.rows()?;
	rows.sort_unstable();
	let write = || -> io::Result<()> {
		let out: Box<dyn Write> = match &options.output {
			Some(path) => Box::new(File::create(path)?),
			None => Box::new(io::stdout().lock()),
		};
		let mut out = BufWriter::new(out);
		for (key, value) in rows {
			writeln!(out, "0x{} 0x{}", hex::encode(key), hex::encode(value))?;
		}
		out.flush()
	};
	match write() {
		// The reader of the output has closed it.
		Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
		written => written.map_err(|error| {
			let path = options.output.as_ref();
			let path = path.map_or("standard output".into(), |path| path.display().to_string());
			CommandError::Output(path, error)
		}),
	}
}
