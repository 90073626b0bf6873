// SPDX-License-Identifier: Apache-2.0
//! Hashes of groups that were proven by their outboard: of large objects, when they are needed.
//!
//! They are valid for a version forever, because its id follows from them. So those that were used
//! last are kept in memory.

use std::{
	sync::{Arc, Mutex, PoisonError},
	time::Duration,
};

use content_fabric_identifiers::VersionId;
use schnellru::{ByLength, LruMap};
use tokio::time::timeout;

use crate::{
	error::Error,
	store::{blocking, Store, StoreError},
	tree::{fold, hashes, Hash, Tree, BLOCK},
	verify::Verifier,
};

/// Largest number of blocks that are remembered: 8 MiB, which prove 4 GiB.
const MOST: u32 = 512;

/// Longest time for which a read waits for an outboard.
const WAIT: Duration = Duration::from_secs(20);

/// The hashes of a block.
pub type Block = Arc<[Hash]>;

/// The blocks that were used last, by version, level and index.
type Known = LruMap<(VersionId, usize, u64), Block>;

/// Proves hashes, and remembers them.
#[derive(Debug)]
pub struct Proofs {
	store: Store,
	verifier: Arc<Verifier>,
	known: Mutex<Known>,
}

impl Proofs {
	/// Starts without known hashes.
	pub fn new(store: Store, verifier: Arc<Verifier>) -> Self {
		Self { store, verifier, known: Mutex::new(LruMap::new(ByLength::new(MOST))) }
	}

	/// Returns the hashes of a block in a level of a version's tree. Makes the outboard again if it
	/// is missing or wrong.
	pub async fn block(
		&self,
		version: VersionId,
		tree: Tree,
		level: usize,
		index: u64,
	) -> Result<Block, Error> {
		if let Some(block) = self.find(version, tree, level, index).await? {
			return Ok(block);
		}
		let again = async {
			loop {
				self.verifier.rebuild(version).await?;
				if let Some(block) = self.find(version, tree, level, index).await? {
					return Ok(block);
				}
			}
		};
		timeout(WAIT, again).await.unwrap_or_else(|_| Err(StoreError::Hashing(version).into()))
	}

	/// Returns `None` if the outboard does not prove the hashes.
	async fn find(
		&self,
		version: VersionId,
		tree: Tree,
		level: usize,
		index: u64,
	) -> Result<Option<Block>, Error> {
		let known = |level, index| self.known(|known| known.get(&(version, level, index)).cloned());
		if let Some(block) = known(level, index) {
			return Ok(Some(block));
		}
		let top = tree.top();
		let (mut expected, mut block) = (version.0, Block::default());
		for at in (level..=top).rev() {
			let place = Tree::above(at - level, &(index..index + 1)).start;
			block = match known(at, place) {
				Some(block) => block,
				None => {
					let part = tree.block(at, place);
					let Some(bytes) = self.store.outboard(version, tree, part).await? else {
						return Ok(None);
					};
					let proven = move || {
						let found = hashes(&bytes);
						Ok((fold(&found, at == top) == expected).then(|| Block::from(found)))
					};
					let Some(block) = blocking(proven).await? else { return Ok(None) };
					self.known(|known| known.insert((version, at, place), block.clone()));
					block
				},
			};
			if at > level {
				let below = Tree::above(at - 1 - level, &(index..index + 1)).start;
				expected = block.get((below % BLOCK) as usize).copied().unwrap_or_default();
			}
		}
		Ok(Some(block))
	}

	fn known<T>(&self, with: impl FnOnce(&mut Known) -> T) -> T {
		// A panic leaves no partial change behind.
		with(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner))
	}
}
