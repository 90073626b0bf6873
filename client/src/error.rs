//! Errors of the client. The text of each is one line.

use content_fabric_identifiers::ParseIdError;
use subxt::{
	error::{
		BackendError, DispatchError, ExtrinsicError, OnlineClientAtBlockError, OnlineClientError,
		RpcError, RuntimeApiError, StorageError, TransactionEventsError,
		TransactionFinalizedSuccessError, TransactionProgressError,
	},
	rpcs,
};

/// An error of the client. Its text is one line.
#[derive(Debug, thiserror::Error)]
pub enum Error {
	/// No node answers.
	#[error("no node answers at {url}: {reason}")]
	Connect {
		/// The URL of the node.
		url: String,
		/// The reason.
		reason: String,
	},
	/// A text is not the URL of a node.
	#[error("`{url}` is not a URL such as ws://127.0.0.1:9944")]
	Url {
		/// The text.
		url: String,
	},
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
	/// The node has closed the connection.
	#[error("the node closed the connection")]
	Disconnected,
	/// The chain is not a content fabric that this client knows.
	#[error("the chain has no {what}: it is not a content fabric that this client knows")]
	Metadata {
		/// The item that is missing in the chain's metadata.
		what: String,
	},
	/// A text is not a signing key.
	#[error("{uri} is neither a secret phrase nor a derivation such as //Alice: {reason}")]
	Key {
		/// The text, or what stands for it where it may be a secret.
		uri: String,
		/// The reason.
		reason: String,
	},
	/// An input yields no content.
	#[error(transparent)]
	Input(#[from] crate::input::InputError),
	/// A text is not an id.
	#[error("`{text}` is not an id: {reason}")]
	Id {
		/// The text.
		text: String,
		/// The reason.
		reason: ParseIdError,
	},
	/// A text does not start with a prefix of ids.
	#[error("`{text}` is not an id: an id starts with one of {prefixes}")]
	IdKind {
		/// The text.
		text: String,
		/// The prefixes that are expected.
		prefixes: String,
	},
	/// An id is of another kind than is needed.
	#[error("`{text}` is the id of {found}: {needed} is needed ({prefixes})")]
	WrongKind {
		/// The text.
		text: String,
		/// The kind of the id.
		found: &'static str,
		/// The kinds that are needed.
		needed: String,
		/// The prefixes of their ids.
		prefixes: String,
	},
	/// A text is not the address of an account.
	#[error("`{text}` is not the address of an account: {reason}")]
	Account {
		/// The text.
		text: String,
		/// The reason.
		reason: String,
	},
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
	/// A content object belongs to another tenant.
	#[error("the content object {object} is not one of the tenant {tenant}")]
	OtherTenant {
		/// The id of the object with its tenant.
		object: String,
		/// The id of the tenant in question.
		tenant: String,
	},
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
		/// The id of the tenant.
		tenant: String,
		/// The name of the collection.
		collection: String,
		/// The key of the record.
		key: String,
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
	/// An existing collection has keys of another type than is needed.
	#[error(
		"the collection `{collection}` of {tenant} has keys of the type {found}, not {needed}"
	)]
	Collection {
		/// The id of the tenant.
		tenant: String,
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
		/// The id of the node.
		node: String,
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
		owner: String,
		/// The account that tried to use it.
		signer: String,
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
	/// An error with advice, or with more facts.
	#[error("{}; {hint}", error.to_string().trim_end_matches('.'))]
	Hinted {
		/// The error.
		error: Box<Self>,
		/// The advice.
		hint: String,
	},
	/// Anything else that the connection or the chain reports.
	#[error("{}", one_line(.0))]
	Chain(Box<subxt::Error>),
	/// The result cannot be written.
	#[error("the result cannot be written: {0}")]
	Output(std::io::Error),
}

impl Error {
	/// Returns the error with a hint, such as what to do now.
	pub fn with_hint(self, hint: impl Into<String>) -> Self {
		Self::Hinted { error: Box::new(self), hint: hint.into() }
	}

	/// Returns whether the chain refused a call because of its signer.
	pub fn is_bad_origin(&self) -> bool {
		let Self::Dispatch { reason, .. } = self else { return false };
		*reason == dispatch_line(&DispatchError::BadOrigin)
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

	/// Returns whether this is the pallet's error with a name.
	pub fn is_fabric(&self, name: &str) -> bool {
		let Self::Dispatch { reason, .. } = self else { return false };
		let found = reason.strip_prefix("ContentFabric.").and_then(|rest| rest.split(':').next());
		found == Some(name)
	}
}

impl<E: Into<subxt::Error>> From<E> for Error {
	fn from(error: E) -> Self {
		let error = error.into();
		match one_line(&error).contains("background task closed") {
			true => Self::Disconnected,
			false => Self::Chain(Box::new(error)),
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
