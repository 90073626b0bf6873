// SPDX-License-Identifier: Apache-2.0
//! The command line.

use clap::{Args, CommandFactory, Parser, Subcommand};
use content_fabric_command_line::Documents;

use crate::{
	check::{check, Checked, Fault},
	error::Error,
	keep::Keep,
	now_seconds,
	place::Place,
	serve::{serve, Serve},
};

/// The content node of a content fabric: takes in, keeps, finalizes and serves the bytes of
/// versions
#[derive(Debug, Parser)]
#[command(name = "fabric-store", version)]
pub struct Cli {
	#[command(subcommand)]
	command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Take in, finalize and serve the bytes of one node of a provider
	Serve(Box<Serve>),
	/// Hash all bytes again, and compare them with the record of the node, which must not run
	Check(Check),
	#[command(flatten)]
	Documents(Documents),
}

/// Options of `check`.
#[derive(Debug, Args)]
pub struct Check {
	#[command(flatten)]
	pub place: Place,
	/// Make the record follow the bytes: remove what is damaged, take in what is sound and unknown
	#[arg(long)]
	pub repair: bool,
}

/// Runs a command.
pub async fn run(cli: Cli) -> Result<(), Error> {
	match cli.command {
		Command::Serve(options) => {
			options.url.ensure_secure(options.insecure)?;
			serve(*options).await
		},
		Command::Check(options) => run_check(&options).await,
		Command::Documents(documents) => documents.run(Cli::command()).map_err(Error::Documents),
	}
}

async fn run_check(options: &Check) -> Result<(), Error> {
	if !options.place.data.is_dir() {
		return Err(Error::NoFolder(options.place.data.clone()));
	}
	let store = options.place.store().await?;
	let keep = Keep::open(&options.place.data)?;
	match keep.read_only() {
		Some(reason) if options.repair => return Err(Error::ReadOnly(reason.to_owned())),
		Some(reason) => println!("the record cannot be written: checking with a copy: {reason}"),
		None => {},
	}
	if keep.was_repaired() {
		println!("the record did not agree with its checksums: its last sound state was restored");
	}
	let report = |version, fault: &Fault, is_final| {
		let advice = match is_final {
			true => {
				"; it is final on the chain: the server gets its bytes from another node that holds \
			         them. If there is none, upload them again with `fabric put`, or put \
			         its file back and run `fabric-store check --repair`"
			},
			false => "",
		};
		println!("{version} {fault}{advice}");
	};
	let checked = check(&keep, &store, options.repair, now_seconds(), report).await?;
	let Checked { sound, lasting, error, .. } = checked;
	let faults = checked.faults + u64::from(keep.was_repaired());
	println!("{sound} sound, {faults} not");
	match error {
		Some(error) => Err(error.into()),
		None if faults > lasting && !options.repair => Err(Error::Faults(faults)),
		None if lasting > 0 => Err(Error::Lasting(lasting)),
		None => Ok(()),
	}
}
