// SPDX-License-Identifier: Apache-2.0
//! The command line.

use clap::{Args, Parser, Subcommand};

use crate::{
	check::{check, Fault},
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
	Serve(Serve),
	/// Hash all bytes again, and compare them with the record of the node, which must not run
	Check(Check),
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
			serve(options).await
		},
		Command::Check(options) => run_check(&options).await,
	}
}

async fn run_check(options: &Check) -> Result<(), Error> {
	let store = options.place.store().await?;
	let keep = Keep::open(&options.place.data)?;
	let mut faults = 0;
	if keep.was_repaired() {
		faults += 1;
		println!("the record did not agree with its checksums: its last sound state was restored");
	}
	let sound = check(&keep, &store, options.repair, now_seconds(), |version, fault| {
		faults += 1;
		println!(
			"{version} {}",
			match fault {
				Fault::Damaged => "is damaged",
				Fault::Missing => "is missing",
				Fault::Unknown => "is not in the record",
			}
		);
	})
	.await?;
	println!("{sound} sound, {faults} not");
	match faults {
		0 => Ok(()),
		_ if options.repair => Ok(()),
		faults => Err(Error::Faults(faults)),
	}
}
