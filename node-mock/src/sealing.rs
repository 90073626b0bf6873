// SPDX-License-Identifier: Apache-2.0
//! Decides when a block is sealed.

use std::{future::ready, pin::Pin, sync::Arc, time::Duration};

use content_fabric_node::types::{FullBackend, FullClient, Hash, Pool};
use futures::{channel::mpsc, stream, Stream, StreamExt};
use sc_client_api::{BlockchainEvents, StorageProvider};
use sc_consensus_manual_seal::EngineCommand;
use sc_transaction_pool_api::TransactionPool;
use sp_crypto_hashing::twox_128;
use sp_storage::StorageKey;
use tokio::time::MissedTickBehavior;

use crate::mode::Mode;

/// Longest time that the pool may take to process a block.
const POOL_TIMEOUT: Duration = Duration::from_secs(1);

/// The first byte of the cursor of `pallet-migrations` while a migration is under way. Another one
/// says that it is stuck.
const ACTIVE: u8 = 0;

/// Returns the key of the cursor of `pallet-migrations`, which the runtime names `Migrations`.
fn cursor() -> StorageKey {
	StorageKey([twox_128(b"Migrations"), twox_128(b"Cursor")].concat())
}

/// Commands for the task that seals blocks, among them those that come in `from_rpc`.
pub type Commands = Pin<Box<dyn Stream<Item = EngineCommand<Hash>> + Send>>;

/// The commands of a mode.
pub fn commands(
	mode: Mode,
	client: Arc<FullClient>,
	pool: Arc<Pool>,
	from_rpc: mpsc::Receiver<EngineCommand<Hash>>,
) -> Commands {
	let commands = match mode {
		Mode::Instant => instant(client, pool),
		Mode::Interval(period) => interval(period),
	};
	stream::select(commands, from_rpc).boxed()
}

/// Seals a block whenever a transaction comes in, and after each block for the transactions that it
/// had no room for, as these are not announced again. An empty block is not sealed, so a
/// transaction that fits into no block does not make the node seal block after block. But while a
/// migration is under way, blocks take no transactions and are sealed one after the other.
fn instant(client: Arc<FullClient>, pool: Arc<Pool>) -> Commands {
	let incoming = pool.import_notification_stream().map(drop);
	let sealed = client.import_notification_stream().map(drop);
	// The node may have been stopped in the middle of a migration.
	stream::once(ready(()))
		.chain(stream::select(incoming, sealed))
		.filter_map(move |()| {
			let (client, pool) = (client.clone(), pool.clone());
			async move {
				let best = client.chain_info().best_hash;
				if is_migrating(&client, best) {
					return Some(seal(true));
				}
				// By then the pool has processed the last block, which mostly contains all
				// transactions of a burst.
				let mut ready = pool.ready_at_with_timeout(best, POOL_TIMEOUT).await;
				ready.next().is_some().then(|| seal(false))
			}
		})
		.boxed()
}

/// Returns whether a migration goes on in the block after this one.
fn is_migrating(client: &FullClient, block: Hash) -> bool {
	match StorageProvider::<_, FullBackend>::storage(client, block, &cursor()) {
		Ok(cursor) => cursor.is_some_and(|cursor| cursor.0.first() == Some(&ACTIVE)),
		Err(error) => {
			log::error!("cannot read whether a migration is under way: {error}");
			false
		},
	}
}

/// Seals a block every `period`.
fn interval(period: Duration) -> Commands {
	stream::once(async move {
		let mut interval = tokio::time::interval(period);
		interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
		stream::unfold(interval, |mut interval| async {
			interval.tick().await;
			Some((seal(true), interval))
		})
	})
	.flatten()
	.boxed()
}

fn seal(create_empty: bool) -> EngineCommand<Hash> {
	EngineCommand::SealNewBlock { create_empty, finalize: false, parent_hash: None, sender: None }
}

#[cfg(test)]
mod tests {
	use codec::Encode;
	use content_fabric_runtime::Runtime;
	use pallet_migrations::{Cursor, CursorOf};

	use super::*;

	#[test]
	fn migrations_are_found_where_the_runtime_stores_them() {
		assert_eq!(cursor().0, Cursor::<Runtime>::hashed_key());
		let active = CursorOf::<Runtime>::Active(pallet_migrations::ActiveCursor {
			index: 0,
			inner_cursor: None,
			started_at: 1,
		});
		assert_eq!(active.encode()[0], ACTIVE);
		assert_ne!(CursorOf::<Runtime>::Stuck.encode()[0], ACTIVE);
	}
}
