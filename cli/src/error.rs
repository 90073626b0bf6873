// SPDX-License-Identifier: Apache-2.0
//! Errors of the client. The text of each is one line, except for the bad lines of an input.

use content_fabric_client::{
	amount::AmountError,
	chain,
	class::Class,
	content_node::NodeError,
	drafts::DraftError,
	ids::IdError,
	keys::KeyError,
	kms::KmsError,
	profile::UrlError,
	publish,
	text::{count, json_line},
};
use content_fabric_primitives::MemberId;
use serde::Serialize;

use crate::{
	consent::ConsentError,
	encrypted::StateError,
	index::IndexError,
	input::InputError,
	output::{warn, OutputError},
	profile::{KmsPinError, PinError, ProfileError},
};

/// An error of the client. Its text is one line, or one for each bad line of an input.
#[derive(Debug, thiserror::Error)]
pub enum Error {
	/// The connection or the chain.
	#[error(transparent)]
	Chain(#[from] chain::Error),
	/// The node serves another chain than before, with the same genesis hash.
	#[error(
		"the chain was begun anew: its block {block} is 0x{}, and was 0x{} before; run the command \
		 again to follow it",
		hex::encode(found),
		hex::encode(seen)
	)]
	OtherChain { block: u64, found: [u8; 32], seen: [u8; 32] },
	/// A fork has replaced all blocks that are remembered.
	#[error("block {0} has changed: the fork is too long")]
	LongFork(u64),
	/// A key cannot be read.
	#[error(transparent)]
	Key(#[from] KeyError),
	/// No key was given, and the chain is not a development chain.
	#[error(
		"no key is given: pass {option}, set FABRIC_SIGNER or a profile's `signer` (only development \
		 chains have default keys)"
	)]
	NoKey { option: &'static str },
	/// The configuration file is wrong.
	#[error(transparent)]
	Profile(#[from] ProfileError),
	/// A URL, from an option, a variable or a profile, names no server, or is not safe to use.
	#[error("{origin}: {error}")]
	Url {
		origin: String,
		#[source]
		error: UrlError,
	},
	/// The chain is not the pinned one, or the file of pins is damaged.
	#[error(transparent)]
	Pin(#[from] PinError),
	/// The file of pinned keys of KMSes is damaged.
	#[error(transparent)]
	KmsPin(#[from] KmsPinError),
	/// An encrypted file cannot be read, as nobody can be asked for its key.
	#[error("{reason}")]
	Unread { reason: String, class: Class },
	/// The records of encrypted files, or the spool.
	#[error(transparent)]
	State(#[from] StateError),
	/// A KMS, the connection to it, or an encrypted file.
	#[error(transparent)]
	Kms(#[from] KmsError),
	/// The index, or the connection to it.
	#[error(transparent)]
	Index(#[from] IndexError),
	/// A content node, or the connection to it.
	#[error(transparent)]
	Node(#[from] NodeError),
	/// No node served the bytes of some versions. Standard error names the nodes that were asked.
	#[error("no node served {0}")]
	Unserved(String),
	/// Copies of some versions are missing. The report lists them.
	#[error("copies are missing of {lacking} of {}; the report lists them", count(*all, "version", "versions"))]
	Missing { lacking: usize, all: usize },
	/// An error of publishing.
	#[error(transparent)]
	Publish(#[from] publish::Error),
	/// Files do not have the bytes of a version. The report names them.
	#[error("{0}")]
	Mismatch(String),
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
	/// A draft, or its signature, is not what it says.
	#[error(transparent)]
	Draft(#[from] DraftError),
	/// A text is not of the expected kind, such as a record key.
	#[error("`{text}` is not {what}: {reason}")]
	Text { text: String, what: &'static str, reason: String },
	/// Arguments contradict each other, or one is missing.
	#[error("{0}")]
	Usage(String),
	/// The chain has no such record or purge, or not what a record leads to.
	#[error("{0}")]
	NotFound(String),
	/// The council has no motion for a call.
	#[error("the council has no motion with the call 0x{}", hex::encode(.0))]
	NoMotion([u8; 32]),
	/// A purge does not get on, by what the node says.
	#[error(
		"the purge of {member} stopped after {reaps} transactions with {left} rows left: the node may \
		 be faulty or dishonest, so try another one"
	)]
	PurgeStalled { member: MemberId, reaps: u32, left: u32 },
	/// Rows are left after a deletion.
	#[error("{rows} rows are left under {member} although it was deleted")]
	RowsLeft { member: MemberId, rows: usize },
	/// Files that this command does not write, whatever the nodes serve.
	#[error("{0} cannot be written here; the report lists them")]
	Unwritten(String),
	/// The chain would refuse a call, or what is there does not permit the command.
	#[error("{0}")]
	Refused(String),
	/// Some items were published or removed, and others were not. The report lists them.
	#[error("{failed} of {} failed; the report lists them", count(*all, "item", "items"))]
	Partial { failed: usize, all: usize },
	/// `fabric doctor` has found problems. The report lists them.
	#[error("{} found; the report lists what to do", count(*.0, "problem was", "problems were"))]
	Unhealthy(usize),
	/// Ctrl-C stopped the command.
	#[error("interrupted")]
	Interrupted,
	/// An error with advice, or with more facts.
	#[error("{}; {hint}", error.to_string().trim_end_matches('.'))]
	Hinted {
		#[source]
		error: Box<Self>,
		hint: String,
	},
	/// The result cannot be written.
	#[error(transparent)]
	Output(#[from] OutputError),
}

impl Error {
	/// Returns the class of the error.
	pub fn class(&self) -> Class {
		match self {
			Self::OtherChain { .. }
			| Self::LongFork(_)
			| Self::PurgeStalled { .. }
			| Self::Pin(PinError::Changed { .. }) => Class::Connection,
			Self::Key(_)
			| Self::NoKey { .. }
			| Self::Pin(_)
			| Self::Profile(_)
			| Self::Url { .. }
			| Self::Consent(_)
			| Self::Input(_)
			| Self::KmsPin(_)
			| Self::State(_)
			| Self::Amount(_)
			| Self::Id(_)
			| Self::Draft(_)
			| Self::Text { .. }
			| Self::Usage(_) => Class::Usage,
			Self::NotFound(_) | Self::NoMotion(_) => Class::NotFound,
			Self::Refused(_) => Class::Refused,
			Self::Partial { .. } => Class::Partial,
			Self::Unhealthy(_) => Class::Unhealthy,
			Self::Interrupted => Class::Interrupted,
			Self::Hinted { error, .. } => error.class(),
			Self::Chain(error) => error.class(),
			Self::Index(error) => error.class(),
			Self::Node(error) => error.class(),
			Self::Kms(error) => error.class(),
			Self::Unread { class, .. } => *class,
			Self::Publish(error) => error.class(),
			Self::Unserved(_) | Self::Missing { .. } => Class::Unserved,
			Self::Mismatch(_) => Class::Mismatch,
			Self::RowsLeft { .. } | Self::Unwritten(_) | Self::Output(_) => Class::Other,
		}
	}

	/// Returns the error of the connection or the chain that this is, with advice or without.
	pub fn of_chain(&self) -> Option<&chain::Error> {
		match self {
			Self::Chain(error) => Some(error),
			Self::Publish(error) => error.of_chain(),
			Self::Hinted { error, .. } => error.of_chain(),
			_ => None,
		}
	}

	/// Returns whether the connection is lost or cannot be made.
	pub fn is_connection(&self) -> bool {
		self.of_chain().is_some_and(chain::Error::is_connection)
	}

	/// Returns the error with a hint, such as what to do now.
	pub fn with_hint(self, hint: impl Into<String>) -> Self {
		Self::Hinted { error: Box::new(self), hint: hint.into() }
	}

	/// Returns whether the chain refused a call because of its signer.
	pub fn is_bad_origin(&self) -> bool {
		self.of_chain().is_some_and(chain::Error::is_bad_origin)
	}

	/// Returns whether the chain refused a call because an account cannot afford it.
	pub fn is_lack_of_funds(&self) -> bool {
		self.of_chain().is_some_and(chain::Error::is_lack_of_funds)
	}

	/// Returns whether this is the error of the content fabric with a name.
	pub fn is_fabric(&self, name: &str) -> bool {
		self.is_of("ContentFabric", name)
	}

	/// Returns whether this is a pallet's error with a name.
	pub fn is_of(&self, pallet: &str, name: &str) -> bool {
		self.of_chain().is_some_and(|error| error.is_of(pallet, name))
	}

	/// Writes the error to standard error: as text, or as one line of JSON.
	pub fn report(&self, json: bool) {
		#[derive(Serialize)]
		struct Failure {
			error: String,
			class: Class,
		}
		let failure = Failure { error: self.to_string(), class: self.class() };
		match json_line(&failure) {
			Ok(line) if json => warn(&line),
			_ => match self {
				Self::Input(_) => format!("error: {self}").lines().for_each(warn),
				_ => warn(&format!("error: {self}")),
			},
		}
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_client::ids::VersionArgument;
	use content_fabric_identifiers::{HashKind, NodeId, VersionId};
	use subxt::error::{BackendError, ExtrinsicError, RpcError};

	use super::*;

	#[test]
	fn errors_of_the_pallet_are_recognized_by_their_name() {
		let dispatch = |reason: &str| {
			Error::from(chain::Error::Dispatch { call: "a.b".into(), reason: reason.into() })
		};
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
		let lost = Error::from(chain::Error::from(lost)).with_hint("run the command again");
		assert_eq!(lost.to_string(), "the node closed the connection; run the command again");
		let other = Error::from(chain::Error::from(subxt::Error::other_str(
			"the node has\n no best block",
		)));
		assert_eq!(other.to_string(), "the node has no best block");
		let refused = chain::Error::Dispatch { call: "a.b".into(), reason: "Bad origin.".into() };
		assert_eq!(
			Error::from(refused).with_hint("c signed").to_string(),
			"a.b failed: Bad origin; c signed"
		);
	}

	#[test]
	fn an_error_after_a_submission_has_the_hash_and_is_what_it_was_before() {
		use chain::Error as E;
		let after = |error: E| Error::from(error.after_submission([7; 32]));
		let lost = after(E::Disconnected);
		let hash = "07".repeat(32);
		let text = "the transaction 0x{} was submitted, and may be in a block or get into one";
		let text = format!("the node closed the connection; {}", text.replace("{}", &hash));
		assert_eq!((lost.to_string(), lost.class()), (text, Class::Connection));
		assert!(lost.is_connection() && lost.with_hint("retry").is_connection());
		let late = after(E::from(subxt::Error::other_str("no answer")));
		assert_eq!(late.class(), Class::Other);
		assert!(late.to_string().contains(&hash), "{late}");
		// The outcome of these is known.
		let failed = E::Dispatch { call: "a.b".into(), reason: "Bad origin.".into() };
		assert!(after(failed).is_bad_origin());
		let refused = serde_json::json!({ "code": 1014, "message": "Priority is too low" });
		let refused = subxt::rpcs::Error::User(serde_json::from_value(refused).expect("it is one"));
		let refused = BackendError::Rpc(RpcError::ClientError(refused));
		let refused = E::from(ExtrinsicError::ErrorSubmittingTransaction(refused));
		assert!(refused.is_overtaken());
		let refused = after(refused);
		assert_eq!(refused.class(), Class::Refused);
		assert_eq!(refused.to_string(), "the node refused the transaction: Priority is too low");
	}

	#[test]
	fn a_refusal_by_the_state_of_the_chain_is_not_a_usage_error() {
		for error in [
			Error::Refused("the tenant is not frozen".into()),
			publish::Error::Unasked("create the tenant".into()).into(),
		] {
			assert_eq!(error.class(), Class::Refused, "{error}");
		}
	}

	#[test]
	fn errors_of_the_chain_keep_their_text_and_have_a_class_with_advice_and_without() {
		use chain::Error as E;
		let limit = E::Usage("--name is too long".into());
		let unknown = E::Unknown { kind: "node", id: "inod".into() };
		let refused = E::Dispatch { call: "a.b".into(), reason: "Bad origin.".into() };
		let (node, reason) = (NodeId([1; 10]), "no time is left".to_owned());
		let other = VersionArgument { version: VersionId([1; 32]), hash: Some(HashKind::Sha256) };
		let other = other.ensure(HashKind::Blake3).expect_err("it is of another kind");
		for (error, class) in [
			(E::Muid { node, reason }, Class::Refused),
			(other.into(), Class::NotFound),
			(E::Disconnected, Class::Connection),
			(E::Dead("the node is silent".into()), Class::Connection),
			(E::NoMetadataHash, Class::Connection),
			(limit, Class::Usage),
			(unknown, Class::NotFound),
			(refused, Class::Refused),
			(E::from(subxt::Error::other_str("no")), Class::Other),
		] {
			let (text, is_lost) = (error.to_string(), error.is_connection());
			let error = Error::from(error);
			assert_eq!((error.to_string(), error.class()), (text, class));
			let hinted = error.with_hint("run it again");
			assert_eq!((hinted.class(), hinted.is_connection()), (class, is_lost), "{hinted}");
		}
	}
}
