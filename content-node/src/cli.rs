// SPDX-License-Identifier: Apache-2.0
//! The command line.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand};
use content_fabric_client::{keys::KeySource, profile::NodeUrl};
use content_fabric_identifiers::{NodeId, ProviderId};

use crate::{
	error::Error,
	keep::{
		check::{check, Fault},
		Keep,
	},
	now_seconds,
	serve::serve,
	store::{Store, StoreError},
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

/// The location of a node's data.
#[derive(Debug, Args)]
pub struct Place {
	/// The folder of the node, which is made if it does not exist
	#[arg(long, value_name = "DIR", env = "FABRIC_STORE_DATA")]
	pub data: PathBuf,
	/// An object store for the bytes of versions, with a prefix of this node alone: s3://…, gs://…
	/// or az://… [default: a folder in DIR]
	#[arg(long, value_name = "URL", env = "FABRIC_STORE_URL")]
	pub store: Option<String>,
}

impl Place {
	/// Opens the object store.
	pub async fn store(&self) -> Result<Store, StoreError> {
		Store::open(self.store.as_deref(), &self.data.join("objects")).await
	}
}

/// Options of `serve`.
#[derive(Debug, Args)]
pub struct Serve {
	#[command(flatten)]
	pub place: Place,
	/// The URL of a node of the chain
	#[arg(long, value_name = "URL", env = "FABRIC_URL", default_value = "ws://127.0.0.1:9944")]
	pub url: NodeUrl,
	/// Allow a connection to another machine without encryption
	#[arg(long)]
	pub insecure: bool,
	/// The provider that runs the node, iprv…
	#[arg(long, value_name = "ID")]
	pub provider: ProviderId,
	/// The node, inod…
	#[arg(long, value_name = "ID")]
	pub node: NodeId,
	/// The key of the node's operator: keystore:PATH, file:PATH, env:NAME, - for standard input, or
	/// a development key such as //Bob on a development chain
	#[arg(long, value_name = "KEY", env = "FABRIC_STORE_KEY", hide_env_values = true)]
	pub key: KeySource,
	/// The address to listen on
	#[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8090")]
	pub listen: SocketAddr,
	/// Maximum number of bytes to hold, those promised included [default: what the disk has room
	/// for]
	#[arg(long, value_name = "BYTES", default_value_t = u64::MAX, hide_default_value = true)]
	pub capacity: u64,
	/// Number of seconds for which bytes stay after the chain has removed the last version that
	/// needs them
	#[arg(long, value_name = "SECONDS", default_value_t = 3_600)]
	pub grace: u64,
	/// Number of days in which all bytes are hashed again; 0 for never
	#[arg(long, value_name = "DAYS", default_value_t = 30)]
	pub scrub: u64,
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
