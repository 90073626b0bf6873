// SPDX-License-Identifier: Apache-2.0
//! Probes of content nodes: asks each node of the chain, again and again, whether it serves. The
//! answers are evidence for governance.
//!
//! Locators are URLs that strangers write on the chain, so a probe must not lead into the network
//! of whoever runs the index. It connects to public addresses only, follows no redirect, sends
//! nothing but the request, and keeps of the answer only its kind and its status.

mod client;
mod history;

use std::{sync::Arc, thread, time::Duration};

use futures::{stream, StreamExt};
use tokio::{
	sync::oneshot,
	task::spawn_blocking,
	time::{interval, sleep_until, Instant, Interval, MissedTickBehavior},
};
use tracing::warn;

pub use client::Answer;
pub use history::{Evidence, Probes};

use self::client::Client;
use crate::index::{
	view::{NodeItem, Slice},
	Error, Index,
};

/// Maximum number of nodes probed.
const MAX_NODES: usize = 20_000;
/// Nodes that are read at once.
const PAGE: usize = 1_000;
/// Time between two looks at an index that has no nodes yet.
const SOON: Duration = Duration::from_secs(10);
/// Maximum number of probes at once.
const JOBS: usize = 16;

/// Settings of probes.
#[derive(Clone, Copy, Debug)]
pub struct Probing {
	/// Time between two probes of a node.
	pub interval: Duration,
	/// Shortest time between two probes.
	pub gap: Duration,
	/// Timeout of a probe.
	pub time: Duration,
	/// True to connect to any address, also in the network of the index.
	pub private: bool,
}

impl Default for Probing {
	fn default() -> Self {
		Self {
			interval: Duration::from_secs(300),
			gap: Duration::from_millis(100),
			time: Duration::from_secs(10),
			private: false,
		}
	}
}

/// Probes all nodes of an index, without end.
pub async fn keep_probing(index: Arc<Index>, probing: Probing, probes: Probes) {
	let client = Client::new(probing.time, probing.private);
	let mut gap = interval(probing.gap);
	gap.set_missed_tick_behavior(MissedTickBehavior::Delay);
	loop {
		let begin = Instant::now();
		let index = index.clone();
		let mut pause = probing.interval;
		match spawn_blocking(move || nodes(&index)).await {
			Ok(Ok(Some(nodes))) => {
				probes.retain(&nodes.iter().map(|node| node.row.medallion).collect());
				probe_all(&client, nodes, &mut gap, &probes).await;
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
			warn!("the chain has more than {MAX_NODES} nodes: the others are not probed");
			nodes.truncate(MAX_NODES);
			return Ok(Some(nodes));
		}
		if slice.after.is_none() {
			return Ok(Some(nodes));
		}
	}
}

async fn probe_all(client: &Client, nodes: Vec<NodeItem>, gap: &mut Interval, probes: &Probes) {
	let paced = stream::unfold((nodes.into_iter(), gap), |(mut nodes, gap)| async move {
		let node = nodes.next()?;
		gap.tick().await;
		Some((node, (nodes, gap)))
	});
	let ask = |node: NodeItem| async move {
		let medallion = node.row.medallion;
		if let Some(answer) = probe(client.clone(), node).await {
			probes.add(medallion, answer);
		}
	};
	paced.for_each_concurrent(JOBS, ask).await;
}

/// Probes a node. `None` if the probe could not be started.
async fn probe(client: Client, node: NodeItem) -> Option<Answer> {
	let (sender, answer) = oneshot::channel();
	// The process does not wait for such a thread when it stops.
	let thread = thread::Builder::new().name("probe".into()).spawn(move || {
		let NodeItem { member, id, row } = node;
		// The receiver is gone if the server stops.
		let _ = sender.send(client.ask(member, id, &row.locator.raw()));
	});
	match thread {
		Ok(_) => answer.await.ok(),
		Err(error) => {
			warn!("a probe cannot begin: {error}");
			None
		},
	}
}
