// SPDX-License-Identifier: Apache-2.0
//! Follows a chain: brings the index from whatever block it is at to the node's last final block.

mod keep;

use std::{ops::RangeInclusive, pin::pin, time::Duration};

use content_fabric_okvs::Durability;
use futures::{stream, StreamExt, TryStreamExt};

pub(crate) use keep::stopped;
pub use keep::{keep_following, Progress};

use crate::{
	index::{Error, Index, State},
	source::{fetch, BlockRef, Header, Heads, Source, SourceError},
};

/// Largest number of blocks that are read at the same time.
const PARALLEL: usize = 64;
/// Number of blocks that are read at the same time while it is not known how large they are.
const FIRST_PARALLEL: usize = 16;
/// Largest number of rows and events of the blocks that are read at the same time, if these have as
/// many as those before.
const PARALLEL_SIZE: usize = 40_000;
/// Number of blocks, for each that is read at the same time, after which their size is looked at.
const PART: usize = 16;
/// Largest number of blocks of a transaction, and the number of rows and events that ends one.
const MAX_BLOCKS: usize = 256;
const MAX_SIZE: usize = 40_000;
/// Time after which written blocks are made durable.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
	/// The blocks of the node at the begin of the step.
	pub heads: Heads,
	/// True if the index changed.
	pub changed: bool,
	/// True if nothing is left to do before the node has other blocks.
	pub caught_up: bool,
}

/// The result of reading some blocks.
enum Part {
	/// All were added, with so many rows and events.
	Added { size: usize },
	/// The node has discarded the state of one of them.
	Discarded,
	/// The events of this one are larger than the node sends.
	TooLarge { number: u64 },
}

/// Follows a chain through one connection.
pub struct Follower<'a, S> {
	index: &'a Index,
	source: &'a S,
	/// True to begin at the first block, which needs an archive node.
	history: bool,
	checked: bool,
	flush_interval: Duration,
}

impl<'a, S: Source> Follower<'a, S> {
	/// Begins to follow. With `history`, an empty index begins at the first block of the chain, and
	/// not at the last final one.
	pub fn new(index: &'a Index, source: &'a S, history: bool) -> Self {
		Self { index, source, history, checked: false, flush_interval: FLUSH_INTERVAL }
	}

	/// Sets the time after which written blocks are made durable. Default: a second.
	pub fn flush_interval(self, flush_interval: Duration) -> Self {
		Self { flush_interval, ..self }
	}

	/// Brings the index to the node's last final block.
	///
	/// After an error the index is as it was after the last transaction. [`is_transient`] returns
	/// `true` for errors that another try may overcome.
	pub async fn step(&mut self) -> Result<Step, Error> {
		let heads = self.source.heads().await?;
		self.step_towards(heads).await
	}

	/// Takes a step towards the node's heads.
	pub(crate) async fn step_towards(&mut self, heads: Heads) -> Result<Step, Error> {
		let Some(state) = self.ready_state(heads).await? else {
			return Ok(Step { heads, changed: true, caught_up: false });
		};
		if !self.checked {
			self.index.check_chain(self.source, heads).await?;
			self.checked = true;
		}
		let (node, index) = (heads.finalized, state.last);
		if node.number < index.number {
			return Err(Error::Behind { node: node.number, index: index.number });
		}
		if node.number == index.number && node.hash != index.hash {
			let (number, index, node) = (index.number, index.hash, node.hash);
			return Err(Error::OtherHistory { number, index, node });
		}
		let changed = self.catch_up(heads.finalized).await?;
		let state = self.state()?;
		if state.last == heads.finalized && self.storage_changed(&state).await? {
			self.resync_at(heads.finalized).await?;
			return Ok(Step { heads, changed: true, caught_up: false });
		}
		let more = self.index.sweep()?;
		self.index.flush_after(self.flush_interval)?;
		let last = self.index.state()?.map(|state| state.last);
		Ok(Step { heads, changed, caught_up: !more && last == Some(heads.finalized) })
	}

	/// Returns the state of an index whose rows are of one block. Resyncs if there is none.
	async fn ready_state(&mut self, heads: Heads) -> Result<Option<State>, Error> {
		match self.index.state()? {
			Some(state) if state.resync.is_none() => return Ok(Some(state)),
			Some(state) => {
				self.index.check_chain(self.source, heads).await?;
				// The one that was interrupted may have been at the first block.
				let is_first = state.last.number == 0;
				match state.resync {
					Some(at) if self.history && !is_first => self.resume_at(at, heads).await?,
					_ if self.history => self.resync_first().await?,
					_ => self.resync_at(heads.finalized).await?,
				}
			},
			None if self.history => self.resync_first().await?,
			None => self.resync_at(heads.finalized).await?,
		}
		Ok(None)
	}

	async fn resync_first(&mut self) -> Result<(), Error> {
		let hash = self.source.hash_of(0).await?;
		let hash = hash.ok_or_else(|| SourceError::Node("the node has no first block".into()))?;
		self.resync_at(BlockRef { number: 0, hash }).await.map_err(|error| match error {
			Error::Source(error) => needs_archive(error).into(),
			other => other,
		})
	}

