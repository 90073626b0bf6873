// SPDX-License-Identifier: Apache-2.0
//! Detection of dead connections that nobody has closed: the node hangs, its machine is gone, or
//! something in between drops the traffic.
//!
//! The client asks the node for its blocks every [`INTERVAL`]. Only answers and notifications show
//! that the node is alive. The pongs of the WebSocket protocol do not, because a proxy sends them
//! by itself. New blocks are not required, because some chains make none for a long time. But a
//! subscription must bring the blocks that the node reports in its answers.
//!
//! On a slow line, long questions and answers delay the others. Time in which parts of them are
//! sent or arrive does not count as silence, nor as time without an answer.
//!
//! When a connection is dead, its requests and subscriptions fail with [`Dead`], and so do reads
//! and writes of its stream. So nothing waits for a peer that accepts no more bytes.

mod client;
mod stream;
#[cfg(test)]
mod tests;

use std::{
	convert::Infallible,
	future::Future,
	sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed},
	time::Duration,
};

use futures::task::AtomicWaker;
use subxt::rpcs::Error as RpcError;
use tokio::{sync::watch, time::sleep};

pub(super) use self::{client::Watched, stream::Line};
use super::identity::Rpc;

/// Time between two questions about the node's blocks.
const INTERVAL: Duration = Duration::from_secs(5);
/// The unit of silence. Time in which this program itself was suspended counts as one tick.
const TICK: Duration = Duration::from_secs(1);
/// Number of ticks without an answer after which a connection is dead.
const SILENCE: u32 = 15;
/// The same while long requests are on their way, which delay the ones behind them.
const LONG_SILENCE: u32 = 30;
/// Number of bytes of unanswered requests from which they count as long.
const LONG: usize = 64 << 10;
/// Number of bytes within a tick that count as a part of a long question or answer. Pings and
/// pongs, and the questions about blocks, are shorter.
const PART: usize = 4 << 10;
/// Time in which a subscription must bring a block that the node reports: two slots.
const DELAY: Duration = Duration::from_secs(12);

/// The blocks of a node, from its report of at most a few seconds ago.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heads {
	/// The number of the best block.
	pub best: u64,
	/// The number of the last finalized block.
	pub finalized: u64,
}

/// Blocks that a subscription brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
	Best,
	Finalized,
}

/// The answers of a node about its blocks.
#[derive(Clone, Copy, Debug)]
struct Report {
	heads: Heads,
	/// `true` if the node is catching up with its chain. Meanwhile, it does not notify anybody of
	/// the blocks that it imports.
	is_syncing: bool,
}

impl Report {
	/// Returns the number of the block up to which a subscription must have come.
	fn due(&self, kind: Kind) -> Option<u64> {
		let due = match kind {
			Kind::Best => self.heads.best,
			Kind::Finalized => self.heads.finalized,
		};
		(!self.is_syncing).then_some(due)
	}
}

/// The connection is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{PREFIX}{0}")]
pub(super) struct Dead(Cause);

impl Dead {
	/// Returns the cause that the text of an error names, if the connection is dead.
	///
	/// The type of the error is not enough: subxt keeps some errors as texts only, and has no
	/// public function that returns the error of the client within its own.
	pub fn cause_in(text: &str) -> Option<&str> {
		text.split_once(PREFIX).map(|(_, cause)| cause)
	}
}

impl From<Dead> for RpcError {
	fn from(dead: Dead) -> Self {
		Self::Client(dead.into())
	}
}

/// The start of the text of [`Dead`], by which it is found in errors of other libraries.
pub(super) const PREFIX: &str = "the connection is dead: ";

/// The cause of the death of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Cause {
	#[error("the node has not answered for {0} seconds")]
	Silence(u32),
	#[error(
		"the node has not notified this program of block {0}, which it has, for {delay} seconds",
		delay = DELAY.as_secs()
	)]
	NoNews(u64),
}

/// The state of the liveness of a connection.
#[derive(Debug, Default)]
pub(super) struct Liveness {
	/// True if the node has answered since the last tick.
	was_heard: AtomicBool,
	/// Number of bytes that have arrived since the last tick.
	arrived: AtomicUsize,
	/// Number of bytes that the line has taken since the last tick.
	sent: AtomicUsize,
	/// True if bytes wait for room on the line. A line that takes none for long is dead.
	is_full: AtomicBool,
	/// Number of ticks in which parts of long questions or answers were on their way.
	busy: AtomicU32,
	/// Number of bytes of the questions without an answer.
	asking: AtomicUsize,
	report: watch::Sender<Option<Report>>,
	death: watch::Sender<Option<Dead>>,
	/// The tasks that read from and write to the stream. They must notice the death.
	reader: AtomicWaker,
	writer: AtomicWaker,
}

