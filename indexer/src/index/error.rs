// SPDX-License-Identifier: Apache-2.0
//! Failures of the index.

use content_fabric_client::ids::OtherHash;
use content_fabric_okvs::{disk::DiskError, tuple::UnpackError, tuple_store::TupleStoreError};

use super::format::FORMAT;
use crate::{rows::WrongValue, source::SourceError};

/// A result of the index.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A result of a query. `None` if its subject does not exist.
pub type Found<T> = Result<Option<T>>;

/// An operation on the index failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
	/// The file cannot be read or written.
	#[error("{0}")]
	Store(#[from] content_fabric_okvs::Error<DiskError>),
	/// The data folder, named by its path, cannot be made.
	#[error("the data folder {0} cannot be made: {1}")]
	Folder(String, std::io::Error),
	/// The file is of another format.
	#[error(
		"the index is of format {0:016x}, and this program knows format {known:016x}: move the data \
		 folder away and start again, which reads the chain anew", known = *FORMAT
	)]
	Format(u64),
	/// A part of the file has an unknown form.
	#[error("{0} in the index cannot be read: move the data folder away and start again")]
	Corrupted(String),
	/// The chain cannot be read.
	#[error(transparent)]
	Source(#[from] SourceError),
	/// The file is the index of another chain.
	#[error(
		"the index is of the chain with genesis 0x{}, and the node serves the one with 0x{}: \
		 name another data folder with --data, or another node with --url", hex::encode(.index),
		hex::encode(.node)
	)]
	OtherChain {
		/// The genesis of the indexed chain.
		index: [u8; 32],
		/// The genesis of the node's chain.
		node: [u8; 32],
	},
	/// The chain was begun anew with the same genesis, or the finalized chain has changed.
	#[error(
		"block {number} is final in the index with hash 0x{}, and on the node's chain it has 0x{}: \
		 the chain was begun anew, so move the data folder away or name another one with --data",
		hex::encode(.index), hex::encode(.node)
	)]
	OtherHistory {
		/// The number of the block.
		number: u64,
		/// Its hash in the index.
		index: [u8; 32],
		/// Its hash on the node's chain.
		node: [u8; 32],
	},
	/// The index differs from the chain.
	#[error("the index differs from the chain at block {number}: {difference}")]
	Different {
		/// The number of the block.
		number: u64,
		/// The first difference.
		difference: String,
	},
	/// A block does not follow the last one that is indexed.
	#[error("block {number} does not follow block {last}, the last one in the index")]
	NotNext {
		/// The number of the block.
		number: u64,
		/// The number of the last indexed block.
		last: u64,
	},
	/// The node's last final block is before the last block of the index.
	#[error(
		"the node is at final block {node}, before block {index} of the index: it has yet to catch \
		 up; if its chain was begun anew instead, move the data folder away or name another one \
		 with --data"
	)]
	Behind {
		/// The number of the node's last final block.
		node: u64,
		/// The number of the last block of the index.
		index: u64,
	},
	/// The index is empty.
	#[error("the index is empty: run `fabric-indexer serve` or `fabric-indexer resync` first")]
	Empty,
	/// A CID has another kind of hash than its version.
	#[error(transparent)]
	OtherHash(#[from] OtherHash),
	/// A query takes longer than it may.
	#[error("the query takes too long")]
	TooSlow,
}

impl Error {
	/// Returns `true` if the node's chain is proven not to be the chain of the index: the chain was
	/// begun anew, or the URL leads to another chain.
	pub fn is_other_chain(&self) -> bool {
		matches!(self, Self::OtherChain { .. } | Self::OtherHistory { .. })
	}

	pub(crate) fn corrupted(what: impl Into<String>) -> Self {
		Self::Corrupted(what.into())
	}
}

impl From<TupleStoreError<DiskError>> for Error {
	fn from(error: TupleStoreError<DiskError>) -> Self {
		match error {
			TupleStoreError::Store(error) => Self::Store(error),
			other => Self::corrupted(format!("an order of rows ({other})")),
		}
	}
}

impl From<UnpackError> for Error {
	fn from(_: UnpackError) -> Self {
		Self::corrupted("a key")
	}
}

impl From<WrongValue> for Error {
	fn from(_: WrongValue) -> Self {
		Self::corrupted("a row")
	}
}
