//! What a node says about its chain, and the hash that holds it to its word.

use codec::{Decode, Encode};
use merkleized_metadata::{generate_metadata_digest, ExtraInfo};
use serde_json::Value;
use subxt::{
	config::RpcConfigFor,
	ext::frame_metadata::{v15::RuntimeMetadataV15, RuntimeMetadata, RuntimeMetadataPrefixed},
	metadata::{ArcMetadata, Metadata},
	rpcs::{
		client::rpc_params,
		methods::legacy::{RuntimeVersion, SystemProperties},
		LegacyRpcMethods, RpcClient,
	},
};

use super::{
	config::{FabricConfig, MetadataHash},
	metadata_error,
};
use crate::{amount::Units, keys::ChainKind, Error};

/// The version of metadata for which RFC 78 defines the hash.
const METADATA_VERSION: u32 = 15;
/// The transaction extension that compares the hash with the runtime's own.
const EXTENSION: &str = "CheckMetadataHash";

pub(super) type Rpc = LegacyRpcMethods<RpcConfigFor<FabricConfig>>;

/// A chain, as its node describes it.
#[derive(Clone, Debug)]
pub struct Identity {
	/// The hash of the first block.
	pub genesis_hash: [u8; 32],
	/// The kind of chain.
	pub kind: ChainKind,
	/// The currency.
	pub units: Units,
}

/// A runtime, as its node describes it.
pub(super) struct Runtime {
	pub spec_version: u32,
	/// The metadata, with its hash.
	pub metadata: ArcMetadata,
}

/// Asks a node which chain it serves.
pub(super) async fn identity(client: &RpcClient, rpc: &Rpc) -> Result<Identity, Error> {
	let kind = client.request::<Value>("system_chainType", rpc_params![]);
	let (genesis_hash, kind, properties) =
		tokio::try_join!(rpc.genesis_hash(), kind, rpc.system_properties())?;
	let kind = match kind.as_str() {
		Some("Development") => ChainKind::Development,
		Some("Local") => ChainKind::Local,
		_ => ChainKind::Live,
	};
	Ok(Identity { genesis_hash: genesis_hash.0, kind, units: units(&properties) })
}

/// Returns the currency. A chain that does not describe it counts in its smallest unit.
fn units(properties: &SystemProperties) -> Units {
	// Chains with several currencies list them, their own first.
	let first = |name| match properties.get(name) {
		Some(Value::Array(values)) => values.first(),
		other => other,
	};
	let decimals = first("tokenDecimals").and_then(Value::as_u64);
	let decimals = decimals.and_then(|decimals| u8::try_from(decimals).ok()).unwrap_or(0);
	let symbol = first("tokenSymbol").and_then(Value::as_str).unwrap_or("");
	Units::new(decimals, symbol)
}

/// Asks a node for its runtime. `signs_hash` is true if transactions shall carry the hash of the
/// metadata.
pub(super) async fn runtime(rpc: &Rpc, units: &Units, signs_hash: bool) -> Result<Runtime, Error> {
	let arguments = METADATA_VERSION.encode();
	let metadata = rpc.state_call("Metadata_metadata_at_version", Some(&arguments), None);
	let (version, metadata) = tokio::try_join!(rpc.state_get_runtime_version(None), metadata)?;
	let missing = || metadata_error(format!("metadata of version {METADATA_VERSION}"));
	let metadata = Option::<Vec<u8>>::decode(&mut &metadata[..]).ok().flatten();
	let prefixed = RuntimeMetadataPrefixed::decode(&mut &metadata.ok_or_else(missing)?[..]);
	let RuntimeMetadataPrefixed(magic, mut metadata) = prefixed.map_err(|_| missing())?;
	let hash = match signs_hash {
		true => Some(hash(&metadata, &version, units)?),
		false => None,
	};
	let RuntimeMetadata::V15(current) = &mut metadata else { return Err(missing()) };
	MetadataHash(hash).put(current);
	let metadata = Metadata::try_from(RuntimeMetadataPrefixed(magic, metadata));
	let metadata = metadata.map_err(|_| missing())?.arc();
	Ok(Runtime { spec_version: version.spec_version, metadata })
}

/// Computes the hash of the metadata. It covers the name and the decimals of the currency, too.
fn hash(
	metadata: &RuntimeMetadata,
	version: &RuntimeVersion,
	units: &Units,
) -> Result<[u8; 32], Error> {
	let RuntimeMetadata::V15(current) = metadata else { return Err(Error::NoMetadataHash) };
	let extensions = &current.extrinsic.signed_extensions;
	if !extensions.iter().any(|extension| extension.identifier == EXTENSION) {
		return Err(Error::NoMetadataHash);
	}
	let spec_name = version.other.get("specName").and_then(Value::as_str).unwrap_or_default();
	let info = ExtraInfo {
		spec_version: version.spec_version,
		spec_name: spec_name.to_owned(),
		base58_prefix: base58_prefix(current)?,
		decimals: units.decimals(),
		token_symbol: units.symbol().to_owned(),
	};
	let digest = generate_metadata_digest(metadata, info)
		.map_err(|reason| metadata_error(format!("metadata with a hash ({reason})")))?;
	Ok(digest.hash())
}

/// Returns the prefix of the chain's addresses, which runtimes keep in one byte or in two.
fn base58_prefix(metadata: &RuntimeMetadataV15) -> Result<u16, Error> {
	let system = metadata.pallets.iter().find(|pallet| pallet.name == "System");
	let mut constants = system.into_iter().flat_map(|pallet| &pallet.constants);
	let prefix = constants.find(|constant| constant.name == "SS58Prefix");
	match prefix.map(|constant| &constant.value[..]) {
		Some(&[prefix]) => Ok(prefix.into()),
		Some(&[low, high]) => Ok(u16::from_le_bytes([low, high])),
		_ => Err(metadata_error("constant System.SS58Prefix".into())),
	}
}
