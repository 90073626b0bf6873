// SPDX-License-Identifier: Apache-2.0
//! Keeps following a chain, whatever becomes of the connection.

use std::{
	convert::Infallible,
	future::Future,
	mem::{discriminant, Discriminant},
	time::{Duration, Instant},
};

use content_fabric_client::chain::wall_clock;
use tokio::sync::watch;
use tracing::{debug, error, info, warn};

use super::{is_transient, Follower, Step, FLUSH_INTERVAL};
use crate::{
	index::{Error, Index, State},
	source::{Heads, Runtime, Source, SourceError},
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
	/// When the index last had the node's last final block, in milliseconds since the Unix epoch.
	/// `None` if it never had it.
	pub followed_at: Option<u64>,
	/// A number that grows with each change of the index.
	pub generation: u64,
	/// The last error. `None` while the index follows the node.
	pub error: Option<String>,
	/// `true` if the node's chain is proven not to be the chain of the index: the chain was begun
	/// anew.
	pub begun_anew: bool,
	/// The length of the file, in bytes.
	pub index_bytes: u64,
	/// The runtime that made the last block, once the node has been asked.
	pub runtime: Option<Runtime>,
}

/// Longest wait for a final block before the node's heads are requested.
const PATIENCE: Duration = Duration::from_secs(2);
/// Wait after an error before the next connection: the first one, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LAST_PAUSE: Duration = Duration::from_secs(10);
/// Interval at which a lasting failure is logged again.
const LOG_INTERVAL: Duration = Duration::from_secs(600);

/// The state that is kept between connections.
struct Following {
	/// Wait after the next error.
	pause: Duration,
	/// The node's heads, from its last answer.
	heads: Option<Heads>,
	/// `true` once the index has followed its chain.
	has_followed: bool,
	/// The last logged failure. `None` while the index follows the node.
	logged: Option<Logged>,
}

/// A failure that was logged.
struct Logged {
	/// The kind of the error. Failures of one kind are the same, even if their texts have other
	/// block numbers.
	kind: Discriminant<Error>,
	/// The text of an error of the node, since errors of that kind have many reasons.
	reason: Option<String>,
	at: Instant,
}

impl Logged {
	/// Returns `true` if a failure is the same as this one, and was logged recently.
	fn covers(&self, error: &Error, now: Instant) -> bool {
		self.kind == discriminant(error)
			&& self.reason == reason(error)
			&& now.duration_since(self.at) < LOG_INTERVAL
	}
}

/// Returns the text of an error if it comes from the node.
fn reason(error: &Error) -> Option<String> {
	matches!(error, Error::Source(_)).then(|| error.to_string())
}

impl Following {
	/// Returns `true` if the index waits for the node after an error instead of ending. If another
	/// chain has taken the place of the chain that it followed, it keeps serving what it has.
	fn waits_after(&self, error: &Error) -> bool {
		is_transient(error) || self.has_followed && error.is_other_chain()
	}

	/// Logs a failure, unless the same one was logged recently.
	fn log(&mut self, error: &Error) {
		let (now, pause) = (Instant::now(), self.pause.as_millis());
		if self.logged.as_ref().is_some_and(|logged| logged.covers(error, now)) {
			debug!("{error}; next try in {pause} ms");
			return;
		}
		match error.is_other_chain() {
			true => error!("{error}; meanwhile this index serves what it has"),
			false => warn!("{error}; next try in {pause} ms"),
		}
		let (kind, reason) = (discriminant(error), reason(error));
		self.logged = Some(Logged { kind, reason, at: now });
	}
}

