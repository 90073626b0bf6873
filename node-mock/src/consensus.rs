//! When to seal a block.

use std::{pin::Pin, sync::Arc, time::Duration};

use content_fabric_runtime::{Hash, OpaqueBlock as Block};
use futures::{channel::mpsc, stream, Stream, StreamExt};
use sc_client_api::{BlockBackend, BlockchainEvents};
use sc_consensus_manual_seal::EngineCommand;
use sc_transaction_pool_api::TransactionPool;
use tokio::time::MissedTickBehavior;

use crate::cli::Consensus;

/// Commands for the task that seals blocks, among them those that come in `from_rpc`.
pub type Commands = Pin<Box<dyn Stream<Item = EngineCommand<Hash>> + Send>>;

/// The commands of a mode of consensus.
pub fn commands<Client, Pool>(
	consensus: Consensus,
	client: Arc<Client>,
	pool: Arc<Pool>,
	from_rpc: mpsc::Receiver<EngineCommand<Hash>>,
) -> Commands
where
	Client: BlockBackend<Block> + BlockchainEvents<Block> + Send + Sync + 'static,
	Pool: TransactionPool<Block = Block> + 'static,
{
	let commands = match consensus {
		Consensus::Instant => instant(client, pool),
		Consensus::Interval(period) => interval(period),
	};
	stream::select(commands, from_rpc).boxed()
}

/// A block for every transaction that comes in, and for those that a block had no room for.
fn instant<Client, Pool>(client: Arc<Client>, pool: Arc<Pool>) -> Commands
where
	Client: BlockBackend<Block> + BlockchainEvents<Block> + Send + Sync + 'static,
	Pool: TransactionPool<Block = Block> + 'static,
{
	let incoming = pool.import_notification_stream().map(drop);
	// A transaction that is left over is announced no more. Only a block with transactions in it
	// (there is one inherent, the timestamp) leads to another, so one that fits into no block does
	// not keep the node sealing.
	let left_over = client.import_notification_stream().filter_map(move |block| {
		let transactions = match client.block_body(block.hash) {
			Ok(Some(body)) => body.len().saturating_sub(1),
			Ok(None) => 0,
			Err(error) => {
				log::error!("Block {} cannot be read back: {error}", block.hash);
				0
			},
		};
		async move { (transactions > 0).then_some(()) }
	});
	// A block that one of several transactions led to has most often taken the others along.
	stream::select(incoming, left_over)
		.filter_map(move |()| {
			let ready = pool.status().ready > 0;
			async move { ready.then(|| seal(false)) }
		})
		.boxed()
}

/// A block every `period`.
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
