//! The chains that the node knows by name.

use content_fabric_runtime::WASM_BINARY;
use sc_service::{ChainType, GenericChainSpec, Properties};

/// The chain specification of this node.
pub type ChainSpec = GenericChainSpec;

/// The chain `dev`: one authority, a sudo key, and the well-known development accounts endowed.
pub fn development() -> Result<ChainSpec, String> {
	chain_spec(
		"Content Fabric Development",
		"content_fabric_dev",
		ChainType::Development,
		sp_genesis_builder::DEV_RUNTIME_PRESET,
	)
}

/// The chain `local`: two authorities and no sudo key; the council governs.
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
		"this node was built with SKIP_WASM_BUILD, so it has no runtime: build it without, or name a chain specification \
		 file with --chain",
	)?;
	let mut properties = Properties::new();
	properties.insert("tokenSymbol".into(), "UNIT".into());
	properties.insert("tokenDecimals".into(), 12.into());
	properties.insert("ss58Format".into(), 42.into());
	Ok(ChainSpec::builder(wasm, None)
		.with_name(name)
		.with_id(id)
		.with_chain_type(kind)
		.with_genesis_config_preset_name(preset)
		.with_properties(properties)
		.build())
}
