// SPDX-License-Identifier: Apache-2.0
//! The runtimes that make blocks, and their metadata.

use std::{
	collections::{BTreeMap, HashMap},
	sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use subxt::{
	config::substrate::{DigestItem, SubstrateHeader},
	metadata::ArcMetadata,
	utils::H256,
};
use tokio::sync::OnceCell;

use super::{
	error::{ask, of_client},
	Node,
};
use crate::source::{BlockRef, Hash, Header, Result, Runtime, Source, SourceError};

/// Largest number of blocks whose makers are remembered.
const MAX_MAKERS: usize = 16_384;
/// Number of runtimes whose metadata is kept. It takes megabytes.
const MAX_RUNTIMES: usize = 6;

/// The runtime that made a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Maker {
	/// The version.
	spec_version: u32,
	/// A block whose state has this runtime.
	at: BlockRef,
}

/// The known runtimes.
#[derive(Default)]
pub(super) struct Runtimes {
	/// Makers of blocks, which can be found again.
	makers: Mutex<HashMap<Hash, Maker>>,
	/// Metadata by version. It lasts as long as the connection: a development chain that is begun
	/// anew may have other metadata for the same version.
	metadata: Mutex<BTreeMap<u32, Arc<OnceCell<ArcMetadata>>>>,
}

impl Runtimes {
	fn makers(&self) -> MutexGuard<'_, HashMap<Hash, Maker>> {
		self.makers.lock().unwrap_or_else(PoisonError::into_inner)
	}

	/// Returns the place of a version's metadata, which may yet have to be read.
	fn metadata(&self, spec_version: u32) -> Arc<OnceCell<ArcMetadata>> {
		let mut metadata = self.metadata.lock().unwrap_or_else(PoisonError::into_inner);
		if let Some(known) = metadata.get(&spec_version) {
			return known.clone();
		}
		if metadata.len() >= MAX_RUNTIMES {
			metadata.pop_first();
		}
		metadata.entry(spec_version).or_default().clone()
	}
}

impl Node {
	/// Returns the version of the runtime that made a block.
	pub(super) async fn spec_version(&self, block: &Header) -> Result<u32> {
		Ok(self.maker(block).await?.spec_version)
	}

	/// Returns the runtime that made a block.
	pub(super) async fn runtime_of_header(&self, block: &Header) -> Result<Runtime> {
		self.with_metadata(self.maker(block).await?).await
	}

	/// Returns the runtime that made a block whose parent may not be known.
	pub(super) async fn runtime_of(&self, block: BlockRef) -> Result<Runtime> {
		let known = self.runtimes.makers().get(&block.hash).copied();
		let maker = match known {
			Some(maker) => maker,
			None => {
				let header = self.header(block.hash).await?;
				let missing = || SourceError::Discarded { number: block.number };
				self.maker(&header.ok_or_else(missing)?).await?
			},
		};
		self.with_metadata(maker).await
	}

	async fn maker(&self, block: &Header) -> Result<Maker> {
		let known = self.runtimes.makers().get(&block.block.hash).copied();
		if let Some(maker) = known {
			return Ok(maker);
		}
		let maker = match block.block.number.checked_sub(1) {
			// Nothing executes the first block. Its state has the first runtime.
			None => self.at(block.block).await?,
			Some(number) => match self.at(BlockRef { number, hash: block.parent }).await {
				// The first block whose state the node still has.
				Err(SourceError::Discarded { .. }) => self.unchanged_at(block.block).await?,
				maker => maker?,
			},
		};
		let mut makers = self.runtimes.makers();
		if makers.len() >= MAX_MAKERS {
			makers.clear();
		}
		makers.insert(block.block.hash, maker);
		Ok(maker)
	}

	/// Returns the maker of a block, which is the runtime of its own state unless it replaces the
	/// runtime.
	async fn unchanged_at(&self, block: BlockRef) -> Result<Maker> {
		let header = self.chain.rpc().chain_get_header(Some(H256(block.hash)));
		match ask("chain_getHeader", Some(block.number), header).await? {
			Some(header) if !replaces_runtime(&header) => self.at(block).await,
			_ => Err(SourceError::Discarded { number: block.number.saturating_sub(1) }),
		}
	}

	/// Returns the runtime of the state after a block.
	async fn at(&self, block: BlockRef) -> Result<Maker> {
		let version = self.chain.rpc().state_get_runtime_version(Some(H256(block.hash)));
		let version = ask("state_getRuntimeVersion", Some(block.number), version).await?;
		Ok(Maker { spec_version: version.spec_version, at: block })
	}

	async fn with_metadata(&self, maker: Maker) -> Result<Runtime> {
		let Maker { spec_version, at } = maker;
		let metadata = self.runtimes.metadata(spec_version);
		let read = || async {
			let runtime = self.chain.runtime(at.hash).await;
			let (version, metadata) =
				runtime.map_err(|error| of_client(&error, Some(at.number)))?;
			if version != spec_version {
				return Err(SourceError::Node(format!(
					"the node reports versions {spec_version} and {version} of the runtime for the \
					 same block {}",
					at.number
				)));
			}
			tracing::debug!(spec_version, block = at.number, "read the metadata of a runtime");
			Ok(metadata)
		};
		let metadata = metadata.get_or_try_init(read).await?.clone();
		Ok(Runtime { spec_version, metadata })
	}
}

/// Returns whether a block replaces the runtime. The block itself is executed by the one before.
fn replaces_runtime(header: &SubstrateHeader<H256>) -> bool {
	header.digest.logs.contains(&DigestItem::RuntimeEnvironmentUpdated)
}

#[cfg(test)]
mod tests {
	use serde_json::json;

	use super::*;

	#[test]
	fn a_new_runtime_is_found_among_other_items() {
		// Aura's slot, and the seal.
		let (slot, seal) = ("0x0661757261200102030405060708", "0x05617572610401");
		for (logs, replaces) in [
			(vec![], false),
			(vec![slot, seal], false),
			(vec![slot, "0x08", seal], true),
			// Something else with the same byte in it.
			(vec!["0x000408"], false),
		] {
			let zero = H256::zero();
			let header = json!({
				"parentHash": zero, "number": "0x2a", "stateRoot": zero, "extrinsicsRoot": zero,
				"digest": { "logs": logs },
			});
			let header = serde_json::from_value(header).expect("it is a header; qed");
			assert_eq!(replaces_runtime(&header), replaces, "{logs:?}");
		}
	}

	#[test]
	fn metadata_of_the_oldest_runtime_gives_way() {
		let runtimes = Runtimes::default();
		let first = runtimes.metadata(1);
		assert!(Arc::ptr_eq(&first, &runtimes.metadata(1)));
		for version in 2..=7 {
			runtimes.metadata(version);
		}
		assert!(!Arc::ptr_eq(&first, &runtimes.metadata(1)));
		// Blocks of the first runtime can still be read.
		let first = runtimes.metadata(1);
		assert!(Arc::ptr_eq(&first, &runtimes.metadata(1)));
	}
}
