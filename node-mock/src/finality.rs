// SPDX-License-Identifier: Apache-2.0
//! Decides when a block is finalized.

use std::{sync::Arc, time::Duration};

use content_fabric_node::types::{Block, FullClient, Hash};
use futures::StreamExt;
use sc_client_api::{BlockBackend, BlockImportNotification, BlockchainEvents, Finalizer};
use sc_service::Error as ServiceError;
use tokio::time::sleep;

/// Finalizes each block so long after its import, unless it is no longer in the best chain.
/// `engine_createBlock` on an earlier block can cause that, and to finalize the block then would
/// undo it.
///
/// Clients are notified of both, and some miss the import if the finalization comes at the same
/// time.
pub async fn finalize_later(client: Arc<FullClient>, delay: Duration) {
	let imported = client.import_notification_stream();
	imported
		.for_each_concurrent(None, |BlockImportNotification::<Block> { hash, header, .. }| {
			let client = client.clone();
			async move {
				sleep(delay).await;
				if let Err(error) = finalize(&client, header.number, hash) {
					log::error!("the block {hash} cannot be finalized: {error}");
				}
			}
		})
		.await;
}

fn finalize(client: &FullClient, number: u32, hash: Hash) -> Result<(), ServiceError> {
	let is_final = number <= client.chain_info().finalized_number;
	if !is_final && client.block_hash(number)? == Some(hash) {
		client.finalize_block(hash, None, true)?;
	}
	Ok(())
}
