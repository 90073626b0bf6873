// SPDX-License-Identifier: Apache-2.0
//! The types that a node shares with the runtime, and those of its own parts.
//!
//! The node executes the runtime's WASM. It compiles none of its pallets but
//! `pallet-transaction-payment` and `frame-system`, which come with the RPC of fees. So it decodes
//! the headers of blocks, and treats extrinsics as bytes.

use sc_consensus::LongestChain;
use sc_executor::WasmExecutor;
use sc_transaction_pool::TransactionPoolHandle;
use sp_runtime::{generic, traits::BlakeTwo256, AccountId32, OpaqueExtrinsic};

use crate::runtime_api::RuntimeApi;

/// A block, whose extrinsics are bytes.
pub type Block = generic::Block<Header, OpaqueExtrinsic>;
/// The header of a block.
pub type Header = generic::Header<BlockNumber, BlakeTwo256>;
/// The number of a block.
pub type BlockNumber = u32;
/// The hash of a block or of a state.
pub type Hash = sp_core::H256;
/// The public key of an account, or its hash.
pub type AccountId = AccountId32;
/// An amount of the chain's currency, in its smallest unit.
pub type Balance = u128;
/// The count of an account's transactions.
pub type Nonce = u32;

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
