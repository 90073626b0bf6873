// SPDX-License-Identifier: Apache-2.0
//! Examines a set-up: asks its servers, reads the rows of the chain, and judges both.
//!
//! Nothing is signed or changed. The words of servers are bounded and escaped, and each question
//! has a time in which it must be answered. [`Finding`] is what comes out of it.

mod account;
mod chain;
mod content_node;
mod finding;
mod index;
mod kms;
mod member;
mod reach;
mod runtime;
mod server;

pub use account::{funds, key, nobody_named, Roles};
pub use chain::{connect, node};
pub use content_node::content_node;
pub use finding::{Finding, Help, Severity, Topic};
pub use index::{index, Indexed};
pub use kms::kms;
pub use member::{holders, member, standing};
pub use reach::{other_chain, unusable, unusable_url};
pub use runtime::runtime;
pub use server::Reference;

use std::{future::Future, time::Duration};

use crate::chain::Error;

/// Longest time for the head of a server's answer, and again for its body.
pub const ANSWER: Duration = Duration::from_secs(10);
/// Longest time of a check, with the rows that it reads.
const PATIENCE: Duration = Duration::from_secs(40);
/// Age of a block from which on it is old, and the largest difference of clocks, in seconds.
const OLD: u64 = 60;
/// Number of blocks by which finality or a server may lag.
const FAR_BEHIND: u64 = 20;

/// Runs a check of the chain's rows. One that fails or takes too long becomes a finding. `what` is
/// what could not be read.
pub async fn checked(
	topic: Topic,
	what: &str,
	check: impl Future<Output = Result<Vec<Finding>, Error>>,
) -> Vec<Finding> {
	let late = || format!("no answer within {} seconds", PATIENCE.as_secs());
	let reason = match tokio::time::timeout(PATIENCE, check).await {
		Ok(Ok(findings)) => return findings,
		Ok(Err(error)) => error.to_string(),
		Err(_) => late(),
	};
	vec![Finding::problem(
		topic,
		format!("{what} cannot be read: {reason}"),
		Help {
			why: "The rest of it was not checked.",
			cure: "Run the command again, or name another node with --url".into(),
			page: "docs/operations.md#connections-to-a-node",
		},
	)]
}
