// SPDX-License-Identifier: Apache-2.0
//! Options that several commands share.

use std::path::PathBuf;

use clap::Args;
use content_fabric_client::profile::NodeUrl;

/// The folder of the index.
#[derive(Debug, Args)]
pub struct Data {
	/// The folder of the index, which is made if it does not exist
	#[arg(long, value_name = "DIR", env = "FABRIC_INDEX_DATA")]
	pub data: PathBuf,
}

/// The chain and the index.
#[derive(Debug, Args)]
pub struct Chain {
	/// The URL of a node of the chain
	#[arg(long, value_name = "URL", env = "FABRIC_URL", default_value = "ws://127.0.0.1:9944")]
	pub url: NodeUrl,
	/// Allow a connection to another machine without encryption
	#[arg(long)]
	pub insecure: bool,
	/// The folder of the index.
	#[command(flatten)]
	pub data: Data,
}
