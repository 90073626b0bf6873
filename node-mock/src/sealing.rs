//! When blocks are sealed.

use std::{pin::Pin, sync::Arc, time::Duration};

use content_fabric_runtime::{Hash, OpaqueBlock as Block};
use futures::{channel::mpsc, stream, Stream, StreamExt};
use sc_client_api::{BlockchainEvents, HeaderBackend};
use sc_consensus_manual_seal::EngineCommand;
use sc_transaction_pool_api::TransactionPool;
use tokio::time::MissedTickBehavior;

use crate::mode::Mode;

/// Longest time that the pool may take to process a block.
const POOL_TIMEOUT: Duration = Duration::from_secs(1);

/// Commands for the task that seals blocks, among them those that come in `from_rpc`.
pub type Commands = Pin<Box<dyn Stream<Item = EngineCommand<Hash>> + Send>>;

/// The commands of a mode.
pub fn commands<Client, Pool>(
	mode: Mode,
	client: Arc<Client>,
	pool: Arc<Pool>,
	from_rpc: mpsc::Receiver<EngineCommand<Hash>>,
) -> Commands
where
	Client: BlockchainEvents<Block> + HeaderBackend<Block> + 'static,
	Pool: TransactionPool<Block = Block> + 'static,
{
	let commands = match mode {
		Mode::Instant => instant(client, pool),
		Mode::Interval(period) => interval(period),
	};
	stream::select(commands, from_rpc).boxed()
}

/// Seals a block whenever a transaction comes in, and after each block for the transactions that it
/// had no room for, as these are not announced again. An empty block is not sealed, so a
/// transaction that fits into no block does not make the node seal block after block.
fn instant<Client, Pool>(client: Arc<Client>, pool: Arc<Pool>) -> Commands
where
	Client: BlockchainEvents<Block> + HeaderBackend<Block> + 'static,
	Pool: TransactionPool<Block = Block> + 'static,
{
	let incoming = pool.import_notification_stream().map(drop);
	let sealed = client.import_notification_stream().map(drop);
	stream::select(incoming, sealed)
		.filter_map(move |()| {
			let (client, pool) = (client.clone(), pool.clone());
			async move {
				// By then the pool has processed the last block, which mostly contains all
				// transactions of a burst.
				let best = client.info().best_hash;
				let mut ready = pool.ready_at_with_timeout(best, POOL_TIMEOUT).await;
				ready.next().is_some().then(|| seal(false))
			}
		})
		.boxed()
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
