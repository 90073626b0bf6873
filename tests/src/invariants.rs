// SPDX-License-Identifier: Apache-2.0
//! The pallet's own check of its storage, on a state that is read from a node.

use content_fabric_runtime::ContentFabric;
use sp_io::TestExternalities;
use sp_storage::Storage;
use subxt::utils::H256;

use crate::raw::Raw;

/// Checks what `try_state` of the pallet checks, in the state of a block.
pub async fn check(node: &Raw, block: H256) {
	let top = node.pairs(&[], Some(block)).await;
	let mut state = TestExternalities::new(Storage { top, ..Default::default() });
	let checked = state.execute_with(ContentFabric::do_try_state);
	checked.unwrap_or_else(|broken| panic!("the state of block {block:?}: {broken:?}"));
}
