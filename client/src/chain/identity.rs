// SPDX-License-Identifier: Apache-2.0
//! The identity of a chain, as its node reports it, and the hash of its metadata.

use std::thread;

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
	utils::H256,
};
use tokio::sync::oneshot;

use super::{
	blake2_256,
	config::{FabricConfig, MetadataHash},
	metadata_types::ensure_walkable,
	Error,
};
use crate::{amount::Units, keys::ChainKind};

/// The version of metadata for which RFC 78 defines the hash.
const METADATA_VERSION: u32 = 15;
/// The transaction extension that compares the hash with the runtime's own.
const EXTENSION: &str = "CheckMetadataHash";

/// Room for the recursion that walks the types of metadata.
const STACK_SIZE: usize = 256 << 20;

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
	/// True if the runtime compares the hash of its metadata with the one that is signed.
	pub checks_metadata_hash: bool,
}

/// A runtime, as its node describes it.
pub(super) struct Runtime {
	pub spec_version: u32,
	/// The metadata, with its hash.
	pub metadata: ArcMetadata,
	/// The hash of the metadata as the node gave it.
	pub metadata_fingerprint: [u8; 32],
	/// True if the runtime compares the hash with its own.
	pub checks_hash: bool,
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
	Ok(Identity {
		genesis_hash: genesis_hash.0,
		kind,
		units: units(&properties),
		checks_metadata_hash: false,
	})
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

/// Asks a node for its runtime at a block, or at the best one. `signs_hash` is true if transactions
/// shall carry the hash of the metadata.
pub(super) async fn runtime(
	rpc: &Rpc,
	units: &Units,
	signs_hash: bool,
	at: Option<H256>,
) -> Result<Runtime, Error> {
	let arguments = METADATA_VERSION.encode();
	let metadata = rpc.state_call("Metadata_metadata_at_version", Some(&arguments), at);
	let (version, metadata) = tokio::try_join!(rpc.state_get_runtime_version(at), metadata)?;
	let missing = || Error::Metadata(format!("metadata of version {METADATA_VERSION}"));
	let metadata_fingerprint = blake2_256(&metadata);
	let metadata = Option::<Vec<u8>>::decode(&mut &metadata[..]).ok().flatten();
	let prefixed = RuntimeMetadataPrefixed::decode(&mut &metadata.ok_or_else(missing)?[..]);
	let RuntimeMetadataPrefixed(magic, metadata) = prefixed.map_err(|_| missing())?;
	let RuntimeMetadata::V15(metadata) = metadata else { return Err(missing()) };
	let checks_hash = checks_hash(&metadata);
	if signs_hash && !checks_hash {
		return Err(Error::NoMetadataHash);
	}
	let info = match signs_hash {
		true => Some(extra_info(&metadata, &version, units)?),
		false => None,
	};
	let (hash, mut metadata) = examined(metadata, info).await?;
	MetadataHash(hash).put(&mut metadata);
	let prefixed = RuntimeMetadataPrefixed(magic, RuntimeMetadata::V15(metadata));
	let metadata = Metadata::try_from(prefixed).map_err(|_| missing())?.arc();
	Ok(Runtime { spec_version: version.spec_version, metadata, metadata_fingerprint, checks_hash })
}

/// Returns whether the runtime compares the hash of its metadata with the one that is signed.
fn checks_hash(metadata: &RuntimeMetadataV15) -> bool {
	let extensions = &metadata.extrinsic.signed_extensions;
	extensions.iter().any(|extension| extension.identifier == EXTENSION)
}

/// Checks that the types can be walked, and computes the hash if `info` is given.
///
/// A node chooses the metadata, and the walk is recursive. So it gets a thread with a large stack,
/// and takes no longer than the caller waits.
async fn examined(
	metadata: RuntimeMetadataV15,
	info: Option<ExtraInfo>,
) -> Result<(Option<[u8; 32]>, RuntimeMetadataV15), Error> {
	let (sender, receiver) = oneshot::channel();
	let examine = move || {
		// Nobody waits any more if the time is over.
		let _ = sender.send(examine(metadata, info));
	};
	let thread = thread::Builder::new().name("metadata".into()).stack_size(STACK_SIZE);
	thread.spawn(examine).map_err(subxt::Error::other)?;
	let examined = receiver.await;
	examined.map_err(|_| Error::Metadata("metadata that can be read".into()))?
}

fn examine(
	metadata: RuntimeMetadataV15,
	info: Option<ExtraInfo>,
) -> Result<(Option<[u8; 32]>, RuntimeMetadataV15), Error> {
	let wrong = |reason| Error::Metadata(format!("metadata with {reason}"));
	ensure_walkable(&metadata.types).map_err(wrong)?;
	let Some(info) = info else { return Ok((None, metadata)) };
	let metadata = RuntimeMetadata::V15(metadata);
	let digest = generate_metadata_digest(&metadata, info);
	let digest = digest.map_err(|reason| wrong(format!("a hash ({reason})")))?;
	match metadata {
		RuntimeMetadata::V15(metadata) => Ok((Some(digest.hash()), metadata)),
		_ => Err(Error::NoMetadataHash),
	}
}

/// Returns what the hash of the metadata covers besides: among others the name and the decimals of
/// the currency.
fn extra_info(
	metadata: &RuntimeMetadataV15,
	version: &RuntimeVersion,
	units: &Units,
) -> Result<ExtraInfo, Error> {
	let spec_name = version.other.get("specName").and_then(Value::as_str).unwrap_or_default();
	Ok(ExtraInfo {
		spec_version: version.spec_version,
		spec_name: spec_name.to_owned(),
		base58_prefix: base58_prefix(metadata)?,
		decimals: units.decimals(),
		token_symbol: units.symbol().to_owned(),
	})
}

/// Returns the prefix of the chain's addresses, which runtimes keep in one byte or in two.
fn base58_prefix(metadata: &RuntimeMetadataV15) -> Result<u16, Error> {
	let system = metadata.pallets.iter().find(|pallet| pallet.name == "System");
	let mut constants = system.into_iter().flat_map(|pallet| &pallet.constants);
	let prefix = constants.find(|constant| constant.name == "SS58Prefix");
	match prefix.map(|constant| &constant.value[..]) {
		Some(&[prefix]) => Ok(prefix.into()),
		Some(&[low, high]) => Ok(u16::from_le_bytes([low, high])),
		_ => Err(Error::Metadata("constant System.SS58Prefix".into())),
	}
}

#[cfg(test)]
mod tests {
	use std::time::Duration;

