// SPDX-License-Identifier: Apache-2.0
//! Finalizes the versions whose bytes are here, many with one call.

use std::{collections::BTreeMap, sync::atomic::Ordering, time::Duration};

use content_fabric_client::chain::{calls::FinalizeVersions, rows, Error as ChainError, Snapshot};
use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};
use futures::{stream, StreamExt, TryStreamExt};
use tokio::time::{sleep, timeout, Instant};
use tracing::{info, warn};

use super::Fabric;
use crate::{error::Error, keep::VersionKey};

/// Time without an upload after which the finalizations are submitted that were collected.
const QUIET: Duration = Duration::from_millis(500);
/// Longest time for which they are collected.
const COLLECT: Duration = Duration::from_secs(6);
/// Number of rows that are read at the same time.
const READS: usize = 32;
/// Time after which those are tried again that are not final.
const AGAIN: Duration = Duration::from_secs(6);

impl Fabric {
	/// Has the version finalized that was uploaded.
	pub fn has_arrived(&self) {
		self.uploads.fetch_add(1, Ordering::Relaxed);
		self.arrived.notify_one();
	}

	/// Finalizes what arrives, without end.
	pub async fn keep_finalizing(&self) {
		loop {
			// Also looks from time to time, as a block may have been retracted.
			let _ = timeout(AGAIN, self.arrived.notified()).await;
			self.collect().await;
			if let Err(error) = self.finalize_owed().await {
				warn!("versions cannot be finalized now: {error}");
				sleep(AGAIN).await;
			}
		}
	}

	/// Waits while uploads go on, until there are enough for one call.
	async fn collect(&self) {
		let start = Instant::now();
		let mut before;
		let mut uploads = self.uploads.load(Ordering::Relaxed);
		loop {
			before = uploads;
			sleep(QUIET).await;
			uploads = self.uploads.load(Ordering::Relaxed);
			if uploads == before || uploads >= self.limit || start.elapsed() >= COLLECT {
				self.uploads.fetch_sub(uploads, Ordering::Relaxed);
				return;
			}
		}
	}

	/// Finalizes the rows that are owed. The follower of finalized blocks records it.
	async fn finalize_owed(&self) -> Result<(), Error> {
		if self.keep.owed(None, 1)?.is_empty() {
			return Ok(());
		}
		let at = self.chain().best().await?;
		let mut after = None;
		loop {
			let page = self.keep.owed(after, self.limit)?;
			let Some(last) = page.last() else { return Ok(()) };
			after = Some(*last);
			self.finalize_page(&at, page).await?;
		}
	}

	async fn finalize_page(&self, at: &Snapshot, page: Vec<VersionKey>) -> Result<(), Error> {
		let mut tenants = BTreeMap::<TenantId, Vec<(ContentObjectId, VersionId)>>::new();
		let due = stream::iter(page)
			.map(|key| async move { Ok::<_, ChainError>((key, self.is_due(at, &key).await?)) });
		let due: Vec<_> = due.buffered(READS).try_collect::<Vec<_>>().await?;
		for (key, _) in due.into_iter().filter(|(_, is_due)| *is_due) {
			tenants.entry(key.tenant).or_default().push((key.object, key.version));
		}
		for (tenant, versions) in tenants {
			match self.finalize(at, tenant, versions.clone()).await {
				Err(ChainError::Dispatch { reason, .. }) if versions.len() > 1 => {
					// One of them has changed since: the others are not to wait for it.
					warn!("finalizing {} versions one by one: {reason}", versions.len());
					for version in versions {
						if let Err(error) = self.finalize(at, tenant, vec![version]).await {
							warn!("{} is not finalized: {error}", version.1);
						}
					}
				},
				Err(ChainError::Dispatch { reason, .. }) => {
					warn!("a version of {tenant} is not finalized: {reason}");
				},
				done => done?,
			}
		}
		Ok(())
	}

	/// Returns whether the chain waits for the finalization of a row.
	async fn is_due(&self, at: &Snapshot, key: &VersionKey) -> Result<bool, ChainError> {
		let row = at.get(&rows::versions(), (key.tenant, key.object, key.version)).await?;
		Ok(row.is_some_and(|row| row.finalized.is_none() && self.is_ours(&row)))
	}

	async fn finalize(
		&self,
		at: &Snapshot,
		tenant: TenantId,
		versions: Vec<(ContentObjectId, VersionId)>,
	) -> Result<(), ChainError> {
		let number = versions.len();
		let (originator, node) = (self.provider, self.node);
		let call = at.encode(FinalizeVersions { originator, node, tenant, versions })?;
		let included = self.submit(&call).await?;
		info!("finalized {number} versions of {tenant} in block {}", included.block_number);
		Ok(())
	}
}
