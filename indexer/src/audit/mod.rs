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

use content_fabric_client::content_node::Status;
use content_fabric_identifiers::VersionId;
use futures::{stream, StreamExt};
use rand::{rngs::OsRng, TryRngCore};
use tokio::{
	sync::oneshot,
	task::spawn_blocking,
	time::{interval, sleep_until, Instant, Interval, MissedTickBehavior},
};
use tracing::warn;

pub use ask::{Finding, Outcome};
pub use history::{CopyEvidence, Counts, Evidence};
pub use kept::{Audits, AuditsError};

use self::ask::{ask, Way};
use crate::index::{
	view::{Chance, NodeItem, Slice},
	Error, Index,
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
	/// True to connect to any address, also in the network of the index.
	pub private: bool,
}

impl Auditing {
	/// Returns the settings of audits of public addresses.
	pub fn every(interval: Duration) -> Self {
		let (gap, time) = (Duration::from_millis(100), Duration::from_secs(10));
		Self { interval, gap, time, private: false }
	}
}

/// Audits all nodes of an index, without end.
pub async fn keep_auditing(index: Arc<Index>, auditing: Auditing, audits: Audits) {
	let mut gap = interval(auditing.gap);
	gap.set_missed_tick_behavior(MissedTickBehavior::Delay);
	loop {
		let begin = Instant::now();
		let mut pause = auditing.interval;
		let of = index.clone();
		match spawn_blocking(move || nodes(&of)).await {
			Ok(Ok(Some(nodes))) => {
				audits.retain(&nodes.iter().map(|node| node.row.medallion.get()).collect());
				let round = Round { index: index.clone(), auditing, audits: audits.clone() };
				round.run(nodes, &mut gap).await;
				let audits = audits.clone();
				match spawn_blocking(move || audits.save()).await {
					Ok(Ok(())) => {},
					Ok(Err(error)) => warn!("{error}"),
					Err(error) => warn!("the results of audits cannot be written: {error}"),
				}
			},
			// The index has yet to be read from the chain.
			Ok(Ok(None) | Err(Error::Empty)) => pause = pause.min(SOON),
			Ok(Err(error)) => warn!("the nodes cannot be read: {error}"),
			Err(error) => warn!("the nodes cannot be read: {error}"),
		}
		sleep_until(begin + pause).await;
	}
}

/// Returns the nodes that are confirmed. `None` if the rows come from several blocks.
fn nodes(index: &Index) -> Result<Option<Vec<NodeItem>>, Error> {
	let view = index.view()?;
	if view.state().resync.is_some() {
		return Ok(None);
	}
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

/// Returns random numbers of the operating system, which no node can foresee.
fn chance() -> Result<Chance, <OsRng as TryRngCore>::Error> {
	let mut chance =
		Chance { place: OsRng.try_next_u64()?, bytes: OsRng.try_next_u64()?, ..Chance::default() };
	OsRng.try_fill_bytes(&mut chance.version)?;
	Ok(chance)
}

/// The audits of all nodes, one each.
struct Round {
	index: Arc<Index>,
	auditing: Auditing,
	audits: Audits,
}

impl Round {
	async fn run(&self, nodes: Vec<NodeItem>, gap: &mut Interval) {
		let paced = stream::unfold((nodes.into_iter(), gap), |(mut nodes, gap)| async move {
			let node = nodes.next()?;
			gap.tick().await;
			Some((node, (nodes, gap)))
		});
		paced.for_each_concurrent(JOBS, |node| self.audit(node)).await;
	}

	/// Audits a node. If one of its copies failed before, also audits that one: random draws alone
	/// would rarely show that it is whole again.
	async fn audit(&self, node: NodeItem) {
		let medallion = node.row.medallion;
		let Some(found) = self.once(&node, None).await else { return };
		self.audits.add(medallion, found);
		// A copy that was just asked for is not asked for again.
		let failing = self.audits.failing_longest(medallion);
		let has_answered = found.version.is_some() || found.outcome == Outcome::Right;
		let Some(failing) = failing.filter(|_| has_answered && found.version != failing) else {
			return;
		};
		match self.once(&node, Some(failing)).await {
			Some(found) if found.version == Some(failing) => self.audits.add_copy(medallion, found),
			// There was nothing to ask for: the node does not hold the copy any more.
			Some(found) if found.outcome == Outcome::Right => {
				self.audits.forget(medallion, failing)
			},
			// The server has failed meanwhile. The next audit counts.
			_ => {},
		}
	}

	/// Asks a node for bytes of a version, or of a random one. `None` if the audit could not run.
	async fn once(&self, node: &NodeItem, version: Option<VersionId>) -> Option<Finding> {
		let (index, medallion) = (self.index.clone(), node.row.medallion);
		let chosen = spawn_blocking(move || {
			let chance = chance().map_err(|error| error.to_string())?;
			let view = index.view().map_err(|error| error.to_string())?;
			view.sample(medallion, version, chance).map_err(|error| error.to_string())
		});
		let sample = match chosen.await {
			Ok(Ok(sample)) => sample,
			Ok(Err(error)) => {
				warn!("no copy of {} can be chosen for an audit: {error}", node.id);
				return None;
			},
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
