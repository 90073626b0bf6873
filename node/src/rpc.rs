// SPDX-License-Identifier: Apache-2.0
//! The JSON-RPC methods that this node adds to those of every Substrate node.

use std::sync::Arc;

use jsonrpsee::{core::RegisterMethodError, RpcModule};
use pallet_transaction_payment_rpc::{
	TransactionPayment, TransactionPaymentApiServer, TransactionPaymentRuntimeApi,
};
use sc_transaction_pool_api::TransactionPool;
use sp_api::ProvideRuntimeApi;
use sp_block_builder::BlockBuilder;
use sp_blockchain::{Error as BlockChainError, HeaderBackend, HeaderMetadata};
use substrate_frame_rpc_system::{AccountNonceApi, System, SystemApiServer};

use crate::types::{AccountId, Balance, Block, Nonce};

/// Returns the methods of all nodes, besides the SDK's own: nonces with the pool, and fees.
pub fn create<Client, Pool>(
	client: Arc<Client>,
	pool: Arc<Pool>,
) -> Result<RpcModule<()>, RegisterMethodError>
where
	Client: ProvideRuntimeApi<Block>
		+ HeaderBackend<Block>
		+ HeaderMetadata<Block, Error = BlockChainError>
		+ Send
		+ Sync
		+ 'static,
	Client::Api: BlockBuilder<Block>
		+ AccountNonceApi<Block, AccountId, Nonce>
		+ TransactionPaymentRuntimeApi<Block, Balance>,
	Pool: TransactionPool + 'static,
{
	let mut module = RpcModule::new(());
	module.merge(System::new(client.clone(), pool).into_rpc())?;
	module.merge(TransactionPayment::new(client).into_rpc())?;
	Ok(module)
}
