// SPDX-License-Identifier: Apache-2.0
//! Removes transactions that take too long.
//!
//! A block that is not ready in time is discarded. The transactions stay in the pool, so that the
//! next block would include the same ones, and be discarded as well. If one of them takes longer
//! than its weight by some fault of the runtime, the chain stops. So this node removes the slowest
//! transaction of a block that it has to discard, and does not include it again.

mod attempt;
mod pool;
mod proposer;

use std::sync::Arc;

use prometheus_endpoint::{register, Counter, PrometheusError, Registry, U64};
use sc_basic_authorship::ProposerFactory;
use sc_service::SpawnTaskHandle;
use sc_telemetry::TelemetryHandle;

use self::{pool::WatchedPool, proposer::WatchedFactory};
use crate::types::{FullClient, Pool};

/// The node's part in making a block: the transactions, which are watched.
pub type Proposers = WatchedFactory<ProposerFactory<WatchedPool, FullClient>>;

/// Makes proposers of blocks from a pool, whose transactions they watch.
pub fn proposers(
	client: Arc<FullClient>,
	pool: Arc<Pool>,
	spawner: SpawnTaskHandle,
	prometheus: Option<&Registry>,
	telemetry: Option<TelemetryHandle>,
) -> Result<Proposers, PrometheusError> {
	let pool = Arc::new(WatchedPool::new(pool));
	let factory =
		ProposerFactory::new(spawner.clone(), client, pool.clone(), prometheus, telemetry);
	let counter = Counter::<U64>::new(
		"proposer_overruns_total",
		"Transactions that were removed because the block with them was not ready in time",
	)?;
	let counter = match prometheus {
		Some(registry) => register(counter, registry)?,
		None => counter,
	};
	Ok(WatchedFactory::new(factory, pool, spawner, counter))
}
