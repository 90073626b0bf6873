// SPDX-License-Identifier: Apache-2.0
//! Finalizes the versions whose bytes are here, many with one call.

use std::{collections::BTreeMap, sync::atomic::Ordering, time::Duration};

use content_fabric_client::{
	chain::{calls::FinalizeVersions, rows, Error as ChainError, Snapshot},
	text::count,
};
use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};
use tokio::time::{sleep, timeout, Instant};
use tracing::{info, warn};

use super::Fabric;
use crate::{error::Error, log::Bounded};

/// Time without an upload after which the collected finalizations are submitted.
const QUIET: Duration = Duration::from_millis(500);
/// Pause between two checks for further uploads.
const LOOK: Duration = Duration::from_millis(20);
/// Longest time for which they are collected.
const COLLECT: Duration = Duration::from_secs(6);
/// Number of refused versions of a call after which no others of the tenant are tried.
const REFUSALS: usize = 8;
/// Time after which versions that are not final are tried again.
const AGAIN: Duration = Duration::from_secs(6);

/// The versions that the chain does not accept. They are tried again and again.
static REFUSED: Bounded = Bounded::new(20);

/// An object and its version.
type Place = (ContentObjectId, VersionId);

impl Fabric {
	/// Notifies the finalizer that a version was uploaded.
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

	/// Waits while uploads go on, until there are enough for one call, or all have arrived.
	async fn collect(&self) {
		let start = Instant::now();
		let limit = self.link().map_or(usize::MAX, |link| link.limit);
		let (mut before, mut since) = (0, start);
		loop {
			let uploads = self.uploads.load(Ordering::Relaxed);
			if uploads != before {
				(before, since) = (uploads, Instant::now());
			}
			let ends = since.elapsed() >= QUIET || self.keep.totals().promised == 0;
			if ends || uploads >= limit || start.elapsed() >= COLLECT {
				self.uploads.fetch_sub(uploads, Ordering::Relaxed);
				return;
			}
			sleep(LOOK).await;
		}
	}

	/// Finalizes the rows that are owed. The follower of finalized blocks records it.
	async fn finalize_owed(&self) -> Result<(), Error> {
		if self.problem.other_chain().is_some() || self.keep.owed(None, 1)?.is_empty() {
			return Ok(());
		}
		let link = self.link()?;
		let at = link.chain.best().await?;
		// A call is free if it makes each of its versions final. So versions that are final by another
		// node's copy have calls of their own.
		let mut calls = BTreeMap::<(bool, TenantId), Vec<Place>>::new();
		let mut after = None;
		loop {
			let page = self.keep.owed(after, link.limit)?;
			let Some(last) = page.last() else { break };
			after = Some(*last);
			let places = page.iter().map(|key| (key.tenant, key.object, key.version));
			let rows = link.chain.get_many(&at, rows::versions(), places).await?;
			// The chain waits for their finalization.
			let waits = |row: &rows::Version| link.own(row).is_some_and(|copy| copy.held.is_none());
			let waiting = page.into_iter().zip(rows).filter_map(|(key, row)| {
				row.filter(waits).map(|row| (key, row.finalized.is_some()))
			});
			let waiting: BTreeMap<_, _> = waiting.collect();
			for key in self.sound(waiting.keys().copied().collect()).await? {
				let is_final = waiting.get(&key).copied().unwrap_or_default();
				calls.entry((is_final, key.tenant)).or_default().push((key.object, key.version));
			}
		}
		for ((_, tenant), versions) in calls {
			self.finalize_for(&at, tenant, &versions).await?;
		}
		Ok(())
	}

	/// Finalizes versions of a tenant, with as few calls as the chain allows.
	async fn finalize_for(
		&self,
		at: &Snapshot,
		tenant: TenantId,
		versions: &[Place],
	) -> Result<(), Error> {
		let limit = self.link()?.limit;
		for (number, versions) in versions.chunks(limit).enumerate() {
			let is_full = versions.len() == limit;
			if number > 0 && !is_full && self.uploads.load(Ordering::Relaxed) > 0 {
				// More arrive: the next call has them all.
				return Ok(());
			}
			let versions = versions.to_vec();
			match self.finalize(at, tenant, versions.clone()).await {
				Err(ChainError::Dispatch { reason, .. }) if versions.len() > 1 => {
					// One of them has changed since: the others are not to wait for it.
					REFUSED.log(|| {
						warn!("finalizing {} versions one by one: {reason}", versions.len());
					});
					if !self.finalize_each(at, tenant, versions).await? {
						return Ok(());
					}
				},
				Err(ChainError::Dispatch { reason, .. }) => {
					REFUSED.log(|| warn!("a version of {tenant} is not finalized: {reason}"));
				},
				done => done?,
			}
		}
		Ok(())
	}

	/// Finalizes versions one by one. Returns `false` if so many were refused that the reason is
	/// the tenant's, such as that it is frozen.
	async fn finalize_each(
		&self,
		at: &Snapshot,
		tenant: TenantId,
		versions: Vec<Place>,
	) -> Result<bool, Error> {
		let mut refused = 0;
		for version in versions {
			match self.finalize(at, tenant, vec![version]).await {
				Err(ChainError::Dispatch { reason, .. }) => {
					REFUSED.log(|| warn!("{} is not finalized: {reason}", version.1));
					refused += 1;
					if refused == REFUSALS {
						return Ok(false);
					}
				},
				done => done?,
			}
		}
		Ok(true)
	}

	async fn finalize(
		&self,
		at: &Snapshot,
		tenant: TenantId,
		versions: Vec<Place>,
	) -> Result<(), ChainError> {
		let number = versions.len();
		let (provider, node) = (self.provider, self.node);
		let call = at.encode(FinalizeVersions { provider, node, tenant, versions })?;
		// A call that fails costs its fee.
		if let Some(reason) = self.refusal(&self.link()?.chain.best().await?, &call).await? {
			return Err(ChainError::Dispatch { call: call.name(), reason });
		}
		let included = self.submit(&call).await?;
		let finalized = count(number, "version", "versions");
		info!("finalized {finalized} of {tenant} in block {}", included.block_number);
		Ok(())
	}
}
