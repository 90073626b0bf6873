// SPDX-License-Identifier: Apache-2.0
//! Audits a content node once.

use std::time::Duration;

use codec::{Decode, Encode};
use content_fabric_client::content_node::{server, Audit, NodeError, Sample, Status};
use content_fabric_identifiers::VersionId;
use tracing::debug;

/// The result of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Outcome {
	/// The content node has sent the bytes that it was asked for. If it holds none that can be
	/// audited, it has answered.
	Right = 0,
	/// Its bytes are not the version's, or the server is another one.
	Wrong = 1,
	/// No whole answer in time.
	Late = 2,
	/// An error or a redirect, a failed connection, an address that is not allowed, or a locator
	/// that names no HTTP server.
	Refused = 3,
}

impl Outcome {
	/// All results.
	pub const ALL: [Self; 4] = [Self::Right, Self::Wrong, Self::Late, Self::Refused];

	/// Returns the name.
	pub const fn as_str(self) -> &'static str {
		match self {
			Self::Right => "right",
			Self::Wrong => "wrong",
			Self::Late => "late",
			Self::Refused => "refused",
		}
	}

	/// Returns whether the result speaks against the node: it answered, and not as it should.
	pub const fn is_failure(self) -> bool {
		matches!(self, Self::Wrong | Self::Refused)
	}
}

/// The finding of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Finding {
	/// The result.
	pub outcome: Outcome,
	/// The HTTP status of a node that refused.
	pub status: Option<u16>,
	/// The version whose bytes the node was asked for. `None` if there are none, or if the audit
	/// ended before.
	pub version: Option<VersionId>,
}

/// Limits of audits, which ask nodes at addresses that strangers chose.
#[derive(Clone, Copy)]
pub(super) struct Way {
	/// Time limit of an audit.
	pub time: Duration,
	/// True to connect to any address.
	pub private: bool,
}

/// Asks a server whether it is the content node with these ids, and then for the bytes of a sample.
/// Blocks.
pub(super) fn ask(way: Way, locator: &str, ids: Status, sample: Option<Sample>) -> Finding {
	let found = |outcome, status, version| Finding { outcome, status, version };
	let Ok(url) = server(locator) else { return found(Outcome::Refused, None, None) };
	let audit = Audit::begin(url, way.private, way.time);
	let failed = |error: NodeError, version| {
		debug!("an audit of {} fails: {error}", ids.node);
		let (outcome, status) = outcome(&error, audit.is_late());
		found(outcome, status, version)
	};
	if let Err(error) = audit.identity(ids) {
		return failed(error, None);
	}
	let Some(sample) = sample else { return found(Outcome::Right, None, None) };
	let version = Some(sample.version());
	match audit.bytes(sample) {
		Ok(()) => found(Outcome::Right, None, version),
		Err(error) => failed(error, version),
	}
}

/// Returns the result of an audit that failed, with the HTTP status. `is_late` says that its time
/// was over.
fn outcome(error: &NodeError, is_late: bool) -> (Outcome, Option<u16>) {
	match error {
		NodeError::OtherBytes(_) | NodeError::Wrong { .. } => (Outcome::Wrong, None),
		NodeError::Refused { status, .. } => (Outcome::Refused, Some(*status)),
		NodeError::Unauthorized { .. } => (Outcome::Refused, Some(401)),
		NodeError::Slow { .. } | NodeError::Cut { .. } => (Outcome::Late, None),
		_ if is_late => (Outcome::Late, None),
		_ => (Outcome::Refused, None),
	}
}
