// SPDX-License-Identifier: Apache-2.0
//! Errors of the connection and the chain. The text of each is one line.

use content_fabric_identifiers::NodeId;
use content_fabric_primitives::MemberId;
use subxt::{
	error::{
		BackendError, DispatchError, ExtrinsicError, OnlineClientAtBlockError, OnlineClientError,
		RpcError, RuntimeApiError, StorageError, TokenError, TransactionEventsError,
		TransactionFinalizedSuccessError, TransactionProgressError,
	},
	rpcs,
};

use super::{
	liveness::{Dead, PREFIX},
	RecordPlace, Wait,
};
use crate::{class::Class, ids::OtherHash};

/// An error of the connection or the chain. Its text is one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
	/// No node answers.
	#[error("no node answers at {url}: {reason}")]
	Connect {
		/// The URL of the node.
		url: String,
		/// The reason.
		reason: String,
	},
	/// The chain, or what the node says of it, is not what was expected.
	#[error("{0}")]
	Unexpected(String),
	/// An argument, a file or this program does not fit the chain or the light client.
	#[error("{0}")]
	Usage(String),
	/// A command needs what only a node offers.
	#[error("{what} does not work with --light: {reason}; pass the --url of a node")]
	NeedsNode {
		/// The command, or a part of it.
		what: &'static str,
		/// The reason.
		reason: &'static str,
	},
	/// A transaction is not valid at the last finalized block.
	#[error("the transaction is not valid: {0}")]
	Invalid(String),
	/// The node has closed the connection.
	#[error("the node closed the connection")]
	Disconnected,
	/// The connection is open, but the node does not answer, or does not notify of its blocks.
	#[error("{PREFIX}{0}")]
	Dead(String),
	/// A transaction was submitted, and is in no block.
	#[error(
		"the transaction 0x{hash} is not in a {kind} block after {seconds} seconds; it may still get \
		 into one",
		kind = match wait { Wait::Best => "best", Wait::Finalized => "finalized" }
	)]
	NotIncluded {
		/// The hash of the transaction.
		hash: String,
		/// The time for which the command has waited.
		seconds: u64,
		/// The kind of block that it waited for.
		wait: Wait,
	},
	/// Transactions of the accounts wait in the node's pool and get into no block.
	#[error(
		"transactions of the publisher still wait in the node's pool after {seconds} seconds; run the \
		 command again when they are in a block"
	)]
	PoolBusy {
		/// The time for which the command has waited.
		seconds: u64,
	},
	/// All is in best blocks, of which the last one does not become final.
	#[error(
		"block {block}, with the last of what was published, is not final after {seconds} seconds, so \
		 a fork can still retract it: run the command again to check"
	)]
	NotFinal {
		/// The number of the block.
		block: u64,
		/// The time for which the command has waited.
		seconds: u64,
	},
	/// Something failed after a transaction was submitted, so it may be in a block.
	#[error(
		"{error}; the transaction 0x{hash} was submitted, and may be in a block or get into one"
	)]
	Submitted {
		/// The hash of the transaction.
		hash: String,
		/// The error.
		#[source]
		error: Box<Self>,
	},
	/// The runtime does not check the hash of the metadata.
	#[error(
		"the runtime does not check the hash of its metadata, so a node could change the meaning of \
		 what you sign: pass --no-metadata-hash if you trust the node"
	)]
	NoMetadataHash,
	/// The chain's metadata lacks an item, so it is not a content fabric that this client knows.
	#[error("the chain has no {0}: it does not run a content fabric that this client supports")]
	Metadata(String),
	/// A row is not of the type that the chain's metadata describes, or not of one that this client
	/// knows.
	#[error("the row 0x{key} of {map} does not decode: {reason}")]
	Row {
		/// The map, with its pallet.
		map: String,
		/// The storage key in hex.
		key: String,
		/// The reason.
		reason: String,
	},
	/// Nothing on the chain has this id.
	#[error("there is no {kind} {id}")]
	Unknown {
		/// The kind of entity.
		kind: &'static str,
		/// Its id in text.
		id: String,
	},
	/// A CID has another kind of hash than its version.
	#[error(transparent)]
	OtherHash(#[from] OtherHash),
	/// There is no such record.
	#[error("the tenant {} has no record `{}` in a collection `{}`", .0.tenant, .0.key, .0.collection)]
	NoRecord(RecordPlace),
	/// The content of a record was deleted.
	#[error(
		"the record `{}` in `{}` of {} leads to {target}, which was deleted",
		place.key,
		place.collection,
		place.tenant
	)]
	Dangling {
		/// The record.
		place: RecordPlace,
		/// The content, in words.
		target: String,
	},
	/// A provider or a tenant is being purged.
	#[error("the {} {} is being purged", super::kind(*.0), .0)]
	BeingPurged(MemberId),
	/// A node cannot draft a commit.
	#[error("the node {node} cannot make a muid: {reason}")]
	Muid {
		/// The node.
		node: NodeId,
		/// The reason.
		reason: String,
	},
	/// The chain refused a call.
	#[error("{call} failed: {reason}")]
	Dispatch {
		/// The call, with its pallet, and its transaction if it was in a block.
		call: String,
		/// The error's name, with its pallet, and its documentation.
		reason: String,
	},
	/// Anything else that the connection or the chain reports.
	#[error("{}", one_line(.0))]
	Rpc(#[source] Box<subxt::Error>),
}

