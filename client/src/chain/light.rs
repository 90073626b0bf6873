// SPDX-License-Identifier: Apache-2.0
//! The light client: a part of this program that checks by proofs what nodes answer.

use std::time::Duration;

use subxt::{
	rpcs::{self, RpcClient},
	utils::H256,
};
use tokio::time::{sleep, timeout};

use super::{identity::Rpc, Error, Specification};

/// Time between two looks at a light client that synchronizes.
const PAUSE: Duration = Duration::from_millis(100);

/// Starts a light client. A question without an answer fails after `timeout`.
#[cfg(feature = "light")]
pub(super) async fn start(
	specification: &Specification,
	timeout: Duration,
) -> Result<RpcClient, Error> {
	use subxt::lightclient::LightClient;

	use super::{light_reads::Reads, node_client::Checked, specification::unusable};

	let path = specification.path().display();
	let refused = |reason: String| {
		let reason = reason.trim_end_matches('.');
		Error::Usage(unusable(format!("the light client does not take {path}: {reason}")))
	};
	let text = specification.text();
	// It computes the state root of the genesis.
	let started = tokio::task::spawn_blocking(move || LightClient::relay_chain(&*text)).await;
	let started = started.map_err(|error| refused(error.to_string()))?;
	let (_, connection) = started.map_err(|error| refused(error.to_string()))?;
	Ok(RpcClient::new(Checked::new(Reads::new(connection), Some(timeout))))
}

/// Refuses to start a light client, which was not built.
#[cfg(not(feature = "light"))]
pub(super) async fn start(_: &Specification, _: Duration) -> Result<RpcClient, Error> {
	Err(Error::Usage(
		"this `fabric` was built without the light client: build it with scripts/build, or with its \
		 feature `light`, or pass --url"
			.into(),
	))
}

/// Waits until a light client has synchronized, at most for `patience`. Returns the last block that
/// is finalized.
pub(super) async fn synchronize(
	rpc: &Rpc,
	specification: &Specification,
	patience: Duration,
) -> Result<H256, Error> {
	let mut peers = 0;
	let synchronized = async {
		loop {
			match rpc.system_health().await {
				Ok(health) if health.peers > 0 && !health.is_syncing => {
					return Ok(rpc.chain_get_finalized_head().await?);
				},
				Ok(health) => peers = health.peers,
				// It does not answer before it has found a node.
				Err(rpcs::Error::Client(_)) => peers = 0,
				Err(error) => return Err(error.into()),
			}
			sleep(PAUSE).await;
		}
	};
	timeout(patience, synchronized).await.unwrap_or_else(|_| {
		let (path, seconds) = (specification.path().display(), patience.as_secs());
		let cause = match peers {
			0 => {
				"no node answers, so check the addresses in `bootNodes` and the network".to_owned()
			},
			_ => format!(
				"{peers} peers answer, so pass a longer --timeout, or check that the chain finalizes \
				 blocks"
			),
		};
		Err(Error::Unexpected(format!(
			"the light client of {path} has not synchronized after {seconds} seconds: {cause}"
		)))
	})
}
