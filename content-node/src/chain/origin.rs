// SPDX-License-Identifier: Apache-2.0
//! Checks that the chain is the one that the record has followed. A development chain that was
//! begun anew may have the same genesis, but has other blocks.

use std::{
	mem::{discriminant, Discriminant},
	sync::{Mutex, MutexGuard, PoisonError},
	time::Duration,
};

use content_fabric_client::chain::{Chain, Snapshot};
use tokio::time::Instant;
use tracing::{error, info};

use super::Fabric;
use crate::error::Error;

/// Interval at which a lasting problem is logged again.
const AGAIN: Duration = Duration::from_secs(3_600);

impl Fabric {
	/// Checks that the chain has the blocks that the record has followed, up to its last finalized
	/// block `at`.
	pub(super) async fn ensure_followed(&self, chain: &Chain, at: &Snapshot) -> Result<(), Error> {
		let (first, last) = (self.keep.first_block()?, self.keep.block()?);
		let hash = self.keep.block_hash()?;
		let known = [first.map(|hash| (1, hash)), last.zip(hash)];
		for (block, seen) in known.into_iter().flatten() {
			// Blocks that are not final can still be replaced, and a node that is synchronizing may
			// lack some.
			if block > at.block_number() {
				continue;
			}
			if let Some(found) = chain.block_hash(block).await?.filter(|found| *found != seen) {
				return Err(Error::OtherChain { block, found, seen });
			}
		}
		// A chain that is behind may be another one.
		let has_caught_up = last.is_none_or(|last| last <= at.block_number());
		if first.is_none() && at.block_number() > 0 && has_caught_up {
			if let Some(hash) = chain.block_hash(1).await? {
				self.keep.begin(hash)?;
			}
		}
		match last.filter(|last| *last > at.block_number()) {
			Some(last) => Err(Error::Behind { found: at.block_number(), last }),
			None => Ok(()),
		}
	}
}

/// The lasting problem of the chain, if there is one.
#[derive(Debug, Default)]
pub(super) struct Problem(Mutex<Option<Said>>);

/// A problem that was logged.
#[derive(Debug)]
struct Said {
	kind: Discriminant<Error>,
	reason: String,
	is_other_chain: bool,
	since: Instant,
}

impl Problem {
	/// Notes a problem, and logs it unless it was logged within the hour.
	pub fn report(&self, error: &Error) {
		let (kind, reason) = (discriminant(error), error.to_string());
		let mut said = self.said();
		let before = said.as_ref().filter(|said| said.kind == kind);
		let before = before.filter(|said| said.since.elapsed() < AGAIN).map(|said| said.since);
		if before.is_none() {
			error!("nothing is taken in or finalized: {reason}");
		}
		let is_other_chain = error.is_other_origin();
		let since = before.unwrap_or_else(Instant::now);
		*said = Some(Said { kind, reason, is_other_chain, since });
	}

	/// Notes that there is no problem.
	pub fn end(&self) {
		if self.said().take().is_some() {
			info!("the chain is followed again");
		}
	}

	/// Returns the reason of the problem.
	pub fn reason(&self) -> Option<String> {
		self.said().as_ref().map(|said| said.reason.clone())
	}

	/// Returns the reason of the problem if the chain, or the node on it, is another one.
	pub fn other_chain(&self) -> Option<String> {
		let said = self.said();
		said.as_ref().filter(|said| said.is_other_chain).map(|said| said.reason.clone())
	}

	fn said(&self) -> MutexGuard<'_, Option<Said>> {
		self.0.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

#[cfg(test)]
mod tests {
	use tokio::time::advance;

	use super::*;

	#[tokio::test(start_paused = true)]
	async fn a_problem_that_lasts_is_said_once_an_hour_and_ends() {
		let problem = Problem::default();
		let since = || problem.said().as_ref().map(|said| said.since.elapsed().as_secs());
		let behind = |found| Error::Behind { found, last: 9 };
		problem.report(&behind(1));
		for found in 2..9 {
			advance(Duration::from_secs(10)).await;
			problem.report(&behind(found));
			assert_eq!(since(), Some((found - 1) * 10), "it was logged again");
			assert!(problem.reason().is_some_and(|text| text.contains(&format!("block {found}"))));
		}
		assert_eq!(problem.other_chain(), None);
		advance(AGAIN).await;
		problem.report(&behind(8));
		assert_eq!(since(), Some(0));
		advance(Duration::from_secs(10)).await;
		problem.report(&Error::OtherChain { block: 1, found: [1; 32], seen: [2; 32] });
		assert_eq!(since(), Some(0), "another problem is logged at once");
		assert!(problem.other_chain().is_some());
		problem.end();
		assert_eq!((problem.reason(), problem.other_chain()), (None, None));
	}
}
