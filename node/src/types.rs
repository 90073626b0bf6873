// SPDX-License-Identifier: Apache-2.0
//! The types of a node: of blocks, and of its own parts.

use sc_consensus::LongestChain;
use sc_executor::WasmExecutor;
use sc_transaction_pool::TransactionPoolHandle;

pub use crate::block::{Block, BlockNumber, Hash, Header};
use crate::runtime_api::RuntimeApi;

#[cfg(not(feature = "runtime-benchmarks"))]
pub(crate) type HostFunctions = sp_io::SubstrateHostFunctions;
#[cfg(feature = "runtime-benchmarks")]
pub(crate) type HostFunctions =
	(sp_io::SubstrateHostFunctions, frame_benchmarking::benchmarking::HostFunctions);

/// The client: database, runtime executor, block import.
pub type FullClient = sc_service::TFullClient<Block, RuntimeApi, WasmExecutor<HostFunctions>>;
/// The database.
pub type FullBackend = sc_service::TFullBackend<Block>;
/// The rule by which the best block is chosen.
pub type SelectChain = LongestChain<FullBackend, Block>;
/// The transactions that wait for a block.
pub type Pool = TransactionPoolHandle<Block, FullClient>;
