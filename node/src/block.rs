// SPDX-License-Identifier: Apache-2.0
//! The types that a node shares with the runtime.
//!
//! The node executes the runtime's WASM. It compiles none of its pallets but
//! `pallet-transaction-payment` and `frame-system`, which come with the RPC of fees. So it decodes
//! the headers of blocks, and treats extrinsics as bytes.

use sp_runtime::{generic, traits::BlakeTwo256, AccountId32, OpaqueExtrinsic};

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
