//! Errors of the client. The text of each is one line.

use content_fabric_identifiers::{NodeId, TenantId};
use serde::Serialize;
use subxt::{
	error::{
		BackendError, BlocksError, DispatchError, EventsError, ExtrinsicError,
		OnlineClientAtBlockError, OnlineClientError, RpcError, RuntimeApiError, StorageError,
		StorageKeyError, StorageValueError, TokenError, TransactionEventsError,
		TransactionFinalizedSuccessError, TransactionProgressError, TransactionStatusError,
	},
	rpcs,
	utils::AccountId32,
};

use crate::{
	amount::{Amount, AmountError},
	chain::Wait,
	consent::ConsentError,
	ids::IdError,
	input::InputError,
	keys::KeyError,
	profile::{PinError, ProfileError, UrlError},
};

/// An error of the client. Its text is one line.
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
	/// The node has closed the connection.
	#[error("the node closed the connection")]
	Disconnected,
	/// Transactions of an account wait in the node's pool and get into no block.
	#[error(
		"transactions of {account} still wait in the node's pool after {seconds} seconds; run the \
		 command again when they are in a block"
	)]
	PoolBusy {
		/// The account.
		account: String,
		/// The time for which the command has waited.
		seconds: u64,
	},
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
	/// The chain is not the one that was expected.
	#[error("the chain at {url} has the genesis hash 0x{found}, expected 0x{expected}")]
	OtherChain {
		/// The URL of the node.
		url: String,
		/// The genesis hash in hex.
		found: String,
		/// The expected one.
		expected: String,
	},
	/// The node serves another chain than before, with the same genesis hash.
	#[error(
		"block {block} has changed: the chain was restarted from genesis, or a fork is too long"
	)]
	OtherBlock {
		/// The number of the block.
		block: u64,
	},
	/// The runtime was upgraded while the command ran.
	#[error("the chain's runtime was upgraded from version {from} to {to}: run the command again")]
	Upgraded {
		/// The version at the start.
		from: u32,
		/// The version now.
		to: u32,
	},
	/// The node describes the same runtime otherwise than before.
	#[error(
		"the node gives other metadata for version {version} of the runtime than before: run the \
		 command again, or use another node"
	)]
	OtherMetadata {
		/// The version of the runtime.
		version: u32,
	},
	/// The runtime does not check the hash of the metadata.
	#[error(
		"the runtime does not check the hash of its metadata, so a node could change the meaning of \
		 what you sign: pass --no-metadata-hash if you trust the node"
	)]
	NoMetadataHash,
	/// The chain is not a content fabric that this client knows.
	#[error("the chain has no {what}: it does not run a content fabric that this client supports")]
	Metadata {
		/// The item that is missing in the chain's metadata.
		what: String,
	},
	/// A key cannot be read.
	#[error(transparent)]
	Key(#[from] KeyError),
	/// No key was given, and the chain is not a development chain.
	#[error(
		"no key is given: pass {option}, set FABRIC_SIGNER or a profile's `signer` (only development \
		 chains have default keys)"
	)]
	NoKey {
		/// The option that names the key.
		option: &'static str,
	},
	/// The configuration file is wrong.
	#[error(transparent)]
	Profile(#[from] ProfileError),
	/// A URL is not that of a node, or is not safe to use.
	#[error(transparent)]
	Url(#[from] UrlError),
	/// The chain is not the pinned one, or the file of pins is damaged.
	#[error(transparent)]
	Pin(#[from] PinError),
	/// The user did not agree.
	#[error(transparent)]
	Consent(#[from] ConsentError),
	/// An input file is wrong.
	#[error(transparent)]
	Input(#[from] InputError),
	/// A text is not an amount of the chain's currency.
	#[error(transparent)]
	Amount(#[from] AmountError),
	/// A text is not an id.
	#[error(transparent)]
	Id(#[from] IdError),
	/// A text is not of the expected kind, such as a record key.
	#[error("`{text}` is not {what}: {reason}")]
	Text {
		/// The text.
		text: String,
		/// The expected kind.
		what: &'static str,
		/// The reason.
		reason: String,
	},
	/// A text is longer than the chain accepts.
	#[error("{option} is too long: it has {length} bytes, and the chain accepts at most {limit}")]
	TooLong {
		/// The name of the text on the command line.
		option: &'static str,
		/// Its length in bytes.
		length: usize,
		/// The limit in bytes.
		limit: u32,
	},
	/// Arguments contradict each other, or one is missing.
	#[error("{0}")]
	Usage(String),
	/// Nothing on the chain has this id.
	#[error("there is no {kind} {id}")]
	Unknown {
		/// The kind of entity.
		kind: &'static str,
		/// Its id in text.
		id: String,
	},
	/// A collection has no such record.
	#[error("the tenant {tenant} has no record `{key}` in a collection `{collection}`")]
	UnknownRecord {
		/// The tenant.
		tenant: TenantId,
		/// The name of the collection.
		collection: String,
		/// The key of the record.
		key: String,
	},
	/// A record leads to content that has been deleted.
	#[error(
		"the record `{key}` in `{collection}` of {tenant} leads to {target}, which was deleted"
	)]
	Dangling {
		/// The tenant.
		tenant: TenantId,
		/// The name of the collection.
		collection: String,
		/// The key of the record.
		key: String,
		/// The target of the record.
		target: String,
	},
	/// The council has no motion for a call.
	#[error("the council has no motion with the call 0x{hash}")]
	NoMotion {
		/// The hash of the call in hex.
		hash: String,
	},
	/// The rows of a provider or a tenant do not count any more.
	#[error("the {kind} {id} is being purged")]
	BeingPurged {
		/// The kind of entity.
		kind: &'static str,
		/// Its id in text.
		id: String,
	},
	/// A purge is not under way.
	#[error("no purge of the {kind} {id} is under way")]
	NotBeingPurged {
		/// The kind of entity.
		kind: &'static str,
		/// Its id in text.
		id: String,
	},
	/// A purge does not get on, by what the node says.
	#[error(
		"the purge of {id} stopped after {reaps} transactions with {left} rows left: the node may be \
		 faulty or dishonest, so try another one"
	)]
	PurgeStalled {
		/// The id of the member in text.
		id: String,
		/// Number of transactions that were signed.
		reaps: u32,
		/// Number of rows that are left.
		left: u32,
	},
	/// An existing collection has keys of another type than is needed.
	#[error(
		"the collection `{collection}` of {tenant} has keys of the type {found}, not {needed}"
	)]
	Collection {
		/// The tenant.
		tenant: TenantId,
		/// The name of the collection.
		collection: String,
		/// The type and the syntax of its keys.
		found: String,
		/// The type and the syntax that are needed.
		needed: String,
	},
	/// A node cannot draft a commit.
	#[error("the node {node} cannot make a muid: {reason}")]
	Muid {
		/// The node.
		node: NodeId,
		/// The reason.
		reason: String,
	},
	/// An id belongs to another account.
	#[error("the {kind} {id} belongs to {owner}, not to {signer}")]
	Foreign {
		/// The kind of entity.
		kind: &'static str,
		/// Its id in text.
		id: String,
		/// The account that it belongs to.
		owner: AccountId32,
		/// The account that tried to use it.
		signer: AccountId32,
	},
	/// Governance keeps a member from acting.
	#[error("governance has {state} the {kind} {id}")]
	Barred {
		/// What governance has done to it.
		state: &'static str,
		/// The kind of member.
		kind: &'static str,
		/// Its id in text.
		id: String,
	},
	/// The bond of a member is less than its space requires, so no rows can be added to it.
	#[error("the bond of the {kind} {id} is {bond}, and its space requires {required}")]
	UnderBonded {
		/// The kind of member.
		kind: &'static str,
		/// Its id in text.
		id: String,
		/// The bond.
		bond: Amount,
		/// The bond that is required.
		required: Amount,
	},
	/// The chain refused a call.
	#[error("{call} failed: {reason}")]
	Dispatch {
		/// The call, with its pallet.
		call: String,
		/// The error's name, with its pallet, and its documentation.
		reason: String,
	},
	/// A call succeeded without the event that this client expects.
	#[error("{call} succeeded, but without the event {event}")]
	Event {
		/// The call, with its pallet.
		call: &'static str,
		/// The name of the event.
		event: &'static str,
	},
	/// Rows are left after a deletion.
	#[error("{rows} rows are left under {id} although it was deleted")]
	RowsLeft {
		/// The id in text.
		id: String,
		/// The number of rows.
		rows: usize,
	},
	/// An account has too little, or a member may hold too little.
	#[error("{0}")]
	Funds(String),
	/// Some items of an input were published and others were not. The report lists them.
	#[error("{failed} of {all} items were not published; the report lists them")]
	Partial {
		/// Number of items that were not.
		failed: usize,
		/// Number of all items.
		all: usize,
	},
	/// Ctrl-C stopped the command.
	#[error("interrupted")]
	Interrupted,
	/// An error with advice, or with more facts.
	#[error("{}; {hint}", error.to_string().trim_end_matches('.'))]
	Hinted {
		/// The error.
		#[source]
		error: Box<Self>,
		/// The advice.
		hint: String,
	},
	/// Anything else that the connection or the chain reports.
	#[error("{}", one_line(.0))]
	Chain(#[source] Box<subxt::Error>),
	/// The result cannot be written.
	#[error("the result cannot be written: {0}")]
	Output(#[source] std::io::Error),
}

/// The class of an error, which is the exit code of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
	/// Anything else.
	Other = 1,
	/// The command line, a file, a key or the configuration is wrong. Nothing was submitted.
	Usage = 2,
	/// The chain has no such entity, record or motion.
	NotFound = 3,
	/// The chain refused a transaction, or would refuse it.
	Refused = 4,
	/// The node cannot be reached, or does not answer, or is not to be trusted.
	Connection = 5,
	/// A part of the input was not published.
	Partial = 6,
	/// Ctrl-C.
	Interrupted = 130,
}

impl Error {
	/// Returns the class of the error.
	pub fn class(&self) -> Class {
		match self {
			Self::Connect { .. }
			| Self::Disconnected
			| Self::PoolBusy { .. }
			| Self::NotIncluded { .. }
			| Self::OtherChain { .. }
			| Self::OtherBlock { .. }
			| Self::Upgraded { .. }
			| Self::OtherMetadata { .. }
			| Self::NoMetadataHash
			| Self::Metadata { .. }
			| Self::PurgeStalled { .. }
			| Self::Pin(PinError::Changed { .. }) => Class::Connection,
			Self::Key(_)
			| Self::NoKey { .. }
			| Self::Pin(_)
			| Self::Profile(_)
			| Self::Url(_)
			| Self::Consent(_)
			| Self::Input(_)
			| Self::Amount(_)
			| Self::Id(_)
			| Self::Text { .. }
			| Self::TooLong { .. }
			| Self::Usage(_) => Class::Usage,
			Self::Unknown { .. }
			| Self::UnknownRecord { .. }
			| Self::Dangling { .. }
			| Self::NoMotion { .. }
			| Self::NotBeingPurged { .. } => Class::NotFound,
			Self::BeingPurged { .. }
			| Self::Collection { .. }
			| Self::Foreign { .. }
			| Self::Barred { .. }
			| Self::UnderBonded { .. }
			| Self::Funds(_)
			| Self::Dispatch { .. } => Class::Refused,
			Self::Partial { .. } => Class::Partial,
			Self::Interrupted => Class::Interrupted,
			Self::Hinted { error, .. } => error.class(),
			Self::Chain(error) => chain_class(error),
			Self::Muid { .. } | Self::Event { .. } | Self::RowsLeft { .. } | Self::Output(_) => {
				Class::Other
			},
		}
	}

	/// Returns whether the connection is lost or cannot be made.
	pub fn is_connection(&self) -> bool {
		match self {
			Self::Connect { .. } | Self::Disconnected => true,
			Self::Hinted { error, .. } => error.is_connection(),
			_ => false,
		}
	}

	/// Returns the error with a hint, such as what to do now.
	pub fn with_hint(self, hint: impl Into<String>) -> Self {
		Self::Hinted { error: Box::new(self), hint: hint.into() }
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
			Self::Hinted { error, .. } => error.refusal(),
			_ => None,
		}
	}

	/// Returns whether the node has a transaction with the same signer and nonce already.
	pub fn is_nonce_taken(&self) -> bool {
		/// The code of `TooLowPriority` among the node's errors.
		const TOO_LOW_PRIORITY: i32 = 1014;
		let Self::Chain(error) = self else { return false };
		matches!(
			&**error,
			subxt::Error::ExtrinsicError(ExtrinsicError::ErrorSubmittingTransaction(
				BackendError::Rpc(RpcError::ClientError(rpcs::Error::User(error)))
			)) if error.code == TOO_LOW_PRIORITY
		)
	}

	/// Returns whether this is the error of the content fabric with a name.
	pub fn is_fabric(&self, name: &str) -> bool {
		self.is_of("ContentFabric", name)
	}

	/// Returns whether this is a pallet's error with a name.
	pub fn is_of(&self, pallet: &str, name: &str) -> bool {
		let error = self.refusal().and_then(|reason| reason.split(':').next());
		error.and_then(|error| error.split_once('.')) == Some((pallet, name))
	}
}