/// Follows a chain until `stop` is `true`, and publishes the progress.
///
/// `connect` makes a connection to the node, and is called again when the connection is lost.
/// Returns an error if another try does not help. If another chain takes the place of the chain
/// that the index has followed, the index waits for its own chain to return.
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
	let mut state =
		Following { pause: FIRST_PAUSE, heads: None, has_followed: false, logged: None };
	loop {
		let following = async {
			let source = connect().await?;
			// After a failure that was not the connection's, a new connection is not worth a line.
			if state.logged.as_ref().is_none_or(|logged| logged.reason.is_some()) {
				info!("connected");
			}
			follow_through(index, history, &source, progress, &mut state).await
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
		publish_failure(progress, &error, state.heads);
		if !state.waits_after(&error) {
			return Err(error);
		}
		state.log(&error);
		index.flush()?;
		tokio::select! {
			() = tokio::time::sleep(state.pause) => {},
			() = stopped(stop) => return Ok(()),
		}
		state.pause = (state.pause * 2).min(LAST_PAUSE);
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
	state: &mut Following,
) -> Result<Infallible, Error> {
	let mut follower = Follower::new(index, source, history);
	let mut was_caught_up = false;
	loop {
		let heads = source.heads().await?;
		state.heads = Some(heads);
		let step = follower.step_towards(heads).await?;
		state.pause = FIRST_PAUSE;
		state.has_followed = true;
		state.logged = None;
		publish(progress, &step, index);
		publish_runtime(progress, index, source).await?;
		if step.caught_up {
			if !was_caught_up {
				info!("caught up with block {}", step.heads.finalized.number);
			}
			source.news(PATIENCE).await?;
		}
		was_caught_up = step.caught_up;
	}
}

impl Progress {
	/// Notes an answer of the node.
	fn heard(&mut self, heads: Heads) {
		self.node_best = heads.best;
		self.node_finalized = heads.finalized.number;
		self.connected = true;
		self.heard_at = wall_clock() / 1_000;
	}
}

/// Publishes the reason why the index does not follow the node.
fn publish_failure(progress: &watch::Sender<Progress>, error: &Error, heads: Option<Heads>) {
	progress.send_modify(|progress| {
		progress.error = Some(error.to_string());
		progress.begun_anew = error.is_other_chain();
		match (error, heads) {
			(Error::Source(_), _) | (_, None) => progress.connected = false,
			// The node has answered, but its chain cannot be followed.
			(_, Some(heads)) => progress.heard(heads),
		}
	});
}

fn publish(progress: &watch::Sender<Progress>, step: &Step, index: &Index) {
	progress.send_modify(|progress| {
		progress.heard(step.heads);
		progress.error = None;
		progress.begun_anew = false;
		if step.caught_up {
			progress.followed_at = Some(progress.heard_at);
		}
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
	let Some(State { last, spec_version, .. }) = index.state()? else { return Ok(()) };
	let is_known = |runtime: &Runtime| runtime.spec_version == spec_version;
	if progress.borrow().runtime.as_ref().is_some_and(is_known) {
		return Ok(());
	}
	let runtime = match source.runtime(last).await {
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

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_failure_that_lasts_is_logged_again_after_a_long_time_only() {
		let mut state =
			Following { pause: FIRST_PAUSE, heads: None, has_followed: true, logged: None };
		let source = |text: &str| Error::from(SourceError::Node(text.into()));
		let behind = |node| Error::Behind { node, index: 9 };
		state.log(&behind(1));
		let covers = |state: &Following, error: &Error, after: Duration| {
			let logged = state.logged.as_ref().expect("one is logged");
			logged.covers(error, logged.at + after)
		};
		// The node catches up.
		assert!(covers(&state, &behind(2), LOG_INTERVAL - Duration::from_secs(1)));
		assert!(!covers(&state, &behind(2), LOG_INTERVAL));
		assert!(!covers(&state, &source("refused"), Duration::ZERO));
		state.log(&source("refused"));
		assert!(covers(&state, &source("refused"), Duration::ZERO));
		assert!(!covers(&state, &source("closed"), Duration::ZERO));
		assert!(!covers(&state, &behind(2), Duration::ZERO));
	}

	#[test]
	fn only_an_index_that_has_followed_its_chain_waits_for_it_behind_another_one() {
		let other = Error::OtherChain { index: [1; 32], node: [2; 32] };
		let history = Error::OtherHistory { number: 1, index: [1; 32], node: [2; 32] };
		for has_followed in [false, true] {
			let state = Following { pause: FIRST_PAUSE, heads: None, has_followed, logged: None };
			assert_eq!(state.waits_after(&other), has_followed);
			assert_eq!(state.waits_after(&history), has_followed);
			assert!(state.waits_after(&Error::Behind { node: 1, index: 2 }));
			assert!(!state.waits_after(&Error::Corrupted("a row".into())));
		}
	}
}