	use scale_info::{
		form::PortableForm, interner::UntrackedSymbol, Path, PortableRegistry, PortableType, Type,
		TypeDef, TypeDefSequence,
	};
	use subxt::ext::frame_metadata::v15::{CustomMetadata, ExtrinsicMetadata, OuterEnums};

	use super::*;

	/// Returns metadata with lists in lists, this deep.
	fn nested(depth: u32) -> RuntimeMetadataV15 {
		let types = (0..depth).map(|id| {
			let inner = (id + 1).min(depth - 1);
			let list: TypeDef<PortableForm> = TypeDefSequence::new(inner.into()).into();
			PortableType { id, ty: Type::new(Path::default(), [], list, Vec::new()) }
		});
		let first: UntrackedSymbol<std::any::TypeId> = 0.into();
		RuntimeMetadataV15 {
			types: PortableRegistry { types: types.collect() },
			pallets: Vec::new(),
			extrinsic: ExtrinsicMetadata {
				version: 4,
				address_ty: first,
				call_ty: first,
				signature_ty: first,
				extra_ty: first,
				signed_extensions: Vec::new(),
			},
			ty: first,
			apis: Vec::new(),
			outer_enums: OuterEnums {
				call_enum_ty: first,
				event_enum_ty: first,
				error_enum_ty: first,
			},
			custom: CustomMetadata { map: Default::default() },
		}
	}

	fn info() -> ExtraInfo {
		ExtraInfo {
			spec_version: 1,
			spec_name: "test".into(),
			base58_prefix: 42,
			decimals: 12,
			token_symbol: "UNIT".into(),
		}
	}

	#[tokio::test]
	async fn the_hash_covers_the_metadata_and_is_computed_where_it_is_wanted() {
		let hash = |depth, info| async move {
			examined(nested(depth), info).await.expect("it is shallow; qed").0
		};
		assert!(hash(3, Some(info())).await.is_some());
		assert_ne!(hash(3, Some(info())).await, hash(4, Some(info())).await);
		assert_eq!(hash(3, None).await, None);
	}

	#[tokio::test]
	async fn deep_metadata_neither_overflows_the_stack_nor_holds_up_the_caller() {
		// The walk is recursive from its start, and takes long.
		let patience = Duration::from_secs(2);
		let examined = tokio::time::timeout(patience, examined(nested(20_000), Some(info())));
		assert!(examined.await.is_err(), "it takes longer than the caller waits");
	}
}
