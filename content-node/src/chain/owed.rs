// SPDX-License-Identifier: Apache-2.0
//! Verifies bytes before their versions are finalized, if the node had them before the commit or
//! before the process started.

use content_fabric_identifiers::VersionId;
use futures::{stream, StreamExt, TryStreamExt};
use tokio::time::{sleep, Duration, Instant};
use tracing::warn;

use super::Fabric;
use crate::{error::Error, keep::VersionKey};

/// Number of rows that are read from the record at once.
const PAGE: usize = 1_000;
/// Number of concurrent requests to the store.
const AT_ONCE: usize = 16;
/// Pause between two rounds.
const SOON: Duration = Duration::from_millis(500);
/// Time after which sound versions no longer wait for the others, and pause after an error.
const SOME: Duration = Duration::from_secs(6);

impl Fabric {
	/// Returns the rows whose bytes are known to be sound, and schedules the hashing of the others.
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

	/// Keeps hashing bytes that await finalization and are not known to be sound.
	pub async fn keep_verifying(&self) {
		loop {
			self.unverified.notified().await;
			let verified = self.verify_owed().await;
			self.arrived.notify_one();
			// Versions that somebody else has claimed are tried again after a pause, and after an
			// error, which may last, after a longer one.
			match verified {
				Ok(()) => sleep(SOON).await,
				Err(error) => {
					warn!("versions cannot be hashed now: {error}");
					sleep(SOME).await;
				},
			}
		}
	}

	/// Hashes all bytes that are not known to be sound. Tries all of them before it returns the
	/// first error.
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
			self.verifier.verify(version).await?;
		}
		Ok(())
	}
}
