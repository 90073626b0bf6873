// SPDX-License-Identifier: Apache-2.0
//! Keeps following a chain, whatever becomes of the connection.

use std::{convert::Infallible, future::Future, time::Duration};

use content_fabric_client::chain::wall_clock;
use tokio::sync::watch;
use tracing::{info, warn};

use super::{is_transient, Follower, Step, FLUSH_INTERVAL};
use crate::{
	index::{Error, Index, State},
	source::{Runtime, Source, SourceError},
};

/// The progress of the index, and the state of its node.
#[derive(Clone, Default)]
pub struct Progress {
	/// The number of the node's best block.
	pub node_best: u64,
	/// The number of the node's last final block.
	pub node_finalized: u64,
	/// True if the node answered the last question.
	pub connected: bool,
	/// When it did, in milliseconds since the Unix epoch.
	pub heard_at: u64,
	/// A number that grows with each change of the index.
	pub generation: u64,
	/// The last error, until the node answers again.
	pub error: Option<String>,
	/// The length of the file, in bytes.
	pub index_bytes: u64,
	/// The runtime that made the last block, once the node has been asked.
	pub runtime: Option<Runtime>,
}

/// Longest wait for news from the node. Then its heads are asked for.
const PATIENCE: Duration = Duration::from_secs(2);
/// Wait after an error before the next connection: the first one, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LAST_PAUSE: Duration = Duration::from_secs(10);

/// Follows a chain until `stop` is true, and publishes how far it has come.
///
/// `connect` makes a connection to the node. It is called again when the connection is lost.
/// Returns an error when another try does not help.
pub async fn keep_following<S, Connecting>(
	index: &Index,
	history: bool,
	connect: impl Fn() -> Connecting,
	progress: &watch::Sender<Progress>,
	stop: &mut watch::Receiver<bool>,
) -> Result<(), Error>
where
	S: Source,
	Connecting: Future<Output = Result<S, SourceError>>,
{
	let mut pause = FIRST_PAUSE;
	loop {
		let following = async {
			let source = connect().await?;
			info!("connected");
			follow_through(index, history, &source, progress, &mut pause).await
		};
		let Err(error) = tokio::select! {
			// An answer of the node may take longer than what is written may wait.
			flushed = keep_durable(index) => flushed,
			followed = following => followed,
			() = stopped(stop) => {
				index.flush()?;
				return Ok(());
			},
		};
		progress.send_modify(|progress| {
			progress.connected = false;
			progress.error = Some(error.to_string());
		});
		if !is_transient(&error) {
			return Err(error);
		}
		warn!("{error}; next try in {} ms", pause.as_millis());
		index.flush()?;
		tokio::select! {
			() = tokio::time::sleep(pause) => {},
			() = stopped(stop) => return Ok(()),
		}
		pause = (pause * 2).min(LAST_PAUSE);
	}
}

/// Makes durable what is written, each time when the flush interval is over. Returns with an error
/// only.
async fn keep_durable(index: &Index) -> Result<Infallible, Error> {
	loop {
		let left = FLUSH_INTERVAL.saturating_sub(index.unflushed_for().unwrap_or_default());
		tokio::time::sleep(left).await;
		index.flush_after(FLUSH_INTERVAL)?;
	}
}

/// Follows a chain through one connection. Returns with an error only.
async fn follow_through(
	index: &Index,
	history: bool,
	source: &impl Source,
	progress: &watch::Sender<Progress>,
	pause: &mut Duration,
) -> Result<Infallible, Error> {
	let mut follower = Follower::new(index, source, history);
	let mut was_caught_up = false;
	loop {
		let step = follower.step().await?;
		*pause = FIRST_PAUSE;
		publish(progress, &step, index);
		publish_runtime(progress, index, source).await?;
		if step.caught_up {
			if !was_caught_up {
				info!("caught up with block {}", step.heads.best.number);
			}
			source.news(PATIENCE).await?;
		} else if !step.changed {
			// The node is at another fork than a moment ago.
			tokio::time::sleep(FIRST_PAUSE).await;
		}
		was_caught_up = step.caught_up;
	}
}

fn publish(progress: &watch::Sender<Progress>, step: &Step, index: &Index) {
	progress.send_modify(|progress| {
		progress.node_best = step.heads.best.number;
		progress.node_finalized = step.heads.finalized.number;
		progress.connected = true;
		progress.error = None;
		progress.heard_at = wall_clock() / 1_000;
		progress.index_bytes = index.file_bytes();
		if step.changed {
			progress.generation += 1;
		}
	});
}

/// Publishes the runtime that made the last block, if it is another one than before.
async fn publish_runtime(
	progress: &watch::Sender<Progress>,
	index: &Index,
	source: &impl Source,
) -> Result<(), Error> {
	let Some(State { best, spec_version, .. }) = index.state()? else { return Ok(()) };
	let is_known = |runtime: &Runtime| runtime.spec_version == spec_version;
	if progress.borrow().runtime.as_ref().is_some_and(is_known) {
		return Ok(());
	}
	let runtime = match source.runtime(best).await {
		// Another block is the last one now.
		Err(SourceError::Discarded { .. }) => return Ok(()),
		runtime => runtime?,
	};
	progress.send_if_modified(|progress| {
		progress.runtime = runtime;
		// Nobody waits for it.
		false
	});
	Ok(())
}

/// Waits until the flag is true, or its owner is gone.
pub(crate) async fn stopped(stop: &mut watch::Receiver<bool>) {
	// An error says that the sender is gone.
	let _ = stop.wait_for(|stop| *stop).await;
}
