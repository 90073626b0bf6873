// SPDX-License-Identifier: Apache-2.0
//! News of finalized blocks.

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
use crate::source::{Result, SourceError};

/// The subscription to the node's finalized blocks.
pub(super) struct News(RpcSubscription<SubstrateHeader<H256>>);

impl News {
	/// Waits until there is something new.
	pub async fn arrival(&mut self) -> Result<()> {
		check(self.0.next().await)
	}

	/// Takes all that has arrived. One look at the heads covers it.
	pub fn drain(&mut self) -> Result<()> {
		while let Some(head) = self.0.next().now_or_never() {
			check(head)?;
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
	/// Subscribes to the node's finalized blocks.
	pub(super) async fn subscribe(&self) -> Result<News> {
		let finalized = self.chain.rpc().chain_subscribe_finalized_heads();
		ask("chain_subscribeFinalizedHeads", None, finalized).await.map(News)
	}
}