impl Liveness {
	/// Returns the blocks that the node has reported last. `None` before the first report.
	pub fn heads(&self) -> Option<Heads> {
		self.report.borrow().map(|report| report.heads)
	}

	/// Watches a connection until it is dead.
	async fn watch(&self, rpc: &Rpc) {
		tokio::select! {
			never = self.keep_asking(rpc) => match never {},
			ticks = self.silence() => self.end(Cause::Silence(ticks)),
		}
	}

	/// Keeps asking for the node's blocks.
	async fn keep_asking(&self, rpc: &Rpc) -> Infallible {
		loop {
			sleep(INTERVAL).await;
			// A refusal is an answer, too. If there is none, the silence ends the connection.
			if let Ok(report) = self.ask(rpc).await {
				self.report.send_replace(Some(report));
			}
		}
	}

	async fn ask(&self, rpc: &Rpc) -> Result<Report, RpcError> {
		let missing = || RpcError::Client("the node lacks a header of its own".into());
		let best = self.answered(rpc.chain_get_header(None)).await?.ok_or_else(missing)?;
		let finalized = self.answered(rpc.chain_get_finalized_head()).await?;
		let finalized = self.answered(rpc.chain_get_header(Some(finalized))).await?;
		let finalized = finalized.ok_or_else(missing)?;
		let is_syncing = self.answered(rpc.system_health()).await?.is_syncing;
		let heads = Heads { best: best.number, finalized: finalized.number };
		Ok(Report { heads, is_syncing })
	}

	/// Waits until the node has been silent for too long. Returns the number of silent ticks.
	async fn silence(&self) -> u32 {
		let mut ticks = 0;
		loop {
			sleep(TICK).await;
			let carried = [&self.arrived, &self.sent].map(|bytes| bytes.swap(0, Relaxed));
			let carries = carried.into_iter().any(|bytes| bytes >= PART);
			self.busy.fetch_add((carries || self.is_full.load(Relaxed)).into(), Relaxed);
			ticks = match self.was_heard.swap(false, Relaxed) || carries {
				true => 0,
				false => ticks + 1,
			};
			let limit = match self.asking.load(Relaxed) >= LONG {
				true => LONG_SILENCE,
				false => SILENCE,
			};
			if ticks >= limit {
				return ticks;
			}
		}
	}

	/// Waits until a subscription that has brought blocks up to the number `seen` lacks one for too
	/// long.
	async fn lack(&self, kind: Kind, seen: Option<u64>) -> Cause {
		let lacks = |report: &Option<Report>| {
			let due = report.and_then(|report| report.due(kind));
			due.filter(|due| seen.is_none_or(|seen| seen < *due))
		};
		let mut report = self.report.subscribe();
		loop {
			// The sender is here, so it is not gone.
			let _ = report.wait_for(|report| lacks(report).is_some()).await;
			sleep(DELAY).await;
			// Everything that the node sent before this answer has arrived.
			report.mark_unchanged();
			let _ = report.changed().await;
			if let Some(due) = lacks(&report.borrow()) {
				return Cause::NoNews(due);
			}
		}
	}

	/// Waits for a time. Ticks in which the line is busy do not count.
	async fn idle(&self, time: Duration) {
		let (mut left, mut busy) = (time, self.busy.load(Relaxed));
		while !left.is_zero() {
			sleep(left).await;
			let before = std::mem::replace(&mut busy, self.busy.load(Relaxed));
			left = TICK * busy.wrapping_sub(before);
		}
	}

	/// Waits for an answer, at most until the connection is dead.
	async fn answered<T>(
		&self,
		answer: impl Future<Output = Result<T, RpcError>>,
	) -> Result<T, RpcError> {
		let answer = tokio::select! {
			biased;
			answer = answer => answer,
			dead = self.ended() => return Err(dead.into()),
		};
		match (&answer, *self.death.borrow()) {
			(Err(RpcError::Client(_)), Some(dead)) => return Err(dead.into()),
			// The error comes from the client, not from the node.
			(Err(RpcError::Client(_)), None) => {},
			_ => self.was_heard.store(true, Relaxed),
		}
		answer
	}

	/// Ends the connection, unless it has ended before.
	fn end(&self, cause: Cause) {
		self.death
			.send_if_modified(|death| death.is_none() && death.replace(Dead(cause)).is_none());
		self.reader.wake();
		self.writer.wake();
	}

	/// Waits until the connection is dead.
	async fn ended(&self) -> Dead {
		let mut death = self.death.subscribe();
		match death.wait_for(Option::is_some).await.map(|death| *death) {
			Ok(Some(dead)) => dead,
			// The sender is here, so it is not gone.
			_ => std::future::pending().await,
		}
	}
}
