// SPDX-License-Identifier: Apache-2.0
//! The JSON-RPC methods with which developers seal and finalize blocks. They are unsafe ones: the
//! node serves them where it serves those.

use content_fabric_node::types::Hash;
use jsonrpsee::{core::async_trait, proc_macros::rpc, types::ErrorObjectOwned, Extensions};
use sc_consensus_manual_seal::rpc::{CreatedBlock, ManualSeal, ManualSealApiServer};
use sc_rpc_api::check_if_safe;
use sp_runtime::EncodedJustification;

/// The methods.
#[rpc(server)]
pub trait Engine {
	/// Seals a block: on top of the best one, or of `parent_hash`.
	#[method(name = "engine_createBlock", with_extensions)]
	async fn create_block(
		&self,
		create_empty: bool,
		finalize: bool,
		parent_hash: Option<Hash>,
	) -> Result<CreatedBlock<Hash>, ErrorObjectOwned>;

	/// Finalizes a block, and those below it.
	#[method(name = "engine_finalizeBlock", with_extensions)]
	async fn finalize_block(
		&self,
		hash: Hash,
		justification: Option<EncodedJustification>,
	) -> Result<bool, ErrorObjectOwned>;
}

/// Seals where unsafe methods are served.
pub struct Guarded(pub ManualSeal<Hash>);

#[async_trait]
impl EngineServer for Guarded {
	async fn create_block(
		&self,
		extensions: &Extensions,
		create_empty: bool,
		finalize: bool,
		parent_hash: Option<Hash>,
	) -> Result<CreatedBlock<Hash>, ErrorObjectOwned> {
		check_if_safe(extensions)?;
		Ok(self.0.create_block(create_empty, finalize, parent_hash).await?)
	}

	async fn finalize_block(
		&self,
		extensions: &Extensions,
		hash: Hash,
		justification: Option<EncodedJustification>,
	) -> Result<bool, ErrorObjectOwned> {
		check_if_safe(extensions)?;
		Ok(self.0.finalize_block(hash, justification).await?)
	}
}
