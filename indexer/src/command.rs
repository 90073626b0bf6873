// SPDX-License-Identifier: Apache-2.0
//! Shared by the commands: the options for the chain and the index, and their errors.

use std::{io, path::PathBuf};

use clap::Args;
use content_fabric_client::profile::{NodeUrl, UrlError};
use content_fabric_http_server::ListenError;

use crate::{
	audit::AuditsError,
	chain::Node,
	index::{Error, Index},
	source::{Source, SourceError},
};

/// The chain and the index.
#[derive(Debug, Args)]
pub struct Chain {
	/// The URL of a node of the chain
	#[arg(long, value_name = "URL", env = "FABRIC_URL", default_value = "ws://127.0.0.1:9944")]
	pub url: NodeUrl,
	/// Allow a connection to another machine without encryption
	#[arg(long)]
	pub insecure: bool,
	/// The folder of the index, which is made if it does not exist
	#[arg(long, value_name = "DIR", env = "FABRIC_INDEX_DATA")]
	pub data: PathBuf,
}

impl Chain {
	/// Checks that the URL is allowed.
	pub fn check(&self) -> Result<(), UrlError> {
		self.url.ensure_secure(self.insecure)
	}

	/// Opens the index, and connects to a node of its chain.
	pub async fn open(&self) -> Result<(Index, Node), CommandError> {
		self.check()?;
		let index = Index::open(&self.data)?;
		let node = Node::connect(&self.url).await?;
		index.check_chain(&node, node.heads().await?).await?;
		Ok((index, node))
	}
}

/// A command failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
	/// The index cannot be opened, or cannot be followed any further.
	#[error(transparent)]
	Index(#[from] Error),
	/// The chain cannot be read.
	#[error(transparent)]
	Source(#[from] SourceError),
	/// The results of audits cannot be read or written.
	#[error(transparent)]
	Audits(#[from] AuditsError),
	/// The URL is not allowed.
	#[error(transparent)]
	Url(#[from] UrlError),
	/// The address cannot be listened on.
	#[error(transparent)]
	Listen(#[from] ListenError),
	/// The thread that follows the chain panicked.
	#[error("the thread that follows the chain has failed")]
	Follower,
	/// The manual or the completions cannot be written.
	#[error(transparent)]
	Documents(io::Error),
	/// The output of this name cannot be written.
	#[error("{0} cannot be written: {1}")]
	Output(String, io::Error),
	/// The index differs from the chain.
	#[error("the index differs from the chain in {0} places: run this with --repair")]
	Differs(u64),
}
