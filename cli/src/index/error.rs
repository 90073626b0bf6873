// SPDX-License-Identifier: Apache-2.0
//! Errors of an index.

use std::fmt;

use content_fabric_client::{class::Class, profile::IndexUrl};
use serde::Deserialize;

use super::Hash;

/// An error of an index, or of the connection to it.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
	/// The command needs an index.
	#[error(
		"{0} reads the index, and none is named: pass --index URL, set FABRIC_INDEX or a profile's \
		 `index`"
	)]
	NotNamed(&'static str),
	/// The index does not answer.
	#[error("the index at {url} does not answer: {reason}")]
	Unreachable { url: IndexUrl, reason: String },
	/// The index names another address.
	#[error("the index at {0} redirects to another address; name that one if you trust it")]
	Redirected(IndexUrl),
	/// The answer is longer than any answer of an index.
	#[error("the index at {url} gives an answer of more than {limit} bytes")]
	TooLong { url: IndexUrl, limit: u64 },
	/// The answer is not JSON.
	#[error("{url} gives an answer that is not JSON (HTTP status {status}); is it an index?")]
	NotJson { url: IndexUrl, status: u16 },
	/// The answer is not one of an index.
	#[error("the index at {url} gives an answer that this client does not understand: {reason}")]
	Malformed { url: IndexUrl, reason: String },
	/// The index follows another chain.
	#[error(
		"the index at {url} follows the chain with the genesis hash {found}, expected {expected}: \
		 name the index of this chain, or choose another profile"
	)]
	OtherChain { url: IndexUrl, expected: Hash, found: Hash },
	/// The index answers with an error.
	#[error(
		"the index at {url}: {message} ({kind}{})",
		field.as_ref().map(|field| format!(", field `{field}`")).unwrap_or_default()
	)]
	Answer { url: IndexUrl, kind: ErrorKind, field: Option<String>, message: String },
}

/// The kind of an error with which an index answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
	/// The request is wrong.
	BadRequest,
	/// The index has no such thing.
	NotFound,
	/// The index no longer has it.
	Gone,
	/// The client asks too often.
	TooMany,
	/// The index cannot answer now.
	Unavailable,
	/// Another kind.
	#[serde(other)]
	Internal,
}

impl fmt::Display for ErrorKind {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(match self {
			Self::BadRequest => "bad request",
			Self::NotFound => "not found",
			Self::Gone => "gone",
			Self::TooMany => "too many requests",
			Self::Unavailable => "unavailable",
			Self::Internal => "internal error",
		})
	}
}

impl IndexError {
	/// Returns the class of the error.
	pub fn class(&self) -> Class {
		match self {
			Self::NotNamed(_) | Self::Answer { kind: ErrorKind::BadRequest, .. } => Class::Usage,
			Self::Answer { kind: ErrorKind::NotFound | ErrorKind::Gone, .. } => Class::NotFound,
			_ => Class::Connection,
		}
	}
}
