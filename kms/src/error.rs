// SPDX-License-Identifier: Apache-2.0
//! Errors of the program.

use std::{io, path::PathBuf};

use content_fabric_client::{chain, keys::KeyError, profile::UrlError};
use content_fabric_http_server::ListenError;
use content_fabric_identifiers::{KmsId, TenantId};

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
	/// The file is not one that `key new` or `age -p` has written.
	#[error(
		"{} is not a usable identity file: {reason}", path.display()
	)]
	Identity { path: PathBuf, reason: String },
	/// The final state has no such KMS.
	#[error(
		"the tenant {tenant} has no KMS {kms} in the last final block, {block}: add it with `fabric kms \
		 add`, and start this program when its block is final"
	)]
	NoKms { tenant: TenantId, kms: KmsId, block: u64 },
	/// The chain has another key.
	#[error(
		"the chain has the key {found} for the KMS {kms}, and the identities have {own}: pass the file \
		 of that key with --identity, or set one of these keys with `fabric kms set`"
	)]
	OtherKey { kms: KmsId, found: String, own: String },
	/// The node of the chain has not seen final blocks that this server has.
	#[error(
		"the node of the chain is at the final block {found}, and this server has seen {seen}"
	)]
	Behind { found: u64, seen: u64 },
	/// The file cannot be decrypted.
	#[error("{} cannot be decrypted: {reason}", path.display())]
	Decrypt { path: PathBuf, reason: String },
	/// A file cannot be read or written.
	#[error("{} cannot be {done}: {source}", path.display())]
	File { path: PathBuf, done: &'static str, source: io::Error },
	/// The manual or the completions cannot be written.
	#[error(transparent)]
	Documents(io::Error),
	/// The plain file exists.
	#[error("{} exists already: name another --output", .0.display())]
	Exists(PathBuf),
	/// The log belongs to another KMS or chain, or is in use or damaged.
	#[error("the log of receipts {} cannot be used: {reason}", path.display())]
	Receipts { path: PathBuf, reason: String },
	/// The memory of the process cannot be protected.
	#[error("core dumps, which have secret keys, cannot be disabled: {0}")]
	Core(io::Error),
}

impl Error {
	/// Returns an error of reading or writing a file, for `map_err`.
	pub fn file(path: impl Into<PathBuf>, done: &'static str) -> impl FnOnce(io::Error) -> Self {
		let path = path.into();
		move |source| Self::File { path, done, source }
	}
}
