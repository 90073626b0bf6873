// SPDX-License-Identifier: Apache-2.0
//! Verification of stored bytes: remembers which were found sound, and hashes the others.
//!
//! Hashed bytes count as sound while the store reports the same size, time, and inode or tag. So
//! repeated requests do not make the node hash the same bytes again.

use std::{
	sync::{Arc, Mutex, MutexGuard, PoisonError},
	time::Duration,
};

use content_fabric_identifiers::{HashKind, VersionId};
use schnellru::{ByLength, LruMap};
use tokio::{
	sync::{Semaphore, SemaphorePermit},
	time::{sleep, Instant},
};
use tracing::{error, info, warn};

use crate::{
	check::{examine, rebuild, Fault},
	error::Error,
	keep::{upload::Uploads, Held, Keep},
	log::Bounded,
	store::{outboard::has_outboard, Stat, Store, StoreError},
	tree::{group_hash, Hash, Tree},
};

/// Time for which bytes that were found sound are not hashed again for uploads.
const FRESH: Duration = Duration::from_secs(600);
/// Number of versions that are hashed at the same time for uploads and commits.
const TURNS: usize = 2;
/// Pause while another task makes an outboard.
const LOOK: Duration = Duration::from_millis(50);
/// Largest number of versions that are remembered as sound: those that were needed last.
const MOST: u32 = 65_536;

/// The copies that are found damaged, or sound again.
static LOST: Bounded = Bounded::new(100);
/// The outboards that are rebuilt. Each read tries again if that fails.
static OUTBOARDS: Bounded = Bounded::new(100);

/// Remembers which stored bytes were found sound.
#[derive(Debug)]
pub struct Verifier {
	keep: Arc<Keep>,
	store: Store,
	uploads: Arc<Uploads>,
	known: Mutex<LruMap<VersionId, Known>>,
	turns: Semaphore,
}

/// Bytes that were found sound.
#[derive(Debug)]
struct Known {
	/// The store's answer about them at that time.
	stat: Stat,
	/// Time at which they were hashed.
	since: Instant,
}

impl Verifier {
	/// Makes a verifier that knows nothing yet.
	pub fn new(keep: Arc<Keep>, store: Store, uploads: Arc<Uploads>) -> Self {
		let known = Mutex::new(LruMap::new(ByLength::new(MOST)));
		let turns = Semaphore::new(TURNS);
		Self { keep, store, uploads, known, turns }
	}

	/// Notes an object that has just been stored, and whose bytes were hashed as they arrived.
	pub async fn has_stored(&self, version: VersionId) -> Result<(), StoreError> {
		if let Some(stat) = self.store.stat(version).await? {
			self.note(version, stat);
		}
		Ok(())
	}

	/// Forgets versions, so that they are hashed again before they are finalized.
	pub fn forget(&self, versions: impl IntoIterator<Item = VersionId>) {
		let mut known = self.known();
		for version in versions {
			known.remove(&version);
		}
	}

	/// Returns `true` if bytes of this size were found sound, and are unchanged.
	pub async fn knows(&self, version: VersionId, size: u64) -> Result<bool, StoreError> {
		self.knows_since(version, size, None).await
	}

	/// Returns `true` if bytes of this size were found sound within `FRESH`, and are unchanged.
	pub async fn knows_lately(&self, version: VersionId, size: u64) -> Result<bool, StoreError> {
		self.knows_since(version, size, Some(FRESH)).await
	}

	async fn knows_since(
		&self,
		version: VersionId,
		size: u64,
		within: Option<Duration>,
	) -> Result<bool, StoreError> {
		let is_recent =
			|known: &&mut Known| within.is_none_or(|time| known.since.elapsed() <= time);
		let known = self.known().get(&version).filter(is_recent).map(|known| known.stat.clone());
		match known.filter(|stat| stat.size == size) {
			Some(stat) => match self.store.stat(version).await {
				Err(error) if error.is_damage() => Ok(false),
				found => Ok(found? == Some(stat)),
			},
			None => Ok(false),
		}
	}