impl Error {
	/// Returns whether a light client could not call the runtime, as the proof from the nodes lacks
	/// something that the call reads.
	pub(super) fn is_unproven(&self) -> bool {
		/// The words of smoldot, which gives no code of its own.
		const WORDS: &str = "Error trying to access the storage required for the runtime call";
		matches!(self, Self::Rpc(error) if one_line(error).contains(WORDS))
	}

	/// Returns the error of an id that names nothing.
	pub fn unknown(kind: &'static str, id: impl ToString) -> Self {
		Self::Unknown { kind, id: id.to_string() }
	}

	/// Returns the class of the error.
	pub fn class(&self) -> Class {
		match self.cause() {
			Self::Connect { .. }
			| Self::Disconnected
			| Self::Dead(_)
			| Self::NotIncluded { .. }
			| Self::PoolBusy { .. }
			| Self::Unexpected(_)
			| Self::NoMetadataHash
			| Self::Metadata(_) => Class::Connection,
			Self::NotFinal { .. } => Class::NotFinal,
			Self::Usage(_) | Self::NeedsNode { .. } => Class::Usage,
			Self::Unknown { .. }
			| Self::OtherHash(_)
			| Self::NoRecord(_)
			| Self::Dangling { .. } => Class::NotFound,
			Self::Dispatch { .. } | Self::Invalid(_) | Self::BeingPurged(_) | Self::Muid { .. } => {
				Class::Refused
			},
			Self::Rpc(_) if self.is_refused_transaction() => Class::Refused,
			Self::Rpc(_) | Self::Row { .. } | Self::Submitted { .. } => Class::Other,
		}
	}

	/// Returns the error without the transaction that was submitted before.
	pub fn cause(&self) -> &Self {
		match self {
			Self::Submitted { error, .. } => error.cause(),
			error => error,
		}
	}

	/// Adds the hash of a transaction that may have been submitted before the error. Errors that
	/// state the outcome of the transaction are not changed.
	pub fn after_submission(self, hash: [u8; 32]) -> Self {
		match self {
			Self::NotIncluded { .. } | Self::Dispatch { .. } => self,
			// The node has not accepted the transaction.
			_ if self.refused_submission().is_some() => self,
			error => Self::Submitted { hash: hex::encode(hash), error: Box::new(error) },
		}
	}

	/// Returns whether the connection is lost or cannot be made.
	pub fn is_connection(&self) -> bool {
		matches!(self.cause(), Self::Connect { .. } | Self::Disconnected | Self::Dead(_))
	}

	/// Returns whether the chain refused a call because of its signer.
	pub fn is_bad_origin(&self) -> bool {
		self.refusal() == Some(&dispatch_line(&DispatchError::BadOrigin))
	}

	/// Returns whether the chain refused a call because an account cannot afford it.
	pub fn is_lack_of_funds(&self) -> bool {
		let lacks = [
			DispatchError::Token(TokenError::FundsUnavailable),
			DispatchError::Token(TokenError::CannotCreateHold),
			DispatchError::Token(TokenError::NotExpendable),
		];
		self.refusal().is_some_and(|reason| lacks.iter().any(|lack| *reason == dispatch_line(lack)))
	}

	/// Returns the reason for which the chain refused a call.
	fn refusal(&self) -> Option<&str> {
		match self {
			Self::Dispatch { reason, .. } => Some(reason),
			_ => None,
		}
	}

	/// Returns whether this is a pallet's error with a name.
	pub fn is_of(&self, pallet: &str, name: &str) -> bool {
		let error = self.refusal().and_then(|reason| reason.split(':').next());
		error.and_then(|error| error.split_once('.')) == Some((pallet, name))
	}

	/// Returns whether the node does not take a transaction, or has dropped it.
	pub fn is_refused_transaction(&self) -> bool {
		let Self::Rpc(error) = self.cause() else { return false };
		self.refused_submission().is_some()
			|| matches!(
				&**error,
				subxt::Error::ExtrinsicError(ExtrinsicError::TransactionStatusError(_))
			)
	}

	/// Returns `true` if the chain refused the call for good: it failed in its block, or the node
	/// has not accepted the transaction.
	pub fn is_final_refusal(&self) -> bool {
		self.refusal().is_some() || self.refused_submission().is_some()
	}

