// SPDX-License-Identifier: Apache-2.0
//! Removes transactions that take too long.
//!
//! A block that is not ready in time is discarded, but its transactions stay in the pool, so the
//! next block would include the same ones. After some slots without a block, consensus waits
//! longer, and then all nodes execute such a block. If a transaction takes longer than its weight
//! by some fault of the runtime, that can go on for as long as somebody submits such transactions.
//!
//! So this node returns no block with a transaction that took longer than all of a block should,
//! and removes that transaction.

mod attempt;
mod pool;
mod proposer;

use std::{sync::Arc, time::Duration};

use prometheus_endpoint::{register, Counter, PrometheusError, Registry, U64};
use sc_basic_authorship::ProposerFactory;
use sc_service::SpawnTaskHandle;
use sc_telemetry::TelemetryHandle;

use self::{
	pool::WatchedPool,
	proposer::{Judge, WatchedFactory},
};
use crate::types::{FullClient, Pool};

/// The part of a slot that a transaction may take: as much as all transactions of a block together
/// by their weights.
const SHARE: u32 = 3;

/// A factory of proposers whose transactions are timed.
pub type Proposers = WatchedFactory<ProposerFactory<WatchedPool, FullClient>>;

/// Makes proposers of blocks with transactions of a pool.
pub fn proposers(
	slot: Duration,
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
		"substrate_proposer_overruns_total",
		"Transactions that were removed because they took too long",
	)?;
	let counter = match prometheus {
		Some(registry) => register(counter, registry)?,
		None => counter,
	};
	Ok(WatchedFactory::new(factory, Judge { pool, longest: slot / SHARE, spawner, counter }))
}
