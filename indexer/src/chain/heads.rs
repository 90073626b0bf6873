// SPDX-License-Identifier: Apache-2.0
//! The best and the last finalized block, and news of them.

use futures::FutureExt;
use subxt::{
	config::substrate::SubstrateHeader,
	rpcs::{self, client::RpcSubscription},
	utils::H256,
};

use super::{
	error::{ask, line},
	Node,
};
use crate::source::{BlockRef, Hash, Result, Source, SourceError};

type Subscription = RpcSubscription<SubstrateHeader<H256>>;

/// The subscriptions to the node's blocks.
pub(super) struct News {
	best: Subscription,
	finalized: Subscription,
}

impl News {
	/// Waits until there is something new.
	pub async fn arrival(&mut self) -> Result<()> {
		tokio::select! {
			head = self.best.next() => check(head),
			head = self.finalized.next() => check(head),
		}
	}

	/// Takes all that has arrived. One look at the heads covers it.
	pub fn drain(&mut self) -> Result<()> {
		for heads in [&mut self.best, &mut self.finalized] {
			while let Some(head) = heads.next().now_or_never() {
				check(head)?;
			}
		}
		Ok(())
	}
}

/// Checks that a subscription goes on.
fn check<Head>(head: Option<Result<Head, rpcs::Error>>) -> Result<()> {
	match head {
		Some(Ok(_)) => Ok(()),
		Some(Err(error)) => {
			Err(SourceError::Node(format!("the subscription to blocks failed: {}", line(&error))))
		},
		None => Err(SourceError::Node("the node closed the subscription to blocks".into())),
	}
}

impl Node {
	/// Returns a block that the node has just named, with its number.
	pub(super) async fn numbered(&self, hash: Hash) -> Result<BlockRef> {
		let header = self.header(hash).await?;
		header.map(|header| header.block).ok_or_else(|| {
			SourceError::Node(format!("the node lacks its own block 0x{}", hex::encode(hash)))
		})
	}

	/// Subscribes to the node's blocks.
	pub(super) async fn subscribe(&self) -> Result<News> {
		let rpc = self.chain.rpc();
		let best = ask("chain_subscribeNewHeads", None, rpc.chain_subscribe_new_heads());
		let finalized =
			ask("chain_subscribeFinalizedHeads", None, rpc.chain_subscribe_finalized_heads());
		let (best, finalized) = tokio::try_join!(best, finalized)?;
		Ok(News { best, finalized })
	}
}
