// SPDX-License-Identifier: Apache-2.0
//! Makes sure that bytes are sound before their versions become final: those that were here before
//! a tenant committed them, or before the process started.

use content_fabric_identifiers::VersionId;
use futures::{stream, StreamExt, TryStreamExt};
use tokio::time::{sleep, Duration, Instant};
use tracing::warn;

use super::Fabric;
use crate::{error::Error, keep::VersionKey};

/// Number of rows that are read from the record at once.
const PAGE: usize = 1_000;
/// Number of objects that the store is asked for at the same time.
const AT_ONCE: usize = 16;
/// Pause between two rounds.
const SOON: Duration = Duration::from_millis(500);
/// Time after which the versions that were found sound need not wait for the others.
const SOME: Duration = Duration::from_secs(6);

impl Fabric {
	/// Returns those of some rows whose bytes are known to be sound. Has the others hashed.
	pub(super) async fn sound(&self, rows: Vec<VersionKey>) -> Result<Vec<VersionKey>, Error> {
		let checked = stream::iter(rows)
			.map(async |key| Ok::<_, Error>(self.is_sound(key.version).await?.then_some(key)));
		checked.buffered(AT_ONCE).try_filter_map(async |key| Ok(key)).try_collect().await
	}

	async fn is_sound(&self, version: VersionId) -> Result<bool, Error> {
		let Some(held) = self.keep.held(version)? else { return Ok(false) };
		let is_sound = self.verifier.knows(version, held.size).await?;
		if !is_sound {
			self.unverified.notify_one();
		}
		Ok(is_sound)
	}

	/// Hashes the bytes that are to be finalized and are not known to be sound, without end.
	pub async fn keep_verifying(&self) {
		loop {
			self.unverified.notified().await;
			if let Err(error) = self.verify_owed().await {
				warn!("versions cannot be hashed now: {error}");
			}
			self.arrived.notify_one();
			// A version that somebody else has claimed is looked at again after a while.
			sleep(SOON).await;
		}
	}

	/// Hashes what is not known to be sound. Returns the first error, after all of them were tried.
	async fn verify_owed(&self) -> Result<(), Error> {
		let (mut after, mut since, mut verified) = (None, Instant::now(), Ok(()));
		loop {
			let page = self.keep.owed(after, PAGE)?;
			let Some(last) = page.last() else { return verified };
			after = Some(*last);
			for key in page {
				verified = verified.and(self.verify_one(key.version).await);
				if since.elapsed() >= SOME {
					self.arrived.notify_one();
					since = Instant::now();
				}
			}
		}
	}

	async fn verify_one(&self, version: VersionId) -> Result<(), Error> {
		let Some(held) = self.keep.held(version)? else { return Ok(()) };
		if !self.verifier.knows(version, held.size).await? {
			let _turn = self.verifier.turn().await;
			self.verifier.verify(version).await?;
		}
		Ok(())
	}
}