/// Returns the class of an error of subxt.
fn chain_class(error: &subxt::Error) -> Class {
	match error {
		subxt::Error::ExtrinsicError(
			ExtrinsicError::ErrorSubmittingTransaction(_)
			| ExtrinsicError::TransactionStatusError(_),
		) => Class::Refused,
		_ => Class::Other,
	}
}

macro_rules! from_subxt {
	($($error:ty),* $(,)?) => {$(
		impl From<$error> for Error {
			fn from(error: $error) -> Self {
				let error = subxt::Error::from(error);
				match one_line(&error).contains("background task closed") {
					true => Self::Disconnected,
					false => Self::Chain(Box::new(error)),
				}
			}
		}
	)*};
}

from_subxt!(
	subxt::Error,
	rpcs::Error,
	BackendError,
	BlocksError,
	EventsError,
	ExtrinsicError,
	OnlineClientAtBlockError,
	OnlineClientError,
	RuntimeApiError,
	StorageError,
	StorageKeyError,
	StorageValueError,
	TransactionEventsError,
	TransactionProgressError,
	TransactionStatusError,
);

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
		E::ExtrinsicError(ExtrinsicError::ErrorSubmittingTransaction(error)) => {
			format!("the node refused the transaction: {}", backend_line(error))
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
pub(crate) fn rpc_line(error: &rpcs::Error) -> String {
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
pub(crate) fn dispatch_line(error: &DispatchError) -> String {
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

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn errors_of_the_pallet_are_recognized_by_their_name() {
		let dispatch = |reason: &str| Error::Dispatch { call: "a.b".into(), reason: reason.into() };
		assert!(dispatch("ContentFabric.MuidTooOld: The muid is old.").is_fabric("MuidTooOld"));
		assert!(!dispatch("ContentFabric.MuidTooOld: The muid is old.").is_fabric("Muid"));
		assert!(!dispatch("Balances.MuidTooOld: It is not.").is_fabric("MuidTooOld"));
		assert!(!dispatch("Bad origin").is_fabric("MuidTooOld"));
		assert!(dispatch("Bad origin.").is_bad_origin());
		assert!(!dispatch("ContentFabric.NoPermission: It has none.").is_bad_origin());
		assert!(dispatch("Proxy.NotProxy: It is not one.").is_of("Proxy", "NotProxy"));
		assert!(!dispatch("Proxy.NotProxy: It is not one.").is_fabric("NotProxy"));
		let hinted = dispatch("ContentFabric.MuidTooOld: The muid is old.").with_hint("retry");
		assert!(hinted.is_fabric("MuidTooOld"));
		assert!(!Error::Interrupted.with_hint("MuidTooOld").is_fabric("MuidTooOld"));
	}

	#[test]
	fn errors_are_one_line_without_the_words_of_the_library() {
		let lost = subxt::Error::other_str("The background task closed; restart required");
		let lost = Error::from(lost).with_hint("run the command again");
		assert_eq!(lost.to_string(), "the node closed the connection; run the command again");
		let other = Error::from(subxt::Error::other_str("the node has\n no best block"));
		assert_eq!(other.to_string(), "the node has no best block");
		let refused = Error::Dispatch { call: "a.b".into(), reason: "Bad origin.".into() };
		assert_eq!(refused.with_hint("c signed").to_string(), "a.b failed: Bad origin; c signed");
	}
}
