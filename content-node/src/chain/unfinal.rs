// SPDX-License-Identifier: Apache-2.0
//! Commits in blocks that are not final yet. The record has those that went through this process,
//! or an earlier one with the same record. It learns of the others when their blocks are final.

use std::collections::HashSet;

use content_fabric_client::chain::{Error as ChainError, FabricEvent};
use content_fabric_identifiers::VersionId;

use super::Fabric;

/// Largest number of blocks that are read. More are not final only if the chain has
/// stopped finalizing.
const BLOCKS: u64 = 64;

/// The versions of commits for the node in blocks that are not final.
#[derive(Default)]
pub(super) struct Unfinal {
	/// The best block, and the last finalized one that the node has followed.
	seen: Option<([u8; 32], u64)>,
	versions: HashSet<VersionId>,
}

impl Fabric {
	/// Returns whether a block that is not final yet has a commit of a version for this node. The
	/// events are read once for each block, however often somebody asks.
	pub async fn awaits_finality(&self, version: VersionId) -> Result<bool, ChainError> {
		let Some(followed) = self.followed() else { return Ok(false) };
		let mut unfinal = self.unfinal.lock().await;
		let link = self.link()?;
		let best = link.chain.best_hash().await?;
		if unfinal.seen != Some((best, followed)) {
			let last = link.chain.at(best).await?.block_number();
			let first = followed.saturating_add(1).max(last.saturating_sub(BLOCKS));
			let mut found = HashSet::new();
			for number in first..=last {
				let Some(hash) = link.chain.block_hash(number).await? else { continue };
				for event in link.chain.fabric_events(&link.chain.at(hash).await?).await? {
					// An event of a form that is not known here is reported when its block is final.
					match event.event.fabric {
						Ok(Some(FabricEvent::VersionCommitted {
							tenant,
							object,
							version,
							muid,
							..
						})) if muid.medallion() == link.medallion => {
							found.insert((tenant, object, version));
						},
						Ok(Some(FabricEvent::VersionDeleted { tenant, object, version })) => {
							found.remove(&(tenant, object, version));
						},
						_ => {},
					}
				}
			}
			unfinal.versions = found.into_iter().map(|(.., version)| version).collect();
			unfinal.seen = Some((best, followed));
		}
		Ok(unfinal.versions.contains(&version))
	}
}
