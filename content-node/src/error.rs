// SPDX-License-Identifier: Apache-2.0
//! Errors of the content node.

use std::{io, path::PathBuf};

use content_fabric_client::{chain, keys::KeyError, profile::UrlError, text::count};
use content_fabric_http_server::ListenError;

use crate::{keep::KeepError, store::StoreError};

/// The content node cannot start, or cannot do something. The text is one line.
#[derive(Debug, thiserror::Error)]
pub enum Error {
	/// The object store.
	#[error(transparent)]
	Store(#[from] StoreError),
	/// The record.
	#[error(transparent)]
	Keep(#[from] KeepError),
	/// The chain, or the connection to it.
	#[error(transparent)]
	Chain(#[from] chain::Error),
	/// The key of the operator.
	#[error(transparent)]
	Key(#[from] KeyError),
	/// The URL is not allowed.
	#[error(transparent)]
	Url(#[from] UrlError),
	/// The address cannot be listened on.
	#[error(transparent)]
	Listen(#[from] ListenError),
	/// The key does not belong to the node's operator.
	#[error(
		"the key belongs to {found}, expected the node's operator {operator}: pass another --key"
	)]
	Operator { found: String, operator: String },
	/// The chain has not confirmed the node.
	#[error("the node {0} is not confirmed: its operator or an Admin of its provider has to run `fabric node confirm`")]
	Pending(String),
	/// The chain no longer has the node.
	#[error("the node {0} was removed from the chain: its bytes are kept and served")]
	Removed(String),
	/// An event of the chain is not of the form that this program knows.
	#[error("the event {event} does not have the fields that this program knows: {reason}")]
	Event { event: String, reason: String },
	/// The node of the chain has not seen blocks that this node has. By its state, bytes that are
	/// needed would be let go.
	#[error("the node of the chain is at block {found}, and this node has seen block {last}")]
	Behind { found: u64, last: u64 },
	/// The chain has other blocks than this node has followed.
	#[error(
		"the chain was begun anew: its block {block} is 0x{}, and this node has followed 0x{}: give \
		 the chain its data back, or start this program with another --data",
		hex::encode(found),
		hex::encode(seen)
	)]
	OtherChain { block: u64, found: [u8; 32], seen: [u8; 32] },
	/// The file of the record failed. It cannot be used before it is opened again.
	#[error(
		"the record could not be written: start the node again. On a disk that is full or \
		 read-only, it serves what is there, and takes nothing in"
	)]
	RecordFailed,
	/// The manual or the completions cannot be written.
	#[error(transparent)]
	Documents(io::Error),
	/// There is nothing to check.
	#[error("--data {} does not exist, or is not a folder", .0.display())]
	NoFolder(PathBuf),
	/// A repair has to write.
	#[error("the record cannot be repaired, because it cannot be written: {0}")]
	ReadOnly(String),
	/// The record and the store differ.
	#[error(
		"{} missing, damaged or unknown: run `fabric-store check --repair`",
		count(*.0, "object is", "objects are")
	)]
	Faults(u64),
	/// Versions lack their bytes, and the record follows the store already.
	#[error(
		"{} no bytes that can be read: see above for what to do",
		count(*.0, "version has", "versions have")
	)]
	Lasting(u64),
}

impl Error {
	/// Returns `true` if the chain is not the one that the record has followed, or lacks blocks of
	/// it. It may catch up, or be replaced by the right one.
	pub fn is_unfit_chain(&self) -> bool {
		matches!(self, Self::Behind { .. } | Self::OtherChain { .. })
	}

	/// Returns `true` if the chain, or the node on it, is no longer the one that the record has
	/// followed. This lasts until somebody acts.
	pub fn is_other_origin(&self) -> bool {
		matches!(
			self,
			Self::OtherChain { .. } | Self::Removed(_) | Self::Keep(KeepError::CreatedAgain { .. })
		)
	}
}
