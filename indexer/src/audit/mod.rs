// SPDX-License-Identifier: Apache-2.0
//! Audits of content nodes: asks each node of the chain, again and again, for bytes that it should
//! hold, and verifies them. The results are evidence for governance.
//!
//! Locators are URLs that strangers write on the chain, so an audit must not lead into the network
//! of whoever runs the index. It connects to public addresses only, follows no redirect, sends
//! nothing but its requests, and keeps of the answers only the result and the status.

mod ask;
mod history;
mod kept;

use std::{sync::Arc, thread, time::Duration};

use content_fabric_client::{chain::wall_clock, content_node::Status, text::length_of_time};
use content_fabric_identifiers::VersionId;
use futures::{stream, StreamExt};
use rand::{rand_core::OsError, rngs::OsRng, TryRngCore};
use tokio::{
	sync::{oneshot, watch},
	task::{spawn_blocking, JoinError},
	time::{interval, sleep_until, Instant, Interval, MissedTickBehavior},
};
use tracing::warn;

pub use ask::{Finding, Outcome};
pub use history::{CopyEvidence, Counts, Evidence};
pub use kept::{Audits, AuditsError};

use self::ask::{ask, Way};
use crate::{
	follow::Progress,
	index::{
		view::{Chance, NodeItem, Slice, View},
		Error, Index,
	},
};

/// Maximum number of nodes audited.
const MAX_NODES: usize = 20_000;
/// Nodes that are read at once.
const PAGE: usize = 1_000;
/// Time between two looks at an index that has no nodes yet.
const SOON: Duration = Duration::from_secs(10);
/// Maximum number of audits at once.
const JOBS: usize = 16;

/// Settings of audits.
#[derive(Clone, Copy, Debug)]
pub struct Auditing {
	/// Time between two audits of a node.
	pub interval: Duration,
	/// Shortest time between two audits.
	pub gap: Duration,
	/// Time limit of an audit.
	pub time: Duration,
	/// Largest age of the final state by which nodes are judged.
	pub max_age: Duration,
	/// True to connect to any address, also in the network of the index.
	pub private: bool,
}

impl Auditing {
	/// Returns the settings of audits of public addresses.
	pub fn every(interval: Duration) -> Self {
		let (gap, time) = (Duration::from_millis(100), Duration::from_secs(10));
		let max_age = Duration::from_secs(60);
		Self { interval, gap, time, max_age, private: false }
	}
}

/// Audits all nodes of an index, without end. `status` is the progress of its follower.
pub async fn keep_auditing(
	index: Arc<Index>,
	status: watch::Receiver<Progress>,
	auditing: Auditing,
	audits: Audits,
) {
	audits.begin(auditing.interval);
	let auditor = Auditor { index, status, auditing, audits };
	let mut gap = interval(auditing.gap);
	gap.set_missed_tick_behavior(MissedTickBehavior::Delay);
	loop {
		let begin = Instant::now();
		let mut pause = auditing.interval;
		match auditor.read(Auditor::nodes).await {
			Ok(Some(nodes)) => {
				let medallions = nodes.iter().map(|node| node.row.medallion.get()).collect();
				auditor.audits.retain(&medallions);
				if nodes.is_empty() {
					auditor.audits.rest();
				}
				auditor.round(nodes, &mut gap).await;
				let audits = auditor.audits.clone();
				match spawn_blocking(move || audits.save()).await {
					Ok(Ok(())) => {},
					Ok(Err(error)) => warn!("{error}"),
					Err(error) => warn!("the results of audits cannot be written: {error}"),
				}
			},
			Ok(None) => pause = pause.min(SOON),
			Err(error) => warn!("the nodes cannot be read: {error}"),
		}
		sleep_until(begin + pause).await;
	}
}

/// Returns how long ago rows were surely the final state, at this time: since they were the state
/// at the node's last final block (`None` if they never were), and since the time of the block, if
/// it counts. A node that replays old blocks has an old one as its last, and a node that hangs has
/// none. Times are in milliseconds since the Unix epoch.
fn age(followed_at: Option<u64>, time: Option<u64>, now: u64) -> Option<Duration> {
	let since = followed_at?.min(time.unwrap_or(u64::MAX));
	Some(Duration::from_millis(now.saturating_sub(since)))
}

/// Returns random numbers of the operating system, which no node can foresee.
fn chance() -> Result<Chance, OsError> {
	let mut chance =
		Chance { place: OsRng.try_next_u64()?, bytes: OsRng.try_next_u64()?, ..Chance::default() };
	OsRng.try_fill_bytes(&mut chance.version)?;
	Ok(chance)
}

/// Audits the nodes of an index.
#[derive(Clone)]
struct Auditor {
	index: Arc<Index>,
	status: watch::Receiver<Progress>,
	auditing: Auditing,
	audits: Audits,
}

