// SPDX-License-Identifier: Apache-2.0
//! Errors of the program.

use std::{
	fmt::Display,
	path::{Path, PathBuf},
};

use content_fabric_client::{chain, keys::KeyError, profile::UrlError};
use content_fabric_http_server::ListenError;

/// The KMS cannot start, or cannot do something. The text is one line, without anything secret.
#[derive(Debug, thiserror::Error)]
pub enum Error {
	/// The chain, or the connection to it.
	#[error(transparent)]
	Chain(#[from] chain::Error),
	/// An identity or its passphrase cannot be read or written.
	#[error(transparent)]
	Key(#[from] KeyError),
	/// The URL is not allowed.
	#[error(transparent)]
	Url(#[from] UrlError),
	/// The address cannot be listened on.
	#[error(transparent)]
	Listen(#[from] ListenError),
	/// The final state does not have the KMS, or not with a key of the server.
	#[error("{0}")]
	Kms(String),
	/// The final state is too old, and does not have the KMS with a key of the server.
	#[error("{0}")]
	Stalled(String),
	/// The node of the chain has not seen final blocks that this server has.
	#[error(
		"the node of the chain is at the final block {found}, and this server has seen {seen}"
	)]
	Behind { found: u64, seen: u64 },
	/// A file or a folder has a problem: the rest of a sentence that begins with its path.
	#[error("{} {problem}", path.display())]
	File { path: PathBuf, problem: String },
	/// The manual or the completions cannot be written.
	#[error(transparent)]
	Documents(std::io::Error),
	/// The memory of the process cannot be protected.
	#[error("core dumps, which have secret keys, cannot be disabled: {0}")]
	Core(rustix::io::Errno),
}

impl Error {
	/// Returns the error of a file, for `map_err`: `problem` comes before the cause.
	pub fn file<E: Display>(path: &Path, problem: &str) -> impl Fn(E) -> Self {
		let (path, problem) = (path.to_owned(), problem.to_owned());
		move |cause| Self::File { path: path.clone(), problem: format!("{problem}: {cause}") }
	}
}
