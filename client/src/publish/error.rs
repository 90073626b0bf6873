// SPDX-License-Identifier: Apache-2.0
//! Errors of publishing.

#[cfg(feature = "http")]
use crate::content_node::NodeError;
use crate::{chain, class::Class, drafts::DraftError};

/// An error that ends a run. Its text is one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
	/// The connection or the chain.
	#[error(transparent)]
	Chain(#[from] chain::Error),
	/// An error of the chain, with advice.
	#[error("{error}; {advice}")]
	Advised {
		/// The error.
		#[source]
		error: chain::Error,
		/// The advice.
		advice: String,
	},
	/// A content node, or the connection to it.
	#[cfg(feature = "http")]
	#[error(transparent)]
	Node(#[from] NodeError),
	/// A draft is not what was asked for, or is dated too far ahead.
	#[error(transparent)]
	Draft(#[from] DraftError),
	/// The clock of this machine is wrong.
	#[error("set the clock of this machine: {0}")]
	Clock(String),
	/// A member cannot publish.
	#[error("{0}")]
	Refused(String),
	/// An account has too little, or a member may hold too little.
	#[error("{0}")]
	Funds(String),
	/// Something is missing that was not among [`missing`](super::Publication::missing).
	#[error("the chain has changed, and you were not asked to {0}: run the command again")]
	Unasked(String),
	/// The run was stopped.
	#[error("interrupted")]
	Interrupted,
}

impl Error {
	/// Returns the class of the error.
	pub fn class(&self) -> Class {
		match self {
			Self::Chain(error) | Self::Advised { error, .. } => error.class(),
			#[cfg(feature = "http")]
			Self::Node(error) => error.class(),
			Self::Draft(_) | Self::Clock(_) => Class::Usage,
			Self::Refused(_) | Self::Funds(_) | Self::Unasked(_) => Class::Refused,
			Self::Interrupted => Class::Interrupted,
		}
	}

	/// Returns the error of the connection or the chain that this is.
	pub fn of_chain(&self) -> Option<&chain::Error> {
		match self {
			Self::Chain(error) | Self::Advised { error, .. } => Some(error),
			_ => None,
		}
	}

	/// Returns whether another run would be refused, too.
	pub(super) fn is_lasting(&self) -> bool {
		#[cfg(feature = "http")]
		return matches!(self, Self::Node(refused) if refused.is_lasting());
		#[cfg(not(feature = "http"))]
		return false;
	}

	/// Returns whether the connection is lost or cannot be made.
	pub fn is_connection(&self) -> bool {
		self.of_chain().is_some_and(chain::Error::is_connection)
	}
}
