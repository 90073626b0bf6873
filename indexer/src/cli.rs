// SPDX-License-Identifier: Apache-2.0
//! The command line.

use std::{
	fs::File,
	io::{self, BufWriter, Write},
	path::PathBuf,
};

use clap::{Args, Parser, Subcommand};

use crate::{
	chain::Node,
	index::{Error, Index},
	options::{Chain, Data},
	serve::{serve, Serve, ServeError},
	source::{Header, Source, SourceError},
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
	/// The folder of the index.
	#[command(flatten)]
	pub data: Data,
	/// The file to write, instead of standard output
	#[arg(long, value_name = "FILE")]
	pub output: Option<PathBuf>,
}

/// A command failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
	/// The index or the chain.
	#[error(transparent)]
	Index(#[from] Error),
	/// The server.
	#[error(transparent)]
	Serve(#[from] ServeError),
	/// The output cannot be written.
	#[error("{path} cannot be written: {error}")]
	Output {
		/// Its name.
		path: String,
		/// The reason.
		error: io::Error,
	},
	/// The URL is not allowed.
	#[error(transparent)]
	Url(#[from] content_fabric_client::profile::UrlError),
	/// The index differs from the chain.
	#[error("the index differs from the chain in {0} places: run this with --repair")]
	Differs(u64),
}

impl From<SourceError> for CommandError {
	fn from(error: SourceError) -> Self {
		Self::Index(error.into())
	}
}

/// Runs a command.
pub async fn run(cli: Cli) -> Result<(), CommandError> {
	match cli.command {
		Command::Serve(options) => {
			options.chain.check()?;
			Ok(serve(options).await?)
		},
		Command::Resync(chain) => {
			chain.check()?;
			let index = Index::open(&chain.data.data)?;
			resync(&index, &Node::connect(&chain.url).await?).await
		},
		Command::Verify(options) => verify(options).await,
		Command::Dump(options) => dump(&options),
	}
}

impl Chain {
	fn check(&self) -> Result<(), CommandError> {
		Ok(self.url.ensure_secure(self.insecure)?)
	}
}

async fn final_block(node: &Node) -> Result<Header, SourceError> {
	let heads = node.heads().await?;
	let header = node.header(heads.finalized.hash).await?;
	header.ok_or_else(|| SourceError::Node("the node does not have its last final block".into()))
}

async fn resync(index: &Index, node: &Node) -> Result<(), CommandError> {
	index.check_chain(node).await?;
	let at = final_block(node).await?;
	let done = index.resync(node, at).await?;
	let number = at.block.number;
	println!("{} rows at block {number}, {} removed", done.rows, done.removed);
	Ok(())
}

async fn verify(options: Verify) -> Result<(), CommandError> {
	options.chain.check()?;
	let index = Index::open(&options.chain.data.data)?;
	let node = Node::connect(&options.chain.url).await?;
	index.check_chain(&node).await?;
	let (verified, number) = {
		let view = index.view()?;
		(view.verify(&node).await?, view.state().best.number)
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
	let index = Index::open(&options.data.data)?;
	let view = index.view()?;
	let name =
		options.output.as_ref().map_or("standard output".into(), |path| path.display().to_string());
	let write = || -> Result<io::Result<()>, Error> {
		let mut out: Box<dyn Write> = match &options.output {
			Some(path) => match File::create(path) {
				Ok(file) => Box::new(BufWriter::new(file)),
				Err(error) => return Ok(Err(error)),
			},
			None => Box::new(BufWriter::new(io::stdout().lock())),
		};
		Ok(view.dump(&mut out)?.and_then(|()| out.flush()))
	};
	match write()? {
		// The reader of the output has closed it.
		Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
		Err(error) => Err(CommandError::Output { path: name, error }),
		Ok(()) => Ok(()),
	}
}
