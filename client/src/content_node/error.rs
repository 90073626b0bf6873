// SPDX-License-Identifier: Apache-2.0
//! Errors of content nodes.

use std::{io, path::Path, time::Duration};

use crate::{
	class::Class,
	profile::IndexUrl,
	text::{count, size},
};

/// An error of a content node, of the connection to it, or of what it sends.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NodeError {
	/// A text is not the URL of a content node.
	#[error(
		"it is neither the id of a node, inod…, nor the URL of a content node: expected https:// or \
		 http://, a host, and no query or fragment"
	)]
	Url,
	/// The node is not on the chain any more, so nothing says where it is.
	#[error("the chain no longer has it")]
	Removed,
	/// A locator does not name an HTTP server.
	#[error(
		"its locator `{0}` names no HTTP server: expected a URL, or a multiaddress such as \
		 /dns4/example.org/tcp/443/https"
	)]
	Locator(String),
	/// The node does not answer.
	#[error("the content node at {url} does not answer: {reason}")]
	Unreachable {
		/// The URL.
		url: IndexUrl,
		/// The reason.
		reason: String,
	},
	/// The node answers with an error.
	#[error("the content node at {url} refuses, with status {status}: {reason}")]
	Refused {
		/// The URL.
		url: IndexUrl,
		/// The HTTP status.
		status: u16,
		/// The node's reason.
		reason: String,
	},
	/// The node does not accept the signature of the request, or its time.
	#[error("the content node at {url} does not accept the signed request: {reason}")]
	Unauthorized {
		/// The URL.
		url: IndexUrl,
		/// The node's reason.
		reason: String,
		/// The time of the node, in seconds since the Unix epoch, if it says it.
		time: Option<u64>,
	},
	/// The answer does not come from a content node, or does not fit the request.
	#[error("the content node at {url} {problem}")]
	Wrong {
		/// The URL.
		url: IndexUrl,
		/// The problem: the end of a sentence that begins with the node.
		problem: String,
	},
	/// The transfer ended early, with this much.
	#[error("the transfer ended after {}: {reason}", count(*arrived, "byte", "bytes"))]
	Cut {
		/// Number of bytes that are here.
		arrived: u64,
		/// The reason.
		reason: String,
	},
	/// The node sends the bytes of a version too slowly.
	#[error("it sends less than {} in {}", size(Some(*least)), count(window.as_secs(), "second", "seconds"))]
	Slow {
		/// Number of bytes that it has sent in that time.
		arrived: u64,
		/// Number of bytes that it must send in that time.
		least: u64,
		/// The time.
		window: Duration,
	},
	/// The node sends other bytes, or another number of them, than the chain has.
	#[error("it sends {0}")]
	OtherBytes(String),
	/// A file cannot be read or written.
	#[error("{path} cannot be {action}: {error}")]
	File {
		/// The action that failed.
		action: &'static str,
		/// The path.
		path: String,
		/// The reason.
		error: io::Error,
	},
	/// Ctrl-C.
	#[error("interrupted")]
	Interrupted,
}

impl NodeError {
	/// Returns the error of a file that cannot be read or written, for an action as a participle.
	pub fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
		let path = path.display().to_string();
		move |error| Self::File { action, path, error }
	}

	/// Returns the class of the error.
	pub fn class(&self) -> Class {
		match self {
			Self::Url | Self::File { .. } => Class::Usage,
			Self::Refused { status: 400..500 | 507, .. } | Self::Unauthorized { .. } => {
				Class::Refused
			},
			Self::OtherBytes(_) | Self::Locator(_) | Self::Removed => Class::Unserved,
			Self::Interrupted => Class::Interrupted,
			_ => Class::Connection,
		}
	}

	/// Returns whether the node will not commit this draft, now or later.
	pub fn is_refused_commit(&self) -> bool {
		matches!(self, Self::Refused { status: 400 | 403 | 413 | 507, .. })
	}

	/// Returns whether the node's reason is an error of the chain with this name.
	pub fn is_of(&self, name: &str) -> bool {
		matches!(self, Self::Refused { reason, .. } if reason.contains(name))
	}

	/// Returns whether the node refuses the same request later, too.
	pub fn is_lasting(&self) -> bool {
		matches!(self, Self::Refused { .. } | Self::Unauthorized { .. }) && !self.is_transient()
	}

	/// Returns whether the same request may succeed later.
	pub fn is_transient(&self) -> bool {
		match self {
			Self::Unreachable { .. } | Self::Cut { .. } => true,
			Self::Refused { status, .. } => {
				matches!(status, 400 | 408 | 409 | 429 | 500 | 502 | 503 | 504)
			},
			_ => false,
		}
	}
}