	/// Returns whether the node has a transaction with the same signer and nonce already.
	pub fn is_nonce_taken(&self) -> bool {
		/// The code of `TooLowPriority` among the node's errors.
		const TOO_LOW_PRIORITY: i32 = 1014;
		self.refused_submission().is_some_and(|error| error.code == TOO_LOW_PRIORITY)
	}

	/// Returns `true` if the node has refused a transaction because another one, in the pool or in
	/// a block, has its nonce.
	pub fn is_overtaken(&self) -> bool {
		/// The reason of the node for a transaction whose nonce is in the past.
		const OUTDATED: &str = "Transaction is outdated";
		let is_outdated = |error: &rpcs::UserError| {
			error.data.as_ref().is_some_and(|reason| reason.get().contains(OUTDATED))
		};
		self.is_nonce_taken() || self.refused_submission().is_some_and(is_outdated)
	}

	/// Returns the answer of a node that has not taken a transaction.
	fn refused_submission(&self) -> Option<&rpcs::UserError> {
		let Self::Rpc(error) = self.cause() else { return None };
		match &**error {
			subxt::Error::ExtrinsicError(ExtrinsicError::ErrorSubmittingTransaction(
				BackendError::Rpc(RpcError::ClientError(rpcs::Error::User(error))),
			)) => Some(error),
			_ => None,
		}
	}
}

impl<E: Into<subxt::Error>> From<E> for Error {
	fn from(error: E) -> Self {
		let error = error.into();
		let text = one_line(&error);
		match Dead::cause_in(&text) {
			Some(cause) => Self::Dead(cause.to_owned()),
			None if text.contains("background task closed") => Self::Disconnected,
			None => Self::Rpc(Box::new(error)),
		}
	}
}

/// Returns the cause of an error of subxt in one line: the node's own words where it gave a reason.
fn one_line(error: &subxt::Error) -> String {
	use subxt::Error as E;
	let text = match error {
		E::OtherRpcClientError(error)
		| E::OnlineClientError(OnlineClientError::RpcError(error)) => rpc_line(error),
		E::BackendError(error)
		| E::OnlineClientError(OnlineClientError::CannotGetGenesisHash(error))
		| E::OnlineClientAtBlockError(OnlineClientAtBlockError::CannotGetCurrentBlock {
			reason: error,
		})
		| E::StorageError(
			StorageError::CannotFetchValue(error)
			| StorageError::CannotIterateValues(error)
			| StorageError::StreamFailure(error),
		)
		| E::RuntimeApiError(RuntimeApiError::CannotCallApi(error))
		| E::ExtrinsicError(
			ExtrinsicError::CannotGetFeeInfo(error)
			| ExtrinsicError::CannotGetValidationInfo(error),
		)
		| E::TransactionProgressError(TransactionProgressError::CannotGetNextProgressUpdate(
			error,
		)) => backend_line(error),
		E::ExtrinsicError(ExtrinsicError::ErrorSubmittingTransaction(error)) => match error {
			BackendError::Rpc(RpcError::ClientError(rpcs::Error::User(_))) => {
				format!("the node refused the transaction: {}", backend_line(error))
			},
			_ => backend_line(error),
		},
		E::ExtrinsicError(ExtrinsicError::TransactionStatusError(error)) => {
			format!("the node refused the transaction: {error}")
		},
		E::ExtrinsicError(ExtrinsicError::AccountNonceError { reason, .. }) => reason.to_string(),
		E::TransactionEventsError(TransactionEventsError::ExtrinsicFailed(error))
		| E::TransactionFinalizedSuccessError(TransactionFinalizedSuccessError::SuccessError(
			TransactionEventsError::ExtrinsicFailed(error),
		)) => dispatch_line(error),
		E::Other(error) => error.to_string(),
		other => other.to_string(),
	};
	text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn backend_line(error: &BackendError) -> String {
	match error {
		BackendError::Rpc(RpcError::ClientError(error)) => rpc_line(error),
		other => other.to_string(),
	}
}

/// Returns an error of the RPC client, or the node's answer with its reason.
pub(super) fn rpc_line(error: &rpcs::Error) -> String {
	match error {
		rpcs::Error::User(error) => match &error.data {
			Some(reason) => format!("{}: {}", error.message, reason.get().trim_matches('"')),
			None => error.message.clone(),
		},
		rpcs::Error::Client(error) => {
			let text = error.to_string();
			text.rsplit("client error: ").next().unwrap_or(&text).to_owned()
		},
		other => other.to_string(),
	}
}

/// Returns a dispatch error with its pallet, its name and its documentation.
pub fn dispatch_line(error: &DispatchError) -> String {
	let DispatchError::Module(module) = error else { return error.to_string() };
	match module.details() {
		Ok(details) => format!(
			"{}.{}: {}",
			details.pallet.name(),
			details.variant.name,
			details.variant.docs.join(" ").trim()
		),
		Err(_) => module.to_string(),
	}
}