	/// Makes a resync that was interrupted at its own block, so that the history gets no gap. At
	/// the last final one if the node no longer has that.
	async fn resume_at(&mut self, at: BlockRef, heads: Heads) -> Result<(), Error> {
		match self.resync_at(at).await {
			Err(Error::Source(SourceError::Discarded { .. })) => {
				self.resync_at(heads.finalized).await
			},
			result => result,
		}
	}

	async fn resync_at(&mut self, at: BlockRef) -> Result<(), Error> {
		let header = self.header(at.hash).await?;
		self.index.resync(self.source, header).await?;
		Ok(())
	}

	/// Returns whether the pallet's storage has another version than the index knows, so that all
	/// rows may differ. Until a stepped migration has ended, the version is the old one, and the
	/// pallet's calls and hooks change nothing.
	async fn storage_changed(&self, state: &State) -> Result<bool, Error> {
		Ok(self.source.storage_version(state.last).await? != state.storage_version)
	}

	/// Adds final blocks up to this one, many in a transaction.
	async fn catch_up(&mut self, last: BlockRef) -> Result<bool, Error> {
		let mut parallel = FIRST_PARALLEL;
		let mut first = self.state()?.last.number + 1;
		if first > last.number {
			return Ok(false);
		}
		while first <= last.number {
			let blocks = u64::try_from(parallel * PART).unwrap_or(u64::MAX);
			let end = last.number.min(first.saturating_add(blocks - 1));
			match self.add_part(first..=end, last, parallel).await? {
				Part::Added { size } => parallel = parallel_for(size, end - first + 1),
				// The events of that block are lost.
				Part::TooLarge { number } if self.history => {
					let hash = self.source.hash_of(number).await?;
					let hash = hash.ok_or_else(|| missing(number))?;
					self.resync_at(BlockRef { number, hash }).await?;
				},
				// The events of all blocks in between are lost: the node need not have the rows
				// of others.
				Part::TooLarge { .. } | Part::Discarded => {
					self.resync_at(last).await?;
					return Ok(true);
				},
			}
			first = self.state()?.last.number + 1;
		}
		Ok(true)
	}

	/// Adds some of the final blocks up to `last`, which is durable before anybody sees it. Reads
	/// `parallel` of them at the same time.
	async fn add_part(
		&self,
		blocks: RangeInclusive<u64>,
		last: BlockRef,
		parallel: usize,
	) -> Result<Part, Error> {
		let source = self.source;
		let blocks = stream::iter(blocks).map(|number| async move {
			let hash = source.hash_of(number).await?;
			let hash = hash.ok_or_else(|| missing(number))?;
			let header = source.header(hash).await?.ok_or_else(|| missing(number))?;
			fetch(source, header).await
		});
		let mut blocks = pin!(blocks.buffered(parallel));
		let (mut batch, mut size, mut whole) = (Vec::new(), 0, 0);
		loop {
			let next = blocks.try_next().await;
			let done = !matches!(next, Ok(Some(_)));
			if let Ok(Some(block)) = &next {
				size += block.rows.len() + block.events.events.len();
			}
			let result = next.map(|block| batch.extend(block));
			if (done || batch.len() >= MAX_BLOCKS || size >= MAX_SIZE) && !batch.is_empty() {
				let has_last = batch.last().is_some_and(|block| block.header.block == last);
				let durability = if has_last { Durability::Commit } else { Durability::Close };
				self.index.apply(&batch, durability)?;
				whole += size;
				(batch, size) = (Vec::new(), 0);
				self.index.flush_after(self.flush_interval)?;
			}
			match result {
				Err(SourceError::Discarded { .. }) if !self.history => return Ok(Part::Discarded),
				Err(SourceError::TooLarge { number, reason }) => {
					tracing::warn!("{reason}; the events of the block are left out");
					return Ok(Part::TooLarge { number });
				},
				Err(error) if self.history => return Err(needs_archive(error).into()),
				Err(error) => return Err(error.into()),
				Ok(()) if done => return Ok(Part::Added { size: whole }),
				Ok(()) => {},
			}
		}
	}

	fn state(&self) -> Result<State, Error> {
		self.index.state()?.ok_or(Error::Empty)
	}

	async fn header(&self, hash: [u8; 32]) -> Result<Header, Error> {
		let missing =
			|| SourceError::Node(format!("the node has no block 0x{}", hex::encode(hash)));
		Ok(self.source.header(hash).await?.ok_or_else(missing)?)
	}
}

/// Returns the number of blocks to read at the same time after blocks with so many rows and events.
fn parallel_for(size: usize, blocks: u64) -> usize {
	let blocks = usize::try_from(blocks).unwrap_or(usize::MAX);
	let at_once = PARALLEL_SIZE.saturating_mul(blocks) / size.max(1);
	at_once.clamp(2, PARALLEL)
}

/// Returns the error of a read that only an archive node can answer.
fn needs_archive(error: SourceError) -> SourceError {
	match error {
		SourceError::Discarded { .. } => SourceError::Unknown(format!(
			"{error}: the history needs a node with `--state-pruning archive --blocks-pruning archive`"
		)),
		other => other,
	}
}

fn missing(number: u64) -> SourceError {
	SourceError::Node(format!("the node has no block {number}"))
}

/// Returns whether another try may succeed, perhaps after connecting again.
pub fn is_transient(error: &Error) -> bool {
	match error {
		Error::Source(error) => error.is_transient(),
		Error::Behind { .. } | Error::NotNext { .. } => true,
		_ => false,
	}
}
