// SPDX-License-Identifier: Apache-2.0
//! Errors of encrypted files and of KMSes.

use std::io;

use age::DecryptError;
use content_fabric_primitives::ParseKmsKeyError;

use crate::{class::Class, content_node::NodeError, profile::IndexUrl};

/// An error of an encrypted file, of a KMS, or of the connection to it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KmsError {
	/// The encrypted bytes cannot be read.
	#[error("its encrypted bytes cannot be read: {0}")]
	Read(io::Error),
	/// The bytes are not in the format.
	#[error("its bytes are not a file that age has encrypted: {0}")]
	NotAge(&'static str),
	/// The header does not end.
	#[error("its bytes have a header of more than {0} bytes, which is too long")]
	LongHeader(u64),
	/// No stanza is of the kind that a KMS opens.
	#[error("it is not encrypted for an X25519 key, so no KMS can open it")]
	NoStanza,
	/// The header has more stanzas than a KMS looks at.
	#[error("it is encrypted for {found} X25519 keys, expected at most {most}")]
	ManyStanzas {
		/// Number of the stanzas.
		found: usize,
		/// The limit.
		most: usize,
	},
	/// The file is encrypted with a passphrase.
	#[error("it is encrypted with a passphrase, not for a KMS")]
	Passphrase,
	/// The key that a KMS has given is not the one of the file.
	#[error("the KMS at {url} gives a key that does not open the file")]
	OtherKey {
		/// The URL.
		url: IndexUrl,
	},
	/// The bytes after the header are not as they were encrypted.
	#[error("its encrypted bytes {0}: they do not decrypt")]
	Altered(&'static str),
	/// The recipient of the file keys cannot be made.
	#[error("a one-time key for the answer of the KMS cannot be made: {0}")]
	Recipient(ParseKmsKeyError),
	/// The locator of the KMS names no HTTP server.
	#[error("the KMS cannot be asked: {0}")]
	Locator(NodeError),
	/// The KMS does not answer.
	#[error("the KMS at {url} does not answer: {reason}")]
	Unreachable {
		/// The URL.
		url: IndexUrl,
		/// The reason.
		reason: String,
	},
	/// The KMS answers with an error.
	#[error("the KMS at {url} refuses, with status {status}: {reason}")]
	Refused {
		/// The URL.
		url: IndexUrl,
		/// The HTTP status.
		status: u16,
		/// The KMS's reason.
		reason: String,
	},
	/// The KMS does not accept the signature of the request, or its time.
	#[error("the KMS at {url} does not accept the signed request: {reason}")]
	Unauthorized {
		/// The URL.
		url: IndexUrl,
		/// The KMS's reason.
		reason: String,
		/// The time of the KMS, in seconds since the Unix epoch, if it says it.
		time: Option<u64>,
	},
	/// The answer does not come from a KMS, or does not fit the request.
	#[error("the KMS at {url} {problem}")]
	Wrong {
		/// The URL.
		url: IndexUrl,
		/// The problem: the end of a sentence that begins with the KMS.
		problem: String,
	},
}

impl KmsError {
	/// Returns the error of a header.
	pub(super) fn not_age(error: &DecryptError) -> Self {
		Self::NotAge(match error {
			DecryptError::UnknownFormat => "they have another version of its format",
			DecryptError::Io(_) => "the header is cut",
			DecryptError::InvalidMac => "the header does not match the key of the file",
			_ => "the header is malformed",
		})
	}

	/// Returns whether the KMS cannot answer now.
	pub fn is_busy(&self) -> bool {
		matches!(self, Self::Refused { status: 429 | 503, .. })
	}

	/// Returns the class of the error.
	pub fn class(&self) -> Class {
		match self {
			Self::Read(_) => Class::Usage,
			Self::Refused { status: 400..500, .. } | Self::Unauthorized { .. } => Class::Refused,
			Self::Unreachable { .. } | Self::Refused { .. } | Self::Wrong { .. } => {
				Class::Connection
			},
			_ => Class::Unserved,
		}
	}
}