	/// Takes one of the `TURNS` places for hashing. Returns `None` if all are taken.
	pub fn try_turn(&self) -> Option<SemaphorePermit<'_>> {
		self.turns.try_acquire().ok()
	}

	/// Hashes the bytes of a version that is held, and records and logs damage. Returns the fault,
	/// if there is one. Returns `Ok(None)` if somebody else is moving or hashing the bytes now.
	pub async fn verify(&self, version: VersionId) -> Result<Option<Result<(), Fault>>, Error> {
		let Some(_claim) = self.uploads.claim(version) else { return Ok(None) };
		let Some(held) = self.keep.held(version)? else { return Ok(Some(Err(Fault::Missing))) };
		let mut examined = examine(&self.keep, &self.store, version, &held).await?;
		if matches!(examined, Ok((_, false))) && self.keep.read_only().is_none() {
			warn_of_outboard(version);
			if let Err(fault) = rebuild(&self.keep, &self.store, version, held.size).await? {
				examined = Err(fault);
			}
		}
		match &examined {
			Ok((stat, _)) => {
				if held.is_damaged {
					LOST.log(|| info!("the copy of {version} is sound again"));
				}
				self.note(version, stat.clone());
			},
			Err(fault) => self.lose(version, fault),
		}
		Ok(Some(examined.map(drop)))
	}

	fn lose(&self, version: VersionId, fault: &Fault) {
		self.forget([version]);
		LOST.log(|| {
			error!(
				"the copy of {version} {fault}: it is replaced with the bytes of another node or of an \
				 upload"
			);
		});
	}

	/// Rebuilds the outboard of a version, unless another task moves or hashes the bytes now.
	/// Records and logs damage to the object. Goes on if the client disconnects or does not wait.
	pub async fn rebuild(self: &Arc<Self>, version: VersionId) -> Result<(), Error> {
		let this = self.clone();
		let rebuilding = tokio::spawn(async move {
			let Some(_claim) = this.uploads.claim(version) else {
				sleep(LOOK).await;
				return Ok(());
			};
			let _turn = this.turns.acquire().await.map_err(|_| StoreError::Thread)?;
			match this.keep.held(version)? {
				Some(Held { hash, size, is_damaged: false, .. }) if has_outboard(hash, size) => {
					warn_of_outboard(version);
					let rebuilt = rebuild(&this.keep, &this.store, version, size).await?;
					rebuilt.map_err(|fault| {
						this.lose(version, &fault);
						StoreError::Lost(version).into()
					})
				},
				_ => Err(StoreError::Lost(version).into()),
			}
		});
		rebuilding.await.map_err(|_| StoreError::Thread)?
	}

	/// Reads a group of a version once more. If it is still wrong, records and logs the damage. The
	/// object may have been replaced since the first read.
	pub async fn has_wrong(
		&self,
		version: VersionId,
		group: u64,
		expected: Hash,
	) -> Result<(), Error> {
		let Some(_claim) = self.uploads.claim(version) else { return Ok(()) };
		let held = self.keep.held(version)?.filter(|held| held.hash == HashKind::Blake3);
		let Some(Held { size, is_damaged: false, .. }) = held else { return Ok(()) };
		let part = Tree { size }.bytes(&(group..group + 1));
		let start = part.start;
		let is_right = async {
			let object = self.store.open_object(version, size).await?;
			object.read(part, move |bytes| Ok(group_hash(start, &bytes) == expected)).await
		};
		match is_right.await {
			Ok(true) => return Ok(()),
			Err(error) if !error.is_damage() => return Err(error.into()),
			_ => {},
		}
		self.keep.mark(version, true)?;
		self.lose(version, &Fault::Damaged);
		Ok(())
	}

	fn note(&self, version: VersionId, stat: Stat) {
		self.known().insert(version, Known { stat, since: Instant::now() });
	}

	fn known(&self) -> MutexGuard<'_, LruMap<VersionId, Known>> {
		// A panic leaves no partial change behind.
		self.known.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

fn warn_of_outboard(version: VersionId) {
	OUTBOARDS.log(|| warn!("the outboard of {version} is missing or damaged, and is rebuilt"));
}
