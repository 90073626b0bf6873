// SPDX-License-Identifier: Apache-2.0
//! The chains that the node knows by name, and what a chain specification can hold for it.

use content_fabric_runtime_wasm::WASM_BINARY;
use sc_chain_spec::{ChainSpecExtension, ChainType, GenericChainSpec, Properties};
use sc_consensus_grandpa as grandpa;
use serde::{Deserialize, Serialize};

use crate::types::{Block, BlockNumber, Hash};

/// The chain specification of this node.
pub type ChainSpec = GenericChainSpec<Extensions>;

/// The fields of a chain specification that this node adds.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ChainSpecExtension)]
#[serde(rename_all = "camelCase")]
pub struct Extensions {
	/// Hard forks of GRANDPA's set of authorities. They replace the changes that blocks signal, to
	/// repair a chain after a forced change went wrong.
	#[serde(default, skip_serializing_if = "Option::is_none")]
	pub authority_set_hard_forks: Option<Vec<AuthoritySetHardFork>>,
}

/// A change of GRANDPA's authorities that no finalized block signals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AuthoritySetHardFork {
	/// The id of the new set.
	pub set_id: u64,
	/// The number of the block at which the set changes.
	pub block_number: BlockNumber,
	/// The hash of that block.
	pub block_hash: Hash,
	/// The new authorities: their GRANDPA keys, as SS58 addresses. Each has one vote.
	pub authorities: Vec<grandpa::AuthorityId>,
	/// The last block that the old authorities finalized. If it is given, the change does not wait
	/// for the finality of its own block.
	#[serde(default, skip_serializing_if = "Option::is_none")]
	pub last_finalized: Option<BlockNumber>,
}

impl From<AuthoritySetHardFork> for grandpa::AuthoritySetHardFork<Block> {
	fn from(fork: AuthoritySetHardFork) -> Self {
		Self {
			set_id: fork.set_id,
			block: (fork.block_hash, fork.block_number),
			authorities: fork.authorities.into_iter().map(|authority| (authority, 1)).collect(),
			last_finalized: fork.last_finalized,
		}
	}
}

/// The chain `dev`: one validator, a sudo key, and the well-known development accounts endowed.
pub fn development() -> Result<ChainSpec, String> {
	chain_spec(
		"Content Fabric Development",
		"content_fabric_dev",
		ChainType::Development,
		sp_genesis_builder::DEV_RUNTIME_PRESET,
	)
}

/// The chain `local`: four validators, Alice to Dave, and no sudo key; the council governs.
pub fn local_testnet() -> Result<ChainSpec, String> {
	chain_spec(
		"Content Fabric Local Testnet",
		"content_fabric_local",
		ChainType::Local,
		sp_genesis_builder::LOCAL_TESTNET_RUNTIME_PRESET,
	)
}

fn chain_spec(name: &str, id: &str, kind: ChainType, preset: &str) -> Result<ChainSpec, String> {
	let wasm = WASM_BINARY.ok_or(
		"this node was built with SKIP_WASM_BUILD and has no runtime: build it without that \
		 variable, or pass a chain specification with --chain",
	)?;
	let mut properties = Properties::new();
	properties.insert("tokenSymbol".into(), "UNIT".into());
	properties.insert("tokenDecimals".into(), 12.into());
	properties.insert("ss58Format".into(), 42.into());
	Ok(ChainSpec::builder(wasm, Extensions::default())
		.with_name(name)
		.with_id(id)
		.with_chain_type(kind)
		.with_genesis_config_preset_name(preset)
		.with_properties(properties)
		.build())
}