/// Nodes or copies cannot be read from the index.
#[derive(Debug, thiserror::Error)]
enum Unread {
	#[error(transparent)]
	Index(#[from] Error),
	#[error("the system gives no random numbers: {0}")]
	Chance(#[from] OsError),
	#[error(transparent)]
	Task(#[from] JoinError),
}

impl Auditor {
	/// Reads the index in a thread that may wait for the disk.
	async fn read<T: Send + 'static>(
		&self,
		run: impl FnOnce(&Self) -> Result<T, Unread> + Send + 'static,
	) -> Result<T, Unread> {
		let this = self.clone();
		spawn_blocking(move || run(&this)).await?
	}

	/// Returns the state by which nodes are judged. `None` if it is too old, or the index has yet
	/// to be read from the chain.
	fn view(&self) -> Result<Option<View<'_>>, Error> {
		let view = match self.index.view() {
			Err(Error::Empty) => return Ok(None),
			view => view?,
		};
		// The rows come from several blocks.
		if view.state().resync.is_some() {
			return Ok(None);
		}
		let (last, max_age) = (view.state().last.number, self.auditing.max_age);
		// The clock of a development chain may be anywhere.
		let is_timed = !view.state().chain.is_development();
		let time = view.block(last)?.filter(|_| is_timed).map(|block| block.time);
		let reason = match age(self.status.borrow().followed_at, time, wall_clock() / 1_000) {
			None => Some("the index has not caught up with its node yet".to_owned()),
			Some(age) if age > max_age => Some(format!(
				"the final state, block {last}, is {} old, and must not be older than {}: the node hangs, \
				 finality stalls, or the clock of this server is wrong",
				length_of_time(age.as_secs()),
				length_of_time(max_age.as_secs()),
			)),
			Some(_) => None,
		};
		let is_current = reason.is_none();
		self.audits.pause(reason);
		Ok(is_current.then_some(view))
	}

	/// Returns the nodes that are confirmed. `None` if there is no state to judge them by.
	fn nodes(&self) -> Result<Option<Vec<NodeItem>>, Unread> {
		let Some(view) = self.view()? else { return Ok(None) };
		let mut nodes = Vec::new();
		let mut slice = Slice { after: None, limit: PAGE };
		loop {
			let page = view.all_nodes(&slice)?;
			nodes.extend(page.items.into_iter().filter(|node| !node.row.pending));
			slice.after = page.next;
			if nodes.len() > MAX_NODES {
				warn!("the chain has more than {MAX_NODES} nodes: the others are not audited");
				nodes.truncate(MAX_NODES);
				return Ok(Some(nodes));
			}
			if slice.after.is_none() {
				return Ok(Some(nodes));
			}
		}
	}

	/// Audits all nodes, once each.
	async fn round(&self, nodes: Vec<NodeItem>, gap: &mut Interval) {
		let paced = stream::unfold((nodes.into_iter(), gap), |(mut nodes, gap)| async move {
			let node = nodes.next()?;
			gap.tick().await;
			Some((node, (nodes, gap)))
		});
		paced.for_each_concurrent(JOBS, |node| self.audit(node)).await;
	}

	/// Audits a node. If some of its copies failed or were late before, also audits those that are
	/// due: random draws alone would rarely show that one is whole again, or is always late.
	async fn audit(&self, node: NodeItem) {
		let medallion = node.row.medallion;
		let Some(found) = self.once(&node, None).await else { return };
		self.audits.add(medallion, found);
		let has_answered = found.version.is_some() || found.outcome == Outcome::Right;
		if !has_answered {
			return;
		}
		for suspect in self.audits.suspects(medallion) {
			// A copy that was just asked for is not asked for again.
			if found.version == Some(suspect) {
				continue;
			}
			match self.once(&node, Some(suspect)).await {
				// A node that stalls before it is asked for the copy hides it as well.
				Some(found) if found.version == Some(suspect) || found.outcome == Outcome::Late => {
					self.audits.add_copy(medallion, Finding { version: Some(suspect), ..found });
				},
				// There was nothing to ask for: the node no longer holds the copy.
				Some(found) if found.outcome == Outcome::Right => {
					self.audits.forget(medallion, suspect);
				},
				// The server has failed meanwhile. The next audit counts.
				_ => {},
			}
		}
	}

	/// Asks a node for bytes of a version, or of a random one. `None` if the audit could not run.
	async fn once(&self, node: &NodeItem, version: Option<VersionId>) -> Option<Finding> {
		let medallion = node.row.medallion;
		let chosen = self.read(move |auditor| {
			let chance = chance()?;
			let Some(view) = auditor.view()? else { return Ok(None) };
			Ok(Some(view.sample(medallion, version, chance)?))
		});
		let sample = match chosen.await {
			Ok(sample) => sample?,
			Err(error) => {
				warn!("no copy of {} can be chosen for an audit: {error}", node.id);
				return None;
			},
		};
		let Auditing { time, private, .. } = self.auditing;
		let ids = Status { provider: node.member, node: node.id };
		let locator = node.row.locator.raw().into_owned();
		let (sender, answer) = oneshot::channel();
		// The process does not wait for such a thread when it stops.
		let thread = thread::Builder::new().name("audit".into()).spawn(move || {
			// The receiver is gone if the server stops.
			let _ = sender.send(ask(Way { time, private }, &locator, ids, sample));
		});
		match thread {
			Ok(_) => answer.await.ok(),
			Err(error) => {
				warn!("an audit cannot begin: {error}");
				None
			},
		}
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn rows_are_as_old_as_their_block_or_as_the_last_look_at_the_node() {
		let seconds = |seconds| Some(Duration::from_secs(seconds));
		for (followed_at, time, expected) in [
			(None, None, None),
			(None, Some(99_000), None),
			(Some(99_000), Some(90_000), seconds(10)),
			(Some(99_000), None, seconds(1)),
			// The node hangs, or its clock is ahead.
			(Some(60_000), Some(90_000), seconds(40)),
			(Some(60_000), Some(160_000), seconds(40)),
			// The clock of this machine was set back.
			(Some(160_000), Some(160_000), seconds(0)),
		] {
			assert_eq!(age(followed_at, time, 100_000), expected, "{followed_at:?} {time:?}");
		}
	}
}
